"""Playing on, from a position in which what a seat cannot see has been dealt anew (`redeal` of rules/hidden.py).

A search never reads what is hidden: it plays on copies in which other hands, the deck, dice and roofs to come and donkeys not yet revealed are
dealt anew from the policy's own stream.
"""

from typing import Any, NamedTuple

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.toolkit.option_worth import best_planned
from lagranja_sim.kit.agenda import to_move
from lagranja_sim.kit.outcomes import ROUND_SCORED


class SearchRoom(NamedTuple):
    """What a search works in; a policy makes it anew at each decision."""

    games: Any  # records: the position, and copies that are played on
    options: Any  # room for a list of options
    features: Any  # room for what a position shows (position.py)
    notes: Any  # one record, which serves all seats in turn


@kernel
def play_on(game, box, room, weights, rounds):
    """Let every seat play by its plan until so many rounds have been scored, or to the end of the game."""
    options = room.options
    count = advance(game, box, options)
    while count != 0:
        if count == ROUND_SCORED:
            rounds -= 1
            if rounds == 0:
                return
        else:
            seat = to_move(game)
            chosen = best_planned(game, box, seat, options[:count], weights, room.notes[0]) if count > 1 else 0
            apply(game, box, options[chosen])
        count = advance(game, box, options)
