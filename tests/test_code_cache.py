"""The cache of compiled code: found by content, never mixed up; damaged, full or closed to writing it stops nobody."""

import errno
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from calls import environment, process
from numba import njit

from lagranja_sim import code_cache
from lagranja_sim.compile import INTERPRETED, entry, kernel

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, of which nothing was said yet."""
    monkeypatch.setattr(code_cache, "CACHE", tmp_path / "code")
    monkeypatch.setenv(code_cache.SAID, "")
    monkeypatch.setitem(sys.modules, "a_policy", ModuleType("a_policy"))
    return tmp_path / "code"


def made(number: float, text: str = "return K + x", decorator: Any = entry) -> Any:
    """A compiled function as another process would make it."""
    names = {"K": number}
    exec(f"def made(x):\n    {text}", names)
    names["made"].__module__ = "a_policy"  # type: ignore[attr-defined]
    return decorator(names["made"])


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def stored() -> list[Path]:
    return code_cache.code_files()


# --- by content ----------------------------------------------------------------------------------------------------------------------


def test_code_is_found_again_by_the_content_that_it_was_compiled_from(folder: Path) -> None:
    first = made(1)
    assert (first(1), hits(first), len(stored())) == (2, 0, 1)
    again = made(1)
    assert (again(1), hits(again), len(stored())) == (2, 1, 1)
    other = made(5)
    assert (other(1), hits(other), len(stored())) == (6, 0, 2)
    assert (made(5)(1), made(1)(1)) == (6, 2)


def test_a_kernel_and_what_it_calls_are_one_content(folder: Path) -> None:
    def calling(number: float) -> Any:
        names = {"inner": made(number)}
        exec("def calling(x):\n    return inner(x)", names)
        return kernel(names["calling"])

    assert [calling(number)(1) for number in (1, 5, 1)] == [2, 6, 2]


def test_numbas_own_decorator_keeps_by_content_too(folder: Path) -> None:
    assert [made(number, decorator=njit(cache=True))(1) for number in (1, 5, 1)] == [2, 6, 2]
    assert made(5, decorator=njit("int64(int64)", cache=True))(1) == 6
    assert len(stored()) == 3


def test_options_are_part_of_the_content(folder: Path) -> None:
    assert made(1, decorator=njit(cache=True))(1) == made(1, decorator=njit(cache=True, fastmath=True))(1) == 2
    assert len(stored()) == 2


def test_code_that_counts_references_is_found_where_they_need_not_be_counted(folder: Path) -> None:
    """A policy that makes arrays is compiled at the second try only; in the next process the first one finds that."""
    made(1, decorator=njit(cache=True))(1)
    again = made(1, decorator=njit(cache=True, _nrt=False))
    assert (again(1), hits(again)) == (2, 1)


def test_what_points_into_this_process_is_not_kept(folder: Path, capsys: Any) -> None:
    large = np.arange(200_000.0)
    assert [made(number, "return K[x]")(7) for number in (large, large[::2])] == [7.0, 14.0]
    assert capsys.readouterr().err == (
        "lagranja: <string>: made uses an array of more than a megabyte, or part of an array: every process compiles it anew\n"
    )
    assert made(numba.typed.List([1]), "return x")(7) == 7
    higher = made(0, "return x(2)")
    assert higher(made(3)) == 5
    assert {path.name.partition("-")[0] for path in stored()} == {"a_policy.made"}
    assert len(stored()) == 2  # the one that was handed over, and the one that does not use its list


def test_only_the_newest_files_of_a_function_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "KEPT", 2)
    for number in range(4):
        assert made(number)(1) == number + 1
    assert len(stored()) == 2
    newest = made(3)
    assert (newest(1), hits(newest)) == (4, 1)


FACTORY = """
import sys, types
from lagranja_sim.compile import kernel

sys.modules["a_policy"] = types.ModuleType("a_policy")

def make(number):
    def inner(x):
        return number + x
    inner.__module__ = "a_policy"
    return kernel(inner)

one, other = (make(int(number)) for number in sys.argv[1:])

def both(x):
    return 10 * one(x) + other(x)

both.__module__ = "a_policy"
print(one(0), other(0), kernel(both)(0))
"""


def test_code_of_today_is_not_taken_for_code_of_that_name_out_of_the_cache(tmp_path: Path) -> None:
    """numba alone would: both bear one name and one number, and where both are called the second would do what the first does."""
    for numbers in ("12", "13"):
        command = [sys.executable, "-c", FACTORY, *numbers]
        done = subprocess.run(command, env=environment(LAGRANJA_CACHE=str(tmp_path)), capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == (f"{numbers[0]} {numbers[1]} {numbers}\n", "")


# --- what can go wrong ---------------------------------------------------------------------------------------------------------------


def flipped(data: bytes) -> bytes:
    """With one bit changed far in."""
    middle = len(data) * 3 // 4
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGES = {
    "cut in half": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "changed": flipped,
    "longer": lambda data: data + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_anew_and_said_once(folder: Path, capsys: Any, damage: str) -> None:
    for text in ("return K + x", "return K - x"):
        made(1, text)(1)
    files = {path: path.read_bytes() for path in stored()}
    for path, data in files.items():
        path.write_bytes(DAMAGES[damage](data))
    assert set(code_cache.damaged_files()) == set(files)
    capsys.readouterr()
    assert (made(1)(1), made(1, "return K - x")(1)) == (2, 0)
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"lagranja: 2 files in {folder} (a_policy.made-")
    assert said.err.endswith(".nbc) were damaged: what was compiled there is compiled anew\n")
    assert not list(code_cache.damaged_files())
    again = made(1)
    assert (again(1), hits(again), capsys.readouterr().err) == (2, 1, "")


def test_a_file_that_leads_nowhere_is_made_anew(folder: Path, capsys: Any) -> None:
    """Whole, but not what this numba writes."""
    made(1)(1)
    (path,) = stored()
    path.write_bytes(code_cache.pack(b"something else"))
    assert made(1)(1) == 2
    assert capsys.readouterr().err == f"lagranja: {path} cannot be read (UnpicklingError): what was compiled there is compiled anew\n"


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file grows beyond a few bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_stops_nobody(folder: Path, capsys: Any, small_files: None) -> None:
    assert [made(number)(1) for number in (1, 5)] == [2, 6]
    message = capsys.readouterr().err
    assert (
        message
        == f"lagranja: {folder} cannot be written (File too large): compiled code is not kept; LAGRANJA_CACHE names another folder\n"
    )
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_stops_nobody(folder: Path, capsys: Any) -> None:
    folder.write_text("a file")
    assert [made(number)(1) for number in (1, 5)] == [2, 6]
    message = capsys.readouterr().err
    assert (
        message == f"lagranja: {folder} cannot be written (File exists): compiled code is not kept; LAGRANJA_CACHE names another folder\n"
    )
    assert folder.read_text() == "a file"


def test_a_file_closed_to_reading_is_made_anew(folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made(1)(1)

    def closed(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", closed)
    assert made(1)(1) == 2
    assert "cannot be read (PermissionError): what was compiled there is compiled anew\n" in capsys.readouterr().err


def test_workers_of_a_command_do_not_say_it_again(folder: Path, capsys: Any) -> None:
    code_cache.say_once("something", "it happened")
    assert capsys.readouterr().err == "lagranja: it happened\n"
    code = "from lagranja_sim.code_cache import say_once; say_once('something', 'it happened'); say_once('else', 'more')"
    child = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert child.stderr == "lagranja: more\n"


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("LAGRANJA_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(OSError):
        code_cache.cache_root().mkdir(parents=True)


# --- doctor --------------------------------------------------------------------------------------------------------------------------


def test_doctor_sees_damaged_files(tmp_path: Path) -> None:
    cache = tmp_path / code_cache.CACHE.name
    cache.mkdir()
    (cache / "whole-1.nbc").write_bytes(code_cache.pack(b"code"))
    assert process("doctor", LAGRANJA_CACHE=str(tmp_path)).code == 0
    (cache / "cut-2.nbc").write_bytes(code_cache.pack(b"code")[:-1])
    seen = process("doctor", "--json", LAGRANJA_CACHE=str(tmp_path))
    assert seen.code == 1
    problem = (
        f"1 file in {cache} (cut-2.nbc) was damaged: what was compiled there is compiled anew when it is needed; delete what is damaged"
    )
    assert json.loads(seen.out)["problems"] == [problem]


def test_doctor_sees_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    seen = process("doctor", LAGRANJA_CACHE=str(tmp_path / "file"))
    assert seen.code == 1
    assert f"{tmp_path / 'file' / code_cache.CACHE.name} cannot be written: every process compiles the rules anew" in seen.out


def test_doctor_sees_a_full_disk(folder: Path, small_files: None) -> None:
    from lagranja_sim.doctor import is_writable

    assert not is_writable(folder)
    with tempfile.TemporaryFile(dir=folder.parent):
        pass  # an empty file can still be made
