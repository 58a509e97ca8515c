"""What if players adapt? Each arm's policy is tuned under that arm's rules before it plays, every arm with the same effort.

A change of the rules that is judged by play which does not know it looks worse, or milder, than it is. The search starts from the weights at
hand and plays against them (see `tune`); what it proposes plays in all seats, unless it did worse on deals held out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lagranja_sim.compare.arms import Arm
from lagranja_sim.contest.tune import Arena, Cube, Search, tune
from lagranja_sim.policy import Policy
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import Pieces
from lagranja_sim.wording import counted


@dataclass(frozen=True)
class Retuned:
    """What the search for an arm found; `gain` is in shares of games won, on deals held out."""

    generations: int
    weights: dict[str, float]
    gain: dict[str, Any]
    kept: bool  # whether the new weights play

    def facts(self) -> dict[str, Any]:
        return {"generations": self.generations, "weights": self.weights, "gain": self.gain, "kept": self.kept}


def check(arms: Sequence[Arm]) -> None:
    """Only an arm in whose seats one policy plays can be tuned."""
    for arm in arms:
        if arm.run:
            raise ExperimentError([f"--retune: {arm.text} is a finished run"])
        if len(set(arm.labels)) > 1:
            raise ExperimentError([f"--retune: {arm.text} has several policies; one has to play in all seats"])
        Cube.of(arm.setting.policies[0])  # refuses a policy without weights


def retune(arm: Arm, generations: int, jobs: int | None, listener: Listener, pieces: Pieces) -> Arm:
    """The arm with weights that suit its rules; `pieces` of the search were finished before."""
    setting, policy = arm.setting, arm.setting.policies[0]
    listener.say(f"{arm.text}: tuning {policy.name}")
    cube = Cube.of(policy)
    arena = Arena(setting.components, [policy], setting.players, setting.seed)
    search_result = tune(cube, arena, Search.of(len(cube.names), generations, None, None, jobs), pieces=pieces)
    gain = search_result["held_out"]["win_share"]["difference"]
    is_better = (gain["mean"] or 0.0) > 0
    retuned = Retuned(generations, search_result["weights"], gain, is_better)
    listener.say(f"{arm.text}: {tuning_in_words(retuned)}")
    best = with_weights(policy, retuned) if is_better else policy
    return replace(arm, setting=replace(setting, policies=[best] * setting.players), retuned=retuned)


def with_weights(policy: Policy, retuned: Retuned) -> Policy:
    """The policy under its own name, with a hash that tells it from the one it came from."""
    digest = hashlib.sha256((policy.texts + json.dumps(retuned.weights, sort_keys=True)).encode()).hexdigest()
    return replace(policy, weights=retuned.weights, texts=digest)


def tuning_in_words(retuned: Retuned) -> str:
    """How much tuning brought, in wins of the tuned among the untuned; where it brought nothing, the old weights play."""
    mean, low, high = (f"{100 * (retuned.gain[key] or 0.0):+.1f}" for key in ("mean", "low", "high"))
    used = "" if retuned.kept else "; the old weights play"
    return f"tuned for {counted(retuned.generations, 'generation')}: wins {mean} pp (95 % {low} to {high}){used}"
