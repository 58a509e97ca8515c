"""Roofs: what they cost, which are bought, and who has more points with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.stats.batches import SHARE, batch_sums, means_of, p_value, ratios
from lagranja_sim.stats.clustered import false_discovery
from lagranja_sim.stats.lookup import Seats

TITLE = "Roofs"
QUESTION = "What do roofs cost and bring, and which of them are bought?"
ORDER = 84
NEEDS = ["games", "seats", "rounds"]
MIN_GAMES = 200

MIN_BOUGHT = 100  # purchases; fewer are hidden
FALSE_DISCOVERIES = 0.05

DEFINITIONS = [
    "On offer: of the tiles of a round as many are dealt as there are players. The share bought is the number of games in which a seat "
    "bought the roof by the number in which it lay out; where fewer are dealt than there are tiles, the latter is what the deal gives on "
    "average. The price is the printed one: helpers that lower it are not seen here.",
    "Adjusted association with points: the points of seats that bought the roof less those of seats that did not, compared only within "
    "one policy on one deal (which it plays once from every seat) and with the differences between start positions taken out. What else "
    "differed when the roof was bought (silver at hand, above all) is not taken out, so this is no effect of buying. q values are "
    "Benjamini and Hochberg's over all roofs.",
]


def build(data: ReportData) -> Section:
    """The section: roofs one by one, and how many each policy buys."""
    roofs = _roofs(data)
    shown = roofs.filter(pl.col("bought") >= MIN_BOUGHT)
    use, spread = _use(data)
    section = Section(TITLE, QUESTION, text=DEFINITIONS)
    section.figures = [_roofs_figure(roofs), _number_figure(spread, data)]
    section.tables = [
        Table("roofs", _caption(roofs, shown), roofs, ROOF_FORMATS),
        Table(
            "rounds", "Roofs by round: printed price and share of the seats that buy one.", _rounds(data), _formats("seats that buy", ".1%")
        ),
        Table(
            "policies",
            "Roofs of a seat by policy: number, silver paid at printed prices, points of spaces and of effects.",
            use,
            USE_FORMATS,
        ),
        Table("spaces", "Points of the spaces that roofs cover, from the first.", _space_points(data)),
        Table("number", "Share of seats by number of roofs.", spread, _formats("share", ".1%")),
    ]
    section.takeaways = [*_popular(roofs, data), *_price(data), *_associated(shown)]
    section.caveats = [
        "Which roof is bought depends on the other tiles of its round and on the silver that policies keep; the extremes named are picked "
        "after the fact and exaggerated by luck.",
        data.reconstructed_note("roof designs", "roof phases", "roof rounds"),
    ]
    return section


def _formats(name: str, form: str) -> dict[str, str]:
    return dict.fromkeys((name, f"{name}, low", f"{name}, high"), form)


def _interval(name: str) -> list[pl.Expr]:
    return [pl.col("value").alias(name), pl.col("low").alias(f"{name}, low"), pl.col("high").alias(f"{name}, high")]


# --- roofs one by one -----------------------------------------------------------------------------------------------------------------

ASSOCIATION = "points, adjusted"
ROOF_FORMATS = {"bought": ",.0f", "q": ".3f"} | _formats("bought on offer", ".1%") | _formats(ASSOCIATION, "+.2f")


def _roofs(data: ReportData) -> pl.DataFrame:
    """Every roof: price, how often it is bought when on offer, and its adjusted association with points."""
    table = pl.DataFrame(
        [
            {"roof": roof.roof, "design": roof.design, "round": roof.round, "price": _price_in(data, roof.round)}
            for roof in data.components.roofs
        ],
        schema_overrides={"roof": pl.Int8},
    )
    bought = batch_sums(data.scan("rounds").filter(pl.col("roof") > 0), ["roof"])
    counts = _on_offer(table, bought, data)
    often = (
        ratios(counts, ["roof"], "rows", "offered", SHARE)
        .with_columns(pl.col("value").clip(0, 1))
        .select("roof", *_interval("bought on offer"))
    )
    number = bought.group_by("roof").agg(pl.col("rows").sum().alias("bought"))
    found = table.join(number, on="roof", how="left").with_columns(pl.col("bought").fill_null(0)).join(often, on="roof", how="left")
    return _with_q(found.join(_association(data), on="roof", how="left")).sort("round", "roof")


def _price_in(data: ReportData, number: int) -> int:
    return int(data.components.rules.farm.roof_cost_per_round) * number


def _on_offer(table: pl.DataFrame, bought: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """Purchases by batch beside the number of games in which the roof lay out."""
    games = batch_sums(data.scan("games"), []).select("batch", pl.col("rows").alias("games"))
    chance = (pl.lit(data.players) / pl.len().over("round")).clip(0, 1).alias("chance")
    every = table.select("roof", chance).join(games, how="cross").with_columns((pl.col("chance") * pl.col("games")).alias("offered"))
    return every.join(bought, on=["batch", "roof"], how="left").with_columns(pl.col("rows").fill_null(0))


def _with_q(found: pl.DataFrame) -> pl.DataFrame:
    enough = (pl.col("bought") >= MIN_BOUGHT) & pl.col("p").is_finite()
    hide = [pl.when(enough).then(pl.col(name)).alias(name) for name in (ASSOCIATION, f"{ASSOCIATION}, low", f"{ASSOCIATION}, high", "p")]
    hidden = found.with_columns(hide)
    known = hidden["p"].is_not_null()
    q = np.full(found.height, np.nan)
    q[known.to_numpy()] = false_discovery(hidden["p"].drop_nulls().to_numpy())
    return hidden.with_columns(pl.Series("q", q).fill_nan(None)).drop("p")


# --- the association with points ------------------------------------------------------------------------------------------------------


def _association(data: ReportData) -> pl.DataFrame:
    """Points of buyers less those of others, within policy and deal, start positions taken out.

    Both sides of the regression are taken less the mean of the policy on the deal and of the policy at that start position. As each policy
    plays each deal from every seat, the two fit together without more ado; then the slope needs the buyers alone."""
    seats = _with_centred_points(data)
    sizes = seats.named(_sizes(seats))
    plays = sizes.group_by("policy").agg(pl.col("size").sum().alias("plays"))
    values = [seats.value(name) for name in ("policy", "start_position", "points")]
    bought = data.scan("rounds").filter(pl.col("roof") > 0).select("block", "roof", *values)
    by_place = seats.named(batch_sums(bought, ["roof", "policy", "start_position"], {"points": pl.col("points")})).rename({"rows": "k"})
    on_deal = _squares(seats.named(_on_deals(bought, seats)), plays.with_columns((pl.col("plays") / data.blocks).alias("seats")))
    places = by_place.group_by("roof", "policy", "start_position").agg(pl.col("k").sum())
    places = places.join(sizes, on=["policy", "start_position"]).join(plays, on="policy")
    overall = places.with_columns(pl.col("k").sum().over("roof", "policy").alias("all"))
    # what a purchase counts: 1 less the policy's share of buyers at the place, plus its share altogether (and less that on the deal, below)
    weight = overall.select(
        "roof", "policy", "start_position", (1 - pl.col("k") / pl.col("size") + pl.col("all") / pl.col("plays")).alias("weight")
    )
    weighed = by_place.join(weight, on=["roof", "policy", "start_position"])
    sums = weighed.group_by("batch", "roof").agg(
        pl.col("points").sum().alias("over"), (pl.col("k") * pl.col("weight")).sum().alias("under")
    )
    sums = sums.join(on_deal, on=["batch", "roof"]).with_columns((pl.col("under") - pl.col("squares")).alias("under"))
    found = ratios(sums, ["roof"], "over", "under")
    return found.select("roof", *_interval(ASSOCIATION), pl.Series("p", p_value(found["value"], found["error"], found["batches"])))


def _on_deals(bought: pl.LazyFrame, seats: Seats) -> pl.DataFrame:
    """Squares of the number of seats of a policy that buy a roof on one deal, summed by batch."""
    frame = bought.select("block", "roof", "policy").collect(engine="streaming")
    deals = frame["block"].to_numpy().astype(np.int64) * len(seats.policies) + frame["policy"].to_numpy()
    roofs, found = frame["roof"].to_numpy(), []
    for roof in np.unique(roofs):
        counts = np.bincount(deals[roofs == roof])
        held = np.flatnonzero(counts)
        block, policy = np.divmod(held, len(seats.policies))
        columns = {
            "block": block,
            "roof": np.full(len(held), roof, np.int8),
            "policy": policy.astype(np.int8),
            "squares": counts[held] ** 2,
        }
        found.append(batch_sums(pl.LazyFrame(columns), ["roof", "policy"], {"squares": pl.col("squares")}))
    return pl.concat(found)


def _squares(on_deals: pl.DataFrame, plays: pl.DataFrame) -> pl.DataFrame:
    """What purchases of a roof by several seats of a policy on one deal take from the weight: their square by the policy's seats there."""
    shares = on_deals.join(plays, on="policy").with_columns(pl.col("squares") / pl.col("seats"))
    return shares.group_by("batch", "roof").agg(pl.col("squares").sum())


def _with_centred_points(data: ReportData) -> Seats:
    """Points less the mean of the policy on the deal and of the policy at the start position."""
    seats = Seats.of(data, start_position=pl.col("start_position"), vp=pl.col("vp"))
    vp, policy = seats["vp"].astype(np.float64), seats["policy"].astype(np.int64)
    deal = seats["block"].astype(np.int64) * len(seats.policies) + policy
    place = seats["start_position"].astype(np.int64) * len(seats.policies) + policy
    centred = vp - _means_by(deal, vp) - _means_by(place, vp) + _means_by(policy, vp)
    return seats.with_columns(points=centred.astype(np.float32))


def _means_by(group: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each value the mean of its group."""
    counts = np.bincount(group)
    return (np.bincount(group, values) / np.maximum(counts, 1))[group]


def _sizes(seats: Seats) -> pl.DataFrame:
    """How many seats each policy has at each start position."""
    frame = pl.DataFrame({name: seats[name] for name in ("policy", "start_position")})
    return frame.group_by("policy", "start_position").agg(pl.len().alias("size"))


# --- by round and policy --------------------------------------------------------------------------------------------------------------


def _rounds(data: ReportData) -> pl.DataFrame:
    buys = batch_sums(data.scan("rounds"), ["round"], {"buys": pl.col("roof") > 0})
    found = ratios(buys, ["round"], "buys", bounds=SHARE)
    return found.select("round", (pl.col("round").cast(pl.Int64) * _price_in(data, 1)).alias("price"), *_interval("seats that buy"))


USE_FORMATS = {"silver a point of spaces": ".2f"} | {
    key: form
    for name, form in {"roofs": ".2f", "silver paid": ".1f", "points of spaces": ".2f", "points of effects": ".2f"}.items()
    for key, form in _formats(name, form).items()
}


def _use(data: ReportData) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What policies do with roofs, and how many their seats have."""
    values = {"roofs": pl.col("roofs"), "points of spaces": pl.col("vp_roof"), "points of effects": pl.col("vp_roof_effect")}
    seats = batch_sums(data.scan("seats"), ["policy"], values)
    by_seat = Seats.of(data)
    bought = data.scan("rounds").filter(pl.col("roof") > 0).select("block", "round", by_seat.value("policy"))
    paid = by_seat.named(batch_sums(bought, ["policy"], {"silver paid": pl.col("round").cast(pl.Int64) * _price_in(data, 1)}))
    joined = _join_by_name(seats, paid.select("batch", "policy", "silver paid"))
    names = ["roofs", "silver paid", "points of spaces", "points of effects"]
    means = means_of(joined, ["policy"], names)
    use = means.select("policy").unique(maintain_order=True)
    for name in names:
        use = use.join(means.filter(pl.col("measure") == name).select("policy", *_interval(name)), on="policy")
    price = (
        pl.when(pl.col("points of spaces") > 0).then(pl.col("silver paid") / pl.col("points of spaces")).alias("silver a point of spaces")
    )
    return use.with_columns(price).sort("roofs", descending=True), _spread(data)


def _join_by_name(seats: pl.DataFrame, paid: pl.DataFrame) -> pl.DataFrame:
    by_name = [frame.with_columns(pl.col("policy").cast(pl.String)) for frame in (seats, paid)]
    return by_name[0].join(by_name[1], on=["batch", "policy"], how="left").with_columns(pl.col("silver paid").fill_null(0))


def _spread(data: ReportData) -> pl.DataFrame:
    counts = batch_sums(data.scan("seats"), ["policy", "roofs"])
    whole = counts.group_by("batch", "policy").agg(pl.col("rows").sum().alias("all"))
    every = counts.select("policy", "roofs").unique().join(whole, on="policy").join(counts, on=["batch", "policy", "roofs"], how="left")
    return ratios(every.with_columns(pl.col("rows").fill_null(0)), ["policy", "roofs"], "rows", "all", SHARE).select(
        "policy", "roofs", *_interval("share")
    )


def _space_points(data: ReportData) -> pl.DataFrame:
    points = [int(value) for value in data.components.rules.farm.roof_vp]
    return pl.DataFrame({"roof": list(range(1, len(points) + 1)), "points": points, "points so far": np.cumsum(points)})


# --- what is shown --------------------------------------------------------------------------------------------------------------------


def _caption(roofs: pl.DataFrame, shown: pl.DataFrame) -> str:
    return (
        f"Every roof: how often it is bought when on offer, and its adjusted association with points (within policy and deal), with 95 % "
        f"intervals. The association of {roofs.height - shown.height} roofs bought fewer than {MIN_BOUGHT} times is hidden."
    )


def _roofs_figure(roofs: pl.DataFrame) -> Figure:
    """Two columns of dots with one line a roof: how often bought, and the adjusted association."""
    rows = roofs.to_dicts()
    places, last, at = [], 0, 0.0
    for row in rows:  # a gap between rounds
        at += 1.0 if row["round"] == last else 1.6
        places.append(at)
        last = row["round"]
    figure, (left, right) = style.new_figure(7, 1 + 0.22 * at, columns=2, sharey=True, width_ratios=[1, 1])
    for place, row in zip(places, rows, strict=True):
        _dot(left, place, row, "bought on offer", style.OKABE_ITO[0], True)
        if row[ASSOCIATION] is not None:
            _dot(right, place, row, ASSOCIATION, style.OKABE_ITO[5], row["q"] < FALSE_DISCOVERIES)
    left.set_yticks(places, [f"{row['design']} · {row['round']}" for row in rows], fontsize=8.5)
    left.set_ylim(places[-1] + 0.8, places[0] - 0.8)
    left.set_xlim(0, 1.03)
    style.percent(left.xaxis)
    left.set_xlabel("bought when on offer")
    right.axvline(0, color=style.FAINT, linewidth=1, linestyle=(0, (4, 3)))
    right.set_xlabel("points of buyers against others,\nadjusted (hollow: undecided)")
    left.set_title("design · round", fontsize=9, x=-0.02, ha="right")
    for axes in (left, right):
        axes.grid(axis="x", color=style.GRID, linewidth=0.7)
        axes.tick_params(axis="y", length=0)
    most = max(rows, key=lambda row: row["bought on offer"])
    least = min(rows, key=lambda row: row["bought on offer"])
    alt = (
        f"One line a roof in order of rounds. Left: the share bought when on offer, from {least['bought on offer']:.0%} "
        f"({least['design']}, round {least['round']}) to {most['bought on offer']:.0%} ({most['design']}, round {most['round']}). Right: "
        f"adjusted association with points, with intervals."
    )
    return Figure("roofs", "How often each roof is bought, and who has more points with it", alt, figure)


def _dot(axes: Any, at: float, row: dict[str, Any], name: str, colour: str, filled: bool) -> None:
    axes.plot([row[f"{name}, low"], row[f"{name}, high"]], [at, at], color=colour, linewidth=2, solid_capstyle="butt")
    axes.plot(row[name], at, "o", color=colour, markersize=5, markerfacecolor=colour if filled else "white")


def _number_figure(spread: pl.DataFrame, data: ReportData) -> Figure:
    """Stacked shares of seats by number of roofs, one bar a policy."""
    shares = {(str(row["policy"]), row["roofs"]): row["share"] for row in spread.to_dicts()}
    numbers = sorted({number for _, number in shares})
    means = {policy: sum(number * shares.get((policy, number), 0) for number in numbers) for policy in data.policies}
    order = sorted(data.policies, key=lambda policy: -means[policy])
    figure, axes = style.new_figure(7, 1.1 + 0.42 * len(order))
    shades = style.matplotlib.colormaps[style.SEQUENTIAL](np.linspace(0.05, 0.95, max(len(numbers), 2)))
    for at, policy in enumerate(order):
        end = 0.0
        for number, shade in zip(numbers, shades, strict=False):
            share = shares.get((policy, number), 0)
            axes.barh(at, share, left=end, height=0.66, color=shade, edgecolor="white", linewidth=0.6)
            if share >= 0.04:
                axes.text(end + share / 2, at, str(number), ha="center", va="center", fontsize=9, color=_ink(shade))
            end += share
        axes.text(1.01, at, f"mean {means[policy]:.1f}", va="center", fontsize=9)
    axes.set_yticks(range(len(order)), order)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("share of seats by number of roofs (the numbers in the bars)")
    style.percent(axes.xaxis)
    said = ", ".join(f"{policy} {means[policy]:.1f}" for policy in order)
    return Figure(
        "number", "How many roofs policies buy", f"One bar a policy, split by the number of roofs of a seat. Means: {said}.", figure
    )


def _ink(colour: Any) -> str:
    red, green, blue = colour[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else style.INK


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _popular(roofs: pl.DataFrame, data: ReportData) -> Iterable[Takeaway]:
    """The roof most and the roof least bought within a round, where the price is the same."""
    name = "bought on offer"
    gaps = roofs.with_columns((pl.col(name).max().over("round") - pl.col(name).min().over("round")).alias("gap")).sort("gap")
    part = roofs.filter(pl.col("round") == gaps["round"][-1]).sort(name)
    if part.height < 2:
        return
    low, high = part.row(0, named=True), part.row(-1, named=True)
    half = float(np.hypot(high[f"{name}, high"] - high[name], low[f"{name}, high"] - low[name]))
    gap = high[name] - low[name]
    said = [
        f"“{row['design']}” {row[name]:.0%} of the time ({row[f'{name}, low']:.0%} to {row[f'{name}, high']:.0%})" for row in (high, low)
    ]
    verdict = "" if gap > half else "; whether they differ is undecided"
    yield Takeaway(
        f"The widest choice among roofs of one price is in round {high['round']}: {said[0]} is bought when on offer, {said[1]}{verdict}.",
        gap / half if half else 1,
    )


def _price(data: ReportData) -> Iterable[Takeaway]:
    """Silver paid for a point of spaces over all seats, against what silver is worth at the end."""
    points = batch_sums(data.scan("seats"), [], {"points": pl.col("vp_roof")}).select("batch", "points")
    paid = batch_sums(
        data.scan("rounds").filter(pl.col("roof") > 0), [], {"paid": pl.col("round").cast(pl.Int64) * _price_in(data, 1)}
    ).select("batch", "paid")
    sums = points.join(paid, on="batch", how="left").with_columns(pl.col("paid").fill_null(0))
    if sums["points"].sum() <= 0:
        return
    found = ratios(sums, [], "paid", "points").row(0, named=True)
    worth = int(data.components.rules.prices.silver_per_vp)
    value, low, high = found["value"], found["low"], found["high"]
    verdict = "undecided against" if low <= worth <= high else "less than" if value < worth else "more than"
    text = (
        f"A point from roof spaces costs {value:.2f} silver at printed prices ({low:.2f} to {high:.2f}), {verdict} the {worth} silver "
        f"that a point is worth at the end, before the roofs' effects."
    )
    yield Takeaway(text, 2.0)  # nearly arithmetic on printed prices: its tiny interval must not put it at the head of the page


def _associated(shown: pl.DataFrame) -> Iterable[Takeaway]:
    found = shown.filter(pl.col("q") < FALSE_DISCOVERIES)
    if shown.is_empty():
        return
    if found.is_empty():
        yield Takeaway(
            f"Which of {shown.height} roofs go with more points than others is undecided (adjusted association within policy and deal).",
            0.5,
        )
        return
    row = found.sort(f"{ASSOCIATION}, low").row(-1, named=True)
    value, low, high = (row[f"{ASSOCIATION}{end}"] for end in ("", ", low", ", high"))
    yield Takeaway(
        f"Within policy and deal, seats that bought “{row['design']}” (round {row['round']}) have {value:+.1f} points ({low:+.1f} to "
        f"{high:+.1f}) against the others; {found.height} of {shown.height} roofs are told apart from 0, an adjusted association, not an "
        f"effect of buying.",
        2 * abs(value) / (high - low),
    )
