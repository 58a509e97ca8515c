"""The strongest findings of all sections, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lagranja_sim.report.build import Built
from lagranja_sim.report.section import ReportData, Section, Takeaway, TooFew

TITLE = "Takeaways"
QUESTION = "What does this run say, and what could it not decide?"
ORDER = 0
NEEDS: list[str] = []
MIN_GAMES = 1

MOST, MOST_OF_A_SECTION, MOST_UNDECIDED = 10, 2, 3
HOW = (
    "At most ten sentences, the strongest first: strength is the size of a finding in half-widths of its 95 % interval; at most two of a "
    "section. The last ones could not be decided with these games."
)


def build_last(data: ReportData, others: Sequence[Built]) -> Section:
    """Choose among what the other sections say."""
    found = [replace(takeaway, section=one.name) for one in others for takeaway in one.section.takeaways]
    if not found:
        raise TooFew("No section had enough data for a finding.")
    ranked = sorted(found, key=lambda takeaway: -takeaway.strength)
    undecided = _few(ranked, MOST_UNDECIDED, lambda takeaway: takeaway.strength < 1)
    decided = _few(ranked, MOST - len(undecided), lambda takeaway: takeaway.strength >= 1)
    return Section(TITLE, QUESTION, takeaways=[*decided, *undecided], caveats=[HOW])


def _few(ranked: Iterable[Takeaway], most: int, belongs) -> list[Takeaway]:  # type: ignore[no-untyped-def]
    """The strongest that belong, but not too many of one section."""
    taken: Counter[str] = Counter()
    chosen = []
    for takeaway in filter(belongs, ranked):
        if taken[takeaway.section] < MOST_OF_A_SECTION and len(chosen) < most:
            taken[takeaway.section] += 1
            chosen.append(takeaway)
    return chosen
