"""What two changes do together beyond what each does alone."""

import json
from typing import Any

import pytest

from tests.helpers.calls import call

LINE = ("--policies", "greedy", "--games", "256")


def compared(capsys: Any, *arms: str) -> dict[str, Any]:
    done = call(capsys, "compare", *arms, *LINE, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_it_is_what_the_differences_do_not_add_up_to(capsys: Any) -> None:
    one, other = "prices.sell.pig=9", "prices.sell.grape=9"
    outcome = compared(capsys, "deluxe", one, other, f"{one}+{other}")
    change = {row["arm"]: row["mean"] for row in outcome["differences"] if row["measure"] == "points"}
    found = {row["measure"]: row for row in outcome["interactions"]}["points"]
    assert found["arms"] == [one, other]
    assert found["mean"] == pytest.approx(change[f"{one}+{other}"] - change[one] - change[other], abs=1e-4)
    assert found["low"] < found["mean"] < found["high"]
    assert found["mean"] != 0


def test_beside_a_change_that_never_matters_it_is_nought(capsys: Any) -> None:
    outcome = compared(capsys, "deluxe", "solo.dice=4", "prices.sell.pig=9", "solo.dice=4+prices.sell.pig=9")
    assert {row["mean"] for row in outcome["interactions"]} == {0.0}
    assert "interaction, solo.dice=4 and prices.sell.pig=9 together, beyond each alone: points of a player: " in outcome["block"]


@pytest.mark.parametrize(
    "arms",
    [
        ("deluxe", "prices.sell.pig=9", "market.removal_vp=5"),  # together they are no arm
        ("deluxe", "prices.sell.pig=9", "prices.sell.pig=8", "prices.sell.pig=8+market.removal_vp=5"),
        ("deluxe", "bga", "prices.sell.pig=9", "bga+prices.sell.pig=9"),  # a variant is not single values
    ],
)
def test_other_arms_have_none(capsys: Any, arms: tuple[str, ...]) -> None:
    assert compared(capsys, *arms)["interactions"] == []
