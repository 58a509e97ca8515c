"""A variant of one's own: changes written into a file of the current folder, which is found by its name from then on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lagranja_sim.game import Game
from lagranja_sim.kit.problems import ComponentsError
from lagranja_sim.runs.changes import BASES, WrongChange, read_typed
from lagranja_sim.runs.folder import Folder, reason
from lagranja_sim.runs.setting import open_components

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


def new_variant(game: Game, name: str, texts: Sequence[str], base: str | None = None, title: str | None = None) -> Path:
    """Write `variants/NAME.toml` and load it; one that cannot be played is not kept, and no file is ever overwritten."""
    _check_name(game, name)
    read = read_typed(texts, game.components.keys())
    if named := [read.typed[key] for key in BASES if key in read.typed]:
        raise WrongChange(f"change {named[0]!r}: a file of a variant holds values; what it is laid on is named by --base")
    open_components(game.name, None, base)
    path = Path("variants") / f"{name}.toml"
    _write(path, "\n".join(_lines({"name": name, "title": title or name, "base": base or game.variant}, read.overrides)))
    try:
        open_components(game.name, None, name)
    except ComponentsError as error:
        path.unlink()
        raise ComponentsError([*error.problems, f"{path} is not kept"]) from None
    return path


def _check_name(game: Game, name: str) -> None:
    known = game.components.variant_paths()
    if not known:
        raise WrongChange(f"the variants of {game.title} are no files; --game {game.name} takes changes in every call")
    if not NAME.fullmatch(name):
        raise WrongChange(f"{name!r} is no name for a variant: letters, digits, _ and -, a letter or digit first")
    if name in known and known[name].is_absolute():  # those of the current folder are not
        raise WrongChange(f"a variant called '{name}' comes with the tool; choose another name")


def _write(path: Path, text: str) -> None:
    try:
        Folder.at(path.parent).write_new(path.name, text)
    except FileExistsError:
        raise WrongChange(f"{path} exists; it is left as it is") from None
    except OSError as error:
        raise WrongChange(f"{path} cannot be written: {reason(error)}") from None


def _lines(heading: Mapping[str, str], overrides: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{key} = {_spelled(value)}" for key, value in heading.items())
    yield ""
    yield from (f"{_spelled(key)} = {_spelled(value)}" for key, value in overrides.items())
    yield ""


def _spelled(value: Any) -> str:
    """A value as TOML spells it, which is as JSON does."""
    return json.dumps(value, ensure_ascii=False, default=str)
