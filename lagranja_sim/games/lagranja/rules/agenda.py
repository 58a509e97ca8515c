"""The agenda: a stack of pending tasks in the game record. What is pushed last is done first, so nothing recurses."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.names import Ask, Error, Step
from lagranja_sim.games.lagranja.rules.state import AGENDA


@kernel
def fail(game, error):
    """End the game with an error; the first one stays."""
    if game.error == Error.OK:
        game.error = error


@kernel
def push(game, kind, seat, n, what, reason, ref, flag):
    """Put a task on top. A task read before is a view of its place: read what you need of it before pushing over it."""
    depth = game.depth
    if depth >= AGENDA:
        fail(game, Error.AGENDA_FULL)
        return
    task = game.agenda[depth]
    task.kind = kind
    task.seat = seat
    task.n = n
    task.what = what
    task.reason = reason
    task.ref = ref
    task.flag = flag
    game.depth = depth + 1


@kernel
def push_step(game, kind, seat):
    """Put a task without details on top."""
    push(game, kind, seat, 0, 0, 0, 0, 0)


@kernel
def push_step_for_each(game, kind):
    """One task for each seat, done in turn order."""
    for position in range(game.seats - 1, -1, -1):
        push_step(game, kind, game.order[position])


@kernel
def drop(game):
    """The task on top is finished."""
    game.depth -= 1


@kernel
def count_down(game):
    """One unit of the task on top is done; with the last the task is finished."""
    task = game.agenda[game.depth - 1]
    if task.n > 1:
        task.n -= 1
    else:
        game.depth -= 1


@kernel
def open_turn(game, box, seat):
    """A turn begins (A0) with its allowance of anytime actions (A5); below everything of it lies its end."""
    game.turn_seat = seat
    game.anytime_left = box.game.anytime_actions_a_turn
    push_step(game, Step.CLOSE_TURN, seat)


@kernel
def close_window(game):
    """A window answered with `done`: the turn has passed, so it is not asked once more before it does."""
    game.depth -= 1
    if game.agenda[game.depth - 1].kind == Ask.END_TURN:
        game.depth -= 1
