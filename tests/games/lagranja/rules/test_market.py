"""The market (M1-M5)."""

from table import Table

# Spaces of the printed market used here: 3 is a 4 with the neighbours 2 (a 2), 4 (a 5), 7 (a 3) and 8 (a 6).
FOUR, TWO, FIVE, THREE, SIX = 3, 2, 4, 7, 8
SIXES_OF_TWO = [8, 17, 20]


def complete_barrow(table: Table, value: int, seat: int = 0) -> Table:
    wagon = table.barrow(seat, "olive", value=value)
    return table.give(seat, olive=1).free_deliveries(seat, 1).choose(good="olive", to=wagon)


def test_the_spaces_are_as_these_tests_need_them():
    table = Table()
    assert [table.value(space) for space in (FOUR, TWO, FIVE, THREE, SIX)] == [4, 2, 5, 3, 6]
    assert set(table.neighbours(FOUR)) & set(range(29)) == {0, TWO, FIVE, THREE, SIX}
    assert table.spaces(6) == SIXES_OF_TWO


# --- M1 --------------------------------------------------------------------------------------------------------------------------


def test_m1_a_free_open_space_of_the_barrows_value():
    table = complete_barrow(Table().mark(1, 8), value=6)
    assert [option["space"] for option in table.offers(do="place_marker")] == [17, 20]


def test_m3_replacing_may_be_declined():
    table = complete_barrow(Table().mark(1, *SIXES_OF_TWO), value=6).choose(do="decline")
    assert table.market() == dict.fromkeys(SIXES_OF_TWO, 1)
    assert table.points(0) == {"barrow": 6}


def test_m1_a_barrow_may_lead_to_another_value_than_it_has_points():
    table = Table().give(0, olive=1)
    wagon = table.barrow(0, "olive", value=0, leads_to=6)
    table.free_deliveries(0, 1).choose(good="olive", to=wagon)
    assert [option["space"] for option in table.offers(do="place_marker")] == SIXES_OF_TWO
    assert table.points(0) == {}


def test_m1_it_is_not_optional():
    table = complete_barrow(Table(), value=6)
    assert {option["do"] for option in table.options()} == {"place_marker"}


def test_m1_spaces_for_four_players_are_closed_with_fewer():
    for players, spaces in ((2, 19), (3, 19), (4, 29)):
        table = Table(players)
        assert sum(len(table.spaces(value)) for value in range(2, 7)) == spaces
    assert len(complete_barrow(Table(players=3), value=6).options()) == 3
    assert len(complete_barrow(Table(players=4), value=6).options()) == 4


# --- M2 --------------------------------------------------------------------------------------------------------------------------


def test_m2_lower_neighbours_are_removed():
    """Example 8."""
    table = complete_barrow(Table(players=3).mark(1, THREE).mark(2, FIVE), value=4).choose(space=FOUR)
    assert table.market() == {FOUR: 0, FIVE: 2}
    assert table.points(0) == {"barrow": 4, "market_removal": 1}
    assert table.gained(1) == {}


def test_m2_one_point_for_each_and_the_markers_return():
    table = Table(players=3).mark(1, THREE, TWO).mark(2, 9)
    complete_barrow(table, value=6)
    markers = table.free_markers(1)
    table.choose(space=SIX)
    assert table.market() == {SIX: 0, TWO: 1}  # 2 is no neighbour of 8
    assert table.points(0)["market_removal"] == 2
    assert table.free_markers(1) == markers + 1


def test_m2_own_ones_stay():
    table = complete_barrow(Table().mark(0, THREE, TWO), value=4).choose(space=FOUR)
    assert table.market() == {TWO: 0, FOUR: 0, THREE: 0} and table.points(0) == {"barrow": 4}


def test_m2_equal_and_higher_ones_stay():
    table = Table()
    table.print_on("space", THREE, value=4)
    complete_barrow(table.mark(1, THREE, FIVE, SIX), value=4).choose(space=FOUR)
    assert table.market() == {FOUR: 0, FIVE: 1, THREE: 1, SIX: 1} and table.points(0) == {"barrow": 4}


def test_m2_a_distant_lower_one_stays():
    table = complete_barrow(Table().mark(1, 25), value=4).choose(space=FOUR)
    assert table.market() == {FOUR: 0, 25: 1}


# --- M3 --------------------------------------------------------------------------------------------------------------------------


def test_m3_an_opponents_marker_is_replaced():
    """Example 17: 1 point for the replaced marker, 1 for each lower neighbour."""
    table = Table(players=3).mark(1, *SIXES_OF_TWO).mark(2, THREE, 9)
    complete_barrow(table, value=6).choose(space=SIX)
    assert table.market() == {SIX: 0, 17: 1, 20: 1}
    assert table.points(0) == {"barrow": 6, "market_removal": 3}


def test_m3_only_if_every_open_space_of_the_value_is_taken():
    table = complete_barrow(Table().mark(1, 8, 17), value=6)
    assert table.passed == [(0, "place_marker", {"do": "place_marker", "space": 20})]
    assert table.market() == {8: 1, 17: 1, 20: 0}


def test_m3_its_own_it_cannot_replace():
    table = complete_barrow(Table().mark(0, 8).mark(1, 17, 20), value=6)
    assert [option["space"] for option in table.offers(do="place_marker")] == [17, 20]


def test_m3_all_are_its_own():
    table = complete_barrow(Table().mark(0, *SIXES_OF_TWO), value=6)
    assert table.market() == dict.fromkeys(SIXES_OF_TWO, 0)
    assert table.gained(0) == {"olive": -1, "commodity": 1, "vp": 6}  # the barrow itself counts


def test_m3_spaces_for_four_players_do_not_count_as_free():
    table = complete_barrow(Table(players=3).mark(1, *SIXES_OF_TWO), value=6)
    assert [option["space"] for option in table.offers(do="place_marker")] == SIXES_OF_TWO


# --- M4 --------------------------------------------------------------------------------------------------------------------------


def test_m4_every_marker_is_a_point_at_each_rounds_end():
    table = Table(players=3).in_round(2).mark(0, 2, 3, 4).mark(2, 8).scoring_phase()
    assert [table.points(seat) for seat in table.seats] == [{"market_round": 3}, {}, {"market_round": 1}]
    assert table.market() == {2: 0, 3: 0, 4: 0, 8: 2}  # they stay
    assert table.in_round(3).scoring_phase().points(0) == {"market_round": 3}


def test_m4_owner_marks_beside_buildings_never_count():
    table = Table().in_round(6).complete(0, "deli", "butcher").scoring_phase()
    assert table.points(0) == {}


# --- M5 --------------------------------------------------------------------------------------------------------------------------


def test_m5_the_negotiator_in_anothers_turn_is_automatic():
    table = Table().mark(1, THREE, TWO)
    table.hire(1, "Negotiator")
    complete_barrow(table, value=4).choose(space=FOUR)
    assert table.asked == (0, "end_turn")
    assert table.points(1) == {"helper": 2}


def test_m5_the_smuggler_once_a_round():
    table = Table().mark(1, THREE, TWO)
    table.hire(1, "Smuggler")
    complete_barrow(table, value=4).choose(space=FOUR)
    assert table.gained(1) == {"silver": 4}


def test_m5_what_would_be_offered_is_declined():
    table = Table().mark(1, THREE).give(1, silver=9, olive=1)
    table.hire(1, effect="gain vp 5", cost="pay silver 1", when="on own_marker_removed")
    table.hire(1, effect="upgrade 1", when="on own_marker_removed")
    complete_barrow(table, value=4).choose(space=FOUR)
    assert table.gained(1) == {}


def test_m5_the_first_good_and_the_first_effect_are_taken():
    table = Table().mark(1, THREE)
    table.hire(1, effect="gain harvest 1", when="on own_marker_removed")
    table.hire(1, effect="gain vp 1 | gain silver 9", when="on own_marker_removed")
    complete_barrow(table, value=4).choose(space=FOUR)
    assert table.gained(1) == {"olive": 1, "vp": 1}


def test_m5_who_removes_answers_before_the_owner():
    table = Table().mark(1, THREE)
    table.hire(0, "Town Crier")
    table.hire(1, "Negotiator")
    table.hire(0, "Stall Keeper")
    complete_barrow(table, value=4).choose(space=FOUR)
    assert table.points(0) == {"barrow": 4, "market_removal": 1, "helper": 1} and table.gained(0)["silver"] == 2
    assert table.points(1) == {"helper": 1}
