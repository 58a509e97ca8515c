"""Takes the donkey tile that its weight names while it has it, otherwise the first option: a policy that its rows give away."""

from lagranja_sim.games.lagranja.rules.names import Do

WEIGHTS = {"tile": (1.0, 1.0, 4.0)}


def score(game, box, seat, option, weights, notes):
    return 1.0 if option.do == Do.CHOOSE_DONKEY and option.n == weights[0] else 0.0
