"""How a comparison looks in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lagranja_sim.compare import grid
from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.crossings import HOW, crossings, sentences
from lagranja_sim.compare.differences import SAME, Difference
from lagranja_sim.compare.paste import block
from lagranja_sim.compare.response import Response
from lagranja_sim.compare.response import cells as cells_of_sweep
from lagranja_sim.compare.words import change, distance, factor, findings, interval, luck, pairing, rate, shown_verdict, test_of, value
from lagranja_sim.display import show, table
from lagranja_sim.wording import counted, too_few

RULE = "-" * 20
EQUALS = "all seats play one policy, so the games on a deal may be one game many times; intervals count deals, not games"
OF_A_TABLE = "fdr: the false discovery rate at which it counts as found; saved: how many times as many games independent seeds would take"
UNDECIDED = "undecided is not equal: the interval says how large a difference may still be"
COLUMNS = ["measure", "before", "after", "difference", "95 %", "z", "fdr", "saved", "verdict"]
CROSSED = "Where measures cross a line"
FIGURES = ["mean", "95 %", "difference", "95 %", "verdict"]


def show_outcome(outcome: Comparison | Response) -> None:
    show_comparison(outcome) if isinstance(outcome, Comparison) else show_sweep(outcome)


def show_comparison(comparison: Comparison) -> None:
    show(heading(comparison))
    for arm in comparison.arms[1:]:
        show("", f"{arm.text} against {comparison.arms[0].text}", f"  {luck(comparison, arm)}", f"  {pairing(comparison, arm)}")
        if comparison.stopped is None:
            show(*(f"  {line}" for line in findings(comparison, arm)))
            show_table(comparison, arm)
    show("", *remarks(comparison), "", RULE, block(comparison), RULE)


def show_sweep(response: Response) -> None:
    """How the game answers to each value, measure by measure."""
    comparison = response.comparison
    show(heading_of_sweep(response))
    for head, columns, rows in tables_of_sweep(response):
        show("", table(head, columns, rows))
    if found := crossings(response):
        show("", CROSSED, *(f"  {line}" for line in sentences(found)), HOW)
    pasted = [test_of(comparison)] if response.is_grid else ["", RULE, block(comparison), RULE]  # that of a grid is too long for a screen
    show("", *([grid.LEGEND] if response.is_grid else []), *notes(comparison), *pasted)


def tables_of_sweep(response: Response) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """A title, columns and rows for each measure that is shown."""
    for measure in response.shown():
        if response.is_grid:
            yield grid.title(measure), grid.columns(response), grid.rows(response, measure)
        else:
            yield measure.words, [response.sweeps[0].title, *FIGURES], cells_of_sweep(response, measure)


def heading_of_sweep(response: Response) -> str:
    swept = " and ".join(f"{sweep.title} ({', '.join(sweep.values)})" for sweep in response.sweeps)
    reference = response.reference
    return f"{swept}, against {response.label(reference)} ({who(reference)}): {size(response.comparison)}"


def heading(comparison: Comparison) -> str:
    return f"{', '.join(f'{arm.text} ({who(arm)})' for arm in comparison.arms)}: {size(comparison)}"


def size(comparison: Comparison) -> str:
    """How much was played."""
    games = f"{counted(comparison.games, 'game')} of {counted(comparison.players, 'player')} each, on the same {counted(comparison.deals, 'deal')}"
    return f"{games} ({comparison.seconds:.1f} s)"


def who(arm: Arm) -> str:
    return ", ".join(f"{count} x {name}" for name, count in Counter(arm.labels).items())


def show_table(comparison: Comparison, arm: Arm) -> None:
    rows = comparison.of_arm(arm)
    changed, same = [row for row in rows if row.verdict != SAME], [row.measure for row in rows if row.verdict == SAME]
    if changed:
        show("", table("Differences, the surest first", COLUMNS, (cells(comparison, row) for row in changed)))
    if same:
        show("", f"identical in every deal: {', '.join(same)}")


def cells(comparison: Comparison, row: Difference) -> list[str]:
    measure = comparison.measure(row.measure)
    ends = [value(measure, end, row.error) for end in (row.before, row.after)]
    apart = [change(measure, row.mean, row.error), interval(measure, row), distance(row.z), rate(row.q), factor(row.saving)]
    return [row.measure, *ends, *apart, shown_verdict(row, measure)]


def remarks(comparison: Comparison) -> list[str]:
    """What has to be known to read the tables of differences."""
    return [*([] if comparison.stopped else [OF_A_TABLE]), *notes(comparison)]


def notes(comparison: Comparison) -> list[str]:
    """What has to be known to judge the numbers."""
    lines = [] if comparison.stopped else [UNDECIDED]
    equals = comparison.players > 1 and all(len(set(arm.labels)) == 1 for arm in comparison.arms)
    lines += [EQUALS] if equals else []
    return [*lines, *too_few(comparison.deals, "deal")]
