"""Sweeps and grids: how they are read, what is kept of neighbours, how a grid is told and charted."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import call
from comparisons import GREEDY, SHORT

from lagranja_sim.compare import grid
from lagranja_sim.compare.comparison import Wish, compare_arms
from lagranja_sim.compare.paired import Match
from lagranja_sim.compare.response import Response, arms_of_sweeps, neighbours
from lagranja_sim.compare.sweep import Sweep, parse_sweeps, split_values, texts_of
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import Pieces

PIGS, PENALTY = "prices.sell.pig=4,2,3", "market.removal_vp=0..2"


def response(*texts: str, games: int = 80, **wish: Any) -> Response:
    sweeps = parse_sweeps(texts)
    arms, order = arms_of_sweeps(sweeps, "", GREEDY)
    wished = replace(Wish(games, ("points",)), neighbours=neighbours(sweeps, arms, order), **wish)
    return Response(sweeps, compare_arms(arms, wished, 1, "lagranja compare", Listener(), Pieces()), order)


# --- reading -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("revenue.faces.4=gain silver 3, gain silver 4", "revenue.faces.4", ("gain silver 3", "gain silver 4")),
        ("buildings.deli.goods=commodity commodity,commodity", "buildings.deli.goods", ("commodity commodity", "commodity")),
        ('a.b="gain silver 1, gain pig 1",gain pig 1', "a.b", ('"gain silver 1, gain pig 1"', "gain pig 1")),
        ("a.b=[[0,1],[2,3]],[[0,1],[2,4]]", "a.b", ("[[0,1],[2,3]]", "[[0,1],[2,4]]")),
        ("prices.sell.pig+=-1..1", "prices.sell.pig+", ("-1", "0", "1")),
        ("cards.*.barrow_vp+=-1,0,1", "cards.*.barrow_vp+", ("-1", "0", "1")),
        ("prices.sell.pig-=1,2", "prices.sell.pig-", ("1", "2")),
    ],
)
def test_texts_and_steps_are_values(text: str, key: str, values: tuple[str, ...]) -> None:
    assert Sweep.parse(text) == Sweep(key, values)


def test_each_step_is_an_arm() -> None:
    sweep = Sweep.parse("prices.sell.pig+=-1..1")
    assert texts_of([sweep], "bga") == ["bga+prices.sell.pig+=-1", "bga+prices.sell.pig+=0", "bga+prices.sell.pig+=1"]
    assert sweep.title == "prices.sell.pig +="
    assert sweep.numbers == [-1, 0, 1]


def test_two_sweeps_make_all_pairs() -> None:
    sweeps = parse_sweeps(["a=1,2", "b=3,4"])
    assert texts_of(sweeps, "") == ["a=1+b=3", "a=1+b=4", "a=2+b=3", "a=2+b=4"]


@pytest.mark.parametrize(
    ("values", "numbers"),
    [("4,2,3", [4, 2, 3]), ("0.5,1", [0.5, 1]), ("1,many", None), ("1,1.0", None), ("gain silver 3,gain silver 4", None)],
)
def test_only_different_numbers_are_numbers(values: str, numbers: Sequence[float] | None) -> None:
    assert Sweep.parse(f"a={values}").numbers == numbers


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("a=1,2", "b=1,2", "c=1,2"), "is given 3 times"),
        (("a=1,2", "a=3,4"), "both are of a"),
        (("a=1..11", "b=1..10"), "11 x 10 values make 110 arms; expected 100 at most"),
        (('a="one,two',), "has a double quote without its other half"),
        (("a=[1,[2],3",), "has a bracket without its other half"),
        (("a+=1,many",), "'many' is no step; expected whole numbers"),
        (("+=1,2",), "is no sweep"),
    ],
)
def test_what_cannot_be_swept_is_refused(texts: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ExperimentError, match=reason):
        parse_sweeps(texts)


def test_a_bracket_within_quotes_is_text() -> None:
    assert split_values('"a [",b') == ['"a ["', "b"]


# --- neighbours ----------------------------------------------------------------------------------------------------------------------


def test_neighbours_are_next_in_number_however_they_are_written() -> None:
    sweeps = parse_sweeps([PIGS])
    arms, order = arms_of_sweeps(sweeps, "", GREEDY)
    assert [arm.text[-1] for arm in arms] == ["3", "4", "2"]
    assert neighbours(sweeps, arms, order) == ((2, 0), (0, 1))
    assert neighbours(parse_sweeps(["policy=greedy,random"]), arms, order) == ()


def test_differences_of_neighbours_are_those_of_their_block_means() -> None:
    sweeps = parse_sweeps([PIGS])
    arms, order = arms_of_sweeps(sweeps, "", GREEDY)
    match = Match.of(arms, neighbours(sweeps, arms, order))
    means = [match._block_means(match._play(arm, 0, 12), 12) for arm in arms]
    played = match.play(0, 5) + match.play(5, 7)
    for step, (before, after) in zip(played.steps, match.neighbours, strict=True):
        assert step.mean == pytest.approx((means[after] - means[before]).mean(axis=0))
        assert step.variance == pytest.approx((means[after] - means[before]).var(axis=0, ddof=1))


# --- grids ---------------------------------------------------------------------------------------------------------------------------


def test_a_grid_has_the_game_as_it_is_as_its_reference() -> None:
    told = response(PIGS, PENALTY)
    assert told.values(told.reference) == ("3", "1")
    assert [told.values(arm) for arm in told.order[:4]] == [("4", "0"), ("4", "1"), ("4", "2"), ("2", "0")]
    assert told.label(told.order[0]) == "prices.sell.pig=4, market.removal_vp=0"


def test_cells_of_a_grid_hold_means_differences_and_what_is_undecided() -> None:
    told = response(PIGS, PENALTY)
    (measure,) = told.shown()
    rows = grid.rows(told, measure)
    assert [row[0] for row in rows] == ["4", "2", "3"]
    assert rows[2][2].endswith(" reference")
    for cells, arms in zip(rows, grid.arms_by_row(told), strict=True):
        for cell, arm in zip(cells[1:], arms, strict=True):
            row = told.comparison.row(arm, measure)
            assert row is None or ("(" in cell) is (row.verdict == "undecided")
            assert row is None or row.identical or " ± " in cell


def test_the_picture_of_a_grid_colours_what_is_decided_and_frames_the_reference() -> None:
    from lagranja_sim.compare.heat import draw_grid

    told = response(PIGS, PENALTY)
    axis = draw_grid(told).axes[0]
    colours = np.asarray(axis.images[0].get_array()).ravel()
    rows = [told.comparison.row(arm, told.shown()[0]) for arm in told.order]
    assert [colour != 0 for colour in colours] == [row is not None and row.verdict == "different" for row in rows]
    assert len(axis.texts) == 9
    (frame,) = axis.patches
    assert frame.get_xy() == (1 - 0.48, 2 - 0.48)


def test_a_grid_is_told_and_charted(capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "grid"
    done = call(capsys, "compare", "--sweep", PIGS, "--sweep", PENALTY, *SHORT, "--metric", "points", "--out", out)
    assert (done.code, done.err) == (0, "")
    assert "prices.sell.pig (4, 2, 3) and market.removal_vp (0, 1, 2), against prices.sell.pig=3, market.removal_vp=1" in done.out
    assert "in brackets: undecided" in done.out
    assert sorted(path.name for path in out.iterdir()) == ["block.txt", "comparison.html", "comparison.json", "grid.png", "grid.svg"]
    record = json.loads((out / "comparison.json").read_text())["grid"]
    assert (record["keys"], record["reference"]) == (["prices.sell.pig", "market.removal_vp"], ["3", "1"])
    assert [row["values"] for row in record["responses"][:2]] == [["4", "0"], ["4", "1"]]
    page = (out / "comparison.html").read_text()
    assert "A grid of prices.sell.pig and market.removal_vp" in page
    assert page.count("<details>") == page.count("</details>") == 8


# --- the picture of a sweep ----------------------------------------------------------------------------------------------------------


def test_numbers_stand_where_they_are_and_texts_are_not_joined() -> None:
    from lagranja_sim.compare.chart import Panels

    numbers, texts = Panels.of(response("prices.sell.pig=8,2,3")), Panels.of(response("policy=random,greedy"))
    assert (list(numbers.places), list(numbers.labels), numbers.joined) == ([2, 3, 8], ["2", "3", "8"], True)
    assert (list(texts.places), list(texts.labels), texts.joined) == ([0, 1], ["random", "greedy"], False)
    assert "difference from 3 (dashed)" in numbers.title()
    assert "difference from greedy (dashed)" in texts.title()
