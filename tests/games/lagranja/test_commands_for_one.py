"""The commands on games of one player (O13): nobody wins, nobody has a rank, and no figure is made of what is not there."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from calls import call

from lagranja_sim.report.build import find_sections
from lagranja_sim.runs.records import open_run

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
    assert page.count("It needs 2 players or more; there is 1.") == 5  # dice, turn order, closeness, cards, policies
    roofs = json.loads((run.parent / "report" / "tables" / "roofs-roofs.json").read_text())
    assert all(row["bought on offer, low"] <= row["bought on offer"] <= row["bought on offer, high"] for row in roofs)
    assert max(row["bought on offer"] for row in roofs) < 1.0 + 1e-9


def table_of(run: Path, name: str) -> list[dict[str, Any]]:
    """A table of the report's section on one player."""
    return json.loads((run.parent / "report" / "tables" / f"alone-{name}.json").read_text())


@GROUP
def test_a_report_of_one_player_shows_points_thresholds_dice_and_cards(run: Path, capsys: Any) -> None:
    if not (run.parent / "report").exists():
        call(capsys, "report", run, "--out", run.parent / "report", "--format", "html,json")
    seats, rounds = (open_run(str(run)).scan(table).collect() for table in ("seats", "rounds"))
    for row in table_of(run, "thresholds"):
        assert row["mean"] == pytest.approx((seats["vp"] >= row["points"]).mean())
        assert row["low"] < row["mean"] < row["high"]
    results = table_of(run, "results")
    assert {row["begins"] for row in results} == {"the player", "the neutral player"}
    assert sum(row["games"] for row in results) == 600
    taken = rounds.filter(pl.col("round") == 1).group_by("die_1").len().sort("die_1")
    dice = [row for row in table_of(run, "dice") if row["round"] == 1]
    assert dice and all(0 < row["taken"] < 1 for row in dice)
    assert {row["face"] for row in dice} <= set(taken["die_1"])
    cards = [row["mean"] for row in table_of(run, "cards")]
    assert cards == sorted(cards, reverse=True) and len(cards) > 5
    assert "A player alone makes" in (run.parent / "report" / "index.html").read_text()


@GROUP
def test_a_die_that_the_neutral_player_discards_is_not_on_offer(run: Path) -> None:
    """O2: who comes second finds the lowest die gone, so hardly any takes the only die of the lowest face: those who have reserved it (H2)."""
    rows = open_run(str(run)).scan("rounds").filter((pl.col("order_farm") == 2) & (pl.col("round") <= 3)).collect()
    offered = rows.select([f"dice_offered_{face}" for face in range(1, 7)]).to_numpy()
    assert (offered.sum(axis=1) == 5).all()
    lowest = (offered > 0).argmax(axis=1)
    is_only = offered[range(len(offered)), lowest] == 1
    assert is_only.sum() > 100
    assert (rows["die_1"].to_numpy()[is_only] == lowest[is_only] + 1).mean() < 0.02


def test_the_section_is_about_one_player_only() -> None:
    assert "alone" in [source.name for source in find_sections(players=1)]
    assert "alone" not in [source.name for source in find_sections(players=2)]


@GROUP
def test_a_comparison_measures_points_and_no_wins(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = call(capsys, "compare", "deluxe", "prices.sell.pig=4", "deluxe", "--players", 1, "--games", 100, "--policies", "balanced")
    assert made.code == 0
    assert "100 games of 1 player each" in made.out
    assert "points of a player" in made.out
    assert "win_share" not in made.out
    assert "all seats" not in made.out
    assert "rotations" not in made.out
    assert "deluxe (2) against deluxe\n  every game is the same as under deluxe, in every table\n" in made.out
