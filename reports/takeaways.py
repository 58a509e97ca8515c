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
    takeaways = [replace(takeaway, section=built.name) for built in others for takeaway in built.section.takeaways]
    if not takeaways:
        raise TooFew("No section had enough data for a finding.")
    undecided = _few([takeaway for takeaway in takeaways if takeaway.strength < 1], MOST_UNDECIDED)
    decided = _few([takeaway for takeaway in takeaways if takeaway.strength >= 1], MOST - len(undecided))
    return Section(TITLE, QUESTION, takeaways=[*decided, *undecided], caveats=[HOW])


def _few(takeaways: list[Takeaway], most: int) -> list[Takeaway]:
    """The strongest of each section, then the strongest of the rest, as many as there is room for; strongest first."""
    ranked = _strongest_first(takeaways)
    best = list({takeaway.section: takeaway for takeaway in reversed(ranked)}.values())
    rest = [takeaway for takeaway in ranked if takeaway not in best]
    return _strongest_first([*_strongest_first(best), *rest][:most])


def _strongest_first(takeaways: list[Takeaway]) -> list[Takeaway]:
    return sorted(takeaways, key=lambda takeaway: takeaway.strength, reverse=True)
