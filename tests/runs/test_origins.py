"""A run whose policies are gone, renamed, moved or changed: whoever opens it is told where it had them from."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calls import Call, call, forget_policies

from lagranja_sim.modules import module_name
from lagranja_sim.policy.modules import load_module

POLICIES = ("mine:share=2", "greedy:@weights.toml")
ORIGIN = "the run had mine from"
UNKNOWN = "lagranja: no policy is called 'mine'"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an own policy and a file of weights, and a run in which they played."""
    home = tmp_path / "home"
    (home / "policies").mkdir(parents=True)
    (tmp_path / "elsewhere" / "policies").mkdir(parents=True)
    (home / "policies" / "mine.py").write_text('"""Mine."""\n\nBASE = "greedy"\n')
    (home / "weights.toml").write_text("[weights]\nfield = 2\n")
    (home / "two.toml").write_text(f"games = 2\nplayers = 2\nseed = 1\npolicies = {json.dumps(POLICIES)}\n")
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def run(home: Path, capsys: Any) -> Path:
    assert call(capsys, "run", "two.toml").code == 0
    return home / "runs" / "two"


def write(path: Path, text: str) -> None:
    """Change a file after it was read: a process reads a policy once."""
    path.write_text(text)
    forget_policies()


def opened(capsys: Any, run: Path) -> list[Call]:
    """The run as each command opens it that needs its policies."""
    return [call(capsys, "replay", run, 1), call(capsys, "run", run, "--out", "again"), call(capsys, "compare", run, run)]


def test_the_manifest_keeps_where_each_policy_is_from(home: Path, run: Path) -> None:
    kept = json.loads((run / "manifest.json").read_text())["policies"]
    assert kept["mine:share=2"]["path"] == str(home / "policies" / "mine.py")
    assert kept["greedy:field=2"]["path"].endswith("policies/greedy.py")


def test_from_another_folder_the_right_one_is_named(home: Path, run: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.parent / "elsewhere")
    for done in opened(capsys, run):
        assert (done.code, done.out) == (2, "")
        assert "no policy is called 'mine'" in done.err
        assert done.err.splitlines()[1:] == [
            f"lagranja: {ORIGIN} {home}/policies/mine.py, which is still there: give the command in {home}"
        ]


@pytest.mark.parametrize(
    ("name", "said"), [(None, "which is gone"), ("_mine.py", "which is gone"), ("other.py", "which is gone; other says the same")]
)
def test_a_file_that_is_gone_or_renamed(home: Path, run: Path, capsys: Any, name: str | None, said: str) -> None:
    path = home / "policies" / "mine.py"
    path.rename(path.with_name(name)) if name else path.unlink()
    for done in opened(capsys, run):
        assert (done.code, done.out) == (2, "")
        assert done.err.splitlines()[1:] == [f"lagranja: {ORIGIN} {path}, {said}"]


def test_a_file_that_was_moved_and_is_another_one_there(home: Path, run: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    there = home.parent / "elsewhere" / "policies" / "mine.py"
    (home / "policies" / "mine.py").rename(there)
    monkeypatch.chdir(home.parent / "elsewhere")
    assert call(capsys, "replay", run, 1).err == ""  # the same policy, wherever it lies
    write(there, '"""Mine."""\n\nBASE = "random"\n')
    refused = call(capsys, "replay", run, 1)
    assert refused.code == 2
    assert "policy mine has no weight 'share'" in refused.err
    assert f"{ORIGIN} {home}/policies/mine.py, which is gone; at hand is {there}" in refused.err


def test_a_file_that_has_changed(home: Path, run: Path, capsys: Any) -> None:
    path = home / "policies" / "mine.py"
    write(path, path.read_text() + '\nWEIGHTS = {"step": 4.0}\n')
    line = f"{ORIGIN} {path}, which has changed since"
    replayed, _, compared = opened(capsys, run)
    assert (replayed.code, replayed.err.splitlines()) == (0, ["the policies are not those the run was played with", line])
    assert (compared.code, compared.err.splitlines()[1:]) == (2, [f"lagranja: {line}"])
    write(path, "def (:\n")
    broken = call(capsys, "replay", run, 1)
    assert broken.code == 2
    assert broken.err.splitlines() == [
        f"lagranja: {path}, line 1: invalid syntax",
        f"lagranja: {ORIGIN} {path}, which cannot be used any more ({path}, line 1: invalid syntax)",
    ]


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("[weights]\nfield = 3\n")], ids=["gone", "changed"])
def test_a_file_of_weights_that_is_gone_or_changed(home: Path, run: Path, capsys: Any, change: Callable[[Path], Any]) -> None:
    change(home / "weights.toml")
    line = f"the weights of greedy:@{home}/weights.toml have changed or are gone; the run played greedy:field=2"
    assert line in call(capsys, "replay", run, 1).err
    compared = call(capsys, "compare", run, run)
    assert compared.code == 2
    assert line in compared.err


def test_a_module_that_a_policy_needs_and_is_gone(home: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "policies" / "helped.py").write_text(
        '"""Helped."""\n\nimport helper_of_one_test\n\n\nclass Policy:\n    def choose(self, *_):\n        return helper_of_one_test.FIRST\n'
    )
    (home / "helper_of_one_test.py").write_text("FIRST = 0\n")
    (home / "one.toml").write_text('games = 2\nplayers = 2\nseed = 1\npolicies = ["helped"]\n')
    with monkeypatch.context() as patched:
        patched.syspath_prepend(str(home))
        assert call(capsys, "run", "one.toml", "--backend", "threading").code == 0
    forget_policies()
    load_module.cache_clear()
    for module in ("helper_of_one_test", module_name(home / "policies" / "helped.py")):
        monkeypatch.delitem(sys.modules, module)
    refused = call(capsys, "replay", "runs/one", 1)
    assert (refused.code, refused.out) == (2, "")
    path = home / "policies" / "helped.py"
    assert refused.err.splitlines() == [
        f"lagranja: {path}, line 3: ModuleNotFoundError: No module named 'helper_of_one_test'",
        "lagranja:     import helper_of_one_test",
        f"lagranja: {path} itself has not changed since the run; something that it needs has",
    ]


def test_a_run_of_an_earlier_version_does_not_say(home: Path, run: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = json.loads((run / "manifest.json").read_text())
    for kept in manifest["policies"].values():
        del kept["path"]
    (run / "manifest.json").write_text(json.dumps(manifest))
    monkeypatch.chdir(home.parent / "elsewhere")
    refused = call(capsys, "replay", run, 1)
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
    assert refused.err.startswith(UNKNOWN)
