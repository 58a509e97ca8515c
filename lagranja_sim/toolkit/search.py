"""Looking ahead: dealing out what a seat cannot see, playing on, and judging where that leads.

A search never reads what is hidden: it plays on copies in which other hands, the deck, dice and roofs to come and donkeys not yet revealed are
dealt anew from the policy's own stream.
"""

import numpy as np

from lagranja_sim.chance import mixed, shuffle
from lagranja_sim.compile import kernel
from lagranja_sim.rules.engine import ROUND_SCORED, advance, apply
from lagranja_sim.rules.modifiers import field_cards
from lagranja_sim.rules.scoring import market_markers
from lagranja_sim.rules.state import (
    ASK_DONKEY,
    BUILDINGS,
    CARDS,
    COMMODITY,
    HARVEST,
    HIDDEN,
    IN_DECK,
    IN_HAND,
    KINDS,
    MAX_DICE,
    OK,
    ROOFS,
    ROUNDS,
    SEATS,
    SILVER,
    SLOTS,
    VP,
)
from lagranja_sim.toolkit.effect_worth import ability_worth, effect_worth
from lagranja_sim.toolkit.option_worth import best_planned
from lagranja_sim.toolkit.plan import (
    BARROW_RATE,
    BUILDING_RATE,
    ROUNDS_LEFT,
    W_CARD,
    W_COMMODITY,
    W_DELIVERY,
    W_FIELD,
    W_GOOD,
    W_HELPER,
    W_PERMANENT,
    W_ROOF,
    W_SILVER,
    held,
    marker_worth,
    permanent_worth,
    plan,
)

_CARDS, _DICE, _ROOFS, _DONKEYS = 1, 2, 3, 4  # what is dealt anew, as streams of the luck

# --- what cannot be seen -----------------------------------------------------------------------------------------------------------


@kernel
def redeal(game, box, seat, luck):
    """Deal everything hidden from `seat` anew, so that the game can be played on (K1)."""
    redeal_cards(game, seat, luck)
    redeal_dice(game, luck)
    redeal_roofs(game, box, luck)
    redeal_donkeys(game, box, seat, luck)
    game.chance = luck


@kernel
def redeal_cards(game, seat, luck):
    """The cards nobody shows: other hands first, the rest is the deck."""
    count = 0
    for card in range(1, CARDS + 1):
        if game.card_place[card] == HIDDEN:
            game.deck[count] = card
            count += 1
    shuffle(game.deck, count, luck, _CARDS, 0)
    for other in range(game.seats):
        if other != seat:
            for _ in range(game.players[other].hand_size):
                count -= 1
                game.card_place[game.deck[count]] = IN_HAND + other
    for index in range(count):
        game.card_place[game.deck[index]] = IN_DECK
    game.deck_count = count


@kernel
def redeal_dice(game, luck):
    """Dice of rounds not yet rolled."""
    for round_index in range(ROUNDS):
        if game.dice[round_index, 0] == 0:
            for die in range(MAX_DICE):
                game.dice[round_index, die] = 1 + mixed(luck, _DICE, 16 * round_index + die) % np.uint64(6)


@kernel
def redeal_roofs(game, box, luck):
    """Roofs of rounds to come, face down."""
    for round_index in range(game.round_number, ROUNDS):
        tiles, found = game.roofs[round_index], 0
        for roof in range(1, ROOFS + 1):
            if box.roof_round[roof] == round_index + 1:
                tiles[found] = roof
                found += 1
        shuffle(tiles, SEATS, luck, _ROOFS, round_index)
        for index in range(game.seats, SEATS):
            tiles[index] = 0


@kernel
def has_donkey_to_choose(game, seat):
    """Whether a seat's choice of a donkey is still to come."""
    for index in range(game.depth):
        if game.agenda[index].kind == ASK_DONKEY and game.agenda[index].seat == seat:
            return True
    return False


@kernel
def redeal_donkeys(game, box, seat, luck):
    """Donkeys that others have chosen but not yet revealed: any tile they have."""
    if game.agenda[game.depth - 1].kind != ASK_DONKEY:
        return
    for other in range(game.seats):
        player = game.players[other]
        if other == seat or player.donkey != 0 or has_donkey_to_choose(game, other):
            continue
        left = 0
        for tile in range(box.donkey_count):
            left += 1 - (player.donkeys_out >> tile & 1)
        chosen = np.int64(mixed(luck, _DONKEYS, other) % np.uint64(max(1, left)))
        for tile in range(box.donkey_count):
            if not (player.donkeys_out >> tile) & 1:
                if chosen == 0:
                    player.donkey = tile + 1
                chosen -= 1


# --- playing on -------------------------------------------------------------------------------------------------------------------


@kernel
def play_on(game, box, options, weights, until_round_scored):
    """Let every seat play by its plan until the round has been scored or to the end of the game."""
    count = advance(game, box, options)
    while count != 0:
        if count == ROUND_SCORED:
            if until_round_scored:
                return
        else:
            seat = int(game.agenda[game.depth - 1].seat)
            chosen = best_planned(game, box, seat, options, count, weights) if count > 1 else 0
            apply(game, box, options[chosen])
        count = advance(game, box, options)


@kernel
def margin(game, seat):
    """A seat's points beyond the best other seat's."""
    best = -1000
    for other in range(game.seats):
        if other != seat:
            best = max(best, int(game.players[other].stock[VP]))
    return float(game.players[seat].stock[VP] - best)


# --- judging a position ------------------------------------------------------------------------------------------------------------


@kernel
def goods_worth(box, player):
    """What is held, by the plan: what is needed at its worth, the rest at what it sells for."""
    total = 0.0
    for kind in range(KINDS):
        total += held(player, kind) * box.scratch[kind]
    return total


@kernel
def progress_worth(game, box, player, weights):
    """Symbols already filled on barrows and rows that are worth finishing, at the rate of a delivery."""
    total = 0.0
    for slot in range(SLOTS):
        if player.barrows[slot] > 0:
            filled = box.cards[player.barrows[slot]].barrow_size - player.barrow_left[slot]
            total += max(0.0, box.scratch[BARROW_RATE + slot]) * (0.3 + filled)
    for building in range(len(BUILDINGS)):
        if player.row_left[building] > 0:
            filled = box.buildings[building].symbols - player.row_left[building]
            total += max(0.0, box.scratch[BUILDING_RATE + building]) * filled
    return total


@kernel
def farm_worth(game, box, seat, weights):
    """What the farm will bring in the rounds left: fields, helpers, extensions, craft markers, roofs not yet used, cards in the hand."""
    player, rounds = game.players[seat], box.scratch[ROUNDS_LEFT] - 1.0
    a_round = weights[W_FIELD] * weights[W_GOOD] * field_cards(player) / (1.0 + 0.1 * field_cards(player))
    a_round += 0.7 * weights[W_DELIVERY] * player.delivery_icons + 0.5 * weights[W_CARD] * player.hand_icons
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            a_round += weights[W_HELPER] * ability_worth(box, box.cards[player.helpers[slot]].helper, weights)
    for index in range(player.extension_count):
        a_round += effect_worth(game, box, seat, box.cards[player.extensions[index]].ext_income, weights)
    total = a_round * rounds + weights[W_CARD] * player.hand_size
    for building in range(len(BUILDINGS)):
        if (player.done >> building) & 1:
            total += weights[W_PERMANENT] * (permanent_worth(box, building, weights) * rounds / (1.0 + rounds))
    for space in range(player.roof_count):
        if not player.roof_used[space]:
            total += weights[W_ROOF] * effect_worth(game, box, seat, box.roofs[player.roofs[space]].effect, weights)
    return total


@kernel
def position_worth(game, box, seat, weights):
    """A position when a round has been scored: points, and what the plan makes of the rest. After the last round only points and sales count."""
    player = game.players[seat]
    if game.round_number >= box.rounds:
        silver = float(player.stock[SILVER]) + box.commodity_silver * player.stock[COMMODITY]
        for good in range(HARVEST + 1):
            silver += float(player.stock[good]) * box.sell_price[good]
        return float(player.stock[VP]) + silver / box.silver_per_vp
    plan(game, box, seat, weights)
    total = float(player.stock[VP]) + weights[W_SILVER] * player.stock[SILVER] + weights[W_COMMODITY] * player.stock[COMMODITY]
    box.scratch[SILVER] = 0.0
    box.scratch[COMMODITY] = 0.0
    total += goods_worth(box, player) + progress_worth(game, box, player, weights) + farm_worth(game, box, seat, weights)
    box.scratch[ROUNDS_LEFT] -= 1.0
    return total + market_markers(game, seat) * marker_worth(game, box, weights)


@kernel
def relative_worth(game, box, seat, weights):
    """A position against the best of the others."""
    best = -1000.0
    for other in range(game.seats):
        if other != seat:
            best = max(best, position_worth(game, box, other, weights))
    return position_worth(game, box, seat, weights) - best
