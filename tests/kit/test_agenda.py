"""The agenda and the list of options on records of a made-up game: the kit knows no more of a game than their common fields."""

import numpy as np
import pytest

from lagranja_sim.compile import kernel
from lagranja_sim.kit.agenda import below, count_down, drop, dropped_task, fail, kind_of, new_task, to_move, top
from lagranja_sim.kit.options import put
from lagranja_sim.kit.outcomes import AGENDA_FULL, OK, TOO_MANY_OPTIONS

ROOM = 3
TASK = np.dtype((np.record, [("kind", np.int8), ("seat", np.int8), ("n", np.int16), ("stones", np.int16)]))
GAME = np.dtype((np.record, [("error", np.int8), ("depth", np.int16), ("agenda", TASK, (ROOM,))]))
OPTION = np.dtype((np.record, [("do", np.int8), ("heap", np.int8)]))


@kernel
def push_heap(games, kind, seat, n, stones):
    task = new_task(games[0], kind, seat)
    task.n = n
    task.stones = stones


@kernel
def done_with_unit(games):
    count_down(games[0])


@kernel
def drop_in(games):
    """What the task dropped had told."""
    drop(games[0])
    return dropped_task(games[0]).stones


@kernel
def look(games):
    game = games[0]
    return kind_of(game), to_move(game), top(game).n, top(game).stones


@kernel
def look_below(games, places):
    return below(games[0], places).stones


@kernel
def fail_in(games, error):
    fail(games[0], error)


@kernel
def put_heap(games, options, n, do, heap):
    n = put(games[0], options, n, do)
    options[n - 1].heap = heap
    return n


@pytest.fixture
def games():
    return np.zeros(1, GAME)


def test_what_is_pushed_last_is_on_top_until_it_is_dropped(games):
    push_heap(games, 4, 1, 2, 30)
    push_heap(games, 5, 0, 1, 40)
    assert look(games) == (5, 0, 1, 40)
    assert look_below(games, 1) == 30
    assert drop_in(games) == 40
    assert look(games) == (4, 1, 2, 30)


def test_a_task_is_finished_with_its_last_unit(games):
    push_heap(games, 4, 1, 2, 30)
    done_with_unit(games)
    assert look(games) == (4, 1, 1, 30)
    done_with_unit(games)
    assert games["depth"][0] == 0


def test_a_full_agenda_is_an_error_and_nothing_is_written_beyond_it(games):
    for seat in range(ROOM + 2):
        push_heap(games, 4, seat, 1, 30)
    assert games["error"][0] == AGENDA_FULL
    assert games["depth"][0] == ROOM
    assert games["agenda"]["seat"][0].tolist() == [0, 1, ROOM + 1]


def test_the_first_error_stays(games):
    assert games["error"][0] == OK
    fail_in(games, 1)
    fail_in(games, 2)
    assert games["error"][0] == 1


def test_options_are_counted_and_too_many_are_an_error(games):
    options = np.zeros(2, OPTION)
    assert put_heap(games, options, 0, 7, 1) == 1
    assert put_heap(games, options, 1, 8, 2) == 2
    assert games["error"][0] == OK
    assert put_heap(games, options, 2, 9, 3) == 2
    assert games["error"][0] == TOO_MANY_OPTIONS
    assert options.tolist() == [(7, 1), (9, 3)]
