"""Any option; but where an option behind the list plays a card that is hidden from the seat, one that does not exist, so that the game fails."""

from lagranja_sim.games.lagranja.toolkit import HIDDEN, Do, draw

WEIGHTS = {}


def choose(game, box, seat, options, weights, notes):
    for index in range(len(options), len(options) + 5):
        if options[index].do == Do.PLAY_CARD and game.card_place[options[index].card] == HIDDEN and game.reshuffles == 0:
            return -1
    return draw(game, 0, len(options))
