"""The transportation phase: donkeys (T1), the siesta track (T2), free and bought deliveries (T3, T4)."""

from enum import IntEnum

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_event, push_for_each, push_number
from lagranja_sim.games.lagranja.rules.anytime import list_anytime, list_trade, open_turn
from lagranja_sim.games.lagranja.rules.deliveries import deliver, delivery_prospect, list_deliveries
from lagranja_sim.games.lagranja.rules.holdings import NOTHING, WITH_A_MARKER, credit, wait_for_marker
from lagranja_sim.games.lagranja.rules.ledger import because, begin_row, note_disc, note_list
from lagranja_sim.games.lagranja.rules.modifiers import modifier
from lagranja_sim.games.lagranja.rules.names import Ask, Do, Event, Item, Note, Passive, Phase, Reason, Step
from lagranja_sim.games.lagranja.rules.options import put, put_number
from lagranja_sim.games.lagranja.rules.solo import push_start
from lagranja_sim.games.lagranja.rules.state import NEUTRAL, REF_DONKEY
from lagranja_sim.kit.agenda import count_down, drop, dropped_task, top


class DeliveriesPaid(IntEnum):
    """How bought deliveries are paid for (T4)."""

    ONE_BY_ONE = 0
    UP_FRONT = 1


@kernel
def list_options(game, box, kind, seat, options):
    """T1: the tiles left; R4: how far the disc may go; T3-T5: deliveries to make or to buy."""
    if kind == Ask.CHOOSE_DONKEY:
        return list_donkeys(game, box, seat, options)
    if kind == Ask.SIESTA:
        return list_siesta_steps(game, box, seat, int(top(game).n), options)
    if kind == Ask.DELIVER:
        return list_nested_deliveries(game, box, seat, options)
    if kind == Ask.FREE_DELIVERY:
        if top(game).n <= 0:
            return 0
        n = list_deliveries(game, box, seat, options, 0)
    else:
        if is_bought_out(game, box):
            return 0
        n = list_purchases(game, box, seat, options, 0)
    n = list_anytime(game, box, kind, seat, options, n)
    return put(game, options, n, Do.DONE)


@kernel
def apply_option(game, box, kind, seat, option):
    """A tile is chosen (T1), the disc advanced (R4), a delivery made or bought (T3-T5)."""
    if kind == Ask.CHOOSE_DONKEY:
        drop(game)
        game.players[seat].donkey = option.n
    elif kind == Ask.SIESTA:
        reason, ref = int(top(game).reason), int(top(game).ref)
        drop(game)
        advance_disc(game, box, seat, int(option.n), reason, ref)
    elif option.do == Do.DELIVER:
        make_delivery(game, box, seat, option)
    else:
        buy_deliveries(game, box, max(1, int(option.n)))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    if kind == Step.TRANSPORT:
        transport_phase(game, box)
    elif kind == Step.REVEAL:
        reveal_donkeys(game, box)
    elif kind == Step.NEW_ORDER:
        new_order(game, box)
    elif kind == Step.FREE_TURN:
        free_turn(game, box, seat)
    elif kind == Step.BUY_TURN:
        buy_turn(game, box, seat)
    else:
        pay_deliveries(game, box, seat, int(dropped_task(game).n))


# --- donkeys and the siesta track ---------------------------------------------------------------------------------------------------


@kernel
def transport_phase(game, box):
    """T1, T2 in the old order; the new one is known when the discs have moved. O8: the neutral player moves before all of it, or after."""
    game.phase = Phase.TRANSPORT
    if game.round_number == box.transport.donkeys_return_in_round:
        for seat in range(game.seats):
            game.players[seat].donkeys_out = 0
        if box.ledger_on:
            begin_row(game, box, Note.DONKEYS_BACK, -1)
    if game.seats == 1 and not game.neutral_first:
        push(game, Step.NEUTRAL_MOVE, NEUTRAL)
    push(game, Step.NEW_ORDER, 0)
    push(game, Step.REVEAL, 0)
    push_for_each(game, Ask.CHOOSE_DONKEY)
    if game.neutral_first:
        push(game, Step.NEUTRAL_MOVE, NEUTRAL)


@inlined
def list_donkeys(game, box, seat, options):
    """T1: the tiles not used up."""
    n = 0
    for tile in range(box.donkey_count):
        if not (game.players[seat].donkeys_out >> tile) & 1:
            n = put_number(game, options, n, Do.CHOOSE_DONKEY, tile + 1)
    return n


@kernel
def reveal_donkeys(game, box):
    """T1, T2: the tiles are used up, and in the old order the discs move by hats and passive steps."""
    for position in range(game.seats):
        seat = int(game.order[position])
        player = game.players[seat]
        player.donkeys_out |= 1 << (player.donkey - 1)
        steps = int(box.transport.donkeys[player.donkey - 1, 1]) + modifier(game, box, seat, Passive.SIESTA_STEPS)
        advance_disc(game, box, seat, max(0, steps), Reason.DONKEY, REF_DONKEY + int(player.donkey))


@inlined
def list_siesta_steps(game, box, seat, steps, options):
    """R4: up to so many steps, never past the top section."""
    room = box.siesta_top - game.players[seat].siesta
    if room <= 0:
        return 0
    n = 0
    for step in range(1, min(steps, room) + 1):
        n = put_number(game, options, n, Do.SIESTA, step)
    return put(game, options, n, Do.DONE)


@kernel
def advance_disc(game, box, seat, steps, reason, ref):
    """R4, T2: a disc that moves lands on top; one that does not keeps its place."""
    player = game.players[seat]
    before = int(player.siesta)
    section = min(int(box.siesta_top), before + steps)
    if section > before:
        player.siesta = section
        game.arrivals += 1
        player.arrival = game.arrivals
        if box.ledger_on:
            note_disc(game, box, seat, before, reason, ref)


@kernel
def lies_before(game, seat, other_seat):
    """T2: further on the track or, in the same section, higher in the stack."""
    player, other = game.players[seat], game.players[other_seat]
    return player.siesta > other.siesta or (player.siesta == other.siesta and player.arrival > other.arrival)


@kernel
def order_by_siesta(game):
    """T2: the furthest disc first."""
    for end in range(1, game.seats):
        place = end
        while place > 0 and lies_before(game, game.order[place], game.order[place - 1]):
            seat = int(game.order[place])
            game.order[place] = game.order[place - 1]
            game.order[place - 1] = seat
            place -= 1


@kernel
def new_order(game, box):
    """T2-T4: the new order holds at once; whoever becomes the start player may answer (H4). For one it changes at the round's end (O4)."""
    old_start = int(game.order[0])
    order_by_siesta(game)
    if box.ledger_on and game.seats > 1:
        note_list(game, box, Note.ORDER, game.order, game.seats)
    push_for_each(game, Step.BUY_TURN)
    push_for_each(game, Step.FREE_TURN)
    if game.seats == 1:
        push_start(game, box)
    elif game.order[0] != old_start:
        push_event(game, game.order[0], Event.START_PLAYER, 0)


# --- deliveries ----------------------------------------------------------------------------------------------------------------------


@kernel
def free_turn(game, box, seat):
    """T3: up to as many deliveries as donkeys and passive ones."""
    open_turn(game, box, seat)
    donkeys = int(box.transport.donkeys[game.players[seat].donkey - 1, 0]) + modifier(game, box, seat, Passive.FREE_DELIVERY)
    push(game, Ask.END_TURN, seat)
    push_number(game, Ask.FREE_DELIVERY, seat, donkeys)


@kernel
def list_nested_deliveries(game, box, seat, options):
    """A delivery inside an effect, or a bought one: trade beside it where the seat has a turn, no roofs and helpers (A0)."""
    n = list_deliveries(game, box, seat, options, 0)
    if game.turn_seat == seat:
        n = list_trade(game, box, seat, options, n)
    return put(game, options, n, Do.DONE)


@kernel
def make_delivery(game, box, seat, option):
    """T5: one of the deliveries of the task on top, wherever it comes from."""
    count_down(game)
    deliver(game, box, seat, int(option.good), int(option.slot), int(option.building))


@kernel
def purchasable_deliveries(game, box, seat):
    """T4: the board's, those of extensions and helpers, and what effects gave for this round."""
    player = game.players[seat]
    return (
        int(box.transport.extra_deliveries)
        + player.delivery_icons
        + player.extra_deliveries
        + modifier(game, box, seat, Passive.EXTRA_DELIVERY)
    )


@kernel
def buy_turn(game, box, seat):
    """T4: a number that is fixed when the turn starts is noted, for the variants that say so."""
    open_turn(game, box, seat)
    kind = Ask.BUY_DELIVERIES if box.transport.extra_deliveries_paid == DeliveriesPaid.UP_FRONT else Ask.BUY_DELIVERY
    push(game, Ask.END_TURN, seat)
    push(game, kind, seat).what = purchasable_deliveries(game, box, seat)


@kernel
def deliveries_left(game, box):
    """T4: how many more the task on top allows to buy."""
    task = top(game)
    limit = int(task.what) if box.transport.extra_delivery_limit_fixed else purchasable_deliveries(game, box, int(task.seat))
    return limit - int(task.n)


@kernel
def is_bought_out(game, box):
    """T4: whether the window on top is over by itself; a number that is not fixed may still grow, so there it stays open."""
    return box.transport.extra_delivery_limit_fixed and deliveries_left(game, box) <= 0


@kernel
def purchase_prospect(game, box, seat, count):
    """T4, A6: what could be delivered once so many deliveries are paid for; the silver they cost is gone by then."""
    player, price = game.players[seat], count * int(box.transport.extra_delivery_cost)
    if price > player.stock[Item.SILVER]:
        return NOTHING
    player.stock[Item.SILVER] -= price
    prospect = delivery_prospect(game, box, seat)
    player.stock[Item.SILVER] += price
    return prospect


@inlined
def list_purchases(game, box, seat, options, n):
    """T4: one delivery, or how many are paid for up front."""
    for count in range(1, deliveries_left(game, box) + 1):
        if purchase_prospect(game, box, seat, count) == NOTHING:
            return n
        if box.transport.extra_deliveries_paid == DeliveriesPaid.ONE_BY_ONE:
            return put(game, options, n, Do.BUY_DELIVERY)
        n = put_number(game, options, n, Do.BUY_DELIVERIES, count)
    return n


@kernel
def buy_deliveries(game, box, count):
    """T4: up front the window closes, one by one it stays and counts. Where only silver could be delivered its marker comes first (L1)."""
    task = top(game)
    seat = int(task.seat)
    if box.transport.extra_deliveries_paid == DeliveriesPaid.UP_FRONT:
        drop(game)
    else:
        task.n += count
    if purchase_prospect(game, box, seat, count) == WITH_A_MARKER:
        push_number(game, Step.PAY_DELIVERIES, seat, count)
        wait_for_marker(game, seat)
    else:
        pay_deliveries(game, box, seat, count)


@kernel
def pay_deliveries(game, box, seat, count):
    """T4: the price, then the deliveries."""
    price = count * int(box.transport.extra_delivery_cost)
    if price > 0:
        credit(game, box, seat, Item.SILVER, -price, because(Reason.BOUGHT_DELIVERY, 0))
    game.players[seat].bought_deliveries += count
    push_number(game, Ask.DELIVER, seat, count)
