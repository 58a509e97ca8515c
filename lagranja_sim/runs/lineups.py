"""Who meets whom: line-ups of policies, and the games of a run that plays several of them on the same deals.

A run with line-ups plays them one after the other, each with as many games, so that block k of every line-up is the same deal. Its games
are numbered throughout: game g is game g - `first` of its line-up.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from lagranja_sim.play.driver import GameError, PolicyFailed
from lagranja_sim.policy import Policy

if TYPE_CHECKING:
    from lagranja_sim.runs.setting import Setting

Lineup = tuple[int, ...]
Play = Callable[..., dict[str, np.ndarray]]
TRIES = 20_000  # exchanges tried to even out a design


# --- the games of a run ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Span:
    """The games of a run that one line-up plays, and its policies, also as indices into the run's."""

    first: int
    games: int
    policies: list[Policy]
    indices: np.ndarray

    @classmethod
    def at(cls, setting: Setting, game: int) -> Span:
        """The line-up that plays a game; without line-ups the run's policies play all."""
        if not setting.lineups:
            return cls(0, 2**32, setting.policies, np.arange(len(setting.policies), dtype=np.int8))
        number = game // setting.games_a_lineup
        lineup = setting.lineups[number]
        policies = [setting.policies[index] for index in lineup]
        return cls(number * setting.games_a_lineup, setting.games_a_lineup, policies, np.array(lineup, np.int8))

    def renumber(self, tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Number the games and policies in the rows as in the run."""
        for rows in tables.values():
            rows["game"] += np.uint32(self.first)
            if "policy" in (rows.dtype.names or ()):
                rows["policy"] = self.indices[rows["policy"]]
        return tables


def play_span(play: Play, setting: Setting, first: int, count: int, tables: Sequence[str]) -> dict[str, np.ndarray]:
    """Games of a run by their numbers in it; `play` is `play_games`."""
    pieces, end = [], first + count
    while first < end:
        span = Span.at(setting, first)
        size = min(end, span.first + span.games) - first
        pieces.append(span.renumber(_play_games(play, setting, span, first - span.first, size, tables)))
        first += size
    return pieces[0] if len(pieces) == 1 else {table: np.concatenate([piece[table] for piece in pieces]) for table in tables}


def _play_games(play: Play, setting: Setting, span: Span, first: int, count: int, tables: Sequence[str]) -> dict[str, np.ndarray]:
    try:
        return play(setting.components, span.policies, setting.seed, first, count, tables)
    except (GameError, PolicyFailed) as error:
        if not setting.lineups:
            raise
        raise type(error)(f"{error} (of the line-up {', '.join(policy.name for policy in span.policies)})") from error


# --- designs ------------------------------------------------------------------------------------------------------------------------------


def design(policies: int, players: int, most: int, seed: int) -> list[Lineup]:
    """Line-ups in which every pair of policies meets as often, or nearly so if that would take more than `most` of them.

    All combinations if they are few enough, and always for two players; with no more policies than players each has as many seats, and who
    gets the seats left over are all combinations. Else a seeded random design in which every policy has as many seats.
    """
    copies, left = divmod(players, policies)
    if players == 2 or policies <= players or math.comb(policies, left) <= most:
        return [tuple(range(policies)) * copies + chosen for chosen in combinations(range(policies), left)]
    chances = random.Random(f"line-ups {seed}")
    designs = (random_design(policies, players, size, chances) for size in sizes(policies, players, most))
    return _first_even(designs, policies)


def _first_even(designs: Iterator[list[Lineup]], policies: int) -> list[Lineup]:
    """The first design in which all pairs meet equally often, else the first."""
    first = None
    for candidate in designs:
        first = first or candidate
        if is_even(meetings_of(candidate, policies)):
            return candidate
    return first or []


def sizes(policies: int, players: int, most: int) -> list[int]:
    """Numbers of line-ups to try, the largest first: every policy has as many seats and could meet all others, if possible as often."""
    step = policies // math.gcd(policies, players)
    least = -(-policies * (policies - 1) // (players * (players - 1)))
    possible = range(-(-least // step) * step, max(most, least + step) + 1, step)
    even = [size for size in possible if size * players * (players - 1) % (policies * (policies - 1)) == 0]
    return even[:-4:-1] or [possible[-1]]


def random_design(policies: int, players: int, size: int, chances: random.Random) -> list[Lineup]:
    """Shuffles all policies, again and again, into one row, and cuts it into line-ups; then exchanges even out who meets whom."""
    row = [policy for _ in range(-(-size * players // policies)) for policy in chances.sample(range(policies), policies)]
    lineups = [tuple(row[start : start + players]) for start in range(0, size * players, players)]
    meetings = meetings_of(lineups, policies)
    for _ in range(TRIES):
        if is_even(meetings):
            break
        exchange(lineups, meetings, chances)
    return lineups


def is_even(meetings: np.ndarray) -> bool:
    """Whether all pairs of different policies meet as often and nobody meets itself."""
    apart = meetings[~np.eye(len(meetings), dtype=bool)]
    return bool(apart.min() == apart.max()) and not meetings.diagonal().any()


def exchange(lineups: list[Lineup], meetings: np.ndarray, chances: random.Random) -> None:
    """Swap two policies of two line-ups unless that makes the meetings less even."""
    (here, there), (seat, other) = chances.sample(range(len(lineups)), 2), chances.choices(range(len(lineups[0])), k=2)
    first, second = lineups[here], lineups[there]
    new_first, new_second = (*first[:seat], second[other], *first[seat + 1 :]), (*second[:other], first[seat], *second[other + 1 :])
    changes = Counter([*combinations(new_first, 2), *combinations(new_second, 2)])
    changes.subtract([*combinations(first, 2), *combinations(second, 2)])
    change = np.zeros_like(meetings)
    for pair, times in changes.items():
        count_meeting(change, pair, times)
    if unevenness(meetings + change) <= unevenness(meetings):
        lineups[here], lineups[there] = new_first, new_second
        meetings += change


def unevenness(meetings: np.ndarray) -> int:
    """The sum of squares of all pairs' meetings, least when all meet as often; a policy that meets itself weighs far more."""
    return int((meetings * meetings).sum() + 1_000 * meetings.diagonal().sum())


def meetings_of(lineups: Sequence[Lineup], policies: int) -> np.ndarray:
    """In how many line-ups each policy meets each other, seat by seat."""
    meetings = np.zeros((policies, policies), np.int64)
    for lineup in lineups:
        for pair in combinations(lineup, 2):
            count_meeting(meetings, pair, 1)
    return meetings


def count_meeting(meetings: np.ndarray, pair: tuple[int, int], times: int) -> None:
    """Add meetings of both policies with each other, only once for a policy that meets itself."""
    policy, other = pair
    meetings[policy, other] += times
    if policy != other:
        meetings[other, policy] += times
