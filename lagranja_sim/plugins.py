"""Where the files that users write are found: policies, experiments and report sections.

Each kind is a folder of files, one a plug-in. The folder of that name in the current directory comes first, then the tool's own:
next to the package in a checkout, inside the package in an installed wheel. The first file of a name hides later ones, even
if it is broken: its author did not ask for the other one.
"""

from __future__ import annotations

from pathlib import Path

from lagranja_sim.spelling import is_utf8

PACKAGE = Path(__file__).resolve().parent
DEFAULT_GAME = "lagranja"
KINDS = ("policies", "experiments", "reports", "games")
PACKAGES = "lagranja_own_"  # begins the name of the package that a folder of policies or games is loaded as


def tool_folder(kind: str) -> Path:
    """The folder of a kind that comes with the tool."""
    inside = PACKAGE / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def plugin_folders(kind: str) -> list[Path]:
    """The folders in which plug-ins of a kind are looked for, in that order; those that exist, none twice."""
    folders = (Path(kind), tool_folder(kind))
    return list(dict.fromkeys(folder.resolve() for folder in folders if folder.is_dir()))


def plugin_files(kind: str, suffix: str) -> dict[str, Path]:
    """Every plug-in of a kind by its name, whether or not it can be read.

    What starts with an underscore is a helper, what starts with a dot is hidden, as editors' locks are; neither is a plug-in."""
    files: dict[str, Path] = {}
    for folder in plugin_folders(kind):
        for path in sorted(folder.glob(f"*{suffix}")):
            if not path.name.startswith(("_", ".")) and is_utf8(path.name):
                files.setdefault(path.stem, path)
    return files


def hiding(kind: str, path: Path) -> str:
    """`; it hides the shipped FILE`, or nothing: for whoever reads that an own file is broken."""
    shipped = tool_folder(kind) / path.name
    is_own = path.parent in plugin_folders(kind) and path.parent != shipped.parent
    return f"; it hides {shipped}" if is_own and shipped.exists() else ""
