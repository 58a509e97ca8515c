"""Where the measures of a sweep cross a line, in words, in the record and on the page."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import call

from lagranja_sim.compare.comparison import Line
from lagranja_sim.compare.crossings import BEYOND, NONE, ONE, POSSIBLE, SEVERAL, UNKNOWN, Crossed, parse_lines, record, sentence
from lagranja_sim.game import Measure
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.stats.blocks import t_quantile
from lagranja_sim.stats.crossings import Curve

SHARE, POINTS = Measure("win_share(seat1)", "wins of the start player", True, 0.25), Measure("points", "points of a player")
HALF = 1 / float(t_quantile(100))  # the error whose interval reaches 1 to either side

NEAR = "where the means come near and do not cross"


def crossed(means: Sequence[float], line: float, error: float = 0.0, measure: Measure = POINTS) -> Crossed:
    """Means at 1, 2, ... of 100 blocks, all with the same error, which neighbours share."""
    places = np.arange(1.0, len(means) + 1)
    variances, steps = np.full(len(means), error**2), np.zeros(len(means) - 1)
    return Crossed(measure, line, Curve(places, np.array(means, float), variances, steps, 100), tuple("12345"[: len(means)]))


@pytest.mark.parametrize(
    ("means", "error", "verdict", "words"),
    [
        ((0, 10, 20), HALF, ONE, "between 1 and 2, at 1.50 (95 % 1.40 to 1.60)"),
        ((0, 5, 20), HALF, ONE, "at 2.00 (95 % 1.80 to 2.07)"),
        ((0, 10, 0), HALF, SEVERAL, "between 1 and 2, at 1.50 (95 % 1.40 to 1.60); between 2 and 3, at 2.50 (95 % 2.40 to 2.60)"),
        ((0, 5.5, 5.5), HALF, POSSIBLE, "between 1 and 2, at 1.9 (95 % 1.7 to 3 or more)"),
        ((4.5, 20, 4.5), HALF, POSSIBLE, "between 1 and 2, at 1.032 (95 % 1 or less to 1.097); between 2 and 3, at 2.968 (95 % 2.903 to 3 or more)"),
        ((0, 4.5, 0), HALF, POSSIBLE, f"from 1.89 to 2.11 (95 %), {NEAR}"),
        ((4.5, 5.5, 4.5), HALF, POSSIBLE, "it cannot be told from the line anywhere from 1 to 3"),
        ((4.5, 0, 10), HALF, ONE, f"perhaps from 1 or less to 1.11 (95 %), {NEAR}; between 2 and 3, at 2.50 (95 % 2.40 to 2.60)"),
        ((0, 1, 2), HALF, BEYOND, "below it from 1 to 3, nearest at 3 (2.00); coming nearer towards 3"),
        ((9, 7, 9), HALF, NONE, "above it from 1 to 3, nearest at 2 (7.00)"),
        ((0, 10, 20), np.nan, UNKNOWN, "at 1.5, of unknown precision"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_line_at_5(means: Sequence[float], error: float, verdict: str, words: str) -> None:
    found = crossed(means, 5, error)
    assert found.verdict == verdict
    assert sentence(found) == f"points of a player, 5: {verdict}; {words}"


def test_shares_are_told_in_percent() -> None:
    said = sentence(crossed((0.2, 0.3), 0.25, 0.01, SHARE))
    assert said.startswith("wins of the start player, 25 %: one crossing; between 1 and 2, at 1.5")


def test_the_record_says_which_ends_are_open() -> None:
    found = record(crossed((0, 5.5, 5.5), 5, HALF))
    assert (found["measure"], found["line"], found["verdict"], found["at"]) == ("points", 5, POSSIBLE, [1.90909])
    assert found["intervals"] == [{"low": 1.72727, "high": 3, "open": [False, True]}]


# --- lines that are asked for --------------------------------------------------------------------------------------------------------


def test_lines_are_read() -> None:
    assert parse_lines(["points=61.5", "win_share(greedy:share=1)=0.3"]) == (Line("points", 61.5), Line("win_share(greedy:share=1)", 0.3))


@pytest.mark.parametrize("text", ["points", "points=", "=3", "points=many", "points=nan", "points=inf"])
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(ExperimentError, match="is no line; expected MEASURE=NUMBER"):
        parse_lines([text])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("prices.sell.pig=4", "--line", "points=60"), "--line needs one --sweep over numbers"),
        (("--sweep", "policy=greedy,random", "--line", "points=60"), "--line needs one --sweep over numbers"),
        (("--sweep", "prices.sell.pig=2,3", "--sweep", "market.removal_vp=0,1", "--line", "points=60"), "--line needs one --sweep"),
        (
            ("--sweep", "prices.sell.pig=2,3", "--line", "pionts=60", "--policies", "greedy"),
            "--line: no measure is called 'pionts' (did you mean points?)",
        ),
    ],
)
def test_lines_without_a_sweep_of_numbers_are_refused(capsys: Any, arguments: tuple[str, ...], reason: str) -> None:
    done = call(capsys, "compare", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err


# --- the command ---------------------------------------------------------------------------------------------------------------------

SWEEP = ("compare", "--sweep", "prices.sell.pig=6,1,3", "--policies", "greedy", "--games", "400")


def test_a_sweep_over_numbers_says_where_measures_cross(capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = call(capsys, *SWEEP, "--line", "points=36", "--out", out)
    assert (done.code, done.err) == (0, "")
    assert "Where measures cross a line\n  points of a player, 36: " in done.out
    sweep = json.loads((out / "comparison.json").read_text())["sweep"]
    assert [row["value"] for row in sweep["responses"][:3]] == ["6", "1", "3"]
    lines = {(row["measure"], row["line"]) for row in sweep["crossings"]}
    shares = {(f"win_share(seat{place})", 0.25) for place in (1, 2, 3, 4)}
    assert lines == {("points", 36), ("win_share(last-first)", 0), *shares}
    means = {row["value"]: row["mean"] for row in sweep["responses"] if row["measure"] == "points"}
    (points,) = [row for row in sweep["crossings"] if row["measure"] == "points"]
    places, levels = (1, 3, 6), [means["1"], means["3"], means["6"]]
    for place in points["at"]:
        assert np.interp(place, places, levels) == pytest.approx(36, abs=1e-4)
        assert any(piece["low"] <= place <= piece["high"] for piece in points["intervals"])
    page = (out / "comparison.html").read_text()
    assert "Where measures cross a line" in page
    assert all(row["words"] in page for row in sweep["crossings"])


def test_only_what_is_asked_for_is_crossed(capsys: Any) -> None:
    done = call(
        capsys, *SWEEP, "--metric", "win_share(seat1)", "--line", "win_share(seat1)=0.2", "--line", "win_share(seat1)=0.3", "--json"
    )
    crossings = json.loads(done.out)["sweep"]["crossings"]
    assert [(row["measure"], row["line"]) for row in crossings] == [("win_share(seat1)", 0.2), ("win_share(seat1)", 0.3)]


def test_a_sweep_over_texts_crosses_nothing(capsys: Any) -> None:
    done = call(capsys, "compare", "--sweep", "policy=greedy,random", "--games", "40", "--json")
    assert json.loads(done.out)["sweep"]["crossings"] == []


def test_a_single_deal_says_nothing_of_crossings(capsys: Any) -> None:
    done = call(
        capsys, "compare", "--sweep", "prices.sell.pig=2,3", "--policies", "greedy", "--games", "4", "--line", "points=36", "--json"
    )
    assert {row["verdict"] for row in json.loads(done.out)["sweep"]["crossings"]} == {UNKNOWN}
