"""The summary of a finished run: win share and points by policy and by start position, with intervals whose unit is the block."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.game import find_game
from lagranja_sim.runs.records import Run
from lagranja_sim.stats.blocks import ANYTHING, estimate

SEATS = "seats"
SHARE = "win_share"
MEASURES = (SHARE, "vp")
GROUPS = ("policy", "start_position")


def summarize(run: Run) -> dict[str, Any]:
    """The summary as a plain object; without a table of seats it holds no groups."""
    experiment, time = run.experiment, run.manifest["time"]
    columns = run.scan(SEATS).collect_schema().names() if SEATS in run.tables else []
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
        "groups": {group: _group_rows(run, group) for group in GROUPS if group in columns},
    }


def games_a_lineup(experiment: dict[str, Any]) -> int:
    """Games of each line-up of a run; block k of every line-up is the same deal, and deals are the unit."""
    return int(experiment["games"]) // max(1, len(experiment.get("lineups", [])))


def share_bounds(game: str, games: int, seats: int, players: int) -> tuple[float, float]:
    """What the mean share of wins can be of so many seats in so many games: no more than one win a game, and all if nobody else plays."""
    if not find_game(game).one_win:
        return 0.0, 1.0
    return (games / seats if seats == games * players else 0.0), games / seats


def _group_rows(run: Run, group: str) -> list[dict[str, Any]]:
    """One row for each value of `group`: how many seats a game it has, and each measure over blocks."""
    players, games, lineup_games = run.experiment["players"], run.experiment["games"], games_a_lineup(run.experiment)
    means = (
        run.scan(SEATS)
        .group_by((pl.col("game") % lineup_games // players).alias("block"), pl.col(group))
        .agg(
            pl.len().alias("rows"),
            pl.col("game").n_unique().alias("games"),
            *(pl.col(measure).cast(pl.Float64).mean() for measure in MEASURES),
        )
        .sort(group, "block")
        .collect()
    )
    return [
        {group: key, "seats": round(part["rows"].sum() / games, 6), **{name: _estimate(part, name, run.experiment) for name in MEASURES}}
        for (key,), part in means.partition_by(group, as_dict=True, maintain_order=True).items()
    ]


def _estimate(means: pl.DataFrame, measure: str, experiment: dict[str, Any]) -> dict[str, float | None]:
    """A measure over blocks; every figure is None if there is no value, such as a share of wins for a player alone."""
    if means[measure].null_count() == means.height:
        return dict.fromkeys(estimate(np.zeros(1)).plain(digits=6))
    sizes = int(means["games"].sum()), int(means["rows"].sum()), experiment["players"]
    bounds = share_bounds(experiment["game"], *sizes) if measure == SHARE else ANYTHING
    return estimate(means[measure].to_numpy(), bounds=bounds).plain(digits=6)
