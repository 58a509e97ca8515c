"""Who plays: threads or processes of this machine, or a dask cluster, each as a pool that joblib hands tasks to."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from lagranja_sim.compile import INTERPRETED
from lagranja_sim.runs.folder import RunError, RunFailed
from lagranja_sim.runs.setting import Setting

DIED = "a worker process died; perhaps the memory was used up (fewer --jobs need less)"


@dataclass(frozen=True)
class Workers:
    """How many play at a time, of what kind, and for dask the address of a scheduler that runs already."""

    jobs: int
    backend: str
    scheduler: str | None = None

    @classmethod
    def of(cls, setting: Setting, jobs: int | None = None, backend: str | None = None, scheduler: str | None = None) -> Workers:
        """Threads where all policies are compiled, for the core releases Python's lock; processes else."""
        compiled = not INTERPRETED and all(policy.compiled for policy in setting.policies)
        chosen = backend or ("dask" if scheduler else "threading" if compiled else "loky")
        if scheduler and chosen != "dask":
            raise RunError(f"--scheduler is for --backend dask, not for {chosen}")
        if chosen == "dask" and find_spec("distributed") is None:
            raise RunError("--backend dask needs the extra of that name: pip install 'lagranja_sim[dask]'")
        return cls(jobs or joblib.cpu_count(), chosen, scheduler)

    @contextlib.contextmanager
    def pool(self) -> Iterator[None]:
        """Within it joblib hands its tasks to these workers."""
        with POOLS[self.backend](self):
            try:
                yield
            except TerminatedWorkerError as error:
                raise RunFailed(DIED) from error


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
            stack.enter_context(_connect(Client, workers.scheduler))
        else:
            cluster = LocalCluster(n_workers=workers.jobs, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL")
            client = stack.enter_context(_connect(Client, stack.enter_context(cluster)))
            client.run(_ignore_interrupts)
            stack.enter_context(_kill_on_interrupt())
        stack.enter_context(joblib.parallel_config(backend="dask"))
        yield


@contextlib.contextmanager
def _kill_on_interrupt() -> Iterator[None]:
    """Kill the workers on this machine when the user interrupts: they might never finish what they play."""
    try:
        yield
    except KeyboardInterrupt:
        for worker in multiprocessing.active_children():
            worker.kill()
        raise


def _ignore_interrupts() -> None:
    """For a worker on this machine: Ctrl-C reaches it too, but the runner handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _connect(client: Callable[..., Any], address: Any) -> Any:
    try:
        return client(address, timeout=30)
    except (OSError, ValueError) as error:
        raise RunError(f"no dask scheduler answers at {address}") from error


POOLS = {"threading": _own_pool, "loky": _own_pool, "dask": _dask_pool}
