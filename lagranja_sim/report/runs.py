"""Opening the runs of a report, and asking whether they may be read as one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from lagranja_sim.report.section import ReportData
from lagranja_sim.runs.folder import RunError
from lagranja_sim.runs.records import Run, open_run

OF_ITS_OWN = {"name", "description", "games", "seed", "log"}  # keys in which the runs of one report may differ


def open_runs(paths: Sequence[str]) -> ReportData:
    """The data of runs of one experiment; raises `RunError` if one is no finished run of this schema, or if they do not belong together."""
    runs = [open_run(path) for path in paths]
    for run, other in combinations(runs, 2):
        _check_pair(run, other)
    return ReportData(runs)


def _check_pair(run: Run, other: Run) -> None:
    pair = f"{run.folder.url} and {other.folder.url}"
    if differences := _differences(run, other):
        raise RunError(f"{pair} are different experiments: they differ in {', '.join(differences)}; make a report of each")
    if run.experiment["seed"] == other.experiment["seed"]:
        raise RunError(f"{pair} have the same seed, so they hold the same games twice; play one with another --seed")


def _differences(run: Run, other: Run) -> list[str]:
    keys = (run.experiment.keys() | other.experiment.keys()) - OF_ITS_OWN
    keys_that_differ = sorted(key for key in keys if run.experiment.get(key) != other.experiment.get(key))
    hashes = (run.manifest.get("hashes", {}), other.manifest.get("hashes", {}))
    if keys_that_differ:
        return keys_that_differ
    return [f"the {what}' versions" for what in hashes[0] if hashes[0][what] != hashes[1].get(what)]
