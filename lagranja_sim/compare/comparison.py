"""A comparison: what is asked, checked before anything is played; the play; and its results."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from lagranja_sim.compare.arms import Arm, Shared, load_arms
from lagranja_sim.compare.checkpoint import as_plain, from_plain
from lagranja_sim.compare.differences import Difference, difference, with_verdicts
from lagranja_sim.compare.measures import chosen
from lagranja_sim.compare.paired import Match, Played, steps
from lagranja_sim.compare.retune import check, retune
from lagranja_sim.compare.sequential import FIRST, STEP, UNDECIDED, Plan, Stopped
from lagranja_sim.compare.stored import is_run, load_runs
from lagranja_sim.game import Measure
from lagranja_sim.runs.experiment import MOST_GAMES, ExperimentError
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import Pieces
from lagranja_sim.stats.blocks import FEW, Estimate
from lagranja_sim.wording import rounded

USUAL = ("points", "margin", "lead_changes", "decisions", "win_share(seat1)", "win_share(last-first)")
PLAYED = "played"  # a piece
GROUP = 8  # batches of blocks between two reports of progress
GAMES, CAP = 20_000, 200_000  # of an arm: what is played, and the most that a test without an end of its own may take


class Line(NamedTuple):
    """A value that a measure may cross."""

    measure: str
    value: float


@dataclass(frozen=True)
class Wish:
    """How many games, of which measures, and what is to be decided."""

    games: int | None = None
    metrics: tuple[str, ...] = ()
    equivalent: float | None = None  # differences below this do not matter
    plan: Plan | None = None
    precision: float | None = None  # half the width of the interval that is wanted
    generations: int | None = None  # of tuning each arm first
    lines: tuple[Line, ...] = ()  # where it matters that a measure crosses them
    neighbours: tuple[tuple[int, int], ...] = ()  # arms, by their places, whose differences from each other are kept as well

    @classmethod
    def of(
        cls,
        games: int | None,
        metric: str | None,
        equivalent: float | None,
        plan: Plan | None,
        precision: float | None,
        generations: int | None = None,
    ) -> Wish:
        """Refuses options that contradict each other."""
        wish = cls(games, tuple(split_names(metric or "")), equivalent, plan, precision, generations)
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

    def blocks(self, players: int, games_in_runs: int | None = None) -> int:
        """How many blocks at most; a sequential test takes whole looks. Of finished runs no more than `games_in_runs`."""
        if games_in_runs is not None and (self.games or 0) > games_in_runs:
            raise ExperimentError([f"--games: the runs hold {games_in_runs} games, not {self.games}"])
        blocks = -(-(self.games or games_in_runs or (CAP if self.is_sequential else GAMES)) // players)
        if not self.is_sequential:
            return blocks
        if blocks < FIRST:
            raise ExperimentError([f"--games: the cap of a sequential test is at least {FIRST * players} games, where it first looks"])
        return blocks // STEP * STEP if games_in_runs is not None else -(-blocks // STEP) * STEP


def split_names(text: str) -> list[str]:
    """Names at commas outside of parentheses."""
    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]


# --- play --------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Arms that were played, the first of which the others are compared with."""

    arms: list[Arm]
    measures: list[Measure]
    shown: list[int]  # the places of the measures asked for; a sequential test looks at its own alone
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
        """How many games each arm played."""
        return self.deals * self.players

    @cached_property
    def differences(self) -> list[Difference]:
        """The largest first. False discoveries are controlled over all arms and measures together, apart from controls, which ask nothing."""
        bound = self.wish.equivalent
        bounds = {} if bound is None else dict.fromkeys(self.wish.metrics, bound)
        controls = {arm.text for arm in self.arms[1:] if arm.is_like(self.arms[0])}
        rows = list(self._estimates())
        judgements = (with_verdicts([row for row in rows if (row.arm in controls) is is_control], bounds) for is_control in (False, True))
        return [row for judgement in judgements for row in judgement]

    def of_arm(self, arm: Arm) -> list[Difference]:
        return [row for row in self.differences if row.arm == arm.text]

    def _estimates(self) -> Iterator[Difference]:
        first, *others = self.played.arms
        for arm, after, apart in zip(self.arms[1:], others, self.played.differences, strict=True):
            for at in self.shown:
                yield difference(arm.text, self.measures[at].name, at, first, after, apart)

    def measure(self, name: str) -> Measure:
        return next(measure for measure in self.measures if measure.name == name)

    def headline_measures(self) -> list[Measure]:
        """For charts: the measures asked for, else the usual ones; and those with a line."""
        names = [self.wish.plan.measure] if self.wish.plan else [*(self.wish.metrics or USUAL), *(line.measure for line in self.wish.lines)]
        return [measure for measure in self.measures if measure.name in names]

    def row(self, arm: Arm, measure: Measure) -> Difference | None:
        """The difference from the first arm, which has none from itself."""
        return next((row for row in self.of_arm(arm) if row.measure == measure.name), None)

    def level(self, arm: Arm, measure: Measure) -> Estimate:
        """The mean under an arm with its own interval, which allows for other deals; a few deals that agree have none (nan)."""
        level = self.played.arms[self.arms.index(arm)].estimate(self.measures.index(measure))
        return replace(level, low=math.nan, high=math.nan, error=math.nan) if level.error == 0 and level.blocks < FEW else level

    @cached_property
    def stopped(self) -> Stopped | None:
        """Where a sequential test ended."""
        return stopped_at(self.wish.plan, self.shown[0], self.played) if self.wish.plan else None

    def diverged(self, arm: Arm) -> float:
        """The share of games that are not the first arm's."""
        return self.played.diverged[self.arms.index(arm) - 1].total() / self.games


def stopped_at(plan: Plan, at: int, played: Played) -> Stopped:
    apart = played.differences[0]
    return Stopped(plan, apart.count, float(apart.mean[at]), float(apart.variance[at]))


def compare(texts: Sequence[str], shared: Shared, wish: Wish, jobs: int | None, command: str, listener: Listener) -> Comparison:
    """The arms that the texts stand for, compared."""
    return compare_arms(arms_of(texts, shared), wish, jobs, command, listener, Pieces())


def arms_of(texts: Sequence[str], shared: Shared) -> list[Arm]:
    """Finished runs, or arms to be played."""
    return load_runs(texts) if any(map(is_run, texts)) else load_arms(texts, shared)


def compare_arms(arms: list[Arm], wish: Wish, jobs: int | None, command: str, listener: Listener, pieces: Pieces) -> Comparison:
    """Check everything, then play until all games are played or the sequential test has ended; `pieces` were finished before."""
    began = time.monotonic() - (pieces.get(PLAYED) or {"seconds": 0.0})["seconds"]
    if wish.plan and len(arms) != 2:
        raise ExperimentError([f"--sprt compares two arms, not {len(arms)}"])
    blocks = wish.blocks(arms[0].setting.players, Match.of(arms).games_in_runs)
    if wish.generations:
        check(arms)
        arms = [retune(arm, wish.generations, jobs, listener, pieces.part(f"tuning for {arm.text}")) for arm in arms]
    match = Match.of(arms, wish.neighbours)
    _remarks(arms, wish, blocks * match.players, listener)
    match.warm_up(listener)
    measures = match.measures()
    shown = chosen(measures, [wish.plan.measure], "--sprt") if wish.plan else chosen(measures, wish.metrics)
    chosen(measures, [line.measure for line in wish.lines], "--line")  # a wrong name is refused before anything is played
    played = _play(match, End(blocks, wish, shown[0]), jobs, listener, pieces, began)
    return Comparison(arms, measures, shown, played, wish, command, time.monotonic() - began)


def _remarks(arms: Sequence[Arm], wish: Wish, games: int, listener: Listener) -> None:
    if wish.games and games != wish.games:
        reason = f"whole looks of {STEP} blocks" if wish.is_sequential else "whole blocks, one game for each rotation of the seats"
        listener.say(f"{rounded(wish.games, games)}: {reason}")
    for place, arm in enumerate(arms):
        if twin := next((other for other in arms[:place] if arm.is_like(other)), None):
            listener.say(f"{arm.text} changes nothing against {twin.text}: components, rules and policies are the same")


@dataclass(frozen=True)
class End:
    """When enough is played: after `blocks` blocks, or as soon as the sequential test of a measure (by its place) has ended."""

    blocks: int
    wish: Wish
    at: int

    def has_come(self, played: Played) -> bool:
        return self.wish.is_sequential and played.arms[0].count >= FIRST and has_ended(self.wish, self.at, played)


def _play(match: Match, end: End, jobs: int | None, listener: Listener, pieces: Pieces, began: float) -> Played:
    """Play all blocks, or as many as the sequential test takes, after those that were played before."""
    games, piece = end.blocks * match.players, pieces.get(PLAYED)
    weights = [policy.weights for policy in match.policies]  # which may be newly tuned
    earlier = from_plain(piece) if piece and piece["weights"] == weights else None
    listener.progress(earlier.arms[0].count * match.players if earlier else 0, games)
    later = steps(match, end.blocks, STEP if end.wish.is_sequential else GROUP * match.batch, jobs, earlier)
    for played in chain([earlier] if earlier else [], later):
        count = played.arms[0].count * match.players
        listener.progress(count, games)
        words = f"{count:,} of {games:,} games of each arm"
        pieces.put(PLAYED, {**as_plain(played), "weights": weights, "seconds": time.monotonic() - began}, words)
        if end.has_come(played):
            break
    return played


def has_ended(wish: Wish, at: int, played: Played) -> bool:
    """Whether the test has decided, or the interval is as narrow as wanted.

    Stopping at a width is the rule of Chow and Robbins (Annals of Mathematical Statistics 36, 1965, 457-462): it looks at the spread
    alone, not at the difference, so that the interval covers as often as stated, nearly so from a few hundred blocks on."""
    if wish.plan:
        return stopped_at(wish.plan, at, played).decision != UNDECIDED
    widest = max(moments.estimate(at).half for moments in played.differences)
    return widest <= (wish.precision or 0.0)
