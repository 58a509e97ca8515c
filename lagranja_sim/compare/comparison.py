"""A comparison: what is asked, checked before anything is played; the play; and what came of it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from lagranja_sim.compare.arms import Arm, Shared, load_arms
from lagranja_sim.compare.differences import Difference, difference, judged
from lagranja_sim.compare.measures import Measure, chosen
from lagranja_sim.compare.paired import BATCH, Match, Played, steps
from lagranja_sim.compare.sequential import FIRST, STEP, UNDECIDED, Plan, Stopped
from lagranja_sim.experiment import MOST_GAMES, ExperimentError
from lagranja_sim.simulate import Listener

GAMES, CAP = 20_000, 200_000  # of an arm: what is played, and the most that a test without an end of its own may take


@dataclass(frozen=True)
class Wish:
    """How many games, of which measures, and what is to be decided."""

    games: int | None = None
    metrics: tuple[str, ...] = ()
    equivalent: float | None = None  # differences below this do not matter
    plan: Plan | None = None
    precision: float | None = None  # half the width of the interval that is wanted

    @classmethod
    def of(cls, games: int | None, metric: str | None, equivalent: float | None, plan: Plan | None, precision: float | None) -> Wish:
        """Checked for what contradicts itself."""
        wish = cls(games, tuple(split_names(metric or "")), equivalent, plan, precision)
        problems = list(wish._problems())
        if problems:
            raise ExperimentError(problems)
        return wish

    def _problems(self) -> Iterator[str]:
        for name, value in (("--equivalent", self.equivalent), ("--precision", self.precision)):
            if value is not None and not 0 < value < float("inf"):
                yield f"{name}: must be above 0, not {value:g}"
            if value is not None and not self.metrics:
                yield f"{name} needs --metric: {value:g} means one thing for points and another for a share of wins"
        if self.precision is not None and len(self.metrics) > 1:
            yield "--precision takes a single --metric"
        if self.plan and (self.equivalent is not None or self.precision is not None or self.metrics):
            yield "--sprt names its measure and decides alone; leave out --metric, --equivalent and --precision"
        if self.games is not None and not 1 <= self.games <= MOST_GAMES:
            yield f"--games: must be from 1 to {MOST_GAMES}, not {self.games}"

    @property
    def is_sequential(self) -> bool:
        return self.plan is not None or self.precision is not None

    def blocks(self, players: int) -> int:
        """How many blocks at most; a sequential test takes whole looks."""
        blocks = -(-(self.games or (CAP if self.is_sequential else GAMES)) // players)
        if not self.is_sequential:
            return blocks
        if blocks < FIRST:
            raise ExperimentError([f"--games: the cap of a sequential test is at least {FIRST * players} games, where it first looks"])
        return -(-blocks // STEP) * STEP


def split_names(text: str) -> list[str]:
    """Names at commas outside of parentheses."""
    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]


# --- play --------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Arms that were played, the first of which the others are compared with."""

    arms: list[Arm]
    measures: list[Measure]
    played: Played
    wish: Wish
    command: str
    seconds: float

    @property
    def players(self) -> int:
        return self.arms[0].setting.players

    @property
    def deals(self) -> int:
        return self.played.arms[0].count

    @property
    def games(self) -> int:
        """Of each arm."""
        return self.deals * self.players

    @cached_property
    def shown(self) -> list[int]:
        """The places of the measures that are asked for; a sequential test looks at its own alone."""
        return chosen(self.measures, [self.wish.plan.measure] if self.wish.plan else self.wish.metrics)

    @cached_property
    def differences(self) -> list[tuple[Arm, list[Difference]]]:
        """By arm; false discoveries are controlled over all arms and measures together."""
        rows = [(arm, row) for number, arm in enumerate(self.arms[1:], 1) for row in self._raw(number)]
        bound = self.wish.equivalent
        bounds = {} if bound is None else dict.fromkeys(self.wish.metrics, bound)
        owner = {id(arm): [] for arm in self.arms[1:]}  # type: dict[int, list[Difference]]
        named = [Tagged(arm, row) for arm, row in rows]
        for tag, row in zip(*_judged(named, bounds), strict=True):
            owner[id(tag.arm)].append(row)
        return [(arm, owner[id(arm)]) for arm in self.arms[1:]]

    def _raw(self, number: int) -> Iterator[Difference]:
        sums = self.played.arms[0], self.played.arms[number], self.played.differences[number - 1]
        return (difference(self.measures[at].name, at, *sums) for at in self.shown)

    @property
    def stopped(self) -> Stopped | None:
        """Where a sequential test ended."""
        plan = self.wish.plan
        return stopped_at(plan, self.shown[0], self.played) if plan else None
