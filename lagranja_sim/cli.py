"""The command line: parse, call, print, exit code. Nothing heavy is imported before a command needs it, so `--help` answers at once."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from lagranja_sim import streams
from lagranja_sim.arguments import number, one_of, shown, some_names, whole, wrong_argument
from lagranja_sim.errors import UserError
from lagranja_sim.plugins import DEFAULT_GAME

WRONG_CALL, INTERRUPTED, PIPE_CLOSED, FAULT = 2, 130, 141, 1
T = TypeVar("T")

BACKENDS = ("threading", "loky", "dask")
BACKEND = f"Kind of workers: {', '.join(BACKENDS)}.  [default: by the policies]"
MOST_JOBS, MOST_GAMES = 1_000, 2_000_000_000  # more workers than this are a slip of the finger


app = typer.Typer(
    name="lagranja",
    help="Plays the board game La Granja by the thousand, and shows what came of it. Unofficial.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
GameName = Annotated[str, typer.Option("--game", metavar="NAME", help="The game (`lagranja games` lists them).")]
Variant = Annotated[str | None, typer.Option(metavar="V", help="Name of a variant, or a TOML file of differences.")]
Folder = Annotated[str | None, typer.Option("--components", metavar="DIR", help="Folder of components to use instead of the tool's own.")]
Players = Annotated[int | None, typer.Option(metavar="N", parser=whole(1), help="Number of players.")]
JOBS = "Workers at a time.  [default: one for each processor]"
Jobs = Annotated[int | None, typer.Option(metavar="J", parser=whole(1, MOST_JOBS), help=JOBS)]
Seed = Annotated[int | None, typer.Option(metavar="S", parser=whole(), help="Seed of all chance.")]


# --- errors and exit codes ---------------------------------------------------------------------------------------------------------


def main() -> None:
    with streams.guarded() as output:
        try:
            if problem := wrong_argument(sys.argv[1:]):
                _stop(WRONG_CALL, problem)
            _run(output)
        except streams.OutputError as error:  # help and versions are printed outside of commands
            _fail(error)


def _run(output: streams.Output) -> None:
    try:
        app(prog_name="lagranja")
    finally:
        if not output.failure:
            output.flush()


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Register a command."""
    return app.command()(guarded(function))


def guarded(function: Callable[..., None]) -> Callable[..., None]:
    """A function whose errors become lines on stderr and an exit code."""

    @wraps(function)
    def with_exit_code(*arguments: Any, **options: Any) -> None:
        try:
            _check_current_folder()
            function(*arguments, **options)
            sys.stdout.flush()
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, typer.Exit | typer.Abort) or os.environ.get("LAGRANJA_TRACEBACK") == "1":
                raise
            _fail(error)

    return with_exit_code


def _check_current_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError:
        _stop(WRONG_CALL, "the current folder is gone; change to one that is there")


def _fail(error: BaseException) -> None:
    if isinstance(error, KeyboardInterrupt):
        _stop(INTERRUPTED, str(error) or "interrupted")
    if isinstance(error, streams.OutputError):
        _stop(PIPE_CLOSED if error.reader_left else FAULT, _words(error))
    if isinstance(error, UserError):
        _stop(error.exit_code, _words(error))
    if isinstance(error, MemoryError):
        _stop(FAULT, "the memory is used up; fewer games at a time (--jobs, --games) need less")
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        _stop(WRONG_CALL, f"{shown(error.filename)}: no file has so long a name")
    if isinstance(error, OSError):  # of the machine, not of the tool
        _stop(FAULT, f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    _stop(FAULT, f"{type(error).__name__}: {error}\nThis should not happen; LAGRANJA_TRACEBACK=1 shows where it did.")


def _words(error: BaseException) -> str:
    """What an error says, and what was noted on its way."""
    return "\n".join(filter(None, [str(error), *getattr(error, "__notes__", [])]))


def _stop(code: int, text: str) -> None:
    """End at once: threads in the middle of a game have nothing more to give."""
    from lagranja_sim.play.aside import is_under_way

    for line in text.splitlines():
        print(f"lagranja: {line}", file=sys.stderr, flush=True)
    if code == INTERRUPTED and is_under_way():
        with contextlib.suppress(OSError, ValueError):  # what has been printed is not lost
            sys.stdout.flush()
        os._exit(code)  # Python would take seconds to clear away the compiled code under the feet of such threads
    sys.exit(code)


def _show(make: Callable[[Any], T], show: Callable[[T], None], place: str | None) -> T:
    """Show what is made and written to a place, or say which of the two failed; one does not prevent the other."""
    from lagranja_sim.display import Watcher
    from lagranja_sim.runs.folder import Unwritten

    failure = None
    try:
        with Watcher() as watcher:
            made = make(watcher)
    except Unwritten as error:
        made, failure = error.result, error
    try:
        show(made)
        sys.stdout.flush()
    except streams.OutputError as error:
        if failure or place:
            error.add_note(str(failure or f"{place} is written all the same"))
        raise
    if failure:
        raise failure
    return made


def _print_json(value: Any) -> None:
    print(streams.json_text(value))


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

    A run that was interrupted goes on where it stopped."""
    from lagranja_sim.display import show_summary
    from lagranja_sim.runs.experiment import load_experiment
    from lagranja_sim.runs.setting import Setting
    from lagranja_sim.runs.simulate import How, run_experiment
    from lagranja_sim.runs.summary import summarize
    from lagranja_sim.runs.workers import Workers

    values = {"games": games, "seed": seed, "players": players, "variant": variant, "components": folder}
    loaded = load_experiment(experiment, values)
    setting = Setting.checked(loaded)
    workers = Workers.of(setting, jobs, backend, scheduler)
    target = out or f"runs/{loaded.experiment.name}"

    def play(watcher: Any) -> dict[str, Any]:
        for remark in loaded.remarks:
            watcher.say(remark)
        return {
            **summarize(run_experiment(loaded.experiment, setting, target, workers, How(force, _this_command(), watcher))),
            "run": target,
        }

    _show(play, _print_json if as_json else show_summary, target)


def _this_command() -> str:
    import shlex

    return shlex.join(["lagranja", *sys.argv[1:]])


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
    """Play one fresh game and tell it."""
    from lagranja_sim.runs.replay import fresh_game

    _tell(fresh_game(game, policies, players, seed, variant, folder), as_json)


def _tell(told: Any, as_json: bool) -> None:
    for remark in told.remarks:
        print(remark, file=sys.stderr)
    if as_json:
        for line in told.lines:
            _print_json(line)
        return
    from lagranja_sim.game import find_game

    components = told.setting.components
    for text in find_game(components.game).language.tell(told.lines, components):
        print(text)


# --- policies against each other ----------------------------------------------------------------------------------------------------


@command
def ladder(
    policies: Annotated[str | None, typer.Option(metavar="A,B,...", help="Who meets.  [default: all there are]")] = None,
    players: Players = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", parser=whole(1), help="Games, rounded up to whole designs.  [default: 10000]")
    ] = None,
    seed: Seed = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    out: Annotated[str, typer.Option(metavar="DIR", help="Folder to write to.")] = "runs/ladder",
    force: Annotated[bool, typer.Option("--force", help="Replace the run that the folder holds.")] = False,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Let policies meet, and rate them.

    Every line-up plays the same deals in all rotations of its seats. A ladder that was interrupted goes on where it stopped."""
    from lagranja_sim.contest.ladder import Ladder, prepare
    from lagranja_sim.contest.ladder_show import show_ladder
    from lagranja_sim.policy.call import split_policies

    named = None if policies is None else split_policies(policies)
    loaded = prepare(named, players, games, {"seed": seed, "variant": variant, "components": folder, "game": game})

    def play(watcher: Any) -> dict[str, Any]:
        for remark in loaded.remarks:
            watcher.say(remark)
        return Ladder.of(loaded, jobs).play(out, force, _this_command(), watcher)

    _show(play, lambda found: (_print_json if as_json else show_ladder)({**found, "run": out}), out)


@command
def tune(
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="The policy, with the weights to start from.")],
    against: Annotated[str, typer.Option(metavar="A,B,...", help="The pool that its opponents are drawn from.")],
    only: Annotated[str | None, typer.Option(metavar="W,V,...", parser=some_names, help="Only these weights.  [default: all]")] = None,
    players: Players = None,
    generations: Annotated[int | None, typer.Option(metavar="G", parser=whole(1, 1_000_000), help="Generations.  [default: 40]")] = None,
    population: Annotated[
        int | None, typer.Option(metavar="K", parser=whole(4, 10_000), help="Candidates in each.  [default: by the weights]")
    ] = None,
    deals: Annotated[
        int | None, typer.Option(metavar="D", parser=whole(1, 1_000_000), help="Deals that each plays.  [default: 50]")
    ] = None,
    seed: Seed = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="File to write to.  [default: POLICY-tuned.toml]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Look for better weights of a policy.

    Writes a file that POLICY:@FILE plays with, and says how much better it is on deals held out. A search that was interrupted goes on
    where it stopped."""
    from lagranja_sim.contest.tune_file import Asked, Tuning, show_tuned
    from lagranja_sim.policy.call import split_policies

    size = generations, population, deals, jobs
    chosen = [name.strip() for name in (only or "").split(",") if name.strip()]
    asked = Asked(policy, split_policies(against), size, chosen, players, seed, variant, folder, game)
    tuning = Tuning.of(asked, out, force)
    _show(partial(tuning.carry_out, _this_command()), _print_json if as_json else show_tuned, str(tuning.out))


# --- changes of the rules --------------------------------------------------------------------------------------------------------------


@command
def compare(
    arms: Annotated[
        list[str] | None, typer.Argument(metavar="ARM...", help="Variant, TOML file, key=value, policy=P; joined by +.")
    ] = None,
    policies: Annotated[str | None, typer.Option(metavar="A,B,...", help="One a seat, or one for all.  [default: the game's own]")] = None,
    players: Players = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", parser=whole(), help="Games of each arm, or the cap of a sequential test.")
    ] = None,
    seed: Seed = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    metric: Annotated[str | None, typer.Option(metavar="M,M,...", parser=some_names, help="Only these measures.  [default: all]")] = None,
    equivalent: Annotated[float | None, typer.Option(metavar="X", parser=number, help="Differences below X do not matter.")] = None,
    sprt: Annotated[str | None, typer.Option(metavar="TEST", help='Sequential test, as "win_share(seat1): 0 vs 0.01".')] = None,
    alpha: Annotated[float | None, typer.Option(metavar="P", parser=number, help="Its rate of false alarms.  [default: 0.05]")] = None,
    beta: Annotated[float | None, typer.Option(metavar="P", parser=number, help="Its rate of misses.  [default: 0.05]")] = None,
    precision: Annotated[
        float | None, typer.Option(metavar="X", parser=number, help="Play until the interval is X to either side.")
    ] = None,
    retune: Annotated[
        int | None,
        typer.Option(metavar="G", parser=whole(1, 1_000_000), help="First tune each arm's policy for G generations; 40 is usual."),
    ] = None,
    sweep: Annotated[str | None, typer.Option(metavar="KEY=1..5", help="One arm for each value.")] = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder to write to: page, chart, JSON, block.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write even if the folder holds files.")] = False,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Say what a change of the rules does, and how sure that is.

    All arms play the same deals. One arm alone is compared with the game as it is: lagranja compare prices.sell.pig=4. A file in
    experiments/ that lists arms is named instead of them: lagranja compare variants. One that was interrupted goes on where it stopped."""
    from lagranja_sim.compare.comparison import Wish
    from lagranja_sim.compare.from_file import comparison_file
    from lagranja_sim.compare.request import Request, as_object, parse_sweep, refuse_play_options_for_runs, sequential_plan, shared_by_all
    from lagranja_sim.compare.show import show_outcome

    plan = sequential_plan(sprt, alpha, beta)
    how: dict[str, Any] = {"policies": policies, "players": players, "seed": seed, "variant": variant, "games": games, "metric": metric}
    file = comparison_file(game, arms or [])
    if file:
        arms, how, game = file.arms, file.fill_in(how), file.game
    games, metric = how.pop("games"), how.pop("metric")
    refuse_play_options_for_runs(arms or [], {**how, "components": folder})
    wish = Wish.of(games, metric, equivalent, plan, precision, retune)
    request = Request(arms or [], shared_by_all(game, **how, components=folder), wish, parse_sweep(sweep), out, force, jobs).checked()
    show = (lambda outcome: _print_json(as_object(outcome))) if as_json else show_outcome
    _show(partial(request.carry_out, _this_command()), show, out)


# --- looking around --------------------------------------------------------------------------------------------------------------------


@command
def components(
    part: Annotated[str | None, typer.Option(metavar="PART", help="Only this part, e.g. cards.")] = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """Show the printed components.

    Every value with its source, and how much is reconstructed."""
    from lagranja_sim.game import find_game
    from lagranja_sim.runs.setting import open_components

    find_game(game).components.show(open_components(game, folder, variant), part, as_json)


@command
def variants(
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """List the variants and what they change."""
    from lagranja_sim.game import find_game

    find_game(game).components.show_variants(Path(folder) if folder else None, as_json)


@command
def games(as_json: Json = False) -> None:
    """List the games there are."""
    from lagranja_sim.display import show_games
    from lagranja_sim.game import list_games

    found = list_games(on_broken=lambda error: print(f"lagranja: {error}", file=sys.stderr))
    if as_json:
        _print_json([{"name": game.name, "title": game.title, "variant": game.variant, "policy": game.policies.default} for game in found])
    else:
        show_games(found)


policies_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
app.add_typer(policies_app, name="policies")


@policies_app.callback()
@guarded
def policies(context: typer.Context, game: GameName = DEFAULT_GAME, as_json: Json = False) -> None:
    """List the policies and their weights.

    With `new` start one of your own, with `check` see whether one is fit to play."""
    if context.invoked_subcommand:
        return
    from lagranja_sim.game import find_game
    from lagranja_sim.policy import list_policies

    find_game(game)  # one that does not exist has no policies
    found = list_policies(game, on_broken=lambda error: print(f"lagranja: {error}", file=sys.stderr))
    if as_json:
        _print_json([{key: getattr(policy, key) for key in ("name", "doc", "weights", "compiled", "path")} for policy in found])
        return
    from lagranja_sim.display import show_policies

    show_policies(found)


@policies_app.command("new")
@guarded
def policies_new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, which is its file's.")],
    kind: Annotated[str, typer.Option(metavar="KIND", help="score, choose, class or base.")] = "score",
    game: GameName = DEFAULT_GAME,
) -> None:
    """Write a starting file into ./policies/.

    It is documented and plays as it is. score: a number for each option; choose: the index of one; class: plain Python, not compiled;
    base: another policy with other weights."""
    from lagranja_sim.game import find_game
    from lagranja_sim.policy_tools.new import new_policy, what_next

    print(f"wrote {new_policy(find_game(game), name, kind)}", *what_next(find_game(game), name), sep="\n")


@policies_app.command("check")
@guarded
def policies_check(
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="A name, or a file ending in .py.")],
    variant: Variant = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Say whether a policy is fit to play.

    Legal, deterministic, blind to hidden cards, and how fast; exit code 1 if it is not. A decision may take it 30 s."""
    from lagranja_sim.display import Watcher
    from lagranja_sim.policy_tools.check import named, show_findings
    from lagranja_sim.policy_tools.judge import Case
    from lagranja_sim.runs.setting import open_components

    described = named(policy)
    open_components(described.game, folder, variant)
    found = Case(policy, variant, folder).findings(Watcher())
    findings = list(found) if as_json else show_findings(found)
    if as_json:
        identity = {"policy": described.name, "path": described.path, "hash": described.hash if findings[0].holds else None}
        _print_json({**identity, "findings": [vars(finding) for finding in findings]})
    if not all(finding.holds for finding in findings):
        raise typer.Exit(1)


@command
def bench(
    games: Annotated[int, typer.Option(metavar="N", parser=whole(1, MOST_GAMES), help="Games a repetition.")] = 10_000,
    repeat: Annotated[int, typer.Option(metavar="K", parser=whole(1, 1_000), help="Repetitions of each.")] = 5,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """Measure the games a second of one core.

    Four players of one policy, with and without keeping the tables."""
    from lagranja_sim.bench import bench as measure
    from lagranja_sim.display import Watcher, show_bench

    found = measure(game, games, repeat, variant, folder, Watcher())
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
    sections: Annotated[str | None, typer.Option(metavar="A,B,...", parser=some_names, help="Only these sections.")] = None,
    formats: Annotated[
        str, typer.Option("--format", metavar="F,G,...", parser=some_names, help="What to write.")
    ] = "html,png,svg,csv,json",
    force: Annotated[bool, typer.Option("--force", help="Replace the report that the folder holds.")] = False,
    new: Annotated[str | None, typer.Option(metavar="NAME", help="Write a starting section into ./reports/ instead.")] = None,
    as_json: Json = False,
) -> None:
    """Make a report of a run.

    One page that works offline, and beside it its figures and tables. Exit code 1 if a section failed; the page shows why."""
    from lagranja_sim.report.make import ReportError, default_folder, make_report, names, show_made
    from lagranja_sim.report.start import start_section

    if bool(new) == bool(runs):
        raise ReportError("give either runs, or --new and a name")
    if new:
        print(f"written to {start_section(new)}")
    if not runs:
        return
    place, wanted = out or default_folder(runs[0]), (names(sections), names(formats), force, _this_command())
    show = (lambda made: _print_json(made.as_object())) if as_json else show_made
    made = _show(lambda watcher: make_report(runs, place, *wanted), show, place)
    if made.failures:
        _stop(FAULT, "\n".join(made.failures))


if __name__ == "__main__":
    main()
