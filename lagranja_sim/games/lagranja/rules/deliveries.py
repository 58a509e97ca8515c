"""Deliveries: what can go where (D1), and what follows when a row or a barrow is complete (D3-D7)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_effect, push_event
from lagranja_sim.games.lagranja.rules.cards import move_card
from lagranja_sim.games.lagranja.rules.holdings import FREELY, NOTHING, credit, free_markers, marker_prospect, receive, wait_for_marker
from lagranja_sim.games.lagranja.rules.ledger import because, note_building
from lagranja_sim.games.lagranja.rules.market import push_market_marker
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, HARVEST, KINDS, Do, Event, Item, Note, Reason, Step
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import IN_DISCARD, REF_BUILDING, SLOTS
from lagranja_sim.kit.agenda import dropped_task


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    task = dropped_task(game)
    if kind == Step.SILVER_DELIVERY:
        move_good(game, box, seat, Item.SILVER, int(task.n), int(task.what))
    else:
        remove_barrow(game, box, seat, int(task.n), int(task.what))


# --- what can be delivered -----------------------------------------------------------------------------------------------------


@inlined
def is_blocked(game, building):
    """S4, D4: whether an order marker still lies on a building."""
    for index in range(game.opened, game.blocked_count):
        if game.blocked[index] == building:
            return True
    return False


@inlined
def accepts(game, seat, building):
    """Whether a building takes deliveries of a seat: unblocked and not yet completed by it."""
    return game.players[seat].row_left[building] > 0 and not is_blocked(game, building)


@inlined
def can_move(game, box, seat, kind):
    """Whether one of a kind can leave the farm; silver needs a marker to lie on a row (L1)."""
    player = game.players[seat]
    if kind == Item.SILVER:
        return player.stock[Item.SILVER] > 0 and marker_prospect(game, box, seat) > NOTHING
    return player.stock[kind] > 0 or (kind < HARVEST and player.stock[FIELD + kind] > 0)


@inlined
def is_wanted(game, seat, kind):
    """Whether some row or barrow of a seat has a free symbol of a kind."""
    player = game.players[seat]
    for slot in range(SLOTS):
        if player.barrows[slot] > 0 and player.barrow_missing[slot, kind] > 0:
            return True
    for building in range(len(BUILDINGS)):
        if player.row_missing[building, kind] > 0 and accepts(game, seat, building):
            return True
    return False


@kernel
def delivery_prospect(game, box, seat):
    """Whether any delivery is possible, and whether one that needs no marker to be given up first."""
    prospect = NOTHING
    for kind in range(KINDS):
        if can_move(game, box, seat, kind) and is_wanted(game, seat, kind):
            if kind != Item.SILVER:
                return FREELY
            prospect = marker_prospect(game, box, seat)
    return prospect


@inlined
def put_delivery(game, player, options, n, kind, target):
    """A delivery from each place the good lies in: den, stable, purse or storage, and field. Targets are buildings and, after them, slots."""
    building = target if target < len(BUILDINGS) else -1
    slot = target - len(BUILDINGS) if building < 0 else -1
    if player.stock[kind] > 0:
        n = put(game, options, n, Do.DELIVER)
        option = options[n - 1]
        option.good, option.slot, option.building = kind, slot, building
    if kind < HARVEST and player.stock[FIELD + kind] > 0:
        n = put(game, options, n, Do.DELIVER)
        option = options[n - 1]
        option.good, option.slot, option.building = FIELD + kind, slot, building
    return n


@inlined
def list_deliveries(game, box, seat, options, n):
    """D1, D2: every good held to every free symbol of it, on rows of open buildings and on barrows."""
    player = game.players[seat]
    for kind in range(KINDS):
        if not can_move(game, box, seat, kind):
            continue
        for building in range(len(BUILDINGS)):
            if player.row_missing[building, kind] > 0 and accepts(game, seat, building):
                n = put_delivery(game, player, options, n, kind, building)
        for slot in range(SLOTS):
            if player.barrows[slot] > 0 and player.barrow_missing[slot, kind] > 0:
                n = put_delivery(game, player, options, n, kind, len(BUILDINGS) + slot)
    return n


# --- delivering ------------------------------------------------------------------------------------------------------------------


@inlined
def push_slot(game, kind, seat, slot, what):
    """A step about a barrow slot (-1: none), with its card or else a building."""
    task = push(game, kind, seat)
    task.n = slot
    task.what = what


@kernel
def deliver(game, box, seat, thing, slot, building):
    """D1: one good to a building or, where `building` is -1, to the barrow in a slot. Silver may have to wait for a marker."""
    if thing == Item.SILVER and free_markers(game, box, seat) <= 0:
        push_slot(game, Step.SILVER_DELIVERY, seat, slot, building)
        wait_for_marker(game, seat)
    else:
        move_good(game, box, seat, thing, slot, building)


@kernel
def move_good(game, box, seat, thing, slot, building):
    """The good leaves the farm, its marker lies on the symbol; the last one completes the row or barrow."""
    player = game.players[seat]
    kind = thing - FIELD if thing >= FIELD else thing
    ref = REF_BUILDING + building if building >= 0 else int(player.barrows[slot])
    credit(game, box, seat, thing, -1, because(Reason.DELIVERY, ref))
    player.markers += 1
    player.deliveries += 1
    if building >= 0:
        player.row_missing[building, kind] -= 1
        player.row_left[building] -= 1
        if player.row_left[building] == 0:
            complete_building(game, box, seat, building)
    else:
        player.barrow_missing[slot, kind] -= 1
        player.barrow_left[slot] -= 1
        if player.barrow_left[slot] == 0:
            complete_barrow(game, box, seat, slot)


# --- completing ---------------------------------------------------------------------------------------------------------------------


@kernel
def complete_building(game, box, seat, building):
    """D3-D6: the row's markers return but for the owner mark; first, round and opening points; then events, then the immediate effect."""
    player = game.players[seat]
    if box.ledger_on:
        note_building(game, box, Note.COMPLETED, seat, building, 0)
    player.markers += 1 - box.craft_buildings[building].symbols
    player.done |= 1 << building
    player.building_round[building] = game.round_number
    is_first = game.first_seat[building] < 0
    if is_first:
        game.first_seat[building] = seat
        points = int(box.buildings.first_completion_vp) + int(box.craft_buildings[building].first_bonus_vp)
        award(game, box, seat, points, Reason.FIRST, REF_BUILDING + building)
    award(
        game,
        box,
        seat,
        int(box.buildings.vp_per_round) * int(game.round_number) + int(box.craft_buildings[building].bonus_vp),
        Reason.BUILDING,
        REF_BUILDING + building,
    )
    if is_first and game.opened < game.blocked_count:
        open_next(game, box, seat)
    push_effect(game, seat, box.craft_buildings[building].immediate, Reason.CRAFT_IMMEDIATE, REF_BUILDING + building)
    push_event(game, seat, Event.BUILDING_DONE, 0)


@kernel
def open_next(game, box, seat):
    """D4: the blocked building with the lowest order marker is open to all."""
    building = int(game.blocked[game.opened])
    game.opened += 1
    if box.ledger_on:
        note_building(game, box, Note.OPENED, seat, building, game.opened)
    points = int(box.buildings.unlock_vp) + int(box.craft_buildings[building].unlock_bonus_vp)
    award(game, box, seat, points, Reason.UNLOCK, REF_BUILDING + building)


@kernel
def award(game, box, seat, points, reason, ref):
    """Points, if there are any."""
    if points != 0:
        credit(game, box, seat, Item.VP, points, because(reason, ref))


@kernel
def complete_barrow(game, box, seat, slot):
    """D7: its points, 1 commodity, the card to the discard pile, its markers back, then the market."""
    player = game.players[seat]
    card = int(player.barrows[slot])
    award(game, box, seat, int(box.cards[card].barrow_vp), Reason.BARROW, card)
    push_event(game, seat, Event.BARROW_DONE, 0)
    push_market_marker(game, seat, int(box.cards[card].market_value), 0, Reason.BARROW, card)
    push_slot(game, Step.BARROW_GONE, seat, slot, card)
    receive(game, box, seat, Item.COMMODITY, 1, because(Reason.BARROW, card))


@inlined
def remove_barrow(game, box, seat, slot, card):
    """D7: the completed card leaves the farm and its markers return."""
    player = game.players[seat]
    player.markers -= box.cards[card].barrow_size
    player.barrows[slot] = 0
    player.barrows_done += 1
    move_card(game, box, card, IN_DISCARD, Reason.BARROW, card)
