"""Where a curve crosses a line, when the curve is known by its means at some places and joined by straight lines between them.

The means come from the same blocks, so neighbours are correlated. At the part t of the way from a mean to the next the curve has the variance
(1 - t) v + t w - t (1 - t) d, where v and w are the variances of both means and d is that of their difference. The interval of a crossing is
the inversion of a test: all places where Student's t interval of the curve holds the line (Fieller, Journal of the Royal Statistical Society B
16, 1954, 175-185, on each piece). So it holds a true crossing as often as stated; it may have several pieces, or reach an end of the range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lagranja_sim.stats.blocks import LEVEL, Estimate, Floats, t_quantile


class Span(NamedTuple):
    """Places in a row that cannot be told from a crossing."""

    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """Means at places in rising order."""

    places: Floats
    means: Floats
    variances: Floats  # of the means; nan where nothing is known
    steps: Floats  # variances of the difference from each mean to the next
    blocks: int

    @property
    def range(self) -> Span:
        return Span(float(self.places[0]), float(self.places[-1]))

    def at(self, piece: int, part: float) -> Estimate:
        """The curve at a part (0 to 1) of the way from place number `piece` to the next."""
        mean = (1 - part) * self.means[piece] + part * self.means[piece + 1]
        ends = (1 - part) * self.variances[piece] + part * self.variances[piece + 1]
        variance = ends - part * (1 - part) * self.steps[piece]
        return Estimate.of(float(mean), float(np.sqrt(np.maximum(variance, 0.0))), self.blocks)

    def place(self, piece: int, part: float) -> float:
        return float((1 - part) * self.places[piece] + part * self.places[piece + 1])

    def step(self, piece: int) -> Estimate:
        """The difference from a mean to the next."""
        return Estimate.of(float(self.means[piece + 1] - self.means[piece]), float(np.sqrt(self.steps[piece])), self.blocks)


# --- crossings ---------------------------------------------------------------------------------------------------------------------


def points(curve: Curve, line: float) -> list[float]:
    """Where the means, joined, reach or cross the line."""
    found = [float(place) for place, mean in zip(curve.places, curve.means, strict=True) if mean == line]
    for piece, (before, after) in enumerate(zip(curve.means[:-1] - line, curve.means[1:] - line, strict=True)):
        if before * after < 0:
            found.append(curve.place(piece, before / (before - after)))
    return sorted(found)


def spans(curve: Curve, line: float, level: float = LEVEL) -> list[Span]:
    """Where the curve cannot be told from the line: the interval of its crossings; none where nothing is known."""
    if not np.isfinite([*curve.variances, *curve.steps]).all():
        return []
    pieces = [span for piece in range(len(curve.places) - 1) for span in _spans(curve, piece, line, level)]
    return joined(sorted([*pieces, *(Span(place, place) for place in points(curve, line))]))


def _spans(curve: Curve, piece: int, line: float, level: float) -> Iterator[Span]:
    """Within a piece: where a polynomial of the part, (mean - line)^2 - t^2 variance, is not above 0."""
    quadratic = _quadratic(curve, piece, line, float(t_quantile(curve.blocks, level)) ** 2)
    roots = np.roots(quadratic)
    inner = sorted(float(root.real) for root in roots if np.isreal(root) and 0 < root.real < 1)
    for low, high in pairwise([0.0, *inner, 1.0]):
        if np.polyval(quadratic, (low + high) / 2) <= 0:
            yield Span(curve.place(piece, low), curve.place(piece, high))


def _quadratic(curve: Curve, piece: int, line: float, square: float) -> list[float]:
    """Its coefficients, that of the square first."""
    away, rise = curve.means[piece] - line, curve.means[piece + 1] - curve.means[piece]
    before, after, step = curve.variances[piece], curve.variances[piece + 1], curve.steps[piece]
    return [rise**2 - square * step, 2 * away * rise - square * (after - before - step), away**2 - square * before]


def joined(rising: Sequence[Span]) -> list[Span]:
    """Spans that touch or overlap made one."""
    found: list[Span] = []
    for span in rising:
        if found and span.low <= found[-1].high:
            found[-1] = Span(found[-1].low, max(found[-1].high, span.high))
        else:
            found.append(span)
    return found


# --- beyond the range --------------------------------------------------------------------------------------------------------------


def heads_beyond(curve: Curve, line: float) -> list[float]:
    """The ends of the range at which the curve surely comes nearer to the line that it has not reached; the place of each."""
    towards = ((0, curve.places[0], -1.0), (len(curve.places) - 2, curve.places[-1], 1.0))
    ends = (curve.means[0], curve.means[-1])
    return [
        float(place)
        for (piece, place, outwards), mean in zip(towards, ends, strict=True)
        if (step := curve.step(piece)).excludes(0) and step.mean * outwards * (line - mean) > 0
    ]
