"""Points of those who complete a building before anybody else."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from lagranja_sim.report.section import ReportData
from lagranja_sim.stats.blocks import Estimate
from lagranja_sim.stats.clustered import mean_of, means


class Firsts(NamedTuple):
    """What is known of first completers, by building; of those that some completed first and others did not."""

    times: dict[str, int]
    raw: dict[str, Estimate]  # less those of all others
    against: dict[str, Estimate]  # less the mean of their table
    adjusted: dict[str, Estimate]  # less also what their policy has above its table in all games
    pooled: Estimate  # the same over all buildings

    @classmethod
    def of(cls, data: ReportData) -> Firsts:
        names = [building.building for building in data.components.buildings]
        sums = _sums(data, names)
        counts = {name: sums.select(f"{name} rest", f"{name} times").to_numpy() for name in names}
        known = {name: both for name, both in counts.items() if both.sum(0).all()}
        raw = {name: means(sums.select(f"{name} rest vp", f"{name} vp").to_numpy(), both).difference(1, 0) for name, both in known.items()}
        against, adjusted = (
            {name: mean_of(sums[f"{name} {measure}"], both[:, 1]) for name, both in known.items()} for measure in ("_vp", "_vp_policy")
        )
        pooled = [sums.select(f"{name} {column}" for name in names).sum_horizontal() for column in ("_vp_policy", "times")]
        return cls({name: int(both[:, 1].sum()) for name, both in known.items()}, raw, against, adjusted, mean_of(*pooled))


def _sums(data: ReportData, names: list[str]) -> pl.DataFrame:
    """By block: for each building how often a seat was first or not, and their points, raw and relative.

    Sums are rounded and sorted, so that the result does not depend on the order of the rows."""
    firsts = data.scan("games").select("game", *(pl.col(f"first_seat_{name}") for name in names))
    rows = _against_table(data).join(firsts, on="game")
    sums: list[pl.Expr] = []
    for name in names:
        first = pl.col("seat") == pl.col(f"first_seat_{name}")
        sums += [
            first.sum().alias(f"{name} times"),
            (~first).sum().alias(f"{name} rest"),
            pl.col("vp").filter(~first).sum().alias(f"{name} rest vp"),
        ]
        sums += [pl.col(measure).filter(first).sum().alias(f"{name} {measure}") for measure in ("vp", "_vp", "_vp_policy")]
    return data.collect(rows.group_by("block").agg(total.cast(pl.Float64).round(6) for total in sums)).sort("block")


def _against_table(data: ReportData) -> pl.LazyFrame:
    """Points less the table's mean; and less what the policy has above it over all games, too."""
    seats = data.scan("seats").with_columns(pl.col("vp").cast(pl.Float64), pl.col("policy").cast(pl.String))
    games = seats.group_by("game").agg(pl.col("vp").mean().alias("_table"))
    relative = seats.join(games, on="game").with_columns((pl.col("vp") - pl.col("_table")).alias("_vp"))
    policies = data.collect(relative.group_by("policy").agg(pl.col("_vp").mean().round(6).alias("_own")))
    return relative.join(policies.lazy(), on="policy").with_columns((pl.col("_vp") - pl.col("_own")).alias("_vp_policy"))
