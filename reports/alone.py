"""One player alone: how points are distributed, what thresholds are reached, and what dice and cards go with more of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.say import interval
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.stats.blocks import SHARE, Estimate, estimate

GAME = "lagranja"
TITLE = "One player alone"
QUESTION = "How many points does a player alone make, how often are thresholds reached, and which dice and cards go with more?"
ORDER = 25
NEEDS = ["seats", "rounds", "cards"]
MIN_GAMES = 200
MAX_PLAYERS = 1

STEP = 10  # points between thresholds
FACES = range(1, 7)
FEWEST = 50  # games; what was seen in fewer is left out
SHOWN = 15  # cards
TEXT = [
    "There is no winner and no rank (O13): the result is the points at the end. A threshold's share is that of the games that reach it. Each "
    "game is a deal of its own, so intervals are Student's t over games.",
    "First die: of the games in which a face lay there for the first pick, after the neutral player's discard (a die that a helper has "
    "reserved counts as discarded), how often it was taken, and the points of those games beside the others, in which it was passed over. "
    "Cards: points of the games in which a card was played as that side, less the mean of all games of the policy. Both are associations: "
    "which die or card is taken is the policy's choice, and games that go well offer other choices.",
]
CAVEATS = [
    "The neutral player's cards and the market's spaces are reconstructed in part; what it removes rests on them.",
]


def build(data: ReportData) -> Section:
    """The section, from the distribution to the cards."""
    seats = data.collect(data.scan("seats").select("game", "policy", "start_position", "vp").with_columns(pl.col("policy").cast(pl.String)))
    thresholds = _thresholds(seats)
    return Section(
        TITLE,
        QUESTION,
        takeaways=[*_sentences(seats, thresholds)],
        figures=[_distribution(seats)],
        tables=[_results(seats), thresholds, _dice(data, seats), _cards(data, seats)],
        caveats=[*CAVEATS, data.reconstructed_note("fields", "barrows", "helpers", "market spaces")],
        text=TEXT,
    )


def _row(estimated: Estimate) -> dict[str, float]:
    return dict(zip(("mean", "low", "high"), estimated.figures, strict=True))


# --- points ----------------------------------------------------------------------------------------------------------------------------


def _sentences(seats: pl.DataFrame, thresholds: Table) -> Sequence[Takeaway]:
    """The middle of the games, and the highest threshold that one game in ten reaches."""
    points = seats["vp"].to_numpy()
    quarter, middle, three_quarters = np.quantile(points, [0.25, 0.5, 0.75])
    mean = estimate(points)
    first = (
        f"A player alone makes {interval(mean, '.1f')} points on average; half of the games end with {quarter:.0f} to {three_quarters:.0f}."
    )
    reached = thresholds.frame.filter((pl.col("policy") == seats["policy"][0]) & (pl.col("mean") >= 0.1)).sort("points").tail(1)
    second = [
        f"{row['points']} points are reached in {row['mean']:.1%} of the games ({row['low']:.1%} to {row['high']:.1%})."
        for row in reached.iter_rows(named=True)
    ]
    return [Takeaway(first, 10.0), *(Takeaway(text, 5.0) for text in second)] if middle else []


def _results(seats: pl.DataFrame) -> Table:
    """Mean and spread by policy and by who begins."""
    rows = []
    for (policy, start), part in seats.sort("policy", "start_position").group_by("policy", "start_position", maintain_order=True):
        points = part["vp"].to_numpy()
        quantiles = dict(zip(("10 %", "half", "90 %"), np.quantile(points, [0.1, 0.5, 0.9]).tolist(), strict=True))
        begins = "the player" if start == 1 else "the neutral player"
        rows.append({"policy": policy, "begins": begins, **_row(estimate(points)), **quantiles, "games": len(points)})
    caption = (
        "Points at the end by policy and by who begins (drawn at the deal, so the difference is an effect); mean, interval, quantiles."
    )
    return Table("results", caption, pl.DataFrame(rows), dict.fromkeys(("mean", "low", "high"), ".2f") | {"games": ","})


def _thresholds(seats: pl.DataFrame) -> Table:
    """How often round numbers of points are reached, as far as it is neither always nor never."""
    rows = []
    for (policy,), part in seats.group_by("policy", maintain_order=True):
        points = part["vp"].to_numpy()
        for least in range(STEP * int(points.min() // STEP + 1), int(points.max()) + 1, STEP):
            rows.append({"policy": policy, "points": least, **_row(estimate((points >= least).astype(float), bounds=SHARE))})
    kinds = {"policy": pl.String, "points": pl.Int64, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    caption = "Share of games that reach so many points."
    return Table("thresholds", caption, pl.DataFrame(rows, schema=kinds), dict.fromkeys(("mean", "low", "high"), ".1%"))


def _distribution(seats: pl.DataFrame) -> Figure:
    """The share of games that reach each number of points, a line a policy."""
    figure, axes = style.new_figure(7, 3.4)
    colours = style.colour_of(list(dict.fromkeys(seats["policy"])))
    for (policy,), part in seats.group_by("policy", maintain_order=True):
        points = np.sort(part["vp"].to_numpy())
        axes.step(points, 1 - np.arange(len(points)) / len(points), where="post", color=colours[policy], label=policy)
    style.percent(axes.yaxis)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("points at the end")
    axes.set_ylabel("games that reach so many")
    if len(colours) > 1:
        axes.legend()
    half = np.median(seats["vp"].to_numpy())
    return Figure(
        "reached", "Share of games that reach so many points", f"A falling curve; half of the games reach {half:.0f} points.", figure
    )


# --- dice and cards ----------------------------------------------------------------------------------------------------------------------


def _dice(data: ReportData, seats: pl.DataFrame) -> Table:
    """Faces on offer at the first pick of each round: taken how often, and the points of both kinds of games."""
    offered = [f"dice_offered_{face}" for face in FACES]
    rounds = data.collect(data.scan("rounds").select("game", "round", "order_farm", "die_1", *offered)).join(seats, on="game")
    lowest = int(data.components.rules.solo.lowest_die_until_round)
    rows = []
    for (number,), part in rounds.sort("round").group_by("round", maintain_order=True):
        there = part.select(offered).to_numpy().astype(int)
        gone = (there > 0).argmax(1) if number <= lowest else 5 - (there[:, ::-1] > 0).argmax(1)
        there[np.arange(len(there)), gone] -= part["order_farm"].to_numpy() != 1  # who is not start player picks after a discard (O2)
        points, taken = part["vp"].to_numpy().astype(float), part["die_1"].to_numpy()
        for face in FACES:
            on_offer = there[:, face - 1] > 0
            yes, no = points[on_offer & (taken == face)], points[on_offer & (taken != face)]
            if min(len(yes), len(no)) >= FEWEST:
                with_it, without = estimate(yes), estimate(no)
                share = len(yes) / on_offer.sum()
                rows.append({"round": number, "face": face, "taken": share, "points if taken": with_it.mean, "± ": with_it.half,
                             "points if passed over": without.mean, " ±": without.half})  # fmt: skip
    caption = "First die of a round: how often a face on offer is taken, and points at the end of those games and of the others."
    numbers = dict.fromkeys(("points if taken", "± ", "points if passed over", " ±"), ".2f")
    return Table("dice", caption, pl.DataFrame(rows, schema_overrides={"round": pl.Int64}), {"taken": ".1%"} | numbers)


def _cards(data: ReportData, seats: pl.DataFrame) -> Table:
    """The cards and sides that go with most points, of those that were played often enough."""
    relative = seats.with_columns(points=pl.col("vp") - pl.col("vp").mean().over("policy"))
    played = data.collect(data.scan("cards").select("game", "card", pl.col("side").cast(pl.String)).unique())
    joined = played.join(relative.select("game", "points"), on="game")
    rows = [
        {"card": card, "side": side, "games": part.height, **_row(estimate(part["points"].to_numpy()))}
        for (card, side), part in joined.sort("card", "side").group_by("card", "side", maintain_order=True)
        if part.height >= FEWEST
    ]
    frame = pl.DataFrame(rows, schema_overrides={"mean": pl.Float64})
    frame = frame.sort("mean", descending=True).head(SHOWN) if frame.height else frame
    caption = (
        f"The {SHOWN} cards whose games end with most points beyond the mean, by side; picked after the fact, so luck exaggerates them."
    )
    return Table("cards", caption, frame, dict.fromkeys(("mean", "low", "high"), "+.2f") | {"games": ","})
