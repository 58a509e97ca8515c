"""Always takes the die."""

PLAYS = "limit"
WEIGHTS = {}


def choose(game, box, seat, options, weights, notes):
    return 0
