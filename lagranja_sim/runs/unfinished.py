"""What a call has finished so far, kept in a folder until it ends, so that the same call goes on from there if it was interrupted.

What is kept belongs to one call: everything that its numbers depend on is kept beside them, and another call does not touch it unless it is
told to begin anew.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lagranja_sim.runs.folder import Folder, RunError, RunFailed, reason
from lagranja_sim.runs.resume import differences
from lagranja_sim.runs.simulate import Listener

FILE = "unfinished.json"
SECONDS = 1.0  # at most between finishing a piece and having it on disk
SCHEMA_VERSION = 1


@dataclass
class Pieces:
    """Finished pieces of a call by name, as JSON values, and how far they go in words. Without a `Keeper` they stay in memory."""

    by_name: dict[str, Any] = field(default_factory=dict)
    words: str = ""
    on_change: Callable[[str], None] = lambda words: None

    def get(self, name: str) -> Any:
        """A piece; None if there is no such piece yet."""
        return self.by_name.get(name)

    def put(self, name: str, piece: Any, words: str) -> None:
        self.by_name[name] = piece
        self.words = words
        self.on_change(words)

    def part(self, name: str) -> Pieces:
        """Pieces of a part of the call, whose words begin with its name."""
        return Pieces(self.by_name.setdefault(name, {}), on_change=lambda words: self._set_words(f"{name}: {words}"))

    def _set_words(self, words: str) -> None:
        self.words = words
        self.on_change(words)


class Keeper:
    """Saves the pieces, not too often, and tells the user if it cannot."""

    def __init__(self, folder: Folder, call: Mapping[str, Any], listener: Listener) -> None:
        self.folder, self.listener = folder, listener
        self.call = json.loads(json.dumps({"schema_version": SCHEMA_VERSION, **call}, default=str))
        self.pieces = Pieces(on_change=lambda words: self.save_now_and_then())
        self.saved_at = float("-inf")
        self.problem = ""

    def read(self, force: bool) -> None:
        """Take up the pieces of the same call; those of another call are refused, or forgotten if forced."""
        if not self.folder.exists(FILE):
            return
        try:
            left = json.loads(self.folder.read(FILE))
            other, pieces, words = differences(left["call"], self.call), left["pieces"], left["words"]
        except (ValueError, KeyError, TypeError):
            other = ["everything, for its file is damaged"]
        if not other:
            self.pieces.by_name, self.pieces.words = pieces, words
            self.listener.say(f"going on from {words}, kept in {self.folder.url}")
        elif not force:
            what = f"what another call had finished when it was interrupted (it differs in {', '.join(other)})"
            raise RunError(f"{self.folder.url} holds {what}; --force begins anew, --out chooses another place")

    def save_now_and_then(self) -> None:
        if time.monotonic() - self.saved_at >= SECONDS:
            self.save()

    def save(self) -> None:
        content = {"words": self.pieces.words, "call": self.call, "pieces": self.pieces.by_name}
        try:
            self.folder.write_text(FILE, json.dumps(content) + "\n")
            self.problem = ""
        except OSError as error:
            self.problem = self.problem or self._say(f"{self.folder.url}: what is finished cannot be kept, for {reason(error)}")
        self.saved_at = time.monotonic()

    def _say(self, problem: str) -> str:
        self.listener.say(problem)
        return problem

    def interrupted(self) -> KeyboardInterrupt:
        """The error that ends an interrupted call, with what is kept."""
        if not self.pieces.words or self.problem:
            return KeyboardInterrupt(f"interrupted: {self.problem or 'nothing was finished yet'}")
        return KeyboardInterrupt(f"interrupted: {self.pieces.words} are kept in {self.folder.url}; the same command goes on from there")


@contextlib.contextmanager
def kept(folder: Folder, call: Mapping[str, Any], force: bool, listener: Listener) -> Iterator[Pieces]:
    """The pieces of a call in a folder that is held. They are removed when it has ended, and stay if it is interrupted or fails."""
    keeper = Keeper(folder, call, listener)
    keeper.read(force)
    try:
        yield keeper.pieces
    except BaseException as error:
        if keeper.pieces.words:
            keeper.save()
        if isinstance(error, KeyboardInterrupt):
            raise keeper.interrupted() from error
        if isinstance(error, RunFailed) and keeper.pieces.words and not keeper.problem:
            error.add_note(f"{keeper.pieces.words} are kept in {folder.url}; the same command goes on from there")
        raise
    with contextlib.suppress(OSError):  # a file that cannot be removed is no reason to withhold a result
        folder.sweep()
        folder.remove(FILE)


@contextlib.contextmanager
def kept_if_possible(folder: Folder, call: Mapping[str, Any], listener: Listener) -> Iterator[Pieces]:
    """The same in a folder that the user did not name: if another call uses it or it cannot be written to, nothing is kept."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(folder.hold(passing=True))
            folder.try_out()
        except RunError as refusal:
            pieces = stack.enter_context(_in_memory(str(refusal)))
        else:
            pieces = stack.enter_context(kept(folder, call, True, listener))
        yield pieces


@contextlib.contextmanager
def _in_memory(refusal: str) -> Iterator[Pieces]:
    try:
        yield Pieces()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted: nothing is kept, for {refusal}") from None
