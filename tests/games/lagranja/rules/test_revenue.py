"""The revenue phase: the dice (R1), what they do (R2), what changes them (R3), siesta steps (R4), free upgrades (R5)."""

import pytest
from table import Table


def play_out(table: Table) -> list[tuple[int, str]]:
    """The turns of the phase in order, everything else left."""
    turns = []
    while not table.over:
        if table.kind in ("take_die", "last_die"):
            turns.append((table.seat, table.kind))
            table.choose(**table.own_options()[0])
        else:
            table.choose(**table.options()[-1])
    return turns


# --- R1 --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "dice"), [(2, 5), (3, 7), (4, 9)])
def test_r1_so_many_dice(players, dice):
    """Example 11, the dice."""
    table = Table(players, dealt=2)
    table.in_round(1).revenue_phase()
    assert table.game.dice_left.sum() == dice


@pytest.mark.parametrize("players", (2, 3, 4))
def test_r1_each_takes_one_then_each_a_second_then_all_use_the_last(players):
    table = Table(players).in_order(*range(players)[::-1])
    for seat in table.seats:
        table.give(seat, silver=5)
    table.dice(*[4, 3] * players, 4).revenue_phase()
    order = list(range(players))[::-1]
    assert play_out(table) == [(seat, "take_die") for seat in order + order] + [(seat, "last_die") for seat in order]
    assert table.gained(0)["silver"] > 0
    assert table.game.dice_left.sum() == 0


def test_r1_a_die_taken_is_gone():
    table = (
        Table()
        .give(0, silver=3)
        .give(1, silver=3)
        .dice(3, 4, 4, 5, 5)
        .revenue_phase()
        .choose(die=3)
        .choose(goods=["olive", "grain"])
        .done()
    )
    assert table.asked == (1, "take_die")
    assert [option["die"] for option in table.offers(do="take_die")] == [4, 5]


def test_r1_the_last_die_is_everybodys():
    table = Table(players=3).in_order(1, 2, 0).last_die(4)
    assert [seat for seat, kind, _ in table.passed if kind == "last_die"] == [1]
    assert table.asked == (1, "end_turn")
    table.leave()
    assert [table.gained(seat) for seat in table.seats] == [{"silver": 4}] * 3
    assert [table.player(seat).dice.sum() for seat in table.seats] == [0, 0, 0]


# --- R2 --------------------------------------------------------------------------------------------------------------------------


def test_r2_face_1_is_a_pig():
    assert Table().takes(0, 1).gained(0) == {"pig": 1}


def test_r2_face_1_without_a_space_is_silver():
    assert Table().give(0, pig=2).takes(0, 1).gained(0) == {"silver": 3}


def test_r2_face_2_play_or_draw_a_card_or_a_harvest_good():
    table = Table()
    card = table.hold(0)
    table.takes(0, 2)
    assert [option["effect"] for option in table.options()] == ["play_card", "gain card 1", "gain harvest 1"]
    table.choose(effect="play_card").choose(card=card, side="field")
    assert table.player(0).fields.sum() == 1
    top = table.deck_cards()[0]
    assert table.takes(0, 2).choose(effect="gain card 1").hand(0) == [top]
    assert Table().takes(0, 2).choose(effect="gain harvest 1").choose(good="grape").gained(0) == {"grape": 1}


def test_r2_face_2_an_extension_is_paid():
    table = Table().give(0, food=1)
    card = table.hold(0)
    table.takes(0, 2).choose(effect="play_card").choose(card=card, side="extension")
    assert table.gained(0) == {"food": -1} and table.player(0).extension_count == 1


def test_r2_face_3_two_different_harvest_goods():
    assert Table().takes(0, 3).choose(goods=["grain", "grape"]).gained(0) == {"grain": 1, "grape": 1}


def test_r2_face_4_is_4_silver():
    assert Table().takes(0, 4).gained(0) == {"silver": 4}


def test_r2_face_5_upgrades_and_siesta_steps():
    table = Table().give(0, olive=2).takes(0, 5)
    assert [option["effect"] for option in table.options()] == ["upgrade 2", "upgrade 1 ; siesta 1", "siesta 2"]
    table.choose(effect="upgrade 2").choose(good="olive").choose(good="olive")
    assert table.gained(0) == {"olive": -2, "food": 2}
    table = Table().give(0, olive=2).takes(0, 5).choose(effect="upgrade 1 ; siesta 1").choose(good="olive").choose(steps=1)
    assert table.gained(0) == {"olive": -1, "food": 1} and table.player(0).siesta == 1
    table = Table().give(0, olive=2).takes(0, 5).choose(effect="siesta 2").choose(steps=2)
    assert table.player(0).siesta == 2


def test_r2_face_6_a_delivery_or_2_silver():
    table = Table().give(0, wine=1)
    wagon = table.barrow(0, "wine olive")
    assert table.takes(0, 6).choose(effect="deliver 1").choose(to=wagon).gained(0) == {"wine": -1}
    assert Table().give(0, wine=1).takes(0, 6).choose(effect="gain silver 2").gained(0) == {"silver": 2}


def test_r2_a_craft_marker_may_come_in_the_revenue_phase():
    table = Table().in_round(3).give(0, commodity=1).row(0, "deli", missing="commodity").takes(0, 6)
    table.choose(effect="deliver 1").choose(do="deliver", to="deli")
    assert table.points(0) == {"first": 1, "building": 3} and table.gained(0) == {"vp": 4}


# --- R3 --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("design", "face", "counted"), [("die 1", 3, 4), ("die 1", 6, 6), ("die 2", 2, 4), ("die 2", 5, 6)])
def test_r3_a_die_counts_more_but_at_most_6(design, face, counted):
    table = Table()
    table.roof(0, design)
    table.pick(0, face, 1).choose(do="use_roof")
    assert table.offers(die=face) == [{"do": "take_die", "die": face, "as": counted}]
    table.choose(die=face)
    assert table.player(0).dice[0] == face  # as rolled


def test_r3_the_face_that_counts_is_the_new_one():
    table = Table()
    table.roof(0, "die 1")
    table.hire(0, "Foreman")  # 2 silver with a 4
    table.pick(0, 3, 3).choose(do="use_roof")
    assert table.passed == [(0, "take_die", {"do": "take_die", "die": 3, "as": 4})]
    assert table.gained(0) == {"silver": 6}


def test_r3_both_roofs_on_one_die():
    table = Table()
    table.roof(0, "die 1")
    table.roof(0, "die 2")
    table.pick(0, 1, 1).choose(do="use_roof", roof=table.roof_named("die 1")).choose(do="use_roof")
    assert table.gained(0) == {"silver": 4}


def test_r3_it_is_for_one_die_only():
    table = Table()
    table.roof(0, "die 1")
    table.pick(0, 3, 2, 2, then=[0]).choose(do="use_roof")
    assert {(option["die"], option["as"]) for option in table.offers(do="take_die")} == {(3, 4), (2, 3)}
    table.choose(die=3).done()
    assert table.offers(do="take_die") == [{"do": "take_die", "die": 2, "as": 2}]


def test_r3_the_last_die_is_taken_by_nobody():
    table = Table()
    table.roof(0, "die 1")
    table.hire(0, "Foreman")
    table.hire(0, "Gambler")
    table.hire(0, "Merchant")
    table.give(0, vp=1, silver=3).last_die(4)
    assert [option["do"] for option in table.own_options()] == ["use_die"]
    assert table.choose(do="use_die").done().gained(0) == {"silver": 4}


def test_r3_not_outside_the_taking_of_a_die():
    table = Table().give(0, olive=1)
    table.roof(0, "die 1")
    assert table.turn(0, "revenue").offers(do="use_roof") == []


# --- R4, R5 ----------------------------------------------------------------------------------------------------------------------


def step(table: Table, seat: int, steps: int) -> Table:
    table.roof(seat, effect="siesta 3")
    return table.turn(seat).choose(do="use_roof").choose(do="siesta", steps=steps)


def test_r4_a_disc_moves_at_once_and_lands_on_top():
    table = Table(players=3).disc(2, 2).disc(1, 2).disc(0, 0)
    step(table, 0, 2)
    assert table.stacks() == [[], [], [2, 1, 0], [], []]


def test_r4_a_disc_that_does_not_move_keeps_its_place_in_the_stack():
    table = Table(players=3).disc(0, 4).disc(1, 4).disc(2, 3)
    table.transport_phase().choose(donkey=1).choose(donkey=1).choose(donkey=1)
    assert table.stacks() == [[], [], [], [], [0, 1, 2]]
    table = Table(players=3).disc(0, 2).disc(1, 2).disc(2, 2)
    table.transport_phase().choose(donkey=4).choose(donkey=4).choose(donkey=4)
    assert table.stacks() == [[], [], [0, 1, 2], [], []]


def test_r4_never_past_the_top_section():
    table = Table().disc(0, 3)
    table.roof(0, effect="siesta 3")
    table.turn(0).choose(do="use_roof")
    assert table.options() == [{"do": "siesta", "steps": 1}, {"do": "done"}]
    assert table.choose(steps=1).stacks()[4] == [0]


def test_r4_the_turn_order_does_not_change_yet():
    table = Table(players=3).in_order(1, 2, 0)
    step(table, 0, 3)
    assert table.order() == [1, 2, 0]


def test_r5_free_upgrades_from_dens_fields_and_stables():
    table = Table().give(0, olive=1, pig=1).fields(0, "grape", grown=True)
    table.roof(0, effect="upgrade 3")
    table.turn(0).choose(do="use_roof")
    assert {(option["good"], option["from"]) for option in table.offers(do="upgrade", price=0)} == {
        ("olive", "den"),
        ("grape", "field"),
        ("pig", "stable"),
    }
    table.choose(good="olive").choose(good="grape").choose(good="pig")
    assert table.gained(0) == {"olive": -1, "pig": -1, "field_grape": -1, "food": 1, "wine": 1, "meat": 1}


def test_r5_up_to_so_many():
    table = Table().give(0, olive=3)
    table.roof(0, "upgrade 2")
    table.turn(0).choose(do="use_roof").choose(good="olive").choose(good="olive")
    assert table.gained(0) == {"olive": -2, "food": 2}
    table = Table().give(0, olive=3)
    table.roof(0, "upgrade 2")
    assert table.turn(0).choose(do="use_roof").done().gained(0) == {}
