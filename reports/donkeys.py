"""Donkeys: which tiles are chosen, how much of them is used, and what a lighter one costs and brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from matplotlib import colormaps

from lagranja_sim.report import style
from lagranja_sim.report.lookup import Seats
from lagranja_sim.report.say import ends, interval, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.report.tables import beside, columns, formats
from lagranja_sim.stats.batches import ROWS, batch_sums, beside_all, cube, jackknife, ratios, within_strata
from lagranja_sim.stats.blocks import SHARE, Bounds, Estimates, estimate_at

GAME = "lagranja"
TITLE = "Donkeys"
QUESTION = "Which donkeys are chosen when, how many deliveries do they carry, and what is a lighter one paid with?"
ORDER = 88
NEEDS = ["seats", "rounds"]
MIN_GAMES = 200

MADE, PLACES = "deliveries made", "places gained in the order"
OUTCOMES = {"deliveries": MADE, "places": PLACES, "gained": "points of the round"}
USED = "use of the tile, at most"
LEAST_LETTERED = 0.12  # of a bar: in smaller parts no number can be read

DEFINITIONS = [
    "A donkey tile gives deliveries and hats (steps of the siesta disc); each is used once in the first rounds and, after all have "
    "returned, once in the later ones. Deliveries made are all of the round, also those bought and those that dice, cards and roofs "
    "give. How many of them were the tile's own is not recorded, so the use of the tile is bounded from above: of its deliveries at most "
    "as many as the seat made without paying.",
    "Adjusted differences between tiles compare seats of the same policy in the same round that came from the same place in the order "
    "(least squares with one intercept for each of these). Policies choose a heavy tile when they have much to deliver, so a difference "
    "is what goes with the tile, not what changing it would bring.",
]


def build(data: ReportData) -> Section:
    """The section from the choice to the price of going light."""
    sums, names = _sums(data), _names(data)
    shares, order = _shares(sums), _order(sums, data)
    cells = {name: _cells(sums, order, outcome) for outcome, name in OUTCOMES.items()}
    worths = {name: jackknife(parts, _worths) for name, parts in cells.items()}
    steps = {name: jackknife(parts, _steps) for name, parts in cells.items()}
    return Section(
        TITLE,
        QUESTION,
        takeaways=[*_price_takeaway(steps, order, names), *_use_takeaway(sums, data)],
        figures=[_shares_figure(shares, names, data), _price_figure(worths, order, names)],
        tables=[
            _share_table(shares, names),
            _use_table(sums, names, data),
            _worth_table(worths, order, names),
            _price_table(steps, order, names),
        ],
        caveats=[data.reconstructed_note("rule numbers")],
        text=DEFINITIONS,
    )


# --- sums -----------------------------------------------------------------------------------------------------------------------------


def _sums(data: ReportData) -> pl.DataFrame:
    """Outcomes by batch, policy, round, place before the phase and tile."""
    seats = Seats.of(data)
    rounds = data.scan("rounds").filter(pl.col("donkey") > 0).with_columns(seats.value("policy"))
    unpaid = (pl.col("deliveries") - pl.col("bought_deliveries")).clip(0)
    values = {
        "deliveries": pl.col("deliveries"),
        "bought": pl.col("bought_deliveries"),
        "used": pl.min_horizontal(unpaid, _capacity(data)),
        "places": pl.col("order_farm").cast(pl.Int16) - pl.col("order_transport").cast(pl.Int16),
        "gained": pl.col("vp_gained"),
    }
    return seats.with_policy_names(batch_sums(rounds, ["policy", "round", "order_farm", "donkey"], values))


def _tiles(data: ReportData) -> dict[int, tuple[int, int]]:
    """Tile number -> its deliveries and its hats."""
    return {number: (int(tile[0]), int(tile[1])) for number, tile in enumerate(data.components.rules.transport.donkeys, 1)}


def _capacity(data: ReportData) -> pl.Expr:
    """The deliveries of the tile of a row."""
    return pl.sum_horizontal((pl.col("donkey") == number).cast(pl.Int16) * deliveries for number, (deliveries, _) in _tiles(data).items())


def _names(data: ReportData) -> dict[int, str]:
    return {number: f"{deliveries} + {hats} hat{'' if hats == 1 else 's'}" for number, (deliveries, hats) in _tiles(data).items()}


def _with_names(frame: pl.DataFrame, names: Mapping[int, str]) -> pl.DataFrame:
    return frame.with_columns(pl.col("donkey").replace_strict(names, return_dtype=pl.String).alias("donkey")).rename(
        {"donkey": "deliveries + hats"}
    )


# --- choice and use -------------------------------------------------------------------------------------------------------------------


def _shares(sums: pl.DataFrame) -> pl.DataFrame:
    """A frame of estimates: the share of seats by policy, round and tile."""
    keys = ["policy", "round"]
    whole = sums.group_by("batch", *keys).agg(pl.col(ROWS).sum().alias("all"))
    counts = sums.group_by("batch", *keys, "donkey").agg(pl.col(ROWS).sum())
    return ratios(beside_all(counts, ["donkey"], whole, on=keys), [*keys, "donkey"], ROWS, "all", SHARE)


def _share_table(shares: pl.DataFrame, names: Mapping[int, str]) -> Table:
    frame = _with_names(shares.select("policy", "round", "donkey", pl.col("mean").alias("share"), "low", "high"), names)
    caption = "Share of seats that choose each tile, by policy and round."
    return Table("shares", caption, frame, dict.fromkeys(("share", "low", "high"), ".1%"))


def _use_table(sums: pl.DataFrame, names: Mapping[int, str], data: ReportData) -> Table:
    sums = sums.with_columns((pl.col(ROWS) * _capacity(data)).alias("carried"))
    table = sums.group_by("donkey").agg(pl.col(ROWS).sum().alias("chosen")).sort("donkey")
    parts: dict[str, tuple[str, str, Bounds]] = {
        MADE: ("deliveries", ROWS, (0, np.inf)),
        "of them bought": ("bought", ROWS, (0, np.inf)),
        USED: ("used", "carried", SHARE),
    }
    for name, (over, under, bounds) in parts.items():
        estimates = ratios(sums, ["donkey"], over, under, bounds)
        table = table.join(estimates.select("donkey", *columns(name)), on="donkey", how="left", maintain_order="left")
    caption = "Deliveries a seat makes in a round by tile, and the use of the tile's own at most."
    number_formats = {"chosen": ",.0f"} | formats(".2f", MADE, "of them bought") | formats(".1%", USED)
    return Table("use", caption, _with_names(table, names), number_formats)


# --- the price of going light ---------------------------------------------------------------------------------------------------------


def _order(sums: pl.DataFrame, data: ReportData) -> list[int]:
    """The tiles that were chosen, the heaviest first."""
    tiles = _tiles(data)
    return sorted(set(sums["donkey"]) & set(tiles), key=lambda number: (-tiles[number][0], number))


def _cells(sums: pl.DataFrame, order: Sequence[int], outcome: str) -> np.ndarray:
    """Choices and outcomes by batch, stratum and tile."""
    stratum = pl.concat_str([pl.col(name).cast(pl.String) for name in ("policy", "round", "order_farm")], separator="/").alias("stratum")
    sums = sums.with_columns(stratum)
    axes = {"stratum": sums["stratum"].unique().sort().to_list(), "donkey": order}
    return np.stack([cube(sums, axes, ROWS), cube(sums, axes, outcome)], axis=1)


def _worths(total: np.ndarray) -> np.ndarray:
    """The worth of each tile less that of the average tile."""
    return within_strata(total[0], total[1])


def _steps(total: np.ndarray) -> np.ndarray:
    """The worth of each tile less that of the next heavier tile."""
    return np.diff(_worths(total))


def _worth_table(worths: Mapping[str, Estimates], order: Sequence[int], names: Mapping[int, str]) -> Table:
    tiles = pl.DataFrame({"deliveries + hats": [names[tile] for tile in order]}, schema={"deliveries + hats": pl.String})
    caption = "Tiles within policy, round and place in the order, against the average tile."
    return Table("tiles", caption, pl.concat([tiles, beside(worths)], how="horizontal"), formats("+.2f", *worths))


def _price_table(steps: Mapping[str, Estimates], order: Sequence[int], names: Mapping[int, str]) -> Table:
    changes = pl.DataFrame({"change": _changes(order, names)}, schema={"change": pl.String})
    caption = "What the next lighter tile goes with, within policy, round and place in the order."
    return Table("prices", caption, pl.concat([changes, beside(steps)], how="horizontal"), formats("+.2f", *steps))


def _changes(order: Sequence[int], names: Mapping[int, str]) -> list[str]:
    return [f"{names[light]} instead of {names[heavy]}" for heavy, light in pairwise(order)]


# --- figures --------------------------------------------------------------------------------------------------------------------------


def _shares_figure(shares: pl.DataFrame, names: Mapping[int, str], data: ReportData) -> Figure:
    """Stacked shares by round, one small picture a policy."""
    policies = data.policies
    abreast = min(2, len(policies))
    lines = -(-len(policies) // abreast)
    figure, axes = style.new_figure(7, 0.9 + 1.9 * lines, rows=lines, columns=abreast, sharey=True, squeeze=False)
    shades = dict(zip(names, colormaps[style.SEQUENTIAL](np.linspace(0.05, 0.95, len(names))), strict=True))
    values = {(str(row["policy"]), row["round"], row["donkey"]): row["mean"] for row in shares.to_dicts()}
    for axis in axes.ravel()[len(policies) :]:
        axis.axis("off")
    for axis, policy in zip(axes.ravel(), policies, strict=False):
        for number in range(1, data.rounds + 1):
            parts = [_part(values.get((policy, number, tile), 0), shades[tile], name) for tile, name in names.items()]
            style.stacked_bar(axis, number, parts, horizontal=False, width=0.8)
        axis.set_title(policy, fontsize=9.5)
        axis.set_xticks(range(1, data.rounds + 1))
        axis.set_ylim(0, 1)
        style.percent(axis.yaxis)
    for axis in axes[-1]:
        axis.set_xlabel("round")
    figure.supylabel("share of seats", fontsize=9.5)
    style.legend_above(figure, style.swatches(shades.values()), list(names.values()), len(names), "deliveries + hats of the tile")
    shares_in_words = ", ".join(f"{name}: {values.get((policies[0], 1, tile), 0):.0%}" for tile, name in names.items())
    return Figure(
        "shares",
        "Which donkey is chosen, by policy and round",
        f"Stacked bars by round, one panel a policy. {policies[0]} in round 1: {shares_in_words}.",
        figure,
    )


def _part(share: float, colour: Any, name: str) -> style.Part:
    return style.Part(share, colour, name.split()[0] if share >= LEAST_LETTERED else "")


def _price_figure(worths: Mapping[str, Estimates], order: Sequence[int], names: Mapping[int, str]) -> Figure:
    """Deliveries against places gained: each tile a point with both intervals."""
    figure, axes = style.new_figure(7, 3.6)
    points = zip((names[tile] for tile in order), worths[MADE].all(), worths[PLACES].all(), strict=True)
    tiles = [(name, deliveries, places) for name, deliveries, places in points if np.isfinite(deliveries.mean + places.mean)]
    axes.plot(
        [places.mean for *_, places in tiles], [deliveries.mean for _, deliveries, _ in tiles], color=style.GRID, linewidth=1.5, zorder=1
    )
    for name, deliveries, places in tiles:
        axes.plot([places.low, places.high], [deliveries.mean] * 2, color=style.OKABE_ITO[0], linewidth=2)
        axes.plot([places.mean] * 2, [deliveries.low, deliveries.high], color=style.OKABE_ITO[0], linewidth=2)
        axes.plot(places.mean, deliveries.mean, "o", color=style.OKABE_ITO[0], markersize=6)
        axes.annotate(name, (places.mean, deliveries.mean), (8, 7), textcoords="offset points", fontsize=9)
    style.reference_line(axes, 0)
    style.reference_line(axes, 0, upright=True)
    axes.margins(x=0.2, y=0.14)
    axes.set_xlabel("places gained in the order, against the average tile")
    axes.set_ylabel("deliveries made in the round,\nagainst the average tile")
    prices_in_words = "; ".join(
        f"{name}: {deliveries.mean:+.2f} deliveries, {places.mean:+.2f} places" for name, deliveries, places in tiles
    )
    return Figure(
        "price",
        "What a lighter donkey goes with (within policy, round and place; lines: 95 % intervals)",
        f"Each tile as a point. {prices_in_words}.",
        figure,
    )


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _price_takeaway(steps: Mapping[str, Estimates], order: Sequence[int], names: Mapping[int, str]) -> Iterable[Takeaway]:
    """The step from the second lightest tile to the lightest."""
    if len(order) < 2 or np.isnan(steps[MADE].mean[-1]):
        return
    deliveries, places = steps[MADE].at(-1), steps[PLACES].at(-1)
    undecided = "" if places.excludes(0) else "; whether the order is gained or lost is undecided"
    yield Takeaway(
        f"A donkey of {_changes(order, names)[-1]} (deliveries + hats) goes with {interval(deliveries, '+.2f')} deliveries and "
        f"{interval(places, '+.2f')} places in the order (within policy, round and place; an adjusted association){undecided}.",
        strength(places),
    )


def _use_takeaway(sums: pl.DataFrame, data: ReportData) -> Iterable[Takeaway]:
    carried = sums.with_columns((pl.col(ROWS) * _capacity(data)).alias("carried"))
    if carried["carried"].sum() == 0:
        return
    use = estimate_at(ratios(carried, [], "used", "carried", SHARE))
    yield Takeaway(f"Of the deliveries on the donkeys chosen at most {use.mean:.1%} ({ends(use, '.1%')}) are made.", 1.0)
