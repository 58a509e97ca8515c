"""Any option; but where what lies behind the list it may look at names a hidden card, an option that does not exist, so that the game fails."""

from lagranja_sim.games.lagranja.toolkit import CARDS, HIDDEN, draw

WEIGHTS = {}


def choose(game, box, seat, options, weights, notes):
    for index in range(len(options), len(options) + 5):
        card = options[index].card
        if 0 < card <= CARDS and game.card_place[card] == HIDDEN and game.reshuffles == 0:
            return -1
    return draw(game, 0, len(options))
