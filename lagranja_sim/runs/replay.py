"""One game told move by move: a fresh one, or one of a run, which must end as the run's tables say."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lagranja_sim.game import find_game
from lagranja_sim.play.follow import follow_game
from lagranja_sim.policy import PolicyError
from lagranja_sim.policy.call import split_policies
from lagranja_sim.runs.experiment import Experiment, experiment_from
from lagranja_sim.runs.folder import Folder, RunError, RunFailed
from lagranja_sim.runs.lineups import Span
from lagranja_sim.runs.origins import changes, unusable
from lagranja_sim.runs.provenance import different, hashes
from lagranja_sim.runs.records import Run, open_run, read_manifest
from lagranja_sim.runs.setting import Setting

Lines = list[dict[str, Any]]


@dataclass(frozen=True)
class GameRecord:
    """A game's lines, the setting it was played in, and remarks for the user."""

    lines: Lines
    setting: Setting
    remarks: list[str]


def replay(path: str, game: int, components: str | None = None) -> GameRecord:
    """Game `game` of the run at `path`, played again and compared with the run's own rows."""
    manifest = read_manifest(Folder(path))
    experiment = Experiment.model_validate({**manifest["experiment"], **({"components": components} if components else {})})
    if not 0 <= game < experiment.games:
        raise RunError(f"{path} holds games 0 to {experiment.games - 1}, not {game}")
    try:
        setting = Setting.of(experiment)
        span = Span.at(setting, game)
        lines = list(follow_game(setting.components, span.policies, setting.seed, game - span.first))
        changed = different(manifest["hashes"], hashes(setting))
    except PolicyError as error:
        raise unusable(error, manifest) from None
    lines[0]["game"] = game
    remarks = [f"the {what} are not those the run was played with" for what in changed]
    remarks += changes(manifest)
    if manifest["status"] == "complete":
        _compare(open_run(path), game, lines, remarks)
    return GameRecord(lines, setting, remarks)


def _compare(run: Run, game: int, lines: Iterable[dict[str, Any]], remarks: list[str]) -> None:
    if "seats" not in run.tables:
        return
    columns = ("seat", "vp")
    recorded = sorted(run.game("seats", game).select(columns).iter_rows())
    replayed = sorted(tuple(line[column] for column in columns) for line in lines if line["type"] == "final")
    if recorded != replayed:
        reasons = "".join(f"\n{remark}" for remark in remarks)
        raise RunFailed(f"game {game} played again ends differently: (seat, points) were {recorded} and are {replayed}{reasons}")


def fresh_game(options: Mapping[str, Any], changes: Sequence[str] = ()) -> GameRecord:
    """The first game of a seed, or of a new one; between the game's reference policies if none are named.

    Options of the command line are `None` if not given; changes are laid on the variant."""
    rules, seed, policies = find_game(options["game"]), options["seed"], options["policies"]
    names = split_policies(policies) if policies is not None else list(rules.policies.references[::-1])
    if not names:
        raise RunError("--policies names no policy")
    count = options["players"] or (len(names) if len(names) > 1 else 2)
    own = {"name": "play", "games": count, "players": count, "policies": names, "seed": secrets.randbelow(2**31) if seed is None else seed}
    loaded = experiment_from({**options, **own}, changes)
    setting = Setting.checked(loaded)
    lines = list(follow_game(setting.components, setting.policies, setting.seed, 0))
    return GameRecord(lines, setting, [f"seed {setting.seed}"] if seed is None else [])
