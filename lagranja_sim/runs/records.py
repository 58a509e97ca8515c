"""A run on disk: parquet parts by table, and a manifest that says what they are.

    RUN/manifest.json
    RUN/{table}/part-00000.parquet, part-00001.parquet, ...

A part holds the games of a fixed span, so its bytes depend on the experiment alone: not on how many workers played, in which order, or how
often the run was interrupted.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.plugins import DEFAULT_GAME
from lagranja_sim.runs.folder import Folder, RunError
from lagranja_sim.runs.manifest import Damaged, check_manifest

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
PARTS = 32  # a run is cut into about this many parts, so that several workers share the work and an interruption loses little
MOST_GAMES_A_PART = 5_000  # but a part holds no more games than this, so that memory stays flat

Facts = dict[str, Any]  # rows, bytes and hash of a part's file


# --- parts ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """How the games of a run are cut into parts: whole blocks, the same for the same number of games and players."""

    games: int
    part_games: int

    @classmethod
    def of(cls, games: int, players: int) -> Layout:
        blocks = min(-(-games // (players * PARTS)), max(1, MOST_GAMES_A_PART // players))
        return cls(games, blocks * players)

    @property
    def parts(self) -> int:
        return -(-self.games // self.part_games)

    def span(self, part: int) -> tuple[int, int]:
        """The first game of a part and the number of its games."""
        first = part * self.part_games
        return first, min(self.part_games, self.games - first)


def part_name(table: str, part: int) -> str:
    return f"{table}/part-{part:05d}.parquet"


def to_frame(rows: np.ndarray, policies: Sequence[str]) -> pl.DataFrame:
    """Rows of a table as columns of the same types; a seat's `policy` is an index into `policies` and becomes their text."""
    columns = {name: pl.Series(name, np.ascontiguousarray(rows[name]), nan_to_null=True) for name in rows.dtype.names or ()}
    if "policy" in columns:
        columns["policy"] = _texts(rows["policy"], policies)
    return pl.DataFrame(list(columns.values()))


def _texts(indices: np.ndarray, policies: Sequence[str]) -> pl.Series:
    names = pl.Series("policy", list(policies), dtype=pl.Enum(list(dict.fromkeys(policies))))
    return names.gather(np.ascontiguousarray(indices).astype(np.uint32))


def to_parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=1, row_group_size=1_000_000)
    return buffer.getvalue()


def write_part(folder: Folder, part: int, tables: Mapping[str, np.ndarray], policies: Sequence[str]) -> dict[str, Facts]:
    """Write the rows of one part, one file a table, and return the facts of each file for the manifest."""
    contents = {table: to_parquet(to_frame(rows, policies)) for table, rows in tables.items()}
    for table, content in contents.items():
        folder.write(part_name(table, part), content)
    return {table: _facts(content, len(tables[table])) for table, content in contents.items()}


def part_facts(folder: Folder, table: str, part: int) -> Facts | None:
    """The facts of a part on disk for the manifest; None if it is missing or is no parquet file."""
    try:
        content = folder.read(part_name(table, part))
        rows = pl.read_parquet(io.BytesIO(content)).height
    except (FileNotFoundError, pl.exceptions.PolarsError):
        return None
    return _facts(content, rows)


def _facts(content: bytes, rows: int) -> Facts:
    return {"rows": rows, "bytes": len(content), "sha256": _hash(content)}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# --- manifest ------------------------------------------------------------------------------------------------------------------


def write_manifest(folder: Folder, manifest: Mapping[str, Any]) -> None:
    folder.write_text(MANIFEST, json.dumps(manifest, indent=1, default=str) + "\n")


def read_manifest(folder: Folder) -> dict[str, Any]:
    """The manifest of a run, finished or not, of this schema version."""
    if not folder.exists():
        raise RunError(f"{folder.url}: there is no such folder")
    if not folder.exists(MANIFEST):
        raise RunError(f"{folder.url} is not a run: it has no {MANIFEST}")
    try:
        manifest = json.loads(folder.read(MANIFEST))
        version = manifest["schema_version"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(f"{folder.url}/{MANIFEST} is damaged or not the manifest of a run") from error
    if version != SCHEMA_VERSION:
        raise RunError(f"{folder.url} was written with schema version {version}; this version of the tool reads version {SCHEMA_VERSION}")
    try:
        return check_manifest(manifest)
    except Damaged as error:
        raise RunError("\n".join(f"{folder.url}/{MANIFEST} is damaged: {problem}" for problem in error.problems)) from None


# --- reading -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A finished run, ready to be queried."""

    folder: Folder
    manifest: dict[str, Any]
    _sound: set[str] = field(default_factory=set)

    @property
    def experiment(self) -> dict[str, Any]:
        return {"game": DEFAULT_GAME, **self.manifest["experiment"]}  # a run of version 0.1 names no game

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.experiment["games"], self.manifest["layout"]["part_games"])

    @property
    def tables(self) -> list[str]:
        return list(self.manifest["parts"])

    def scan(self, table: str) -> pl.LazyFrame:
        """All rows of a table, in the order of games. Files that have changed since they were written are refused."""
        return self._scan(table, range(self.layout.parts))

    def game(self, table: str, game: int) -> pl.DataFrame:
        """The rows of one game."""
        return self._scan(table, [game // self.layout.part_games]).filter(pl.col("game") == game).collect()

    def _scan(self, table: str, parts: Iterable[int]) -> pl.LazyFrame:
        if table not in self.tables:
            raise RunError(f"{self.folder.url} keeps no table {table!r}; it has {', '.join(self.tables)}")
        return pl.scan_parquet([self._source(table, part) for part in parts], glob=False)

    def _source(self, table: str, part: int) -> Any:
        """What polars reads a part from, after its content was checked against the manifest."""
        name = part_name(table, part)
        path = self.folder.local_path(name)
        if name in self._sound and path:
            return path
        content = self.folder.read(name)
        if _hash(content) != self.manifest["parts"][table][part]["sha256"]:
            raise RunError(f"{self.folder.url} is damaged: {name} is not what the run wrote")
        self._sound.add(name)
        return path or io.BytesIO(content)


def open_run(url: str) -> Run:
    """A finished run. Missing parts and parts of another size are refused here, altered ones when they are read."""
    folder = Folder(str(url))
    manifest = read_manifest(folder)
    if manifest["status"] != "complete":
        raise RunError(f"{url} is not finished; the same `run` command continues it")
    for table, parts in manifest["parts"].items():
        for part, facts in enumerate(parts):
            _check_size(folder, part_name(table, part), facts["bytes"])
    return Run(folder, manifest)


def _check_size(folder: Folder, name: str, expected: int) -> None:
    size = folder.size_of(name)
    if size != expected:
        state = "is missing" if size is None else f"has {size} bytes instead of {expected}"
        raise RunError(f"{folder.url} is damaged: {name} {state}")
