"""What a seat may not see (K1), hidden in its copy of the game and dealt anew on a copy of that.

Hidden are other hands and the deck, dice and roofs of rounds to come, and donkeys chosen but not yet revealed; the neutral player's cards to
come are the deck's (O12). What is hidden is said once, and both halves of this module go by it; `HIDDEN` marks the cards.
"""

import numpy as np

from lagranja_sim.chance import mixed, shuffle
from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.names import Ask, Phase
from lagranja_sim.games.lagranja.rules.solo import roofs_a_round
from lagranja_sim.games.lagranja.rules.state import CARDS, HIDDEN, IN_DECK, IN_HAND, MAX_DICE, ON_FARM, ROOFS, ROUNDS, SEATS
from lagranja_sim.kit.agenda import kind_of

_CARDS, _DICE, _ROOFS, _DONKEYS = 1, 2, 3, 4  # what is dealt anew, as streams of the luck

# --- what is hidden --------------------------------------------------------------------------------------------------------------


@inlined
def is_hidden_place(place, seat):
    """Whether a card that is there is hidden from a seat: in the deck or in another's hand."""
    return place == IN_DECK or (place >= IN_HAND and place < ON_FARM and place != IN_HAND + seat)


@inlined
def rounds_rolled(game):
    """Of how many rounds the dice are known."""
    if game.phase == Phase.SETUP or game.phase == Phase.FARM or (game.phase == Phase.REVENUE and no_die_rolled(game)):
        return max(0, game.round_number - 1)
    return int(game.round_number)


@inlined
def no_die_rolled(game):
    """Before the roll (H2): no die lies there, and none has been taken."""
    for face in range(6):
        if game.dice_left[face] > 0:
            return False
    for seat in range(game.seats):
        if game.players[seat].dice[0] > 0:
            return False
    return True


@inlined
def rounds_laid_out(game):
    """Of how many rounds the roofs lie face up."""
    return int(game.round_number)


@inlined
def are_donkeys_hidden(game):
    """T1: until all have chosen, nobody sees another's tile."""
    return kind_of(game) == Ask.CHOOSE_DONKEY


# --- hiding it -----------------------------------------------------------------------------------------------------------------------


@inlined
def hide(views, game, seat):
    """Let views[0] be a copy of the game without what is hidden from a seat."""
    views[0] = game
    view = views[0]
    for card in range(1, CARDS + 1):
        if is_hidden_place(view.card_place[card], seat):
            view.card_place[card] = HIDDEN
    for index in range(CARDS):
        view.deck[index] = 0
    for round_index in range(rounds_rolled(game), ROUNDS):
        for die in range(MAX_DICE):
            view.dice[round_index, die] = 0
    for round_index in range(rounds_laid_out(game), ROUNDS):
        for index in range(SEATS):
            view.roofs[round_index, index] = 0
    if are_donkeys_hidden(game):
        for other in range(game.seats):
            if other != seat:
                view.players[other].donkey = 0
    view.chance = 0


# --- dealing it anew -------------------------------------------------------------------------------------------------------------------


@kernel
def redeal(game, box, seat, luck):
    """Deal everything hidden from `seat` anew in a copy of what it sees, so that the game can be played on."""
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
    for round_index in range(rounds_rolled(game), ROUNDS):
        for die in range(MAX_DICE):
            game.dice[round_index, die] = 1 + mixed(luck, _DICE, 16 * round_index + die) % np.uint64(6)


@kernel
def redeal_roofs(game, box, luck):
    """Roofs of rounds to come, face down."""
    for round_index in range(rounds_laid_out(game), ROUNDS):
        tiles, count = game.roofs[round_index], 0
        for roof in range(1, ROOFS + 1):
            if box.roof_round[roof] == round_index + 1:
                tiles[count] = roof
                count += 1
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
    if not are_donkeys_hidden(game):
        return
    for other in range(game.seats):
        player = game.players[other]
        if other == seat or player.donkey != 0 or has_donkey_to_choose(game, other):
            continue
        left = 0
        for tile in range(box.donkey_count):
            left += 1 - (player.donkeys_out >> tile & 1)
        place = np.int64(mixed(luck, _DONKEYS, other) % np.uint64(max(1, left)))  # of its tile among those left
        for tile in range(box.donkey_count):
            if not (player.donkeys_out >> tile) & 1:
                if place == 0:
                    player.donkey = tile + 1
                place -= 1
