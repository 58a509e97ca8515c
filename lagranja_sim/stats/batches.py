"""From sums over batches of blocks to estimates: ratios, contrasts, and whatever can be computed from sums.

The games of a block share a deal, so blocks are what is independent. Dealing them into at most `BATCHES` batches keeps that: a batch is
a sum of whole blocks. Up to that many blocks every block is its own batch; beyond, a query yields one row a batch and group however many
games there are, and little is lost: an interval from 240 batches is about 0.5 % wider than one from any number. Errors of ratios are
linearized (`clustered` does the same for single blocks); those of everything else come from leaving out one batch at a time, the
delete-a-group jackknife (Kott, Journal of Official Statistics 17, 2001, 521-526).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.stats.blocks import ANYTHING, SHARE, Bounds, Estimates, Floats, unseen

BATCHES = 240
ROWS = "rows"  # how many rows a group of a batch has
NOTHING = 1e-9  # what rounding leaves of weights that add up to 0, as a part of the largest sum


# --- batches of blocks ----------------------------------------------------------------------------------------------------------------


def batch(batches: int = BATCHES) -> pl.Expr:
    """The batch of a row's block."""
    return (pl.col("block") % batches).cast(pl.Int16).alias("batch")


def batch_sums(rows: pl.LazyFrame, by: Sequence[str], values: Mapping[str, pl.Expr] | None = None, batches: int = BATCHES) -> pl.DataFrame:
    """The number of rows and the sum of each value by batch and group; missing values count as 0."""
    sums = [value.cast(pl.Float64).sum().alias(name) for name, value in (values or {}).items()]
    return rows.group_by(batch(batches), *by).agg(pl.len().cast(pl.Int64).alias(ROWS), *sums).collect(engine="streaming")


def beside_all(sums: pl.DataFrame, by: Sequence[str], whole: pl.DataFrame, on: Sequence[str] = ()) -> pl.DataFrame:
    """Sums by batch and group beside those of `whole`, by batch and the columns `on`; also where a group has none: those are 0."""
    groups = sums.select(*on, *by).unique()
    all_groups = groups.join(whole, on=list(on)) if on else groups.join(whole, how="cross")
    return all_groups.join(sums, on=["batch", *on, *by], how="left").fill_null(0)


# --- ratios ---------------------------------------------------------------------------------------------------------------------------


def ratios(sums: pl.DataFrame, by: Sequence[str], over: str, under: str = ROWS, bounds: Bounds = ANYTHING) -> pl.DataFrame:
    """A frame of estimates: the sum of `over` by the sum of `under` in each group, with the latter as `rows`."""
    totals = _totals(sums, by, over, under)
    estimates = _ratio_estimates(totals, bounds)
    return pl.concat([totals.select(*by), estimates.frame(), totals.select(pl.col("under").alias(ROWS))], how="horizontal")


def _totals(sums: pl.DataFrame, by: Sequence[str], over: str, under: str) -> pl.DataFrame:
    """Both sums of each group, the sums of their products over batches, and the number of batches that have any."""
    top, bottom = pl.col("over"), pl.col("under")
    groups = sums.group_by("batch", *by).agg(
        pl.col(over).sum().cast(pl.Float64).alias("over"), pl.col(under).sum().cast(pl.Float64).alias("under")
    )
    groups = groups.filter(bottom.abs() > NOTHING * bottom.abs().max()).sort("batch", *by)  # sorted, as sums depend on the order
    products = [(top * top).sum().alias("oo"), (top * bottom).sum().alias("ou"), (bottom * bottom).sum().alias("uu")]
    totals = [top.sum(), bottom.sum(), *products, pl.len().cast(pl.Int64).alias("blocks")]
    return groups.group_by(*by).agg(totals).sort(*by) if by else groups.select(totals)


def _ratio_estimates(totals: pl.DataFrame, bounds: Bounds) -> Estimates:
    over, under, oo, ou, uu, blocks = (totals[name].to_numpy() for name in ("over", "under", "oo", "ou", "uu", "blocks"))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = over / under
        spread = (oo - 2 * mean * ou + mean**2 * uu).clip(0)
        error = np.where(blocks > 1, np.sqrt(spread * blocks / (blocks - 1)), np.nan) / under
    estimates = Estimates.of(mean, error, blocks, bounds)
    return _with_rare(estimates) if bounds == SHARE else estimates


def _with_rare(shares: Estimates) -> Estimates:
    """A share of 0 or 1 is not certain: how far it may be off (Clopper-Pearson, a batch being one observation, which errs on the safe side)."""
    reach = unseen(np.maximum(shares.blocks, 1))
    low = np.where(shares.mean >= 1, np.maximum(shares.low - reach, 0), shares.low)
    high = np.where(shares.mean <= 0, np.minimum(shares.high + reach, 1), shares.high)
    return replace(shares, low=low, high=high)


def means(sums: pl.DataFrame, by: Sequence[str], names: Sequence[str], bounds: Mapping[str, Bounds] | None = None) -> pl.DataFrame:
    """A frame of estimates: the mean of each value over the rows of each group, one line a group and `measure`."""
    frames = {name: ratios(sums, by, name, bounds=(bounds or {}).get(name, ANYTHING)) for name in names}
    return pl.concat([frame.with_columns(pl.lit(name).alias("measure")) for name, frame in frames.items()])


# --- anything else --------------------------------------------------------------------------------------------------------------------


def jackknife(parts: Floats, statistic: Callable[[Floats], Any], bounds: Bounds = ANYTHING) -> Estimates:
    """What a statistic (a number or an array) makes of the sum over batches, the first axis of `parts`."""
    total, batches = parts.sum(axis=0), len(parts)
    without = np.array([statistic(total - part) for part in parts])
    centred = without - without.mean(axis=0)
    error = np.sqrt((batches - 1) / batches * (centred**2).sum(axis=0)) if batches > 1 else np.full_like(without[0], np.nan)
    return Estimates.of(statistic(total), error, batches, bounds)


def cube(sums: pl.DataFrame, axes: Mapping[str, Sequence[Any]], value: str) -> Floats:
    """Sums as an array: batches first, then an axis a column with its values in the order given; what does not occur is 0."""
    batches = sums["batch"].unique().sort().to_list()
    every = {"batch": batches, **axes}
    places = [
        sums[name].cast(pl.String).replace_strict({str(key): at for at, key in enumerate(keys)}, return_dtype=pl.Int64)
        for name, keys in every.items()
    ]
    cells = np.zeros([len(keys) for keys in every.values()])
    np.add.at(cells, tuple(place.to_numpy() for place in places), sums[value].cast(pl.Float64).to_numpy())
    return cells


def within_strata(counts: Floats, totals: Floats) -> Floats:
    """What an item is worth within strata: least squares for `stratum + item` from counts and sums of outcomes by (stratum, item).

    Items are measured from the average over all rows; one that never shares a stratum with others is nan."""
    by_stratum, by_item = counts.sum(axis=1), counts.sum(axis=0)
    held, seen = by_stratum > 0, by_item > 0
    share = counts[held] / by_stratum[held, None]
    normal = np.diag(by_item) - share.T @ counts[held]
    right = totals[held].sum(axis=0) - share.T @ totals[held].sum(axis=1)
    worth = np.full(len(by_item), np.nan)
    if seen.any():
        worth[seen] = np.linalg.lstsq(normal[np.ix_(seen, seen)], right[seen], rcond=1e-9)[0]
        worth[seen] -= (worth[seen] * by_item[seen]).sum() / by_item[seen].sum()
    worth[seen] = np.where(np.diag(normal)[seen] > 1e-9 * by_item[seen], worth[seen], np.nan)
    return worth
