"""What a seat may not see (K1)."""

from lagranja_sim.compile import inlined
from lagranja_sim.games.lagranja.rules.names import Ask, Phase
from lagranja_sim.games.lagranja.rules.state import CARDS, HIDDEN, IN_DECK, IN_HAND, MAX_DICE, ON_FARM, ROUNDS, SEATS


@inlined
def hide(views, game, seat):
    """K1: a copy of the game for one seat without other hands, the deck, face-down roofs, coming dice and donkeys not yet revealed."""
    views[0] = game
    view = views[0]
    own = IN_HAND + seat
    for card in range(1, CARDS + 1):
        place = view.card_place[card]
        if place == IN_DECK or (place >= IN_HAND and place < ON_FARM and place != own):
            view.card_place[card] = HIDDEN
    for index in range(CARDS):
        view.deck[index] = 0
    known = game.round_number if game.phase > Phase.FARM and game.phase != Phase.SETUP else game.round_number - 1
    if game.phase == Phase.REVENUE and no_die_rolled(game):
        known = game.round_number - 1
    for round_index in range(max(0, known), ROUNDS):
        for die in range(MAX_DICE):
            view.dice[round_index, die] = 0
    for round_index in range(game.round_number, ROUNDS):
        for index in range(SEATS):
            view.roofs[round_index, index] = 0
    if game.agenda[game.depth - 1].kind == Ask.CHOOSE_DONKEY:
        for other in range(game.seats):
            if other != seat:
                view.players[other].donkey = 0
    view.chance = 0


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
