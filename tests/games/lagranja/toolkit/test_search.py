"""Dealing what cannot be seen anew, and playing on (toolkit/search.py)."""

from collections.abc import Iterator

import numpy as np
import pytest
from records import new_games, search_room

from lagranja_sim.games.lagranja import toolkit
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import PHASES, Error
from lagranja_sim.play.driver import weight_row
from lagranja_sim.play.walk import ASKED, Table, walk
from lagranja_sim.policy import find_policy

SEED = 31


def decisions(players: int, games: int, every: int) -> Iterator[Table]:
    """Some decisions of some random games."""
    for number in range(games):
        for index, (moment, table) in enumerate(walk(load_components(), [find_policy("random")] * players, SEED, number)):
            if moment == ASKED and table.count > 1 and index % every == 0:
                yield table


def dealt(table: Table, luck: int) -> np.ndarray:
    """What the seat sees, with the rest dealt anew."""
    games = table.room.views.copy()
    toolkit.redeal(games[0], table.box, table.seat, np.uint64(luck))
    return games


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_deal_looks_the_same_to_the_seat(players: int):
    """What the seat would be shown of it is, but for the luck, what it was shown."""
    seen = 0
    for table in decisions(players, games=3, every=29):
        games, shown = dealt(table, luck=5), table.room.views.copy()
        table.driver.show_in(table.room._replace(games=games), table.count, table.seed, table.number, table.seat, 0)
        for name in s.GAME.names:
            if name not in ("luck", "decisions"):
                assert np.array_equal(table.room.views[name], shown[name]), name
        seen += 1
    assert seen > 20


@pytest.mark.parametrize("players", [2, 4])
def test_a_new_deal_is_a_whole_game(players: int):
    """Every card lies in one place, hands are as large as they were, and it can be played to its end."""
    room = search_room()
    for table in decisions(players, games=1, every=60):
        games = dealt(table, luck=9)
        places, game = games["card_place"][0, 1:], games[0]
        assert not (places == s.HIDDEN).any()
        assert (places == s.IN_DECK).sum() == game.deck_count
        assert len(set(game.deck[: game.deck_count].tolist())) == game.deck_count
        for seat in range(players):
            assert (places == s.IN_HAND + seat).sum() == game.players[seat].hand_size
        toolkit.play_on(game, table.box, room, weight_row(find_policy("balanced")), s.ROUNDS + 1)  # to the end, also from the first one
        assert (games["error"][0], games["depth"][0]) == (Error.OK, 0)


def test_a_new_deal_depends_on_the_luck_alone():
    table = next(decisions(4, games=1, every=101))
    assert dealt(table, 1).tobytes() == dealt(table, 1).tobytes()
    assert len({dealt(table, luck).tobytes() for luck in range(20)}) == 20


def test_cards_are_dealt_evenly():
    """Each card that is not seen is as often in another hand as any other."""
    table = next(decisions(4, games=1, every=101))
    hidden = table.room.views["card_place"][0] == s.HIDDEN
    draws = 3000
    held = sum((dealt(table, luck)["card_place"][0] >= s.IN_HAND) & hidden for luck in range(draws))
    share = (np.asarray(held) / draws)[hidden]
    expected = share.mean()
    assert abs(share - expected).max() < 5 * np.sqrt(expected * (1 - expected) / draws)


def test_playing_on_stops_when_so_many_rounds_are_scored():
    table, weights, room = next(decisions(4, games=1, every=37)), weight_row(find_policy("balanced")), search_room()
    start = table.field("round_number")
    for rounds in (1, 2):
        games = dealt(table, luck=3)
        toolkit.play_on(games[0], table.box, room, weights, rounds)
        assert games["round_number"][0] == start + rounds - 1
        assert PHASES[games["phase"][0]] == "scoring"


def test_copies_are_games_of_their_own():
    table, room = next(decisions(4, games=1, every=37)), search_room()
    games = new_games(2)
    games[0] = dealt(table, luck=3)[0]
    games[1] = games[0]
    before = games[0].tobytes()
    toolkit.play_on(games[1], table.box, room, weight_row(find_policy("balanced")), 1)
    assert games[0].tobytes() == before != games[1].tobytes()
