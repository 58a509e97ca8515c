"""Making a report: open the runs, build the sections, write page and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lagranja_sim.plugins import near
from lagranja_sim.report.build import Built, ReportError, build_section, find_sections
from lagranja_sim.report.files import FORMATS, PAGE, Writer, claim
from lagranja_sim.report.page import Chapter, render, show_table
from lagranja_sim.report.runs import open_runs
from lagranja_sim.report.section import ReportData


@dataclass(frozen=True)
class Made:
    """A report that was made: where it is, and the sections that failed."""

    path: Path
    failures: list[str]
    lacking: list[str]


def make_report(
    paths: Sequence[str],
    out: str | None = None,
    sections: Sequence[str] = (),
    formats: Sequence[str] = FORMATS,
    force: bool = False,
    command: str = "",
) -> Made:
    """A report of runs of one experiment in the folder `out` (by default RUN-report)."""
    _check_formats(formats)
    sources = find_sections(sections)
    data = open_runs(paths)
    folder = Path(out or default_folder(paths[0]))
    claim(folder, force)
    writer = Writer(folder, formats)
    chapters: list[Chapter] = []
    for source in sorted(sources, key=lambda source: source.is_last):
        chapters.append(_chapter(build_section(source, data, [chapter.built for chapter in chapters]), writer))
    chapters.sort(key=lambda chapter: (chapter.built.order, chapter.built.name))
    if "html" in formats:
        writer.write(PAGE, render(chapters, _heading(data), _facts(data), command).encode())
    built = [chapter.built for chapter in chapters]
    writer.listing(built, {"runs": list(paths), "command": command, "games": data.games})
    failures = [f"section {one.name} failed: {one.failure}" for one in built if one.failure]
    return Made(folder / PAGE if "html" in formats else folder, failures, [one.name for one in built if one.lacks])


def default_folder(run: str) -> str:
    """Beside the run, or here if the run is far away."""
    path = run.rstrip("/")
    return f"{path.rsplit('/', 1)[-1]}-report" if "://" in path else f"{path}-report"


def names(text: str | None) -> list[str]:
    """The names of a list such as `dice, cards`."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _check_formats(formats: Sequence[str]) -> None:
    for name in formats:
        if name not in FORMATS:
            raise ReportError(f"there is no format {name!r}{near(name, FORMATS)}; there are {', '.join(FORMATS)}")


def _chapter(built: Built, writer: Writer) -> Chapter:
    """Draw a section's figures and write its tables; what fails here is the section's failure too."""
    try:
        figures = [writer.figure(built.name, figure) for figure in built.section.figures]
        tables = [show_table(table, writer.table(built.name, table.name, table.frame)) for table in built.section.tables]
    except OSError:
        raise
    except Exception as error:
        built.failure = f"{type(error).__name__}: {error}"
        figures, tables = [], []
    built.section.figures = []
    return Chapter(built, figures, tables)


def _heading(data: ReportData) -> str:
    return f"{data.experiment['name']}: {data.games:,} games"


def _facts(data: ReportData) -> list[tuple[str, str]]:
    """What stands under the heading."""
    seeds = ", ".join(str(run.experiment["seed"]) for run in data.runs)
    facts = [("variant", data.variant), ("players", str(data.players)), ("policies", ", ".join(data.policies))]
    return [*facts, ("blocks", f"{data.blocks:,}"), ("seed", seeds), ("runs", ", ".join(run.folder.url for run in data.runs))]
