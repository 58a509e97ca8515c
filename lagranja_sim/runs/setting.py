"""An experiment with everything it names loaded: components under a variant, and policies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lagranja_sim.game import Components, find_game
from lagranja_sim.kit.problems import ComponentsError
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
        components = open_components(experiment.game, experiment.components, experiment.variant, experiment.overrides)
        lineups, policies = tuple(map(tuple, experiment.lineups)), find_policies(experiment.game, experiment.policies)
        return cls(components, policies, experiment.players, experiment.seed, lineups, experiment.games_a_lineup)

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
    """What is wrong with an override, with the place where it was asked for; entries of lists are counted as in addresses."""
    return re.sub(r"^override, ([\w.*]+(, entry \d+)*)", lambda found: loaded.source.place(found[1].replace(", entry ", ".")), problem)


def open_components(
    game: str, folder: str | None = None, variant: str | None = None, overrides: Mapping[str, Any] | None = None
) -> Components:
    """The components of a game from a folder (None: its own) under a variant: a name, a path, or None for the one usually played."""
    rules = find_game(game)
    named = variant or rules.variant
    is_path = "/" in named or named.endswith(".toml")
    components: Components = rules.components.load(
        Path(folder) if folder else None, Path(named) if is_path else named, dict(overrides or {})
    )
    return components


def find_policies(game: str, texts: Sequence[str]) -> list[Policy]:
    """The policies of all seats; one that several seats play is loaded once. Raises PolicyError for one that plays another game."""
    policies = {text: find_policy(text) for text in dict.fromkeys(texts)}
    for policy in policies.values():
        if policy.game != game:
            raise PolicyError(
                f"policy {policy.name} plays {policy.game}, not {game}; `lagranja policies --game {game}` lists those that do"
            )
    return [policies[text] for text in texts]
