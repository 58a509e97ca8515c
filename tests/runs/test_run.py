"""Runs: the same bytes however they are played, what happens to folders, what is kept when something fails, and the summary."""

import errno
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from calls import COMMAND, Call, call, environment, part_bytes

from lagranja_sim.games.lagranja.game import GAME
from lagranja_sim.play.driver import GameError
from lagranja_sim.runs import parts, provenance, records, simulate
from lagranja_sim.runs.experiment import Experiment, load_experiment
from lagranja_sim.runs.folder import Folder, RunFailed
from lagranja_sim.runs.provenance import hashes, rules_hash
from lagranja_sim.runs.records import Layout, open_run, write_manifest, write_part
from lagranja_sim.runs.setting import Setting
from lagranja_sim.runs.simulate import How, Listener, new_manifest, run_experiment
from lagranja_sim.runs.summary import share_bounds, summarize
from lagranja_sim.runs.workers import Workers

GAMES = 200


TABLES = GAME.tables.names


def experiment(**options: Any) -> Experiment:
    return load_experiment("baseline", {"games": GAMES, **options}).experiment


def play(
    out: Path | str, jobs: int = 1, backend: str | None = None, force: bool = False, listener: Listener | None = None, **options: Any
) -> Any:
    """A run of a small experiment."""
    wanted = experiment(**options)
    setting = Setting.of(wanted)
    return run_experiment(wanted, setting, str(out), Workers.of(setting, jobs, backend), How(force, "a command", listener))


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run played by one worker without interruption."""
    folder = tmp_path_factory.mktemp("reference") / "run"
    play(folder)
    return folder


@pytest.fixture
def begun(reference: Path, tmp_path: Path) -> Path:
    """The same run, interrupted when all its parts were there."""
    folder = tmp_path / "begun"
    shutil.copytree(reference, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "status": "running"}))
    return folder


class Recorder(Listener):
    """Keeps what it is told, and interrupts after some parts if asked to."""

    def __init__(self, interrupt_after: int | None = None) -> None:
        self.said: list[str] = []
        self.games: list[int] = []
        self.left = interrupt_after

    def say(self, text: str) -> None:
        self.said.append(text)

    def progress(self, games: int, of: int) -> None:
        self.games.append(games)
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt


# --- the same bytes ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("jobs", "backend"), [(2, "threading"), (3, "threading"), (2, "loky")])
def test_any_number_and_kind_of_workers_write_the_same_bytes(reference: Path, tmp_path: Path, jobs: int, backend: str) -> None:
    play(tmp_path / "run", jobs, backend)
    assert part_bytes(tmp_path / "run") == part_bytes(reference)


def test_dask_workers_write_the_same_bytes(reference: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    play(tmp_path / "run", 2, "dask")
    assert part_bytes(tmp_path / "run") == part_bytes(reference)


@pytest.mark.parametrize("moment", [0.0, 1e9])
def test_pieces_of_any_size_make_the_same_bytes(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: float) -> None:
    monkeypatch.setattr(parts, "MOMENT", moment)
    play(tmp_path / "run")
    assert part_bytes(tmp_path / "run") == part_bytes(reference)


def test_parts_of_any_size_hold_the_same_rows(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PARTS", 3)
    run = play(tmp_path / "run", jobs=2)
    assert run.layout.parts == 3
    for table in TABLES:
        assert run.scan(table).collect().equals(open_run(str(reference)).scan(table).collect())


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_continues_to_the_same_bytes(reference: Path, tmp_path: Path, jobs: int) -> None:
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt, match=r"^interrupted: \d+ of 25 parts are kept in .*; the same command continues the run$"):
        play(folder, jobs, listener=Recorder(interrupt_after=5))
    kept = part_bytes(folder)
    assert 5 * len(TABLES) <= len(kept) < 25 * len(TABLES)
    listener = Recorder()
    play(folder, jobs, listener=listener)
    assert "parts are there" in listener.said[0]
    assert listener.games[0] > 0
    assert part_bytes(folder) == part_bytes(reference)


def test_a_killed_run_continues_to_the_same_bytes(tmp_path: Path, capsys: Any) -> None:
    command = ["run", "baseline", "--games", "40000", "--jobs", "2", "--out", str(tmp_path / "killed")]
    child = subprocess.Popen([*COMMAND, *command], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(tmp_path / "killed" / "market" / "part-00002.parquet")
    child.kill()
    child.communicate()
    assert json.loads((tmp_path / "killed" / "manifest.json").read_text())["status"] == "running"
    assert len(part_bytes(tmp_path / "killed")) < 32 * len(TABLES)
    continued = call(capsys, *command)
    assert continued.code == 0
    assert "continuing the run" in continued.err
    assert call(capsys, *command[:-1], tmp_path / "whole").code == 0
    assert part_bytes(tmp_path / "killed") == part_bytes(tmp_path / "whole")


def test_ctrl_c_ends_with_130_and_keeps_what_is_done(tmp_path: Path) -> None:
    command = ["run", "baseline", "--games", "400000", "--out", str(tmp_path / "run")]
    child = subprocess.Popen([*COMMAND, *command], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(tmp_path / "run" / "market" / "part-00000.parquet")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "")
    assert err.startswith("lagranja: interrupted: ")
    assert "Traceback" not in err
    assert (tmp_path / "run" / "market" / "part-00000.parquet").is_file()


def wait_for(path: Path, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} did not appear"
        time.sleep(0.01)


def test_parts_that_are_missing_truncated_or_left_unfinished_are_played_again(reference: Path, begun: Path) -> None:
    (begun / "seats" / "part-00003.parquet").unlink()
    part = begun / "rounds" / "part-00007.parquet"
    part.write_bytes(part.read_bytes()[:200])
    (begun / "games" / ".part-00009.parquet.0123abcd").write_bytes(b"half")
    listener = Recorder()
    play(begun, listener=listener)
    assert "23 of 25 parts are there" in listener.said[0]
    assert part_bytes(begun) == part_bytes(reference)
    assert not list(begun.rglob(".*"))


# --- folders -------------------------------------------------------------------------------------------------------------------------


def test_a_finished_run_is_not_touched(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(reference, folder)
    with pytest.raises(records.RunError, match=r"holds this run, finished; choose another folder with --out, or replace it with --force"):
        play(folder)
    assert part_bytes(folder) == part_bytes(reference)


@pytest.mark.parametrize(("options", "named"), [({"seed": 3}, r"experiment\.seed"), ({"games": 100}, r"experiment\.games, layout")])
def test_another_run_is_not_touched_and_the_difference_is_named(reference: Path, begun: Path, options: dict, named: str) -> None:
    with pytest.raises(records.RunError, match=rf"holds another run \(it differs in {named}"):
        play(begun, **options)
    assert part_bytes(begun) == part_bytes(reference)


def test_a_run_of_other_rules_is_not_continued(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "rules_hash", lambda game: "other")
    with pytest.raises(records.RunError, match=r"differs in hashes\.rules"):
        play(begun)


def test_force_replaces_a_run_and_leaves_nothing_of_it(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(reference, folder)
    (folder / "notes.txt").write_text("mine")
    play(folder, force=True, games=8, log=["seats"])
    assert sorted(part_bytes(folder)) == ["seats/part-00000.parquet", "seats/part-00001.parquet"]
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_of_other_files_is_never_written_to(tmp_path: Path, force: bool) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(records.RunError, match="choose another folder with --out"):
        play(tmp_path, force=force)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("place", ["file", "file/run", "/proc/run"])
def test_a_place_that_cannot_be_written_to(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(records.RunError, match=r"cannot be written|is a file"):
        play(tmp_path / place)


def test_a_run_may_lie_behind_a_url(reference: Path, tmp_path: Path) -> None:
    url = f"memory://{tmp_path.name}/run"
    run = play(url)
    assert run.scan("seats").collect().equals(open_run(str(reference)).scan("seats").collect())
    assert summarize(run)["groups"] == summarize(open_run(str(reference)))["groups"]


def test_a_policy_that_does_not_compile_costs_no_earlier_run(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    shutil.copytree(reference, folder)

    def fails(*_: object) -> None:
        raise ValueError("does not compile")

    monkeypatch.setattr(simulate, "warm_up", fails)
    with pytest.raises(ValueError, match="does not compile"):
        play(folder, force=True)
    assert part_bytes(folder) == part_bytes(reference)


# --- what fails ----------------------------------------------------------------------------------------------------------------------


def test_a_full_disk_is_said_and_what_is_written_stays(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written, write = [], Folder.write

    def limited(folder: Folder, name: str, content: bytes) -> None:
        if len(written) > 40:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(name)
        write(folder, name, content)

    with (
        monkeypatch.context() as patch,
        pytest.raises(RunFailed, match=r"^the disk is full\n\d+ of 25 parts are kept in .*; the same command"),
    ):
        patch.setattr(Folder, "write", limited)
        play(tmp_path / "run")
    play(tmp_path / "run")
    assert part_bytes(tmp_path / "run") == part_bytes(reference)


def test_a_game_that_ends_with_an_error_ends_the_run_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(components: Any, policies: Any, seed: int, first: int, count: int, tables: Any) -> Any:
        if first + count > 100:
            raise GameError(f"game 100 of seed {seed} ended with an error: the agenda is full")
        return play_games(components, policies, seed, first, count, tables)

    play_games = parts.play_games
    monkeypatch.setattr(parts, "play_games", broken)
    with pytest.raises(RunFailed, match=r"^game 100 of seed 20260101 ended with an error: the agenda is full\n12 of 25 parts are kept"):
        play(tmp_path / "run")
    with pytest.raises(records.RunError, match="is not finished"):
        open_run(str(tmp_path / "run"))


def test_a_dying_worker_process_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "play_part", lambda *_: os._exit(9))
    with pytest.raises(RunFailed, match="a worker process died"):
        play(tmp_path / "run", 2, "loky")


def test_a_worker_with_other_files_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, manifest = hashes(Setting.of(experiment())), simulate.new_manifest
    monkeypatch.setattr(simulate, "new_manifest", lambda *given: {**manifest(*given), "hashes": {**found, "rules": "older"}})
    with pytest.raises(RunFailed, match="a worker's files are not the runner's: the rules differ"):
        play(tmp_path / "run")
    assert part_bytes(tmp_path / "run") == {}


# --- the manifest --------------------------------------------------------------------------------------------------------------------


def test_the_manifest_tells_everything_needed_to_repeat_the_run(reference: Path) -> None:
    manifest = json.loads((reference / "manifest.json").read_text())
    assert manifest["schema_version"] == 1
    assert manifest["status"] == "complete"
    assert manifest["command"] == "a command"
    assert manifest["experiment"] == experiment().model_dump()
    assert manifest["hashes"]["rules"] == rules_hash("lagranja")
    assert set(manifest["hashes"]["policies"]) == set(manifest["policies"]) == {"greedy", "random"}
    assert {"python", "numba", "numpy", "polars", "lagranja_sim"} <= set(manifest["versions"])
    assert manifest["time"]["wall_seconds"] > 0
    assert manifest["time"]["cpu_seconds"] > 0
    assert 0 < manifest["components"]["reconstructed_share"] < 1
    assert {table: sum(part["rows"] for part in parts) for table, parts in manifest["parts"].items()} == {
        table: open_run(str(reference)).scan(table).select(pl.len()).collect().item() for table in TABLES
    }


def test_a_run_is_an_experiment_that_repeats_it(reference: Path, tmp_path: Path, capsys: Any) -> None:
    repeated = call(capsys, "run", reference, "--out", tmp_path / "again", "--json")
    assert repeated.code == 0
    assert part_bytes(tmp_path / "again") == part_bytes(reference)


def test_tables_hold_whole_blocks_with_each_policy_in_each_seat(reference: Path) -> None:
    seats = open_run(str(reference)).scan("seats").collect()
    assert seats.group_by("game").len()["len"].unique().to_list() == [4]
    counts = seats.with_columns(block=pl.col("game") // 4).group_by("block", "seat").agg((pl.col("policy") == "greedy").sum())
    assert counts["policy"].unique().to_list() == [1]


@pytest.mark.parametrize("players", [2, 3])
def test_other_numbers_of_players(tmp_path: Path, players: int) -> None:
    (tmp_path / "few.toml").write_text(f"games = 12\nplayers = {players}\nseed = 5\npolicies = ['random']\n")
    wanted = load_experiment(str(tmp_path / "few.toml")).experiment
    setting = Setting.of(wanted)
    run = run_experiment(wanted, setting, str(tmp_path / "run"), Workers.of(setting, 1))
    assert run.scan("seats").select(pl.len()).collect().item() == 12 * players


# --- the summary ---------------------------------------------------------------------------------------------------------------------


def planted(folder: Path, tables: list[str]) -> Any:
    """A run of two blocks of two games whose winners are known: `x` wins 3 of 4 games and shares one."""
    wanted = experiment(games=4, players=4).model_copy(update={"players": 2, "policies": ["random", "greedy"], "log": tables, "games": 4})
    rows = np.zeros(8, [("game", np.uint32), ("policy", np.int8), ("start_position", np.int8), ("vp", np.int16), ("win_share", np.float32)])
    rows["game"] = [0, 0, 1, 1, 2, 2, 3, 3]
    rows["policy"] = [0, 1, 1, 0, 0, 1, 1, 0]
    rows["start_position"] = [1, 2, 1, 2, 2, 1, 2, 1]
    rows["vp"] = [30, 20, 10, 40, 25, 25, 20, 24]
    rows["win_share"] = [1, 0, 0, 1, 0.5, 0.5, 0, 1]
    target, layout = Folder(str(folder)), Layout(4, 4)
    facts = write_part(target, 0, dict.fromkeys(tables, rows), ["random", "greedy"])
    manifest = new_manifest(wanted, Setting.of(experiment(games=4)), layout, "")
    write_manifest(target, {**manifest, "status": "complete", "parts": {table: [facts[table]] for table in tables}})
    return open_run(str(folder))


def test_the_summary_of_known_games(tmp_path: Path) -> None:
    """Points of `random` are 30, 40, 25, 24: block means 35 and 24.5; t(0.975) with one degree of freedom is 12.7062."""
    summary = summarize(planted(tmp_path, ["seats"]))
    assert (summary["games"], summary["blocks"]) == (4, 2)
    rows = {row["policy"]: row for row in summary["groups"]["policy"]}
    assert rows["random"]["seats"] == 1
    assert rows["random"]["win_share"] == {"mean": 0.875, "low": 0.0, "high": 1.0}
    half = 12.706205 * (35 - 24.5) / 2
    assert rows["random"]["vp"] == pytest.approx({"mean": 29.75, "low": 29.75 - half, "high": 29.75 + half}, abs=1e-4)
    positions = {row["start_position"]: row["win_share"]["mean"] for row in summary["groups"]["start_position"]}
    assert positions == {1: pytest.approx((0.5 + 0.75) / 2), 2: pytest.approx((0.5 + 0.25) / 2)}


@pytest.mark.parametrize(
    ("games", "seats", "bounds"),
    [(8, 8, (0, 1)), (8, 24, (0, 1 / 3)), (8, 32, (1 / 4, 1 / 4)), (4, 8, (0, 1 / 2)), (8, 16, (0, 1 / 2))],
)
def test_seats_of_one_policy_share_no_more_than_the_win(games: int, seats: int, bounds: tuple[float, float]) -> None:
    assert share_bounds("lagranja", games, seats, players=4) == pytest.approx(bounds)


def test_the_summary_without_seats_has_no_groups(tmp_path: Path) -> None:
    assert summarize(planted(tmp_path, ["games"]))["groups"] == {}


def test_the_summary_adds_up(reference: Path) -> None:
    summary = summarize(open_run(str(reference)))
    for rows in summary["groups"].values():
        assert sum(row["seats"] * row["win_share"]["mean"] for row in rows) == pytest.approx(1, abs=1e-4)
        assert all(row["win_share"]["low"] <= row["win_share"]["mean"] <= row["win_share"]["high"] for row in rows)


# --- replay --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [0, 7, 8, 123, GAMES - 1])
def test_a_replay_ends_as_the_run_says(reference: Path, capsys: Any, game: int) -> None:
    lines = [json.loads(line) for line in replayed(capsys, reference, game, "--json").out.splitlines()]
    assert (lines[0]["type"], lines[0]["game"]) == ("setup", game)
    kept = open_run(str(reference)).game("seats", game).sort("seat").to_dicts()
    told = sorted((line for line in lines if line["type"] == "final"), key=lambda line: line["seat"])
    for row, line in zip(kept, told, strict=True):
        assert (line["vp"], line["rank"], line["silver"], line["policy"]) == (row["vp"], row["rank"], row["silver_left"], row["policy"])
        assert line["points"] == {source: row[f"vp_{source}"] for source in line["points"]}


def test_a_replay_that_ends_otherwise_is_an_error(reference: Path, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "run"
    shutil.copytree(reference, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["experiment"]["seed"] += 1
    manifest["hashes"]["components"] = "other"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    failed = replayed(capsys, folder, 3)
    assert failed.code == 1
    assert "game 3 played again ends differently" in failed.err
    assert "the components are not those the run was played with" in failed.err
    assert failed.out == ""


def test_a_game_of_an_unfinished_run_can_be_told(begun: Path, capsys: Any) -> None:
    assert replayed(capsys, begun, 3).code == 0


def replayed(capsys: Any, run: Path, game: int, *options: str) -> Call:
    return call(capsys, "replay", run, game, *options)


def test_hashes_name_each_policy_once() -> None:
    assert set(hashes(Setting.of(experiment()))["policies"]) == {"greedy", "random"}


def test_a_comparison_is_no_experiment(capsys: Any) -> None:
    done = call(capsys, "run", "variants")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("variants.toml: is a comparison; it is played by lagranja compare variants\n")
