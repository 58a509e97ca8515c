"""A comparison as a plain object, for programs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.interactions import Interaction, interactions
from lagranja_sim.compare.paste import block, decision_line
from lagranja_sim.compare.words import in_order, test_of


def record(comparison: Comparison) -> dict[str, Any]:
    """Everything that is shown, and the block to paste."""
    return {
        "players": comparison.players,
        "seed": comparison.arms[0].setting.seed,
        "games": comparison.games,
        "deals": comparison.deals,
        "arms": [arm.facts() for arm in comparison.arms],
        "luck": [luck(comparison, arm) for arm in comparison.arms[1:]],
        "differences": [plain({"words": comparison.measure(row.measure).words, **row.facts()}) for row in comparison.differences],
        "interactions": [_interaction(each) for each in interactions(comparison)],
        "test": test_of(comparison),
        "sequential": sequential(comparison),
        "decision": decision_line(comparison),
        "block": block(comparison),
        "command": comparison.command,
        "seconds": round(comparison.seconds, 3),
    }


def _interaction(interaction: Interaction) -> dict[str, Any]:
    """What two changes do together beyond each alone."""
    estimate = interaction.estimate
    figures = plain({"mean": estimate.mean, "low": estimate.low, "high": estimate.high})
    return {"arms": [arm.text for arm in interaction.arms], "measure": interaction.measure.name, **figures}


def luck(comparison: Comparison, arm: Arm) -> dict[str, Any]:
    """How many games differ and where first; round 0 is the final count."""
    diverged = comparison.played.diverged[comparison.arms.index(arm) - 1]
    first = {str(when): diverged[when] for when in in_order(diverged)}
    return {"arm": arm.text, "diverging": round(comparison.diverged(arm), 6), "first_in_round": first}


def sequential(comparison: Comparison) -> dict[str, Any] | None:
    stopped = comparison.stopped
    if stopped is None:
        return None
    estimate = stopped.estimate()
    left = 0.0 if stopped.decision != "undecided" else stopped.plan.blocks_left(stopped.ratio, stopped.blocks) * comparison.players
    figures = {
        "ratio": stopped.ratio,
        "estimate": estimate.mean,
        "estimate_low": estimate.low,
        "estimate_high": estimate.high,
        "games_left": left,
    }
    return {**asdict(stopped.plan), "bounds": stopped.plan.bounds, "decision": stopped.decision, **plain(figures)}


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """Numbers as JSON knows them: what is unknown or infinite is null."""
    return {name: tidy(value) for name, value in values.items()}


def tidy(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
