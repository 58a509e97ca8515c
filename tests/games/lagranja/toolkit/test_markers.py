"""What is weighed up where no marker is free (toolkit/markers.py)."""

from collections.abc import Iterator

import pytest
from plans import planned, worths
from table import Table

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules.names import Ask, Do, Step
from lagranja_sim.play.walk import ASKED, walk
from lagranja_sim.policy import find_policy

WAITING = (Step.BUY, Step.USE, Step.ALTERNATIVE, Step.PAY_DELIVERIES, Step.SILVER_DELIVERY)  # acts that wait for a marker
PRICES = {"barrow": 1.0, "share": 1.0, "silver": 0.25, "market": 2.0, "commodity": 2.0}


def table_with(markers: int, **goods: int) -> Table:
    return Table(overrides={"setup.markers": markers}).in_round(6).give(0, **goods)


SPARE = 0.1  # a good that nothing waits for
ACTS = ("buy olive", "use_helper", "deliver silver purse barrow")


def waiting(markers: int, **goods: int) -> Table:
    """A barrow waits for an olive, a food and a silver, a helper offers an olive."""
    table = table_with(markers, silver=9, **goods)
    table.barrow(0, "olive food silver", value=9)
    table.hire(0, effect="gain olive 1")
    return table.free_deliveries(0, 2)


def worths_of_acts(table: Table) -> list[float]:
    found = worths(table, **PRICES)
    return [worth for act in ACTS for name, worth in found.items() if name.startswith(act)]


def cheapest(table: Table) -> float:
    """What the cheapest marker is worth at a decision."""
    return float(planned(table, **PRICES).marker_price)


def test_without_a_free_marker_an_act_costs_the_cheapest_one_too():
    for goods in ({"food": 1, "commodity": 4}, {"wine": 1, "commodity": 4}):
        free, short = worths_of_acts(waiting(25, **goods)), worths_of_acts(waiting(5, **goods))
        cost = cheapest(waiting(5, **goods))
        assert len(free) == len(ACTS)
        assert cost == (SPARE if "wine" in goods else PRICES["commodity"])  # nothing waits for the wine, the barrow for the food
        assert [before - after for before, after in zip(free, short, strict=True)] == pytest.approx([cost] * len(ACTS))


def test_the_cheapest_marker_may_lie_on_the_market_or_on_a_barrow():
    assert cheapest(table_with(5).mark(0, 2, 3, 4, 5, 6).free_deliveries(0, 1)) == PRICES["market"]
    loaded = table_with(5).mark(0, 2)
    loaded.barrow(0, "wine wine wine wine olive", missing="olive")
    assert cheapest(loaded.free_deliveries(0, 1)) == SPARE


def test_a_marker_costs_nothing_while_one_is_free():
    assert cheapest(table_with(5, food=4).free_deliveries(0, 1)) == 0


def forgone(table: Table) -> float:
    assert table.asked == (0, "give_up")
    return worths(table, **PRICES)["forgo"]


def test_forgoing_loses_what_is_gained_for_nothing():
    table = table_with(5, commodity=5)
    table.barrow(0, "olive olive", value=8)
    assert forgone(table.takes(0, 3).choose(goods=["olive", "grape"])) == -(8 + PRICES["market"] + PRICES["commodity"]) / 2


def test_forgoing_a_market_marker_loses_its_points():
    table = table_with(5, commodity=5)
    wagon = table.barrow(0, "silver")
    table.give(0, silver=1).free_deliveries(0, 1).choose(to=wagon).choose(good="commodity").choose(do="forgo")
    assert table.asked == (0, "place_marker")  # the barrow's own marker is back
    table.roof(0, "market marker")
    table.choose(space=table.spaces(2)[-1])
    assert forgone(table.turn(0).choose(do="use_roof")) < -1000  # an act of its own choice is carried through


def acts_begun(name: str, games: int) -> Iterator[int]:
    """What a policy answers where an act of its own waits for a marker; of ten markers few are free."""
    components = load_components(overrides={"setup.markers": 10})
    for number in range(games):
        for moment, table in walk(components, [find_policy(name)] * 2, 3, number):
            if moment == ASKED and table.count > 1:
                kinds = [int(task.kind) for task in table.game.agenda[: table.game.depth]]
                if kinds[-1] == Ask.GIVE_UP and kinds[-3] in WAITING:
                    yield int(table.options[table.chosen].do)


@pytest.mark.parametrize("name", ["balanced", "greedy"])
def test_what_a_policy_has_begun_it_carries_through(name):
    """Or it would begin again, as long as anytime actions are left."""
    assert set(acts_begun(name, games=8)) == {Do.GIVE_UP}
