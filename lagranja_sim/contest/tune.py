"""Better weights for a policy: CMA-ES (Hansen and Ostermeier 2001; package cma) over its weights, scaled to their bounds, on common deals.

In each generation all candidates play the same fresh deals against the same opponents, drawn from a pool, from every seat. A candidate's
fitness is its mean win share plus a thirtieth of its margin over the mean of the others, in points. Winning is what counts, but tells
little where games are one-sided; the margin goes on telling, and among equals a point more wins about a thirtieth of the games more, so
neither drowns the other. What is proposed is the mean of the final distribution, for the best of the candidates would mostly be
the luckiest. Its strength is measured on deals that the search never met.
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
        """All weights that leave a choice, or those named."""
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
        """The policy with the weights of a place, as many digits as a file would hold."""
        found = {name: weight_at(bound, float(share)) for share, (name, bound) in zip(place, self._bounds(), strict=True)}
        return replace(self.policy, weights=self.policy.weights | found)

    def _bounds(self) -> Iterator[tuple[str, Weight]]:
        return ((name, self.policy.bounds[name]) for name in self.names)


def weight_at(bound: Weight, share: float) -> float:
    """A weight by its share of the way from its lower bound to its upper one."""
    value = float(f"{bound.low + share * (bound.high - bound.low):.{DIGITS}g}")
    return min(max(value, bound.low), bound.high)


# --- games ------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meeting:
    """Deals in a row on which a candidate meets the same opponents."""

    opponents: tuple[int, ...]  # indices into the pool
    first: int
    deals: int

    def cut(self, size: int) -> Iterator[Meeting]:
        """The same deals in pieces of so many at most."""
        for start in range(0, self.deals, size):
            yield replace(self, first=self.first + start, deals=min(size, self.deals - start))


def in_parts(meetings: Sequence[Meeting], deals: int) -> Iterator[list[Meeting]]:
    """The same deals in the same order, in parts of some `deals` each."""
    part: list[Meeting] = []
    for cut in (piece for meeting in meetings for piece in meeting.cut(deals)):
        part.append(cut)
        if sum(each.deals for each in part) >= deals:
            yield part
            part = []
    if part:
        yield part


@dataclass(frozen=True)
class Arena:
    """Where candidates are judged."""

    components: Components
    pool: list[Policy]
    players: int
    seed: int

    def draw(self, purpose: str, number: int, deals: int) -> list[Meeting]:
        """Opponents for the deals of a generation: each seat anyone of the pool; deals with the same opponents are put together."""
        chances = np.random.default_rng([self.seed_for(purpose), number])
        drawn = np.sort(chances.integers(len(self.pool), size=(deals, self.players - 1)), axis=1)
        lineups, counts = np.unique(drawn, axis=0, return_counts=True)
        firsts = number * deals + np.cumsum(counts) - counts
        rows = zip(lineups.tolist(), firsts.tolist(), counts.tolist(), strict=True)
        return [Meeting(tuple(lineup), first, count) for lineup, first, count in rows]

    def seed_for(self, purpose: str) -> int:
        """The search and the test after it, and any run of the same seed, meet different deals."""
        return int.from_bytes(hashlib.sha256(f"{purpose} {self.seed}".encode()).digest()[:8], "big") >> 1

    def judge(self, policy: Policy, purpose: str, meetings: Sequence[Meeting]) -> np.ndarray:
        """Each deal's mean over all rotations: fitness, win share, margin."""
        return np.concatenate([self._meet(policy, self.seed_for(purpose), meeting) for meeting in meetings])

    def _meet(self, policy: Policy, seed: int, meeting: Meeting) -> np.ndarray:
        lineup, players = [policy, *(self.pool[index] for index in meeting.opponents)], self.players
        games = meeting.first * players, meeting.deals * players
        seats = play_games(self.components, lineup, seed, *games, ["seats"])["seats"]
        own = seats["policy"] == 0
        points, total = seats["vp"][own].astype(float), seats["vp"].astype(float).reshape(-1, players).sum(1)
        margin, share = points - (total - points) / (players - 1), seats["win_share"][own].astype(float)
        each_game = np.column_stack([share + margin / MARGIN, share, margin])
        return each_game.reshape(meeting.deals, players, len(MEASURES)).mean(1)


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
    """Search, then compare with the start on deals held out; `pieces` were finished before."""
    listener, pieces = listener or Listener(), pieces or Pieces()
    with listener.compiling() as tell:
        warm_up([cube.policy, *arena.pool], tell)
    with joblib.parallel_config(backend="threading", n_jobs=search.jobs):
        place, history = _searched(cube, arena, search, listener, pieces)
        tuned = cube.policy_at(place)
        held_out = _held_out(cube.policy, tuned, arena, search, pieces)
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


def _searched(
    cube: Cube, arena: Arena, search: Search, listener: Listener, pieces: Pieces
) -> tuple[Sequence[float], list[dict[str, float]]]:
    """The mean of the final distribution, and how the generations went.

    Generations that were played before are told to the strategy again, which then stands where it stood."""
    strategy, history = _strategy(cube, arena.seed_for("candidates"), search.population), []
    played: list[dict[str, Any]] = pieces.get("search") or []
    for generation in range(search.generations):
        places = strategy.ask()
        candidates = [cube.policy_at(place) for place in places]
        weights = [list(candidate.weights.values()) for candidate in candidates]
        if generation == len(played) or played[generation]["weights"] != weights:
            listener.progress(generation * search.population * search.deals * arena.players, search.games(arena.players))
            found = _judged(arena, candidates, "search", arena.draw("search", generation, search.deals))
            played[generation:] = [{"weights": weights, "fitness": [float(outcome[:, 0].mean()) for outcome in found]}]
            pieces.put("search", played, f"{generation + 1} of {search.generations} generations")
        fitness = played[generation]["fitness"]
        strategy.tell(places, [-value for value in fitness])
        strategy.sigma *= min(1.0, MOST_STEP / float(np.max(strategy.stds)))
        history.append({"mean": round(float(np.mean(fitness)), 4), "best": round(max(fitness), 4), "step": round(float(strategy.sigma), 4)})
    return strategy.result.xfavorite, history


def _strategy(cube: Cube, seed: int, population: int) -> Any:
    """CMA-ES with chances of its own, silent and without files."""
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


def _judged(arena: Arena, policies: Sequence[Policy], purpose: str, meetings: Sequence[Meeting]) -> list[np.ndarray]:
    """The outcomes of policies on the same meetings, in their order, by parallel workers."""
    return list(joblib.Parallel()(joblib.delayed(arena.judge)(policy, purpose, meetings) for policy in policies))


def _held_out(start: Policy, tuned: Policy, arena: Arena, search: Search, pieces: Pieces) -> dict[str, Any]:
    """Both on the same fresh deals against the same opponents: each, and the difference deal by deal."""
    deals = HELD_OUT * search.deals
    before, after = _tested([start, tuned], arena, list(in_parts(arena.draw("test", 0, deals), search.deals)), pieces)
    found: dict[str, Any] = {"deals": deals}
    for column, (measure, most) in enumerate(MEASURES.items()):
        least = -math.inf if most == math.inf else 0.0
        own = [estimate(values[:, column], bounds=(least, most)).plain(digits=5) for values in (before, after)]
        apart = estimate(after[:, column] - before[:, column])
        found[measure] = {"start": own[0], "tuned": own[1], "difference": apart.plain(digits=5)}
    return found


def _tested(policies: Sequence[Policy], arena: Arena, parts: Sequence[list[Meeting]], pieces: Pieces) -> Iterator[np.ndarray]:
    """The outcomes of each policy, part by part, after those that were played before by the same policies."""
    weights, before = [policy.weights for policy in policies], pieces.get("test")
    played: list[Any] = before["played"] if before and before["weights"] == weights else []
    for number, part in enumerate(parts[len(played) :], len(played) + 1):
        played.append([outcome.tolist() for outcome in _judged(arena, policies, "test", part)])
        words = f"all generations and {number} of {len(parts)} parts of the test after them"
        pieces.put("test", {"weights": weights, "played": played}, words)
    return (np.concatenate([np.array(outcomes) for outcomes in own]) for own in zip(*played, strict=True))
