"""Building a shipped report section for a test."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import polars as pl

from lagranja_sim.report.build import Built, build_section, find_sections
from lagranja_sim.report.section import ReportData, Section
from lagranja_sim.runs.records import open_run


def built(folder: Path, name: str) -> Built:
    """What becomes of a section on a run."""
    return build_section(find_sections([name])[0], ReportData([open_run(str(folder))]), [])


@functools.cache
def section(folder: Path, name: str) -> Section:
    """A section that must come out; all it draws must be drawable, and every figure is described."""
    made = built(folder, name)
    assert not made.lacks and not made.failure, made.lacks or made.failure
    for figure in made.section.figures:
        figure.figure.canvas.draw()
        assert figure.alt and figure.title
    assert made.section.takeaways and made.section.text
    return made.section


def table(made: Section, name: str) -> pl.DataFrame:
    """A table of a section by its name; every column it formats is there."""
    wanted = next(table for table in made.tables if table.name == name)
    assert set(wanted.formats) <= set(wanted.frame.columns)
    return wanted.frame


def row(frame: pl.DataFrame, **where: Any) -> dict[str, Any]:
    """The only row of a frame with these values."""
    for name, value in where.items():
        frame = frame.filter(pl.col(name).cast(pl.String) == str(value))
    assert frame.height == 1, frame
    return frame.row(0, named=True)


def holds(found: dict[str, Any], value: float, name: str = "") -> bool:
    """Whether the interval of a row holds a value; those of named columns are called `name, low` and `name, high`."""
    low, high = (f"{name}, {end}" if name else end for end in ("low", "high"))
    return bool(found[low] <= value <= found[high])
