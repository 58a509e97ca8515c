"""Where results go: places are tried before the work, held by one call at a time, and nothing half written stays there."""

import contextlib
import errno
import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from calls import Call, call, environment

from lagranja_sim.runs import lock
from lagranja_sim.runs.folder import Folder, RunError

COMMANDS: dict[str, tuple[Any, ...]] = {
    "run": ("run", "baseline", "--games", 8),
    "ladder": ("ladder", "--policies", "greedy,random", "--players", 2, "--games", 8),
    "compare": ("compare", "prices.sell.pig=4", "--policies", "greedy", "--games", 8),
    "tune": ("tune", "greedy", "--against", "random", "--players", 2, "--generations", 1, "--population", 4, "--deals", 2),
    "report": ("report", "finished", "--sections", "method,donkeys"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run in it."""
    from lagranja_sim.runs.experiment import load_experiment
    from lagranja_sim.runs.setting import Setting
    from lagranja_sim.runs.simulate import run_experiment
    from lagranja_sim.runs.workers import Workers

    folder = tmp_path_factory.mktemp("home")
    experiment = load_experiment("baseline", {"games": 400}).experiment
    setting = Setting.of(experiment)
    run_experiment(experiment, setting, str(folder / "finished"), Workers.of(setting, 1))
    return folder


@pytest.fixture
def here(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder but for that run."""
    (tmp_path / "finished").symlink_to(home / "finished")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


# --- places are tried before the work ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["/proc/here", "file/here"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_place_that_cannot_be_written_is_refused_first(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, command: str, place: str
) -> None:
    (here / "file").write_text("mine")
    refuse_to_work(monkeypatch)
    refused = call(capsys, *COMMANDS[command], "--out", place)
    assert (refused.code, refused.out) == (2, "")
    assert "cannot be written" in refused.err or "there is no folder" in refused.err
    assert files(here) == {"file"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_refused_first(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    refuse_to_work(monkeypatch)
    monkeypatch.setattr(Folder, "_half_written", full)
    refused = call(capsys, *COMMANDS[command], "--out", "new/here" if command != "tune" else "here")
    assert (refused.code, refused.out) == (2, "")
    assert "cannot be written: the disk is full; choose another place with --out" in refused.err
    assert sorted(path.name for path in here.iterdir()) == ["finished"]


def refuse_to_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any work would be a failure of another kind."""
    for place in ("runs.simulate.warm_up", "contest.ladder.warm_up", "contest.tune.warm_up", "compare.paired.warm_up"):
        monkeypatch.setattr(f"lagranja_sim.{place}", None)
    monkeypatch.setattr("lagranja_sim.report.make.build_section", None)


@contextlib.contextmanager
def full(*_: object) -> Iterator[str]:
    raise OSError(errno.ENOSPC, "No space left on device")
    yield ""


# --- a place that fails after the work -----------------------------------------------------------------------------------------------


def fail_at(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """From now on there is no room for files of these names."""
    write = Folder.write

    def limited(folder: Folder, name: str, content: bytes) -> None:
        if name in names:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(folder, name, content)

    monkeypatch.setattr(Folder, "write", limited)


def failed_after_the_work(capsys: Any, command: str, *options: str) -> Call:
    """Ends with 1, says why, and prints the result all the same."""
    failed = call(capsys, *COMMANDS[command], "--out", "here", *options)
    assert failed.code == 1
    assert "cannot be written: the disk is full" in failed.err
    assert "should not happen" not in failed.err
    return failed


def test_a_comparison_that_cannot_be_written_is_shown_and_written_later_without_playing(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fail_at(patch, "comparison.png")
        failed = failed_after_the_work(capsys, "compare")
    assert "decision: " in failed.out
    assert "8 of 8 games of each arm are kept in " in failed.err
    monkeypatch.setattr("lagranja_sim.compare.paired.Match.play", None)
    again = call(capsys, *COMMANDS["compare"], "--out", "here")
    assert again.code == 0
    assert again.out.splitlines()[1:] == failed.out.splitlines()[1:]  # all but the time it took
    assert files(here / "here") == {"block.txt", "comparison.html", "comparison.json", "comparison.png", "comparison.svg"}


def test_weights_that_cannot_be_written_are_shown(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        fail_at(patch, "here")
        shown = failed_after_the_work(capsys, "tune")
        told = failed_after_the_work(capsys, "tune", "--json")
    assert "win share, %" in shown.out
    assert "written to" not in shown.out
    assert json.loads(told.out)["out"] is None
    again = call(capsys, *COMMANDS["tune"], "--out", "here", "--json")
    assert json.loads(again.out) == {**json.loads(told.out), "out": "here"}
    assert files(here) == {"here"}


def test_a_ladder_that_cannot_be_written_is_shown_and_its_games_are_used(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        fail_at(patch, "ladder.json")
        assert "Ratings" in failed_after_the_work(capsys, "ladder").out
    with monkeypatch.context() as patch:
        patch.setattr("lagranja_sim.runs.parts.play_games", None)
        again = call(capsys, *COMMANDS["ladder"], "--out", "here", "--json")
    assert again.code == 0
    assert "going on with the ladder" in again.err
    found = json.loads((here / "here" / "ladder.json").read_text())
    assert json.loads(again.out) == {**found, "run": "here"}
    assert call(capsys, *COMMANDS["ladder"], "--out", "here").code == 2


def test_a_ladder_keeps_no_results_of_another_one(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(capsys, *COMMANDS["ladder"], "--out", "here").code == 0
    monkeypatch.setattr("lagranja_sim.contest.ladder.results", None)
    assert call(capsys, *COMMANDS["ladder"], "--out", "here", "--seed", 5, "--force").code == 1
    assert not (here / "here" / "ladder.json").exists()


def test_a_report_that_cannot_be_written_says_what_it_found_and_is_replaced_unasked(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fail_at(patch, "index.html")
        failed = failed_after_the_work(capsys, "report")
        told = json.loads(failed_after_the_work(capsys, "report", "--json").out)
    assert "donkey" in failed.out
    assert told["path"] is None
    assert told["takeaways"] == failed.out.splitlines()
    again = call(capsys, *COMMANDS["report"], "--out", "here")
    assert (again.code, again.out) == (0, "written to here/index.html\n")
    assert files(here / "here") == set(json.loads((here / "here" / "report.json").read_text())["files"])
    assert call(capsys, *COMMANDS["report"], "--out", "here").code == 2


def test_a_file_that_somebody_else_made_meanwhile_is_left_alone(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lagranja_sim.contest import tune_file

    text = tune_file.weights_file

    def meanwhile(*given: Any) -> str:
        (here / "here").write_text("mine")
        return text(*given)

    monkeypatch.setattr(tune_file, "weights_file", meanwhile)
    failed = call(capsys, *COMMANDS["tune"], "--out", "here")
    assert (failed.code, "here cannot be written: File exists" in failed.err, "win share" in failed.out) == (1, True, True)
    assert (here / "here").read_text() == "mine"


# --- whole or not at all -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("policies", "new", "mine"), ("report", "--new", "mine")])
def test_what_a_full_disk_cuts_short_does_not_block_the_next_call(here: Path, capsys: Any, command: tuple[str, ...]) -> None:
    with small_files_only():
        failed = call(capsys, *command)
    assert (failed.code, failed.out) == (2, "")
    assert failed.err.endswith("/mine.py cannot be written: File too large\n")
    assert files(here) == set()
    assert call(capsys, *command).code == 0


@contextlib.contextmanager
def small_files_only() -> Iterator[None]:
    """A file that grows beyond 500 bytes fails, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_new_file_takes_nobodys_place(tmp_path: Path) -> None:
    folder = Folder.at(tmp_path)
    folder.write_new("a.txt", "one")
    with pytest.raises(FileExistsError):
        folder.write_new("a.txt", "two")
    assert (tmp_path / "a.txt").read_text() == "one"
    with pytest.raises(NotADirectoryError):
        folder.write("a.txt/b.txt", b"")


def test_what_a_dead_process_left_half_written_is_in_nobodys_way(here: Path, capsys: Any) -> None:
    (here / "here").mkdir()
    (here / "here" / ".manifest.json.0123abcd").write_text("{")
    assert call(capsys, *COMMANDS["run"], "--out", "here").code == 0
    assert not list((here / "here").rglob(".*"))


def test_errors_of_other_stores_are_errors_of_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder.at(f"memory://{tmp_path.name}/here")

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("no such bucket")

    monkeypatch.setattr(folder.files, "open", fails)
    with pytest.raises(RunError, match="cannot be written: no such bucket"):
        folder.try_out()


# --- one at a time -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--force",)])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_in_use_is_refused(here: Path, capsys: Any, command: str, options: tuple[str, ...]) -> None:
    place = here / ("here.unfinished" if command == "tune" else "here")
    with lock.hold_folder(place):
        refused = call(capsys, *COMMANDS[command], "--out", "here", *options)
        assert (refused.code, refused.out) == (2, "")
        assert "here: another call is writing there; wait until it has ended" in refused.err.replace(".unfinished", "")
        assert list(place.iterdir()) == []
    assert not place.exists()


HOLD = """
import time
from pathlib import Path
from lagranja_sim.runs.lock import hold_folder
with hold_folder(Path("here")):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_dead_call_is_no_obstacle(here: Path, capsys: Any, end: signal.Signals) -> None:
    child = subprocess.Popen([sys.executable, "-c", HOLD], cwd=here, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        assert call(capsys, *COMMANDS["run"], "--out", "here").code == 2
        child.send_signal(end)
    assert call(capsys, *COMMANDS["run"], "--out", "here").code == 0
    assert {path.name for path in (here / "here").iterdir()} == {"manifest.json", "games", "seats", "rounds", "cards", "market"}


def test_a_call_without_a_place_of_its_own_plays_beside_another(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two comparisons that say the same on standard output need not wait for each other."""
    monkeypatch.setattr("lagranja_sim.compare.request.compare_arms", holding(capsys, COMMANDS["compare"]))
    done = call(capsys, *COMMANDS["compare"])
    assert (done.code, done.err) == (0, "")
    assert sorted(path.name for path in here.iterdir()) == ["finished"]


def holding(capsys: Any, command: tuple[Any, ...]) -> Callable[..., Any]:
    """Plays, but only after the same command was called and has ended."""
    from lagranja_sim.compare import request

    play, calls = request.compare_arms, []

    def twice(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 1:
            assert call(capsys, *command).code == 0
        return play(*given)

    return twice


def test_folders_are_made_for_what_comes_into_them_only(tmp_path: Path) -> None:
    with lock.hold_folder(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()
    assert list(tmp_path.iterdir()) == []
    with lock.hold_folder(tmp_path / "a" / "b"):
        (tmp_path / "a" / "b" / "c").write_text("")
    with lock.hold_folder(tmp_path / "a"), pytest.raises(lock.Busy), lock.hold_folder(tmp_path / "a"):
        pass
    assert files(tmp_path) == {"a/b/c"}


def test_a_lock_on_a_folder_that_is_gone_counts_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever held it may have removed it between opening and locking."""
    found, is_there = iter([False, True]), lock._is_there

    def first_gone(folder: Path, descriptor: int) -> bool:
        if next(found):
            return is_there(folder, descriptor)
        folder.rmdir()
        assert not is_there(folder, descriptor)
        return False

    monkeypatch.setattr(lock, "_is_there", first_gone)
    with lock.hold_folder(tmp_path / "a"), pytest.raises(lock.Busy), lock.hold_folder(tmp_path / "a"):
        pass


def test_where_there_are_no_locks_the_work_is_done_all_the_same(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    assert call(capsys, *COMMANDS["run"], "--out", "here").code == 0
    assert call(capsys, *COMMANDS["run"], "--out", f"memory://{here.name}/here").code == 0


def test_a_worker_that_outlives_its_runner_writes_into_no_other_run(here: Path, capsys: Any) -> None:
    from lagranja_sim.runs.experiment import Experiment
    from lagranja_sim.runs.parts import Orders, play_part
    from lagranja_sim.runs.records import Layout, open_run

    assert call(capsys, *COMMANDS["run"], "--out", "here").code == 0
    run = open_run("here")
    experiment = Experiment.model_validate(run.experiment)
    own = Orders(experiment.model_dump_json(), json.dumps(run.manifest["hashes"]), str(here / "here"), Layout.of(8, 4))
    assert play_part(own, 0).error is None
    other = Orders(experiment.model_copy(update={"seed": 7}).model_dump_json(), own.hashes, own.out, own.layout)
    assert "is no longer the folder of this run" in str(play_part(other, 0).error)
    open_run("here").scan("seats").collect()
