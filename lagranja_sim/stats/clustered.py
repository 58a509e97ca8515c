"""Means, differences, regressions and tests when the block is the unit, however many rows a block has.

All rest on one idea: an estimate is a sum over blocks of each block's influence on it, and blocks are independent, so its covariance is the
sum of the products of these influences, times B / (B - 1) for B blocks. For a regression this is the cluster-robust covariance called CR1
(Liang and Zeger 1986; without its factor for the number of columns, which the absorbed blocks make meaningless); for means it is the
ratio estimator of cluster sampling (Cochran 1977, ch. 6), and where each block has as many rows, exactly Student's t of the block means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from scipy.special import fdtrc

from lagranja_sim.stats.blocks import ANYTHING, Bounds, Estimate, Estimates, Floats

MOST_CLUSTERS = 20_000  # enough for a variance to be known to one part in a hundred


@dataclass(frozen=True)
class Equality:
    """A test of equality: the statistic is an F of these degrees of freedom."""

    statistic: float
    freedom: tuple[int, int]
    p_value: float


@dataclass(frozen=True)
class Joint:
    """Figures of the same blocks with each block's influence on them, so that any contrast between them has an interval."""

    values: Floats  # k
    influence: Floats  # blocks x k

    @property
    def blocks(self) -> int:
        return len(self.influence)

    @cached_property
    def covariance(self) -> Floats:
        if self.blocks < 2:
            return np.full((self.values.size, self.values.size), np.nan)
        return self.influence.T @ self.influence * (self.blocks / (self.blocks - 1))

    @property
    def errors(self) -> Floats:
        """Standard errors."""
        return np.sqrt(np.diag(self.covariance).clip(min=0))

    def estimates(self, bounds: Bounds = ANYTHING) -> Estimates:
        """Each figure with its own interval."""
        return Estimates.of(self.values, self.errors, self.blocks, bounds)

    def at(self, index: int, bounds: Bounds = ANYTHING) -> Estimate:
        return self.estimates(bounds).at(index)

    def only(self, indices: Sequence[int]) -> Joint:
        """Only the figures with these indices."""
        chosen = list(indices)
        return Joint(self.values[chosen], self.influence[:, chosen])

    def difference(self, index: int, other: int) -> Estimate:
        unit = np.eye(self.values.size)
        return self.combined(unit[index] - unit[other]).at(0)

    def combined(self, weights: ArrayLike) -> Joint:
        """Weighted sums of the figures, one for each row of `weights`."""
        weights = np.atleast_2d(np.asarray(weights, float))
        return Joint(weights @ self.values, self.influence @ weights.T)

    def against_mean(self) -> Joint:
        """Each figure less the mean of all."""
        count = self.values.size
        return self.combined(np.eye(count) - np.full((count, count), 1 / count))

    def equality(self) -> Equality:
        """Are all equal? Wald's test of the contrasts to the first, referred to Hotelling's distribution."""
        contrasts = np.hstack([-np.ones((self.values.size - 1, 1)), np.eye(self.values.size - 1)])
        differences = self.combined(contrasts)
        return _wald(differences.values, differences.covariance, self.blocks)


def _wald(differences: np.ndarray, covariance: np.ndarray, blocks: int) -> Equality:
    if not np.isfinite(covariance).all():
        return Equality(np.nan, (len(differences), 0), np.nan)
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    freedom = (rank, blocks - rank)
    if rank == 0 or freedom[1] < 1:
        return Equality(np.nan, freedom, np.nan)
    distance = float(differences @ np.linalg.pinv(covariance, hermitian=True) @ differences)
    statistic = distance * freedom[1] / (rank * (blocks - 1))
    return Equality(statistic, freedom, float(fdtrc(*freedom, statistic)))


# --- means -------------------------------------------------------------------------------------------------------------------------


def means(sums: ArrayLike, counts: ArrayLike) -> Joint:
    """Means from each block's sums and counts, blocks x k: the sum of all over the count of all. nan where there is nothing."""
    sums, counts = np.asarray(sums, float), np.asarray(counts, float)
    totals = counts.sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = sums.sum(0) / totals
        influence = (sums - values * counts) / totals
    return Joint(values, influence)


def mean_of(sums: ArrayLike, counts: ArrayLike, bounds: Bounds = ANYTHING) -> Estimate:
    """A single mean from each block's sum and count."""
    return means(np.asarray(sums, float)[:, None], np.asarray(counts, float)[:, None]).at(0, bounds)


@dataclass(frozen=True)
class Grouped:
    """Means of groups, in the order of `keys`."""

    keys: list[tuple[object, ...]]
    joint: Joint
    counts: Floats  # rows of each group

    def only(self, indices: Sequence[int]) -> Grouped:
        """Only the groups with these indices."""
        return Grouped([self.keys[index] for index in indices], self.joint.only(indices), self.counts[list(indices)])

    def frame(self, names: Sequence[str], bounds: Bounds = ANYTHING) -> pl.DataFrame:
        """A frame of estimates: a row for each group with its key under `names` and its number of `rows`."""
        columns = {name: [key[place] for key in self.keys] for place, name in enumerate(names)}
        rows = pl.Series("rows", self.counts.astype(int))
        return pl.concat([pl.DataFrame(columns), self.joint.estimates(bounds).frame().with_columns(rows)], how="horizontal")


def means_by(rows: pl.LazyFrame, by: Sequence[str], value: pl.Expr) -> Grouped:
    """Means of `value` by the columns `by`, sorted; rows without a value do not count. The rows need the column `block`.

    Of very many blocks several are put together, whole: sums of independent blocks are independent as well, and memory stays small."""
    value = value.cast(pl.Float64)
    sums = (
        rows.group_by((pl.col("block") % MOST_CLUSTERS).alias("_block"), *by)
        .agg(value.sum().alias("_sum"), value.count().alias("_count"))
        .collect(engine="streaming")
    )
    keys = sums.filter(pl.col("_count") > 0).select(by).unique().sort(by)
    cells = sums.join(keys.with_row_index("_group"), on=list(by)).with_columns(pl.col("_block").rank("dense") - 1)
    shape = (cells["_block"].n_unique(), keys.height)
    places = (cells["_block"].to_numpy(), cells["_group"].to_numpy())
    totals, counts = np.zeros(shape), np.zeros(shape)
    totals[places], counts[places] = cells["_sum"].to_numpy(), cells["_count"].to_numpy()
    return Grouped(keys.rows(), means(totals, counts), counts.sum(0))


# --- regressions -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clusters:
    """Which rows belong together; sums over each go the quick way where rows of a cluster follow each other."""

    numbers: np.ndarray  # of each row, from 0

    @classmethod
    def of(cls, labels: np.ndarray) -> Clusters:
        return cls(np.unique(labels, return_inverse=True)[1].ravel())

    @cached_property
    def counts(self) -> np.ndarray:
        return np.bincount(self.numbers)

    @cached_property
    def starts(self) -> np.ndarray | None:
        """Where each cluster begins, if they lie one after the other."""
        steps = np.diff(self.numbers)
        return np.flatnonzero(np.concatenate([[True], steps > 0])) if (steps >= 0).all() else None

    def sums(self, rows: np.ndarray) -> np.ndarray:
        """Clusters x columns."""
        if self.starts is not None:
            return np.add.reduceat(rows, self.starts, axis=0)
        return np.column_stack([np.bincount(self.numbers, column) for column in rows.T])

    def within(self, rows: np.ndarray) -> np.ndarray:
        """Rows less the mean of their cluster: as if each had an intercept of its own."""
        means = self.sums(rows) / self.counts[:, None]
        return rows - (means[self.numbers] if self.starts is None else np.repeat(means, self.counts, axis=0))


class Regression:
    """Least squares on some columns, for any number of outcomes; intervals have blocks as their unit.

    `absorb` numbers groups with an intercept each; without it an intercept has to be among the columns. A column that
    others determine gets a meaningless slope, that of the least norm; contrasts that can be estimated do not depend on it."""

    def __init__(self, columns: np.ndarray, blocks: np.ndarray, absorb: np.ndarray | None = None) -> None:
        self.clusters = Clusters.of(blocks)
        self.groups = None if absorb is None else self.clusters if absorb is blocks else Clusters.of(absorb)
        self.columns = self._within(np.asarray(columns, float))
        scale = np.sqrt((self.columns**2).sum(0))
        scale[scale < 1e-9 * np.sqrt(len(self.columns))] = np.inf  # constant within groups: its slope cannot be estimated
        inverse = np.linalg.pinv(self.columns.T @ self.columns / np.outer(scale, scale), rcond=1e-10, hermitian=True)
        self.inverse = inverse / np.outer(scale, scale)

    def _within(self, values: np.ndarray) -> np.ndarray:
        return values if self.groups is None else self.groups.within(values)

    def fit(self, outcome: np.ndarray) -> Joint:
        """The slopes."""
        outcome = self._within(np.asarray(outcome, float)[:, None])[:, 0]
        slopes = self.inverse @ (self.columns.T @ outcome)
        residuals = outcome - self.columns @ slopes
        scores = self.clusters.sums(self.columns * residuals[:, None])
        return Joint(slopes, scores @ self.inverse)
