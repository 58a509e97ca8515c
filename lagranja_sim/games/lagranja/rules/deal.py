"""Setting a game up (S1-S7), and with it every chance event of the game, drawn from streams keyed by purpose."""

import numpy as np

from lagranja_sim.chance import BLOCKED, DECK, DICE, ROOF_TILES, SEATING, below, deal_key, shuffle
from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_number
from lagranja_sim.games.lagranja.rules.holdings import credit, put_on_space
from lagranja_sim.games.lagranja.rules.ledger import because
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, KINDS, Error, Item, Phase, Reason, Step
from lagranja_sim.games.lagranja.rules.solo import roofs_a_round, set_up_neutral
from lagranja_sim.games.lagranja.rules.state import (
    CARDS,
    IN_DECK,
    IN_HAND,
    MAX_DICE,
    MAX_SPACES,
    PLAYER,
    ROOFS,
    ROUNDS,
    SEATS,
)

EMPTY_FARM = np.zeros(1, PLAYER)


@kernel
def deal(game, box, seed, block, seats):
    """Set up the game of a block: the same seed and block give the same deck, dice, roofs, blocked buildings and start player."""
    clear_table(game, seats)
    game.chance = deal_key(seed, block)
    shuffle_deck(game)
    roll_all_dice(game)
    draw_roofs(game, box)
    block_buildings(game, box)
    seat_players(game)
    if seats == 1:
        set_up_neutral(game, box)
    for position in range(seats):
        set_up_player(game, box, position)
    push(game, Step.END, 0)
    push_number(game, Step.ROUND, 0, 1)


@kernel
def clear_table(game, seats):
    """Everything back in the box."""
    game.round_number = 0
    game.phase = Phase.SETUP
    game.seats = seats
    game.neutral_first = 0
    game.turn_seat = -1
    game.anytime_left = 0
    game.die_shift = 0
    game.die_face = 0
    game.die_alternative = -1
    game.last_die = 0
    game.covered_vp = 0
    game.growth_taken = 0
    game.piglets = 0
    game.opened = 0
    game.arrivals = SEATS
    game.reshuffles = 0
    game.discard_count = 0
    game.luck = 0
    game.decisions = 0
    game.error = Error.OK
    game.depth = 0
    for face in range(6):
        game.dice_left[face] = 0
        game.reserved[face] = 0
    for building in range(len(BUILDINGS)):
        game.first_seat[building] = -1
    for space in range(MAX_SPACES):
        game.space_owner[space] = -1
    for seat in range(SEATS):
        game.order[seat] = 0
        game.players[seat] = EMPTY_FARM[0]


@kernel
def shuffle_deck(game):
    """S1: the farm cards, face down."""
    game.card_place[0] = IN_DECK
    for index in range(CARDS):
        game.deck[index] = index + 1
        game.card_place[index + 1] = IN_DECK
    shuffle(game.deck, CARDS, game.chance, DECK, 0)
    game.deck_count = CARDS


@kernel
def roll_all_dice(game):
    """R1: the faces of all rounds, by round and position."""
    for round_index in range(ROUNDS):
        for die in range(MAX_DICE):
            game.dice[round_index, die] = 1 + below(game.chance, DICE, 16 * round_index + die, 6)


@kernel
def draw_roofs(game, box):
    """S2: of each round's four roofs as many as are laid out, in an order that does not depend on how many; round 1's lie face up."""
    for round_index in range(ROUNDS):
        tiles, count = game.roofs[round_index], 0
        for roof in range(1, ROOFS + 1):
            if box.roof_round[roof] == round_index + 1:
                tiles[count] = roof
                count += 1
        shuffle(tiles, SEATS, game.chance, ROOF_TILES, round_index)
        for index in range(roofs_a_round(game, box), SEATS):
            tiles[index] = 0
    for index in range(SEATS):
        game.roof_offer[index] = game.roofs[0, index]


@kernel
def block_buildings(game, box):
    """S4: a die names a building for each order marker; what has one already is rolled again."""
    game.blocked_count = box.setup.blocked_buildings
    count, throw = 0, 0
    while count < game.blocked_count:
        building = building_numbered(box, 1 + below(game.chance, BLOCKED, throw, 6))
        throw += 1
        is_new = True
        for index in range(count):
            if game.blocked[index] == building:
                is_new = False
        if is_new:
            game.blocked[count] = building
            count += 1
    for index in range(count, len(game.blocked)):
        game.blocked[index] = -1


@kernel
def building_numbered(box, number):
    """The building that a die names."""
    for building in range(len(BUILDINGS)):
        if box.craft_buildings[building].number == number:
            return building
    return 0


@kernel
def seat_players(game):
    """S5: the start player at random, the others clockwise."""
    start = below(game.chance, SEATING, game.seats, game.seats)
    for position in range(game.seats):
        game.order[position] = (start + position) % game.seats


@kernel
def set_up_player(game, box, position):
    """S1, S5, S6: hand, silver, points, commodities, the market marker and the siesta disc, by place in the first order."""
    seat, place = int(game.order[position]), position + int(game.neutral_first)
    player = game.players[seat]
    for _ in range(box.setup.cards):
        game.deck_count -= 1
        game.card_place[game.deck[game.deck_count]] = IN_HAND + seat
        player.hand_size += 1
    grant(game, box, seat, Item.VP, int(box.setup.victory_points) + int(box.setup.bonus_vp_by_position[place]))
    grant(game, box, seat, Item.SILVER, int(box.setup.silver) + int(box.setup.bonus_silver_by_position[place]))
    grant(game, box, seat, Item.COMMODITY, int(box.setup.commodities))
    player.arrival = SEATS - position
    for building in range(len(BUILDINGS)):
        player.row_left[building] = box.craft_buildings[building].symbols
        for kind in range(KINDS):
            player.row_missing[building, kind] = box.craft_buildings[building].goods[kind]
    put_on_space(game, box, seat, int(box.start_spaces[game.seats, place]), Reason.START, 0)


@kernel
def grant(game, box, seat, thing, amount):
    """Something to start with."""
    if amount != 0:
        credit(game, box, seat, thing, amount, because(Reason.START, 0))


assert ROOFS == SEATS * ROUNDS
