"""One part of a run, played and written by a worker: a thread, a process, or another machine."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lagranja_sim.play.aside import off_main_thread
from lagranja_sim.play.driver import play_games
from lagranja_sim.runs.experiment import Experiment
from lagranja_sim.runs.folder import Folder, RunError, RunFailed
from lagranja_sim.runs.lineups import play_span
from lagranja_sim.runs.provenance import different, hashes
from lagranja_sim.runs.records import Facts, Layout, read_manifest, write_part
from lagranja_sim.runs.setting import Setting

MOMENT = 0.25  # seconds


@dataclass(frozen=True)
class Outcome:
    """What became of a part; an error is returned rather than raised, as not every backend passes on exceptions."""

    part: int
    facts: dict[str, Facts]
    cpu_seconds: float
    error: Exception | None = None


@dataclass(frozen=True)
class Orders:
    """What a worker needs to know, as text: it may be another process or another machine."""

    experiment: str
    hashes: str
    out: str
    layout: Layout


@off_main_thread
def play_part(orders: Orders, part: int) -> Outcome:
    """Play one part and write it."""
    started = time.thread_time()
    try:
        facts = _play(orders, part)
    except Exception as error:
        return Outcome(part, {}, time.thread_time() - started, error)
    return Outcome(part, facts, time.thread_time() - started)


def _play(orders: Orders, part: int) -> dict[str, Facts]:
    experiment, setting = _load(orders)
    pieces = list(_pieces(setting, *orders.layout.span(part), experiment.log))
    tables = {table: np.concatenate([piece[table] for piece in pieces]) for table in experiment.log}
    _check_folder(orders)
    return write_part(Folder(orders.out), part, tables, [policy.name for policy in setting.policies])


def _check_folder(orders: Orders) -> None:
    """Refuse a folder that belongs to another run by now, as a worker may outlive its runner."""
    try:
        manifest = read_manifest(Folder(orders.out))
    except (RunError, FileNotFoundError):
        manifest = {}
    if manifest.get("experiment") != json.loads(orders.experiment) or manifest.get("hashes") != json.loads(orders.hashes):
        raise RunFailed(f"{orders.out} is no longer the folder of this run")


def _pieces(setting: Setting, first: int, count: int, tables: list[str]) -> Iterator[dict[str, np.ndarray]]:
    """Games from `first` on, in pieces of a moment each, so that an interrupt takes effect between two of them."""
    size, end = 1, first + count
    while first < end:
        began = time.monotonic()
        size = min(size, end - first)
        yield play_span(play_games, setting, first, size, tables)
        first += size
        size = max(1, int(size * min(4.0, MOMENT / max(time.monotonic() - began, 1e-9))))


@lru_cache(maxsize=4)
def _load(orders: Orders) -> tuple[Experiment, Setting]:
    """The setting of a worker, which must be the runner's own: another machine may have other files."""
    experiment = Experiment.model_validate_json(orders.experiment)
    setting = Setting.of(experiment)
    actual, expected = hashes(setting), json.loads(orders.hashes)
    if actual != expected:
        raise RunFailed(f"a worker's files are not the runner's: the {' and the '.join(different(actual, expected))} differ")
    return experiment, setting
