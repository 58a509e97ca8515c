"""What a policy does wrong in a game, told so that its author finds it: who, at which decision, what, and what would be right."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from lagranja_sim.play.driver import PolicyFailed, copied, weight_row
from lagranja_sim.policy import Policy, load_module
from lagranja_sim.policy.errors import exception_message

if TYPE_CHECKING:
    from lagranja_sim.play.walk import Table


# --- in words --------------------------------------------------------------------------------------------------------------------------


def game_of(table: Table) -> str:
    """The game at hand."""
    return f"seed {table.seed}, game {table.number} of {table.players} player{'s' * (table.players > 1)}"


def where(table: Table) -> str:
    """The decision at hand."""
    moment = "".join(f"{name} {value}, " for name, value in table.rules.language.moment(table.game).items() if name == "round")
    return f"{game_of(table)}, seat {table.seat}, {moment}{table.kind}"


def option_in_words(table: Table, index: int) -> str:
    """An option as the story of a game would tell it."""
    language = table.rules.language
    option = language.option(table.game, table.seat, table.options[index], table.components)
    return f"option {index} ({language.option_in_words(option, table.kind, table.components)})"


# --- raised ------------------------------------------------------------------------------------------------------------------------------


def raised(policy: Policy, table: Table, error: BaseException) -> PolicyFailed:
    """An exception; in compiled code, which knows of no lines, by the line at which it comes up uncompiled."""
    met = uncompiled(policy, table) if policy.compiled else error
    message = exception_message(met, policy.code) if met else f"{type(error).__name__}: {error}"
    return PolicyFailed(f"policy {policy.name}: {message}\n    ({where(table)})")


def uncompiled(policy: Policy, table: Table) -> BaseException | None:
    """What a policy's own function raises as ordinary Python."""
    function = getattr(load_module(policy.code), policy.kind)
    view, box, seat, options = table.shown()
    own = table.weights_of(seat), copied(table.notes_before)[0]
    try:
        with np.errstate(all="raise"):
            if policy.kind == "choose":
                function(view, box, seat, options, *own)
            for option in options if policy.kind == "score" else ():
                function(view, box, seat, option, *own)
    except (Exception, SystemExit) as error:
        return error
    return None


# --- answers -----------------------------------------------------------------------------------------------------------------------------


def no_score(policy: Policy, table: Table, index: int, value: float) -> PolicyFailed:
    """A score that cannot be compared with others."""
    if value == -math.inf:
        told = "scores every option as -inf, which says never: one must be taken"
    else:
        told = f"scores {option_in_words(table, index)} as {value}: a score is a number, or -inf to say never"
    return PolicyFailed(f"policy {policy.name} {told} ({where(table)})")


def index_of(policy: Policy, table: Table, answer: Any) -> int:
    """The answer of a policy if it is an option's index: a whole number of Python's or numpy's, of an option that exists."""
    try:
        index = -1 if isinstance(answer, bool) else operator.index(answer)
    except Exception:
        index = -1
    if 0 <= index < table.count:
        return index
    kind = "" if type(answer) is int else f" ({type(answer).__name__})"
    right = f"an option's index is a whole number from 0 to {table.count - 1}"
    raise PolicyFailed(f"policy {policy.name} chose option {answer!r:.40}{kind} of {table.count}: {right} ({where(table)})")


# --- changes -----------------------------------------------------------------------------------------------------------------------------


def change(policy: Policy, table: Table, seat: int) -> str:
    """What a seat has changed of all that is printed, or of its weights, with the value before and now; empty if nothing."""
    printed, box = table.components.box, table.box_of(seat)
    if box.tobytes() != printed.tobytes():
        return difference("box", printed[0], box[0])
    kept, weights = weight_row(policy), table.weights_of(seat)
    places = (place for place in range(len(kept)) if kept[place].tobytes() != weights[place].tobytes())
    names = dict(enumerate(policy.bounds))
    return next((f"its weight {names.get(place, place)} from {kept[place]} to {weights[place]}" for place in places), "")


def difference(path: str, before: Any, now: Any) -> str:
    """The first place at which two values differ, field by field and element by element, and both values there."""
    if before.shape:
        index = next(index for index in np.ndindex(before.shape) if before[index].tobytes() != now[index].tobytes())
        return difference(f"{path}[{', '.join(map(str, index))}]", before[index], now[index])
    if before.dtype.names:
        name = next(name for name in before.dtype.names if before[name].tobytes() != now[name].tobytes())
        return difference(f"{path}.{name}", before[name], now[name])
    return f"{path} from {before} to {now}"
