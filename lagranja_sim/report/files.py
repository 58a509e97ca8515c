"""The files of a report: figures as PNG and SVG, tables as CSV and JSON, beside the page."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from lagranja_sim.report.build import Built, ReportError
from lagranja_sim.report.section import Figure
from lagranja_sim.report.style import in_style

FORMATS = ("html", "png", "svg", "csv", "json")
PAGE, LIST = "index.html", "report.json"
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


def claim(folder: Path, force: bool) -> None:
    """Make the folder of a report; one that holds another report is replaced if asked, and anything else is left alone."""
    if folder.exists() and not folder.is_dir():
        raise ReportError(f"{folder} is no folder")
    if folder.is_dir() and any(folder.iterdir()):
        _clear(folder, force)
    folder.mkdir(parents=True, exist_ok=True)


def _clear(folder: Path, force: bool) -> None:
    try:
        written = json.loads((folder / LIST).read_text())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ReportError(f"{folder} holds something that is not a report; choose another folder with --out") from None
    if not force:
        raise ReportError(f"{folder} holds a report already; --force replaces it, --out chooses another folder")
    for name in written:
        path = (folder / name).resolve()
        if path.is_relative_to(folder.resolve()):
            path.unlink(missing_ok=True)


# --- figures and tables ---------------------------------------------------------------------------------------------------------------


def file_name(section: str, name: str) -> str:
    return re.sub(r"[^\w-]+", "_", f"{section}-{name}").strip("_").lower()


class Writer:
    """Writes the files of a report and keeps their names."""

    def __init__(self, folder: Path, formats: Collection[str]) -> None:
        self.folder = folder
        self.formats = formats
        self.files: list[str] = []

    def write(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        self.files.append(name)

    def figure(self, section: str, figure: Figure) -> Drawn:
        """Draw a figure once and for all; its memory is free afterwards."""
        name = file_name(section, figure.name)
        svg = _image(figure, "svg")
        if "svg" in self.formats:
            self.write(f"figures/{name}.svg", svg)
        if "png" in self.formats:
            self.write(f"figures/{name}.png", _image(figure, "png"))
        width = round(float(figure.figure.get_figwidth()) * 100)
        return Drawn(name, figure.title, figure.alt, svg, width)

    def table(self, section: str, name: str, frame: pl.DataFrame) -> list[str]:
        """Write a table; the names of its files."""
        before, stem = len(self.files), f"tables/{file_name(section, name)}"
        if "csv" in self.formats:
            self.write(f"{stem}.csv", frame.write_csv().encode())
        if "json" in self.formats:
            self.write(f"{stem}.json", frame.write_json().encode())
        return self.files[before:]

    def listing(self, built: Sequence[Built], facts: dict[str, Any]) -> None:
        """`report.json`: what the report says, for programs, and its files, so that it can be replaced."""
        sections = [_listed(one) for one in built]
        content = {**facts, "sections": sections, "files": [*self.files, LIST]}
        (self.folder / LIST).write_text(json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n")


def _image(figure: Figure, kind: str) -> bytes:
    buffer = io.BytesIO()
    with in_style():
        figure.figure.savefig(buffer, format=kind, dpi=RESOLUTION, metadata={"Date": None} if kind == "svg" else None)
    return buffer.getvalue()


def _listed(one: Built) -> dict[str, Any]:
    section = one.section
    said = {"name": one.name, "title": section.title, "question": section.question, "lacks": one.lacks, "failure": one.failure}
    return {**said, "takeaways": [asdict(takeaway) for takeaway in section.takeaways], "caveats": section.caveats}
