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
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from scipy.special import gammaincinv

from lagranja_sim.compare.moments import Moments
from lagranja_sim.stats.blocks import FEW, FIELDS, LEVEL, Estimate, false_discovery, t_tail

ALPHA = 0.05
SAME, DIFFERENT, EQUIVALENT, UNDECIDED = "identical", "different", "equivalent", "undecided"


@dataclass(frozen=True, kw_only=True)
class Difference(Estimate):
    """The estimate of a measure in an arm less the same in the first arm, with what else is known of it."""

    arm: str
    measure: str
    before: float
    after: float
    differing: int  # blocks that differ at all
    z: float
    p: float  # no smaller than a sign-flip test could give
    correlation: float  # of the block means of both arms
    saving: float  # how many times as many games independent seeds would take for an interval as narrow
    identical: bool  # in every block
    q: float = np.nan  # the least false discovery rate at which it counts as found
    bound: float | None = None
    verdict: str = UNDECIDED

    def facts(self) -> dict[str, Any]:
        """For programs: what it is of, the estimate, the tests."""
        values = asdict(self)
        del values["level"]
        return {name: values.pop(name) for name in ("arm", "measure", "before", "after", *FIELDS)} | values


# --- one measure -------------------------------------------------------------------------------------------------------------------


def difference(arm: str, measure: str, at: int, before: Moments, after: Moments, apart: Moments) -> Difference:
    """Column `at` of the moments of both arms and of their differences."""
    differing = int(apart.nonzero[at])
    estimate = widen_for_few(apart.estimate(at), differing, float(apart.largest[at]))
    z, p = score(estimate, differing)
    correlation, saving = pairing(float(before.variance[at]), float(after.variance[at]), float(apart.variance[at]))
    return Difference(
        **vars(estimate),
        arm=arm,
        measure=measure,
        before=float(before.mean[at]),
        after=float(after.mean[at]),
        differing=differing,
        z=z,
        p=p,
        correlation=correlation,
        saving=saving,
        identical=differing == 0,
    )


def widen_for_few(estimate: Estimate, differing: int, largest: float) -> Estimate:
    """Widen the interval where few blocks differ.

    It then reaches at least as far as the mean could be from 0 if as many blocks differ as chance allows."""
    if differing >= FEW:
        return estimate
    reach = float(gammaincinv(differing + 1, (1 + LEVEL) / 2)) * largest / estimate.blocks
    return replace(estimate, low=min(estimate.low, -reach), high=max(estimate.high, reach))


def score(estimate: Estimate, differing: int) -> tuple[float, float]:
    """The difference in standard errors, and the two-sided p value of the test that there is none."""
    if estimate.blocks < 2:
        return np.nan, np.nan
    if differing == 0:
        return 0.0, 1.0
    z = estimate.mean / estimate.error if estimate.error > 0 else np.copysign(np.inf, estimate.mean)
    return float(z), min(1.0, max(2 * float(t_tail(abs(z), estimate.blocks)), 2.0 ** (1 - differing)))


def pairing(before: float, after: float, apart: float) -> tuple[float, float]:
    """The correlation r within pairs, from var(b - a) = var a + var b - 2 r sd a sd b, and (var a + var b) / var(b - a)."""
    scale = 2 * np.sqrt(before * after)
    correlation = (before + after - apart) / scale if scale > 0 else np.nan
    return float(correlation), float((before + after) / apart) if apart > 0 else (np.inf if before + after > 0 else np.nan)


# --- a table of them ---------------------------------------------------------------------------------------------------------------


def with_verdicts(rows: Sequence[Difference], bounds: Mapping[str, float], alpha: float = ALPHA) -> list[Difference]:
    """The rows with their discovery rates and verdicts, the largest |z| first."""
    rates = false_discovery([row.p for row in rows])
    rated = [replace(row, q=float(rate), bound=bounds.get(row.measure)) for row, rate in zip(rows, rates, strict=True)]
    return sorted((replace(row, verdict=verdict(row, alpha)) for row in rated), key=lambda row: -abs(row.z))


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
    return float(t_tail(room / row.error if row.error > 0 else np.copysign(np.inf, room), row.blocks))
