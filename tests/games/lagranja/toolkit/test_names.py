"""`from lagranja_sim.games.lagranja.toolkit import *` brings many names; each means one thing."""

import importlib
import pkgutil
import re
from pathlib import Path

import lagranja_sim.games.lagranja.toolkit
from lagranja_sim.games.lagranja.rules import state


def test_no_name_of_the_toolkit_hides_another():
    modules = [
        importlib.import_module(f"lagranja_sim.games.lagranja.toolkit.{found.name}")
        for found in pkgutil.iter_modules(lagranja_sim.games.lagranja.toolkit.__path__)
    ]
    met = {name: value for name, value in vars(state).items() if not name.startswith("_")}
    for module in modules:
        for name, value in vars(module).items():
            if not name.startswith("_"):
                assert met.setdefault(name, value) is value or met[name] == value, f"{name} of {module.__name__}"
                met[name] = value


def test_what_the_documentation_names_is_there():
    text = (
        Path(__file__).parents[4].joinpath("docs", "policies.md").read_text(encoding="utf-8").split("## The toolkit")[1].split("\n## ")[0]
    )
    called = set(re.findall(r"`(\w+)\(", text))
    noted = set(re.findall(r"`notes\.plan\.(\w+)", text))
    assert len(called) > 15 and len(noted) > 5
    assert noted <= set(lagranja_sim.games.lagranja.toolkit.PLAN.names)
    assert not [name for name in called if not hasattr(lagranja_sim.games.lagranja.toolkit, name)]
    files = set(re.findall(r"`toolkit/(\w+)\.py`", text))
    answering = {found.name for found in pkgutil.iter_modules(lagranja_sim.games.lagranja.toolkit.__path__)} - {
        "luck",
        "position_table",
        "rates",
    }
    assert files == answering
