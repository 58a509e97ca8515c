"""The limit of markers (L1). With five markers, and some of them in use, each kind of gain meets the limit."""

import pytest
from table import Table

FIVE = {"setup.markers": 5}


def short(**goods: int) -> Table:
    """Five markers, of which these goods take all but what a test leaves."""
    return Table(overrides=FIVE).give(0, **goods)


def test_l1_what_is_one_marker():
    table = Table(players=2).give(0, olive=1, pig=1, food=1, commodity=1, silver=5, vp=9).fields(0, "grape", grown=True)
    table.barrow(0, "silver olive olive", missing="olive olive")
    table.row(0, "merchant_house", missing="silver silver silver silver").complete(0, "deli").mark(0, 2, 3).turn(0)
    assert table.free_markers(0) == 25 - (4 + 1 + 1 + 2 + 1 + 2)


def test_l1_up_to_the_limit_nothing_is_asked():
    table = short(food=3)
    table.roof(0, effect="gain olive 2")
    assert table.turn(0).choose(do="use_roof").gained(0) == {"olive": 2}


def test_l1_any_marker_may_be_given_up():
    table = short(olive=1, meat=1, commodity=1).fields(0, "grape", grown=True).mark(0, 2)
    table.roof(0, effect="gain grain 1")
    table.turn(0).choose(do="use_roof")
    assert table.asked == (0, "give_up")
    assert [{key: value for key, value in option.items() if key != "do"} for option in table.options()] == [
        {"good": "olive", "from": "den"},
        {"good": "meat", "from": "den"},
        {"good": "commodity", "from": "storage"},
        {"good": "grape", "from": "field"},
        {"space": 2},
        {},
    ]
    assert table.options()[-1] == {"do": "forgo"}
    table.choose(good="meat")
    assert table.gained(0) == {"meat": -1, "grain": 1}


def test_l1_a_marker_of_the_market_may_be_given_up():
    table = short(food=4).mark(0, 2)
    table.roof(0, effect="gain grain 1")
    table.turn(0).choose(do="use_roof").choose(space=2)
    assert table.gained(0) == {"grain": 1} and table.market() == {}


def test_l1_the_gain_may_be_forgone():
    table = short(food=5)
    table.roof(0, effect="gain grain 1")
    assert table.turn(0).choose(do="use_roof").choose(do="forgo").gained(0) == {}


def test_l1_it_is_asked_for_each_unit():
    table = short(food=4)
    table.roof(0, effect="gain grain 3")
    table.turn(0).choose(do="use_roof")
    assert table.gained(0) == {"grain": 1}  # the first finds a marker
    table.choose(good="food").choose(do="forgo")
    assert table.gained(0) == {"food": -1, "grain": 2}


def test_l1_a_bought_good():
    table = short(food=5, silver=3).turn(0).choose(do="buy", good="olive").choose(good="food")
    assert table.gained(0) == {"silver": -3, "olive": 1, "food": -1}


def test_l1_the_marker_of_a_bought_good_comes_before_its_price():
    table = short(food=5, silver=3).turn(0).choose(do="buy", good="olive")
    assert table.asked == (0, "give_up") and table.gained(0) == {}
    assert table.choose(do="forgo").gained(0) == {}
    assert table.offers(do="buy", good="olive")


def test_l1_a_forgone_purchase_is_an_anytime_action():
    table = Table(overrides=FIVE | {"game.anytime_actions_a_turn": 1}).give(0, food=5, silver=3).turn(0)
    assert table.choose(do="buy", good="olive").choose(do="forgo").offers(do="buy") == []


def nothing_to_give_up(**goods: int) -> Table:
    """All five markers lie on the row of the merchant house."""
    return Table(overrides=FIVE).give(0, **goods).row(0, "merchant_house", missing="silver")


def test_l1_what_needs_a_marker_is_not_offered_where_none_is_within_reach():
    table = nothing_to_give_up(silver=9)
    table.roof(0, effect="gain grain 1")
    table.roof(0, "market marker")
    table.roof(0, "upgraded good")
    table.hire(0, "Importer")
    assert table.turn(0).over
    assert table.buying_deliveries(0).over
    table.roof(0, effect="gain grain 1 ; gain vp 1")
    assert table.turn(0).choose(do="use_roof").gained(0) == {"vp": 1}


def test_l1_a_pig_is_sold_where_no_marker_and_no_space_is_left():
    table = nothing_to_give_up()
    table.hire(0, effect="gain pig 1")
    table.hire(0, effect="pig_space -2", when="passive")
    assert table.turn(0).choose(do="use_helper").gained(0) == {"silver": 3}


@pytest.mark.parametrize(
    ("name", "goods", "gained"),
    [
        ("Importer", {"silver": 3}, {"silver": -3, "commodity": 1}),
        ("Drover", {"silver": 3}, {"silver": -3, "pig": 1}),
        ("Donkey Driver", {"silver": 3}, {"silver": -3}),
    ],
)
def test_l1_the_marker_comes_before_the_cost_of_a_helper(name, goods, gained):
    table = short(food=5, **goods).block("wainwright", "greengrocer", "butcher")
    card = table.hire(0, name)
    table.turn(0, "transport").choose(do="use_helper")
    assert table.asked == (0, "give_up") and table.gained(0) == {}
    table.choose(do="forgo")
    assert table.gained(0) == {} and table.offers(do="use_helper", helper=card)
    table.choose(do="use_helper").choose(good="food")
    if table.kind == "deliver":
        table.choose(to="merchant_house")
    assert table.gained(0) == gained | {"food": -1} and table.offers(do="use_helper") == []


def test_l1_the_marker_comes_before_the_good_is_chosen():
    table = short(food=5, silver=2)
    table.hire(0, "Greengrocer's Clerk")
    table.turn(0).choose(do="use_helper").choose(good="food").choose(good="grape")
    assert table.gained(0) == {"food": -1, "silver": -2, "grape": 1}


def test_l1_the_marker_comes_before_the_point_for_the_merchant():
    """The round's revenue is a pig and nothing else."""
    table = short(food=5, vp=1).in_round(1)
    table.hire(0, "Merchant")
    table.takes(0, 4).choose(do="use_helper")
    assert table.asked == (0, "give_up") and table.gained(0) == {"silver": 4}
    assert table.choose(do="forgo").asked == (0, "end_turn")
    assert table.gained(0) == {"silver": 4}


def test_l1_a_forgone_roof_stays_face_up():
    table = short(food=5)
    table.roof(0, effect="gain grain 1")
    table.turn(0).choose(do="use_roof").choose(do="forgo")
    assert table.gained(0) == {} and table.face_up(0) != []
    assert table.choose(do="use_roof").choose(good="food").face_up(0) == []


def test_l1_a_gain_in_anothers_turn_that_is_forgone_spends_no_use():
    table = Table(overrides=FIVE).give(1, food=4).mark(1, 7)
    for _ in range(2):
        table.hire(1, effect="gain commodity 1", when="on own_marker_removed", uses=1)
    wagon = table.barrow(0, "olive", value=4)
    table.give(0, olive=1).free_deliveries(0, 1).choose(to=wagon).choose(space=3)
    assert table.gained(1) == {"commodity": 1}  # with the marker that was removed
    assert list(table.player(1).helper_used) == [1, 0, 0]


def test_l1_an_effect_with_a_part_that_needs_no_marker_is_used_first():
    table = short(food=5)
    table.roof(0, effect="gain grain 1 ; gain vp 1")
    table.turn(0).choose(do="use_roof")
    assert table.asked == (0, "give_up") and table.face_up(0) == []
    assert table.choose(do="forgo").gained(0) == {"vp": 1}


def test_l1_a_price_inside_an_effect():
    table = short(food=5, silver=2)
    table.roof(0, effect="pay silver 2 ; gain grain 1 | gain vp 1")
    table.turn(0).choose(do="use_roof").choose(effect="pay silver 2 ; gain grain 1")
    assert table.asked == (0, "give_up") and table.gained(0) == {}
    assert table.choose(do="forgo").gained(0) == {}
    table = short(food=5, silver=2)
    table.roof(0, effect="pay silver 2 ; gain grain 1 | gain vp 1")
    table.turn(0).choose(do="use_roof").choose(effect="pay silver 2 ; gain grain 1").choose(good="food")
    assert table.gained(0) == {"food": -1, "silver": -2, "grain": 1}


def test_l1_what_is_given_up_may_leave_nothing_to_pay_for():
    table = short(food=3, pig=2, silver=2)
    table.hire(0, effect="gain grain 1 if pigs 2", cost="pay silver 2", uses=1)
    table.turn(0).choose(do="use_helper").choose(good="pig")
    assert table.gained(0) == {"pig": -1} and table.player(0).helper_used[0] == 0


def test_l1_whoever_pays_with_a_good_has_its_marker():
    table = short(food=5)
    table.hire(0, effect="gain commodity 1", cost="pay upgraded 1")
    assert table.turn(0).choose(do="use_helper").gained(0) == {"food": -1, "commodity": 1}


def test_l1_a_commodity_returned_frees_its_own_marker():
    """The second good needs another, and forgoing that one loses it alone."""
    table = (
        short(food=4, commodity=1).turn(0).choose(do="use_commodity", effect="gain harvest_different 2").choose(goods=["olive", "grape"])
    )
    assert table.asked == (0, "give_up") and table.gained(0) == {"commodity": -1, "olive": 1}
    assert table.choose(do="forgo").gained(0) == {"commodity": -1, "olive": 1}


def buying_for_silver(**how: object) -> Table:
    """T4 with five markers in use, in which only silver can be delivered."""
    table = Table(overrides=FIVE | how).give(0, food=5, silver=9).block("wainwright", "greengrocer", "butcher")
    return table.extend(0, delivery=1).buying_deliveries(0)


def test_l1_a_bought_delivery_of_silver():
    table = buying_for_silver().choose(do="buy_delivery")
    assert table.asked == (0, "give_up") and table.gained(0) == {}
    table.choose(good="food").choose(to="merchant_house")
    assert table.gained(0) == {"food": -1, "silver": -2}


def test_l1_a_forgone_purchase_of_a_delivery_is_used_up_and_costs_nothing():
    table = buying_for_silver().choose(do="buy_delivery").choose(do="forgo")
    assert table.asked == (0, "buy_delivery") and table.gained(0) == {} and table.player(0).bought_deliveries == 0
    table.choose(do="buy_delivery").choose(do="forgo")
    assert table.offers(do="buy_delivery") == [] and table.gained(0) == {}


def test_l1_forgone_up_front_all_are_lost_unpaid():
    table = buying_for_silver(**{"transport.extra_deliveries_paid": "up_front"}).choose(count=2).choose(do="forgo")
    assert table.asked == (0, "end_turn") and table.gained(0) == {}


def test_l1_a_bought_delivery_that_could_be_of_another_good_is_paid_first():
    table = short(food=5, silver=9).buying_deliveries(0).choose(do="buy_delivery")
    assert table.asked == (0, "deliver") and table.gained(0) == {"silver": -1}
    assert table.choose(to="merchant_house").choose(do="forgo").gained(0) == {"silver": -1}


def test_l1_growth_and_piglets():
    table = short(food=3, pig=2).extend(0, pig=1).fields(0, "olive").growth(0).choose(do="grow")
    assert table.asked == (0, "give_up")
    table.choose(good="food").choose(good="food").leave()
    assert table.gained(0) == {"food": -2, "field_olive": 1, "pig": 1}


def test_l1_a_forgone_piglet_is_no_offspring():
    table = short(food=3, pig=2).extend(0, pig=1)
    table.hire(0, effect="gain vp 1", when="on breed")
    table.growth(0).choose(do="grow").choose(do="forgo").leave()
    assert table.gained(0) == {}


def test_l1_a_pig_without_a_space_needs_no_marker():
    assert short(food=3, pig=2).takes(0, 1).gained(0) == {"silver": 3}


def test_l1_income():
    table = short(food=4).complete(0, "deli").income()
    assert table.asked == (0, "give_up")
    assert table.choose(good="food").gained(0) == {"food": -1, "commodity": 1}


def test_l1_a_chosen_good_and_a_set_of_goods():
    table = short(food=5).takes(0, 2).choose(effect="gain harvest 1").choose(good="grape").choose(good="food")
    assert table.gained(0) == {"food": -1, "grape": 1}
    table = short(food=4).takes(0, 3).choose(goods=["olive", "grape"]).choose(do="forgo")
    assert table.gained(0) == {"olive": 1}


def test_l1_a_delivered_good_takes_its_marker_along():
    table = short(food=5).free_deliveries(0, 1).choose(to="wainwright")
    assert table.kind != "give_up" and table.free_markers(0) == 0


def test_l1_a_delivered_silver_needs_one():
    table = short(food=5, silver=2).free_deliveries(0, 1).choose(to="merchant_house")
    assert table.asked == (0, "give_up")
    table.choose(good="food")
    assert table.gained(0) == {"food": -1, "silver": -1} and table.player(0).row_left[0] == 5


def test_l1_a_forgone_delivery_of_silver_is_used_up():
    table = short(food=5, silver=2).free_deliveries(0, 1).choose(to="merchant_house").choose(do="forgo")
    assert table.gained(0) == {} and table.kind != "free_delivery"


def test_l1_a_silver_on_a_barrow_needs_one():
    table = short(food=5, silver=2)
    wagon = table.barrow(0, "silver silver")
    table.free_deliveries(0, 1).choose(to=wagon).choose(good="food")
    assert table.gained(0) == {"food": -1, "silver": -1} and table.player(0).barrow_left[0] == 1


def test_l1_silver_is_not_delivered_where_nothing_could_be_given_up():
    table = Table(overrides=FIVE).give(0, silver=9).row(0, "merchant_house", missing="silver").free_deliveries(0, 1)
    assert table.offers(do="deliver") == []  # all five lie on the row


def test_l1_the_commodity_and_the_marker_of_a_barrow():
    table = short(food=4)
    wagon = table.barrow(0, "food")
    table.free_deliveries(0, 1).choose(to=wagon)
    assert table.asked == (0, "place_marker")  # the barrow's marker is back before the market, the commodity took the last free one
    table.choose(space=2)
    assert table.market() == {2: 0} and table.gained(0) == {"food": -1, "commodity": 1, "vp": 2}
    table = short(food=5)
    wagon = table.barrow(0, "food")
    table.free_deliveries(0, 1).choose(to=wagon).choose(do="forgo").choose(space=2)
    assert table.gained(0) == {"food": -1, "vp": 2} and table.market() == {2: 0}


def test_l1_a_marker_for_the_market_may_be_forgone():
    table = short(food=5)
    table.roof(0, "market marker")
    table.turn(0).choose(do="use_roof")
    assert table.asked == (0, "give_up")  # the marker first, then the space
    assert table.choose(do="forgo").market() == {}


def test_l1_markers_on_a_barrow_can_be_given_up():
    """Player Markers: "from their farm or the marketplace"; Terms: the farm is the board and all attached cards."""
    table = short(food=4)
    barrow = table.barrow(0, "olive wine", missing="wine")
    table.roof(0, "market marker")
    table.turn(0).choose(do="use_roof").choose(do="give_up", from_=barrow).choose(space=2)
    assert table.market() == {2: 0}
    assert table.player(0).barrow_left[0] == 2  # both symbols are free again


def test_l1_forgone_by_itself_in_anothers_turn():
    table = Table(overrides=FIVE).give(1, food=4).mark(1, 7)
    table.hire(1, effect="gain commodity 2", when="on own_marker_removed")
    wagon = table.barrow(0, "olive", value=4)
    table.give(0, olive=1).free_deliveries(0, 1).choose(to=wagon).choose(space=3)
    assert table.gained(1) == {"commodity": 1}


@pytest.mark.parametrize("variant", ["deluxe", "yucata"])
def test_l1_no_limit_on_yucata(variant):
    table = Table(variant=variant).give(0, food=25 if variant == "deluxe" else 60)
    table.roof(0, effect="gain grain 1")
    assert (table.turn(0).choose(do="use_roof").kind == "give_up") == (variant == "deluxe")
