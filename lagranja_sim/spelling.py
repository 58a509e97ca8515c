"""Names that users type, and lists of them in words: what a name may have been meant to be, and what can be typed and printed at all."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

ALIKE = 0.65  # how much of two names has to agree, by difflib's ratio
MOST = 4  # names that are proposed


def listing(names: Iterable[object], last: str = "or") -> str:
    """`a, b or c`."""
    words = [str(name) for name in names]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def span(numbers: Sequence[int]) -> str:
    """`1 to 4`; `1, 3 or 4` where some between are missing."""
    return f"{numbers[0]} to {numbers[-1]}" if 1 < len(numbers) == 1 + numbers[-1] - numbers[0] else listing(numbers)


def near(name: object, known: Iterable[str]) -> str:
    """` (did you mean a, b or c?)` with the known names that look like this one or begin with it, whatever the case; or nothing."""
    typed, names = str(name).lower(), {other.lower(): other for other in sorted(known)}
    alike = difflib.get_close_matches(typed, names, n=3, cutoff=ALIKE)
    longer = [other for other in names if other.startswith(f"{typed}_")]
    proposals = [names[other] for other in dict.fromkeys(alike + longer)][:MOST]
    return f" (did you mean {listing(proposals)}?)" if proposals else ""


def is_utf8(text: str) -> bool:
    """Whether a text can be typed and printed; names of files may hold bytes that are no characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
