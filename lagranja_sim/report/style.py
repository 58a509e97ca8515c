"""One style for all figures: colours that the colour-blind can tell apart, fixed for each policy; legible at a width of 700 pixels.

A figure of 7 inches is shown 700 pixels wide. Figures are white in light and dark pages alike, so that they also print.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from lagranja_sim.stats.blocks import Estimate

# Okabe and Ito's palette (jfly.uni-koeln.de/color), the yellow left out: it is too faint for lines on white.
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
INK, FAINT, GRID = "#222222", "#767676", "#dddddd"
MARKS = ("o", "s", "^", "D", "v", "P", "X")  # in addition to colours, for those who cannot see them and for prints in black
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


def image(figure: Figure, kind: str, resolution: int) -> bytes:
    """A figure as `png` or `svg`: the same bytes for the same numbers, with no date or version in them."""
    buffer = io.BytesIO()
    with in_style():
        figure.savefig(buffer, format=kind, dpi=resolution, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return buffer.getvalue()


def colour_of(policies: Sequence[str]) -> dict[str, str]:
    """The colour of each policy: by its place in the alphabet, so it is the same in every figure of a report."""
    return {policy: OKABE_ITO[number % len(OKABE_ITO)] for number, policy in enumerate(sorted(set(policies)))}


def mark_of(policies: Sequence[str]) -> dict[str, str]:
    """The marker of each policy."""
    return {policy: MARKS[number % len(MARKS)] for number, policy in enumerate(sorted(set(policies)))}


def percent(axis: Any) -> None:
    """Write the numbers of an axis (`axes.yaxis`) as percentages, with as many digits as tell its ticks apart."""
    axis.set_major_formatter(PercentFormatter(1, decimals=None))


# --- dots with intervals -----------------------------------------------------------------------------------------------------------


def dot(axes: Axes, place: float, estimate: Estimate, *, colour: str, mark: str = "o", filled: bool = True) -> None:
    """An estimate at a height: its interval as a line, with a mark that is hollow where it is not `filled`."""
    axes.plot([estimate.low, estimate.high], [place, place], color=colour, linewidth=2, solid_capstyle="butt")
    axes.plot(estimate.mean, place, mark, color=colour, markersize=5.5, markerfacecolor=colour if filled else "white")


def interval_bars(
    axes: Axes,
    labels: Sequence[str],
    estimates: Sequence[Estimate],
    *,
    reference: float | None = None,
    horizontal: bool = False,
    text: str | None = None,
) -> None:
    """Dots with their intervals, one a label; a line at `reference`; `text` is the format of a number beside each dot.

    Dots rather than bars, as their axis need not begin at zero. The first label is at the top or on the left."""
    if reference is not None:
        reference_line(axes, reference, upright=horizontal)
    for place, estimate in enumerate(estimates):
        line = _spots([estimate.low, estimate.high], [place, place], horizontal)
        axes.plot(*line, color=OKABE_ITO[0], linewidth=2.2, solid_capstyle="butt", zorder=2)
        axes.plot(*_spots([estimate.mean], [place], horizontal), "o", color=OKABE_ITO[0], markersize=5.5, zorder=3)
        if text:
            _number_beside(axes, place, estimate, text, horizontal)
    _name_places(axes, labels, horizontal)


def _spots(values: list[float], places: list[float], horizontal: bool) -> tuple[list[float], list[float]]:
    """Values along the axis of numbers, places across it: as x and y."""
    return (values, places) if horizontal else (places, values)


def _number_beside(axes: Axes, place: float, estimate: Estimate, text: str, horizontal: bool) -> None:
    end = float(np.fmax(estimate.mean, estimate.high))  # where there is no interval the number stands beside the dot
    (x,), (y,) = _spots([end], [place], horizontal)
    offset, sides = ((5, 0), ("left", "center")) if horizontal else ((0, 4), ("center", "bottom"))
    outline = [withStroke(linewidth=2.5, foreground="white")]
    number = format(estimate.mean, text)
    axes.annotate(
        number, (x, y), offset, textcoords="offset points", ha=sides[0], va=sides[1], fontsize=8.5, path_effects=outline, zorder=4
    )


def reference_line(axes: Axes, value: float, upright: bool = False) -> None:
    """A dashed line at what the figures are compared with."""
    (axes.axvline if upright else axes.axhline)(value, color=FAINT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)


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


# --- tables of colours -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cells:
    """What a heat map shows: numbers by row and column; nan is left empty."""

    values: ArrayLike
    rows: Sequence[str]
    columns: Sequence[str]
    faint: ArrayLike | None = None  # where true: not told apart from the centre, say
    words: Sequence[Sequence[str]] | None = None  # what is written in the cells instead of their numbers, brackets and all


def heat_map(axes: Axes, cells: Cells, *, text: str = ".1f", label: str = "", centre: float | None = None) -> None:
    """A table of colours with its numbers written in; with a `centre` both sides of it differ in hue.

    What is faint is written grey and in brackets."""
    values = np.asarray(cells.values, float)
    low, high = _limits(values, centre)
    picture = axes.imshow(values, vmin=low, vmax=high, aspect="auto", cmap=SEQUENTIAL if centre is None else DIVERGING)
    faint = np.zeros(values.shape, bool) if cells.faint is None else np.asarray(cells.faint, bool)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            ink, alpha = ink_on(picture.cmap(picture.norm(value))), 0.75 if faint[row, column] else 1.0
            number = f"({value:{text}})" if faint[row, column] else f"{value:{text}}"
            words = cells.words[row][column] if cells.words else number
            axes.text(column, row, words, ha="center", va="center", color=ink, fontsize=8.5, alpha=alpha)
    axes.set_xticks(range(len(cells.columns)), cells.columns)
    axes.set_yticks(range(len(cells.rows)), cells.rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = colour_bar(axes, picture, label, shrink=0.9)
    if text.endswith("%"):
        percent(bar.ax.yaxis)


def _limits(values: np.ndarray, centre: float | None) -> tuple[float, float]:
    """The limits of the colours: equally far to both sides of the centre."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    if centre is None:
        return low, high
    reach = max(abs(low - centre), abs(high - centre)) or 1.0
    return centre - reach, centre + reach


def colour_bar(axes: Axes | Sequence[Axes], colours: ScalarMappable, label: str, shrink: float = 0.7) -> Any:
    """A scale beside axes that shows what the colours stand for."""
    figure = np.ravel(np.asarray(axes, object))[0].figure
    bar = figure.colorbar(colours, ax=axes, shrink=shrink, pad=0.02)
    bar.set_label(label)
    bar.outline.set_visible(False)
    return bar


def ink_on(colour: Any) -> str:
    """The colour of text that is legible on a colour."""
    red, green, blue = to_rgb(colour)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else INK


# --- stacked bars ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A piece of a stacked bar; what is below zero lies on the other side of the axis."""

    size: float
    colour: Any
    text: str = ""  # written in it
    hatch: str = ""


def stacked_bar(
    axes: Axes, place: float, parts: Iterable[Part], *, horizontal: bool = True, width: float = 0.66, fontsize: float = 8
) -> float:
    """Draw a bar of parts one after the other; returns where it ends."""
    end = 0.0
    for part in parts:
        start = end if part.size >= 0 else part.size
        end += max(part.size, 0)
        look: dict[str, Any] = {"color": part.colour, "hatch": part.hatch, "edgecolor": "white", "linewidth": 0.6}
        if horizontal:
            axes.barh(place, abs(part.size), left=start, height=width, **look)
        else:
            axes.bar(place, abs(part.size), bottom=start, width=width, **look)
        spot = (start + part.size / 2, place) if horizontal else (place, start + part.size / 2)
        if part.text:
            axes.text(*spot, part.text, ha="center", va="center", fontsize=fontsize, **_lettering(part))
    return end


def _lettering(part: Part) -> dict[str, Any]:
    """How text on a part is legible; on a hatched part it needs a background of its own."""
    background = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    return {"color": INK, "bbox": background} if part.hatch else {"color": ink_on(part.colour)}


def swatches(colours: Iterable[Any], hatches: Iterable[str] = ()) -> list[Patch]:
    """What a legend shows for the parts of stacked bars."""
    return [Patch(facecolor=colour, hatch=hatch, edgecolor="white") for colour, hatch in zip_longest(colours, hatches, fillvalue="")]


def legend_above(place: Axes | Figure, handles: Sequence[Artist], labels: Sequence[str], columns: int, title: str = "") -> None:
    """A legend over axes or over a whole figure, for what cannot be labelled directly."""
    where: dict[str, Any] = {"loc": "outside upper center"}
    if isinstance(place, Axes):
        where = {"loc": "lower left", "bbox_to_anchor": (-0.02, 1.0), "alignment": "left", "handlelength": 1.2}
    place.legend(handles, labels, ncols=columns, fontsize=8.5, title=title or None, **where)


# --- lines -------------------------------------------------------------------------------------------------------------------------


def line_with_band(
    axes: Axes, x: ArrayLike, estimates: Sequence[Estimate], *, colour: str, label: str, mark: str = "o", **options: Any
) -> None:
    """A line with its interval as a band; `label` is what `label_lines` writes at its end."""
    ends = [estimate.low for estimate in estimates], [estimate.high for estimate in estimates]
    axes.fill_between(np.asarray(x, float), *ends, color=colour, alpha=0.2, linewidth=0)
    means = [estimate.mean for estimate in estimates]
    axes.plot(x, means, color=colour, marker=mark, markersize=4, linewidth=1.6, label=label, **options)
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
    finite = np.flatnonzero(np.isfinite(y))
    return (float(x[finite[-1]]), float(y[finite[-1]])) if finite.size else (np.nan, np.nan)


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
