"""A plan for one decision: which barrows and buildings are worth finishing, and what each good is worth for that.

All worths are in points. The plan is noted in `box.scratch`: the worth of each item at its number, the rate of a delivery to each barrow slot
from BARROW_RATE, to each building from BUILDING_RATE, goods short from SHORT, and the single figures named below.
"""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.deliveries import accepts
from lagranja_sim.games.lagranja.rules.holdings import free_markers, free_pig_spaces, markers_on_barrow
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, KINDS, RESOURCES, UPGRADED_FROM, Item
from lagranja_sim.games.lagranja.rules.state import SLOTS
from lagranja_sim.games.lagranja.toolkit.needs import deliveries_to_come, held, making_price
from lagranja_sim.games.lagranja.toolkit.worth import building_points_now

# --- the weights of a plan, in the order of policies/balanced.py -----------------------------------------------------------------------
(W_SILVER, W_COMMODITY, W_DELIVERY, W_SHARE, W_BARROW, W_BUILDING, W_MARKET, W_PATIENCE, W_LACK, W_PERMANENT, W_FIELD, W_HELPER, W_EXTENSION,
 W_CARD, W_ORDER, W_SIESTA, W_ROOF, W_SAVE, W_KEEP, W_PIG, W_THRESHOLD, W_REMOVAL, W_SAFETY, W_FINISH, W_HOLD, W_GOOD, W_CROWD, W_PAYMENT,
 W_TRADE, W_STREAM) = range(30)  # fmt: skip

# --- places in the scratch ---------------------------------------------------------------------------------------------------------------
BARROW_RATE, BUILDING_RATE = 16, 20  # by slot and building
SHORT = 26  # by kind: what targets worth finishing want beyond what is held; below 0 a surplus
BEST_UPGRADE, SECOND_UPGRADE, BEST_RATE, STEP_WORTH, ROUNDS_LEFT = range(36, 41)
HELD, MAKE = 0, 9  # in `box.counts`, by kind: units held, and what one more would cost in silver
KEPT = 41  # by good: what one of those held is worth where it is, and would be lost with it
BREEDER = 48  # the piglets of later rounds that are lost with a pig of a pair, or towards one
MARKER_PRICE = 49  # L1: the least that is lost by giving up a marker, 0 while one is free


@inlined
def note_stock(box, player):
    """What is held of each kind, and what one more unit would cost in silver."""
    for kind in range(KINDS):
        box.counts[HELD + kind] = held(player, kind)
        box.counts[MAKE + kind] = int(making_price(box, player, kind))


@inlined
def lacking_price(box, missing):
    """As `price_to_finish`, from the stock noted: every target asks for it at every decision."""
    price = 0
    for kind in range(KINDS):
        price += max(0, int(missing[kind]) - int(box.counts[HELD + kind])) * int(box.counts[MAKE + kind])
    return price


@inlined
def marker_worth(game, box, weights):
    """M4: a market marker's points over the rounds left, some of which it will not see."""
    return weights[W_MARKET] * float(box.market.marker_vp) * box.scratch[ROUNDS_LEFT]


@inlined
def barrow_worth(game, box, card, weights):
    """D7: a barrow's points, commodity and market marker."""
    return weights[W_BARROW] * (box.cards[card].barrow_vp + weights[W_COMMODITY] + marker_worth(game, box, weights))


@inlined
def permanent_worth(box, building, weights):
    """What a craft marker brings beyond its points: now, and in each round to come."""
    later = max(0.0, box.scratch[ROUNDS_LEFT] - 1.0)
    silver, delivery = weights[W_SILVER], weights[W_DELIVERY]
    if building == 0:
        return 3.0 * silver * (1.0 + later)
    if building == 1:
        return (delivery + 1.0) + later * (delivery + weights[W_ORDER])
    if building == 2:
        return weights[W_COMMODITY] * (1.0 + later)
    if building == 3:
        return weights[W_GOOD] * (1.0 + later)
    if building == 4:
        return 2.0 + 0.8 * later
    return 1.5 + 0.8 * later


@inlined
def building_worth(game, box, seat, building, weights):
    """D3-D5: points now and the craft marker."""
    return weights[W_BUILDING] * (
        building_points_now(game, box, seat, building) + weights[W_PERMANENT] * permanent_worth(box, building, weights)
    )


@inlined
def delivery_rate(worth, price, left, soon, weights):
    """Points that each delivery to a target is worth if the target is finished."""
    if left > soon:
        return 0.0
    return (worth - weights[W_LACK] * weights[W_SILVER] * price) / (left + weights[W_PATIENCE])


@inlined
def note_need(box, missing, worth):
    """A target's goods are worth a share of its rate, as long as they are short. Returns whether something held can go there."""
    feeds = False
    for kind in range(KINDS):
        wanted = missing[kind] > 0
        box.scratch[SHORT + kind] += float(missing[kind])
        box.scratch[kind] = max(box.scratch[kind], worth if wanted else 0.0)
        feeds |= wanted and box.counts[HELD + kind] > 0
    return feeds


@inlined
def note_target(box, missing, worth, left, soon, weights):
    """The rate of one target; if it is worth finishing its needs, and if something held can go there what the best delivery brings."""
    rate = delivery_rate(worth, lacking_price(box, missing), left, soon, weights)
    if rate > weights[W_THRESHOLD] and note_need(box, missing, weights[W_SHARE] * rate):
        box.scratch[BEST_RATE] = max(box.scratch[BEST_RATE], rate)
    return rate


@inlined
def note_targets(game, box, seat, weights):
    """The rates of all targets, and the needs of those worth finishing."""
    player = game.players[seat]
    soon = deliveries_to_come(game, box, seat)
    for slot in range(SLOTS):
        box.scratch[BARROW_RATE + slot] = -1.0
        left = int(player.barrow_left[slot])
        if player.barrows[slot] > 0 and left > 0:
            worth = barrow_worth(game, box, player.barrows[slot], weights)
            box.scratch[BARROW_RATE + slot] = note_target(box, player.barrow_missing[slot], worth, left, soon, weights)
    for building in range(len(BUILDINGS)):
        box.scratch[BUILDING_RATE + building] = -1.0
        if accepts(game, seat, building):
            left, worth = int(player.row_left[building]), building_worth(game, box, seat, building, weights)
            box.scratch[BUILDING_RATE + building] = note_target(box, player.row_missing[building], worth, left, soon, weights)


@inlined
def note_surplus(box, weights):
    """Beyond what is needed a good is worth what it sells for; so is one nobody needs. The last one needed is lost dearly, and gained cheaply."""
    for kind in range(Item.MEAT + 1):
        box.scratch[SHORT + kind] -= float(box.counts[HELD + kind])
        base = weights[W_KEEP] * weights[W_SILVER] * float(box.prices.sell[kind]) if kind < RESOURCES else 0.1
        needed = max(base, box.scratch[kind])
        box.scratch[KEPT + kind] = needed if box.scratch[SHORT + kind] >= 0.0 else base
        box.scratch[kind] = needed if box.scratch[SHORT + kind] > 0.0 else base
    box.scratch[Item.SILVER] = weights[W_SILVER]
    box.scratch[Item.COMMODITY] = max(weights[W_COMMODITY], box.scratch[Item.COMMODITY])
    box.scratch[Item.VP] = 1.0


@inlined
def note_breeding(box, player, free, weights):
    """F6: a pig of a pair, or towards one, is also worth the piglets of later rounds, on a farm with more spaces than the pair takes."""
    pigs = int(player.stock[Item.PIG])
    piglets = weights[W_PIG] * max(0.0, box.scratch[ROUNDS_LEFT] - 1.0) if pigs + free > box.farm.breeding_pigs else 0.0
    box.scratch[BREEDER] = piglets if pigs <= box.farm.breeding_pigs else 0.0
    box.scratch[KEPT + Item.PIG] += box.scratch[BREEDER]
    if pigs < box.farm.breeding_pigs:
        box.scratch[Item.PIG] += piglets


@inlined
def note_upgrades(box, weights):
    """A resource to be gained is worth what its upgraded good is, less the price; and the best upgrades of two kinds at hand are noted."""
    best, second = 0.0, 0.0
    for resource in range(RESOURCES):
        upgraded = box.scratch[UPGRADED_FROM[resource]]
        raised = upgraded - weights[W_SILVER] * float(box.prices.upgrade[resource])
        if box.counts[HELD + resource] > 0:
            gain = upgraded - box.scratch[KEPT + resource]
            if gain > best:
                second, best = best, gain
            elif gain > second:
                second = gain
        if raised > box.scratch[resource]:
            box.scratch[resource] = raised
    box.scratch[BEST_UPGRADE] = best
    box.scratch[SECOND_UPGRADE] = second


@inlined
def note_steps(game, box, seat, weights):
    """A step on the siesta track: the points it may bring and the place in the order."""
    player = game.players[seat]
    if player.siesta >= box.siesta_top:
        box.scratch[STEP_WORTH] = 0.0
        return
    ahead = float(box.transport.siesta_vp[player.siesta + 1] - box.transport.siesta_vp[player.siesta])
    box.scratch[STEP_WORTH] = weights[W_SIESTA] * max(0.5, ahead) + weights[W_ORDER]


@inlined
def plan(game, box, seat, weights):
    """Note rates and worths for a seat at this decision."""
    for index in range(ROUNDS_LEFT):
        box.scratch[index] = 0.0
    box.scratch[ROUNDS_LEFT] = 1.0 + box.game.rounds - game.round_number
    note_stock(box, game.players[seat])
    note_targets(game, box, seat, weights)
    note_surplus(box, weights)
    free = free_pig_spaces(game, box, seat)
    note_breeding(box, game.players[seat], free, weights)
    note_upgrades(box, weights)
    if free == 0:  # F12: one more would be sold at once
        box.scratch[Item.PIG] = weights[W_SILVER] * float(box.prices.sell[Item.PIG])
    note_steps(game, box, seat, weights)
    box.scratch[MARKER_PRICE] = cheapest_marker(game, box, seat, weights) if free_markers(game, box, seat) <= 0 else 0.0


@kernel
def cheapest_marker(game, box, seat, weights):
    """L1: the least that could be lost by giving up a marker."""
    player, least = game.players[seat], np.inf
    for thing in range(len(player.stock)):
        if thing != Item.SILVER and thing != Item.VP and player.stock[thing] > 0:
            least = min(least, lost_worth(box, thing))
    for slot in range(SLOTS):
        for kind in range(KINDS):
            if markers_on_barrow(player, box, slot, kind) > 0:
                least = min(least, lost_worth(box, kind))
    for space in range(box.space_count):
        if game.space_owner[space] == seat:
            least = min(least, marker_worth(game, box, weights))
    return least


@inlined
def lost_worth(box, thing):
    """What is lost with an item given away, wherever it lies: its use where it is or, for a resource, upgraded."""
    if thing >= FIELD:
        thing -= FIELD
    if thing <= Item.MEAT:
        return max(box.scratch[KEPT + thing], box.scratch[thing])
    return box.scratch[thing]
