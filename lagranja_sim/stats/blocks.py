"""Means and their intervals when the block is the unit.

The games of a block share one deal and differ in who sits where, so they are not independent of each other; blocks are. Whatever is
measured is first averaged within each block, and the interval is Student's t for the mean of these block means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit  # the quantile of Student's t; scipy.stats would take half a second to import

ANYTHING = (-np.inf, np.inf)
FEW = 6  # blocks: a sign-flip test of fewer cannot reach 5 %, whatever they show
ALIKE = 1e-6  # relative: shares of a win are kept in 32 bits, so that thirds do not quite add up


@dataclass(frozen=True)
class Estimate:
    """The mean of block means with its interval; its ends are nan where the blocks are too few to tell."""

    mean: float
    low: float
    high: float
    standard_error: float
    blocks: int
    level: float = 0.95


def estimate(block_means: ArrayLike, level: float = 0.95, bounds: tuple[float, float] = ANYTHING) -> Estimate:
    """The mean over blocks and its t interval, cut to what the quantity can be (a share lies in 0..1)."""
    values = np.asarray(block_means, float)
    if values.ndim != 1 or values.size == 0:
        raise ValueError("an estimate needs at least one block")
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, not {level}")
    count = int(values.size)
    if np.ptp(values) <= ALIKE * max(1.0, float(np.abs(values).max())):
        mean, error = float(values[0]), 0.0 if count > 1 else float("nan")
        return Estimate(mean, *_where_all_agree(mean, count, level, bounds), error, count, level)
    mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(count))
    half = error * float(stdtrit(count - 1, (1 + level) / 2))
    return Estimate(mean, max(mean - half, bounds[0]), min(mean + half, bounds[1]), error, count, level)


def _where_all_agree(mean: float, blocks: int, level: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """An interval without any spread to go by.

    Other blocks may be as far off as the quantity can be; they are no more than Clopper and Pearson allow of something never seen. What has
    no bounds and is the same in `FEW` blocks is taken for certain; fewer may agree by chance."""
    if blocks > 1 and np.isfinite(bounds).all():
        unseen = 1 - ((1 - level) / 2) ** (1 / blocks)
        return mean + unseen * min(bounds[0] - mean, 0.0), mean + unseen * max(bounds[1] - mean, 0.0)
    return (mean, mean) if blocks >= FEW else (float("nan"), float("nan"))
