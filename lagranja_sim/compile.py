"""How kernels are compiled: one decorator, and numba's doings put right where they would mix up code of different processes.

`LAGRANJA_CHECKED=1` compiles with bounds checks; `NUMBA_DISABLE_JIT=1` runs the same source uncompiled.
"""

import itertools
import os
import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import njit, types
from numba.core.bytecode import FunctionIdentity
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaExperimentalFeatureWarning

from lagranja_sim.code_cache import KernelCache
from lagranja_sim.kernel_sources import CHECKED

__all__ = ["CHECKED", "INTERPRETED", "inlined", "kernel"]

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

INTERPRETED = bool(numba.config.DISABLE_JIT)
if INTERPRETED:
    np.seterr(over="ignore")  # chance is arithmetic modulo 2^64


def _keep(dispatcher: Any) -> None:
    """Give a function the cache that goes by content."""
    dispatcher._cache = KernelCache(dispatcher)


# For every function with `cache=True`, for policies may use numba's own decorators and modules of any origin.
Dispatcher.enable_caching = _keep  # type: ignore[method-assign, assignment]

# What numba compiles bears the function's name and a number, which counts from 1 in every process: code out of the cache and code of today
# with the same name and number would be taken for one another. So each process begins somewhere else.
FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))


def _widened(kind: Any) -> Any:
    """Small integers and names with numbers as int64, so that a kernel is compiled once and not for each mixture of integer widths."""
    is_small = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if is_small or isinstance(kind, types.IntEnumMember) else kind


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
