"""The printed components, read from their files."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from naive.language import Alternative, Part, parse_effect


@dataclass(frozen=True)
class Ability:
    """What a helper, a roof or a permanent craft marker can do, when, and at what cost."""

    when: str
    effect: list[Alternative]
    cost: tuple[Part, ...] = ()
    phases: tuple[str, ...] = ("any",)
    uses: int | None = None  # None: no limit

    def works_in(self, phase: str) -> bool:
        return "any" in self.phases or phase in self.phases

    def answers(self, event: str, detail: object = None) -> bool:
        """`on revenue 2 6` answers to the event `revenue` with the detail 2 or 6, `on revenue any` to every one."""
        words = self.when.split()
        if words[:2] != ["on", event]:
            return False
        return not words[2:] or "any" in words[2:] or str(detail) in words[2:]


@dataclass(frozen=True)
class Card:
    number: int
    field: str
    barrow: tuple[str, ...]
    barrow_vp: int
    market_value: int
    hand: int
    delivery: int
    pig: int
    income: list[Alternative]
    helper_name: str
    helper: Ability


@dataclass(frozen=True)
class Building:
    number: int
    name: str
    goods: tuple[str, ...]
    immediate: list[Alternative]
    permanent: Ability


@dataclass(frozen=True)
class Space:
    q: int
    r: int
    value: int
    start: bool
    min_players: int

    def is_adjacent(self, other: Space) -> bool:
        return (other.q - self.q, other.r - self.r) in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: (value or "").strip() for key, value in row.items() if key} for row in csv.DictReader(file)]


def read_cards(path: Path) -> dict[int, Card]:
    cards = {}
    for row in table(path):
        cost = parse_effect(row["helper_cost"])
        helper = Ability(
            row["helper_when"],
            parse_effect(row["helper_effect"]),
            cost[0].parts if cost else (),
            tuple(row["helper_phases"].split()),
            int(row["helper_uses"]) if row["helper_uses"] else None,
        )
        icons = [int(row[key] or 0) for key in ("ext_hand", "ext_delivery", "ext_pig")]
        number = int(row["card"])
        cards[number] = Card(
            number,
            row["field"],
            tuple(row["barrow"].split()),
            int(row["barrow_vp"]),
            int(row.get("market_value") or row["barrow_vp"]),
            *icons,
            parse_effect(row["ext_income"]),
            row["helper"],
            helper,
        )
    return cards


def read_roofs(path: Path) -> dict[int, Ability]:
    return {int(row["roof"]): Ability(row["when"], parse_effect(row["effect"]), phases=tuple(row["phases"].split())) for row in table(path)}


def read_buildings(path: Path) -> list[Building]:
    buildings = []
    for row in table(path):
        when, colon, effect = row["permanent"].partition(":")
        permanent = Ability(when.strip(), parse_effect(effect)) if colon else Ability("passive", parse_effect(row["permanent"]))
        immediate = parse_effect(row["immediate"])
        buildings.append(Building(int(row["number"]), row["building"], tuple(row["goods"].split()), immediate, permanent))
    return sorted(buildings, key=lambda building: building.number)


def read_market(path: Path) -> list[Space]:
    return [Space(int(row["q"]), int(row["r"]), int(row["value"]), row["start"] == "1", int(row["min_players"])) for row in table(path)]


def laid_over(rules: dict, variant: dict) -> dict:
    """A variant is the printed rules with its own keys laid over them."""
    merged = dict(rules)
    for key, value in variant.items():
        merged[key] = laid_over(rules.get(key, {}), value) if isinstance(value, dict) else value
    return merged
