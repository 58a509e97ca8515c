"""Names that policies of version 0.1 used, and what they are called now: a policy that still uses one is told the new name."""

from enum import IntEnum

from lagranja_sim.games.lagranja.components.box_record import BOX
from lagranja_sim.games.lagranja.rules import names
from lagranja_sim.games.lagranja.toolkit.weights import WEIGHTS

PREFIXES: dict[type[IntEnum], str] = {
    names.Do: "DO_", names.Ask: "ASK_", names.Side: "SIDE_", names.Item: "", names.Goods: "CLASS_", names.Phase: "", names.Verb: "V_",
    names.Passive: "P_", names.Event: "E_", names.Reason: "R_", names.Step: "STEP_", names.When: "WHEN_", names.Per: "PER_",
    names.Condition: "IF_", names.Error: "ERROR_",
}  # fmt: skip
OTHERWISE = {  # where more than the prefix has changed
    "ASK_EFFECT": "Ask.CHOOSE_EFFECT", "ASK_GOOD": "Ask.CHOOSE_GOOD", "ASK_GOODS": "Ask.CHOOSE_GOODS", "ASK_SHIFT": "Ask.SHIFT_DIE",
    "ASK_DONKEY": "Ask.CHOOSE_DONKEY", "V_REVENUE_ROUND": "Verb.REVENUE", "V_RESERVE": "Verb.RESERVE_REVENUE", "CARD": "Goods.CARD",
    "R_PAID_HELPER": "Reason.HELPER_COST", "R_PAID_EFFECT": "Reason.EFFECT_COST", "WHEN_EVENT": "When.ON", "OK": "Error.OK",
}  # fmt: skip
FIELDS = {
    "buildings": "craft_buildings", "hand_cards": "setup.cards", "piglet_without_space_sold": "farm.piglet_without_space",
    "growth_effects_on_income": "farm.greengrocer_step", "buy_price": "prices.buy", "sell_price": "prices.sell",
    "upgrade_price": "prices.upgrade", "modify_die_both_ways": "revenue.modify_die",
    "deliveries_paid_up_front": "transport.extra_deliveries_paid",
}  # fmt: skip
NOTEPAD = {"scratch": "notes.numbers", "counts": "notes.counts"}  # what was room in the box
PLAN = {  # places in that room -> fields of a plan
    "BARROW_RATE": "notes.plan.barrow_rate", "BUILDING_RATE": "notes.plan.building_rate", "SHORT": "notes.plan.short",
    "BEST_UPGRADE": "notes.plan.best_upgrade", "SECOND_UPGRADE": "notes.plan.second_upgrade", "BEST_RATE": "notes.plan.best_rate",
    "STEP_WORTH": "notes.plan.step_worth", "ROUNDS_LEFT": "notes.plan.rounds_left", "KEPT": "notes.plan.kept", "BREEDER": "notes.plan.breeder",
    "MARKER_PRICE": "notes.plan.marker_price", "HELD": "notes.plan.held", "MAKE": "notes.plan.making_price", "plan": "make_plan",
    "permanent_worth": "craft_marker_worth",
}  # fmt: skip
HOME = "lagranja_sim.games.lagranja"
MODULES = {f"lagranja_sim.{name}": f"{HOME}.{name}" for name in ("rules", "toolkit", "components")}


def new_names() -> dict[str, str]:
    """Old name -> new one, of constants, functions and modules."""
    regular = {f"{prefix}{member.name}": f"{kind.__name__}.{member.name}" for kind, prefix in PREFIXES.items() for member in kind}
    weights = {f"W_{name.upper()}": f"Weight.{name.upper()}" for name in WEIGHTS}
    return {old: new for old, new in (regular | OTHERWISE | weights | PLAN | MODULES).items() if old != new}


def new_fields() -> dict[str, str]:
    """Old name -> new one, of the box's fields: a number of the rules is reached by its table."""
    tables = ((table, BOX.fields[table][0]) for table in BOX.names or () if BOX.fields and table not in FIELDS.values())
    inner = {name: f"{table}.{name}" for table, kind in tables if kind.names and not kind.subdtype for name in kind.names}
    return {name: f"box.{place}" for name, place in (inner | FIELDS).items()} | NOTEPAD
