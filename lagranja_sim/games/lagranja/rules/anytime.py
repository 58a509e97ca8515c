"""What may be done at any time of an own turn (A0-A5), and giving up markers (L1)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.abilities import FROM_ROOF
from lagranja_sim.games.lagranja.rules.agenda import push
from lagranja_sim.games.lagranja.rules.availability import alternative_prospect, is_usable
from lagranja_sim.games.lagranja.rules.effects import push_parts
from lagranja_sim.games.lagranja.rules.events import put_use, use
from lagranja_sim.games.lagranja.rules.holdings import (
    NOTHING,
    credit,
    free_markers,
    free_pig_spaces,
    marker_prospect,
    markers_on_barrow,
    receive,
    take_off_space,
    wait_for_marker,
)
from lagranja_sim.games.lagranja.rules.ledger import because
from lagranja_sim.games.lagranja.rules.modifiers import modified_price, modifier
from lagranja_sim.games.lagranja.rules.names import (
    FIELD,
    HARVEST,
    KINDS,
    RESOURCES,
    UPGRADED_FROM,
    Ask,
    Do,
    Item,
    Passive,
    Reason,
    Step,
    When,
)
from lagranja_sim.games.lagranja.rules.options import put, put_good, put_number
from lagranja_sim.games.lagranja.rules.state import SLOTS
from lagranja_sim.kit.agenda import count_down, drop, dropped_task, kind_of, top


@kernel
def list_options(game, box, kind, seat, options):
    """A0: what may be done before a turn passes; R5: free upgrades; L1: markers to give up."""
    if kind == Ask.END_TURN:
        n = list_anytime(game, box, kind, seat, options, 0)
        return put(game, options, n, Do.DONE)
    if kind == Ask.UPGRADE:
        return list_upgrades(game, seat, int(top(game).what), options)
    return list_markers_to_give_up(game, box, seat, options)


@kernel
def apply_option(game, box, kind, seat, option):
    """A good is upgraded freely (R5), a marker given up or not (L1)."""
    if kind == Ask.UPGRADE:
        reason, ref = int(top(game).reason), int(top(game).ref)
        count_down(game)
        upgrade(game, box, seat, int(option.good), reason, ref)
    elif option.do == Do.FORGO:
        forgo(game)
    else:
        give_up(game, box, seat, int(option.good), int(option.slot), int(option.space))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    if kind == Step.BUY:
        buy(game, box, seat, int(dropped_task(game).what), int(dropped_task(game).n))
    else:
        game.turn_seat = -1
        game.die_face = 0


# --- turns -----------------------------------------------------------------------------------------------------------------------------


@kernel
def open_turn(game, box, seat):
    """A turn begins (A0) with its allowance of anytime actions (A5); below everything of it lies its end."""
    game.turn_seat = seat
    game.anytime_left = box.game.anytime_actions_a_turn
    push(game, Step.CLOSE_TURN, seat)


@kernel
def close_window(game):
    """A window answered with `done`: the turn has passed, so it is not asked once more before it does."""
    drop(game)
    if kind_of(game) == Ask.END_TURN:
        drop(game)


# --- what may be done at any time of it ----------------------------------------------------------------------------------------------------


@kernel
def list_anytime(game, box, window, seat, options, n):
    """A0: trade and abilities, which stand beside the options of each window."""
    if game.anytime_left <= 0:
        return n
    n = list_trade(game, box, seat, options, n)
    return list_abilities(game, box, seat, window, options, n)


@inlined
def is_anytime(kind, do):
    """Whether an option is one of these; an offer and a free upgrade are answered alike, but they are not."""
    if do == Do.BUY or do == Do.SELL or do == Do.USE_COMMODITY:
        return True
    return (do == Do.UPGRADE and kind != Ask.UPGRADE) or ((do == Do.USE_ROOF or do == Do.USE_HELPER) and kind != Ask.OFFER)


@inlined
def apply_anytime(game, box, seat, option):
    """A1-A4 carried out."""
    game.anytime_left -= 1
    if option.do == Do.USE_ROOF:
        use(game, box, seat, FROM_ROOF + option.slot)
    elif option.do == Do.USE_HELPER:
        use(game, box, seat, int(option.slot))
    else:
        trade(game, box, seat, option)


@inlined
def list_trade(game, box, seat, options, n):
    """A1-A3: buying, selling, upgrading and returning a commodity."""
    if game.anytime_left <= 0:
        return n
    player = game.players[seat]
    silver = int(player.stock[Item.SILVER])
    has_space = free_pig_spaces(game, box, seat) > 0
    buying, selling = modifier(game, box, seat, Passive.BUY_PRICE), modifier(game, box, seat, Passive.SELL_PRICE)
    upgrading = modifier(game, box, seat, Passive.UPGRADE_COST)
    has_marker = marker_prospect(game, box, seat) > NOTHING
    for good in range(RESOURCES):
        price = modified_price(box.prices.buy[good], buying)
        if silver >= price and has_marker and (good != Item.PIG or has_space):
            n = put_good(game, options, n, Do.BUY, good, price)
        if player.stock[good] > 0:
            n = put_good(game, options, n, Do.SELL, good, modified_price(box.prices.sell[good], selling))
        price = modified_price(box.prices.upgrade[good], upgrading)
        if silver >= price:
            if player.stock[good] > 0:
                n = put_good(game, options, n, Do.UPGRADE, good, price)
            if good < HARVEST and player.stock[FIELD + good] > 0:
                n = put_good(game, options, n, Do.UPGRADE, FIELD + good, price)
    if player.stock[Item.COMMODITY] > 0:
        n = list_commodity_uses(game, box, seat, options, n)
    return n


@inlined
def list_commodity_uses(game, box, seat, options, n):
    """A1, A6: each alternative that would do something once the commodity is returned."""
    player, run = game.players[seat], box.effects[box.prices.commodity_uses]
    player.stock[Item.COMMODITY] -= 1
    player.markers -= 1
    for alternative in range(run.first, run.first + run.length):
        if alternative_prospect(game, box, seat, alternative, Reason.COMMODITY, 0) > NOTHING:
            n = put_number(game, options, n, Do.USE_COMMODITY, alternative)
    player.stock[Item.COMMODITY] += 1
    player.markers += 1
    return n


@inlined
def list_abilities(game, box, seat, window, options, n):
    """A4: face-up roofs and helpers that may be used; while a die is being taken also those that change it (R3)."""
    player = game.players[seat]
    for space in range(player.roof_count):
        if not player.roof_used[space] and is_offered(box.roofs[player.roofs[space]].when, window):
            if is_usable(game, box, seat, FROM_ROOF + space):
                n = put_use(game, seat, FROM_ROOF + space, options, n)
    for slot in range(SLOTS):
        card = player.helpers[slot]
        if card > 0 and is_offered(box.cards[card].helper.when, window) and is_usable(game, box, seat, slot):
            n = put_use(game, seat, slot, options, n)
    return n


@inlined
def is_offered(when, window):
    """Whether an ability is used at will in this window."""
    return when == When.ACTION or (when == When.BEFORE_DIE and window == Ask.TAKE_DIE)


@kernel
def trade(game, box, seat, option):
    """A1-A3 carried out."""
    thing, price = int(option.good), int(option.n)
    if option.do == Do.BUY and free_markers(game, box, seat) <= 0:
        task = push(game, Step.BUY, seat)
        task.what = thing
        task.n = price
        wait_for_marker(game, seat)
    elif option.do == Do.BUY:
        buy(game, box, seat, thing, price)
    elif option.do == Do.SELL:
        credit(game, box, seat, thing, -1, because(Reason.SELL, 0))
        pay_silver(game, box, seat, -price, Reason.SELL)
    elif option.do == Do.UPGRADE:
        pay_silver(game, box, seat, price, Reason.UPGRADE)
        upgrade(game, box, seat, thing, Reason.UPGRADE, 0)
    else:
        credit(game, box, seat, Item.COMMODITY, -1, because(Reason.COMMODITY, 0))
        push_parts(game, box, seat, option.n, Reason.COMMODITY, 0)


@kernel
def buy(game, box, seat, good, price):
    """A2: a marker is free for it by now (L1)."""
    pay_silver(game, box, seat, price, Reason.BUY)
    receive(game, box, seat, good, 1, because(Reason.BUY, 0))


@kernel
def pay_silver(game, box, seat, price, reason):
    """A price, unless it is nothing; a negative one is an income."""
    if price != 0:
        credit(game, box, seat, Item.SILVER, -price, because(reason, 0))


# --- upgrading ---------------------------------------------------------------------------------------------------------------------------


@inlined
def list_upgrades(game, seat, only, options):
    """R5: free upgrades of what lies in dens, on fields and in stables."""
    player, n = game.players[seat], 0
    for good in range(RESOURCES):
        if only >= 0 and good != only:
            continue
        if player.stock[good] > 0:
            n = put_good(game, options, n, Do.UPGRADE, good, 0)
        if good < HARVEST and player.stock[FIELD + good] > 0:
            n = put_good(game, options, n, Do.UPGRADE, FIELD + good, 0)
    return put(game, options, n, Do.DONE) if n > 0 else 0


@kernel
def upgrade(game, box, seat, thing, reason, ref):
    """A3: the marker moves from den, field or stable to the upgraded good."""
    good = thing - FIELD if thing >= FIELD else thing
    credit(game, box, seat, thing, -1, because(reason, ref))
    credit(game, box, seat, UPGRADED_FROM[good], 1, because(reason, ref))


# --- giving up markers ---------------------------------------------------------------------------------------------------------------------


@inlined
def list_markers_to_give_up(game, box, seat, options):
    """L1: any marker of dens, stables, fields, the storage, barrows or the market, or nothing."""
    player, n = game.players[seat], 0
    for thing in range(len(player.stock)):
        if thing != Item.SILVER and thing != Item.VP and player.stock[thing] > 0:
            n = put_good(game, options, n, Do.GIVE_UP, thing, 0)
    for slot in range(SLOTS):
        for kind in range(KINDS):
            if markers_on_barrow(player, box, slot, kind) > 0:
                n = put_good(game, options, n, Do.GIVE_UP, kind, 0)
                options[n - 1].slot = slot
    for space in range(box.space_count):
        if game.space_owner[space] == seat:
            n = put(game, options, n, Do.GIVE_UP)
            options[n - 1].space = space
    return put(game, options, n, Do.FORGO)


@kernel
def give_up(game, box, seat, thing, slot, space):
    """L1: the marker, of a barrow's symbol, a market space or a good, is free for what is being gained."""
    drop(game)
    player = game.players[seat]
    if slot >= 0:
        player.barrow_missing[slot, thing] += 1
        player.barrow_left[slot] += 1
        player.markers -= 1
    elif space >= 0:
        take_off_space(game, box, seat, space, Reason.GIVE_UP)
    else:
        credit(game, box, seat, thing, -1, because(Reason.GIVE_UP, 0))


@kernel
def forgo(game):
    """L1: the unit that needed a marker is not gained; the task below counts it."""
    drop(game)
    top(game).n -= 1
