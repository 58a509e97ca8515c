"""Making a report: open the runs, build the sections, write page and files."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagranja_sim.report.build import Built, ReportError, Source, build_section, find_sections
from lagranja_sim.report.files import FORMATS, PAGE, Files, listing, replace, replaceable
from lagranja_sim.report.page import Chapter, render, show_table
from lagranja_sim.report.runs import open_runs
from lagranja_sim.report.section import ReportData
from lagranja_sim.runs.folder import Folder, Unwritten, reason
from lagranja_sim.spelling import near


@dataclass(frozen=True)
class Report:
    """A finished report: where it is, what it says, and the sections that failed."""

    place: str
    takeaways: list[str]
    failures: list[str]
    lacking: list[str]

    @property
    def path(self) -> Path:
        return Path(self.place)

    def as_object(self) -> dict[str, Any]:
        """For programs; without a path if it could not be written."""
        return {"path": self.place or None, "takeaways": self.takeaways, "failures": self.failures, "lacking": self.lacking}


def make_report(
    paths: Sequence[str],
    out: str | None = None,
    sections: Sequence[str] = (),
    formats: Sequence[str] = FORMATS,
    force: bool = False,
    command: str = "",
) -> Report:
    """A report of runs of one experiment in the folder `out` (by default RUN-report).

    Nothing is written, and no earlier report replaced, before all of it is built; raises `Unwritten` if writing fails then."""
    _check_formats(formats)
    data = open_runs(paths)
    sources = find_sections(sections, data.game, data.players)
    place = (out or default_folder(paths[0])).rstrip("/")
    folder = Folder.at(place)
    with folder.hold():
        earlier = replaceable(folder, force)
        folder.try_out()
        with _message_if_interrupted("nothing is written"):
            files = Files(formats)
            chapters = _chapters(sources, data, files)
            if "html" in formats:
                files.contents[PAGE] = render(chapters, _heading(data), _facts(data), command).encode("utf-8", "backslashreplace")
        results = [chapter.built for chapter in chapters]
        report = _report(f"{place}/{PAGE}" if "html" in formats else place, results)
        try:
            with _message_if_interrupted(f"the report in {place} is not whole; the same command makes it anew"):
                replace(folder, earlier, files.contents, listing(results, {"runs": list(paths), "command": command, "games": data.games}))
        except OSError as error:
            raise Unwritten(dataclasses.replace(report, place=""), f"{place} cannot be written: {reason(error)}") from error
    return report


def show_made(report: Report) -> None:
    """Print where the report is, or its takeaways if it could not be written."""
    for line in [f"written to {report.place}"] if report.place else report.takeaways:
        print(line)


@contextlib.contextmanager
def _message_if_interrupted(words: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted: {words}") from None


def _chapters(sources: Sequence[Source], data: ReportData, files: Files) -> list[Chapter]:
    """Build the sections, those that draw on others last; the chapters are in the order of the page."""
    chapters: list[Chapter] = []
    for source in sorted(sources, key=lambda source: source.is_last):
        chapters.append(_chapter(build_section(source, data, [chapter.built for chapter in chapters]), files))
    return sorted(chapters, key=lambda chapter: (chapter.built.order, chapter.built.name))


def _report(place: str, results: Sequence[Built]) -> Report:
    takeaways = dict.fromkeys(takeaway.text for result in results for takeaway in result.section.takeaways)
    failures = [f"section {result.name} failed: {result.failure}" for result in results if result.failure]
    return Report(place, list(takeaways), failures, [result.name for result in results if result.lacks])


def default_folder(run: str) -> str:
    """Beside the run, or in the current folder if the run is on another machine."""
    path = run.rstrip("/")
    return f"{path.rsplit('/', 1)[-1]}-report" if "://" in path else f"{path}-report"


def names(text: str | None) -> list[str]:
    """The names of a list such as `dice, cards`."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _check_formats(formats: Sequence[str]) -> None:
    for name in formats:
        if name not in FORMATS:
            raise ReportError(f"there is no format {name!r}{near(name, FORMATS)}; there are {', '.join(FORMATS)}")


def _chapter(built: Built, files: Files) -> Chapter:
    """Draw a section's figures and set its tables; what fails here is the section's failure too."""
    try:
        figures = [files.figure(built.name, figure) for figure in built.section.figures]
        tables = [show_table(table, files.table(built.name, table.name, table.frame)) for table in built.section.tables]
    except Exception as error:
        built.failure = f"{type(error).__name__}: {error}"
        figures, tables = [], []
    built.section.figures = []
    return Chapter(built, figures, tables)


def _heading(data: ReportData) -> str:
    return f"{data.experiment['name']}: {data.games:,} games"


def _facts(data: ReportData) -> list[tuple[str, str]]:
    """The facts below the heading."""
    seeds = ", ".join(str(run.experiment["seed"]) for run in data.runs)
    facts = [("variant", data.variant), ("players", str(data.players)), ("policies", ", ".join(data.policies))]
    return [*facts, ("blocks", f"{data.blocks:,}"), ("seed", seeds), ("runs", ", ".join(run.folder.url for run in data.runs))]
