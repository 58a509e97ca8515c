"""Finding the section files, and building each so that a failing one does not take the page with it."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import Any

from threadpoolctl import threadpool_limits

from lagranja_sim.kit.problems import ComponentsError
from lagranja_sim.plugins import DEFAULT_GAME, hiding, plugin_files
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.report.style import in_style
from lagranja_sim.runs.folder import RunError
from lagranja_sim.spelling import near
from lagranja_sim.textfile import Unreadable, read_python

REQUIRED = ("TITLE", "QUESTION")
USUAL_ORDER = 500.0
PARTS: dict[str, type] = {"takeaways": Takeaway, "figures": Figure, "tables": Table, "caveats": str, "text": str}  # of a Section, in lists
OPTIONAL: dict[str, tuple[Callable[[Any], bool], str]] = {  # what a file may define: whether a value is right, and what it has to be
    "ORDER": (lambda value: isinstance(value, Real) and math.isfinite(value), "a number"),
    "NEEDS": (lambda value: isinstance(value, list | tuple) and all(isinstance(name, str) for name in value), "a list of names of tables"),
    "MIN_GAMES": (lambda value: isinstance(value, int), "a whole number"),
    "MIN_PLAYERS": (lambda value: isinstance(value, int), "a whole number"),
    "MAX_PLAYERS": (lambda value: isinstance(value, int), "a whole number"),
    "GAME": (lambda value: isinstance(value, str), "the name of a game"),
}


class ReportError(RunError):
    """A report that cannot be made as asked."""


@dataclass
class Built:
    """The result of building a section: what it says, what data it lacks, or how it failed."""

    name: str
    order: float
    section: Section
    lacks: str = ""
    failure: str = ""


@dataclass(frozen=True)
class Source:
    """A section file; `error` says why it could not be loaded."""

    name: str
    module: ModuleType
    error: str = ""

    @property
    def order(self) -> float:
        return USUAL_ORDER if self.error else float(getattr(self.module, "ORDER", USUAL_ORDER))

    @property
    def game(self) -> str | None:
        """The game that it is about; None: any. A file that cannot be loaded is shown whatever was played."""
        return None if self.error else getattr(self.module, "GAME", None)

    @property
    def most_players(self) -> float:
        """Runs of more players have no such section."""
        return math.inf if self.error else float(getattr(self.module, "MAX_PLAYERS", math.inf))

    @property
    def is_last(self) -> bool:
        """Whether it draws on the other sections."""
        return hasattr(self.module, "build_last")

    @property
    def empty(self) -> Section:
        return Section(getattr(self.module, "TITLE", self.name), getattr(self.module, "QUESTION", ""))


# --- finding -------------------------------------------------------------------------------------------------------------------------


def find_sections(names: Sequence[str] = (), game: str = DEFAULT_GAME, players: int = 1) -> list[Source]:
    """The sections of these names (all that are about the game with so many players, if there are none) in the order of the page."""
    files = plugin_files("reports", ".py")
    for name in names:
        if name not in files:
            raise ReportError(f"there is no report section {name!r}{near(name, files)}; there are {', '.join(sorted(files))}")
    sources = [_load(name, files[name]) for name in dict.fromkeys(names or files)]
    others = [source for source in sources if source.game not in (None, game)]
    if names and others:
        raise ReportError(f"the report section {others[0].name!r} is about {others[0].game}, and the run plays {game}")
    fitting = (source for source in sources if source not in others and (names or source.most_players >= players))
    return sorted(fitting, key=lambda source: (source.order, source.name))


def _load(name: str, path: Path) -> Source:
    spec = importlib.util.spec_from_file_location(f"_report_section_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # data classes look themselves up there
    try:
        read_python(path)  # refuses a file that holds no text
        with _beside(path):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may do anything
        sys.modules.pop(spec.name, None)  # code that goes through all modules would fail on it
        return Source(name, module, f"{path} cannot be loaded: {_error_text(error)}{hiding('reports', path)}")
    return Source(name, module, _missing(path, module))


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """A section may import helpers from its own folder: files that start with an underscore."""
    sys.path.insert(0, str(path.parent))
    try:
        yield
    finally:
        sys.path.remove(str(path.parent))


def _missing(path: Path, module: ModuleType) -> str:
    lacking = [key for key in REQUIRED if not isinstance(getattr(module, key, None), str)]
    lacking += [] if any(callable(getattr(module, name, None)) for name in ("build", "build_last")) else ["build"]
    if lacking:
        return f"{path} defines no {' and no '.join(lacking)}"
    wrong = (
        f"{name} is {kind}" for name, (is_right, kind) in OPTIONAL.items() if hasattr(module, name) and not is_right(getattr(module, name))
    )
    return next((f"{path}: {problem}" for problem in wrong), "")


# --- building ------------------------------------------------------------------------------------------------------------------------


def build_section(source: Source, data: ReportData, others: list[Built]) -> Built:
    result = Built(source.name, source.order, source.empty, failure=source.error)
    if source.error:
        return result
    result.lacks = _lacks(source.module, data)
    if result.lacks:
        return result
    try:
        with in_style(), threadpool_limits(1, "blas"):  # matrices are narrow: threads would only wait for those of the queries
            result.section = _check_section(source.module.build_last(data, others) if source.is_last else source.module.build(data))
    except TooFew as lack:
        result.lacks = str(lack)
    except (Exception, SystemExit) as error:  # a section may be any user's code
        result.failure = _error_text(error)
    return result


def _check_section(section: Any) -> Section:
    """The value that a file returned; raises TypeError unless the page can show it."""
    if not isinstance(section, Section):
        raise TypeError(f"build returns a Section, not {section!r:.60}")
    for name, kind in PARTS.items():
        entries = getattr(section, name)
        if not isinstance(entries, list | tuple) or not all(isinstance(entry, kind) for entry in entries):
            raise TypeError(f"{name} of a Section is a list of {kind.__name__}")
    if not all(isinstance(takeaway.text, str) and isinstance(takeaway.strength, Real) for takeaway in section.takeaways):
        raise TypeError("a Takeaway has a text and, as its strength, a number")
    return section


def _lacks(module: ModuleType, data: ReportData) -> str:
    """What the section needs and the runs do not hold, in words."""
    tables = [table for table in getattr(module, "NEEDS", []) if table not in data.tables]
    if tables:
        return f"It needs the tables {', '.join(module.NEEDS)}; the run did not keep {', '.join(tables)} (`log` in the experiment)."
    players = int(getattr(module, "MIN_PLAYERS", 1))
    if data.players < players:
        return f"It needs {players} players or more; there {'is' if data.players == 1 else 'are'} {data.players}."
    most = getattr(module, "MAX_PLAYERS", data.players)
    if data.players > most:
        return f"It is about {most} player{'s' * (most > 1)}; there are {data.players}."
    least = int(getattr(module, "MIN_GAMES", 1))
    return f"It needs at least {least:,} games; there are {data.games:,}." if data.games < least else ""


def _error_text(error: BaseException) -> str:
    """An error in words for the reader of the page; the tool's own errors need no name of their type."""
    if isinstance(error, Unreadable):
        return error.reason
    return str(error) if isinstance(error, RunError | ComponentsError) else f"{type(error).__name__}: {error}"
