"""Monte Carlo search: spends a budget of play-outs on the best options of `balanced`, each on a fresh deal of what is hidden.

One-ply UCB1 (Auer, Cesa-Bianchi and Fischer 2002) with determinization. A play-out copies the game, deals the hidden cards, dice and roofs anew,
carries the option out, lets all seats play as `balanced` for `horizon` rounds and judges the position as `lookahead` does, as a chance to win. The
n-th play-out of every option meets the same deal. The budget is a number of play-outs, never of seconds, so a game can be repeated exactly. Small
decisions are left to `balanced`.
"""

import math

import numpy as np

from lagranja_sim.games.lagranja.toolkit import *

WEIGHTS_OF = "balanced"
WEIGHTS = {
    "playouts": (200.0, 1.0, 10_000.0),  # a decision
    "tries": (6.0, 1.0, 12.0),  # options among which they are shared
    "explore": (0.05, 0.0, 3.0),  # UCB1's constant, for chances to win
    "horizon": (1.0, 1.0, 6.0),  # rounds played out
    "others": (0.3, 0.0, 1.0),  # how much the best other position counts against their mean
}
PLAYOUTS, TRIES, EXPLORE, HORIZON, OTHERS = range(len(Weight), len(Weight) + 5)
SEARCHED = (
    Ask.PLAY_CARD,
    Ask.EFFECT_CARD,
    Ask.TAKE_DIE,
    Ask.CHOOSE_DONKEY,
    Ask.BUY_ROOF,
    Ask.FREE_DELIVERY,
    Ask.CHOOSE_EFFECT,
    Ask.PLACE_MARKER,
)
POINTS_A_CHANCE = 10.0  # a margin of so many points makes winning about three times as likely as losing


@kernel
def is_searched(kind):
    for one in SEARCHED:
        if kind == one:
            return True
    return False


@kernel
def note_worths(game, box, seat, options, plan, worths):
    """What each option is worth by plan."""
    kind = kind_of(game)
    for index in range(len(options)):
        worths[index] = option_worth(game, box, seat, kind, options[index], plan)


@kernel
def shortlist(worths, chosen):
    """The options of most worth into `chosen`; returns how many."""
    size = min(len(worths), len(chosen))
    for place in range(size):
        best = 0
        for index in range(1, len(worths)):
            if worths[index] > worths[best]:
                best = index
        chosen[place] = best
        worths[best] = -1e9
    return size


@kernel
def play_out(room, box, seat, option, luck, weights):
    """One play-out on a fresh deal of what is hidden: the chance to win that it leads to."""
    games = room.games
    games[1] = games[0]
    redeal(games[1], box, seat, luck)
    apply(games[1], box, option)
    play_on(games[1], box, room, weights, int(weights[HORIZON]))
    margin = expected_margin(games[1], box, seat, weights[OTHERS], room.features)
    return 1.0 / (1.0 + math.exp(-margin / POINTS_A_CHANCE))


@kernel
def most_promising(total, visits, size, spent, explore):
    """UCB1: untried options first, then the best mean with its allowance for uncertainty."""
    best, best_bound = 0, -1e9
    for place in range(size):
        if visits[place] == 0:
            return place
        bound = total[place] / visits[place] + explore * math.sqrt(2.0 * math.log(spent) / visits[place])
        if bound > best_bound:
            best, best_bound = place, bound
    return best


@kernel
def most_tried(total, visits, size):
    """The option with most play-outs, of equals the one with the better mean."""
    best = 0
    for place in range(1, size):
        if visits[place] > visits[best] or (visits[place] == visits[best] and total[place] > total[best]):
            best = place
    return best


def choose(game, box, seat, options, weights, notes):
    if not is_searched(kind_of(game)):
        return best_planned(game, box, seat, options, weights, notes)
    worths, chosen = np.zeros(len(options)), np.zeros(int(weights[TRIES]), np.int64)
    make_plan(game, box, seat, weights, notes.plan)
    note_worths(game, box, seat, options, notes.plan, worths)
    size = shortlist(worths, chosen)
    if size == 1:
        return chosen[0]
    room = SearchRoom(np.zeros(2, GAME), np.zeros(MAX_OPTIONS, OPTION), np.zeros(FEATURES), np.zeros(1, NOTES))
    room.games[0] = game
    total, visits = np.zeros(size), np.zeros(size, np.int64)
    for spent in range(int(weights[PLAYOUTS])):
        place = most_promising(total, visits, size, spent, weights[EXPLORE])
        luck = mixed(game.luck, 11, visits[place])
        total[place] += play_out(room, box, seat, options[chosen[place]], luck, weights)
        visits[place] += 1
    return chosen[most_tried(total, visits, size)]
