"""The two functions a game is played with: `advance` to the next choice, `apply` what was chosen."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules import anytime, cards, deliveries, effects, farm, holdings, market, revenue, scoring, solo, transport
from lagranja_sim.games.lagranja.rules.agenda import close_window, count_down, drop, fail, push, push_step
from lagranja_sim.games.lagranja.rules.ledger import note_list
from lagranja_sim.games.lagranja.rules.names import *
from lagranja_sim.games.lagranja.rules.names import Note
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import *

ROUND_SCORED = -1
MAX_STEPS = 100_000  # between two choices; a game has some tens


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
        task = game.agenda[game.depth - 1]
        kind, seat = int(task.kind), int(task.seat)
        if kind > LAST_ASK:
            run_step(game, box, kind, seat)
            if kind == Step.SCORED:
                return ROUND_SCORED
            continue
        count = list_options(game, box, kind, seat, options)
        if count == 0:
            drop(game)
        elif game.turn_seat >= 0 and seat != game.turn_seat:
            apply(game, box, options[unasked(options, count)])
        else:
            return count
    return 0


@kernel
def unasked(options, count):
    """M5: in another's turn nothing is asked; what may be declined is, else the first option holds."""
    last = options[count - 1].do
    return count - 1 if last == Do.DONE or last == Do.DECLINE or last == Do.FORGO else 0


@kernel
def to_move(game):
    """The seat that has to choose."""
    return int(game.agenda[game.depth - 1].seat)


# --- listing ---------------------------------------------------------------------------------------------------------------------


@inlined
def list_options(game, box, kind, seat, options):
    """All legal options of the task on top; none: there is nothing to ask."""
    if kind <= LAST_WINDOW:
        return list_window(game, box, kind, seat, options)
    return list_choice(game, box, kind, seat, options)


@kernel
def list_window(game, box, kind, seat, options):
    """A step's own options, all anytime actions, and `done` where the step may be left (A0)."""
    task = game.agenda[game.depth - 1]
    n, can_leave = 0, True
    if kind == Ask.PLAY_CARD:
        if task.n == 0:
            return 0
        n = cards.list_cards(game, box, seat, options, n)
        can_leave = game.round_number > 1
        if n == 0 and not can_leave:
            return 0
    elif kind == Ask.DISCARD:
        n = cards.list_discards(game, box, seat, options, n)
        if n == 0:
            return 0
        can_leave = False
    elif kind == Ask.BEFORE_GROWTH:
        n = farm.list_before_growth(game, box, seat, options, n)
        can_leave = False
    elif kind == Ask.BUY_ROOF:
        n = farm.list_roofs(game, box, seat, options, n)
    elif kind == Ask.TAKE_DIE:
        n = revenue.list_dice(game, box, seat, options, n)
        can_leave = False
    elif kind == Ask.LAST_DIE:
        n = revenue.list_last_die(game, options, n)
        can_leave = False
    elif kind == Ask.FREE_DELIVERY:
        if task.n <= 0:
            return 0
        n = deliveries.list_deliveries(game, box, seat, options, n)
    elif kind == Ask.BUY_DELIVERY or kind == Ask.BUY_DELIVERIES:
        if transport.is_bought_out(game, box):
            return 0
        n = transport.list_purchases(game, box, seat, options, n)
    n = anytime.list_trade(game, box, seat, options, n)
    n = anytime.list_abilities(game, box, seat, kind, options, n)
    return put(game, options, n, Do.DONE) if can_leave else n


@kernel
def list_choice(game, box, kind, seat, options):
    """The options of a choice outside windows."""
    task = game.agenda[game.depth - 1]
    units, what, reason, ref, flag = int(task.n), int(task.what), int(task.reason), int(task.ref), int(task.flag)
    if kind == Ask.DELIVER:
        return list_nested_deliveries(game, box, seat, options)
    if kind == Ask.CHOOSE_EFFECT:
        return effects.list_alternatives(game, box, seat, what, units, reason, ref, options, 0)
    if kind == Ask.CHOOSE_GOOD:
        return effects.list_goods(game, box, seat, what, reason, options, 0)
    if kind == Ask.CHOOSE_GOODS:
        return effects.list_sets_of_goods(game, units, options, 0)
    if kind == Ask.UPGRADE:
        return effects.list_upgrades(game, seat, what, options, 0)
    if kind == Ask.SIESTA:
        return effects.list_siesta_steps(game, box, seat, units, options, 0)
    if kind == Ask.EFFECT_CARD:
        n = cards.list_cards(game, box, seat, options, 0)
        return put(game, options, n, Do.DONE) if n > 0 else 0
    if kind == Ask.PAY_EXTENSION:
        return cards.list_extension_payments(game, seat, units, what, options, 0)
    if kind == Ask.PAY_GOOD:
        return effects.list_cost_goods(game, seat, what, flag, options, 0)
    if kind == Ask.FLIP_ROOF:
        return effects.list_used_roofs(game, seat, ref - REF_ROOF, options, 0)
    if kind == Ask.RESERVE:
        return effects.list_unreserved_faces(game, options, 0)
    if kind == Ask.SHIFT_DIE:
        return effects.list_shifts(game, units, options, 0)
    if kind == Ask.OFFER:
        return effects.list_offer(game, seat, what, options, 0)
    if kind == Ask.CHOOSE_DONKEY:
        return transport.list_donkeys(game, box, seat, options, 0)
    if kind == Ask.PLACE_MARKER:
        return market.list_spaces(game, box, seat, units, options, 0)
    return anytime.list_markers_to_give_up(game, box, seat, options, 0)


@kernel
def list_nested_deliveries(game, box, seat, options):
    """A delivery inside an effect, or a bought one: trade beside it where the seat has a turn, no roofs and helpers (A0)."""
    n = deliveries.list_deliveries(game, box, seat, options, 0)
    if game.turn_seat == seat:
        n = anytime.list_trade(game, box, seat, options, n)
    return put(game, options, n, Do.DONE)


# --- carrying out ------------------------------------------------------------------------------------------------------------------


@kernel
def apply(game, box, option):
    """Carry out one of the options listed for the task on top."""
    task = game.agenda[game.depth - 1]
    kind, seat, do = int(task.kind), int(task.seat), int(option.do)
    if do == Do.DONE:
        if kind <= LAST_WINDOW:
            close_window(game)
        else:
            drop(game)
    elif do == Do.DELIVER:
        transport.make_delivery(game, box, option)
    elif do == Do.BUY or do == Do.SELL or do == Do.USE_COMMODITY or (do == Do.UPGRADE and kind != Ask.UPGRADE):
        anytime.trade(game, box, seat, option)
    elif do == Do.UPGRADE:
        reason, ref = int(task.reason), int(task.ref)
        count_down(game)
        effects.upgrade(game, box, seat, option.good, reason, ref)
    elif kind == Ask.OFFER:
        source = int(task.what)
        drop(game)
        if do != Do.DECLINE:
            effects.use(game, box, seat, source)
    elif do == Do.USE_ROOF:
        anytime.use_ability(game, box, seat, effects.FROM_ROOF + option.slot)
    elif do == Do.USE_HELPER:
        anytime.use_ability(game, box, seat, int(option.slot))
    elif kind <= LAST_WINDOW:
        apply_window(game, box, seat, option)
    else:
        apply_choice(game, box, kind, seat, option)


@kernel
def apply_window(game, box, seat, option):
    """A step's own option."""
    do = option.do
    if do == Do.PLAY_CARD:
        count_down(game)
        cards.play_card(game, box, seat, int(option.card), int(option.side), int(option.slot))
    elif do == Do.DISCARD:
        cards.move_card(game, box, int(option.card), IN_DISCARD, Reason.HAND_LIMIT, 0)
    elif do == Do.TAKE_GROWTH:
        farm.take_growth(game, box, seat, int(option.building))
    elif do == Do.GROW:
        drop(game)
    elif do == Do.BUY_ROOF:
        farm.buy_roof(game, box, seat, int(option.slot))
    elif do == Do.TAKE_DIE:
        revenue.take_die(game, box, int(option.n), int(option.m))
    elif do == Do.USE_DIE:
        drop(game)
        revenue.push_face(game, box, seat, int(option.n))
    elif do == Do.BUY_DELIVERY:
        transport.buy_deliveries(game, box, 1)
    elif do == Do.BUY_DELIVERIES:
        transport.buy_deliveries(game, box, int(option.n))
    else:
        fail(game, Error.NO_SUCH_OPTION)


@kernel
def apply_choice(game, box, kind, seat, option):
    """The answer to a choice outside windows."""
    task = game.agenda[game.depth - 1]
    reason, ref = int(task.reason), int(task.ref)
    number, good = int(option.n), int(option.good)
    if kind == Ask.CHOOSE_EFFECT:
        drop(game)
        effects.choose_alternative(game, box, seat, number, reason, ref)
    elif kind == Ask.CHOOSE_GOOD:
        effects.gain_chosen_good(game, box, good)
    elif kind == Ask.CHOOSE_GOODS:
        effects.gain_chosen_goods(game, box, number)
    elif kind == Ask.SIESTA:
        drop(game)
        effects.advance_disc(game, box, seat, number, reason, ref)
    elif kind == Ask.EFFECT_CARD:
        drop(game)
        cards.play_card(game, box, seat, int(option.card), int(option.side), int(option.slot))
    elif kind == Ask.PAY_EXTENSION:
        cards.pay_for_extension(game, box, good)
    elif kind == Ask.PAY_GOOD:
        effects.pay_chosen_good(game, box, good)
    elif kind == Ask.FLIP_ROOF:
        count_down(game)
        effects.flip_roof(game, box, seat, int(option.slot))
    elif kind == Ask.RESERVE:
        drop(game)
        game.reserved[number - 1] = seat + 1
    elif kind == Ask.SHIFT_DIE:
        drop(game)
        effects.shift_die(game, number)
    elif kind == Ask.CHOOSE_DONKEY:
        drop(game)
        game.players[seat].donkey = number
    elif kind == Ask.PLACE_MARKER:
        if option.do == Do.DECLINE:
            drop(game)
        else:
            market.place_marker(game, box, int(option.space))
    elif kind == Ask.GIVE_UP:
        if option.do == Do.FORGO:
            anytime.forgo(game)
        else:
            anytime.give_up(game, box, seat, good, int(option.slot), int(option.space))
    else:
        fail(game, Error.NO_SUCH_OPTION)


# --- steps that run by themselves -----------------------------------------------------------------------------------------------------


@inlined
def run_step(game, box, kind, seat):
    """The step on top of the agenda; those that keep their place drop it themselves when they are finished."""
    if kind == Step.RECEIVE:
        holdings.receive_unit(game, box)
    elif kind == Step.WAIT_FOR_MARKER:
        holdings.marker_awaited(game, box)
    elif kind == Step.EFFECT:
        effects.run_effect(game, box)
    elif kind == Step.PARTS:
        effects.run_part(game, box)
    elif kind == Step.ANSWER:
        effects.answer(game, box)
    elif kind == Step.SECOND_OPTION:
        effects.second_option(game, box)
    elif kind == Step.CARD_PLACED:
        cards.card_placed(game, box)
    elif kind == Step.BARROW_GONE:
        deliveries.barrow_gone(game, box)
    elif kind == Step.BRED:
        farm.bred(game, box)
    else:
        drop(game)
        if kind < FIRST_WAITING:
            run_plain_step(game, box, kind, seat)
        else:
            run_waiting_act(game, box, kind, seat)


@kernel
def run_plain_step(game, box, kind, seat):
    """A step that is finished once it has been run."""
    task = game.agenda[game.depth]
    units, what = int(task.n), int(task.what)
    if kind == Step.EVENT:
        effects.push_answers(game, box, seat, what, units)
    elif kind == Step.MARKET_MARKER:
        market.market_marker(game, box, task)
    elif kind == Step.CLOSE_TURN:
        game.turn_seat = -1
        game.die_face = 0
    elif kind == Step.ROUND:
        start_round(game, units, box)
    elif kind == Step.CARDS_TURN:
        farm.cards_turn(game, box, seat)
    elif kind == Step.HAND_LIMIT:
        cards.draw_to_hand_limit(game, box, seat)
    elif kind == Step.INCOME:
        effects.push_income(game, box, seat)
    elif kind == Step.GROWTH_TURN:
        farm.growth_turn(game, box, seat)
    elif kind == Step.GROW:
        farm.grow(game, box, seat, what)
    elif kind == Step.BREED:
        farm.breed(game, box, seat)
    elif kind == Step.GROWN:
        effects.push_answers(game, box, seat, Event.GROWTH, 0)
    elif kind == Step.ROOF_PLACED:
        game.covered_vp = 0
    elif kind == Step.ROOF_TURN:
        farm.roof_turn(game, box, seat)
    elif kind == Step.REVENUE:
        revenue.revenue_phase(game, box)
    elif kind == Step.BEFORE_ROLL:
        revenue.before_roll(game, box, seat)
    elif kind == Step.ROLL:
        revenue.roll(game, box)
    elif kind == Step.DIE_TURN:
        revenue.die_turn(game, box, seat, units)
    elif kind == Step.LAST_DIE_TURN:
        revenue.last_die_turn(game, box, seat)
    elif kind == Step.DIE_USED:
        game.die_face = units
    elif kind == Step.PICKED:
        revenue.clear_reservations(game)
    elif kind == Step.DISCARD_DIE:
        solo.discard_die(game, box)
    elif kind == Step.DICE_GONE:
        revenue.clear_dice(game)
    elif kind == Step.TRANSPORT:
        transport.transport_phase(game, box)
    elif kind == Step.REVEAL:
        transport.reveal_donkeys(game, box)
    elif kind == Step.NEW_ORDER:
        transport.new_order(game, box)
    elif kind == Step.FREE_TURN:
        transport.free_turn(game, box, seat)
    elif kind == Step.BUY_TURN:
        transport.buy_turn(game, box, seat)
    elif kind == Step.NEUTRAL_MOVE:
        solo.neutral_move(game, box)
    elif kind == Step.SCORING:
        scoring.scoring_phase(game, box)
    elif kind == Step.END_ROUND:
        scoring.end_round(game, box)
    elif kind == Step.END:
        scoring.end_game(game, box)
    elif kind != Step.SCORED:
        fail(game, Error.UNKNOWN_TASK)


@kernel
def run_waiting_act(game, box, kind, seat):
    """L1: an act whose marker had to be given up before anything was paid or spent."""
    task = game.agenda[game.depth]
    units, what, reason, ref = int(task.n), int(task.what), int(task.reason), int(task.ref)
    if kind == Step.BUY:
        anytime.buy(game, box, seat, what, units)
    elif kind == Step.USE:
        effects.use(game, box, seat, what)
    elif kind == Step.ALTERNATIVE:
        effects.push_parts(game, box, seat, what, reason, ref)
    elif kind == Step.PAY_DELIVERIES:
        transport.pay_deliveries(game, box, seat, units)
    elif kind == Step.SILVER_DELIVERY:
        deliveries.move_good(game, box, seat, Item.SILVER, ref, what)
    else:
        fail(game, Error.UNKNOWN_TASK)


@kernel
def start_round(game, number, box):
    """A round is its four phases; the next one waits below."""
    game.round_number = number
    if number < box.game.rounds:
        push(game, Step.ROUND, 0, number + 1, 0, 0, 0, 0)
    push_step(game, Step.SCORING, 0)
    push_step(game, Step.TRANSPORT, 0)
    push_step(game, Step.REVENUE, 0)
    farm.farm_phase(game, box)
    if box.ledger_on:
        note_list(game, box, Note.ROUND, game.roof_offer, solo.roofs_a_round(game, box))
