"""The two functions a game is played with: `advance` to the next choice, `apply` what was chosen."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.rules import anytime, cards, deliveries, effects, farm, holdings, market, revenue, scoring, transport
from lagranja_sim.rules.agenda import close_window, count_down, drop, fail, push, push_step
from lagranja_sim.rules.ledger import note_list
from lagranja_sim.rules.options import put
from lagranja_sim.rules.state import *

ROUND_SCORED = -1
MAX_STEPS = 100_000  # between two choices; a game has some tens


@kernel
def advance(game, box, options):
    """Work off tasks until someone must choose.

    Returns the number of options listed in `options` for the seat of the task on top; 0 when the game is over (or `game.error` is set);
    ROUND_SCORED once a round, when its points have been scored and nothing was reset yet.
    """
    steps = 0
    while game.depth > 0 and game.error == OK:
        steps += 1
        if steps > MAX_STEPS:
            fail(game, ERROR_TOO_MANY_STEPS)
        task = game.agenda[game.depth - 1]
        kind, seat = int(task.kind), int(task.seat)
        if kind > LAST_ASK:
            run_step(game, box, kind, seat)
            if kind == STEP_SCORED:
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
    return count - 1 if last == DO_DONE or last == DO_DECLINE or last == DO_FORGO else 0


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
    if kind == ASK_PLAY_CARD:
        if task.n == 0:
            return 0
        n = cards.list_cards(game, box, seat, options, n)
        can_leave = game.round_number > 1
        if n == 0 and not can_leave:
            return 0
    elif kind == ASK_DISCARD:
        n = cards.list_discards(game, box, seat, options, n)
        if n == 0:
            return 0
        can_leave = False
    elif kind == ASK_BEFORE_GROWTH:
        n = farm.list_before_growth(game, box, seat, options, n)
        can_leave = False
    elif kind == ASK_BUY_ROOF:
        n = farm.list_roofs(game, box, seat, options, n)
    elif kind == ASK_TAKE_DIE:
        n = revenue.list_dice(game, box, seat, options, n)
        can_leave = False
    elif kind == ASK_LAST_DIE:
        n = revenue.list_last_die(game, options, n)
        can_leave = False
    elif kind == ASK_FREE_DELIVERY:
        if task.n <= 0:
            return 0
        n = deliveries.list_deliveries(game, box, seat, options, n)
    elif kind == ASK_BUY_DELIVERY or kind == ASK_BUY_DELIVERIES:
        if transport.is_bought_out(game, box):
            return 0
        n = transport.list_purchases(game, box, seat, options, n)
    n = anytime.list_trade(game, box, seat, options, n)
    n = anytime.list_abilities(game, box, seat, kind, options, n)
    return put(game, options, n, DO_DONE) if can_leave else n


@kernel
def list_choice(game, box, kind, seat, options):
    """The options of a choice outside windows."""
    task = game.agenda[game.depth - 1]
    units, what, reason, ref, flag = int(task.n), int(task.what), int(task.reason), int(task.ref), int(task.flag)
    if kind == ASK_DELIVER:
        return list_nested_deliveries(game, box, seat, options)
    if kind == ASK_EFFECT:
        return effects.list_alternatives(game, box, seat, what, units, reason, ref, options, 0)
    if kind == ASK_GOOD:
        return effects.list_goods(game, box, seat, what, reason, options, 0)
    if kind == ASK_GOODS:
        return effects.list_sets_of_goods(game, units, options, 0)
    if kind == ASK_UPGRADE:
        return effects.list_upgrades(game, seat, what, options, 0)
    if kind == ASK_SIESTA:
        return effects.list_siesta_steps(game, box, seat, units, options, 0)
    if kind == ASK_EFFECT_CARD:
        n = cards.list_cards(game, box, seat, options, 0)
        return put(game, options, n, DO_DONE) if n > 0 else 0
    if kind == ASK_PAY_EXTENSION:
        return cards.list_extension_payments(game, seat, units, what, options, 0)
    if kind == ASK_PAY_GOOD:
        return effects.list_cost_goods(game, seat, what, flag, options, 0)
    if kind == ASK_FLIP_ROOF:
        return effects.list_used_roofs(game, seat, ref - REF_ROOF, options, 0)
    if kind == ASK_RESERVE:
        return effects.list_unreserved_faces(game, options, 0)
    if kind == ASK_SHIFT:
        return effects.list_shifts(game, units, options, 0)
    if kind == ASK_OFFER:
        return effects.list_offer(game, seat, what, options, 0)
    if kind == ASK_DONKEY:
        return transport.list_donkeys(game, box, seat, options, 0)
    if kind == ASK_PLACE_MARKER:
        return market.list_spaces(game, box, seat, units, options, 0)
    return anytime.list_markers_to_give_up(game, box, seat, options, 0)


@kernel
def list_nested_deliveries(game, box, seat, options):
    """A delivery inside an effect, or a bought one: trade beside it where the seat has a turn, no roofs and helpers (A0)."""
    n = deliveries.list_deliveries(game, box, seat, options, 0)
    if game.turn_seat == seat:
        n = anytime.list_trade(game, box, seat, options, n)
    return put(game, options, n, DO_DONE)


# --- carrying out ------------------------------------------------------------------------------------------------------------------


@kernel
def apply(game, box, option):
    """Carry out one of the options listed for the task on top."""
    task = game.agenda[game.depth - 1]
    kind, seat, do = int(task.kind), int(task.seat), int(option.do)
    if do == DO_DONE:
        if kind <= LAST_WINDOW:
            close_window(game)
        else:
            drop(game)
    elif do == DO_DELIVER:
        transport.make_delivery(game, box, option)
    elif do == DO_BUY or do == DO_SELL or do == DO_USE_COMMODITY or (do == DO_UPGRADE and kind != ASK_UPGRADE):
        anytime.trade(game, box, seat, option)
    elif do == DO_UPGRADE:
        reason, ref = int(task.reason), int(task.ref)
        count_down(game)
        effects.upgrade(game, box, seat, option.good, reason, ref)
    elif kind == ASK_OFFER:
        source = int(task.what)
        drop(game)
        if do != DO_DECLINE:
            effects.use(game, box, seat, source)
    elif do == DO_USE_ROOF:
        anytime.use_ability(game, box, seat, effects.FROM_ROOF + option.slot)
    elif do == DO_USE_HELPER:
        anytime.use_ability(game, box, seat, int(option.slot))
    elif kind <= LAST_WINDOW:
        apply_window(game, box, seat, option)
    else:
        apply_choice(game, box, kind, seat, option)


@kernel
def apply_window(game, box, seat, option):
    """A step's own option."""
    do = option.do
    if do == DO_PLAY_CARD:
        count_down(game)
        cards.play_card(game, box, seat, int(option.card), int(option.side), int(option.slot))
    elif do == DO_DISCARD:
        cards.move_card(game, box, int(option.card), IN_DISCARD, R_HAND_LIMIT, 0)
    elif do == DO_TAKE_GROWTH:
        farm.take_growth(game, box, seat, int(option.building))
    elif do == DO_GROW:
        drop(game)
    elif do == DO_BUY_ROOF:
        farm.buy_roof(game, box, seat, int(option.slot))
    elif do == DO_TAKE_DIE:
        revenue.take_die(game, box, int(option.n), int(option.m))
    elif do == DO_USE_DIE:
        drop(game)
        revenue.push_face(game, box, seat, int(option.n))
    elif do == DO_BUY_DELIVERY:
        transport.buy_deliveries(game, box, 1)
    elif do == DO_BUY_DELIVERIES:
        transport.buy_deliveries(game, box, int(option.n))
    else:
        fail(game, ERROR_NO_SUCH_OPTION)


@kernel
def apply_choice(game, box, kind, seat, option):
    """The answer to a choice outside windows."""
    task = game.agenda[game.depth - 1]
    reason, ref = int(task.reason), int(task.ref)
    number, good = int(option.n), int(option.good)
    if kind == ASK_EFFECT:
        drop(game)
        effects.choose_alternative(game, box, seat, number, reason, ref)
    elif kind == ASK_GOOD:
        effects.gain_chosen_good(game, box, good)
    elif kind == ASK_GOODS:
        effects.gain_chosen_goods(game, box, number)
    elif kind == ASK_SIESTA:
        drop(game)
        effects.advance_disc(game, box, seat, number, reason, ref)
    elif kind == ASK_EFFECT_CARD:
        drop(game)
        cards.play_card(game, box, seat, int(option.card), int(option.side), int(option.slot))
    elif kind == ASK_PAY_EXTENSION:
        cards.pay_for_extension(game, box, good)
    elif kind == ASK_PAY_GOOD:
        effects.pay_chosen_good(game, box, good)
    elif kind == ASK_FLIP_ROOF:
        count_down(game)
        effects.flip_roof(game, box, seat, int(option.slot))
    elif kind == ASK_RESERVE:
        drop(game)
        game.reserved[number - 1] = seat + 1
    elif kind == ASK_SHIFT:
        drop(game)
        effects.shift_die(game, number)
    elif kind == ASK_DONKEY:
        drop(game)
        game.players[seat].donkey = number
    elif kind == ASK_PLACE_MARKER:
        if option.do == DO_DECLINE:
            drop(game)
        else:
            market.place_marker(game, box, int(option.space))
    elif kind == ASK_GIVE_UP:
        if option.do == DO_FORGO:
            anytime.forgo(game)
        else:
            anytime.give_up(game, box, seat, good, int(option.slot), int(option.space))
    else:
        fail(game, ERROR_NO_SUCH_OPTION)


# --- steps that run by themselves -----------------------------------------------------------------------------------------------------


@inlined
def run_step(game, box, kind, seat):
    """The step on top of the agenda; those that keep their place drop it themselves when they are finished."""
    if kind == STEP_RECEIVE:
        holdings.receive_unit(game, box)
    elif kind == STEP_WAIT_FOR_MARKER:
        holdings.marker_awaited(game, box)
    elif kind == STEP_EFFECT:
        effects.run_effect(game, box)
    elif kind == STEP_PARTS:
        effects.run_part(game, box)
    elif kind == STEP_ANSWER:
        effects.answer(game, box)
    elif kind == STEP_SECOND_OPTION:
        effects.second_option(game, box)
    elif kind == STEP_CARD_PLACED:
        cards.card_placed(game, box)
    elif kind == STEP_BARROW_GONE:
        deliveries.barrow_gone(game, box)
    elif kind == STEP_BRED:
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
    if kind == STEP_EVENT:
        effects.push_answers(game, box, seat, what, units)
    elif kind == STEP_MARKET_MARKER:
        market.market_marker(game, box, task)
    elif kind == STEP_CLOSE_TURN:
        game.turn_seat = -1
        game.die_face = 0
    elif kind == STEP_ROUND:
        start_round(game, units, box)
    elif kind == STEP_CARDS_TURN:
        farm.cards_turn(game, box, seat)
    elif kind == STEP_HAND_LIMIT:
        cards.draw_to_hand_limit(game, box, seat)
    elif kind == STEP_INCOME:
        effects.push_income(game, box, seat)
    elif kind == STEP_GROWTH_TURN:
        farm.growth_turn(game, box, seat)
    elif kind == STEP_GROW:
        farm.grow(game, box, seat, what)
    elif kind == STEP_BREED:
        farm.breed(game, box, seat)
    elif kind == STEP_GROWN:
        effects.push_answers(game, box, seat, E_GROWTH, 0)
    elif kind == STEP_ROOF_PLACED:
        game.covered_vp = 0
    elif kind == STEP_ROOF_TURN:
        farm.roof_turn(game, box, seat)
    elif kind == STEP_REVENUE:
        revenue.revenue_phase(game, box)
    elif kind == STEP_BEFORE_ROLL:
        revenue.before_roll(game, box, seat)
    elif kind == STEP_ROLL:
        revenue.roll(game, box)
    elif kind == STEP_DIE_TURN:
        revenue.die_turn(game, box, seat, units)
    elif kind == STEP_LAST_DIE_TURN:
        revenue.last_die_turn(game, box, seat)
    elif kind == STEP_DIE_USED:
        game.die_face = units
    elif kind == STEP_PICKED:
        revenue.clear_reservations(game)
    elif kind == STEP_DICE_GONE:
        revenue.clear_dice(game)
    elif kind == STEP_TRANSPORT:
        transport.transport_phase(game, box)
    elif kind == STEP_REVEAL:
        transport.reveal_donkeys(game, box)
    elif kind == STEP_NEW_ORDER:
        transport.new_order(game, box)
    elif kind == STEP_FREE_TURN:
        transport.free_turn(game, box, seat)
    elif kind == STEP_BUY_TURN:
        transport.buy_turn(game, box, seat)
    elif kind == STEP_SCORING:
        scoring.scoring_phase(game, box)
    elif kind == STEP_END_ROUND:
        scoring.end_round(game, box)
    elif kind == STEP_END:
        scoring.end_game(game, box)
    elif kind != STEP_SCORED:
        fail(game, ERROR_UNKNOWN_TASK)


@kernel
def run_waiting_act(game, box, kind, seat):
    """L1: an act whose marker had to be given up before anything was paid or spent."""
    task = game.agenda[game.depth]
    units, what, reason, ref = int(task.n), int(task.what), int(task.reason), int(task.ref)
    if kind == STEP_BUY:
        anytime.buy(game, box, seat, what, units)
    elif kind == STEP_USE:
        effects.use(game, box, seat, what)
    elif kind == STEP_ALTERNATIVE:
        effects.push_parts(game, box, seat, what, reason, ref)
    elif kind == STEP_PAY_DELIVERIES:
        transport.pay_deliveries(game, box, seat, units)
    elif kind == STEP_SILVER_DELIVERY:
        deliveries.move_good(game, box, seat, SILVER, ref, what)
    else:
        fail(game, ERROR_UNKNOWN_TASK)


@kernel
def start_round(game, number, box):
    """A round is its four phases; the next one waits below."""
    game.round_number = number
    if number < box.rounds:
        push(game, STEP_ROUND, 0, number + 1, 0, 0, 0, 0)
    push_step(game, STEP_SCORING, 0)
    push_step(game, STEP_TRANSPORT, 0)
    push_step(game, STEP_REVENUE, 0)
    farm.farm_phase(game, box)
    if box.ledger_on:
        note_list(game, box, NOTE_ROUND, game.roof_offer, game.seats)
