"""A table to set up by hand: a few lines put a game into a state, start one step of it, and answer its decisions in words.

    table = Table(players=3).in_round(2)
    table.row(0, "wainwright", missing="food").give(0, food=1)
    table.free_deliveries(0, 1).choose(do="deliver", good="food", to="wainwright")
    assert table.points(0) == {"first": 1, "building": 2}

A fresh table is a bare one: no goods, no points, no hands, no markers, no blocked building, seats in order 0, 1, 2, ... What is set up is
made consistent when a step starts (markers in use, hand sizes, passives), and after every answer the books are checked.
Decisions with one option are carried out unasked, as in a game; they are kept in `passed`. Cards and roofs are printed for a test where
it names what they show. Words that are reserved in Python take an underscore: `from_`, `as_`.
"""

import functools
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.components.box import build_box
from lagranja_sim.games.lagranja.components.effects import parse_cost, parse_effect, parse_permanent, parse_when
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.deal import clear_player, deal
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.rules.modifiers import find_passives
from lagranja_sim.games.lagranja.rules.names import (
    BUILDINGS,
    DECISIONS,
    ERRORS,
    FIELD,
    HARVEST,
    ITEMS,
    KINDS,
    PHASES,
    SOURCES,
    Ask,
    Error,
    Item,
    Step,
)
from lagranja_sim.games.lagranja.words import option_words

Words = dict[str, Any]
NO_MARKERS = (Item.SILVER, Item.VP)
LEAVE = ("done", "decline", "forgo", "grow")
CELLS = {
    "ext_income": parse_effect,
    "helper_effect": parse_effect,
    "helper_cost": parse_cost,
    "helper_when": parse_when,
    "effect": parse_effect,
    "when": parse_when,
    "permanent": parse_permanent,
}


@functools.cache
def _loaded(variant: str, overrides: str) -> Components:
    return load_components(None, variant, json.loads(overrides))


def printed(variant: str = "deluxe", overrides: Mapping[str, object] | None = None) -> Components:
    """The printed components under a variant and single changes, loaded once."""
    return _loaded(variant, json.dumps(overrides or {}, sort_keys=True))


def phases_of(text: str) -> tuple[str, ...]:
    return PHASES if text == "any" else tuple(text.split())


def spelled(name: str, value: Any) -> Any:
    """A cell of a table of components as its model keeps it."""
    if name.endswith("phases"):
        return phases_of(value)
    if name == "barrow":
        return tuple(value.split())
    return CELLS[name](value) if name in CELLS else value


def tally(names: Iterable[str], values: Iterable[int]) -> dict[str, int]:
    """What is not 0, by name."""
    return {name: int(value) for name, value in zip(names, values, strict=True) if value}


class Table:
    """One game in play, with what is printed for it."""

    def __init__(
        self, players: int = 2, variant: str = "deluxe", overrides: Mapping[str, object] | None = None, dealt: int | None = None
    ) -> None:
        """A bare table or, with `dealt`, the game of that block as it is dealt."""
        self.components = printed(variant, overrides)
        self.changed: dict[tuple[str, int | str], Words] = {}  # cells printed for this test
        self._built: tuple[Any, list[str]] | None = None
        self.records = np.zeros(1, s.GAME)
        self.game = self.records[0]
        self.option_records = np.zeros(s.MAX_OPTIONS, s.OPTION)
        self.seats = range(players)
        self.count, self.kind, self.seat = 0, "", -1
        self.passed: list[tuple[int, str, Words]] = []
        self.phases: list[str] = []
        deal(self.game, self.box, np.uint64(7), dealt or 0, players)
        if dealt is None:
            self._clear()

    def _clear(self) -> None:
        game = self.game
        game.depth, game.blocked_count, game.round_number, game.neutral_first = 0, 0, 1, 0
        game.blocked[:], game.space_owner[:], game.order[:] = -1, -1, range(s.SEATS)
        for seat in self.seats:
            clear_player(self.player(seat))
            self.player(seat).arrival = s.SEATS - seat
            for index, building in enumerate(self.box.craft_buildings):
                self.player(seat).row_left[index] = building.symbols
                self.player(seat).row_missing[index] = building.goods
        self.deck(*range(1, s.CARDS + 1))

    # --- what is printed ---------------------------------------------------------------------------------------------------------

    @property
    def box(self) -> Any:
        return self._printing()[0][0]

    @property
    def texts(self) -> list[str]:
        return self._printing()[1]

    def _printing(self) -> tuple[Any, list[str]]:
        if self._built is None:
            c = self.components
            cards = [card.model_copy(update=self.changed.get(("card", card.card), {})) for card in c.cards]
            roofs = [roof.model_copy(update=self.changed.get(("roof", roof.roof), {})) for roof in c.roofs]
            spaces = [space.model_copy(update=self.changed.get(("space", number), {})) for number, space in enumerate(c.spaces)]
            buildings = [row.model_copy(update=self.changed.get(("building", row.building), {})) for row in c.buildings]
            self._built = build_box(cards, roofs, buildings, spaces, c.rules) if self.changed else (c.box, c.alternative_texts)
        return self._built

    def print_on(self, what: str, which: int | str, **cells: Any) -> None:
        """Print something else on a `card`, `roof`, `space` or `building`, in the words of its table; a step under way is broken off."""
        if cells:
            self.game.depth, self.count = 0, 0
            self.changed.setdefault((what, which), {}).update({name: spelled(name, value) for name, value in cells.items()})
            self._built = None

    def helper_named(self, name: str) -> int:
        return next(card.card for card in self.components.cards if card.helper == name)

    def roof_named(self, design: str) -> int:
        return next(roof.roof for roof in self.components.roofs if roof.design == design)

    # --- cards -------------------------------------------------------------------------------------------------------------------

    def deck_cards(self) -> list[int]:
        """The deck, top first."""
        return [int(card) for card in self.game.deck[: self.game.deck_count][::-1]]

    def deck(self, *cards: int) -> "Table":
        """Exactly these cards are the deck, top first. The others of the old deck are out of play."""
        for card in self.deck_cards():
            self.game.card_place[card] = s.HIDDEN
        for card in cards:
            self.game.card_place[card] = s.IN_DECK
        self.game.deck[: len(cards)] = cards[::-1]
        self.game.deck_count = len(cards)
        return self

    def discarded(self, *cards: int) -> "Table":
        """These cards lie on the discard pile."""
        for card in cards:
            self._move(card, s.IN_DISCARD)
        return self

    def discards(self) -> list[int]:
        return [card for card in range(1, s.CARDS + 1) if self.game.card_place[card] == s.IN_DISCARD]

    def _move(self, card: int, place: int) -> int:
        """A card of the deck, or out of play, to another place."""
        if card in self.deck_cards():
            self.deck(*(other for other in self.deck_cards() if other != card))
        assert self.game.card_place[card] in (s.HIDDEN, s.IN_DECK), f"card {card} is in use"
        self.game.card_place[card] = place
        return card

    def _fresh(self, place: int, **cells: Any) -> int:
        """Any card nobody has: one out of play or, if there is none, the lowest of the deck."""
        out = [card for card in range(1, s.CARDS + 1) if self.game.card_place[card] == s.HIDDEN]
        card = self._move(out[0] if out else self.deck_cards()[-1], place)
        self.print_on("card", card, **cells)
        return card

    def hold(self, seat: int, helper: str | int | None = None, **cells: Any) -> int:
        """A card for a hand: that of a helper, a number, or any with these cells printed on it; returns its number."""
        if helper is None:
            return self._fresh(s.IN_HAND + seat, **cells)
        return self._move(self.helper_named(helper) if isinstance(helper, str) else helper, s.IN_HAND + seat)

    def hand(self, seat: int) -> list[int]:
        return [card for card in range(1, s.CARDS + 1) if self.game.card_place[card] == s.IN_HAND + seat]

    # --- farms ---------------------------------------------------------------------------------------------------------------------

    def player(self, seat: int) -> Any:
        return self.game.players[seat]

    def give(self, seat: int, **goods: int) -> "Table":
        """Goods in dens and stables, silver, points, commodities."""
        for name, amount in goods.items():
            self.player(seat).stock[ITEMS.index(name)] += amount
        self.player(seat).points[SOURCES.index("other")] += goods.get("vp", 0)
        return self

    def fields(self, seat: int, *goods: str, grown: bool = False) -> "Table":
        """Fields, empty or with their good."""
        for good in goods:
            index = ITEMS.index(good)
            self._fresh(s.ON_FARM + seat, field=good)
            self.player(seat).fields[index] += 1
            self.player(seat).stock[FIELD + index] += grown
        return self

    def barrow(self, seat: int, goods: str, value: int = 2, missing: str | None = None) -> str:
        """A barrow that asks for these goods, of which some are still missing; returns what a delivery names it."""
        player, slot = self.player(seat), self._slot(self.player(seat).barrows)
        card = self._fresh(s.ON_FARM + seat, barrow=goods, barrow_vp=value)
        free = (goods if missing is None else missing).split()
        player.barrows[slot], player.barrow_left[slot] = card, len(free)
        player.barrow_missing[slot] = [free.count(name) for name in ITEMS[:KINDS]]
        return f"barrow {card}"

    def hire(
        self, seat: int, name: str = "", *, effect: str = "", when: str = "action", cost: str = "", phases: str = "any", uses: int = 0
    ) -> int:
        """A helper by name, or one with this ability; returns its card."""
        player, slot = self.player(seat), self._slot(self.player(seat).helpers)
        if name:
            card = self._move(self.helper_named(name), s.ON_FARM + seat)
        else:
            card = self._fresh(
                s.ON_FARM + seat, helper_effect=effect, helper_when=when, helper_cost=cost, helper_phases=phases, helper_uses=uses
            )
        player.helpers[slot] = card
        return card

    @staticmethod
    def _slot(slots: Any) -> int:
        return [int(card) for card in slots].index(0)

    def extend(self, seat: int, hand: int = 1, delivery: int = 0, pig: int = 0, income: str = "") -> "Table":
        """An extension with these icons."""
        player = self.player(seat)
        card = self._fresh(s.ON_FARM + seat, ext_hand=hand, ext_delivery=delivery, ext_pig=pig, ext_income=income)
        player.extensions[player.extension_count] = card
        player.extension_count += 1
        player.hand_icons += hand
        player.delivery_icons += delivery
        player.pig_icons += pig
        return self

    def roof(self, seat: int, design: str = "", *, used: bool = False, **cells: Any) -> int:
        """A roof on the leftmost empty space, by its design or with these cells printed on it; returns its number."""
        player = self.player(seat)
        taken = {int(roof) for other in self.seats for roof in self.player(other).roofs}
        number = self.roof_named(design) if design else next(roof for roof in range(s.ROOFS, 0, -1) if roof not in taken)
        if not design:
            self.print_on("roof", number, **({"when": "action", "phases": "any"} | cells))
        player.roofs[player.roof_count], player.roof_used[player.roof_count] = number, used
        player.roof_count += 1
        return number

    def row(self, seat: int, building: str, missing: str) -> "Table":
        """A row of a building on which only these goods are missing."""
        index, free = BUILDINGS.index(building), missing.split()
        self.player(seat).row_missing[index] = [free.count(name) for name in ITEMS[:KINDS]]
        self.player(seat).row_left[index] = len(free)
        return self

    def complete(self, seat: int, *buildings: str, flipped: bool = True) -> "Table":
        """Buildings the seat has completed, their craft markers flipped or still of this round."""
        for building in buildings:
            index = BUILDINGS.index(building)
            self.row(seat, building, "")
            self.player(seat).done |= 1 << index
            self.player(seat).permanent |= flipped << index
            self.player(seat).building_round[index] = self.game.round_number - flipped
            if self.game.first_seat[index] < 0:
                self.game.first_seat[index] = seat
        return self

    def used_tiles(self, seat: int, *donkeys: int) -> "Table":
        """Donkey tiles that are out."""
        self.player(seat).donkeys_out = sum(1 << (donkey - 1) for donkey in donkeys)
        return self

    def disc(self, seat: int, section: int) -> "Table":
        """The siesta disc on a section; the one named last lies on top."""
        self.game.arrivals += 1
        self.player(seat).siesta, self.player(seat).arrival = section, self.game.arrivals
        return self

    # --- the middle of the table -------------------------------------------------------------------------------------------------

    def in_round(self, number: int) -> "Table":
        self.game.round_number = number
        return self

    def in_order(self, *seats: int) -> "Table":
        """The turn order, start player first."""
        self.game.order[: len(seats)] = seats
        return self

    def order(self) -> list[int]:
        return [int(seat) for seat in self.game.order[: len(self.seats)]]

    def second(self) -> "Table":
        """The game for one: the neutral player is start player."""
        self.game.neutral_first = 1
        return self

    @property
    def starts(self) -> bool:
        """The game for one: whether the player is start player."""
        return not self.game.neutral_first

    def block(self, *buildings: str) -> "Table":
        """Buildings with order markers, lowest first."""
        self.game.blocked[: len(buildings)] = [BUILDINGS.index(building) for building in buildings]
        self.game.blocked_count, self.game.opened = len(buildings), 0
        return self

    def blocked(self) -> list[str]:
        return [BUILDINGS[index] for index in self.game.blocked[self.game.opened : self.game.blocked_count]]

    def mark(self, seat: int, *spaces: int) -> "Table":
        """Markers on spaces of the market."""
        for space in spaces:
            self.game.space_owner[space] = seat
        return self

    def market(self) -> dict[int, int]:
        """Who has a marker on which space."""
        return {space: int(owner) for space, owner in enumerate(self.game.space_owner) if owner >= 0}

    def spaces(self, value: int) -> list[int]:
        """The open spaces of a value."""
        is_open = int(self.box.open_spaces[len(self.seats)])
        return [space for space in range(self.box.space_count) if is_open >> space & 1 and self.box.spaces[space].value == value]

    def neighbours(self, space: int) -> list[int]:
        return [other for other in range(self.box.space_count) if int(self.box.spaces[space].neighbours) >> other & 1]

    def value(self, space: int) -> int:
        return int(self.box.spaces[space].value)

    def offer(self, *roofs: str | int) -> "Table":
        """Face-up roofs to buy, by design or number."""
        numbers = [self.roof_named(roof) if isinstance(roof, str) else roof for roof in roofs]
        self.game.roof_offer[:] = numbers + [0] * (s.SEATS - len(numbers))
        return self

    def dice(self, *faces: int) -> "Table":
        """What will be rolled this round."""
        self.game.dice[self.game.round_number - 1, : len(faces)] = faces
        return self

    def stacks(self) -> list[list[int]]:
        """The siesta track from its first section, each stack from the bottom."""
        seats = sorted(self.seats, key=lambda seat: int(self.player(seat).arrival))
        return [[seat for seat in seats if self.player(seat).siesta == section] for section in range(self.box.siesta_top + 1)]

    # --- starting a step -------------------------------------------------------------------------------------------------------------

    def start(self, phase: str, *tasks: tuple[int, ...]) -> "Table":
        """Tasks (kind, seat, n, what), the first done first, and on to the first decision."""
        game = self.game
        game.depth, game.turn_seat = 0, -1
        game.phase = PHASES.index(phase)
        for task in reversed(tasks):
            kind, seat, n, what = (*task, 0, 0, 0)[:4]
            game.agenda[game.depth] = (kind, seat, 0, 0, n, what, 0)
            game.depth += 1
        for seat in self.seats:
            player = self.player(seat)
            player.markers = self.markers_in_use(seat)
            player.hand_size = len(self.hand(seat))
            find_passives(game, self.box, seat)
        game.discard_count = len(self.discards())
        self.before = [self.player(seat).stock.copy() for seat in self.seats]
        self.points_before = [self.player(seat).points.copy() for seat in self.seats]
        self.passed, self.phases = [], []
        return self._go_on()

    def each(self, kind: int) -> list[tuple[int, ...]]:
        return [(kind, seat) for seat in self.order()]

    def turn(self, seat: int, phase: str = "farm") -> "Table":
        """An own turn with nothing in it but what may be done at any time."""
        self.start(phase)
        self.game.turn_seat, self.game.anytime_left = seat, self.box.game.anytime_actions_a_turn
        self._push(Step.CLOSE_TURN, seat)
        self._push(Ask.END_TURN, seat)
        return self._go_on()

    def _push(self, kind: int, seat: int) -> None:
        self.game.agenda[self.game.depth] = (kind, seat, 0, 0, 0, 0, 0)
        self.game.depth += 1

    def whole_round(self, number: int) -> "Table":
        """A round from its beginning, and all that follow."""
        return self.start("setup", (Step.ROUND, 0, number))

    def cards_turn(self, seat: int) -> "Table":
        return self.start("farm", (Step.CARDS_TURN, seat))

    def income(self) -> "Table":
        return self.start("farm", *self.each(Step.INCOME))

    def growth(self, *seats: int) -> "Table":
        return self.start("farm", *((Step.GROWTH_TURN, seat) for seat in seats or self.order()))

    def roofs(self, *seats: int) -> "Table":
        return self.start("farm", *((Step.ROOF_TURN, seat) for seat in seats or self.order()))

    def revenue_phase(self) -> "Table":
        return self.start("revenue", (Step.REVENUE, 0))

    def pick(self, seat: int, *faces: int, then: Iterable[int] = ()) -> "Table":
        """The turn of a seat that takes a die from these, and the turns of others after it."""
        self.game.dice_left[:] = [faces.count(face) for face in range(1, 7)]
        return self.start("revenue", *((Step.DIE_TURN, other) for other in (seat, *then)))

    def takes(self, seat: int, face: int) -> "Table":
        """A seat takes a die of this face, with another left on the table."""
        return self.pick(seat, face, face % 6 + 1).choose(die=face)

    def last_die(self, face: int) -> "Table":
        """All use the last die in turn order."""
        self.game.dice_left[:] = [face == other for other in range(1, 7)]
        return self.start("revenue", *self.each(Step.LAST_DIE_TURN))

    def transport_phase(self) -> "Table":
        return self.start("transport", (Step.TRANSPORT, 0))

    def neutral_move(self, value: int) -> "Table":
        """The move of the neutral player, whose card has a barrow of this value."""
        self.print_on("card", self.deck_cards()[-1], barrow_vp=value)
        return self.start("transport", (Step.NEUTRAL_MOVE, s.NEUTRAL))

    def free_deliveries(self, seat: int, donkeys: int) -> "Table":
        """T3 for a seat whose tile shows so many donkeys."""
        self.player(seat).donkey = 1 + [int(tile[0]) for tile in self.box.transport.donkeys].index(donkeys)
        return self.start("transport", (Step.FREE_TURN, seat))

    def buying_deliveries(self, seat: int) -> "Table":
        """T4 for a seat."""
        return self.start("transport", (Step.BUY_TURN, seat))

    def scoring_phase(self) -> "Table":
        """Scoring up to the change of rounds."""
        return self.start("scoring", (Step.SCORING, 0))

    def end_of_game(self) -> "Table":
        return self.start("end", (Step.END, 0))

    # --- answering -------------------------------------------------------------------------------------------------------------------

    def _go_on(self) -> "Table":
        """To the next decision that has a choice."""
        while True:
            self.count = advance(self.game, self.box, self.option_records)
            while self.count < 0:
                self.count = advance(self.game, self.box, self.option_records)
            self.check()
            phase = PHASES[self.game.phase]
            self.phases += [phase] if self.phases[-1:] != [phase] else []
            if self.count == 0:
                self.kind, self.seat = "", -1
                return self
            task = self.game.agenda[self.game.depth - 1]
            self.kind, self.seat = DECISIONS[task.kind], int(task.seat)
            if self.count > 1:
                return self
            self.passed.append((self.seat, self.kind, self.options()[0]))
            apply(self.game, self.box, self.option_records[0])

    @property
    def over(self) -> bool:
        """Whether the step is finished."""
        return self.count == 0

    @property
    def asked(self) -> tuple[int, str] | None:
        """Who decides what; None when the step is finished."""
        return None if self.over else (self.seat, self.kind)

    def options(self) -> list[Words]:
        return [option_words(self.game, self.seat, option, self.texts) for option in self.option_records[: self.count]]

    def offers(self, **words: Any) -> list[Words]:
        """The options that have all these words."""
        wanted = {key.rstrip("_"): value for key, value in words.items()}
        return [option for option in self.options() if wanted.items() <= option.items()]

    def own_options(self) -> list[Words]:
        """The options of a window without buying, selling and upgrading."""
        return [option for option in self.options() if option["do"] not in ("buy", "sell", "upgrade", "use_commodity")]

    def choose(self, **words: Any) -> "Table":
        """The one option that has all these words."""
        found = self.offers(**words)
        listed = "\n".join(map(str, self.options()))
        assert len(found) == 1, f"{len(found)} options of {self.asked} have {words}:\n{listed}"
        apply(self.game, self.box, self.option_records[self.options().index(found[0])])
        return self._go_on()

    def done(self) -> "Table":
        return self.choose(do="done")

    def leave(self) -> "Table":
        """Leave every decision until the step is finished."""
        while not self.over:
            self.choose(do=next(option["do"] for option in self.options() if option["do"] in LEAVE))
        return self

    # --- looking ---------------------------------------------------------------------------------------------------------------------

    def stock(self, seat: int, good: str) -> int:
        return int(self.player(seat).stock[ITEMS.index(good)])

    def gained(self, seat: int) -> dict[str, int]:
        """What a seat has more, or less, than when the step started."""
        return tally(ITEMS, self.player(seat).stock - self.before[seat])

    def points(self, seat: int) -> dict[str, int]:
        """Points by source since the step started."""
        return tally(SOURCES, self.player(seat).points - self.points_before[seat])

    def helpers(self, seat: int) -> list[int]:
        return [int(card) for card in self.player(seat).helpers if card]

    def barrows(self, seat: int) -> list[int]:
        return [int(card) for card in self.player(seat).barrows if card]

    def face_up(self, seat: int) -> list[int]:
        """Roofs not used yet."""
        player = self.player(seat)
        return [int(player.roofs[k]) for k in range(player.roof_count) if not player.roof_used[k]]

    def done_buildings(self, seat: int) -> list[str]:
        return [name for index, name in enumerate(BUILDINGS) if self.player(seat).done >> index & 1]

    def permanent(self, seat: int) -> list[str]:
        return [name for index, name in enumerate(BUILDINGS) if self.player(seat).permanent >> index & 1]

    def free_markers(self, seat: int) -> int:
        return int(self.box.setup.markers) - int(self.player(seat).markers)

    # --- the books -------------------------------------------------------------------------------------------------------------------

    def markers_in_use(self, seat: int) -> int:
        """Counted from what lies on the table."""
        player = self.player(seat)
        goods = sum(int(amount) for item, amount in enumerate(player.stock) if item not in NO_MARKERS)
        on_barrows = sum(
            int(self.box.cards[card].barrow_size) - int(left) for card, left in zip(player.barrows, player.barrow_left, strict=True) if card
        )
        on_rows = 0
        for index, left in enumerate(player.row_left):
            on_rows += 1 if player.done >> index & 1 else int(self.box.craft_buildings[index].symbols) - int(left)
        return goods + on_barrows + on_rows + list(self.market().values()).count(seat)

    def check(self) -> None:
        """The books balance."""
        game = self.game
        assert game.error == Error.OK, ERRORS[game.error]
        assert game.discard_count == len(self.discards())
        assert sorted(self.deck_cards()) == [card for card in range(1, s.CARDS + 1) if game.card_place[card] == s.IN_DECK]
        for seat in self.seats:
            player = self.player(seat)
            assert min(player.stock) >= 0
            assert sum(player.points) == player.stock[Item.VP]
            assert player.hand_size == len(self.hand(seat))
            assert all(player.stock[FIELD + good] <= player.fields[good] for good in range(HARVEST))
            in_transit = any(task.kind == Step.BARROW_GONE for task in game.agenda[: game.depth])
            assert in_transit or player.markers == self.markers_in_use(seat)
            assert not self.box.setup.markers or player.markers <= self.box.setup.markers
