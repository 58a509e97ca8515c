"""Helpers (H1-H4)."""

import pytest
from table import Table


def reserved(table: Table) -> list[int]:
    return [int(seat) for seat in table.game.reserved]


# --- H1 --------------------------------------------------------------------------------------------------------------------------


def test_h1_usable_at_once_when_placed():
    table = Table().in_round(2).give(0, olive=1)
    card = table.hold(0, "Farm Servant")
    table.cards_turn(0).choose(card=card, side="helper").choose(do="use_helper", helper=card).choose(good="olive")
    assert table.gained(0) == {"olive": -1, "food": 1}


def test_h1_once_a_round():
    table = Table().give(0, olive=3)
    card = table.hire(0, "Farm Servant")
    table.turn(0).choose(do="use_helper", helper=card).choose(good="olive")
    assert table.offers(do="use_helper") == []
    assert table.turn(0, "revenue").offers(do="use_helper") == []  # nor in a later turn of the round
    table.scoring_phase()
    assert table.turn(0).offers(do="use_helper", helper=card)


def test_h1_without_a_number_of_uses_as_often_as_one_likes():
    table = Table().give(0, olive=1)
    table.hire(0, effect="gain silver 1")
    for _ in range(3):
        table.turn(0).choose(do="use_helper")
    assert table.stock(0, "silver") == 3


def test_h1_only_in_the_phases_listed():
    for phase, offered in (("farm", 0), ("revenue", 1), ("transport", 1)):
        table = Table().give(0, olive=2)
        table.barrow(0, "olive olive")
        table.hire(0, "Ferryman")
        assert len(table.turn(0, phase).offers(do="use_helper")) == offered


def test_h1_a_cost_is_paid_first():
    table = Table().give(0, vp=1, silver=1)
    card = table.hold(0)
    table.hire(0, "Farm Worker")
    table.turn(0).choose(do="use_helper")
    assert table.gained(0) == {"vp": -1} and table.points(0) == {"spent": -1}
    table.choose(card=card, side="extension")
    assert table.gained(0) == {"vp": -1, "silver": -1}


def test_h1_a_helper_just_placed_answers_to_its_own_placing():
    table = Table().in_round(2)
    card = table.hold(0, helper_effect="gain vp 1", helper_when="on card_played helper", helper_phases="any", helper_uses=0, helper_cost="")
    assert table.cards_turn(0).choose(card=card, side="helper").points(0) == {"helper": 1}


# --- H2 --------------------------------------------------------------------------------------------------------------------------


def elder(dice: tuple[int, ...], space: int) -> Table:
    """Seat 1 has the Village Elder and marks a space."""
    table = Table().give(0, olive=2).give(1, olive=2).dice(*dice)
    card = table.hire(1, "Village Elder")
    table.revenue_phase()
    assert table.asked == (1, "offer")
    return table.choose(do="use_helper", helper=card).choose(do="reserve", die=space)


def faces(table: Table) -> list[int]:
    return [option["die"] for option in table.offers(do="take_die")]


def test_h2_the_village_elder_marks_a_space_before_the_roll():
    table = elder((4, 4, 4, 3, 3), space=5)
    assert reserved(table) == [0, 0, 0, 0, 2, 0]
    assert table.asked == (0, "take_die")


def test_h2_only_the_owner_may_take_the_last_die_there():
    table = elder((4, 3, 3, 6, 6), space=4)
    assert faces(table) == [3, 6]
    table.choose(die=3).choose(goods=["olive", "grain"]).done()
    assert table.asked == (1, "take_die") and faces(table) == [3, 4, 6]


def test_h2_while_more_than_one_die_lies_there_all_may_take_it():
    table = elder((4, 4, 3, 6, 6), space=4)
    assert faces(table) == [3, 4, 6]
    table.choose(die=4).done()
    assert faces(table) == [3, 4, 6]  # the owner's turn


def test_h2_until_both_picks_are_over():
    table = elder((4, 3, 3, 3, 3), space=4)
    for seat in (0, 1, 0, 1):
        assert table.asked == (seat, "take_die")
        assert (4 in faces(table)) == (seat == 1)
        table.choose(die=3).choose(goods=["olive", "grain"]).done()
    assert table.asked == (0, "last_die") and table.offers(do="use_die", die=4)


def test_h2_the_die_as_rolled_counts():
    table = Table().give(0, olive=1).dice(4, 3, 3, 3, 3)
    table.roof(0, "die 1")
    table.hire(1, "Village Elder")
    table.revenue_phase().choose(do="use_helper").choose(die=4).choose(do="use_roof")
    assert [(option["die"], option["as"]) for option in table.offers(do="take_die")] == [(3, 4)]


def test_h2_where_nothing_else_is_left_it_does_not_hold():
    table = Table().give(0, olive=1)
    table.game.reserved[3] = 2
    table.pick(0, 4)
    assert faces(table) == [4]


def test_h2_it_may_be_declined_and_ends_with_the_round():
    table = Table().dice(4, 3, 3, 3, 3)
    table.hire(1, "Village Elder")
    assert reserved(table.revenue_phase().choose(do="decline")) == [0] * 6
    table = elder((4, 3, 3, 6, 6), space=4).in_round(2).scoring_phase()
    assert reserved(table) == [0] * 6


# --- H3 --------------------------------------------------------------------------------------------------------------------------


def test_h3_the_porter_takes_two_options_of_a_6():
    table = Table().give(0, wine=1)
    wagon = table.barrow(0, "wine wine")
    table.hire(0, "Porter")
    table.takes(0, 6).choose(effect="gain silver 2").choose(do="use_helper").choose(good="wine", to=wagon)
    assert table.gained(0) == {"silver": 2, "wine": -1}


def test_h3_the_porter_takes_two_different_options_of_a_2():
    table = Table()
    table.hold(0)
    table.hire(0, "Porter")
    table.takes(0, 2).choose(effect="gain card 1").choose(do="use_helper")
    assert [option["effect"] for option in table.options()] == ["play_card", "gain harvest 1"]
    table.choose(effect="gain harvest 1").choose(good="grape")
    assert table.gained(0) == {"grape": 1} and len(table.hand(0)) == 2


def test_h3_the_porter_not_with_another_face_and_once_a_round():
    table = Table().give(0, olive=2)
    table.hire(0, "Porter")
    assert table.takes(0, 5).choose(effect="upgrade 2").done().kind == "end_turn"
    table.takes(0, 2).choose(effect="gain card 1").choose(do="use_helper").choose(effect="play_card").done()
    assert table.takes(0, 2).choose(effect="gain card 1").kind == "end_turn"


def test_h3_the_porter_with_a_die_that_counts_as_a_6():
    table = Table().give(0, wine=1)
    table.roof(0, "die 1")
    table.barrow(0, "wine wine")
    table.hire(0, "Porter")
    table.pick(0, 5, 1).choose(do="use_roof").choose(die=5).choose(effect="gain silver 2")
    assert table.asked == (0, "offer")


def test_h3_the_merchant_pays_a_point_for_the_revenue_of_the_round():
    table = Table().in_round(4).give(0, vp=1)
    table.hire(0, "Merchant")
    table.takes(0, 1).choose(do="use_helper")
    assert table.gained(0) == {"pig": 1, "vp": -1, "silver": 4}


def test_h3_the_merchant_needs_a_point_and_may_decline():
    table = Table().in_round(4)
    table.hire(0, "Merchant")
    assert table.takes(0, 1).kind == "end_turn"
    table = Table().in_round(4).give(0, vp=1)
    table.hire(0, "Merchant")
    assert table.takes(0, 1).choose(do="decline").gained(0) == {"pig": 1}


def test_h3_the_merchant_does_not_trigger_the_porter():
    table = Table().in_round(6).give(0, vp=1)
    table.hire(0, "Merchant")
    table.hire(0, "Porter")
    table.takes(0, 1).choose(do="use_helper").choose(effect="gain silver 2")
    assert table.gained(0) == {"pig": 1, "vp": -1, "silver": 2} and table.kind == "end_turn"


# --- H4 --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spaces", "points"), [(0, 0), (1, 1)])
def test_h4_on_breed_needs_a_piglet_received(spaces, points):
    table = Table().extend(0, pig=spaces).give(0, pig=2)
    table.hire(0, effect="gain vp 1", when="on breed")
    assert table.growth(0).leave().points(0).get("helper", 0) == points


def test_h4_the_pig_breeder():
    table = Table().extend(0, pig=1).give(0, pig=2)
    table.hire(0, "Pig Breeder")
    assert table.growth(0).choose(do="grow").choose(good="grape").leave().gained(0) == {"pig": 1, "grape": 1}


def test_h4_on_start_player_needs_to_become_it():
    for order, gained in (((0, 1), {}), ((1, 0), {"silver": 3})):
        table = Table().in_order(*order)
        table.hire(0, "Early Riser")
        table.transport_phase()
        for seat in order:
            table.choose(donkey=1 if seat == 0 else 4)
        assert table.order()[0] == 0 and table.gained(0) == gained


@pytest.mark.parametrize(("pigs", "spaces", "piglets"), [(2, 9, 1), (3, 9, 2), (3, 4, 1), (3, 3, 0)])
def test_h4_the_stud_keeper_brings_as_many_piglets_as_fit(pigs, spaces, piglets):
    table = Table().extend(0, pig=spaces - 2).give(0, pig=pigs)
    table.hire(0, "Stud Keeper")
    assert table.growth(0).leave().gained(0).get("pig", 0) == piglets


def test_h4_the_coachman_delivers_outside_a_turn_without_trading():
    table = Table().in_order(1, 0).give(0, olive=2, silver=9)
    table.barrow(0, "olive olive")
    table.hire(0, "Coachman")
    table.transport_phase().choose(donkey=4).choose(donkey=1).choose(do="use_helper")
    assert table.asked == (0, "deliver")
    assert {option["do"] for option in table.options()} == {"deliver", "done"}
