"""Decisions and steps stand in names.py under the module that knows them, and the engine sends each there."""

import inspect
import re

import pytest

from lagranja_sim.games.lagranja.rules import engine
from lagranja_sim.games.lagranja.rules.names import ERRORS, Ask, Error, Step

DOORS = {Ask: ("list_options", "apply_option"), Step: ("run_step",)}


def modules_of(kinds):
    """The last name under each comment that names a module."""
    last, module = {}, ""
    for line in inspect.getsource(kinds).splitlines():
        module = (re.match(r"    # (\w+)\.py$", line) or ["", module])[1]
        name = re.match(r"    (\w+) = (?:0|len\(Ask\)|auto\(\))$", line)
        if name:
            last[module] = kinds[name[1]]
    return last


@pytest.mark.parametrize("kinds", DOORS)
def test_the_engine_ends_each_modules_range_where_its_names_end(kinds):
    ranges = {name: value for name, value in vars(engine).items() if re.fullmatch(rf"LAST_[A-Z]+_{kinds.__name__.upper()}", name)}
    own = [] if kinds is Ask else [Step.ROUND]
    rest = max(kinds)  # of the last module, which needs no end
    assert sorted([*own, *ranges.values(), rest]) == sorted(modules_of(kinds).values())


@pytest.mark.parametrize("kinds", DOORS)
def test_the_engine_asks_the_modules_in_the_order_of_their_names(kinds):
    order = [module for module in modules_of(kinds) if module != "engine"]
    for door in DOORS[kinds]:
        function = getattr(engine, door)
        called = re.findall(rf"(\w+)\.{door}\(", inspect.getsource(getattr(function, "py_func", function)))
        assert sorted(called, key=order.index) == (called if kinds is Ask else [*called[1:], called[0]])  # holdings.py's steps come first
        assert sorted(called) == sorted(order)


def test_steps_are_numbered_on_from_decisions():
    assert [*map(int, (*Ask, *Step))] == [*range(len(Ask) + len(Step))]
    assert min(Step) == engine.LAST_ASK + 1


def test_a_new_error_needs_its_words():
    assert set(ERRORS) == set(Error) - {Error.OK}
