"""What goods, deliveries and targets are worth at first sight: printed prices and printed points."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.names import FIELD, RESOURCES, Item


@kernel
def good_price(box, thing):
    """An item in silver: what it costs to buy, upgraded goods with their upgrade, a point by the exchange at the end."""
    if thing >= FIELD:
        thing -= FIELD
    if thing < RESOURCES:
        return float(box.prices.buy[thing])
    if thing == Item.FOOD:
        return float(box.prices.buy[0] + box.prices.upgrade[0])
    if thing == Item.WINE:
        return float(box.prices.buy[2] + box.prices.upgrade[2])
    if thing == Item.MEAT:
        return float(box.prices.buy[Item.PIG] + box.prices.upgrade[Item.PIG])
    return silver_price(box, thing)


@kernel
def silver_price(box, thing):
    """Silver, a commodity or a point in silver."""
    if thing == Item.COMMODITY:
        return float(box.prices.commodity_silver)
    if thing == Item.VP:
        return float(box.prices.silver_per_vp)
    return 1.0 if thing == Item.SILVER else 0.0


@kernel
def building_points_now(game, box, seat, building):
    """D3, D4: the points for completing a building this round, opening and first completion included."""
    points = int(box.buildings.vp_per_round) * int(game.round_number) + int(box.craft_buildings[building].bonus_vp)
    if game.first_seat[building] < 0:
        points += int(box.buildings.first_completion_vp) + int(box.craft_buildings[building].first_bonus_vp)
        if game.opened < game.blocked_count:
            points += int(box.buildings.unlock_vp) + int(box.craft_buildings[game.blocked[game.opened]].unlock_bonus_vp)
    return points


@kernel
def barrow_points_now(game, box, seat, slot):
    """D7: the points of a barrow, its commodity at the end's exchange rate not counted."""
    return int(box.cards[game.players[seat].barrows[slot]].barrow_vp)


@kernel
def delivery_points(game, box, seat, option):
    """A delivery's even share of its target's points."""
    if option.building >= 0:
        return building_points_now(game, box, seat, option.building) / float(box.craft_buildings[option.building].symbols)
    card = game.players[seat].barrows[option.slot]
    return barrow_points_now(game, box, seat, option.slot) / float(box.cards[card].barrow_size)
