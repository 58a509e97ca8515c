"""Calls that were interrupted: what is kept and said, and that the same call goes on to the same result, and no other one does."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import COMMAND, Call, call, environment, forget_policies

from lagranja_sim.compare.checkpoint import as_plain, from_plain
from lagranja_sim.compare.paired import Match
from lagranja_sim.contest.tune import Arena, Meeting, in_parts
from lagranja_sim.runs import parts, unfinished
from lagranja_sim.runs.folder import Folder, RunError
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import Pieces, kept

COMPARE = ("compare", "prices.sell.pig=4", "--policies", "greedy", "--players", 2, "--games", 400, "--jobs", 1, "--json")
TUNE = ("tune", "greedy", "--against", "random,greedy", "--players", 2, "--generations", 3, "--population", 4, "--deals", 5, "--jobs", 1)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What compiling says is not part of what calls print here."""
    from lagranja_sim.play.driver import warm_up
    from lagranja_sim.policy import find_policy

    warm_up([find_policy("greedy"), find_policy("random")])


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison keeps something every 64 games."""
    monkeypatch.setattr("lagranja_sim.compare.comparison.GROUP", 1)


def interrupted(monkeypatch: pytest.MonkeyPatch, capsys: Any, owner: Any, method: str, after: int, command: tuple[Any, ...]) -> Call:
    """The command, with a Ctrl-C after so many calls of a method."""
    play, calls = getattr(owner, method), []

    def counted(*given: Any) -> Any:
        calls.append(given)
        if len(calls) > after:
            raise KeyboardInterrupt
        return play(*given)

    with monkeypatch.context() as patch:
        patch.setattr(owner, method, counted)
        ended = call(capsys, *command)
    assert (ended.code, ended.out) == (130, "")
    return ended


def result(done: Call) -> dict[str, Any]:
    """What a call printed, without the time it took."""
    assert done.code == 0, done.err
    return {**json.loads(done.out), "seconds": 0.0}


def without_command(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in ("command", "block")}


# --- comparisons ---------------------------------------------------------------------------------------------------------------------

WAYS = {
    "fixed": (),
    "sequential": ("--sprt", "points: 0 vs 0.00001", "--games", 1_024),
    "precise": ("--metric", "points", "--precision", 0.05, "--games", 20_000),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_interrupted_comparison_goes_on_to_the_same_result(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    command = (*COMPARE, *WAYS[way])
    whole = call(capsys, *command)
    after, words = (3, "192 of 400") if way == "fixed" else (9, "512 of ")
    ended = interrupted(monkeypatch, capsys, Match, "play", after, command)
    assert ended.err.splitlines()[-1].startswith(f"lagranja: interrupted: {words}")
    assert "games of each arm are kept in" in ended.err
    assert ended.err.endswith("; the same command goes on from there\n")
    assert [path.name for path in (here / "runs").glob("compare-*/*")] == ["unfinished.json"]
    again = interrupted(monkeypatch, capsys, Match, "play", 0, command)
    assert f"going on from {words}" in again.err
    last = call(capsys, *command)
    assert f"going on from {words}" in last.err
    assert result(last) == result(whole)
    assert list((here / "runs").iterdir()) == []


def test_a_comparison_goes_on_in_its_own_folder_and_leaves_its_files_only(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    command = (*COMPARE, "--out", "here")
    ended = interrupted(monkeypatch, capsys, Match, "play", 2, command)
    assert f"kept in {here}/here;" in ended.err
    assert [path.name for path in (here / "here").iterdir()] == ["unfinished.json"]
    done = call(capsys, *command, "--jobs", 2)
    assert "going on from 128 of 400 games of each arm" in done.err
    assert without_command(result(done)) == without_command(result(call(capsys, *COMPARE)))
    assert {path.suffix for path in (here / "here").iterdir()} == {".txt", ".html", ".json", ".png", ".svg"}
    assert not (here / "runs").exists()
    assert not (here / "here" / "unfinished.json").exists()


def test_a_sweep_goes_on_too(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("compare", "--sweep", "prices.sell.pig=2..4", *COMPARE[2:])
    whole = result(call(capsys, *command))
    interrupted(monkeypatch, capsys, Match, "play", 2, command)
    assert result(call(capsys, *command)) == whole


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("--seed", 2), "seed"),
        (("--games", 300), "games"),
        (("--policies", "random"), "policies"),
        (("--metric", "points"), "metrics"),
    ],
)
def test_what_another_comparison_left_is_refused(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, change: tuple[Any, ...], named: str
) -> None:
    interrupted(monkeypatch, capsys, Match, "play", 2, (*COMPARE, "--out", "here"))
    refused = call(capsys, *COMPARE, *change, "--out", "here")
    assert (refused.code, refused.out) == (2, "")
    assert "holds what another call had finished when it was interrupted (it differs in " in refused.err
    assert named in refused.err
    assert "--force begins anew, --out chooses another place" in refused.err


def test_the_same_arms_in_another_order_are_another_comparison(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first arm is what the others are compared with."""
    options = (*COMPARE[2:], "--out", "here")
    interrupted(monkeypatch, capsys, Match, "play", 2, ("compare", "deluxe", "yucata", *options))
    refused = call(capsys, "compare", "yucata", "deluxe", *options)
    assert (refused.code, "it differs in order" in refused.err) == (2, True)


def test_games_of_other_weights_are_played_again(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights may be tuned first, and not every machine need find the same."""
    whole = result(call(capsys, *COMPARE))
    interrupted(monkeypatch, capsys, Match, "play", 2, COMPARE)
    (path,) = (here / "runs").glob("compare-*/unfinished.json")
    left = json.loads(path.read_text())
    left["pieces"]["played"]["weights"][0]["field"] += 0.5
    left["pieces"]["played"]["arms"][0]["mean"][0] += 1.0
    path.write_text(json.dumps(left))
    assert result(call(capsys, *COMPARE)) == whole


def test_what_another_comparison_left_is_forgotten_with_force(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(monkeypatch, capsys, Match, "play", 2, (*COMPARE, "--out", "here"))
    other = (*COMPARE, "--seed", 2)
    forced = call(capsys, *other, "--out", "here", "--force")
    assert "going on" not in forced.err
    assert without_command(result(forced)) == without_command(result(call(capsys, *other)))


@pytest.mark.parametrize("change", ["policy", "sources"])
def test_what_was_played_by_another_version_is_not_gone_on_with(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    (here / "policies").mkdir()
    mine = here / "policies" / "mine.py"
    mine.write_text('BASE = "greedy"\n')
    command = (*COMPARE, "--policies", "mine", "--out", "here")
    interrupted(monkeypatch, capsys, Match, "play", 2, command)
    if change == "policy":
        mine.write_text('BASE = "greedy"\nWEIGHTS = {"field": 0.5}\n')
        forget_policies()
    else:
        monkeypatch.setattr("lagranja_sim.runs.provenance.sources_hash", lambda patterns: "newer")
    refused = call(capsys, *command)
    assert refused.code == 2
    assert {"policy": "policies.mine", "sources": "versions.sources"}[change] in refused.err


def test_a_current_folder_that_cannot_be_written_only_costs_what_would_be_kept(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(folder: Folder) -> None:
        raise RunError(f"{folder.url} cannot be written: Read-only file system")

    monkeypatch.setattr(Folder, "try_out", refuses)
    ended = interrupted(monkeypatch, capsys, Match, "play", 2, COMPARE)
    assert "interrupted: nothing is kept, for " in ended.err
    assert "Read-only file system" in ended.err
    assert call(capsys, *COMPARE[:4], "--games", 8).code == 0
    assert list(here.iterdir()) == []


def test_what_is_kept_is_exact() -> None:
    """To the last digit, for what goes on must not differ from what never stopped."""
    from lagranja_sim.compare.arms import Shared, load_arms

    played = Match.of(load_arms(["prices.sell.pig=4"], Shared("lagranja", ["greedy"], 4, 1, "deluxe"))).play(0, 8)
    again = from_plain(json.loads(json.dumps(as_plain(played))))
    assert again.diverged == played.diverged
    for one, other in zip([*again.arms, *again.differences], [*played.arms, *played.differences], strict=True):
        assert one.count == other.count
        for name in ("mean", "squares", "nonzero", "largest"):
            assert getattr(one, name).dtype == getattr(other, name).dtype
            assert np.array_equal(getattr(one, name), getattr(other, name))


def test_a_worker_that_dies_is_said_and_what_was_played_is_kept(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    play, calls = Match.play, []

    def dies(*given: Any) -> Any:
        calls.append(given)
        if len(calls) > 2:
            raise TerminatedWorkerError("killed")
        return play(*given)

    with monkeypatch.context() as patch:
        patch.setattr(Match, "play", dies)
        failed = call(capsys, *COMPARE)
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.startswith("lagranja: a worker process died; perhaps the memory was used up (fewer --jobs need less)\n")
    assert "lagranja: 128 of 400 games of each arm are kept in " in failed.err
    assert "going on from 128 of 400" in call(capsys, *COMPARE).err


# --- tuning --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "kept_words"),
    [(4, "1 of 3 generations"), (11, "2 of 3 generations"), (16, "all generations and 2 of "), (51, "all generations and 19 of ")],
)
def test_an_interrupted_search_goes_on_to_the_same_weights(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, after: int, kept_words: str
) -> None:
    whole = call(capsys, *TUNE, "--json", "--out", "whole.toml")
    ended = interrupted(monkeypatch, capsys, Arena, "judge", after, (*TUNE, "--json"))
    assert f"lagranja: interrupted: {kept_words}" in ended.err
    assert [path.name for path in here.iterdir() if path.name != "whole.toml"] == ["greedy-tuned.toml.unfinished"]
    done = call(capsys, *TUNE, "--json", "--jobs", 2)
    assert f"going on from {kept_words}" in done.err
    assert {**json.loads(done.out), "out": "whole.toml"} == json.loads(whole.out)
    assert sorted(path.name for path in here.iterdir()) == ["greedy-tuned.toml", "whole.toml"]


def test_the_search_of_another_call_is_refused_and_begun_anew_with_force(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(monkeypatch, capsys, Arena, "judge", 6, TUNE)
    refused = call(capsys, *TUNE, "--seed", 2)
    assert (refused.code, refused.out) == (2, "")
    assert "greedy-tuned.toml.unfinished holds what another call had finished" in refused.err
    assert "seed" in refused.err
    forced = call(capsys, *TUNE, "--seed", 2, "--force", "--json")
    assert (forced.code, forced.err) == (0, "")
    assert json.loads(forced.out)["weights"] == json.loads(call(capsys, *TUNE, "--seed", 2, "--json", "--out", "other").out)["weights"]


def test_generations_that_another_machine_would_not_ask_for_are_played_again(
    here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = json.loads(call(capsys, *TUNE, "--json", "--out", "whole.toml").out)
    interrupted(monkeypatch, capsys, Arena, "judge", 16, TUNE)
    path = here / "greedy-tuned.toml.unfinished" / "unfinished.json"
    left = json.loads(path.read_text())
    left["pieces"]["search"][1]["weights"][0][0] += 1e-9
    left["pieces"]["search"][1]["fitness"] = [0.0] * 4
    left["pieces"]["test"]["weights"][1]["field"] = -1.0
    path.write_text(json.dumps(left))
    assert {**json.loads(call(capsys, *TUNE, "--json").out), "out": "whole.toml"} == whole


def test_the_deals_of_a_test_are_the_same_in_parts() -> None:
    meetings = [Meeting((0,), 0, 7), Meeting((1,), 7, 1), Meeting((2,), 8, 4)]
    cut = list(in_parts(meetings, 3))
    assert [sum(meeting.deals for meeting in part) for part in cut] == [3, 3, 5, 1]
    dealt = [(meeting.opponents, deal) for part in cut for meeting in part for deal in range(meeting.first, meeting.first + meeting.deals)]
    assert dealt == [((0,), deal) for deal in range(7)] + [((1,), 7)] + [((2,), deal) for deal in range(8, 12)]


def test_tuning_within_a_comparison_goes_on_too(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lagranja_sim.contest.tune.DEALS", 2)
    command = (*COMPARE[:4], "--games", 8, "--players", 2, "--retune", 1, "--json")
    whole = result(call(capsys, *command))
    ended = interrupted(monkeypatch, capsys, Arena, "judge", 70, command)
    assert "interrupted: tuning for prices.sell.pig=4: " in ended.err
    with monkeypatch.context() as patch:
        calls: list[Any] = []
        judge = Arena.judge
        patch.setattr(Arena, "judge", lambda *given: calls.append(given) or judge(*given))
        assert result(call(capsys, *command)) == whole
    assert len(calls) < 70


# --- reports -------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def run(here: Path, capsys: Any) -> Path:
    assert call(capsys, "run", "baseline", "--games", 40, "--out", "run").code == 0
    return here / "run"


REPORT = ("report", "run", "--sections", "method")


def test_an_interrupted_report_leaves_what_was_there(here: Path, run: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lagranja_sim.report import make

    stop = (monkeypatch, capsys, make, "render", 0)
    assert interrupted(*stop, REPORT).err == "lagranja: interrupted: nothing is written\n"
    assert [path.name for path in here.iterdir()] == ["run"]
    assert call(capsys, *REPORT).code == 0
    before = {path: path.read_bytes() for path in (here / "run-report").rglob("*.*")}
    interrupted(*stop, (*REPORT, "--force"))
    assert {path: path.read_bytes() for path in (here / "run-report").rglob("*.*")} == before


def test_a_report_interrupted_over_its_files_is_made_anew_unasked(
    here: Path, run: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call(capsys, *REPORT, "--sections", "what_was_run").code == 0
    ended = interrupted(monkeypatch, capsys, Folder, "write", 3, (*REPORT, "--force"))
    assert ended.err == "lagranja: interrupted: the report in run-report is not whole; the same command makes it anew\n"
    assert call(capsys, *REPORT).code == 0
    there = {str(path.relative_to(here / "run-report")) for path in (here / "run-report").rglob("*.*")}
    assert there == set(json.loads((here / "run-report" / "report.json").read_text())["files"])
    assert not any("what_was_run" in name for name in there)


# --- runs ----------------------------------------------------------------------------------------------------------------------------


def test_an_interrupted_run_goes_on_even_if_it_was_to_replace_another_one(here: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command has the same options, `--force` among them."""
    command = ("run", "baseline", "--games", 40, "--out", "run", "--jobs", 1, "--force")
    assert call(capsys, *command, "--seed", 2).code == 0
    ended = interrupted(monkeypatch, capsys, parts, "play_games", 4, command)
    assert "of 10 parts are kept" in ended.err
    assert "the same command continues the run" in ended.err
    assert "continuing the run" in call(capsys, *command).err
    assert call(capsys, *command).err == ""


# --- the pieces themselves -----------------------------------------------------------------------------------------------------------


def test_pieces_are_written_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfinished, "SECONDS", 1e9)
    file = tmp_path / "unfinished.json"
    with pytest.raises(MemoryError), kept(Folder.at(tmp_path), {}, False, Listener()) as pieces:
        pieces.put("a", 1, "one")
        assert json.loads(file.read_text())["pieces"] == {"a": 1}
        pieces.part("b").put("c", 2, "two")
        assert json.loads(file.read_text())["words"] == "one"
        raise MemoryError
    assert json.loads(file.read_text())["words"] == "b: two"
    with kept(Folder.at(tmp_path), {}, False, Listener()) as pieces:
        assert (pieces.get("a"), pieces.part("b").get("c"), Pieces().get("a")) == (1, 2, None)
    assert not file.exists()


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"call": {}}'])
def test_a_damaged_file_is_refused_and_forgotten_with_force(tmp_path: Path, text: str) -> None:
    file = tmp_path / "unfinished.json"
    file.write_text(text)
    with pytest.raises(RunError, match="--force begins anew"), kept(Folder.at(tmp_path), {}, False, Listener()):
        pass
    assert file.read_text() == text
    with kept(Folder.at(tmp_path), {}, True, Listener()) as pieces:
        assert pieces.by_name == {}
    assert not file.exists()


def test_a_disk_that_fills_up_meanwhile_stops_nothing_and_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Recorder(Listener):
        def say(self, text: str) -> None:
            said.append(text)

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(unfinished, "SECONDS", 0.0)
    monkeypatch.setattr(Folder, "write", fails)
    with pytest.raises(KeyboardInterrupt, match="what is finished cannot be kept, for the disk is full"):  # noqa: SIM117
        with kept(Folder.at(tmp_path), {}, False, Recorder()) as pieces:
            pieces.put("a", 1, "one")
            pieces.put("a", 2, "two")
            raise KeyboardInterrupt
    assert said == [f"{tmp_path}: what is finished cannot be kept, for the disk is full"]


# --- processes -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "end", "file"),
    [
        ((*COMPARE, "--games", 4_000, "--out", "here"), signal.SIGINT, "here/unfinished.json"),
        ((*TUNE, "--generations", 12, "--deals", 40, "--json", "--out", "here"), signal.SIGKILL, "here.unfinished/unfinished.json"),
    ],
    ids=["interrupted", "killed"],
)
def test_a_process_that_ends_early_is_gone_on_with(
    here: Path, capsys: Any, command: tuple[Any, ...], end: signal.Signals, file: str
) -> None:
    line = [*COMMAND, *map(str, command)]
    with subprocess.Popen(line, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        wait_for((here / file).exists)
        child.send_signal(end)
        out, err = child.communicate(timeout=60)
    assert out == ""
    assert (child.returncode, "kept in" in err) == ((130, True) if end == signal.SIGINT else (-end, False))
    done = call(capsys, *command)
    assert "going on from" in done.err
    whole = call(capsys, *[{"here": "there"}.get(word, word) for word in command])
    assert without_command({**result(done), "out": ""}) == without_command({**result(whole), "out": ""})


def wait_for(happened: Callable[[], bool], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)
