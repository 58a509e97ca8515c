"""Better weights for a policy: CMA-ES (Hansen and Ostermeier 2001; package cma) over its weights, scaled to their bounds, on common deals.

In each generation all candidates play the same fresh deals against the same opponents, drawn from a pool, from every seat. A candidate's
fitness is its mean win share plus a thirtieth of its margin over the mean of the others, in points. Winning is what counts, but where
games are one-sided only the margin still tells candidates apart. Between equals, a point more wins about a thirtieth more of the games, so
neither outweighs the other. The result is the mean of the final distribution, as the best of the candidates would mostly be the luckiest.
Its strength is measured on deals that the search did not use.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import joblib
import numpy as np

from lagranja_sim.game import Components
from lagranja_sim.play.driver import play_games, warm_up
from lagranja_sim.policy import Policy, PolicyError, Weight, near
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import Pieces
from lagranja_sim.stats.blocks import estimate

GENERATIONS, DEALS, PLAYERS, SEED = 40, 50, 4, 1
HELD_OUT = 20  # times the deals of a generation
STEP, MOST_STEP = 0.2, 0.3  # of the range of a weight: how far candidates lie apart at first, and at most where nothing matters
MARGIN = 30.0  # points of margin that count as much as a game won
DIGITS = 4  # of a weight that is written
MEASURES = {"fitness": math.inf, "win_share": 1.0, "margin": math.inf}  # of a candidate, with the most they can be


# --- the weights as a cube --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cube:
    """The weights that are tuned, each from 0 at its lower bound to 1 at its upper one."""

    policy: Policy
    names: list[str]

    @classmethod
    def of(cls, policy: Policy, only: Sequence[str] = ()) -> Cube:
        """All weights whose bounds differ, or of these only some."""
        unknown = [name for name in only if name not in policy.bounds]
        if unknown:
            raise PolicyError(f"policy {policy.name} has no weight {unknown[0]!r}{near(unknown[0], policy.bounds)}")
        names = [name for name in dict.fromkeys(only or policy.bounds) if policy.bounds[name].low < policy.bounds[name].high]
        if not names:
            raise PolicyError(f"policy {policy.name} has no weights to tune")
        return cls(policy, names)

    def start(self) -> list[float]:
        return [(self.policy.weights[name] - bound.low) / (bound.high - bound.low) for name, bound in self._bounds()]

    def policy_at(self, place: Sequence[float]) -> Policy:
        """The policy with the weights at a place, rounded as in a weights file."""
        weights = {name: weight_at(bound, float(share)) for share, (name, bound) in zip(place, self._bounds(), strict=True)}
        return replace(self.policy, weights=self.policy.weights | weights)

    def _bounds(self) -> Iterator[tuple[str, Weight]]:
        return ((name, self.policy.bounds[name]) for name in self.names)


def weight_at(bound: Weight, share: float) -> float:
    """A weight by its share of the way from its lower bound to its upper one."""
    value = float(f"{bound.low + share * (bound.high - bound.low):.{DIGITS}g}")
    return min(max(value, bound.low), bound.high)


# --- games ------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meeting:
    """Consecutive deals on which a candidate meets the same opponents."""

    opponents: tuple[int, ...]  # indices into the pool
    first: int
    deals: int

    def cut(self, size: int) -> Iterator[Meeting]:
        """The same deals in pieces of at most this size."""
        for start in range(0, self.deals, size):
            yield replace(self, first=self.first + start, deals=min(size, self.deals - start))


def in_parts(meetings: Sequence[Meeting], deals: int) -> Iterator[list[Meeting]]:
    """The same deals in the same order, in parts of about `deals` each."""
    part: list[Meeting] = []
    for piece in (piece for meeting in meetings for piece in meeting.cut(deals)):
        part.append(piece)
        if sum(meeting.deals for meeting in part) >= deals:
            yield part
            part = []
    if part:
        yield part


@dataclass(frozen=True)
class Arena:
    """The games in which candidates are judged: components, opponents, number of players and seed."""

    components: Components
    pool: list[Policy]
    players: int
    seed: int

    def draw(self, purpose: str, number: int, deals: int) -> list[Meeting]:
        """Opponents for the deals of a generation: any of the pool in each seat; deals with the same opponents are put together."""
        chances = np.random.default_rng([self.seed_for(purpose), number])
        drawn = np.sort(chances.integers(len(self.pool), size=(deals, self.players - 1)), axis=1)
        lineups, counts = np.unique(drawn, axis=0, return_counts=True)
        firsts = number * deals + np.cumsum(counts) - counts
        rows = zip(lineups.tolist(), firsts.tolist(), counts.tolist(), strict=True)
        return [Meeting(tuple(lineup), first, count) for lineup, first, count in rows]

    def seed_for(self, purpose: str) -> int:
        """A seed of its own for each purpose: the search, the test after it and a run of the same seed play different deals."""
        return int.from_bytes(hashlib.sha256(f"{purpose} {self.seed}".encode()).digest()[:8], "big") >> 1

    def judge(self, policy: Policy, purpose: str, meetings: Sequence[Meeting]) -> np.ndarray:
        """Fitness, win share and margin on each deal, as means over all rotations of the seats."""
        return np.concatenate([self._meet(policy, self.seed_for(purpose), meeting) for meeting in meetings])

    def _meet(self, policy: Policy, seed: int, meeting: Meeting) -> np.ndarray:
        lineup, players = [policy, *(self.pool[index] for index in meeting.opponents)], self.players
        games = meeting.first * players, meeting.deals * players
        seats = play_games(self.components, lineup, seed, *games, ["seats"])["seats"]
        own = seats["policy"] == 0
        points, total = seats["vp"][own].astype(float), seats["vp"].astype(float).reshape(-1, players).sum(1)
        margin, share = points - (total - points) / (players - 1), seats["win_share"][own].astype(float)
        measures = np.column_stack([share + margin / MARGIN, share, margin])
        return measures.reshape(meeting.deals, players, len(MEASURES)).mean(1)


# --- the search -------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Search:
    """How long and how broadly to search."""

    generations: int
    population: int
    deals: int
    jobs: int

    @classmethod
    def of(cls, weights: int, generations: int | None, population: int | None, deals: int | None, jobs: int | None) -> Search:
        """With the usual size of a population for so many weights."""
        usual = 4 + int(3 * math.log(weights))
        return cls(generations or GENERATIONS, population or usual, deals or DEALS, jobs or joblib.cpu_count())

    def games(self, players: int) -> int:
        """All games of the search and of the test after it."""
        return (self.generations * self.population + 2 * HELD_OUT) * self.deals * players


def tune(cube: Cube, arena: Arena, search: Search, listener: Listener | None = None, pieces: Pieces | None = None) -> dict[str, Any]:
    """Search, then compare with the start on deals held out; `pieces` hold what an earlier, interrupted call finished."""
    listener, pieces = listener or Listener(), pieces or Pieces()
    with listener.compiling() as tell:
        warm_up([cube.policy, *arena.pool], tell)
    with joblib.parallel_config(backend="threading", n_jobs=search.jobs):
        place, history = _search(cube, arena, search, listener, pieces)
        tuned = cube.policy_at(place)
        held_out = _compare(cube.policy, tuned, arena, search, pieces)
    listener.progress(search.games(arena.players), search.games(arena.players))
    return {
        "start": cube.policy.weights,
        "weights": tuned.weights,
        "generations": search.generations,
        "population": search.population,
        "deals": search.deals,
        "held_out": held_out,
        "history": history,
    }


def _search(cube: Cube, arena: Arena, search: Search, listener: Listener, pieces: Pieces) -> tuple[Sequence[float], list[dict[str, float]]]:
    """The mean of the final distribution, and how the generations went.

    Generations that an earlier call played are fed to the strategy again, which brings it back to where it was."""
    strategy, history = _strategy(cube, arena.seed_for("candidates"), search.population), []
    generations_played: list[dict[str, Any]] = pieces.get("search") or []
    for generation in range(search.generations):
        places = strategy.ask()
        candidates = [cube.policy_at(place) for place in places]
        weights = [list(candidate.weights.values()) for candidate in candidates]
        if generation == len(generations_played) or generations_played[generation]["weights"] != weights:
            listener.progress(generation * search.population * search.deals * arena.players, search.games(arena.players))
            outcomes = _judge_all(arena, candidates, "search", arena.draw("search", generation, search.deals))
            generations_played[generation:] = [{"weights": weights, "fitness": [float(outcome[:, 0].mean()) for outcome in outcomes]}]
            pieces.put("search", generations_played, f"{generation + 1} of {search.generations} generations")
        fitness = generations_played[generation]["fitness"]
        strategy.tell(places, [-value for value in fitness])
        strategy.sigma *= min(1.0, MOST_STEP / float(np.max(strategy.stds)))
        history.append({"mean": round(float(np.mean(fitness)), 4), "best": round(max(fitness), 4), "step": round(float(strategy.sigma), 4)})
    return strategy.result.xfavorite, history


def _strategy(cube: Cube, seed: int, population: int) -> Any:
    """CMA-ES with a random generator of its own; it prints nothing and writes no files."""
    import cma  # it takes a second to import

    chances = np.random.default_rng(seed)
    options = {
        "bounds": [0, 1],
        "maxstd_boundrange": math.inf,
        "popsize": population,
        "seed": math.nan,
        "randn": lambda *shape: chances.standard_normal(shape),
    }
    return cma.CMAEvolutionStrategy(cube.start(), STEP, {**options, "verbose": -9, "verb_log": 0, "verb_disp": 0})


def _judge_all(arena: Arena, policies: Sequence[Policy], purpose: str, meetings: Sequence[Meeting]) -> list[np.ndarray]:
    """The outcomes of policies on the same meetings, in their order, by parallel workers."""
    return list(joblib.Parallel()(joblib.delayed(arena.judge)(policy, purpose, meetings) for policy in policies))


def _compare(start: Policy, tuned: Policy, arena: Arena, search: Search, pieces: Pieces) -> dict[str, Any]:
    """Both policies on the same fresh deals against the same opponents: estimates of each, and of the difference deal by deal."""
    deals = HELD_OUT * search.deals
    before, after = _test([start, tuned], arena, list(in_parts(arena.draw("test", 0, deals), search.deals)), pieces)
    comparison: dict[str, Any] = {"deals": deals}
    for column, (measure, most) in enumerate(MEASURES.items()):
        least = -math.inf if most == math.inf else 0.0
        estimates = [estimate(values[:, column], bounds=(least, most)).plain(digits=5) for values in (before, after)]
        difference = estimate(after[:, column] - before[:, column])
        comparison[measure] = {"start": estimates[0], "tuned": estimates[1], "difference": difference.plain(digits=5)}
    return comparison


def _test(policies: Sequence[Policy], arena: Arena, parts: Sequence[list[Meeting]], pieces: Pieces) -> Iterator[np.ndarray]:
    """The outcomes of each policy, part by part, beginning with those that an earlier call played with the same weights."""
    weights, before = [policy.weights for policy in policies], pieces.get("test")
    parts_played: list[Any] = before["played"] if before and before["weights"] == weights else []
    for number, part in enumerate(parts[len(parts_played) :], len(parts_played) + 1):
        parts_played.append([outcome.tolist() for outcome in _judge_all(arena, policies, "test", part)])
        words = f"all generations and {number} of {len(parts)} parts of the test after them"
        pieces.put("test", {"weights": weights, "played": parts_played}, words)
    return (np.concatenate([np.array(outcomes) for outcomes in parts_of_policy]) for parts_of_policy in zip(*parts_played, strict=True))
