"""How the game answers to the values of a sweep, or to the pairs of values of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from lagranja_sim.compare.arms import Arm, Shared, load_arm, load_arms
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.sweep import Sweep, texts_of
from lagranja_sim.compare.words import change, interval, value
from lagranja_sim.game import Measure


@dataclass(frozen=True)
class Response:
    """The comparison of all values (or pairs) with one of them: that of the game as it is, else the first."""

    sweeps: tuple[Sweep, ...]  # one, or two that make a grid
    comparison: Comparison
    order: list[Arm]  # of the values as they are written; in a grid row by row, a row being a value of the first sweep

    @property
    def is_grid(self) -> bool:
        return len(self.sweeps) > 1

    @property
    def reference(self) -> Arm:
        return self.comparison.arms[0]

    def values(self, arm: Arm) -> tuple[str, ...]:
        """What an arm sets, by sweep."""
        pairs = list(product(*(sweep.values for sweep in self.sweeps)))
        return pairs[self.order.index(arm)]

    def label(self, arm: Arm) -> str:
        """The value of an arm, or the pair with its keys."""
        if not self.is_grid:
            return self.values(arm)[0]
        return ", ".join(f"{sweep.key}={value}" for sweep, value in zip(self.sweeps, self.values(arm), strict=True))

    def shown(self) -> list[Measure]:
        """The measures asked for, else the usual ones."""
        return self.comparison.headline_measures()


def arms_of_sweeps(sweeps: Sequence[Sweep], base: str, shared: Shared) -> tuple[list[Arm], list[Arm]]:
    """The arms as they are compared, the game as it is first if it is among them, and as the values are written."""
    order = load_arms(texts_of(sweeps, base), shared)
    usual = load_arm(base or shared.text, shared)
    first = next((arm for arm in order if arm.is_like(usual)), order[0])
    return [first, *(arm for arm in order if arm is not first)], order


def rising(sweeps: Sequence[Sweep], order: Sequence[Arm]) -> list[Arm]:
    """The arms of a single sweep over numbers, the least number first; of anything else none."""
    numbers = sweeps[0].numbers if len(sweeps) == 1 else None
    return [] if numbers is None else [arm for _, arm in sorted(zip(numbers, order, strict=True), key=lambda pair: pair[0])]


def neighbours(sweeps: Sequence[Sweep], arms: Sequence[Arm], order: Sequence[Arm]) -> tuple[tuple[int, int], ...]:
    """Which arms, by their places among `arms`, have numbers that follow each other."""
    return tuple(pairwise(arms.index(arm) for arm in rising(sweeps, order)))


# --- tables ------------------------------------------------------------------------------------------------------------------------


def cells(response: Response, measure: Measure) -> list[list[str]]:
    """One row a value: the mean with its interval, and the difference from the reference with its own."""
    return [_cells(response, arm, measure) for arm in response.order]


def _cells(response: Response, arm: Arm, measure: Measure) -> list[str]:
    level, row = response.comparison.level(arm, measure), response.comparison.row(arm, measure)
    head = [response.label(arm), value(measure, level.mean, level.half), f"± {value(measure, level.half, level.half)}"]
    if row is None:
        return [*head, "reference", "", ""]
    return [*head, change(measure, row.mean, row.error), interval(measure, row), row.verdict]


def responses(response: Response) -> list[dict[str, Any]]:
    """The rows for programs, of all measures that are shown."""
    return [_response(response, arm, measure) for measure in response.shown() for arm in response.order]


def _response(response: Response, arm: Arm, measure: Measure) -> dict[str, Any]:
    level, row = response.comparison.level(arm, measure), response.comparison.row(arm, measure)
    values = response.values(arm)
    setting = {"values": list(values)} if response.is_grid else {"value": values[0]}
    head = {"measure": measure.name, **setting, "mean": level.mean, "low": level.low, "high": level.high}
    names = {"difference": "mean", "difference_low": "low", "difference_high": "high", "verdict": "verdict"}
    apart = {} if row is None else {name: getattr(row, field) for name, field in names.items()}
    return {**head, "reference": row is None, **apart}
