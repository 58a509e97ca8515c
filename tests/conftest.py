"""The rules are compiled once before the tests are dealt out to workers, which would otherwise each do so; a folder for policies."""

from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """The controller (or the only process) fills the cache; workers find it full."""
    if hasattr(session.config, "workerinput") or session.config.option.collectonly:
        return
    from lagranja_sim.play.driver import warm_up
    from lagranja_sim.policy import find_policy

    warm_up([find_policy(name) for name in ("random", "greedy", "balanced")])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "policies").mkdir()
    return folder


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder for policies of one's own, empty; no test uses a name that another one uses, for what is loaded stays so."""
    monkeypatch.chdir(home)
    yield home
    for path in (home / "policies").glob("*.*"):
        path.unlink()
