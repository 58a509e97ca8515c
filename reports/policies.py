"""Policies: who finishes ahead of whom, and what each of them does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.stats.batches import SHARE, batch_sums, cube, jackknife, means_of, ratios, t_factor
from lagranja_sim.stats.lookup import Seats

TITLE = "Policies"
QUESTION = "Which policy beats which, and how do they differ in what they do?"
ORDER = 90
NEEDS = ["seats", "rounds"]
MIN_GAMES = 200

MEASURES = {  # what a profile shows -> column of `seats`, or of the sums over rounds
    "barrows": "barrows",
    "buildings": "buildings",
    "siesta points": "vp_siesta",
    "roofs": "roofs",
    "fields": "fields",
    "extensions": "extensions",
    "helpers": "helpers",
    "pigs": "pigs",
    "deliveries": "deliveries",
    "bought deliveries": "bought_deliveries",
}
BY_ROUND = ("deliveries", "bought_deliveries")
MANY = 5  # policies; with more their names are slanted in the matrix
RARE = 0.5  # a game and seat: what is done less often in the pool is no finding
A_LINE = 4  # policies side by side in the picture of profiles
MOST_DRAWN = 3.0  # times the mean: dots beyond are drawn at the edge

DEFINITIONS = [
    "Match-ups: of all pairs of seats of one game, one played by the row's policy and one by the column's, the share in which the row's "
    "finishes ahead (more points or, with as many, more silver left); ties count half. Each policy plays each deal from every seat, so "
    "neither has the better cards or seats. With more than two players the others at the table matter too: a match-up is not what the "
    "two would do alone.",
    "Profiles: means a seat over all games, scaled to the mean of all seats of the run, so 100 % is what the pool as a whole does. "
    "Fields, extensions, helpers and roofs are those on the farm at the end; barrows and buildings those completed; pigs those received; "
    "deliveries all of the game.",
]


def build(data: ReportData) -> Section:
    """The section: match-ups, then profiles."""
    if len(data.policies) < 2:
        raise TooFew("only one policy plays: there is nobody to compare it with")
    matches = _matches(data)
    sums = _sums(data)
    means = means_of(sums, ["policy"], [*MEASURES, "points", "win share"], {"win share": SHARE})
    order = _order(means)
    scaled = _scaled(sums, order)
    section = Section(TITLE, QUESTION, text=DEFINITIONS)
    section.figures = [_matrix_figure(matches, order), _profile_figure(scaled, order)]
    section.tables = [
        Table(
            "match-ups",
            "Share of games in which the policy finishes ahead of the other, ties half, with 95 % intervals.",
            _match_table(matches),
            MATCH_FORMATS,
        ),
        _profile_table(means, order),
    ]
    section.takeaways = [*_match_takeaways(matches, order), *_profile_takeaway(scaled, sums, order[0])]
    section.caveats = [
        "A policy's profile is what it does against these opponents; who competes for the same roofs, spaces and buildings changes it.",
        "That a policy with more of something wins more does not say that more of it wins.",
    ]
    return section


# --- match-ups ------------------------------------------------------------------------------------------------------------------------

MATCH_FORMATS = {"pairs": ",.0f"} | dict.fromkeys(("ahead", "low", "high"), ".2%")


def _matches(data: ReportData) -> pl.DataFrame:
    """By policy and other: how often the first finishes ahead."""
    seats = data.scan("seats").select("game", "block", "seat", pl.col("policy").cast(pl.String), "rank")
    pairs = seats.join(
        seats.select("game", pl.col("seat").alias("seat_2"), pl.col("policy").alias("other"), pl.col("rank").alias("rank_2")), on="game"
    )
    ahead = (pl.col("rank") < pl.col("rank_2")).cast(pl.Float32) + (pl.col("rank") == pl.col("rank_2")).cast(pl.Float32) / 2
    sums = batch_sums(pairs.filter(pl.col("policy") != pl.col("other")), ["policy", "other"], {"ahead": ahead})
    return ratios(sums, ["policy", "other"], "ahead", bounds=SHARE)


def _match_table(matches: pl.DataFrame) -> pl.DataFrame:
    verdict = (
        pl.when(pl.col("low") > 0.5).then(pl.lit("ahead")).when(pl.col("high") < 0.5).then(pl.lit("behind")).otherwise(pl.lit("undecided"))
    )
    return matches.select(
        "policy", "other", pl.col("n").alias("pairs"), pl.col("value").alias("ahead"), "low", "high", verdict.alias("verdict")
    )


def _order(means: pl.DataFrame) -> list[str]:
    """The strongest first."""
    return means.filter(pl.col("measure") == "win share").sort("value", descending=True)["policy"].cast(pl.String).to_list()


def _matrix_figure(matches: pl.DataFrame, order: list[str]) -> Figure:
    """A heat map; what is undecided is in brackets."""
    found = {(row["policy"], row["other"]): row for row in matches.to_dicts()}
    figure, axes = style.new_figure(7, 1.6 + 0.5 * len(order))
    norm = style.matplotlib.colors.Normalize(0, 1)
    shades = style.matplotlib.colormaps[style.DIVERGING]
    for (down, row), (across, column) in ((one, other) for one in enumerate(order) for other in enumerate(order)):
        cell = found.get((row, column))
        colour = shades(norm(cell["value"])) if cell else (0.94, 0.94, 0.94, 1)
        axes.add_patch(style.matplotlib.patches.Rectangle((across - 0.5, down - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
        if cell:
            axes.text(
                across,
                down,
                _cell_text(cell, len(order)),
                ha="center",
                va="center",
                fontsize=9 if len(order) <= MANY else 8,
                color=_ink(colour),
            )
        elif row == column:
            axes.text(across, down, "–", ha="center", va="center", color=style.FAINT)
    _label_matrix(axes, order)
    rows = [row for row in matches.to_dicts() if order.index(row["policy"]) < order.index(row["other"])]
    said = "; ".join(f"{row['policy']} ahead of {row['other']} in {row['value']:.0%}" for row in rows[:6])
    title = "How often the row's policy finishes ahead of the column's (± half of the 95 % interval; in brackets: undecided)"
    return Figure("match-ups", title, f"A matrix of shares, ties half. {said}.", figure)


def _label_matrix(axes: Any, order: list[str]) -> None:
    axes.set_xlim(-0.5, len(order) - 0.5)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xticks(range(len(order)), order, rotation=0 if len(order) <= MANY else 30, ha="center" if len(order) <= MANY else "left")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(order)), order)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("share of games in which the row finishes ahead of the column (violet: more than half)", labelpad=8)


def _cell_text(cell: Mapping[str, Any], policies: int) -> str:
    half = (cell["high"] - cell["low"]) / 2
    text = f"{cell['value']:.0%}{' ' if policies <= MANY else chr(10)}±{half * 100:.1f}"
    return f"({text})" if cell["low"] <= 0.5 <= cell["high"] else text


def _ink(colour: Any) -> str:
    red, green, blue = colour[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else style.INK


# --- profiles -------------------------------------------------------------------------------------------------------------------------


def _sums(data: ReportData) -> pl.DataFrame:
    """What seats do, summed by batch and policy; deliveries are summed over rounds."""
    of_seats = {name: pl.col(column) for name, column in MEASURES.items() if column not in BY_ROUND}
    seats = batch_sums(data.scan("seats"), ["policy"], of_seats | {"points": pl.col("vp"), "win share": pl.col("win_share")})
    of_rounds = {name: pl.col(column) for name, column in MEASURES.items() if column in BY_ROUND}
    by_seat = Seats.of(data)
    rounds = by_seat.named(batch_sums(data.scan("rounds").with_columns(by_seat.value("policy")), ["policy"], of_rounds))
    return seats.with_columns(pl.col("policy").cast(pl.String)).join(rounds.drop("rows"), on=["batch", "policy"])


def _scaled(sums: pl.DataFrame, order: list[str]) -> pl.DataFrame:
    """Each policy's means by the pool's."""
    axes = {"policy": order}
    parts = np.stack([cube(sums, axes, name) for name in ("rows", *MEASURES)], axis=1)
    value, error = jackknife(parts, _times_the_pool)
    half = float(t_factor(len(parts))) * error
    return pl.DataFrame(
        [
            {
                "policy": policy,
                "measure": name,
                "times": value[at, place],
                "low": value[at, place] - half[at, place],
                "high": value[at, place] + half[at, place],
            }
            for place, policy in enumerate(order)
            for at, name in enumerate(MEASURES)
        ]
    ).fill_nan(None)


def _times_the_pool(total: np.ndarray) -> np.ndarray:
    """From sums by (rows and measures, policy): the policy's mean by the mean of all, by measure and policy; nan where nobody has any."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total[1:] / total[0]) / (total[1:].sum(axis=1, keepdims=True) / total[0].sum())


def _profile_table(means: pl.DataFrame, order: list[str]) -> Table:
    found = means.with_columns(pl.col("policy").cast(pl.String)).select("policy", "measure", pl.col("value").alias("mean"), "low", "high")
    ranks = pl.DataFrame({"policy": order, "place": range(len(order))})
    table = found.join(ranks, on="policy", maintain_order="left").sort("place", maintain_order=True).drop("place")
    return Table(
        "profiles",
        "What a seat of each policy does in a game, means with 95 % intervals.",
        table,
        dict.fromkeys(("mean", "low", "high"), ".3f"),
    )


def _profile_figure(scaled: pl.DataFrame, order: list[str]) -> Figure:
    """Dots by measure, a panel a policy, against the pool's 100 %."""
    columns = min(A_LINE, len(order))
    lines = -(-len(order) // columns)
    figure, axes = style.new_figure(7, 0.6 + 2.6 * lines, rows=lines, columns=columns, sharex=True, sharey=True, squeeze=False)
    colours = style.colour_of(order)
    for axis in axes.ravel()[len(order) :]:
        axis.axis("off")
    for axis, policy in zip(axes.ravel(), order, strict=False):
        _profile(axis, [row for row in scaled.to_dicts() if row["policy"] == policy], colours[policy])
        axis.set_title(policy, fontsize=9.5)
    for axis in axes[-1]:
        axis.xaxis.set_major_locator(style.matplotlib.ticker.FixedLocator([0, 1, 2]))
        style.percent(axis.xaxis)
        axis.tick_params(axis="x", labelsize=8)
    figure.supxlabel(f"times the mean of all seats (100 %: as the pool; ›: beyond {MOST_DRAWN:.0%}, with its number)", fontsize=9.5)
    return Figure(
        "profiles",
        "What each policy does, against the mean of all seats",
        f"Dots by measure, a panel a policy. {_profile_words(scaled, order)}.",
        figure,
    )


def _profile(axes: Any, rows: list[dict[str, Any]], colour: str) -> None:
    for at, row in enumerate(rows):
        if row["times"] is None:
            continue
        beyond = row["times"] > MOST_DRAWN
        axes.plot([1, min(row["times"], MOST_DRAWN)], [at, at], color=style.GRID, linewidth=2.5, solid_capstyle="butt", zorder=1)
        axes.plot(
            [min(row["low"], MOST_DRAWN), min(row["high"], MOST_DRAWN)],
            [at, at],
            color=colour,
            linewidth=2,
            solid_capstyle="butt",
            zorder=2,
        )
        axes.plot(min(row["times"], MOST_DRAWN), at, ">" if beyond else "o", color=colour, markersize=5.5, zorder=3)
        if beyond:
            axes.annotate(f"{row['times']:.0%}", (MOST_DRAWN, at), (-6, 0), textcoords="offset points", ha="right", va="center", fontsize=8,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})  # fmt: skip
    axes.axvline(1, color=style.FAINT, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_yticks(range(len(rows)), [row["measure"] for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(-0.1, MOST_DRAWN + 0.15)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=style.GRID, linewidth=0.7)


def _profile_words(scaled: pl.DataFrame, order: list[str]) -> str:
    """The measure in which each policy is furthest above the pool."""
    said = []
    for policy in order:
        row = scaled.filter((pl.col("policy") == policy) & pl.col("times").is_not_null()).sort("times").row(-1, named=True)
        said.append(f"{policy} has most {row['measure']}, {row['times']:.0%} of the pool's mean")
    return "; ".join(said)


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _match_takeaways(matches: pl.DataFrame, order: list[str]) -> Iterable[Takeaway]:
    """The strongest against the next, and how many match-ups are decided."""
    rows = {(row["policy"], row["other"]): row for row in matches.to_dicts()}
    first = next(((one, two) for one, two in pairwise(order) if (one, two) in rows), None)
    if first:
        row = rows[first]
        half = (row["high"] - row["low"]) / 2
        verdict = "" if abs(row["value"] - 0.5) > half else ": which of them is stronger is undecided"
        yield Takeaway(
            f"{row['policy']} finishes ahead of {row['other']} in {row['value']:.1%} of games ({row['low']:.1%} to "
            f"{row['high']:.1%}){verdict}.",
            abs(row["value"] - 0.5) / half if half else 1,
        )
    pairs = [row for row in matches.to_dicts() if row["policy"] < row["other"]]
    decided = sum(not row["low"] <= 0.5 <= row["high"] for row in pairs)
    if len(pairs) > 1:
        yield Takeaway(
            f"{decided} of {len(pairs)} match-ups of policies are decided, each by its own 95 % interval; {len(pairs) - decided} are "
            f"undecided.",
            1.0,
        )


def _profile_takeaway(scaled: pl.DataFrame, sums: pl.DataFrame, policy: str) -> Iterable[Takeaway]:
    """What sets the strongest policy apart, among what is done often."""
    often = [name for name in MEASURES if sums[name].sum() / sums["rows"].sum() >= RARE]
    told = (pl.col("low") > 1) | (pl.col("high") < 1)
    own = scaled.filter((pl.col("policy") == policy) & pl.col("measure").is_in(often) & told)
    if own.is_empty():
        return
    row = own.with_columns((pl.col("times") - 1).abs().alias("gap")).sort("gap").row(-1, named=True)
    said = f"{row['times']:.0%} of the mean of all seats ({row['low']:.0%} to {row['high']:.0%})"
    half = (row["high"] - row["low"]) / 2
    yield Takeaway(f"{policy}, which wins most, differs most from the pool in {row['measure']}: {said}.", row["gap"] / half if half else 1)
