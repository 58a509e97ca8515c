"""One writer at a time: a lock on a folder itself.

It is the operating system's (flock), so it ends with the process however that ends, and it leaves no file that could be counted or hashed
or get in the way. It holds among the processes of one machine. Systems and file systems that know no such lock go without.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]


class Busy(Exception):
    """Another call holds the folder."""


@contextlib.contextmanager
def hold_folder(folder: Path, passing: bool = False) -> Iterator[None]:
    """Hold the folder, or raise `Busy`. A missing folder is made, and removed again if it stays empty.

    A `passing` one is removed when it is empty even if it was there before, as an earlier call made it."""
    new_folders = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        descriptor = _lock(folder)
    except OSError:
        _remove_empty(new_folders)
        raise
    try:
        yield
    finally:
        # before the lock is released, or another process could lock a folder that is gone
        _remove_empty([folder, *new_folders] if passing else new_folders)
        if descriptor is not None:
            os.close(descriptor)


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _lock(folder: Path) -> int | None:
    """The number of the open folder, which holds the lock until it is closed; None where there are no locks."""
    folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise Busy from None
    except OSError:
        pass  # a file system without locks
    if _is_there(folder, descriptor):
        return descriptor
    os.close(descriptor)  # whoever held it before removed it
    return _lock(folder)


def _is_there(folder: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(folder.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
