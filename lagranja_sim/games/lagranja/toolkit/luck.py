"""Randomness of a policy: a stream of its own at each decision, so that a game can be repeated exactly."""

import numpy as np

from lagranja_sim.chance import mixed
from lagranja_sim.compile import kernel


@kernel
def draw(game, index, bound):
    """The `index`-th random number of this decision, from 0 to bound - 1."""
    return np.int64(mixed(game.luck, 0, index) % np.uint64(bound))
