"""The two functions a game is played with: `advance` to the next choice, `apply` what was chosen.

Each decision is listed and applied, and each step run, by the module that knows its rule; its number (names.py) tells which one that is.
"""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules import (
    anytime,
    cards,
    deliveries,
    effects,
    events,
    farm,
    holdings,
    market,
    revenue,
    scoring,
    solo,
    transport,
)
from lagranja_sim.games.lagranja.rules.agenda import push, push_number
from lagranja_sim.games.lagranja.rules.ledger import note_list
from lagranja_sim.games.lagranja.rules.names import Ask, Do, Error, Note, Step
from lagranja_sim.kit.agenda import drop, dropped_task, fail, kind_of, to_move

ROUND_SCORED = -1
MAX_STEPS = 100_000  # between two choices; a game has some tens
WINDOWS = (Ask.PLAY_CARD, Ask.DISCARD, Ask.BEFORE_GROWTH, Ask.BUY_ROOF, Ask.TAKE_DIE, Ask.LAST_DIE, Ask.FREE_DELIVERY, Ask.BUY_DELIVERY,
           Ask.BUY_DELIVERIES, Ask.END_TURN)  # steps of a turn, which `done` leaves  # fmt: skip
IS_WINDOW = np.array([ask in WINDOWS for ask in Ask])  # by decision
LAST_ASK = max(Ask)

# The last decision and the last step of each module, where the next begins.
LAST_FARM_ASK, LAST_REVENUE_ASK, LAST_TRANSPORT_ASK, LAST_MARKET_ASK, LAST_CARD_ASK, LAST_EFFECT_ASK, LAST_EVENT_ASK = (
    Ask.BUY_ROOF, Ask.SHIFT_DIE, Ask.DELIVER, Ask.PLACE_MARKER, Ask.PAY_EXTENSION, Ask.PAY_GOOD, Ask.FLIP_ROOF)  # fmt: skip
LAST_FARM_STEP, LAST_REVENUE_STEP, LAST_TRANSPORT_STEP, LAST_MARKET_STEP, LAST_CARD_STEP = (
    Step.ROOF_PLACED, Step.DICE_GONE, Step.PAY_DELIVERIES, Step.MARKET_MARKER, Step.CARD_PLACED)  # fmt: skip
LAST_EFFECT_STEP, LAST_EVENT_STEP, LAST_ANYTIME_STEP, LAST_DELIVERY_STEP, LAST_SCORING_STEP, LAST_SOLO_STEP = (
    Step.ALTERNATIVE, Step.USE, Step.CLOSE_TURN, Step.BARROW_GONE, Step.END, Step.NEUTRAL_MOVE)  # fmt: skip


@kernel
def advance(game, box, options):
    """Work off tasks until someone must choose.

    Returns the number of options listed in `options` for the seat of the task on top; 0 when the game is over (or `game.error` is set);
    ROUND_SCORED once a round, when its points have been scored and nothing was reset yet.
    """
    steps = 0
    while game.depth > 0 and game.error == Error.OK:
        steps += 1
        if steps > MAX_STEPS:
            fail(game, Error.TOO_MANY_STEPS)
        kind, seat = kind_of(game), to_move(game)
        if kind > LAST_ASK:
            run_step(game, box, kind, seat)
            if kind == Step.SCORED:
                return ROUND_SCORED
            continue
        count = list_options(game, box, kind, seat, options)
        if count == 0:
            drop(game)
        elif game.turn_seat >= 0 and seat != game.turn_seat:
            apply(game, box, options[answer_unasked(options, count)])
        else:
            return count
    return 0


@kernel
def answer_unasked(options, count):
    """M5: in another's turn nothing is asked; what may be declined is, else the first option holds."""
    last = options[count - 1].do
    return count - 1 if last == Do.DONE or last == Do.DECLINE or last == Do.FORGO else 0


@kernel
def apply(game, box, option):
    """Carry out one of the options listed for the task on top."""
    kind, seat, do = kind_of(game), to_move(game), int(option.do)
    if anytime.is_anytime(kind, do):
        anytime.apply_anytime(game, box, seat, option)
    elif do != Do.DONE:
        apply_option(game, box, kind, seat, option)
    elif IS_WINDOW[kind]:
        anytime.close_window(game)
    else:
        drop(game)


@inlined
def list_options(game, box, kind, seat, options):
    """All legal options of the task on top; none: there is nothing to ask."""
    if kind <= LAST_FARM_ASK:
        return farm.list_options(game, box, kind, seat, options)
    if kind <= LAST_REVENUE_ASK:
        return revenue.list_options(game, box, kind, seat, options)
    if kind <= LAST_TRANSPORT_ASK:
        return transport.list_options(game, box, kind, seat, options)
    if kind <= LAST_MARKET_ASK:
        return market.list_options(game, box, kind, seat, options)
    if kind <= LAST_CARD_ASK:
        return cards.list_options(game, box, kind, seat, options)
    if kind <= LAST_EFFECT_ASK:
        return effects.list_options(game, box, kind, seat, options)
    if kind <= LAST_EVENT_ASK:
        return events.list_options(game, box, kind, seat, options)
    return anytime.list_options(game, box, kind, seat, options)


@inlined
def apply_option(game, box, kind, seat, option):
    """One of the options that only this decision has."""
    if kind <= LAST_FARM_ASK:
        farm.apply_option(game, box, kind, seat, option)
    elif kind <= LAST_REVENUE_ASK:
        revenue.apply_option(game, box, kind, seat, option)
    elif kind <= LAST_TRANSPORT_ASK:
        transport.apply_option(game, box, kind, seat, option)
    elif kind <= LAST_MARKET_ASK:
        market.apply_option(game, box, kind, seat, option)
    elif kind <= LAST_CARD_ASK:
        cards.apply_option(game, box, kind, seat, option)
    elif kind <= LAST_EFFECT_ASK:
        effects.apply_option(game, box, kind, seat, option)
    elif kind <= LAST_EVENT_ASK:
        events.apply_option(game, box, kind, seat, option)
    else:
        anytime.apply_option(game, box, kind, seat, option)


@inlined
def run_step(game, box, kind, seat):
    """The step on top, which is dropped first; only those of holdings.py stay until they are finished."""
    if kind > LAST_SOLO_STEP:
        holdings.run_step(game, box, kind, seat)
        return
    drop(game)
    if kind == Step.ROUND:
        start_round(game, box, int(dropped_task(game).n))
    elif kind <= LAST_FARM_STEP:
        farm.run_step(game, box, kind, seat)
    elif kind <= LAST_REVENUE_STEP:
        revenue.run_step(game, box, kind, seat)
    elif kind <= LAST_TRANSPORT_STEP:
        transport.run_step(game, box, kind, seat)
    elif kind <= LAST_MARKET_STEP:
        market.run_step(game, box, kind, seat)
    elif kind <= LAST_CARD_STEP:
        cards.run_step(game, box, kind, seat)
    elif kind <= LAST_EFFECT_STEP:
        effects.run_step(game, box, kind, seat)
    elif kind <= LAST_EVENT_STEP:
        events.run_step(game, box, kind, seat)
    elif kind <= LAST_ANYTIME_STEP:
        anytime.run_step(game, box, kind, seat)
    elif kind <= LAST_DELIVERY_STEP:
        deliveries.run_step(game, box, kind, seat)
    elif kind <= LAST_SCORING_STEP:
        scoring.run_step(game, box, kind, seat)
    else:
        solo.run_step(game, box, kind, seat)


@kernel
def start_round(game, box, number):
    """A round is its four phases; the next one waits below."""
    game.round_number = number
    if number < box.game.rounds:
        push_number(game, Step.ROUND, 0, number + 1)
    push(game, Step.SCORING, 0)
    push(game, Step.TRANSPORT, 0)
    push(game, Step.REVENUE, 0)
    farm.farm_phase(game, box)
    if box.ledger_on:
        note_list(game, box, Note.ROUND, game.roof_offer, solo.roofs_a_round(game, box))
