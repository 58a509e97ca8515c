"""What may be done with the folder a run is to be written to: begin, continue, replace, or refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lagranja_sim.runs.records import MANIFEST, Facts, Folder, RunError, part_facts, part_name, read_manifest, write_manifest

SAME = ("schema_version", "experiment", "layout", "hashes")  # two runs that agree in these write the same bytes
PART = re.compile(r"\.?part-\d+\.parquet(\.[0-9a-f]{8})?")


@dataclass(frozen=True)
class Start:
    """How a run begins: its manifest, the parts that are there already, and what the user should know."""

    manifest: dict[str, Any]
    done: dict[int, dict[str, Facts]]
    remark: str | None = None


def look(folder: Folder, manifest: dict[str, Any], force: bool) -> Start:
    """How this run would begin in the folder, or the reason why it may not. Nothing is changed yet.

    A finished run or another one is replaced with `force` only; the same one, interrupted, continues.
    """
    if folder.is_file():
        raise RunError(f"{folder.url} is a file; choose a folder with --out")
    if not folder.names():
        return Start(manifest, {})
    return _replaced(folder, manifest) if force else _continued(folder, manifest)


def claim(folder: Folder, start: Start) -> None:
    """Make the folder this run's: remove what does not belong to it, write its manifest."""
    try:
        if start.done:
            _remove(folder, [name for name in _part_files(folder) if "/." in name])
        else:
            _remove(folder, [*_part_files(folder), *[MANIFEST] * folder.exists(MANIFEST)])
        write_manifest(folder, start.manifest)
    except OSError as error:
        raise RunError(f"{folder.url} cannot be written: {error.strerror or error}") from error


def _replaced(folder: Folder, manifest: dict[str, Any]) -> Start:
    if not folder.exists(MANIFEST):
        raise RunError(f"{folder.url} holds other files than a run's; choose another folder with --out (--force replaces runs only)")
    return Start(manifest, {})


def _continued(folder: Folder, manifest: dict[str, Any]) -> Start:
    earlier = _earlier(folder)
    different = list(_differences(_identity(earlier), _identity(manifest)))
    if different:
        raise RunError(f"{folder.url} holds another run (it differs in {', '.join(different)}){_choices()}")
    if earlier["status"] == "complete":
        raise RunError(f"{folder.url} holds this run, finished{_choices()}")
    done = _parts_there(folder, manifest)
    remark = f"continuing the run in {folder.url}: {len(done)} of {manifest['layout']['parts']} parts are there"
    return Start({**manifest, "time": earlier["time"]}, done, remark)


def _earlier(folder: Folder) -> dict[str, Any]:
    try:
        return read_manifest(folder)
    except RunError as error:
        raise RunError(f"{error}; choose another folder with --out{', or replace it with --force' * folder.exists(MANIFEST)}") from error


def _choices() -> str:
    return "; choose another folder with --out, or replace it with --force"


def _identity(manifest: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps({key: manifest.get(key) for key in SAME}, default=str))


def _differences(one: Any, other: Any, name: str = "") -> list[str]:
    """The dotted names of what differs between two manifests."""
    if one == other:
        return []
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return [name]
    keys = dict.fromkeys([*one, *other])
    return [found for key in keys for found in _differences(one.get(key), other.get(key), f"{name}.{key}".lstrip("."))]


def _parts_there(folder: Folder, manifest: Mapping[str, Any]) -> dict[int, dict[str, Facts]]:
    """The parts of which every table is there and readable."""
    tables = manifest["experiment"]["log"]
    listed = {table: set(folder.names(table)) for table in tables}
    found: dict[int, dict[str, Facts]] = {}
    for part in range(manifest["layout"]["parts"]):
        if all(part_name(table, part).partition("/")[2] in listed[table] for table in tables):
            facts = {table: part_facts(folder, table, part) for table in tables}
            if None not in facts.values():
                found[part] = {table: fact for table, fact in facts.items() if fact}
    return found


def _remove(folder: Folder, names: list[str]) -> None:
    """Remove files in this order; the manifest comes last, so that a half-removed run is never taken for one to be continued."""
    for name in names:
        folder.remove(name)


def _part_files(folder: Folder) -> list[str]:
    return [f"{table}/{name}" for table in folder.names() if "." not in table for name in folder.names(table) if PART.fullmatch(name)]
