"""The printed components as everything outside the game's package takes them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lagranja_sim.games.lagranja.components.load import Components, load_components
from lagranja_sim.games.lagranja.components.rulebook import known_keys
from lagranja_sim.games.lagranja.components.variants import variant_paths


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
        return known_keys()

    def variant_paths(self) -> Mapping[str, Path]:
        return variant_paths()
