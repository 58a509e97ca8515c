"""The scoring phase (E1), the change of rounds, and the end of the game (E2, E3)."""

from lagranja_sim.compile import kernel
from lagranja_sim.rules.agenda import push, push_step
from lagranja_sim.rules.holdings import credit
from lagranja_sim.rules.modifiers import find_passives
from lagranja_sim.rules.revenue import clear_reservations
from lagranja_sim.rules.state import (
    COMMODITY,
    E_SCORING,
    END,
    PIG,
    R_END_SALE,
    R_MARKET_ROUND,
    R_SIESTA,
    R_SILVER,
    SCORING,
    SEATS,
    SILVER,
    SLOTS,
    STEP_END_ROUND,
    STEP_EVENT,
    STEP_SCORED,
    VP,
)


@kernel
def scoring_phase(game, box):
    """E1, M4: market markers, then siesta sections, then what answers to scoring."""
    game.phase = SCORING
    push_step(game, STEP_END_ROUND, 0)
    push_step(game, STEP_SCORED, 0)
    for position in range(game.seats - 1, -1, -1):
        push(game, STEP_EVENT, game.order[position], 0, E_SCORING, 0, 0, 0)
    for position in range(game.seats):
        score_market(game, box, int(game.order[position]))
    for position in range(game.seats):
        score_siesta(game, box, int(game.order[position]))


@kernel
def market_markers(game, seat):
    """How many markers a seat has on the market."""
    markers = 0
    for space in range(len(game.space_owner)):
        if game.space_owner[space] == seat:
            markers += 1
    return markers


@kernel
def score_market(game, box, seat):
    """M4: points for each marker on the market; owner marks never count."""
    points = market_markers(game, seat) * int(box.marker_vp)
    if points != 0:
        credit(game, box, seat, VP, points, R_MARKET_ROUND, 0)


@kernel
def score_siesta(game, box, seat):
    """E1: the points of the section."""
    points = int(box.siesta_vp[game.players[seat].siesta])
    if points != 0:
        credit(game, box, seat, VP, points, R_SIESTA, 0)


@kernel
def end_round(game, box):
    """E1, D5, H1: craft markers flip, helpers are ready, discs return, the next round's roofs lie face up. Round 6 keeps its discs and counts."""
    for seat in range(game.seats):
        player = game.players[seat]
        player.permanent = player.done
        find_passives(game, box, seat)
    if game.round_number == box.rounds:
        return
    for seat in range(game.seats):
        refresh(game.players[seat])
    for position in range(game.seats):
        player = game.players[game.order[position]]
        player.siesta = 0
        player.arrival = SEATS - position
    game.arrivals = SEATS
    game.last_die = 0
    clear_reservations(game)
    for index in range(SEATS):
        game.roof_offer[index] = game.roofs[game.round_number, index]


@kernel
def refresh(player):
    """What a player has of a round alone."""
    for slot in range(SLOTS):
        player.helper_used[slot] = 0
    player.donkey = 0
    player.roof_this_round = 0
    player.dice[0] = 0
    player.dice[1] = 0
    player.deliveries = 0
    player.bought_deliveries = 0
    player.extra_deliveries = 0


@kernel
def end_game(game, box):
    """E2: resources of dens and stables and commodities are sold, silver becomes points; for a tie the rest counts (E3)."""
    game.phase = END
    for seat in range(game.seats):
        for good in range(PIG + 1):
            sell_all(game, box, seat, good, int(box.sell_price[good]))
        sell_all(game, box, seat, COMMODITY, int(box.commodity_silver))
        points = int(game.players[seat].stock[SILVER]) // int(box.silver_per_vp)
        if points > 0:
            credit(game, box, seat, SILVER, -points * int(box.silver_per_vp), R_SILVER, 0)
            credit(game, box, seat, VP, points, R_SILVER, 0)


@kernel
def sell_all(game, box, seat, thing, price):
    """E2: all of one thing at its printed price."""
    amount = int(game.players[seat].stock[thing])
    if amount > 0:
        credit(game, box, seat, thing, -amount, R_END_SALE, 0)
        if price > 0:
            credit(game, box, seat, SILVER, amount * price, R_END_SALE, 0)
