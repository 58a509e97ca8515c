"""An auditor who knows a game by its JSON lines alone: no rules, no components, nothing of the tool.

It follows every card, disc, marker, good and point from `setup` on, asks of each line whether it fits what lies on the table, and of
`table` and `final` whether they are just what it has rebuilt.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from audit_checks import POSSIBLE, ROWS, section_of
from audit_farm import CARDS, ON_FIELDS, SOURCE_OF, SOURCES, Farm, Line, Misfit, Row, fits, into_slot, item_of


class Audit:
    """A game as its lines tell it so far."""

    def __init__(self) -> None:
        self.setup: Line = {}
        self.farms: list[Farm] = []
        self.deck: list[int] = []
        self.discard: set[int] = set()
        self.market: dict[int, int] = {}
        self.offer: list[int] = []
        self.opened: list[str] = []
        self.first: dict[str, int] = {}
        self.dice: Counter[int] = Counter()
        self.round, self.phase = 0, "setup"
        self.tiles: dict[int, int] = {}  # donkey chosen this round, by seat
        self.returned = 0  # discs that are back at the start of the track
        self.ordered = True  # whether the round's new order is known; before the first none is needed
        self.owed: list[Line] = []  # lines that the last choice must lead to before the next one
        self.silver_due: Counter[tuple[int, str]] = Counter()  # silver deliveries for which a marker may first be given up
        self.playing: dict[int, Line] = {}  # options to play a card that is not yet placed, by card
        self.removed: Line = {}  # the last marker taken off the market
        self.is_over, self.finals = False, 0

    # --- one line after the other -------------------------------------------------------------------------------------------------

    def read(self, line: Line) -> None:
        if "round" in line:
            self.keep_time(line)
        getattr(self, f"on_{line['type']}")(line)
        self.count_cards()

    def keep_time(self, line: Line) -> None:
        """Rounds begin with their own line; phases follow each other within one."""
        phases = ("setup", "farm", "revenue", "transport", "scoring", "end")
        begins = line["type"] == "round"
        fits(line["round"] == self.round + begins, f"round {line['round']} after {self.round}")
        fits(begins or phases.index(line["phase"]) >= phases.index(self.phase), f"{line['phase']} after {self.phase}")
        self.round, self.phase = line["round"], line["phase"]

    def pay_off(self, line: Line) -> bool:
        """Whether a choice has led to this line; it is owed no more."""
        for owed in self.owed:
            if all(line.get(key) == value for key, value in owed.items()):
                self.owed.remove(owed)
                return True
        return False

    def count_cards(self) -> None:
        """Each card is in one place."""
        cards = [*self.deck, *self.discard, *(card for farm in self.farms for card in farm.cards())]
        fits(len(cards) == len(CARDS) and set(cards) == CARDS, "a card is lost or twice")

    def on_setup(self, line: Line) -> None:
        self.setup, self.deck = line, list(line["deck"])
        self.order, self.stacks = list(line["order"]), [list(stack) for stack in line["discs"]]
        self.farms = [Farm(set(hand), set(line["donkeys"])) for hand in line["hands"]]
        self.blocked = list(line["blocked"])
        fits(len(self.farms) == line["players"] == len(line["policies"]), "players")

    # --- choices --------------------------------------------------------------------------------------------------------------------

    def on_choice(self, line: Line) -> None:
        if line["kind"] != "give_up":  # asked between a choice and what it leads to
            self.settle()
        seat, options = line["seat"], line["options"]
        fits(0 <= line["chosen"] < len(options), "no such option")
        fits(line["policy"] == self.setup["policies"][seat], "another's policy")
        fits(len({str(sorted(option.items())) for option in options}) == len(options), "an option twice")
        for option in options:
            if option["do"] in POSSIBLE:
                fits(POSSIBLE[option["do"]](self, self.farms[seat], option), f"impossible: {option}")
        self.carry_out(seat, options[line["chosen"]])

    def settle(self) -> None:
        """What the choice before had to lead to has come."""
        fits(not self.owed, f"missing: {self.owed}")

    def owe(self, **line: Any) -> None:
        self.owed.append(line)

    def owe_item(self, seat: int, item: str, amount: int, reason: str) -> None:
        self.owe(type="ledger", seat=seat, item=item, amount=amount, reason=reason)

    def carry_out(self, seat: int, option: Line) -> None:
        """What a choice itself changes, and what it must lead to."""
        if option["do"] in EFFECTS:
            EFFECTS[option["do"]](self, seat, option)

    def plays(self, seat: int, option: Line) -> None:
        self.playing[option["card"]] = option
        if option["side"] != "extension":
            self.owe(type="card", seat=seat, card=option["card"], to="farm", reason="played")
        if "replaces" in option:
            self.owe(type="card", seat=seat, card=option["replaces"], to="discard", reason="played")

    def delivers(self, seat: int, option: Line) -> None:
        if option["good"] == "silver":
            self.silver_due[seat, option["to"]] += 1
        else:
            self.owe_item(seat, item_of(option), -1, "delivery")

    def buys_roof(self, seat: int, option: Line) -> None:
        self.offer.remove(option["roof"])
        self.farms[seat].roofs[option["roof"]] = False

    def gives_up(self, seat: int, option: Line) -> None:
        if "space" in option:
            self.owe(type="marker", seat=seat, space=option["space"], change="removed", by=seat, reason="give_up")
        elif option["from"].startswith("barrow"):
            self.farms[seat].target(option["from"]).loaded[option["good"]] -= 1
        else:
            self.owe_item(seat, item_of(option), -1, "give_up")

    def chooses_donkey(self, seat: int, option: Line) -> None:
        self.tiles[seat] = option["donkey"]
        self.farms[seat].donkeys.remove(option["donkey"])

    def takes_die(self, seat: int, option: Line) -> None:
        self.dice[option["die"]] -= 1

    # --- what follows ---------------------------------------------------------------------------------------------------------------

    def on_ledger(self, line: Line) -> None:
        farm, item, amount, reason = self.farms[line["seat"]], line["item"], line["amount"], line["reason"]
        chosen = self.pay_off(line)
        fits(amount != 0, "a row of nothing")
        farm.stock[item] += amount
        fits(farm.stock[item] >= 0, f"fewer {item} than none")
        if item == "vp":
            farm.points[SOURCE_OF.get(reason, reason if reason in SOURCES else "other")] += amount
        if reason in ROWS:
            fits(ROWS[reason](self, farm, line), f"a row of {reason} that does not fit")
        if reason == "delivery":
            self.arrive(line["seat"], item, line["ref"], chosen)
        fits(sum(farm.stock[good] for good in ON_FIELDS) <= len(farm.fields), "more grown than fields")

    def arrive(self, seat: int, item: str, ref: Line, chosen: bool) -> None:
        """A good delivered lies on its symbol."""
        to = f"barrow {ref['card']}" if "card" in ref else ref["building"]
        if item == "silver":
            fits(self.silver_due[seat, to] > 0, "a silver delivered that nobody chose to")
            self.silver_due[seat, to] -= 1
        else:
            fits(chosen, "a delivery that nobody chose")
        row = self.farms[seat].target(to)
        fits(not row.completed, "a delivery to a completed row")
        row.loaded[item.removeprefix("field_")] += 1

    @property
    def alone(self) -> bool:
        """The game for one, in which seat 1 stands for the neutral player."""
        return len(self.farms) == 1

    def on_card(self, line: Line) -> None:
        move = (line["from"], line["to"])
        if self.alone and line["seat"] == 1:
            self.neutral_draws(line["card"], move)
            return
        chosen, farm, card = self.pay_off(line), self.farms[line["seat"]], line["card"]
        fits(move in MOVES, f"a card from {move[0]} to {move[1]}")
        fits(chosen or move != ("hand", "discard"), "a discard that nobody chose")
        MOVES[move](self, farm, card)

    def draw(self, farm: Farm, card: int) -> None:
        fits(self.deck and self.deck[0] == card, "not the top of the deck")
        farm.hand.add(self.deck.pop(0))

    def neutral_draws(self, card: int, move: tuple[str, str]) -> None:
        fits(move == ("deck", "discard") and self.deck and self.deck[-1] == card, "not the bottom of the deck")
        self.discard.add(self.deck.pop())

    def throw_away(self, farm: Farm, card: int) -> None:
        farm.hand.remove(card)
        self.discard.add(card)

    def place(self, farm: Farm, card: int) -> None:
        fits(card in farm.hand and card in self.playing, "a card played that nobody chose")
        farm.hand.remove(card)
        side = self.playing.pop(card)["side"]
        if side == "field":
            farm.fields.add(card)
        elif side == "extension":
            farm.extensions.append(card)
        else:
            into_slot(farm.barrows if side == "barrow" else farm.helpers, card)
            if side == "barrow":
                farm.loads[card] = Row()

    def leave(self, farm: Farm, card: int) -> None:
        """A barrow, completed or replaced, or a replaced helper."""
        slots = farm.slots(card)
        fits(card in slots, "a card that was not there")
        slots[slots.index(card)] = None
        farm.loads.pop(card, None)
        farm.uses.pop(card, None)
        self.discard.add(card)

    def on_reshuffle(self, line: Line) -> None:
        fits(len(self.deck) <= self.alone, "a new deck while there is one")  # the last card may be the neutral player's, told next
        fits(len(line["deck"]) == len(self.discard) and set(line["deck"]) == self.discard, "not the discard pile")
        self.deck, self.discard = [*line["deck"], *self.deck], set()

    def on_disc(self, line: Line) -> None:
        self.pay_off(line)
        fits(line["seat"] in self.stacks[line["from"]], "a disc that was not there")
        fits(line["to"] > line["from"] or line["reason"] == "new_round", "a disc that goes back")
        fits(line["reason"] != "donkey" or line["ref"] == {"donkey": self.tiles[line["seat"]]}, "not the donkey chosen")
        self.stacks[line["from"]].remove(line["seat"])
        if line["reason"] == "new_round":
            self.stacks[0].insert(self.returned, line["seat"])  # under those that are not yet back
            self.returned += 1
        else:
            self.stacks[line["to"]].append(line["seat"])
        fits(line["place"] == self.stacks[line["to"]].index(line["seat"]) + 1, "not its place in the stack")

    def on_marker(self, line: Line) -> None:
        self.pay_off(line)
        seat, space = line["seat"], line["space"]
        if line["change"] == "placed":
            fits(space not in self.market and line["by"] == seat, "a marker on a space that is taken")
            self.market[space] = seat
        else:
            fits(self.market.pop(space, None) == seat, "a marker that was not there")
            self.removed = line

    def on_use(self, line: Line) -> None:
        self.pay_off(line)
        farm, ref = self.farms[line["seat"]], line["ref"]
        if "roof" in ref:
            fits(farm.roofs.get(ref["roof"]) is False, "a roof that is not face up")
            farm.roofs[ref["roof"]] = True
        elif "card" in ref:
            fits(ref["card"] in farm.helpers, "a helper that is not there")
            farm.uses[ref["card"]] += 1
        else:
            fits(farm.rows[ref["building"]].permanent, "a craft marker that is not flipped")

    def on_flipped(self, line: Line) -> None:
        self.pay_off(line)
        farm = self.farms[line["seat"]]
        fits(farm.roofs.get(line["roof"]) is True, "a roof that is not face down")
        farm.roofs[line["roof"]] = False

    def on_completed(self, line: Line) -> None:
        row = self.farms[line["seat"]].rows[line["building"]]
        fits(row.loaded and not row.completed, "a row that cannot be complete")
        row.loaded.clear()
        row.completed = line["round"]
        self.first.setdefault(line["building"], line["seat"])

    def on_opened(self, line: Line) -> None:
        fits(line["building"] not in self.opened, "opened twice")
        self.opened.append(line["building"])
        self.blocked.pop(0)
        fits(line["marker"] == len(self.opened), "not the next order marker")

    def on_permanent(self, line: Line) -> None:
        row = self.farms[line["seat"]].rows[line["building"]]
        fits(row.completed and not row.permanent, "a craft marker that cannot be flipped")
        row.permanent = True

    # --- the course of a game ---------------------------------------------------------------------------------------------------------

    def on_round(self, line: Line) -> None:
        self.settle()
        self.end_round()
        self.offer = list(line["roofs"])
        fits(self.offer == self.setup["roofs"][self.round - 1], "other roofs than were dealt")
        fits(self.stacks[0] == [seat for seat in reversed(self.order) if seat < len(self.farms)], "the discs are not back")
        self.returned = 0
        self.tiles.clear()
        for farm in self.farms:
            farm.uses.clear()

    def end_round(self) -> None:
        """Each round has its own order, and at its end all craft markers are flipped."""
        fits(self.ordered, "a round without a new order")
        self.ordered = False
        for farm in self.farms:
            fits(all(row.permanent for row in farm.rows.values() if row.completed), "a craft marker was not flipped")

    def on_roll(self, line: Line) -> None:
        fits(line["dice"] == self.setup["dice"][self.round - 1], "other dice than were dealt")
        self.dice = Counter(line["dice"])

    def on_die_discarded(self, line: Line) -> None:
        fits(self.alone and self.dice[line["die"]] > 0, "a die that was not there")
        self.dice[line["die"]] -= 1

    def on_order(self, line: Line) -> None:
        if self.alone:
            fits(sorted(line["order"]) == [0, 1] and self.phase == "scoring", "not an order of two at the end of a round")
            self.order = line["order"]
        else:
            self.order = [seat for stack in reversed(self.stacks) for seat in reversed(stack)]
        fits(line["order"] == self.order, "not the order of the siesta track")
        self.ordered = True

    def on_donkeys_back(self, line: Line) -> None:
        for farm in self.farms:
            farm.donkeys = set(self.setup["donkeys"])

    # --- the end ----------------------------------------------------------------------------------------------------------------------

    def on_table(self, line: Line) -> None:
        self.settle()
        self.ordered |= self.alone  # for one the last round changes no order
        self.end_round()
        rebuilt = {
            "type": "table",
            "order": self.order,
            "discs": self.stacks,
            "market": [{"space": space, "seat": seat} for space, seat in sorted(self.market.items())],
            "roofs": self.offer,
            "blocked": self.blocked,
            "first": self.first,
            "deck": self.deck,
            "discard": sorted(self.discard),
        }
        fits(line == rebuilt, f"the table is {rebuilt}")
        self.is_over = True

    def on_final(self, line: Line) -> None:
        rebuilt = self.final(line["seat"])
        fits(self.is_over, "a result before the end")
        fits(line == rebuilt, f"the seat ends with {rebuilt}")
        self.finals += 1

    def standing(self, seat: int) -> tuple[int, int]:
        """What decides the rank."""
        return self.farms[seat].stock["vp"], self.farms[seat].stock["silver"]

    def final(self, seat: int) -> Line:
        """A seat's result and farm."""
        farm = self.farms[seat]
        return {
            "type": "final",
            "seat": seat,
            "policy": self.setup["policies"][seat],
            "vp": farm.stock["vp"],
            "rank": 0 if self.alone else 1 + sum(self.standing(other) > self.standing(seat) for other in range(len(self.farms))),
            "silver": farm.stock["silver"],
            "disc": {"section": section_of(self, seat), "place": self.stacks[section_of(self, seat)].index(seat) + 1},
            "donkeys": sorted(farm.donkeys),
            "markers": farm.markers() + list(self.market.values()).count(seat),
            **farm.told(),
        }


EFFECTS: dict[str, Callable[[Audit, int, Line], Any]] = {  # act -> what it changes by itself, and what it must lead to
    "play_card": Audit.plays,
    "discard": lambda a, seat, o: a.owe(type="card", seat=seat, card=o["card"], to="discard", reason="hand_limit"),
    "buy_roof": Audit.buys_roof,
    "use_roof": lambda a, seat, o: a.owe(type="use", seat=seat, ref={"roof": o["roof"]}),
    "use_helper": lambda a, seat, o: a.owe(type="use", seat=seat, ref={"card": o["helper"]}),
    "use_building": lambda a, seat, o: a.owe(type="use", seat=seat, ref={"building": o["building"]}),
    "take_growth": lambda a, seat, o: a.owe(type="use", seat=seat, ref={"building": o["building"]}),
    "flip_roof": lambda a, seat, o: a.owe(type="flipped", seat=seat, roof=o["roof"]),
    "take_die": Audit.takes_die,
    "deliver": Audit.delivers,
    "sell": lambda a, seat, o: a.owe_item(seat, o["good"], -1, "sell"),
    "upgrade": lambda a, seat, o: a.owe(type="ledger", seat=seat, item=item_of(o), amount=-1),
    "pay": lambda a, seat, o: a.owe(type="ledger", seat=seat, item=item_of(o), amount=-1),
    "use_commodity": lambda a, seat, o: a.owe_item(seat, "commodity", -1, "commodity"),
    "siesta": lambda a, seat, o: a.owe(type="disc", seat=seat, to=o["steps"] + section_of(a, seat)),
    "choose_donkey": Audit.chooses_donkey,
    "place_marker": lambda a, seat, o: a.owe(type="marker", seat=seat, space=o["space"], change="placed", by=seat),
    "give_up": Audit.gives_up,
    "forgo": lambda a, seat, o: a.owed.clear(),
}

MOVES: dict[tuple[str, str], Callable[[Audit, Farm, int], None]] = {
    ("deck", "hand"): Audit.draw,
    ("hand", "discard"): Audit.throw_away,
    ("hand", "farm"): Audit.place,
    ("farm", "discard"): Audit.leave,
}


def audit(lines: Iterable[Line]) -> Audit:
    """Read a game to its end; raises Misfit with the number of the first line that does not fit."""
    books = Audit()
    for number, line in enumerate(lines):
        try:
            books.read(line)
        except (Misfit, LookupError, ValueError) as error:
            raise Misfit(f"line {number}: {error}: {line}") from error
    fits(books.finals == len(books.farms) > 0, "a game without an end")
    return books
