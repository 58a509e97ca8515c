"""The market between players (toolkit/rivals.py)."""

from table import Table

from lagranja_sim.games.lagranja.toolkit import rivals


def low_space(table: Table) -> tuple[int, int]:
    """A space and an open neighbour of higher value."""
    open_spaces = {space for value in range(1, 9) for space in table.spaces(value)}
    for space in sorted(open_spaces):
        for neighbour in table.neighbours(space):
            if neighbour in open_spaces and table.value(neighbour) > table.value(space):
                return space, neighbour
    raise AssertionError("the market has spaces of different values beside each other")


def close_all_but(table: Table, *spaces: int) -> None:
    """Seat 0's own markers on every other space, so that only these are free."""
    table.mark(0, *(space for space in range(table.box.space_count) if space not in spaces))


def threats(table: Table, space: int, seat: int = 0) -> int:
    return rivals.threats(table.game, table.box, seat, space)


def test_m2_lower_neighbours_of_others_are_removed():
    table = Table(players=4)
    low, high = low_space(table)
    assert rivals.markers_removed(table.game, table.box, 0, high) == 0
    table.mark(1, low)
    assert rivals.markers_removed(table.game, table.box, 0, high) == 1
    assert rivals.markers_removed(table.game, table.box, 1, high) == 0  # its own stays


def test_m2_higher_neighbours_stay():
    table = Table(players=4)
    low, high = low_space(table)
    assert rivals.markers_removed(table.mark(1, high).game, table.box, 0, low) == 0


def test_m3_a_marker_in_whose_place_one_comes_is_removed():
    table = Table(players=4)
    low, _ = low_space(table)
    assert rivals.markers_removed(table.mark(2, low).game, table.box, 0, low) == 1
    assert rivals.markers_removed(table.game, table.box, 2, low) == 0  # nobody replaces its own


def test_a_placement_removes_as_many_as_are_counted():
    table = Table(players=4)
    high = table.spaces(max(table.value(space) for space in range(table.box.space_count)))[0]
    table.mark(1, *(space for space in table.neighbours(high) if table.value(space) < table.value(high)))
    counted, before = rivals.markers_removed(table.game, table.box, 0, high), len(table.market())
    table.row(0, "butcher", missing="").give(0, olive=1)
    wagon = table.barrow(0, "olive", value=table.value(high))
    table.free_deliveries(0, 1).choose(good="olive", to=wagon)
    assert table.asked == (0, "place_marker")
    table.choose(do="place_marker", space=high)
    assert counted > 0
    assert len(table.market()) == before - counted + 1
    assert table.points(0)["market_removal"] == counted


def test_a_barrow_of_higher_value_threatens_from_a_free_neighbour():
    table = Table(players=4)
    low, high = low_space(table)
    close_all_but(table, low, high)
    assert threats(table, low) == 0
    table.barrow(1, "olive", value=table.value(high))
    assert threats(table, low) == 1
    table.barrow(2, "olive", value=table.value(high))
    table.barrow(0, "olive", value=table.value(high))
    assert threats(table, low) == 2  # the own barrow does not count
    table.mark(3, high)
    assert threats(table, low) == 2  # no space of that value is free, so they may take its place (M3)
    table.mark(1, high)
    assert threats(table, low) == 1  # not their own


def test_a_marker_is_cleared_as_the_threat_said():
    """M3, then M2: in another's place on a space of higher value, and what lies beside it goes."""
    table = Table(players=4, overrides={"setup.markers": 0})
    low, high = low_space(table)
    table.mark(3, *(space for space in range(table.box.space_count) if space != low)).mark(0, low)
    table.row(2, "butcher", missing="").give(2, olive=1)
    wagon = table.barrow(2, "olive", value=table.value(high))
    assert threats(table, low) == 1
    table.free_deliveries(2, 1).choose(good="olive", to=wagon)
    assert table.asked == (2, "place_marker")
    assert low not in table.choose(do="place_marker", space=high).market()


def test_a_barrow_of_the_same_value_threatens_when_no_other_space_is_free():
    table = Table(players=4)
    low, _ = low_space(table)
    table.barrow(1, "olive", value=table.value(low))
    assert threats(table, low) == 0
    close_all_but(table, low)
    assert threats(table, low) == 1


def test_a_barrow_threatens_by_where_it_leads_and_not_by_its_points():
    table = Table(players=4)
    low, high = low_space(table)
    close_all_but(table, low, high)
    table.barrow(1, "olive", value=table.value(high), leads_to=table.value(low) - 1)
    assert threats(table, low) == 0
    table.barrow(2, "olive", value=0, leads_to=table.value(high))
    assert threats(table, low) == 1


def test_a_barrow_of_lower_value_threatens_nothing():
    table = Table(players=4)
    _, high = low_space(table)
    table.barrow(1, "olive", value=table.value(high) - 1)
    close_all_but(table, high)
    assert threats(table, high) == 0


def test_m4_a_marker_that_stays_is_worth_a_point_a_round():
    table = Table(players=4).in_round(4)
    low, high = low_space(table)
    assert rivals.market_points(table.game, table.box, 0, high) == 3
    assert rivals.market_points(table.mark(1, low).game, table.box, 0, high) == 3 + 1
