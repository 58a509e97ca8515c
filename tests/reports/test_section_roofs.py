"""The section on roofs: points planted for buyers are found within policy and deal, and policies are not mistaken for roofs."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_runs import made_up_games, settle, write_run
from sections import built, holds, row, section, table

POLICIES = ["balanced", "greedy", "random", "siesta"]
GAMES = 2000
STRONG, LIKED = 10, 5  # of rounds 3 and 2
NAME = "points, adjusted"


def buy(tables: dict[str, dict[str, np.ndarray]], chances: np.random.Generator) -> np.ndarray:
    """Who buys what, by game, round and seat: half of the time a roof of the round; the first policy mostly the same one of round 2."""
    games = len(tables["games"]["game"])
    roofs = tables["rounds"]["roof"].reshape(games, 6, 4)  # a view
    offer = np.arange(6)[None, :, None] * 4 + chances.integers(1, 5, roofs.shape)
    roofs[:] = np.where(chances.random(roofs.shape) < 0.5, offer, 0)
    first = tables["seats"]["policy"].reshape(games, 4) == 0
    roofs[:, 1][first & (chances.random(first.shape) < 0.8)] = LIKED
    return roofs


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One roof brings 4 points, the first policy 10 and the first seat in the order 3."""
    tables = made_up_games(GAMES)
    seats = tables["seats"]
    roofs = buy(tables, np.random.default_rng(4))
    strong = (roofs == STRONG).any(1).ravel()
    settle(tables, 4 * strong + 10 * (seats["policy"] == 0) + 3 * (seats["start_position"] == 1))
    seats["roofs"] = (roofs > 0).sum(1).ravel().astype(np.int8)
    seats["vp_roof"] = seats["roofs"].astype(np.int16)
    return write_run(tmp_path_factory.mktemp("roofs") / "run", tables, POLICIES, GAMES)


def naive(run: Path, roof: int, blocks: int) -> float:
    """The slope of points on having bought a roof, with dummies for policy on deal and policy at start position, on some deals."""
    seats = pl.read_parquet(run / "seats").filter(pl.col("game") < 4 * blocks)
    bought = pl.read_parquet(run / "rounds").filter(pl.col("roof") == roof).select("game", "seat", pl.lit(1.0).alias("has"))
    frame = seats.join(bought, on=["game", "seat"], how="left", maintain_order="left").with_columns(pl.col("has").fill_null(0))
    deal = pl.struct(pl.col("game") // 4, "policy").rank("dense") - 1
    place = pl.struct("policy", "start_position").rank("dense") - 1
    groups = frame.select(deal.alias("deal"), place.alias("place"))
    dummies = [np.eye(groups[name].max() + 1)[groups[name]] for name in ("deal", "place")]
    design = np.hstack([frame["has"].to_numpy()[:, None], *dummies])
    return float(np.linalg.lstsq(design, frame["vp"].to_numpy().astype(float), rcond=None)[0][0])


def test_the_strong_roof_is_found_with_its_size(run: Path) -> None:
    line = row(table(section(run, "roofs"), "roofs"), roof=STRONG)
    assert holds(line, 4, NAME) and line[f"{NAME}, low"] > 3 and line["q"] < 0.001


def test_a_roof_that_the_strong_buy_is_not_mistaken(run: Path) -> None:
    line = row(table(section(run, "roofs"), "roofs"), roof=LIKED)
    assert abs(line[NAME]) < 1 and line["q"] > 0.01


def test_the_association_is_that_of_a_regression_with_dummies(run: Path, tmp_path: Path) -> None:
    blocks = 60
    tables = {name: pl.read_parquet(run / name).filter(pl.col("game") < 4 * blocks) for name in ("games", "seats", "rounds")}
    policies = {name: at for at, name in enumerate(POLICIES)}
    seats = tables["seats"].with_columns(pl.col("policy").cast(pl.String).replace_strict(policies, return_dtype=pl.Int8))
    columns = {name: {column: frame[column].to_numpy() for column in frame.columns} for name, frame in (tables | {"seats": seats}).items()}
    part = write_run(tmp_path / "part", columns, POLICIES, 4 * blocks)
    rows = table(section(part, "roofs"), "roofs").filter(pl.col("bought") >= 100)
    assert rows.height
    for line in rows.to_dicts():
        assert line[NAME] == pytest.approx(naive(run, line["roof"], blocks), abs=1e-3)


def test_how_often_a_roof_is_bought_when_on_offer(run: Path) -> None:
    line = row(table(section(run, "roofs"), "roofs"), roof=1)
    bought = (pl.read_parquet(run / "rounds")["roof"] == 1).sum()
    assert line["bought"] == bought and line["bought on offer"] == pytest.approx(min(bought / GAMES, 1), abs=1e-9)
    assert row(table(section(run, "roofs"), "rounds"), round=3)["price"] == 3


def test_what_policies_pay(run: Path) -> None:
    line = row(table(section(run, "roofs"), "policies"), policy="greedy")
    rounds = pl.read_parquet(run / "rounds").join(pl.read_parquet(run / "seats").select("game", "seat", "policy"), on=["game", "seat"])
    own = rounds.filter((pl.col("policy").cast(pl.String) == "greedy") & (pl.col("roof") > 0))
    assert line["silver paid"] == pytest.approx(own["round"].cast(pl.Int64).sum() / GAMES)
    assert line["roofs"] == pytest.approx(own.height / GAMES)


def test_too_few_games_are_said(tmp_path: Path) -> None:
    assert "200 games" in built(write_run(tmp_path / "run", made_up_games(40), POLICIES, 40), "roofs").lacks
