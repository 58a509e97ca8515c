"""Policies that play here are compiled before any call."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What compiling says is not part of what calls print here."""
    from lagranja_sim.play.driver import warm_up
    from lagranja_sim.policy import find_policy

    warm_up([find_policy("greedy"), find_policy("random")])
