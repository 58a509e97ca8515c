"""The chart of a sweep: a small panel a measure, the mean at each value, and how sure its difference from the reference is."""

from __future__ import annotations

import math
from pathlib import Path
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from lagranja_sim.compare.measures import Measure
from lagranja_sim.compare.sweep import Response
from lagranja_sim.compare.words import scale
from lagranja_sim.report.style import FAINT, OKABE_ITO, in_style, new_figure

FORMATS = ("png", "svg")
ABREAST, TITLE_WIDTH = 3, 44


def draw(response: Response) -> Figure:
    """All measures that are shown."""
    measures = response.shown()
    columns = min(ABREAST, len(measures))
    rows = math.ceil(len(measures) / columns)
    figure, axes = new_figure(max(4.0, 2.9 * columns), 0.8 + 2.4 * rows, rows, columns, squeeze=False)
    with in_style():
        for number, axis in enumerate(axes.flat):
            draw_panel(axis, response, measures[number]) if number < len(measures) else axis.set_axis_off()
        figure.suptitle(title(response), fontsize=9.5, x=0.01, ha="left")
    return figure


def title(response: Response) -> str:
    found, reference = response.found, response.label(response.reference)
    games = f"{found.games:,} games a value on the same deals"
    return f"{response.sweep.key}: {games}; bars: 95 % interval of the difference from {reference} (dashed)"


def draw_panel(axis: Any, response: Response, measure: Measure) -> None:
    times, labels = scale(measure), [response.label(arm) for arm in response.order]
    means = [response.level(arm, measure)[0] * times for arm in response.order]
    base = response.level(response.reference, measure)[0] * times
    rows = [response.row(arm, measure) for arm in response.order]
    below = [(row.mean - row.low) * times if row else 0.0 for row in rows]
    above = [(row.high - row.mean) * times if row else 0.0 for row in rows]
    axis.axhline(base, color=FAINT, linewidth=0.8, linestyle="--")
    axis.errorbar(range(len(labels)), means, [below, above], color=OKABE_ITO[0], marker="o", markersize=4, capsize=3, linewidth=1)
    axis.set_xticks(range(len(labels)), labels)
    axis.ticklabel_format(axis="y", useOffset=False)
    axis.set_title(fill(f"{measure.words}{', %' if measure.is_share else ''}", TITLE_WIDTH), fontsize=8.5)


def write(response: Response, folder: Path) -> list[Path]:
    """The chart in each format; the same bytes for the same numbers."""
    figure, made = draw(response), []
    for kind in FORMATS:
        path = folder / f"sweep.{kind}"
        with in_style():
            figure.savefig(path, dpi=150, metadata={"Date": None} if kind == "svg" else {"Software": None})
        made.append(path)
    return made
