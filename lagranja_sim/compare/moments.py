"""Counts, means and sums of squares that can be put together batch by batch, so that memory stays the same for any number of blocks.

Two batches of n and m values with means a and b have together the sum of squares Q = Q_a + Q_b + (a - b)^2 n m / (n + m)
(Chan, Golub and LeVeque, The American Statistician 37, 1983, 242-247).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lagranja_sim.stats.blocks import Estimate


@dataclass(frozen=True)
class Moments:
    """Moments of several columns."""

    count: int
    mean: np.ndarray
    squares: np.ndarray  # sums of squared deviations from the mean
    nonzero: np.ndarray  # how many values are not 0
    largest: np.ndarray  # in size

    @classmethod
    def of(cls, rows: np.ndarray) -> Moments:
        mean = rows.mean(axis=0)
        return cls(len(rows), mean, ((rows - mean) ** 2).sum(axis=0), (rows != 0).sum(axis=0), np.abs(rows).max(axis=0))

    def __add__(self, other: Moments) -> Moments:
        count, apart = self.count + other.count, other.mean - self.mean
        mean = self.mean + apart * (other.count / count)
        squares = self.squares + other.squares + apart**2 * (self.count * other.count / count)
        return Moments(count, mean, squares, self.nonzero + other.nonzero, np.maximum(self.largest, other.largest))

    @property
    def variance(self) -> np.ndarray:
        """Unbiased; nan for a single row."""
        return self.squares / (self.count - 1) if self.count > 1 else np.full_like(self.mean, np.nan)

    @property
    def error(self) -> np.ndarray:
        """The standard error of the mean."""
        return np.sqrt(self.variance / self.count)

    def estimate(self, column: int) -> Estimate:
        """The mean of a column, each row being an independent block."""
        return Estimate.of(float(self.mean[column]), float(self.error[column]), self.count)
