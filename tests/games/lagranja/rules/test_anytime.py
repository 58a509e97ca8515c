"""Turns and what may be done at any time (A0-A7)."""

import pytest
from table import Table

TRADE = ("buy", "sell", "upgrade", "use_commodity")


def acts(table: Table) -> set[str]:
    return {option["do"] for option in table.options()}


# --- A0 --------------------------------------------------------------------------------------------------------------------------


def rich(table: Table, seat: int = 0) -> Table:
    """Enough to have something to do at any time."""
    return table.give(seat, olive=3, pig=1, silver=20, commodity=2)


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (lambda table: table.cards_turn(0), "play_card"),
        (lambda table: table.growth(0), "before_growth"),
        (lambda table: table.roofs(0), "buy_roof"),
        (lambda table: table.pick(0, 4, 4), "take_die"),
        (lambda table: table.last_die(4), "last_die"),
        (lambda table: table.free_deliveries(0, 1), "free_delivery"),
        (lambda table: table.buying_deliveries(0), "buy_delivery"),
    ],
)
def test_a0_a_turn_offers_anytime_actions_beside_its_own(step, kind):
    table = rich(Table().in_round(2))
    table.hold(0)
    table.roof(0, effect="gain silver 1")
    table.hire(0, effect="gain silver 1", uses=1)
    step(table)
    assert table.asked == (0, kind)
    assert {*TRADE, "use_roof", "use_helper"} <= acts(table)


def test_a0_a_turn_offers_them_once_more_before_it_passes():
    table = rich(Table()).takes(0, 4)
    assert table.asked == (0, "end_turn")
    assert acts(table) == {*TRADE, "done"}
    assert table.done().over


def test_a0_the_hand_limit_leaves_time_for_them():
    table = rich(Table().in_round(2))
    for _ in range(5):
        table.hold(0)
    table.cards_turn(0).done()
    assert table.asked == (0, "discard")
    assert set(TRADE) <= acts(table)


def test_a0_not_while_donkeys_are_chosen():
    table = rich(Table()).transport_phase()
    assert table.asked == (0, "choose_donkey")
    assert acts(table) == {"choose_donkey"}


def test_a0_not_in_income_or_scoring():
    table = rich(Table())
    table.hire(0, effect="gain harvest 1", when="on income", phases="farm")
    table.income()
    assert table.asked == (0, "choose_good") and acts(table) == {"gain"}
    table = rich(Table())
    table.hire(0, effect="gain harvest 1", when="on scoring", phases="scoring")
    table.scoring_phase()
    assert table.asked == (0, "choose_good") and acts(table) == {"gain"}


def test_a0_not_in_the_turn_of_another():
    table = rich(Table(), seat=1).give(0, silver=20).turn(0)
    assert table.seat == 0
    assert table.offers(do="sell") == []


def test_a0_a_delivery_inside_an_effect_leaves_time_to_trade_only():
    table = rich(Table())
    table.barrow(0, "olive olive")
    table.roof(0, effect="gain silver 1")
    table.hire(0, effect="gain silver 1", uses=1)
    table.give(0, olive=1).takes(0, 6).choose(effect="deliver 1")
    assert table.asked == (0, "deliver")
    assert acts(table) == {"deliver", *TRADE, "done"}


def test_a0_roofs_may_be_used_between_finished_effects():
    table = rich(Table())
    wagon = table.barrow(0, "olive olive")
    table.roof(0, effect="gain silver 1")
    assert "use_roof" in acts(table.free_deliveries(0, 2).choose(do="deliver", to=wagon))


def test_a0_nothing_while_a_cost_is_paid():
    table = rich(Table().in_round(2)).give(0, grain=1)
    card = table.hold(0)
    table.cards_turn(0).choose(card=card, side="extension")
    assert table.asked == (0, "pay_extension") and acts(table) == {"pay"}
    table = rich(Table()).give(0, grain=1)
    table.hire(0, "Ferryman")
    table.barrow(0, "grain grain")
    table.turn(0, "transport").choose(do="use_helper")
    assert table.asked == (0, "pay_good") and acts(table) == {"pay"}


# --- A1 --------------------------------------------------------------------------------------------------------------------------


def use_commodity(table: Table, effect: str) -> Table:
    return table.give(0, commodity=1).turn(0).choose(do="use_commodity", effect=effect)


def test_a1_four_silver():
    assert use_commodity(Table(), "gain silver 4").gained(0) == {"commodity": -1, "silver": 4}


def test_a1_two_different_harvest_goods():
    table = use_commodity(Table(), "gain harvest_different 2")
    sets = [option["goods"] for option in table.options()]
    assert sorted(sets) == [["grain", "grape"], ["olive", "grain"], ["olive", "grape"]]
    table.choose(goods=["olive", "grape"])
    assert table.gained(0) == {"commodity": -1, "olive": 1, "grape": 1}


def test_a1_play_a_card_and_pay_an_extension():
    table = Table().give(0, silver=2)
    card = table.hold(0)
    use_commodity(table, "play_card")
    assert {option.get("side") for option in table.options()} == {"field", "barrow", "helper", "extension", None}
    table.choose(card=card, side="extension")
    assert table.gained(0) == {"commodity": -1, "silver": -1}
    assert list(table.player(0).extensions[:1]) == [card]


def test_a1_draw_a_card():
    table = Table()
    top = table.deck_cards()[0]
    use_commodity(table, "gain card 1")
    assert table.hand(0) == [top]


def test_a1_a_pig_only_with_a_free_space():
    assert use_commodity(Table().give(0, pig=1), "gain pig 1").gained(0) == {"commodity": -1, "pig": 1}
    assert Table().give(0, pig=2, commodity=1).turn(0).offers(effect="gain pig 1") == []


def test_a1_upgrade_up_to_two_free():
    table = Table().give(0, pig=1).fields(0, "grape", grown=True)
    use_commodity(table, "upgrade 2").choose(good="pig").choose(good="grape", from_="field")
    assert table.gained(0) == {"commodity": -1, "pig": -1, "field_grape": -1, "meat": 1, "wine": 1}
    table = use_commodity(Table().give(0, olive=2), "upgrade 2").choose(good="olive").done()
    assert table.gained(0) == {"commodity": -1, "olive": -1, "food": 1}


def test_a1_all_six_uses_and_no_other():
    table = Table().give(0, commodity=1, olive=1)
    table.hold(0)
    uses = {option["effect"] for option in table.turn(0).offers(do="use_commodity")}
    assert uses == {"gain silver 4", "gain harvest_different 2", "play_card", "gain card 1", "gain pig 1", "upgrade 2"}


# --- A2, A3 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("good", "price"), [("olive", 3), ("grain", 3), ("grape", 4), ("pig", 5)])
def test_a2_buying(good, price):
    """Example 1, buying. Exactly enough silver is enough."""
    table = Table().give(0, silver=price).turn(0).choose(do="buy", good=good)
    assert table.gained(0) == {good: 1, "silver": -price}
    assert Table().give(0, silver=price - 1, commodity=1).turn(0).offers(do="buy", good=good) == []


@pytest.mark.parametrize(("good", "price"), [("olive", 1), ("grain", 1), ("grape", 2), ("pig", 3)])
def test_a2_selling(good, price):
    """Example 1, selling."""
    table = Table().give(0, **{good: 1}, commodity=1).turn(0).choose(do="sell", good=good)
    assert table.gained(0) == {good: -1, "silver": price}


def test_a2_goods_on_fields_and_upgraded_goods_are_not_sold():
    table = Table().fields(0, "olive", grown=True).give(0, food=1, wine=1, meat=1, silver=2).turn(0)
    assert table.offers(do="sell") == []


def test_a2_a_bought_pig_needs_a_space():
    assert Table().give(0, pig=1, silver=5).turn(0).offers(do="buy", good="pig")
    assert Table().give(0, pig=2, silver=5).turn(0).offers(do="buy", good="pig") == []
    assert Table().extend(0, pig=1).give(0, pig=2, silver=5).turn(0).offers(do="buy", good="pig")


@pytest.mark.parametrize(
    ("good", "place", "upgraded", "price"),
    [("olive", "den", "food", 2), ("grain", "den", "food", 2), ("grape", "den", "wine", 3), ("pig", "stable", "meat", 4)],
)
def test_a3_upgrading(good, place, upgraded, price):
    """Example 2, from a den. Exactly enough silver is enough."""
    table = Table().give(0, **{good: 1}, silver=price).turn(0).choose(do="upgrade", from_=place, price=price)
    assert table.gained(0) == {good: -1, upgraded: 1, "silver": -price}
    assert Table().give(0, **{good: 1}, silver=price - 1).turn(0).offers(do="upgrade", good=good) == []


def test_a3_upgrading_from_a_field():
    """Example 2, from a field."""
    table = Table().fields(0, "grape", grown=True).give(0, silver=3).turn(0).choose(do="upgrade", good="grape", from_="field")
    assert table.gained(0) == {"field_grape": -1, "wine": 1, "silver": -3}


# --- A4-A7 -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["farm", "revenue", "transport"])
def test_a4_a_roof_or_helper_in_a_phase_it_lists(phase):
    table = Table().give(0, silver=1, olive=1)
    table.roof(0, effect="gain silver 1", phases="revenue transport")
    table.hire(0, effect="gain silver 1", phases="revenue transport", uses=1)
    table.turn(0, phase)
    assert bool(table.offers(do="use_roof")) == bool(table.offers(do="use_helper")) == (phase != "farm")


def test_a4_an_effect_is_finished_before_another_is_used():
    table = Table().give(0, olive=3)
    first = table.roof(0, effect="upgrade 2")
    table.roof(0, effect="gain silver 1")
    table.turn(0).choose(do="use_roof", roof=first)
    assert acts(table) == {"upgrade", "done"}
    table.choose(good="olive")
    assert acts(table) == {"upgrade", "done"}
    assert "use_roof" in acts(table.choose(good="olive"))


def test_a5_at_most_64_anytime_actions_a_turn():
    table = Table().give(0, silver=200, commodity=1)
    table.roof(0, effect="gain silver 1")
    table.turn(0)
    table.choose(do="buy", good="olive")
    for _ in range(31):
        table.choose(do="buy", good="olive").choose(do="sell", good="olive")
    assert table.offers(do="sell") and table.offers(do="use_roof")
    assert table.choose(do="buy", good="olive").over
    assert table.passed == [(0, "end_turn", {"do": "done"})]  # with goods and silver left, but nothing else on offer


def test_a5_the_count_begins_anew_with_each_turn():
    table = Table(overrides={"game.anytime_actions_a_turn": 1}).give(0, olive=2).pick(0, 3, 4, 4, then=[0])
    table.choose(do="sell", good="olive")
    assert table.offers(do="sell") == []
    table.choose(die=4)
    assert table.asked == (0, "take_die")  # of the next turn
    assert table.offers(do="sell", good="olive")


def test_a5_own_options_of_a_step_do_not_count():
    table = Table(overrides={"game.anytime_actions_a_turn": 1}).give(0, olive=3)
    wagon = table.barrow(0, "olive olive olive")
    table.free_deliveries(0, 3).choose(to=wagon).choose(to=wagon)
    assert table.offers(do="sell")
    assert table.choose(do="sell").offers(do="sell") == []


def test_a6_what_would_do_nothing_is_not_offered():
    table = Table().deck().give(0, commodity=1, silver=1).disc(0, 4).block("merchant_house", "village_store", "deli")
    for effect in ("upgrade 2", "deliver 1", "siesta 2", "play_card", "gain card 1"):
        table.roof(0, effect=effect)
    table.turn(0)
    assert {option.get("effect", option["do"]) for option in table.options()} == {
        "gain silver 4",
        "gain harvest_different 2",
        "gain pig 1",
        "done",
    }


@pytest.mark.parametrize(
    ("cost", "effect", "short", "enough"),
    [
        ("", "pay silver 1 ; deliver 1", {"silver": 1}, {"silver": 2}),
        ("pay silver 2", "deliver 1", {"silver": 2}, {"silver": 3}),
        ("pay silver 1", "pay silver 1 ; deliver 1", {"silver": 2}, {"silver": 3}),
        ("pay commodity 1", "deliver 1", {"commodity": 1}, {"commodity": 2}),
        ("pay olive 1", "upgrade 1", {"olive": 1}, {"olive": 1, "grain": 1}),
        ("pay harvest 2", "upgrade 1 olive", {"olive": 2}, {"olive": 2, "grain": 1}),
        ("pay harvest_different 2", "upgrade 1", {"olive": 1, "grain": 1}, {"olive": 2, "grain": 1}),
        ("pay pig 1", "gain vp 1 if pigs 2", {"pig": 2}, {"pig": 3}),
        ("pay silver 1", "revenue round", {"silver": 2}, {"silver": 3}),
    ],
)
def test_a6_what_would_do_nothing_once_it_is_paid_for_is_not_offered(cost, effect, short, enough):
    """Silver and commodities have rows to go to; the round's revenue is a delivery that is paid for."""
    faces = ["pay silver 1 ; deliver 1", *Table().components.rules.revenue.faces[1:]]
    for goods, offered in ((short, False), (enough, True)):
        table = Table(overrides={"revenue.faces": faces}).give(0, **goods)
        table.hire(0, effect=effect, cost=cost)
        assert bool(table.turn(0).offers(do="use_helper")) == offered
        assert table.gained(0) == {}  # judging takes nothing


def test_a6_a_commodity_returned_for_a_delivery_is_not_there_to_be_delivered():
    uses = {"prices.commodity_uses": "deliver 1 | gain silver 4"}
    for commodities, offered in ((1, False), (2, True)):
        table = Table(overrides=uses).give(0, commodity=commodities).turn(0)
        assert bool(table.offers(do="use_commodity", effect="deliver 1")) == offered


def test_a6_no_income_from_a_helper_whose_cost_leaves_nothing_to_do():
    table = Table().give(0, olive=1)
    table.hire(0, effect="upgrade 1", cost="pay olive 1", when="on income")
    table.roof(0, "income")
    assert table.turn(0).offers(do="use_roof") == []
    assert table.give(0, olive=1).turn(0).offers(do="use_roof")


def test_a0_a_cost_that_one_good_alone_can_pay_is_a_decision_with_one_option():
    table = Table().give(0, grain=2)
    table.hire(0, "Ferryman")
    table.barrow(0, "grain grain")
    table.turn(0, "transport").choose(do="use_helper")
    assert (0, "pay_good", {"do": "pay", "good": "grain", "from": "den"}) in table.passed


def test_f11_income_counts_as_a_step_of_the_farm_phase():
    """F5 again, helpers on income included, whichever phase the roof is used in."""
    table = Table().give(0, olive=1)
    table.hire(0, "Money Lender")  # farm phase only
    table.roof(0, "income")
    table.turn(0, "revenue").choose(do="use_roof")
    assert table.gained(0) == {"silver": 2}


def test_a6_no_income_from_a_helper_whose_cost_cannot_be_paid():
    table = Table().give(0, olive=1)
    table.hire(0, effect="gain vp 1", cost="pay silver 5", when="on income")
    table.roof(0, "income")
    assert table.turn(0).offers(do="use_roof") == []


def test_a6_a_mandatory_step_without_another_option_is_passed_over():
    table = Table().disc(0, 4).pick(0, 5, 5)
    assert table.over  # nothing to upgrade, no step to take: the die does nothing
    assert table.passed[0] == (0, "take_die", {"do": "take_die", "die": 5, "as": 5})
    assert table.gained(0) == {}


def test_a6_gains_happen_by_themselves():
    table = Table()
    table.hire(0, effect="gain vp 1", when="on income", phases="farm")
    table.income()
    assert table.over and table.points(0) == {"helper": 1}


def test_a6_upgrades_deliveries_and_siesta_steps_are_up_to():
    table = Table().give(0, olive=2).takes(0, 5).choose(effect="upgrade 2")
    assert table.offers(do="done")
    table = Table().give(0, olive=1).takes(0, 5).choose(effect="siesta 2")
    assert [option["do"] for option in table.options()] == ["siesta", "siesta", "done"]
    table = Table().give(0, silver=1).free_deliveries(0, 1)
    assert table.offers(do="done")


def test_a6_steps_of_donkey_tiles_are_not_optional():
    table = Table().transport_phase().choose(donkey=1).choose(donkey=1)
    assert table.stacks()[3] == [0, 1]


def test_a7_prices_never_fall_below_0():
    table = Table().give(0, olive=1, commodity=1)
    table.hire(0, effect="upgrade_cost -9", when="passive")
    table.hire(0, effect="buy_price -9", when="passive")
    table.hire(0, effect="sell_price -9", when="passive")
    table.turn(0).choose(do="upgrade", good="olive", price=0)
    table.choose(do="buy", good="pig").choose(do="sell", good="pig")
    assert table.gained(0) == {"olive": -1, "food": 1}


def test_a7_nor_do_the_costs_of_roofs_and_extensions():
    table = Table().in_round(2).offer("pig")
    table.hire(0, "Thatcher")
    table.hire(0, effect="roof_cost -9", when="passive")
    assert table.roofs(0).choose(do="buy_roof").gained(0) == {}
    table = Table().in_round(2)
    card = table.hold(0)
    table.hire(0, effect="extension_cost -9", when="passive")
    table.cards_turn(0).choose(card=card, side="extension")
    assert table.gained(0) == {} and table.player(0).extension_count == 1


def test_a7_helpers_lower_prices():
    table = Table().give(0, grape=1, silver=2)
    table.hire(0, "Chef")
    assert table.turn(0).choose(do="upgrade", price=2).gained(0) == {"grape": -1, "wine": 1, "silver": -2}
