"""What a position is worth when a round has been scored: the final points that such positions led to in games of `balanced`.

A linear regression of a seat's final points on what its farm shows, one for each round (`games.lagranja.fit_positions` makes the table anew).
"""

import numpy as np

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.deliveries import is_blocked
from lagranja_sim.games.lagranja.rules.modifiers import field_cards
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, KINDS, Item
from lagranja_sim.games.lagranja.rules.scoring import market_markers
from lagranja_sim.games.lagranja.rules.state import ROUNDS, SLOTS
from lagranja_sim.games.lagranja.toolkit.needs import held
from lagranja_sim.games.lagranja.toolkit.position_table import TABLE

# What is looked at, by place in the table.
(F_BIAS, F_POINTS, F_SILVER_HELD, F_COMMODITIES, F_GOODS, F_FIELDS, F_DELIVERY_ICONS, F_HAND_ICONS, F_HAND, F_BARROWS, F_BARROW_VP,
 F_BARROW_LOADED, F_BARROW_READY, F_ROWS_FILLED, F_ROWS_READY, F_DONE, F_MARKERS, F_ROOFS, F_ROOFS_FACE_UP, F_HELPERS, F_EXTENSIONS, F_PLACE,
 F_DONKEYS) = (
    0, 1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 17, 18, 19, 25, 26, 32, 33, 34, 35, 36, 37, 38)  # fmt: skip
FEATURES = 39
COEFFICIENTS = np.array(TABLE, np.float64).reshape(ROUNDS, FEATURES)


@kernel
def note_barrows(box, player, out):
    """Barrows on the farm: how many, their points, how far loaded, how much more could be loaded from what is held."""
    for slot in range(SLOTS):
        card = player.barrows[slot]
        if card == 0:
            continue
        value = float(box.cards[card].barrow_vp) / float(box.cards[card].barrow_size)
        out[F_BARROWS] += 1.0
        out[F_BARROW_VP] += box.cards[card].barrow_vp
        out[F_BARROW_LOADED] += value * (box.cards[card].barrow_size - player.barrow_left[slot])
        for kind in range(KINDS):
            out[F_BARROW_READY] += value * min(int(player.barrow_missing[slot, kind]), held(player, kind))


@kernel
def note_rows(game, box, player, out):
    """Rows of buildings not yet completed: how far filled, and how much more could be."""
    for building in range(len(BUILDINGS)):
        if (player.done >> building) & 1:
            out[F_DONE + building] = 1.0
        elif not is_blocked(game, building):
            out[F_ROWS_FILLED + building] = float(box.craft_buildings[building].symbols - player.row_left[building])
            for kind in range(KINDS):
                out[F_ROWS_READY] += min(int(player.row_missing[building, kind]), held(player, kind)) / float(
                    box.craft_buildings[building].symbols
                )


@kernel
def donkeys_left(box, player):
    """Deliveries of the donkey tiles not used up."""
    total = 0.0
    for tile in range(box.donkey_count):
        if not (player.donkeys_out >> tile) & 1:
            total += box.transport.donkeys[tile, 0]
    return total


@kernel
def describe(game, box, seat, out):
    """What a seat's farm shows, into `out`."""
    player = game.players[seat]
    for index in range(FEATURES):
        out[index] = 0.0
    out[F_BIAS] = 1.0
    out[F_POINTS] = player.stock[Item.VP]
    out[F_SILVER_HELD] = player.stock[Item.SILVER]
    out[F_COMMODITIES] = player.stock[Item.COMMODITY]
    for good in range(Item.MEAT + 1):
        out[F_GOODS + good] = min(held(player, good), 4)
    out[F_FIELDS] = field_cards(player)
    out[F_DELIVERY_ICONS] = player.delivery_icons
    out[F_HAND_ICONS] = player.hand_icons
    out[F_HAND] = player.hand_size
    note_barrows(box, player, out)
    note_rows(game, box, player, out)
    out[F_MARKERS] = market_markers(game, seat)
    out[F_ROOFS] = player.roof_count
    for space in range(player.roof_count):
        out[F_ROOFS_FACE_UP] += 1 - player.roof_used[space]
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            out[F_HELPERS] += 1.0
    out[F_EXTENSIONS] = player.extension_count
    for place in range(game.seats):
        if game.order[place] == seat:
            out[F_PLACE] = place
    out[F_DONKEYS] = donkeys_left(box, player)


@kernel
def final_sale(game, box, seat):
    """E2: points, with what a seat would still sell, after the last round."""
    player = game.players[seat]
    silver = float(player.stock[Item.SILVER]) + box.prices.commodity_silver * player.stock[Item.COMMODITY]
    for good in range(Item.PIG + 1):
        silver += float(player.stock[good]) * box.prices.sell[good]
    return float(player.stock[Item.VP]) + silver / box.prices.silver_per_vp


@kernel
def expected_points(game, box, seat, room):
    """The final points to expect of a seat when a round has been scored; `room` is space for FEATURES numbers."""
    if game.round_number >= box.game.rounds:
        return final_sale(game, box, seat)
    describe(game, box, seat, room)
    row = COEFFICIENTS[ROUNDS - (box.game.rounds - game.round_number) - 1]
    total = 0.0
    for index in range(FEATURES):
        total += row[index] * room[index]
    return total


@kernel
def expected_margin(game, box, seat, weight_of_best, room):
    """Points to expect beyond the others: their mean, or with weight 1 the best of them; for one player all."""
    if game.seats == 1:
        return expected_points(game, box, seat, room)
    best, total = -1000.0, 0.0
    for other in range(game.seats):
        if other != seat:
            points = expected_points(game, box, other, room)
            best = max(best, points)
            total += points
    others = weight_of_best * best + (1.0 - weight_of_best) * total / (game.seats - 1)
    return expected_points(game, box, seat, room) - others
