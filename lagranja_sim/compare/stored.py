"""Arms that were played before: finished runs of the same deals, read instead of played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.compare.arms import Arm, Recipe, distinct
from lagranja_sim.compare.measures import Tables
from lagranja_sim.game import Game, find_game
from lagranja_sim.policy import PolicyError
from lagranja_sim.runs.experiment import MANIFEST, Experiment, ExperimentError
from lagranja_sim.runs.origins import changes, unusable
from lagranja_sim.runs.provenance import different, hashes
from lagranja_sim.runs.records import Run, open_run
from lagranja_sim.runs.setting import Setting

DEALS = ("game", "players", "seed", "games")  # what runs of the same deals have in common
BATCH = 1_024  # blocks read at a time


def is_run(text: str) -> bool:
    return (Path(text) / MANIFEST).is_file()


def load_runs(texts: Sequence[str]) -> list[Arm]:
    """Finished runs as arms; all of them have to be runs of the same deals under the rules at hand."""
    others = [text for text in texts if not is_run(text)]
    if others or len(texts) < 2:
        reason = f"{others[0]!r} is none" if others else "name a second one"
        raise ExperimentError([f"a finished run is compared with finished runs: {reason}"])
    arms = [replace(_run_as_arm(text), text=name) for text, name in zip(texts, distinct(texts), strict=True)]
    for arm in arms[1:]:
        _refuse_other_deals(arms[0], arm)
    return arms


def _run_as_arm(text: str) -> Arm:
    run = open_run(text)
    experiment = Experiment.model_validate(run.experiment)
    missing = [table for table in find_game(experiment.game).measures.tables if table not in run.tables]
    if experiment.lineups or missing:
        reason = "it plays several line-ups" if experiment.lineups else f"it keeps no table of {missing[0]}"
        raise ExperimentError([f"arm {text!r}: cannot be compared: {reason}"])
    try:
        setting = Setting.of(experiment)
        changed = different(run.manifest["hashes"], hashes(setting))
    except PolicyError as error:
        raise PolicyError(f"arm {text!r}: {unusable(error, run.manifest)}") from None
    if changed:
        problem = f"arm {text!r}: the {' and '.join(changed)} are not those that the run was played with"
        raise ExperimentError([problem, *changes(run.manifest)])
    recipe = Recipe(experiment.game, tuple(experiment.policies), experiment.variant, experiment.components, experiment.overrides)
    return Arm(text, recipe, setting, run)


def _refuse_other_deals(first: Arm, second: Arm) -> None:
    assert first.run is not None
    assert second.run is not None
    for key in DEALS:
        values = first.run.experiment[key], second.run.experiment[key]
        if values[0] != values[1]:
            difference = f"{key} is {values[0]} in one, {values[1]} in the other"
            raise ExperimentError([f"{first.text} and {second.text} are not runs of the same deals: {difference}"])


# --- rows ----------------------------------------------------------------------------------------------------------------------------


def read_games(run: Run, first: int, count: int) -> Tables:
    """Rows as the driver writes them, of games in a row."""
    span = pl.col("game").is_between(first, first + count - 1)
    game, players = find_game(run.experiment["game"]), run.experiment["players"]
    return {table: _rows(game, table, run.scan(table).filter(span).collect(), players) for table in game.measures.tables}


def _rows(game: Game, table: str, frame: pl.DataFrame, players: int) -> np.ndarray:
    rows = np.zeros(frame.height, game.tables[table].columns)
    for name in rows.dtype.names or ():
        rows[name] = _column(game.tables.codes, (table, name), frame, players)
    return rows


def _column(codes: Mapping[tuple[str, str], Sequence[str]], column: tuple[str, str], frame: pl.DataFrame, players: int) -> Any:
    """A column of numbers; a seat's policy follows from seat and rotation, and names are replaced by their numbers."""
    name = column[1]
    if column == ("seats", "policy"):
        return (frame["seat"].to_numpy().astype(int) - frame["game"].to_numpy() % players) % players
    if column in codes and not frame[name].dtype.is_numeric():
        return frame[name].cast(pl.String).replace_strict(list(codes[column]), list(range(len(codes[column])))).to_numpy()
    return frame[name].to_numpy()
