"""The section on cards: a card worth points is found, one that only strong policies play is not, and chance is not mistaken for either."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_runs import empty, made_up_games, settle, write_run
from sections import built, holds, row, section, table

POLICIES = ["balanced", "greedy", "random", "siesta"]
GAMES = 4000
STRONG, LIKED = 7, 9  # cards
NAME = "points, adjusted"


def cards_played(chances: np.random.Generator, policy: np.ndarray) -> np.ndarray:
    """Card played by seat and round: at random, but the first policy plays one card far more often."""
    cards = chances.integers(1, 21, (len(policy), 6))
    liked = (policy == 0)[:, None] & (chances.random(cards.shape) < 0.5)
    return np.where(liked, LIKED, cards)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each play of one card as a barrow brings 3 points; the first policy has 10 points more in any case."""
    chances = np.random.default_rng(11)
    tables = made_up_games(GAMES)
    seats = tables["seats"]
    played = cards_played(chances, seats["policy"])
    side = chances.integers(0, 3, played.shape)
    settle(tables, np.where(seats["policy"] == 0, 10, 0) + 3 * ((played == STRONG) & (side == 1)).sum(1))
    cards = empty("cards", played.size)
    cards["game"], cards["seat"] = np.repeat(seats["game"], 6), np.repeat(seats["seat"], 6)
    cards["card"], cards["side"], cards["round"] = played.ravel(), side.ravel(), np.tile(np.arange(1, 7), len(played))
    return write_run(tmp_path_factory.mktemp("cards") / "run", {**tables, "cards": cards}, POLICIES, GAMES)


def test_the_strong_card_is_found_with_its_size(run: Path) -> None:
    cards = table(section(run, "cards"), "cards")
    card = row(cards, card=STRONG, side="barrow")
    # the game's mean has a quarter of it, and the average card of the side a twentieth
    assert card[NAME] == pytest.approx(3 * (1 - 1 / 4) * (1 - 1 / 20), abs=0.4) and card[f"{NAME}, low"] > 1
    assert card["q"] < 0.01 and cards.row(0, named=True)["card"] == STRONG
    assert holds(row(cards, card=STRONG, side="field"), 0, NAME)


def test_a_card_that_the_strong_play_looks_good_raw_and_not_adjusted(run: Path) -> None:
    card = row(table(section(run, "cards"), "cards"), card=LIKED, side="field")
    assert card["points, raw, low"] > 3
    assert abs(card[NAME]) < 0.5 and card["win share, raw"] > 0.1


def test_few_others_are_findings(run: Path) -> None:
    cards = table(section(run, "cards"), "cards")
    others = cards.filter((pl.col("card") != STRONG) | (pl.col("side") != "barrow"))
    assert (others["q"] < 0.05).sum() <= 3


def test_takeaways_name_it_and_hold_to_association(run: Path) -> None:
    texts = [takeaway.text for takeaway in section(run, "cards").takeaways]
    assert any(f"{STRONG} " in text and "barrow" in text and "association" in text for text in texts)


def test_hidden_buckets_are_counted(run: Path) -> None:
    built = section(run, "cards")
    shown = table(built, "cards")
    assert shown["plays"].min() >= 100
    assert any(f"{264 - shown.height} of 264" in caveat for caveat in built.caveats)


def test_plays_a_game_agree_with_the_rows(run: Path) -> None:
    rows = pl.read_parquet(run / "cards").filter((pl.col("card") == 3) & (pl.col("side") == 2))
    card = row(table(section(run, "cards"), "cards"), card=3, side="extension")
    assert card["plays"] == rows.height and card["plays a game"] == pytest.approx(rows.height / GAMES)


def test_rare_cards_and_too_few_games_are_said(run: Path, tmp_path: Path) -> None:
    tables = made_up_games(1000)
    few = empty("cards", 5)
    few["card"], few["round"] = np.ones(5), np.ones(5)
    assert "no card was played" in built(write_run(tmp_path / "rare", {**tables, "cards": few}, POLICIES, 1000), "cards").lacks
    assert "1,000 games" in built(write_run(tmp_path / "few", {**made_up_games(40), "cards": few}, POLICIES, 40), "cards").lacks
