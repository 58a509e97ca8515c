"""The market: which spaces are held, what a marker earns there and how long it stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.stats.batches import SHARE, batch_sums, cube, jackknife, ratios, t_factor

TITLE = "Market"
QUESTION = "Which market spaces are held, what does a marker earn there, and how long does it stay?"
ORDER = 80
NEEDS = ["games", "market"]
MIN_GAMES = 200

MIN_MARKERS = 100  # fewer markers are not shown
MIN_DRAWN = 30  # nor on the board
START = style.OKABE_ITO[5]  # rings the spaces that hold a marker from the start

DEFINITIONS = [
    "A space counts as held in a round if a marker lies on it when the round is scored. Points of a marker are those it earns while it "
    "lies there, at each round's end, from the round in which it is placed to the one before it is removed; removing others earns points "
    "of its own and is counted apart. Markers that lie there from the start count as held, but not in the points of a marker: nobody "
    "placed them.",
    "Life: the number of round ends a marker sees. Markers from the start count from round 1. Those still there at the end of the game "
    "would have stayed longer, so the curves are Kaplan and Meier's: the share still there after k round ends is the product of the "
    "shares that got through each, among the markers at risk.",
    "Spaces of a value differ in where they lie and who comes there when: points a marker compare them as they are used, not what a "
    "given player would gain there.",
]


def build(data: ReportData) -> Section:
    """The section from the board to the removals."""
    rows = batch_sums(data.scan("market").rename({"value": "printed"}), ["space", "printed", "round_placed", "round_removed"])
    games = batch_sums(data.scan("games"), []).select("batch", pl.col("rows").alias("games"))
    rows = _with_life(rows, data)
    section = Section(TITLE, QUESTION, text=DEFINITIONS)
    placed = rows.filter(pl.col("round_placed") > 0)  # those at the start have had longer, and nobody chose their space
    spaces = _spaces(placed, games, data)
    held = _held(rows, games, data)
    lives = _lives(rows, data)
    section.figures = [_board_figure(spaces, data), _rounds_figure(held, data), _life_figure(lives)]
    section.tables = [
        Table(
            "spaces",
            "Every space of the board: markers placed on it, points of a marker and the share of markers removed, with 95 % intervals.",
            spaces,
            _formats("markers a game", ".2f") | _formats("points a marker", ".2f") | _formats("removed", ".1%"),
        ),
        Table(
            "held", "Share of games in which a space is held at the end of each round.", held, dict.fromkeys(("held", "low", "high"), ".1%")
        ),
        Table(
            "life",
            "Markers still there after so many round ends, by value (Kaplan-Meier).",
            lives,
            dict.fromkeys(("still there", "low", "high"), ".1%"),
        ),
        _placed_table(rows),
        _removal_table(rows, games),
    ]
    section.takeaways = [*_life_takeaway(lives), *_value_takeaway(placed)]
    section.caveats = _caveats(data)
    return section


def _caveats(data: ReportData) -> list[str]:
    closed = [space for space in data.components.spaces if not data.components.rules.is_open(space.min_players, data.players)]
    shut = f"{len(closed)} spaces are closed with {data.players} players and drawn empty." if closed else ""
    low = "The values of the market's spaces and which lie side by side decide what is removed, so these numbers change with another map."
    return [text for text in (low, shut, data.reconstructed_note("market spaces", "barrows")) if text]


def _with_life(rows: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """Round ends seen, points earned, and how many round ends a marker could have seen at most."""
    stays = pl.col("round_removed") == 0
    most = data.rounds + 1 - pl.col("round_placed").clip(1).cast(pl.Int64)
    life = pl.when(stays).then(most).otherwise(pl.col("round_removed").cast(pl.Int64) - pl.col("round_placed").clip(1).cast(pl.Int64))
    counted = rows.with_columns(life.alias("life"), (~stays).alias("gone"))
    each = data.components.rules.market.marker_vp
    return counted.with_columns(
        (pl.col("rows") * pl.col("life") * each).alias("points"), (pl.col("rows") * pl.col("gone")).alias("removed")
    )


def _each_batch(rows: pl.DataFrame, games: pl.DataFrame, by: Sequence[str], **values: pl.Expr) -> pl.DataFrame:
    """Sums by batch and group beside the games of the batch, also where there are none."""
    groups = rows.select(by).unique()
    summed = rows.group_by("batch", *by).agg(**values)
    return groups.join(games, how="cross").join(summed, on=["batch", *by], how="left").fill_null(0)


# --- spaces ---------------------------------------------------------------------------------------------------------------------------


def _spaces(rows: pl.DataFrame, games: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    counts = _each_batch(rows, games, ["space"], placed=pl.col("rows").sum())
    found = {
        "markers a game": ratios(counts, ["space"], "placed", "games"),
        "points a marker": ratios(rows, ["space"], "points"),
        "removed": ratios(rows, ["space"], "removed", bounds=SHARE),
    }
    board = pl.DataFrame(
        [{"space": number, "q": space.q, "r": space.r, "value": space.value} for number, space in enumerate(data.components.spaces)],
        schema_overrides={"space": pl.Int8},
    )
    for name, one in found.items():
        board = board.join(one.select("space", *_interval(name)), on="space", how="left")
    return board


def _held(rows: pl.DataFrame, games: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """By space and round: the share of games in which it is held when the round is scored."""
    found = []
    for number in range(1, data.rounds + 1):
        there = (pl.col("round_placed") <= number) & ((pl.col("round_removed") == 0) | (pl.col("round_removed") > number))
        counts = _each_batch(rows, games, ["space"], held=pl.col("rows").filter(there).sum())
        found.append(
            ratios(counts, ["space"], "held", "games", SHARE).select(
                "space", pl.lit(number).alias("round"), pl.col("value").alias("held"), "low", "high"
            )
        )
    return pl.concat(found).sort("space", "round")


# --- the drawn board ------------------------------------------------------------------------------------------------------------------


def _corners(q: int, r: int) -> tuple[float, float]:
    """The middle of a hex with a point at the top, in units of its side; axial coordinates, r downwards."""
    return float(np.sqrt(3) * (q + r / 2)), -1.5 * r


def _draw_board(
    axes: Any, data: ReportData, values: dict[int, float], norm: Any, lettering: float, texts: dict[int, str] | None = None
) -> None:
    """Every space as a hex coloured by its value; the printed value in it, and a text below."""
    colours = style.matplotlib.colormaps[style.SEQUENTIAL]
    for number, space in enumerate(data.components.spaces):
        x, y = _corners(space.q, space.r)
        known = number in values and np.isfinite(values[number])
        colour = colours(norm(values[number])) if known else "white"
        axes.add_patch(
            style.matplotlib.patches.RegularPolygon(
                (x, y), 6, radius=0.97, facecolor=colour, edgecolor=style.FAINT if not known else "white", linewidth=0.8
            )
        )
        ink = _ink(colour) if known else style.FAINT
        if space.start:
            ring = style.matplotlib.patches.RegularPolygon((x, y), 6, radius=0.88, fill=False, edgecolor=START, linewidth=1.8)
            axes.add_patch(ring)
        axes.text(x, y + (0.28 if texts else 0), str(space.value), ha="center", va="center", fontsize=lettering, color=ink, weight="bold")
        if texts and number in texts:
            axes.text(x, y - 0.33, texts[number], ha="center", va="center", fontsize=8, color=ink, linespacing=1.05)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")


def _ink(colour: Any) -> str:
    red, green, blue = style.matplotlib.colors.to_rgb(colour)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else style.INK


def _board_figure(spaces: pl.DataFrame, data: ReportData) -> Figure:
    """Points a marker on each space, with how many markers a game it sees."""
    rows = [row for row in spaces.to_dicts() if (row["markers a game"] or 0) * data.games >= MIN_DRAWN]
    if not rows:
        raise TooFew(f"no space has seen {MIN_DRAWN} markers; play more games")
    points = {row["space"]: row["points a marker"] for row in rows}
    texts = {row["space"]: f"{row['points a marker']:.1f} pts\n{_short(row['markers a game'])}/game" for row in rows}
    norm = style.matplotlib.colors.Normalize(min(points.values()), max(points.values()))
    figure, axes = style.new_figure(7, 5.6)
    _draw_board(axes, data, points, norm, 12, texts)
    _colour_bar(figure, axes, norm, "points a marker earns at round ends, mean")
    best = max(rows, key=lambda row: row["points a marker"])
    alt = (
        "The market drawn as hexes: in each the printed value, the mean points a marker earns there and the markers it sees a game "
        f"(empty: fewer than {MIN_DRAWN} in all). The most points a marker, {best['points a marker']:.1f}, are earned at "
        f"q {best['q']}, r {best['r']} (value {best['value']})."
    )
    return Figure(
        "board",
        "Points a marker earns on each market space (bold: the printed value; ringed: a marker lies there from the start)",
        alt,
        figure,
    )


def _short(number: float) -> str:
    return format(number, ".1f" if number >= 0.095 else ".2f")


def _colour_bar(figure: Any, axes: Any, norm: Any, label: str) -> None:
    scale = style.matplotlib.cm.ScalarMappable(norm, style.SEQUENTIAL)
    bar = figure.colorbar(scale, ax=axes, shrink=0.7, pad=0.02)
    bar.set_label(label)
    bar.outline.set_visible(False)


def _rounds_figure(held: pl.DataFrame, data: ReportData) -> Figure:
    """A small board a round."""
    columns = min(3, data.rounds)
    lines = -(-data.rounds // columns)
    figure, axes = style.new_figure(7, 0.3 + 2.1 * lines, rows=lines, columns=columns, squeeze=False)
    norm = style.matplotlib.colors.Normalize(0, 1)
    means = []
    for number, axis in zip(range(1, lines * columns + 1), axes.ravel(), strict=True):
        part = {row["space"]: row["held"] for row in held.filter(pl.col("round") == number).to_dicts()}
        if not part:
            axis.axis("off")
            continue
        _draw_board(axis, data, part, norm, 8.5)
        means.append(sum(part.values()))
        axis.set_title(f"round {number}: {means[-1]:.1f} markers", fontsize=9)
    _colour_bar(figure, axes, norm, "share of games in which it is held")
    figure.axes[-1].yaxis.set_major_formatter(style.matplotlib.ticker.PercentFormatter(1))
    said = ", ".join(f"round {number}: {mean:.1f}" for number, mean in enumerate(means, 1))
    return Figure(
        "held",
        "How often each space is held at the end of each round (ringed: a marker lies there from the start)",
        f"One small board a round, darker where held more often. Markers on the whole board: {said}.",
        figure,
    )


# --- how long markers stay ------------------------------------------------------------------------------------------------------------


def _lives(rows: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """Kaplan-Meier by value, with intervals from leaving out batches."""
    values = sorted(rows["printed"].unique())
    counts = cube(
        rows.with_columns(pl.col("gone").cast(pl.Int8)), {"printed": values, "gone": [0, 1], "life": range(data.rounds + 1)}, "rows"
    )
    survival, error = jackknife(counts, _kaplan_meier)
    half = float(t_factor(len(counts))) * error
    risk = _at_risk(counts.sum(axis=0))
    found = [
        {"value": value, "round ends": ends + 1, "at risk": int(risk[place, ends]), "still there": survival[place, ends]}
        | {"low": max(survival[place, ends] - half[place, ends], 0), "high": min(survival[place, ends] + half[place, ends], 1)}
        for place, value in enumerate(values)
        for ends in range(data.rounds)
    ]
    return pl.DataFrame(found).filter(pl.col("at risk") >= MIN_MARKERS)


def _at_risk(counts: np.ndarray) -> np.ndarray:
    """How many markers might be removed before their next round end; those the game's end finds there are not at risk any more."""
    everyone = counts.sum(axis=1)
    return everyone[:, ::-1].cumsum(axis=1)[:, ::-1] - counts[:, 0]


def _kaplan_meier(counts: np.ndarray) -> np.ndarray:
    """From counts by (value, gone, life): the share still there after 1, 2, ... round ends.

    A marker of life k that is gone was removed before its next round end."""
    lost = counts[:, 1] / np.maximum(_at_risk(counts), 1)
    return np.cumprod(1 - lost, axis=1)[:, :-1]


def _life_figure(lives: pl.DataFrame) -> Figure:
    figure, axes = style.new_figure(7, 3.5)
    values = sorted(lives["value"].unique())
    shades = dict(zip(values, style.matplotlib.colormaps["viridis"](np.linspace(0, 0.8, len(values))), strict=True))
    for mark, value in zip(style.MARKS * 3, values, strict=False):
        part = lives.filter(pl.col("value") == value)
        ends, zero = [0, *part["round ends"]], [1.0]
        bands = [[*zero, *part[name]] for name in ("still there", "low", "high")]
        style.line_with_band(axes, ends, *bands, colour=style.matplotlib.colors.to_hex(shades[value]), label=f"value {value}", mark=mark)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("round ends since the marker was placed")
    axes.set_ylabel("share of markers still there")
    style.percent(axes.yaxis)
    axes.xaxis.set_major_locator(style.matplotlib.ticker.MaxNLocator(integer=True))
    style.label_lines(axes)
    said = "; ".join(f"value {row['value']}: {row['still there']:.0%}" for row in lives.filter(pl.col("round ends") == 2).to_dicts())
    return Figure(
        "life",
        "How long market markers stay, by value of the space",
        f"Survival curves by value with bands. Still there after 2 round ends: {said}.",
        figure,
    )


def _placed_table(rows: pl.DataFrame) -> Table:
    """Points a marker by value and round of placing."""
    by = ["printed", "round_placed"]
    stay = rows.with_columns((pl.col("rows") - pl.col("removed")).alias("stay"))
    table = _side_by_side({"points": ratios(rows, by, "points"), "to the end": ratios(stay, by, "stay", bounds=SHARE)}, by, "markers")
    shown = table.filter(pl.col("markers") >= MIN_MARKERS).rename({"printed": "value", "round_placed": "round placed"})
    formats = {"markers": ",.0f"} | _formats("points", ".2f") | _formats("to the end", ".1%")
    caption = (
        f"Points of a marker and the share that stays to the end, by value and round placed (0: at the start). "
        f"{table.height - shown.height} cells with fewer than {MIN_MARKERS} markers are hidden."
    )
    return Table("placed", caption, shown, formats)


def _side_by_side(found: dict[str, pl.DataFrame], by: list[str], count: str) -> pl.DataFrame:
    """Several ratios of the same groups as columns, each with its interval."""
    table = next(iter(found.values())).select(*by, pl.col("n").alias(count))
    for name, one in found.items():
        table = table.join(one.select(*by, *_interval(name)), on=by, how="left")
    return table.sort(by)


def _interval(name: str) -> list[pl.Expr]:
    return [pl.col("value").alias(name), pl.col("low").alias(f"{name}, low"), pl.col("high").alias(f"{name}, high")]


def _formats(name: str, form: str) -> dict[str, str]:
    return dict.fromkeys((name, f"{name}, low", f"{name}, high"), form)


def _removal_table(rows: pl.DataFrame, games: pl.DataFrame) -> Table:
    """How many markers of each value are removed, in a game and of those placed."""
    counts = _each_batch(rows, games, ["printed"], removed=pl.col("removed").sum())
    found = {
        "removed of all": ratios(rows, ["printed"], "removed", bounds=SHARE),
        "removals a game": ratios(counts, ["printed"], "removed", "games"),
    }
    table = _side_by_side(found, ["printed"], "markers").rename({"printed": "value"})
    return Table(
        "removals",
        "Removals by the value of the space.",
        table,
        {"markers": ",.0f"} | _formats("removed of all", ".1%") | _formats("removals a game", ".2f"),
    )


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _value_takeaway(rows: pl.DataFrame) -> Iterable[Takeaway]:
    """The dearest against the cheapest spaces, in points a marker."""
    values = sorted(rows["printed"].unique())
    if len(values) < 2:
        return
    sums = cube(rows, {"printed": values}, "points"), cube(rows, {"printed": values}, "rows")
    gap, error = jackknife(np.stack(sums, axis=1), lambda total: total[0, -1] / total[1, -1] - total[0, 0] / total[1, 0])
    half = float(t_factor(len(sums[0]))) * float(error)
    high, low = (
        f"a marker placed on value {value} earns {total:.2f} points"
        for value, total in ((values[-1], _mean(sums, -1)), (values[0], _mean(sums, 0)))
    )
    verdict = "which is undecided" if abs(gap) < half else "as they are used, not what moving a marker would bring"
    yield Takeaway(
        f"On the market {high} at round ends and {low}: a difference of {gap:+.2f} ({gap - half:+.2f} to {gap + half:+.2f}), {verdict}.",
        abs(gap) / half if half else 1,
    )


def _mean(sums: tuple[np.ndarray, np.ndarray], place: int) -> float:
    return float(sums[0][:, place].sum() / sums[1][:, place].sum())


def _life_takeaway(lives: pl.DataFrame) -> Iterable[Takeaway]:
    after = lives.filter(pl.col("round ends") == 2)
    if after.height < 2:
        return
    low, high = after.sort("still there").row(0, named=True), after.sort("still there").row(-1, named=True)
    gap = high["still there"] - low["still there"]
    half = float(np.hypot(high["high"] - high["still there"], low["high"] - low["still there"]))
    said = [f"{row['still there']:.1%} of those on value {row['value']} ({row['low']:.1%} to {row['high']:.1%})" for row in (high, low)]
    verdict = "" if gap > half else "; the difference is undecided"
    yield Takeaway(
        f"After two round ends {said[0]} still lie on the market and {said[1]}{verdict}.".replace("those", "the markers", 1),
        gap / half if half else 1,
    )
