"""A folder with policies of one's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest


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
