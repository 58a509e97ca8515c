"""What the command asks for: its options are checked, the comparison is made, and the results are written."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lagranja_sim.compare.arms import Shared
from lagranja_sim.compare.checkpoint import call_of
from lagranja_sim.compare.comparison import Comparison, Wish, arms_of, compare_arms
from lagranja_sim.compare.crossings import crossings, records
from lagranja_sim.compare.paste import block
from lagranja_sim.compare.record import plain, record
from lagranja_sim.compare.response import Response, arms_of_sweeps, neighbours, responses
from lagranja_sim.compare.sequential import Plan
from lagranja_sim.compare.stored import is_run
from lagranja_sim.compare.sweep import Sweep
from lagranja_sim.game import find_game
from lagranja_sim.policy.call import split_policies
from lagranja_sim.runs.experiment import ExperimentError, check_seed
from lagranja_sim.runs.folder import Folder, RunError, Unwritten, reason
from lagranja_sim.runs.setting import find_policies, open_components
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.runs.unfinished import FILE, Pieces, kept, kept_if_possible

PLAYERS, SEED = 4, 1  # fewer players where the game is for fewer
RATE = 0.05


@dataclass(frozen=True)
class Request:
    """A comparison to be made."""

    arms: Sequence[str]
    shared: Shared
    wish: Wish
    sweeps: tuple[Sweep, ...]
    out: str | None
    force: bool
    jobs: int | None

    def checked(self) -> Request:
        """The request itself, unless something can be refused before any time is spent on playing."""
        if problem := next(self._problems(), None):
            raise ExperimentError([problem])
        return self

    def _problems(self) -> Iterator[str]:
        if not self.arms and not self.sweeps:
            yield "nothing to compare: name an arm (compared with the game as it is), two or more, or --sweep"
        if self.sweeps and len(self.arms) > 1:
            yield f"--sweep is laid on one arm at most, not on {len(self.arms)}"
        if self.sweeps and self.wish.plan:
            yield "--sweep and --sprt do not go together: a sequential test compares two arms"
        if self.sweeps and self.wish.generations:
            yield "--sweep and --retune do not go together: name the values that matter as arms"
        if self.wish.lines and [sweep.numbers is None for sweep in self.sweeps] != [False]:
            yield "--line needs one --sweep over numbers, in which a measure can cross it"

    def carry_out(self, command: str, listener: Listener) -> Comparison | Response:
        """Play, and write to the folder if there is one; raises `Unwritten` if that fails after all was played."""
        sweeps, base = self.sweeps, "".join(self.arms)
        arms, order = arms_of_sweeps(sweeps, base, self.shared) if sweeps else (arms_of(self.arms, self.shared), [])
        wish = replace(self.wish, neighbours=neighbours(sweeps, arms, order))
        with self._pieces(call_of(arms, wish), listener) as pieces:
            comparison = compare_arms(arms, wish, self.jobs, command, listener, pieces)
            outcome = Response(sweeps, comparison, order) if sweeps else comparison
            if self.out is not None:
                write(outcome, Folder.at(self.out))
        return outcome

    @contextlib.contextmanager
    def _pieces(self, call: dict[str, Any], listener: Listener) -> Iterator[Pieces]:
        """Finished pieces are saved where the result goes, else in a folder of runs/ that is removed when all is done."""
        if self.out is None:
            name = hashlib.sha256(json.dumps(call, default=str).encode()).hexdigest()[:12]
            with kept_if_possible(Folder.at(f"runs/compare-{name}"), call, listener) as pieces:
                yield pieces
            return
        folder = Folder.at(self.out)
        with folder.hold():
            _check_free(folder, self.force)
            folder.try_out()
            with kept(folder, call, self.force, listener) as pieces:
                yield pieces


def sequential_plan(test: str | None, alpha: float | None, beta: float | None) -> Plan | None:
    """The sequential test that the options describe, if there is one."""
    if test is None:
        if alpha is not None or beta is not None:
            raise ExperimentError(["--alpha and --beta are rates of --sprt; the table's tests are at 5 %"])
        return None
    return Plan.parse(test, RATE if alpha is None else alpha, RATE if beta is None else beta)


def refuse_play_options_for_runs(arms: Sequence[str], options: dict[str, Any]) -> None:
    """Finished runs have been played already, so options that say how to play are refused."""
    names = [name for name, value in options.items() if value is not None]
    if names and any(map(is_run, arms)):
        raise ExperimentError([f"--{names[0]}: finished runs are compared as they were played"])


def shared_by_all(
    game: str, policies: str | None, players: int | None, seed: int | None, variant: str | None, components: str | None
) -> Shared:
    rules = find_game(game)
    names = split_policies(rules.policies.default if policies is None else policies)
    size = players or (len(names) if len(names) > 1 else min(PLAYERS, rules.records.seats))
    if not names:
        raise ExperimentError(["--policies: names nobody"])
    chosen_seed = SEED if seed is None else seed
    check_seed(chosen_seed)
    if variant or components:
        open_components(game, components, variant)  # wrong ones are refused even if every arm has its own
    if policies is not None:
        find_policies(game, names)
    return Shared(game, names, size, chosen_seed, variant or rules.variant, components)


def _check_free(folder: Folder, force: bool) -> None:
    """Refuse a folder that holds anything, unless a comparison was interrupted there, before any time is spent on playing."""
    names = folder.names()
    if names and FILE not in names and not force:
        raise RunError(f"{folder.url}: holds files already; --force replaces those of a comparison")


# --- results ---------------------------------------------------------------------------------------------------------------------------


def as_object(outcome: Comparison | Response) -> dict[str, Any]:
    """The outcome as plain data for programs."""
    if isinstance(outcome, Comparison):
        return record(outcome)
    rows = [plain(row) for row in responses(outcome)]
    if outcome.is_grid:
        keys, reference = [sweep.key for sweep in outcome.sweeps], list(outcome.values(outcome.reference))
        return {"grid": {"keys": keys, "reference": reference, "responses": rows}, **record(outcome.comparison)}
    sweep = {"key": outcome.sweeps[0].key, "reference": outcome.label(outcome.reference), "responses": rows}
    return {"sweep": {**sweep, "crossings": records(crossings(outcome))}, **record(outcome.comparison)}


def write(outcome: Comparison | Response, folder: Folder) -> None:
    """Write JSON, the block to paste, the chart and the page."""
    comparison = outcome if isinstance(outcome, Comparison) else outcome.comparison
    try:
        folder.write_text("comparison.json", json.dumps(as_object(outcome), indent=1, ensure_ascii=False) + "\n")
        folder.write_text("block.txt", block(comparison) + "\n")
        from lagranja_sim.compare.chart import write as write_chart  # matplotlib takes a second to import

        write_chart(outcome, folder)
    except OSError as error:
        raise Unwritten(outcome, f"{folder.url} cannot be written: {reason(error)}") from error
