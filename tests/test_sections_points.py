"""The section on points: sources, how close games are, when they are decided; planted and found."""

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
    """`balanced` has 6 points of roofs; the points after the last round are the final ones, those before tell nothing."""
    tables = made_up_games(GAMES)
    seats, rounds = tables["seats"], tables["rounds"]
    settle(tables, np.where(seats["policy"] == 0, 6, 0))
    seats["vp_roof"] = np.where(seats["policy"] == 0, 6, 0).astype(np.int16)
    seats["vp_building"] = seats["vp"] - seats["vp_roof"]
    rounds["vp"].reshape(GAMES, 6, 4)[:, 5] = seats["vp"].reshape(GAMES, 4)
    rounds["vp_gained"] = np.full(len(rounds["vp"]), 2, np.int16)
    return write_run(tmp_path_factory.mktemp("points") / "run", tables, POLICIES, GAMES)


def test_sources_are_found_with_their_size(run: Path) -> None:
    sources = table(section(run, "points"), "sources")
    assert row(sources, policy="balanced", source="roof")["points"] == 6
    assert row(sources, policy="greedy", source="roof")["points"] == 0
    gap = row(sources, policy="balanced", source="all")["points"] - row(sources, policy="greedy", source="all")["points"]
    assert gap == pytest.approx(6, abs=0.5)


def test_rounds_and_the_end_add_up_to_all_points(run: Path) -> None:
    made = section(run, "points")
    whole = table(made, "rounds").group_by("policy").agg(pl.col("points").sum())
    for found in whole.to_dicts():
        assert found["points"] == pytest.approx(row(table(made, "sources"), policy=found["policy"], source="all")["points"])


def test_a_lead_that_tells_nothing_is_undecided_and_the_last_one_decides(run: Path) -> None:
    decided = table(section(run, "points"), "decided")
    assert holds(row(decided, round=2), 0, "beyond policy")
    last = row(decided, round=6)
    alone = pl.read_parquet(run / "games")["winner_seat"] >= 0
    assert alone.mean() < last["leader wins"] < 1  # leaders who tie share the win
    assert last["decided"] == pytest.approx(alone.mean())


def test_the_takeaway_on_the_lead_says_undecided(run: Path) -> None:
    text = next(one for one in section(run, "points").takeaways if one.text.startswith("Who leads"))
    assert "undecided" in text.text and text.strength < 1


def test_comebacks_share_out_all_wins(run: Path) -> None:
    comebacks = table(section(run, "points"), "comebacks").filter(pl.col("round") == 1)
    assert comebacks["seats"].sum() == 4 * GAMES
    assert (comebacks["seats"] * comebacks["comeback chance"]).sum() == pytest.approx(GAMES)


def test_margins_agree_with_the_games(run: Path) -> None:
    closeness = table(section(run, "points"), "closeness")
    games = pl.read_parquet(run / "games")
    assert float(row(closeness, of="winning margin, points")["value"]) == pytest.approx(games["vp_margin"].mean(), abs=0.006)


def test_the_median_agrees_with_the_seats(run: Path) -> None:
    found = row(table(section(run, "points"), "quantiles"), policy="greedy", quantile=0.5)
    seats = pl.read_parquet(run / "seats").filter(pl.col("policy").cast(pl.String) == "greedy")
    assert found["points"] == pytest.approx(seats["vp"].median(), abs=1) and holds(found, found["points"])


def test_too_few_games_are_said(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_up_games(40), POLICIES, 40)
    assert "200 games" in built(folder, "points").lacks
