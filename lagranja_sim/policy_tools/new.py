"""A starting file for a new policy: documented, ready to play, of one of the kinds that its game offers."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from lagranja_sim.game import Game
from lagranja_sim.plugins import DEFAULT_GAME, tool_folder
from lagranja_sim.policy import PolicyError, find_policy, near
from lagranja_sim.policy.call import exact
from lagranja_sim.policy_tools.starts import STARTS
from lagranja_sim.runs.folder import Folder, reason

NEXT = (
    ("see it play", "lagranja play --policies NAME,OTHER GAME"),
    ("check it", "lagranja policies check NAME"),
    ("measure it", "lagranja ladder --policies NAME,BEST GAME"),
    ("tune it", "lagranja tune NAME --against OTHER GAME"),
    ("share code", "from ._mine import worth, of policies/_mine.py, in every policy beside it"),
)


def new_policy(game: Game, name: str, kind: str = "score") -> Path:
    """Write a starting file into the current folder's `policies`; no file is ever overwritten."""
    kinds = game.policies.starts or STARTS
    if kind not in kinds:
        raise PolicyError(f"no kind is called {kind!r}{near(kind, kinds)}; there are {', '.join(kinds)}")
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name) or name.startswith("_"):
        raise PolicyError(f"{name!r} is no name for a policy: letters, digits and _, a letter first")
    if (tool_folder("policies") / f"{name}.py").exists():
        raise PolicyError(f"a policy called '{name}' comes with the tool; choose another name")
    path = Path("policies") / f"{name}.py"
    try:
        Folder.at(path.parent).write_new(path.name, text_of(game, name, kind))
    except FileExistsError:
        raise PolicyError(f"{path} exists; it is left as it is") from None
    except OSError as error:
        raise PolicyError(f"{path} cannot be written: {reason(error)}") from None
    return path


def text_of(game: Game, name: str, kind: str) -> str:
    """The starting file of a kind."""
    text = (game.policies.starts or STARTS)[kind].replace("NAME", name).replace("GAME", game.name)
    return text.replace("    WEIGHTS_OF_BASE\n", weights_of_base(game)) if kind == "base" else text


def weights_of_base(game: Game) -> str:
    """All weights of the game's default policy as comments, with their bounds."""
    base = find_policy(game.policies.default)
    lines = (
        f'    # "{key}": {exact(base.weights[key])},  # {exact(bound.low)} to {exact(bound.high)}\n' for key, bound in base.bounds.items()
    )
    return "".join(lines)


def what_next(game: Game, name: str) -> list[str]:
    """What can be done with the new file."""
    other = game.policies.references[1]
    best = ",".join(dict.fromkeys((other, game.policies.default)))
    values = {"NAME": name, "OTHER": other, "BEST": best, "GAME": "" if game.name == DEFAULT_GAME else f"--game {game.name}"}
    return [f"{title + ':':13}{re.sub('|'.join(values), lambda word: values[word[0]], command)}".rstrip() for title, command in NEXT]
