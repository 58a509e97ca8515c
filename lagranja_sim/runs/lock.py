"""One writer at a time: a lock on a folder itself.

It is the operating system's (flock), so it ends with the process however that ends, and it leaves no file that could be counted, hashed or
tripped over. It holds among the processes of one machine. Systems and file systems that know no such lock go without.
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
def held(folder: Path, passing: bool = False) -> Iterator[None]:
    """Hold the folder, or raise `Busy`. It is made if it is not there, and removed again if nothing came into it.

    A `passing` one is removed when it is empty even if it was there before: an earlier call made it."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        descriptor = _locked(folder)
    except OSError:
        _remove_empty(made)
        raise
    try:
        yield
    finally:
        _remove_empty([folder, *made] if passing else made)  # before the lock is free, lest somebody has it of a folder that is gone
        if descriptor is not None:
            os.close(descriptor)


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _locked(folder: Path) -> int | None:
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
    return _locked(folder)


def _is_there(folder: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(folder.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
