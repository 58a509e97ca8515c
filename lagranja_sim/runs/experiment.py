"""What is to be played: an experiment file, checked and resolved.

An experiment is a TOML file, the name of one in an `experiments` folder, or the folder of an earlier run, which repeats it. Options of
the command line take the place of the file's values, and changes of the game are laid on its own. Every problem names the file and line, or
what was typed, and the key.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lagranja_sim.errors import UserError
from lagranja_sim.game import Game, find_game
from lagranja_sim.plugins import DEFAULT_GAME, hiding, plugin_files
from lagranja_sim.policy.call import with_paths
from lagranja_sim.policy.errors import PolicyError
from lagranja_sim.runs.changes import BASES, Changes, WrongChange, changed_name, laid_on, read_typed
from lagranja_sim.spelling import near, span
from lagranja_sim.textfile import Unreadable, line_of, read_text
from lagranja_sim.wording import counted, rounded

MOST_GAMES = 2_000_000_000  # game numbers are 32-bit integers in the tables
MOST_SEED = 2**63 - 1
MOST_PLAYERS = 100  # of any game
MANIFEST = "manifest.json"


class ExperimentError(UserError, ValueError):
    """An experiment that cannot be played; `problems` holds one line for each reason."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = list(problems)

    def __reduce__(self) -> tuple[type[ExperimentError], tuple[list[str]]]:
        return type(self), (self.problems,)


class Experiment(BaseModel):
    """A resolved experiment: whole blocks, one policy a seat, absolute paths.

    With `lineups`, each of which names by index who of `policies` plays, every line-up plays the same deals.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)
    description: str = ""
    games: int = Field(ge=1, le=MOST_GAMES)
    game: str = DEFAULT_GAME
    players: int = Field(ge=1, le=MOST_PLAYERS)
    variant: str = ""  # none named: the one usually played
    components: str | None = None
    overrides: dict[str, Any] = {}
    seed: int = Field(ge=0, le=MOST_SEED)
    log: list[str] = Field([], min_length=1)  # none named: all tables
    policies: list[str] = Field(min_length=1)
    lineups: list[list[int]] = []

    @property
    def blocks(self) -> int:
        """How many deals are played, each once in every rotation of the seats."""
        return self.games // self.players

    @property
    def games_a_lineup(self) -> int:
        """Games of each line-up; without line-ups all of them."""
        return self.games // max(1, len(self.lineups))


@dataclass(frozen=True)
class Source:
    """Where the values of an experiment come from: a file and its text, options of the command line that replace some, and changes."""

    path: Path
    text: str
    values: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)
    manifest: dict[str, Any] = field(default_factory=dict)  # of the run that is repeated
    changes: Changes = field(default_factory=Changes)

    @property
    def folder(self) -> Path:
        return self.path.parent

    def place(self, key: str) -> str:
        """`change 'prices.sell.pig=x'`, or `--games`, or `FILE:LINE: games`, or `FILE: games` where no line can be named."""
        if typed := self.changes.argument(key):
            return f"change {typed!r}" if key in self.changes.typed else f"change {typed!r}: {key}"
        if key in self.options:
            return f"--{key}"
        line = line_of(self.text, key)
        return f"{self.path}:{line}: {key}" if line else f"{self.path}: {key}"


@dataclass(frozen=True)
class Loaded:
    """An experiment as it will be played, remarks on what was adjusted, and where its values came from."""

    experiment: Experiment
    remarks: list[str]
    source: Source

    def check_players(self, players: Sequence[int], title: str) -> None:
        """Refuse a number of players that the game at hand is not for."""
        if self.experiment.players not in players:
            problem = f"{title} is for {span(players)} players, not {self.experiment.players}"
            raise ExperimentError([f"{self.source.place('players')}: {problem}"])


def load_experiment(name: str, options: Mapping[str, Any] | None = None, changes: Sequence[str] = ()) -> Loaded:
    """The experiment called `name`; `options` are values of the command line, `None` if not given, `changes` are laid on its game."""
    given = {key: value for key, value in (options or {}).items() if value is not None}
    found = _read(name)
    if isinstance(found.values.get("arms"), list):
        raise ExperimentError([f"{found.path}: is a comparison; it is played by lagranja compare {name}"])
    values = {"name": found.path.stem, **found.values, **given}
    return _resolved(replace(found, values=values, options=given), changes)


def experiment_from(options: Mapping[str, Any], changes: Sequence[str] = ()) -> Loaded:
    """An experiment that no file describes: all its values are options of the command line, or changes of its game."""
    given = {key: value for key, value in options.items() if value is not None}
    return _resolved(Source(Path.cwd() / "command line", "", dict(given), given), changes)


def to_toml(experiment: Experiment) -> str:
    """The experiment as a file that `load_experiment` reads back to the same experiment."""
    values = experiment.model_dump(exclude_none=True)
    overrides = values.pop("overrides")
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    if overrides:
        lines += ["", "[overrides]", *(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in overrides.items())]
    return "\n".join(lines) + "\n"


# --- reading -------------------------------------------------------------------------------------------------------------------


def _read(source: str) -> Source:
    path = _find(source)
    return _from_manifest(path) if path.name == MANIFEST else Source(path, *read_toml(path))


def _find(source: str) -> Path:
    path = Path(source).expanduser()
    if (path / MANIFEST).is_file():
        return path / MANIFEST
    if path.is_file():
        return path
    shipped = plugin_files("experiments", ".toml")
    if source in shipped:
        return shipped[source]
    if os.path.lexists(path):
        return path  # whoever reads it says what it is instead of a file
    raise ExperimentError([f"no experiment {source!r}: neither a file nor one of {', '.join(sorted(shipped))}{near(source, shipped)}"])


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file and what it says."""
    try:
        text = read_text(path)
        return text, tomllib.loads(text)
    except Unreadable as error:
        raise ExperimentError([f"{error}{hiding('experiments', path)}"]) from None
    except RecursionError:
        raise ExperimentError([f"{path}: is nested too deeply to be read"]) from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"\(at line (\d+), column \d+\)", str(error))
        what = re.sub(r"\s*\(at .*\)$", "", str(error))
        place = f"{path}{':' + line[1] if line else ''}"
        raise ExperimentError([f"{place}: not TOML: {what[:1].lower()}{what[1:]}{hiding('experiments', path)}"]) from error


def _from_manifest(path: Path) -> Source:
    try:
        manifest = dict(json.loads(path.read_bytes()))
        return Source(path, "", dict(manifest["experiment"]), manifest=manifest)
    except OSError as error:
        raise ExperimentError([f"{path}: {error.strerror}"]) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ExperimentError([f"{path}: not the manifest of a run"]) from error


# --- checking ------------------------------------------------------------------------------------------------------------------

Words = Callable[[dict[str, Any], Any], str]
WORDS: dict[str, Words] = {
    "missing": lambda limits, value: "is missing",
    "extra_forbidden": lambda limits, value: "is no key of an experiment",
    "greater_than_equal": lambda limits, value: f"must be at least {limits['ge']}, not {value}",
    "less_than_equal": lambda limits, value: f"must be at most {limits['le']}, not {value}",
    "int_type": lambda limits, value: f"must be a whole number, not {json.dumps(value, default=str)}",
    "string_type": lambda limits, value: f"must be text in quotes, not {json.dumps(value, default=str)}",
    "list_type": lambda limits, value: f"must be a list, not {json.dumps(value, default=str)}",
    "dict_type": lambda limits, value: f"must be a table, not {json.dumps(value, default=str)}",
    "model_type": lambda limits, value: f"must be a table, not {json.dumps(value, default=str)}",
    "float_type": lambda limits, value: f"must be a number, not {json.dumps(value, default=str)}",
    "literal_error": lambda limits, value: f"must be {limits['expected']}, not {json.dumps(value, default=str)}",
    "too_short": lambda limits, value: "must not be empty",
    "string_too_long": lambda limits, value: f"must have at most {limits['max_length']} characters, not {len(value)}",
    "string_pattern_mismatch": lambda limits, value: f"must be a plain name (letters, digits, '.', '_', '-'), not {json.dumps(value)}",
}


def _validated(source: Source) -> Experiment:
    try:
        return Experiment.model_validate(source.values)
    except ValidationError as error:
        raise ExperimentError([_problem(source, dict(detail)) for detail in error.errors()]) from error


def _problem(source: Source, detail: dict[str, Any]) -> str:
    hint = near(str(detail["loc"][0]), Experiment.model_fields) if detail["type"] == "extra_forbidden" else ""
    return f"{source.place(str(detail['loc'][0]))}{entry_of(detail)}: {in_words(detail)}{hint}"


def entry_of(detail: Mapping[str, Any]) -> str:
    """` (entry 2)` of the list that a key holds, or nothing."""
    entries = [place + 1 for place in detail["loc"][1:] if isinstance(place, int)]
    return f" (entry {entries[0]})" if entries else ""


def in_words(detail: Mapping[str, Any]) -> str:
    """What pydantic finds wrong with a value."""
    words = WORDS.get(detail["type"])
    return words(detail.get("ctx", {}), detail["input"]) if words else str(detail["msg"])


def check_seed(seed: int) -> None:
    """Refuse a number that is no seed."""
    if not 0 <= seed <= MOST_SEED:
        raise ExperimentError([f"--seed: must be from 0 to {MOST_SEED}, not {seed}"])


def _resolved(source: Source, typed: Sequence[str]) -> Loaded:
    experiment = _validated(source)
    try:
        game = find_game(experiment.game)
    except UserError as error:
        raise ExperimentError([f"{source.place('game')}: {error}"]) from None
    source = replace(source, changes=_read_changes(typed, game))
    experiment = _changed(experiment, source)
    problems: list[str] = []
    remarks: list[str] = []
    changes = {
        "games": _whole_blocks(experiment, remarks),
        "log": _tables_kept(experiment, source, game.tables.names, problems),
        "policies": _one_a_seat(experiment, source, problems),
        "variant": _path_or_name(experiment.variant or game.variant, source, problems),
        "components": _folder(experiment.components, source, problems),
    }
    if problems:
        raise ExperimentError(problems)
    return Loaded(experiment.model_copy(update=changes), remarks, source)


def _read_changes(texts: Sequence[str], game: Game) -> Changes:
    try:
        return read_typed(texts, game.components.keys() if texts else ())
    except WrongChange as error:
        raise ExperimentError([str(error)]) from None


def _changed(experiment: Experiment, source: Source) -> Experiment:
    """The experiment with its overrides by address, and the changes on top of them; a changed one has a name of its own."""
    changes, before = source.changes, dict(_flat(experiment.overrides))
    named = {key: value for key in BASES if (value := getattr(changes, key))}
    if twice := [key for key in named if key in source.options]:
        raise ExperimentError([f"{source.place(twice[0])}: --{twice[0]} names another one; give one of the two"])
    try:
        overrides = laid_on(before, changes.overrides)
    except WrongChange as error:
        raise ExperimentError([str(error)]) from None
    name = changed_name(experiment.name, list(changes.typed.values()))
    return experiment.model_copy(update={**named, "overrides": overrides, "name": name})


def _whole_blocks(experiment: Experiment, remarks: list[str]) -> int:
    players, lineups = experiment.players, len(experiment.lineups)
    size = players * max(1, lineups)
    games = -(-experiment.games // size) * size
    if games != experiment.games:
        rotations = "in each rotation of the seats"
        each = f"every deal {rotations} by {counted(lineups, 'line-up')}" if lineups else "one for each rotation of the seats"
        remarks.append(f"{rounded(experiment.games, games)}: whole blocks of {size}, {each}")
    return games


def _tables_kept(experiment: Experiment, source: Source, tables: Sequence[str], problems: list[str]) -> list[str]:
    unknown = [table for table in experiment.log if table not in tables]
    problems += [f"{source.place('log')}: no table {table!r}; there are {', '.join(tables)}{near(table, tables)}" for table in unknown]
    return [table for table in tables if table in experiment.log or not experiment.log]


def _one_a_seat(experiment: Experiment, source: Source, problems: list[str]) -> list[str]:
    named = [_with_paths(policy, source, problems) for policy in experiment.policies]
    if experiment.lineups:
        problems += _wrong_lineups(experiment, source)
        return named
    if len(named) not in (1, experiment.players):
        counts = f"{len(named)} are named for {counted(experiment.players, 'player')}"
        problems.append(f"{source.place('policies')}: {counts}; name one a seat, or one for all")
    return named * experiment.players if len(named) == 1 else named


def _with_paths(policy: str, source: Source, problems: list[str]) -> str:
    """`balanced:@tuned.toml` with the path of its weights file."""
    try:
        return with_paths(policy, lambda file: _absolute(file, "policies", source, problems))
    except PolicyError as error:
        problems.append(f"{source.place('policies')}: {error}")
        return policy


def _wrong_lineups(experiment: Experiment, source: Source) -> list[str]:
    named, players = len(experiment.policies), experiment.players
    wanted = f"{players} numbers from 0 to {named - 1}, one a seat"
    wrong = [lineup for lineup in experiment.lineups if len(lineup) != players or not all(0 <= index < named for index in lineup)]
    return [f"{source.place('lineups')}: {lineup} must be {wanted}" for lineup in wrong]


def _path_or_name(variant: str, source: Source, problems: list[str]) -> str:
    looks_like_path = variant.endswith(".toml") or "/" in variant
    return _absolute(variant, "variant", source, problems) if looks_like_path else variant


def _folder(folder: str | None, source: Source, problems: list[str]) -> str | None:
    return _absolute(folder, "components", source, problems) if folder is not None else None


def _absolute(name: str, key: str, source: Source, problems: list[str]) -> str:
    """A path in an experiment file counts from that file's folder, else from the current one; on the command line from the current one."""
    folders = (Path.cwd(),) if key in source.options or source.changes.argument(key) else (source.folder, Path.cwd())
    for folder in folders if "\0" not in name else ():
        path = (folder / Path(name).expanduser()).resolve()
        if path.exists():
            return str(path)
    problems.append(f"{source.place(key)}: there is no {name}")
    return name


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """A table of tables by dotted keys: `[overrides.prices] pig = 4` is `prices.pig`."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
