"""Policy files as modules.

`from ._mine import worth` in a policy file takes `worth` from `_mine.py` beside it, else from the folder of policies that come with the tool,
whatever the working folder is.
"""

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType

from lagranja_sim.modules import module_name, spec_of
from lagranja_sim.policy.errors import PolicyError, exception_message
from lagranja_sim.policy.written import SETTINGS, syntax_tree, written


@cache
def load_module(path: Path) -> ModuleType:
    """Run a policy file. The values of BASE, WEIGHTS and WEIGHTS_OF must then be those that its text shows (see `written`)."""
    settings = written(path)
    try:
        module = importlib.import_module(module_name(path))
    except PolicyError:
        raise
    except (Exception, SystemExit) as error:
        raise PolicyError(exception_message(error, path)) from error
    for name in SETTINGS:
        if repr(vars(module).get(name)) != repr(settings.value(name)):
            raise PolicyError(f"{path}: {name} is not what is written there once the file has been run; write it out in one statement")
    return module


# --- what a file imports -------------------------------------------------------------------------------------------------------------


def files_of(path: Path) -> dict[str, Path]:
    """A policy file and all files beside it that it imports, they in turn import, and so on; by the names of the modules that they are."""
    files: dict[str, Path] = {}
    waiting = [module_name(path)]
    while waiting:
        name = waiting.pop()
        spec = spec_of(name)
        if name not in files and spec and spec.origin:
            files[name] = Path(spec.origin)
            waiting += imports_of(files[name], name if spec.submodule_search_locations else name.rpartition(".")[0])
    return files


def imports_of(path: Path, package: str) -> Iterator[str]:
    """The names of all modules that a file's relative imports may mean: `from .a import b` means `a` and perhaps `a.b`."""
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            try:
                module = resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:  # above the folder; running the file reports it
                continue
            parents = module.split(".")
            yield from (".".join(parents[:size]) for size in range(2, len(parents) + 1))
            yield from (f"{module}.{alias.name}" for alias in node.names)
