"""Changes of a game as they are typed: `prices.sell.pig=4`, `cards.*.barrow_vp+=1`, `variant=bga`, `components=DIR`; a bare word is a variant.

They become `{address: value}`, in which a step is the text `+=1` or `-=1`.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from lagranja_sim.errors import UserError
from lagranja_sim.kit.addresses import changed, matching, step_of
from lagranja_sim.spelling import near

BASES = ("variant", "components")  # what changes are laid on
PLAYERS = ("policy", "policies")
LONGEST_NAME = 100  # characters of an experiment's name
PLAIN = re.compile(r"[A-Za-z0-9._-]+")


class WrongChange(UserError, ValueError):
    """A change that cannot be made, in words; whoever reads it says where it was typed."""


class Change(NamedTuple):
    """What is changed, and what is typed for it; of a step with its sign."""

    key: str
    text: str


@dataclass(frozen=True)
class Changes:
    """Changes read together; what is not named is left to whatever they are laid on."""

    variant: str = ""
    components: str | None = None
    overrides: dict[str, Any] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)  # key -> the argument that names it

    def argument(self, key: str) -> str:
        """The argument that changes a key, by its name or by a pattern; empty if none does."""
        return next((text for pattern, text in self.typed.items() if key in matching(pattern, [key])), "")


# --- reading -------------------------------------------------------------------------------------------------------------------------


def split_change(text: str) -> Change:
    """`KEY=VALUE`, `KEY+=N`, `KEY-=N` or a variant."""
    key, equals, value = (piece.strip() for piece in text.partition("="))
    if not key and not value:
        raise WrongChange("a part is empty")
    if not equals:
        return Change("variant", key)
    if not value:
        raise WrongChange(f'{key} has no value; an empty text is ""')
    return Change(key[:-1].rstrip(), f"{key[-1]}={value}") if key[-1:] in ("+", "-") else Change(key, value)


def value_of(text: str) -> Any:
    """A value as TOML spells it, or else the text itself, whose quotes the shell has taken; a step stays as it is."""
    if text.startswith(("+=", "-=")) and step_of(text) is None:
        raise WrongChange(f"{text[2:]!r} is no step; expected a whole number, as in prices.sell.pig+=1")
    with contextlib.suppress(tomllib.TOMLDecodeError, RecursionError):
        table = tomllib.loads(f"value = {text}")
        if list(table) == ["value"] and table["value"] != {}:
            return table["value"]
    if text[0] in "[{\"'":
        raise WrongChange(f'{text!r} is no value; expected a number, true or false, [a, list] or "text"')
    return text


def read_typed(texts: Iterable[str], keys: Iterable[str]) -> Changes:
    """The arguments of a command line, each a change; what is wrong with one names it."""
    known, read = [*keys], Changes()
    for text in texts:
        try:
            change = split_change(text)
            read = replace(with_change(read, change, known), typed=read.typed | {change.key: text})
        except WrongChange as error:
            raise WrongChange(f"change {text!r}: {error}") from None
    return read


def with_change(read: Changes, change: Change, known: Sequence[str]) -> Changes:
    """Changes and one more; `known` are the values that there are."""
    if change.key == "variant" and change.text in known:
        raise WrongChange(f"{change.text} has no value; expected {change.text}=VALUE")
    return _with_base(read, *change) if change.key in BASES else _with_value(read, *change, [*known, *BASES])


def _with_base(read: Changes, key: str, text: str) -> Changes:
    if before := getattr(read, key):
        raise WrongChange(f"names two variants, {before} and {text}" if key == "variant" else f"sets {key} twice")
    return replace(read, variant=text) if key == "variant" else replace(read, components=text)


def _with_value(read: Changes, key: str, text: str, known: Sequence[str]) -> Changes:
    if key in PLAYERS:
        raise WrongChange(f"{key}: who plays is no change of the game; the experiment or --policies says it")
    if key not in known and not ("*" in key and matching(key, known)):
        raise WrongChange(
            f"nothing is called {key!r}{near(key, _alike(key, known))}; `lagranja components --part PART` shows the addresses"
        )
    if key in read.overrides:
        raise WrongChange(f"sets {key} twice")
    return replace(read, overrides=read.overrides | {key: value_of(text)})


def _alike(pattern: str, known: Sequence[str]) -> set[str]:
    """What is known, with `*` where a pattern has one, so that what is near a pattern is one."""
    stars = [place for place, part in enumerate(pattern.split(".")) if part == "*"]
    return {".".join("*" if place in stars else part for place, part in enumerate(address.split("."))) for address in known}


# --- laying them on others -------------------------------------------------------------------------------------------------------------


def laid_on(before: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Overrides on top of others: a step goes on from the value that is there, and later ones stand last."""
    laid = dict(before)
    for key, value in overrides.items():
        laid[key] = _stepped(key, laid.pop(key), value) if key in laid else value
    return laid


def _stepped(key: str, before: Any, value: Any) -> Any:
    step = step_of(value)
    if step is None:
        return value
    if (earlier := step_of(before)) is not None:
        return f"{'-' if earlier + step < 0 else '+'}={abs(earlier + step)}"
    try:
        return changed(before, value)
    except ValueError as error:
        raise WrongChange(f"{key} of the experiment: {error}") from None


# --- names -----------------------------------------------------------------------------------------------------------------------------

WORDS: Mapping[str, str] = {"+=": "-plus-", "-=": "-minus-", "=": "-", "*": "all"}


def changed_name(name: str, texts: Sequence[str]) -> str:
    """The name of a changed experiment, and so of the folder of its results: `baseline-prices.sell.pig-4`.

    What a name cannot hold, or not in full, is told apart by a hash."""
    said = "-".join([name, *(re.sub(r"[+-]?=|\*", lambda word: WORDS[word[0]], text) for text in texts)])
    if PLAIN.fullmatch(said) and len(said) <= LONGEST_NAME:
        return said
    mark = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:6]
    return f"{re.sub(r'[^A-Za-z0-9._]+', '-', said)[: LONGEST_NAME - 7].rstrip('-')}-{mark}"
