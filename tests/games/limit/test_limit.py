"""The toy game goes through the tool like any other: runs, wins that need not sum to 1, comparisons that cover, and errors in words."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from calls import HELPERS, call, forget_policies, part_bytes, process

from lagranja_sim.game import find_game
from lagranja_sim.play.driver import play_games
from lagranja_sim.play.slow_driver import play_games_slowly
from lagranja_sim.policy import find_policy
from lagranja_sim.runs.records import open_run
from lagranja_sim.runs.setting import open_components
from lagranja_sim.stats.blocks import estimate

RUN = ("run", "limits", "--games", 300, "--out")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toy in it, one for all tests so that it is compiled once."""
    folder = tmp_path_factory.mktemp("toy")
    shutil.copytree(HELPERS / "toy", folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(home)
    forget_policies()
    return home


# --- what is printed -------------------------------------------------------------------------------------------------------------------


def test_its_numbers_are_compared_one_by_one(capsys: Any) -> None:
    found = call(capsys, "components", "diff", "usual", "low", "--game", "limit", "--json")
    assert (found.code, json.loads(found.out)) == (0, [{"address": "limit", "a": 14, "b": 9}])


def test_a_game_of_it_takes_changes(capsys: Any) -> None:
    assert call(capsys, "play", "--game", "limit", "low", "limit+=1", "--seed", 1).code == 0
    wrong = call(capsys, "play", "--game", "limit", "limt=4")
    assert (wrong.code, wrong.out) == (2, "")
    assert "change 'limt=4': nothing is called 'limt' (did you mean limit?)" in wrong.err


def test_its_variants_are_no_files(capsys: Any, here: Path) -> None:
    refused = call(capsys, "variants", "new", "odd", "limit=4", "--game", "limit")
    assert (refused.code, refused.out) == (2, "")
    assert "the variants of Limit are no files" in refused.err
    assert not (here / "variants").exists()


# --- rules -----------------------------------------------------------------------------------------------------------------------------


def played(players: int, games: int, *names: str, seed: int = 3, **changes: int) -> dict[str, np.ndarray]:
    components = open_components("limit", None, None, changes)
    return play_games(components, [find_policy(name) for name in names], seed, 0, games)


def test_all_with_the_best_total_that_is_not_above_the_limit_win() -> None:
    seats = played(3, 3_000, "careful", "careful", "rash")["seats"]
    points = seats["vp"].reshape(-1, 3)
    best = np.where(points <= 14, points, 0).max(axis=1, keepdims=True)
    assert np.array_equal(seats["win_share"].reshape(-1, 3), (points == best) & (points <= 14))
    winners = seats["win_share"].reshape(-1, 3).sum(axis=1)
    assert set(winners.tolist()) == {0.0, 1.0, 2.0, 3.0}


def test_points_are_the_card_and_the_dice_taken() -> None:
    tables = played(2, 400, "rash", "rash", limit=99)
    seats, rounds = tables["seats"], tables["rounds"]
    last = rounds[rounds["round"] == 4]
    assert np.array_equal(last["vp"], seats["vp"])
    first = rounds[rounds["round"] == 1]
    assert set((first["vp"] - seats["card"]).tolist()) == set(range(1, 7))


def test_a_python_class_plays_the_same_games() -> None:
    components, policies = open_components("limit"), [find_policy("careful"), find_policy("rash")]
    compiled = play_games(components, policies, 9, 5, 12)
    slowly = play_games_slowly(components, policies, 9, 5, 12, list(compiled))
    assert all(np.array_equal(compiled[table], slowly[table]) for table in compiled)


# --- runs ------------------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference(home: Path) -> Path:
    ended = process(*RUN, home / "reference", "--backend", "threading", cwd=home)
    assert ended.code == 0, ended.err
    return home / "reference"


@pytest.mark.parametrize("how", [("--backend", "loky", "--jobs", 2), ("--backend", "dask", "--jobs", 2), ("--jobs", 1)], ids=str)
def test_every_backend_writes_the_same_bytes(reference: Path, home: Path, how: tuple[Any, ...]) -> None:
    out = home / f"run{abs(hash(how))}"
    ended = process(*RUN, out, *how, cwd=home)
    assert ended.code == 0, ended.err
    assert part_bytes(out) == part_bytes(reference)


def test_a_run_that_was_stopped_goes_on(reference: Path, home: Path, capsys: Any) -> None:
    out = home / "stopped"
    shutil.copytree(reference, out)
    for part in sorted(out.rglob("*.parquet"))[::3]:
        part.unlink()
    manifest = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps({**manifest, "status": "running"}))
    assert call(capsys, *RUN, out).code == 0
    assert part_bytes(out) == part_bytes(reference)


def test_a_run_names_its_game_and_hashes_the_game_s_own_file(reference: Path) -> None:
    run = open_run(str(reference))
    assert run.experiment["game"] == "limit"
    assert run.scan("seats").select(pl.col("win_share").sum()).collect().item() != 300  # shares need not sum to 1


# --- statistics ------------------------------------------------------------------------------------------------------------------------


def test_intervals_of_a_comparison_cover() -> None:
    """The difference that a lower limit makes for points, known from many games, lies in about 95 % of intervals of few."""
    deals, size = 40, 2
    policies = [find_policy("careful")] * size
    usual, low = open_components("limit"), open_components("limit", None, "low")

    def differences(seed: int, blocks: int) -> np.ndarray:
        rows = [play_games(arm, policies, seed, 0, blocks * size, ["seats"])["seats"]["vp"].astype(float) for arm in (usual, low)]
        return (rows[1] - rows[0]).reshape(blocks, -1).mean(axis=1)

    truth = differences(1, 100_000).mean()
    intervals = [estimate(differences(seed, deals)) for seed in range(2, 602)]
    covered = np.mean([interval.low <= truth <= interval.high for interval in intervals])
    assert 0.93 < covered < 0.97


# --- in words --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("play", "--game", "limit", "--policies", "greedy,rash"), "policy greedy plays lagranja, not limit"),
        (("play", "--policies", "rash,careful"), "policy rash plays limit, not lagranja"),
        (("compare", "--game", "limit", "limt=12"), "nothing is called 'limt' (did you mean limit?)"),
        (("compare", "--game", "limit", "limit=1"), "a whole number from 2 to 99"),
        (("components", "--game", "limits"), "no game is called 'limits' (did you mean limit?)"),
        (("play", "--game", "limit", "--policies", "rash", "--players", 5), "Limit is for 2 to 3 players, not 5"),
        (("variants", "--game", "limit", "--components", "."), "Limit has no folder of components"),
        (
            ("report", "reference", "--sections", "dice", "--out", "page"),
            "the report section 'dice' is about lagranja, and the run plays limit",
        ),
        (("run", "other"), "no game is called 'limitt' (did you mean limit?)"),
    ],
    ids=str,
)
def test_a_wrong_call_is_told_in_words(reference: Path, home: Path, capsys: Any, command: tuple[Any, ...], words: str) -> None:
    text = (home / "experiments" / "limits.toml").read_text()
    (home / "experiments" / "other.toml").write_text(text.replace('game = "limit"', 'game = "limitt"'))
    ended = call(capsys, *command)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


def test_games_are_listed_and_a_broken_file_is_told(home: Path, capsys: Any) -> None:
    (home / "games" / "broken.py").write_text("GAME = 1 / 0\n")
    try:
        ended = call(capsys, "games", "--json")
        assert [game["name"] for game in json.loads(ended.out)] == ["lagranja", "limit"]
        assert "broken.py: ZeroDivisionError" in ended.err
    finally:
        (home / "games" / "broken.py").unlink()


def test_policies_are_listed_by_game(capsys: Any) -> None:
    assert [policy["name"] for policy in json.loads(call(capsys, "policies", "--game", "limit", "--json").out)] == ["careful", "rash"]
    assert "rash" not in [policy["name"] for policy in json.loads(call(capsys, "policies", "--json").out)]


def test_a_policy_of_another_game_is_no_base(home: Path, capsys: Any) -> None:
    (home / "policies" / "mixed.py").write_text('"""Mixed."""\n\nPLAYS = "limit"\nBASE = "greedy"\n')
    try:
        ended = call(capsys, "play", "--game", "limit", "--policies", "mixed,rash")
        assert ended.code == 2
        assert "mixed.py, line 3: greedy plays lagranja, not limit" in ended.err
    finally:
        (home / "policies" / "mixed.py").unlink()


def test_the_report_holds_the_sections_of_any_game(reference: Path, home: Path, capsys: Any) -> None:
    ended = call(capsys, "report", "reference", "--out", "page", "--json")
    assert (ended.code, json.loads(ended.out)["failures"]) == (0, [])
    page = (home / "page" / "index.html").read_text(encoding="utf-8")
    assert "careful finishes ahead of rash" in page
    assert "Craft buildings" not in page


def test_the_game_is_found_by_its_file() -> None:
    assert find_game("limit").title == "Limit"
