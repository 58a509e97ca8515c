"""What `lagranja tune` does around the search: it loads and checks policies and components, and writes the weights with how they came about."""

from __future__ import annotations

import datetime
import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagranja_sim import __version__
from lagranja_sim.contest.ladder import label
from lagranja_sim.contest.tune import PLAYERS, SEED, Arena, Cube, Search, tune
from lagranja_sim.display import show, table
from lagranja_sim.game import Components, find_game
from lagranja_sim.plugins import DEFAULT_GAME
from lagranja_sim.policy import PolicyError
from lagranja_sim.runs.experiment import ExperimentError, check_seed
from lagranja_sim.runs.folder import Folder, Unwritten, reason
from lagranja_sim.runs.provenance import called, rules_hash
from lagranja_sim.runs.setting import Setting, find_policies, open_components
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import kept
from lagranja_sim.spelling import span
from lagranja_sim.wording import counted

UNFINISHED = ".unfinished"  # added to the file's name: the folder of what an interrupted search has finished
SOURCES = ("contest/tune.py",)
WIDTH = 120  # of the lines of a header


@dataclass(frozen=True)
class Asked:
    """What the user asked for; None stands for the usual value."""

    policy: str
    against: Sequence[str]
    size: Sequence[int | None]  # generations, population, deals, jobs
    only: Sequence[str] = ()  # weights
    players: int | None = None
    seed: int | None = None
    variant: str | None = None
    folder: str | None = None
    game: str = DEFAULT_GAME


@dataclass(frozen=True)
class Tuning:
    """What is to be tuned, against whom, and where the weights go."""

    policy: str
    against: Sequence[str]
    out: Path
    force: bool
    arena: Arena
    cube: Cube
    search: Search

    @classmethod
    def of(cls, asked: Asked, out: str | None = None, force: bool = False) -> Tuning:
        """Load everything that is named; whatever is impossible is refused before any game is played."""
        if not asked.against:
            raise PolicyError("--against names no policy")
        seed = SEED if asked.seed is None else asked.seed
        check_seed(seed)
        target = Path(out or f"{asked.policy.partition(':')[0]}-tuned.toml")
        _check_place(target, force)
        game = find_game(asked.game)
        components, seats = open_components(game.name, asked.folder, asked.variant), asked.players or min(PLAYERS, game.records.seats)
        _check_players(components, seats)
        cube = Cube.of(find_policies(game.name, [asked.policy])[0], asked.only)
        arena = Arena(components, find_policies(game.name, asked.against), seats, seed)
        return cls(asked.policy, asked.against, target, force, arena, cube, Search.of(len(cube.names), *asked.size))

    def carry_out(self, command: str, listener: Listener) -> dict[str, Any]:
        """Tune, write the file and return the result; raises `Unwritten` with it if the file cannot be written."""
        unfinished = Folder.at(f"{self.out}{UNFINISHED}")
        with unfinished.hold(passing=True):
            unfinished.try_out()
            with kept(unfinished, self._call(), self.force, listener) as pieces:
                started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
                result = self._conditions() | tune(self.cube, self.arena, self.search, listener, pieces)
                facts = {"command": command, "date": started, "components": self.arena.components.hash, "policy": self.cube.policy.hash}
                self._write(result, {**facts, "rules": rules_hash(self.arena.components.game), "version": __version__})
        return result

    def _conditions(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "against": list(self.against),
            "players": self.arena.players,
            "variant": self.arena.components.variant,
            "seed": self.arena.seed,
            "out": str(self.out),
        }

    def _call(self) -> dict[str, Any]:
        """Everything the weights depend on: two calls that agree in this find the same ones."""
        policies = [self.cube.policy, *self.arena.pool]
        setting = Setting(self.arena.components, policies, self.arena.players, self.arena.seed)
        size = {name: getattr(self.search, name) for name in ("generations", "population", "deals")}
        return {"policy": policies[0].name, "against": [policy.name for policy in policies[1:]], "only": self.cube.names, **size} | called(
            setting, SOURCES
        )

    def _write(self, result: dict[str, Any], facts: dict[str, str]) -> None:
        folder, text = Folder.at(self.out.parent), weights_file(result, facts)
        try:
            folder.write_text(self.out.name, text) if self.force else folder.write_new(self.out.name, text)
        except OSError as error:
            raise Unwritten({**result, "out": None}, f"{self.out} cannot be written: {reason(error)}") from error


def _check_place(target: Path, force: bool) -> None:
    if target.exists() and not (force and target.is_file()):
        raise PolicyError(f"{target} exists; choose another file with --out{', or replace it with --force' * target.is_file()}")
    if not target.parent.is_dir():
        raise PolicyError(f"{target}: there is no folder {target.parent}")


def _check_players(components: Components, players: int) -> None:
    if players not in (possible := [number for number in components.players if number > 1]):
        raise ExperimentError([f"--players: {components.title} is tuned in games of {span(possible)} players, not {players}"])


# --- the file ---------------------------------------------------------------------------------------------------------------------------


def weights_file(result: dict[str, Any], facts: dict[str, str]) -> str:
    """A TOML file of weights under comments that say how they were found."""
    name, pool = result["policy"].partition(":")[0], ", ".join(map(label, result["against"]))
    hashes = ", ".join(f"{what} {facts[what]}" for what in ("rules", "components", "policy"))
    generations, deals = counted(result["generations"], "generation"), counted(result["deals"], "deal")
    search = f"{generations} of {result['population']} candidates on {deals} each"
    paragraphs = [
        f"Weights of {label(result['policy'])}, found by CMA-ES in games of {result['players']} against {pool}.",
        f"Command: {facts['command']}",
        f"Search: {search}, seed {result['seed']}, variant {result['variant']}.",
        *_held_out_lines(result["held_out"]),
        f"Made {facts['date']} with lagranja_sim {facts['version']} ({hashes}).",
        f"To play with them: {name}:@FILE in place of the policy's name.",
    ]
    comments = [line for text in paragraphs for line in textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)]
    weights = [
        f"{key if key.isidentifier() and key.isascii() else json.dumps(key)} = {value!r}" for key, value in result["weights"].items()
    ]
    return "\n".join([*(f"# {line}" for line in comments), "", "[weights]", *weights, ""])


def _held_out_lines(held_out: dict[str, Any]) -> list[str]:
    """The strength on deals that the search did not use."""
    lines = [f"Held out, {held_out['deals']} other deals in every seat (95 % intervals over deals):"]
    for measure, unit, scale in (("win_share", " %", 100), ("margin", " points", 1)):
        values = held_out[measure]
        before, after = (f"{values[which]['mean'] * scale:.2f}{unit}" for which in ("start", "tuned"))
        lines.append(f"- {measure.replace('_', ' ')} {after} against {before} at the start: {interval(values['difference'], scale)}{unit}")
    return [*lines, verdict(held_out)]


def interval(estimate: dict[str, float | None], scale: int) -> str:
    """`+1.20 (0.40 to 2.00)`."""
    mean, low, high = (None if value is None else value * scale for value in estimate.values())
    return f"{mean:+.2f} ({low:+.2f} to {high:+.2f})" if low is not None and high is not None else f"{mean:+.2f}"


def verdict(held_out: dict[str, Any]) -> str:
    """Whether the weights are better than those at the start, measured by the fitness that the search maximized."""
    low, high = held_out["fitness"]["difference"]["low"], held_out["fitness"]["difference"]["high"]
    comparison = (
        "better than" if low is not None and low > 0 else "worse than" if high is not None and high < 0 else "not shown to be better than"
    )
    return f"They are {comparison} the weights at the start."


# --- in a terminal ------------------------------------------------------------------------------------------------------------------------


def show_tuned(result: dict[str, Any]) -> None:
    """The held-out strength and the weights that changed."""
    held_out, start, weights = result["held_out"], result["start"], result["weights"]
    generations, deals = counted(result["generations"], "generation"), counted(result["deals"], "deal")
    search = f"{generations} of {result['population']} candidates on {deals}"
    show(f"{label(result['policy'])} against {', '.join(map(label, result['against']))}: {search}, seed {result['seed']}", "")
    rows = [_strength(held_out, *row) for row in (("win_share", "win share, %", 100), ("margin", "margin, points", 1))]
    show(table(f"Held out: {held_out['deals']:,} deals", ["", "start", "tuned", "difference, 95 %"], rows), "")
    changed = ([name, f"{start[name]:g}", f"{value:g}"] for name, value in weights.items() if value != start[name])
    show(table("Weights", ["", "start", "tuned"], changed), "", verdict(held_out), *[f"written to {result['out']}"] * bool(result["out"]))


def _strength(held_out: dict[str, Any], measure: str, title: str, scale: int) -> list[str]:
    values = held_out[measure]
    return [title, *(f"{values[which]['mean'] * scale:.2f}" for which in ("start", "tuned")), interval(values["difference"], scale)]
