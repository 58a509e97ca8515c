"""The farm phase from income on (F5-F12): growth, roofs, pigs."""

import pytest
from table import Table

# --- F5 --------------------------------------------------------------------------------------------------------------------------


def test_f5_income_of_the_example():
    """Example 4."""
    table = Table().extend(0, income="gain silver 1").complete(0, "merchant_house", "deli").income()
    assert table.gained(0) == {"silver": 4, "commodity": 1}
    assert table.gained(1) == {}


def test_f5_extensions_may_give_other_things():
    table = Table().extend(0, income="gain pig 1 ; gain olive 2").extend(0, income="gain commodity 1").income()
    assert table.gained(0) == {"pig": 1, "olive": 2, "commodity": 1}


def test_f5_markers_of_this_round_give_no_income_yet():
    assert Table().complete(0, "merchant_house", "deli", flipped=False).income().gained(0) == {}


def test_f5_helpers_on_income():
    table = Table().complete(0, "deli", "butcher")
    table.hire(0, "Tax Collector")
    assert table.income().gained(0) == {"silver": 2, "commodity": 1}


def test_f5_the_greengrocer_of_bga():
    table = Table(variant="bga").complete(0, "greengrocer").income().choose(do="gain", good="olive")
    assert table.gained(0) == {"olive": 1}
    assert Table(variant="bga").complete(0, "greengrocer").growth(0).over


# --- F6 --------------------------------------------------------------------------------------------------------------------------


def test_f6_empty_fields_get_their_good():
    table = Table().fields(0, "olive", "olive", "grape").fields(0, "olive", "grain", grown=True).give(0, silver=1).growth(0).leave()
    assert table.gained(0) == {"field_olive": 2, "field_grape": 1}


@pytest.mark.parametrize(("pigs", "spaces", "piglets"), [(0, 2, 0), (1, 2, 0), (2, 2, 0), (2, 3, 1), (3, 4, 1), (5, 6, 1), (5, 5, 0)])
def test_f6_one_piglet_with_two_pigs_and_a_space(pigs, spaces, piglets):
    """Example 15: without a space there is neither a piglet nor silver."""
    table = Table().extend(0, pig=spaces - 2).give(0, pig=pigs).growth(0)
    assert table.leave().gained(0) == ({"pig": piglets} if piglets else {})


def test_f6_bga_sells_a_piglet_without_a_space():
    assert Table(variant="bga").give(0, pig=2).growth(0).leave().gained(0) == {"silver": 3}


def test_f6_the_greengrocer_after_growth():
    table = Table().complete(0, "greengrocer").extend(0, pig=2).give(0, pig=1).growth(0).choose(do="grow")
    assert table.asked == (0, "choose_good")
    assert table.choose(good="pig").leave().gained(0) == {"pig": 1}


def test_f6_the_greengrocer_before_growth_counts_for_piglets():
    table = Table().complete(0, "greengrocer").extend(0, pig=2).give(0, pig=1).growth(0)
    table.choose(do="take_growth", building="greengrocer").choose(good="pig")
    assert table.offers(do="take_growth") == []
    assert table.choose(do="grow").leave().gained(0) == {"pig": 2}


def test_f6_an_upgrade_before_growth_lets_a_field_grow_again():
    table = Table().fields(0, "grape", grown=True).give(0, silver=5).growth(0).choose(do="upgrade", from_="field").leave()
    assert table.gained(0) == {"wine": 1, "silver": -3}
    assert table.stock(0, "field_grape") == 1


def test_f6_selling_a_pig_makes_room_for_a_piglet():
    table = Table().extend(0, pig=1).give(0, pig=3).growth(0).choose(do="sell", good="pig").choose(do="grow")
    assert table.leave().gained(0) == {"silver": 3}  # one sold, one born


# --- F7 --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 7))
def test_f7_a_roof_costs_the_number_of_the_round(number):
    """Example 13, the prices. Exactly enough silver is enough."""
    table = Table().in_round(number).offer("pig").give(0, silver=number).roofs(0).choose(do="buy_roof")
    assert table.gained(0)["silver"] == -number
    assert Table().in_round(number).offer("pig").give(0, silver=number - 1, olive=1).roofs(0).offers(do="buy_roof") == []


def test_f7_second_roof_in_round_2():
    """Example 3: the first roof gives no points, the second one."""
    table = Table().in_round(1).offer("olive").give(0, silver=1).roofs(0).choose(do="buy_roof").leave()
    assert table.points(0) == {}
    table.in_round(2).offer("grape").give(0, silver=2).roofs(0).choose(do="buy_roof")
    assert table.gained(0) == {"silver": -2, "vp": 1} and table.points(0) == {"roof": 1}


def test_f7_points_of_the_five_spaces_and_no_sixth_roof():
    """Example 13, at most five."""
    table, points = Table().in_round(2), []
    for design in ("olive", "4 silver", "grape", "3 silver", "pig"):
        table.offer(design).give(0, silver=2).roofs(0).choose(do="buy_roof", roof=table.roof_named(design)).leave()
        points.append(table.points(0).get("roof", 0))
    assert points == [0, 1, 2, 3, 4]
    assert table.offer("1 point").give(0, silver=9).roofs(0).offers(do="buy_roof") == []


def test_f7_at_most_one_a_round():
    table = Table().in_round(1).offer("olive", "4 silver").give(0, silver=9).roofs(0).choose(do="buy_roof", roof=1)
    assert table.asked == (0, "end_turn") and table.offers(do="buy_roof") == []


def test_f7_what_one_buys_the_next_cannot():
    table = Table().in_round(1).offer("olive", "4 silver").give(0, silver=1).give(1, silver=1).roofs(0, 1).choose(roof=2).done()
    assert table.asked == (1, "buy_roof")
    assert [option["roof"] for option in table.offers(do="buy_roof")] == [1]


@pytest.mark.parametrize(("number", "order"), [(1, [1, 0, 2]), (2, [2, 0, 1])])
def test_f7_round_1_in_reverse_order(number, order):
    """Example 13, the order."""
    table = Table(players=3, dealt=1).in_order(2, 0, 1).whole_round(number)
    buyers = []
    while table.kind != "take_die":
        if table.kind == "buy_roof":
            buyers.append(table.seat)
        table.choose(**table.options()[-1])
    assert buyers == order


# --- F8-F11 ----------------------------------------------------------------------------------------------------------------------


def test_f8_a_roof_works_once():
    table = Table().give(0, olive=1)
    roof = table.roof(0, "4 silver")
    table.turn(0).choose(do="use_roof", roof=roof)
    assert table.gained(0) == {"silver": 4} and table.face_up(0) == []
    assert table.offers(do="use_roof") == []


def test_f8_it_may_be_used_in_the_turn_in_which_it_is_bought():
    table = Table().in_round(1).offer("4 silver").give(0, silver=1).roofs(0).choose(do="buy_roof").choose(do="use_roof")
    assert table.gained(0) == {"silver": 3}


def test_f8_siesta_roofs_not_in_the_transportation_phase():
    for phase, offered in (("farm", 1), ("revenue", 1), ("transport", 0)):
        table = Table().give(0, olive=1)
        table.roof(0, "siesta 2")
        assert len(table.turn(0, phase).offers(do="use_roof")) == offered


def test_f8_it_stays_used_in_later_rounds():
    table = Table().in_round(2).give(0, olive=1)
    table.roof(0, "3 silver", used=True)
    table.scoring_phase()
    assert table.turn(0).offers(do="use_roof") == []


def double_points(roofs_before: int) -> Table:
    """A roof is bought by the owner of "double points", or that roof itself."""
    table = Table().in_round(3).give(0, silver=9)
    for design in ("olive", "grape", "3 silver")[:roofs_before]:
        table.roof(0, design)
    return table


def test_f9_double_points_when_a_later_roof_is_placed():
    table = double_points(2)
    roof = table.roof(0, "double points")
    table.offer("pig").roofs(0).choose(do="buy_roof")
    assert table.asked == (0, "offer")
    table.choose(do="use_roof", roof=roof)
    assert table.points(0) == {"roof": 3, "roof_effect": 3} and roof not in table.face_up(0)


def test_f9_double_points_when_it_is_placed_itself():
    table = double_points(2).offer("double points").roofs(0).choose(do="buy_roof").choose(do="use_roof")
    assert table.points(0) == {"roof": 2, "roof_effect": 2}


def test_f9_double_points_may_wait():
    table = double_points(2).offer("double points").roofs(0).choose(do="buy_roof").choose(do="decline")
    assert table.points(0) == {"roof": 2} and table.roof_named("double points") in table.face_up(0)


def test_f9_nothing_to_double_on_the_first_space():
    table = double_points(0).offer("double points").roofs(0).choose(do="buy_roof")
    assert table.asked == (0, "end_turn")


def test_f10_market_marker_earns_nothing_and_removes_nobody():
    table = Table(players=2).mark(1, 7)
    table.roof(0, "market marker")
    table.hire(0, "Stall Keeper")
    table.turn(0, "revenue").choose(do="use_roof")
    assert len(table.options()) == 19 - 1  # any free open space
    assert table.offers(space=7) == []
    table.choose(space=3)  # a 4 beside the 3
    assert table.market() == {3: 0, 7: 1} and table.gained(0) == {}


def test_f11_flip_a_roof():
    table = Table().give(0, olive=1)
    table.roof(0, "grape", used=True)
    silver = table.roof(0, "3 silver", used=True)
    flip = table.roof(0, "flip a roof")
    table.turn(0).choose(do="use_roof", roof=flip)
    assert [option["roof"] for option in table.options()] == [table.roof_named("grape"), silver]
    table.choose(roof=silver).choose(do="use_roof", roof=silver)
    assert table.gained(0) == {"silver": 3}


def test_f11_flip_a_roof_needs_another_used_one():
    table = Table().give(0, olive=1)
    table.roof(0, "3 silver")
    table.roof(0, "flip a roof")
    assert len(table.turn(0).offers(do="use_roof")) == 1


def test_f11_income_once_more_with_helpers():
    table = Table().complete(0, "merchant_house", "deli").extend(0, income="gain silver 1")
    table.hire(0, effect="gain silver 2", when="on income")
    table.roof(0, "income")
    table.turn(0, "revenue").choose(do="use_roof")
    assert table.gained(0) == {"silver": 6, "commodity": 1}
    assert table.gained(1) == {}


def test_f11_income_of_the_greengrocer_of_bga():
    table = Table(variant="bga").complete(0, "greengrocer").give(0, olive=1)
    table.roof(0, "income")
    assert table.turn(0, "revenue").offers(do="use_roof")


def test_f11_purchased_delivery():
    table = Table().give(0, silver=1, olive=1)
    wagon = table.barrow(0, "olive grain")
    table.roof(0, "purchased delivery")
    table.turn(0, "revenue").choose(do="use_roof").choose(to=wagon)
    assert table.gained(0) == {"silver": -1, "olive": -1}
    table = Table().give(0, olive=1)
    table.barrow(0, "olive grain")
    table.roof(0, "purchased delivery")
    assert table.turn(0, "revenue").offers(do="use_roof") == []  # no silver


# --- F12 -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["die", "roof", "greengrocer", "helper", "income"])
def test_f12_a_pig_without_a_space_is_sold_at_the_owners_price(origin):
    table = Table().give(0, pig=2)
    table.hire(0, "Broker")  # selling prices +1
    if origin == "die":
        table.takes(0, 1)
    elif origin == "roof":
        table.roof(0, "pig")
        table.turn(0).choose(do="use_roof")
    elif origin == "greengrocer":
        table.complete(0, "greengrocer").growth(0).choose(do="take_growth").choose(good="pig")
    elif origin == "helper":
        table.hire(0, effect="gain pig 1", uses=1)
        table.turn(0).choose(do="use_helper")
    else:
        table.extend(0, income="gain pig 1").income()
    assert table.gained(0) == {"silver": 4}


def test_f12_of_several_pigs_only_those_without_a_space():
    assert Table().extend(0, income="gain pig 3").give(0, pig=1).income().gained(0) == {"pig": 1, "silver": 6}


def test_f12_a_piglet_is_never_sold():
    table = Table().give(0, pig=2)
    table.hire(0, "Broker")
    assert table.growth(0).leave().gained(0) == {}
