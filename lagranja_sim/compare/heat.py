"""The picture of a grid: a heat map for each measure, coloured by the difference from the reference, with the mean in every cell."""

from __future__ import annotations

import math
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.differences import DIFFERENT, EQUIVALENT
from lagranja_sim.compare.grid import arms_by_row, difference, mean, title
from lagranja_sim.compare.response import Response
from lagranja_sim.compare.words import scale
from lagranja_sim.game import Measure
from lagranja_sim.report.style import INK, Cells, heat_map, in_style, new_figure
from lagranja_sim.wording import counted

ABREAST, WIDEST = 2, 16.0  # panels, inches of all of them
CELL = (0.8, 0.5)  # inches
LABEL_WIDTH, TITLE_WIDTH = 14, 12  # characters, and characters an inch
DECIDED = (DIFFERENT, EQUIVALENT)


def draw_grid(response: Response) -> Figure:
    """A panel for each measure that is shown."""
    measures = response.shown()
    abreast = min(ABREAST, len(measures))
    rows = math.ceil(len(measures) / abreast)
    width, height = panel_size(response)
    figure, axes = new_figure(min(WIDEST, abreast * width), 1.0 + rows * height, rows, abreast, squeeze=False)
    with in_style():
        for number, axis in enumerate(axes.flat):
            draw_map(axis, response, measures[number]) if number < len(measures) else axis.set_axis_off()
        figure.suptitle(fill(words(response), int(TITLE_WIDTH * figure.get_figwidth())), fontsize=9.5, x=0.01, ha="left")
    return figure


def panel_size(response: Response) -> tuple[float, float]:
    """Inches of a panel: its cells, and what is written around them."""
    down, across = response.sweeps
    return max(3.6, 2.0 + CELL[0] * len(across.values)), max(2.0, 1.3 + CELL[1] * len(down.values))


def words(response: Response) -> str:
    comparison = response.comparison
    games = f"{counted(comparison.games, 'game')} of each pair of values on the same deals"
    reference = f"second number: difference from {response.label(response.reference)} (framed)"
    marks = "coloured where it is decided (false discovery rate 5 %), in brackets where it is not; =: the same in every deal"
    return f"{games}; first number: the mean; {reference}, {marks}"


def draw_map(axis: Any, response: Response, measure: Measure) -> None:
    down, across = response.sweeps
    arms = arms_by_row(response)
    colours = np.array([[_colour(response, arm, measure) for arm in row] for row in arms])
    faint = [[not _is_decided(response, arm, measure) for arm in row] for row in arms]
    texts = [[_words(response, arm, measure) for arm in row] for row in arms]
    heads, feet = ([fill(value, LABEL_WIDTH) for value in sweep.values] for sweep in (down, across))
    unit = f"difference{', percentage points' if measure.is_share else ''}"
    heat_map(axis, Cells(colours, heads, feet, faint, texts), label=unit, centre=0)
    head = title(measure) if np.any(colours) else f"{title(measure)}: nothing is decided"
    axis.set_title(fill(head, int(TITLE_WIDTH * panel_size(response)[0] * 0.8)), fontsize=8.5)
    axis.set_ylabel(down.title)
    axis.set_xlabel(across.title)
    place = response.order.index(response.reference)
    row, column = divmod(place, len(across.values))
    axis.add_patch(Rectangle((column - 0.48, row - 0.48), 0.96, 0.96, fill=False, edgecolor=INK, linewidth=2))


def _colour(response: Response, arm: Arm, measure: Measure) -> float:
    """The difference; what is undecided has the colour of none, as a strong one would be taken for a finding."""
    row = response.comparison.row(arm, measure)
    return row.mean * scale(measure) if row and row.verdict in DECIDED else 0.0


def _is_decided(response: Response, arm: Arm, measure: Measure) -> bool:
    row = response.comparison.row(arm, measure)
    return row is None or row.identical or row.verdict in DECIDED


def _words(response: Response, arm: Arm, measure: Measure) -> str:
    row = response.comparison.row(arm, measure)
    return f"{mean(response, arm, measure)}\n{'reference' if row is None else difference(measure, row, False)}"
