"""The section on donkeys: what a tile gives is found, whoever chooses it and when."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_runs import made_up_games, settle, write_run
from sections import built, holds, row, section, table

POLICIES = ["balanced", "greedy", "random", "siesta"]
GAMES = 2000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tile n carries n deliveries, all made, and the first policy, which mostly takes the heaviest, makes two more; the order is chance."""
    chances = np.random.default_rng(2)
    tables = made_up_games(GAMES)
    settle(tables, np.zeros(4 * GAMES))
    rounds = {name: tables["rounds"][name].reshape(GAMES, 6, 4) for name in ("donkey", "deliveries", "bought_deliveries")}  # views
    first = np.broadcast_to((tables["seats"]["policy"].reshape(GAMES, 4) == 0)[:, None, :], rounds["donkey"].shape)
    rounds["donkey"][:] = np.where(first & (chances.random(first.shape) < 0.7), 4, rounds["donkey"])
    rounds["bought_deliveries"][:] = 2 * first
    rounds["deliveries"][:] = rounds["donkey"] + rounds["bought_deliveries"]
    return write_run(tmp_path_factory.mktemp("donkeys") / "run", tables, POLICIES, GAMES)


def test_a_lighter_tile_costs_one_delivery_whoever_takes_it(run: Path) -> None:
    prices = table(section(run, "donkeys"), "prices")
    assert prices.height == 3
    for line in prices.to_dicts():
        assert line["deliveries made"] == pytest.approx(-1) and line["deliveries made, low"] <= -0.999


def test_no_place_is_gained_and_that_is_undecided(run: Path) -> None:
    built = section(run, "donkeys")
    assert holds(row(table(built, "prices"), change="1 + 3 hats instead of 2 + 2 hats"), 0, "places gained in the order")
    assert any("undecided" in takeaway.text and takeaway.strength < 1 for takeaway in built.takeaways)


def test_use_is_full(run: Path) -> None:
    for line in table(section(run, "donkeys"), "use").to_dicts():
        assert line["use of the tile, at most"] == 1


def test_shares_add_up_and_agree_with_the_rows(run: Path) -> None:
    shares = table(section(run, "donkeys"), "shares")
    for whole in shares.group_by("policy", "round").agg(pl.col("share").sum()).to_dicts():
        assert whole["share"] == pytest.approx(1)
    assert row(shares, policy="balanced", round=2, **{"deliveries + hats": "4 + 0 hats"})["share"] == pytest.approx(0.7 + 0.3 / 4, abs=0.04)


def test_too_few_games_are_said(tmp_path: Path) -> None:
    assert "200 games" in built(write_run(tmp_path / "run", made_up_games(40), POLICIES, 40), "donkeys").lacks
