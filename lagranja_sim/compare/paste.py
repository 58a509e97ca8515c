"""The block of text to paste where a change is discussed: ten lines with everything that it takes to judge and to repeat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lagranja_sim import __version__
from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.retune import told
from lagranja_sim.compare.words import change, decision, estimate, pairing, percent, ranked, shown_verdict, summary, test_of, value
from lagranja_sim.wording import counted

ESTIMATES = 2  # of each arm


def block(found: Comparison) -> str:
    """Ten lines for two arms, and as many more as there are more arms."""
    return "\n".join(lines(found))


def lines(found: Comparison) -> Iterator[str]:
    rules = found.arms[0].facts()["hashes"]["rules"]
    yield f"lagranja compare: lagranja_sim {__version__}, rules {rules}"
    for arm in found.arms:
        yield described(arm)
    seed = found.arms[0].setting.seed
    yield f"games: {found.games:,} an arm on {counted(found.deals, 'deal')}, each in all {found.players} rotations of the seats; seed {seed}"
    for arm in found.arms[1:]:
        yield f"same deals, {arm.text}: {percent(found.diverged(arm))} of games differ; {pairing(found, arm)}"
    yield from estimates(found)
    yield f"test: {test_of(found)}"
    yield f"decision: {decided(found)}"
    yield f"command: {found.command}"


def described(arm: Arm) -> str:
    """An arm with its hashes; equal policies are counted."""
    setting = arm.setting
    counts = Counter(arm.labels)
    hashes = {policy.name: policy.hash for policy in setting.policies}
    policies = ", ".join(f"{count} x {name} ({hashes[name]})" for name, count in counts.items())
    how = f"; {told(arm.retuned)}" if arm.retuned else ""
    return f"arm {arm.text}: components {setting.components.hash}; {policies}{how}"


def estimates(found: Comparison) -> Iterator[str]:
    """The largest differences of each arm; after a sequential test the estimate that allows for stopping, and the plain mean."""
    if found.stopped is not None:
        yield from after_stopping(found)
        return
    for arm in found.arms[1:]:
        for row in ranked(found, arm)[:ESTIMATES]:
            yield f"estimate, {arm.text}: {estimate(found, row)}: {shown_verdict(row, found.measure(row.measure))}"


def after_stopping(found: Comparison) -> Iterator[str]:
    stopped, row = found.stopped, found.differences[0]
    assert stopped is not None
    measure = found.measure(row.measure)
    middle, low, high = (change(measure, number, row.error) for number in stopped.estimate())
    ends = f"{value(measure, row.before, row.error)} to {value(measure, row.after, row.error)}"
    yield f"estimate, allowing for stopping: {middle} (95 % {low.removesuffix(' pp')} to {high.removesuffix(' pp')})"
    yield f"as it stood at the stop: {ends}, {change(measure, row.mean, row.error)}, which stopping makes too good"


def decided(found: Comparison) -> str:
    if found.stopped is None:
        return summary(found)
    return decision(found.stopped, found.measure(found.differences[0].measure), found.players)
