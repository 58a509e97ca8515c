"""A game record is the whole of a game: a copy made at any decision is a game of its own."""

import random

import numpy as np
import pytest
from records import new_games, new_options, own_box, steps

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import Error
from lagranja_sim.kit.outcomes import ROUND_SCORED

SEED = 5
COPIED = 12  # decisions of each game at which a copy is made; more would only take longer


class Record:
    """A game in a record of its own, with options of its own; the box is shared."""

    def __init__(self, boxes: np.ndarray, games: np.ndarray | None = None) -> None:
        self.boxes, self.games, self.options = boxes, new_games(1), new_options()
        self.count = 0
        if games is not None:
            self.games[0] = games[0]

    def deal(self, number: int, players: int) -> "Record":
        steps().deal_in(self.games, self.boxes, np.uint64(SEED), number, players)
        self.run_on()
        return self

    def copy(self) -> "Record":
        copied = Record(self.boxes, self.games)
        copied.run_on()  # at a decision this lists its options and does nothing else
        return copied

    def run_on(self) -> None:
        """To the next decision; moments of scoring are passed over."""
        self.count = ROUND_SCORED
        while self.count == ROUND_SCORED:
            self.count, _ = steps().advance_in(self.games, self.boxes, self.options)
        assert self.games["error"][0] == Error.OK

    def choose(self, index: int) -> None:
        """One option, and on to the next decision."""
        steps().move_in(self.games, self.boxes, self.options, index)
        self.run_on()

    def move(self, chances: random.Random) -> None:
        """Any option."""
        self.choose(chances.randrange(self.count))

    def play_on(self, chances: random.Random) -> "Record":
        """To the end."""
        while self.count:
            self.move(chances)
        return self

    @property
    def state(self) -> bytes:
        return self.games.tobytes()

    @property
    def listed(self) -> bytes:
        return self.options[: self.count].tobytes()


def decisions_of(components: Components, players: int, number: int) -> list[Record]:
    """Copies of a random game at some of its decisions, from the first to the last."""
    game, chances, moments = Record(own_box(components)).deal(number, players), random.Random(number), []
    while game.count:
        moments.append(game.copy())
        game.move(chances)
    return moments[:: max(1, len(moments) // COPIED)] + moments[-1:]


@pytest.fixture(
    params=[(variant, players) for variant in ("deluxe", "bga") for players in (1, 2, 3, 4)], ids=lambda param: f"{param[0]}-{param[1]}"
)
def moments(request):
    variant, players = request.param
    return decisions_of(load_components(None, variant), players, number=players)


def test_a_copy_is_asked_the_same(moments):
    for moment in moments:
        copied = moment.copy()
        assert copied.state == moment.state
        assert copied.listed == moment.listed


def test_the_same_choices_lead_to_the_same_end(moments):
    for moment in moments:
        one, other = moment.copy(), moment.copy()
        first_chances, second_chances = random.Random("same"), random.Random("same")
        while one.count:  # in turns, so that anything shared would show
            one.move(first_chances)
            other.move(second_chances)
            assert one.state == other.state
            assert one.listed == other.listed
        assert other.count == 0


def test_other_choices_lead_to_another_end(moments):
    """The last decision may be one that changes nothing."""
    for moment in moments[:-3]:
        assert moment.copy().play_on(random.Random("one")).state != moment.copy().play_on(random.Random("other")).state


def test_copies_do_not_touch_each_other(moments):
    """Two copies played in turns with different choices end as each does alone, and the record they were made from stays as it was."""
    for moment in moments:
        before, listed = moment.state, moment.listed
        one_alone = moment.copy().play_on(random.Random("one")).state
        other_alone = moment.copy().play_on(random.Random("other")).state
        one, other = moment.copy(), moment.copy()
        one_chances, other_chances = random.Random("one"), random.Random("other")
        while one.count or other.count:
            for game, chances in ((one, one_chances), (other, other_chances)):
                if game.count:
                    game.move(chances)
        assert one.state == one_alone
        assert other.state == other_alone
        assert (moment.state, moment.listed) == (before, listed)


def test_a_record_used_again_deals_the_same_game():
    """Nothing of a game before is left in a record: what can be seen of a new deal does not depend on it."""
    boxes = own_box(load_components())
    used = Record(boxes).deal(1, 4).play_on(random.Random(1))
    for players in (1, 2, 3, 4):
        fresh, again = Record(boxes).deal(2, players), used.deal(2, players)
        while fresh.count:
            assert again.listed == fresh.listed
            for name in s.GAME.names:
                if name != "agenda":  # above its depth lie old tasks
                    assert np.array_equal(again.games[name], fresh.games[name]), name
            index = fresh.count // 2
            for record in (fresh, again):
                record.choose(index)
