"""Estimates when the block is the unit: a figure, its interval and its test.

The games of a block share one deal and differ in who sits where, so they are not independent of each other; blocks are. `estimate` takes the
mean of each block; `batches`, `clustered` and `compare.moments` get to the same form (a figure, its standard error, the number of blocks)
from sums. Only this module turns that into an interval and a test, both by Student's t.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit  # Student's t; scipy.stats would take half a second to import

Floats = NDArray[np.float64]
Bounds = tuple[float, float]
LEVEL = 0.95
SHARE: Bounds = (0.0, 1.0)  # what a share can be
ANYTHING: Bounds = (-np.inf, np.inf)
FEW = 6  # blocks: a sign-flip test of fewer cannot reach 5 %, whatever they show
ALIKE = 1e-6  # relative: shares of a win are kept in 32 bits, so that thirds do not quite add up
FIELDS = ("mean", "low", "high", "error", "blocks")  # of an estimate, and columns of a frame of estimates


# --- tests and limits --------------------------------------------------------------------------------------------------------------


def t_quantile(blocks: ArrayLike, level: float = LEVEL) -> Floats:
    """Half the width of an interval in standard errors; nan for a single block, which has no spread."""
    freedom = np.asarray(blocks, float) - 1
    return np.where(freedom > 0, stdtrit(np.maximum(freedom, 1), (1 + level) / 2), np.nan)


def t_tail(t: ArrayLike, blocks: ArrayLike) -> Floats:
    """The chance of a t at least as large if there is no effect: the p value of a one-sided test."""
    return np.asarray(stdtr(np.maximum(np.asarray(blocks, float) - 1, 1), -np.asarray(t, float)))


def p_values(means: ArrayLike, errors: ArrayLike, blocks: ArrayLike) -> Floats:
    """P values of the two-sided tests that the true figures are 0; nan where nothing is known."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * t_tail(np.abs(np.asarray(means, float) / np.asarray(errors, float)), blocks)


def unseen(blocks: ArrayLike, level: float = LEVEL) -> Floats:
    """The share of all blocks that may differ although none of this many did (Clopper and Pearson, Biometrika 26, 1934, 404-413)."""
    return 1 - ((1 - level) / 2) ** (1 / np.asarray(blocks, float))


def false_discovery(values: ArrayLike) -> Floats:
    """P values adjusted so that of all findings below a bound at most that share is false (Benjamini and Hochberg 1995); nan stays nan."""
    from scipy.stats import false_discovery_control

    adjusted = np.array(values, float)
    known = np.isfinite(adjusted)
    if known.any():
        adjusted[known] = false_discovery_control(adjusted[known])
    return adjusted


def with_q_values(tests: pl.DataFrame) -> pl.DataFrame:
    """A frame of tests with the p values of its column `p`, adjusted over all rows, as column `q`."""
    return tests.with_columns(pl.Series("q", false_discovery(tests["p"]), pl.Float64))


# --- estimates ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval; its ends are unknown (nan) where the blocks are too few to tell."""

    mean: float
    low: float
    high: float
    error: float  # the standard error
    blocks: int  # or batches of blocks: how many independent parts it rests on
    level: float = LEVEL

    @staticmethod
    def of(mean: float, error: float, blocks: int, bounds: Bounds = ANYTHING, level: float = LEVEL) -> Estimate:
        """With Student's t interval, cut to what the quantity can be (a share lies in 0..1)."""
        half = error * float(t_quantile(blocks, level))
        return Estimate(mean, max(mean - half, bounds[0]), min(mean + half, bounds[1]), error, blocks, level)

    @staticmethod
    def known(value: float) -> Estimate:
        """A figure that is certain, whatever is played."""
        return Estimate(value, value, value, 0.0, 0)

    @property
    def figures(self) -> tuple[float, float, float]:
        """The figure and both ends, as they stand side by side in tables."""
        return self.mean, self.low, self.high

    @property
    def half(self) -> float:
        """Half the width of the interval before it is cut."""
        return self.error * float(t_quantile(self.blocks, self.level))

    @property
    def p_value(self) -> float:
        """The p value of the two-sided test that the true figure is 0."""
        return float(p_values(self.mean, self.error, self.blocks))

    def excludes(self, value: float) -> bool:
        """Whether the interval leaves a value out: whether the figure is told apart from it."""
        return value < self.low or value > self.high

    def less(self, other: Estimate) -> Estimate:
        """The difference from an estimate independent of this one; its ends are those of both, put together (Zou and Donner,
        Statistics in Medicine 27, 2008, 1693-1702), so that intervals cut at 0 or 1 stay valid."""
        gap, blocks = self.mean - other.mean, min(self.blocks, other.blocks)
        low = gap - float(np.hypot(self.mean - self.low, other.high - other.mean))
        high = gap + float(np.hypot(self.high - self.mean, other.mean - other.low))
        return Estimate(gap, low, high, float(np.hypot(self.error, other.error)), blocks, self.level)

    def plain(self, digits: int) -> dict[str, float | None]:
        """The figure and its interval as JSON knows them: what is unknown is null."""
        return {name: None if np.isnan(value) else round(float(value), digits) for name, value in zip(FIELDS, self.figures, strict=False)}


@dataclass(frozen=True)
class Estimates:
    """Several estimates: arrays of one shape, named as the fields of a single one."""

    mean: Floats
    low: Floats
    high: Floats
    error: Floats
    blocks: NDArray[Any]
    level: float = LEVEL

    @classmethod
    def of(cls, mean: ArrayLike, error: ArrayLike, blocks: ArrayLike, bounds: Bounds = ANYTHING, level: float = LEVEL) -> Estimates:
        """With Student's t intervals, cut to what the quantities can be."""
        means, errors = np.asarray(mean, float), np.asarray(error, float)
        half = t_quantile(blocks, level) * errors
        counts = np.broadcast_to(np.asarray(blocks), means.shape)
        return cls(means, np.maximum(means - half, bounds[0]), np.minimum(means + half, bounds[1]), errors, counts, level)

    def at(self, *place: int) -> Estimate:
        """The estimate at one place of the arrays."""
        mean, low, high, error = (float(values[place]) for values in (self.mean, self.low, self.high, self.error))
        return Estimate(mean, low, high, error, int(self.blocks[place]), self.level)

    def flat(self) -> Estimates:
        """The estimates as arrays of one axis, row by row."""
        mean, low, high, error, blocks = (getattr(self, field).ravel() for field in FIELDS)
        return Estimates(mean, low, high, error, blocks, self.level)

    def all(self) -> list[Estimate]:
        """All estimates of an array of one axis, in order."""
        return [self.at(place) for place in range(len(self.mean))]

    def excludes(self, value: float) -> NDArray[np.bool_]:
        """Which of them are told apart from a value."""
        return (value < self.low) | (value > self.high)

    @property
    def p_values(self) -> Floats:
        """The p values of the two-sided tests that the true figures are 0."""
        return p_values(self.mean, self.error, self.blocks)

    def frame(self) -> pl.DataFrame:
        """A row for each of an array of one axis; what is not known is null."""
        return pl.DataFrame({field: getattr(self, field) for field in FIELDS}).with_columns(pl.selectors.float().fill_nan(None))


def estimate(block_means: ArrayLike, level: float = LEVEL, bounds: Bounds = ANYTHING) -> Estimate:
    """The mean over blocks and its interval."""
    values = np.asarray(block_means, float)
    if values.ndim != 1 or values.size == 0:
        raise ValueError("an estimate needs at least one block")
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, not {level}")
    if np.ptp(values) <= ALIKE * max(1.0, float(np.abs(values).max())):
        return _where_all_agree(float(values[0]), values.size, level, bounds)
    return Estimate.of(float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)), values.size, bounds, level)


def _where_all_agree(mean: float, blocks: int, level: float, bounds: Bounds) -> Estimate:
    """An interval where all blocks agree, so that there is no spread to judge by.

    At most a share `unseen` of all blocks may differ, by as much as the bounds allow. A quantity without bounds that is the same in `FEW`
    blocks is taken for certain; fewer may agree by chance."""
    if blocks > 1 and np.isfinite(bounds).all():
        reach = float(unseen(blocks, level))
        low, high = mean + reach * min(bounds[0] - mean, 0.0), mean + reach * max(bounds[1] - mean, 0.0)
        return Estimate(mean, low, high, 0.0, blocks, level)
    return Estimate.of(mean, 0.0 if blocks >= FEW else np.nan, blocks, level=level)


# --- estimates as rows of a frame --------------------------------------------------------------------------------------------------


def estimates_in(frame: pl.DataFrame) -> list[Estimate]:
    """The estimates of all rows of a frame."""
    return [_estimate(*row) for row in frame.select(FIELDS).iter_rows()]


def estimate_at(frame: pl.DataFrame, **key: Any) -> Estimate:
    """The estimate of the only row with these values."""
    (estimate,) = estimates_in(frame.filter(**key) if key else frame)
    return estimate


def _estimate(mean: float | None, low: float | None, high: float | None, error: float | None, blocks: int) -> Estimate:
    """What is not known is null in a frame, and nan in an estimate."""
    figures = [np.nan if value is None else value for value in (mean, low, high, error)]
    return Estimate(figures[0], figures[1], figures[2], figures[3], blocks)
