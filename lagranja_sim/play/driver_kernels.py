"""Playing many games: the compiled loop that asks policies, carries their choices out and writes rows.

It knows a policy by one of two function pointers, `choose` (an index) or `score` (of one option; the best is taken, the first of equals).
"""

import numpy as np
from numba import from_dtype, njit, types

from lagranja_sim.chance import POLICY, mixed
from lagranja_sim.compile import CHECKED, inlined, kernel
from lagranja_sim.games.lagranja.rules.deal import deal
from lagranja_sim.games.lagranja.rules.engine import ROUND_SCORED, advance, apply
from lagranja_sim.games.lagranja.rules.hidden import hide
from lagranja_sim.games.lagranja.rules.modifiers import buildings_done, field_cards
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, HARVEST, SOURCES, Do, Error, Item
from lagranja_sim.games.lagranja.rules.result import leader, position_of, rank_of, winners
from lagranja_sim.games.lagranja.rules.scoring import market_markers
from lagranja_sim.games.lagranja.rules.state import OPTION, SEATS, SLOTS
from lagranja_sim.games.lagranja.tables import ROWS
from lagranja_sim.kit.agenda import to_move
from lagranja_sim.play.policy_api import BOX_TYPE, CHOOSER, GAME_TYPE, OPTION_TYPE, SCORER

ROW_TYPES = {table: from_dtype(row) for table, row in ROWS.items()}
MAX_DECISIONS = 50_000  # a game has some hundreds
OWN, SHOWN = 0, 1  # the loop's memory, and what policies are handed; SHOWN + seat of boxes and lists of options
OPTION_SIZE = OPTION.itemsize
UNDER_WAY, FAULT = 2, 3  # places in the counts of `play`
CARD_ROWS, MARKET_ROWS = 1_000, 1_000  # room a single game may need: cards cycle, markers come and go


# --- asking a policy -----------------------------------------------------------------------------------------------------------


@inlined
def best_option(score, view, box, seat, options, count, weights):
    """The first of the options with the highest score; or -1 - i if the score of option i is nothing that can be the highest.

    That is NaN or infinity. Minus infinity says "never"; where all options are scored so, i is 0.
    """
    best, best_score = -1, -np.inf
    for index in range(count):
        this = score(view, box, seat, options[index], weights)
        if not this <= best_score:
            if not this < np.inf:
                return -1 - index
            best, best_score = index, this
    return best


@inlined
def show_options(option_words, count, seat):
    """K1: the options listed, and nothing of lists of others, to where a seat may look; words of memory are copied quickest."""
    for word in range((count * OPTION_SIZE + 7) // 8):
        option_words[SHOWN + seat, word] = option_words[OWN, word]


@inlined
def wipe(box):
    """An empty notepad."""
    for index in range(len(box.scratch)):
        box.scratch[index] = 0.0
    for index in range(len(box.counts)):
        box.counts[index] = 0


@kernel
def is_changed(boxes, box_words, weight_words):
    """Whether a policy has changed what is printed, or its weights; its notepad is emptied for the next game."""
    for seat in range(SEATS):
        wipe(boxes[SHOWN + seat])
    difference = np.uint64(0)
    for word in range(box_words.shape[1]):  # all seats at once: what they are compared with is read only once
        for seat in range(SEATS):
            difference |= box_words[OWN, word] ^ box_words[SHOWN + seat, word]
    for seat in range(SEATS):
        for word in range(weight_words.shape[2]):
            difference |= weight_words[OWN, seat, word] ^ weight_words[SHOWN, seat, word]
    return difference != 0


@inlined
def policy_luck(seed, game_number, seat, decision):
    """The stream of a policy that randomizes: named by game, seat and decision."""
    return mixed(mixed(np.uint64(seed), POLICY, game_number), seat, decision)


# --- rows ----------------------------------------------------------------------------------------------------------------------


@kernel
def goods_held(player):
    """Resources and upgraded goods of a farm, those on fields included."""
    goods = 0
    for thing in range(Item.MEAT + 1):
        goods += player.stock[thing]
    for thing in range(FIELD, FIELD + HARVEST):
        goods += player.stock[thing]
    return goods


@kernel
def write_round(game, box, game_number, farm_order, vp_before, rows, first):
    """The rows of a round that has just been scored, one a seat."""
    dice = int(box.setup.dice_per_player) * int(game.seats) + int(box.setup.dice_extra)
    for seat in range(game.seats):
        player, row = game.players[seat], rows[first + seat]
        row.game = game_number
        row.round_number = game.round_number
        row.seat = seat
        row.order_farm = position_of(farm_order, seat)
        row.order_transport = position_of(game.order, seat)
        row.vp = player.stock[Item.VP]
        row.vp_gained = player.stock[Item.VP] - vp_before[seat]
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


@kernel
def write_seats(game, game_number, rotation, start_order, rows, first):
    """The rows of a finished game, one a seat."""
    shared = winners(game)
    for seat in range(game.seats):
        player, row = game.players[seat], rows[first + seat]
        row.game = game_number
        row.seat = seat
        row.policy = (seat + game.seats - rotation) % game.seats
        row.start_position = position_of(start_order, seat)
        row.vp = player.stock[Item.VP]
        row.rank = rank_of(game, seat)
        row.win_share = np.float32(1.0 / shared if row.rank == 1 else 0.0)
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
def write_game(game, box, game_number, rotation, start_seat, lead_changes, row):
    """The row of a finished game."""
    winner, best, second = -1, -32_000, -32_000
    for seat in range(game.seats):
        if rank_of(game, seat) == 1:
            winner = seat
        vp = int(game.players[seat].stock[Item.VP])
        if vp > best:
            second, best = best, vp
        elif vp > second:
            second = vp
    row.game = game_number
    row.block = game_number // game.seats
    row.rotation = rotation
    row.start_seat = start_seat
    row.winner_seat = winner if winners(game) == 1 else -1
    row.vp_win = best
    row.vp_margin = best - second
    row.lead_changes = lead_changes
    for index in range(3):
        row.blocked[index] = box.craft_buildings[game.blocked[index]].number if game.blocked[index] >= 0 else 0
    for building in range(len(BUILDINGS)):
        first = game.first_seat[building]
        row.first_seat[building] = first
        row.first_round[building] = game.players[first].building_round[building] if first >= 0 else 0
    row.decisions = game.decisions


@kernel
def write_card(game, game_number, seat, option, row):
    """A card is being played."""
    row.game = game_number
    row.seat = seat
    row.card = option.card
    row.side = option.side
    row.round_number = game.round_number
    row.phase = game.phase


@kernel
def watch_market(game, box, game_number, by_seat, owners, placed_in, rows, count):
    """Compare the market with what it was: rows for new markers, removal noted in the rows of those gone. Returns the number of rows."""
    for space in range(box.space_count):
        owner = game.space_owner[space]
        if owner == owners[space]:
            continue
        if owners[space] >= 0:
            row = rows[placed_in[space]]
            row.round_removed = game.round_number
            row.removed_by = by_seat
        if owner >= 0:
            placed_in[space] = count
            row = rows[count]
            row.game = game_number
            row.seat = owner
            row.space = space
            row.value = box.spaces[space].value
            row.round_placed = game.round_number
            row.round_removed = 0
            row.removed_by = -1
            count += 1
        owners[space] = owner
    return count


# --- the loop --------------------------------------------------------------------------------------------------------------------

PLAY = types.int64(
    GAME_TYPE[::1], BOX_TYPE[::1], OPTION_TYPE[:, ::1], types.float64[:, :, ::1], types.uint64[:, ::1], types.uint64[:, ::1],
    types.uint64[:, :, ::1], types.uint64, types.int64, types.int64, types.int64,
    types.UniTuple(CHOOSER, SEATS), types.UniTuple(SCORER, SEATS), types.boolean[::1],
    ROW_TYPES["games"][::1], ROW_TYPES["seats"][::1], ROW_TYPES["rounds"][::1], ROW_TYPES["cards"][::1], ROW_TYPES["market"][::1],
    types.int64[::1],
)  # fmt: skip


@njit(PLAY, cache=True, nogil=True, boundscheck=CHECKED)
def play(games, boxes, options, weights, box_words, option_words, weight_words, seed, first_game, count, players,
         choosers, scorers, is_scorer, game_rows, seat_rows, round_rows, card_rows, market_rows, counts):  # fmt: skip
    """Play games `first_game` to `first_game + count - 1`; returns how many were played.

    games: two records to work in. boxes, options, weights: what is OWN and what is SHOWN, and the same memory as words. choosers,
    scorers, is_scorer, weights: by policy; policy p has seat (p + rotation) % players. An empty row array stands for a table not wanted.
    counts: rows written to cards and market, the game under way, and whether a policy did in it what it may not. It stops early when one
    of the two tables might not hold another game, at such a game, or at one with an error, whose record is left in games[0].
    """
    game, views, box, listing, given = games[0], games[1:], boxes[OWN], options[OWN], weights[SHOWN]
    with_rounds, with_cards, with_market = len(round_rows) > 0, len(card_rows) > 0, len(market_rows) > 0
    owners, placed_in = np.empty(len(game.space_owner), np.int8), np.empty(len(game.space_owner), np.int64)
    farm_order, start_order = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.int8)
    vp_before, asked = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    counts[0] = 0
    counts[1] = 0
    counts[FAULT] = 0
    round_count = 0
    for played in range(count):
        if (with_cards and counts[0] + CARD_ROWS > len(card_rows)) or (with_market and counts[1] + MARKET_ROWS > len(market_rows)):
            return played
        number = first_game + played
        counts[UNDER_WAY] = number
        rotation = number % players
        deal(game, box, seed, number // players, players)
        lead, lead_changes = -1, 0
        for seat in range(SEATS):
            farm_order[seat] = game.order[seat]
            start_order[seat] = game.order[seat]
            vp_before[seat] = game.players[seat].stock[Item.VP]
            asked[seat] = 0
        if players < SEATS:
            for seat in range(players, SEATS):
                farm_order[seat] = -1
                start_order[seat] = -1
        if with_market:
            owners[:] = -1
            counts[1] = watch_market(game, box, number, -1, owners, placed_in, market_rows, counts[1])
        listed = advance(game, box, listing)
        while listed != 0:
            if listed == ROUND_SCORED:
                if with_rounds:
                    write_round(game, box, number, farm_order, vp_before, round_rows, round_count)
                    round_count += players
                for seat in range(players):
                    vp_before[seat] = game.players[seat].stock[Item.VP]
                    farm_order[seat] = game.order[seat]
                ahead = leader(game)
                if ahead >= 0:
                    if lead >= 0 and ahead != lead:
                        lead_changes += 1
                    lead = ahead
                listed = advance(game, box, listing)
                continue
            seat = int(game.agenda[game.depth - 1].seat)
            chosen = 0
            if listed > 1:
                policy = (seat + players - rotation) % players
                hide(views, game, seat)
                show_options(option_words, listed, seat)
                views[0].luck = policy_luck(seed, number, seat, asked[seat])
                asked[seat] += 1
                game.decisions += 1
                if is_scorer[policy]:
                    chosen = best_option(scorers[policy], views[0], boxes[SHOWN + seat], seat, options[SHOWN + seat], listed, given[policy])
                else:
                    chosen = choosers[policy](views[0], boxes[SHOWN + seat], seat, options[SHOWN + seat, :listed], listed, given[policy])
                if chosen < 0 or chosen >= listed:
                    counts[FAULT] = 1
                    return played
                if game.decisions > MAX_DECISIONS:
                    game.error = Error.TOO_MANY_DECISIONS
                if game.error != Error.OK:
                    return played
            option = listing[chosen]
            do = option.do
            if with_cards and do == Do.PLAY_CARD:
                if counts[0] >= len(card_rows):
                    game.error = Error.TOO_MANY_ROWS
                    return played
                write_card(game, number, seat, option, card_rows[counts[0]])
                counts[0] += 1
            apply(game, box, option)
            listed = advance(game, box, listing)
            if with_market and (do == Do.PLACE_MARKER or do == Do.GIVE_UP):
                by_seat = -1 if do == Do.GIVE_UP else seat
                counts[1] = watch_market(game, box, number, by_seat, owners, placed_in, market_rows, counts[1])
                if counts[1] + len(owners) > len(market_rows):
                    game.error = Error.TOO_MANY_ROWS
                    return played
        if game.error != Error.OK:
            return played
        if is_changed(boxes, box_words, weight_words):
            counts[FAULT] = 1
            return played
        ahead = leader(game)
        if ahead >= 0 and lead >= 0 and ahead != lead:
            lead_changes += 1
        if len(game_rows) > 0:
            write_game(game, box, number, rotation, start_order[0], lead_changes, game_rows[played])
        if len(seat_rows) > 0:
            write_seats(game, number, rotation, start_order, seat_rows, played * players)
    return count


# --- the same moves for Python -----------------------------------------------------------------------------------------------------
# Compiled functions take arrays from Python quickly and single records slowly, so these work on the first record of each array.

GAMES, BOXES, OPTIONS, WEIGHTS = GAME_TYPE[::1], BOX_TYPE[::1], OPTION_TYPE[::1], types.float64[::1]


@kernel
def deal_in(games, boxes, seed, block, players):
    """Set up games[0]."""
    deal(games[0], boxes[0], seed, block, players)


@kernel
def advance_in(games, boxes, options):
    """Run games[0] to its next choice: what `advance` returns, and the seat that has to choose."""
    listed = advance(games[0], boxes[0], options)
    return listed, to_move(games[0])


@kernel
def move_in(games, boxes, options, chosen):
    """Carry out an option in games[0] and run on to the next choice, in one call: from Python a call costs more than a move."""
    apply(games[0], boxes[0], options[chosen])
    return advance_in(games, boxes, options)


@kernel
def show_in(games, views, option_words, count, seed, number, seat, asked):
    """Let views[0] and the options shown be what a seat may see of games[0] and its options at its decision number `asked`, with its luck."""
    hide(views, games[0], seat)
    show_options(option_words, count, seat)
    views[0].luck = policy_luck(seed, number, seat, asked)
    games[0].decisions += 1
    if games[0].decisions > MAX_DECISIONS:
        games[0].error = Error.TOO_MANY_DECISIONS


@njit(types.int64(GAMES, BOXES, types.int64, OPTIONS, types.int64, WEIGHTS, CHOOSER), cache=True, nogil=True, boundscheck=CHECKED)
def ask_chooser(views, boxes, seat, options, count, weights, choose):
    """A compiled policy's choice on what its seat sees."""
    return choose(views[0], boxes[0], seat, options, count, weights)


@njit(types.int64(GAMES, BOXES, types.int64, OPTIONS, types.int64, WEIGHTS, SCORER), cache=True, nogil=True, boundscheck=CHECKED)
def ask_scorer(views, boxes, seat, options, count, weights, score):
    """The option a compiled policy scores highest."""
    return best_option(score, views[0], boxes[0], seat, options, count, weights)


@kernel
def rank_in(games, seat):
    """The rank of a seat of games[0]."""
    return rank_of(games[0], seat)


@kernel
def leader_in(games):
    """The seat alone in the lead of games[0], or -1."""
    return leader(games[0])


@kernel
def write_card_in(games, number, seat, options, chosen, rows, index):
    """A row of `cards`."""
    write_card(games[0], number, seat, options[chosen], rows[index])


@kernel
def watch_market_in(games, boxes, number, seat, owners, placed_in, rows, count):
    """Rows of `market`."""
    return watch_market(games[0], boxes[0], number, seat, owners, placed_in, rows, count)


@kernel
def write_round_in(games, boxes, number, farm_order, vp_before, rows, first):
    """Rows of `rounds`."""
    write_round(games[0], boxes[0], number, farm_order, vp_before, rows, first)


@kernel
def write_result_in(games, boxes, number, rotation, start_order, lead_changes, game_rows, seat_rows):
    """The rows of `games` and `seats`."""
    write_game(games[0], boxes[0], number, rotation, start_order[0], lead_changes, game_rows[0])
    write_seats(games[0], number, rotation, start_order, seat_rows, 0)
