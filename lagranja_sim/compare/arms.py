"""Arms: what is compared with what.

An arm is written as parts joined by `+`, laid on what all arms share: the name of a variant or the path of a TOML of differences,
`key=value`, `key+=1` or `key-=1` for single values (see `runs.changes`), `components=DIR`, `policy=NAME` for all seats or `policies=A,B,...`.
The folder of a finished run is an arm as well (see `stored`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lagranja_sim.game import Components, find_game
from lagranja_sim.kit.problems import ComponentsError
from lagranja_sim.policy import PolicyError
from lagranja_sim.policy.call import split_policies
from lagranja_sim.runs.changes import PLAYERS, Change, Changes, WrongChange, split_change, with_change
from lagranja_sim.runs.experiment import MANIFEST, ExperimentError
from lagranja_sim.runs.provenance import hashes
from lagranja_sim.runs.records import Run
from lagranja_sim.runs.setting import Setting, find_policies, open_components
from lagranja_sim.spelling import span

if TYPE_CHECKING:
    from lagranja_sim.compare.retune import Retuned


@dataclass(frozen=True)
class Recipe:
    """What an arm is made of; without a variant it has the one that all arms share."""

    game: str
    policies: tuple[str, ...]
    variant: str = ""
    components: str | None = None
    overrides: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Arm:
    """An arm as it was called, with everything loaded that it takes to play it."""

    text: str  # its name among the arms: as it was called, or that with a number where several are called the same
    recipe: Recipe
    setting: Setting
    run: Run | None = None  # where it was played before
    retuned: Retuned | None = None

    @property
    def labels(self) -> list[str]:
        return [policy.name for policy in self.setting.policies]

    def is_like(self, other: Arm) -> bool:
        """Whether it plays the same games, however it was called."""
        return self._what_decides() == other._what_decides()

    def _what_decides(self) -> Any:
        """Components, and who plays with which weights; the rules are the same for all arms."""
        return self.setting.components.hash, [(policy.hash, policy.weights) for policy in self.setting.policies]

    def facts(self) -> dict[str, Any]:
        """What it is, for a record."""
        return {
            "arm": self.text,
            "variant": self.recipe.variant,
            "overrides": self.recipe.overrides,
            "policies": self.labels,
            "hashes": hashes(self.setting),
            **({"retuned": self.retuned.facts()} if self.retuned else {}),
        }


@dataclass(frozen=True)
class Shared:
    """What all arms share unless they say otherwise."""

    game: str
    policies: Sequence[str]
    players: int
    seed: int
    variant: str
    components: str | None = None

    @property
    def text(self) -> str:
        """The arm that changes nothing."""
        return self.variant


# --- parsing -----------------------------------------------------------------------------------------------------------------------


def parts_of(text: str) -> list[str]:
    """`a+b=1+c+=2` is `a`, `b=1` and `c+=2`; a plus before a digit belongs to a number, one within double quotes to a path or text."""
    return [text] if Path(text).is_file() else [part.strip() for part in re.split(r'\+(?![\d=])(?=(?:[^"]*"[^"]*")*[^"]*$)', text)]


def parse(text: str, shared: Shared) -> Recipe:
    """The recipe that a text stands for."""
    try:
        return _recipe([split_change(part) for part in parts_of(text)], shared)
    except WrongChange as error:
        raise ExperimentError([f"arm {text!r}: {error}"]) from None


def _recipe(parts: Sequence[Change], shared: Shared) -> Recipe:
    known, read, policies = [*find_game(shared.game).components.keys(), *PLAYERS], Changes(), list(shared.policies)
    for part in parts:
        if part.key == "variant" and (Path(part.text) / MANIFEST).is_file():
            raise WrongChange(f"{part.text} is a finished run, to which nothing can be added")
        if part.key not in PLAYERS:
            read = with_change(read, part, known)
        elif not (policies := split_policies(part.text)):
            raise WrongChange(f"{part.key} names nobody")
    return Recipe(shared.game, tuple(policies), read.variant or shared.variant, read.components or shared.components, read.overrides)


# --- loading -----------------------------------------------------------------------------------------------------------------------


def load_arms(texts: Sequence[str], shared: Shared) -> list[Arm]:
    """All arms, the first of which the others are compared with; one alone is compared with the game as all arms share it.

    Arms may be equal: one is a control of the other, and has to come out the same in every deal."""
    if list(texts) == [shared.text]:
        raise ExperimentError([f"arm {shared.text!r} alone has nothing to be compared with: it is the game as it is; name a second one"])
    wanted = [shared.text, *texts] if len(texts) == 1 else list(texts)
    recipes = [parse(text, shared) for text in wanted]
    _refuse_sizes(wanted, recipes, shared.players)
    return [_loaded(text, recipe, shared) for text, recipe in zip(distinct(wanted), recipes, strict=True)]


def load_arm(text: str, shared: Shared) -> Arm:
    """A single arm."""
    return _loaded(text, parse(text, shared), shared)


def distinct(texts: Sequence[str]) -> list[str]:
    """Names that tell arms apart: the second `deluxe` is `deluxe (2)`."""
    names: list[str] = []
    for text in texts:
        numbered = (f"{text} ({number})" for number in count(2))
        names.append(next(name for name in chain([text], numbered) if name not in names))
    return names


def _refuse_sizes(texts: Sequence[str], recipes: Sequence[Recipe], players: int) -> None:
    sizes = {text: len(recipe.policies) for text, recipe in zip(texts, recipes, strict=True) if len(recipe.policies) > 1}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{size} in {text!r}" for text, size in sizes.items())
        raise ExperimentError([f"arms have different numbers of players: {counts}; a comparison has one"])
    if sizes and players not in sizes.values():
        size = next(iter(sizes.values()))
        raise ExperimentError([f"{size} policies are named for {players} players; name one a seat, or one for all (see --players)"])


def _loaded(text: str, recipe: Recipe, shared: Shared) -> Arm:
    try:
        components = open_components(recipe.game, recipe.components, recipe.variant, recipe.overrides)
        _check_players(text, components, shared.players)
        policies = find_policies(recipe.game, recipe.policies * (shared.players if len(recipe.policies) == 1 else 1))
    except ComponentsError as error:
        raise ExperimentError(list(_named(text, error))) from None
    except PolicyError as error:
        raise PolicyError(f"arm {text!r}: {error}") from None
    return Arm(text, recipe, Setting(components, policies, shared.players, shared.seed))


def _check_players(text: str, components: Components, players: int) -> None:
    if players not in components.players:
        raise ExperimentError([f"arm {text!r}: its game is for {span(components.players)} players, not {players}"])


def _named(text: str, error: ComponentsError) -> Iterator[str]:
    return (f"arm {text!r}: {problem}" for problem in error.problems)
