"""One style for all figures: colours that the colour-blind tell apart, fixed for each policy; legible at a width of 700 pixels.

A figure of 7 inches is shown 700 pixels wide. Figures are white in light and dark pages alike, so that they also print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from lagranja_sim.stats.blocks import Estimate

# Okabe and Ito's palette (jfly.uni-koeln.de/color), the yellow left out: it is too faint for lines on white.
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
INK, FAINT, GRID = "#222222", "#767676", "#dddddd"
MARKS = ("o", "s", "^", "D", "v", "P", "X")  # beside colours, for those who see none and for prints in black
DIVERGING, SEQUENTIAL = "PuOr", "cividis_r"
# Colours and hatches of many stacked parts: the palette twice, the second time hatched.
PARTS = tuple((colour, hatch) for hatch in ("", "///", "...") for colour in OKABE_ITO)

SETTINGS: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "lagranja",
    "axes.prop_cycle": cycler(color=OKABE_ITO),
}


@contextmanager
def in_style() -> Iterator[None]:
    """What is drawn in here has the report's style; the machinery builds each section in it."""
    with matplotlib.rc_context(SETTINGS):  # type: ignore[arg-type]
        yield


def new_figure(width: float = 7.0, height: float = 3.6, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Figure, Any]:
    """A figure in inches and its axes (an array of them, if there are several); outside of pyplot, so that nothing needs closing."""
    with in_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots(rows, columns, **options)


def colour_of(policies: Sequence[str]) -> dict[str, str]:
    """The colour of each policy: by its place in the alphabet, so it is the same in every figure of a report."""
    return {policy: OKABE_ITO[number % len(OKABE_ITO)] for number, policy in enumerate(sorted(set(policies)))}


def mark_of(policies: Sequence[str]) -> dict[str, str]:
    """The marker of each policy."""
    return {policy: MARKS[number % len(MARKS)] for number, policy in enumerate(sorted(set(policies)))}


def percent(axis: Any) -> None:
    """Write the numbers of an axis (`axes.yaxis`) as percentages, with as many digits as tell its ticks apart."""
    axis.set_major_formatter(PercentFormatter(1, decimals=None))


def interval_bars(
    axes: Axes,
    labels: Sequence[str],
    means: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    *,
    colours: Sequence[str] | str = OKABE_ITO[0],
    reference: float | None = None,
    horizontal: bool = False,
    text: str | None = None,
) -> None:
    """Dots with their intervals, one a label; a line at `reference`; `text` is the format of a number beside each dot.

    Dots rather than bars, for the axis then need not begin at nought. The first label is at the top or on the left."""
    means, lows, highs = (np.asarray(values, float) for values in (means, lows, highs))
    places = np.arange(len(labels))
    tints = [colours] * len(labels) if isinstance(colours, str) else list(colours)
    _reference(axes, reference, horizontal)
    for place, mean, low, high, tint in zip(places, means, lows, highs, tints, strict=True):
        along, across = ([low, high], [place, place])
        axes.plot(*((along, across) if horizontal else (across, along)), color=tint, linewidth=2.2, solid_capstyle="butt", zorder=2)
        axes.plot(*((mean, place) if horizontal else (place, mean)), "o", color=tint, markersize=5.5, zorder=3)
        if text:
            end = np.fmax(mean, high)  # where there is no interval the number stands beside the dot
            spot = (end, place) if horizontal else (place, end)
            offset, sides = ((5, 0), ("left", "center")) if horizontal else ((0, 4), ("center", "bottom"))
            axes.annotate(format(mean, text), spot, offset, textcoords="offset points", ha=sides[0], va=sides[1], fontsize=8.5,
                          path_effects=[withStroke(linewidth=2.5, foreground="white")], zorder=4)  # fmt: skip
    _name_places(axes, labels, horizontal)


def estimate_bars(axes: Axes, labels: Sequence[str], found: Sequence[Estimate], **options: Any) -> None:
    """The same from estimates."""
    interval_bars(axes, labels, [one.mean for one in found], [one.low for one in found], [one.high for one in found], **options)


def _reference(axes: Axes, value: float | None, horizontal: bool) -> None:
    if value is not None:
        (axes.axvline if horizontal else axes.axhline)(value, color=FAINT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)


def _name_places(axes: Axes, labels: Sequence[str], horizontal: bool) -> None:
    places = range(len(labels))
    if horizontal:
        axes.set_yticks(places, labels)
        axes.set_ylim(len(labels) - 0.4, -0.6)
        axes.grid(axis="x", color=GRID, linewidth=0.7)
        axes.tick_params(axis="y", length=0)
    else:
        axes.set_xticks(places, labels)
        axes.set_xlim(-0.6, len(labels) - 0.4)
        axes.grid(axis="y", color=GRID, linewidth=0.7)
        axes.tick_params(axis="x", length=0)


def heat_map(
    axes: Axes,
    values: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    text: str = ".1f",
    label: str = "",
    centre: float | None = None,
    faint: ArrayLike | None = None,
    colour_bar: bool = True,
) -> None:
    """A table of colours with its numbers written in; with a `centre` both sides of it differ in hue. nan is left empty.

    Where `faint` is true the number is written grey and in brackets: not told apart from the centre, say."""
    values = np.asarray(values, float)
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if known.size else (0.0, 1.0)
    if centre is not None:
        reach = max(abs(low - centre), abs(high - centre)) or 1.0
        low, high = centre - reach, centre + reach
    with matplotlib.rc_context({"image.cmap": SEQUENTIAL if centre is None else DIVERGING}):
        picture = axes.imshow(values, vmin=low, vmax=high, aspect="auto")
    pale = np.zeros(values.shape, bool) if faint is None else np.asarray(faint, bool)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            written = format(value, text)
            ink = _ink_on(picture.cmap(picture.norm(value)))
            axes.text(column, row, f"({written})" if pale[row, column] else written, ha="center", va="center", color=ink, fontsize=8.5,
                      alpha=0.75 if pale[row, column] else 1.0)  # fmt: skip
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if colour_bar:
        bar = axes.figure.colorbar(picture, ax=axes, shrink=0.9, pad=0.02)
        bar.set_label(label)
        if text.endswith("%"):
            percent(bar.ax.yaxis)
        bar.outline.set_visible(False)


def _ink_on(colour: Any) -> str:
    red, green, blue = colour[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else INK


def line_with_band(
    axes: Axes, x: ArrayLike, mean: ArrayLike, low: ArrayLike, high: ArrayLike, *, colour: str, label: str, mark: str = "o", **options: Any
) -> None:
    """A line with its interval as a band; `label` is what `label_lines` writes at its end."""
    axes.fill_between(np.asarray(x, float), np.asarray(low, float), np.asarray(high, float), color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, mean, color=colour, marker=mark, markersize=4, linewidth=1.6, label=label, **options)
    axes.grid(axis="y", color=GRID, linewidth=0.7)


def label_lines(axes: Axes, gap: float = 0.055) -> None:
    """Write each line's label at its right end instead of a legend, moved apart where they would overlap.

    Call it last: it reads the axes' limits."""
    ends = [(line, *_end(line)) for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
    ends = sorted((end for end in ends if np.isfinite(end[2])), key=lambda end: end[2])
    if not ends:
        return
    low, high = axes.get_ylim()
    heights = _apart([(y - low) / (high - low) for _, _, y in ends], gap)
    for (line, x, y), height in zip(ends, heights, strict=True):
        axes.annotate(
            str(line.get_label()), (x, y), (1.015, height), textcoords="axes fraction", color=str(line.get_color()), fontsize=9, va="center"
        )


def _end(line: Any) -> tuple[float, float]:
    x, y = (np.asarray(values, float) for values in line.get_data())
    known = np.flatnonzero(np.isfinite(y))
    return (float(x[known[-1]]), float(y[known[-1]])) if known.size else (np.nan, np.nan)


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Heights in rising order, moved as little as keeps them a gap apart and within the axes."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + gap) if moved else height)
    excess = max(0.0, moved[-1] - 1.0)
    for number in range(len(moved) - 1, -1, -1):
        above = moved[number + 1] - gap if number + 1 < len(moved) else moved[number] - excess
        moved[number] = min(moved[number], above)
    return moved


def legend_below(axes: Axes, labels: Mapping[str, Any] | None = None, columns: int = 4) -> None:
    """A legend under the axes, for what cannot be labelled directly; `labels` gives text and handle."""
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": columns, "fontsize": 8.5}
    axes.legend(list(labels.values()), list(labels), **place) if labels else axes.legend(**place)
