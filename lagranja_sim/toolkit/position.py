"""What a position is worth when a round has been scored: the final points that such positions led to in games of `balanced`.

A linear regression of a seat's final points on what its farm shows, one for each round (`lagranja_sim.fit_positions` makes the table anew).
"""

import numpy as np

from lagranja_sim.compile import kernel
from lagranja_sim.rules.deliveries import is_blocked
from lagranja_sim.rules.modifiers import field_cards
from lagranja_sim.rules.scoring import market_markers
from lagranja_sim.rules.state import BUILDINGS, COMMODITY, KINDS, MEAT, PIG, ROUNDS, SILVER, SLOTS, VP
from lagranja_sim.toolkit.plan import held
from lagranja_sim.toolkit.position_table import TABLE

# What is looked at, by place in the table.
(BIAS, POINTS, SILVER_HELD, COMMODITIES, GOODS, FIELDS, DELIVERY_ICONS, HAND_ICONS, HAND, BARROWS, BARROW_VP, BARROW_LOADED, BARROW_READY,
 ROWS_FILLED, ROWS_READY, DONE, MARKERS, ROOFS, ROOFS_FACE_UP, HELPERS, EXTENSIONS, PLACE, DONKEYS) = (
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
        out[BARROWS] += 1.0
        out[BARROW_VP] += box.cards[card].barrow_vp
        out[BARROW_LOADED] += value * (box.cards[card].barrow_size - player.barrow_left[slot])
        for kind in range(KINDS):
            out[BARROW_READY] += value * min(int(player.barrow_missing[slot, kind]), held(player, kind))


@kernel
def note_rows(game, box, player, out):
    """Rows of buildings not yet completed: how far filled, and how much more could be."""
    for building in range(len(BUILDINGS)):
        if (player.done >> building) & 1:
            out[DONE + building] = 1.0
        elif not is_blocked(game, building):
            out[ROWS_FILLED + building] = float(box.buildings[building].symbols - player.row_left[building])
            for kind in range(KINDS):
                out[ROWS_READY] += min(int(player.row_missing[building, kind]), held(player, kind)) / float(box.buildings[building].symbols)


@kernel
def donkeys_left(box, player):
    """Deliveries of the donkey tiles not used up."""
    total = 0.0
    for tile in range(box.donkey_count):
        if not (player.donkeys_out >> tile) & 1:
            total += box.donkeys[tile, 0]
    return total


@kernel
def describe(game, box, seat, out):
    """What a seat's farm shows, into `out`."""
    player = game.players[seat]
    for index in range(FEATURES):
        out[index] = 0.0
    out[BIAS] = 1.0
    out[POINTS] = player.stock[VP]
    out[SILVER_HELD] = player.stock[SILVER]
    out[COMMODITIES] = player.stock[COMMODITY]
    for good in range(MEAT + 1):
        out[GOODS + good] = min(held(player, good), 4)
    out[FIELDS] = field_cards(player)
    out[DELIVERY_ICONS] = player.delivery_icons
    out[HAND_ICONS] = player.hand_icons
    out[HAND] = player.hand_size
    note_barrows(box, player, out)
    note_rows(game, box, player, out)
    out[MARKERS] = market_markers(game, seat)
    out[ROOFS] = player.roof_count
    for space in range(player.roof_count):
        out[ROOFS_FACE_UP] += 1 - player.roof_used[space]
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            out[HELPERS] += 1.0
    out[EXTENSIONS] = player.extension_count
    for place in range(game.seats):
        if game.order[place] == seat:
            out[PLACE] = place
    out[DONKEYS] = donkeys_left(box, player)


@kernel
def final_sale(game, box, seat):
    """E2: points, with what a seat would still sell, after the last round."""
    player = game.players[seat]
    silver = float(player.stock[SILVER]) + box.commodity_silver * player.stock[COMMODITY]
    for good in range(PIG + 1):
        silver += float(player.stock[good]) * box.sell_price[good]
    return float(player.stock[VP]) + silver / box.silver_per_vp


@kernel
def expected_points(game, box, seat, room):
    """The final points to expect of a seat when a round has been scored; `room` is space for FEATURES numbers."""
    if game.round_number >= box.rounds:
        return final_sale(game, box, seat)
    describe(game, box, seat, room)
    row = COEFFICIENTS[ROUNDS - (box.rounds - game.round_number) - 1]
    total = 0.0
    for index in range(FEATURES):
        total += row[index] * room[index]
    return total


@kernel
def expected_margin(game, box, seat, weight_of_best, room):
    """Points to expect beyond the others: their mean, or with weight 1 the best of them."""
    best, total = -1000.0, 0.0
    for other in range(game.seats):
        if other != seat:
            points = expected_points(game, box, other, room)
            best = max(best, points)
            total += points
    others = weight_of_best * best + (1.0 - weight_of_best) * total / (game.seats - 1)
    return expected_points(game, box, seat, room) - others
