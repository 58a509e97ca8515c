"""The section on policies: match-ups as counted one by one, and profiles."""

from itertools import permutations
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
    """The first policy has 4 points more and three barrows to the others' one; the others are equals."""
    tables = made_up_games(GAMES)
    seats = tables["seats"]
    settle(tables, np.where(seats["policy"] == 0, 4, 0))
    seats["barrows"] = np.where(seats["policy"] == 0, 3, 1).astype(np.int8)
    return write_run(tmp_path_factory.mktemp("policies") / "run", tables, POLICIES, GAMES)


def counted(run: Path, policy: str, other: str) -> float:
    """The share of games in which one finishes ahead of the other, ties half, counted game by game."""
    ranks = pl.read_parquet(run / "seats").with_columns(pl.col("policy").cast(pl.String))
    one, two = (ranks.filter(pl.col("policy") == name).sort("game")["rank"].to_numpy() for name in (policy, other))
    return float(np.mean((one < two) + (one == two) / 2))


def test_match_ups_are_as_counted(run: Path) -> None:
    matches = table(section(run, "policies"), "match-ups")
    for policy, other in permutations(POLICIES, 2):
        assert row(matches, policy=policy, other=other)["ahead"] == pytest.approx(counted(run, policy, other))


def test_the_strong_is_ahead_and_equals_are_undecided(run: Path) -> None:
    matches = table(section(run, "policies"), "match-ups")
    assert row(matches, policy="balanced", other="greedy")["verdict"] == "ahead"
    assert row(matches, policy="siesta", other="balanced")["verdict"] == "behind"
    assert sum(row(matches, policy=one, other=two)["verdict"] == "undecided" for one, two in permutations(POLICIES[1:], 2)) >= 4


def test_profiles_are_means_with_intervals(run: Path) -> None:
    profiles = table(section(run, "policies"), "profiles")
    assert row(profiles, policy="balanced", measure="barrows")["mean"] == 3
    line = row(profiles, policy="greedy", measure="deliveries")
    rounds = pl.read_parquet(run / "rounds")
    assert line["mean"] == pytest.approx(rounds["deliveries"].cast(pl.Int64).sum() / (4 * GAMES), abs=0.3) and holds(line, line["mean"])


def test_the_profile_takeaway_names_what_differs(run: Path) -> None:
    assert any("barrows: 200% of the mean" in takeaway.text for takeaway in section(run, "policies").takeaways)


def test_one_policy_alone_and_too_few_games_are_said(tmp_path: Path) -> None:
    assert "only one policy" in built(write_run(tmp_path / "one", made_up_games(400), ["random"] * 4, 400), "policies").lacks
    assert "200 games" in built(write_run(tmp_path / "few", made_up_games(40), POLICIES, 40), "policies").lacks
