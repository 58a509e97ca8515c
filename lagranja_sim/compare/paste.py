"""The block of text to paste where a change is discussed: ten lines with everything that it takes to judge and to repeat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lagranja_sim import __version__
from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.interactions import interactions
from lagranja_sim.compare.retune import tuning_in_words
from lagranja_sim.compare.words import (
    change,
    decision,
    estimate,
    pairing,
    percent,
    rank_differences,
    shown_verdict,
    summary,
    test_of,
    together,
    value,
)
from lagranja_sim.wording import counted

ESTIMATES = 2  # of each arm


def block(comparison: Comparison) -> str:
    """Ten lines for two arms, and as many more as there are more arms."""
    return "\n".join(lines(comparison))


def lines(comparison: Comparison) -> Iterator[str]:
    rules = comparison.arms[0].facts()["hashes"]["rules"]
    yield f"lagranja compare: lagranja_sim {__version__}, rules {rules}"
    for arm in comparison.arms:
        yield arm_line(arm)
    rotations = f", each in all {comparison.players} rotations of the seats" if comparison.players > 1 else ""
    yield f"games: {comparison.games:,} an arm on {counted(comparison.deals, 'deal')}{rotations}; seed {comparison.arms[0].setting.seed}"
    for arm in comparison.arms[1:]:
        yield f"same deals, {arm.text}: {percent(comparison.diverged(arm))} of games differ; {pairing(comparison, arm)}"
    yield from estimates(comparison)
    yield from (f"interaction, {together(interaction)}" for interaction in interactions(comparison))
    yield f"test: {test_of(comparison)}"
    yield f"decision: {decision_line(comparison)}"
    yield f"command: {comparison.command}"


def arm_line(arm: Arm) -> str:
    """An arm with its hashes; equal policies are counted."""
    setting = arm.setting
    counts = Counter(arm.labels)
    hashes = {policy.name: policy.hash for policy in setting.policies}
    policies = ", ".join(f"{count} x {name} ({hashes[name]})" for name, count in counts.items())
    how = f"; {tuning_in_words(arm.retuned)}" if arm.retuned else ""
    return f"arm {arm.text}: components {setting.components.hash}; {policies}{how}"


def estimates(comparison: Comparison) -> Iterator[str]:
    """The largest differences of each arm; after a sequential test the estimate that allows for stopping, and the plain mean."""
    if comparison.stopped is not None:
        yield from after_stopping(comparison)
        return
    for arm in comparison.arms[1:]:
        for row in rank_differences(comparison, arm)[:ESTIMATES]:
            yield f"estimate, {arm.text}: {estimate(comparison, row)}: {shown_verdict(row, comparison.measure(row.measure))}"


def after_stopping(comparison: Comparison) -> Iterator[str]:
    stopped, row = comparison.stopped, comparison.differences[0]
    assert stopped is not None
    measure = comparison.measure(row.measure)
    unbiased = stopped.estimate()
    middle, low, high = (change(measure, number, row.error) for number in (unbiased.mean, unbiased.low, unbiased.high))
    ends = f"{value(measure, row.before, row.error)} to {value(measure, row.after, row.error)}"
    yield f"estimate, allowing for stopping: {middle} (95 % {low.removesuffix(' pp')} to {high.removesuffix(' pp')})"
    yield f"as it stood at the stop: {ends}, {change(measure, row.mean, row.error)}, which stopping makes too good"


def decision_line(comparison: Comparison) -> str:
    if comparison.stopped is None:
        return summary(comparison)
    return decision(comparison.stopped, comparison.measure(comparison.differences[0].measure), comparison.players)
