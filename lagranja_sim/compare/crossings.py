"""Where the measures of a sweep over numbers cross a line: equal shares of the wins, no gap between places, or a value that is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lagranja_sim.compare.comparison import Line
from lagranja_sim.compare.record import tidy
from lagranja_sim.compare.response import Response, rising
from lagranja_sim.compare.words import digits, scale, value
from lagranja_sim.game import Measure
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.stats.blocks import FEW
from lagranja_sim.stats.crossings import Curve, Span, heads_beyond, points, spans

ONE, SEVERAL, POSSIBLE = "one crossing", "several crossings", "perhaps a crossing"
NONE, BEYOND, UNKNOWN = "no crossing in the range", "crossing beyond the range, if any", "unknown"
HOW = (
    "Lines are crossed where means joined by straight lines cross them: what lies between two values was not played. "
    "Intervals: the places at which the mean cannot be told from the line, each at 95 % on its own"
)


def parse_lines(texts: Sequence[str]) -> tuple[Line, ...]:
    """`MEASURE=VALUE`; shares are parts of 1."""
    return tuple(dict.fromkeys(map(_line, texts)))


def _line(text: str) -> Line:
    measure, equals, typed = (part.strip() for part in text.rpartition("="))
    try:
        level = float(typed)
    except ValueError:
        level = math.nan
    if not measure or not equals or not math.isfinite(level):
        raise ExperimentError([f'--line: {text!r} is no line; expected MEASURE=NUMBER, e.g. "win_share(seat1)=0.25"'])
    return Line(measure, level)


# --- what is crossed where ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crossed:
    """A measure along a sweep, and where it crosses a line."""

    measure: Measure
    line: float
    curve: Curve
    ticks: tuple[str, ...]  # the values as they are written, in rising order

    @cached_property
    def points(self) -> list[float]:
        return points(self.curve, self.line)

    @cached_property
    def spans(self) -> list[Span]:
        return spans(self.curve, self.line)

    @cached_property
    def beyond(self) -> list[float]:
        """Ends of the range behind which the line lies if things go on as they go there."""
        return [] if self.points or self.spans else heads_beyond(self.curve, self.line)

    @property
    def verdict(self) -> str:
        if not np.isfinite(self.curve.variances).all():
            return UNKNOWN
        if sure := sum(map(self.is_sure, self.spans)):
            return ONE if sure == 1 else SEVERAL
        return POSSIBLE if self.spans else BEYOND if self.beyond else NONE

    def inside(self, span: Span) -> list[float]:
        return [place for place in self.points if span.low <= place <= span.high]

    def is_sure(self, span: Span) -> bool:
        """Whether the measure is surely on one side of the line before it, and on the other behind it."""
        return not any(self.is_open(span)) and len(self.inside(span)) % 2 == 1

    def is_open(self, span: Span) -> tuple[bool, bool]:
        """Whether it reaches the lower and the upper end of the range, so that the crossing may lie outside as well."""
        return span.low <= self.curve.range.low, span.high >= self.curve.range.high


def crossings(response: Response) -> list[Crossed]:
    """All measures with lines, in their order; none unless the sweep is one over numbers."""
    arms = rising(response.sweeps, response.order)
    comparison = response.comparison
    if not arms:
        return []
    places = np.array(sorted(response.sweeps[0].numbers or []))
    ticks = tuple(response.label(arm) for arm in arms)
    at = [comparison.arms.index(arm) for arm in arms]
    return [
        Crossed(comparison.measures[column], line, _curve(response, places, at, column), ticks)
        for column in range(len(comparison.measures))
        for line in lines_of(response, column)
    ]


def lines_of(response: Response, column: int) -> list[float]:
    """The lines asked for, else the usual one of the measures that are shown."""
    comparison, measure = response.comparison, response.comparison.measures[column]
    asked = [line.value for line in comparison.wish.lines if line.measure == measure.name]
    usual = [] if measure.even is None or column not in comparison.shown else [measure.even]
    return asked or usual


def _curve(response: Response, places: np.ndarray, at: Sequence[int], column: int) -> Curve:
    played = response.comparison.played
    blocks = response.comparison.deals
    variances = np.array([played.arms[place].variance[column] for place in at]) / blocks
    steps = np.array([step.variance[column] for step in played.steps]) / blocks
    if blocks < FEW:  # a few deals that agree prove nothing
        variances = np.where(variances > 0, variances, np.nan)
    return Curve(places, np.array([played.arms[place].mean[column] for place in at]), variances, steps, blocks)


# --- in words ----------------------------------------------------------------------------------------------------------------------


def sentences(found: Sequence[Crossed]) -> list[str]:
    return [sentence(crossed) for crossed in found]


def sentence(crossed: Crossed) -> str:
    """`wins of the start player, 25 %: one crossing; between 3 and 4, at 3.4 (95 % 3.1 to 3.8)`."""
    return f"{crossed.measure.words}, {line_in_words(crossed)}: {'; '.join([crossed.verdict, *_details(crossed)])}"


def line_in_words(crossed: Crossed) -> str:
    number = f"{round(crossed.line * scale(crossed.measure), 2):g}"
    return f"{number} %" if crossed.measure.is_share else number


def _details(crossed: Crossed) -> Iterator[str]:
    if not crossed.spans:
        yield from (f"at {place:.3g}, of unknown precision" for place in crossed.points)
    for span in crossed.spans:
        yield span_in_words(crossed, span)
    if not crossed.points and not crossed.spans:
        yield _side(crossed)
    yield from (f"coming nearer towards {_tick(crossed, place)}" for place in crossed.beyond)


def span_in_words(crossed: Crossed, span: Span) -> str:
    """One piece of the interval, with the crossings of the means in it."""
    decimals = digits(span.high - span.low)
    limits, inside = _limits(crossed, span, decimals), [f"{place:.{decimals}f}" for place in crossed.inside(span)]
    perhaps = "" if crossed.is_sure(span) or crossed.verdict == POSSIBLE else "perhaps "
    if all(crossed.is_open(span)):
        return f"it cannot be told from the line anywhere from {crossed.ticks[0]} to {crossed.ticks[-1]}"
    if not inside:
        return f"{perhaps}from {limits} (95 %), where the means come near and do not cross"
    where = f"{_between(crossed, crossed.inside(span)[0])}at {inside[0]}" if len(inside) == 1 else f"at {' or '.join(inside)}"
    return f"{perhaps}{where} (95 % {limits})"


def _limits(crossed: Crossed, span: Span, decimals: int) -> str:
    lower, upper = crossed.is_open(span)
    low = f"{_tick(crossed, span.low)} or less" if lower else f"{span.low:.{decimals}f}"
    high = f"{_tick(crossed, span.high)} or more" if upper else f"{span.high:.{decimals}f}"
    return f"{low} to {high}"


def _between(crossed: Crossed, place: float) -> str:
    after = int(np.searchsorted(crossed.curve.places, place))
    if crossed.curve.places[after] == place:
        return ""
    return f"between {crossed.ticks[after - 1]} and {crossed.ticks[after]}, "


def _side(crossed: Crossed) -> str:
    """On which side of the line all means are, and how near they come to it."""
    nearest = int(np.argmin(np.abs(crossed.curve.means - crossed.line)))
    side = "above" if crossed.curve.means[nearest] > crossed.line else "below"
    mean = value(crossed.measure, crossed.curve.means[nearest], math.sqrt(crossed.curve.variances[nearest]))
    return f"{side} it from {crossed.ticks[0]} to {crossed.ticks[-1]}, nearest at {crossed.ticks[nearest]} ({mean})"


def _tick(crossed: Crossed, place: float) -> str:
    return crossed.ticks[0 if place == crossed.curve.range.low else -1]


# --- for programs ------------------------------------------------------------------------------------------------------------------


def records(found: Sequence[Crossed]) -> list[dict[str, Any]]:
    return [record(crossed) for crossed in found]


def record(crossed: Crossed) -> dict[str, Any]:
    """A crossing with its interval as pieces; `open` says which of their ends are ends of the range."""
    return {
        "measure": crossed.measure.name,
        "line": tidy(crossed.line),
        "verdict": crossed.verdict,
        "at": [tidy(place) for place in crossed.points],
        "intervals": [{"low": tidy(span.low), "high": tidy(span.high), "open": list(crossed.is_open(span))} for span in crossed.spans],
        "beyond": [tidy(place) for place in crossed.beyond],
        "words": sentence(crossed),
    }
