"""Playing an experiment: parts by parallel workers, each into its own files.

A part's rows depend on nothing but the experiment and the part's number, so parts are played in any order, by any number of workers
(threads while the compiled policies play, processes for policies in Python, dask on many machines), and a run that was interrupted
goes on with the parts it lacks.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from lagranja_sim.play.driver import GameError, warm_up
from lagranja_sim.policy import Policy, PolicyError
from lagranja_sim.runs.experiment import Experiment
from lagranja_sim.runs.folder import FULL, Folder, RunFailed, reason
from lagranja_sim.runs.parts import Orders, Outcome, play_part
from lagranja_sim.runs.provenance import hashes, machine, versions
from lagranja_sim.runs.records import SCHEMA_VERSION, Facts, Layout, Run, open_run, write_manifest
from lagranja_sim.runs.resume import Start, claim, find_start
from lagranja_sim.runs.setting import Setting
from lagranja_sim.runs.workers import DIED, Workers


class Listener:
    """Receives the messages and the progress of a run; this one ignores them."""

    def say(self, text: str) -> None:
        """Something worth knowing."""

    @contextlib.contextmanager
    def compiling(self) -> Iterator[Callable[[str], None]]:
        """Around compiling, or loading compiled code; the function that it yields is to be called with what is next."""
        yield lambda what: None

    def progress(self, games: int, of: int) -> None:
        """This many of `of` games are on disk."""


@dataclass(frozen=True)
class How:
    """How a run is carried out: whether it may replace another, by which command, and who listens."""

    force: bool = False
    command: str = ""
    listener: Listener | None = None


USUAL = How()


def run_experiment(experiment: Experiment, setting: Setting, out: str, workers: Workers, how: How = USUAL) -> Run:
    """Play `experiment` into the folder `out` and return the finished run."""
    folder, layout = Folder.at(out), Layout.of(experiment.games, experiment.players)
    with folder.hold():
        start = find_start(folder, new_manifest(experiment, setting, layout, how.command), how.force)
        return carry_out(experiment, setting, folder, start, workers, how.listener or Listener())


def carry_out(experiment: Experiment, setting: Setting, folder: Folder, start: Start, workers: Workers, listener: Listener) -> Run:
    """Play what is missing, in a folder that is held."""
    folder.try_out()
    if start.remark:
        listener.say(start.remark)
    with listener.compiling() as tell:
        warm_up(setting.policies, tell)
    with workers.pool():  # only now is an earlier run replaced: everything that may fail beforehand has succeeded
        claim(folder, start)
        _play(experiment, folder, start, listener)
    return open_run(folder.url)


def new_manifest(experiment: Experiment, setting: Setting, layout: Layout, command: str) -> dict[str, Any]:
    """Everything needed to repeat the run and to judge it."""
    components = setting.components
    return {
        "schema_version": SCHEMA_VERSION,
        "status": "running",
        "command": command,
        "experiment": experiment.model_dump(),
        "hashes": hashes(setting),
        "components": {
            "title": components.title,
            "variant": components.variant,
            "differences": components.differences,
            "reconstructed_share": components.reconstructed_share(),
        },
        "policies": {policy.name: _facts_of(policy) for policy in setting.policies},
        "versions": versions(),
        "machine": machine(),
        "layout": {"part_games": layout.part_games, "parts": layout.parts},
        "time": {"started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), "wall_seconds": 0.0, "cpu_seconds": 0.0},
    }


def _facts_of(policy: Policy) -> dict[str, Any]:
    return {"about": policy.doc, "path": str(policy.path), "texts": policy.texts, "weights": policy.weights}


# --- all parts, by all workers --------------------------------------------------------------------------------------------------------


@dataclass
class Account:
    """What is on disk so far, and the time it took."""

    layout: Layout
    done: dict[int, dict[str, Facts]]
    cpu_seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def add(self, outcome: Outcome) -> None:
        self.cpu_seconds += outcome.cpu_seconds
        if outcome.error:
            raise outcome.error
        self.done[outcome.part] = outcome.facts

    @property
    def games(self) -> int:
        return sum(self.layout.span(part)[1] for part in self.done)

    def times(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The times of the manifest, with what an interrupted run had spent before."""
        spent = {"wall_seconds": time.monotonic() - self.began, "cpu_seconds": self.cpu_seconds}
        return {**before, **{name: round(before[name] + seconds, 3) for name, seconds in spent.items()}}


def _play(experiment: Experiment, folder: Folder, start: Start, listener: Listener) -> None:
    layout = Layout.of(experiment.games, experiment.players)
    account = Account(layout, dict(start.done))
    missing = [part for part in range(layout.parts) if part not in start.done]
    orders = Orders(experiment.model_dump_json(), json.dumps(start.manifest["hashes"]), folder.url, layout)
    listener.progress(account.games, layout.games)
    try:
        with contextlib.closing(_outcomes(orders, missing)) as outcomes:
            for outcome in outcomes:
                account.add(outcome)
                listener.progress(account.games, layout.games)
        parts = {table: [account.done[part][table] for part in range(layout.parts)] for table in experiment.log}
        write_manifest(folder, {**start.manifest, "status": "complete", "time": account.times(start.manifest["time"]), "parts": parts})
    except (Exception, KeyboardInterrupt) as error:
        with contextlib.suppress(OSError):
            write_manifest(folder, {**start.manifest, "time": account.times(start.manifest["time"])})
        raise _explain(error, f"{len(account.done)} of {layout.parts} parts are kept in {folder.url}") from error


def _outcomes(orders: Orders, parts: Iterable[int]) -> Generator[Outcome, None, None]:
    """The outcomes as they come."""
    tasks: Iterator[Any] = (joblib.delayed(play_part)(orders, part) for part in parts)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module="joblib")  # of tasks dropped when a run stops early
        yield from joblib.Parallel(return_as="generator_unordered", batch_size=1)(tasks)


def _explain(error: BaseException, parts_kept: str) -> BaseException:
    """The error in words for the user; an unexpected one is returned unchanged."""
    continues = f"{parts_kept}; the same command continues the run"
    if isinstance(error, KeyboardInterrupt):
        return KeyboardInterrupt(f"interrupted: {continues}")
    if isinstance(error, GameError | PolicyError | RunFailed):
        return RunFailed(f"{error}\n{parts_kept}")
    if isinstance(error, TerminatedWorkerError):
        return RunFailed(f"{DIED}\n{continues}")
    if isinstance(error, OSError):
        return RunFailed(f"{'' if error.errno in FULL else 'a part cannot be written: '}{reason(error)}\n{continues}")
    return error
