"""Problems with a set of components, worded so that whoever typed it finds the place and knows what to type instead."""

from collections.abc import Iterable, Sequence
from datetime import date, time

from lagranja_sim.errors import UserError
from lagranja_sim.spelling import listing, near

FEW = 4  # this many choices are read at a glance, so the nearest need not be pointed out


class ComponentsError(UserError, ValueError):
    """A set of components that cannot be played, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


def shown(value: object) -> str:
    """A value as its file spells it."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, bool | date | time):
        return str(value).lower()
    return repr(value)


def no_such(name: object, noun: str, known: Sequence[str]) -> str:
    """That a name is none of the known ones, which those are, and which of many is near."""
    return f"{shown(name)} is no {noun}{near(name, known) if len(known) > FEW else ''}; expected {listing(known)}"
