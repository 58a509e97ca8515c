"""Numbers and findings in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.differences import DIFFERENT, EQUIVALENT, SAME, UNDECIDED, Difference
from lagranja_sim.compare.paired import AT_THE_END
from lagranja_sim.compare.sequential import HIGH, LOW, Stopped
from lagranja_sim.game import Measure
from lagranja_sim.spelling import listing

SENTENCES = 6  # findings put into words
HEADLINES = ("points", "win_share(seat1)")  # shown for every change: the scale of the game, and its fairness


# --- numbers -----------------------------------------------------------------------------------------------------------------------


def digits(error: float) -> int:
    """The number of decimals that shows one or two figures of the error."""
    return min(max(0, 1 - math.floor(math.log10(error))), 5) if 0 < error < math.inf else 2


def scale(measure: Measure) -> float:
    return 100.0 if measure.is_share else 1.0


def value(measure: Measure, number: float, error: float) -> str:
    """`27.13 %` or `61.2`."""
    if math.isnan(number):
        return "-"
    text = f"{number * scale(measure):.{digits(error * scale(measure))}f}"
    return f"{text} %" if measure.is_share else text


def change(measure: Measure, number: float, error: float) -> str:
    """A difference with its sign; shares differ by points of percentage."""
    if math.isnan(number):
        return "-"
    text = f"{number * scale(measure):+z.{digits(error * scale(measure))}f}"
    return f"{text} pp" if measure.is_share else text


def interval(measure: Measure, row: Difference) -> str:
    low, high = (change(measure, end, row.error).removesuffix(" pp") for end in (row.low, row.high))
    return "-" if low == "-" else f"{low} to {high}"


def distance(errors: float) -> str:
    """A difference in standard errors, which a single deal does not have."""
    return "-" if math.isnan(errors) else f"{errors:+.1f}"


def rate(number: float) -> str:
    """A probability, not shown smaller than anybody believes it."""
    return "-" if math.isnan(number) else "<0.0001" if number < 0.0001 else f"{number:.4f}"


def factor(number: float) -> str:
    return "-" if not math.isfinite(number) else f"{number:.1f}"


def shown_verdict(row: Difference, measure: Measure) -> str:
    if row.verdict != EQUIVALENT:
        return row.verdict
    return f"equivalent within {within(measure, row.bound or 0.0)}"


def within(measure: Measure, bound: float) -> str:
    return f"{bound * scale(measure):g}{' pp' if measure.is_share else ''}"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


# --- sentences ---------------------------------------------------------------------------------------------------------------------


def estimate(comparison: Comparison, row: Difference) -> str:
    """`points of a player: 61.20 to 62.00, +0.80 (95 % +0.71 to +0.89)`."""
    measure = comparison.measure(row.measure)
    ends = f"{value(measure, row.before, row.error)} to {value(measure, row.after, row.error)}"
    return f"{measure.words}: {ends}, {change(measure, row.mean, row.error)} (95 % {interval(measure, row)})"


def rank_differences(comparison: Comparison, arm: Arm) -> list[Difference]:
    """What differs anywhere: the headlines first, unless certain measures are asked for; then the surest."""
    rows = [row for row in comparison.of_arm(arm) if row.verdict != SAME]
    headlines = () if comparison.wish.metrics else HEADLINES
    return sorted(rows, key=lambda row: headlines.index(row.measure) if row.measure in headlines else len(headlines))


def findings(comparison: Comparison, arm: Arm) -> list[str]:
    """The headlines and the surest differences in sentences."""
    rows = rank_differences(comparison, arm)
    strongest = [row for row in rows if row.verdict != UNDECIDED or row.measure in HEADLINES][:SENTENCES]
    sentences = [f"{estimate(comparison, row)}: {shown_verdict(row, comparison.measure(row.measure))}" for row in strongest]
    return sentences or nothing_found(rows)


def nothing_found(rows: Sequence[Difference]) -> list[str]:
    """That no difference was found is not that there is none."""
    return ["undecided: no difference can be told from luck yet; the intervals say how large one may still be"] if rows else []


def luck(comparison: Comparison, arm: Arm) -> str:
    """How many games the change reaches, when, and what playing the same deals saves."""
    first, diverged = comparison.arms[0].text, comparison.played.diverged[comparison.arms.index(arm) - 1]
    if not diverged:
        return f"every game is the same as under {first}, in every table{unmet(comparison, arm)}"
    parts = [f"{place(when)} {percent(diverged[when] / comparison.games)}" for when in in_order(diverged)]
    return f"{percent(comparison.diverged(arm))} of games differ from those under {first}, first {', '.join(parts)}"


def unmet(comparison: Comparison, arm: Arm) -> str:
    """That what an arm changes never mattered, by address."""
    changes = [key for key in arm.recipe.overrides if key not in comparison.arms[0].recipe.overrides]
    return f": {listing(changes, 'and')} never mattered" if changes else ""


def place(when: int) -> str:
    return "in the final count" if when == AT_THE_END else f"in round {when}"


def in_order(rounds: Sequence[int] | dict[int, int]) -> list[int]:
    """Rounds as they come, the final count last."""
    return sorted(rounds, key=lambda when: (when == AT_THE_END, when))


def pairing(comparison: Comparison, arm: Arm) -> str:
    """What the same deals saved: of the first measure asked for."""
    row = next(row for row in comparison.of_arm(arm) if row.measure == comparison.measures[comparison.shown[0]].name)
    words = comparison.measure(row.measure).words
    if row.identical:
        return f"{words}: the same in every deal"
    if not (math.isfinite(row.correlation) and math.isfinite(row.saving)):
        return f"{words}: {'deals too much alike' if comparison.deals > 1 else 'a single deal is too few'} for a correlation within pairs"
    return f"{words}: correlation within pairs {row.correlation:.3f}; independent seeds would take {row.saving:.1f} times as many games"


def summary(comparison: Comparison) -> str:
    """How many measures came out how."""
    bound = comparison.wish.equivalent
    names = {DIFFERENT: "different", EQUIVALENT: f"equivalent within {bound}", UNDECIDED: "undecided", SAME: "identical in every deal"}
    counts = {verdict: sum(row.verdict == verdict for row in comparison.differences) for verdict in names}
    return ", ".join(f"{count} {names[verdict]}" for verdict, count in counts.items() if count)


# --- sequential tests --------------------------------------------------------------------------------------------------------------


def decision(stopped: Stopped, measure: Measure, players: int) -> str:
    plan = stopped.plan
    low, high = (f"{end * scale(measure):+g}{' pp' if measure.is_share else ''}" for end in (plan.low, plan.high))
    if stopped.decision == HIGH:
        return f"{measure.words}: {high} or more, rather than {low} or less"
    if stopped.decision == LOW:
        return f"{measure.words}: {low} or less, rather than {high} or more"
    left = stopped.plan.blocks_left(stopped.ratio, stopped.blocks) * players
    more = f"at this pace {left:,.0f} more games would decide" if math.isfinite(left) else "it goes neither way"
    return f"{measure.words}: undecided at the cap; {more}"


def test_of(comparison: Comparison) -> str:
    """What kind of test it is."""
    if comparison.stopped is None:
        kind = "paired t over deals, two-sided; false discovery rate 5 % over all measures (Benjamini-Hochberg)"
        bound = "; equivalence by two one-sided tests at 5 %" if comparison.wish.equivalent is not None else ""
        return f"{kind}{bound}"
    plan = comparison.stopped.plan
    low, high = plan.bounds
    kind = f"GSPRT {plan.low:g} vs {plan.high:g}, alpha {plan.alpha:g}, beta {plan.beta:g}"
    return f"{kind}: log-likelihood ratio {comparison.stopped.ratio:.2f} (bounds {low:.2f}, {high:.2f})"
