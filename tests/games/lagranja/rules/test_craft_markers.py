"""The six craft markers: when taken, and from the next round on."""

import pytest
from table import Table

LAST_GOOD = {
    "merchant_house": "silver",
    "wainwright": "meat",
    "deli": "commodity",
    "greengrocer": "grape",
    "village_store": "pig",
    "butcher": "pig",
}


def take(table: Table, building: str, seat: int = 0) -> Table:
    """The last delivery of a row is made; what it gives is told by `points(0)["craft"]` and `stock`."""
    good = LAST_GOOD[building]
    return table.row(seat, building, missing=good).give(seat, **{good: 1}).free_deliveries(seat, 1).choose(good=good, to=building)


def complete_barrow(table: Table, seat: int = 0) -> Table:
    wagon = table.barrow(seat, "olive")
    table.give(seat, olive=1).free_deliveries(seat, 1).choose(good="olive", to=wagon)
    return table.choose(space=next(space for space in table.spaces(2) if space not in table.market()))


# --- merchant house, deli ----------------------------------------------------------------------------------------------------------


def test_c_merchant_house_gives_3_silver_now():
    assert take(Table(), "merchant_house").stock(0, "silver") == 3


def test_c_merchant_house_gives_3_silver_each_income():
    assert Table().complete(0, "merchant_house").income().gained(0) == {"silver": 3}


def test_c_deli_gives_a_commodity_now():
    assert take(Table(), "deli").stock(0, "commodity") == 1


def test_c_deli_gives_a_commodity_each_income():
    assert Table().complete(0, "deli").income().gained(0) == {"commodity": 1}


# --- wainwright --------------------------------------------------------------------------------------------------------------------


def test_c_wainwright_gives_a_delivery_and_the_siesta_points_now():
    table = Table().disc(0, 4).give(0, olive=1)
    wagon = table.barrow(0, "olive olive")
    take(table, "wainwright").choose(to=wagon)
    assert table.points(0)["craft"] == 3 and table.gained(0)["olive"] == -1


def test_c_wainwright_gives_no_points_in_the_lower_sections():
    table = take(Table().disc(0, 1), "wainwright")
    assert table.over and "craft" not in table.points(0)


def test_c_wainwright_adds_a_step_and_a_free_delivery_but_no_bought_one():
    table = Table().complete(0, "wainwright").give(0, silver=9).transport_phase().choose(donkey=3).choose(donkey=4)
    assert table.player(0).siesta == 2
    for _ in range(4):
        table.choose(to="merchant_house")
    table.done()
    table.choose(do="buy_delivery").choose(to="merchant_house")
    assert table.asked == (0, "buy_delivery") and table.own_options() == [{"do": "done"}]


# --- greengrocer -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", ["olive", "grain", "grape", "pig"])
def test_c_greengrocer_gives_any_resource_now_and_in_each_growth(good):
    table = take(Table(), "greengrocer")
    held = table.stock(0, good)
    assert table.choose(do="gain", good=good).stock(0, good) == held + 1
    table = Table().complete(0, "greengrocer").growth(0).choose(do="grow").choose(good=good)
    assert table.gained(0) == {good: 1}


def test_c_greengrocer_of_bga_in_the_income():
    assert Table(variant="bga").complete(0, "greengrocer").income().choose(good="grape").gained(0) == {"grape": 1}


# --- village store -----------------------------------------------------------------------------------------------------------------


def test_c_village_store_gives_2_points_now():
    """Example 18, now."""
    assert take(Table(), "village_store").points(0) == {"first": 1, "building": 1, "craft": 2}


def test_c_village_store_gives_nothing_for_another_marker_of_the_same_round():
    """Example 18, the same round."""
    assert take(Table().complete(0, "village_store", flipped=False), "deli").points(0) == {"first": 1, "building": 1}


def test_c_village_store_gives_2_points_for_each_later_marker():
    """Example 18, later rounds."""
    table = Table().in_round(2).complete(0, "village_store")
    assert take(table, "deli").points(0) == {"first": 1, "building": 2, "craft": 2}
    assert take(table, "butcher").points(0) == {"first": 1, "building": 2, "craft": 2}


def test_c_village_store_works_in_the_revenue_phase():
    table = Table().complete(0, "village_store").row(0, "deli", missing="commodity").give(0, commodity=1).takes(0, 6)
    assert table.choose(effect="deliver 1").choose(to="deli").points(0)["craft"] == 2


def test_c_village_store_gives_nothing_for_the_marker_of_another():
    table = Table().complete(0, "village_store")
    assert take(table, "deli", seat=1).points(0) == {}


# --- butcher -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("barrows", range(4))
def test_c_butcher_gives_a_point_for_each_barrow_on_the_farm_now(barrows):
    """Example 19, now."""
    table = Table()
    for _ in range(barrows):
        table.barrow(0, "wine wine")
    assert take(table, "butcher").points(0).get("craft", 0) == barrows


def test_c_butcher_gives_a_point_for_each_barrow_completed_later():
    """Example 19, later."""
    table = Table().complete(0, "butcher")
    assert complete_barrow(table).points(0) == {"barrow": 2, "craft": 1}
    assert complete_barrow(table).points(0) == {"barrow": 2, "craft": 1}


def test_c_butcher_works_in_the_revenue_phase():
    """Example 19, the revenue phase."""
    table = Table().complete(0, "butcher").give(0, olive=1)
    wagon = table.barrow(0, "olive")
    table.takes(0, 6).choose(effect="deliver 1").choose(to=wagon).choose(space=2)
    assert table.points(0) == {"barrow": 2, "craft": 1}


def test_c_butcher_gives_nothing_for_a_barrow_of_the_same_round():
    assert complete_barrow(Table().complete(0, "butcher", flipped=False)).points(0) == {"barrow": 2}
