"""Deliveries (D1-D7)."""

import pytest
from table import Table

from lagranja_sim.games.lagranja.rules.names import BUILDINGS

ROWS = {
    "merchant_house": "silver silver silver silver silver silver",
    "wainwright": "food wine meat",
    "deli": "commodity commodity commodity",
    "greengrocer": "olive olive grain grain grape grape",
    "village_store": "olive grain grape silver pig",
    "butcher": "pig pig pig",
}


def targets(table: Table) -> set[tuple[str, str, str]]:
    return {(option["good"], option["from"], option["to"]) for option in table.offers(do="deliver")}


def deliver(table: Table, building: str, seat: int = 0) -> Table:
    """The last good of a row."""
    good = ROWS[building].split()[0]
    return table.row(seat, building, missing=good).give(seat, **{good: 1}).free_deliveries(seat, 1).choose(good=good, to=building)


# --- D1, D2 ----------------------------------------------------------------------------------------------------------------------


def test_d1_one_good_to_a_free_symbol_of_its_kind():
    table = (
        Table()
        .row(0, "village_store", missing="olive silver pig")
        .row(0, "greengrocer", missing="olive grape")
        .row(0, "butcher", missing="")
    )
    table.row(0, "merchant_house", missing="").block("deli", "wainwright")
    wagon = table.barrow(0, "olive pig wine", missing="olive wine")
    table.fields(0, "olive", grown=True).give(0, olive=1, pig=1, silver=1, wine=1, food=1, commodity=1).free_deliveries(0, 1)
    assert targets(table) == {
        ("olive", "den", "village_store"),
        ("olive", "field", "village_store"),
        ("olive", "den", "greengrocer"),
        ("olive", "field", "greengrocer"),
        ("olive", "den", wagon),
        ("olive", "field", wagon),
        ("pig", "stable", "village_store"),
        ("silver", "purse", "village_store"),
        ("wine", "den", wagon),
    }


def test_d1_any_order_over_any_number_of_rounds():
    table = Table().in_round(1).give(0, wine=1, food=1, meat=1).free_deliveries(0, 1).choose(good="meat", to="wainwright").leave()
    table.in_round(3).free_deliveries(0, 1).choose(good="food", to="wainwright").leave()
    table.in_round(5).free_deliveries(0, 1).choose(good="wine", to="wainwright")
    assert table.points(0) == {"first": 1, "building": 5}


def test_d1_not_to_a_building_one_has_completed():
    table = Table().complete(0, "butcher").give(0, pig=1, silver=1).free_deliveries(0, 1)
    assert "butcher" not in {to for _, _, to in targets(table)}


def test_d1_the_marker_of_the_good_lies_on_the_symbol():
    table = Table().give(0, wine=1, silver=1).free_deliveries(0, 2)
    markers = table.free_markers(0)
    assert table.choose(good="wine").free_markers(0) == markers
    assert table.choose(good="silver", to="merchant_house").free_markers(0) == markers - 1  # silver is none by itself


@pytest.mark.parametrize("building", BUILDINGS)
def test_d2_what_each_building_takes(building):
    table, goods = Table().extend(0, pig=1), ROWS[building].split()
    for good in goods:
        table.give(0, **{good: 1})
    for good in goods:
        assert {option["good"] for option in table.free_deliveries(0, 1).offers(do="deliver", to=building)} <= set(goods)
        assert table.done_buildings(0) == []
        table.choose(do="deliver", good=good, to=building)
    assert table.done_buildings(0) == [building]


def test_d2_only_the_deli_takes_commodities_and_silver_goes_to_two():
    table = Table().give(0, silver=1, commodity=1).free_deliveries(0, 1)
    assert targets(table) == {("silver", "purse", "merchant_house"), ("silver", "purse", "village_store"), ("commodity", "storage", "deli")}


# --- D3, D4 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 7))
def test_d3_points_of_the_round_and_of_the_first(number):
    table = deliver(Table().in_round(number), "deli", seat=1).leave()
    assert table.points(1) == {"first": 1, "building": number}
    assert deliver(table, "deli", seat=0).points(0) == {"building": number}


def test_d3_the_first_has_the_bonus_of_its_building():
    table = Table(overrides={"buildings.first_bonus_vp.deli": 4})
    assert deliver(table, "deli").points(0)["first"] == 5
    assert deliver(table, "deli", seat=1).points(1) == {"building": 1}
    assert deliver(table, "butcher").points(0)["first"] == 1


def test_d3_markers_return_but_for_the_owner_mark():
    table = Table().give(0, pig=1, silver=1).row(0, "butcher", missing="pig").free_deliveries(0, 1)
    markers = table.free_markers(0)
    assert table.choose(to="butcher").free_markers(0) == markers + 3 - 1  # the pig, too, was one


def test_d3_second_round_wainwright():
    """Example 5: 1 + 2 + 1 points, then a delivery, then the points of the siesta section."""
    table = Table(players=3).in_round(2).block("deli", "butcher").disc(0, 3)
    table.row(0, "wainwright", missing="food").give(0, food=1, olive=1)
    wagon = table.barrow(0, "olive olive")
    table.free_deliveries(0, 1).choose(good="food", to="wainwright")
    assert table.points(0) == {"first": 1, "building": 2, "unlock": 1}
    assert table.asked == (0, "deliver")
    table.choose(to=wagon)
    assert table.points(0) == {"first": 1, "building": 2, "unlock": 1, "craft": 2}


def test_d4_the_second_completion_opens_the_second_building():
    """Example 6."""
    table = Table(players=3).block("wainwright", "village_store", "greengrocer")
    deliver(table, "butcher", seat=1).leave()
    assert table.blocked() == ["village_store", "greengrocer"]
    deliver(table, "deli", seat=2).leave()
    assert table.blocked() == ["greengrocer"] and table.points(2)["unlock"] == 1
    table.give(0, olive=1).free_deliveries(0, 1)
    assert ("olive", "den", "village_store") in targets(table)


def test_d4_opening_has_the_bonus_of_the_building_that_opens():
    table = Table(overrides={"buildings.unlock_bonus_vp.greengrocer": 3, "buildings.unlock_bonus_vp.deli": 9}).block("greengrocer")
    assert deliver(table, "deli").points(0)["unlock"] == 4


def test_d4_it_is_open_to_all_at_once():
    table = Table().block("village_store").give(0, olive=1)
    table.row(0, "merchant_house", missing="silver").give(0, silver=1).free_deliveries(0, 2)
    assert ("olive", "den", "village_store") not in targets(table)
    table.choose(to="merchant_house")
    assert ("olive", "den", "village_store") in targets(table)


def test_d4_a_later_completion_of_the_same_building_opens_nothing():
    table = Table().block("wainwright", "butcher")
    deliver(table, "deli", seat=0).leave()
    assert deliver(table, "deli", seat=1).points(1) == {"building": 1}
    assert table.blocked() == ["butcher"]


def test_d4_with_none_blocked_there_is_no_such_point():
    table = Table()
    assert deliver(table, "deli").points(0) == {"first": 1, "building": 1}


# --- D5, D6 ----------------------------------------------------------------------------------------------------------------------


def test_d5_the_immediate_effect_then_permanent_from_the_next_round():
    table = deliver(Table().in_round(2), "merchant_house")
    assert table.gained(0)["silver"] == 3 - 1
    assert table.permanent(0) == [] and table.income().gained(0) == {}
    table.scoring_phase()
    assert table.permanent(0) == ["merchant_house"]
    assert table.income().gained(0) == {"silver": 3}


def test_d5_also_if_it_came_in_the_revenue_phase():
    table = (
        Table()
        .in_round(2)
        .row(0, "wainwright", missing="food")
        .give(0, food=1)
        .takes(0, 6)
        .choose(effect="deliver 1")
        .choose(to="wainwright")
        .leave()
    )
    assert table.done_buildings(0) == ["wainwright"]
    table.transport_phase().choose(donkey=4).choose(donkey=4)
    assert table.player(0).siesta == 0  # no step in this round


def test_d6_points_then_helpers_and_the_permanent_village_store_then_the_immediate_effect():
    table = Table().in_round(2).complete(0, "village_store")
    table.hire(0, "Courier")  # one delivery when a building is completed
    wagon = table.barrow(0, "olive olive")
    table.give(0, olive=1)
    deliver(table, "greengrocer")
    assert table.asked == (0, "offer")
    assert table.points(0) == {"first": 1, "building": 2}
    table.choose(do="use_helper").choose(good="olive", to=wagon)
    assert table.points(0)["craft"] == 2
    assert table.asked == (0, "choose_good")  # the greengrocer's own effect comes last


def test_d6_a_wainwrights_delivery_may_go_to_the_building_just_opened():
    table = Table().block("deli").give(0, commodity=1)
    deliver(table, "wainwright")
    assert ("commodity", "storage", "deli") in targets(table)


def test_d6_what_the_delivery_completes_comes_before_the_siesta_points():
    table = Table().in_round(2).disc(0, 4).give(0, olive=1)
    wagon = table.barrow(0, "olive", value=3)
    deliver(table, "wainwright").choose(good="olive", to=wagon)
    assert table.asked == (0, "place_marker")
    assert table.points(0) == {"first": 1, "building": 2, "barrow": 3}
    table.choose(space=table.spaces(3)[0])
    assert table.points(0)["craft"] == 3


def test_d6_the_delivery_may_be_declined():
    table = deliver(Table().disc(0, 2).give(0, silver=1), "wainwright")
    assert table.asked == (0, "deliver")
    assert table.done().points(0)["craft"] == 1 and table.stock(0, "silver") == 1


def test_d6_an_impossible_delivery_is_lost():
    table = deliver(Table().disc(0, 2), "wainwright")
    assert table.over and table.points(0) == {"first": 1, "building": 1, "craft": 1}


# --- D7 --------------------------------------------------------------------------------------------------------------------------


def test_d7_a_barrow_worth_4():
    """Example 7."""
    table = Table().fields(0, "olive", grown=True).give(0, grain=1)
    wagon = table.barrow(0, "olive olive grain", value=4, missing="olive grain")
    card = int(wagon.split()[1])
    table.free_deliveries(0, 2)
    markers = table.free_markers(0)
    table.choose(good="olive", from_="field", to=wagon).choose(good="grain", from_="den", to=wagon)
    assert table.asked == (0, "place_marker")
    table.choose(space=table.spaces(4)[0])
    assert table.gained(0) == {"field_olive": -1, "grain": -1, "commodity": 1, "vp": 4} and table.points(0) == {"barrow": 4}
    assert table.barrows(0) == [] and table.discards() == [card]
    assert table.free_markers(0) == markers + 3 - 2  # of three on the card one is the commodity, one on the market


@pytest.mark.parametrize("value", range(2, 7))
def test_d7_its_points_then_the_market(value):
    table = Table().give(0, olive=1)
    wagon = table.barrow(0, "olive", value=value)
    table.free_deliveries(0, 1).choose(to=wagon)
    assert {table.value(option["space"]) for option in table.options()} == {value}
    assert table.points(0) == {"barrow": value}


def test_d7_the_commodity_may_be_delivered_at_once():
    table = Table().give(0, olive=1)
    wagon = table.barrow(0, "olive")
    table.free_deliveries(0, 2).choose(to=wagon).choose(space=table.spaces(2)[0])
    assert ("commodity", "storage", "deli") in targets(table)


def test_d7_events_come_after_the_market():
    table = Table().complete(0, "butcher").give(0, olive=1)
    wagon = table.barrow(0, "olive")
    table.hire(0, "Hawker")
    table.free_deliveries(0, 1).choose(to=wagon)
    assert table.points(0) == {"barrow": 2}
    table.choose(space=table.spaces(2)[0])
    assert table.points(0) == {"barrow": 2, "craft": 1} and table.gained(0)["silver"] == 3
