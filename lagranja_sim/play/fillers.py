"""Policies that fill the places of function pointers not in use."""

from numba import njit

from lagranja_sim.play.policy_api import CHOICE, SCORE


@njit(CHOICE, cache=True, nogil=True)
def choose_first(game, box, seat, options, count, weights):
    """The first option."""
    return 0


@njit(SCORE, cache=True, nogil=True)
def score_nothing(game, box, seat, option, weights):
    """Every option is worth as much."""
    return 0.0
