"""Plays the round out: tries the best options of `balanced` on copies of the game to the end of the round, and takes the best outcome.

An outcome is judged by the final points that such positions led to in games of `balanced` (toolkit/position.py), against those of the others.

What it cannot see (hands, deck, dice and roofs to come) is dealt anew from its own stream, the same for all options of a decision. Small decisions
(trades, upgrades, passing) are left to `balanced`.
"""

import numpy as np

from lagranja_sim.games.lagranja.toolkit import *

WEIGHTS_OF = "balanced"
WEIGHTS = {
    "tries": (3.0, 1.0, 8.0),  # options tried
    "deals": (1.0, 1.0, 8.0),  # ways to deal out what is hidden
    "others": (0.3, 0.0, 1.0),  # how much the best other position counts
    "gap": (2.0, 0.0, 50.0),  # options worth so much less than the best, in points of `balanced`, are not tried
}
TRIES, DEALS, OTHERS, GAP = range(len(Weight), len(Weight) + 4)
PLAYED_OUT = (Ask.PLAY_CARD, Ask.EFFECT_CARD, Ask.TAKE_DIE, Ask.CHOOSE_DONKEY, Ask.BUY_ROOF, Ask.PLACE_MARKER)


@kernel
def is_played_out(kind):
    for one in PLAYED_OUT:
        if kind == one:
            return True
    return False


@kernel
def rank_options(game, box, seat, options, plan, worths):
    """What `balanced` makes of each option."""
    kind = kind_of(game)
    for index in range(len(options)):
        worths[index] = option_worth(game, box, seat, kind, options[index], plan)


@kernel
def best_left(worths, count):
    """The option of most worth, taken out of the running."""
    best = 0
    for index in range(1, count):
        if worths[index] > worths[best]:
            best = index
    return best


@kernel
def judge(room, box, seat, option, weights):
    """An option by the mean outcome of the round over so many deals of what is hidden."""
    games, total = room.games, 0.0
    for deal in range(int(weights[DEALS])):
        games[1] = games[0]
        redeal(games[1], box, seat, mixed(games[0].luck, 7, deal))
        apply(games[1], box, option)
        play_on(games[1], box, room, weights, 1)
        total += expected_margin(games[1], box, seat, weights[OTHERS], room.features)
    return total


def choose(game, box, seat, options, weights, notes):
    if not is_played_out(kind_of(game)):
        return best_planned(game, box, seat, options, weights, notes)
    count, worths = len(options), np.zeros(len(options))
    make_plan(game, box, seat, weights, notes.plan)
    rank_options(game, box, seat, options, notes.plan, worths)
    room = SearchRoom(np.zeros(2, GAME), np.zeros(MAX_OPTIONS, OPTION), np.zeros(FEATURES), np.zeros(1, NOTES))
    room.games[0] = game
    best = best_left(worths, count)
    least, best_outcome = worths[best] - weights[GAP], -1e9
    for _ in range(min(count, int(weights[TRIES]))):
        index = best_left(worths, count)
        if worths[index] < least:
            break
        worths[index] = -1e9
        outcome = judge(room, box, seat, options[index], weights)
        if outcome > best_outcome:
            best, best_outcome = index, outcome
    return best
