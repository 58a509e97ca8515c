"""Text files that users write, read only once they are known to be such: reading a pipe, for example, would wait for ever."""

from __future__ import annotations

import io
import re
import stat
import tokenize
from collections.abc import Callable
from pathlib import Path

ENCODING = "utf-8-sig"  # reads UTF-8 and leaves out the byte order mark that some editors put first
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
    """The text of a regular file in UTF-8, with or without a byte order mark; lines end with a line feed. Raises `Unreadable`."""
    text = _decode(path, _read(path), ENCODING)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_python(path: Path) -> bytes:
    """A regular file that is text in the encoding which it declares as Python files do, else in UTF-8. Raises `Unreadable`."""
    data = _read(path)
    _decode(path, data, _declared_encoding(data))
    return data


def line_of(text: str, key: str) -> int | None:
    """The line of a TOML text on which a key or table is set; for a dotted key the line of its last part."""
    pattern = re.compile(rf'^\s*\[?(?:["\']?[\w.]*\b)?{re.escape(key.split(".")[-1])}["\']?\s*[=\]]')
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), None)


def _read(path: Path) -> bytes:
    try:
        if reason := _obstacle(path):
            raise Unreadable(path, reason)
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(path, error.strerror or str(error)) from None


def _obstacle(path: Path) -> str:
    """Why a file must not be opened; empty if it may be."""
    if path.is_symlink() and not path.exists():
        return f"is a link to {path.readlink()}, which is not there"
    status = path.stat()
    kind = next((name for name, is_kind in KINDS.items() if is_kind(status.st_mode)), None)
    if kind:
        return f"is {kind}, not a file"
    return f"is larger than {MOST_BYTES / 1e6:g} MB" if status.st_size > MOST_BYTES else ""


def _decode(path: Path, data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        name = "UTF-8" if encoding in ("utf-8", ENCODING) else encoding
        raise Unreadable(path, f"is not {name} text (byte {error.start + 1})") from None
    if b"\0" in data:
        raise Unreadable(path, f"is not text: byte {data.index(0) + 1} is NUL")
    return text


def _declared_encoding(data: bytes) -> str:
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        "".encode(encoding)  # not every codec is one for text
    except (SyntaxError, LookupError):  # the parser says which; or the first lines are not UTF-8
        return ENCODING
    return encoding
