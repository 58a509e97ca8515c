"""The commands on games of one player (O13): nobody wins, nobody has a rank, and no figure is made of what is not there."""

import json
from pathlib import Path
from typing import Any

import pytest
from calls import call

EXPERIMENT = 'name = "alone"\ngames = 600\nplayers = 1\nseed = 3\npolicies = ["balanced"]\n'
GROUP = pytest.mark.xdist_group("alone")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from lagranja_sim import cli

    folder = tmp_path_factory.mktemp("alone")
    (folder / "alone.toml").write_text(EXPERIMENT)
    cli.app(["run", str(folder / "alone.toml"), "--out", str(folder / "run")], standalone_mode=False)
    return folder / "run"


@GROUP
def test_the_summary_of_a_run_tells_points_and_no_wins(run: Path, capsys: Any) -> None:
    summary = call(capsys, "run", run, "--out", run.parent / "again")
    assert summary.code == 0
    assert "alone: 600 games of 1 player in 600 blocks" in summary.out
    assert "nobody wins where one player is alone" in summary.out
    row = next(line.split() for line in summary.out.splitlines() if line.startswith("balanced"))
    assert row[:4] == ["balanced", "1", "-", "-"]
    assert 60 < float(row[4]) < 75


@GROUP
def test_a_replay_names_no_rank(run: Path, capsys: Any) -> None:
    assert "\nrank" not in call(capsys, "replay", run, 5).out
    lines = [json.loads(line) for line in call(capsys, "replay", run, 5, "--json").out.splitlines()]
    assert [line["rank"] for line in lines if line["type"] == "final"] == [0]


@GROUP
def test_a_report_leaves_out_what_compares_seats_and_counts_the_roofs_laid_out(run: Path, capsys: Any) -> None:
    made = call(capsys, "report", run, "--out", run.parent / "report", "--format", "html,json", "--json")
    assert (made.code, made.err.count("Error")) == (0, 0)
    page = (run.parent / "report" / "index.html").read_text()
    assert page.count("It needs 2 players or more; there is 1.") == 4  # dice, turn order, closeness, policies
    roofs = json.loads((run.parent / "report" / "tables" / "roofs-roofs.json").read_text())
    assert all(row["bought on offer, low"] <= row["bought on offer"] <= row["bought on offer, high"] for row in roofs)
    assert max(row["bought on offer"] for row in roofs) < 1.0 + 1e-9


@GROUP
def test_a_comparison_measures_points_and_no_wins(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = call(capsys, "compare", "deluxe", "prices.sell.pig=4", "deluxe", "--players", 1, "--games", 100, "--policies", "balanced")
    assert made.code == 0
    assert "100 games of 1 player each" in made.out
    assert "points of a player" in made.out
    assert "win_share" not in made.out
    assert "deluxe (2) against deluxe\n  every game is the same as under deluxe, in every table\n" in made.out
