"""Charts: a small panel a measure, the mean under each arm, and how sure its difference from the first arm is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.crossings import Crossed, crossings, line_in_words
from lagranja_sim.compare.heat import draw_grid
from lagranja_sim.compare.response import Response, rising
from lagranja_sim.compare.words import scale
from lagranja_sim.game import Measure
from lagranja_sim.report.style import FAINT, OKABE_ITO, image, in_style, new_figure
from lagranja_sim.runs.folder import Folder

FORMATS = ("png", "svg")
RESOLUTION = 150  # dots an inch
ABREAST, TITLE_WIDTH, LABEL_WIDTH = 3, 44, 9
FINE = 25  # places at which the band of a piece is drawn
CROSSED_COLOURS = (OKABE_ITO[5], OKABE_ITO[2], OKABE_ITO[3])  # of several lines of a measure


@dataclass(frozen=True)
class Panels:
    """What is drawn: arms from left to right, joined by lines where they are numbers, between which there is something."""

    comparison: Comparison
    order: Sequence[Arm]
    places: Sequence[float]  # of the arms from left to right
    labels: Sequence[str]
    joined: bool = False
    crossed: Sequence[Crossed] = ()
    along: str = ""  # what changes from left to right

    @classmethod
    def of(cls, outcome: Comparison | Response) -> Panels:
        if isinstance(outcome, Comparison):
            return cls(
                outcome, outcome.arms, range(len(outcome.arms)), [fill(arm.text.replace("_", " "), LABEL_WIDTH) for arm in outcome.arms]
            )
        (sweep,), order = outcome.sweeps, rising(outcome.sweeps, outcome.order) or outcome.order
        places = sorted(sweep.numbers) if sweep.numbers else range(len(order))
        labels = [fill(outcome.label(arm), LABEL_WIDTH) for arm in order]
        return cls(outcome.comparison, order, places, labels, sweep.numbers is not None, crossings(outcome), sweep.title)

    def title(self) -> str:
        games, first = f"{self.comparison.games:,} games of each on the same deals", self.comparison.arms[0]
        reference = self.labels[list(self.order).index(first)].replace("\n", " ") if self.along else first.text
        lines = "; with a line to cross: band: 95 % interval of the mean, bar at the bottom: that of the crossing" if self.crossed else ""
        return f"{games}; dots with bars: 95 % interval of the difference from {reference} (dashed){lines}"

    def lines_of(self, measure: Measure) -> list[Crossed]:
        return [crossed for crossed in self.crossed if crossed.measure == measure]


def draw(panels: Panels) -> Figure:
    """A panel for each measure that is shown."""
    measures = panels.comparison.headline_measures()
    columns = min(ABREAST, len(measures))
    rows = math.ceil(len(measures) / columns)
    figure, axes = new_figure(max(4.0, 2.9 * columns), 0.9 + 2.5 * rows, rows, columns, squeeze=False)
    with in_style():
        for number, axis in enumerate(axes.flat):
            draw_panel(axis, panels, measures[number]) if number < len(measures) else axis.set_axis_off()
        figure.suptitle(fill(panels.title(), 40 * columns), fontsize=9.5, x=0.01, ha="left")
        if panels.along:
            figure.supxlabel(panels.along, fontsize=9.5)
    return figure


def draw_panel(axis: Any, panels: Panels, measure: Measure) -> None:
    comparison, times = panels.comparison, scale(measure)
    means = [comparison.level(arm, measure).mean * times for arm in panels.order]
    rows = [comparison.row(arm, measure) for arm in panels.order]
    below = [(row.mean - row.low) * times if row else 0.0 for row in rows]
    above = [(row.high - row.mean) * times if row else 0.0 for row in rows]
    axis.axhline(comparison.level(comparison.arms[0], measure).mean * times, color=FAINT, linewidth=0.8, linestyle="--")
    line = "-" if panels.joined else "none"
    look: dict[str, Any] = {"color": OKABE_ITO[0], "marker": "o", "markersize": 4, "capsize": 3, "linewidth": 1, "linestyle": line}
    axis.errorbar(panels.places, means, [below, above], **look)
    axis.set_xticks(panels.places, panels.labels)
    room = 0.5 * min(np.diff(panels.places), default=1)
    axis.set_xlim(panels.places[0] - room, panels.places[-1] + room)
    axis.ticklabel_format(axis="y", useOffset=False)
    axis.set_title(fill(f"{measure.words}{', %' if measure.is_share else ''}", TITLE_WIDTH), fontsize=8.5)
    for number, crossed in enumerate(panels.lines_of(measure)):
        draw_line(axis, crossed, CROSSED_COLOURS[number % len(CROSSED_COLOURS)])


# --- lines that are crossed --------------------------------------------------------------------------------------------------------


def draw_line(axis: Any, crossed: Crossed, colour: str) -> None:
    """The line, the band of the mean, and where they meet; a line far from all means is only named, so as not to flatten the curve."""
    times = scale(crossed.measure)
    places, lows, highs = band(crossed)
    axis.fill_between(places, lows * times, highs * times, color=OKABE_ITO[0], alpha=0.15, linewidth=0)
    if not crossed.spans and not crossed.points:
        side = "above" if crossed.curve.means[0] > crossed.line else "below"
        axis.text(0.02, 0.02, f"all {side} {line_in_words(crossed)}", transform=axis.transAxes, fontsize=8, color=colour)
        return
    axis.axhline(crossed.line * times, color=colour, linewidth=1, linestyle=":")
    axis.text(
        0.02, crossed.line * times, line_in_words(crossed), fontsize=8, color=colour, va="bottom", transform=axis.get_yaxis_transform()
    )
    for span in crossed.spans:
        axis.plot(span, (0.015, 0.015), color=colour, linewidth=4, solid_capstyle="butt", transform=axis.get_xaxis_transform())
    axis.plot(crossed.points, [crossed.line * times] * len(crossed.points), "D", color=colour, markersize=5, markerfacecolor="white")


def band(crossed: Crossed) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places and both ends of the interval of the mean there."""
    curve, parts = crossed.curve, np.linspace(0, 1, FINE)
    spots = [(piece, float(part)) for piece in range(len(curve.places) - 1) for part in parts]
    estimates = [curve.at(*spot) for spot in spots]
    places = np.array([curve.place(*spot) for spot in spots])
    return places, np.array([estimate.low for estimate in estimates]), np.array([estimate.high for estimate in estimates])


# --- files -------------------------------------------------------------------------------------------------------------------------


def write(outcome: Comparison | Response, folder: Folder) -> None:
    """The chart in each format, and the page that holds it."""
    from lagranja_sim.compare.page import page

    figure, name = drawn(outcome)
    images = {kind: image(figure, kind, RESOLUTION) for kind in FORMATS}
    for kind, content in images.items():
        folder.write(f"{name}.{kind}", content)
    folder.write_text("comparison.html", page(outcome, images["png"]))


def drawn(outcome: Comparison | Response) -> tuple[Figure, str]:
    """The chart and its name."""
    if isinstance(outcome, Comparison):
        return draw(Panels.of(outcome)), "comparison"
    return (draw_grid(outcome), "grid") if outcome.is_grid else (draw(Panels.of(outcome)), "sweep")
