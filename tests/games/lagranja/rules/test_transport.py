"""The transportation phase: donkey tiles (T1), the siesta track (T2), free and bought deliveries (T3, T4), all alike (T5)."""

import pytest
from table import Table

UP_FRONT = {"transport.extra_deliveries_paid": "up_front"}


def donkeys(table: Table) -> list[int]:
    return [option["donkey"] for option in table.offers(do="choose_donkey")]


# --- T1 --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("donkey", "deliveries", "hats"), [(1, 1, 3), (2, 2, 2), (3, 3, 1), (4, 4, 0)])
def test_t1_donkeys_and_hats(donkey, deliveries, hats):
    table = Table().give(0, silver=9)
    table.transport_phase().choose(donkey=donkey).choose(donkey=4 if donkey < 4 else 3)
    assert table.asked == (0, "free_delivery")
    assert table.player(0).siesta == hats
    made = 0
    while table.asked == (0, "free_delivery"):
        table.choose(do="deliver", to="merchant_house" if made else "village_store")
        made += 1
    assert made == deliveries


def test_t1_a_tile_used_is_out():
    """Example 20, round 3."""
    table = Table().in_round(3).used_tiles(0, 2, 4).transport_phase()
    assert donkeys(table) == [1, 3]


def test_t1_in_round_4_all_tiles_return():
    """Example 20, round 4."""
    table = Table().in_round(4).used_tiles(0, 1, 2, 4).transport_phase()
    assert donkeys(table) == [1, 2, 3, 4]
    assert donkeys(Table().in_round(5).used_tiles(0, 1).transport_phase()) == [2, 3, 4]


def test_t1_the_tile_chosen_is_out_in_the_next_round():
    table = Table().in_round(1).transport_phase().choose(donkey=2).choose(donkey=1).leave()
    table.in_round(2).transport_phase()
    assert table.seat == 1 and donkeys(table) == [2, 3, 4]
    table.choose(donkey=2)
    assert table.seat == 0 and donkeys(table) == [1, 3, 4]


def test_t1_all_choose_before_any_is_revealed():
    table = Table(players=3).in_order(2, 0, 1).transport_phase()
    asked = []
    while table.kind == "choose_donkey":
        asked.append(table.seat)
        assert [int(player.siesta) for player in table.game.players[:3]] == [0, 0, 0]
        table.choose(donkey=1)
    assert asked == [2, 0, 1]


# --- T2 --------------------------------------------------------------------------------------------------------------------------


def moved(table: Table, *tiles: int) -> Table:
    """Discs after tiles chosen in turn order."""
    table.transport_phase()
    for tile in tiles:
        table.choose(donkey=tile)
    return table


def test_t2_furthest_first_and_in_a_stack_the_upper_first():
    table = moved(Table(players=4), 1, 4, 1, 2)  # 3, 0, 3 and 2 steps
    assert table.stacks() == [[1], [], [3], [0, 2], []]
    assert table.order() == [2, 0, 3, 1]


def test_t2_in_the_old_order_each_lands_on_top():
    table = moved(Table(players=3).in_order(2, 1, 0), 2, 2, 2)
    assert table.stacks()[2] == [2, 1, 0] and table.order() == [0, 1, 2]


def test_t2_the_new_order_holds_at_once():
    table = Table(players=3)
    for seat in table.seats:
        table.give(seat, silver=3)
    moved(table, 4, 3, 1)
    asked = []
    while not table.over:
        asked.append(table.asked)
        table.done()
    assert asked == [(seat, kind) for kind in ("free_delivery", "buy_delivery") for seat in (2, 1, 0)]


def test_t2_not_past_the_top():
    table = moved(Table(players=2).disc(0, 3), 1, 4)
    assert table.stacks()[4] == [0]


def test_t2_the_wainwright_and_helpers_add_steps():
    table = Table(players=2).complete(0, "wainwright")
    table.hire(0, "Dozer")
    assert moved(table, 3, 4).player(0).siesta == 3


# --- T3, T4 ----------------------------------------------------------------------------------------------------------------------


def test_t3_up_to_as_many_deliveries_as_donkeys():
    table = Table().give(0, silver=9).free_deliveries(0, 2).choose(to="merchant_house").choose(to="merchant_house")
    assert table.asked == (0, "end_turn") and table.offers(do="deliver") == []
    assert table.gained(0) == {"silver": -2}
    assert Table().give(0, silver=9).free_deliveries(0, 2).choose(to="merchant_house").done().over


def test_t3_the_wainwright_adds_one():
    table = (
        Table().complete(0, "wainwright").give(0, silver=9).free_deliveries(0, 1).choose(to="merchant_house").choose(to="merchant_house")
    )
    assert table.kind == "end_turn"


def test_t3_all_of_one_before_the_next_player():
    table = Table()
    for seat in table.seats:
        table.give(seat, silver=9)
    moved(table, 2, 3)
    for asked in [(0, "free_delivery")] * 2 + [(0, "end_turn")] + [(1, "free_delivery")] * 3 + [(1, "end_turn")]:
        assert table.asked == asked
        table.done() if asked[1] == "end_turn" else table.choose(to="merchant_house")
    assert table.asked == (0, "buy_delivery")


def test_t3_goods_bought_between_deliveries_may_be_delivered():
    table = Table().give(0, silver=4)
    wagon = table.barrow(0, "olive olive")
    table.free_deliveries(0, 2).choose(do="buy", good="olive").choose(good="olive", to=wagon)
    assert table.gained(0) == {"silver": -3}


def test_t4_two_purchasable_deliveries_of_which_one_is_bought():
    """Example 9."""
    table = Table().extend(0, delivery=1).give(0, silver=3, olive=1)
    wagon = table.barrow(0, "olive olive")
    table.buying_deliveries(0).choose(do="buy_delivery").choose(good="olive", to=wagon)
    assert table.asked == (0, "buy_delivery")
    table.done()
    assert table.gained(0) == {"silver": -1, "olive": -1} and table.over


def buy_all(table: Table) -> int:
    """How many deliveries can be bought one by one."""
    count = 0
    while table.offers(do="buy_delivery"):
        table.choose(do="buy_delivery").choose(do="deliver", to="merchant_house")
        count += 1
    return count


@pytest.mark.parametrize(
    ("icons", "helpers", "number"), [(0, (), 1), (2, (), 3), (1, ("Muleteer",), 3), (0, ("Muleteer", "Stable Hand"), 3)]
)
def test_t4_as_many_as_board_extensions_and_helpers_allow(icons, helpers, number):
    table = Table().extend(0, delivery=icons).give(0, silver=20)
    for name in helpers:
        table.hire(0, name)
    assert buy_all(table.buying_deliveries(0)) == number


def test_t4_the_wainwright_adds_none():
    assert buy_all(Table().complete(0, "wainwright").give(0, silver=20).buying_deliveries(0)) == 1


def test_t4_exactly_enough_silver():
    table = Table().give(0, silver=1, olive=1)
    wagon = table.barrow(0, "olive")
    assert table.buying_deliveries(0).choose(do="buy_delivery").choose(to=wagon).gained(0)["silver"] == -1
    assert Table().give(0, olive=1).buying_deliveries(0).offers(do="buy_delivery") == []


def test_t4_one_by_one_a_reward_may_pay_for_the_next():
    table = Table().extend(0, delivery=1).give(0, silver=2).row(0, "merchant_house", missing="silver").buying_deliveries(0)
    table.choose(do="buy_delivery").choose(good="silver", to="merchant_house")  # 3 silver for the craft marker
    assert table.offers(do="buy_delivery")


def test_t4_up_front_all_are_paid_first():
    table = Table(overrides=UP_FRONT).extend(0, delivery=2).give(0, silver=2, olive=1).row(0, "merchant_house", missing="silver")
    table.barrow(0, "olive olive")
    table.buying_deliveries(0)
    assert [option["count"] for option in table.offers(do="buy_deliveries")] == [1, 2]  # of 3
    table.choose(count=1)
    assert table.asked == (0, "deliver")
    table.choose(good="silver", to="merchant_house")
    assert table.asked == (0, "end_turn")  # 3 silver came too late
    assert table.gained(0)["silver"] == 1


def test_t4_up_front_unused_ones_are_lost():
    table = Table(overrides=UP_FRONT).extend(0, delivery=2).give(0, silver=9).buying_deliveries(0).choose(count=3)
    table.choose(to="merchant_house").done()
    assert table.asked == (0, "end_turn") and table.gained(0) == {"silver": -4}


def playing_meanwhile(table: Table, side: str, **cells: object) -> Table:
    """T4, in which a commodity plays a card."""
    card = table.give(0, silver=20, commodity=1).hold(0, **cells)
    table.buying_deliveries(0).choose(do="use_commodity", effect="play_card")
    return table.choose(**table.offers(card=card, side=side)[0])


@pytest.mark.parametrize(("variant", "number"), [("deluxe", 2), ("yucata", 1)])
def test_t4_an_extension_played_meanwhile_adds_its_icon_unless_the_number_is_fixed(variant, number):
    assert buy_all(playing_meanwhile(Table(variant=variant), "extension", ext_delivery=1)) == number


@pytest.mark.parametrize(("variant", "counts"), [("deluxe", [1, 2]), ("first_edition", [1]), ("bga", [1])])
def test_t4_up_front_the_other_variants_fix_the_number(variant, counts):
    table = playing_meanwhile(Table(variant=variant, overrides=UP_FRONT), "extension", ext_delivery=1)
    assert [option["count"] for option in table.offers(do="buy_deliveries")] == counts


@pytest.mark.parametrize(("variant", "number"), [("deluxe", 1), ("yucata", 2)])
def test_t4_a_helper_lost_meanwhile_takes_its_number_away(variant, number):
    table = Table(variant=variant)
    for name in ("Muleteer", "Chef", "Mason"):
        table.hire(0, name)
    assert buy_all(playing_meanwhile(table, "helper")) == number


def test_t4_the_reward_of_the_last_delivery_may_add_one_more():
    """The commodity of a barrow plays an extension with an icon after the only purchasable delivery has been made."""
    table = Table().give(0, silver=20, olive=1)
    card, wagon = table.hold(0, ext_delivery=1), table.barrow(0, "olive")
    table.buying_deliveries(0).choose(do="buy_delivery").choose(to=wagon).choose(space=table.spaces(2)[-1])
    assert table.asked == (0, "buy_delivery") and table.offers(do="buy_delivery") == []
    table.choose(do="use_commodity", effect="play_card").choose(card=card, side="extension").choose(good="silver")
    assert buy_all(table) == 1
    assert table.done().over  # the window has been left: the turn is not asked once more


def test_t4_a_fixed_number_that_is_used_up_ends_the_step():
    table = Table(variant="yucata").give(0, silver=20).buying_deliveries(0).choose(do="buy_delivery").choose(to="merchant_house")
    assert table.asked == (0, "end_turn")


def test_t4_not_offered_where_its_price_would_be_the_only_good_to_deliver():
    assert Table().give(0, silver=1).buying_deliveries(0).offers(do="buy_delivery") == []
    table = Table().give(0, silver=2).buying_deliveries(0).choose(do="buy_delivery").choose(to="merchant_house")
    assert table.gained(0) == {"silver": -2}


def test_t4_up_front_only_for_counts_that_leave_something_to_deliver():
    table = Table(overrides=UP_FRONT).extend(0, delivery=2).give(0, silver=3).buying_deliveries(0)
    assert [option["count"] for option in table.offers(do="buy_deliveries")] == [1, 2]


def test_t4_in_the_new_order():
    table = Table(players=3)
    for seat in table.seats:
        table.give(seat, silver=3)
    moved(table, 4, 1, 2)
    while table.kind == "free_delivery":
        table.done()
    buyers = []
    while not table.over:
        buyers.append(table.seat)
        table.done()
    assert buyers == [1, 2, 0]


# --- T5 --------------------------------------------------------------------------------------------------------------------------


def by_tile(table: Table) -> Table:
    return table.free_deliveries(0, 1)


def by_die(table: Table) -> Table:
    return table.takes(0, 6).choose(effect="deliver 1")


def by_roof(table: Table) -> Table:
    table.roof(0, "delivery")
    return table.turn(0, "revenue").choose(do="use_roof")


def by_helper(table: Table) -> Table:
    table.hire(0, "Donkey Driver")
    return table.give(0, silver=2).turn(0, "transport").choose(do="use_helper")


def by_craft_marker(table: Table) -> Table:
    return table.give(0, meat=1).row(0, "wainwright", missing="meat").free_deliveries(0, 1).choose(to="wainwright")


def by_purchase(table: Table) -> Table:
    return table.give(0, silver=1).buying_deliveries(0).choose(do="buy_delivery")


@pytest.mark.parametrize("way", [by_tile, by_die, by_roof, by_helper, by_craft_marker, by_purchase])
def test_t5_all_deliveries_are_alike(way):
    table = Table().in_round(4).give(0, wine=1, food=1, commodity=1).row(0, "deli", missing="commodity")
    wagon = table.barrow(0, "wine wine")
    way(table)
    assert {(option["good"], option["to"]) for option in table.offers(do="deliver")} >= {("wine", wagon), ("commodity", "deli")}
    table.choose(good="commodity", to="deli")
    assert "deli" in table.done_buildings(0)
    assert table.points(0)["first"] == (2 if way is by_craft_marker else 1)
