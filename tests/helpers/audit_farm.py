"""A farm as the auditor of tests/audit.py keeps it: what its lines have told, in plain Python."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Line = dict[str, Any]

CARDS = set(range(1, 67))
BUILDINGS = ("merchant_house", "wainwright", "deli", "greengrocer", "village_store", "butcher")
GOODS = ("olive", "grain", "grape", "pig", "food", "wine", "meat", "silver", "commodity")
ON_FIELDS = ("field_olive", "field_grain", "field_grape")
ITEMS = (*GOODS, "vp", *ON_FIELDS)
NO_MARKER = ("silver", "vp")
SOURCES = ("barrow", "market_round", "market_removal", "building", "first", "unlock", "siesta", "roof", "craft", "helper", "roof_effect",
           "silver", "start", "spent", "other")  # fmt: skip
SOURCE_OF = {"craft_immediate": "craft", "craft_permanent": "craft", "extension": "spent", "helper_cost": "spent", "effect_cost": "spent"}


class Misfit(AssertionError):
    """A line that does not fit what came before it."""


def fits(condition: Any, what: str) -> None:
    if not condition:
        raise Misfit(what)


def item_of(option: Line) -> str:
    """The item that an option takes a good from."""
    return f"field_{option['good']}" if option.get("from") == "field" else str(option["good"])


@dataclass
class Row:
    """What lies on the symbols of a building's row or of a barrow."""

    loaded: Counter[str] = field(default_factory=Counter)
    completed: int = 0
    permanent: bool = False

    def goods(self) -> list[str]:
        return [good for good in GOODS for _ in range(self.loaded[good])]


@dataclass
class Farm:
    """One seat's."""

    hand: set[int]
    donkeys: set[int]
    stock: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    fields: set[int] = field(default_factory=set)
    extensions: list[int] = field(default_factory=list)
    barrows: list[int | None] = field(default_factory=list)  # by slot
    helpers: list[int | None] = field(default_factory=list)
    loads: dict[int, Row] = field(default_factory=dict)  # by barrow
    uses: Counter[int] = field(default_factory=Counter)  # of helpers, this round
    roofs: dict[int, bool] = field(default_factory=dict)  # number -> used
    rows: dict[str, Row] = field(default_factory=lambda: {name: Row() for name in BUILDINGS})

    def slots(self, card: int) -> list[int | None]:
        """The side of the farm that a barrow or helper is on."""
        return self.barrows if card in self.barrows else self.helpers

    def cards(self) -> list[int]:
        standing = [card for card in (*self.barrows, *self.helpers) if card]
        return [*self.hand, *self.fields, *self.extensions, *standing]

    def target(self, to: str) -> Row:
        """The row that a delivery names."""
        return self.loads[int(to.split()[1])] if to.startswith("barrow") else self.rows[to]

    def markers(self) -> int:
        """L1: goods, what lies on rows and barrows, owner marks; not those on the market."""
        goods = sum(amount for item, amount in self.stock.items() if item not in NO_MARKER)
        rows = [*self.rows.values(), *self.loads.values()]
        return goods + sum(row.loaded.total() for row in rows) + sum(row.completed > 0 for row in self.rows.values())

    def told(self) -> Line:
        """Its part of the seat's result."""
        return {
            "stock": {item: self.stock[item] for item in ITEMS},
            "points": {source: self.points[source] for source in SOURCES},
            "hand": sorted(self.hand),
            "fields": sorted(self.fields),
            "barrows": [{"card": card, "loaded": self.loads[card].goods()} for card in self.barrows if card],
            "helpers": [{"card": card, "used": self.uses[card]} for card in self.helpers if card],
            "extensions": self.extensions,
            "roofs": [{"roof": roof, "used": used} for roof, used in self.roofs.items()],
            "buildings": {
                name: {"loaded": row.goods(), "completed": row.completed, "permanent": row.permanent} for name, row in self.rows.items()
            },
        }


def into_slot(slots: list[int | None], card: int) -> None:
    """The first empty slot; one that a card has just left counts."""
    if None in slots:
        slots[slots.index(None)] = card
    else:
        slots.append(card)
