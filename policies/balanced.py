"""Plans targets: values every good by the barrows and buildings it can still finish, and everything else by goods, silver and time."""

from lagranja_sim.games.lagranja.toolkit import *

WEIGHTS_OF = "toolkit"


def choose(game, box, seat, options, weights, notes):
    return best_planned(game, box, seat, options, weights, notes)
