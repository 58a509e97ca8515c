"""How a ladder looks in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from lagranja_sim.display import show, table
from lagranja_sim.stats.blocks import FEW
from lagranja_sim.wording import counted, too_few

NOTHING = 0.005  # means below this in every policy are left out
ABREAST = 10  # policies side by side


def show_ladder(results: dict[str, Any]) -> None:
    policies = results["policies"]
    size = f"{counted(results['lineups'], 'line-up')} on {counted(results['deals'], 'deal')}"
    counts = f"{counted(results['games'], 'game')} of {results['players']} players: {size}"
    show(f"ladder: {counts}, variant {results['variant']}, seed {results['seed']} ({results['seconds']:.1f} s)", "")
    show(table("Ratings", ["policy", "rating", "95 %", "win share", "95 %"], _rows(policies, _strength)))
    show("", table("Points", ["policy", "points", "95 %", "games", "us a game"], _rows(policies, _points)))
    columns = [range(first, min(first + ABREAST, len(policies))) for first in range(0, len(policies), ABREAST)]
    for numbers in columns:
        show("", table("Finished ahead, %", ["policy", *_heads(numbers)], _rows(policies, partial(_ahead, results, numbers))))
    for title, is_points in (("Points by source", True), ("Means of a seat", False)):
        for numbers in columns:
            show("", table(title, ["", *_heads(numbers)], _profiles(policies, numbers, is_points)))
    show("", *_remarks(results), f"written to {results['run']}")


def _heads(numbers: Iterable[int]) -> list[str]:
    return [str(number + 1) for number in numbers]


def _rows(policies: list[dict[str, Any]], cells: Callable[[dict[str, Any]], list[str]]) -> Iterable[list[str]]:
    """One row a policy, which the tables below call by its number."""
    return ([f"{number} {row['policy']}", *cells(row)] for number, row in enumerate(policies, 1))


def _strength(row: dict[str, Any]) -> list[str]:
    return [*_interval(row["rating"], 1, 0), *_interval(row["win_share"], 100, 1)]


def _points(row: dict[str, Any]) -> list[str]:
    return [*_interval(row["vp"], 1, 1), f"{row['games']:,}", f"{row['speed']['microseconds_a_game']:,.0f}"]


def _interval(estimate: dict[str, float | None], scale: int, digits: int) -> tuple[str, str]:
    mean, low, high = (None if value is None else f"{value * scale:.{digits}f}" for value in estimate.values())
    between = f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less" if high else "-"
    return mean or "-", between


def _ahead(results: dict[str, Any], numbers: Iterable[int], row: dict[str, Any]) -> list[str]:
    """How often a policy finished ahead of each of these."""
    others = (results["policies"][number]["policy"] for number in numbers)
    shares = (results["head_to_head"][row["policy"]].get(other, {}).get("mean") for other in others)
    return ["-" if share is None else f"{100 * share:.0f}" for share in shares]


def _profiles(policies: list[dict[str, Any]], numbers: range, is_points: bool) -> Iterable[list[str]]:
    """One row a measure; points start with `vp_`."""
    for name in policies[0]["profile"]:
        values = [row["profile"][name] for row in policies]
        if name.startswith("vp_") == is_points and max(map(abs, values)) >= NOTHING:
            title = name.removeprefix("vp_").replace("_", " ")
            yield [title, *(f"{values[number]:.{1 if is_points else 2}f}" for number in numbers)]


def _remarks(results: dict[str, Any]) -> list[str]:
    least, most = results["meetings"].values()
    often = counted(most, "time") if least == most else f"{least} to {counted(most, 'time')}"
    remarks = [
        f"rating: Plackett-Luce, mean 1500, 400 more are odds of ten to one; its interval: bootstrap over deals, from {FEW} deals on",
        "other intervals: Student's t over deals; win share in %: 100 for a win, ties share it",
        "finished ahead: row against column, ties count half; us a game: microseconds of four copies on one core",
        f"every two policies meet {often} on each deal, in all rotations of the seats each time",
    ]
    return [*remarks, *too_few(results["deals"], "deal")]
