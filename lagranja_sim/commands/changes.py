"""What a change of the rules does."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer

from lagranja_sim.arguments import number, some_names, whole
from lagranja_sim.command_line import Folder, GameName, Jobs, Json, Players, Seed, Variant, command, print_json, show_or_fail, this_command
from lagranja_sim.plugins import DEFAULT_GAME

Arms = Annotated[list[str] | None, typer.Argument(metavar="ARM...", help="Variant, TOML file, key=value, policy=P; joined by +.")]
Games = Annotated[int | None, typer.Option(metavar="N", parser=whole(), help="Games of each arm, or the cap of a sequential test.")]
Precision = Annotated[float | None, typer.Option(metavar="X", parser=number, help="Play until the interval is X to either side.")]
TUNED = "First tune each arm's policy for G generations; 40 is usual."
SWEPT = "One arm for each value; KEY=A,B, KEY+=-1..1 for steps; twice: a grid."
CROSSED = "Where a sweep crosses X; repeatable.  [default: equal shares of wins]"
Retune = Annotated[int | None, typer.Option(metavar="G", parser=whole(1, 1_000_000), help=TUNED)]


@command
def compare(
    arms: Arms = None,
    policies: Annotated[str | None, typer.Option(metavar="A,B,...", help="One a seat, or one for all.  [default: the game's own]")] = None,
    players: Players = None,
    games: Games = None,
    seed: Seed = None,
    variant: Variant = None,
    folder: Folder = None,
    game: GameName = DEFAULT_GAME,
    metric: Annotated[str | None, typer.Option(metavar="M,M,...", parser=some_names, help="Only these measures.  [default: all]")] = None,
    equivalent: Annotated[float | None, typer.Option(metavar="X", parser=number, help="Differences below X do not matter.")] = None,
    sprt: Annotated[str | None, typer.Option(metavar="TEST", help='Sequential test, as "win_share(seat1): 0 vs 0.01".')] = None,
    alpha: Annotated[float | None, typer.Option(metavar="P", parser=number, help="Its rate of false alarms.  [default: 0.05]")] = None,
    beta: Annotated[float | None, typer.Option(metavar="P", parser=number, help="Its rate of misses.  [default: 0.05]")] = None,
    precision: Precision = None,
    retune: Retune = None,
    sweep: Annotated[list[str] | None, typer.Option(metavar="KEY=1..5", help=SWEPT)] = None,
    line: Annotated[list[str] | None, typer.Option(metavar="MEASURE=X", help=CROSSED)] = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder to write to: page, chart, JSON, block.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write even if the folder holds files.")] = False,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Say what a change of the rules does, and how sure that is.

    All arms play the same deals. One arm alone is compared with the game as it is: lagranja compare prices.sell.pig=4. A file in
    experiments/ that lists arms is named instead of them: lagranja compare variants. One that was interrupted goes on where it stopped."""
    from lagranja_sim.compare.comparison import Wish
    from lagranja_sim.compare.crossings import parse_lines
    from lagranja_sim.compare.from_file import filled_in
    from lagranja_sim.compare.request import Request, refuse_play_options_for_runs, sequential_plan, shared_by_all
    from lagranja_sim.compare.sweep import parse_sweeps

    how: dict[str, Any] = {"policies": policies, "players": players, "seed": seed, "variant": variant, "games": games, "metric": metric}
    game, named, how = filled_in(game, arms or [], how)
    games, metric = how.pop("games"), how.pop("metric")
    refuse_play_options_for_runs(named, {**how, "components": folder})
    wish = replace(Wish.of(games, metric, equivalent, sequential_plan(sprt, alpha, beta), precision, retune), lines=parse_lines(line or []))
    shared = shared_by_all(game, **how, components=folder)
    _carry_out(Request(named, shared, wish, parse_sweeps(sweep or []), out, force, jobs).checked(), as_json)


def _carry_out(request: Any, as_json: bool) -> None:
    from lagranja_sim.compare.request import as_object
    from lagranja_sim.compare.show import show_outcome

    show = (lambda outcome: print_json(as_object(outcome))) if as_json else show_outcome
    show_or_fail(partial(request.carry_out, this_command()), show, request.out)
