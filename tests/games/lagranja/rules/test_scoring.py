"""The scoring phase (E1), the end (E2, E3)."""

import pytest
from table import Table

from lagranja_sim.games.lagranja.rules.result import rank_of

# --- E1 --------------------------------------------------------------------------------------------------------------------------


def test_e1_siesta_and_market():
    """Example 10: 2 points from the track, 4 from the market, none for owner marks."""
    table = Table(players=3).in_round(3).disc(1, 3).mark(1, 2, 3, 4, 7).complete(1, "deli").scoring_phase()
    assert table.points(1) == {"siesta": 2, "market_round": 4}


@pytest.mark.parametrize(("section", "points"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_e1_points_of_the_sections(section, points):
    assert Table().disc(0, section).scoring_phase().points(0).get("siesta", 0) == points


def test_e1_discs_return_stacked_with_the_start_player_on_top():
    table = Table(players=3).in_order(2, 0, 1).disc(1, 1).disc(0, 3).disc(2, 4).scoring_phase()
    assert table.stacks() == [[1, 0, 2], [], [], [], []]


def test_e1_the_next_rounds_roofs_are_turned_over():
    table = Table(players=3, dealt=1).in_round(2).scoring_phase()
    assert sorted(table.game.roof_offer) == sorted(table.game.roofs[2])
    assert {table.components.roof(int(roof)).round for roof in table.game.roof_offer if roof} == {3}


def test_e1_helpers_are_ready_again():
    table = Table().in_round(2).give(0, olive=1)
    helper = table.hire(0, effect="gain silver 1", uses=1)
    assert table.turn(0).choose(do="use_helper").offers(do="use_helper") == []
    table.scoring_phase()
    assert table.turn(0).offers(do="use_helper", helper=helper)


def test_e1_craft_markers_flip():
    table = Table().in_round(2).complete(0, "deli", flipped=False).complete(1, "butcher", flipped=False).scoring_phase()
    assert (table.permanent(0), table.permanent(1)) == (["deli"], ["butcher"])


def test_e1_after_round_6_the_discs_stay():
    table = Table().in_round(6).disc(0, 3).disc(1, 2).mark(0, 2).scoring_phase()
    assert table.stacks() == [[], [], [1], [0], []]
    assert table.points(0) == {"siesta": 2, "market_round": 1}


# --- E2, E3 ----------------------------------------------------------------------------------------------------------------------


def test_e2_selling_out():
    """Example 21: grapes in dens are sold, on fields not, wine is worth nothing, a commodity 4; 14 silver are 2 VP and 4 silver."""
    table = Table().fields(0, "grape", grown=True).give(0, silver=6, grape=2, wine=3, commodity=1).end_of_game()
    assert table.points(0) == {"silver": 2} and table.stock(0, "silver") == 4
    assert (table.stock(0, "grape"), table.stock(0, "commodity"), table.stock(0, "field_grape"), table.stock(0, "wine")) == (0, 0, 1, 3)


def test_e2_resources_at_printed_prices():
    table = Table().give(0, olive=1, grain=1, grape=1, pig=1).end_of_game()
    assert table.points(0) == {"silver": 1} and table.stock(0, "silver") == 2  # of 1 + 1 + 2 + 3


def test_e2_without_helpers():
    table = Table().give(0, olive=4)
    table.hire(0, "Broker")
    table.end_of_game()
    assert table.stock(0, "silver") == 4 and table.points(0) == {}


def test_e2_not_from_barrows_or_rows():
    table = Table().row(0, "deli", missing="commodity")
    table.barrow(0, "pig grape", missing="grape")
    assert table.end_of_game().gained(0) == {}


@pytest.mark.parametrize(("silver", "points", "left"), [(4, 0, 4), (5, 1, 0), (9, 1, 4), (10, 2, 0)])
def test_e2_five_silver_are_a_point(silver, points, left):
    table = Table().give(0, silver=silver).end_of_game()
    assert table.points(0).get("silver", 0) == points and table.stock(0, "silver") == left


def ranks(table: Table) -> list[int]:
    return [rank_of(table.game, table.box, seat) for seat in table.seats]


def test_e3_most_points_win():
    assert ranks(Table(players=3).give(0, vp=40).give(1, vp=41).give(2, vp=39, silver=4).end_of_game()) == [2, 1, 3]


def test_e3_silver_left_over_breaks_a_tie():
    """Example 21, the tie: 4 silver are left of 14."""
    assert ranks(Table(players=3).give(0, vp=40, silver=14).give(1, vp=42, silver=3).give(2, vp=42).end_of_game()) == [1, 2, 3]


def test_e3_still_tied_is_shared():
    assert ranks(Table(players=3).give(0, vp=42, silver=4).give(1, vp=42, silver=4).give(2, vp=42).end_of_game()) == [1, 1, 3]


def test_e3_where_nothing_breaks_ties_equals_in_points_share():
    table = Table(players=3, overrides={"game.tie_break": "none"})
    assert ranks(table.give(0, vp=42, silver=4).give(1, vp=42).give(2, vp=41, silver=4).end_of_game()) == [1, 1, 3]
