"""A game as a text that a player of La Granja follows: who does what, what it brings, and where the points come from.

A choice and the changes of what players own that follow it, up to the next choice, are one sentence and its consequences. Changes
no choice led to (growth, income, scoring) are told by seat.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from lagranja_sim.components import Components
from lagranja_sim.rules import state

Line = Mapping[str, Any]
Cause = tuple[str, Any]  # reason and reference of a change

SOURCE_OF = {reason: state.SOURCES[source] for reason, source in zip(state.REASONS, state.SOURCE_OF_REASON, strict=True)}
ITEM_NAMES = {"vp": "VP", "field_olive": "olive on a field", "field_grain": "grain on a field", "field_grape": "grape on a field"}
PLACES = {"den": "the den", "field": "a field", "stable": "the stable", "purse": "the purse", "storage": "the storage"}
PHASE_TITLES = {
    "setup": "Set-up", "farm": "Farm", "revenue": "Revenue", "transport": "Transportation", "scoring": "Scoring", "end": "End of the game",
}  # fmt: skip
COMPLETION = ("building", "first")  # points for a completed building, told together


# --- names of things ---------------------------------------------------------------------------------------------------------


class Names:
    """What things are called in a story."""

    def __init__(self, components: Components) -> None:
        self.components = components

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

    def building_number(self, number: int) -> str:
        return building(self.components.buildings[number - 1].building)


def building(name: str) -> str:
    return f"the {name.replace('_', ' ')}"


def listing(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def item_name(item: str) -> str:
    return ITEM_NAMES.get(item, item)


# --- what a choice says ----------------------------------------------------------------------------------------------------------

Say = Callable[[Line, Names], str]


def _taken(option: Line) -> str:
    return f"1 {item_name(option['good'])} from {PLACES[option['from']]}"


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
    return f"takes {listing([f'1 {item_name(good)}' for good in option.get('goods', [option.get('good')])])}"


def _given_up(option: Line, names: Names) -> str:
    what = f"the marker on {names.space(option['space'])}" if "space" in option else _taken(option)
    return f"gives up {what} for want of markers"


def _reserved(option: Line, names: Names) -> str:
    return f"reserves the last die that shows {option['die']}"


SAY: dict[str, Say] = {
    "forgo": lambda o, n: "forgoes it for want of markers",
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
    return f"declines: {listing(offered).replace('uses ', '', 1)} stays unused" if offered else "declines"


EMPTY = ("done", "decline", "grow")  # acts that may change nothing at all
LEAVE: dict[str, Say] = {"done": _left, "decline": _declined}


def sentence(choice: Line, names: Names) -> str:
    """What the seat does, without its consequences; empty if nothing is worth telling."""
    option = choice["options"][choice["chosen"]]
    return LEAVE[option["do"]](choice, names) if option["do"] in LEAVE else SAY[option["do"]](option, names)


# --- what follows ------------------------------------------------------------------------------------------------------------------

# Reasons that the sentence of the act has named already, and changes that it has told already.
OWN = {
    "buy_roof": ("roof",), "take_die": ("die",), "use_die": ("die",), "deliver": ("delivery",), "buy_delivery": ("bought_delivery",),
    "buy_deliveries": ("bought_delivery",), "buy": ("buy",), "sell": ("sell",), "upgrade": ("upgrade", "die", "commodity"),
    "use_commodity": ("commodity",), "use_roof": ("roof_effect",), "use_helper": ("helper", "helper_cost"), "use_building": ("craft",),
    "take_growth": ("craft",), "grow": ("growth",), "choose": ("die", "commodity"), "gain": ("die", "commodity"), "pay": ("extension",),
    "give_up": ("give_up",), "play_card": ("extension",),
}  # fmt: skip
TOLD: dict[str, Callable[[Line, Line], bool]] = {
    "deliver": lambda option, row: row["reason"] == "delivery",
    "pay": lambda option, row: row["amount"] == -1 and row["item"].removeprefix("field_") == option["good"],
    "give_up": lambda option, row: row["reason"] == "give_up",
    "gain": lambda option, row: row["amount"] == 1 and row["item"] in option.get("goods", (option.get("good"),)),
    "use_commodity": lambda option, row: row["item"] == "commodity" and row["amount"] == -1 and row["reason"] == "commodity",
}

BECAUSE = {
    "start": "starts with", "card": "card", "roof": "roof", "roof_effect": "roof", "buy": "buys", "sell": "sells", "upgrade": "upgrades",
    "die": "die", "commodity": "trade commodity", "income": "income", "growth": "growth", "breed": "piglet", "delivery": "delivery",
    "bought_delivery": "bought delivery", "barrow": "completes a barrow", "market_round": "markers on the market",
    "market_removal": "removes a marker", "building": "completes a building", "first": "first to complete a building",
    "unlock": "opens a building", "siesta": "siesta track", "craft": "craft marker", "helper": "helper", "extension": "for an extension",
    "no_space": "sold for want of space", "give_up": "gives up", "end_sale": "final sale", "silver": "silver into points",
    "helper_cost": "for a helper", "effect_cost": "cost",
}  # fmt: skip
BECAUSE_OF: dict[str, Callable[[Any, Names], str]] = {  # the same, where the component is known
    "card": lambda ref, n: f"card {ref}",
    "roof": lambda ref, n: n.roof(ref),
    "roof_effect": lambda ref, n: n.roof(ref),
    "die": lambda ref, n: f"die of {ref.removeprefix('face ')}",
    "income": lambda ref, n: f"income of card {ref}",
    "barrow": lambda ref, n: f"completes barrow {ref}",
    "market_removal": lambda ref, n: f"removes the marker on {n.space(int(ref.removeprefix('space ')))}",
    "building": lambda ref, n: f"completes {building(ref)}",
    "first": lambda ref, n: f"first to complete {building(ref)}",
    "unlock": lambda ref, n: f"opens {building(ref)}",
    "craft": lambda ref, n: f"craft marker of {building(ref)}",
    "helper": lambda ref, n: n.helper(ref),
    "extension": lambda ref, n: f"for extension {ref}",
    "helper_cost": lambda ref, n: f"for {n.helper(ref)}",
}


def _because(reason: str, ref: Any, names: Names) -> str:
    """A reason in words, with its component if the row names one."""
    return BECAUSE_OF[reason](ref, names) if ref is not None and reason in BECAUSE_OF else BECAUSE[reason]


def _sums(rows: Iterable[Line]) -> str:
    """`-3 silver, +1 olive`: what goes, then what comes."""
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["item"]] += row["amount"]
    changes = sorted(((item, number) for item, number in totals.items() if number), key=lambda change: change[1] > 0)
    return ", ".join(f"{number:+} {item_name(item)}" for item, number in changes)


def _completed(rows: Sequence[Line], is_target: bool) -> str:
    """`completes it, 3 VP (first +1, round 2 +2)`."""
    what = "it" if is_target else building(rows[0]["ref"])
    names = {"first": "first", "building": f"round {rows[0]['round']}"}
    parts = [f"{names[row['reason']]} {row['amount']:+}" for row in rows]
    return f"completes {what}, {sum(row['amount'] for row in rows)} VP ({', '.join(parts)})"


def _clause(cause: Cause, rows: Sequence[Line], option: Line, names: Names) -> str:
    """What changed for one reason, in a few words; empty if it cancels out."""
    reason, ref = cause
    target = option.get("to")
    if reason in COMPLETION and ref is not None:
        return _completed(rows, ref == target)
    sums = _sums(rows)
    if not sums or reason in OWN.get(option.get("do", ""), ()):
        return sums
    if reason == "barrow" and target == f"barrow {ref}":
        return f"completes it {sums}"
    if reason == "unlock":
        return f"{_because(reason, ref, names)} {sums.removesuffix(' VP')}"
    return f"{_because(reason, ref, names)} {sums}"


def _cause(row: Line) -> Cause:
    """Rows of one cause are told together: both kinds of points for a completed building are one."""
    return ("building" if row["reason"] in COMPLETION else row["reason"], row["ref"])


def consequences(rows: Iterable[Line], option: Line, names: Names) -> str:
    """One seat's changes, grouped by cause in the order in which they came."""
    causes: dict[Cause, list[Line]] = defaultdict(list)
    for row in rows:
        causes[_cause(row)].append(row)
    clauses = [_clause(cause, found, option, names) for cause, found in causes.items()]
    return "; ".join(clause for clause in clauses if clause)


# --- the teller ------------------------------------------------------------------------------------------------------------------------


@dataclass
class Teller:
    """What has been told so far, and the choice whose consequences are still coming in."""

    names: Names
    policies: Sequence[str] = ()
    setup: Line = field(default_factory=dict)
    heading: tuple[int, str] = (0, "")
    choice: Line | None = None
    rows: list[Line] = field(default_factory=list)
    points: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    finals: list[Line] = field(default_factory=list)

    def who(self, seat: int) -> str:
        return f"{self.policies[seat]} (seat {seat})" if seat < len(self.policies) else f"seat {seat}"

    # one line of the game after the other

    def hear(self, line: Line) -> Iterator[str]:
        """Take in a line; yields what can be told by now."""
        yield from {"setup": self.on_setup, "choice": self.on_choice, "ledger": self.on_change, "final": self.on_final}[line["type"]](line)

    def on_setup(self, line: Line) -> Iterator[str]:
        self.setup, self.policies = line, line["policies"]
        yield f"{self.names.components.title} with {line['players']} players, game {line['game']}"
        yield f"Turn order: {listing([self.who(seat) for seat in line['order']])}"
        if line["blocked"]:
            yield f"Blocked, to be opened in this order: {listing([self.names.building_number(number) for number in line['blocked']])}"
        for seat, hand in enumerate(line["hands"]):
            yield f"Hand of {self.who(seat)}: {listing([str(card) for card in hand]) or 'empty'}"

    def on_choice(self, line: Line) -> Iterator[str]:
        yield from self.flush()
        yield from self.head(line["round"], line["phase"])
        self.choice = line

    def on_change(self, line: Line) -> Iterator[str]:
        if (line["round"], line["phase"]) != self.heading:
            yield from self.flush()
            yield from self.head(line["round"], line["phase"])
        self.rows.append(line)

    def on_final(self, line: Line) -> Iterator[str]:
        yield from self.flush()
        self.finals.append(line)

    # headings

    def head(self, number: int, phase: str) -> Iterator[str]:
        """A heading where a new phase begins, with the points of all where a new round does."""
        if (number, phase) == self.heading:
            return
        before, self.heading = self.heading[0], (number, phase)
        if number != before:
            yield from self.standing(before)
            yield ""
            yield f"Round {number}"
        yield f"  {PHASE_TITLES[phase]}{self.on_offer(number, phase)}"

    def on_offer(self, number: int, phase: str) -> str:
        """The roofs of a farm phase and the dice of a revenue phase."""
        key = {"farm": "roofs", "revenue": "dice"}.get(phase, "")
        found = self.setup.get(key, [])[number - 1 : number] if number else []
        if not found:
            return ""
        words = [self.names.roof(roof) for roof in found[0]] if key == "roofs" else [str(face) for face in sorted(found[0])]
        return f" ({key}: {', '.join(words)})"

    def standing(self, number: int) -> Iterator[str]:
        if number:
            scores = (f"{self.who(seat)} {points.total()}" for seat, points in sorted(self.points.items()))
            yield f"  Points after round {number}: {', '.join(scores)}"

    # choices with what follows

    def flush(self) -> Iterator[str]:
        """Tell the choice that waited for its consequences."""
        choice, rows = self.choice, self.rows
        self.choice, self.rows = None, []
        for row in rows:
            if row["item"] == "vp":
                self.points[row["seat"]][SOURCE_OF[row["reason"]]] += row["amount"]
        if choice:
            yield from self.tell_choice(choice, rows)
        else:
            yield from self.tell_changes(rows)

    def tell_choice(self, choice: Line, rows: Sequence[Line]) -> Iterator[str]:
        option = choice["options"][choice["chosen"]]
        if len(choice["options"]) == 1 and not rows and option["do"] in EMPTY:
            return
        words = sentence(choice, self.names)
        if not words:
            yield from self.tell_changes(rows)
            return
        told = TOLD.get(option["do"], lambda option, row: False)
        own = [row for row in rows if row["seat"] == choice["seat"] and not told(option, row)]
        brings = consequences(own, option, self.names)
        yield f"    {self.who(choice['seat'])} {words}{': ' + brings if brings else ''}"
        yield from self.tell_changes([row for row in rows if row["seat"] != choice["seat"]])

    def tell_changes(self, rows: Iterable[Line]) -> Iterator[str]:
        for seat, found in groupby(rows, key=lambda row: row["seat"]):
            if words := consequences(found, {}, self.names):
                yield f"    {self.who(seat)}: {words}"

    # the end

    def end(self) -> Iterator[str]:
        yield from self.flush()
        if not self.finals:
            return
        yield ""
        yield "Final points by source"
        yield from table(self.end_rows())

    def end_rows(self) -> Iterator[list[str]]:
        seats = sorted(self.finals, key=lambda final: (final["rank"], final["seat"]))
        yield ["", *(self.who(final["seat"]) for final in seats)]
        for source in state.SOURCES:
            counts = [self.points[final["seat"]][source] for final in seats]
            if any(counts):
                yield [source.replace("_", " "), *map(str, counts)]
        for name, key in (("points", "vp"), ("silver left", "silver"), ("rank", "rank")):
            yield [name, *(str(final[key]) for final in seats)]


def table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns side by side, the first to the left and numbers to the right."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        yield "  ".join([first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]).rstrip()


def tell(lines: Iterable[Line], components: Components) -> Iterator[str]:
    """The lines of a game (`--json`) as lines of text."""
    teller = Teller(Names(components))
    for line in lines:
        yield from teller.hear(line)
    yield from teller.end()
