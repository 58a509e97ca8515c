"""Playing: runs, replays, single games."""

import sys
from typing import Annotated, Any

import typer

from lagranja_sim.arguments import one_of, whole
from lagranja_sim.command_line import (
    BACKEND,
    BACKENDS,
    Changes,
    Folder,
    GameName,
    Jobs,
    Json,
    Players,
    Seed,
    Variant,
    command,
    print_json,
    show_or_fail,
    this_command,
)
from lagranja_sim.plugins import DEFAULT_GAME


@command
def run(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="A TOML file, the name of a known one, or a run to repeat.")],
    changes: Changes = None,
    games: Annotated[int | None, typer.Option(metavar="N", parser=whole(), help="Number of games, rounded up to whole blocks.")] = None,
    seed: Seed = None,
    players: Players = None,
    variant: Variant = None,
    folder: Folder = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder to write to.  [default: runs/NAME]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run that the folder holds.")] = False,
    jobs: Jobs = None,
    backend: Annotated[str | None, typer.Option(metavar="KIND", parser=one_of(*BACKENDS), help=BACKEND)] = None,
    scheduler: Annotated[str | None, typer.Option(metavar="ADDRESS", help="A dask scheduler to play on.")] = None,
    as_json: Json = False,
) -> None:
    """Play an experiment and write its tables.

    Changes of its game are laid on its own, and its results go to a folder of their own: lagranja run baseline prices.sell.pig=4. A run that
    was interrupted goes on where it stopped."""
    from lagranja_sim.display import show_summary
    from lagranja_sim.runs.experiment import load_experiment
    from lagranja_sim.runs.setting import Setting
    from lagranja_sim.runs.simulate import How, run_experiment
    from lagranja_sim.runs.summary import summarize
    from lagranja_sim.runs.workers import Workers

    values = {"games": games, "seed": seed, "players": players, "variant": variant, "components": folder}
    loaded = load_experiment(experiment, values, changes or [])
    setting = Setting.checked(loaded)
    workers = Workers.of(setting, jobs, backend, scheduler)
    target = out or f"runs/{loaded.experiment.name}"

    def play(watcher: Any) -> dict[str, Any]:
        for remark in loaded.remarks:
            watcher.say(remark)
        run = run_experiment(loaded.experiment, setting, target, workers, How(force, this_command(), watcher))
        return {**summarize(run), "run": target}

    show_or_fail(play, print_json if as_json else show_summary, target)


@command
def replay(
    path: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    game: Annotated[int, typer.Argument(metavar="GAME", parser=whole(), help="Number of the game, from 0.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Tell one game of a run, move by move.

    The game is played again, and must end as the run's tables say."""
    from lagranja_sim.runs.replay import replay as play_again

    _tell(play_again(path, game, folder), as_json)


@command
def play(
    changes: Changes = None,
    policies: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="One policy a seat, or one for all.  [default: greedy,random]")
    ] = None,
    players: Players = None,
    seed: Annotated[int | None, typer.Option(metavar="S", parser=whole(), help="Seed of all chance.  [default: a new one]")] = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """Play one fresh game and tell it.

    Changes of the game are laid on its variant: lagranja play prices.sell.pig=4."""
    from lagranja_sim.runs.replay import fresh_game

    options = {"game": game, "policies": policies, "players": players, "seed": seed, "variant": variant, "components": folder}
    _tell(fresh_game(options, changes or []), as_json)


def _tell(told: Any, as_json: bool) -> None:
    for remark in told.remarks:
        print(remark, file=sys.stderr)
    if as_json:
        for line in told.lines:
            print_json(line)
        return
    from lagranja_sim.game import find_game

    components = told.setting.components
    for text in find_game(components.game).language.tell(told.lines, components):
        print(text)
