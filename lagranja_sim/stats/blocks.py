"""Means and their intervals when the block is the unit.

The games of a block share one deal and differ in who sits where, so they are not independent of each other; blocks are. Whatever is
measured is first averaged within each block, and the interval is Student's t for the mean of these block means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit  # the quantile of Student's t; scipy.stats would take half a second to import


@dataclass(frozen=True)
class Estimate:
    """The mean of block means with its interval; the interval is unbounded (nan) where a single block cannot tell."""

    mean: float
    low: float
    high: float
    standard_error: float
    blocks: int
    level: float = 0.95


def estimate(block_means: ArrayLike, level: float = 0.95, bounds: tuple[float, float] = (-np.inf, np.inf)) -> Estimate:
    """The mean over blocks and its t interval, cut to what the quantity can be (a share lies in 0..1)."""
    values = np.asarray(block_means, float)
    if values.ndim != 1 or values.size == 0:
        raise ValueError("an estimate needs at least one block")
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, not {level}")
    mean, count = float(values.mean()), int(values.size)
    if count == 1:
        return Estimate(mean, float("nan"), float("nan"), float("nan"), count, level)
    error = float(values.std(ddof=1) / np.sqrt(count))
    half = error * float(stdtrit(count - 1, (1 + level) / 2))
    return Estimate(mean, max(mean - half, bounds[0]), min(mean + half, bounds[1]), error, count, level)
