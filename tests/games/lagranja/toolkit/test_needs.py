"""What a farm holds and needs (toolkit/needs.py)."""

import pytest
from plans import farm
from table import Table

from lagranja_sim.games.lagranja.rules.names import Item
from lagranja_sim.games.lagranja.toolkit import needs

OLIVE, GRAIN, GRAPE, FOOD, WINE = Item.OLIVE, Item.GRAIN, Item.GRAPE, Item.FOOD, Item.WINE


def missing(table: Table, slot: int = 0) -> object:
    return table.player(0).barrow_missing[slot]


def test_goods_on_fields_are_held():
    table = farm().give(0, olive=2, food=1).fields(0, "olive", grown=True).fields(0, "grain")
    assert [needs.held(table.player(0), kind) for kind in (OLIVE, GRAIN, FOOD)] == [3, 0, 1]


def test_barrows_and_open_rows_need_what_is_free_on_them():
    table = farm()
    table.row(0, "greengrocer", missing="olive olive grape").row(0, "village_store", missing="olive pig").block("village_store")
    table.barrow(0, "olive pig wine", missing="olive wine")
    table.barrow(1, "olive olive")
    assert [needs.needed(table.game, 0, kind) for kind in (OLIVE, GRAPE, WINE, Item.PIG)] == [3, 1, 1, 0]


def test_short_is_what_is_needed_beyond_what_is_held():
    table = farm().give(0, olive=1)
    table.barrow(0, "olive olive olive grape")
    assert [needs.short(table.game, 0, kind) for kind in (OLIVE, GRAPE, FOOD)] == [2, 1, 0]
    table.give(0, olive=5)
    assert needs.short(table.game, 0, OLIVE) == 0


@pytest.mark.parametrize(
    ("held", "food", "wine"),
    [({}, 3 + 2, 4 + 3), ({"grain": 1}, 2, 4 + 3), ({"olive": 1}, 2, 4 + 3), ({"grape": 1}, 3 + 2, 3), ({"food": 1}, 3 + 2, 4 + 3)],
)
def test_one_more_is_bought_or_made_of_what_lies_there(held: dict[str, int], food: int, wine: int):
    table = farm().give(0, **held)
    box, player = table.box, table.player(0)
    assert [needs.making_price(box, player, kind) for kind in (OLIVE, GRAPE, FOOD, WINE)] == [3, 4, food, wine]


def test_what_a_target_lacks_has_a_price():
    table = farm().give(0, olive=1)
    table.barrow(0, "olive olive grape food")
    assert needs.price_to_finish(table.box, table.player(0), missing(table)) == 3 + 4 + 2  # olive, grape, an upgrade of the olive
    table.give(0, olive=1, grape=1, food=1)
    assert needs.price_to_finish(table.box, table.player(0), missing(table)) == 0


def test_deliveries_to_come_are_those_of_this_turn_and_of_rounds_left():
    table = farm().give(0, olive=3).in_round(5)
    table.barrow(0, "olive olive olive")
    bought = int(table.box.transport.extra_deliveries)
    assert needs.deliveries_to_come(table.free_deliveries(0, 2).game, table.box, 0) == 2 + bought + 4
    table.extend(0, delivery=1)
    assert needs.deliveries_to_come(table.free_deliveries(0, 2).game, table.box, 0) == 2 + bought + 1 + 4
    assert needs.deliveries_to_come(table.in_round(6).turn(0, "farm").game, table.box, 0) == 4


def test_deliveries_of_a_round_are_counted_down():
    table = farm(players=2).in_round(6).give(0, olive=4, silver=20).give(1, olive=4, silver=20)
    wagons = [table.barrow(seat, "olive olive olive olive") for seat in (0, 1)]
    bought = int(table.box.transport.extra_deliveries)

    def left(seat: int) -> int:
        return int(needs.deliveries_to_come(table.game, table.box, seat))

    table.transport_phase()
    assert (table.asked, left(0)) == ((0, "choose_donkey"), 4)
    table.free_deliveries(0, 2)
    assert (left(0), left(1)) == (2 + bought, bought)  # the donkeys of the turn are not the other's
    table.choose(good="olive", to=wagons[0])
    assert left(0) == 1 + bought
    table.extend(0, delivery=1).buying_deliveries(0).choose(do="buy_delivery")
    assert left(0) == bought + 1  # one of them is paid for
