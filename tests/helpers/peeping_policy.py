"""Any option; but where a list lies behind the one it may look at, an option that does not exist, so that the game fails."""

from lagranja_sim.games.lagranja.toolkit import draw

WEIGHTS = {}


def choose(game, box, seat, options, weights, notes):
    for index in range(len(options), len(options) + 5):
        if options[index].do >= 0:
            return -1
    return draw(game, 0, len(options))
