"""What the tool runs on, here and now: versions, the cache of compiled code, processors, where plug-ins come from."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import joblib

from lagranja_sim.code_cache import CACHE, code_files, damaged_files, in_words
from lagranja_sim.compile import INTERPRETED
from lagranja_sim.plugins import KINDS, plugin_folders
from lagranja_sim.runs.provenance import processor, version_of, versions

ROOM = 1 << 20  # bytes that compiled code takes at least
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
    compiled = len(code_files())
    if INTERPRETED:
        return "compiling is switched off"
    return f"{compiled} functions are compiled" if compiled else "nothing is compiled yet; the first run does it"


def _problems() -> list[str]:
    problems = [f"no folder of {kind} was found" for kind in NEEDED if not plugin_folders(kind)]
    if not is_writable(CACHE):
        problems.append(f"{CACHE} cannot be written: every process compiles the rules anew (LAGRANJA_CACHE names another folder)")
    if damaged := list(damaged_files()):
        problems.append(f"{in_words(damaged)} damaged: what was compiled there is compiled anew when it is needed; delete what is damaged")
    return problems


def is_writable(folder: Path) -> bool:
    """Whether a file can be made and filled in the folder, or in the one above it that exists."""
    try:
        existing = next(candidate for candidate in (folder, *folder.parents) if candidate.exists())
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(bytes(ROOM))
            return True
    except OSError:
        return False
