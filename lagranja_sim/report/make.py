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
class Made:
    """A report that was made: where it is, what it says, and the sections that failed."""

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
) -> Made:
    """A report of runs of one experiment in the folder `out` (by default RUN-report).

    Nothing is written, and no earlier report replaced, before all of it is made; raises `Unwritten` if writing fails then."""
    _check_formats(formats)
    data = open_runs(paths)
    sources = find_sections(sections, data.game, data.players)
    place = (out or default_folder(paths[0])).rstrip("/")
    folder = Folder.at(place)
    with folder.hold():
        earlier = replaceable(folder, force)
        folder.try_out()
        with _said_if_interrupted("nothing is written"):
            files = Files(formats)
            chapters = _chapters(sources, data, files)
            if "html" in formats:
                files.contents[PAGE] = render(chapters, _heading(data), _facts(data), command).encode("utf-8", "backslashreplace")
        built = [chapter.built for chapter in chapters]
        made = _made(f"{place}/{PAGE}" if "html" in formats else place, built)
        try:
            with _said_if_interrupted(f"the report in {place} is not whole; the same command makes it anew"):
                replace(folder, earlier, files.contents, listing(built, {"runs": list(paths), "command": command, "games": data.games}))
        except OSError as error:
            raise Unwritten(dataclasses.replace(made, place=""), f"{place} cannot be written: {reason(error)}") from error
    return made


def show_made(made: Made) -> None:
    """Where it is; of one that could not be written, what it would have said."""
    for line in [f"written to {made.place}"] if made.place else made.takeaways:
        print(line)


@contextlib.contextmanager
def _said_if_interrupted(words: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted: {words}") from None


def _chapters(sources: Sequence[Source], data: ReportData, files: Files) -> list[Chapter]:
    """Those that draw on others last, then all in the order of the page."""
    chapters: list[Chapter] = []
    for source in sorted(sources, key=lambda source: source.is_last):
        chapters.append(_chapter(build_section(source, data, [chapter.built for chapter in chapters]), files))
    return sorted(chapters, key=lambda chapter: (chapter.built.order, chapter.built.name))


def _made(place: str, built: Sequence[Built]) -> Made:
    takeaways = dict.fromkeys(takeaway.text for one in built for takeaway in one.section.takeaways)
    failures = [f"section {one.name} failed: {one.failure}" for one in built if one.failure]
    return Made(place, list(takeaways), failures, [one.name for one in built if one.lacks])


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
    """What stands under the heading."""
    seeds = ", ".join(str(run.experiment["seed"]) for run in data.runs)
    facts = [("variant", data.variant), ("players", str(data.players)), ("policies", ", ".join(data.policies))]
    return [*facts, ("blocks", f"{data.blocks:,}"), ("seed", seeds), ("runs", ", ".join(run.folder.url for run in data.runs))]
