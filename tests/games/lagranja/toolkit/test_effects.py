"""What effects are worth (toolkit/effect_worth.py)."""

import numpy as np
import pytest
from plans import farm, planned
from table import Table

from lagranja_sim.games.lagranja import toolkit
from lagranja_sim.games.lagranja.rules import state as s

SILVER = 0.25


def worth(table: Table, effect: str, cost: str = "", **given: float) -> float:
    """A helper's effect, less its cost, for seat 0."""
    card = table.hire(0, effect=effect, cost=cost)
    plan, ability = planned(table.free_deliveries(0, 2), **given), table.box.cards[card].helper
    use = float(toolkit.effect_worth(table.game, table.box, 0, ability.effect, plan))
    return use + float(toolkit.cost_worth(table.game, table.box, 0, ability, plan))


def busy() -> Table:
    """A farm with something to deliver: an olive to a barrow of rate 6, which also wants food, at hand a grain to make it of."""
    table = farm().give(0, olive=1, grain=1)
    table.barrow(0, "olive", value=6)
    table.barrow(0, "food", value=4)
    return table


@pytest.mark.parametrize(
    ("effect", "points"),
    [
        ("gain silver 4", 4 * SILVER),
        ("gain vp 2", 2),
        ("gain food 1", 4),
        ("gain silver 1 | gain vp 2", 2),
        ("gain silver 4 ; gain vp 1", 4 * SILVER + 1),
        ("deliver 1", 6),
        ("upgrade 1", 4),
        ("gain card 2", 2 * 0.5),
        ("gain upgraded 1", 4),
        ("deliver 2", 12),
        ("gain harvest_different 2", 2 * (4 - 2 * SILVER)),  # olive and grain, for the food
        ("gain pig 3", 3 * SILVER),  # nobody wants one, and the third has no space and is sold
    ],
)
def test_an_effect_is_worth_what_it_does_for_the_plan(effect: str, points: float):
    assert worth(busy(), effect, barrow=1, share=1, silver=SILVER, card=0.5, good=1) == pytest.approx(points)


def test_a_cost_is_taken_off():
    assert worth(busy(), "gain vp 2", cost="pay silver 3", silver=SILVER, barrow=1) == pytest.approx(2 - 3 * SILVER)


def test_of_a_class_the_good_least_missed_is_paid():
    table = busy().give(0, grape=1)
    given = {"barrow": 1.0, "share": 1.0, "silver": SILVER, "keep": 1.0}
    assert worth(table, "gain vp 2", cost="pay harvest 1", **given) == pytest.approx(2 - SILVER * 2)  # the grape, for what it sells for


def test_what_depends_on_the_farm_is_worth_what_it_brings_there():
    assert worth(farm(), "gain silver 1 per fields", silver=SILVER) == 0
    assert worth(farm().fields(0, "olive", "grape"), "gain silver 1 per fields", silver=SILVER) == 2 * SILVER


def test_steps_end_at_the_top_of_the_track():
    top = int(farm().box.siesta_top)
    given = {"siesta": 1.0, "order": 0.5}
    assert worth(farm().disc(0, 0), "siesta 2", **given) == 2 * worth(farm().disc(0, 0), "siesta 1", **given) > 0
    assert worth(farm().disc(0, top), "siesta 2", **given) == 0


def test_every_printed_effect_has_a_finite_worth():
    table, given = busy(), {"delivery": 1.0, "card": 1.0, "order": 0.2, "siesta": 1.0, "stream": 1.0}
    plan = planned(table.free_deliveries(0, 2), silver=SILVER, barrow=1, share=1, good=1, **given)
    box = table.box
    now = [toolkit.effect_worth(table.game, box, 0, effect, plan) for effect in range(len(box.effects)) if box.effects[effect].length]
    later = [toolkit.ability_worth(box, box.cards[card].helper, plan) for card in range(1, s.CARDS + 1)]
    assert np.isfinite(now).all()
    assert np.isfinite(later).all()
    assert min(later) >= 0 < max(later)
