"""Play of all arms on the same blocks: the same deal in the same rotations, with the same seed.

Common random numbers (Law, Simulation Modeling and Analysis, section 11.2): what both arms owe to luck cancels in their difference. Blocks
come in batches of a fixed size that are put together in order, so that results do not depend on how many workers played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import joblib
import numpy as np

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.measures import Tables, measured
from lagranja_sim.compare.moments import Moments
from lagranja_sim.compare.stored import BATCH as READ_BATCH
from lagranja_sim.compare.stored import read_games
from lagranja_sim.game import Game, Measure, find_game
from lagranja_sim.play.driver import play_games, warm_up
from lagranja_sim.policy import Policy
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.workers import Workers

BATCH = 32  # blocks
DIGITS = 12
AT_THE_END = 0  # instead of the round of divergence: only the final count differs


@dataclass(frozen=True)
class Played:
    """What came of some blocks: moments of block means of every arm, of each arm's differences from the first, and divergence."""

    arms: list[Moments]
    differences: list[Moments]
    diverged: list[Counter[int]]  # games by the first round that differs from the first arm's
    steps: list[Moments] = field(default_factory=list)  # of the differences between neighbours, where these matter

    def __add__(self, other: Played) -> Played:
        arms, differences, diverged, steps = (
            [mine + more for mine, more in zip(getattr(self, name), getattr(other, name), strict=True)]
            for name in ("arms", "differences", "diverged", "steps")
        )
        return Played(arms, differences, diverged, steps)


@dataclass(frozen=True)
class Match:
    """Arms about to be played, with the names under which their seats are counted."""

    arms: list[Arm]
    labels: list[str]
    neighbours: tuple[tuple[int, int], ...] = ()  # places of arms whose differences from each other are kept as well

    @classmethod
    def of(cls, arms: Sequence[Arm], neighbours: tuple[tuple[int, int], ...] = ()) -> Match:
        """Seats go by their policies' names where all arms have the same, else by their place in the list."""
        labels = [arm.labels for arm in arms]
        same, alike = all(names == labels[0] for names in labels), all(len(set(names)) == 1 for names in labels)
        names = labels[0] if same or alike else [f"player{place + 1}" for place in range(len(labels[0]))]
        return cls(list(arms), names, neighbours)

    @property
    def players(self) -> int:
        return self.arms[0].setting.players

    @property
    def game(self) -> Game:
        return find_game(self.arms[0].setting.components.game)

    @property
    def games_in_runs(self) -> int | None:
        """How many games finished runs hold; None for arms that are played."""
        run = self.arms[0].run
        return run.experiment["games"] if run else None

    @property
    def batch(self) -> int:
        """Blocks played or read at a time."""
        return READ_BATCH if self.arms[0].run else BATCH

    def measures(self) -> list[Measure]:
        """What will be measured, from one block."""
        return measured(self.game, self._play(self.arms[0], 0, 1), self.players, self.labels)[0]

    def play(self, first: int, blocks: int) -> Played:
        """Play consecutive blocks from number `first` on."""
        tables = [self._play(arm, first, blocks) for arm in self.arms]
        means = [self._block_means(played, blocks) for played in tables]
        differences = [Moments.of(other - means[0]) for other in means[1:]]
        diverged = [divergence(tables[0], other, self.players) for other in tables[1:]]
        steps = [Moments.of(means[after] - means[before]) for before, after in self.neighbours]
        return Played([Moments.of(values) for values in means], differences, diverged, steps)

    def _block_means(self, tables: Tables, blocks: int) -> np.ndarray:
        """Blocks x measures, rounded so that the result does not depend on the order of a block's games."""
        games = measured(self.game, tables, self.players, self.labels)[1]
        return games.reshape(blocks, self.players, -1).mean(axis=1).round(DIGITS)

    def _play(self, arm: Arm, first: int, blocks: int) -> Tables:
        span, setting = (first * self.players, blocks * self.players), arm.setting
        if arm.run:
            return read_games(arm.run, *span)
        return play_games(setting.components, setting.policies, setting.seed, *span, self.game.measures.tables)

    def warm_up(self, listener: Listener) -> None:
        """Compile what is going to play."""
        if self.games_in_runs is not None:
            return
        with listener.compiling() as tell:
            warm_up(list({policy.name: policy for policy in self.policies}.values()), tell)

    @property
    def policies(self) -> list[Policy]:
        """The policies of all arms."""
        return [policy for arm in self.arms for policy in arm.setting.policies]


# --- divergence --------------------------------------------------------------------------------------------------------------------


def divergence(tables: Tables, other: Tables, players: int) -> Counter[int]:
    """How many games differ, by the first round that does."""
    games = len(tables["games"])
    kept = "rounds" in tables
    rounds = _differ_by_round(tables["rounds"], other["rounds"], games) if kept else np.zeros((games, 1), bool)
    ends = _differ(tables["seats"], other["seats"]).reshape(-1, players).any(axis=1)
    first = np.where(rounds.any(axis=1), rounds.argmax(axis=1) + 1, AT_THE_END)
    return Counter(first[rounds.any(axis=1) | ends].tolist())


def _differ(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Which rows hold other bytes: the win share of one player alone is no number, and equal to none."""
    as_bytes = f"V{left.dtype.itemsize}"
    return left.view(as_bytes) != right.view(as_bytes)


def _differ_by_round(left: np.ndarray, right: np.ndarray, games: int) -> np.ndarray:
    """Games x rounds; a round that only one of them has differs."""
    left, right = (rows.reshape(games, int(rows["round"].max()), -1) for rows in (left, right))
    common = min(left.shape[1], right.shape[1])
    differ = np.ones((games, max(left.shape[1], right.shape[1])), bool)
    differ[:, :common] = (left[:, :common] != right[:, :common]).any(axis=2)
    return differ


# --- many blocks -------------------------------------------------------------------------------------------------------------------


def steps(match: Match, blocks: int, step: int, jobs: int | None, earlier: Played | None = None) -> Iterator[Played]:
    """What `step` blocks after `step` blocks say, all those before included, up to `blocks`; `earlier` is what was played before."""
    workers = Workers.of(replace(match.arms[0].setting, policies=match.policies), jobs)
    so_far = [earlier] if earlier else []
    with workers.pool():
        for first in range(earlier.arms[0].count if earlier else 0, blocks, step):
            spans = spans_of(first, min(first + step, blocks), match.batch)
            so_far += joblib.Parallel()(joblib.delayed(match.play)(*span) for span in spans)
            so_far = [reduce(Played.__add__, so_far)]
            yield so_far[0]


def spans_of(first: int, end: int, batch: int) -> Iterator[tuple[int, int]]:
    """Batches of blocks: the first and how many."""
    return ((start, min(batch, end - start)) for start in range(first, end, batch))
