"""A grid as tables: a row for each value of the first sweep, a column for each of the second, in each cell the mean and the difference."""

from __future__ import annotations

from collections.abc import Sequence

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.differences import SAME, UNDECIDED, Difference
from lagranja_sim.compare.response import Response
from lagranja_sim.compare.words import change, value
from lagranja_sim.game import Measure

LEGEND = "cells: the mean, then its difference from the reference with its 95 % interval; in brackets: undecided; =: the same in every deal"


def columns(response: Response) -> list[str]:
    """The heads of the columns; the first says what rows and columns are."""
    down, across = response.sweeps
    return [f"{down.title} \\ {across.title}", *across.values]


def rows(response: Response, measure: Measure) -> list[list[str]]:
    """The cells of a measure under the names of their rows."""
    names = response.sweeps[0].values
    return [[name, *(_cell(response, arm, measure) for arm in arms)] for name, arms in zip(names, arms_by_row(response), strict=True)]


def arms_by_row(response: Response) -> list[Sequence[Arm]]:
    width = len(response.sweeps[1].values)
    return [response.order[start : start + width] for start in range(0, len(response.order), width)]


def title(measure: Measure) -> str:
    return f"{measure.words}{', %' if measure.is_share else ''}"


def _cell(response: Response, arm: Arm, measure: Measure) -> str:
    row = response.comparison.row(arm, measure)
    return f"{mean(response, arm, measure)} {'reference' if row is None else difference(measure, row, True)}"


def mean(response: Response, arm: Arm, measure: Measure) -> str:
    """The mean without its unit, which stands in the title."""
    level = response.comparison.level(arm, measure)
    return value(measure, level.mean, level.half).removesuffix(" %")


def difference(measure: Measure, row: Difference, with_interval: bool) -> str:
    """`+0.8 ± 0.2`, in brackets if it is not told apart from none, `=` if there is none."""
    if row.verdict == SAME:
        return "="
    half = max(row.high - row.mean, row.mean - row.low)
    error = f" ± {value(measure, half, half / 2).removesuffix(' %')}" if with_interval else ""
    text = f"{change(measure, row.mean, half / 2).removesuffix(' pp')}{error}"
    return f"({text})" if row.verdict == UNDECIDED else text
