"""Takes dice as long as the average die keeps it below the limit."""

PLAYS = "limit"
WEIGHTS = {"margin": (3.5, -5.0, 10.0)}  # points below the limit at which it stops


def score(game, box, seat, option, weights, notes):
    room = box.limit - game.vp[seat]
    return 1.0 if (room >= weights[0]) == (option.do == 0) else 0.0
