"""Donkeys: which tiles are chosen, how much of them is used, and what a lighter one costs and brings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.stats.batches import SHARE, batch_sums, cube, jackknife, ratios, t_factor, within_strata
from lagranja_sim.stats.lookup import Seats

TITLE = "Donkeys"
QUESTION = "Which donkeys are chosen when, how many deliveries do they carry, and what is a lighter one paid with?"
ORDER = 88
NEEDS = ["seats", "rounds"]
MIN_GAMES = 200

OUTCOMES = {"deliveries": "deliveries made", "places": "places gained in the order", "gained": "points of the round"}

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
    sums = _sums(data)
    names = _names(data)
    shares, use, prices = _shares(sums), _use(sums, data), _prices(sums, data)
    section = Section(TITLE, QUESTION, text=DEFINITIONS)
    section.figures = [_shares_figure(shares, names, data), _price_figure(prices[0], names)]
    section.tables = [
        Table(
            "shares",
            "Share of seats that choose each tile, by policy and round.",
            _named(shares, names),
            dict.fromkeys(("share", "low", "high"), ".1%"),
        ),
        Table(
            "use", "Deliveries a seat makes in a round by tile, and the use of the tile's own at most.", _named(use, names), _use_formats()
        ),
        Table(
            "tiles",
            "Tiles within policy, round and place in the order, against the average tile.",
            _named(prices[0], names),
            _price_formats(),
        ),
        Table("prices", "What the next lighter tile goes with, within policy, round and place in the order.", prices[1], _price_formats()),
    ]
    section.takeaways = [*_price_takeaway(prices[1]), *_use_takeaway(sums, data)]
    section.caveats = [text for text in (data.reconstructed_note("rule numbers"),) if text]
    return section


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
    return seats.named(batch_sums(rounds, ["policy", "round", "order_farm", "donkey"], values))


def _tiles(data: ReportData) -> dict[int, tuple[int, int]]:
    """Tile number -> its deliveries and its hats."""
    return {number: (int(tile[0]), int(tile[1])) for number, tile in enumerate(data.components.rules.transport.donkeys, 1)}


def _capacity(data: ReportData) -> pl.Expr:
    """The deliveries of the tile of a row."""
    return pl.sum_horizontal((pl.col("donkey") == number).cast(pl.Int16) * deliveries for number, (deliveries, _) in _tiles(data).items())


def _names(data: ReportData) -> dict[int, str]:
    return {number: f"{deliveries} + {hats} hat{'' if hats == 1 else 's'}" for number, (deliveries, hats) in _tiles(data).items()}


def _named(frame: pl.DataFrame, names: dict[int, str]) -> pl.DataFrame:
    return frame.with_columns(pl.col("donkey").replace_strict(names, return_dtype=pl.String).alias("donkey")).rename(
        {"donkey": "deliveries + hats"}
    )


# --- choice and use -------------------------------------------------------------------------------------------------------------------


def _shares(sums: pl.DataFrame) -> pl.DataFrame:
    keys = ["policy", "round"]
    whole = sums.group_by("batch", *keys).agg(pl.col("rows").sum().alias("all"))
    counts = sums.group_by("batch", *keys, "donkey").agg(pl.col("rows").sum())
    every = sums.select(*keys, "donkey").unique().join(whole, on=keys).join(counts, on=["batch", *keys, "donkey"], how="left")
    found = ratios(every.with_columns(pl.col("rows").fill_null(0)), [*keys, "donkey"], "rows", "all", SHARE)
    return found.select(*keys, "donkey", pl.col("value").alias("share"), "low", "high")


def _use(sums: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    sums = sums.with_columns((pl.col("rows") * _capacity(data)).alias("carried"))
    table = sums.group_by("donkey").agg(pl.col("rows").sum().alias("chosen")).sort("donkey")
    parts = {
        "deliveries made": ("deliveries", "rows"),
        "of them bought": ("bought", "rows"),
        "use of the tile, at most": ("used", "carried"),
    }
    for name, (over, under) in parts.items():
        bounds = SHARE if under == "carried" else (0, np.inf)
        found = ratios(sums, ["donkey"], over, under, bounds)
        table = table.join(
            found.select("donkey", pl.col("value").alias(name), pl.col("low").alias(f"{name}, low"), pl.col("high").alias(f"{name}, high")),
            on="donkey",
            how="left",
        )
    return table


def _use_formats() -> dict[str, str]:
    numbers = {f"{name}{end}": ".2f" for name in ("deliveries made", "of them bought") for end in ("", ", low", ", high")}
    return {"chosen": ",.0f"} | numbers | {f"use of the tile, at most{end}": ".1%" for end in ("", ", low", ", high")}


# --- the price of going light ---------------------------------------------------------------------------------------------------------


def _prices(sums: pl.DataFrame, data: ReportData) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Each tile against the average, and each against the next heavier: deliveries, places in the order, points."""
    tiles = _tiles(data)
    order = sorted(set(sums["donkey"]) & set(tiles), key=lambda number: (-tiles[number][0], number))  # the heaviest first
    stratum = pl.concat_str([pl.col(name).cast(pl.String) for name in ("policy", "round", "order_farm")], separator="/").alias("stratum")
    sums = sums.with_columns(stratum)
    axes = {"stratum": sums["stratum"].unique().sort().to_list(), "donkey": order}
    counts = cube(sums, axes, "rows")
    worths, steps = (
        pl.DataFrame({"donkey": pl.Series(order, dtype=pl.Int8)}),
        pl.DataFrame({"change": _changes(order, data)}, schema={"change": pl.String}),
    )
    for outcome, name in OUTCOMES.items():
        parts = np.stack([counts, cube(sums, axes, outcome)], axis=1)
        worths = pl.concat([worths, _estimates(parts, name, lambda worth: worth)], how="horizontal")
        steps = pl.concat([steps, _estimates(parts, name, np.diff)], how="horizontal")
    return worths, steps


def _changes(order: Sequence[int], data: ReportData) -> list[str]:
    names = _names(data)
    return [f"{names[light]} instead of {names[heavy]}" for heavy, light in pairwise(order)]


def _estimates(parts: np.ndarray, name: str, of: Any) -> pl.DataFrame:
    value, error = jackknife(parts, lambda total: of(within_strata(total[0], total[1])))
    half = float(t_factor(len(parts))) * error
    return pl.DataFrame({name: value, f"{name}, low": value - half, f"{name}, high": value + half}).fill_nan(None)


def _price_formats() -> dict[str, str]:
    return {f"{name}{end}": "+.2f" for name in OUTCOMES.values() for end in ("", ", low", ", high")}


# --- figures --------------------------------------------------------------------------------------------------------------------------


def _shares_figure(shares: pl.DataFrame, names: dict[int, str], data: ReportData) -> Figure:
    """Stacked shares by round, one small picture a policy."""
    policies = data.policies
    columns = min(2, len(policies))
    lines = -(-len(policies) // columns)
    figure, axes = style.new_figure(7, 0.9 + 1.9 * lines, rows=lines, columns=columns, sharey=True, squeeze=False)
    shades = dict(zip(names, style.matplotlib.colormaps[style.SEQUENTIAL](np.linspace(0.05, 0.95, len(names))), strict=True))
    values = {(str(row["policy"]), row["round"], row["donkey"]): row["share"] for row in shares.to_dicts()}
    for axis in axes.ravel()[len(policies) :]:
        axis.axis("off")
    for axis, policy in zip(axes.ravel(), policies, strict=False):
        for number in range(1, data.rounds + 1):
            _stack(axis, number, [(values.get((policy, number, tile), 0), shades[tile], name) for tile, name in names.items()])
        axis.set_title(policy, fontsize=9.5)
        axis.set_xticks(range(1, data.rounds + 1))
        axis.set_ylim(0, 1)
        style.percent(axis.yaxis)
    for axis in axes[-1]:
        axis.set_xlabel("round")
    figure.supylabel("share of seats", fontsize=9.5)
    handles = [style.matplotlib.patches.Patch(facecolor=shades[tile]) for tile in names]
    figure.legend(
        handles, names.values(), loc="outside upper center", ncols=len(names), fontsize=8.5, title="deliveries + hats of the tile"
    )
    first = {name: values.get((policies[0], 1, tile), 0) for tile, name in names.items()}
    said = ", ".join(f"{name}: {share:.0%}" for name, share in first.items())
    return Figure(
        "shares",
        "Which donkey is chosen, by policy and round",
        f"Stacked bars by round, one panel a policy. {policies[0]} in round 1: {said}.",
        figure,
    )


def _stack(axes: Any, at: int, parts: Sequence[tuple[float, Any, str]]) -> None:
    end = 0.0
    for share, colour, name in parts:
        axes.bar(at, share, bottom=end, width=0.8, color=colour, edgecolor="white", linewidth=0.6)
        if share >= 0.12:
            axes.text(at, end + share / 2, name.split()[0], ha="center", va="center", fontsize=8, color=_ink(colour))
        end += share


def _ink(colour: Any) -> str:
    red, green, blue = colour[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else style.INK


def _price_figure(worths: pl.DataFrame, names: dict[int, str]) -> Figure:
    """Deliveries against places gained: each tile a point with both intervals."""
    figure, axes = style.new_figure(7, 3.6)
    made, places = OUTCOMES["deliveries"], OUTCOMES["places"]
    rows = [row for row in worths.to_dicts() if row[made] is not None and row[places] is not None]
    axes.plot([row[places] for row in rows], [row[made] for row in rows], color=style.GRID, linewidth=1.5, zorder=1)
    for row in rows:
        axes.plot([row[f"{places}, low"], row[f"{places}, high"]], [row[made]] * 2, color=style.OKABE_ITO[0], linewidth=2)
        axes.plot([row[places]] * 2, [row[f"{made}, low"], row[f"{made}, high"]], color=style.OKABE_ITO[0], linewidth=2)
        axes.plot(row[places], row[made], "o", color=style.OKABE_ITO[0], markersize=6)
        axes.annotate(names[row["donkey"]], (row[places], row[made]), (8, 7), textcoords="offset points", fontsize=9)
    axes.axhline(0, color=style.FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axvline(0, color=style.FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.margins(x=0.2, y=0.14)
    axes.set_xlabel("places gained in the order, against the average tile")
    axes.set_ylabel("deliveries made in the round,\nagainst the average tile")
    said = "; ".join(f"{names[row['donkey']]}: {row[made]:+.2f} deliveries, {row[places]:+.2f} places" for row in rows)
    return Figure(
        "price",
        "What a lighter donkey goes with (within policy, round and place; lines: 95 % intervals)",
        f"Each tile as a point. {said}.",
        figure,
    )


# --- takeaways ------------------------------------------------------------------------------------------------------------------------


def _price_takeaway(steps: pl.DataFrame) -> Iterable[Takeaway]:
    """The step from the second lightest tile to the lightest."""
    if steps.is_empty() or steps[OUTCOMES["deliveries"]][-1] is None:
        return
    row = steps.row(-1, named=True)
    made, places = (_with_interval(row, OUTCOMES[name]) for name in ("deliveries", "places"))
    gap, low, high = (row[f"{OUTCOMES['places']}{end}"] for end in ("", ", low", ", high"))
    verdict = "; whether the order is gained or lost is undecided" if low <= 0 <= high else ""
    yield Takeaway(
        f"A donkey of {row['change']} (deliveries + hats) goes with {made} deliveries and {places} places in the order (within policy, "
        f"round and place; an adjusted association){verdict}.",
        2 * abs(gap) / (high - low) if high > low else 1,
    )


def _with_interval(row: dict[str, Any], name: str) -> str:
    return f"{row[name]:+.2f} ({row[f'{name}, low']:+.2f} to {row[f'{name}, high']:+.2f})"


def _use_takeaway(sums: pl.DataFrame, data: ReportData) -> Iterable[Takeaway]:
    carried = sums.with_columns((pl.col("rows") * _capacity(data)).alias("carried"))
    if carried["carried"].sum() == 0:
        return
    row = ratios(carried, [], "used", "carried", SHARE).row(0, named=True)
    yield Takeaway(
        f"Of the deliveries on the donkeys chosen at most {row['value']:.1%} ({row['low']:.1%} to {row['high']:.1%}) are made.", 1.0
    )
