"""What compiled code freezes: everything that decides what a function compiles to, identified by content.

numba takes the values of globals and closures, and the code of the functions that are called, as they are at the time of compiling. So
two functions of one text may be different code: a number from the environment, a table from a file, a kernel of another module. `digest`
goes through everything that a function refers to by name. The package's own kernels are known by the hash of their sources, Python, numpy
and numba by their versions, and whatever stands in a text that is hashed anyway (`texts`) by that text.
"""

import contextlib
import dis
import enum
import hashlib
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, singledispatch
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba.core import event
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.types import Type
from numba.core.typing import Signature

from lagranja_sim.kernel_sources import CHECKED, source_files
from lagranja_sim.plugins import PACKAGES

VERSIONED = ("numpy", "numba", "llvmlite")
KERNELS = frozenset(map(str, source_files()))
ALLOWED = "numbers, text, arrays, tuples of these, and functions decorated with @kernel"
COMPILED: WeakKeyDictionary[Any, str] = WeakKeyDictionary()  # the digest of what each function was compiled from
HARMLESS = {
    "nopython",
    "nogil",
    "_nrt",
    "forceinline",
    "no_cpython_wrapper",
    "no_cfunc_wrapper",
}  # options that change how fast code is, not what it does


class Unknowable(Exception):
    """Compiled code would freeze something whose content cannot be determined; in words, with the function that refers to it."""

    def __init__(self, text: str, code: types.CodeType | None = None) -> None:
        super().__init__(text)
        self.text, self.code = text, code

    @classmethod
    def kind(cls, kind: str) -> "Unknowable":
        return cls(f"a {kind}, whose content cannot be determined; compiled code may use {ALLOWED}")

    def locate(self, name: str, code: types.CodeType) -> None:
        """Note the innermost function that refers to it, and by what name."""
        if self.code is None:
            self.text, self.code = f"{code.co_name} uses {name}, {self.text}", code


def digest(root: Any, texts: Iterable[str] = (), compiled: bool = True) -> str:
    """A hash of all that a function or class refers to, and of its own code unless that stands in one of the files `texts`.

    The same for the same content in any process, folder or order of loading. With `compiled` nothing that numba could freeze is left out:
    raises `Unknowable` for what is neither a number, text, array, a tuple of such, nor a function, and for a function that was compiled
    when it referred to something else. Otherwise such things are skipped.
    """
    walk = Walk(frozenset(texts), compiled)
    walk.add(root)
    for function in walk.functions:
        if digest_now(function) != COMPILED[function]:
            text = f"{function.__name__} was compiled when something that it uses had another value"
            raise Unknowable(text, function.py_func.__code__)
    return walk.hash.hexdigest()


def digest_now(function: Any) -> str:
    """A hash of all that one function refers to now, whatever it was compiled from."""
    walk = Walk(frozenset(), True)
    walk.add(function)
    return walk.hash.hexdigest()


def remember(function: Any) -> None:
    """Note what a function is compiled from, which stays so even if a value changes later; of the package's own and numba's that is known."""
    if function.py_func.__code__.co_filename not in KERNELS and not is_versioned((function.__module__ or "").partition(".")[0]):
        with contextlib.suppress(Unknowable):
            COMPILED.setdefault(function, digest_now(function))


class Remembering(event.Listener):
    """Is told of every function that numba compiles."""

    def on_start(self, event: Any) -> None:
        if isinstance(event.data["dispatcher"], Dispatcher):
            remember(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        """Nothing to note when compiling ends."""


event.register("numba:compile", Remembering())


@dataclass
class Walk:
    """The state of a walk through everything that a function refers to."""

    texts: frozenset[str]
    compiled: bool
    hash: Any = field(default_factory=hashlib.sha256)
    seen: dict[int, Any] = field(default_factory=dict)  # functions and classes by identity
    functions: list[Any] = field(default_factory=list)  # those whose state at compile time is known
    inside: list[int] = field(default_factory=list)  # containers that the walk is inside of

    def note(self, *parts: object) -> None:
        """Take parts into the hash, so that no two sequences of parts are the same bytes."""
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
            self.hash.update(len(data).to_bytes(8) + data)

    def add(self, value: Any) -> None:
        """Take a value into the hash, by its kind."""
        content(value, self)

    def is_new(self, value: Any) -> bool:
        """Whether a function or class is met for the first time."""
        if id(value) in self.seen:
            self.note("again", list(self.seen).index(id(value)))
            return False
        self.seen[id(value)] = value
        return True

    def add_all(self, container: Any, values: Iterable[Any]) -> None:
        """Take the values of a container into the hash, also of one that contains itself."""
        if id(container) in self.inside:
            self.note("within itself", len(self.inside) - self.inside.index(id(container)))
            return
        self.inside.append(id(container))
        for value in values:
            self.add(value)
        self.inside.pop()

    def add_named(self, name: str, value: Any, function: types.FunctionType) -> None:
        """Take what a function refers to by a name into the hash."""
        self.note(name)
        try:
            if isinstance(value, types.ModuleType):
                self.add_module(value, names_in(function.__code__)[1])
            else:
                self.add(value)
        except Unknowable as error:
            error.locate(name, function.__code__)
            raise

    def add_module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        """Take those attributes of a module into the hash that one of the names may mean."""
        self.note("module", plain_name(module.__name__))
        if self.has_version(module.__name__) or id(module) in self.inside:
            return
        self.inside.append(id(module))
        for name in sorted(names & vars(module).keys()):
            self.note(name)
            value = vars(module)[name]
            self.add_module(value, names) if isinstance(value, types.ModuleType) else self.add(value)
        self.inside.pop()

    def has_version(self, module: str | None) -> bool:
        """Whether a version number identifies what is in a module; for a class, which may use anything, all but policy modules."""
        top = (module or "").partition(".")[0]
        return is_versioned(top) if self.compiled else not top.startswith(PACKAGES)


@lru_cache
def is_versioned(module: str) -> bool:
    """Whether a module is Python's own, numpy's or numba's; one that only bears the name of such a module is not."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    library = file.startswith(sysconfig.get_path("stdlib")) and "-packages" not in file
    return module in VERSIONED or (module in sys.stdlib_module_names and (library or not file))


def plain_name(name: str) -> str:
    """The name of a module without the folder of policies that it was loaded from."""
    return name.partition(".")[2] if name.startswith(PACKAGES) else name


def full_name(value: Any) -> str:
    """The name of a function or class, with its module."""
    return f"{plain_name(value.__module__ or '')}.{getattr(value, '__qualname__', value.__name__)}"


@lru_cache(maxsize=4096)
def names_in(code: types.CodeType) -> tuple[tuple[str, ...], frozenset[str]]:
    """The globals that code refers to, that of functions within it included, and all names in it, those of attributes too."""
    globals_used = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    names = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            inner = names_in(part)
            globals_used, names = globals_used.union(inner[0]), names | inner[1]
    return tuple(sorted(globals_used)), frozenset(names)


# --- by kind -------------------------------------------------------------------------------------------------------------------------


@singledispatch
def content(value: Any, walk: Walk) -> None:
    """Take a value into the hash of a walk. A kind that is not listed below goes by its name, if a version identifies it."""
    if walk.has_version(getattr(value, "__module__", None)) and hasattr(value, "__name__"):
        walk.note("versioned", full_name(value))
    elif walk.compiled and numba_type(value) is not None:
        raise Unknowable.kind(type(value).__name__)
    elif hasattr(value, "__wrapped__"):
        walk.add(value.__wrapped__)


def numba_type(value: Any) -> Any:
    """What the compiler takes a value for; None if code cannot refer to its kind, which the compiler will say."""
    cpu_target.typing_context.refresh()
    try:
        return cpu_target.typing_context.resolve_value_type(value)
    except (ValueError, TypeError, NumbaError):
        return None


def plain(value: Any, walk: Walk) -> None:
    """A value that its text describes completely."""
    walk.note(type(value).__qualname__, repr(value))


for _kind in (type(None), bool, int, float, complex, str, bytes, range, slice, type(...), np.dtype, Type, Signature):
    content.register(_kind, plain)


@content.register
def _enum(value: enum.Enum, walk: Walk) -> None:
    walk.note(type(value).__qualname__, value.name)
    walk.add(value.value)


@content.register(np.generic)
@content.register(np.ndarray)
def _array(value: Any, walk: Walk) -> None:
    if value.dtype.hasobject:
        walk.note("objects")
        walk.add_all(value, np.asarray(value).ravel().tolist())
    else:
        layout = value.flags.c_contiguous, value.flags.f_contiguous, value.flags.aligned
        walk.note(type(value).__qualname__, repr(value.dtype), value.shape, layout, value.tobytes())


@content.register(tuple)
@content.register(list)
def _sequence(value: Any, walk: Walk) -> None:
    walk.note(type(value).__qualname__, len(value), *getattr(value, "_fields", ()))
    walk.add_all(value, value)


@content.register(set)
@content.register(frozenset)
def _set(value: Any, walk: Walk) -> None:
    walk.note(type(value).__qualname__, *sorted(digest(element, walk.texts, walk.compiled) for element in value))


@content.register
def _dict(value: dict, walk: Walk) -> None:
    walk.note(type(value).__qualname__, len(value))
    walk.add_all(value, (part for pair in value.items() for part in pair))


@content.register
def _module(value: types.ModuleType, walk: Walk) -> None:
    walk.note("module", plain_name(value.__name__))


@content.register
def _built_in(value: types.BuiltinFunctionType, walk: Walk) -> None:
    walk.note("built in", value.__module__, value.__qualname__)


@content.register
def _ufunc(value: np.ufunc, walk: Walk) -> None:
    walk.note("ufunc", value.__name__)


# --- functions -----------------------------------------------------------------------------------------------------------------------


@content.register
def _function(value: types.FunctionType, walk: Walk) -> None:
    walk.note("function", full_name(value))
    code = value.__code__
    if walk.has_version(value.__module__) or (code.co_filename in KERNELS and is_as_written(value)) or not walk.is_new(value):
        return
    walk.note(code.co_firstlineno)
    if code.co_filename not in walk.texts or code.co_name == "<lambda>":  # a line may hold several of these
        walk.add(code)
    walk.add(value.__defaults__)
    walk.add(value.__kwdefaults__)
    for name, contained in (*closure_of(value), *globals_of(value)):
        walk.add_named(name, contained, value)
    for implementation in implementations(value) if walk.compiled else ():
        walk.add(implementation)


def is_as_written(function: types.FunctionType) -> bool:
    """Whether a function's text says all: it takes nothing from around it, and its names stand for what they do in its module."""
    return not function.__closure__ and function.__globals__ is vars(sys.modules[function.__module__])


def closure_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function takes from the function around it, by name."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # nothing was put in yet
            yield name, None


def globals_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function takes from its module, by name; `__file__` and the like say where it is, not what."""
    for name in names_in(function.__code__)[0]:
        if name in function.__globals__ and not name.startswith("__"):
            yield name, function.__globals__[name]


def implementations(function: types.FunctionType) -> Iterator[Any]:
    """What numba compiles in place of an ordinary function (`register_jitable`, `overload`)."""
    for template in getattr(numba_type(function), "templates", ()):
        if not hasattr(template, "_overload_func"):
            raise Unknowable.kind("function with a template of numba's")
        yield template._overload_func


@content.register
def _code(value: types.CodeType, walk: Walk) -> None:
    """What code does, not where it stands."""
    walk.note("code", value.co_code, getattr(value, "co_exceptiontable", b""), value.co_flags)
    walk.note(value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount)
    walk.note(value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
    walk.add_all(value, value.co_consts)


@content.register(Dispatcher)
def _compiled(value: Any, walk: Walk) -> None:
    """A function that numba compiles; as the function itself, so that a run without the compiler has the same hash."""
    if walk.compiled and value in COMPILED:
        walk.functions.append(value)
    if value._compiler.pipeline_class is not Compiler:
        raise Unknowable.kind("function with a compiler of its own")
    options = options_that_matter(value.targetoptions)
    if options or value.locals:
        walk.note("options", options, sorted((name, str(kind)) for name, kind in value.locals.items()))
    walk.add(value.py_func)


def options_that_matter(options: Mapping[str, Any]) -> list[str]:
    """The options of a function that change what it does."""
    active = {name: option for name, option in options.items() if option and name not in HARMLESS}
    return sorted(f"{name}={option}" for name, option in active.items() if (name, option) != ("boundscheck", CHECKED))


# --- classes -------------------------------------------------------------------------------------------------------------------------


@content.register
def _class(value: type, walk: Walk) -> None:
    walk.note("class", full_name(value), *getattr(value, "_fields", ()))
    if walk.has_version(value.__module__) or not walk.is_new(value):
        return
    if issubclass(value, enum.Enum):
        walk.add_all(value, value)
    elif not walk.compiled:
        walk.add_all(value, (*value.__bases__, *parts_of(value)))
    elif not issubclass(value, BaseException | tuple) and numba_type(value) is not None:
        raise Unknowable.kind("class")


def parts_of(kind: type) -> Iterator[Any]:
    """The methods and attributes of a class, each after its name."""
    for name, part in sorted(vars(kind).items()):
        part = getattr(part, "__func__", part)  # of a static or class method
        if isinstance(part, property):
            yield from (name, part.fget, part.fset, part.fdel)
        elif isinstance(part, types.FunctionType) or not name.startswith("__"):
            yield from (name, part)
