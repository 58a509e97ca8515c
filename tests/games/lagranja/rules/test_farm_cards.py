"""Playing cards in the farm phase (F1-F4): field, barrow, helper, extension, and the hand limit."""

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


@pytest.mark.parametrize(("held", "drawn"), [(0, 2), (2, 2), (4, 1), (5, 0)])
def test_f4_no_more_cards_are_drawn_than_the_rules_say(held, drawn):
    table = Table(overrides={"farm.hand_limit": 5, "farm.cards_drawn": 2}).in_round(2)
    for _ in range(held):
        table.hold(0)
    assert len(table.cards_turn(0).leave().hand(0)) == held + drawn


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
