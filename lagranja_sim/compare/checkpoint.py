"""What an interrupted comparison saves to be continued: which call it belongs to, and the results of the blocks played so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.moments import Moments
from lagranja_sim.compare.paired import Played
from lagranja_sim.runs.provenance import called

if TYPE_CHECKING:
    from lagranja_sim.compare.comparison import Wish

SOURCES = (
    "compare/comparison.py",
    "compare/measures.py",
    "games/*/measures.py",
    "compare/moments.py",
    "compare/paired.py",
    "compare/retune.py",
    "contest/tune.py",
)
COUNTS = ("nonzero",)  # moments that are whole numbers


def call_of(arms: Sequence[Arm], wish: Wish) -> dict[str, Any]:
    """Everything that decides what a call plays: two calls that agree in it play the same."""
    return {"order": [arm.text for arm in arms], "arms": {arm.text: called(arm.setting, SOURCES) for arm in arms}, **asdict(wish)}


def as_plain(played: Played) -> dict[str, Any]:
    """What was played as plain lists and numbers for JSON, to the last digit."""
    return {
        "arms": [_moments(moments) for moments in played.arms],
        "differences": [_moments(moments) for moments in played.differences],
        "diverged": [list(counted.items()) for counted in played.diverged],
        "steps": [_moments(moments) for moments in played.steps],
    }


def from_plain(values: dict[str, Any]) -> Played:
    arms, differences, steps = ([_from_moments(moments) for moments in values[name]] for name in ("arms", "differences", "steps"))
    return Played(arms, differences, [Counter(dict(pairs)) for pairs in values["diverged"]], steps)


def _moments(moments: Moments) -> dict[str, Any]:
    return {name: value if isinstance(value, int) else value.tolist() for name, value in vars(moments).items()}


def _from_moments(values: dict[str, Any]) -> Moments:
    columns = {name: np.array(value, int if name in COUNTS else float) for name, value in values.items() if name != "count"}
    return Moments(values["count"], **columns)
