"""Roofs: what they cost, which are bought, and who has more points with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import polars as pl
from matplotlib import colormaps

from lagranja_sim.report import style
from lagranja_sim.report.lookup import Seats
from lagranja_sim.report.say import ends, number, strength, verdict
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.report.tables import columns, formats, side_by_side
from lagranja_sim.stats.batches import ROWS, batch_sums, beside_all, ratios
from lagranja_sim.stats.blocks import SHARE, Estimate, estimate_at, estimates_in, p_values, with_q_values

GAME = "lagranja"
TITLE = "Roofs"
QUESTION = "What do roofs cost and bring, and which of them are bought?"
ORDER = 84
NEEDS = ["games", "seats", "rounds"]
MIN_GAMES = 200

MIN_BOUGHT = 100  # purchases; fewer are hidden
FALSE_DISCOVERIES = 0.05
LEAST_LETTERED = 0.04  # of a bar: in smaller parts no number can be read
OFTEN, ASSOCIATION = "bought on offer", "points, adjusted"  # columns

DEFINITIONS = [
    "On offer: of the tiles of a round as many are dealt as there are players, for one so many as `solo.roofs` says. The share bought is the "
    "number of games in which a seat bought the roof by the number in which it lay out; where fewer are dealt than there are tiles, the "
    "latter is what the deal gives on average. The price is the printed one: helpers that lower it are not seen here.",
    "Adjusted association with points: the points of seats that bought the roof less those of seats that did not, compared only within "
    "one policy on one deal (which it plays once from every seat) and with the differences between start positions taken out. What else "
    "differed when the roof was bought (silver at hand, above all) is not taken out, so this is no effect of buying. q values are "
    "Benjamini and Hochberg's over all roofs.",
]


def build(data: ReportData) -> Section:
    """The section: roofs one by one, and how many each policy buys."""
    roofs = _roofs(data)
    often, association = _often(roofs, data), _frequent(_association(data), roofs)
    numbers = _numbers(data)
    return Section(
        TITLE,
        QUESTION,
        takeaways=[*_widest_choice(roofs, often), *_price_of_a_point(data), *(_associated(roofs, association) if data.players > 1 else ())],
        figures=[_roofs_figure(roofs, often, association), _number_figure(numbers, data)],
        tables=[
            _roof_table(roofs, often, association),
            _round_table(data),
            _use_table(data),
            Table("spaces", "Points of the spaces that roofs cover, from the first.", _space_points(data)),
            Table(
                "number",
                "Share of seats by number of roofs.",
                numbers.select("policy", "roofs", *columns("share")),
                formats(".1%", "share"),
            ),
        ],
        caveats=[
            "Which roof is bought depends on the other tiles of its round and on the silver that policies keep; the extremes named are "
            "picked after the fact and exaggerated by luck.",
            data.reconstructed_note("roof designs", "roof phases", "roof rounds"),
        ],
        text=DEFINITIONS,
    )


# --- roofs one by one -----------------------------------------------------------------------------------------------------------------


def _roofs(data: ReportData) -> pl.DataFrame:
    """Every roof: its round and price, and how many were bought."""
    printed = [
        {"roof": roof.roof, "design": roof.design, "round": roof.round, "price": _price_in(data, roof.round)}
        for roof in data.components.roofs
    ]
    bought = data.collect(data.scan("rounds").filter(pl.col("roof") > 0).group_by("roof").agg(pl.len().cast(pl.Int64).alias("bought")))
    table = pl.DataFrame(printed, schema_overrides={"roof": pl.Int8}).join(bought, on="roof", how="left")
    return table.with_columns(pl.col("bought").fill_null(0)).sort("round", "roof")


def _price_in(data: ReportData, number: int) -> int:
    return int(data.components.rules.farm.roof_cost_per_round) * number


def _often(roofs: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """A frame of estimates: how often each roof is bought when it lies out."""
    bought = batch_sums(data.scan("rounds").filter(pl.col("roof") > 0), ["roof"])
    games = batch_sums(data.scan("games"), []).select("batch", pl.col(ROWS).alias("games"))
    laid_out = data.components.rules.solo.roofs if data.players == 1 else data.players
    chance = (pl.lit(laid_out) / pl.len().over("round")).clip(0, 1).alias("chance")
    every = roofs.select("roof", chance).join(games, how="cross").with_columns((pl.col("chance") * pl.col("games")).alias("offered"))
    counts = every.join(bought, on=["batch", "roof"], how="left").with_columns(pl.col(ROWS).fill_null(0))
    return ratios(counts, ["roof"], ROWS, "offered", SHARE).with_columns(pl.col("mean").clip(0, 1))


def _frequent(association: pl.DataFrame, roofs: pl.DataFrame) -> pl.DataFrame:
    """The associations of those bought often enough, with q values."""
    frequent = association.join(roofs.filter(pl.col("bought") >= MIN_BOUGHT).select("roof"), on="roof", how="semi")
    p = p_values(frequent["mean"], frequent["error"], frequent["blocks"])
    frequent = frequent.with_columns(pl.Series("p", p)).filter(pl.col("p").is_finite())
    return with_q_values(frequent).drop("p")


def _by_roof(estimates: pl.DataFrame) -> dict[int, Estimate]:
    return dict(zip(estimates["roof"], estimates_in(estimates), strict=True))


# --- the association with points ------------------------------------------------------------------------------------------------------


def _association(data: ReportData) -> pl.DataFrame:
    """A frame of estimates: points of buyers less those of others, within policy and deal, start positions taken out.

    Both sides of the regression are taken less the mean of the policy on the deal and of the policy at that start position. As each policy
    plays each deal from every seat, the two fit together without more ado; then the slope needs the buyers alone."""
    seats = _with_centred_points(data)
    sizes = seats.with_policy_names(_sizes(seats))
    plays = sizes.group_by("policy").agg(pl.col("size").sum().alias("plays"))
    values = [seats.value(name) for name in ("policy", "start_position", "points")]
    bought = data.scan("rounds").filter(pl.col("roof") > 0).select("block", "roof", *values)
    by_place = seats.with_policy_names(batch_sums(bought, ["roof", "policy", "start_position"], {"points": pl.col("points")})).rename(
        {ROWS: "k"}
    )
    on_deal = _squares(
        seats.with_policy_names(_on_deals(bought, seats)), plays.with_columns((pl.col("plays") / data.blocks).alias("seats"))
    )
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
    return ratios(sums, ["roof"], "over", "under")


def _on_deals(bought: pl.LazyFrame, seats: Seats) -> pl.DataFrame:
    """Squares of the number of seats of a policy that buy a roof on one deal, summed by batch."""
    frame = bought.select("block", "roof", "policy").collect(engine="streaming")
    deals = frame["block"].to_numpy().astype(np.int64) * len(seats.policies) + frame["policy"].to_numpy()
    roofs, sums = frame["roof"].to_numpy(), []
    for roof in np.unique(roofs):
        counts = np.bincount(deals[roofs == roof])
        present = np.flatnonzero(counts)
        block, policy = np.divmod(present, len(seats.policies))
        rows = {
            "block": block,
            "roof": np.full(len(present), roof, np.int8),
            "policy": policy.astype(np.int8),
            "squares": counts[present] ** 2,
        }
        sums.append(batch_sums(pl.LazyFrame(rows), ["roof", "policy"], {"squares": pl.col("squares")}))
    return pl.concat(sums)


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


def _round_table(data: ReportData) -> Table:
    buys = ratios(batch_sums(data.scan("rounds"), ["round"], {"buys": pl.col("roof") > 0}), ["round"], "buys", bounds=SHARE)
    price = (pl.col("round").cast(pl.Int64) * _price_in(data, 1)).alias("price")
    caption = "Roofs by round: printed price and share of the seats that buy one."
    return Table("rounds", caption, buys.select("round", price, *columns("seats that buy")), formats(".1%", "seats that buy"))


def _use_table(data: ReportData) -> Table:
    """What policies do with roofs."""
    values = {"roofs": pl.col("roofs"), "points of spaces": pl.col("vp_roof"), "points of effects": pl.col("vp_roof_effect")}
    seats = batch_sums(data.scan("seats"), ["policy"], values)
    by_seat = Seats.of(data)
    bought = data.scan("rounds").filter(pl.col("roof") > 0).select("block", "round", by_seat.value("policy"))
    paid = by_seat.with_policy_names(batch_sums(bought, ["policy"], {"silver paid": pl.col("round").cast(pl.Int64) * _price_in(data, 1)}))
    joined = _join_by_name(seats, paid.select("batch", "policy", "silver paid"))
    names = ["roofs", "silver paid", "points of spaces", "points of effects"]
    use = side_by_side({name: ratios(joined, ["policy"], name) for name in names}, ["policy"])
    price = pl.when(pl.col("points of spaces") > 0).then(pl.col("silver paid") / pl.col("points of spaces"))
    number_formats = formats(".2f", "roofs", "points of spaces", "points of effects") | formats(".1f", "silver paid")
    return Table(
        "policies",
        "Roofs of a seat by policy: number, silver paid at printed prices, points of spaces and of effects.",
        use.with_columns(price.alias("silver a point of spaces")).sort("roofs", descending=True),
        {"silver a point of spaces": ".2f"} | number_formats,
    )


def _join_by_name(seats: pl.DataFrame, paid: pl.DataFrame) -> pl.DataFrame:
    by_name = [frame.with_columns(pl.col("policy").cast(pl.String)) for frame in (seats, paid)]
    return by_name[0].join(by_name[1], on=["batch", "policy"], how="left").with_columns(pl.col("silver paid").fill_null(0))


def _numbers(data: ReportData) -> pl.DataFrame:
    """A frame of estimates: the share of seats by policy and number of roofs."""
    counts = batch_sums(data.scan("seats"), ["policy", "roofs"])
    whole = counts.group_by("batch", "policy").agg(pl.col(ROWS).sum().alias("all"))
    return ratios(beside_all(counts, ["roofs"], whole, on=["policy"]), ["policy", "roofs"], ROWS, "all", SHARE)


def _space_points(data: ReportData) -> pl.DataFrame:
    points = [int(value) for value in data.components.rules.farm.roof_vp]
    return pl.DataFrame({"roof": list(range(1, len(points) + 1)), "points": points, "points so far": np.cumsum(points)})


# --- what is shown --------------------------------------------------------------------------------------------------------------------


def _roof_table(roofs: pl.DataFrame, often: pl.DataFrame, association: pl.DataFrame) -> Table:
    table = roofs.join(often.select("roof", *columns(OFTEN)), on="roof", how="left", maintain_order="left")
    table = table.join(association.select("roof", *columns(ASSOCIATION), "q"), on="roof", how="left", maintain_order="left")
    caption = (
        f"Every roof: how often it is bought when on offer, and its adjusted association with points (within policy and deal), with 95 % "
        f"intervals. The association of {(roofs['bought'] < MIN_BOUGHT).sum()} roofs bought fewer than {MIN_BOUGHT} times is hidden."
    )
    return Table("roofs", caption, table, {"bought": ",.0f", "q": ".3f"} | formats(".1%", OFTEN) | formats("+.2f", ASSOCIATION))


def _roofs_figure(roofs: pl.DataFrame, often: pl.DataFrame, association: pl.DataFrame) -> Figure:
    """Two columns of dots with one line a roof: how often bought, and the adjusted association."""
    rows, shares = roofs.to_dicts(), _by_roof(often)
    associated, decided = _by_roof(association), set(association.filter(pl.col("q") < FALSE_DISCOVERIES)["roof"])
    places = _places([row["round"] for row in rows])
    figure, (left, right) = style.new_figure(7, 1 + 0.22 * places[-1], columns=2, sharey=True, width_ratios=[1, 1])
    for place, roof in zip(places, roofs["roof"], strict=True):
        style.dot(left, place, shares[roof], colour=style.OKABE_ITO[0])
        if roof in associated:
            style.dot(right, place, associated[roof], colour=style.OKABE_ITO[5], filled=roof in decided)
    left.set_yticks(places, [f"{row['design']} · {row['round']}" for row in rows], fontsize=8.5)
    left.set_ylim(places[-1] + 0.8, places[0] - 0.8)
    left.set_xlim(0, 1.03)
    style.percent(left.xaxis)
    left.set_xlabel("bought when on offer")
    style.reference_line(right, 0, upright=True)
    right.set_xlabel("points of buyers against others,\nadjusted (hollow: undecided)")
    left.set_title("design · round", fontsize=9, x=-0.02, ha="right")
    for axes in (left, right):
        axes.grid(axis="x", color=style.GRID, linewidth=0.7)
        axes.tick_params(axis="y", length=0)
    return Figure("roofs", "How often each roof is bought, and who has more points with it", _roofs_words(rows, shares), figure)


def _places(rounds: list[int]) -> list[float]:
    """Heights of the lines: a gap between rounds."""
    steps = [1.0 if number == before else 1.6 for before, number in zip([0, *rounds], rounds, strict=False)]
    return list(np.cumsum(steps))


def _roofs_words(rows: list[dict[str, object]], shares: Mapping[int, Estimate]) -> str:
    least, most = (choose(rows, key=lambda row: shares[row["roof"]].mean) for choose in (min, max))
    spans = [f"{shares[row['roof']].mean:.0%} ({row['design']}, round {row['round']})" for row in (least, most)]
    return (
        f"One line a roof in order of rounds. Left: the share bought when on offer, from {spans[0]} to {spans[1]}. Right: "
        "adjusted association with points, with intervals."
    )


def _number_figure(numbers: pl.DataFrame, data: ReportData) -> Figure:
    """Stacked shares of seats by number of roofs, one bar a policy."""
    shares = {(str(row["policy"]), row["roofs"]): row["mean"] for row in numbers.to_dicts()}
    counts = sorted({count for _, count in shares})
    average = {policy: sum(count * shares.get((policy, count), 0) for count in counts) for policy in data.policies}
    order = sorted(data.policies, key=lambda policy: -average[policy])
    figure, axes = style.new_figure(7, 1.1 + 0.42 * len(order))
    shades = colormaps[style.SEQUENTIAL](np.linspace(0.05, 0.95, max(len(counts), 2)))
    for at, policy in enumerate(order):
        sizes = [shares.get((policy, count), 0) for count in counts]
        texts = [str(count) if size >= LEAST_LETTERED else "" for count, size in zip(counts, sizes, strict=True)]
        style.stacked_bar(axes, at, map(style.Part, sizes, shades, texts), fontsize=9)
        axes.text(1.01, at, f"mean {average[policy]:.1f}", va="center", fontsize=9)
    axes.set_yticks(range(len(order)), order)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("share of seats by number of roofs (the numbers in the bars)")
    style.percent(axes.xaxis)
    numbers_in_words = ", ".join(f"{policy} {average[policy]:.1f}" for policy in order)
    return Figure(
        "number",
        "How many roofs policies buy",
        f"One bar a policy, split by the number of roofs of a seat. Means: {numbers_in_words}.",
        figure,
    )


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _widest_choice(roofs: pl.DataFrame, often: pl.DataFrame) -> Iterable[Takeaway]:
    """The roof most and the roof least bought within a round, where the price is the same."""
    table = roofs.join(often.select("roof", "mean"), on="roof", maintain_order="left")
    gaps = table.with_columns((pl.col("mean").max().over("round") - pl.col("mean").min().over("round")).alias("gap")).sort("gap")
    choice = table.filter(pl.col("round") == gaps["round"][-1]).sort("mean")
    if choice.height < 2:
        return
    extremes = choice.row(-1, named=True), choice.row(0, named=True)
    most, least = (estimate_at(often, roof=row["roof"]) for row in extremes)
    shares_in_words = [
        f"“{row['design']}” {share.mean:.0%} of the time ({ends(share, '.0%')})" for row, share in zip(extremes, (most, least), strict=True)
    ]
    gap = most.less(least)
    undecided = "" if gap.excludes(0) else "; whether they differ is undecided"
    yield Takeaway(
        f"The widest choice among roofs of one price is in round {extremes[0]['round']}: {shares_in_words[0]} is bought when on offer, "
        f"{shares_in_words[1]}{undecided}.",
        strength(gap),
    )


def _price_of_a_point(data: ReportData) -> Iterable[Takeaway]:
    """Silver paid for a point of spaces over all seats, against what silver is worth at the end."""
    points = batch_sums(data.scan("seats"), [], {"points": pl.col("vp_roof")}).select("batch", "points")
    paid = batch_sums(
        data.scan("rounds").filter(pl.col("roof") > 0), [], {"paid": pl.col("round").cast(pl.Int64) * _price_in(data, 1)}
    ).select("batch", "paid")
    sums = points.join(paid, on="batch", how="left").with_columns(pl.col("paid").fill_null(0))
    if sums["points"].sum() <= 0:
        return
    price, worth = estimate_at(ratios(sums, [], "paid", "points")), int(data.components.rules.prices.silver_per_vp)
    text = (
        f"A point from roof spaces costs {price.mean:.2f} silver at printed prices ({ends(price)}), {verdict(price, worth)} the {worth} "
        f"silver that a point is worth at the end, before the roofs' effects."
    )
    yield Takeaway(text, 2.0)  # nearly arithmetic on printed prices: its tiny interval must not put it at the head of the page


def _associated(roofs: pl.DataFrame, association: pl.DataFrame) -> Iterable[Takeaway]:
    if association.is_empty():
        return
    decided = association.filter(pl.col("q") < FALSE_DISCOVERIES)
    if decided.is_empty():
        yield Takeaway(
            f"Which of {association.height} roofs go with more points than others is undecided (adjusted association within policy and "
            "deal).",
            0.5,
        )
        return
    surest = decided.sort("low")["roof"][-1]
    roof, points = roofs.row(by_predicate=pl.col("roof") == surest, named=True), estimate_at(decided, roof=surest)
    yield Takeaway(
        f"Within policy and deal, seats that bought “{roof['design']}” (round {roof['round']}) have {number(points.mean, '+.1f')} points "
        f"({ends(points, '+.1f')}) against the others; {decided.height} of {association.height} roofs are told apart from 0, an adjusted "
        f"association, not an effect of buying.",
        strength(points),
    )
