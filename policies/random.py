"""Any legal option, each as likely as the other: the floor that every other policy is measured from."""

from lagranja_sim.games.lagranja.toolkit import draw

WEIGHTS = {}


def choose(game, box, seat, options, weights, notes):
    return draw(game, 0, len(options))
