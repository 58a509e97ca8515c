"""Playing on, from a position in which what a seat cannot see has been dealt anew (`redeal` of rules/hidden.py).

A search never reads what is hidden: it plays on copies in which other hands, the deck, dice and roofs to come and donkeys not yet revealed are
dealt anew from the policy's own stream.
"""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.engine import ROUND_SCORED, advance, apply
from lagranja_sim.games.lagranja.toolkit.option_worth import best_planned
from lagranja_sim.kit.agenda import to_move


@kernel
def play_on(game, box, options, weights, rounds):
    """Let every seat play by its plan until so many rounds have been scored, or to the end of the game."""
    count = advance(game, box, options)
    while count != 0:
        if count == ROUND_SCORED:
            rounds -= 1
            if rounds == 0:
                return
        else:
            seat = to_move(game)
            chosen = best_planned(game, box, seat, options, count, weights) if count > 1 else 0
            apply(game, box, options[chosen])
        count = advance(game, box, options)
