"""What a story calls things, and how it says what somebody does."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.spelling import listing

Line = Mapping[str, Any]
Say = Callable[[Line, "Names"], str]

ITEM_NAMES = {"vp": "VP", "field_olive": "olive on a field", "field_grain": "grain on a field", "field_grape": "grape on a field"}
PLACES = {"den": "the den", "field": "a field", "stable": "the stable", "purse": "the purse", "storage": "the storage"}

# --- names of things ---------------------------------------------------------------------------------------------------------


class Names:
    """What things are called in a story."""

    def __init__(self, components: Components, policies: Sequence[str] = ()) -> None:
        self.components, self.policies = components, policies

    def who(self, seat: int) -> str:
        if seat < len(self.policies):
            return f"{self.policies[seat]} (seat {seat})"
        return "the neutral player" if self.policies else f"seat {seat}"

    def helper(self, number: int) -> str:
        return f"the {self.components.card(number).helper} (card {number})"

    def roof(self, number: int) -> str:
        return f"roof {number} ({self.components.roof(number).design})"

    def space(self, number: int) -> str:
        return f"market space {number} (value {self.components.spaces[number].value})"

    def tile(self, number: int) -> str:
        deliveries, steps = self.components.rules.transport.donkeys[number - 1]
        return f"donkey tile {number} (deliveries {deliveries}, siesta steps {steps})"

    def extension(self, number: int) -> str:
        card = self.components.card(number)
        icons = {"hand": card.ext_hand, "deliveries": card.ext_delivery, "pigs": card.ext_pig}
        shown = [f"{name} +{count}" for name, count in icons.items() if count]
        return ", ".join(shown + ([f"income: {card.ext_income.text}"] if card.ext_income.alternatives else []))

    def barrow(self, number: int) -> str:
        card = self.components.card(number)
        return f"{' '.join(card.barrow)}, worth {card.barrow_vp}"

    def disc(self, line: Line) -> str:
        below = line["place"] - 1
        on_top = f", on top of {below} other{'s' if below > 1 else ''}" if below else ""
        return f"from section {line['from']} to {line['to']} of the siesta track{on_top}"

    def building_number(self, number: int) -> str:
        return building(self.components.buildings[number - 1].building)


def building(name: str) -> str:
    return f"the {name.replace('_', ' ')}"


def item_name(item: str) -> str:
    return ITEM_NAMES.get(item, item)


# --- what a choice says ----------------------------------------------------------------------------------------------------------


def _taken(option: Line) -> str:
    return f"1 {item_name(option['good'])} from {PLACES.get(option['from'], option['from'])}"


def _target(option: Line) -> str:
    to = option["to"]
    return to if to.startswith("barrow") else building(to)


def _played(option: Line, names: Names) -> str:
    card, replaced = option["card"], option.get("replaces")
    return {
        "field": lambda: f"plays card {card} as a field of {names.components.card(card).field}",
        "barrow": lambda: f"plays card {card} as a barrow ({names.barrow(card)})" + (f" in place of barrow {replaced}" if replaced else ""),
        "helper": lambda: f"employs {names.helper(card)}" + (f" in place of {names.helper(replaced)}" if replaced else ""),
        "extension": lambda: f"builds card {card} as an extension ({names.extension(card)})",
    }[option["side"]]()


def _die(option: Line, names: Names) -> str:
    counted = option.get("as", option["die"])
    return f"takes a {option['die']}" + (f" that counts as a {counted}" if counted != option["die"] else "")


def _upgraded(option: Line, names: Names) -> str:
    return f"upgrades {_taken(option)}" + ("" if option["price"] else " free of charge")


def _gained(option: Line, names: Names) -> str:
    return f"takes {listing([f'1 {item_name(good)}' for good in option.get('goods', [option.get('good')])], 'and')}"


def _given_up(option: Line, names: Names) -> str:
    what = f"the marker on {names.space(option['space'])}" if "space" in option else _taken(option)
    return f"gives up {what} for lack of markers"


def _reserved(option: Line, names: Names) -> str:
    return f"reserves the last die that shows {option['die']}"


SAY: dict[str, Say] = {
    "forgo": lambda o, n: "forgoes it for lack of markers",
    "play_card": _played,
    "discard": lambda o, n: f"discards card {o['card']}",
    "take_growth": lambda o, n: f"uses {building(o['building'])} before growth",
    "grow": lambda o, n: "lets the farm grow",
    "buy_roof": lambda o, n: f"buys {n.roof(o['roof'])}",
    "take_die": _die,
    "use_die": lambda o, n: f"uses the last die, a {o['die']}",
    "deliver": lambda o, n: f"delivers {_taken(o)} to {_target(o)}",
    "buy_delivery": lambda o, n: "buys a delivery",
    "buy_deliveries": lambda o, n: f"buys {o['count']} {'delivery' if o['count'] == 1 else 'deliveries'}",
    "buy": lambda o, n: f"buys 1 {o['good']}",
    "sell": lambda o, n: f"sells 1 {o['good']}",
    "upgrade": _upgraded,
    "use_commodity": lambda o, n: f"returns a commodity for `{o['effect']}`",
    "use_roof": lambda o, n: f"uses {n.roof(o['roof'])}",
    "use_helper": lambda o, n: f"uses {n.helper(o['helper'])}",
    "use_building": lambda o, n: f"uses the craft marker of {building(o['building'])}",
    "choose": lambda o, n: f"chooses `{o['effect']}`",
    "gain": _gained,
    "siesta": lambda o, n: f"rests: {o['steps']} {'step' if o['steps'] == 1 else 'steps'} on the siesta track",
    "pay": lambda o, n: f"pays {_taken(o)}",
    "flip_roof": lambda o, n: f"turns {n.roof(o['roof'])} face up again",
    "reserve": _reserved,
    "shift": lambda o, n: f"changes the value of the die by {o['by']:+}",
    "choose_donkey": lambda o, n: f"chooses {n.tile(o['donkey'])}",
    "place_marker": lambda o, n: f"puts a marker on {n.space(o['space'])}",
    "give_up": _given_up,
}

SKIPPED = {  # kind of decision -> the act that was possible, and how leaving it is told
    "play_card": ("play_card", "plays no card"),
    "effect_card": ("play_card", "plays no card"),
    "buy_roof": ("buy_roof", "buys no roof"),
    "free_delivery": ("deliver", "leaves the rest of the deliveries"),
    "buy_delivery": ("buy_delivery", "buys no delivery"),
    "buy_deliveries": ("buy_deliveries", "buys no delivery"),
    "deliver": ("deliver", "leaves the delivery"),
    "upgrade": ("upgrade", "upgrades no more"),
    "siesta": ("siesta", "stays where it is on the siesta track"),
}
UNUSED: dict[str, Say] = {do: SAY[do] for do in ("use_helper", "use_roof", "use_building")}


def _left(choice: Line, names: Names) -> str:
    """What is told of a choice to do nothing; nothing if there was nothing else to do."""
    act, words = SKIPPED.get(choice["kind"], ("", ""))
    return words if any(option["do"] == act for option in choice["options"]) else ""


def _declined(choice: Line, names: Names) -> str:
    offered = [UNUSED[option["do"]](option, names) for option in choice["options"] if option["do"] in UNUSED]
    return f"declines: {listing(offered, 'and').replace('uses ', '', 1)} stays unused" if offered else "declines"


LEAVE: dict[str, Say] = {"done": _left, "decline": _declined}


def sentence(choice: Line, names: Names) -> str:
    """What the seat does, without its consequences; empty if nothing is worth telling."""
    option = choice["options"][choice["chosen"]]
    return LEAVE[option["do"]](choice, names) if option["do"] in LEAVE else SAY[option["do"]](option, names)
