"""What is printed for a test: the components of a variant, and cells that the test prints anew."""

import functools
import json
from collections.abc import Mapping
from typing import Any

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.components.box import build_box
from lagranja_sim.games.lagranja.components.effects import parse_cost, parse_effect, parse_permanent, parse_when
from lagranja_sim.games.lagranja.rules.names import PHASES

Words = dict[str, Any]
CELLS = {
    "ext_income": parse_effect,
    "helper_effect": parse_effect,
    "helper_cost": parse_cost,
    "helper_when": parse_when,
    "effect": parse_effect,
    "when": parse_when,
    "permanent": parse_permanent,
}


@functools.cache
def _loaded(variant: str, overrides: str) -> Components:
    return load_components(None, variant, json.loads(overrides))


def printed(variant: str = "deluxe", overrides: Mapping[str, object] | None = None) -> Components:
    """The printed components under a variant and single changes, loaded once."""
    return _loaded(variant, json.dumps(overrides or {}, sort_keys=True))


def phases_of(text: str) -> tuple[str, ...]:
    return PHASES if text == "any" else tuple(text.split())


def spelled(name: str, value: Any) -> Any:
    """A cell of a table of components as its model keeps it."""
    if name.endswith("phases"):
        return phases_of(value)
    if name == "barrow":
        return tuple(value.split())
    return CELLS[name](value) if name in CELLS else value


class Printing:
    """The components of a game, and the box made of them."""

    def __init__(self, variant: str, overrides: Mapping[str, object] | None) -> None:
        self.components = printed(variant, overrides)
        self.changed: dict[tuple[str, int | str], Words] = {}  # cells printed for this test
        self._built: tuple[Any, list[str]] | None = None

    @property
    def box(self) -> Any:
        return self._printing()[0][0]

    @property
    def texts(self) -> list[str]:
        return self._printing()[1]

    def _printing(self) -> tuple[Any, list[str]]:
        if self._built is None:
            c = self.components
            cards = [card.model_copy(update=self.changed.get(("card", card.card), {})) for card in c.cards]
            roofs = [roof.model_copy(update=self.changed.get(("roof", roof.roof), {})) for roof in c.roofs]
            spaces = [space.model_copy(update=self.changed.get(("space", number), {})) for number, space in enumerate(c.spaces)]
            buildings = [row.model_copy(update=self.changed.get(("building", row.building), {})) for row in c.buildings]
            self._built = build_box(cards, roofs, buildings, spaces, c.rules) if self.changed else (c.box, c.alternative_texts)
        return self._built

    def print_on(self, what: str, which: int | str, **cells: Any) -> None:
        """Print something else on a `card`, `roof`, `space` or `building`, in the words of its table."""
        if cells:
            self.changed.setdefault((what, which), {}).update({name: spelled(name, value) for name, value in cells.items()})
            self._built = None

    def helper_named(self, name: str) -> int:
        return next(card.card for card in self.components.cards if card.helper == name)

    def roof_named(self, design: str) -> int:
        return next(roof.roof for roof in self.components.roofs if roof.design == design)
