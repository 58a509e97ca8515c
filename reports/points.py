"""Where points come from, and how they spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib import colormaps

from lagranja_sim.games.lagranja.rules.names import SOURCES
from lagranja_sim.report import style
from lagranja_sim.report.lookup import Seats
from lagranja_sim.report.say import ends, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.stats.batches import ROWS, batch_sums, cube, jackknife, means, ratios
from lagranja_sim.stats.blocks import estimate_at

GAME = "lagranja"
TITLE = "Points"
QUESTION = "Where do points come from, and how do they spread?"
ORDER = 60
NEEDS = ["seats", "rounds"]
MIN_GAMES = 200

GROUPS = {  # what is told apart in the picture -> columns of `seats`
    "barrows": ["barrow"],
    "market": ["market_round", "market_removal"],
    "buildings": ["building", "first", "unlock"],
    "siesta": ["siesta"],
    "roofs": ["roof", "roof_effect"],
    "craft markers": ["craft"],
    "helpers": ["helper"],
    "silver and start": ["silver", "start", "other"],
    "paid": ["spent"],
}
LEAST_SHOWN = 0.05  # points: smaller parts of a bar cannot be seen
LEAST_LETTERED = 2.5  # points: in smaller parts no number can be read
SPREAD = (0.1, 0.5, 0.9)  # quantiles
NUMBERS = ("points", "low", "high")

DEFINITIONS = ["Points by source add up to the points of the final score; what is paid in points counts below zero."]


def build(data: ReportData) -> Section:
    """The section: sources, rounds, and the spread."""
    sums = _sums(data)
    by_group, by_round = means(sums, ["policy"], [*GROUPS, "all"]), _by_round(data, sums)
    counts = _counts(data)
    quantiles = _quantile_table(counts)
    return Section(
        TITLE,
        QUESTION,
        takeaways=[_largest_source(sums)],
        figures=[_sources_figure(by_group, by_round), _distribution_figure(counts, quantiles)],
        tables=[
            _policy_table(
                "sources", "Points of a seat by source, with 95 % intervals.", means(sums, ["policy"], _sources_in(sums)), "source"
            ),
            _policy_table("rounds", "Points gained by round; `end` is silver turned into points.", by_round, "round"),
            Table(
                "quantiles",
                "Quantiles of a seat's points with 95 % intervals (Woodruff's).",
                quantiles,
                {"quantile": ".0%"} | dict.fromkeys(NUMBERS, ".0f"),
            ),
        ],
        caveats=[
            "Sources are not independent: a barrow also brings a market marker and a commodity, so taking a source away would cost more or "
            "less than its bar.",
            data.reconstructed_note("barrows", "helpers", "market spaces"),
        ],
        text=DEFINITIONS,
    )


# --- sources --------------------------------------------------------------------------------------------------------------------------


def _sums(data: ReportData) -> pl.DataFrame:
    """Points by batch and policy: of each source, of each group of sources, and all."""
    seats = data.scan("seats")
    columns = seats.collect_schema().names()
    sources = {source: pl.col(f"vp_{source}") for source in SOURCES if f"vp_{source}" in columns}
    sums = batch_sums(seats, ["policy"], sources | {"all": pl.col("vp")})
    return sums.with_columns(pl.sum_horizontal([part for part in parts if part in sources]).alias(group) for group, parts in GROUPS.items())


def _sources_in(sums: pl.DataFrame) -> list[str]:
    """The sources that a run tells apart, and all of them."""
    return [*(source for source in SOURCES if source in sums.columns), "all"]


def _by_round(data: ReportData, seats: pl.DataFrame) -> pl.DataFrame:
    """What a seat gains in each round, and before the first and after the last."""
    by_seat = Seats.of(data)
    rows = data.scan("rounds").select("block", "round", "vp_gained", by_seat.value("policy"))
    gained = by_seat.with_policy_names(batch_sums(rows, ["policy", "round"], {"gained": pl.col("vp_gained")}))
    rounds = {f"round {number}": number for number in range(1, data.rounds + 1)}
    by_policy = gained.group_by("batch", "policy").agg(
        pl.col("gained").filter(pl.col("round") == number).sum().alias(name) for name, number in rounds.items()
    )
    joined = seats.with_columns(pl.col("policy").cast(pl.String)).join(by_policy, on=["batch", "policy"])
    joined = joined.with_columns((pl.col("all") - pl.col("start") - pl.sum_horizontal(*rounds)).alias("end"))
    return means(joined, ["policy"], ["start", *rounds, "end"])


def _policy_table(name: str, caption: str, estimates: pl.DataFrame, part: str) -> Table:
    """Estimates by policy and measure, which is called a `part` of the points."""
    frame = estimates.sort("policy", maintain_order=True)
    shown = frame.select("policy", pl.col("measure").alias(part), pl.col("mean").alias("points"), "low", "high")
    return Table(name, caption, shown, dict.fromkeys(NUMBERS, ".2f"))


def _largest_source(sums: pl.DataFrame) -> Takeaway:
    totals = {group: sums[group].sum() / sums[ROWS].sum() for group in GROUPS}
    first, second = sorted(totals, key=lambda group: totals[group], reverse=True)[:2]
    share = estimate_at(ratios(sums, [], first, "all"))
    ahead = estimate_at(ratios(sums.with_columns((pl.col(first) - pl.col(second)).alias("ahead")), [], "ahead"))
    verdict = "" if ahead.low > 0 else "; which of the two is larger is undecided"
    return Takeaway(
        f"The largest source of points is {first}: {totals[first]:.1f} a seat, {share.mean:.0%} of all ({ends(share, '.1%')}), "
        f"{ahead.mean:.1f} more ({ends(ahead, '.1f')}) than {second}{verdict}.",
        strength(ahead),
    )


def _sources_figure(by_group: pl.DataFrame, by_round: pl.DataFrame) -> Figure:
    """Two stacked bars a policy: by source, and by round."""
    points, gained = (_by_policy(estimates) for estimates in (by_group, by_round))
    order = sorted(points, key=lambda policy: -points[policy]["all"])
    groups = [group for group in GROUPS if max(abs(own[group]) for own in points.values()) >= LEAST_SHOWN]
    rounds = by_round["measure"].unique(maintain_order=True).to_list()
    looks = dict(zip(GROUPS, style.PARTS, strict=False))
    shades = {name: (colormaps["cividis"](0.95 - 0.9 * at / len(rounds)), "") for at, name in enumerate(rounds)}
    figure, (upper, lower) = style.new_figure(7, 1.9 + 0.75 * len(order), rows=2, sharex=True)
    _stack(upper, {policy: points[policy] for policy in order}, {group: looks[group] for group in groups}, "by source")
    _stack(lower, {policy: gained[policy] for policy in order}, shades, "by round gained")
    lower.set_xlabel("points of a seat, mean")
    best = points[order[0]]
    listed = ", ".join(f"{name} {best[name]:.1f}" for name in GROUPS if abs(best[name]) >= 0.5)
    return Figure(
        "sources",
        "Points of a seat by policy, by source and by round",
        f"Stacked bars of mean points by policy. The best, {order[0]}, has {best['all']:.1f}: {listed}.",
        figure,
    )


def _by_policy(estimates: pl.DataFrame) -> dict[str, dict[str, float]]:
    """The means of each policy by measure."""
    frame = estimates.with_columns(pl.col("policy").cast(pl.String))
    return {
        policy: dict(part.select("measure", "mean").iter_rows())
        for (policy,), part in frame.partition_by("policy", as_dict=True, maintain_order=True).items()
    }


def _stack(axes: Any, values: Mapping[str, Mapping[str, float]], looks: Mapping[str, tuple[Any, str]], title: str) -> None:
    """A bar a policy, the first at the top, its parts coloured and hatched as `looks` says; their sum at the end."""
    for at, own in enumerate(values.values()):
        parts = [style.Part(own[part], colour, _lettering(own[part]), hatch) for part, (colour, hatch) in looks.items()]
        end = style.stacked_bar(axes, at, parts, width=0.62)
        axes.text(end, at, f"  {sum(own[part] for part in looks):.1f}", va="center", fontsize=9)
    axes.set_yticks(range(len(values)), list(values))
    axes.set_ylim(len(values) - 0.5, -0.5)
    axes.margins(x=0.08)
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=style.FAINT, linewidth=0.8)
    style.legend_above(axes, style.swatches(*zip(*looks.values(), strict=True)), list(looks), 5, title)


def _lettering(value: float) -> str:
    return f"{value:.0f}" if value >= LEAST_LETTERED else ""


# --- distribution ---------------------------------------------------------------------------------------------------------------------


def _counts(data: ReportData) -> dict[str, pl.DataFrame]:
    """How many seats end with each number of points, by batch; one frame for each policy, the higher medians first."""
    counts = batch_sums(data.scan("seats"), ["policy", "vp"])
    frames = {str(policy): part for (policy,), part in counts.partition_by("policy", as_dict=True).items()}
    medians = {policy: _quantiles(part, [0.5])[0]["points"] for policy, part in frames.items()}
    return dict(sorted(frames.items(), key=lambda pair: -medians[pair[0]]))


def _quantile_table(counts: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    return pl.DataFrame([{"policy": policy, **quantile} for policy, part in counts.items() for quantile in _quantiles(part, SPREAD)])


def _quantiles(counts: pl.DataFrame, levels: Sequence[float]) -> list[dict[str, float]]:
    """Quantiles, with the points at which the shares at both ends of the interval of the cumulative share are reached."""
    points = counts["vp"].unique().sort()
    reached = cube(counts, {"vp": points.to_list()}, ROWS).cumsum(axis=1)
    share = reached.sum(axis=0) / reached[:, -1].sum()
    quantiles = []
    for level in levels:
        at = int(np.searchsorted(share, level))
        half = jackknife(reached[:, [at, -1]], lambda total: total[0] / total[1]).at().half
        places = np.searchsorted(share, [level, level - half, level + half]).clip(max=len(points) - 1)
        quantiles.append({"quantile": level, **{name: int(points[int(place)]) for name, place in zip(NUMBERS, places, strict=True)}})
    return quantiles


def _distribution_figure(counts: Mapping[str, pl.DataFrame], quantiles: pl.DataFrame) -> Figure:
    figure, axes = style.new_figure(7, 0.9 + 0.72 * len(counts), rows=len(counts), sharex=True, squeeze=False)
    colours = style.colour_of(list(counts))
    for axis, (policy, part) in zip(axes[:, 0], counts.items(), strict=True):
        whole = part.group_by("vp").agg(pl.col(ROWS).sum()).sort("vp")
        axis.bar(whole["vp"], whole[ROWS] / whole[ROWS].sum(), width=1, color=colours[policy])
        low, middle, high = quantiles.filter(policy=policy)["points"]
        axis.axvline(middle, color=style.INK, linewidth=1)
        axis.set_title(f"{policy}: median {middle}, eight in ten between {low} and {high}", fontsize=9)
        style.percent(axis.yaxis)
        axis.tick_params(axis="y", labelsize=8)
    axes[-1, 0].set_xlabel("points of a seat at the end")
    figure.supylabel("share of seats", fontsize=9.5)
    listed = "; ".join(f"{policy} {points}" for policy, points in quantiles.filter(quantile=0.5).select("policy", "points").iter_rows())
    return Figure(
        "distribution", "How the points of a seat spread", f"A histogram of points a policy; the line is the median ({listed}).", figure
    )
