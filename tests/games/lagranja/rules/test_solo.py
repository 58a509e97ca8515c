"""The game for one (O1-O13): a player alone beside a neutral one."""

import numpy as np
import pytest
from table import Table

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.hidden import hide, redeal
from lagranja_sim.games.lagranja.rules.names import Step
from lagranja_sim.games.lagranja.rules.state import NEUTRAL
from lagranja_sim.games.lagranja.words import order_words

BLOCKS = range(40)
LOW, HIGH = (1, 2, 3), (4, 5, 6)  # rounds in which the lowest die is discarded, and the highest


def faces(table: Table) -> list[int]:
    """The dice that may be picked, or the last one."""
    return [option["die"] for option in table.offers() if option["do"] in ("take_die", "use_die")]


def neutral_on(table: Table) -> list[int]:
    """Spaces with a marker of the neutral player."""
    return [space for space, owner in table.market().items() if owner == NEUTRAL]


# --- O1, O5, O6 ------------------------------------------------------------------------------------------------------------------


def test_o1_order_markers_2_and_3_are_drawn_and_name_the_start_spaces():
    starts = []
    for block in BLOCKS:
        table = Table(1, dealt=block)
        (two,), (three,) = ([space for space in table.market() if table.value(space) == value] for value in (2, 3))
        first, last = (0, NEUTRAL) if table.starts else (NEUTRAL, 0)
        assert table.market() == {two: first, three: last}
        assert order_words(table.game) == [first, last]
        starts.append(table.starts)
    assert 10 < sum(starts) < 30


def test_o1_the_neutral_player_begins_on_the_space_of_its_place():
    for block in range(8):
        table = Table(1, overrides={"market.start": [6, 6, 2, 2]}, dealt=block)
        assert table.market() == ({8: 0, 17: NEUTRAL} if table.starts else {8: NEUTRAL, 17: 0})


def test_o1_five_dice_are_rolled_and_two_roofs_lie_open_each_round():
    table = Table(1, dealt=2)
    assert ((table.game.roofs > 0).sum(axis=1) == 2).all()
    assert np.array_equal(table.game.roof_offer, table.game.roofs[0])
    assert table.in_round(1).revenue_phase().game.dice_left.sum() == (5 if table.starts else 4)


def test_o1_everything_else_is_dealt_as_for_several():
    alone, two = Table(1, dealt=5), Table(2, dealt=5)
    assert alone.deck_cards()[4:] == two.deck_cards() and len(alone.hand(0)) == 4
    assert np.array_equal(alone.game.dice, two.game.dice) and alone.blocked() == two.blocked()
    assert (alone.stock(0, "vp"), alone.stock(0, "silver"), alone.stock(0, "commodity"), alone.free_markers(0)) == (1, 1, 1, 23)


def test_o5_the_board_is_that_for_two():
    for closed_below in (1, 2, 3, 4):
        alone, two = (Table(players, overrides={"market.closed_below_players": closed_below}) for players in (1, 2))
        assert [alone.spaces(value) for value in range(2, 7)] == [two.spaces(value) for value in range(2, 7)]


def test_o5_first_completion_order_marker_and_opening_count_as_ever():
    table = Table(1).in_round(3).block("deli").row(0, "butcher", missing="grain").give(0, grain=1)
    table.free_deliveries(0, 1).choose(good="grain", to="butcher")
    assert (table.points(0), table.blocked()) == ({"building": 3, "first": 1, "unlock": 1}, [])


def test_o6_markers_of_the_neutral_player_are_never_short():
    table = Table(1, overrides={"setup.markers": 5}).mark(NEUTRAL, *range(6, 14)).neutral_move(2)
    assert len(neutral_on(table)) == 9


def test_o6_the_neutral_player_owns_and_decides_nothing():
    table = Table(1, dealt=1).whole_round(1)
    while not table.over:
        assert table.seat == 0
        table.choose(**table.options()[-1])
    neutral = table.player(NEUTRAL)
    assert not neutral.stock.any() and not neutral.points.any() and neutral.hand_size == 0
    assert neutral_on(table)


# --- O2, O7 ----------------------------------------------------------------------------------------------------------------------


def test_o2_who_is_not_start_player_picks_after_each_discard():
    """The worked example: 1 goes, pick one, the lowest of the rest goes, pick one, one is left."""
    table = Table(1).second().dice(1, 2, 4, 4, 6).revenue_phase()
    assert faces(table) == [2, 4, 6]
    table.choose(die=4).done()
    assert faces(table) == [4, 6]
    table.choose(die=4).done()
    assert (table.kind, faces(table)) == ("last_die", [6])


def test_o2_the_start_player_picks_before_each_discard():
    table = Table(1).dice(1, 2, 4, 4, 6).revenue_phase()
    assert faces(table) == [1, 2, 4, 6]
    table.choose(die=4).done()
    assert faces(table) == [2, 4, 6]
    table.choose(die=4).done()
    assert (table.kind, faces(table)) == ("last_die", [6])


@pytest.mark.parametrize("number", LOW + HIGH)
def test_o2_the_lowest_die_goes_in_rounds_1_to_3_and_then_the_highest(number):
    """The worked example of round 4 among them: a 6 goes first."""
    table = Table(1).second().in_round(number).dice(1, 2, 4, 4, 6).revenue_phase()
    assert faces(table) == ([2, 4, 6] if number in LOW else [1, 2, 4])


def test_o2_each_neutral_marker_removed_is_a_point():
    table = Table(1).mark(NEUTRAL, 7, 11, 15).give(0, olive=1)
    barrow = table.barrow(0, "olive", value=4)
    table.free_deliveries(0, 1).choose(good="olive", to=barrow).choose(space=6)
    assert table.points(0) == {"barrow": 4, "market_removal": 2}
    assert table.market() == {6: 0, 15: NEUTRAL}


def test_o7_the_face_as_rolled_counts_for_a_discard():
    table = Table(1).dice(3, 4, 4, 5, 5)
    table.roof(0, when="before_die", effect="modify_die 2")
    table.revenue_phase().choose(do="use_roof").choose(die=4, as_=6)
    assert faces(table) == [4, 5]  # the 3 went, not what the 4 counted as


def test_o7_what_the_player_has_reserved_goes_last():
    table = Table(1).second().dice(1, 2, 2, 4, 4)
    table.hire(0, "Village Elder")
    table.revenue_phase().choose(do="use_helper").choose(die=1)
    assert faces(table) == [1, 2, 4]
    table.choose(die=4).done()
    assert faces(table) == [1, 4]


def test_o7_a_reserved_die_goes_where_no_other_is_left():
    table = Table(1).dice(1, 1)
    table.game.reserved[0], table.game.dice_left[0] = 1, 1
    table.start("revenue", (Step.DISCARD_DIE, NEUTRAL))
    assert not table.game.dice_left.any()


# --- O3, O8, O9 ------------------------------------------------------------------------------------------------------------------


def test_o3_the_neutral_marker_goes_where_it_removes_most():
    """The worked example: two markers on 3s beside one free 4, none beside another; both go, without points."""
    table = Table(1).mark(0, 7, 11, 15).give(0, vp=1).neutral_move(4)
    assert table.market() == {6: NEUTRAL, 15: 0}
    assert (table.points(0), table.player(0).markers_removed) == ({}, 2)


@pytest.mark.parametrize(
    ("own", "neutral", "value", "space"),
    [
        ((20,), (), 4, 6),  # nothing to remove: farthest from the only other marker
        ((), (20,), 4, 6),  # a neutral one counts too
        ((2,), (12,), 4, 3),  # spaces 3 and 6 remove one each; of the markers that stay, 12 is farther from 3
        ((), (), 5, 24),  # no other marker: it alone has no higher neighbour
        ((), (), 6, 8),  # all alike: the lowest number
        ((), (3, 9, 18), 4, 6),  # the only one free
    ],
)
def test_o3_otherwise_where_it_is_hardest_to_remove(own, neutral, value, space):
    table = Table(1).mark(0, *own).mark(NEUTRAL, *neutral).neutral_move(value)
    assert set(neutral_on(table)) - set(neutral) == {space}


def test_o3_the_card_is_the_bottom_one_and_is_discarded():
    table = Table(1)
    top, bottom = table.deck_cards()[0], table.deck_cards()[-1]
    table.neutral_move(4)
    assert (table.discards(), table.deck_cards()[0]) == ([bottom], top)


@pytest.mark.parametrize("second", [False, True])
def test_o8_the_neutral_moves_after_the_start_players_phase_or_before_that_of_the_second(second):
    table = Table(1)
    if second:
        table.second()
    table.give(0, silver=2).transport_phase()
    assert (table.kind, len(neutral_on(table))) == ("choose_donkey", second)
    table.choose(donkey=1)
    assert (table.kind, len(neutral_on(table))) == ("free_delivery", second)
    table.leave()
    assert len(neutral_on(table)) == 1


def test_o8_the_neutral_moves_in_the_last_round_too():
    table = Table(1).in_round(6).transport_phase().choose(donkey=1).leave()
    assert len(neutral_on(table)) == 1


def test_o9_where_its_value_is_full_it_replaces_a_marker_of_the_player_where_most_go():
    table = Table(1).mark(NEUTRAL, 4).mark(0, 13, 24, 19, 14).neutral_move(5)
    assert table.market() == {4: NEUTRAL, 13: NEUTRAL, 24: 0}
    assert table.points(0) == {}


def test_o9_where_its_value_is_full_of_its_own_it_places_nothing():
    table = Table(1).mark(NEUTRAL, 4, 13, 24).mark(0, 19).neutral_move(5)
    assert table.market() == {4: NEUTRAL, 13: NEUTRAL, 24: NEUTRAL, 19: 0}
    assert len(table.discards()) == 1


def test_o9_its_own_lower_neighbours_stay():
    table = Table(1).mark(NEUTRAL, 3, 9, 18, 7).neutral_move(4)
    assert neutral_on(table) == [3, 6, 7, 9, 18]


def test_o9_the_player_may_replace_a_neutral_marker_where_the_value_is_full():
    table = Table(1).mark(NEUTRAL, 13, 24).mark(0, 4).give(0, olive=1)
    barrow = table.barrow(0, "olive", value=5)
    table.free_deliveries(0, 1).choose(good="olive", to=barrow)
    assert table.offers() == [{"do": "place_marker", "space": 13}, {"do": "place_marker", "space": 24}, {"do": "decline"}]
    table.choose(space=24)
    assert (table.market(), table.points(0)["market_removal"]) == ({4: 0, 13: NEUTRAL, 24: 0}, 1)


def test_o9_a_deck_made_anew_does_not_hold_the_neutral_card():
    table = Table(1).deck(7).discarded(12, 13).neutral_move(4)
    assert (sorted(table.deck_cards()), table.discards()) == ([12, 13], [7])


def test_o9_without_a_card_nothing_is_placed():
    table = Table(1).deck()
    table.start("transport", (Step.NEUTRAL_MOVE, NEUTRAL))
    assert table.market() == {}


# --- O4, O10, O11 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize(("section", "starts"), [(0, False), (1, False), (2, True), (3, True), (4, True)])
def test_o4_the_third_section_makes_the_player_start_the_next_round(section, starts, second):
    table = Table(1).disc(0, section)
    if second:
        table.second()
    assert table.scoring_phase().starts is starts


def test_o4_the_order_does_not_change_in_the_transportation_phase():
    table = Table(1).second().transport_phase().choose(donkey=1)
    assert (table.stacks()[3], table.starts) == ([0], False)


def test_o10_the_disc_gives_its_points_says_who_starts_and_goes_back():
    table = Table(1).second().disc(0, 3).scoring_phase()
    assert (table.points(0), table.starts, table.stacks()[0]) == ({"siesta": 2}, True, [0])


def test_o10_neutral_markers_score_nothing():
    table = Table(1).mark(NEUTRAL, 2, 3, 4).mark(0, 6).scoring_phase()
    assert table.points(0) == {"market_round": 1}


def test_o10_after_the_last_round_the_order_stays():
    table = Table(1).second().in_round(6).disc(0, 3).scoring_phase()
    assert (table.starts, table.stacks()[3]) == (False, [0])


@pytest.mark.parametrize(("second", "number", "donkey", "silver"), [(True, 1, 1, 3), (True, 1, 3, 0), (False, 1, 1, 0), (True, 6, 1, 0)])
def test_o11_h4_who_is_sure_to_start_the_next_round_has_become_start_player(second, number, donkey, silver):
    table = Table(1).in_round(number)
    table.hire(0, "Early Riser")
    if second:
        table.second()
    table.transport_phase().choose(donkey=donkey)
    assert table.gained(0).get("silver", 0) == silver


@pytest.mark.parametrize(("helper", "gained"), [("Negotiator", {"vp": 2}), ("Smuggler", {"silver": 4})])
def test_o11_m5_helpers_answer_when_the_neutral_removes_markers(helper, gained):
    table = Table(1).mark(0, 7, 11)
    table.hire(0, helper)
    assert table.neutral_move(4).gained(0) == gained
    assert table.over


# --- O12, O13 --------------------------------------------------------------------------------------------------------------------


def seen_by_the_player(table: Table) -> np.ndarray:
    views = np.zeros(1, s.GAME)
    hide(views, table.game, 0)
    return views


def test_o12_the_neutral_cards_to_come_are_hidden():
    """They are the deck's: nothing a policy is shown changes with them."""
    table = Table(1, dealt=3).whole_round(1)
    before = seen_by_the_player(table)
    table.game.deck[:6] = table.game.deck[:6][::-1].copy()
    assert seen_by_the_player(table).tobytes() == before.tobytes()


def test_o12_a_search_meets_other_neutral_cards():
    table = Table(1, dealt=3).whole_round(1)
    met = set()
    for luck in range(40):
        views = seen_by_the_player(table)
        redeal(views[0], table.box, 0, np.uint64(luck))
        met.add(int(views[0].deck[0]))
        assert views[0].deck_count == table.game.deck_count
    assert len(met) > 20


@pytest.mark.parametrize("drawn", [0, 3, 11])
def test_o12_the_neutral_card_of_a_round_does_not_depend_on_what_the_player_draws(drawn):
    table = Table(1, dealt=3)
    expected = table.deck_cards()[:-4:-1]
    table.deck(*table.deck_cards()[drawn:])
    met = []
    for _ in range(3):
        table.start("transport", (Step.NEUTRAL_MOVE, NEUTRAL))
        met += [card for card in table.discards() if card not in met]
    assert met == expected


def test_o13_the_result_is_the_points_after_the_final_sale():
    table = Table(1).give(0, silver=9, grape=1, vp=3).mark(NEUTRAL, 2, 3).end_of_game()
    assert (table.points(0), table.stock(0, "vp"), table.stock(0, "silver")) == ({"silver": 2}, 5, 1)
