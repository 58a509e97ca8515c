"""Records: all of a game in play, its options, what is printed. Plain numbers without pointers, so that `copy[0] = game[0]` clones a game.

No field may carry the name of a method of numpy scalars (round, item, size, take, ...): uncompiled, the method would win.
"""

import numpy as np


def record(*fields):
    """A numpy record dtype whose nested records are read as attributes, compiled and uncompiled."""
    return np.dtype((np.record, list(fields)))
