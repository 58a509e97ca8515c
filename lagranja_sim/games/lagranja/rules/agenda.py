"""The tasks of the agenda (lagranja_sim/kit/agenda.py): what their fields mean, and how those are pushed that many modules push.

`seat` is who acts. `reason` and `ref` say why things change hands and by which component. What is not named here is 0.

    decisions
    PLAY_CARD                            n cards may still be played
    TAKE_DIE                             n: which pick of the round, from 0
    FREE_DELIVERY                        n deliveries are left
    BUY_DELIVERY, BUY_DELIVERIES         n deliveries bought, of `what` when the turn began
    PAY_EXTENSION                        n goods still to be paid for card `ref`; `what`: a bit for each good paid
    PLACE_MARKER                         n: the value of the space; flag 1: by an effect; reason, ref
    OFFER                                what: the source of the ability (events.py)
    CHOOSE_EFFECT                        an alternative of effect `what` but n (-1: any); reason, ref
    CHOOSE_GOOD, CHOOSE_GOODS            n of class `what`; reason, ref
    PAY_GOOD                             n of class `what`; flag: a bit for each good paid; reason, ref
    UPGRADE                              up to n, of resource `what` (-1: any); reason, ref
    DELIVER, SIESTA, EFFECT_CARD,
    RESERVE, SHIFT_DIE, FLIP_ROOF        up to n deliveries, sections, cards, spaces, pips, roofs; reason, ref

    steps
    ROUND                                n: its number
    GROW                                 n: the good
    DIE_TURN                             n: which pick of the round, from 0
    DIE_USED                             n: the face that counted
    MODIFY_DIE                           n more; reason, ref
    SECOND_OPTION                        reason, ref
    PAY_DELIVERIES                       n deliveries to be paid for
    MARKET_MARKER                        n: the value of the space; flag 1: by an effect; reason, ref
    CARD_PLACED                          card `ref` on side `what`
    EFFECT                               effect `what` but alternative n (-1: all); reason, ref
    PARTS                                part n of alternative `what`; reason, ref
    ALTERNATIVE                          `what`, once a marker is free; reason, ref
    EVENT                                event `what` with face or side n
    ANSWER                               what: the source of the ability; ref: the helper that was there; flag 1: always offered
    USE                                  what: the source of the ability, once a marker is free
    BUY                                  good `what` for n silver, once a marker is free
    SILVER_DELIVERY                      to building `what` or barrow slot n, once a marker is free
    BARROW_GONE                          card `what` of slot n
    RECEIVE                              n of `what`; reason, ref
    WAIT_FOR_MARKER                      n: 1, or 0 when the marker was forgone
"""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.names import Step
from lagranja_sim.kit.agenda import new_task


@kernel
def push(game, kind, seat):
    """Put a task on top and return it, its details blank."""
    task = new_task(game, kind, seat)
    task.n = 0
    task.what = 0
    task.reason = 0
    task.ref = 0
    task.flag = 0
    return task


@inlined
def push_number(game, kind, seat, n):
    """A task whose only detail is n."""
    push(game, kind, seat).n = n


@inlined
def push_units(game, kind, seat, n, reason, ref):
    """A task of n units with an origin, returned for more details."""
    task = push(game, kind, seat)
    task.n = n
    task.reason = reason
    task.ref = ref
    return task


@kernel
def push_for_each(game, kind):
    """One task for each seat, done in turn order."""
    for position in range(game.seats - 1, -1, -1):
        push(game, kind, game.order[position])


@inlined
def push_event(game, seat, event, argument):
    """Let what waits for an event, with its face or side, answer next."""
    task = push(game, Step.EVENT, seat)
    task.what = event
    task.n = argument


@kernel
def push_effect(game, seat, effect, reason, ref):
    """Let an effect happen next, if there is one."""
    if effect >= 0:
        push_effect_but(game, seat, effect, -1, reason, ref)


@inlined
def push_effect_but(game, seat, effect, alternative, reason, ref):
    """Let an effect happen next, without one of its alternatives."""
    task = push_units(game, Step.EFFECT, seat, alternative, reason, ref)
    task.what = effect
