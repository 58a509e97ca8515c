"""The wheel and the sdist: what is in them, and that an installed wheel works outside the checkout, without a network."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from calls import CHECKOUT

import lagranja_sim


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from the checkout."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--sdist", "--outdir", str(folder), str(CHECKOUT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, which borrows everything else from this one."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    wheel = next(built.glob("*.whl"))
    python = str(folder / "bin" / "python")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--ignore-installed",
        str(wheel),
    ]
    subprocess.run(pip, check=True, capture_output=True, text=True)
    return folder / "bin" / "lagranja"


def outside(command: Path, folder: Path, *arguments: str, **more: str) -> str:
    """What the installed command prints, far from the checkout."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([str(command), *arguments], cwd=folder, env={**environment, **more}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(kind: str, pattern: str) -> set[str]:
    return {path.name for path in (CHECKOUT / kind).glob(pattern)}


def names(members: Iterable[str], folder: str) -> set[str]:
    return {member.removeprefix(folder) for member in members if member.startswith(folder)}


def test_the_wheel_holds_the_package_and_the_plug_ins_inside_it(built: Path) -> None:
    members = zipfile.ZipFile(next(built.glob("*.whl"))).namelist()
    assert {member.partition("/")[0] for member in members} == {"lagranja_sim", f"lagranja_sim-{lagranja_sim.__version__}.dist-info"}
    assert files("policies", "*.py") <= names(members, "lagranja_sim/policies/")
    assert files("experiments", "*.toml") <= names(members, "lagranja_sim/experiments/")
    assert {"cards.csv", "rules.toml", "variants/deluxe.toml"} <= names(members, "lagranja_sim/games/lagranja/components/printed/")
    assert not [member for member in members if "__pycache__" in member or member.endswith(".pyc")]


def test_the_sdist_is_complete(built: Path) -> None:
    root = f"lagranja_sim-{lagranja_sim.__version__}/"
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        members = names(archive.getnames(), root)
    assert {"pyproject.toml", "LICENSE", "README.md", "Makefile", "tests/test_package.py", "policies/random.py"} <= members
    assert {"experiments/baseline.toml", "lagranja_sim/cli.py"} <= members
    assert not [member for member in members if member.startswith(("runs/", ".venv/"))]


def test_the_installed_command_finds_its_plug_ins(installed: Path, tmp_path: Path) -> None:
    assert "run" in outside(installed, tmp_path, "--help")
    assert outside(installed, tmp_path, "--version") == f"lagranja {lagranja_sim.__version__}\n"
    assert {policy["name"] for policy in json.loads(outside(installed, tmp_path, "policies", "--json"))} >= {"greedy", "random"}
    assert json.loads(outside(installed, tmp_path, "components", "--json"))
    folders = json.loads(outside(installed, tmp_path, "doctor", "--json"))["plugins"]["policies"]
    assert [Path(folder).parts[-2:] for folder in folders] == [("lagranja_sim", "policies")]
    assert str(CHECKOUT) not in folders[0]


def test_the_installed_command_plays(installed: Path, tmp_path: Path) -> None:
    """Uncompiled, for compiling takes longer than four games do."""
    printed = outside(installed, tmp_path, "run", "baseline", "--games", "4", "--jobs", "1", "--json", NUMBA_DISABLE_JIT="1")
    assert json.loads(printed)["games"] == 4
    assert (tmp_path / "runs" / "baseline" / "seats" / "part-00000.parquet").is_file()
