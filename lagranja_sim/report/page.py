"""The page: one HTML file that needs no other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from lagranja_sim.report.build import Built
from lagranja_sim.report.files import Drawn
from lagranja_sim.report.section import Table

TEMPLATE = "page.html"
LONG = 25  # a table of more rows scrolls inside its frame


@dataclass(frozen=True)
class Shown:
    """A table as the page shows it."""

    caption: str
    header: list[str]
    rows: list[list[str]]
    is_number: list[bool]
    files: list[str]

    @property
    def is_long(self) -> bool:
        return len(self.rows) > LONG


@dataclass(frozen=True)
class Chapter:
    """A section with its pictures drawn and its numbers written."""

    built: Built
    figures: list[Drawn]
    tables: list[Shown]


def render(chapters: Sequence[Chapter], heading: str, facts: Sequence[tuple[str, str]], command: str) -> str:
    """The page as text."""
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["prose"] = prose
    titles = {chapter.built.name: chapter.built.section.title for chapter in chapters}
    return environment.get_template(TEMPLATE).render(chapters=chapters, titles=titles, heading=heading, facts=facts, command=command)


def prose(text: str) -> Markup:
    """Plain text whose parts between backticks are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


# --- tables ---------------------------------------------------------------------------------------------------------------------------


def show_table(table: Table, files: list[str]) -> Shown:
    columns = [_cells(series, table.formats.get(series.name)) for series in table.frame]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Shown(table.caption, [name.replace("_", " ") for name in table.frame.columns], rows, _numbers(table.frame), files)


def _numbers(frame: pl.DataFrame) -> list[bool]:
    return [kind.is_numeric() for kind in frame.dtypes]


def _cells(series: pl.Series, spec: str | None) -> list[str]:
    return [_cell(value, spec) for value in series.to_list()]


def _cell(value: Any, spec: str | None) -> str:
    """A value as text; what is not known is a dash, and a minus is as long as a plus."""
    if value is None or (isinstance(value, float) and value != value):
        return "–"
    if isinstance(value, str | bool):
        return str(value)
    default = ",.3g" if isinstance(value, float) else ""
    return format(value, spec or default).replace("-", "\u2212")
