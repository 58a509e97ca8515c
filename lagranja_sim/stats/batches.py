"""Ratios, contrasts and their intervals from sums over batches of blocks.

The games of a block share a deal, so blocks are what is independent. Dealing them into at most `BATCHES` batches keeps that: a batch is
a sum of whole blocks. Up to that many blocks every block is its own batch; beyond, a query yields one row a batch and group however many
games there are, and little is lost: an interval from 240 batches is about 0.5 % wider than one from any number. Errors of ratios are
linearized (`clustered` does the same for single blocks); those of everything else come from leaving out one batch at a time, the
delete-a-group jackknife (Kott, Journal of Official Statistics 17, 2001, 521-526).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]
BATCHES = 240
LEVEL = 0.95
SHARE = (0.0, 1.0)  # what a share can be
ANYTHING = (-np.inf, np.inf)
ROWS = "rows"  # how many rows a group of a batch has


# --- batches of blocks ----------------------------------------------------------------------------------------------------------------


def batch(batches: int = BATCHES) -> pl.Expr:
    """The batch of a row's block."""
    return (pl.col("block") % batches).cast(pl.Int16).alias("batch")


def batch_sums(rows: pl.LazyFrame, by: Sequence[str], values: Mapping[str, pl.Expr] | None = None, batches: int = BATCHES) -> pl.DataFrame:
    """The number of rows and the sum of each value by batch and group; missing values count as 0."""
    sums = [value.cast(pl.Float64).sum().alias(name) for name, value in (values or {}).items()]
    return rows.group_by(batch(batches), *by).agg(pl.len().cast(pl.Int64).alias(ROWS), *sums).collect(engine="streaming")


# --- ratios ---------------------------------------------------------------------------------------------------------------------------


def t_factor(batches: pl.Series | int, level: float = LEVEL) -> Floats:
    """Half the width of an interval in standard errors; nan where one batch cannot tell."""
    freedom = np.asarray(batches, float) - 1
    return np.where(freedom > 0, stdtrit(np.maximum(freedom, 1), (1 + level) / 2), np.nan)


def p_value(value: Any, error: Any, batches: Any) -> Floats:
    """Of the two-sided t test that the true value is 0."""
    return 2 * stdtr(np.maximum(np.asarray(batches, float) - 1, 1), -np.abs(np.asarray(value, float) / np.asarray(error, float)))


def ratios(sums: pl.DataFrame, by: Sequence[str], over: str, under: str = ROWS, bounds: tuple[float, float] = ANYTHING) -> pl.DataFrame:
    """Sum of `over` by sum of `under` in each group, with `low`, `high`, `error`, the number `n` it is by and the `batches` behind it."""
    top, bottom = pl.col("over"), pl.col("under")
    once = sums.group_by("batch", *by).agg(
        pl.col(over).sum().cast(pl.Float64).alias("over"), pl.col(under).sum().cast(pl.Float64).alias("under")
    )
    once = once.filter(bottom != 0)
    squares = [(top * top).sum().alias("oo"), (top * bottom).sum().alias("ou"), (bottom * bottom).sum().alias("uu")]
    wide = (once.group_by(*by) if by else once.group_by(pl.lit(0).alias("all"))).agg(
        top.sum(), bottom.sum(), *squares, pl.len().alias("batches")
    )
    value = pl.col("over") / pl.col("under")
    spread = (pl.col("oo") - 2 * value * pl.col("ou") + value**2 * pl.col("uu")).clip(0)
    many = pl.col("batches").cast(pl.Float64)
    error = (pl.when(many > 1).then(spread * many / (many - 1)).sqrt() / pl.col("under")).alias("error")
    found = wide.select(*by, value.alias("value"), error, pl.col("under").alias("n"), "batches")
    return _with_interval(found, bounds).sort(*by) if by else _with_interval(found, bounds)


def _with_interval(found: pl.DataFrame, bounds: tuple[float, float]) -> pl.DataFrame:
    half = pl.Series(t_factor(found["batches"])).fill_nan(None) * found["error"]
    rare = _never_or_always(found, bounds)
    low = (found["value"] - half - np.where(found["value"] >= bounds[1], rare, 0)).clip(bounds[0], None)
    high = (found["value"] + half + np.where(found["value"] <= bounds[0], rare, 0)).clip(None, bounds[1])
    return found.select(pl.exclude("error", "n", "batches"), low.alias("low"), high.alias("high"), "error", "n", "batches")


def _never_or_always(found: pl.DataFrame, bounds: tuple[float, float]) -> Floats:
    """How far a share of 0 or 1 may be off (Clopper-Pearson, a batch being one observation, which is on the safe side)."""
    if bounds != SHARE:
        return np.zeros(found.height)
    return 1 - ((1 - LEVEL) / 2) ** (1 / np.maximum(found["batches"].to_numpy(), 1))


def means(
    rows: pl.LazyFrame, by: Sequence[str], values: Mapping[str, pl.Expr], bounds: Mapping[str, tuple[float, float]] | None = None
) -> pl.DataFrame:
    """The mean of each value over the rows of each group, one line a group and `measure`."""
    return means_of(batch_sums(rows, by, values), by, list(values), bounds)


def means_of(
    sums: pl.DataFrame, by: Sequence[str], names: Sequence[str], bounds: Mapping[str, tuple[float, float]] | None = None
) -> pl.DataFrame:
    """The same from the sums of batches."""
    found = [ratios(sums, by, name, bounds=(bounds or {}).get(name, ANYTHING)) for name in names]
    return pl.concat([one.with_columns(pl.lit(name).alias("measure")) for name, one in zip(names, found, strict=True)])


# --- anything else --------------------------------------------------------------------------------------------------------------------


def jackknife(parts: Floats, statistic: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
    """A statistic of the sum over batches (the first axis) and its standard error."""
    total, many = parts.sum(axis=0), len(parts)
    without = np.array([statistic(total - part) for part in parts])
    centred = without - without.mean(axis=0)
    return statistic(total), np.sqrt((many - 1) / many * (centred**2).sum(axis=0)) if many > 1 else np.full_like(without[0], np.nan)


def cube(sums: pl.DataFrame, axes: Mapping[str, Sequence[Any]], value: str) -> Floats:
    """Sums as an array: batches first, then an axis a column with its values in the order given; what does not occur is 0."""
    batches = sums["batch"].unique().sort().to_list()
    every = {"batch": batches, **axes}
    places = [
        sums[name].cast(pl.String).replace_strict({str(key): at for at, key in enumerate(keys)}, return_dtype=pl.Int64)
        for name, keys in every.items()
    ]
    found = np.zeros([len(keys) for keys in every.values()])
    np.add.at(found, tuple(place.to_numpy() for place in places), sums[value].cast(pl.Float64).to_numpy())
    return found


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
