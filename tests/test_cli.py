"""The command line: right calls, wrong calls, exit codes, what goes to stdout and what to stderr."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from calls import COMMAND, call, environment, process

from lagranja_sim import __version__, cli
from lagranja_sim.errors import UserError

COMMANDS = ("run", "replay", "play", "components", "variants", "policies", "bench", "doctor")
HEAVY = ("numba", "numpy", "polars", "pandas", "pyarrow", "pydantic", "scipy", "joblib", "rich.table", "matplotlib", "fsspec")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What compiling says is not part of what calls print here."""
    from lagranja_sim.play.driver import warm_up
    from lagranja_sim.policy import find_policy

    warm_up([find_policy("greedy"), find_policy("random")])


def edited(folder: Path, **values: Any) -> Path:
    """An experiment file of eight games with some values changed."""
    experiment = {"games": 8, "players": 4, "seed": 1, "policies": ["greedy", "random", "random", "random"], **values}
    path = folder / "edited.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in experiment.items()))
    return path


# --- help ----------------------------------------------------------------------------------------------------------------------------


def test_help_imports_nothing_heavy() -> None:
    code = f"import sys, lagranja_sim.cli; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("bench", "--help")])
def test_help_answers_at_once(arguments: tuple[str, ...]) -> None:
    assert min(seconds(*arguments) for _ in range(3)) < 0.3


def seconds(*arguments: str) -> float:
    """The processor time of a call: other tests may keep the machine busy."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process(*arguments).code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_names_every_command(capsys: Any) -> None:
    shown = call(capsys, "--help")
    assert shown.code == 0
    assert all(f"\n  {command}" in shown.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys: Any, command: str) -> None:
    shown = call(capsys, command, "--help")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(f"Usage: lagranja {command} ")


def test_the_version(capsys: Any) -> None:
    assert call(capsys, "--version").out == f"lagranja {__version__}\n"


# --- right calls -----------------------------------------------------------------------------------------------------------------------


def test_run_writes_the_tables_and_prints_the_summary(here: Path, capsys: Any) -> None:
    done = call(capsys, "run", "baseline", "--games", 40)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("baseline: 40 games of 4 players in 10 blocks, variant deluxe, seed 20260101 (")
    assert "By policy" in done.out
    assert "By start position" in done.out
    assert "only 10 blocks: the intervals are rough" in done.out
    assert done.out.endswith("written to runs/baseline\n")
    assert {path.name for path in (here / "runs" / "baseline").iterdir()} == {
        "manifest.json",
        "games",
        "seats",
        "rounds",
        "cards",
        "market",
    }
    assert json.loads((here / "runs/baseline/manifest.json").read_text())["command"] == "lagranja run baseline --games 40"


def test_run_prints_one_json_object(here: Path, capsys: Any) -> None:
    done = call(capsys, "run", "baseline", "--games", 8, "--json", "--out", "x", "--seed", 5)
    summary = json.loads(done.out)
    assert (summary["run"], summary["games"], summary["blocks"], summary["seed"]) == ("x", 8, 2, 5)
    assert [row["policy"] for row in summary["groups"]["policy"]] == ["greedy", "random"]
    assert [row["start_position"] for row in summary["groups"]["start_position"]] == [1, 2, 3, 4]


def test_a_number_of_games_that_is_no_multiple_of_a_block_is_rounded_up_and_said(here: Path, capsys: Any) -> None:
    done = call(capsys, "run", "baseline", "--games", 6, "--json")
    assert json.loads(done.out)["games"] == 8
    assert done.err == "6 games are rounded up to 8: whole blocks of 4, one for each rotation of the seats\n"


def test_a_single_block_has_means_and_no_intervals(here: Path, capsys: Any) -> None:
    done = call(capsys, "run", "baseline", "--games", 1)
    assert (done.code, done.err) == (0, "1 game is rounded up to 4: whole blocks of 4, one for each rotation of the seats\n")
    assert "baseline: 4 games of 4 players in 1 block, " in done.out
    assert "a single block: too few for any interval" in done.out
    rows = [line.split() for line in done.out.splitlines() if line.startswith(("greedy", "random", "1 ", "2 ", "3 ", "4 "))]
    assert len(rows) == 6
    assert all((row[4], row[6]) == ("-", "-") for row in rows)


def test_a_run_without_seats_says_that_it_has_no_win_shares(here: Path, capsys: Any) -> None:
    done = call(capsys, "run", edited(here, log=["games"]))
    assert done.code == 0
    assert "no table of seats was kept" in done.out


def test_a_variant_and_other_players(here: Path, capsys: Any) -> None:
    done = call(capsys, "run", edited(here, policies=["random"]), "--variant", "first_edition", "--players", 3, "--games", 6, "--json")
    summary = json.loads(done.out)
    assert (summary["variant"], summary["players"]) == ("first_edition", 3)


def test_play_tells_a_game(capsys: Any) -> None:
    told = call(capsys, "play", "--policies", "greedy,random,random", "--seed", 3)
    assert (told.code, told.err) == (0, "")
    assert "3 players" in told.out
    assert "Round 6" in told.out


def test_play_with_a_new_seed_says_which(capsys: Any) -> None:
    told = call(capsys, "play", "--policies", "random", "--players", 2, "--json")
    assert told.err.startswith("seed ")
    again = call(capsys, "play", "--policies", "random", "--players", 2, "--json", "--seed", told.err.split()[1])
    assert (again.out, again.err) == (told.out, "")


def test_play_prints_json_lines(capsys: Any) -> None:
    lines = [json.loads(line) for line in call(capsys, "play", "--seed", 1, "--json").out.splitlines()]
    assert lines[0]["type"] == "setup"
    assert {"choice", "ledger", "card", "disc", "order", "round"} < {line["type"] for line in lines}
    assert [line["type"] for line in lines[-3:]] == ["table", "final", "final"]


@pytest.mark.parametrize("command", ["components", "variants", "policies", "doctor"])
def test_looking_around(capsys: Any, command: str) -> None:
    text, data = call(capsys, command), call(capsys, command, "--json")
    assert (text.code, text.err) == (0, "")
    assert text.out.strip()
    assert (data.code, data.err) == (0, "")
    assert json.loads(data.out)


def test_policies_are_listed_with_their_weights(capsys: Any) -> None:
    found = {policy["name"]: policy for policy in json.loads(call(capsys, "policies", "--json").out)}
    assert {"greedy", "random"} <= set(found)
    assert all(policy["doc"] for policy in found.values())


def test_a_policy_of_the_current_folder_is_found_and_plays(here: Path, capsys: Any) -> None:
    (here / "policies").mkdir()
    text = '"""Mine."""\n\n\nclass Policy:\n    def choose(self, *_):\n        return 0\n'
    (here / "policies" / "mine.py").write_text(text)
    assert "mine" in call(capsys, "policies").out
    assert call(capsys, "play", "--policies", "mine,random", "--seed", 1).code == 0


def test_components_of_another_folder(here: Path, capsys: Any) -> None:
    shown = json.loads(call(capsys, "components", "--json").out)
    assert shown
    refused = call(capsys, "components", "--components", "nowhere")
    assert (refused.code, refused.out) == (2, "")


def test_bench_measures_with_and_without_tables(capsys: Any) -> None:
    found = json.loads(call(capsys, "bench", "--games", 20, "--repeat", 1, "--json").out)
    assert {(row["policies"], row["log"]) for row in found["rows"]} >= {("4 x random", "nothing kept"), ("4 x greedy", "all tables")}
    assert all(0 < row["least"] <= row["games_per_second"] <= row["most"] for row in found["rows"])
    assert "Games a second on one core" in call(capsys, "bench", "--games", 20, "--repeat", 1).out
    assert "1 repetition of 1 game; " in call(capsys, "bench", "--games", 1, "--repeat", 1).out


def test_doctor_tells_what_is_wrong(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lagranja_sim import doctor

    monkeypatch.setattr(doctor, "is_writable", lambda folder: False)
    found = call(capsys, "doctor")
    assert found.code == 1
    assert "cannot be written" in found.out


# --- wrong calls -----------------------------------------------------------------------------------------------------------------------

WRONG_CALLS = {
    "lagranja": "Usage: lagranja",
    "lagranja fly": "No such command 'fly'",
    "lagranja run": "Missing argument 'EXPERIMENT'",
    "lagranja run nothing": "no experiment 'nothing': neither a file nor one of",
    "lagranja run basline": "(did you mean baseline?)",
    "lagranja run baseline --games 0": "--games: must be at least 1, not 0",
    "lagranja run baseline --games -5": "--games: must be at least 1, not -5",
    "lagranja run baseline --games many": "Invalid value for '--games'",
    "lagranja run baseline --games 1.5": "Invalid value for '--games'",
    "lagranja run baseline --seed -1": "--seed: must be at least 0, not -1",
    "lagranja run baseline --seed x": "Invalid value for '--seed'",
    "lagranja run baseline --jobs 0": "Invalid value for '--jobs'",
    "lagranja run baseline --backend smoke": "Invalid value for '--backend'",
    "lagranja run baseline --players 3": "4 are named for 3 players",
    "lagranja run baseline --variant bggg": "'bggg' is no variant",
    "lagranja run baseline --variant no.toml": "--variant: there is no no.toml",
    "lagranja run baseline --components nowhere": "--components: there is no nowhere",
    "lagranja run baseline --frce": "No such option",
    "lagranja run baseline --out file": "is a file; choose a folder with --out",
    "lagranja run baseline --out file/run": "cannot be written: Not a directory",
    "lagranja run baseline --out full": "choose another folder with --out",
    "lagranja run baseline --out full --force": "--force replaces runs only",
    "lagranja run baseline --out nope://x": "nope://x: ",
    "lagranja run five.toml": "five.toml:2: players: La Granja",
    "lagranja run unknown.toml": "no policy is called 'greedi' (did you mean greedy",
    "lagranja run weight.toml": "has no weight 'sharre'",
    "lagranja run broken.toml": "broken.toml:1: not TOML",
    "lagranja run key.toml": "key.toml:5: gane: is no key of an experiment (did you mean game or games?)",
    "lagranja run rule.toml": "prices.sell.pgi",
    "lagranja replay full 1": "is not a run: it has no manifest.json",
    "lagranja replay nowhere 1": "there is no such folder",
    "lagranja replay nowhere x": "Invalid value for 'GAME'",
    "lagranja play --policies gredy,random": "no policy is called 'gredy' (did you mean greedy",
    "lagranja play --policies ,": "--policies names no policy",
    "lagranja play --policies random --players 5": "1 to 4 players, not 5",
    "lagranja play --policies random,greedy --players 3": "--policies: 2 are named for 3 players",
    "lagranja play --seed -1": "--seed: must be at least 0, not -1",
    "lagranja components --part hats": "'hats' is no part",
    "lagranja components --components nowhere": "nowhere",
    "lagranja components --variant bggg": "'bggg' is no variant",
    "lagranja bench --games 0": "Invalid value for '--games'",
}


@pytest.mark.parametrize(("line", "message"), WRONG_CALLS.items(), ids=WRONG_CALLS)
def test_a_wrong_call_ends_with_2_and_says_why(here: Path, capsys: Any, line: str, message: str) -> None:
    wrong_files(here)
    before = sorted(path.relative_to(here) for path in here.rglob("*"))
    failed = call(capsys, *line.split()[1:])
    assert failed.code == 2
    assert message.lower() in (failed.err or failed.out).lower()
    assert "Traceback" not in failed.err
    assert sorted(path.relative_to(here) for path in here.rglob("*")) == before


def wrong_files(here: Path) -> None:
    good = edited(here).read_text()
    (here / "file").write_text("")
    (here / "full").mkdir()
    (here / "full" / "notes.txt").write_text("mine")
    (here / "five.toml").write_text(
        good.replace("players = 4", "players = 5").replace('["greedy", "random", "random", "random"]', '["random"]')
    )
    (here / "unknown.toml").write_text(good.replace("greedy", "greedi"))
    (here / "weight.toml").write_text(good.replace("greedy", "greedy:sharre=2"))
    (here / "broken.toml").write_text("games == 3\n")
    (here / "key.toml").write_text(good + "gane = 3\n")
    (here / "rule.toml").write_text(good + '[overrides]\n"prices.sell.pgi" = 3\n')


def test_a_finished_run_is_refused_and_replaced_with_force_only(here: Path, capsys: Any) -> None:
    assert call(capsys, "run", "baseline", "--games", 4).code == 0
    refused = call(capsys, "run", "baseline", "--games", 4)
    assert (refused.code, refused.out) == (2, "")
    assert "holds this run, finished; choose another folder with --out, or replace it with --force" in refused.err
    assert call(capsys, "run", "baseline", "--games", 8, "--force").code == 0


def test_a_game_a_run_does_not_hold(here: Path, capsys: Any) -> None:
    call(capsys, "run", "baseline", "--games", 4)
    refused = call(capsys, "replay", "runs/baseline", 4)
    assert (refused.code, refused.err) == (2, "lagranja: runs/baseline holds games 0 to 3, not 4\n")


def test_a_failed_run_ends_with_1(here: Path, capsys: Any) -> None:
    (here / "policies").mkdir()
    (here / "policies" / "odd.py").write_text(
        '"""Chooses what is not there."""\n\n\nclass Policy:\n    def choose(self, *_):\n        return -1\n'
    )
    failed = call(capsys, "run", edited(here, policies=["odd"]), "--jobs", 1)
    assert (failed.code, failed.out) == (1, "")
    assert "0 of 2 parts are kept" in failed.err


def test_an_error_of_the_tool_itself_is_told_as_such(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **_options: Any) -> None:
        raise KeyError("lost")

    from lagranja_sim import policy

    monkeypatch.setattr(policy, "list_policies", fails)
    failed = call(capsys, "policies")
    assert failed.code == 1
    assert failed.err.startswith("lagranja: KeyError: 'lost'\nlagranja: This should not happen")
    monkeypatch.setenv("LAGRANJA_TRACEBACK", "1")
    with pytest.raises(KeyError):
        call(capsys, "policies")


def test_errors_that_users_can_act_on_are_classes_of_the_tool() -> None:
    from lagranja_sim import game, policy
    from lagranja_sim.kit import problems
    from lagranja_sim.play import driver
    from lagranja_sim.runs import experiment, folder

    wrong_call = (problems.ComponentsError, policy.PolicyError, experiment.ExperimentError, folder.RunError, game.NoGame)
    failed = (driver.GameError, driver.PolicyFailed, folder.RunFailed)
    assert {error.exit_code for error in wrong_call} == {cli.WRONG_CALL}
    assert {error.exit_code for error in failed} == {cli.FAULT}
    assert all(issubclass(error, UserError) for error in (*wrong_call, *failed))


def test_a_reader_that_goes_away_is_no_error() -> None:
    child = subprocess.Popen([*COMMAND, "play", "--seed", "1", "--json"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    errors = child.stderr.read()
    child.stderr.close()
    assert child.wait(60) in (0, cli.PIPE_CLOSED)
    assert b"Error" not in errors
    assert b"Traceback" not in errors
