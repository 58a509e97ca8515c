"""What all commands share: the application, options that many have, errors and their exit codes, showing what came of it."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from lagranja_sim import streams
from lagranja_sim.arguments import shown, whole, wrong_argument
from lagranja_sim.errors import UserError

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
CHANGES = "KEY=VALUE, KEY+=N or KEY-=N of what is printed (* matches any part of a key), variant=V, components=DIR."
Changes = Annotated[list[str] | None, typer.Argument(metavar="CHANGE...", help=CHANGES)]
Players = Annotated[int | None, typer.Option(metavar="N", parser=whole(1), help="Number of players.")]
JOBS = "Workers at a time.  [default: one for each processor]"
Jobs = Annotated[int | None, typer.Option(metavar="J", parser=whole(1, MOST_JOBS), help=JOBS)]
Seed = Annotated[int | None, typer.Option(metavar="S", parser=whole(), help="Seed of all chance.")]


# --- errors and exit codes ---------------------------------------------------------------------------------------------------------


def main() -> None:
    with streams.guarded() as output:
        try:
            if problem := wrong_argument(sys.argv[1:]):
                stop(WRONG_CALL, problem)
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


def is_for_another(context: typer.Context) -> bool:
    """Whether a command below this one is called; an option that stands before its name is refused, for it would change nothing."""
    if not context.invoked_subcommand:
        return False
    options = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    given = [options[name] for name in context.params if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"]
    if given:
        stop(WRONG_CALL, f"{given[0]} stands before {context.invoked_subcommand}; what belongs to a command stands after its name")
    return True


def _check_current_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError:
        stop(WRONG_CALL, "the current folder is gone; change to one that is there")


def _fail(error: BaseException) -> None:
    if isinstance(error, KeyboardInterrupt):
        stop(INTERRUPTED, str(error) or "interrupted")
    if isinstance(error, streams.OutputError):
        stop(PIPE_CLOSED if error.reader_left else FAULT, _words(error))
    if isinstance(error, UserError):
        stop(error.exit_code, _words(error))
    if isinstance(error, MemoryError):
        stop(FAULT, "the memory is used up; fewer games at a time (--jobs, --games) need less")
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        stop(WRONG_CALL, f"{shown(error.filename)}: no file has so long a name")
    if isinstance(error, OSError):  # of the machine, not of the tool
        stop(FAULT, f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    stop(FAULT, f"{type(error).__name__}: {error}\nThis should not happen; LAGRANJA_TRACEBACK=1 shows where it did.")


def _words(error: BaseException) -> str:
    """What an error says, and what was noted on its way."""
    return "\n".join(filter(None, [str(error), *getattr(error, "__notes__", [])]))


def stop(code: int, text: str) -> None:
    """End at once: threads in the middle of a game have nothing more to give."""
    from lagranja_sim.play.aside import is_under_way

    for line in text.splitlines():
        print(f"lagranja: {line}", file=sys.stderr, flush=True)
    if code == INTERRUPTED and is_under_way():
        with contextlib.suppress(OSError, ValueError):  # what has been printed is not lost
            sys.stdout.flush()
        os._exit(code)  # Python would take seconds to clear away the compiled code under the feet of such threads
    sys.exit(code)


def show_or_fail(make: Callable[[Any], T], show: Callable[[T], None], place: str | None) -> T:
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


def print_json(value: Any) -> None:
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


def this_command() -> str:
    import shlex

    return shlex.join(["lagranja", *sys.argv[1:]])
