"""The market: which spaces are held, what a marker earns there and how long it stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import RegularPolygon
from matplotlib.ticker import MaxNLocator

from lagranja_sim.games.lagranja.components.start_spaces import start_spaces
from lagranja_sim.report import style
from lagranja_sim.report.say import ends, interval, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.report.tables import columns, formats, side_by_side
from lagranja_sim.stats.batches import ROWS, batch_sums, beside_all, cube, jackknife, ratios
from lagranja_sim.stats.blocks import SHARE, Estimate, Estimates, estimates_in
from lagranja_sim.wording import counted

GAME = "lagranja"
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
    market = data.scan("market").filter(pl.col("seat") < data.players).rename({"value": "printed"})  # none of the neutral player
    rows = _with_life(batch_sums(market, ["space", "printed", "round_placed", "round_removed"]), data)
    games = batch_sums(data.scan("games"), []).select("batch", pl.col(ROWS).alias("games"))
    placed = rows.filter(pl.col("round_placed") > 0)  # those at the start have had longer, and nobody chose their space
    spaces, held, lives = _spaces(placed, games), _held(rows, games, data), _lives(rows, data)
    return Section(
        TITLE,
        QUESTION,
        takeaways=[*_life_takeaway(lives), *_value_takeaway(placed)],
        figures=[_board_figure(spaces, data), _rounds_figure(held, data), _life_figure(lives)],
        tables=[_space_table(spaces, data), _held_table(held), _life_table(lives), _placed_table(rows), _removal_table(rows, games)],
        caveats=_caveats(data),
        text=DEFINITIONS,
    )


def _caveats(data: ReportData) -> list[str]:
    closed = [space for space in data.components.spaces if not data.components.rules.is_open(space.min_players, data.players)]
    shut = f"{len(closed)} spaces are closed with {counted(data.players, 'player')} and drawn empty." if closed else ""
    low = "The values of the market's spaces and which lie side by side decide what is removed, so these numbers change with another map."
    return [low, shut, data.reconstructed_note("market spaces", "barrows")]


def _with_life(rows: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """Round ends seen, points earned, and how many round ends a marker could have seen at most."""
    stays = pl.col("round_removed") == 0
    most = data.rounds + 1 - pl.col("round_placed").clip(1).cast(pl.Int64)
    life = pl.when(stays).then(most).otherwise(pl.col("round_removed").cast(pl.Int64) - pl.col("round_placed").clip(1).cast(pl.Int64))
    counted = rows.with_columns(life.alias("life"), (~stays).alias("gone"))
    marker_vp = data.components.rules.market.marker_vp
    return counted.with_columns(
        (pl.col(ROWS) * pl.col("life") * marker_vp).alias("points"), (pl.col(ROWS) * pl.col("gone")).alias("removed")
    )


# --- spaces ---------------------------------------------------------------------------------------------------------------------------

MARKERS, POINTS, REMOVED = "markers a game", "points a marker", "removed"


def _spaces(rows: pl.DataFrame, games: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Frames of estimates by space."""
    counts = beside_all(rows.group_by("batch", "space").agg(pl.col(ROWS).sum().alias("placed")), ["space"], games)
    return {
        MARKERS: ratios(counts, ["space"], "placed", "games"),
        POINTS: ratios(rows, ["space"], "points"),
        REMOVED: ratios(rows, ["space"], "removed", bounds=SHARE),
    }


def _space_table(spaces: Mapping[str, pl.DataFrame], data: ReportData) -> Table:
    board = pl.DataFrame(
        [{"space": number, "q": space.q, "r": space.r, "value": space.value} for number, space in enumerate(data.components.spaces)],
        schema_overrides={"space": pl.Int8},
    )
    for name, estimates in spaces.items():
        board = board.join(estimates.select("space", *columns(name)), on="space", how="left", maintain_order="left")
    caption = "Every space of the board: markers placed on it, points of a marker and the share of markers removed, with 95 % intervals."
    return Table("spaces", caption, board, formats(".2f", MARKERS, POINTS) | formats(".1%", REMOVED))


def _held(rows: pl.DataFrame, games: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """A frame of estimates: the share of games in which a space is held when a round is scored."""
    sums = []
    for number in range(1, data.rounds + 1):
        is_held = (pl.col("round_placed") <= number) & ((pl.col("round_removed") == 0) | (pl.col("round_removed") > number))
        counts = rows.group_by("batch", "space").agg(pl.col(ROWS).filter(is_held).sum().alias("held"))
        sums.append(beside_all(counts, ["space"], games).with_columns(pl.lit(number).alias("round")))
    return ratios(pl.concat(sums), ["space", "round"], "held", "games", SHARE)


def _held_table(held: pl.DataFrame) -> Table:
    caption = "Share of games in which a space is held at the end of each round."
    frame = held.select("space", "round", pl.col("mean").alias("held"), "low", "high")
    return Table("held", caption, frame, dict.fromkeys(("held", "low", "high"), ".1%"))


# --- the drawn board ------------------------------------------------------------------------------------------------------------------


def _corners(q: int, r: int) -> tuple[float, float]:
    """The middle of a hex with a point at the top, in units of its side; axial coordinates, r downwards."""
    return float(np.sqrt(3) * (q + r / 2)), -1.5 * r


def _draw_board(axes: Any, data: ReportData, values: Mapping[int, float], norm: Any, texts: Mapping[int, str] | None = None) -> None:
    """Every space as a hex coloured by its value; the printed value in it, and a text below, for which it is drawn larger."""
    lettering, rise = (12, 0.28) if texts else (8.5, 0.0)
    begun_on = start_spaces(data.components.spaces, data.components.rules, data.players)
    for number, space in enumerate(data.components.spaces):
        x, y = _corners(space.q, space.r)
        known = number in values
        colour = colormaps[style.SEQUENTIAL](norm(values[number])) if known else "white"
        edge, ink = ("white", style.ink_on(colour)) if known else (style.FAINT, style.FAINT)
        axes.add_patch(RegularPolygon((x, y), 6, radius=0.97, facecolor=colour, edgecolor=edge, linewidth=0.8))
        if number in begun_on:
            axes.add_patch(RegularPolygon((x, y), 6, radius=0.88, fill=False, edgecolor=START, linewidth=1.8))
        axes.text(x, y + rise, str(space.value), ha="center", va="center", fontsize=lettering, color=ink, weight="bold")
        if texts and number in texts:
            axes.text(x, y - 0.33, texts[number], ha="center", va="center", fontsize=8, color=ink, linespacing=1.05)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")


def _board_figure(spaces: Mapping[str, pl.DataFrame], data: ReportData) -> Figure:
    """Points a marker on each space, with how many markers a game it sees."""
    markers, points = (dict(spaces[name].select("space", "mean").iter_rows()) for name in (MARKERS, POINTS))
    shown = {number: points[number] for number in sorted(points) if markers[number] * data.games >= MIN_DRAWN}
    if not shown:
        raise TooFew(f"no space has seen {MIN_DRAWN} markers; play more games")
    texts = {number: f"{value:.1f} pts\n{_short(markers[number])}/game" for number, value in shown.items()}
    norm = Normalize(min(shown.values()), max(shown.values()))
    figure, axes = style.new_figure(7, 5.6)
    _draw_board(axes, data, shown, norm, texts)
    style.colour_bar(axes, ScalarMappable(norm, style.SEQUENTIAL), "points a marker earns at round ends, mean")
    best = max(shown, key=lambda number: shown[number])
    space = data.components.spaces[best]
    alt = (
        "The market drawn as hexes: in each the printed value, the mean points a marker earns there and the markers it sees a game "
        f"(empty: fewer than {MIN_DRAWN} in all). The most points a marker, {shown[best]:.1f}, are earned at "
        f"q {space.q}, r {space.r} (value {space.value})."
    )
    return Figure(
        "board",
        "Points a marker earns on each market space (bold: the printed value; ringed: a marker lies there from the start)",
        alt,
        figure,
    )


def _short(number: float) -> str:
    return format(number, ".1f" if number >= 0.095 else ".2f")


def _rounds_figure(held: pl.DataFrame, data: ReportData) -> Figure:
    """A small board a round."""
    abreast = min(3, data.rounds)
    lines = -(-data.rounds // abreast)
    figure, axes = style.new_figure(7, 0.3 + 2.1 * lines, rows=lines, columns=abreast, squeeze=False)
    norm = Normalize(0, 1)
    markers = []
    for number, axis in enumerate(axes.ravel(), 1):
        shares = dict(held.filter(pl.col("round") == number).select("space", "mean").iter_rows())
        if not shares:
            axis.axis("off")
            continue
        _draw_board(axis, data, shares, norm)
        markers.append(sum(shares.values()))
        axis.set_title(f"round {number}: {markers[-1]:.1f} markers", fontsize=9)
    bar = style.colour_bar(axes, ScalarMappable(norm, style.SEQUENTIAL), "share of games in which it is held")
    style.percent(bar.ax.yaxis)
    counts_in_words = ", ".join(f"round {number}: {count:.1f}" for number, count in enumerate(markers, 1))
    return Figure(
        "held",
        "How often each space is held at the end of each round (ringed: a marker lies there from the start)",
        f"One small board a round, darker where held more often. Markers on the whole board: {counts_in_words}.",
        figure,
    )


# --- how long markers stay ------------------------------------------------------------------------------------------------------------


def _lives(rows: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """Kaplan-Meier by value: a frame of estimates of the share still there, with intervals from leaving out batches."""
    values = sorted(rows["printed"].unique())
    counts = cube(
        rows.with_columns(pl.col("gone").cast(pl.Int8)), {"printed": values, "gone": [0, 1], "life": range(data.rounds + 1)}, ROWS
    )
    survival: Estimates = jackknife(counts, _kaplan_meier, SHARE)
    risk = _at_risk(counts.sum(axis=0))
    places = {"value": np.repeat(values, data.rounds), "round ends": np.tile(np.arange(1, data.rounds + 1), len(values))}
    lives = pl.DataFrame({**places, "at risk": risk[:, : data.rounds].ravel().astype(int)})
    return pl.concat([lives, survival.flat().frame()], how="horizontal").filter(pl.col("at risk") >= MIN_MARKERS)


def _life_table(lives: pl.DataFrame) -> Table:
    frame = lives.select("value", "round ends", "at risk", pl.col("mean").alias("still there"), "low", "high")
    caption = "Markers still there after each number of round ends, by value (Kaplan-Meier)."
    return Table("life", caption, frame, dict.fromkeys(("still there", "low", "high"), ".1%"))


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
    shades = colormaps["viridis"](np.linspace(0, 0.8, len(values)))
    for mark, value, shade in zip(style.MARKS * 3, values, shades, strict=False):
        part = lives.filter(pl.col("value") == value)
        estimates = [Estimate.known(1.0), *estimates_in(part)]
        style.line_with_band(axes, [0, *part["round ends"]], estimates, colour=to_hex(shade), label=f"value {value}", mark=mark)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("round ends since the marker was placed")
    axes.set_ylabel("share of markers still there")
    style.percent(axes.yaxis)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    style.label_lines(axes)
    shares_in_words = "; ".join(f"value {row['value']}: {row['mean']:.0%}" for row in lives.filter(pl.col("round ends") == 2).to_dicts())
    return Figure(
        "life",
        "How long market markers stay, by value of the space",
        f"Survival curves by value with bands. Still there after 2 round ends: {shares_in_words}.",
        figure,
    )


def _placed_table(rows: pl.DataFrame) -> Table:
    """Points a marker by value and round of placing."""
    by = ["printed", "round_placed"]
    stay = rows.with_columns((pl.col(ROWS) - pl.col("removed")).alias("stay"))
    points = ratios(rows, by, "points")
    table = _with_markers({"points": points, "to the end": ratios(stay, by, "stay", bounds=SHARE)}, by)
    shown = table.filter(pl.col("markers") >= MIN_MARKERS).rename({"printed": "value", "round_placed": "round placed"})
    caption = (
        f"Points of a marker and the share that stays to the end, by value and round placed (0: at the start). "
        f"{table.height - shown.height} cells with fewer than {MIN_MARKERS} markers are hidden."
    )
    return Table("placed", caption, shown, {"markers": ",.0f"} | formats(".2f", "points") | formats(".1%", "to the end"))


def _removal_table(rows: pl.DataFrame, games: pl.DataFrame) -> Table:
    """How many markers of each value are removed, in a game and of those placed."""
    counts = beside_all(rows.group_by("batch", "printed").agg(pl.col("removed").sum()), ["printed"], games)
    of_all, a_game = "removed of all", "removals a game"
    estimates = {
        of_all: ratios(rows, ["printed"], "removed", bounds=SHARE),
        a_game: ratios(counts, ["printed"], "removed", "games"),
    }
    table = _with_markers(estimates, ["printed"]).rename({"printed": "value"})
    number_formats = {"markers": ",.0f"} | formats(".1%", of_all) | formats(".2f", a_game)
    return Table("removals", "Removals by the value of the space.", table, number_formats)


def _with_markers(estimates: Mapping[str, pl.DataFrame], by: Sequence[str]) -> pl.DataFrame:
    """Side by side, with the number of markers of the first."""
    first = next(iter(estimates.values()))
    return first.select(*by, pl.col(ROWS).alias("markers")).join(side_by_side(estimates, by), on=list(by), maintain_order="left").sort(by)


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _value_takeaway(rows: pl.DataFrame) -> Iterable[Takeaway]:
    """The dearest against the cheapest spaces, in points a marker."""
    values = sorted(rows["printed"].unique())
    if len(values) < 2:
        return
    sums = np.stack([cube(rows, {"printed": values}, name) for name in ("points", ROWS)], axis=1)
    gap = jackknife(sums, lambda total: total[0, -1] / total[1, -1] - total[0, 0] / total[1, 0]).at()
    points, markers = sums.sum(axis=0)
    high, low = (f"a marker placed on value {values[at]} earns {points[at] / markers[at]:.2f} points" for at in (-1, 0))
    verdict = "as they are used, not what moving a marker would bring" if gap.excludes(0) else "which is undecided"
    yield Takeaway(f"On the market {high} at round ends and {low}: a difference of {interval(gap, '+.2f')}, {verdict}.", strength(gap))


def _life_takeaway(lives: pl.DataFrame) -> Iterable[Takeaway]:
    after = lives.filter(pl.col("round ends") == 2).sort("mean")
    if after.height < 2:
        return
    low, *_, high = estimates_in(after)
    least, *_, most = after["value"]
    gap = high.less(low)
    undecided = "" if gap.excludes(0) else "; the difference is undecided"
    yield Takeaway(
        f"After two round ends {high.mean:.1%} of the markers on value {most} ({ends(high, '.1%')}) still lie on the market and "
        f"{low.mean:.1%} of those on value {least} ({ends(low, '.1%')}){undecided}.",
        strength(gap),
    )
