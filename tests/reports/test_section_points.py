"""The section on points: sources, rounds and the spread; planted and found."""

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
    """`balanced` has 6 points of roofs."""
    tables = made_up_games(GAMES)
    seats, rounds = tables["seats"], tables["rounds"]
    settle(tables, np.where(seats["policy"] == 0, 6, 0))
    seats["vp_roof"] = np.where(seats["policy"] == 0, 6, 0).astype(np.int16)
    seats["vp_building"] = seats["vp"] - seats["vp_roof"]
    rounds["vp_gained"] = np.full(len(rounds["vp"]), 2, np.int16)
    return write_run(tmp_path_factory.mktemp("points") / "run", tables, POLICIES, GAMES)


def test_sources_are_found_with_their_size(run: Path) -> None:
    sources = table(section(run, "points"), "sources")
    assert row(sources, policy="balanced", source="roof")["points"] == 6
    assert row(sources, policy="greedy", source="roof")["points"] == 0
    gap = row(sources, policy="balanced", source="all")["points"] - row(sources, policy="greedy", source="all")["points"]
    assert gap == pytest.approx(6, abs=0.5)


def test_rounds_and_the_end_add_up_to_all_points(run: Path) -> None:
    built = section(run, "points")
    whole = table(built, "rounds").group_by("policy").agg(pl.col("points").sum())
    for line in whole.to_dicts():
        assert line["points"] == pytest.approx(row(table(built, "sources"), policy=line["policy"], source="all")["points"])


def test_the_median_agrees_with_the_seats(run: Path) -> None:
    line = row(table(section(run, "points"), "quantiles"), policy="greedy", quantile=0.5)
    seats = pl.read_parquet(run / "seats").filter(pl.col("policy").cast(pl.String) == "greedy")
    assert line["points"] == pytest.approx(seats["vp"].median(), abs=1) and holds(line, line["points"])


def test_too_few_games_are_said(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_up_games(40), POLICIES, 40)
    assert "200 games" in built(folder, "points").lacks
