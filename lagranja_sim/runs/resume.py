"""What may be done with the folder a run is to be written to: begin, continue, replace, or refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lagranja_sim.runs.folder import Folder, RunError
from lagranja_sim.runs.records import MANIFEST, Facts, part_facts, part_name, read_manifest, write_manifest

SAME = ("schema_version", "experiment", "layout", "hashes")  # two runs that agree in these write the same bytes
PART = re.compile(r"part-\d+\.parquet")


@dataclass(frozen=True)
class Start:
    """How a run begins: its manifest, the parts that are there already, and what the user should know."""

    manifest: dict[str, Any]
    done: dict[int, dict[str, Facts]]
    remark: str | None = None


def find_start(folder: Folder, manifest: dict[str, Any], force: bool) -> Start:
    """How this run would begin in the folder, or the reason why it may not. Nothing is changed yet.

    The same run, interrupted, continues; a finished run or another one is replaced with `force` only.
    """
    if not folder.names():
        return Start(manifest, {})
    if status(folder, manifest) == "running":
        return _continue(folder, manifest)
    return _replace(folder, manifest) if force else _refuse(folder, manifest)


def status(folder: Folder, manifest: Mapping[str, Any]) -> str | None:
    """Whether this run is `running` or `complete` in the folder; None if the folder does not hold it."""
    try:
        earlier = read_manifest(folder)
    except RunError:
        return None
    return None if differences(_identity(earlier), _identity(manifest)) else str(earlier["status"])


def claim(folder: Folder, start: Start) -> None:
    """Take the folder for this run: remove what does not belong to it, and write its manifest."""
    try:
        for name in ("", *_tables(folder)):
            folder.sweep(name)
        if not start.done:
            _remove(folder, [*_part_files(folder), *[MANIFEST] * folder.exists(MANIFEST)])
        write_manifest(folder, start.manifest)
    except OSError as error:
        raise folder.refusal(error) from error


def _replace(folder: Folder, manifest: dict[str, Any]) -> Start:
    if not folder.exists(MANIFEST):
        raise RunError(f"{folder.url} holds other files than a run's; choose another folder with --out (--force replaces runs only)")
    return Start(manifest, {})


def _continue(folder: Folder, manifest: dict[str, Any]) -> Start:
    done = _parts_there(folder, manifest)
    remark = f"continuing the run in {folder.url}: {len(done)} of {manifest['layout']['parts']} parts are there"
    return Start({**manifest, "time": read_manifest(folder)["time"]}, done, remark)


def _refuse(folder: Folder, manifest: dict[str, Any]) -> Start:
    try:
        different = differences(_identity(read_manifest(folder)), _identity(manifest))
    except RunError as error:
        raise RunError(f"{error}; choose another folder with --out{', or replace it with --force' * folder.exists(MANIFEST)}") from error
    content = f"another run (it differs in {', '.join(different)})" if different else "this run, finished"
    raise RunError(f"{folder.url} holds {content}; choose another folder with --out, or replace it with --force")


def _identity(manifest: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps({key: manifest.get(key) for key in SAME}, default=str))


def differences(first: Any, second: Any, name: str = "") -> list[str]:
    """The dotted names of what differs between two manifests or other nested tables."""
    if first == second:
        return []
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return [name]
    keys = dict.fromkeys([*first, *second])
    return [difference for key in keys for difference in differences(first.get(key), second.get(key), f"{name}.{key}".lstrip("."))]


def _parts_there(folder: Folder, manifest: Mapping[str, Any]) -> dict[int, dict[str, Facts]]:
    """The parts of which every table is there and readable."""
    tables = manifest["experiment"]["log"]
    names = {table: set(folder.names(table)) for table in tables}
    parts: dict[int, dict[str, Facts]] = {}
    for part in range(manifest["layout"]["parts"]):
        if all(part_name(table, part).partition("/")[2] in names[table] for table in tables):
            facts = {table: part_facts(folder, table, part) for table in tables}
            if None not in facts.values():
                parts[part] = {table: fact for table, fact in facts.items() if fact}
    return parts


def _remove(folder: Folder, names: list[str]) -> None:
    """Remove files in this order; the manifest comes last, so that a half-removed run is never taken for one to be continued."""
    for name in names:
        folder.remove(name)


def _part_files(folder: Folder) -> list[str]:
    return [f"{table}/{name}" for table in _tables(folder) for name in folder.names(table) if PART.fullmatch(name)]


def _tables(folder: Folder) -> list[str]:
    return [name for name in folder.names() if "." not in name]
