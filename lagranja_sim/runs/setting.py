"""An experiment with everything it names loaded: components under a variant, and policies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lagranja_sim.games.lagranja.components import Components, ComponentsError, load_components
from lagranja_sim.policy import Policy, PolicyError, find_policy
from lagranja_sim.runs.origins import unusable

if TYPE_CHECKING:
    from lagranja_sim.runs.experiment import Experiment, Loaded


@dataclass(frozen=True)
class Setting:
    """What a game is a function of, besides its number."""

    components: Components
    policies: list[Policy]
    players: int
    seed: int
    lineups: tuple[tuple[int, ...], ...] = ()  # who of the policies plays, by index; none: all of them, one a seat
    games_a_lineup: int = 0

    @classmethod
    def of(cls, experiment: Experiment) -> Setting:
        """The setting of a resolved experiment."""
        components = open_components(experiment.components, experiment.variant, experiment.overrides)
        lineups = tuple(map(tuple, experiment.lineups))
        return cls(components, find_policies(experiment.policies), experiment.players, experiment.seed, lineups, experiment.games_a_lineup)

    @classmethod
    def checked(cls, loaded: Loaded) -> Setting:
        """The same, after asking whether the game can be played by so many."""
        try:
            setting = cls.of(loaded.experiment)
        except ComponentsError as error:
            raise ComponentsError([_placed(problem, loaded) for problem in error.problems]) from None
        except PolicyError as error:
            raise (unusable(error, loaded.source.manifest) if loaded.source.manifest else error) from None
        loaded.check_players(setting.components.players, setting.components.title)
        return setting


def _placed(problem: str, loaded: Loaded) -> str:
    """What is wrong with an override, with the place of the experiment where it stands."""
    return re.sub(r"^override, ([\w.]+)", lambda found: loaded.source.place(found[1]), problem)


def open_components(folder: str | None, variant: str, overrides: Mapping[str, Any] | None = None) -> Components:
    """The components of a folder (None: the tool's own) under a variant, which is a name or a path."""
    is_path = "/" in variant or variant.endswith(".toml")
    return load_components(Path(folder) if folder else None, Path(variant) if is_path else variant, dict(overrides or {}))


def find_policies(texts: Sequence[str]) -> list[Policy]:
    """The policies of all seats; one that several seats play is loaded once."""
    found = {text: find_policy(text) for text in dict.fromkeys(texts)}
    return [found[text] for text in texts]
