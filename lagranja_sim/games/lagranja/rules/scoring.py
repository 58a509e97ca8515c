"""The scoring phase (E1), the change of rounds, and the end of the game (E2, E3)."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_event
from lagranja_sim.games.lagranja.rules.holdings import credit
from lagranja_sim.games.lagranja.rules.ledger import because, note_building, note_disc
from lagranja_sim.games.lagranja.rules.modifiers import find_passives
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Event, Item, Note, Phase, Reason, Step
from lagranja_sim.games.lagranja.rules.revenue import clear_reservations
from lagranja_sim.games.lagranja.rules.solo import change_order
from lagranja_sim.games.lagranja.rules.state import SEATS, SLOTS


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped; once a round is SCORED the engine tells so."""
    if kind == Step.SCORING:
        scoring_phase(game, box)
    elif kind == Step.END_ROUND:
        end_round(game, box)
    elif kind == Step.END:
        end_game(game, box)


@kernel
def scoring_phase(game, box):
    """E1, M4: market markers, then siesta sections, then what answers to scoring."""
    game.phase = Phase.SCORING
    push(game, Step.END_ROUND, 0)
    push(game, Step.SCORED, 0)
    for position in range(game.seats - 1, -1, -1):
        push_event(game, game.order[position], Event.SCORING, 0)
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
    points = market_markers(game, seat) * int(box.market.marker_vp)
    if points != 0:
        credit(game, box, seat, Item.VP, points, because(Reason.MARKET_ROUND, 0))


@kernel
def score_siesta(game, box, seat):
    """E1: the points of the section."""
    points = int(box.transport.siesta_vp[game.players[seat].siesta])
    if points != 0:
        credit(game, box, seat, Item.VP, points, because(Reason.SIESTA, 0))


@kernel
def end_round(game, box):
    """E1, D5, H1: craft markers flip, helpers are ready, discs return, the next round's roofs lie face up. Round 6 keeps its discs and counts."""
    for seat in range(game.seats):
        flip_craft_markers(game, box, seat)
    if game.round_number == box.game.rounds:
        return
    for seat in range(game.seats):
        refresh(game.players[seat])
    if game.seats == 1:
        change_order(game, box)
    return_discs(game, box)
    game.last_die = 0
    clear_reservations(game)
    for index in range(SEATS):
        game.roof_offer[index] = game.roofs[game.round_number, index]


@kernel
def flip_craft_markers(game, box, seat):
    """D5: what was completed is permanent from the next round on."""
    player = game.players[seat]
    if box.ledger_on:
        for building in range(len(BUILDINGS)):
            if ((player.done & ~player.permanent) >> building) & 1:
                note_building(game, box, Note.PERMANENT, seat, building, 0)
    player.permanent = player.done
    find_passives(game, box, seat)


@kernel
def return_discs(game, box):
    """E1: back to the first section, the last player's disc at the bottom, the start player's on top."""
    for position in range(game.seats):
        game.players[game.order[position]].arrival = SEATS - position
    game.arrivals = SEATS
    for position in range(game.seats - 1, -1, -1):
        seat = int(game.order[position])
        before = int(game.players[seat].siesta)
        game.players[seat].siesta = 0
        if box.ledger_on:
            note_disc(game, box, seat, before, Reason.NEW_ROUND, 0)


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
    game.phase = Phase.END
    for seat in range(game.seats):
        for good in range(Item.PIG + 1):
            sell_all(game, box, seat, good, int(box.prices.sell[good]))
        sell_all(game, box, seat, Item.COMMODITY, int(box.prices.commodity_silver))
        points = int(game.players[seat].stock[Item.SILVER]) // int(box.prices.silver_per_vp)
        if points > 0:
            credit(game, box, seat, Item.SILVER, -points * int(box.prices.silver_per_vp), because(Reason.SILVER, 0))
            credit(game, box, seat, Item.VP, points, because(Reason.SILVER, 0))


@kernel
def sell_all(game, box, seat, thing, price):
    """E2: all of one thing at its printed price."""
    amount = int(game.players[seat].stock[thing])
    if amount > 0:
        credit(game, box, seat, thing, -amount, because(Reason.END_SALE, 0))
        if price > 0:
            credit(game, box, seat, Item.SILVER, amount * price, because(Reason.END_SALE, 0))
