"""Strengths of players from games of any number of them, ties included, with intervals over deals.

The model is Plackett's (The analysis of permutations, 1975) and Luce's: the order of finish comes about place by place, each time among
those left with odds exp(strength). Equals share a place: their likelihood is the mean of the log-likelihoods of the orders they could
stand in. The fit is Newton's method on the likelihood that Hunter gives (MM algorithms for generalized Bradley-Terry models, 2004). It is
done on counts, so that a thousand resamples take a second; the package choix fits the same model to single rankings without ties,
and finds the same strengths. Intervals are percentiles of a bootstrap over deals, since the games on one deal are not independent; as these are
too narrow where deals are few, they are expanded to what Student's t would take (Hesterberg, The American Statistician 69, 2015,
371-386), and below `FEW` deals there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from scipy.special import ndtr, softmax

from lagranja_sim.stats.blocks import ALIKE, FEW, LEVEL, Estimate, t_quantile, unseen

SPREAD = 10.0  # standard deviation of the prior of a strength: weak, but one who never wins stays finite
ELO = 400 / np.log(10)  # a rating's points for one unit of strength
MEAN_RATING = 1500.0


@dataclass(frozen=True)
class Comparisons:
    """How often each player was first of others, by deal: what the likelihood depends on."""

    firsts: np.ndarray  # deals x players
    groups: np.ndarray  # deals x groups: how often a choice was made among a group
    members: np.ndarray  # groups x players: how many seats each player has in a group


def compare(players: np.ndarray, ranks: np.ndarray, deals: np.ndarray, count: int) -> Comparisons:
    """Comparisons from games: for each game its seats' players (numbered below `count`), their ranks, and its deal (numbered from 0)."""
    order = np.lexsort((players, ranks), axis=1)
    finishes = np.hstack([np.take_along_axis(players, order, 1), np.take_along_axis(ranks, order, 1)])
    kinds, kind_of = np.unique(finishes, axis=0, return_inverse=True)
    times = np.zeros((int(deals.max()) + 1, len(kinds)))
    np.add.at(times, (deals, kind_of.ravel()), 1.0)
    seats = players.shape[1]
    choices = [(kind, *choice) for kind, row in enumerate(kinds.tolist()) for choice in _choices(row[:seats], row[seats:])]
    groups = {group: number for number, group in enumerate(dict.fromkeys(group for *_, group in choices))}
    firsts, chosen = np.zeros((len(kinds), count)), np.zeros((len(kinds), len(groups)))
    for kind, weight, first, group in choices:
        firsts[kind, first] += weight
        chosen[kind, groups[group]] += weight
    members = np.array([np.bincount(group, minlength=count) for group in groups], float)
    return Comparisons(times @ firsts, times @ chosen, members)


def _choices(players: Sequence[int], ranks: Sequence[int]) -> Iterator[tuple[float, int, tuple[int, ...]]]:
    """Who is first of which group in a game, place by place; of equals every order counts as much. One among copies of itself is no choice."""
    seats = range(len(players))
    orders = [order for order in permutations(seats) if all(ranks[seat] <= ranks[after] for seat, after in pairwise(order))]
    for order in orders:
        for place in seats[:-1]:
            group = tuple(sorted(players[seat] for seat in order[place:]))
            if group[0] != group[-1]:
                yield 1.0 / len(orders), players[order[place]], group


def strengths(firsts: np.ndarray, groups: np.ndarray, members: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """The most likely strengths, with mean 0, for these counts of firsts and groups."""
    strength = np.zeros(members.shape[1]) if start is None else start
    with np.errstate(divide="ignore"):
        seats = np.log(members)
    for _ in range(100):
        share = softmax(seats + strength, axis=1)
        expected = groups @ share
        slope = firsts - expected - strength / SPREAD**2
        bend = np.diag(expected + 1 / SPREAD**2) - share.T @ (groups[:, None] * share)
        step = np.linalg.solve(bend, slope)
        strength = strength + step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-9:
            break
    return strength - strength.mean()


def rate(compared: Comparisons, seed: int, resamples: int = 1_000, level: float = LEVEL) -> list[Estimate]:
    """The rating of each player: its strength on the scale of Elo ratings, whose mean over the players is 1500; 400 points more are odds of
    ten to one.

    Fewer than `FEW` deals have no interval (nan). It is open (nan) above for one who was always first, and below for one who was always
    last: only the prior holds these."""
    best, deals = strengths(compared.firsts.sum(0), compared.groups.sum(0), compared.members), len(compared.firsts)
    low = high = error = np.full(len(best), np.nan)
    if deals >= FEW:
        chances = np.random.default_rng([seed, 0x1ADD])
        drawn = chances.multinomial(deals, np.full(deals, 1 / deals), resamples)
        resampled = [strengths(weights @ compared.firsts, weights @ compared.groups, compared.members, best) for weights in drawn]
        beyond = share_beyond(deals, level)
        low, high = np.quantile(resampled, [beyond, 1 - beyond], axis=0)
        error = np.std(resampled, axis=0, ddof=1)
        alike = high - low < ALIKE
        low[alike] = high[alike] = error[alike] = np.nan  # all deals went alike, and resamples of them say nothing of others
        low, high = _with_open_ends(compared, low, high, level)
    figures = np.column_stack([*(MEAN_RATING + ELO * values for values in (best, low, high)), ELO * error]).tolist()
    return [Estimate(rating, least, most, spread, deals, level) for rating, least, most, spread in figures]


def share_beyond(deals: int, level: float) -> float:
    """The share of resamples on either side of an interval. The variance of resamples divides by n, not by n - 1."""
    return float(ndtr(-np.sqrt(deals / (deals - 1)) * t_quantile(deals, level)))


def _with_open_ends(compared: Comparisons, low: np.ndarray, high: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The intervals with open ends for players who were always or never first; resamples leave them where the prior holds them.

    One end is open. The other is the strength of a player who failed, or was first, in as many deals as may have been `unseen` by chance."""
    firsts, groups = compared.firsts.sum(0), compared.groups.sum(0)
    among = (groups[:, None] * (compared.members > 0)).sum(0)
    unseen_deals = len(compared.firsts) * float(unseen(len(compared.firsts), level))
    for player in np.flatnonzero((firsts == 0) | (firsts == among)):
        change = unseen_deals if firsts[player] == 0 else -unseen_deals
        others = np.where(np.arange(len(firsts)) == player, 0.0, among)
        changed = firsts - change * others / others.sum()
        changed[player] += change
        end = strengths(changed.clip(0.0), groups, compared.members)[player]
        low[player], high[player] = (np.nan, np.fmax(high[player], end)) if change > 0 else (np.fmin(low[player], end), np.nan)
    return low, high
