"""Policies: who finishes ahead of whom, and what each of them does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from matplotlib import colormaps
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator

from lagranja_sim.report import style
from lagranja_sim.report.lookup import Seats
from lagranja_sim.report.say import ends, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.stats.batches import ROWS, batch_sums, cube, jackknife, means, ratios
from lagranja_sim.stats.blocks import SHARE, Estimate, Estimates, estimates_in

TITLE = "Policies"
QUESTION = "Which policy beats which, and how do they differ in what they do?"
ORDER = 90
NEEDS = ["seats"]
MIN_GAMES = 200
MIN_PLAYERS = 2

MANY = 5  # policies; with more their names are slanted in the matrix
RARE = 0.5  # a game and seat: what is done less often in the pool is no finding
A_LINE = 4  # policies side by side in the picture of profiles
MOST_DRAWN = 3.0  # times the mean: dots beyond are drawn at the edge
EQUAL = 0.5  # the share of games in which one of two equals finishes ahead

DEFINITIONS = [
    "Match-ups: of all pairs of seats of one game, one played by the row's policy and one by the column's, the share in which the row's "
    "finishes ahead (the better rank); ties count half. Each policy plays each deal from every seat, so "
    "neither has the better cards or seats. With more than two players the others at the table matter too: a match-up is not what the "
    "two would do alone.",
]
PROFILES = "Profiles: means a seat over all games, scaled to the mean of all seats of the run, so 100 % is what the pool as a whole does."


def build(data: ReportData) -> Section:
    """The section: match-ups, then profiles."""
    if len(data.policies) < 2:
        raise TooFew("only one policy plays: there is nobody to compare it with")
    names, note = list(data.rules.measures.profile), data.rules.measures.profile_note
    matches, sums = _matches(data), _sums(data)
    averages = means(sums, ["policy"], [*names, "points", "win share"], {"win share": SHARE})
    order = _order(averages)
    profiles = _profiles(sums, order, names)
    return Section(
        TITLE,
        QUESTION,
        takeaways=[*_match_takeaways(matches, order), *_profile_takeaway(profiles[order[0]], sums, order[0])],
        figures=[_matrix_figure(matches, order), *([_profile_figure(profiles, names)] if names else [])],
        tables=[_match_table(matches), _profile_table(averages, order)],
        caveats=[
            "A policy's profile is what it does against these opponents; who competes for the same things changes it.",
            "That a policy with more of something wins more does not say that more of it wins.",
        ],
        text=[*DEFINITIONS, *([f"{PROFILES} {note}"] if names else [])],
    )


# --- match-ups ------------------------------------------------------------------------------------------------------------------------


def _matches(data: ReportData) -> pl.DataFrame:
    """A frame of estimates by policy and other: how often the first finishes ahead."""
    seats = data.scan("seats").select("game", "block", "seat", pl.col("policy").cast(pl.String), "rank")
    pairs = seats.join(
        seats.select("game", pl.col("seat").alias("seat_2"), pl.col("policy").alias("other"), pl.col("rank").alias("rank_2")), on="game"
    )
    ahead = (pl.col("rank") < pl.col("rank_2")).cast(pl.Float32) + (pl.col("rank") == pl.col("rank_2")).cast(pl.Float32) / 2
    sums = batch_sums(pairs.filter(pl.col("policy") != pl.col("other")), ["policy", "other"], {"ahead": ahead})
    return ratios(sums, ["policy", "other"], "ahead", bounds=SHARE)


def _match_table(matches: pl.DataFrame) -> Table:
    verdict = pl.when(pl.col("low") > EQUAL).then(pl.lit("ahead")).when(pl.col("high") < EQUAL).then(pl.lit("behind"))
    frame = matches.select(
        "policy",
        "other",
        pl.col(ROWS).alias("pairs"),
        pl.col("mean").alias("ahead"),
        "low",
        "high",
        verdict.otherwise(pl.lit("undecided")).alias("verdict"),
    )
    caption = "Share of games in which the policy finishes ahead of the other, ties half, with 95 % intervals."
    return Table("match-ups", caption, frame, {"pairs": ",.0f"} | dict.fromkeys(("ahead", "low", "high"), ".2%"))


def _order(averages: pl.DataFrame) -> list[str]:
    """The strongest first."""
    return averages.filter(pl.col("measure") == "win share").sort("mean", descending=True)["policy"].cast(pl.String).to_list()


def _by_pair(matches: pl.DataFrame) -> dict[tuple[str, str], Estimate]:
    return dict(zip(matches.select("policy", "other").iter_rows(), estimates_in(matches), strict=True))


def _matrix_figure(matches: pl.DataFrame, order: list[str]) -> Figure:
    """A heat map; what is undecided is in brackets."""
    pairs = _by_pair(matches)
    figure, axes = style.new_figure(7, 1.6 + 0.5 * len(order))
    for down, row in enumerate(order):
        for across, column in enumerate(order):
            _draw_cell(axes, (across, down), pairs.get((row, column)), len(order))
            if row == column and (row, column) not in pairs:
                axes.text(across, down, "–", ha="center", va="center", color=style.FAINT)
    _label_matrix(axes, order)
    upper = [(row, column) for row, column in pairs if order.index(row) < order.index(column)]
    pairs_in_words = "; ".join(f"{row} ahead of {column} in {pairs[row, column].mean:.0%}" for row, column in upper[:6])
    title = "How often the row's policy finishes ahead of the column's (± half of the 95 % interval; in brackets: undecided)"
    return Figure("match-ups", title, f"A matrix of shares, ties half. {pairs_in_words}.", figure)


def _draw_cell(axes: Any, place: tuple[int, int], share: Estimate | None, policies: int) -> None:
    colour = colormaps[style.DIVERGING](share.mean) if share else (0.94, 0.94, 0.94, 1)
    axes.add_patch(Rectangle((place[0] - 0.5, place[1] - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
    if share:
        size = 9 if policies <= MANY else 8
        axes.text(*place, _cell_text(share, policies), ha="center", va="center", fontsize=size, color=style.ink_on(colour))


def _label_matrix(axes: Any, order: list[str]) -> None:
    axes.set_xlim(-0.5, len(order) - 0.5)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xticks(range(len(order)), order, rotation=0 if len(order) <= MANY else 30, ha="center" if len(order) <= MANY else "left")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(order)), order)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("share of games in which the row finishes ahead of the column (violet: more than half)", labelpad=8)


def _cell_text(share: Estimate, policies: int) -> str:
    text = f"{share.mean:.0%}{' ' if policies <= MANY else chr(10)}±{(share.high - share.low) / 2 * 100:.1f}"
    return text if share.excludes(EQUAL) else f"({text})"


# --- profiles -------------------------------------------------------------------------------------------------------------------------

Profile = dict[str, Estimate]  # by measure, as times the mean of all seats; without what nobody does


def _sums(data: ReportData) -> pl.DataFrame:
    """What seats do, summed by batch and policy; what stands in the table of rounds is summed over them."""
    kept = data.scan("seats").collect_schema().names()
    profile = data.rules.measures.profile.items()
    of_seats = {name: pl.col(column) for name, column in profile if column in kept}
    seats = batch_sums(data.scan("seats"), ["policy"], of_seats | {"points": pl.col("vp"), "win share": pl.col("win_share")})
    seats = seats.with_columns(pl.col("policy").cast(pl.String))
    of_rounds = {name: pl.col(column) for name, column in profile if column not in kept}
    if not of_rounds:
        return seats
    by_seat = Seats.of(data)
    rounds = by_seat.with_policy_names(batch_sums(data.scan("rounds").with_columns(by_seat.value("policy")), ["policy"], of_rounds))
    return seats.join(rounds.drop(ROWS), on=["batch", "policy"])


def _profiles(sums: pl.DataFrame, order: Sequence[str], names: Sequence[str]) -> dict[str, Profile]:
    """The means of each policy, divided by those of the pool."""
    parts = np.stack([cube(sums, {"policy": order}, name) for name in (ROWS, *names)], axis=1)
    times: Estimates = jackknife(parts, _times_the_pool)
    return {
        policy: {name: times.at(row, column) for row, name in enumerate(names) if np.isfinite(times.mean[row, column])}
        for column, policy in enumerate(order)
    }


def _times_the_pool(total: np.ndarray) -> np.ndarray:
    """From sums by (rows and measures, policy): the policy's mean by the mean of all, by measure and policy; nan where nobody has any."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total[1:] / total[0]) / (total[1:].sum(axis=1, keepdims=True) / total[0].sum())


def _profile_table(averages: pl.DataFrame, order: Sequence[str]) -> Table:
    frame = averages.with_columns(pl.col("policy").cast(pl.String)).select("policy", "measure", "mean", "low", "high")
    ranks = pl.DataFrame({"policy": order, "place": range(len(order))})
    table = frame.join(ranks, on="policy", maintain_order="left").sort("place", maintain_order=True).drop("place")
    caption = "What a seat of each policy does in a game, means with 95 % intervals."
    return Table("profiles", caption, table, dict.fromkeys(("mean", "low", "high"), ".3f"))


def _profile_figure(profiles: Mapping[str, Profile], names: Sequence[str]) -> Figure:
    """Dots by measure, a panel a policy, against the pool's 100 %."""
    abreast = min(A_LINE, len(profiles))
    lines = -(-len(profiles) // abreast)
    figure, axes = style.new_figure(7, 0.6 + 2.6 * lines, rows=lines, columns=abreast, sharex=True, sharey=True, squeeze=False)
    colours = style.colour_of(list(profiles))
    for axis in axes.ravel()[len(profiles) :]:
        axis.axis("off")
    for axis, (policy, profile) in zip(axes.ravel(), profiles.items(), strict=False):
        _draw_profile(axis, profile, names, colours[policy])
        axis.set_title(policy, fontsize=9.5)
    for axis in axes[-1]:
        axis.xaxis.set_major_locator(FixedLocator([0, 1, 2]))
        style.percent(axis.xaxis)
        axis.tick_params(axis="x", labelsize=8)
    figure.supxlabel(f"times the mean of all seats (100 %: as the pool; ›: beyond {MOST_DRAWN:.0%}, with its number)", fontsize=9.5)
    return Figure(
        "profiles",
        "What each policy does, against the mean of all seats",
        f"Dots by measure, a panel a policy. {_profile_words(profiles)}.",
        figure,
    )


def _draw_profile(axes: Any, profile: Profile, names: Sequence[str], colour: str) -> None:
    for at, name in enumerate(names):
        if name in profile:
            _draw_measure(axes, at, profile[name], colour)
    style.reference_line(axes, 1, upright=True)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(-0.1, MOST_DRAWN + 0.15)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=style.GRID, linewidth=0.7)


def _draw_measure(axes: Any, at: int, times: Estimate, colour: str) -> None:
    """A dot with its interval, joined to the pool's 100 %."""
    mean, low, high = (min(value, MOST_DRAWN) for value in (times.mean, times.low, times.high))
    axes.plot([1, mean], [at, at], color=style.GRID, linewidth=2.5, solid_capstyle="butt", zorder=1)
    axes.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt", zorder=2)
    axes.plot(mean, at, ">" if times.mean > MOST_DRAWN else "o", color=colour, markersize=5.5, zorder=3)
    if times.mean > MOST_DRAWN:
        axes.annotate(f"{times.mean:.0%}", (MOST_DRAWN, at), (-6, 0), textcoords="offset points", ha="right", va="center", fontsize=8,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})  # fmt: skip


def _profile_words(profiles: Mapping[str, Profile]) -> str:
    """The measure in which each policy is furthest above the pool."""
    most = {policy: max(profile, key=lambda name: profile[name].mean) for policy, profile in profiles.items() if profile}
    return "; ".join(f"{policy} has most {name}, {profiles[policy][name].mean:.0%} of the pool's mean" for policy, name in most.items())


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _match_takeaways(matches: pl.DataFrame, order: list[str]) -> Iterable[Takeaway]:
    """The strongest against the next, and how many match-ups are decided."""
    pairs = _by_pair(matches)
    first, second = next((pair for pair in pairwise(order) if pair in pairs), ("", ""))
    if first:
        share = pairs[first, second]
        undecided = "" if share.excludes(EQUAL) else ": which of them is stronger is undecided"
        yield Takeaway(
            f"{first} finishes ahead of {second} in {share.mean:.1%} of games ({ends(share, '.1%')}){undecided}.", strength(share, EQUAL)
        )
    shares = [share for (policy, other), share in pairs.items() if policy < other]
    decided = sum(share.excludes(EQUAL) for share in shares)
    if len(shares) > 1:
        yield Takeaway(
            f"{decided} of {len(shares)} match-ups of policies are decided, each by its own 95 % interval; {len(shares) - decided} are "
            f"undecided.",
            1.0,
        )


def _profile_takeaway(profile: Profile, sums: pl.DataFrame, policy: str) -> Iterable[Takeaway]:
    """What sets the strongest policy apart, among what is done often."""
    often = {name: times for name, times in profile.items() if sums[name].sum() / sums[ROWS].sum() >= RARE}
    apart = {name: times for name, times in often.items() if times.excludes(1)}
    if not apart:
        return
    name = max(apart, key=lambda name: abs(apart[name].mean - 1))
    times = apart[name]
    share_in_words = f"{times.mean:.0%} of the mean of all seats ({ends(times, '.0%')})"
    yield Takeaway(f"{policy}, which wins most, differs most from the pool in {name}: {share_in_words}.", strength(times, 1))
