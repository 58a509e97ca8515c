"""What is typed after a command, read with errors that name it and say what is expected."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import typer

from lagranja_sim.spelling import is_utf8

WHOLE = re.compile(r"[+-]?[0-9](_?[0-9]){0,29}")
LONGEST = 60  # characters of something mistyped that are shown


def shown(typed: object) -> str:
    """What was typed, in quotes, not all of it if it is very long."""
    text = str(typed)
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")


def wrong_argument(arguments: Sequence[str]) -> str:
    """Why arguments cannot be taken as they are, nothing if they can: an empty one is mostly a variable of a script that was never set."""
    for place, argument in enumerate(arguments):
        where = f"argument {place + 1}{f', after {shown(arguments[place - 1])},' if place else ''}"
        if not argument:
            return f"{where} is empty"
        if re.fullmatch(r"--[a-z-]+=", argument):
            return f"{argument} is followed by nothing"
        if not is_utf8(argument):
            return f"{where} is not UTF-8: {shown(argument)}"
    return ""


# --- kinds of values -----------------------------------------------------------------------------------------------------------------


def whole(least: int | None = None, most: int | None = None) -> Callable[[Any], int]:
    """Reads whole numbers within bounds; `20_000` is one as well."""
    bounds = f" from {least} to {most}" if most is not None else f" of at least {least}" if least is not None else ""

    def parse(typed: Any) -> int:
        text = str(typed)
        value = int(text) if WHOLE.fullmatch(text) else None
        if value is None or (least is not None and value < least) or (most is not None and value > most):
            raise typer.BadParameter(f"must be a whole number{bounds}, not {shown(text)}")
        return value

    return parse


def number(typed: Any) -> float:
    """Reads a number that is finite."""
    try:
        value = float(typed)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise typer.BadParameter(f"must be a number, not {shown(typed)}")
    return value


def some_names(typed: Any) -> str:
    """Reads names with commas between them, of which there has to be one."""
    if not str(typed).replace(",", "").strip():
        raise typer.BadParameter(f"must name something, not {shown(typed)}")
    return str(typed)


def one_of(*names: str) -> Callable[[Any], str]:
    """Reads one of some names."""

    def parse(typed: Any) -> str:
        if typed not in names:
            raise typer.BadParameter(f"must be {', '.join(names[:-1])} or {names[-1]}, not {shown(typed)}")
        return str(typed)

    return parse
