"""The effect language at work: each verb, `per`, `if`, costs, alternatives and events, printed on a roof or a helper."""

import pytest
from table import Table


def used(table: Table, effect: str, phase: str = "farm") -> Table:
    """A roof with this effect is used by seat 0 in its turn."""
    table.roof(0, effect=effect)
    return table.turn(0, phase).choose(do="use_roof")


def offered(table: Table, effect: str) -> bool:
    table.roof(0, effect=effect)
    table.give(0, commodity=1)
    return bool(table.turn(0).offers(do="use_roof"))


# --- gains -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", ["olive", "grain", "grape", "pig", "food", "wine", "meat", "silver", "commodity", "vp"])
def test_gain_of_a_named_good(good):
    assert used(Table(), f"gain {good} 2").gained(0) == {good: 2}


def test_gain_of_cards():
    table = Table()
    top = table.deck_cards()[:2]
    assert used(table, "gain card 2").hand(0) == sorted(top)


@pytest.mark.parametrize(
    ("what", "goods"),
    [("harvest", {"olive", "grain", "grape"}), ("resource", {"olive", "grain", "grape", "pig"}), ("upgraded", {"food", "wine", "meat"})],
)
def test_gain_of_a_class_asks_for_each_unit(what, goods):
    table = used(Table(), f"gain {what} 2")
    assert {option["good"] for option in table.options()} == goods
    first, second = sorted(goods)[:2]
    assert table.choose(good=first).choose(good=second).gained(0) == {first: 1, second: 1}


def test_gain_of_different_harvest_goods():
    assert len(used(Table(), "gain harvest_different 2").options()) == 3
    assert used(Table(), "gain harvest_different 3").gained(0) == {"olive": 1, "grain": 1, "grape": 1}


# --- costs -----------------------------------------------------------------------------------------------------------------------


def test_pay_then_gain():
    assert used(Table().give(0, silver=2), "pay silver 2 ; gain vp 1").gained(0) == {"silver": -2, "vp": 1}
    assert not offered(Table().give(0, silver=1), "pay silver 2 ; gain vp 1")


def test_pay_of_two_goods_needs_both():
    assert not offered(Table().give(0, silver=2), "pay silver 2 ; pay pig 1 ; gain vp 1")
    assert offered(Table().give(0, silver=2, pig=1), "pay silver 2 ; pay pig 1 ; gain vp 1")


def test_pay_of_a_class_is_a_choice():
    table = used(Table().give(0, olive=1, grape=2), "pay harvest 2 ; gain vp 1")
    assert {option["good"] for option in table.options()} == {"olive", "grape"}
    assert table.choose(good="grape").choose(good="grape").gained(0) == {"grape": -2, "vp": 1}


def test_pay_of_a_class_with_one_kind_is_no_question():
    assert used(Table().give(0, wine=2), "pay upgraded 1 ; gain vp 3").gained(0) == {"wine": -1, "vp": 3}


def test_pay_of_different_goods():
    assert not offered(Table().give(0, olive=3), "pay harvest_different 2 ; gain vp 1")
    table = used(Table().give(0, olive=2, grape=1, grain=1), "pay harvest_different 2 ; gain vp 1").choose(good="olive")
    assert {option["good"] for option in table.options()} == {"grain", "grape"}


def test_pay_never_takes_from_fields():
    assert not offered(Table().fields(0, "olive", grown=True), "pay harvest 1 ; gain vp 1")


def test_a_cost_that_cannot_be_paid_any_more_ends_the_effect():
    """The silver for the second part has gone where the first part's delivery took it."""
    table = used(Table().give(0, silver=1), "deliver 1 ; pay silver 1 ; gain vp 1")
    assert table.choose(do="deliver", to="village_store").gained(0) == {"silver": -1}


# --- upgrades, deliveries, siesta --------------------------------------------------------------------------------------------------


def test_upgrade_of_a_named_good():
    table = used(Table().give(0, grape=1, olive=1), "upgrade 1 grape")
    assert [option.get("good") for option in table.options()] == ["grape", None]
    assert not offered(Table().give(0, olive=1), "upgrade 1 grape")


def test_deliver():
    table = Table().give(0, olive=2)
    wagon = table.barrow(0, "olive olive wine")
    table = used(table, "deliver 2").choose(do="deliver", to=wagon).choose(do="deliver", to=wagon)
    assert table.gained(0) == {"olive": -2}
    assert not offered(Table().give(0, food=1).block("wainwright", "deli"), "deliver 1")


def test_siesta_and_siesta_points():
    table = used(Table(), "siesta 2 ; siesta_vp").choose(steps=2)
    assert table.points(0) == {"roof_effect": 1}
    assert not offered(Table().disc(0, 4), "siesta 1")
    assert not offered(Table().disc(0, 1), "siesta_vp")


# --- cards, dice, roofs, market ------------------------------------------------------------------------------------------------------


def test_play_card():
    table = Table()
    card = table.hold(0, field="olive")
    assert used(table, "play_card").choose(card=card, side="field").player(0).fields[0] == 1
    assert not offered(Table(), "play_card")


def test_play_card_may_be_declined():
    table = Table()
    card = table.hold(0)
    assert used(table, "play_card").done().hand(0) == [card]


@pytest.mark.parametrize(("number", "gained"), [(1, {"pig": 1}), (4, {"silver": 4})])
def test_revenue_of_the_round(number, gained):
    assert used(Table().in_round(number), "revenue round").gained(0) == gained


def test_second_option_needs_a_die():
    assert not offered(Table(), "second_option")


def test_reserve_revenue():
    table = Table()
    table.hire(0, effect="reserve_revenue", when="action")
    table.give(0, olive=1).turn(0, "revenue").choose(do="use_helper").choose(die=3)
    table.choose(do="use_helper")
    assert [option["die"] for option in table.options()] == [1, 2, 4, 5, 6]


def test_modify_die_and_its_other_reading():
    table = Table()
    table.roof(0, effect="modify_die 1", when="before_die")
    assert table.pick(0, 3, 1).choose(do="use_roof").offers(die=3, as_=4)
    table = Table(overrides={"revenue.modify_die": "up_or_down"})
    table.roof(0, effect="modify_die 1", when="before_die")
    table.pick(0, 3, 1).choose(do="use_roof").choose(do="shift", by=-1)
    assert {(option["die"], option["as"]) for option in table.offers(do="take_die")} == {(3, 2), (1, 1)}


def test_flip_roof_twice():
    table = Table()
    for design in ("olive", "grape", "3 silver"):
        table.roof(0, design, used=True)
    table = used(table, "flip_roof 2").choose(roof=1).choose(roof=table.roof_named("grape"))
    assert table.face_up(0) == [1, table.roof_named("grape")]


def test_place_marker():
    assert used(Table(), "place_marker").choose(space=8).market() == {8: 0}
    table = Table()
    table.mark(1, *(space for value in range(2, 7) for space in table.spaces(value)))
    assert not offered(table, "place_marker")


def test_double_roof_vp_outside_a_purchase_does_nothing():
    assert not offered(Table(), "double_roof_vp")


def test_income_of_nothing_does_nothing():
    assert not offered(Table(), "income")
    assert offered(Table().complete(0, "deli"), "income")


def test_extra_delivery_is_for_this_round():
    table = used(Table().give(0, silver=9), "extra_delivery 1")
    table.buying_deliveries(0)
    for _ in range(2):
        table.choose(do="buy_delivery").choose(do="deliver", to="merchant_house")
    assert table.offers(do="buy_delivery") == []
    table.scoring_phase()
    table.buying_deliveries(0).choose(do="buy_delivery").choose(do="deliver", to="merchant_house")
    assert table.offers(do="buy_delivery") == []


# --- how much, and whether ---------------------------------------------------------------------------------------------------------


def test_per():
    table = Table().complete(0, "deli", "butcher").fields(0, "olive", "grain", "grape")
    table.barrow(0, "wine wine")
    assert used(table, "gain vp 1 per barrows ; gain silver 1 per buildings ; gain food 2 per fields").gained(0) == {
        "vp": 1,
        "silver": 2,
        "food": 6,
    }


@pytest.mark.parametrize(
    ("condition", "enough", "short"), [("pigs 2", {"pig": 2}, {"pig": 1}), ("fields 2", ["olive", "olive"], ["olive"]), ("siesta 3", 3, 2)]
)
def test_if(condition, enough, short):
    for given, holds in ((enough, True), (short, False)):
        table = Table()
        if isinstance(given, dict):
            table.give(0, **given)
        elif isinstance(given, list):
            table.fields(0, *given)
        else:
            table.disc(0, given)
        assert offered(table, f"gain vp 1 if {condition}") == holds


def test_alternatives_that_do_nothing_are_not_offered():
    table = used(Table().give(0, olive=1), "upgrade 1 | siesta 1 | play_card")
    assert [option["effect"] for option in table.options()] == ["upgrade 1", "siesta 1"]


def test_one_alternative_is_carried_out():
    assert used(Table().disc(0, 4), "siesta 1 | gain silver 1").gained(0) == {"silver": 1}


def test_a_part_that_does_nothing_is_skipped():
    assert used(Table().disc(0, 4), "siesta 1 ; gain silver 1").gained(0) == {"silver": 1}


# --- passives ----------------------------------------------------------------------------------------------------------------------


def test_passives_of_several_helpers_add_up():
    table = Table().give(0, olive=1, silver=1)
    table.hire(0, effect="sell_price +1", when="passive")
    table.hire(0, effect="sell_price +2 ; buy_price -2", when="passive")
    table.turn(0).choose(do="sell", good="olive")
    assert table.gained(0) == {"olive": -1, "silver": 4}
    assert table.choose(do="buy", good="olive").gained(0) == {"silver": 3}


def test_a_passive_holds_only_in_its_phases():
    for phase, price in (("farm", 1), ("transport", 2)):
        table = Table().give(0, olive=1)
        table.hire(0, effect="sell_price +1", when="passive", phases="transport")
        assert table.turn(0, phase).choose(do="sell").gained(0)["silver"] == price


@pytest.mark.parametrize(("effect", "steps"), [("siesta_steps +2", 3), ("siesta_steps -3", 0)])
def test_passive_siesta_steps(effect, steps):
    table = Table()
    table.hire(0, effect=effect, when="passive")
    assert table.transport_phase().choose(donkey=3).choose(donkey=4).player(0).siesta == steps


def test_passive_free_deliveries():
    table = Table().give(0, silver=9)
    table.hire(0, effect="free_delivery +1", when="passive")
    table.free_deliveries(0, 1).choose(do="deliver", to="merchant_house").choose(do="deliver", to="merchant_house")
    assert table.kind == "end_turn"


# --- events ------------------------------------------------------------------------------------------------------------------------


def card_played(table: Table, side: str) -> None:
    table.in_round(2).give(0, silver=1)
    card = table.hold(0)
    table.cards_turn(0).choose(card=card, side=side)


def barrow_done(table: Table) -> None:
    table.give(0, olive=1).mark(1, 7)
    wagon = table.barrow(0, "olive", value=4)
    table.free_deliveries(0, 1).choose(good="olive", to=wagon).choose(space=3)


def building_done(table: Table) -> None:
    table.row(0, "deli", missing="commodity").give(0, commodity=1).free_deliveries(0, 1).choose(to="deli")


def roof_bought(table: Table) -> None:
    table.in_round(1).offer("olive").give(0, silver=1).roofs(0).choose(do="buy_roof")


def start_player(table: Table) -> None:
    table.in_order(1, 0).transport_phase().choose(donkey=4).choose(donkey=1)


HAPPENINGS = {
    "on breed": lambda table: table.extend(0, pig=1).give(0, pig=2).growth(0).choose(do="grow"),
    "on income": lambda table: table.income(),
    "on growth": lambda table: table.growth(0),
    "on roof_bought": roof_bought,
    "on start_player": start_player,
    "on revenue 3 4": lambda table: table.takes(0, 4),
    "on revenue any": lambda table: table.takes(0, 1),
    "on card_played field": lambda table: card_played(table, "field"),
    "on card_played barrow": lambda table: card_played(table, "barrow"),
    "on card_played extension": lambda table: card_played(table, "extension"),
    "on card_played helper": lambda table: card_played(table, "helper"),
    "on barrow_done": barrow_done,
    "on building_done": building_done,
    "on marker_placed": barrow_done,
    "on opponent_marker_removed": barrow_done,
    "on scoring": lambda table: table.scoring_phase(),
}


@pytest.mark.parametrize("when", HAPPENINGS)
def test_each_event_is_answered_by_a_gain(when):
    table = Table()
    table.hire(0, effect="gain vp 1", when=when)
    HAPPENINGS[when](table)
    assert table.points(0)["helper"] == 1


@pytest.mark.parametrize("when", HAPPENINGS)
def test_each_event_is_answered_by_an_offer_of_anything_else(when):
    table = Table()
    table.hire(0, effect="siesta 1", when=when)
    HAPPENINGS[when](table)
    assert table.asked == (0, "offer")
    assert [option["do"] for option in table.options()] == ["use_helper", "decline"]


def test_own_marker_removed_is_the_owners_event():
    table = Table()
    table.hire(1, effect="gain vp 1", when="on own_marker_removed")
    barrow_done(table)
    assert table.points(1) == {"helper": 1} and "helper" not in table.points(0)


def test_another_face_or_side_is_no_event():
    table = Table()
    table.hire(0, effect="gain vp 1", when="on revenue 3 4")
    table.hire(0, effect="gain vp 1", when="on card_played barrow")
    card_played(table, "field")
    assert table.points(0) == {}
    assert table.takes(0, 1).points(0) == {}


def test_an_answer_spends_a_use_and_declining_none():
    table = Table().give(0, vp=5)
    table.hire(0, effect="gain silver 9", cost="pay vp 1", when="on revenue any", uses=1)
    table.takes(0, 1).choose(do="decline").leave()
    table.takes(0, 1).choose(do="use_helper")
    assert table.takes(0, 1).kind == "end_turn"


def test_a_helper_replaced_meanwhile_does_not_answer():
    table = Table().in_round(2)
    field, helper = table.hold(0), table.hold(0)
    table.hire(0, effect="play_card", when="on card_played field")
    late = table.hire(0, effect="gain vp 1", when="on card_played field")
    table.hire(0, "Chef")
    table.cards_turn(0).choose(card=field, side="field").choose(do="use_helper").choose(card=helper, side="helper", replaces=late)
    assert table.points(0) == {}


def test_a_craft_marker_that_is_no_gain_is_offered():
    table = Table().complete(0, "butcher")
    table.print_on("building", "butcher", permanent="on barrow_done: siesta 2")
    barrow_done(table)
    assert table.asked == (0, "offer")
    table.choose(do="use_building", building="butcher").choose(steps=2)
    assert table.player(0).siesta == 2
