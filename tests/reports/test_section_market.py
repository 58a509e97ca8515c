"""The section on the market: lives, points and holdings of markers whose removal is a known chance."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_runs import empty, made_up_games, settle, write_run
from sections import built, holds, row, section, table

from lagranja_sim.games.lagranja.components import load_components

POLICIES = ["balanced", "greedy", "random", "siesta"]
GAMES = 2000
CHANCE = {2: 0.4, 3: 0.2}  # of being removed before the next round end, by value of the space


def spaces_of(value: int) -> np.ndarray:
    return np.array([number for number, space in enumerate(load_components().spaces) if space.value == value and not space.start])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two markers a game, one on a space of value 2 and one of value 3, placed in a random round."""
    chances = np.random.default_rng(8)
    tables = made_up_games(GAMES)
    settle(tables, np.zeros(4 * GAMES))
    market = empty("market", 2 * GAMES)
    market["game"] = np.repeat(np.arange(GAMES), 2)
    market["value"] = np.tile(list(CHANCE), GAMES)
    market["space"] = np.where(market["value"] == 2, chances.choice(spaces_of(2), 2 * GAMES), chances.choice(spaces_of(3), 2 * GAMES))
    market["round_placed"] = chances.integers(1, 7, 2 * GAMES)
    life = chances.geometric(np.vectorize(CHANCE.get)(market["value"])) - 1
    ends = market["round_placed"] + life
    market["round_removed"] = np.where(ends <= 6, ends, 0)
    market["removed_by"] = np.where(ends <= 6, 1, -1)
    return write_run(tmp_path_factory.mktemp("market") / "run", {**tables, "market": market}, POLICIES, GAMES)


@pytest.mark.parametrize("value", CHANCE)
def test_survival_is_the_known_one_though_most_lives_are_cut_off(run: Path, value: int) -> None:
    lives = table(section(run, "market"), "life")
    for ends in (1, 2, 3):
        line = row(lives, value=value, **{"round ends": ends})
        assert line["still there"] == pytest.approx((1 - CHANCE[value]) ** ends, abs=0.04)
        assert line["high"] - line["low"] < 0.12


def test_points_are_the_round_ends_seen(run: Path) -> None:
    placed = row(table(section(run, "market"), "placed"), value=2, **{"round placed": 6})
    assert holds(placed, 1 - CHANCE[2], "points") and placed["points"] == pytest.approx(placed["to the end"])


def test_holdings_add_up(run: Path) -> None:
    held = table(section(run, "market"), "held")
    market = pl.read_parquet(run / "market")
    there = market.filter((pl.col("round_placed") <= 4) & ((pl.col("round_removed") == 0) | (pl.col("round_removed") > 4)))
    assert held.filter(pl.col("round") == 4)["held"].sum() == pytest.approx(there.height / GAMES)


def test_removals_agree_with_the_rows(run: Path) -> None:
    line = row(table(section(run, "market"), "removals"), value=3)
    market = pl.read_parquet(run / "market").filter(pl.col("value") == 3)
    assert line["removed of all"] == pytest.approx((market["round_removed"] > 0).mean())
    assert line["removals a game"] == pytest.approx((market["round_removed"] > 0).sum() / GAMES)


def test_takeaways_have_the_right_sign(run: Path) -> None:
    texts = [takeaway.text for takeaway in section(run, "market").takeaways]
    assert any("of the markers on value 3" in text and "value 2" in text for text in texts)
    assert any("difference of +" in text for text in texts)


def test_every_space_is_drawn_with_its_place(run: Path) -> None:
    spaces = table(section(run, "market"), "spaces")
    assert [(one["q"], one["r"], one["value"]) for one in spaces.to_dicts()] == [
        (one.q, one.r, one.value) for one in load_components().spaces
    ]


def test_too_few_games_are_said(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", {**made_up_games(40), "market": empty("market", 1)}, POLICIES, 40)
    assert "200 games" in built(folder, "market").lacks
