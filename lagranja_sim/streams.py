"""Standard output and error as a shell may hand them over: closed, full, without a reader, or unable to spell what is printed.

Output that cannot be written raises `OutputError`; messages that standard error does not take are lost, as nothing else could show them.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Iterator
from typing import Any

NEAREST = "lagranja_nearest"  # the name of a way to spell what an encoding lacks
PLAIN = {"\u2212": "-", "–": "-", "—": "-", "─": "-", "━": "-", "│": "|", "×": "x", "±": "+-", "→": "->", "≥": ">=", "≤": "<=", "…": "..."}
ESCAPED = range(0xDC80, 0xDD00)  # characters that stand for single bytes of a file's name


class OutputError(Exception):
    """Standard output takes nothing more. The message is empty for a reader that left, as `head` does: it has read enough."""

    def __init__(self, error: OSError) -> None:
        self.reader_left = isinstance(error, BrokenPipeError)
        super().__init__("" if self.reader_left else f"standard output cannot be written: {error.strerror or error}")


class Stream:
    """A text stream that decides itself what happens when writing fails."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        try:
            return int(self.stream.write(text))
        except OSError as error:
            self.fail(error)
            return len(text)

    def flush(self) -> None:
        try:
            self.stream.flush()
        except OSError as error:
            self.fail(error)

    def fail(self, error: OSError) -> None:
        """Redirect the stream to nowhere, so that flushing it at the end of the process raises no error."""
        with contextlib.suppress(OSError, ValueError):
            _replace(self.stream.fileno(), os.O_WRONLY)


class Output(Stream):
    """Standard output, which keeps failing once it has failed: the code that printed first may have ignored the error."""

    failure: OSError | None = None

    def write(self, text: str) -> int:
        self._check()
        return super().write(text)

    def flush(self) -> None:
        self._check()
        super().flush()

    def fail(self, error: OSError) -> None:
        super().fail(error)
        self.failure = error
        self._check()

    def _check(self) -> None:
        if self.failure:
            raise OutputError(self.failure)


@contextlib.contextmanager
def guarded() -> Iterator[Output]:
    """While the context lasts, printing fails as this module describes."""
    _occupy_closed()
    before = sys.stdout, sys.stderr
    output = Output(before[0])
    with _nearest(before[0]), _nearest(before[1]):
        sys.stdout, sys.stderr = output, Stream(before[1])
        try:
            yield output
        finally:
            sys.stdout, sys.stderr = before


def _occupy_closed() -> None:
    """Occupy the numbers of closed streams, so that no file gets them and is printed into."""
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            _replace(number, mode)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  of a file to be read, so that it takes nothing
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _replace(number: int, mode: int) -> None:
    """Make a file number lead nowhere."""
    nowhere = os.open(os.devnull, mode)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)


# --- spelling ------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _nearest(stream: Any) -> Iterator[None]:
    """Print characters that the encoding lacks as the nearest ones that it has."""
    if not hasattr(stream, "reconfigure"):
        yield
        return
    before = stream.errors
    stream.reconfigure(errors=NEAREST)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            stream.reconfigure(errors=before)


def nearest(error: UnicodeError) -> tuple[str | bytes, int]:
    """The spelling of the first character that cannot be encoded, and where to go on."""
    assert isinstance(error, UnicodeEncodeError)
    character, after = error.object[error.start], error.start + 1
    if ord(character) in ESCAPED:
        return bytes([ord(character) - 0xDC00]), after
    bare = unicodedata.normalize("NFKD", PLAIN.get(character, character))
    return bare.encode("ascii", "ignore").decode() or "?", after


def json_text(value: Any, **layout: Any) -> str:
    """JSON that standard output can spell."""
    text = json.dumps(value, ensure_ascii=False, default=str, **layout)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, default=str, **layout)
    return text


codecs.register_error(NEAREST, nearest)
