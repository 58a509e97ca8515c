"""A game as a text that a player of La Granja follows: who does what, what it brings, and where the points come from.

A choice and what follows from it, up to the next choice, are one sentence and its consequences. What no choice led to (growth, income,
scoring) is told by seat.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.rules.names import REASONS, SOURCE_OF_REASON, SOURCES
from lagranja_sim.games.lagranja.story_words import Line, Names, building, item_name, sentence
from lagranja_sim.spelling import listing

Cause = tuple[str, tuple[tuple[str, Any], ...]]  # reason and reference of what happened

SOURCE_OF = {reason: SOURCES[source] for reason, source in zip(REASONS, SOURCE_OF_REASON, strict=True)}
PHASE_TITLES = {
    "setup": "Set-up", "farm": "Farm", "revenue": "Revenue", "transport": "Transportation", "scoring": "Scoring", "end": "End of the game",
}  # fmt: skip
COMPLETION = ("building", "first")  # points for a completed building, told together
EMPTY = ("done", "decline", "grow")  # acts that may change nothing at all

# --- what follows ------------------------------------------------------------------------------------------------------------------

# Reasons that the sentence of the act has named already, and consequences that it has told already.
OWN = {
    "buy_roof": ("roof",), "take_die": ("die",), "use_die": ("die",), "deliver": ("delivery",), "buy_delivery": ("bought_delivery",),
    "buy_deliveries": ("bought_delivery",), "buy": ("buy",), "sell": ("sell",), "upgrade": ("upgrade", "die", "commodity"),
    "use_commodity": ("commodity",), "use_roof": ("roof_effect",), "use_helper": ("helper", "helper_cost"),
    "use_building": ("craft_permanent",), "take_growth": ("craft_permanent",), "grow": ("growth",), "choose": ("die", "commodity"),
    "gain": ("die", "commodity"), "pay": ("extension",), "give_up": ("give_up",), "play_card": ("extension",),
}  # fmt: skip
TOLD: dict[str, Callable[[Line, Line], bool]] = {  # of ledger rows
    "deliver": lambda option, row: row["reason"] == "delivery",
    "pay": lambda option, row: row["amount"] == -1 and row["item"].removeprefix("field_") == option["good"],
    "give_up": lambda option, row: row["reason"] == "give_up",
    "gain": lambda option, row: row["amount"] == 1 and row["item"] in option.get("goods", (option.get("good"),)),
    "use_commodity": lambda option, row: row["item"] == "commodity" and row["amount"] == -1 and row["reason"] == "commodity",
}

BECAUSE = {
    "start": "starts with", "played": "plays a card", "roof": "roof", "roof_effect": "roof", "buy": "buys", "sell": "sells",
    "upgrade": "upgrades", "die": "die", "commodity": "trade commodity", "income": "income", "growth": "growth", "breed": "piglet",
    "delivery": "delivery", "bought_delivery": "bought delivery", "barrow": "completes a barrow", "market_round": "markers on the market",
    "market_removal": "removes a marker", "building": "completes a building", "first": "first to complete a building",
    "unlock": "opens a building", "siesta": "siesta track", "craft_immediate": "takes a craft marker", "craft_permanent": "craft marker",
    "helper": "helper", "extension": "for an extension", "no_space": "sold for lack of space", "give_up": "gives up",
    "end_sale": "final sale", "silver": "silver into points", "helper_cost": "for a helper", "effect_cost": "cost",
    "hand_limit": "up to the hand limit", "donkey": "donkey tile", "new_round": "new round",
    "neutral": "move",
}  # fmt: skip
BECAUSE_OF: dict[str, Callable[[Mapping[str, Any], Names], str]] = {  # the same, where the component is known
    "roof": lambda ref, n: n.roof(ref["roof"]),
    "roof_effect": lambda ref, n: n.roof(ref["roof"]),
    "die": lambda ref, n: f"die of {ref['die']}",
    "income": lambda ref, n: f"income of card {ref['card']}",
    "barrow": lambda ref, n: f"completes barrow {ref['card']}",
    "market_removal": lambda ref, n: f"removes the marker of {n.who(ref['owner'])} on {n.space(ref['space'])}",
    "building": lambda ref, n: f"completes {building(ref['building'])}",
    "first": lambda ref, n: f"first to complete {building(ref['building'])}",
    "unlock": lambda ref, n: f"opens {building(ref['building'])}",
    "craft_immediate": lambda ref, n: f"takes the craft marker of {building(ref['building'])}",
    "craft_permanent": lambda ref, n: f"craft marker of {building(ref['building'])}",
    "helper": lambda ref, n: n.helper(ref["card"]),
    "extension": lambda ref, n: f"for extension {ref['card']}",
    "helper_cost": lambda ref, n: f"for {n.helper(ref['card'])}",
    "donkey": lambda ref, n: f"donkey tile {ref['donkey']}",
}

# Lines that are told beside changes of what somebody owns, and when; what they are called.
NEWS: dict[str, Callable[[Line], bool]] = {
    "ledger": lambda row: True,
    "completed": lambda row: True,
    "opened": lambda row: True,
    "reshuffle": lambda row: True,
    "order": lambda row: True,
    "die_discarded": lambda row: True,
    "card": lambda row: row["to"] == "hand" or row["reason"] == "neutral",
    "disc": lambda row: row["reason"] == "donkey",
    "marker": lambda row: row["reason"] in ("start", "market_removal", "neutral"),
}
FOR_ALL: dict[str, Callable[[Line, Names], str]] = {  # what is no single seat's
    "reshuffle": lambda row, n: f"The discard pile is shuffled: a new deck of {len(row['deck'])}",
    "die_discarded": lambda row, n: f"A die is discarded, a {row['die']}",
    "order": lambda row, n: f"New turn order: {listing([n.who(seat) for seat in row['order']], 'and')}",
}


def _because(reason: str, ref: Mapping[str, Any], names: Names) -> str:
    """A reason in words, with its component if the row names one."""
    return BECAUSE_OF[reason](ref, names) if ref and reason in BECAUSE_OF else BECAUSE[reason]


def _sums(rows: Iterable[Line]) -> str:
    """`-3 silver, +1 olive`: what goes, then what comes."""
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["item"]] += row["amount"]
    changes = sorted(((item, number) for item, number in totals.items() if number), key=lambda change: change[1] > 0)
    return ", ".join(f"{number:+} {item_name(item)}" for item, number in changes)


def _news(rows: Iterable[Line], names: Names) -> str:
    """`draws cards 3 and 14`, where a disc went, where the market marker of the start lies."""
    cards = [str(row["card"]) for row in rows if row["type"] == "card"]
    discs = [names.disc(row) for row in rows if row["type"] == "disc"]
    markers = [f"a marker on {names.space(row['space'])}" for row in rows if row["type"] == "marker" and row["change"] == "placed"]
    drawn = [f"draws card{'s' if len(cards) > 1 else ''} {listing(cards, 'and')}"] if cards else []
    return ", ".join(drawn + discs + markers)


def _completed(rows: Sequence[Line], what: str) -> str:
    """`completes it, 3 VP (first +1, round 2 +2)`."""
    names = {"first": "first", "building": "round {}"}
    parts = [f"{names[row['reason']].format(row['round'])} {row['amount']:+}" for row in rows]
    return f"completes {what}, {sum(row['amount'] for row in rows)} VP ({', '.join(parts)})" if parts else f"completes {what}"


def _clause(cause: Cause, rows: Sequence[Line], option: Line, names: Names) -> str:
    """What happened for one reason, in a few words; empty if it cancels out."""
    reason, ref, target = cause[0], dict(cause[1]), option.get("to")
    changes = [row for row in rows if row["type"] == "ledger"]
    sums, news = _sums(changes), _news(rows, names)
    if reason == "building" and ref:
        return _completed(changes, "it" if ref["building"] == target else building(ref["building"]))
    if reason in ("market_removal", "unlock"):
        return f"{_because(reason, ref, names)} {sums.removesuffix(' VP') if reason == 'unlock' else sums}".rstrip()
    brings = ", ".join(filter(None, (sums, news)))
    if not brings or reason == "neutral" or reason in OWN.get(option.get("do", ""), ()):
        return brings
    if reason == "hand_limit":
        return f"{brings} {BECAUSE[reason]}"
    if reason == "barrow" and target == f"barrow {ref.get('card')}":
        return f"completes it {brings}"
    return f"{_because(reason, ref, names)}{' ' if sums else ': '}{brings}"


CAUSE_OF: dict[str, Callable[[Line], tuple[str, Mapping[str, Any]]]] = {  # of lines without a reason and reference of their own
    "completed": lambda row: ("building", {"building": row["building"]}),
    "opened": lambda row: ("unlock", {"building": row["building"]}),
    "marker": lambda row: (
        ("market_removal", {"space": row["space"], "owner": row["seat"]}) if row["change"] == "removed" else (row["reason"], {})
    ),
}


def _cause(row: Line) -> Cause:
    """Rows of one cause are told together: both kinds of points for a completed building are one, and a marker with its points."""
    reason, ref = CAUSE_OF[row["type"]](row) if row["type"] in CAUSE_OF else (row["reason"], row["ref"] or {})
    return ("building" if reason in COMPLETION else reason, tuple(ref.items()))


def _actor(row: Line) -> int:
    """Whose doing it is, -1 for all."""
    return int(row.get("by", row.get("seat", -1)))


def _is_own(row: Line, choice: Line) -> bool:
    """Whether a choice led to it. The discs move in turn order when the last donkey has been chosen, whoever chose it."""
    return _actor(row) == choice["seat"] and row["type"] != "disc"


def consequences(rows: Iterable[Line], option: Line, names: Names) -> str:
    """What happened to one seat, grouped by cause in the order in which it came."""
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
    setup: Line = field(default_factory=dict)
    heading: tuple[int, str] = (0, "")
    choice: Line | None = None
    rows: list[Line] = field(default_factory=list)
    points: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    finals: list[Line] = field(default_factory=list)

    # one line of the game after the other

    def hear(self, line: Line) -> Iterator[str]:
        """Take in a line; yields what can be told by now."""
        on = {"setup": self.on_setup, "choice": self.on_choice, "final": self.on_final, "table": lambda line: ()}
        yield from on.get(line["type"], self.on_news)(line)

    def on_setup(self, line: Line) -> Iterator[str]:
        self.setup, self.names.policies, players = line, line["policies"], line["players"]
        yield f"{self.names.components.title} with {players} player{'s' * (players > 1)}, game {line['game']}"
        yield f"Turn order: {listing([self.names.who(seat) for seat in line['order']], 'and')}"
        if line["blocked"]:
            yield f"Blocked, to be opened in this order: {listing([self.names.building_number(number) for number in line['blocked']], 'and')}"
        for seat, hand in enumerate(line["hands"]):
            yield f"Hand of {self.names.who(seat)}: {listing([str(card) for card in hand], 'and') or 'empty'}"

    def on_choice(self, line: Line) -> Iterator[str]:
        yield from self.flush()
        yield from self.head(line["round"], line["phase"])
        self.choice = line

    def on_news(self, line: Line) -> Iterator[str]:
        if (line["round"], line["phase"]) != self.heading:
            yield from self.flush()
            yield from self.head(line["round"], line["phase"])
        if line["type"] in NEWS and NEWS[line["type"]](line):
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
            scores = (f"{self.names.who(seat)} {points.total()}" for seat, points in sorted(self.points.items()))
            yield f"  Points after round {number}: {', '.join(scores)}"

    # choices with what follows

    def flush(self) -> Iterator[str]:
        """Tell the choice that waited for its consequences."""
        choice, rows = self.choice, self.rows
        self.choice, self.rows = None, []
        for row in rows:
            if row.get("item") == "vp":
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
        own = [row for row in rows if _is_own(row, choice) and not (row["type"] == "ledger" and told(option, row))]
        brings = consequences(own, option, self.names)
        yield f"    {self.names.who(choice['seat'])} {words}{': ' + brings if brings else ''}"
        yield from self.tell_changes([row for row in rows if not _is_own(row, choice)])

    def tell_changes(self, rows: Iterable[Line]) -> Iterator[str]:
        for seat, found in groupby(rows, key=_actor):
            if seat < 0:
                yield from (f"    {FOR_ALL[row['type']](row, self.names)}" for row in found)
            elif words := consequences(found, {}, self.names):
                yield f"    {self.names.who(seat)}: {words}"

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
        yield ["", *(self.names.who(final["seat"]) for final in seats)]
        for source in SOURCES:
            counts = [self.points[final["seat"]][source] for final in seats]
            if any(counts):
                yield [source.replace("_", " "), *map(str, counts)]
        for name, key in (("points", "vp"), ("silver left", "silver"), ("rank", "rank"))[: 3 if len(seats) > 1 else 2]:
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
