"""How a comparison looks in a terminal."""

from __future__ import annotations

from collections import Counter

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.differences import SAME, Difference
from lagranja_sim.compare.paste import block
from lagranja_sim.compare.sweep import Response
from lagranja_sim.compare.sweep import cells as cells_of_sweep
from lagranja_sim.compare.words import change, distance, factor, findings, interval, luck, pairing, rate, shown_verdict, value
from lagranja_sim.display import show, table
from lagranja_sim.wording import counted, too_few

RULE = "-" * 20
EQUALS = ["all seats play one policy, so the games on a deal may be one game many times; intervals count deals, not games"]
COLUMNS = ["measure", "before", "after", "difference", "95 %", "z", "fdr", "saved", "verdict"]
FIGURES = ["mean", "95 %", "difference", "95 %", "verdict"]


def show_made(made: Comparison | Response) -> None:
    show_comparison(made) if isinstance(made, Comparison) else show_sweep(made)


def show_comparison(found: Comparison) -> None:
    show(heading(found))
    for arm in found.arms[1:]:
        show("", f"{arm.text} against {found.arms[0].text}", f"  {luck(found, arm)}", f"  {pairing(found, arm)}")
        if found.stopped is None:
            show(*(f"  {line}" for line in findings(found, arm)))
            show_table(found, arm)
    show("", *remarks(found), "", RULE, block(found), RULE)


def show_sweep(response: Response) -> None:
    """How the game answers to each value, measure by measure."""
    show(f"{response.sweep.key}: {heading(response.found)}")
    for measure in response.shown():
        show("", table(measure.words, [response.sweep.key, *FIGURES], cells_of_sweep(response, measure)))
    show("", *remarks(response.found), "", RULE, block(response.found), RULE)


def heading(found: Comparison) -> str:
    arms = ", ".join(f"{arm.text} ({who(arm)})" for arm in found.arms)
    size = f"{counted(found.games, 'game')} of {found.players} players each, on the same {counted(found.deals, 'deal')}"
    return f"{arms}: {size} ({found.seconds:.1f} s)"


def who(arm: Arm) -> str:
    return ", ".join(f"{count} x {name}" for name, count in Counter(arm.labels).items())


def show_table(found: Comparison, arm: Arm) -> None:
    rows = found.of_arm(arm)
    changed, same = [row for row in rows if row.verdict != SAME], [row.measure for row in rows if row.verdict == SAME]
    if changed:
        show("", table("Differences, the surest first", COLUMNS, (cells(found, row) for row in changed)))
    if same:
        show("", f"identical in every deal: {', '.join(same)}")


def cells(found: Comparison, row: Difference) -> list[str]:
    measure = found.measure(row.measure)
    ends = [value(measure, end, row.error) for end in (row.before, row.after)]
    apart = [change(measure, row.mean, row.error), interval(measure, row), distance(row.z), rate(row.q), factor(row.saving)]
    return [row.measure, *ends, *apart, shown_verdict(row, measure)]


def remarks(found: Comparison) -> list[str]:
    told = (
        []
        if found.stopped
        else [
            "fdr: the false discovery rate at which it counts as found; saved: how many times as many games independent seeds would take",
            "undecided is not equal: the interval says how large a difference may still be",
        ]
    )
    told += EQUALS if all(len(set(arm.labels)) == 1 for arm in found.arms) else []
    return [*told, *too_few(found.deals, "deal")]
