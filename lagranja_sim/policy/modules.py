"""Policy files as modules. Each folder of policies is a package of its own, so that its files may import one another.

`from ._mine import worth` in a policy file takes `worth` from `_mine.py` beside it, else from the folder of policies that come with the tool,
whatever the working folder is. The package's name holds a hash of the folder's path, so two folders share nothing, and no file can be
mistaken for another module. The text itself is run, never kept bytecode, which Python compares with the text by time
and length only.
"""

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import resolve_name, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from lagranja_sim.plugins import PACKAGES, tool_folder
from lagranja_sim.policy.errors import PolicyError, exception_message
from lagranja_sim.policy.written import SETTINGS, source_of, syntax_tree, written

DOT = "%2e"  # stands for a dot in the name of a file, which would separate packages in the name of a module


class TextLoader(SourceFileLoader):
    """Runs a file's text, so that no outdated bytecode of another process is used."""

    def get_code(self, name: str) -> CodeType:
        path = self.get_filename(name)
        return self.source_to_code(source_of(Path(path)), path)


class Beside:
    """Finds the modules of a folder of policies."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """The first file of that name in the folders of its package; None for a module outside these packages."""
        if not name.startswith(PACKAGES):
            return None
        stem = name.rpartition(".")[2].replace(DOT, ".")
        for folder in map(Path, path or ()):
            for file, inside in ((folder / f"{stem}.py", None), (folder / stem / "__init__.py", [str(folder / stem)])):
                if file.is_file():
                    loader = TextLoader(name, str(file))
                    return spec_from_file_location(name, file, loader=loader, submodule_search_locations=inside)
        return None


sys.meta_path.insert(0, Beside)


def package_of(folder: Path) -> str:
    """The name of the package that a folder is, which is made here if it is not yet there."""
    name = PACKAGES + hashlib.sha256(str(folder).encode(errors="surrogatepass")).hexdigest()[:8]
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = list(dict.fromkeys((str(folder), str(tool_folder("policies")))))
        sys.modules[name] = package
    return name


def module_name(path: Path) -> str:
    return f"{package_of(path.parent)}.{path.stem.replace('.', DOT)}"


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


def spec_of(name: str) -> ModuleSpec | None:
    """Where a module is found, without running any: through its package, and that one's package."""
    package = name.rpartition(".")[0]
    if not package:
        return None
    above = sys.modules.get(package) or spec_of(package)
    inside = getattr(above, "__path__", None) or getattr(above, "submodule_search_locations", None)
    return Beside.find_spec(name, inside)


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
