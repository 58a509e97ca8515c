"""Effects planted in made-up games are found in the right section, with the right sign and size, and where nothing is planted nothing is found."""

import numpy as np
import polars as pl
import pytest
from made_runs import made_up_games, settle, write_run

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.report.build import build_section, find_sections
from lagranja_sim.report.runs import open_runs

GAMES = 4_000
POLICIES = ["one", "two", "three", "four"]


@pytest.fixture
def report(tmp_path):
    """A section of made-up games with points added to their seats."""

    def of(name, points):
        tables = made_up_games(GAMES, seed=2)
        settle(tables, points(tables))
        run = write_run(tmp_path / "run", tables, POLICIES, GAMES)
        (source,) = find_sections([name])
        built = build_section(source, open_runs([str(run)]), [])
        assert not built.failure and not built.lacks
        return built.section

    return of


def table(section, name):
    return next(table.frame for table in section.tables if table.name == name)


def nothing(tables):
    return np.zeros(GAMES * 4)


# --- turn order -----------------------------------------------------------------------------------------------------------------------


def test_three_points_for_the_second_position(report):
    section = report("turn_order", lambda tables: 3 * (tables["seats"]["start_position"] == 2))
    points = table(section, "start").sort("start position")["points"].to_numpy()
    np.testing.assert_allclose(points - points[0], [0, 3, 0, 0], atol=0.5)
    assert points.argmax() == 1
    assert "position 2" in section.takeaways[1].text and section.takeaways[1].strength > 3


def test_equal_positions_are_said_to_be_undecided(report):
    section = report("turn_order", nothing)
    assert all(takeaway.strength < 1 for takeaway in section.takeaways)
    assert "could not be told" in section.takeaways[0].text


def test_a_point_for_each_place_up_the_track(report):
    def points(tables):
        rounds = tables["rounds"]
        last = rounds["order_transport"].reshape(GAMES, 6, 4)[:, 3]
        return -last.ravel()

    rows = table(report("turn_order", points), "siesta").filter(pl.col("one place further up") == "points").sort("round")
    np.testing.assert_allclose(rows["adjusted difference"], [0, 0, 0, 1, 0, 0], atol=0.25)


# --- dice -----------------------------------------------------------------------------------------------------------------------------


def test_a_useless_face(report):
    """Face 4 costs whoever takes it two points. At a first pick it costs a little less, for whoever takes one meets one less at the second."""

    def points(tables):
        rounds = tables["rounds"]
        taken = (rounds["die_1"] == 4).astype(int) + (rounds["die_2"] == 4)
        return -2 * taken.reshape(GAMES, 6, 4).sum(1).ravel()

    section = report("dice", points)
    rows = table(section, "value").sort("face")
    assert rows["points"][3] == pytest.approx(-1.87, abs=0.12)
    assert rows["points"].arg_min() == 3
    second = table(section, "cells").filter(pl.col("face") == 4, pl.col("pick") == "second")
    assert second["points"].mean() == pytest.approx(-2, abs=0.15)
    assert rows["to"][3] < 0
    others = rows["points"].to_numpy()[[0, 1, 2, 4, 5]]
    np.testing.assert_allclose(others, 2 / 5, atol=0.2)  # of five others they may take, one is face 4
    assert "of 4 is worth least" in section.takeaways[1].text


def test_a_face_that_pays_in_one_round_and_pick(report):
    def points(tables):
        return 5 * (tables["rounds"]["die_1"].reshape(GAMES, 6, 4)[:, 2].ravel() == 1)

    cells = table(report("dice", points), "cells").filter(pl.col("face") == 1, pl.col("pick") == "first").sort("round")
    np.testing.assert_allclose(cells["points"], [0, 0, 5, 0, 0, 0], atol=0.6)


def test_dice_that_do_not_matter(report):
    section = report("dice", nothing)
    assert all(takeaway.strength < 1 for takeaway in section.takeaways)
    adjusted = table(section, "cells")["p adjusted"].drop_nulls()
    assert (adjusted < 0.01).sum() == 0


def test_what_is_on_offer_is_what_was_not_taken(report):
    """With dice taken blindly a face is offered first as often as it is rolled: 1 - (5/6)^9."""
    cells = table(report("dice", nothing), "cells").filter(pl.col("pick") == "first")
    assert cells["mean turn"].mean() == pytest.approx(2.5, abs=0.05)
    offered = np.mean([1 - (5 / 6) ** dice for dice in (9, 8, 7, 6)])
    assert cells["on offer"].mean() == pytest.approx(offered, abs=0.01)


# --- buildings ------------------------------------------------------------------------------------------------------------------------


def test_a_building_that_pays_four_points_more(report):
    section = report("buildings", lambda tables: 4 * (tables["seats"]["craft_round_deli"] > 0))
    rows = table(section, "markers")
    by_building = dict(rows.group_by("building").agg(pl.col("points").mean()).iter_rows())
    assert by_building.pop("deli") == pytest.approx(4, abs=0.3)
    np.testing.assert_allclose(list(by_building.values()), 0, atol=0.3)


def test_a_building_whose_block_costs_everybody_two_points(report):
    number = load_components().building("wainwright").number

    def points(tables):
        blocked = np.any([tables["games"][f"blocked_{marker}"] == number for marker in (1, 2, 3)], axis=0)
        return -2 * np.repeat(blocked, 4).astype(int)

    section = report("buildings", points)
    rows = table(section, "blocked").filter(pl.col("whose") == "all")
    row = rows.row(by_predicate=pl.col("building") == "wainwright", named=True)
    assert row["from"] < -2 < row["to"] and row["p adjusted"] < 0.001
    assert rows["effect"].abs().max() == abs(row["effect"])
    assert "wainwright" in section.takeaways[1].text


def test_being_first_against_the_table(report):
    """Three points for the first of the butcher: raw and against the table they are nearly the same, as policies are alike."""

    def points(tables):
        first = np.repeat(tables["games"]["first_seat_butcher"], 4)
        return 3 * (tables["seats"]["seat"] == first)

    butcher = table(report("buildings", points), "first").row(by_predicate=pl.col("building") == "butcher", named=True)
    assert butcher["raw"] == pytest.approx(3, abs=0.4)
    assert butcher["against table"] == pytest.approx(3 * 3 / 4, abs=0.3)


def test_survival_counts_those_who_never_complete(report):
    ecdf = pytest.importorskip("scipy.stats").ecdf
    censored = pytest.importorskip("scipy.stats").CensoredData
    rounds = made_up_games(GAMES, seed=2)["seats"]["craft_round_deli"].astype(float)
    known = ecdf(censored(uncensored=rounds[rounds > 0], right=np.full((rounds == 0).sum(), 6.0))).sf
    rows = table(report("buildings", nothing), "survival").filter(pl.col("building") == "deli").sort("round")
    np.testing.assert_allclose(rows["not completed"], known.evaluate(np.arange(1.0, 7.0)))
