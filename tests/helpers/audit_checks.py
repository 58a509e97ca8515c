"""What the auditor asks of single choices and of single rows of the ledger: whether they fit what lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from audit_farm import ON_FIELDS, Farm, Line, item_of

if TYPE_CHECKING:
    from audit import Audit

Check = Callable[["Audit", Farm, Line], Any]


def has_good(audit: Audit, farm: Farm, option: Line) -> Any:
    return farm.stock[item_of(option)] > 0


def can_give_up(audit: Audit, farm: Farm, option: Line) -> Any:
    if "space" in option:
        return audit.market.get(option["space"]) is not None
    return farm.target(option["from"]).loaded[option["good"]] if option["from"].startswith("barrow") else has_good(audit, farm, option)


POSSIBLE: dict[str, Check] = {  # act -> whether it can be done
    "play_card": lambda a, f, o: (
        o["card"] in f.hand and ("replaces" not in o or o["replaces"] in (f.barrows if o["side"] == "barrow" else f.helpers))
    ),
    "discard": lambda a, f, o: o["card"] in f.hand,
    "take_growth": lambda a, f, o: f.rows[o["building"]].permanent,
    "use_building": lambda a, f, o: f.rows[o["building"]].permanent,
    "buy_roof": lambda a, f, o: o["roof"] in a.offer,
    "use_roof": lambda a, f, o: f.roofs.get(o["roof"]) is False,
    "flip_roof": lambda a, f, o: f.roofs.get(o["roof"]) is True,
    "use_helper": lambda a, f, o: o["helper"] in f.helpers,
    "take_die": lambda a, f, o: a.dice[o["die"]] > 0,
    "use_die": lambda a, f, o: +a.dice == Counter([o["die"]]),
    "deliver": lambda a, f, o: has_good(a, f, o) and not f.target(o["to"]).completed,
    "sell": has_good,
    "upgrade": has_good,
    "pay": has_good,
    "use_commodity": lambda a, f, o: f.stock["commodity"] > 0,
    "choose_donkey": lambda a, f, o: o["donkey"] in f.donkeys,
    "place_marker": lambda a, f, o: all(a.market.get(o["space"]) != seat for seat, farm in enumerate(a.farms) if farm is f),
    "give_up": can_give_up,
}

ROWS: dict[str, Check] = {  # reason -> whether a ledger row of it fits the table
    "start": lambda a, f, row: a.phase == "setup",
    "growth": lambda a, f, row: row["item"] in ON_FIELDS and row["amount"] > 0,
    "breed": lambda a, f, row: row["item"] == "pig" and row["amount"] > 0,
    "delivery": lambda a, f, row: row["amount"] == -1,
    "roof": lambda a, f, row: row["ref"]["roof"] in f.roofs,
    "roof_effect": lambda a, f, row: f.roofs[row["ref"]["roof"]],
    "income": lambda a, f, row: row["ref"]["card"] in f.extensions,
    "extension": lambda a, f, row: a.playing[row["ref"]["card"]]["side"] == "extension" and row["amount"] == -1,
    "barrow": lambda a, f, row: row["ref"]["card"] in f.barrows and row["item"] in ("vp", "commodity"),
    "building": lambda a, f, row: f.rows[row["ref"]["building"]].completed == row["round"],
    "first": lambda a, f, row: a.farms[a.first[row["ref"]["building"]]] is f,
    "unlock": lambda a, f, row: a.opened[-1] == row["ref"]["building"],
    "craft_immediate": lambda a, f, row: (
        f.rows[row["ref"]["building"]].completed == row["round"] and not f.rows[row["ref"]["building"]].permanent
    ),
    "craft_permanent": lambda a, f, row: f.rows[row["ref"]["building"]].permanent,
    "market_removal": lambda a, f, row: (
        row["ref"] == {"space": a.removed["space"], "owner": a.removed["seat"]} and a.removed["by"] == row["seat"]
    ),
    "market_round": lambda a, f, row: a.phase == "scoring" and row["seat"] in a.market.values(),
    "siesta": lambda a, f, row: a.phase == "scoring",
    "end_sale": lambda a, f, row: a.phase == "end",
    "silver": lambda a, f, row: a.phase == "end",
}


def section_of(audit: Audit, seat: int) -> int:
    return next(section for section, stack in enumerate(audit.stacks) if seat in stack)
