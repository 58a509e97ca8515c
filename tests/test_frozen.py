"""What compiled code freezes is told by its content: any change of it changes the digest, and nothing else does."""

import ctypes
import enum
import textwrap
import types
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba import njit

from lagranja_sim.compile import INTERPRETED, inlined, kernel
from lagranja_sim.frozen import KERNELS, Unknowable, digest
from lagranja_sim.games.lagranja import rows
from lagranja_sim.games.lagranja.game import GAME
from lagranja_sim.play.driver import driver_of

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


class Colour(enum.Enum):
    RED = 1


class Paint(enum.Enum):
    RED = 2


class Pair(NamedTuple):
    one: int
    other: float


def function(text: str = "return K", **names: Any) -> Any:
    """A function of no arguments with these globals, as another process would make it."""
    exec(f"def function():\n{textwrap.indent(text, '    ')}", names)
    names["function"].__module__ = "a_policy"
    return names["function"]


def holding(value: Any) -> str:
    """The digest of a function that takes in a value."""
    return digest(function(K=value))


def worth(factor: float) -> Any:
    """A kernel around which another function stands."""

    @kernel
    def inner(number):
        return factor * number

    return inner


def module(**names: Any) -> types.ModuleType:
    module = types.ModuleType("a_helper")
    vars(module).update(names)
    return module


def nested(value: Any) -> Any:
    """A kernel that calls one that calls one that takes in a value."""
    first = kernel(function(K=value))
    return kernel(function("return helper.second() + 1", helper=module(second=kernel(function("return first()", first=first)))))


DIFFERENT = {
    "numbers": (1, 2),
    "kinds of numbers": (1, 1.0),
    "true and one": (True, 1),
    "signs of zero": (0.0, -0.0),
    "the last digit": (0.1, 0.1 + 2**-55),
    "texts": ("a", "b"),
    "bytes and text": (b"a", "a"),
    "tuples": ((1, (2, 3)), (1, (2, 4))),
    "tuples by where they end": (((1,), 2), ((1, 2),)),
    "named tuples": (Pair(1, 2.0), Pair(1, 2.5)),
    "enumerations": (Colour.RED, Paint.RED),
    "classes of enumerations": (Colour, Paint),
    "lists": ([1, 2], [2, 1]),
    "dicts": ({"a": 1}, {"a": 2}),
    "sets": ({1, 2}, {1, 3}),
    "arrays": (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
    "kinds of arrays": (np.zeros(2, np.int32), np.zeros(2, np.float32)),
    "shapes of arrays": (np.zeros((2, 3)), np.zeros((3, 2))),
    "orders of arrays": (np.zeros((2, 3)), np.asfortranarray(np.zeros((2, 3)))),
    "records": (np.array([(1, 2.0)], "i4,f8")[0], np.array([(1, 3.0)], "i4,f8")[0]),
    "kinds of records": (np.dtype("i4,f8"), np.dtype("i4,f4")),
    "numpy's numbers": (np.float32(1), np.float64(1)),
    "types": (numba.int64, numba.float64),
    "functions": (kernel(function("return 1")), kernel(function("return 2"))),
    "closures": (worth(1.0), worth(2.0)),
    "defaults": (kernel(lambda x=1: x), kernel(lambda x=2: x)),
    "callees of callees": (nested(1), nested(2)),
    "what is in modules": (nested(np.arange(3)), nested(np.arange(4))),
    "options": (njit(function("return 1.0")), njit(fastmath=True)(function("return 1.0"))),
    "built-in functions": (abs, round),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_differs_has_another_digest(what: str) -> None:
    first, second = DIFFERENT[what]
    assert holding(first) == holding(first)
    assert holding(first) != holding(second)


EQUAL = {
    "sets in another order": lambda: ({0, 8}, {8, 0}),
    "arrays elsewhere": lambda: (np.arange(5), np.arange(5)),
    "kernels made twice": lambda: (nested(1), nested(1)),
    "a kernel as it is without the compiler": lambda: (kernel(function("return 1")), function("return 1")),
    "a kernel that becomes part of others": lambda: (kernel(function("return 1")), inlined(function("return 1"))),
}


@pytest.mark.parametrize("what", EQUAL)
def test_what_is_equal_has_one_digest(what: str) -> None:
    first, second = EQUAL[what]()
    assert holding(first) == holding(second)


def test_only_what_is_referred_to_counts() -> None:
    assert digest(function(K=1, other=2)) == digest(function(K=1, other=3))
    helper, more = module(K=1, L=2), module(K=1, L=3)
    assert digest(function("return helper.K", helper=helper)) == digest(function("return helper.K", helper=more))
    assert digest(function("return helper.L", helper=helper)) != digest(function("return helper.L", helper=more))


def test_where_code_stands_does_not_count() -> None:
    assert digest(function("# a remark\n\nreturn K", K=1)) != digest(function("return K + 0", K=1))
    lower = function(K=1)
    lower.__code__ = lower.__code__.replace(co_filename="elsewhere.py")
    assert digest(lower) == digest(function(K=1))


def test_a_text_that_is_known_stands_for_its_code_but_not_for_its_values() -> None:
    first, second = function(K=1), function("return K + 1", K=1)
    file = first.__code__.co_filename
    assert digest(first, [file]) == digest(second, [file])
    assert digest(first, [file]) != digest(function(K=2), [file])


def test_functions_that_call_each_other_have_a_digest() -> None:
    def circle(value: int) -> Any:
        names: dict[str, Any] = {"K": value}
        names["one"] = kernel(function("return other() + K", **names))
        names["one"].py_func.__globals__["other"] = kernel(function("return one()", one=names["one"]))
        return names["one"]

    assert digest(circle(1)) == digest(circle(1))
    assert digest(circle(1)) != digest(circle(2))


def test_containers_that_contain_themselves_have_a_digest() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    assert holding(endless) != holding([1])


def test_functions_that_numba_puts_in_place_of_others_count() -> None:
    def registered(value: int) -> Any:
        return numba.extending.register_jitable(function(K=value))

    assert holding(registered(1)) == holding(registered(1))
    assert holding(registered(1)) != holding(registered(2))


@numba.experimental.jitclass([("number", numba.int64)])
class Compiled:
    def __init__(self):
        self.number = 1


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (numba.typed.List([1]), "List"),
        (Compiled, "class"),
        (np.random.default_rng(1), "Generator"),
        (numba.vectorize(["float64(float64)"])(lambda x: x), "DUFunc"),
        (ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1), "CFunctionType"),
    ],
)
def test_what_compiled_code_would_take_in_by_its_place_only_is_refused(value: Any, kind: str) -> None:
    with pytest.raises(Unknowable) as caught:
        digest(function("return second()", second=kernel(function(K=(1, value)))))
    assert caught.value.text.startswith(f"function uses K, a {kind}, whose content cannot be determined; compiled code may use numbers, ")
    assert caught.value.code is not None


def test_what_compiled_code_cannot_use_is_left_to_the_compiler() -> None:
    assert holding(object()) == holding(object())


def test_a_module_with_the_name_of_one_of_pythons_is_gone_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """`statistics.py` of one's own, found before Python's."""

    def statistics(value: int) -> Any:
        user = function(K=value)
        user.__module__ = "statistics"
        return kernel(user)

    shadow = module()
    shadow.__file__ = "/elsewhere/statistics.py"
    monkeypatch.setitem(__import__("sys").modules, "statistics", shadow)
    from lagranja_sim import frozen

    frozen.is_versioned.cache_clear()
    try:
        assert holding(statistics(1)) != holding(statistics(2))
    finally:
        frozen.is_versioned.cache_clear()


def test_the_package_s_own_kernels_are_known_by_their_sources() -> None:
    """So that it takes no time to find them again."""
    assert driver_of(GAME).play.py_func.__code__.co_filename in KERNELS
    assert holding(rows.leader) == holding(rows.leader)
    assert digest(rows.write_round) != digest(rows.write_seats)


def test_what_two_functions_take_from_one_module_counts() -> None:
    def two(second: int) -> Any:
        helper = module(K=1, L=second)
        inner = kernel(function("return helper.L", helper=helper))
        return function("return helper.K + inner()", helper=helper, inner=inner)

    assert digest(two(1)) == digest(two(1))
    assert digest(two(1)) != digest(two(2))


@pytest.mark.parametrize("decorator", [kernel, njit, njit(cache=True)])
def test_a_function_compiled_when_a_value_was_another_is_refused(decorator: Any) -> None:
    """Where it is called, its code holds the value of then, whatever is there now."""
    inner = decorator(function("return K", K=1))
    outer = function("return inner()", inner=inner)
    before = digest(outer)
    assert njit(function("return inner()", inner=inner))() == 1
    assert digest(outer) == before
    inner.py_func.__globals__["K"] = 2
    with pytest.raises(Unknowable, match="function was compiled when something that it uses had another value"):
        digest(outer)
