"""Addresses of values (`prices.sell.pig`, `revenue.faces.4`) and changes of them: a new value, or a step from the one that is there.

A step is the text `+=1` or `-=1`. `*` in an address stands for any one part of it. Entries of lists are counted from 1, as they are printed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from lagranja_sim.kit.problems import shown

_STEP = re.compile(r"([+-])=\s*([+-]?\d+)")


def step_of(value: object) -> int | None:
    """What a step adds; None for a value."""
    found = _STEP.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[2]) * (-1 if found[1] == "-" else 1) if found else None


def changed(before: Any, value: Any) -> Any:
    """The value after a change. Raises ValueError for a step from what is no number."""
    step = step_of(value)
    if step is None:
        return value
    if isinstance(before, bool) or not isinstance(before, int):
        raise ValueError(f"{shown(before)} takes no step {value}; expected a value")
    return before + step


def matching(pattern: str, addresses: Iterable[str]) -> list[str]:
    """The addresses that a pattern stands for, in their order; an address without `*` stands for itself, whether there is such or not."""
    if "*" not in pattern:
        return [pattern]
    parts = pattern.split(".")
    return [address for address in addresses if _fits(parts, address.split("."))]


def _fits(parts: list[str], path: list[str]) -> bool:
    return len(parts) == len(path) and all(map(fnmatchcase, path, parts))


def entries(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of nested tables with its address, lists before their entries."""
    for key, value in tree.items():
        yield from entries(value, f"{above}{key}.") if isinstance(value, Mapping) else _with_entries(f"{above}{key}", value)


def _with_entries(address: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield address, value
    for number, entry in enumerate(value if isinstance(value, list) else (), start=1):
        yield from _with_entries(f"{address}.{number}", entry)
