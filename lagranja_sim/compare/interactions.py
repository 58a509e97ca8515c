"""Interactions: what two changes do together beyond what each does alone, on the same deals.

For arms A, B and A+B against the first arm it is (A+B) - A - B + first, block by block. At 0 the effects add up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from lagranja_sim.compare.arms import Arm
from lagranja_sim.game import Measure
from lagranja_sim.stats.blocks import Estimate

if TYPE_CHECKING:
    from lagranja_sim.compare.comparison import Comparison


class Pair(NamedTuple):
    """Two arms whose changes a third one makes together, by their places among the arms."""

    one: int
    other: int
    together: int


class Interaction(NamedTuple):
    """The interaction of two arms in a measure."""

    arms: tuple[Arm, Arm]
    measure: Measure
    estimate: Estimate


def pairs(arms: Sequence[Arm]) -> list[Pair]:
    """All pairs of arms that change different values, and whose changes are together those of another arm."""
    changes = [_changes(arm, arms[0]) for arm in arms]
    places = {frozenset(change.items()): place for place, change in enumerate(changes) if change}
    together = {
        (one, other): changes[one] | changes[other] for one, other in combinations(range(len(arms)), 2) if _differ(changes, one, other)
    }
    return [Pair(*pair, places[both]) for pair, change in together.items() if (both := frozenset(change.items())) in places]


def _differ(changes: Sequence[dict[str, str]], one: int, other: int) -> bool:
    """Whether both change something, and nothing that the other does."""
    return bool(changes[one] and changes[other]) and changes[one].keys().isdisjoint(changes[other])


def _changes(arm: Arm, first: Arm) -> dict[str, str]:
    """What an arm changes against the first by address; nothing where it differs in more than single values."""
    mine, its = arm.recipe, first.recipe
    same = (mine.game, mine.policies, mine.variant, mine.components) == (its.game, its.policies, its.variant, its.components)
    if not same or arm.run or arm.retuned or any(mine.overrides.get(key) != value for key, value in its.overrides.items()):
        return {}
    return {key: json.dumps(value) for key, value in mine.overrides.items() if key not in its.overrides}


def interactions(comparison: Comparison) -> Iterator[Interaction]:
    """Every interaction of the comparison in its headline measures."""
    for pair, moments in zip(pairs(comparison.arms), comparison.played.interactions, strict=True):
        arms = comparison.arms[pair.one], comparison.arms[pair.other]
        for measure in comparison.headline_measures():
            yield Interaction(arms, measure, moments.estimate(comparison.measures.index(measure)))
