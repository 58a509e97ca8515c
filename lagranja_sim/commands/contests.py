"""Policies against each other: ladder and tuning."""

from functools import partial
from typing import Annotated, Any

import typer

from lagranja_sim.arguments import some_names, whole
from lagranja_sim.command_line import Folder, GameName, Jobs, Json, Players, Seed, Variant, command, print_json, show_or_fail, this_command
from lagranja_sim.plugins import DEFAULT_GAME


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
        return Ladder.of(loaded, jobs).play(out, force, this_command(), watcher)

    show_or_fail(play, lambda found: (print_json if as_json else show_ladder)({**found, "run": out}), out)


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
    show_or_fail(partial(tuning.carry_out, this_command()), print_json if as_json else show_tuned, str(tuning.out))
