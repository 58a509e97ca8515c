"""A sweep: one arm for each value of a rule, and how the game answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lagranja_sim.compare.arms import Arm, Shared, load_arm, load_arms
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.words import change, interval, value
from lagranja_sim.game import Measure
from lagranja_sim.policy.call import split_policies
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.wording import counted

MOST = 50  # values


@dataclass(frozen=True)
class Sweep:
    """A key and its values as they are written."""

    key: str
    values: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Sweep:
        """`KEY=1..5`, or `KEY=1,2,4`; values that are lists are split at the commas between them."""
        key, equals, values = (part.strip() for part in text.partition("="))
        if not key or not equals:
            raise ExperimentError([f'--sweep: {text!r} is no sweep; expected KEY=LOW..HIGH or KEY=A,B,..., e.g. "prices.sell.pig=1..5"'])
        different = tuple(dict.fromkeys(_values(key, values)))
        if not 2 <= len(different) <= MOST:
            raise ExperimentError([f"--sweep: {text!r} has {counted(len(different), 'value')}; expected 2 to {MOST}"])
        return cls(key, different)

    def texts(self, base: str) -> list[str]:
        """An arm a value, on top of `base` if there is one."""
        return [f"{base}+{self.key}={value}" if base else f"{self.key}={value}" for value in self.values]


def _values(key: str, text: str) -> list[str]:
    if span := re.fullmatch(r"(-?\d+)\.\.(-?\d+)", text):
        low, high = int(span[1]), int(span[2])
        if low > high:
            raise ExperimentError([f"--sweep: {low}..{high} is in the wrong order; expected the smaller first"])
        if high - low >= MOST:
            raise ExperimentError([f"--sweep: {low}..{high} has {high - low + 1:,} values; expected 2 to {MOST}"])
        return [str(number) for number in range(low, high + 1)]
    if ".." in text and not re.search(r"[\"'/\[@]", text):
        raise ExperimentError([f"--sweep: {text!r} is no range; expected LOW..HIGH, two whole numbers"])
    if key in ("policy", "policies"):
        return split_policies(text)
    return [value.strip() for value in re.split(r",(?![^\[]*\])", text) if value.strip()]


# --- play --------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Response:
    """The comparison of all values with one of them: that of the game as it is, else the first."""

    sweep: Sweep
    comparison: Comparison
    order: list[Arm]  # of the values as they are written

    @property
    def reference(self) -> Arm:
        return self.comparison.arms[0]

    def label(self, arm: Arm) -> str:
        return self.sweep.values[self.order.index(arm)]

    def shown(self) -> list[Measure]:
        """The measures asked for, else the usual ones."""
        return self.comparison.headline_measures()


def arms_of_sweep(sweep: Sweep, base: str, shared: Shared) -> tuple[list[Arm], list[Arm]]:
    """The arms as they are compared, the game as it is first if it is among them, and as the values are written."""
    order = load_arms(sweep.texts(base), shared)
    usual = load_arm(base or shared.text, shared)
    first = next((arm for arm in order if arm.is_like(usual)), order[0])
    return [first, *(arm for arm in order if arm is not first)], order


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
    head = {"measure": measure.name, "value": response.label(arm), "mean": level.mean, "low": level.low, "high": level.high}
    apart = {} if row is None else {"difference": row.mean, "difference_low": row.low, "difference_high": row.high}
    return {**head, "reference": row is None, **apart}
