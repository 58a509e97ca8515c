"""What a finished run says first: win share and points by policy and by start position, with intervals whose unit is the block."""

from __future__ import annotations

from typing import Any

import polars as pl

from lagranja_sim.runs.records import Run
from lagranja_sim.stats.blocks import ANYTHING, SHARE, estimate

SEATS = "seats"
MEASURES = {"win_share": SHARE, "vp": ANYTHING}  # with what each can be
GROUPS = ("policy", "start_position")
FEW_BLOCKS = 30  # below this an interval is rough, for t relies on means that are nearly normal


def summarize(run: Run) -> dict[str, Any]:
    """The summary as a plain object; without a table of seats it holds no groups."""
    experiment, time = run.experiment, run.manifest["time"]
    return {
        "run": run.folder.url,
        "name": experiment["name"],
        "variant": experiment["variant"],
        "players": experiment["players"],
        "games": experiment["games"],
        "blocks": games_a_lineup(experiment) // experiment["players"],
        "seed": experiment["seed"],
        "seconds": time["wall_seconds"],
        "games_per_second": round(experiment["games"] / time["wall_seconds"]) if time["wall_seconds"] else None,
        "groups": {group: _by(run, group) for group in GROUPS} if SEATS in run.tables else {},
    }


def games_a_lineup(experiment: dict[str, Any]) -> int:
    """Games of each line-up of a run; block k of every line-up is the same deal, and deals are the unit."""
    return int(experiment["games"]) // max(1, len(experiment.get("lineups", [])))


def _by(run: Run, group: str) -> list[dict[str, Any]]:
    """One row for each value of `group`: how many seats a game it has, and each measure over blocks."""
    players, games, each = run.experiment["players"], run.experiment["games"], games_a_lineup(run.experiment)
    means = (
        run.scan(SEATS)
        .group_by((pl.col("game") % each // players).alias("block"), pl.col(group))
        .agg(pl.len().alias("rows"), *(pl.col(measure).cast(pl.Float64).mean() for measure in MEASURES))
        .sort(group, "block")
        .collect()
    )
    return [
        {group: key, "seats": round(part["rows"].sum() / games, 6), **{measure: _measured(part, measure) for measure in MEASURES}}
        for (key,), part in means.partition_by(group, as_dict=True, maintain_order=True).items()
    ]


def _measured(means: pl.DataFrame, measure: str) -> dict[str, float | None]:
    return estimate(means[measure].to_numpy(), bounds=MEASURES[measure]).plain(digits=6)
