"""The strongest findings of all sections, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lagranja_sim.report.build import Built
from lagranja_sim.report.section import ReportData, Section, Takeaway, TooFew

TITLE = "Takeaways"
QUESTION = "What does this run say, and what could it not decide?"
ORDER = 0
NEEDS: list[str] = []
MIN_GAMES = 1

MOST, MOST_UNDECIDED = 10, 2
HOW = (
    "At most ten sentences: the strongest of each section first of all, then what is strongest of the rest; in the order of their "
    "strength, the size of a finding in half-widths of "
    "its 95 % interval. What stands last could not be decided with these games."
)


def build_last(data: ReportData, others: Sequence[Built]) -> Section:
    """Choose among what the other sections say."""
    found = [replace(takeaway, section=one.name) for one in others for takeaway in one.section.takeaways]
    if not found:
        raise TooFew("No section had enough data for a finding.")
    undecided = _few([takeaway for takeaway in found if takeaway.strength < 1], MOST_UNDECIDED)
    decided = _few([takeaway for takeaway in found if takeaway.strength >= 1], MOST - len(undecided))
    return Section(TITLE, QUESTION, takeaways=[*decided, *undecided], caveats=[HOW])


def _few(takeaways: list[Takeaway], most: int) -> list[Takeaway]:
    """The strongest of each section, then the strongest of the rest, as many as there is room for; strongest first."""
    ranked = sorted(takeaways, key=_strength, reverse=True)
    best = list({takeaway.section: takeaway for takeaway in reversed(ranked)}.values())
    rest = [takeaway for takeaway in ranked if takeaway not in best]
    return sorted([*sorted(best, key=_strength, reverse=True), *rest][:most], key=_strength, reverse=True)


def _strength(takeaway: Takeaway) -> float:
    return takeaway.strength
