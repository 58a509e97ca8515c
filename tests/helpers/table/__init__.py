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

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.rules.modifiers import find_passives
from lagranja_sim.games.lagranja.rules.names import DECISIONS, PHASES, Ask, Step
from lagranja_sim.games.lagranja.words import option_words
from table.books import Books
from table.printing import Words

LEAVE = ("done", "decline", "forgo", "grow")


class Table(Books):
    """One game in play, whose steps are started and whose decisions are answered."""

    def __init__(
        self, players: int = 2, variant: str = "deluxe", overrides: Mapping[str, object] | None = None, dealt: int | None = None
    ) -> None:
        """A bare table or, with `dealt`, the game of that block as it is dealt."""
        self.option_records = np.zeros(s.MAX_OPTIONS, s.OPTION)
        self.count, self.kind, self.seat = 0, "", -1
        self.passed: list[tuple[int, str, Words]] = []
        self.phases: list[str] = []
        super().__init__(players, variant, overrides, dealt)

    def print_on(self, what: str, which: int | str, **cells: Any) -> None:
        """The same; a step under way is broken off."""
        super().print_on(what, which, **cells)
        if cells:
            self.game.depth, self.count = 0, 0

    # --- starting a step -------------------------------------------------------------------------------------------------------------

    def start(self, phase: str, *tasks: tuple[int, ...]) -> Self:
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

    def turn(self, seat: int, phase: str = "farm") -> Self:
        """An own turn with nothing in it but what may be done at any time."""
        self.start(phase)
        self.game.turn_seat, self.game.anytime_left = seat, self.box.game.anytime_actions_a_turn
        self._push(Step.CLOSE_TURN, seat)
        self._push(Ask.END_TURN, seat)
        return self._go_on()

    def _push(self, kind: int, seat: int) -> None:
        self.game.agenda[self.game.depth] = (kind, seat, 0, 0, 0, 0, 0)
        self.game.depth += 1

    def whole_round(self, number: int) -> Self:
        """A round from its beginning, and all that follow."""
        return self.start("setup", (Step.ROUND, 0, number))

    def cards_turn(self, seat: int) -> Self:
        return self.start("farm", (Step.CARDS_TURN, seat))

    def income(self) -> Self:
        return self.start("farm", *self.each(Step.INCOME))

    def growth(self, *seats: int) -> Self:
        return self.start("farm", *((Step.GROWTH_TURN, seat) for seat in seats or self.order()))

    def roofs(self, *seats: int) -> Self:
        return self.start("farm", *((Step.ROOF_TURN, seat) for seat in seats or self.order()))

    def revenue_phase(self) -> Self:
        return self.start("revenue", (Step.REVENUE, 0))

    def pick(self, seat: int, *faces: int, then: Iterable[int] = ()) -> Self:
        """The turn of a seat that takes a die from these, and the turns of others after it."""
        self.game.dice_left[:] = [faces.count(face) for face in range(1, 7)]
        return self.start("revenue", *((Step.DIE_TURN, other) for other in (seat, *then)))

    def takes(self, seat: int, face: int) -> Self:
        """A seat takes a die of this face, with another left on the table."""
        return self.pick(seat, face, face % 6 + 1).choose(die=face)

    def last_die(self, face: int) -> Self:
        """All use the last die in turn order."""
        self.game.dice_left[:] = [face == other for other in range(1, 7)]
        return self.start("revenue", *self.each(Step.LAST_DIE_TURN))

    def transport_phase(self) -> Self:
        return self.start("transport", (Step.TRANSPORT, 0))

    def neutral_move(self, value: int) -> Self:
        """The move of the neutral player, whose card has a barrow of this value."""
        self.print_on("card", self.deck_cards()[-1], market_value=value)
        return self.start("transport", (Step.NEUTRAL_MOVE, s.NEUTRAL))

    def free_deliveries(self, seat: int, donkeys: int) -> Self:
        """T3 for a seat whose tile shows so many donkeys."""
        self.player(seat).donkey = 1 + [int(tile[0]) for tile in self.box.transport.donkeys].index(donkeys)
        return self.start("transport", (Step.FREE_TURN, seat))

    def buying_deliveries(self, seat: int) -> Self:
        """T4 for a seat."""
        return self.start("transport", (Step.BUY_TURN, seat))

    def scoring_phase(self) -> Self:
        """Scoring up to the change of rounds."""
        return self.start("scoring", (Step.SCORING, 0))

    def end_of_game(self) -> Self:
        return self.start("end", (Step.END, 0))

    # --- answering -------------------------------------------------------------------------------------------------------------------

    def _go_on(self) -> Self:
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

    def choose(self, **words: Any) -> Self:
        """The one option that has all these words."""
        found = self.offers(**words)
        listed = "\n".join(map(str, self.options()))
        assert len(found) == 1, f"{len(found)} options of {self.asked} have {words}:\n{listed}"
        apply(self.game, self.box, self.option_records[self.options().index(found[0])])
        return self._go_on()

    def done(self) -> Self:
        return self.choose(do="done")

    def leave(self) -> Self:
        """Leave every decision until the step is finished."""
        while not self.over:
            self.choose(do=next(option["do"] for option in self.options() if option["do"] in LEAVE))
        return self
