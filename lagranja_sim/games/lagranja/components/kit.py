"""The printed components as everything outside the game's package takes them."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lagranja_sim.games.lagranja.components.addresses import known_addresses
from lagranja_sim.games.lagranja.components.load import Components, load_components
from lagranja_sim.games.lagranja.components.variants import variant_paths


@cache
def _known_addresses() -> list[str]:
    """Of the printed set; a folder of one's own may have other spaces and donkeys."""
    printed = load_components()
    return known_addresses(printed.rules, printed.values)


class Printed:
    """Cards, roofs, buildings, market and rule numbers in files (`ComponentKit`)."""

    def load(self, folder: Path | None, variant: str | Path, overrides: Mapping[str, Any] | None = None) -> Components:
        return load_components(folder, variant, overrides)

    def show(self, components: Components, part: str | None, as_json: bool) -> None:
        from lagranja_sim.games.lagranja.components.show import show_components

        show_components(components, part, as_json)

    def show_variants(self, folder: Path | None, as_json: bool) -> None:
        from lagranja_sim.games.lagranja.components.show import show_variants

        show_variants(folder, as_json)

    def keys(self) -> Iterable[str]:
        return _known_addresses()

    def values(self, components: Components) -> Mapping[str, Any]:
        return components.values

    def variant_paths(self) -> Mapping[str, Path]:
        return variant_paths()
