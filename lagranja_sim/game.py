"""What a game is to everything outside its package: record types, kernels, tables, words, measures and defaults.

A game is found by name, as policies are: the folder `games` of the working folder comes first, then the tool's own. It is a module or package
that holds `GAME`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lagranja_sim.errors import UserError
from lagranja_sim.kit.sources import SourceCount
from lagranja_sim.kit.tables import Tables
from lagranja_sim.modules import module_name
from lagranja_sim.plugins import plugin_files, plugin_folders, tool_folder
from lagranja_sim.spelling import is_utf8, near

Words = dict[str, Any]  # what a line of a replay or an option says, by key


@dataclass(frozen=True)
class Records:
    """The record types of a game.

    `game` has the fields `seats` (how many play), `error` (0: none), `decisions` and `luck` (uint64); `log`, what is noted of a game for its
    rows, has `rows_used` (int64, one number a table). A record of `game` or `notes` is copied whole, so none holds references.
    """

    game: np.dtype[Any]
    box: np.dtype[Any]  # everything printed
    option: np.dtype[Any]
    notes: np.dtype[Any]  # what a policy keeps of a game in which it plays, one a seat
    log: np.dtype[Any]
    seats: int  # most players
    options: int  # most options of a decision


class Components(Protocol):
    """Everything printed, under one variant. `box[0]` is what the kernels take."""

    game: str  # the name of the game
    variant: str
    title: str
    box: np.ndarray
    hash: str
    differences: dict[str, object]

    @property
    def players(self) -> range:
        """The allowed numbers of players."""
        ...

    def sources(self) -> list[SourceCount]:
        """Counts of values by part and source."""
        ...

    def reconstructed_share(self) -> float:
        """The share of all values that were found in no document."""
        ...


@dataclass(frozen=True)
class Measure:
    """A number a game that arms are compared by: a name, what it says in words, and whether it is a share (shown in percent).

    `even` is what it would be if all players had the same chances; None where that says nothing."""

    name: str
    words: str
    is_share: bool = False
    even: float | None = None


Column = tuple[Measure, np.ndarray]  # one number a game


class Language:
    """A game in words: how options are spelled, what a replay's lines hold, how they are told. What a game does not say is left out."""

    def follow(self, box: Any) -> None:
        """Have the game note what happens from now on, for `happened`."""

    def setup(self, game: Any, box: Any) -> Words:
        """What has been dealt."""
        return {}

    def moment(self, game: Any) -> Words:
        """When it is: round, phase."""
        return {}

    def decision(self, game: Any) -> str:
        """The kind of the decision at hand."""
        return "choose"

    def option(self, game: Any, seat: int, option: Any, components: Any) -> Words:
        """An option; `do` says what it does."""
        raise NotImplementedError

    def happened(self, box: Any) -> Iterator[Words]:
        """What was noted since the last call."""
        return iter(())

    def end(self, game: Any, box: Any) -> Iterator[Words]:
        """What lies on the table when the game is over."""
        return iter(())

    def final(self, game: Any, box: Any, seat: int) -> Words:
        """A seat's result: `vp` at least."""
        raise NotImplementedError

    def option_in_words(self, words: Words, kind: str, components: Any) -> str:
        """An option of a kind of decision as a sentence would name it."""
        return ", ".join(f"{value}" if key == "do" else f"{key} {value}" for key, value in words.items())

    def tell(self, lines: Sequence[Words], components: Any) -> Iterator[str]:
        """The lines of a replay as a story."""
        for line in lines:
            yield from self.told(line, components)

    def told(self, line: Words, components: Any) -> Iterator[str]:
        """One line of it."""
        if line["type"] == "setup":
            yield f"Game {line['game']} of seed {line['seed']}, {line['variant']}: {', '.join(line['policies'])}"
        elif line["type"] == "choice":
            chosen = self.option_in_words(line["options"][line["chosen"]], line["kind"], components)
            yield f"Seat {line['seat']} ({line['policy']}): {chosen}"
        elif line["type"] == "final":
            yield f"Seat {line['seat']} ({line['policy']}): {line['vp']} points"


class ComponentKit(Protocol):
    """How the components of a game are loaded and shown."""

    def load(self, folder: Path | None, variant: str | Path, overrides: Mapping[str, Any] | None = None) -> Any:
        """The components of a folder (None: the game's own) under a variant and single changes. Raises ComponentsError."""

    def show(self, components: Any, part: str | None, as_json: bool) -> None:
        """Print them, or only one part."""

    def show_variants(self, folder: Path | None, as_json: bool) -> None:
        """Print the variants and what they change."""

    def keys(self) -> Iterable[str]:
        """What an override may name."""

    def values(self, components: Any) -> Mapping[str, Any]:
        """Every printed value by its address, in the order in which they are shown."""

    def variant_paths(self) -> Mapping[str, Path]:
        """The files of variants, by name."""


@dataclass(frozen=True)
class PolicyKit:
    """What policies of a game have to go by."""

    default: str  # plays where none is named
    references: tuple[str, str]  # by which others are measured, the weaker first
    starts: Mapping[str, str] = field(default_factory=dict)  # starting files, by kind of policy
    weights_file: Path | None = None  # whose WEIGHTS a policy takes by WEIGHTS_OF = "toolkit"
    deal_anew: Callable[[np.ndarray, np.ndarray, int, Any], np.ndarray] | None = (
        None  # games, boxes, seat, chances -> with other hidden things
    )
    new_names: Callable[[], Mapping[str, str]] = dict  # names that older policies use -> what they are called now
    new_fields: Callable[[], Mapping[str, str]] = dict  # the same for fields of the box


@dataclass(frozen=True)
class MeasureKit:
    """What arms are compared by beside points and wins."""

    tables: tuple[str, ...] = ("games", "seats")  # that are read for it
    columns: Callable[[Mapping[str, np.ndarray], int], Iterator[Column]] = lambda _tables, _players: iter(())  # of tables, players
    profile: Mapping[str, str] = field(default_factory=dict)  # what policies differ in: name -> column of `seats`, else of `rounds`, summed
    profile_note: str = ""  # how these are counted
    rests_on: Mapping[str, str] = field(default_factory=dict)  # part of the components -> report sections that rest on it


@dataclass(frozen=True, eq=False)
class Game:
    """A game. Everything outside its package knows it by this.

    `kernels` is the module of its compiled functions, imported when they are first needed: deal(game, box, seed, block, players),
    advance(game, box, options) -> how many options are listed, 0 at the end, ROUND_SCORED between rounds, to_move(game) -> seat,
    apply(game, box, option), hide(views, game, seat), and what is noted for the rows: note_dealt(game, box, log, rows),
    note_choice(game, box, seat, option, log, rows), note_moved(game, box, seat, log, rows), note_scored(game, box, log, rows), of
    which it may leave out any, and note_over(game, box, log, rows); `log.number` and `log.rotation` are set before.
    """

    name: str
    title: str
    records: Records
    kernels: str
    tables: Tables
    rows: type[tuple[Any, ...]]  # a named tuple of row arrays, one a table
    errors: Mapping[int, str]  # of its own, by number
    language: Language
    variant: str  # played where none is named
    components: ComponentKit
    policies: PolicyKit
    measures: MeasureKit = MeasureKit()
    one_win: bool = True  # the win shares of a game sum to 1; else several may win, or nobody


# --- by name ---------------------------------------------------------------------------------------------------------------------------


class NoGame(UserError):
    """A game that does not exist, or whose files hold none."""


def game_files() -> dict[str, Path]:
    """Every game by its name: `NAME.py`, or the `__init__.py` of a folder NAME; one's own hides a shipped one of the same name."""
    files = plugin_files("games", ".py")
    for folder in plugin_folders("games"):
        for path in sorted(folder.glob("*/__init__.py")):
            if not path.parent.name.startswith(("_", ".")) and is_utf8(path.parent.name):
                files.setdefault(path.parent.name, path)
    return files


def find_game(name: str) -> Game:
    """The game of that name. Raises NoGame."""
    files = game_files()
    if name not in files:
        raise NoGame(f"no game is called {name!r}{near(name, files)}; games: {', '.join(sorted(files))}")
    return _loaded(name, files[name])


def list_games(on_broken: Callable[[NoGame], None]) -> list[Game]:
    """All games, by name; one whose file cannot be used is told to `on_broken` and left out."""
    games = []
    for name in sorted(game_files()):
        try:
            games.append(find_game(name))
        except NoGame as error:
            on_broken(error)
    return games


@cache
def _loaded(name: str, path: Path) -> Game:
    if path.is_relative_to(tool_folder("games")):
        return importlib.import_module(f"lagranja_sim.games.{name}.game").GAME
    is_folder = path.name == "__init__.py"
    try:
        module = importlib.import_module(module_name(path.parent if is_folder else path))
    except Exception as error:
        raise NoGame(f"{path}: {type(error).__name__}: {error}") from error
    game = vars(module).get("GAME")
    if not isinstance(game, Game) or game.name != name:
        raise NoGame(f"{path} holds no game: GAME = Game(name={name!r}, ...)")
    return game


def game_sources(name: str) -> list[Path]:
    """The files that decide how a game goes, beside those that all games share."""
    path = game_files()[name]
    if path.name != "__init__.py":
        return [path]
    return sorted(path.parent.rglob("*.py"))
