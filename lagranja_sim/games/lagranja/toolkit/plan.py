"""A plan for one decision: which barrows and buildings are worth finishing, and what each good is worth for that.

All worths are in points. The plan is a record of a policy's notes (toolkit/notes.py), made anew at each decision.
"""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.deliveries import accepts
from lagranja_sim.games.lagranja.rules.holdings import free_markers, free_pig_spaces, markers_on_barrow
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, KINDS, RESOURCES, UPGRADED_FROM, Item
from lagranja_sim.games.lagranja.rules.state import SLOTS
from lagranja_sim.games.lagranja.toolkit.craft_markers import craft_marker_worth, note_craft_markers
from lagranja_sim.games.lagranja.toolkit.needs import deliveries_to_come, held, making_price
from lagranja_sim.games.lagranja.toolkit.weights import Weight
from lagranja_sim.games.lagranja.toolkit.worth import building_points_now


@inlined
def note_weights(box, weights, plan):
    """Note the weights and, when they are new (once a game), what follows from them and from the printed components alone."""
    are_new = False
    for index in range(len(plan.weights)):
        are_new |= plan.weights[index] != weights[index]
        plan.weights[index] = weights[index]
    if are_new:
        note_craft_markers(box, plan)


@inlined
def note_stock(box, player, plan):
    """Note what is held of each kind, and what one more unit would cost in silver."""
    for kind in range(KINDS):
        plan.held[kind] = held(player, kind)
        plan.making_price[kind] = int(making_price(box, player, kind))


@inlined
def lacking_price(plan, missing):
    """As `price_to_finish`, but fast, from the stock noted: it is computed for every target at every decision."""
    price = 0
    for kind in range(KINDS):
        price += max(0, int(missing[kind]) - int(plan.held[kind])) * int(plan.making_price[kind])
    return price


@inlined
def marker_worth(box, plan):
    """M4: a market marker's points over the rounds left, less for those at whose end it may be gone."""
    return plan.weights[Weight.MARKET] * float(box.market.marker_vp) * plan.rounds_left


@inlined
def barrow_worth(box, card, plan):
    """D7: a barrow's points, commodity and market marker."""
    return plan.weights[Weight.BARROW] * (box.cards[card].barrow_vp + plan.weights[Weight.COMMODITY] + marker_worth(box, plan))


@inlined
def building_worth(game, box, seat, building, plan):
    """D3-D5: points now and the craft marker."""
    return plan.weights[Weight.BUILDING] * (
        building_points_now(game, box, seat, building) + plan.weights[Weight.PERMANENT] * craft_marker_worth(building, plan)
    )


@inlined
def delivery_rate(worth, price, left, soon, plan):
    """Points that each delivery to a target is worth if the target is finished."""
    if left > soon:
        return 0.0
    return (worth - plan.weights[Weight.LACK] * plan.weights[Weight.SILVER] * price) / (left + plan.weights[Weight.PATIENCE])


@inlined
def note_need(missing, worth, plan):
    """A target's goods are worth a share of its rate, as long as they are short. Returns whether something held can go there."""
    feeds = False
    for kind in range(KINDS):
        is_missing = missing[kind] > 0
        plan.short[kind] += float(missing[kind])
        plan.worth[kind] = max(plan.worth[kind], worth if is_missing else 0.0)
        feeds |= is_missing and plan.held[kind] > 0
    return feeds


@inlined
def note_target(missing, worth, left, soon, plan):
    """The rate of one target. If it is worth finishing, its needs are noted; if also something held can go there, the best rate of a delivery."""
    rate = delivery_rate(worth, lacking_price(plan, missing), left, soon, plan)
    if rate > plan.weights[Weight.THRESHOLD] and note_need(missing, plan.weights[Weight.SHARE] * rate, plan):
        plan.best_rate = max(plan.best_rate, rate)
    return rate


@inlined
def note_targets(game, box, seat, plan):
    """Note the rates of all targets, and the needs of those worth finishing."""
    player = game.players[seat]
    soon = deliveries_to_come(game, box, seat)
    for slot in range(SLOTS):
        plan.barrow_rate[slot] = -1.0
        left = int(player.barrow_left[slot])
        if player.barrows[slot] > 0 and left > 0:
            worth = barrow_worth(box, player.barrows[slot], plan)
            plan.barrow_rate[slot] = note_target(player.barrow_missing[slot], worth, left, soon, plan)
    for building in range(len(BUILDINGS)):
        plan.building_rate[building] = -1.0
        if accepts(game, seat, building):
            left, worth = int(player.row_left[building]), building_worth(game, box, seat, building, plan)
            plan.building_rate[building] = note_target(player.row_missing[building], worth, left, soon, plan)


@inlined
def note_surplus(box, plan):
    """A good is worth what it sells for if no target needs it or more are held than needed. Where just enough are held, losing one costs its use,
    and one more brings the price only."""
    for kind in range(Item.MEAT + 1):
        plan.short[kind] -= float(plan.held[kind])
        base = plan.weights[Weight.KEEP] * plan.weights[Weight.SILVER] * float(box.prices.sell[kind]) if kind < RESOURCES else 0.1
        worth_if_needed = max(base, plan.worth[kind])
        plan.kept[kind] = worth_if_needed if plan.short[kind] >= 0.0 else base
        plan.worth[kind] = worth_if_needed if plan.short[kind] > 0.0 else base
    plan.worth[Item.SILVER] = plan.weights[Weight.SILVER]
    plan.worth[Item.COMMODITY] = max(plan.weights[Weight.COMMODITY], plan.worth[Item.COMMODITY])
    plan.worth[Item.VP] = 1.0


@inlined
def note_breeding(box, player, free, plan):
    """F6: a pig of a pair, or towards one, is also worth the piglets of later rounds, on a farm with more spaces than the pair takes."""
    pigs = int(player.stock[Item.PIG])
    piglets = plan.weights[Weight.PIG] * max(0.0, plan.rounds_left - 1.0) if pigs + free > box.farm.breeding_pigs else 0.0
    plan.breeder = piglets if pigs <= box.farm.breeding_pigs else 0.0
    plan.kept[Item.PIG] += plan.breeder
    if pigs < box.farm.breeding_pigs:
        plan.worth[Item.PIG] += piglets


@inlined
def note_upgrades(box, plan):
    """A resource to be gained is worth what its upgraded good is, less the price; and the two best upgrades of resources at hand are noted."""
    best, second = 0.0, 0.0
    for resource in range(RESOURCES):
        upgraded_worth = plan.worth[UPGRADED_FROM[resource]]
        raised_worth = upgraded_worth - plan.weights[Weight.SILVER] * float(box.prices.upgrade[resource])
        if plan.held[resource] > 0:
            gain = upgraded_worth - plan.kept[resource]
            if gain > best:
                second, best = best, gain
            elif gain > second:
                second = gain
        if raised_worth > plan.worth[resource]:
            plan.worth[resource] = raised_worth
    plan.best_upgrade = best
    plan.second_upgrade = second


@inlined
def note_steps(game, box, seat, plan):
    """A step on the siesta track: the points it may bring and the place in the order."""
    player = game.players[seat]
    if player.siesta >= box.siesta_top:
        plan.step_worth = 0.0
        return
    ahead = float(box.transport.siesta_vp[player.siesta + 1] - box.transport.siesta_vp[player.siesta])
    plan.step_worth = plan.weights[Weight.SIESTA] * max(0.5, ahead) + plan.weights[Weight.ORDER]


@inlined
def make_plan(game, box, seat, weights, plan):
    """Note rates and worths for a seat at this decision."""
    note_weights(box, weights, plan)
    for thing in range(len(plan.worth)):
        plan.worth[thing] = 0.0
    for kind in range(KINDS):
        plan.short[kind] = 0.0
    plan.best_rate = 0.0
    plan.rounds_left = 1.0 + box.game.rounds - game.round_number
    note_stock(box, game.players[seat], plan)
    note_targets(game, box, seat, plan)
    note_surplus(box, plan)
    free = free_pig_spaces(game, box, seat)
    note_breeding(box, game.players[seat], free, plan)
    note_upgrades(box, plan)
    if free == 0:  # F12: one more would be sold at once
        plan.worth[Item.PIG] = plan.weights[Weight.SILVER] * float(box.prices.sell[Item.PIG])
    note_steps(game, box, seat, plan)
    plan.marker_price = cheapest_marker(game, box, seat, plan) if free_markers(game, box, seat) <= 0 else 0.0


@kernel
def cheapest_marker(game, box, seat, plan):
    """L1: the least that could be lost by giving up a marker."""
    player, least = game.players[seat], np.inf
    for thing in range(len(player.stock)):
        if thing != Item.SILVER and thing != Item.VP and player.stock[thing] > 0:
            least = min(least, lost_worth(plan, thing))
    for slot in range(SLOTS):
        for kind in range(KINDS):
            if markers_on_barrow(player, box, slot, kind) > 0:
                least = min(least, lost_worth(plan, kind))
    for space in range(box.space_count):
        if game.space_owner[space] == seat:
            least = min(least, marker_worth(box, plan))
    return least


@inlined
def lost_worth(plan, thing):
    """What is lost with an item given away, wherever it lies: its use where it is or, for a resource, upgraded."""
    if thing >= FIELD:
        thing -= FIELD
    if thing <= Item.MEAT:
        return max(plan.kept[thing], plan.worth[thing])
    return plan.worth[thing]
