"""What differs between two sets of components, value by value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lagranja_sim.game import Components, find_game
from lagranja_sim.kit.problems import ComponentsError
from lagranja_sim.runs.setting import open_components


class Difference(NamedTuple):
    """A value that is not the same in both; None where a set has none of this address."""

    address: str
    a: Any
    b: Any


def differences(game: str, a: str, b: str) -> list[Difference]:
    """The values that differ between two sets, in the order in which they are printed. Raises ComponentsError."""
    kit = find_game(game).components
    first, second = (kit.values(_opened(game, text)) for text in (a, b))
    return [Difference(address, *pair) for address, pair in _paired(first, second).items() if pair[0] != pair[1]]


def _paired(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {address: (first.get(address), second.get(address)) for address in [*first, *(key for key in second if key not in first)]}


def _opened(game: str, text: str) -> Components:
    """A variant by its name, a file of differences, or a folder of components under the variant usually played."""
    is_folder = Path(text).is_dir() and text not in find_game(game).components.variant_paths()
    try:
        return open_components(game, text) if is_folder else open_components(game, None, text)
    except ComponentsError as error:
        raise ComponentsError([problem if text in problem else f"{text}: {problem}" for problem in error.problems]) from None
