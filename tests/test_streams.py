"""Standard output and error as a shell may hand them over, and what is said then."""

import io
import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from calls import COMMAND, call, environment

from lagranja_sim import cli, streams

LAGRANJA = " ".join(COMMAND)
FULL = "lagranja: standard output cannot be written: No space left on device\n"
CLOSED = "lagranja: standard output cannot be written: Bad file descriptor\n"


def shell(line: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A line as a shell runs it; `lagranja` in it is this checkout's."""
    line = line.replace("lagranja", LAGRANJA)
    return subprocess.run(["bash", "-c", line], cwd=cwd, env=environment(), capture_output=True, text=True, timeout=120, check=False)


# --- nowhere to print to -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("lagranja variants >/dev/full", FULL),
        ("lagranja variants --json >&-", CLOSED),
        ("PYTHONIOENCODING=ascii lagranja variants <&- >/dev/full", FULL),
        ("lagranja --help >/dev/full", FULL),
        ("lagranja --version >&-", CLOSED),
        ("lagranja variants >/dev/full 2>&-", ""),
        ("lagranja variants >&- 2>/dev/full", ""),
    ],
)
def test_what_cannot_be_printed_is_said_and_ends_with_1(line: str, said: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


@pytest.mark.parametrize("line", ["lagranja components --part hats 2>&-", "lagranja components --part hats 2>/dev/full"])
def test_without_standard_error_the_exit_code_still_speaks_and_nothing_goes_to_standard_output(line: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_a_reader_that_has_had_enough_is_told_nothing() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    line = [*COMMAND, "variants"]
    done = subprocess.run(line, env=environment(), stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (cli.PIPE_CLOSED, "")


class Broken(io.StringIO):
    """Takes nothing."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(28, "No space left on device"), 1, FULL + "lagranja: here is written all the same\n"),
        (BrokenPipeError(32, "Broken pipe"), cli.PIPE_CLOSED, "lagranja: here is written all the same\n"),
    ],
)
def test_a_run_that_is_safe_says_so(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, error: OSError, code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Broken(error))
        done = call(capsys, "run", "baseline", "--games", 4, "--out", "here")
    assert (done.code, done.err) == (code, said)
    assert call(capsys, "replay", "here", 3).code == 0


def test_a_run_goes_on_without_standard_error(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", Broken(BrokenPipeError(32, "Broken pipe")))
        done = call(capsys, "run", "baseline", "--games", 3, "--json")  # it would say that it plays four
    assert (done.code, json.loads(done.out)["games"]) == (0, 4)


def test_a_current_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    gone = "mkdir gone; cd gone; rmdir ../gone; "
    done = shell(gone + "lagranja variants", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lagranja: the current folder is gone; change to one that is there\n"
    assert shell(gone + "lagranja --version", tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(24, "Too many open files", "some/file"), "some/file: Too many open files"),
        (OSError("no usable folder"), "no usable folder"),
        (MemoryError(), "the memory is used up; fewer games at a time (--jobs, --games) need less"),
    ],
)
def test_what_the_machine_refuses_is_no_fault_of_the_tool(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    from lagranja_sim import policy

    def fails(*_: Any, **_options: Any) -> None:
        raise error

    monkeypatch.setattr(policy, "list_policies", fails)
    failed = call(capsys, "policies")
    assert (failed.code, failed.out, failed.err) == (1, "", f"lagranja: {said}\n")


def test_compiled_code_that_cannot_be_kept_is_used_all_the_same(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lagranja_sim import code_cache

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv(code_cache.SAID, "")
    monkeypatch.setattr(code_cache, "CACHE", tmp_path)
    monkeypatch.setattr(Path, "write_bytes", fails)
    for name in ("one", "two"):
        code_cache.write(tmp_path / name, b"code")
    said = f"lagranja: {tmp_path} cannot be written (No space left on device): compiled code is not kept; LAGRANJA_CACHE names another folder\n"
    assert capsys.readouterr().err == said


# --- spelling ------------------------------------------------------------------------------------------------------------------------


def spelled(encoding: str, text: str, errors: str = "strict") -> bytes:
    """What a stream of an encoding gets when a text is printed."""
    raw = io.BytesIO()
    before, sys.stdout = sys.stdout, io.TextIOWrapper(raw, encoding, errors)
    try:
        with streams.guarded():
            print(text, end="", flush=True)
        assert sys.stdout.errors == errors
        return raw.getvalue()
    finally:
        sys.stdout = before


def test_what_an_encoding_lacks_becomes_what_is_nearest() -> None:
    assert spelled("ascii", "−1 – 2 × ä “x” ☃") == b"-1 - 2 x a ?x? ?"
    assert spelled("latin-1", "−1 × ä") == "-1 × ä".encode("latin-1")
    assert spelled("utf-8", "−1 × ä") == "−1 × ä".encode()


def test_names_of_files_that_are_no_text_come_out_as_they_are() -> None:
    assert spelled("utf-8", "runs/\udcff") == b"runs/\xff"


def test_json_is_the_same_in_every_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"−": "ä \udcff"}
    for encoding in ("ascii", "latin-1", "utf-8"):
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
        text = streams.json_text(value)
        assert json.loads(text.encode(encoding)) == value


def test_plain_letters_are_enough_for_every_table(tmp_path: Path) -> None:
    done = shell("PYTHONIOENCODING=ascii lagranja components --part cards", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


COMMANDS = (
    ("variants",),
    ("components", "--part", "roofs"),
    ("policies",),
    ("play", "--seed", 1),
    ("run", "baseline", "--games", 4),
    ("compare", "yucata", "--policies", "greedy", "--games", 8),
)


@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_what_is_printed_can_be_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, command: tuple[Any, ...]) -> None:
    """Spaces are plain ones, and nothing is invisible."""
    monkeypatch.chdir(tmp_path)
    done = call(capsys, *command)
    assert done.code == 0
    assert {character for character in done.out + done.err if unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cf")} <= {" "}
    assert command[0] != "run" or "start position" in done.out
