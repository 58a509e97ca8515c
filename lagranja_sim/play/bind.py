"""The loop bound to a game: copies of its functions in which the game's kernels stand for the names that the loop leaves open.

A copy keeps its file and line, so what it compiles to is found again in other processes; closures over the kernels would be compiled anew
in each of them.
"""

from functools import cache
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any

from numba import from_dtype, njit, types

from lagranja_sim.compile import CHECKED, INTERPRETED, entry, inlined
from lagranja_sim.game import Game
from lagranja_sim.play import loop

FROM_THE_GAME = ("deal", "advance", "to_move", "apply", "hide", "note_over")
NOTED = ("note_dealt", "note_choice", "note_moved", "note_scored")  # the game's own if it has any
INLINED = ("best_option", "show_options", "policy_luck", "show", "chosen_option", "answer", "has_room", "begin", "choice")
STEPS = (
    "deal_in",
    "advance_in",
    "move_in",
    "show_in",
    "note_dealt_in",
    "note_choice_in",
    "note_moved_in",
    "note_scored_in",
    "note_over_in",
)


class Types:
    """The types that compiled code has of a game's records, and of policies that play it."""

    def __init__(self, game: Game) -> None:
        records = game.records
        kinds = (from_dtype(kind) for kind in (records.game, records.box, records.option, records.notes, records.log))
        self.game, self.box, self.option, self.notes, self.log = kinds
        self.choice = types.int64(self.game, self.box, types.int64, self.option[::1], types.float64[::1], self.notes)
        self.score = types.float64(self.game, self.box, types.int64, self.option, types.float64[::1], self.notes)
        self.chooser, self.scorer = types.FunctionType(self.choice), types.FunctionType(self.score)
        self.rows = types.NamedTuple([from_dtype(table.row)[::1] for table in game.tables.tables.values()], game.rows)
        self.seats = records.seats

    @property
    def memory(self) -> Any:
        """What games are played in."""
        words, weights = types.uint64[:, ::1], types.float64[:, :, ::1]
        parts = [self.game[::1], self.game[::1], self.box[::1], self.option[:, ::1], words, weights, self.notes[::1]]
        return types.NamedTuple(parts, loop.Memory)

    @property
    def play(self) -> Any:
        """The signature of the loop."""
        who = types.UniTuple(self.chooser, self.seats), types.UniTuple(self.scorer, self.seats), types.boolean[::1]
        span = types.uint64, types.int64, types.int64, types.int64
        output = self.log[::1], self.rows, types.int64[::1], types.int64[::1]
        named = zip((who, span, output), (loop.Seating, loop.Span, loop.Output), strict=True)
        return types.int64(self.memory, *(types.NamedTuple(list(fields), kind) for fields, kind in named))

    def asking(self, pointer: Any) -> Any:
        """The signature of the function that asks a policy of one of the two kinds."""
        return types.int64(self.memory, pointer, types.int64, types.int64, types.int64)


@cache
def types_of(game: Game) -> Types:
    """The types of a game; nothing is compiled."""
    return Types(game)


def bind(game: Game) -> SimpleNamespace:
    """The loop's functions for a game, compiled or found in the cache. Raises AttributeError if the game lacks a kernel."""
    kernels = import_module(game.kernels)
    names = vars(loop) | {name: getattr(kernels, name) for name in FROM_THE_GAME}
    names |= {"SEATS": game.records.seats, "OPTION_SIZE": game.records.option.itemsize}

    def copied(name: str) -> Any:
        function = getattr(loop, name)
        copy = FunctionType(function.__code__, names, f"{name}_{game.name}")
        copy.__qualname__, copy.__module__, copy.__doc__ = copy.__name__, function.__module__, function.__doc__
        return copy

    def with_signature(name: str, signature: Any) -> Any:
        return copied(name) if INTERPRETED else njit(signature, cache=True, nogil=True, boundscheck=CHECKED)(copied(name))

    for name in (*NOTED, *INLINED):
        names[name] = getattr(kernels, name) if name in NOTED and hasattr(kernels, name) else inlined(copied(name))
    for name in STEPS:
        names[name] = entry(copied(name))
    kinds = types_of(game)
    signatures = {
        "play": kinds.play,
        "ask_chooser": kinds.asking(kinds.chooser),
        "ask_scorer": kinds.asking(kinds.scorer),
        "choose_first": kinds.choice,
        "score_nothing": kinds.score,
    }
    names |= {name: with_signature(name, signature) for name, signature in signatures.items()}
    return SimpleNamespace(**{name: names[name] for name in (*STEPS, *signatures)})
