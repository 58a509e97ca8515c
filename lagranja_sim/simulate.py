"""Playing an experiment: parts by parallel workers, each into its own files.

A part's rows depend on nothing but the experiment and the part's number, so parts are played in any order, by any number of workers
(threads while the compiled policies play, processes for policies in Python, dask on many machines), and a run that was interrupted
goes on with the parts it lacks.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import signal
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from joblib.externals.loky.process_executor import TerminatedWorkerError

from lagranja_sim.compile import INTERPRETED
from lagranja_sim.driver import GameError, play_games, warm_up
from lagranja_sim.experiment import Experiment
from lagranja_sim.provenance import machine, rules_hash, versions
from lagranja_sim.records import SCHEMA_VERSION, Facts, Folder, Layout, Run, RunError, open_run, write_manifest, write_part
from lagranja_sim.resume import Start, claim, look
from lagranja_sim.setting import Setting

MOMENT = 0.25  # seconds


class RunFailed(RuntimeError):
    """A run that stopped before its end; what it finished is kept."""


@dataclass(frozen=True)
class Workers:
    """Who plays: how many at a time, of what kind, and for dask the address of a scheduler that runs already."""

    jobs: int
    backend: str
    scheduler: str | None = None

    @classmethod
    def of(cls, setting: Setting, jobs: int | None = None, backend: str | None = None, scheduler: str | None = None) -> Workers:
        """Threads where all policies are compiled, for the core releases Python's lock; processes else."""
        compiled = not INTERPRETED and all(policy.compiled for policy in setting.policies)
        chosen = backend or ("dask" if scheduler else "threading" if compiled else "loky")
        if chosen == "dask" and find_spec("distributed") is None:
            raise RunError("--backend dask needs the extra of that name: pip install 'lagranja_sim[dask]'")
        return cls(jobs or joblib.cpu_count(), chosen, scheduler)


class Listener:
    """What is told to whoever watches a run; this one is silent."""

    def say(self, text: str) -> None:
        """Something worth knowing."""

    @contextlib.contextmanager
    def compiling(self) -> Iterator[Callable[[str], None]]:
        """While the compiler is at work, or its results are loaded; what is given is to be called with what is next."""
        yield lambda what: None

    def progress(self, games: int, of: int) -> None:
        """So many games are on disk."""


def run_experiment(
    experiment: Experiment,
    setting: Setting,
    out: str,
    workers: Workers,
    force: bool = False,
    command: str = "",
    listener: Listener | None = None,
) -> Run:
    """Play `experiment` into the folder `out` and return the finished run."""
    listener = listener or Listener()
    folder = Folder(out if "://" in out else str(Path(out).resolve()))
    layout = Layout.of(experiment.games, experiment.players)
    start = look(folder, new_manifest(experiment, setting, layout, command), force)
    if start.remark:
        listener.say(start.remark)
    with listener.compiling() as tell:
        warm_up(setting.policies, tell)
    with POOLS[workers.backend](workers):  # whatever may fail has had its chance before a run is replaced
        claim(folder, start)
        _play(experiment, folder, layout, start, listener)
    return open_run(folder.url)


def new_manifest(experiment: Experiment, setting: Setting, layout: Layout, command: str) -> dict[str, Any]:
    """Everything needed to repeat the run and to judge it."""
    components, policies = setting.components, {policy.name: policy for policy in setting.policies}
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
        "policies": {name: {"about": policy.doc, "weights": policy.weights} for name, policy in policies.items()},
        "versions": versions(),
        "machine": machine(),
        "layout": {"part_games": layout.part_games, "parts": layout.parts},
        "time": {"started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), "wall_seconds": 0.0, "cpu_seconds": 0.0},
    }


def hashes(setting: Setting) -> dict[str, Any]:
    """Hashes of all that decides how a game goes: rules, components, policies."""
    policies = {policy.name: policy.hash for policy in setting.policies}
    return {"rules": rules_hash(), "components": setting.components.hash, "policies": policies}


# --- one part, in a worker ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of a part; an error is handed over rather than raised, for not every backend hands over those."""

    part: int
    facts: dict[str, Facts]
    cpu_seconds: float
    error: Exception | None = None


def play_part(experiment: str, out: str, layout: Layout, part: int) -> Outcome:
    """Play one part and write it. `experiment` is the resolved experiment as JSON: what a worker is told travels as text."""
    started = time.thread_time()
    try:
        facts = _played(experiment, Folder(out), layout, part)
    except Exception as error:
        return Outcome(part, {}, time.thread_time() - started, error)
    return Outcome(part, facts, time.thread_time() - started)


def _played(text: str, folder: Folder, layout: Layout, part: int) -> dict[str, Facts]:
    experiment, setting = _loaded(text)
    pieces = list(_pieces(setting, *layout.span(part), experiment.log))
    tables = {table: np.concatenate([piece[table] for piece in pieces]) for table in experiment.log}
    return write_part(folder, part, tables, [policy.name for policy in setting.policies])


def _pieces(setting: Setting, first: int, count: int, tables: list[str]) -> Iterator[dict[str, np.ndarray]]:
    """Games from `first` on, in pieces of a moment each, so that an interrupt is heard between two of them."""
    size, end = 1, first + count
    while first < end:
        began = time.monotonic()
        size = min(size, end - first)
        yield play_games(setting.components, setting.policies, setting.players, setting.seed, first, size, tables)
        first += size
        size = max(1, int(size * min(4.0, MOMENT / max(time.monotonic() - began, 1e-9))))


@lru_cache(maxsize=4)
def _loaded(text: str) -> tuple[Experiment, Setting]:
    experiment = Experiment.model_validate_json(text)
    return experiment, Setting.of(experiment)


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


def _play(experiment: Experiment, folder: Folder, layout: Layout, start: Start, listener: Listener) -> None:
    account = Account(layout, dict(start.done))
    missing = [part for part in range(layout.parts) if part not in start.done]
    listener.progress(account.games, layout.games)
    try:
        with contextlib.closing(_outcomes(experiment, folder, layout, missing)) as outcomes:
            for outcome in outcomes:
                account.add(outcome)
                listener.progress(account.games, layout.games)
        parts = {table: [account.done[part][table] for part in range(layout.parts)] for table in experiment.log}
        write_manifest(folder, {**start.manifest, "status": "complete", "time": account.times(start.manifest["time"]), "parts": parts})
    except (Exception, KeyboardInterrupt) as error:
        with contextlib.suppress(OSError):
            write_manifest(folder, {**start.manifest, "time": account.times(start.manifest["time"])})
        raise _explained(error, f"{len(account.done)} of {layout.parts} parts are kept in {folder.url}") from error


def _outcomes(experiment: Experiment, folder: Folder, layout: Layout, parts: Iterable[int]) -> Generator[Outcome, None, None]:
    """The outcomes as they come; the run's setting is read from text in each worker, once."""
    text = experiment.model_dump_json()
    tasks: Iterator[Any] = (joblib.delayed(play_part)(text, folder.url, layout, part) for part in parts)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module="joblib")  # of tasks dropped when a run stops early
        yield from joblib.Parallel(return_as="generator_unordered", batch_size=1)(tasks)


def _explained(error: BaseException, kept: str) -> BaseException:
    """The error as whoever gave the command should read it; one that nobody expected stays as it is."""
    again = f"{kept}; the same command continues the run"
    if isinstance(error, KeyboardInterrupt):
        return KeyboardInterrupt(f"interrupted: {again}")
    if isinstance(error, GameError):
        return RunFailed(f"{error}\n{kept}")
    if isinstance(error, TerminatedWorkerError):
        return RunFailed(f"a worker process died; perhaps the memory was used up (fewer --jobs need less)\n{again}")
    if isinstance(error, OSError):
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return RunFailed(f"{'the disk is full' if full else f'a part cannot be written: {error.strerror or error}'}\n{again}")
    return error


# --- pools ------------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _own_pool(workers: Workers) -> Iterator[None]:
    with joblib.parallel_config(backend=workers.backend, n_jobs=workers.jobs):
        yield


@contextlib.contextmanager
def _dask_pool(workers: Workers) -> Iterator[None]:
    """Workers of a dask cluster: the one at the scheduler's address, else one on this machine."""
    from dask.distributed import Client, LocalCluster

    with contextlib.ExitStack() as stack:
        if workers.scheduler:
            stack.enter_context(_connected(Client, workers.scheduler))
        else:
            cluster = LocalCluster(n_workers=workers.jobs, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL")
            client = stack.enter_context(_connected(Client, stack.enter_context(cluster)))
            client.run(_ignore_interrupts)
        stack.enter_context(joblib.parallel_config(backend="dask"))
        yield


def _ignore_interrupts() -> None:
    """In a worker on this machine: a Ctrl-C reaches it too, but is the runner's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _connected(client: Callable[..., Any], address: Any) -> Any:
    try:
        return client(address, timeout=30)
    except (OSError, ValueError) as error:
        raise RunError(f"no dask scheduler answers at {address}") from error


POOLS = {"threading": _own_pool, "loky": _own_pool, "dask": _dask_pool}
