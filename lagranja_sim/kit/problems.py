"""What is wrong with a set of components: worded so that whoever typed it finds the place and knows what to type instead."""

import difflib
from collections.abc import Iterable, Sequence
from datetime import date, time

FEW = 4  # so many choices are read at a glance: no need to point at the nearest


class ComponentsError(ValueError):
    """A set of components that cannot be played, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


def listing(names: Iterable[object], last: str = "or") -> str:
    """`a, b or c`."""
    words = [str(name) for name in names]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def span(numbers: Sequence[int]) -> str:
    """`1 to 4`; `1, 3 or 4` where some between are missing."""
    return f"{numbers[0]} to {numbers[-1]}" if 1 < len(numbers) == 1 + numbers[-1] - numbers[0] else listing(numbers)


def shown(value: object) -> str:
    """A value as its file spells it."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, bool | date | time):
        return str(value).lower()
    return repr(value)


def near(name: object, known: Iterable[str]) -> str:
    """` (did you mean x?)`, or nothing if no known name looks like this one."""
    close = difflib.get_close_matches(str(name).lower(), list(known), n=3, cutoff=0.6)
    return f" (did you mean {listing(close)}?)" if close else ""


def no_such(name: object, noun: str, known: Sequence[str]) -> str:
    """That a name is none of the known ones, which those are, and which of many is near."""
    return f"{shown(name)} is no {noun}{near(name, known) if len(known) > FEW else ''}; expected {listing(known)}"
