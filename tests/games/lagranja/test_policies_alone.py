"""Every policy that comes with the tool plays the game for one to its end."""

import numpy as np
import pytest

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules.names import SOURCES
from lagranja_sim.play.driver import play_games
from lagranja_sim.policy import Policy, list_policies

GAMES, ROUNDS = 2, 6


@pytest.fixture(scope="module")
def components() -> Components:
    return load_components()


@pytest.mark.parametrize("policy", list_policies(), ids=lambda policy: policy.name)
def test_policies_play_the_game_for_one(policy: Policy, components: Components) -> None:
    rows = play_games(components, [policy], 5, 0, GAMES)
    assert rows["rounds"]["round"].tolist() == [*range(1, ROUNDS + 1)] * GAMES
    assert np.array_equal(rows["seats"]["vp"], sum(rows["seats"][f"vp_{source}"] for source in SOURCES))
    assert (rows["games"]["decisions"] > 20).all()
