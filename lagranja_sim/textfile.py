"""Files that users write: UTF-8, with or without the byte order mark that some editors put first; and lines of them to be named in messages."""

import re
from pathlib import Path

ENCODING = "utf-8-sig"  # reads UTF-8 and leaves out such a mark


def read_text(path: Path) -> str:
    """What is written in a file. Raises OSError or UnicodeDecodeError."""
    return path.read_text(encoding=ENCODING)


def line_of(text: str, key: str) -> int | None:
    """The line of a TOML text on which a key or table is set; for a dotted key the line of its last part."""
    pattern = re.compile(rf'^\s*\[?(?:["\']?[\w.]*\b)?{re.escape(key.split(".")[-1])}["\']?\s*[=\]]')
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), None)
