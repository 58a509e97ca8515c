"""What lies in a plug-in folder and is no plug-in: every command goes on, and whoever asks for it is told what it is."""

import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import made_runs
import pytest
from calls import call

from lagranja_sim.contest import ladder
from lagranja_sim.plugins import KINDS, hiding, plugin_files, tool_folder
from lagranja_sim.policy import PolicyError, find_policy, list_policies
from lagranja_sim.policy_tools.check import named
from lagranja_sim.textfile import MOST_BYTES, Unreadable, read_text

SUFFIX = {"policies": ".py", "experiments": ".toml", "reports": ".py", "games": ".py"}
ODDITIES: dict[str, tuple[Callable[[Path], Any], str]] = {  # how to make it, and what is said of it
    "dangling": (lambda path: path.symlink_to("nowhere"), "is a link to nowhere, which is not there"),
    "loop": (lambda path: path.symlink_to(path.name), "is a link to loop"),
    "folder": (Path.mkdir, "is a folder, not a file"),
    "pipe": (os.mkfifo, "is a pipe, not a file"),
    "latin": (lambda path: path.write_bytes(b"caf\xe9 = 1"), "is not UTF-8 text (byte 4)"),
    "nul": (lambda path: path.write_bytes(b"a = 1\0"), "is not text: byte 6 is NUL"),
    "huge": (lambda path: (path.touch(), os.truncate(path, 10**12)), "is larger than 1 MB"),
    "syntax": (lambda path: path.write_text("def (:\n"), ""),  # each kind has words of its own for this one
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder whose plug-in folders are full of oddities; whoever opens the pipes is woken."""
    monkeypatch.chdir(tmp_path)
    for kind, suffix in SUFFIX.items():
        (tmp_path / kind).mkdir()
        for name, (make, _) in ODDITIES.items():
            make(tmp_path / kind / f"{name}{suffix}")
        (tmp_path / kind / f".#greedy{suffix}").symlink_to("somebody@somewhere.4711:1700000000")  # the lock of an editor
        (tmp_path / kind / f".hidden{suffix}").write_text("def (:\n")
        (tmp_path / kind / f"_helper{suffix}").write_text("def (:\n")
        (Path(os.fsdecode(os.fsencode(tmp_path / kind) + b"/\xff" + suffix.encode()))).write_text("def (:\n")
    signal.alarm(60)
    yield tmp_path
    signal.alarm(0)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_hidden_or_cannot_be_named_is_no_plug_in(here: Path, kind: str) -> None:
    shipped = {path.stem for path in tool_folder(kind).glob(f"*{SUFFIX[kind]}") if not path.name.startswith("_")}
    assert set(plugin_files(kind, SUFFIX[kind])) == shipped | set(ODDITIES)


def test_policies_lists_the_others_and_names_what_it_cannot_read(here: Path, capsys: Any) -> None:
    listed = call(capsys, "policies", "--json")
    names = {policy["name"] for policy in json.loads(listed.out)}
    assert (listed.code, {"greedy", "balanced"} <= names, names & set(ODDITIES)) == (0, True, set())
    messages = listed.err.splitlines()
    assert len(messages) == len(ODDITIES)
    for name, (_, said) in ODDITIES.items():
        assert any(line.startswith(f"lagranja: {here}/policies/{name}.py") and said in line for line in messages), name


@pytest.mark.parametrize("name", ODDITIES)
def test_a_policy_that_cannot_be_read_is_refused_by_whoever_asks_for_it(here: Path, capsys: Any, name: str) -> None:
    for command in (
        ("play", "--policies", f"{name},random"),
        ("ladder", "--policies", f"{name},random"),
        ("policies", "check", f"policies/{name}.py"),
    ):
        refused = call(capsys, *command)
        assert (refused.code, refused.out) == (2, "")
        assert f"policies/{name}.py" in refused.err and ODDITIES[name][1] in refused.err


def test_a_ladder_of_all_policies_goes_on_without_them(here: Path) -> None:
    loaded = ladder.prepare(None, 2, 4, {})
    assert {"greedy", "random"} <= set(loaded.experiment.policies)
    assert not set(ODDITIES) & set(loaded.experiment.policies)
    left_out = [remark for remark in loaded.remarks if remark.startswith("left out: ")]
    assert len(left_out) == len(ODDITIES)
    assert f"left out: {here}/policies/folder.py: is a folder, not a file" in left_out


@pytest.mark.parametrize("name", ODDITIES)
@pytest.mark.parametrize("command", ["run", "compare"])
def test_an_experiment_that_cannot_be_read_is_refused_by_name_and_by_path(here: Path, capsys: Any, command: str, name: str) -> None:
    refused = call(capsys, command, name)
    assert (refused.code, refused.out) == (2, "")
    assert f"{here}/experiments/{name}.toml" in refused.err and ODDITIES[name][1] in refused.err
    if command == "run":
        assert ODDITIES[name][1] in call(capsys, command, f"experiments/{name}.toml").err


def test_a_run_goes_on_among_them(here: Path, capsys: Any) -> None:
    (here / "experiments" / "first_edition.toml").mkdir()  # no variant loses its name by it
    assert call(capsys, "compare", "first_edition", "--policies", "random", "--games", 4).code == 0
    (here / "mine.toml").write_text('games = 2\nplayers = 2\nseed = 1\npolicies = ["random"]\n')
    assert call(capsys, "run", "mine.toml").code == 0


def test_a_report_goes_on_and_tells_of_each_section_that_it_cannot_read(here: Path, capsys: Any) -> None:
    made_runs.write_run(here / "run", made_runs.made_up_games(8), ["a", "b", "c", "d"], 8)
    done = call(capsys, "report", "run")
    assert (done.code, done.out) == (1, "written to run-report/index.html\n")
    page = (here / "run-report" / "index.html").read_text()
    for name, (_, said) in ODDITIES.items():
        failure = next(line for line in done.err.splitlines() if line.startswith(f"lagranja: section {name} failed: "))
        assert f"{here}/reports/{name}.py cannot be loaded: {said}" in failure
        assert f"reports/{name}.py cannot be loaded" in page
    assert 'id="what_was_run"' in page
    assert not [name for name in ODDITIES if f"_report_section_{name}" in sys.modules]


@pytest.mark.parametrize(("file", "lines"), [("policies/ends.py", "def score(*_):\n    pass\n"), ("reports/ends.py", "")])
def test_a_file_that_wants_to_end_the_tool_does_not(here: Path, capsys: Any, file: str, lines: str) -> None:
    (here / file).write_text(f"import sys\n\nsys.exit(0)\n{lines}")
    made_runs.write_run(here / "run", made_runs.made_up_games(8), ["a", "b", "c", "d"], 8)
    ended = call(capsys, *(("play", "--policies", "ends,random") if "policies" in file else ("report", "run", "--sections", "ends")))
    assert ended.code != 0
    assert f"{file}" in ended.err and "SystemExit: 0" in ended.err


# --- an own file that hides a shipped one --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dangling", "syntax"])
def test_a_broken_own_file_still_hides_the_shipped_one_and_says_so(here: Path, capsys: Any, name: str) -> None:
    own = {"policies": "greedy.py", "experiments": "baseline.toml", "reports": "dice.py"}
    for kind, file in own.items():
        (here / kind / f"{name}{SUFFIX[kind]}").rename(here / kind / file)
    made_runs.write_run(here / "run", made_runs.made_up_games(8), ["a", "b", "c", "d"], 8)
    refused = [call(capsys, "play", "--policies", "greedy,random"), call(capsys, "run", "baseline")]
    assert [done.code for done in refused] == [2, 2]
    refused.append(call(capsys, "report", "run", "--sections", "dice"))
    assert refused[-1].code == 1
    for done, (kind, file) in zip(refused, own.items(), strict=True):
        assert f"{here}/{kind}/{file}" in done.err
        assert done.err.endswith(f"; it hides {tool_folder(kind) / file}\n")


def test_only_a_file_of_the_own_folder_hides_one(here: Path) -> None:
    (here / "policies" / "greedy.py").write_text("")
    shipped = tool_folder("policies") / "greedy.py"
    assert hiding("policies", here / "policies" / "greedy.py") == f"; it hides {shipped}"
    assert hiding("policies", shipped) == hiding("policies", here / "greedy.py") == hiding("policies", here / "policies" / "pipe.py") == ""


# --- names and text ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a,b", "a:b", "a=b", 'a"b', "@a", " a", "a "])
def test_a_name_that_cannot_be_called_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    path = tmp_path / "policies" / f"{name}.py"
    path.write_text('BASE = "greedy"\n')
    told: list[PolicyError] = []
    list_policies(on_broken=told.append)
    assert [str(error) for error in told] == [
        f'{path}: a policy whose name holds a comma, a colon, = or ", begins with @ or has a space at an end cannot be called'
    ]


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "marked.py").write_bytes('\ufeff"""Marked."""\r\n\r\nBASE = "greedy"\r\n'.encode())
    (tmp_path / "policies" / "marked.toml").write_bytes("\ufeff[weights]\r\nfield = 2\r\n".encode())
    assert (find_policy("marked").doc, find_policy("marked").weights["field"]) == ("Marked.", 2.0)


@pytest.mark.parametrize("name", [name for name in ODDITIES if name != "syntax"])
def test_weights_are_read_with_the_same_care(here: Path, name: str) -> None:
    (here / "policies" / "beside.py").write_text('BASE = "greedy"\n')
    (here / "experiments" / f"{name}.toml").rename(here / "policies" / "beside.toml")
    said = ODDITIES[name][1]
    with pytest.raises(PolicyError, match=r"beside\.toml") as beside:
        find_policy("beside")
    with pytest.raises(PolicyError, match=r"beside\.toml") as called:
        find_policy("greedy:@policies/beside.toml")
    assert said in str(beside.value) and said in str(called.value)


def test_a_file_that_may_not_be_read_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: Any, **__: Any) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "mine.py").write_text("")
    monkeypatch.setattr(Path, "read_bytes", refuses)
    with pytest.raises(PolicyError, match=r"mine\.py: Permission denied$"):
        named(str(tmp_path / "mine.py"))


def test_the_largest_file_is_read_and_a_socket_is_not(tmp_path: Path) -> None:
    (tmp_path / "large").write_text("#" * MOST_BYTES)
    assert len(read_text(tmp_path / "large")) == MOST_BYTES
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        with pytest.raises(Unreadable, match=r"door: is a socket, not a file$"):
            read_text(tmp_path / "door")
    with pytest.raises(Unreadable, match=r"/dev/zero: is a device, not a file$"):
        read_text(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("WEIGHTS: dict = {[1]: 2}\n", "line 1: WEIGHTS is written out, without names or calls"),
        ('WEIGHTS = {"a": (0, 0, 1' + "0" * 400 + ")}\n", "WEIGHTS is a dict of name: (default, low, high)"),
        (f"x = {'-' * 60_000}1\n", "is nested too deeply to be read"),
    ],
)
def test_other_odd_files_are_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "odd.py").write_text(f"{text}def score(*_):\n    pass\n")
    with pytest.raises(PolicyError) as refused:
        named(str(tmp_path / "odd.py"))
    assert told in str(refused.value)


def test_a_number_too_large_beside_a_base_is_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text('BASE = "greedy"\nWEIGHTS = {"field": 1' + "0" * 400 + "}\n")
    with pytest.raises(PolicyError) as refused:
        named(str(path))
    assert str(refused.value) == f"{path}, line 2: weight field: beside BASE, WEIGHTS is a dict of name: number"


def test_weights_may_be_annotated(tmp_path: Path) -> None:
    (tmp_path / "typed.py").write_text('WEIGHTS: dict[str, tuple] = {"a": (1, 0, 2)}\n\n\ndef score(*_):\n    pass\n')
    assert named(str(tmp_path / "typed.py")).weights == {"a": 1.0}
