"""A sequential test of a mean difference between two bounds, with stated error rates, and the estimate it leaves.

The test is Van den Bergh's GSPRT as fishtest runs it (M. Van den Bergh, A practical introduction to the GSPRT, 2020; Li, Liu and Ying,
Statistica Sinica 24, 2014), in its normal approximation: the log-likelihood ratio of mean `high` against mean `low` after n block differences
with mean m and variance s^2 is n (high - low) (2 m - low - high) / (2 s^2). It stops at Wald's bounds log(beta / (1 - alpha)) and
log((1 - beta) / alpha), looks only after whole groups of blocks, not before `FIRST`, and gives up at a cap.

A test that stops when it looks good leaves a mean that looks too good. What is reported instead is the median-unbiased estimate and an
interval by the stagewise order of outcomes (Tsiatis, Rosner and Mehta, Biometrics 40, 1984, 797-803), with the chances of all outcomes
computed look by look (Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132, 1969, 235-244).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr

from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.stats.blocks import LEVEL, Estimate

FIRST, STEP = 256, 128  # blocks before the first look and between looks
LOW, HIGH, UNDECIDED = "low", "high", "undecided"
FINEST = 400  # points of the grid on which chances are computed


@dataclass(frozen=True)
class Plan:
    """Is the mean difference of a measure `low` or less, or `high` or more?"""

    measure: str
    low: float
    high: float
    alpha: float = 0.05  # how often `high` is found where `low` holds
    beta: float = 0.05  # how often `low` is found where `high` holds

    @classmethod
    def parse(cls, text: str, alpha: float = 0.05, beta: float = 0.05) -> Plan:
        """`measure: low vs high`."""
        number = r"\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\s*"
        parts = re.fullmatch(rf"\s*(.+?)\s*:{number}vs{number}", text)
        if not parts:
            raise ExperimentError([f'--sprt: {text!r} is no test; expected "MEASURE: LOW vs HIGH", e.g. "win_share(seat1): 0 vs 0.01"'])
        return cls(parts[1], float(parts[2]), float(parts[3]), alpha, beta).checked()

    def checked(self) -> Plan:
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise ExperimentError([f"--sprt: {self.low:g} vs {self.high:g} has no end; expected two numbers"])
        if not self.low < self.high:
            raise ExperimentError(
                [f"--sprt: {self.low:g} vs {self.high:g} is in the wrong order; the first must be the smaller (a fall by x: -x vs 0)"]
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ExperimentError([f"--{name}: an error rate lies between 0 and 0.5, not {rate:g}"])
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: the ratios at which the test stops."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, blocks: int, mean: float, variance: float) -> float:
        """The log-likelihood ratio; without any spread it is as far as it can be."""
        beyond = mean - (self.low + self.high) / 2
        if variance > 0:
            return blocks * (self.high - self.low) * beyond / variance
        return math.copysign(math.inf, beyond) if beyond else 0.0

    def decision(self, ratio: float) -> str:
        low, high = self.bounds
        return LOW if ratio <= low else HIGH if ratio >= high else UNDECIDED

    def blocks_left(self, ratio: float, blocks: int) -> float:
        """How many more blocks it takes to a bound if the ratio goes on as it went; inf if it goes nowhere."""
        low, high = self.bounds
        way = (high if ratio > 0 else low) - ratio
        return max(way * blocks / ratio, 0.0) if ratio else math.inf


# --- the estimate after stopping ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stopped:
    """A test that has ended, and the number, mean and variance of its block differences."""

    plan: Plan
    blocks: int
    mean: float
    variance: float
    first: int = FIRST
    step: int = STEP

    @cached_property
    def ratio(self) -> float:
        return self.plan.ratio(self.blocks, self.mean, self.variance)

    @property
    def decision(self) -> str:
        return self.plan.decision(self.ratio)

    @property
    def error(self) -> float:
        """The standard error of the plain mean."""
        return math.sqrt(self.variance / self.blocks)

    def estimate(self, level: float = LEVEL) -> Estimate:
        """The median-unbiased estimate and its interval: the true means under which the outcome is at these places of the order."""
        if self.variance <= 0:
            return Estimate(self.mean, self.mean, self.mean, 0.0, self.blocks, level)
        low, middle, high = (self._mean_at(chance) for chance in ((1 - level) / 2, 0.5, (1 + level) / 2))
        return Estimate(middle, low, high, self.error, self.blocks, level)

    def _mean_at(self, chance: float) -> float:
        from scipy.optimize import brentq

        error, reach = self.error, 8.0
        target: Callable[[float], float] = lambda mean: self.chance_above(mean) - chance  # noqa: E731
        while target(self.mean - reach * error) > 0 or target(self.mean + reach * error) < 0:
            reach *= 2
        return float(brentq(target, self.mean - reach * error, self.mean + reach * error, xtol=error * 1e-3))

    def chance_above(self, mean: float) -> float:
        """The chance, if this is the true mean, of an outcome as far up the order as this one or farther: stopping high earlier, or
        at this look with as large a ratio."""
        walk = Walk.of(self, mean)
        ratio = self.ratio
        for _ in range(max(0, (self.blocks - self.first) // self.step)):
            walk.stop_or_go()
        if self.decision == LOW:
            return 1.0 - walk.stopped_low - walk.below(ratio)
        return walk.stopped_high + walk.above(ratio)


class Walk:
    """The chances of a ratio's place among those walks that go on, look by look."""

    def __init__(self, bounds: tuple[float, float], first: tuple[float, float], step: tuple[float, float]) -> None:
        self.low, self.high = bounds
        self.drift, self.spread = step
        self.stopped_low = self.stopped_high = 0.0
        points = int(np.clip(4 * (self.high - self.low) / self.spread, 60, FINEST))
        self.width = (self.high - self.low) / points
        self.grid = self.low + self.width * (np.arange(points) + 0.5)
        self.places: np.ndarray = np.zeros(1)  # before the next move
        self.weights: np.ndarray = np.ones(1)
        self.move = first

    @classmethod
    def of(cls, stopped: Stopped, mean: float) -> Walk:
        """The ratio moves by n times a drift with a variance of n times another, both per block."""
        plan = stopped.plan
        slope = (plan.high - plan.low) / stopped.variance
        drift, variance = slope * (mean - (plan.low + plan.high) / 2), slope**2 * stopped.variance
        moves = [(blocks * drift, math.sqrt(blocks * variance)) for blocks in (stopped.first, stopped.step)]
        return cls(plan.bounds, moves[0], moves[1])

    def above(self, ratio: float) -> float:
        """The chance to be above a ratio at the next look."""
        return float(self.weights @ ndtr((self.places + self.move[0] - ratio) / self.move[1]))

    def below(self, ratio: float) -> float:
        return float(self.weights @ ndtr((ratio - self.places - self.move[0]) / self.move[1]))

    def stop_or_go(self) -> None:
        """One look at which the test could stop."""
        self.stopped_high += self.above(self.high)
        self.stopped_low += self.below(self.low)
        self.weights = np.asarray(self.weights @ self._kernel())
        self.places, self.move = self.grid, (self.drift, self.spread)

    def _kernel(self) -> Any:
        """Chances to move from places to cells of the grid; the same after every look but the first."""
        if len(self.places) == len(self.grid):
            return self._between_looks
        return self._cells(self.places, self.move)

    @cached_property
    def _between_looks(self) -> Any:
        return self._cells(self.grid, (self.drift, self.spread))

    def _cells(self, places: np.ndarray, move: tuple[float, float]) -> np.ndarray:
        edges = np.append(self.grid - self.width / 2, self.high)
        below = ndtr((edges[None, :] - places[:, None] - move[0]) / move[1])
        return np.diff(below, axis=1)
