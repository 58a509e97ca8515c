"""Final points to expect of a position (toolkit/position.py)."""

import numpy as np
import pytest
from plans import farm
from table import Table

from lagranja_sim.games.lagranja import toolkit
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Item
from lagranja_sim.play.walk import OVER, SCORED, walk
from lagranja_sim.policy import find_policy


def described(table) -> np.ndarray:
    out = np.full(toolkit.FEATURES, 99.0)
    toolkit.describe(table.game, table.box, 0, out)
    return out


def test_a_farm_is_described_by_what_lies_on_it():
    table = farm().give(0, vp=7, silver=4, olive=6, commodity=2).fields(0, "olive", "grape").extend(0, hand=1, delivery=1)
    table.barrow(0, "olive olive grape wine", value=8, missing="olive grape")
    table.roof(0, used=True, effect="gain silver 1")
    table.roof(0, effect="gain silver 1")
    table.hire(0, effect="gain silver 1")
    table.in_order(1, 0).turn(0)
    seen = described(table)
    assert (seen[toolkit.F_POINTS], seen[toolkit.F_SILVER_HELD], seen[toolkit.F_COMMODITIES]) == (7, 4, 2)
    assert seen[toolkit.F_GOODS + Item.OLIVE] == 4  # more than four are no better
    assert (seen[toolkit.F_FIELDS], seen[toolkit.F_EXTENSIONS], seen[toolkit.F_HELPERS], seen[toolkit.F_DELIVERY_ICONS]) == (2, 1, 1, 1)
    assert (seen[toolkit.F_BARROWS], seen[toolkit.F_BARROW_VP], seen[toolkit.F_BARROW_LOADED], seen[toolkit.F_BARROW_READY]) == (1, 8, 4, 2)
    assert (seen[toolkit.F_ROOFS], seen[toolkit.F_ROOFS_FACE_UP]) == (2, 1)
    assert seen[toolkit.F_PLACE] == 1
    assert seen[toolkit.F_DONKEYS] == sum(int(table.box.transport.donkeys[tile, 0]) for tile in range(table.box.donkey_count))


def test_rows_are_described_by_how_far_they_are():
    table = farm().row(0, "butcher", missing="pig pig").row(0, "village_store", missing="pig silver").give(0, pig=1)
    seen = described(table.block("village_store").turn(0))
    assert seen[toolkit.F_ROWS_FILLED + BUILDINGS.index("butcher")] == 1
    assert seen[toolkit.F_ROWS_FILLED + BUILDINGS.index("village_store")] == 0  # blocked
    assert seen[toolkit.F_ROWS_READY] == pytest.approx(1 / 3)


def test_e2_after_the_last_round_the_sale_is_all_that_is_left():
    table = farm().give(0, vp=10, silver=1, olive=2, pig=1, commodity=1).fields(0, "olive", grown=True)
    table.end_of_game()
    expected = farm().give(0, vp=10, silver=1, olive=2, pig=1, commodity=1).fields(0, "olive", grown=True)
    room = np.zeros(toolkit.FEATURES)
    points = float(toolkit.expected_points(expected.turn(0).game, expected.box, 0, room))
    assert points == 10 + (1 + 2 * 1 + 3 + 4) / int(table.box.prices.silver_per_vp)
    assert table.stock(0, "vp") == int(points)


def test_for_one_the_margin_is_all_points():
    table = Table(1).give(0, vp=10, silver=4).in_round(3).turn(0)
    room = np.zeros(toolkit.FEATURES)
    points = toolkit.expected_points(table.game, table.box, 0, room)
    assert [toolkit.expected_margin(table.game, table.box, 0, weight, room) for weight in (0.0, 0.5, 1.0)] == [points] * 3


def test_expectations_are_right_on_the_average_and_surer_round_by_round():
    """On games that the table was not fitted to: no bias beyond chance, and errors that shrink."""
    errors: dict[int, list[float]] = {number: [] for number in range(1, s.ROUNDS + 1)}
    room = np.zeros(toolkit.FEATURES)
    for number in range(60):
        expected: list[tuple[int, int, float]] = []
        for moment, table in walk(load_components(), [find_policy("balanced")] * 4, 987_654, 4 * number):
            if moment == SCORED:
                round_number = table.field("round_number")
                points = [float(toolkit.expected_points(table.game, table.box, seat, room)) for seat in range(4)]
                expected += [(round_number, seat, vp) for seat, vp in enumerate(points)]
            if moment == OVER:
                final = table.room.games["players"]["stock"][0, :, Item.VP]
                for round_number, seat, vp in expected:
                    errors[round_number].append(vp - float(final[seat]))
    by_deal = {number: np.array(each).reshape(-1, 4).mean(1) for number, each in errors.items()}
    for number in range(1, s.ROUNDS):
        assert abs(by_deal[number].mean()) < 4 * by_deal[number].std(ddof=1) / np.sqrt(len(by_deal[number]))
    spread = [float(np.std(errors[number])) for number in range(1, s.ROUNDS + 1)]
    assert spread == sorted(spread, reverse=True)
    assert spread[-1] < 1


def test_a_margin_is_against_the_others():
    table = farm(players=3).give(0, vp=20).give(1, vp=12).give(2, vp=6)
    table.turn(0)
    room = np.zeros(toolkit.FEATURES)

    def margin(weight: float) -> float:
        return float(toolkit.expected_margin(table.game, table.box, 0, weight, room))

    assert (margin(0), margin(1), margin(0.5)) == (20 - 9, 20 - 12, 20 - 10.5)
