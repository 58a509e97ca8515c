"""Set-up (S1-S7) and what is hidden (K1)."""

import numpy as np
import pytest
from table import Table

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.hidden import hide
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Item

BLOCKS = range(60)
PLAYERS = pytest.mark.parametrize("players", (2, 3, 4))


def seen_by(table: Table, seat: int):
    """The game as a policy of this seat sees it."""
    views = np.zeros(1, s.GAME)
    hide(views, table.game, seat)
    return views[0]


# --- K1 --------------------------------------------------------------------------------------------------------------------------


def test_k1_other_hands_and_the_deck_are_hidden():
    table = Table(players=3, dealt=1)
    view = seen_by(table.whole_round(1), 1)
    for card in range(1, s.CARDS + 1):
        place = table.game.card_place[card]
        hidden = place == s.IN_DECK or place in (s.IN_HAND, s.IN_HAND + 2)
        assert view.card_place[card] == (s.HIDDEN if hidden else place)
    assert not view.deck.any()
    assert view.deck_count == 66 - 3 * 4  # how many cards it has is public
    assert [view.players[seat].hand_size for seat in range(3)] == [4, 4, 4]


def test_k1_coming_dice_and_face_down_roofs_are_hidden():
    table = Table(dealt=1).whole_round(1)
    view = seen_by(table, 0)
    assert not view.dice.any()
    assert view.roofs[0].any() and not view.roofs[1:].any()
    assert view.chance == 0


def test_k1_the_dice_on_the_table_are_public():
    table = Table(players=2).in_round(2).dice(1, 2, 3, 4, 5).revenue_phase()
    view = seen_by(table, 1)
    assert [int(count) for count in view.dice_left] == [1, 1, 1, 1, 1, 0]
    assert view.dice[1].any() and not view.dice[2:].any()


def test_k1_donkey_tiles_are_hidden_until_all_are_revealed():
    table = Table(players=2).give(0, silver=1).give(1, silver=1).transport_phase().choose(donkey=3)
    assert table.asked == (1, "choose_donkey")
    assert seen_by(table, 1).players[0].donkey == 0
    assert seen_by(table, 0).players[0].donkey == 3
    table.choose(donkey=2)
    assert table.kind == "free_delivery"
    assert seen_by(table, 1).players[0].donkey == 3


def test_k1_points_and_goods_are_public():
    view = seen_by(Table(players=2).give(0, vp=7, olive=2, silver=3).turn(1), 1)
    assert [int(view.players[0].stock[thing]) for thing in (Item.VP, Item.OLIVE, Item.SILVER)] == [7, 2, 3]


# --- S1-S6 -----------------------------------------------------------------------------------------------------------------------


@PLAYERS
def test_s1_what_each_player_starts_with(players):
    table = Table(players, dealt=3)
    for seat in table.seats:
        assert (table.stock(seat, "vp"), table.stock(seat, "silver"), table.stock(seat, "commodity")) == (1, 1, 1)
        assert len(table.hand(seat)) == 4
        assert table.player(seat).donkeys_out == 0
        assert table.markers_in_use(seat) == table.player(seat).markers == 2  # of 25: the commodity and the one on the market
        assert table.free_markers(seat) == 23
    assert len(table.deck_cards()) == 66 - 4 * players


def test_s1_hands_differ_from_deal_to_deal():
    assert len({tuple(Table(dealt=block).hand(0)) for block in BLOCKS}) == len(BLOCKS)


@PLAYERS
def test_s2_as_many_roofs_of_each_round_as_players(players):
    table = Table(players, dealt=5)
    for number, tiles in enumerate(table.game.roofs, 1):
        drawn = [int(roof) for roof in tiles if roof]
        assert len(set(drawn)) == players
        assert {table.components.roof(roof).round for roof in drawn} == {number}
    assert sorted(table.game.roof_offer) == sorted(table.game.roofs[0])


def test_s2_roofs_are_drawn_at_random():
    drawn = {int(roof) for block in BLOCKS for roof in Table(dealt=block).game.roofs.ravel() if roof}
    assert drawn == set(range(1, 25))


@PLAYERS
@pytest.mark.parametrize("building", BUILDINGS)
def test_s3_one_point_beside_each_building_for_any_number_of_players(players, building):
    """Example 12, the buildings: the point goes to the first to complete one, a craft marker to everybody."""
    table = Table(players)
    good = str(table.components.building(building).goods[0])
    for seat in table.seats:
        table.row(seat, building, missing=good).give(seat, **{good: 1})
        table.free_deliveries(seat, 1).choose(to=building)
        assert table.points(seat).get("first", 0) == (1 if seat == 0 else 0)
        assert table.done_buildings(seat) == [building]


@PLAYERS
def test_s4_three_different_buildings_are_blocked(players):
    found = set()
    for block in BLOCKS:
        table = Table(players, dealt=block)
        assert len(set(table.blocked())) == 3
        found.add(tuple(table.blocked()))
    assert len(found) > 40  # of 6 x 5 x 4 orders


def test_s4_a_blocked_building_takes_no_deliveries():
    table = Table().block("wainwright", "deli", "butcher").give(0, pig=1, food=1, commodity=1, silver=1).free_deliveries(0, 4)
    assert {option["to"] for option in table.offers(do="deliver")} == {"village_store", "merchant_house"}


@PLAYERS
def test_s4_one_point_with_each_order_marker_for_any_number_of_players(players):
    """Example 12, the order markers."""
    table = Table(players).block("wainwright", "deli", "butcher")
    opened = []
    for building in ("merchant_house", "village_store", "wainwright", "butcher"):
        good = table.components.building(building).goods[0]
        table.row(0, building, missing=good).give(0, **{good: 1})
        table.free_deliveries(0, 1).choose(good=good, to=building).leave()
        opened.append(table.points(0).get("unlock", 0))
    assert opened == [1, 1, 1, 0]


@pytest.mark.parametrize(("players", "values"), [(2, [2, 3]), (3, [2, 3, 4]), (4, [2, 3, 4, 5])])
def test_s5_first_markers_lie_on_the_start_spaces(players, values):
    """Example 11, the start spaces."""
    for block in BLOCKS:
        table = Table(players, dealt=block)
        spaces = {owner: space for space, owner in table.market().items()}
        assert [table.value(spaces[seat]) for seat in table.order()] == values
        assert all(table.box.spaces[space].start for space in spaces.values())


def begins_on(players, *values):
    """The spaces of the first markers, in turn order."""
    table = Table(players, overrides={"market.start": [*values, *[5] * (4 - len(values))]}, dealt=3)
    spaces = {owner: space for space, owner in table.market().items()}
    return [spaces[seat] for seat in table.order()]


def test_s5_who_begins_on_a_value_that_another_has_takes_the_space_nearest_to_the_middle():
    assert begins_on(2, 3, 3) == [19, 7]  # 0,1 is the start space; 0,-1 is one step from the middle
    assert begins_on(4, 3, 3, 3, 3) == [19, 7, 11, 15]  # -2,0 and 2,0 are two steps away: the first in the table before the other
    assert begins_on(3, 6, 6, 2) == [8, 17, 14]  # no space of value 6 is a start space; 1,-1 -2,1 and 1,1 are one, two and two steps away


@PLAYERS
def test_s5_a_random_start_player_and_the_others_clockwise(players):
    starts = set()
    for block in BLOCKS:
        order = Table(players, dealt=block).order()
        starts.add(order[0])
        assert order == [(order[0] + k) % players for k in range(players)]
    assert starts == set(range(players))


@PLAYERS
def test_s6_discs_are_stacked_with_the_start_player_on_top(players):
    table = Table(players, dealt=4)
    assert table.stacks()[0] == table.order()[::-1]


# --- S7 --------------------------------------------------------------------------------------------------------------------------


def test_s7_discards_become_the_deck_the_moment_it_is_empty():
    table = Table().deck(5).discarded(1, 2, 3)
    table.roof(0, effect="gain card 1")
    table.turn(0).choose(do="use_roof")
    assert table.hand(0) == [5]
    assert sorted(table.deck_cards()) == [1, 2, 3] and table.discards() == []


def test_s7_with_nothing_discarded_yet_the_deck_is_made_when_a_draw_finds_it_empty():
    table = Table().deck(5).give(0, olive=1)
    table.roof(0, effect="gain card 1")
    roof = table.roof(0, effect="gain card 1")
    wagon = table.barrow(0, "olive", missing="olive")
    table.turn(0, "transport").choose(do="use_roof", roof=roof)
    assert table.deck_cards() == [] and table.discards() == []
    table.free_deliveries(0, 1).choose(to=wagon).choose(do="place_marker", space=table.spaces(2)[0])
    gone = int(wagon.split()[1])
    assert table.discards() == [gone] and table.deck_cards() == []
    table.turn(0, "transport").choose(do="use_roof")
    assert table.hand(0) == sorted([5, gone]) and table.discards() == []


def test_s7_nothing_is_drawn_when_both_are_empty():
    table = Table().in_round(2).deck()
    table.roof(0, effect="gain card 1")
    assert table.turn(0).offers(do="use_roof") == []
    table.give(0, olive=1).cards_turn(0).done()
    assert table.over and table.hand(0) == []


def test_s7_a_draw_of_several_goes_on_with_the_new_deck():
    table = Table().in_round(2).deck(10).discarded(11, 12).give(0, olive=1).cards_turn(0).done()
    assert table.hand(0) == [10, 11, 12]
    assert table.deck_cards() == [] and table.discards() == []
