"""How kernels are compiled: a decorator for each use, and numba's doings put right where they would mix up code of different processes.

`LAGRANJA_CHECKED=1` compiles with bounds checks; `NUMBA_DISABLE_JIT=1` runs the same source uncompiled.
"""

import itertools
import os
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.registry import CPUDispatcher

from lagranja_sim.code_cache import KernelCache
from lagranja_sim.kernel_sources import CHECKED

__all__ = ["CHECKED", "INTERPRETED", "entry", "inlined", "kernel"]

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


class Entry(CPUDispatcher):
    """A compiled function that Python calls."""

    def compile(self, sig: Any) -> Any:
        return super().compile(tuple(map(_widened, sig)) if isinstance(sig, tuple) else sig)


class Kernel(Entry):
    """A compiled function that compiled functions call, without the way in from Python, which would take as long to compile as itself.

    If Python calls it all the same (as tests do), it is compiled once more, as an entry.
    """

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres  # hidden from the part of numba that answers calls from Python

    def _compile_for_args(self, *args: Any, **named: Any) -> Any:
        return self.entry

    @cached_property
    def entry(self) -> Entry:
        """The same function, for Python to call."""
        return _compiled(Entry, self.py_func, forceinline=False)


def _compiled(kind: Callable[..., Any], function: Callable[..., Any], forceinline: bool) -> Any:
    """Compile on first use, release the GIL, keep the result on disk.

    Kernels allocate nothing, so they are spared the counting of references (`_nrt`), which took longer than the work of many of them.
    """
    if INTERPRETED:
        return function
    # All of them, for numba takes over what is left out from whichever caller it compiles first.
    ways_in = {"no_cpython_wrapper": kind is Kernel, "no_cfunc_wrapper": True}
    options = {"nopython": True, "nogil": True, "boundscheck": CHECKED, "_nrt": False, "forceinline": forceinline}
    compiled = kind(function, targetoptions=options | ways_in)
    compiled.enable_caching()
    return compiled


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls."""
    return _compiled(Entry, function, forceinline=False)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function for compiled functions to call."""
    return _compiled(Kernel, function, forceinline=False)


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that becomes a part of each caller instead of being called.

    For what every decision passes through and is short, or has one caller: a call hands each array over in seven words, which takes longer
    than the work of many kernels. Elsewhere it would only lengthen compilation.
    """
    return _compiled(Kernel, function, forceinline=True)
