"""How findings are put into words: intervals, p-values, and how strong a finding is."""

from __future__ import annotations

import numpy as np

from lagranja_sim.stats.blocks import Estimate
from lagranja_sim.stats.clustered import t_quantile


def interval(found: Estimate, spec: str = ".2f") -> str:
    """`1.20 (1.10 to 1.30)`, with true minus signs."""
    mean, low, high = (number(value, spec) for value in (found.mean, found.low, found.high))
    return f"{mean} ({low} to {high})" if np.isfinite([found.low, found.high]).all() else f"{mean} (too few blocks for an interval)"


def number(value: float, spec: str = ".2f") -> str:
    return format(value, spec).replace("-", "\u2212")


def p_value(value: float) -> str:
    """`p < 0.0001` or `p = 0.0123`."""
    if not np.isfinite(value):
        return "p unknown"
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"


def strength(found: Estimate, against: float = 0.0, among: int = 1) -> float:
    """The distance from `against` in half-widths of the interval; below 1 it is undecided.

    A finding chosen as the strongest `among` several has to clear the wider interval that holds for all of them at once (Bonferroni)."""
    half = found.standard_error * t_quantile(found.blocks, 1 - (1 - found.level) / among)
    return float(abs(found.mean - against) / half) if half > 0 else 0.0
