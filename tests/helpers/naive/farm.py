"""The farms."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from naive.goods import HARVEST, ON_FIELD


@dataclass
class Farm:
    """Everything one seat owns."""

    seat: int
    hand: list[int]
    donkeys: list[int]
    rows: dict[str, list[str]]  # goods still missing, by uncompleted building
    stock: Counter = field(default_factory=Counter)
    fields: Counter = field(default_factory=Counter)
    field_cards: list[int] = field(default_factory=list)
    barrows: dict[int, list[str]] = field(default_factory=dict)  # goods still missing, by card
    helpers: list[int] = field(default_factory=list)  # by slot
    uses: Counter = field(default_factory=Counter)  # of helpers, this round
    extensions: list[int] = field(default_factory=list)
    roofs: list[list] = field(default_factory=list)  # [roof, face up], in the order bought
    done: list[str] = field(default_factory=list)
    permanent: list[str] = field(default_factory=list)
    points: Counter = field(default_factory=Counter)
    tile: tuple[int, int] = (0, 0)  # donkeys and hats of the donkey tile chosen
    deliveries: int = 0
    bought_deliveries: int = 0
    extra_deliveries: int = 0  # gained for this round
    twice_counted: int = 0  # after a payment that is only thought of: units that count as left in one way of paying or another

    def held(self, goods: tuple[str, ...], fields: bool = True) -> list[tuple[str, str]]:
        """Each of these goods that is there, with each place that has it."""
        pairs = []
        for good in goods:
            if self.stock[good] > 0:
                pairs.append((good, place_of(good)))
            if fields and good in HARVEST and self.stock[ON_FIELD[good]] > 0:
                pairs.append((good, "field"))
        return pairs


def place_of(good: str) -> str:
    return {"pig": "stable", "silver": "purse", "vp": "purse", "commodity": "storage"}.get(good, "den")


def item_of(good: str, place: str) -> str:
    return ON_FIELD[good] if place == "field" else good
