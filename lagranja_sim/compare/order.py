"""The command: its options checked, the comparison made, and what is written and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagranja_sim.compare.arms import Shared
from lagranja_sim.compare.comparison import Comparison, Wish, compare
from lagranja_sim.compare.paste import block
from lagranja_sim.compare.record import plain, record
from lagranja_sim.compare.sequential import Plan
from lagranja_sim.compare.stored import is_run
from lagranja_sim.compare.sweep import Response, Sweep, play_sweep, responses
from lagranja_sim.play.replay import split_policies
from lagranja_sim.runs.experiment import ExperimentError, check_seed
from lagranja_sim.runs.records import RunError
from lagranja_sim.runs.setting import find_policies, open_components
from lagranja_sim.runs.simulate import Listener

POLICY, PLAYERS, SEED, VARIANT = "balanced", 4, 1, "deluxe"
RATE = 0.05


@dataclass(frozen=True)
class Order:
    """A comparison that is wanted."""

    arms: Sequence[str]
    shared: Shared
    wish: Wish
    sweep: Sweep | None
    out: Path | None
    jobs: int | None

    def carry_out(self, command: str, listener: Listener) -> Comparison | Response:
        """Play, and write to the folder if there is one."""
        if self.sweep:
            base = self.arms[0] if self.arms else ""
            made: Comparison | Response = play_sweep(self.sweep, base, self.shared, self.wish, self.jobs, command, listener)
        else:
            made = compare(self.arms, self.shared, self.wish, self.jobs, command, listener)
        if self.out:
            write(made, self.out)
        return made


def checked_arms(arms: Sequence[str], sweep: Sweep | None, wish: Wish) -> None:
    """As many arms as it takes."""
    if not arms and not sweep:
        raise ExperimentError(["nothing to compare: name an arm (compared with the game as it is), two or more, or --sweep"])
    if sweep and len(arms) > 1:
        raise ExperimentError([f"--sweep is laid on one arm at most, not on {len(arms)}"])
    if sweep and wish.plan:
        raise ExperimentError(["--sweep and --sprt do not go together: a sequential test compares two arms"])
    if sweep and wish.generations:
        raise ExperimentError(["--sweep and --retune do not go together: name the values that matter as arms"])


def planned(test: str | None, alpha: float | None, beta: float | None) -> Plan | None:
    """The sequential test, if there is one."""
    if test is None:
        if alpha is not None or beta is not None:
            raise ExperimentError(["--alpha and --beta are rates of --sprt; the table's tests are at 5 %"])
        return None
    return Plan.parse(test, RATE if alpha is None else alpha, RATE if beta is None else beta)


def refused_with_runs(arms: Sequence[str], options: dict[str, Any]) -> None:
    """Runs were played; what an option says of playing comes too late."""
    given = [name for name, value in options.items() if value is not None]
    if given and any(map(is_run, arms)):
        raise ExperimentError([f"--{given[0]}: finished runs are compared as they were played"])


def shared_by_all(policies: str | None, players: int | None, seed: int | None, variant: str | None, components: str | None) -> Shared:
    named = split_policies(POLICY if policies is None else policies)
    size = players or (len(named) if len(named) > 1 else PLAYERS)
    if not named:
        raise ExperimentError(["--policies: names nobody"])
    chosen_seed = SEED if seed is None else seed
    check_seed(chosen_seed)
    if variant or components:
        open_components(components, variant or VARIANT)  # wrong ones are refused even if every arm has its own
    if policies is not None:
        find_policies(named)
    return Shared(named, size, chosen_seed, variant or VARIANT, components)


def free_folder(out: str | None, force: bool) -> Path | None:
    """Refuse a folder that holds anything, before any time is spent on playing."""
    if out is None:
        return None
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{out}: is no folder")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise RunError(f"{out}: holds files already; --force replaces those of a comparison")
    return folder


def order(arms: Sequence[str], sweep: str | None, shared: Shared, wish: Wish, out: str | None, force: bool, jobs: int | None) -> Order:
    """Everything that can be refused without playing is refused here."""
    parsed = Sweep.parse(sweep) if sweep is not None else None
    checked_arms(arms, parsed, wish)
    return Order(arms, shared, wish, parsed, free_folder(out, force), jobs)


# --- what is left of it ------------------------------------------------------------------------------------------------------------


def as_object(made: Comparison | Response) -> dict[str, Any]:
    """For programs."""
    if isinstance(made, Comparison):
        return record(made)
    found = {"key": made.sweep.key, "reference": made.label(made.reference), "responses": [plain(row) for row in responses(made)]}
    return {"sweep": found, **record(made.found)}


def write(made: Comparison | Response, folder: Path) -> None:
    """JSON, the block to paste, the chart and the page."""
    folder.mkdir(parents=True, exist_ok=True)
    found = made if isinstance(made, Comparison) else made.found
    (folder / "comparison.json").write_text(json.dumps(as_object(made), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "block.txt").write_text(block(found) + "\n", encoding="utf-8")
    from lagranja_sim.compare.chart import write as write_chart  # matplotlib takes a second to import

    write_chart(made, folder)
