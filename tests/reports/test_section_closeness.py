"""The section on closeness: how close games are, when they are decided, who comes back; planted and found."""

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
    """`balanced` has 6 points more; the points after the last round are the final ones, those before tell nothing."""
    tables = made_up_games(GAMES)
    settle(tables, np.where(tables["seats"]["policy"] == 0, 6, 0))
    tables["rounds"]["vp"].reshape(GAMES, 6, 4)[:, 5] = tables["seats"]["vp"].reshape(GAMES, 4)
    return write_run(tmp_path_factory.mktemp("closeness") / "run", tables, POLICIES, GAMES)


def test_a_lead_that_tells_nothing_is_undecided_and_the_last_one_decides(run: Path) -> None:
    decided = table(section(run, "closeness"), "decided")
    assert holds(row(decided, round=2), 0, "beyond policy")
    last = row(decided, round=6)
    alone = pl.read_parquet(run / "games")["winner_seat"] >= 0
    assert alone.mean() < last["leader wins"] < 1  # leaders who tie share the win
    assert last["decided"] == pytest.approx(alone.mean())


def test_the_takeaway_on_the_lead_says_undecided(run: Path) -> None:
    text = next(takeaway for takeaway in section(run, "closeness").takeaways if takeaway.text.startswith("Who leads"))
    assert "undecided" in text.text and text.strength < 1


def test_comebacks_share_out_all_wins(run: Path) -> None:
    comebacks = table(section(run, "closeness"), "comebacks").filter(pl.col("round") == 1)
    assert comebacks["seats"].sum() == 4 * GAMES
    assert (comebacks["seats"] * comebacks["comeback chance"]).sum() == pytest.approx(GAMES)


def test_margins_agree_with_the_games(run: Path) -> None:
    closeness = table(section(run, "closeness"), "closeness")
    games = pl.read_parquet(run / "games")
    assert float(row(closeness, of="winning margin, points")["value"]) == pytest.approx(games["vp_margin"].mean(), abs=0.006)


def test_every_game_is_drawn_with_its_margin_and_its_changes_of_the_lead(run: Path) -> None:
    figure = next(figure for figure in section(run, "closeness").figures if figure.name == "margins")
    for axes in figure.figure.axes:
        assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(1)


def test_too_few_games_are_said(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_up_games(40), POLICIES, 40)
    assert "200 games" in built(folder, "closeness").lacks
