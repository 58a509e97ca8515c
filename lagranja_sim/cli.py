"""The command line: parse, call, print, exit code. Nothing heavy is imported before a command needs it, so `--help` answers at once."""

import functools
import json
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

import typer

EXIT_CODES = {  # of errors that a user can act on, by the name of their class; all others are the tool's own fault
    "ComponentsError": 2,
    "PolicyError": 2,
    "ExperimentError": 2,
    "RunError": 2,
    "GameError": 1,
    "RunFailed": 1,
}
INTERRUPTED, PIPE_CLOSED, FAULT = 130, 141, 1


class Backend(StrEnum):
    """Kinds of workers."""

    threading = "threading"
    loky = "loky"
    dask = "dask"


app = typer.Typer(
    name="lagranja",
    help="Plays the board game La Granja by the thousand, and shows what came of it. Unofficial.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
Variant = Annotated[str | None, typer.Option(metavar="V", help="Name of a variant, or a TOML file of differences.")]
Folder = Annotated[str | None, typer.Option("--components", metavar="DIR", help="Folder of components to use instead of the tool's own.")]
Players = Annotated[int | None, typer.Option(metavar="N", help="Number of players.")]
Seed = Annotated[int | None, typer.Option(metavar="S", help="Seed of all chance.")]


# --- errors and exit codes ---------------------------------------------------------------------------------------------------------


def main() -> None:
    app(prog_name="lagranja")


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Register a command whose errors become lines on stderr and an exit code."""

    @functools.wraps(function)
    def guarded(*arguments: Any, **options: Any) -> None:
        try:
            function(*arguments, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            _leave_quietly()
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, typer.Exit | typer.Abort) or os.environ.get("LAGRANJA_TRACEBACK") == "1":
                raise
            _fail(error)

    return app.command()(guarded)


def _fail(error: BaseException) -> None:
    if isinstance(error, KeyboardInterrupt):
        _stop(INTERRUPTED, str(error) or "interrupted")
    known = [EXIT_CODES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in EXIT_CODES]
    if known:
        _stop(known[0], str(error))
    _stop(FAULT, f"{type(error).__name__}: {error}\nThis should not happen; LAGRANJA_TRACEBACK=1 shows where it did.")


def _stop(code: int, text: str) -> None:
    """End at once: threads in the middle of a game have nothing more to give."""
    lines = [f"lagranja: {line}" for line in text.splitlines()]
    print(*lines, sep="\n", file=sys.stderr, flush=True)
    sys.exit(code)


def _leave_quietly() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(PIPE_CLOSED)


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, default=str))


def _version(asked: bool) -> None:
    if asked:
        from lagranja_sim import __version__

        print(f"lagranja {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")]


@app.callback()
def options(version: Version = False) -> None:
    """Options before the command."""


# --- playing -------------------------------------------------------------------------------------------------------------------------


@command
def run(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="A TOML file, the name of a known one, or a run to repeat.")],
    games: Annotated[int | None, typer.Option(metavar="N", help="Number of games, rounded up to whole blocks.")] = None,
    seed: Seed = None,
    players: Players = None,
    variant: Variant = None,
    folder: Folder = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder to write to.  [default: runs/NAME]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run that the folder holds.")] = False,
    jobs: Annotated[int | None, typer.Option(metavar="J", min=1, help="Workers at a time.  [default: one for each processor]")] = None,
    backend: Annotated[Backend | None, typer.Option(help="Kind of workers.  [default: by the policies]")] = None,
    scheduler: Annotated[str | None, typer.Option(metavar="ADDRESS", help="A dask scheduler to play on.")] = None,
    as_json: Json = False,
) -> None:
    """Play an experiment and write its tables.

    A run that was interrupted goes on where it stopped."""
    from lagranja_sim.display import Watcher, show_summary
    from lagranja_sim.experiment import load_experiment
    from lagranja_sim.setting import Setting
    from lagranja_sim.simulate import run_experiment
    from lagranja_sim.summary import summarize
    from lagranja_sim.tables import TABLES
    from lagranja_sim.workers import Workers

    values = {"games": games, "seed": seed, "players": players, "variant": variant, "components": folder}
    loaded = load_experiment(experiment, TABLES, values)
    setting = Setting.checked(loaded)
    workers = Workers.of(setting, jobs, backend, scheduler)
    target = out or f"runs/{loaded.experiment.name}"
    with Watcher() as watcher:
        for remark in loaded.remarks:
            watcher.say(remark)
        finished = run_experiment(loaded.experiment, setting, target, workers, force, _this_command(), watcher)
    summary = {**summarize(finished), "run": target}
    _print_json(summary) if as_json else show_summary(summary)


def _this_command() -> str:
    import shlex

    return shlex.join(["lagranja", *sys.argv[1:]])


@command
def replay(
    path: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    game: Annotated[int, typer.Argument(metavar="GAME", help="Number of the game, from 0.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Tell one game of a run, move by move.

    The game is played again, and must end as the run's tables say."""
    from lagranja_sim.replay import replay as play_again

    _tell(play_again(path, game, folder), as_json)


@command
def play(
    policies: Annotated[str, typer.Option(metavar="A,B,...", help="One policy a seat, or one for all.")] = "greedy,random",
    players: Players = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Seed of all chance.  [default: a new one]")] = None,
    variant: Variant = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Play one fresh game and tell it."""
    from lagranja_sim.replay import fresh_game

    _tell(fresh_game(policies, players, seed, variant or "deluxe", folder), as_json)


def _tell(told: Any, as_json: bool) -> None:
    from lagranja_sim.display import remark

    for text in told.remarks:
        remark(text)
    if as_json:
        for line in told.lines:
            _print_json(line)
        return
    from lagranja_sim.story import tell

    for text in tell(told.lines, told.setting.components):
        print(text)


# --- looking around --------------------------------------------------------------------------------------------------------------------


@command
def components(
    part: Annotated[str | None, typer.Option(metavar="P", help="Only this part, e.g. cards.")] = None,
    variant: Variant = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Show the printed components.

    Every value with its source, and how much is reconstructed."""
    from lagranja_sim.components.show import show_components
    from lagranja_sim.setting import open_components

    show_components(open_components(folder, variant or "deluxe"), part, as_json)


@command
def variants(
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """List the variants and what they change."""
    from pathlib import Path

    from lagranja_sim.components.show import show_variants

    show_variants(Path(folder) if folder else None, as_json)


@command
def policies(as_json: Json = False) -> None:
    """List the policies and their weights."""
    from lagranja_sim.policy import list_policies

    found = list_policies()
    if as_json:
        _print_json([{key: getattr(policy, key) for key in ("name", "doc", "weights", "compiled", "path", "hash")} for policy in found])
        return
    from lagranja_sim.display import show_policies

    show_policies(found)


@command
def bench(
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games a repetition.")] = 10_000,
    repeat: Annotated[int, typer.Option(metavar="K", min=1, help="Repetitions of each.")] = 5,
    variant: Variant = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Measure the games a second of one core.

    Four players of one policy, with and without keeping the tables."""
    from lagranja_sim.bench import bench as measure
    from lagranja_sim.display import Watcher, show_bench

    found = measure(games, repeat, variant or "deluxe", folder, Watcher())
    _print_json(found) if as_json else show_bench(found)


@command
def doctor(as_json: Json = False) -> None:
    """Say what the tool stands on here.

    Versions, the cache of compiled code, processors, plug-in folders; exit code 1 if something is wrong."""
    from lagranja_sim.display import show_examination
    from lagranja_sim.doctor import examine

    found = examine()
    _print_json(found) if as_json else show_examination(found)
    if found["problems"]:
        raise typer.Exit(1)


# --- reading -----------------------------------------------------------------------------------------------------------------------------


@command
def report(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN...", help="Folders of runs of one experiment.")] = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder to write to.  [default: RUN-report]")] = None,
    sections: Annotated[str | None, typer.Option(metavar="A,B,...", help="Only these sections.")] = None,
    formats: Annotated[str, typer.Option("--format", metavar="F,G,...", help="What to write.")] = "html,png,svg,csv,json",
    force: Annotated[bool, typer.Option("--force", help="Replace the report that the folder holds.")] = False,
    new: Annotated[str | None, typer.Option(metavar="NAME", help="Write a starting section into ./reports/ instead.")] = None,
    as_json: Json = False,
) -> None:
    """Make a report of a run.

    One page that works offline, and beside it its figures and tables. Exit code 1 if a section failed; the page shows why."""
    from lagranja_sim.report.make import make_report, names
    from lagranja_sim.report.start import start_section

    if bool(new) == bool(runs):
        raise typer.BadParameter("give either runs, or --new and a name")
    if new:
        print(f"written to {start_section(new)}")
        return
    made = make_report(runs or [], out, names(sections), names(formats), force, _this_command())
    _print_json({"path": made.path, "failures": made.failures, "lacking": made.lacking}) if as_json else print(f"written to {made.path}")
    if made.failures:
        _stop(1, "\n".join(made.failures))


if __name__ == "__main__":
    main()
