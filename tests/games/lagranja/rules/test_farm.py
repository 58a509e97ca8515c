"""The farm phase: cards (F1-F4), income (F5), growth and piglets (F6), roofs (F7-F11), pigs without a space (F12)."""

import pytest
from table import Table

FARM_GOODS = ("olive", "grain", "grape", "pig", "food", "wine", "meat", "silver", "vp")


def sides(table: Table, card: int) -> set[str]:
    return {option["side"] for option in table.offers(do="play_card", card=card)}


# --- F1 --------------------------------------------------------------------------------------------------------------------------


def test_f1_exactly_two_cards_in_round_1():
    table = Table().in_round(1)
    for _ in range(4):
        table.hold(0)
    table.cards_turn(0)
    assert table.offers(do="done") == []
    table.choose(card=table.hand(0)[0], side="field")
    assert table.offers(do="done") == []
    table.choose(card=table.hand(0)[0], side="barrow")
    assert table.over  # then the hand is filled up
    assert len(table.hand(0)) == 3


def test_f1_at_most_one_card_later():
    table = Table().in_round(2)
    card = table.hold(0)
    table.hold(0)
    assert table.cards_turn(0).offers(do="done")
    table.choose(card=card, side="field")
    assert table.over and table.player(0).fields.sum() == 1
    table = Table().in_round(2)
    card = table.hold(0)
    table.cards_turn(0).done()
    assert card in table.hand(0) and table.over


def test_f1_in_round_1_a_card_is_always_playable_as_field_or_in_a_slot():
    table = Table().in_round(1)
    card = table.hold(0)
    table.hold(0)
    assert sides(table.cards_turn(0), card) == {"field", "barrow", "helper"}  # an extension cannot be paid


def test_f1_a_step_is_finished_by_all_before_the_next_begins():
    table = Table(players=3).in_round(2).in_order(2, 0, 1)
    for seat in table.seats:
        table.give(seat, olive=5, silver=9)
        table.hold(seat)
    table.whole_round(2)
    asked = []
    while table.kind != "take_die":
        asked.append(table.asked)
        table.choose(do="grow" if table.kind == "before_growth" else "done")
    turns = [(seat, kind) for seat, kind in asked if kind != "end_turn"]
    assert turns == [(seat, kind) for kind in ("play_card", "before_growth", "buy_roof") for seat in (2, 0, 1)]


# --- F2 --------------------------------------------------------------------------------------------------------------------------


def test_f2_a_field_enters_empty_and_free_in_any_number():
    table = Table().in_round(2)
    card = table.hold(0, field="grape")
    table.fields(0, *["olive"] * 12).cards_turn(0).choose(card=card, side="field")
    assert table.gained(0) == {}
    assert list(table.player(0).fields) == [12, 0, 1]


def test_f2_three_slots_for_barrows_and_helpers():
    table = Table().in_round(2)
    card = table.hold(0)
    wagons = [table.barrow(0, "olive olive") for _ in range(3)]
    helpers = [table.hire(0, effect="gain silver 1") for _ in range(3)]
    table.cards_turn(0)
    assert [option.get("replaces") for option in table.offers(card=card, side="barrow")] == [int(wagon.split()[1]) for wagon in wagons]
    assert [option.get("replaces") for option in table.offers(card=card, side="helper")] == helpers


def test_f2_nothing_is_replaced_while_a_slot_is_free():
    table = Table().in_round(2)
    card = table.hold(0)
    table.barrow(0, "olive olive")
    table.hire(0, effect="gain silver 1")
    table.cards_turn(0)
    assert [option.get("replaces") for option in table.offers(card=card)] == [None, None, None]


def test_f2_of_a_replaced_barrow_the_goods_are_lost_and_the_markers_return():
    table = Table().in_round(2)
    card = table.hold(0, barrow="olive wine")
    old = table.barrow(0, "olive olive grain", missing="grain")
    table.barrow(0, "olive")
    table.barrow(0, "olive")
    table.give(0, silver=1).cards_turn(0)
    markers = table.free_markers(0)
    table.choose(card=card, side="barrow", replaces=int(old.split()[1]))
    assert table.gained(0) == {} and table.free_markers(0) == markers + 2
    assert table.discards() == [int(old.split()[1])]
    assert card in table.barrows(0) and table.player(0).barrow_left[0] == 2


def test_f2_a_fourth_helper_replaces_one_and_is_not_exhausted():
    table = Table().in_round(2)
    card = table.hold(0, helper_effect="gain silver 1", helper_when="action", helper_phases="any", helper_uses=1, helper_cost="")
    old = table.hire(0, effect="gain silver 2", uses=1)
    table.hire(0, "Mason")
    table.hire(0, "Chef")
    table.cards_turn(0).choose(do="use_helper", helper=old)
    assert table.offers(do="use_helper") == []  # exhausted
    table.choose(card=card, side="helper", replaces=old)
    assert table.discards() == [old] and card in table.helpers(0)
    table.choose(do="use_helper", helper=card)
    assert table.gained(0) == {"silver": 3}


def test_f2_the_shed_builder_of_the_first_edition_cannot_be_replaced():
    for variant, replaceable in (("deluxe", 3), ("first_edition", 2)):
        table = Table(variant=variant).in_round(2)
        card = table.hold(0)
        shed = table.hire(0, "Shed Builder")
        others = [table.hire(0, "Chef"), table.hire(0, "Mason")]
        replaced = [option["replaces"] for option in table.cards_turn(0).offers(card=card, side="helper")]
        assert replaced == [shed, *others][-replaceable:]


def test_f2_pigs_above_the_space_left_are_sold_at_once():
    table = Table().in_round(2)
    card = table.hold(0)
    old = table.hire(0, "Swineherd")  # two more spaces
    table.hire(0, "Broker")  # selling prices +1
    table.hire(0, "Mason")
    table.give(0, pig=4).cards_turn(0).choose(card=card, side="helper", replaces=old)
    assert table.gained(0) == {"pig": -2, "silver": 8}


# --- F3 --------------------------------------------------------------------------------------------------------------------------


def pay(table: Table, *goods: str) -> Table:
    """Pay for an extension; a good left alone is paid unasked."""
    for good in goods:
        if table.kind == "pay_extension":
            table.choose(do="pay", good=good)
    return table


@pytest.mark.parametrize("number", range(1, 10))
def test_f3_the_nth_extension_costs_n_different_farm_goods(number):
    """Example 14."""
    table = Table().in_round(2)
    card = table.hold(0)
    for _ in range(number - 1):
        table.extend(0)
    table.give(0, commodity=1, **dict.fromkeys(FARM_GOODS, 2)).cards_turn(0).choose(card=card, side="extension")
    pay(table, *FARM_GOODS[:number])
    assert table.gained(0) == dict.fromkeys(FARM_GOODS[:number], -1)
    assert table.player(0).extension_count == number


def test_f3_offered_only_if_it_can_be_paid():
    table = Table().in_round(2).extend(0).give(0, olive=9, commodity=9)
    card = table.hold(0)
    assert "extension" not in sides(table.cards_turn(0), card)  # two kinds are needed; a commodity never pays
    assert "extension" in sides(table.give(0, vp=1).cards_turn(0), card)


def test_f3_no_more_than_nine():
    table = Table().in_round(2).give(0, **dict.fromkeys(FARM_GOODS, 2))
    card = table.hold(0)
    for _ in range(9):
        table.extend(0)
    assert "extension" not in sides(table.cards_turn(0), card)


def test_f3_paid_from_dens_stables_or_fields():
    table = Table().in_round(2).extend(0).extend(0)
    card = table.hold(0)
    table.fields(0, "olive", "grain", grown=True).give(0, olive=1, pig=1).cards_turn(0).choose(card=card, side="extension")
    assert {(option["good"], option["from"]) for option in table.options()} == {
        ("olive", "den"),
        ("olive", "field"),
        ("grain", "field"),
        ("pig", "stable"),
    }
    table.choose(good="olive", from_="field")
    assert table.offers(good="olive") == []  # one of each kind
    table.choose(good="grain")
    assert table.gained(0) == {"field_olive": -1, "field_grain": -1, "pig": -1}


def test_f3_it_gives_its_icons():
    table = Table().in_round(2).give(0, silver=1, pig=2)
    card = table.hold(0, ext_hand=1, ext_delivery=2, ext_pig=1, ext_income="gain silver 3")
    table.cards_turn(0).choose(card=card, side="extension").choose(good="silver").done()
    assert len(table.hand(0)) == 4  # the hand limit of this very turn
    assert table.income().gained(0) == {"silver": 3}
    assert table.growth(0).leave().gained(0) == {"pig": 1}
    player = table.player(0)
    assert (player.delivery_icons, player.pig_icons, player.hand_icons) == (2, 1, 1)


def test_f3_a_helper_makes_it_cheaper():
    table = Table().in_round(2).extend(0).give(0, silver=1)
    card = table.hold(0)
    table.hire(0, "Surveyor")
    table.cards_turn(0).choose(card=card, side="extension")
    assert table.gained(0) == {"silver": -1}


# --- F4 --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extensions", (0, 1, 2))
def test_f4_drawing_up_to_the_hand_limit(extensions):
    """Example 16."""
    table = Table().in_round(2).give(0, silver=1, olive=1)
    for _ in range(extensions):
        table.extend(0)
    table.cards_turn(0).done()
    assert len(table.hand(0)) == 3 + extensions


def test_f4_helpers_raise_the_limit():
    table = Table().in_round(2).give(0, olive=1)
    table.hire(0, "Housekeeper")
    table.cards_turn(0).done()
    assert len(table.hand(0)) == 5


def test_f4_discarding_down_to_the_limit_by_choice():
    table = Table().in_round(2)
    cards = [table.hold(0) for _ in range(5)]
    table.cards_turn(0).done()
    assert [option["card"] for option in table.offers(do="discard")] == sorted(cards)
    table.choose(card=cards[1]).choose(card=cards[3])
    assert table.over and table.discards() == sorted([cards[1], cards[3]])
    assert sorted(table.hand(0)) == sorted([cards[0], cards[2], cards[4]])


def test_f4_the_limit_is_checked_at_no_other_moment():
    table = Table().in_round(2)
    for _ in range(3):
        table.hold(0)
    table.hire(0, "Scribe")
    table.income()
    assert len(table.hand(0)) == 4
    table.takes(0, 2).choose(effect="gain card 1")
    assert len(table.hand(0)) == 5


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
