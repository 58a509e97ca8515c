"""Looking ahead: dealing out what a seat cannot see, and playing on.

A search never reads what is hidden: it plays on copies in which other hands, the deck, dice and roofs to come and donkeys not yet revealed are
dealt anew from the policy's own stream.
"""

import numpy as np

from lagranja_sim.chance import mixed, shuffle
from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.engine import ROUND_SCORED, advance, apply
from lagranja_sim.games.lagranja.rules.names import Ask
from lagranja_sim.games.lagranja.rules.solo import roofs_a_round
from lagranja_sim.games.lagranja.rules.state import CARDS, HIDDEN, IN_DECK, IN_HAND, MAX_DICE, ROOFS, ROUNDS, SEATS
from lagranja_sim.games.lagranja.toolkit.option_worth import best_planned

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
        for index in range(roofs_a_round(game, box), SEATS):
            tiles[index] = 0


@kernel
def has_donkey_to_choose(game, seat):
    """Whether a seat's choice of a donkey is still to come."""
    for index in range(game.depth):
        if game.agenda[index].kind == Ask.CHOOSE_DONKEY and game.agenda[index].seat == seat:
            return True
    return False


@kernel
def redeal_donkeys(game, box, seat, luck):
    """Donkeys that others have chosen but not yet revealed: any tile they have."""
    if game.agenda[game.depth - 1].kind != Ask.CHOOSE_DONKEY:
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
def play_on(game, box, options, weights, rounds):
    """Let every seat play by its plan until so many rounds have been scored, or to the end of the game."""
    count = advance(game, box, options)
    while count != 0:
        if count == ROUND_SCORED:
            rounds -= 1
            if rounds == 0:
                return
        else:
            seat = int(game.agenda[game.depth - 1].seat)
            chosen = best_planned(game, box, seat, options, count, weights) if count > 1 else 0
            apply(game, box, options[chosen])
        count = advance(game, box, options)
