"""Playing games from Python: many at once into arrays, or one step by step in words."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from lagranja_sim.errors import UserError
from lagranja_sim.game import Components, Game, find_game
from lagranja_sim.kit.outcomes import ERRORS
from lagranja_sim.play.aside import is_ctrl_c, off_main_thread
from lagranja_sim.policy import MAX_WEIGHTS, Policy, PolicyError, check_taken_in, load_module
from lagranja_sim.policy.errors import compile_message

Rows = dict[str, np.ndarray]  # columns of each table
WORD = 8  # bytes


class PolicyFailed(PolicyError):
    """A policy that raised an exception in a game, or did what it may not."""

    exit_code = 1


class GameError(UserError, RuntimeError):
    """A game that ended with an error: it names seed and game, so that it can be repeated."""

    exit_code = 1


def game_error(game: Game, code: int, seed: int, number: int) -> GameError:
    """The error of a game's code."""
    return GameError(f"game {number} of seed {seed} ended with an error: {ERRORS.get(code) or game.errors[code]}")


# --- compiling ---------------------------------------------------------------------------------------------------------------------

_compiling = threading.Lock()


@cache
def driver_of(game: Game) -> Any:
    """The compiled loop and steps of a game; the first call compiles its rules or finds them in the cache."""
    with _compiling:
        from lagranja_sim.play.bind import bind

        return bind(game)


def compiled(policy: Policy) -> Any:
    """A policy's `choose` or `score` as a function pointer. Raises PolicyError if it does not compile, or takes in what it may not."""
    return _compiled(policy.code, policy.kind, policy.game)


@cache
def _compiled(path: Path, name: str, game: str) -> Any:
    from lagranja_sim.compile import CHECKED, INTERPRETED
    from lagranja_sim.play.bind import types_of
    from lagranja_sim.policy.results import as_declared

    check_taken_in(path, name)
    function = getattr(load_module(path), name)
    if INTERPRETED:
        return function
    kinds = types_of(find_game(game))
    signature = kinds.score if name == "score" else kinds.choice
    with _compiling:
        with contextlib.suppress(Exception):  # quicker, but not for a policy that makes arrays
            return as_declared(function, signature, cache=True, nogil=True, boundscheck=CHECKED, _nrt=False)
        try:
            return as_declared(function, signature, cache=True, nogil=True, boundscheck=CHECKED)
        except PolicyError:
            raise
        except Exception as error:  # numba lets KeyErrors and others of its own through
            raise PolicyError(compile_message(error, path, name, load_module(path), find_game(game))) from error


@off_main_thread
def warm_up(policies: Sequence[Policy], progress: Callable[[str], None] | None = None) -> None:
    """Compile, or load from the cache, everything that a run with these policies needs."""
    from lagranja_sim.compile import CHECKED

    tell = progress or (lambda _message: None)
    started = time.monotonic()
    tell(f"compiling the rules ({'minding the ends of arrays, first check only' if CHECKED else 'first run only'})")
    for name in dict.fromkeys(policy.game for policy in policies):
        driver_of(find_game(name))
    for policy in policies:
        if policy.compiled:
            tell(f"compiling the policy {policy.code.stem}")
            compiled(policy)
        else:
            load_module(policy.code)
    tell(f"ready after {time.monotonic() - started:.1f} s")


# --- memory ------------------------------------------------------------------------------------------------------------------------


def weight_row(policy: Policy) -> np.ndarray:
    """A policy's weights in the order of its file."""
    row = np.zeros(MAX_WEIGHTS)
    row[: len(policy.bounds)] = [policy.weights[name] for name in policy.bounds]
    return row


def words(records: np.ndarray) -> np.ndarray:
    """The same memory as words of eight bytes, row by row."""
    return records.view(np.uint8).view(np.uint64)


def copied(records: np.ndarray) -> np.ndarray:
    """A copy of the memory as it is; numpy's own goes through all fields, which takes long."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


def memory(components: Components, weights: Sequence[np.ndarray]) -> Any:
    """What games are played in (`loop.Memory`): the loop's own and, apart from it, what policies are handed."""
    from lagranja_sim.play.loop import Memory

    records = find_game(components.game).records
    games, views, notes = np.zeros(1, records.game), np.zeros(1, records.game), np.zeros(records.seats + 1, records.notes)
    boxes = np.repeat(copied(components.box), 1 + records.seats)
    room = -(-records.options // WORD) * WORD  # so that a list is whole words
    options = np.zeros((1 + records.seats, room), records.option)
    handed = np.zeros((2, records.seats, MAX_WEIGHTS))
    handed[:, : len(weights)] = weights
    return Memory(games, views, boxes, options, words(options), handed, notes)


def seating(game: Game, policies: Sequence[Policy]) -> Any:
    """Function pointers of compiled policies (`loop.Seating`), filled up to the most seats, and which of the two kinds each policy has."""
    from lagranja_sim.play.loop import Seating

    driver, seats = driver_of(game), game.records.seats
    choosers, scorers, is_scorer = [driver.choose_first] * seats, [driver.score_nothing] * seats, np.zeros(seats, np.bool_)
    for index, policy in enumerate(policies):
        is_scorer[index] = policy.kind == "score"
        (scorers if policy.kind == "score" else choosers)[index] = compiled(policy)
    return Seating(tuple(choosers), tuple(scorers), is_scorer)


def output(game: Game, tables: Sequence[str], games: int, players: int) -> Any:
    """Room for the rows of so many games (`loop.Output`); of tables of no fixed size some more than most games need."""
    from lagranja_sim.play.loop import Output

    sizes = {name: table_room(game, name, games, players) if name in tables else 0 for name in game.tables.names}
    rows = game.rows(*(np.zeros(size, game.tables[name].row) for name, size in sizes.items()))
    limits = np.array([size - game.tables[name].room(players) if size else 0 for name, size in sizes.items()], np.int64)
    return Output(np.zeros(1, game.records.log), rows, limits, np.zeros(2, np.int64))


def table_room(game: Game, name: str, games: int, players: int) -> int:
    """Rows that so many games are likely to need, and at least what a single one may."""
    table = game.tables[name]
    return games * (table.usual_rows or table.room(players)) + (table.room(players) if table.usual_rows else 0)


# --- many games --------------------------------------------------------------------------------------------------------------------


@off_main_thread
def play_games(
    components: Components,
    policies: Sequence[Policy],
    seed: int,
    first_game: int,
    count: int,
    tables: Sequence[str] | None = None,
) -> Rows:
    """Play `count` games from number `first_game`; the rows of each table wanted (None: of all), in order of game.

    Game g is rotation g % players of block g // players: policy p of the list, which names one a seat, has seat (p + rotation) % players.
    Releases the GIL while compiled policies play. Raises GameError naming seed and game, and PolicyFailed naming policy and decision.
    """
    if not all(policy.compiled for policy in policies):
        from lagranja_sim.play.slow_driver import play_games_slowly

        return play_games_slowly(components, policies, seed, first_game, count, tables)
    wanted = find_game(components.game).tables.names if tables is None else tables
    pieces: list[Rows] = []
    done = 0
    while done < count or not pieces:
        played, rows = play_piece(components, policies, (seed, first_game + done, count - done), wanted)
        pieces.append(rows)
        done += played
    return {table: np.concatenate([piece[table] for piece in pieces]) for table in wanted}


def play_piece(components: Components, policies: Sequence[Policy], games: tuple[int, int, int], tables: Sequence[str]) -> tuple[int, Rows]:
    """Play `games` (seed, first, count) until all are played or a table of no fixed size is full."""
    from lagranja_sim.play.loop import FAULT, UNDER_WAY, Span

    game, (seed, first, count), players = find_game(components.game), games, len(policies)
    room, made = memory(components, [weight_row(policy) for policy in policies]), output(game, tables, count, players)
    driver, seats = driver_of(game), seating(game, policies)
    try:
        played = driver.play(room, seats, Span(np.uint64(seed), first, count, players), made)
    except BaseException as error:  # only policies raise any
        if is_ctrl_c(error):
            raise
        tell_fault(components, policies, seed, [int(made.state[UNDER_WAY])], error)
    if made.state[FAULT]:
        tell_fault(components, policies, seed, [first + played])
    if code := int(room.games["error"][0]):
        raise game_error(game, code, seed, first + played)
    if is_changed(room):
        tell_fault(components, policies, seed, range(first, first + played))
    return played, columns_of(game, made, tables)


def columns_of(game: Game, made: Any, tables: Sequence[str]) -> Rows:
    """The rows used of each table wanted, as columns."""
    used = dict(zip(game.tables.names, made.logs["rows_used"][0].tolist(), strict=True))
    return {name: getattr(made.rows, name)[: used[name]].view(game.tables[name].columns) for name in tables}


def is_changed(room: Any) -> bool:
    """Whether a policy has changed what is printed, or its weights."""
    printed = room.boxes[0].tobytes()
    return any(box.tobytes() != printed for box in room.boxes[1:]) or room.weights[0].tobytes() != room.weights[1].tobytes()


def tell_fault(
    components: Components,
    policies: Sequence[Policy],
    seed: int,
    numbers: Sequence[int],
    raised: BaseException | None = None,
) -> NoReturn:
    """A policy did what it may not in one of these games: they are played again step by step, where it is told who did
    what, at which decision."""
    from lagranja_sim.play.walk import walk

    for number in numbers:
        deque(walk(components, policies, seed, number), maxlen=0)
    names = " or ".join(dict.fromkeys(policy.name for policy in policies))
    what = f"{type(raised).__name__}: {raised}" if raised else "a choice, a score or a change that is not allowed"
    raise PolicyFailed(
        f"policy {names}: {what} (seed {seed}, game {numbers[0]} of {len(policies)} player{'s' * (len(policies) > 1)})\n"
        "    It did not happen again step by step: the policy keeps something from one decision to the next, or reads beyond the end of "
        "an array; `lagranja policies check` says more."
    ) from raised
