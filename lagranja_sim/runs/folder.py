"""Folders that are written to, on this machine or behind any fsspec URL.

Every file the tool leaves is written here: under another name first and then renamed, so that it is there whole or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec

from lagranja_sim.errors import UserError
from lagranja_sim.runs.lock import Busy, hold_folder

FULL = (errno.ENOSPC, errno.EDQUOT)
HALF_WRITTEN = re.compile(r"\.[\w-]+\.\w+\.[0-9a-f]{8}")  # the name of a file that a process had not finished when it died


class RunError(UserError, ValueError):
    """A folder that cannot be used for what was asked."""


class RunFailed(UserError, RuntimeError):
    """Work that stopped before its end; what it finished is kept."""

    exit_code = 1


class Unwritten(RunFailed):
    """Work that was done, but whose `result` could not be written."""

    def __init__(self, result: Any, reason: str) -> None:
        super().__init__(reason)
        self.result = result


class Folder:
    """A folder on this machine or behind any fsspec URL. What cannot be written raises `OSError`, wherever it is."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self.files, root = fsspec.core.url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise RunError(f"{url}: {error}") from error
        self.root = root.rstrip("/")
        protocols = self.files.protocol
        self.is_local = "file" in ((protocols,) if isinstance(protocols, str) else protocols)

    @classmethod
    def at(cls, place: str | Path) -> Folder:
        """The folder of a URL or a path, which is made absolute: the current folder may change."""
        return cls(str(place) if "://" in str(place) else str(Path(place).resolve()))

    def path(self, name: str) -> str:
        return f"{self.root}/{name}"

    def local_path(self, name: str) -> str | None:
        """The path of a file that other libraries can open: on this machine, and spelled in Unicode."""
        path = self.path(name)
        return path if self.is_local and path.encode("utf-8", "ignore").decode() == path else None

    def exists(self, name: str = "") -> bool:
        return bool(self.files.exists(self.path(name).rstrip("/")))

    def is_file(self) -> bool:
        return bool(self.files.isfile(self.root))

    def names(self, folder: str = "") -> list[str]:
        """The names in a folder, without half-written files; none if there is no such folder."""
        return [name for name in self._all_names(folder) if not HALF_WRITTEN.fullmatch(name)]

    def _all_names(self, folder: str) -> list[str]:
        try:
            paths = self.files.ls(self.path(folder).rstrip("/"), detail=False)
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(str(path).rstrip("/").rsplit("/", 1)[-1] for path in paths)

    def size_of(self, name: str) -> int | None:
        """The size of a file; None if it is not there."""
        try:
            return int(self.files.size(self.path(name)))
        except FileNotFoundError:
            return None

    def read(self, name: str) -> bytes:
        return bytes(self.files.cat_file(self.path(name)))

    def write(self, name: str, content: bytes) -> None:
        """Write a file so that it is there whole or not at all."""
        with self._half_written(name, content) as temporary:
            self.files.mv(temporary, self.path(name))

    @contextlib.contextmanager
    def _half_written(self, name: str, content: bytes) -> Iterator[str]:
        """The content in a file with a temporary name, which is removed afterwards."""
        folder, _, base = self.path(name).rpartition("/")
        temporary = f"{folder}/.{base}.{uuid.uuid4().hex[:8]}"
        try:
            self._make(folder)
            with self.files.open(temporary, "wb") as file:
                file.write(content)
            yield temporary
        except OSError:
            raise
        except Exception as error:  # other stores raise exceptions of their own
            raise OSError(errno.EIO, str(error), self.path(name)) from error
        finally:
            with contextlib.suppress(Exception):
                self.files.rm_file(temporary)

    def _make(self, folder: str) -> None:
        try:
            self.files.makedirs(folder, exist_ok=True)
        except FileExistsError as error:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from error

    def write_text(self, name: str, text: str) -> None:
        """Write a text as UTF-8; bytes that a file name holds and Unicode does not are written as escapes."""
        self.write(name, text.encode("utf-8", "backslashreplace"))

    def write_new(self, name: str, text: str) -> None:
        """Write a file that does not exist yet; raises `FileExistsError` if it does."""
        if self.exists(name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self.path(name))
        self.write_text(name, text)

    def remove(self, name: str) -> None:
        self.files.rm_file(self.path(name))

    def sweep(self, folder: str = "") -> None:
        """Remove half-written files from a folder; nobody else may be writing there."""
        for name in self._all_names(folder):
            if HALF_WRITTEN.fullmatch(name):
                self.remove(f"{folder}/{name}".lstrip("/"))

    def hold(self, passing: bool = False) -> contextlib.AbstractContextManager[None]:
        """Within it nobody else writes here; see `lock.hold_folder`. Folders that are not local have no lock."""
        if self.is_file():
            raise RunError(f"{self.url} is a file; choose a folder with --out")
        return self._held(passing) if self.is_local else contextlib.nullcontext()

    @contextlib.contextmanager
    def _held(self, passing: bool) -> Iterator[None]:
        try:
            lock = contextlib.ExitStack()
            lock.enter_context(hold_folder(Path(self.root), passing))
        except Busy:
            raise RunError(
                f"{self.url}: another call is writing there; wait until it has ended, or choose another place with --out"
            ) from None
        except OSError as error:
            raise self.refusal(error) from error
        with lock:
            yield

    def try_out(self) -> None:
        """Refuse a folder that cannot be written to, before any time is spent on what is to be written."""
        try:
            with self._half_written("trial.bin", bytes(4096)):
                pass
        except OSError as error:
            raise self.refusal(error) from error

    def refusal(self, error: OSError) -> RunError:
        return RunError(f"{self.url} cannot be written: {reason(error)}; choose another place with --out")


def reason(error: OSError) -> str:
    """Why a file could not be written, in words."""
    return "the disk is full" if error.errno in FULL else str(error.strerror or error)
