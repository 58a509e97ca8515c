"""The agenda of a game: a stack of tasks in its record. What is pushed last is done first, so nothing recurses.

It knows of the record of a game `agenda`, an array of tasks, `depth`, how many there are, and `error`; of a task `kind`, `seat` and `n`, its units
still to be done. What else a task tells is the game's own. A task is a view of its place: read what you need of it before pushing over it.
"""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.kit.outcomes import AGENDA_FULL, OK


@kernel
def fail(game, error):
    """End the game with an error; the first one stays."""
    if game.error == OK:
        game.error = error


@inlined
def top(game):
    """The task to be done next."""
    return game.agenda[game.depth - 1]


@inlined
def below(game, places):
    """The task so many places below the one on top."""
    return game.agenda[game.depth - 1 - places]


@inlined
def dropped_task(game):
    """The task that was on top until it was dropped; nothing has been pushed over it yet."""
    return game.agenda[game.depth]


@inlined
def kind_of(game):
    """The kind of the task on top."""
    return int(game.agenda[game.depth - 1].kind)


@inlined
def to_move(game):
    """The seat of the task on top: who has to choose."""
    return int(game.agenda[game.depth - 1].seat)


@inlined
def new_task(game, kind, seat):
    """Put a task on top and return it; the caller sets what else it tells. Where it finds no room it takes the place of the last."""
    if game.depth >= len(game.agenda):
        fail(game, AGENDA_FULL)
        game.depth -= 1
    task = game.agenda[game.depth]
    task.kind = kind
    task.seat = seat
    game.depth += 1
    return task


@inlined
def drop(game):
    """The task on top is finished."""
    game.depth -= 1


@inlined
def count_down(game):
    """One unit of the task on top is done; with the last the task is finished."""
    task = top(game)
    if task.n > 1:
        task.n -= 1
    else:
        drop(game)
