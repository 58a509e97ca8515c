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

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import ERRORS, Error
from lagranja_sim.games.lagranja.tables import ROWS, TABLES, as_columns
from lagranja_sim.play.aside import is_ctrl_c, off_main_thread
from lagranja_sim.policy import MAX_WEIGHTS, Policy, PolicyError, check_taken_in, load_module
from lagranja_sim.policy.errors import compile_message

__all__ = ["TABLES", "GameError", "play_games", "warm_up"]


class PolicyFailed(PolicyError):
    """A policy that raised an exception in a game, or did what it may not."""


class GameError(RuntimeError):
    """A game that ended with an error: it names seed and game, so that it can be repeated."""


def game_error(code: int, seed: int, game: int) -> GameError:
    """The error of a game's code."""
    return GameError(f"game {game} of seed {seed} ended with an error: {ERRORS[code]}")


# --- compiling ---------------------------------------------------------------------------------------------------------------------

_compiling = threading.Lock()


@cache
def kernels() -> Any:
    """The compiled driver; the first import compiles the rules or finds them in the cache."""
    with _compiling:
        from lagranja_sim.play import driver_kernels

        return driver_kernels


@cache
def compiled(path: Path, name: str) -> Any:
    """A policy file's `choose` or `score` as a function pointer. Raises PolicyError if it does not compile, or takes in what it may not."""
    from lagranja_sim.compile import CHECKED, INTERPRETED
    from lagranja_sim.play.policy_api import CHOICE, SCORE
    from lagranja_sim.policy.results import as_declared

    check_taken_in(path, name)
    function = getattr(load_module(path), name)
    if INTERPRETED:
        return function
    signature = SCORE if name == "score" else CHOICE
    with _compiling:
        with contextlib.suppress(Exception):  # quicker, but not for a policy that makes arrays
            return as_declared(function, signature, cache=True, nogil=True, boundscheck=CHECKED, _nrt=False)
        try:
            return as_declared(function, signature, cache=True, nogil=True, boundscheck=CHECKED)
        except PolicyError:
            raise
        except Exception as error:  # numba lets KeyErrors and others of its own through
            raise PolicyError(compile_message(error, path, name, load_module(path))) from error


@cache
def nothing_chosen() -> tuple[Any, Any]:
    """Pointers that fill the places of policies of the other kind."""
    from lagranja_sim.play import fillers

    return fillers.choose_first, fillers.score_nothing


@off_main_thread
def warm_up(policies: Sequence[Policy], progress: Callable[[str], None] | None = None) -> None:
    """Compile, or load from the cache, everything that a run with these policies needs."""
    from lagranja_sim.compile import CHECKED

    tell = progress or (lambda _message: None)
    started = time.monotonic()
    tell(f"compiling the rules ({'minding the ends of arrays, first check only' if CHECKED else 'first run only'})")
    kernels()
    nothing_chosen()
    for policy in policies:
        if policy.compiled:
            tell(f"compiling the policy {policy.code.stem}")
            compiled(policy.code, policy.kind)
        else:
            load_module(policy.code)
    tell(f"ready after {time.monotonic() - started:.1f} s")


# --- many games --------------------------------------------------------------------------------------------------------------------


def weight_row(policy: Policy) -> np.ndarray:
    """A policy's weights in the order of its file."""
    row = np.zeros(MAX_WEIGHTS)
    row[: len(policy.bounds)] = [policy.weights[name] for name in policy.bounds]
    return row


def pointers(policies: Sequence[Policy]) -> tuple[Any, Any, np.ndarray]:
    """Function pointers of compiled policies, filled up to four, and which of the two kinds each policy has."""
    choose_first, score_nothing = nothing_chosen()
    choosers, scorers, is_scorer = [choose_first] * s.SEATS, [score_nothing] * s.SEATS, np.zeros(s.SEATS, np.bool_)
    for index, policy in enumerate(policies):
        is_scorer[index] = policy.kind == "score"
        (scorers if policy.kind == "score" else choosers)[index] = compiled(policy.code, policy.kind)
    return tuple(choosers), tuple(scorers), is_scorer


def memory(components: Components, policies: Sequence[Policy]) -> tuple[np.ndarray, ...]:
    """Boxes, options and weights as `play` wants them: its own and, apart from them, what policies are handed; and their words."""
    boxes, options = np.repeat(own_box(components), 1 + s.SEATS), np.zeros((1 + s.SEATS, s.MAX_OPTIONS), s.OPTION)
    weights = np.zeros((2, s.SEATS, MAX_WEIGHTS))
    weights[:, : len(policies)] = [weight_row(policy) for policy in policies]
    return boxes, options, weights, words(boxes.reshape(-1, 1)), words(options), words(weights)


def words(records: np.ndarray) -> np.ndarray:
    """The same memory as words of eight bytes, row by row."""
    return records.view(np.uint8).view(np.uint64)


def copied(records: np.ndarray) -> np.ndarray:
    """A copy of the memory as it is; numpy's own goes through all fields, which takes long."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


def new_games(count: int) -> np.ndarray:
    """Records to play in."""
    return np.zeros(count, s.GAME)


def new_options() -> np.ndarray:
    """Room for a list of options."""
    return np.zeros(s.MAX_OPTIONS, s.OPTION)


def own_box(components: Components, with_ledger: bool = False) -> np.ndarray:
    """A copy of the box: its notepad is written to while a game is played."""
    box = copied(components.box)
    box[0].ledger_on = with_ledger
    box[0].ledger_count = 0
    box[0].list_count = 0
    return box


@off_main_thread
def play_games(
    components: Components,
    policies: Sequence[Policy],
    players: int,
    seed: int,
    first_game: int,
    count: int,
    tables: Sequence[str] = tuple(TABLES),
) -> dict[str, np.ndarray]:
    """Play `count` games from number `first_game`; the rows of each table wanted, in order of game.

    Game g is rotation g % players of block g // players: policy p of the list has seat (p + rotation) % players.
    Releases the GIL while compiled policies play. Raises GameError naming seed and game, and PolicyFailed naming policy and decision.
    """
    if not all(policy.compiled for policy in policies):
        from lagranja_sim.play.slow_driver import play_games_slowly

        return play_games_slowly(components, policies, players, seed, first_game, count, tables)
    pieces: dict[str, list[np.ndarray]] = {table: [np.zeros(0, ROWS[table])] for table in tables}
    done = 0
    while done < count:
        played, rows = play_piece(components, policies, players, seed, first_game + done, count - done, tables)
        for table in tables:
            pieces[table].append(rows[table])
        done += played
    return {table: as_columns(table, np.concatenate(parts)) for table, parts in pieces.items()}


def play_piece(
    components: Components, policies: Sequence[Policy], players: int, seed: int, first_game: int, count: int, tables: Sequence[str]
) -> tuple[int, dict[str, np.ndarray]]:
    """Play until all games are played or a table of no fixed size is full."""
    driver = kernels()
    rounds = int(components.box[0].game.rounds)
    room = {"games": count, "seats": count * players, "rounds": count * players * rounds,
            "cards": count * 60 + driver.CARD_ROWS, "market": count * 40 + driver.MARKET_ROWS}  # fmt: skip
    rows = {table: np.zeros(room[table] if table in tables else 0, ROWS[table]) for table in TABLES}
    games, counts = new_games(2), np.zeros(4, np.int64)
    try:
        played = driver.play(
            games, *memory(components, policies), np.uint64(seed), first_game, count, players, *pointers(policies), *rows.values(), counts
        )
    except BaseException as error:  # only policies raise any
        if is_ctrl_c(error):
            raise
        tell_fault(components, policies, players, seed, int(counts[driver.UNDER_WAY]), error)
    if counts[driver.FAULT]:
        tell_fault(components, policies, players, seed, first_game + played)
    if games[0].error != Error.OK:
        raise game_error(int(games[0].error), seed, first_game + played)
    used = {"games": played, "seats": played * players, "rounds": played * players * rounds, "cards": counts[0], "market": counts[1]}
    return played, {table: rows[table][: used[table]] for table in tables}


def tell_fault(
    components: Components, policies: Sequence[Policy], players: int, seed: int, number: int, raised: BaseException | None = None
) -> NoReturn:
    """A policy did what it may not: play the game again step by step, where it is told who did what, at which decision."""
    from lagranja_sim.play.walk import walk

    deque(walk(components, policies, players, seed, number), maxlen=0)
    names = " or ".join(dict.fromkeys(policy.name for policy in policies))
    what = f"{type(raised).__name__}: {raised}" if raised else "a choice, a score or a change that is not allowed"
    raise PolicyFailed(
        f"policy {names}: {what} (seed {seed}, game {number} of {players} players)\n"
        "    It did not happen again step by step: the policy keeps something from one decision to the next, or reads beyond the end of "
        "an array; `lagranja policies check` says more."
    ) from raised
