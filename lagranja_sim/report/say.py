"""How findings are put into words: intervals, p values, and how strong a finding is."""

from __future__ import annotations

import numpy as np

from lagranja_sim.stats.blocks import Estimate, t_quantile

PLAIN = 1.0  # the strength where no block disagrees: decided, but arithmetic rather than a finding


def interval(estimate: Estimate, spec: str = ".2f") -> str:
    """`1.20 (1.10 to 1.30)`, with true minus signs."""
    return f"{number(estimate.mean, spec)} ({ends(estimate, spec)})"


def ends(estimate: Estimate, spec: str = ".2f") -> str:
    """`1.10 to 1.30`: the interval alone; in words if there is none."""
    known = np.isfinite([estimate.low, estimate.high]).all()
    return f"{number(estimate.low, spec)} to {number(estimate.high, spec)}" if known else "too few blocks for an interval"


def number(value: float, spec: str = ".2f") -> str:
    return format(value, spec).replace("-", "\u2212")


def p_value(value: float) -> str:
    """`p < 0.0001` or `p = 0.0123`."""
    if not np.isfinite(value):
        return "p unknown"
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"


def strength(estimate: Estimate, against: float = 0.0, among: int = 1) -> float:
    """The distance from `against` in half-widths of the interval, on that side of it; below 1 it is undecided.

    A finding chosen as the strongest `among` several has to clear the wider interval that holds for all of them at once (Bonferroni)."""
    distance = abs(estimate.mean - against)
    half = estimate.mean - estimate.low if estimate.mean > against else estimate.high - estimate.mean
    if among > 1:
        half *= float(t_quantile(estimate.blocks, 1 - (1 - estimate.level) / among) / t_quantile(estimate.blocks, estimate.level))
    if half > 0:
        return float(distance / half)
    return PLAIN if half == 0 and distance > 0 else 0.0


def verdict(estimate: Estimate, against: float) -> str:
    """`more than`, `less than`, or that neither is decided; to be followed by what it is compared with."""
    if not estimate.excludes(against):
        return "undecided against"
    return "more than" if estimate.mean > against else "less than"
