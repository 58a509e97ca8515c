"""Charts: a small panel a measure, the mean under each arm, and how sure its difference from the first arm is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.sweep import Response
from lagranja_sim.compare.words import scale
from lagranja_sim.game import Measure
from lagranja_sim.report.style import FAINT, OKABE_ITO, image, in_style, new_figure
from lagranja_sim.runs.folder import Folder

FORMATS = ("png", "svg")
RESOLUTION = 150  # dots an inch
ABREAST, TITLE_WIDTH, LABEL_WIDTH = 3, 44, 9


@dataclass(frozen=True)
class Panels:
    """What is drawn: arms in order under their labels, joined by lines where the labels are values of one rule."""

    comparison: Comparison
    order: Sequence[Arm]
    labels: Sequence[str]
    joined: bool

    @classmethod
    def of(cls, outcome: Comparison | Response) -> Panels:
        if isinstance(outcome, Comparison):
            return cls(outcome, outcome.arms, [fill(arm.text.replace("_", " "), LABEL_WIDTH) for arm in outcome.arms], False)
        return cls(outcome.comparison, outcome.order, outcome.sweep.values, True)

    def title(self) -> str:
        games, first = f"{self.comparison.games:,} games of each on the same deals", self.comparison.arms[0]
        reference = self.labels[list(self.order).index(first)] if self.joined else first.text
        return f"{games}; bars: 95 % interval of the difference from {reference} (dashed)"


def draw(panels: Panels) -> Figure:
    """A panel for each measure that is shown."""
    measures = panels.comparison.headline_measures()
    columns = min(ABREAST, len(measures))
    rows = math.ceil(len(measures) / columns)
    figure, axes = new_figure(max(4.0, 2.9 * columns), 0.8 + 2.4 * rows, rows, columns, squeeze=False)
    with in_style():
        for number, axis in enumerate(axes.flat):
            draw_panel(axis, panels, measures[number]) if number < len(measures) else axis.set_axis_off()
        figure.suptitle(fill(panels.title(), 40 * columns), fontsize=9.5, x=0.01, ha="left")
    return figure


def draw_panel(axis: Any, panels: Panels, measure: Measure) -> None:
    comparison, times = panels.comparison, scale(measure)
    means = [comparison.level(arm, measure).mean * times for arm in panels.order]
    rows = [comparison.row(arm, measure) for arm in panels.order]
    below = [(row.mean - row.low) * times if row else 0.0 for row in rows]
    above = [(row.high - row.mean) * times if row else 0.0 for row in rows]
    line = "-" if panels.joined else "none"
    axis.axhline(comparison.level(comparison.arms[0], measure).mean * times, color=FAINT, linewidth=0.8, linestyle="--")
    axis.errorbar(
        range(len(means)), means, [below, above], color=OKABE_ITO[0], marker="o", markersize=4, capsize=3, linewidth=1, linestyle=line
    )
    axis.set_xticks(range(len(means)), panels.labels)
    axis.set_xlim(-0.5, len(means) - 0.5)
    axis.ticklabel_format(axis="y", useOffset=False)
    axis.set_title(fill(f"{measure.words}{', %' if measure.is_share else ''}", TITLE_WIDTH), fontsize=8.5)


# --- files -------------------------------------------------------------------------------------------------------------------------


def write(outcome: Comparison | Response, folder: Folder) -> None:
    """The chart in each format, and the page that holds it."""
    from lagranja_sim.compare.page import page

    figure, name = draw(Panels.of(outcome)), "sweep" if isinstance(outcome, Response) else "comparison"
    images = {kind: image(figure, kind, RESOLUTION) for kind in FORMATS}
    for kind, content in images.items():
        folder.write(f"{name}.{kind}", content)
    folder.write_text("comparison.html", page(outcome, images["png"]))
