"""How many games a second one core plays, with and without keeping the tables."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import Any

from lagranja_sim.game import find_game
from lagranja_sim.play.driver import play_games, warm_up
from lagranja_sim.runs.provenance import machine, versions
from lagranja_sim.runs.records import MOST_GAMES_A_PART, to_frame, to_parquet
from lagranja_sim.runs.setting import Setting, find_policies, open_components
from lagranja_sim.runs.simulate import Listener

PLAYERS, SEED = 4, 1
LOGS: dict[str, tuple[str, ...] | None] = {"nothing kept": (), "all tables": None, "all tables, as parquet": None}


@dataclass(frozen=True)
class Trial:
    """Copies of a policy, and which tables of their games are kept."""

    policy: str
    log: str
    setting: Setting

    def seconds(self, games: int) -> float:
        """The time to play so many games, in pieces of the size that a run plays."""
        started = time.perf_counter()
        for first in range(0, games, MOST_GAMES_A_PART):
            self._play(first, min(MOST_GAMES_A_PART, games - first))
        return time.perf_counter() - started

    def _play(self, first: int, count: int) -> None:
        setting = self.setting
        tables = play_games(setting.components, setting.policies, setting.seed, first, count, LOGS[self.log])
        if self.log.endswith("parquet"):
            for rows in tables.values():
                to_parquet(to_frame(rows, [policy.name for policy in setting.policies]))


def bench(game: str, games: int, repeat: int, variant: str | None, folder: str | None, listener: Listener) -> dict[str, Any]:
    """Games a second of the game's reference policies: medians with extremes.

    The trials take turns, so that a slow spell of the machine affects all of them."""
    components = open_components(game, folder, variant)
    players, references = min(PLAYERS, max(components.players)), find_game(game).policies.references
    settings = {policy: Setting(components, find_policies(game, [policy] * players), players, SEED) for policy in references}
    with listener.compiling() as tell:
        warm_up([setting.policies[0] for setting in settings.values()], tell)
    trials = [Trial(policy, log, setting) for policy, setting in settings.items() for log in LOGS]
    for trial in trials:
        trial.seconds(players)
    times = [[trial.seconds(games) for trial in trials] for _ in range(repeat)]
    rows = [_row(trial, games, [turn[number] for turn in times]) for number, trial in enumerate(trials)]
    return {"players": players, "games": games, "repeat": repeat, "versions": versions(), "machine": machine(), "rows": rows}


def _row(trial: Trial, games: int, seconds: list[float]) -> dict[str, Any]:
    speeds = [games / time_taken for time_taken in seconds]
    return {
        "policies": f"{trial.setting.players} x {trial.policy}",
        "log": trial.log,
        "games_per_second": round(statistics.median(speeds)),
        "least": round(min(speeds)),
        "most": round(max(speeds)),
    }
