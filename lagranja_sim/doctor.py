"""What the tool stands on, here and now: versions, the cache of compiled code, processors, where plug-ins come from."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import joblib

from lagranja_sim.compile import CACHE, INTERPRETED
from lagranja_sim.plugins import KINDS, plugin_folders
from lagranja_sim.runs.provenance import processor, version_of, versions

NEEDED = ("policies", "experiments")  # without these folders an installation is not whole


def examine() -> dict[str, Any]:
    """Facts by name, and what is wrong with them."""
    return {
        "versions": {**versions(), "dask": version_of("dask")},
        "processor": processor(),
        "cpus": joblib.cpu_count(),
        "cache": {"folder": str(CACHE), "writable": is_writable(CACHE), "state": cache_state()},
        "plugins": {kind: [str(folder) for folder in plugin_folders(kind)] for kind in KINDS},
        "problems": _problems(),
    }


def cache_state() -> str:
    """How much is compiled of the rules as they are now."""
    compiled = len(list(CACHE.rglob("*.nbc"))) if CACHE.is_dir() else 0
    if INTERPRETED:
        return "compiling is switched off"
    return f"{compiled} functions are compiled" if compiled else "nothing is compiled yet; the first run does it"


def _problems() -> list[str]:
    found = [f"no folder of {kind} was found" for kind in NEEDED if not plugin_folders(kind)]
    if not is_writable(CACHE):
        found.append(f"{CACHE} cannot be written: every process compiles the rules anew (LAGRANJA_CACHE names another folder)")
    return found


def is_writable(folder: Path) -> bool:
    """Whether a file can be made in the folder, or in the one above it that exists."""
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            return True
    except OSError:
        return False
