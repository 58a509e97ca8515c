"""The files of a report: figures as PNG and SVG, tables as CSV and JSON, beside the page."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from lagranja_sim.report.build import Built, ReportError
from lagranja_sim.report.section import Figure
from lagranja_sim.report.style import image
from lagranja_sim.runs.folder import Folder

FORMATS = ("html", "png", "svg", "csv", "json")
PAGE, LIST = "index.html", "report.json"
PARTS = ("figures", "tables")
RESOLUTION = 160  # dots an inch


@dataclass(frozen=True)
class Drawn:
    """A figure turned into an image."""

    name: str
    title: str
    alt: str
    svg: bytes
    width: int  # in pixels of the page, 100 an inch

    @property
    def link(self) -> str:
        """The image itself as an address, so that the page needs no other file."""
        return "data:image/svg+xml;base64," + base64.b64encode(self.svg).decode()


# --- where to -------------------------------------------------------------------------------------------------------------------------


def replaceable(folder: Folder, force: bool) -> list[str]:
    """The files that a report may replace: those of a report that was interrupted, or with `force` of any report. Other files are left alone."""
    if not folder.names():
        return []
    try:
        listed = json.loads(folder.read(LIST))
        written, is_whole = [str(name) for name in listed["files"] if is_inside(str(name))], listed.get("whole", True)
    except (OSError, ValueError, KeyError, TypeError):
        raise ReportError(f"{folder.url} holds something that is not a report; choose another folder with --out") from None
    if is_whole and not force:
        raise ReportError(f"{folder.url} holds a report already; --force replaces it, --out chooses another folder")
    return written


def is_inside(name: str) -> bool:
    return not name.startswith("/") and ".." not in name.split("/")


def replace(folder: Folder, earlier: Sequence[str], files: Mapping[str, bytes], listing: Mapping[str, Any]) -> None:
    """Write the files in place of the earlier ones. Whenever it is interrupted, the list names every file that is there."""
    _write_list(folder, {**listing, "whole": False}, [*earlier, *files])
    for name in set(earlier) - {*files, LIST}:
        if folder.exists(name):
            folder.remove(name)
    for part in ("", *PARTS):
        folder.sweep(part)
    for name, content in files.items():
        folder.write(name, content)
    _write_list(folder, {**listing, "whole": True}, files)


def _write_list(folder: Folder, listing: Mapping[str, Any], files: Iterable[str]) -> None:
    content = {**listing, "files": list(dict.fromkeys([*files, LIST]))}
    folder.write_text(LIST, json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n")


# --- figures and tables ---------------------------------------------------------------------------------------------------------------


def file_name(section: str, name: str) -> str:
    return re.sub(r"[^\w-]+", "_", f"{section}-{name}").strip("_").lower()


class Files:
    """The files of a report by name, before they are written."""

    def __init__(self, formats: Collection[str]) -> None:
        self.formats = formats
        self.contents: dict[str, bytes] = {}

    def figure(self, section: str, figure: Figure) -> Drawn:
        """Draw a figure into its files; afterwards its memory can be freed."""
        name = file_name(section, figure.name)
        svg = image(figure.figure, "svg", RESOLUTION)
        if "svg" in self.formats:
            self.contents[f"figures/{name}.svg"] = svg
        if "png" in self.formats:
            self.contents[f"figures/{name}.png"] = image(figure.figure, "png", RESOLUTION)
        width = round(float(figure.figure.get_figwidth()) * 100)
        return Drawn(name, figure.title, figure.alt, svg, width)

    def table(self, section: str, name: str, frame: pl.DataFrame) -> list[str]:
        """Turn a table into files; their names."""
        stem = f"tables/{file_name(section, name)}"
        files: dict[str, bytes] = {}
        if "csv" in self.formats:
            files[f"{stem}.csv"] = frame.write_csv().encode()
        if "json" in self.formats:
            files[f"{stem}.json"] = frame.write_json().encode()
        self.contents |= files
        return list(files)


def listing(built: Sequence[Built], facts: dict[str, Any]) -> dict[str, Any]:
    """`report.json`: what the report says, for programs."""
    return {**facts, "sections": [_facts_of(section) for section in built]}


def _facts_of(built: Built) -> dict[str, Any]:
    section = built.section
    facts = {"name": built.name, "title": section.title, "question": section.question, "lacks": built.lacks, "failure": built.failure}
    return {**facts, "takeaways": [asdict(takeaway) for takeaway in section.takeaways], "caveats": section.caveats}
