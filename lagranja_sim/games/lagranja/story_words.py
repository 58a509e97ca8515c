"""The names that a story gives to things, and the sentences for what a seat does."""

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
    """The names of things in a story."""

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
        words = [f"{name} +{count}" for name, count in icons.items() if count]
        return ", ".join(words + ([f"income: {card.ext_income.text}"] if card.ext_income.alternatives else []))

    def barrow(self, number: int) -> str:
        card = self.components.card(number)
        leads = f", leads to value {card.market_value}" if card.market_value != card.barrow_vp else ""
        return f"{' '.join(card.barrow)}, worth {card.barrow_vp}{leads}"

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


def _good_and_place(option: Line) -> str:
    return f"1 {item_name(option['good'])} from {PLACES.get(option['from'], option['from'])}"


def _target(option: Line) -> str:
    to = option["to"]
    return to if to.startswith("barrow") else building(to)


def _play_card(option: Line, names: Names) -> str:
    card, replaced = option["card"], option.get("replaces")
    return {
        "field": lambda: f"plays card {card} as a field of {names.components.card(card).field}",
        "barrow": lambda: f"plays card {card} as a barrow ({names.barrow(card)})" + (f" in place of barrow {replaced}" if replaced else ""),
        "helper": lambda: f"employs {names.helper(card)}" + (f" in place of {names.helper(replaced)}" if replaced else ""),
        "extension": lambda: f"builds card {card} as an extension ({names.extension(card)})",
    }[option["side"]]()


def _die(option: Line, names: Names) -> str:
    value = option.get("as", option["die"])
    return f"takes a {option['die']}" + (f" that counts as a {value}" if value != option["die"] else "")


def _upgrade(option: Line, names: Names) -> str:
    return f"upgrades {_good_and_place(option)}" + ("" if option["price"] else " free of charge")


def _gain(option: Line, names: Names) -> str:
    return f"takes {listing([f'1 {item_name(good)}' for good in option.get('goods', [option.get('good')])], 'and')}"


def _give_up(option: Line, names: Names) -> str:
    thing = f"the marker on {names.space(option['space'])}" if "space" in option else _good_and_place(option)
    return f"gives up {thing} for lack of markers"


def _reserve(option: Line, names: Names) -> str:
    return f"reserves the last die that shows {option['die']}"


SAY: dict[str, Say] = {
    "forgo": lambda o, n: "forgoes it for lack of markers",
    "play_card": _play_card,
    "discard": lambda o, n: f"discards card {o['card']}",
    "take_growth": lambda o, n: f"uses {building(o['building'])} before growth",
    "grow": lambda o, n: "lets the farm grow",
    "buy_roof": lambda o, n: f"buys {n.roof(o['roof'])}",
    "take_die": _die,
    "use_die": lambda o, n: f"uses the last die, a {o['die']}",
    "deliver": lambda o, n: f"delivers {_good_and_place(o)} to {_target(o)}",
    "buy_delivery": lambda o, n: "buys a delivery",
    "buy_deliveries": lambda o, n: f"buys {o['count']} {'delivery' if o['count'] == 1 else 'deliveries'}",
    "buy": lambda o, n: f"buys 1 {o['good']}",
    "sell": lambda o, n: f"sells 1 {o['good']}",
    "upgrade": _upgrade,
    "use_commodity": lambda o, n: f"returns a commodity for `{o['effect']}`",
    "use_roof": lambda o, n: f"uses {n.roof(o['roof'])}",
    "use_helper": lambda o, n: f"uses {n.helper(o['helper'])}",
    "use_building": lambda o, n: f"uses the craft marker of {building(o['building'])}",
    "choose": lambda o, n: f"chooses `{o['effect']}`",
    "gain": _gain,
    "siesta": lambda o, n: f"rests: {o['steps']} {'step' if o['steps'] == 1 else 'steps'} on the siesta track",
    "pay": lambda o, n: f"pays {_good_and_place(o)}",
    "flip_roof": lambda o, n: f"turns {n.roof(o['roof'])} face up again",
    "reserve": _reserve,
    "shift": lambda o, n: f"changes the value of the die by {o['by']:+}",
    "choose_donkey": lambda o, n: f"chooses {n.tile(o['donkey'])}",
    "place_marker": lambda o, n: f"puts a marker on {n.space(o['space'])}",
    "give_up": _give_up,
}

LEAVING = {  # kind of decision -> the act that was possible, and the words for leaving it
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
USES: dict[str, Say] = {do: SAY[do] for do in ("use_helper", "use_roof", "use_building")}  # what can be declined


def _leave(choice: Line, names: Names) -> str:
    """The words for a choice to do nothing; empty if nothing else could be done."""
    act, words = LEAVING.get(choice["kind"], ("", ""))
    return words if any(option["do"] == act for option in choice["options"]) else ""


def _decline(choice: Line, names: Names) -> str:
    unused = [USES[option["do"]](option, names) for option in choice["options"] if option["do"] in USES]
    return f"declines: {listing(unused, 'and').replace('uses ', '', 1)} stays unused" if unused else "declines"


LEAVE: dict[str, Say] = {"done": _leave, "decline": _decline}


def sentence(choice: Line, names: Names) -> str:
    """What the seat does, without its consequences; empty if the choice is not worth a sentence."""
    option = choice["options"][choice["chosen"]]
    return LEAVE[option["do"]](choice, names) if option["do"] in LEAVE else SAY[option["do"]](option, names)
