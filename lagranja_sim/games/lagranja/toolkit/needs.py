"""What a farm holds, what its barrows and buildings still need, and the deliveries left for it. It only counts, without weights or a plan."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.deliveries import accepts
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, HARVEST, KINDS, RESOURCES, UPGRADED_FROM, Ask, Phase
from lagranja_sim.games.lagranja.rules.state import SLOTS
from lagranja_sim.games.lagranja.rules.transport import purchasable_deliveries
from lagranja_sim.games.lagranja.toolkit.worth import good_price
from lagranja_sim.kit.agenda import top


@inlined
def held(player, kind):
    """Units of a kind on the farm, on fields included."""
    return int(player.stock[kind]) + (int(player.stock[FIELD + kind]) if kind < HARVEST else 0)


@kernel
def needed(game, seat, kind):
    """Free symbols of a kind on the barrows of a seat and on its rows of buildings that take deliveries."""
    player = game.players[seat]
    total = 0
    for slot in range(SLOTS):
        if player.barrows[slot] > 0:
            total += player.barrow_missing[slot, kind]
    for building in range(len(BUILDINGS)):
        if accepts(game, seat, building):
            total += player.row_missing[building, kind]
    return total


@kernel
def short(game, seat, kind):
    """Units of a kind needed beyond those held."""
    return max(0, needed(game, seat, kind) - held(game.players[seat], kind))


@inlined
def making_price(box, player, kind):
    """What one more unit of a kind costs in silver: bought, or made of a resource at hand, whichever is less."""
    price = good_price(box, kind)
    if kind < RESOURCES:
        return price
    for resource in range(RESOURCES):
        if UPGRADED_FROM[resource] == kind and held(player, resource) > 0:
            price = min(price, float(box.prices.upgrade[resource]))
    return price


@kernel
def price_to_finish(box, player, missing):
    """What the goods missing on a row or barrow, beyond those held, cost in silver at least: printed prices, and a good may be counted on twice.

    missing: free symbols by kind, as the farm keeps them.
    """
    price = 0.0
    for kind in range(KINDS):
        price += max(0, int(missing[kind]) - held(player, kind)) * making_price(box, player, kind)
    return price


@inlined
def deliveries_to_come(game, box, seat):
    """About how many deliveries a seat has left: four in each later round; in this one four, or from its transport on those at hand or for sale."""
    player, task = game.players[seat], top(game)
    later = 4 * (int(box.game.rounds) - int(game.round_number))
    if game.phase == Phase.FARM or game.phase == Phase.REVENUE or task.kind == Ask.CHOOSE_DONKEY:
        return later + 4
    at_hand = int(task.n) if task.seat == seat and (task.kind == Ask.FREE_DELIVERY or task.kind == Ask.DELIVER) else 0
    return later + at_hand + purchasable_deliveries(game, box, seat) - int(player.bought_deliveries)
