"""Paired differences: estimates with their intervals, tests, and what may be concluded.

The unit is the block. The interval of a difference is Student's t over block differences; the test is two-sided, and over all measures and
arms the false discovery rate is held by Benjamini and Hochberg's procedure (Journal of the Royal Statistical Society B 57, 1995, 289-300).
Where only a few blocks differ, t is too sure of itself. A sign-flip test of k blocks that differ cannot give less than 2^(1 - k), so p is no
smaller; and below `FEW` of them the interval reaches as far as the most blocks that could differ (Garwood's limit of a Poisson mean,
Biometrika 28, 1936, 437-442) would move the mean, each by the most that any did.

Equivalence within a bound is shown by two one-sided tests (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987, 657-680).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaincinv, stdtr, stdtrit

from lagranja_sim.compare.moments import Moments
from lagranja_sim.stats.blocks import FEW  # blocks that differ, below which t alone is not trusted

ALPHA = 0.05
SAME, DIFFERENT, EQUIVALENT, UNDECIDED = "identical", "different", "equivalent", "undecided"


@dataclass(frozen=True)
class Difference:
    """A measure in an arm less the same in the first arm."""

    arm: str
    measure: str
    before: float
    after: float
    mean: float
    low: float
    high: float
    error: float
    blocks: int
    differing: int  # blocks that differ at all
    z: float
    p: float
    correlation: float  # of the block means of both arms
    saving: float  # how many times as many games independent seeds would take for an interval as narrow
    identical: bool  # in every block
    q: float = np.nan  # the least false discovery rate at which it counts as found
    bound: float | None = None
    verdict: str = UNDECIDED


# --- one measure -------------------------------------------------------------------------------------------------------------------


def half_width(error: float, blocks: int, level: float = 0.95) -> float:
    """Of Student's t interval."""
    return error * float(stdtrit(blocks - 1, (1 + level) / 2)) if blocks > 1 else np.nan


def difference(arm: str, measure: str, at: int, before: Moments, after: Moments, apart: Moments, level: float = 0.95) -> Difference:
    """Column `at` of the moments of both arms and of their differences."""
    mean, error, blocks = float(apart.mean[at]), float(apart.error[at]), apart.count
    half, differing = half_width(error, blocks, level), int(apart.nonzero[at])
    reach = rare_reach(differing, blocks, float(apart.largest[at]), level)
    z, p = score(mean, error, blocks, differing)
    correlation, saving = pairing(float(before.variance[at]), float(after.variance[at]), float(apart.variance[at]))
    values = float(before.mean[at]), float(after.mean[at])
    ends = (min(mean - half, -reach), max(mean + half, reach)) if differing < FEW else (mean - half, mean + half)
    return Difference(arm, measure, *values, mean, *ends, error, blocks, differing, z, p, correlation, saving, differing == 0)


def rare_reach(differing: int, blocks: int, largest: float, level: float) -> float:
    """How far a mean could be from 0 if as many blocks differ as chance allows."""
    return float(gammaincinv(differing + 1, (1 + level) / 2)) * largest / blocks


def score(mean: float, error: float, blocks: int, differing: int) -> tuple[float, float]:
    """The difference in standard errors, and the two-sided p value of the test that there is none."""
    if blocks < 2:
        return np.nan, np.nan
    z = mean / error if error > 0 else np.copysign(np.inf, mean) if mean else 0.0
    return float(z), min(1.0, max(float(2 * stdtr(blocks - 1, -abs(z))), 2.0 ** (1 - differing)))


def pairing(before: float, after: float, apart: float) -> tuple[float, float]:
    """The correlation r within pairs, from var(b - a) = var a + var b - 2 r sd a sd b, and (var a + var b) / var(b - a)."""
    scale = 2 * np.sqrt(before * after)
    correlation = (before + after - apart) / scale if scale > 0 else np.nan
    return float(correlation), float((before + after) / apart) if apart > 0 else (np.inf if before + after > 0 else np.nan)


# --- a table of them ---------------------------------------------------------------------------------------------------------------


def discovery_rates(p_values: Sequence[float]) -> np.ndarray:
    """Benjamini and Hochberg's adjusted p values: min over j >= i of p(j) m / j."""
    p = np.asarray(p_values, float)
    order = np.argsort(-p)
    ranks = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum.accumulate(np.minimum(p[order] * len(p) / ranks, 1.0))
    return adjusted


def judged(rows: Sequence[Difference], bounds: Mapping[str, float], alpha: float = ALPHA) -> list[Difference]:
    """The rows with their discovery rates and verdicts, the largest |z| first."""
    rates = discovery_rates([row.p for row in rows])
    made = [replace(row, q=float(rate), bound=bounds.get(row.measure)) for row, rate in zip(rows, rates, strict=True)]
    return sorted((replace(row, verdict=verdict(row, alpha)) for row in made), key=lambda row: -abs(row.z))


def verdict(row: Difference, alpha: float = ALPHA) -> str:
    """Nothing is called equivalent without a bound: a wide interval leaves it undecided."""
    if row.identical:
        return SAME
    if row.bound is not None and equivalence(row) < alpha:
        return EQUIVALENT
    return DIFFERENT if row.q < alpha else UNDECIDED


def equivalence(row: Difference) -> float:
    """The p value of two one-sided t tests that the difference is beyond the bound: the larger of the two.

    Where few blocks differ, the whole interval has to lie within the bound as well."""
    if row.bound is None or row.blocks < 2:
        return np.nan
    if row.differing < FEW and max(-row.low, row.high) >= row.bound:
        return 1.0
    room = row.bound - abs(row.mean)
    t = room / row.error if row.error > 0 else np.copysign(np.inf, room)
    return float(stdtr(row.blocks - 1, -t))
