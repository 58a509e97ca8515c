"""A comparison as a plain object, for programs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.paste import block, decided
from lagranja_sim.compare.words import in_order, test_of


def record(found: Comparison) -> dict[str, Any]:
    """Everything that is shown, and the block to paste."""
    return {
        "players": found.players,
        "seed": found.arms[0].setting.seed,
        "games": found.games,
        "deals": found.deals,
        "arms": [arm.facts() for arm in found.arms],
        "luck": [luck(found, arm) for arm in found.arms[1:]],
        "differences": [plain({"words": found.measure(row.measure).words, **row.facts()}) for row in found.differences],
        "test": test_of(found),
        "sequential": sequential(found),
        "decision": decided(found),
        "block": block(found),
        "command": found.command,
        "seconds": round(found.seconds, 3),
    }


def luck(found: Comparison, arm: Arm) -> dict[str, Any]:
    """How many games differ and where first; round 0 is the final count."""
    diverged = found.played.diverged[found.arms.index(arm) - 1]
    first = {str(when): diverged[when] for when in in_order(diverged)}
    return {"arm": arm.text, "diverging": round(found.diverged(arm), 6), "first_in_round": first}


def sequential(found: Comparison) -> dict[str, Any] | None:
    stopped = found.stopped
    if stopped is None:
        return None
    estimate = stopped.estimate()
    left = 0.0 if stopped.decision != "undecided" else stopped.plan.blocks_left(stopped.ratio, stopped.blocks) * found.players
    figures = {
        "ratio": stopped.ratio,
        "estimate": estimate.mean,
        "estimate_low": estimate.low,
        "estimate_high": estimate.high,
        "games_left": left,
    }
    return {**asdict(stopped.plan), "bounds": stopped.plan.bounds, "decision": stopped.decision, **plain(figures)}


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """Numbers as JSON knows them: what cannot be said is null."""
    return {name: tidy(value) for name, value in values.items()}


def tidy(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
