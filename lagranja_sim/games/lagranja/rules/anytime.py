"""What may be done at any time of an own turn (A0-A5), and giving up markers (L1)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import drop, push
from lagranja_sim.games.lagranja.rules.effects import FROM_ROOF, alternative_prospect, is_usable, push_parts, upgrade, use
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
from lagranja_sim.games.lagranja.rules.modifiers import changed, modifier
from lagranja_sim.games.lagranja.rules.names import FIELD, HARVEST, KINDS, RESOURCES, Ask, Do, Item, Passive, Reason, Step, When
from lagranja_sim.games.lagranja.rules.options import put, put_good, put_number
from lagranja_sim.games.lagranja.rules.state import SLOTS


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
        price = changed(box.prices.buy[good], buying)
        if silver >= price and has_marker and (good != Item.PIG or has_space):
            n = put_good(game, options, n, Do.BUY, good, price)
        if player.stock[good] > 0:
            n = put_good(game, options, n, Do.SELL, good, changed(box.prices.sell[good], selling))
        price = changed(box.prices.upgrade[good], upgrading)
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
    if game.anytime_left <= 0:
        return n
    player = game.players[seat]
    for space in range(player.roof_count):
        if not player.roof_used[space] and is_offered(box.roofs[player.roofs[space]].when, window):
            if is_usable(game, box, seat, FROM_ROOF + space):
                n = put(game, options, n, Do.USE_ROOF)
                options[n - 1].card = player.roofs[space]
                options[n - 1].slot = space
    for slot in range(SLOTS):
        card = player.helpers[slot]
        if card > 0 and is_offered(box.cards[card].helper.when, window) and is_usable(game, box, seat, slot):
            n = put(game, options, n, Do.USE_HELPER)
            options[n - 1].card = card
            options[n - 1].slot = slot
    return n


@inlined
def is_offered(when, window):
    """Whether an ability is used at will in this window."""
    return when == When.ACTION or (when == When.BEFORE_DIE and window == Ask.TAKE_DIE)


@kernel
def trade(game, box, seat, option):
    """A1-A3 carried out."""
    game.anytime_left -= 1
    thing, price = int(option.good), int(option.n)
    if option.do == Do.BUY and free_markers(game, box, seat) <= 0:
        push(game, Step.BUY, seat, price, thing, 0, 0, 0)
        wait_for_marker(game, seat)
    elif option.do == Do.BUY:
        buy(game, box, seat, thing, price)
    elif option.do == Do.SELL:
        credit(game, box, seat, thing, -1, Reason.SELL, 0)
        pay_silver(game, box, seat, -price, Reason.SELL)
    elif option.do == Do.UPGRADE:
        pay_silver(game, box, seat, price, Reason.UPGRADE)
        upgrade(game, box, seat, thing, Reason.UPGRADE, 0)
    else:
        credit(game, box, seat, Item.COMMODITY, -1, Reason.COMMODITY, 0)
        push_parts(game, box, seat, option.n, Reason.COMMODITY, 0)


@kernel
def buy(game, box, seat, good, price):
    """A2: a marker is free for it by now (L1)."""
    pay_silver(game, box, seat, price, Reason.BUY)
    receive(game, box, seat, good, 1, Reason.BUY, 0)


@kernel
def pay_silver(game, box, seat, price, reason):
    """A price, unless it is nothing; a negative one is an income."""
    if price != 0:
        credit(game, box, seat, Item.SILVER, -price, reason, 0)


@kernel
def use_ability(game, box, seat, source):
    """A4 carried out."""
    game.anytime_left -= 1
    use(game, box, seat, source)


@kernel
def list_markers_to_give_up(game, box, seat, options, n):
    """L1: any marker of dens, stables, fields, the storage, barrows or the market, or nothing."""
    player = game.players[seat]
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
        credit(game, box, seat, thing, -1, Reason.GIVE_UP, 0)


@kernel
def forgo(game):
    """L1: the unit that needed a marker is not gained; the task below counts it."""
    drop(game)
    game.agenda[game.depth - 1].n -= 1
