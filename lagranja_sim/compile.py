"""How kernels are compiled: one decorator, one cache folder that changes with the sources.

numba's own cache notices a changed file but not a changed callee in another file, so the folder is named after a hash of all sources that
kernels are made of. `LAGRANJA_CHECKED=1` compiles with bounds checks; `NUMBA_DISABLE_JIT=1` runs the same source uncompiled.
"""

import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit, types
from numba.core.caching import Cache
from numba.core.errors import NumbaExperimentalFeatureWarning

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

PACKAGE = Path(__file__).parent
KERNEL_SOURCES = ("compile.py", "chance.py", "play/policy_api.py", "play/driver_kernels.py", "play/tables.py", "rules/*.py", "toolkit/*.py")
CHECKED = os.environ.get("LAGRANJA_CHECKED") == "1"
INTERPRETED = bool(numba.config.DISABLE_JIT)
if INTERPRETED:
    np.seterr(over="ignore")  # chance is arithmetic modulo 2^64


def cache_root() -> Path:
    """Where compiled code is kept: LAGRANJA_CACHE, else the user's cache folder."""
    chosen = os.environ.get("LAGRANJA_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lagranja_sim"


def source_hash() -> str:
    """A hash of everything that decides what the kernels compile to."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__} {CHECKED}".encode())
    for pattern in KERNEL_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


CACHE = cache_root() / source_hash()
numba.config.CACHE_DIR = str(CACHE)
UNSAVED: list[str] = []  # why compiled code could not be kept on disk; it plays all the same, and is compiled anew next time


def _save_if_possible(cache: Cache, signature: Any, compiled: Any, save: Callable[..., None] = Cache.save_overload) -> None:
    try:
        save(cache, signature, compiled)
    except OSError as error:
        UNSAVED.append(f"compiled code cannot be kept in {CACHE}: {error.strerror or error}")


Cache.save_overload = _save_if_possible


def _widened(kind: Any) -> Any:
    """Small integers as int64, so that a kernel is compiled once and not for each mixture of integer widths."""
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use, release the GIL, keep the result on disk.

    Kernels allocate nothing, so they are spared the counting of references (`_nrt`), which took longer than the work of many of them.
    """
    return _compiled(function, into_callers=False)


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that becomes a part of each caller instead of being called.

    For what every decision passes through and is short, or has one caller: a call hands each array over in seven words, which takes longer
    than the work of many kernels. Elsewhere it would only lengthen compilation.
    """
    return _compiled(function, into_callers=True)


def _compiled(function: Callable[..., Any], into_callers: bool) -> Any:
    compiled = njit(cache=True, nogil=True, boundscheck=CHECKED, _nrt=False, forceinline=into_callers)(function)
    if INTERPRETED:
        return compiled
    compile_exactly = compiled.compile
    compiled.compile = lambda signature: compile_exactly(tuple(map(_widened, signature)) if isinstance(signature, tuple) else signature)
    return compiled
