"""What options are worth, and the best of them (toolkit/option_worth.py)."""

from collections.abc import Iterator

import numpy as np
import pytest
from plans import farm, planned, worths
from records import new_notes
from table import Table

from lagranja_sim.games.lagranja import toolkit
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules.names import Ask
from lagranja_sim.play.driver import weight_row
from lagranja_sim.play.walk import ASKED, walk
from lagranja_sim.play.walk import Table as Played
from lagranja_sim.policy import find_policy


def test_a_delivery_is_worth_its_targets_rate_and_the_last_one_more():
    table = farm().give(0, olive=1, grape=1, food=1)
    table.barrow(0, "olive grape", value=6)
    last = table.barrow(0, "food", value=2)
    found = worths(table.free_deliveries(0, 3), barrow=1, finish=0.5)
    assert found[f"deliver food den {last}"] == 2 * 1.5
    assert [found[name] for name in found if name.startswith(("deliver olive", "deliver grape"))] == [3, 3]
    assert found["done"] == 0


def test_a_delivery_from_a_field_is_worth_a_little_more_than_from_a_den():
    table = farm().give(0, olive=1).fields(0, "olive", grown=True)
    wagon = table.barrow(0, "olive olive", value=6)
    found = worths(table.free_deliveries(0, 2), barrow=1)
    assert 0 < found[f"deliver olive field {wagon}"] - found[f"deliver olive den {wagon}"] < 0.1


def test_a_delivery_of_a_pig_breaks_a_pair():
    def delivered(table: Table) -> float:
        table.barrow(0, "pig", value=6)
        found = worths(table.in_round(4).free_deliveries(0, 2), barrow=1, pig=1)
        return next(found[name] for name in found if name.startswith("deliver pig"))

    assert delivered(farm().give(0, pig=2)) == 6
    assert delivered(farm().extend(0, pig=1).give(0, pig=2)) == 6 - 2


def test_pigs_are_bought_before_growth_to_breed():
    table = farm().extend(0, pig=2).give(0, pig=1, silver=9).fields(0, "olive").in_round(4)
    assert worths(table.growth(0), pig=3, silver=0.5)["buy pig"] == 2 * 3 - 0.5 * 5
    assert worths(table.growth(0), silver=0.5)["buy pig"] == -1
    assert worths(table.growth(0), pig=3, silver=0.5)["buy olive"] == -1


def test_a_delivery_to_a_target_left_alone_is_worse_than_passing():
    table = farm().give(0, olive=1)
    wagon = table.barrow(0, "olive grape", value=1)
    assert worths(table.free_deliveries(0, 2), barrow=1, threshold=1)[f"deliver olive den {wagon}"] < 0


def test_trade_pays_when_the_plan_wants_what_it_brings():
    table = farm().give(0, olive=1, silver=9)
    table.barrow(0, "olive food", value=8)
    given = {"barrow": 1.0, "share": 1.0, "silver": 0.25, "trade": 0.5, "keep": 1.0}
    found = worths(table.free_deliveries(0, 2), **given)
    assert found["buy grain"] == pytest.approx((4 - 0.25 * 2) - 0.25 * 3 - 0.5)  # it can be made into the food that is short
    assert found["buy pig"] < 0
    assert found["sell olive"] == pytest.approx(0.25 * 1 - 4 - 2 * 0.5)  # the barrow wants it
    assert found["upgrade olive den 2"] < 0
    assert worths(table.give(0, olive=1).free_deliveries(0, 2), **given)["upgrade olive den 2"] == pytest.approx(4 - 0.25 * 2 - 0.25 - 0.5)


def test_upgrades_are_paid_for_when_they_are_needed():
    """For a delivery, or before growth on a field, where the good grows again; not in between."""
    table = farm().give(0, grain=1, silver=9).fields(0, "grain", grown=True)
    table.barrow(0, "food food food", value=9)
    given = {"barrow": 1.0, "share": 1.0, "silver": 0.25}

    def upgrades(at: Table) -> dict[str, float]:
        found = worths(at, **given)
        return {name.split()[2]: found[name] for name in found if name.startswith("upgrade")}

    assert upgrades(table.growth(0)) == {"den": -1, "field": pytest.approx(3 - 0.5 + 0.5 * (3 - 0.5))}
    assert upgrades(table.free_deliveries(0, 2)) == {"den": 2.5, "field": 2.5}


def test_a_barrow_in_another_ones_place_is_only_worth_what_it_is_better_by():
    table = farm().give(0, olive=2)
    given = {"barrow": 1.0}
    table.hold(0, barrow="olive olive", barrow_vp=6)
    free = worths(table.cards_turn(0), **given)
    for value in (2, 4, 8)[: int(table.box.farm.barrow_slots)]:
        table.barrow(0, "grape grape grape", value=value, missing="grape grape")
    table.cards_turn(0)
    taken = [worth for name, worth in worths(table, **given).items() if "barrow" in name]
    rates = planned(table, **given).barrow_rate[: int(table.box.farm.barrow_slots)]
    assert max(free[name] for name in free if "barrow" in name) == 2 * 6 / 2
    assert sorted(taken) == sorted(6 / 2 - rate - 1 for rate in rates)  # its rate, and the one symbol that is filled already


def test_a_field_brings_less_late_and_beside_others():
    def field(table: Table) -> float:
        table.hold(0, field="olive")
        found = worths(table.cards_turn(0), field=1, good=1, crowd=0.5)
        return max(found[name] for name in found if "field" in name)

    assert field(farm().in_round(3)) == 4
    assert field(farm().in_round(6)) == 1
    assert field(farm().in_round(3).fields(0, "grape")) == 4 / (1 + 0.5)
    assert field(farm().in_round(3).fields(0, "olive")) == 4 / (1 + 0.5 * 2)


def test_a_space_is_worth_what_it_takes_less_what_threatens_it():
    table = farm(players=4)
    high = table.spaces(max(table.value(space) for space in range(table.box.space_count)))[0]
    lower = [space for space in table.neighbours(high) if table.value(space) < table.value(high)]
    table.mark(1, *lower)
    wagon = table.barrow(0, "olive", value=table.value(high))
    table.give(0, olive=1).free_deliveries(0, 1).choose(good="olive", to=wagon)
    assert table.asked == (0, "place_marker")
    assert worths(table, removal=1, safety=1)[f"place_marker {high}"] == len(lower)
    table = farm(players=4).in_round(4)
    low = min((space for value in range(1, 9) for space in table.spaces(value)), key=table.value)
    wagon = table.barrow(0, "olive", value=table.value(low))
    above = next(table.value(space) for space in table.neighbours(low) if table.value(space) > table.value(low))
    table.barrow(1, "olive", value=above)
    table.give(0, olive=1).free_deliveries(0, 1).choose(good="olive", to=wagon)
    assert worths(table, removal=1, safety=0.5)[f"place_marker {low}"] == -0.5 * 3


def test_f10_a_roofs_marker_removes_nobody():
    table = farm(players=4)
    high = table.spaces(max(table.value(space) for space in range(table.box.space_count)))[0]
    table.mark(1, *(space for space in table.neighbours(high) if table.value(space) < table.value(high)))
    table.roof(0, effect="place_marker")
    table.turn(0).choose(do="use_roof")
    assert table.asked == (0, "place_marker")
    assert worths(table, removal=1)[f"place_marker {high}"] == 0


# --- in games ------------------------------------------------------------------------------------------------------------------------


def decisions(games: int) -> Iterator[Played]:
    """All decisions with a choice in some games of `balanced`."""
    for number in range(games):
        for moment, table in walk(load_components(), [find_policy("balanced")] * 4, 3, number):
            if moment == ASKED and table.count > 1:
                yield table


def kind_of(table: Played) -> int:
    return int(table.room.games["agenda"]["kind"][0, table.room.games["depth"][0] - 1])


def test_the_best_option_is_the_first_of_most_worth_or_the_one_that_waits():
    row, waited, planned_kinds = weight_row(find_policy("balanced")), 0, set()
    plan = new_notes()[0].plan
    for table in decisions(games=2):
        game, box, kind = table.game, table.box, kind_of(table)
        if toolkit.can_wait(game, box, kind):
            waited += 1
            assert table.chosen == (0 if kind == Ask.LAST_DIE else table.count - 1)
            continue
        toolkit.make_plan(game, box, table.seat, row, plan)
        worth = [toolkit.option_worth(game, box, table.seat, kind, table.options[index], plan) for index in range(table.count)]
        assert np.isfinite(worth).all()
        assert table.chosen == int(np.argmax(worth))
        planned_kinds.add(kind)
    assert waited > 50
    assert len(planned_kinds) > 10


def test_the_plan_prices_targets_as_they_are():
    row, lacking, plan = weight_row(find_policy("balanced")), 0, new_notes()[0].plan
    for table in decisions(games=1):
        player, box = table.game.players[table.seat], table.box
        toolkit.make_plan(table.game, box, table.seat, row, plan)
        for missing in (*player.barrow_missing, *player.row_missing):
            price = toolkit.price_to_finish(box, player, missing)
            assert toolkit.lacking_price(plan, missing) == price
            lacking += price > 0
    assert lacking > 100


def test_windows_of_last_deliveries_are_not_passed():
    table = farm().give(0, silver=5)
    assert not toolkit.can_wait(table.turn(0, "transport").game, table.box, Ask.END_TURN)
    assert toolkit.can_wait(table.in_round(5).turn(0, "transport").game, table.box, Ask.END_TURN)
    assert toolkit.can_wait(table.in_round(6).turn(0, "farm").game, table.box, Ask.END_TURN)
