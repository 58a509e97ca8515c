"""What is noted of a game as it goes, and the rows of its tables that come of it. The record `log` holds what is noted from one time to the next."""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.modifiers import buildings_done, field_cards
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, HARVEST, SOURCES, Do, Item
from lagranja_sim.games.lagranja.rules.result import leader, position_of, rank_of, winners
from lagranja_sim.games.lagranja.rules.revenue import dice_in_play
from lagranja_sim.games.lagranja.rules.scoring import market_markers
from lagranja_sim.games.lagranja.rules.state import MAX_SPACES, NEUTRAL, SEATS, SLOTS
from lagranja_sim.games.lagranja.tables import TABLES
from lagranja_sim.kit.outcomes import TOO_MANY_ROWS
from lagranja_sim.kit.records import record

GAMES, SEAT_ROWS, ROUNDS, CARDS, MARKET = range(len(TABLES.names))  # places in rows_used
LOG = record(
    ("number", np.int64),  # of the game
    ("rotation", np.int8),
    ("rows_used", np.int64, (len(TABLES.names),)),  # by table, of all games so far
    ("start_order", np.int8, (SEATS,)),  # turn order of round 1
    ("farm_order", np.int8, (SEATS,)),  # of the farm phase of the round under way
    ("vp_before", np.int16, (SEATS,)),  # points when the round before had been scored
    ("lead", np.int8),  # seat last alone in the lead, -1 = none yet
    ("lead_changes", np.int16),
    ("do", np.int8),  # what the last choice does
    ("owners", np.int8, (MAX_SPACES,)),  # of the market spaces, as last looked at
    ("placed_in", np.int64, (MAX_SPACES,)),  # row of the marker on each space
)


@kernel
def goods_held(player):
    """Resources and upgraded goods of a farm, those on fields included."""
    goods = 0
    for thing in range(Item.MEAT + 1):
        goods += player.stock[thing]
    for thing in range(FIELD, FIELD + HARVEST):
        goods += player.stock[thing]
    return goods


@inlined
def waits_for_neutral(game):
    """O1: 1 where one player alone comes after the neutral one, else 0."""
    return 1 if game.seats == 1 and game.neutral_first else 0


@inlined
def note_order(game, order):
    """The turn order at hand; of one player alone with the neutral player in it, and -1 where nobody is."""
    first = waits_for_neutral(game)
    for place in range(SEATS):
        order[place] = game.order[place] if place < game.seats else -1
    if game.seats == 1:
        order[1 - first] = NEUTRAL
        order[first] = game.order[0]


@kernel
def write_round(game, box, log, rows):
    """The rows of a round that has just been scored, one a seat."""
    dice = dice_in_play(game, box)
    for seat in range(game.seats):
        player, row = game.players[seat], rows[log.rows_used[ROUNDS] + seat]
        row.game = log.number
        row.round_number = game.round_number
        row.seat = seat
        row.order_transport = position_of(game.order, seat) + waits_for_neutral(game)
        row.order_farm = position_of(log.farm_order, seat) if game.seats > 1 else row.order_transport  # O4: it holds for a whole round
        row.vp = player.stock[Item.VP]
        row.vp_gained = player.stock[Item.VP] - log.vp_before[seat]
        row.silver = player.stock[Item.SILVER]
        row.goods = goods_held(player)
        row.dice[0] = player.dice[0]
        row.dice[1] = player.dice[1]
        row.die_last = game.last_die
        for face in range(6):
            row.offered[face] = 0
        for die in range(dice):
            row.offered[game.dice[game.round_number - 1, die] - 1] += 1
        row.roof = player.roof_this_round
        row.donkey = player.donkey
        row.siesta = player.siesta
        row.deliveries = player.deliveries
        row.bought_deliveries = player.bought_deliveries
        row.markers = market_markers(game, seat)
        row.barrows_done = player.barrows_done
        row.buildings_done = buildings_done(player)


@inlined
def win_share_of(rank, winners_count):
    """1 divided among all of rank 1; nothing at all (NaN) for one player alone (O13)."""
    if rank == 0:
        return np.nan
    return 1.0 / winners_count if rank == 1 else 0.0


@kernel
def write_seats(game, box, log, rows):
    """The rows of a finished game, one a seat."""
    shared = winners(game, box)
    for seat in range(game.seats):
        player, row = game.players[seat], rows[log.rows_used[SEAT_ROWS] + seat]
        row.game = log.number
        row.seat = seat
        row.policy = (seat + game.seats - log.rotation) % game.seats
        row.start_position = position_of(log.start_order, seat)
        row.vp = player.stock[Item.VP]
        row.rank = rank_of(game, box, seat)
        row.win_share = np.float32(win_share_of(row.rank, shared))
        row.silver_left = player.stock[Item.SILVER]
        for source in range(len(SOURCES)):
            row.points[source] = player.points[source]
        row.barrows = player.barrows_done
        row.buildings = buildings_done(player)
        row.fields = field_cards(player)
        row.extensions = player.extension_count
        row.helpers = 0
        for slot in range(SLOTS):
            if player.helpers[slot] > 0:
                row.helpers += 1
        row.roofs = player.roof_count
        row.pigs = player.pigs
        for building in range(len(BUILDINGS)):
            row.craft_round[building] = player.building_round[building]


@kernel
def write_game(game, box, log, row):
    """The row of a finished game."""
    winner, best, second = -1, -32_000, -32_000
    for seat in range(game.seats):
        if rank_of(game, box, seat) == 1:
            winner = seat
        vp = int(game.players[seat].stock[Item.VP])
        if vp > best:
            second, best = best, vp
        elif vp > second:
            second = vp
    row.game = log.number
    row.block = log.number // game.seats
    row.rotation = log.rotation
    row.start_seat = log.start_order[0]
    row.winner_seat = winner if winners(game, box) == 1 else -1
    row.vp_win = best
    row.vp_margin = best - second if game.seats > 1 else 0
    row.lead_changes = log.lead_changes
    for index in range(3):
        row.blocked[index] = box.craft_buildings[game.blocked[index]].number if game.blocked[index] >= 0 else 0
    for building in range(len(BUILDINGS)):
        first = game.first_seat[building]
        row.first_seat[building] = first
        row.first_round[building] = game.players[first].building_round[building] if first >= 0 else 0
    row.decisions = game.decisions


@kernel
def write_card(game, seat, option, log, row):
    """A card is being played."""
    row.game = log.number
    row.seat = seat
    row.card = option.card
    row.side = option.side
    row.round_number = game.round_number
    row.phase = game.phase


@kernel
def watch_market(game, box, by_seat, log, rows):
    """Compare the market with what it was: rows for new markers, removal noted in the rows of those gone."""
    for space in range(box.space_count):
        owner, owner_before = game.space_owner[space], log.owners[space]
        if owner != owner_before:
            if owner_before >= 0:
                row = rows[log.placed_in[space]]
                row.round_removed = game.round_number
                row.removed_by = 1 - owner_before if game.seats == 1 and by_seat >= 0 else by_seat  # O3: the other of the two
            if owner >= 0 and log.rows_used[MARKET] < len(rows):
                write_marker(game, box, space, log, rows[log.rows_used[MARKET]])
                log.placed_in[space] = log.rows_used[MARKET]
                log.rows_used[MARKET] += 1
            elif owner >= 0:
                game.error = TOO_MANY_ROWS
            log.owners[space] = owner


@kernel
def write_marker(game, box, space, log, row):
    """A marker has come to lie on the market."""
    row.game = log.number
    row.seat = game.space_owner[space]
    row.space = space
    row.value = box.spaces[space].value
    row.round_placed = game.round_number
    row.round_removed = 0
    row.removed_by = -1


@inlined
def follow_lead(game, log, holds_last):
    """Count another seat alone in the lead; the last one stays noted where nobody is, and at the end of the game."""
    ahead = leader(game)
    if ahead >= 0:
        if log.lead >= 0 and ahead != log.lead:
            log.lead_changes += 1
        if holds_last:
            log.lead = ahead


# --- what happens ----------------------------------------------------------------------------------------------------------------------


@inlined
def note_round(game, log):
    """What the next round is measured from."""
    note_order(game, log.farm_order)
    for seat in range(game.seats):
        log.vp_before[seat] = game.players[seat].stock[Item.VP]


@kernel
def note_dealt(game, box, log, rows):
    """A game begins."""
    note_order(game, log.start_order)
    note_round(game, log)
    log.lead = -1
    log.lead_changes = 0
    if len(rows.market) > 0:
        for space in range(len(log.owners)):
            log.owners[space] = -1
        watch_market(game, box, -1, log, rows.market)


@inlined
def note_choice(game, box, seat, option, log, rows):
    """An option is about to be carried out."""
    log.do = option.do
    if option.do == Do.PLAY_CARD and len(rows.cards) > 0:
        if log.rows_used[CARDS] < len(rows.cards):
            write_card(game, seat, option, log, rows.cards[log.rows_used[CARDS]])
            log.rows_used[CARDS] += 1
        else:
            game.error = TOO_MANY_ROWS


@inlined
def note_moved(game, box, seat, log, rows):
    """It has been carried out, up to the next choice."""
    if (log.do == Do.PLACE_MARKER or log.do == Do.GIVE_UP or game.seats == 1) and len(rows.market) > 0:
        watch_market(game, box, -1 if log.do == Do.GIVE_UP else seat, log, rows.market)


@kernel
def note_scored(game, box, log, rows):
    """A round has been scored, and nothing was put back yet."""
    if len(rows.rounds) > 0:
        write_round(game, box, log, rows.rounds)
        log.rows_used[ROUNDS] += game.seats
    note_round(game, log)
    follow_lead(game, log, True)


@kernel
def note_over(game, box, log, rows):
    """The game is over."""
    follow_lead(game, log, False)
    if len(rows.games) > 0:
        write_game(game, box, log, rows.games[log.rows_used[GAMES]])
        log.rows_used[GAMES] += 1
    if len(rows.seats) > 0:
        write_seats(game, box, log, rows.seats)
        log.rows_used[SEAT_ROWS] += game.seats
