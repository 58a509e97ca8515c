"""Calling `lagranja` as a user does: within this process, or as a process of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lagranja_sim import cli
from lagranja_sim.modules import text_of
from lagranja_sim.policy import describe_referred, hash_taken_in
from lagranja_sim.policy.written import written

HELPERS = Path(__file__).parent
CHECKOUT = HELPERS.parent.parent
COMMAND = [sys.executable, "-m", "lagranja_sim.cli"]


@dataclass(frozen=True)
class Call:
    """How a call ended and what it printed."""

    code: int
    out: str
    err: str


def call(capsys: Any, *arguments: object) -> Call:
    """The command, in this process."""
    capsys.readouterr()
    with patch.object(sys, "argv", ["lagranja", *map(str, arguments)]):
        try:
            cli.main()
            code: object = 0
        except SystemExit as end:
            code = end.code
    printed = capsys.readouterr()
    return Call(int(code or 0), printed.out, printed.err)  # type: ignore[call-overload]


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that finds this checkout's package first."""
    path = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, **more}


def process(*arguments: object, cwd: Path | None = None, **more: str) -> Call:
    """The command, as a process of its own."""
    done = subprocess.run([*COMMAND, *map(str, arguments)], cwd=cwd, env=environment(**more), capture_output=True, text=True, timeout=600)
    return Call(done.returncode, done.stdout, done.stderr)


def part_bytes(run: Path) -> dict[str, bytes]:
    """The content of every part of a run, by name."""
    return {str(path.relative_to(run)): path.read_bytes() for path in sorted(run.rglob("*.parquet"))}


def forget_policies() -> None:
    """What was read of policy files, which a process reads once, so that what is changed in them counts."""
    for reader in (text_of, written, describe_referred, hash_taken_in):
        reader.cache_clear()
