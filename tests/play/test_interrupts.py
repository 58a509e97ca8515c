"""Ctrl-C ends everything, also while a policy never answers: with 130, in plain words, and no process is left."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from calls import COMMAND, Call, environment

COMPILED = """
open("begun", "w").close()


def choose(game, box, seat, options, weights, notes):
    while game.round_number == 1 and len(options) > 0:
        game.luck += options[0].do
    return 0
"""
STUBBORN = """
class Policy:
    def choose(self, game, box, seat, options, weights, notes):
        while True:
            try:
                open("begun", "w").close()
                while True:
                    pass
            except BaseException:
                pass
"""
WEIGHTS = '"""Never answers."""\n\nWEIGHTS = {"first": (1.0, 0.0, 2.0), "second": (1.0, 0.0, 2.0)}\n'
RUN = ("run", "m.toml", "--out", "run")
TUNE = ("tune", "endless", "--against", "random", "--players", "2", "--jobs", "1")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "policies").mkdir()
    (tmp_path / "m.toml").write_text('games = 40\nplayers = 2\nseed = 7\npolicies = ["endless", "random"]\n')
    return tmp_path


def interrupted(here: Path, policy: str, *command: str) -> Call:
    """How a command ends that is interrupted, as from a terminal, while a policy thinks."""
    (here / "policies" / "endless.py").write_text(WEIGHTS + policy)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    child = subprocess.Popen([*COMMAND, *command], cwd=here, env=environment(), start_new_session=True, **pipes)  # type: ignore[call-overload]
    try:
        wait_until(lambda: (here / "begun").exists())
        if policy == COMPILED:
            time.sleep(3)  # it has been loaded, and is yet to be compiled
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=60)
        wait_until(lambda: not alive(child.pid))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    return Call(child.returncode, out, err)


def wait_until(is_so: object, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


def alive(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            found += [int(path.parent.name)] if int(its_group) == group and state not in "ZX" else []
    return found


@pytest.mark.parametrize(
    ("policy", "command"),
    [(COMPILED, (*RUN, "--jobs", "1")), (STUBBORN, (*RUN, "--jobs", "1")), (STUBBORN, (*RUN, "--jobs", "2"))],
    ids=["compiled", "class", "processes"],
)
def test_ctrl_c_ends_a_run_whose_policy_never_answers(here: Path, policy: str, command: tuple[str, ...]) -> None:
    ended = interrupted(here, policy, *command)
    assert (ended.code, ended.out) == (130, "")
    last = ended.err.splitlines()[-1]
    assert last.startswith("lagranja: interrupted: 0 of ") and last.endswith("; the same command continues the run")
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("policy", "command", "told"),
    [(STUBBORN, ("play", "--policies", "endless,random"), ""), (COMPILED, TUNE, ": nothing was finished yet")],
    ids=["play", "tune"],
)
def test_ctrl_c_ends_other_commands_whose_policy_never_answers(here: Path, policy: str, command: tuple[str, ...], told: str) -> None:
    ended = interrupted(here, policy, *command)
    assert (ended.code, ended.out) == (130, "")
    assert ended.err.splitlines()[-1] == f"lagranja: interrupted{told}"


@pytest.mark.xdist_group("checked")
def test_ctrl_c_ends_a_check(here: Path) -> None:
    ended = interrupted(here, STUBBORN, "policies", "check", "endless")
    assert (ended.code, ended.out) == (130, "yes  loads:         a Python class, 2 weights\n")
    assert ended.err.splitlines()[-1] == "lagranja: interrupted"
