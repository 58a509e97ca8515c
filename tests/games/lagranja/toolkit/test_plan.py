"""Targets and what goods are worth for them (toolkit/plan.py)."""

import pytest
from plans import NAMES, farm, planned
from table import Table

from lagranja_sim.games.lagranja import toolkit
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Item


def test_the_weights_stand_where_the_policy_has_them():
    assert [int(toolkit.Weight[name.upper()]) for name in NAMES] == list(range(len(NAMES)))


def test_a_target_is_worth_its_points_shared_by_its_deliveries():
    table = farm().give(0, olive=1, grape=1)
    table.barrow(0, "olive grape wine", value=6, missing="olive grape")
    plan = planned(table.free_deliveries(0, 2), barrow=1)
    assert plan.barrow_rate[0] == 6 / 2
    assert list(plan.barrow_rate[1:]) == [-1, -1]
    assert set(plan.building_rate) == {-1}


def test_patience_thins_a_rate_and_the_commodity_and_the_marker_add_to_it():
    table = farm().give(0, olive=1, grape=1)
    table.barrow(0, "olive grape", value=6)
    assert planned(table.free_deliveries(0, 2), barrow=1, patience=2).barrow_rate[0] == 6 / 4
    assert planned(table, barrow=2).barrow_rate[0] == 2 * 6 / 2
    assert planned(table, barrow=1, commodity=1.5).barrow_rate[0] == (6 + 1.5) / 2
    assert planned(table.in_round(4), barrow=1, market=1).barrow_rate[0] == (6 + 3) / 2  # rounds 4, 5 and 6


def test_what_is_lacking_makes_a_target_dearer():
    table = farm().give(0, olive=1)
    table.barrow(0, "olive grape", value=6)
    assert planned(table.free_deliveries(0, 2), barrow=1, lack=1, silver=0.5).barrow_rate[0] == (6 - 0.5 * 4) / 2


def test_a_building_is_worth_its_points_now():
    table = farm().give(0, pig=2).in_round(3).row(0, "butcher", missing="pig pig")
    table.complete(1, "butcher")
    butcher = BUILDINGS.index("butcher")
    points = 3 + int(table.box.craft_buildings[butcher].bonus_vp)
    assert planned(table.free_deliveries(0, 2), building=1).building_rate[butcher] == points / 2
    assert planned(table.block("butcher").free_deliveries(0, 2), building=1).building_rate[butcher] == -1


def test_a_building_is_worth_its_bonus_as_the_first_and_that_of_the_building_it_opens():
    changes = {"buildings.first_bonus_vp.butcher": 2, "buildings.unlock_bonus_vp.deli": 5, "buildings.unlock_bonus_vp.butcher": 9}
    table = Table(overrides=changes).block("deli", "greengrocer")
    assert toolkit.building_points_now(table.game, table.box, 0, BUILDINGS.index("butcher")) == 1 + (1 + 2) + (1 + 5)


def test_what_cannot_be_finished_any_more_is_worth_nothing():
    table = farm().give(0, olive=3, grape=3)
    table.barrow(0, "olive olive grape grape", value=6)
    bought = int(table.box.transport.extra_deliveries)
    assert planned(table.free_deliveries(0, 3), barrow=1).barrow_rate[0] == (6 / 4 if bought else 0)
    plan = planned(table.free_deliveries(0, 1), barrow=1, share=1)
    assert 1 + bought < 4
    assert plan.barrow_rate[0] == 0
    assert plan.worth[Item.OLIVE] < 6 / 4  # there is nothing to deliver it to


def test_a_good_is_worth_its_share_of_the_best_target_that_wants_it():
    table = farm().give(0, olive=1)
    table.barrow(0, "olive grape", value=6)
    table.barrow(0, "olive food", value=2)
    plan = planned(table.free_deliveries(0, 2), barrow=1, share=0.5)
    assert plan.worth[Item.OLIVE] == 0.5 * 6 / 2
    assert plan.worth[Item.GRAPE] == 0.5 * 6 / 2
    assert plan.best_rate == 6 / 2


def test_the_best_delivery_needs_something_to_carry():
    table = farm().give(0, grain=1)
    table.barrow(0, "olive grape", value=6)
    assert planned(table.free_deliveries(0, 2), barrow=1).best_rate == 0
    table.barrow(0, "grain", value=2)
    assert planned(table.free_deliveries(0, 2), barrow=1).best_rate == 2


def test_a_good_held_beyond_the_need_is_worth_what_it_sells_for():
    table = farm().give(0, olive=3)
    table.barrow(0, "olive grape", value=6)
    plan = planned(table.free_deliveries(0, 2), barrow=1, share=1, keep=1, silver=0.25)
    assert plan.worth[Item.OLIVE] == 0.25 * 1
    assert plan.worth[Item.GRAPE] == 3


def test_the_last_good_needed_is_gained_cheaply_and_lost_dearly():
    table = farm().give(0, grape=1)
    table.barrow(0, "grape", value=6)
    plan = planned(table.free_deliveries(0, 2), barrow=1, share=0.5, keep=1, silver=0.25)
    assert (plan.worth[Item.GRAPE], plan.kept[Item.GRAPE]) == (0.25 * 2, 0.5 * 6)
    plan = planned(table.give(0, grape=1).free_deliveries(0, 2), barrow=1, share=0.5, keep=1, silver=0.25)
    assert (plan.worth[Item.GRAPE], plan.kept[Item.GRAPE]) == (0.25 * 2, 0.25 * 2)


def test_what_is_given_away_of_a_resource_might_have_been_upgraded():
    table = farm().give(0, olive=5)
    table.barrow(0, "food", value=6)
    plan = planned(table.free_deliveries(0, 2), barrow=1, share=1, keep=1, silver=0.25)
    assert plan.kept[Item.OLIVE] == 0.25
    assert toolkit.lost_worth(plan, Item.OLIVE) == 6 - 0.25 * 2


def test_below_the_threshold_a_target_is_left_alone():
    table = farm().give(0, olive=1)
    table.barrow(0, "olive grape", value=6)
    assert planned(table.free_deliveries(0, 2), barrow=1, share=1, threshold=2.9).worth[Item.GRAPE] == 3
    assert planned(table, barrow=1, share=1, threshold=3).worth[Item.GRAPE] < 1


def test_a_resource_is_worth_the_good_it_can_be_made_into_less_the_price():
    table = farm().give(0, olive=1, grape=1)
    table.barrow(0, "food wine", value=8)
    plan = planned(table.free_deliveries(0, 2), barrow=1, share=1, silver=0.25)
    assert (plan.worth[Item.FOOD], plan.worth[Item.WINE]) == (4, 4)
    assert (plan.worth[Item.OLIVE], plan.worth[Item.GRAPE]) == (4 - 0.25 * 2, 4 - 0.25 * 3)
    assert (plan.best_upgrade, plan.second_upgrade) == (4, 4)


def test_a_pig_without_a_space_is_worth_what_it_sells_for():
    table = farm()
    table.barrow(0, "pig", value=6)
    assert planned(table.free_deliveries(0, 2), barrow=1, share=1, silver=0.25).worth[Item.PIG] == 6
    table.give(0, pig=int(table.box.farm.pig_spaces))
    assert planned(table.free_deliveries(0, 2), barrow=1, share=1, silver=0.25).worth[Item.PIG] == 0.25 * 3


def test_a_pair_of_pigs_is_worth_piglets_where_there_is_room_for_them():
    def of_a_pig(table: Table) -> tuple[float, float, float]:
        plan = planned(table.in_round(3).free_deliveries(0, 2), pig=0.5)
        return plan.worth[Item.PIG], plan.kept[Item.PIG], plan.breeder

    piglets = 0.5 * 3  # rounds 4, 5 and 6
    room = farm().extend(0, pig=1)
    assert of_a_pig(room) == (piglets, piglets, piglets)
    third, kept, breeder = of_a_pig(room.give(0, pig=2))
    assert (third < piglets, kept, breeder) == (True, piglets, piglets)
    assert of_a_pig(room.give(0, pig=1)) == (0, 0, 0)
    assert of_a_pig(farm().give(0, pig=1))[1:] == (0, 0)  # two spaces have no room for a piglet


def test_a_step_on_the_siesta_track():
    table = farm().disc(0, 0)
    top, points = int(table.box.siesta_top), [int(vp) for vp in table.box.transport.siesta_vp]
    assert planned(table.free_deliveries(0, 2), order=0.5).step_worth == 0.5
    assert planned(table, siesta=1).step_worth == max(0.5, points[1] - points[0])
    assert planned(table.disc(0, top).free_deliveries(0, 2), siesta=1, order=1).step_worth == 0


@pytest.mark.parametrize("building", BUILDINGS)
def test_craft_markers_bring_more_the_earlier_they_lie(building: str):
    given = {"silver": 0.25, "delivery": 1, "commodity": 2, "good": 1, "order": 0.2, "permanent": 1}
    table, worth = Table(), []
    for number in (2, 5):
        plan = planned(table.in_round(number).turn(0), **given)
        worth.append(toolkit.craft_marker_worth(BUILDINGS.index(building), plan))
    assert worth[0] > worth[1] > 0
