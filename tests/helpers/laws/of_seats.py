"""Laws about one player."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.modifiers import modifier
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, HARVEST, ITEMS, KINDS, SOURCES, Item, Passive
from lagranja_sim.games.lagranja.rules.state import SLOTS
from laws import BARROWS, BUILDING_POINTS, FIELDS, FINE, HELPERS, MARKERS_LIMIT, MARKERS_SHOWN, NEGATIVE, PIGS, POINTS, ROWS, SIESTA

VP_FIRST, VP_UNLOCK, VP_BUILDING = SOURCES.index("first"), SOURCES.index("unlock"), SOURCES.index("building")


@kernel
def broken_by_stock(game, box, seat):
    """Goods, points, pigs and fields."""
    player = game.players[seat]
    points = 0
    for source in range(len(SOURCES)):
        points += player.points[source]
    if points != player.stock[Item.VP]:
        return POINTS
    for thing in range(len(ITEMS)):
        if player.stock[thing] < 0:
            return NEGATIVE
    if player.stock[Item.PIG] > max(0, box.farm.pig_spaces + player.pig_icons + modifier(game, box, seat, Passive.PIG_SPACE)):
        return PIGS
    for good in range(HARVEST):
        if player.stock[FIELD + good] > player.fields[good]:
            return FIELDS
    if player.siesta < 0 or player.siesta > box.siesta_top:
        return SIESTA
    return FINE


@kernel
def is_blocked(game, building):
    """Whether an order marker lies on a building."""
    found = False
    for index in range(game.opened, game.blocked_count):
        found |= game.blocked[index] == building
    return found


@kernel
def broken_by_rows(game, box, seat):
    """Craft buildings and what they were worth."""
    player = game.players[seat]
    points = 0
    for building in range(len(BUILDINGS)):
        printed = box.craft_buildings[building]
        left = 0
        for kind in range(KINDS):
            missing = int(player.row_missing[building, kind])
            if missing < 0 or missing > printed.goods[kind]:
                return ROWS
            left += missing
        is_done = (player.done >> building) & 1 == 1
        if left != player.row_left[building] or is_done != (left == 0) or is_done != (player.building_round[building] > 0):
            return ROWS
        if is_blocked(game, building) and left != printed.symbols:
            return ROWS
        if is_done:
            if player.building_round[building] > game.round_number or game.first_seat[building] < 0:
                return ROWS
            points += box.buildings.vp_per_round * player.building_round[building] + printed.bonus_vp
    if player.permanent & ~player.done:
        return ROWS
    return FINE if points == player.points[VP_BUILDING] else BUILDING_POINTS


@kernel
def broken_by_barrows(box, player):
    """Barrows and what lies on them; one just completed is empty of free symbols until it has gone."""
    for slot in range(SLOTS):
        if player.barrows[slot] == 0:
            continue
        card = box.cards[player.barrows[slot]]
        left = 0
        for kind in range(KINDS):
            missing = int(player.barrow_missing[slot, kind])
            if missing < 0 or missing > card.barrow[kind]:
                return BARROWS
            left += missing
        if left != player.barrow_left[slot]:
            return BARROWS
    return FINE


@kernel
def broken_by_helpers(box, player):
    """Uses this round."""
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            uses = box.cards[player.helpers[slot]].helper.uses
            if player.helper_used[slot] < 0 or (uses > 0 and player.helper_used[slot] > uses):
                return HELPERS
    return FINE


@kernel
def markers_shown(box, player, on_market):
    """Dens, stables, fields and storage, symbols of rows and barrows filled, market markers and owner marks."""
    markers = on_market
    for thing in range(len(ITEMS)):
        if thing != Item.VP and thing != Item.SILVER:
            markers += player.stock[thing]
    for building in range(len(BUILDINGS)):
        is_done = player.row_left[building] == 0
        markers += 1 if is_done else box.craft_buildings[building].symbols - player.row_left[building]
    for slot in range(SLOTS):
        if player.barrows[slot] > 0:
            markers += box.cards[player.barrows[slot]].barrow_size - player.barrow_left[slot]
    return markers


@kernel
def broken_by_markers(game, box, seat, on_market):
    """L1."""
    player = game.players[seat]
    if player.markers != markers_shown(box, player, on_market):
        return MARKERS_SHOWN
    return MARKERS_LIMIT if box.setup.markers > 0 and player.markers > box.setup.markers else FINE
