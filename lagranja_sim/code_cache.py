"""Where compiled code is kept, and how it is found again: by the content of everything that decided it, never by times or names of files.

Each compiled function is a file of its own whose name says what it was compiled from, so that processes that compile different things at the
same time cannot take one for another. A file begins with a hash of what follows: a damaged one is noticed, made anew and reported. Where
nothing can be written, every process compiles for itself and says so.
"""

import contextlib
import hashlib
import os
import pickle
import re
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from lagranja_sim.frozen import KERNELS, Unknowable, digest, remember
from lagranja_sim.kernel_sources import CHECKED, source_texts

MARK = b"lagranja code 1\n"
SUFFIX = ".nbc"
KEPT = 32  # files of a function of one name; older ones go
NAMED = 3  # damaged files that are listed by name
SAID = "LAGRANJA_SAID"  # an environment variable: what the processes of a command have said already


def cache_root() -> Path:
    """The folder of compiled code: LAGRANJA_CACHE, else one in the user's cache folder; one that cannot be made if the user has no home."""
    chosen = os.environ.get("LAGRANJA_CACHE")
    if chosen:
        return Path(chosen).absolute()
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lagranja_sim"
    except RuntimeError:
        return Path(os.devnull) / "lagranja_sim"


def source_hash() -> str:
    """A hash of what the package's own kernels compile to here."""
    total = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__} {np.__version__} {CHECKED}".encode())
    for text in source_texts():
        total.update(text)
    return total.hexdigest()[:16]


CACHE = cache_root() / source_hash()


def say_once(about: str, text: str) -> None:
    """Tell the user on stderr, once for all processes of a command: those that it starts inherit what was said."""
    subjects = os.environ.get(SAID, "").split()
    if about not in subjects:
        os.environ[SAID] = " ".join([*subjects, about])
        print(f"lagranja: {text}", file=sys.stderr, flush=True)


# --- files ---------------------------------------------------------------------------------------------------------------------------


def pack(payload: bytes) -> bytes:
    """What a file holds: a mark, a hash of the payload, and the payload."""
    return MARK + hashlib.sha256(payload).digest() + payload


def unpack(data: bytes) -> bytes | None:
    """The payload of a file, None if the file is damaged."""
    payload = data[len(MARK) + hashlib.sha256().digest_size :]
    return payload if data == pack(payload) else None


def code_files() -> list[Path]:
    """All files of compiled code for the package as it is."""
    return sorted(CACHE.glob(f"*{SUFFIX}"))


def damaged_files() -> Iterator[Path]:
    """The files whose content is not what was written."""
    for path in code_files():
        with contextlib.suppress(OSError):
            if unpack(path.read_bytes()) is None:
                yield path


def remove_damaged() -> None:
    """Remove damaged files, so that new ones can be written, and say so."""
    damaged = list(damaged_files())
    for path in damaged:
        with contextlib.suppress(OSError):
            path.unlink()
    if damaged:
        say_once("damaged", f"{in_words(damaged)} damaged: what was compiled there is compiled anew")


def in_words(damaged: list[Path]) -> str:
    """`2 files in FOLDER (NAME, NAME) were`"""
    names = ", ".join(path.name for path in damaged[:NAMED]) + ", ..." * (len(damaged) > NAMED)
    return f"{len(damaged)} file{'s' * (len(damaged) > 1)} in {CACHE} ({names}) {'were' if len(damaged) > 1 else 'was'}"


def write(path: Path, payload: bytes) -> None:
    """Make a file, all at once; where that cannot be done, say so and go on without it."""
    unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(pack(payload))
        unfinished.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        reason = f"{CACHE} cannot be written ({error.strerror or error})"
        say_once("unwritable", f"{reason}: compiled code is not kept; LAGRANJA_CACHE names another folder")


def remove_older(prefix: str) -> None:
    """Keep only the newest files of a function, whose text may change from minute to minute."""
    with contextlib.suppress(OSError):
        oldest_first = sorted(CACHE.glob(f"{prefix}-*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
        for path in oldest_first[:-KEPT]:
            path.unlink()


# --- the cache of a function ---------------------------------------------------------------------------------------------------------


def classes_in(signature: Any) -> list[str]:
    """The named tuples of a signature, by module: those of two games may look alike, and are not the same type."""
    tuples = [kind for kind in getattr(signature, "args", signature) if isinstance(kind, types.NamedTuple)]
    names = [f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}" for kind in tuples]
    return [*names, *(name for kind in tuples for name in classes_in(kind.types))]


class KernelCache(NullCache):
    """The compiled code of one function, for the compiler to ask; takes the place of numba's own cache, which relies on the times of files."""

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher
        self.paths: dict[Any, Path | None] = {}

    @property
    def cache_path(self) -> str:
        return str(CACHE)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The code for a signature; None if it has to be compiled."""
        target.refresh()
        path = self.paths[signature] = self.path_of(signature, target.codegen().magic_tuple())
        if path is None:
            return None
        try:
            payload = unpack(path.read_bytes())
            if payload is not None:
                code = CompileResult._rebuild(target, *pickle.loads(payload))
                remember(self.dispatcher)
                return code
        except (FileNotFoundError, NotADirectoryError, ImportError):  # or of a module that cannot be imported again
            return None
        except Exception as error:  # whatever a file may lead to that could not be read whole
            say_once("damaged", f"{path} cannot be read ({type(error).__name__}): what was compiled there is compiled anew")
            return None
        remove_damaged()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature."""
        path = self.paths.get(signature)
        if result.library.has_dynamic_globals:  # it points to this process's memory
            reason = f"{self.dispatcher.py_func.__qualname__} uses an array of more than a megabyte, or part of an array"
            say_once("large", f"{self.dispatcher.py_func.__code__.co_filename}: {reason}: every process compiles it anew")
            return
        if path is None or result.lifted:
            return
        write(path, dumps(result._reduce()))
        if self.dispatcher.py_func.__code__.co_filename not in KERNELS:
            remove_older(self.prefix)

    def flush(self) -> None:
        """Forget what was kept of the function."""
        for path in filter(None, self.paths.values()):
            path.unlink(missing_ok=True)

    @property
    def prefix(self) -> str:
        """How the files of the function begin."""
        function = self.dispatcher.py_func
        return re.sub(r"[^A-Za-z0-9_.]", "", f"{function.__module__}.{function.__qualname__}")[-120:]

    def path_of(self, signature: Any, target: tuple[str, ...]) -> Path | None:
        """The file of a signature; None if it is not kept, because another process could not tell what it is compiled from.

        The option `_nrt` is left out of the name: code that counts references also works where they need not be counted, so a policy that
        cannot be compiled without counting is found at once.
        """
        function = self.dispatcher.py_func
        options = sorted(f"{name}={option}" for name, option in self.dispatcher.targetoptions.items() if name != "_nrt")
        if " at 0x" in repr(signature):
            return None
        try:
            content = digest(self.dispatcher)
        except Unknowable:
            return None
        place = function.__module__, function.__qualname__, function.__code__.co_firstlineno
        key = hashlib.sha256(repr((place, content, signature, classes_in(signature), options, target)).encode())
        return CACHE / f"{self.prefix}-{key.hexdigest()[:32]}{SUFFIX}"
