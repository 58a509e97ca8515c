"""Files of users as modules. Each folder of policies or games is a package of its own, so that its files may import one another.

The package bears the folder's path in its name: two folders share nothing, and no file can take the place of another module, nor be taken for
one. What is run is the text as it is: bytecode that Python would keep is told from today's by time and length only.
"""

import hashlib
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from lagranja_sim.plugins import PACKAGES, tool_folder
from lagranja_sim.textfile import read_python

DOT = "%2e"  # a dot in the name of a file, which in a module's would part packages


@cache
def text_of(path: Path) -> bytes:
    """The text of a Python file. It is read once, so that what is run, described and hashed is the same. Raises Unreadable."""
    return read_python(path)


class TextLoader(SourceFileLoader):
    """Runs a file's text, which no other process can have left behind changed."""

    def get_code(self, name: str) -> CodeType:
        path = self.get_filename(name)
        return self.source_to_code(text_of(Path(path)), path)


class Beside:
    """Finds the modules of a folder of policies or games."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """The first file of that name in the folders of its package; None if it is no business of this finder."""
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


def spec_of(name: str) -> ModuleSpec | None:
    """Where a module is found, without running any: through its package, and that one's package."""
    package = name.rpartition(".")[0]
    if not package:
        return None
    above = sys.modules.get(package) or spec_of(package)
    inside = getattr(above, "__path__", None) or getattr(above, "submodule_search_locations", None)
    return Beside.find_spec(name, inside)
