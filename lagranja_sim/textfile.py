"""Text files that users write, read only once they are known to be such: a pipe, for one, would be waited for without end."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

MOST_BYTES = 1_000_000  # nobody writes more by hand, and to parse it would take many seconds
KINDS: dict[str, Callable[[int], bool]] = {
    "a folder": stat.S_ISDIR,
    "a pipe": stat.S_ISFIFO,
    "a socket": stat.S_ISSOCK,
    "a device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}


class Unreadable(ValueError):
    """A file that cannot be read as text, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason


def read_text(path: Path) -> str:
    """The text of a regular file in UTF-8, with or without a byte order mark. Raises `Unreadable`."""
    try:
        if reason := _obstacle(path):
            raise Unreadable(path, reason)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Unreadable(path, error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise Unreadable(path, f"is not UTF-8 text (byte {error.start + 1})") from None
    if "\0" in text:
        raise Unreadable(path, f"is no text: byte {text.index(chr(0)) + 1} is NUL")
    return text


def _obstacle(path: Path) -> str:
    """Why a file is not to be opened; nothing if it may be."""
    if path.is_symlink() and not path.exists():
        return f"is a link to {path.readlink()}, which is not there"
    found = path.stat()
    kind = next((name for name, is_kind in KINDS.items() if is_kind(found.st_mode)), None)
    if kind:
        return f"is {kind}, not a file"
    return f"is larger than {MOST_BYTES / 1e6:g} MB" if found.st_size > MOST_BYTES else ""
