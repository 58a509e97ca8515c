"""Looking around: components, variants, games, policies, the machine; and reports."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lagranja_sim.arguments import some_names, whole
from lagranja_sim.command_line import (
    FAULT,
    MOST_GAMES,
    Folder,
    GameName,
    Json,
    Variant,
    app,
    command,
    guarded,
    is_for_another,
    print_json,
    show_or_fail,
    stop,
    this_command,
)
from lagranja_sim.plugins import DEFAULT_GAME

components_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
app.add_typer(components_app, name="components")


@components_app.callback()
@guarded
def components(
    context: typer.Context,
    part: Annotated[str | None, typer.Option(metavar="PART", help="Only this part, e.g. cards.")] = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """Show the printed components.

    Every value with its source, and how much is reconstructed; the values of a part with their addresses. With `diff` see what differs
    between two sets."""
    if is_for_another(context):
        return
    from lagranja_sim.game import find_game
    from lagranja_sim.runs.setting import open_components

    find_game(game).components.show(open_components(game, folder, variant), part, as_json)


SET = "Name of a variant, a TOML file of differences, or a folder of components."


@components_app.command("diff")
@guarded
def components_diff(
    a: Annotated[str, typer.Argument(metavar="A", help=SET)],
    b: Annotated[str, typer.Argument(metavar="B", help=SET)],
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """Say what differs between two sets, value by value.

    A folder of components is taken under the variant usually played."""
    from lagranja_sim.display import show_differences
    from lagranja_sim.runs.differences import differences

    found = differences(game, a, b)
    print_json([difference._asdict() for difference in found]) if as_json else show_differences((a, b), found)


variants_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
app.add_typer(variants_app, name="variants")


@variants_app.callback()
@guarded
def variants(
    context: typer.Context,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    """List the variants and what they change.

    With `new` write down one of your own."""
    if is_for_another(context):
        return
    from lagranja_sim.game import find_game

    find_game(game).components.show_variants(Path(folder) if folder else None, as_json)


@variants_app.command("new")
@guarded
def variants_new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, which is its file's.")],
    changes: Annotated[list[str], typer.Argument(metavar="CHANGE...", help="KEY=VALUE, KEY+=N or KEY-=N of what is printed.")],
    base: Annotated[str | None, typer.Option(metavar="V", help="The variant that it changes.  [default: the usual one]")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="What it is called in words.  [default: its name]")] = None,
    game: GameName = DEFAULT_GAME,
) -> None:
    """Write a variant into ./variants/.

    It is then found by its name: lagranja variants new cheap_pigs prices.sell.pig=2 --base bga."""
    from lagranja_sim.game import find_game
    from lagranja_sim.runs.new_variant import new_variant

    print(f"wrote {new_variant(find_game(game), name, changes, base, title)}")
    print(f"see what it changes: lagranja components diff {base or find_game(game).variant} {name}")


@command
def games(as_json: Json = False) -> None:
    """List the games there are."""
    from lagranja_sim.display import show_games
    from lagranja_sim.game import list_games

    found = list_games(on_broken=lambda error: print(f"lagranja: {error}", file=sys.stderr))
    if as_json:
        print_json([{"name": game.name, "title": game.title, "variant": game.variant, "policy": game.policies.default} for game in found])
    else:
        show_games(found)


policies_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
app.add_typer(policies_app, name="policies")


@policies_app.callback()
@guarded
def policies(context: typer.Context, game: GameName = DEFAULT_GAME, as_json: Json = False) -> None:
    """List the policies and their weights.

    With `new` start one of your own, with `check` see whether one is fit to play."""
    if is_for_another(context):
        return
    from lagranja_sim.game import find_game
    from lagranja_sim.policy import list_policies

    find_game(game)  # one that does not exist has no policies
    found = list_policies(game, on_broken=lambda error: print(f"lagranja: {error}", file=sys.stderr))
    if as_json:
        print_json([{key: getattr(policy, key) for key in ("name", "doc", "weights", "compiled", "path")} for policy in found])
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
        print_json({**identity, "findings": [vars(finding) for finding in findings]})
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
    print_json(found) if as_json else show_bench(found)


@command
def doctor(as_json: Json = False) -> None:
    """Say what the tool stands on here.

    Versions, the cache of compiled code, processors, plug-in folders; exit code 1 if something is wrong."""
    from lagranja_sim.display import show_examination
    from lagranja_sim.doctor import examine

    found = examine()
    print_json(found) if as_json else show_examination(found)
    if found["problems"]:
        raise typer.Exit(1)


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
    place, wanted = out or default_folder(runs[0]), (names(sections), names(formats), force, this_command())
    show = (lambda made: print_json(made.as_object())) if as_json else show_made
    made = show_or_fail(lambda watcher: make_report(runs, place, *wanted), show, place)
    if made.failures:
        stop(FAULT, "\n".join(made.failures))
