"""The packages import each other in one direction: what stands in ALLOWED, and no circle."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from calls import CHECKOUT

PACKAGE = CHECKOUT / "lagranja_sim"
ALLOWED = {  # package or module -> those it may import, all of which stand above it; the command line may import all but the games
    "spelling": "",
    "arguments": "spelling",
    "errors": "",
    "kernel_sources": "",
    "plugins": "spelling",
    "stats": "",
    "streams": "",
    "textfile": "",
    "frozen": "kernel_sources plugins",
    "modules": "plugins textfile",
    "wording": "stats",
    "code_cache": "kernel_sources frozen",
    "compile": "kernel_sources code_cache",
    "chance": "compile",
    "kit": "errors spelling textfile compile",
    "game": "errors plugins spelling modules kit",
    "policy": "errors plugins spelling textfile frozen modules game",
    "play": "errors compile chance kit game policy",
    "runs": "errors kernel_sources plugins spelling stats textfile wording compile kit game policy play",
    "bench": "game play runs",
    "display": "wording policy runs",
    "doctor": "plugins code_cache compile runs",
    "report": "plugins spelling stats textfile kit game runs",
    "policy_tools": "plugins spelling game policy play runs display",
    "contest": "plugins spelling stats wording game policy play runs display policy_tools",
    "compare": "plugins spelling stats wording kit game policy play runs display report contest",
    "games.lagranja": "spelling streams textfile compile chance kit game policy play runs",  # which nothing imports by its name
}
COMMAND_LINE = {"cli", "command_line", "commands"}


def room_of(path: Path) -> str:
    """The package, or the module of the first level, that a file belongs to."""
    return room_in(path.relative_to(PACKAGE).with_suffix("").parts)


def room_in(parts: Sequence[str]) -> str:
    """Each game is a room of its own."""
    return ".".join(parts[:2]) if parts[0] == "games" and len(parts) > 1 else parts[0]


def imported(tree: ast.Module) -> Iterator[str]:
    """Rooms that are named in any import, at the top of a file, in a function or for type checkers only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "lagranja_sim":
            names = [f"lagranja_sim.{alias.name}" for alias in node.names if not alias.name.startswith("__")]
        else:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (room_in(name.split(".")[1:]) for name in names if name.startswith("lagranja_sim."))


FILES = [
    path for path in sorted(PACKAGE.rglob("*.py")) if path.parent not in (PACKAGE, PACKAGE / "games") or not path.stem.startswith("__")
]


@pytest.mark.parametrize("room", sorted({room_of(path) for path in FILES} - COMMAND_LINE))
def test_a_package_imports_only_what_it_may(room: str) -> None:
    used = {name for path in FILES if room_of(path) == room for name in imported(ast.parse(path.read_text()))} - {room}
    assert used == set(ALLOWED[room].split())


def test_the_command_line_knows_no_game() -> None:
    files = [path for path in FILES if room_of(path) in COMMAND_LINE]
    assert not [name for path in files for name in imported(ast.parse(path.read_text())) if name.startswith("games")]


def test_what_is_allowed_holds_no_circle() -> None:
    rooms = list(ALLOWED)
    assert all(rooms.index(other) < rooms.index(room) for room in rooms for other in ALLOWED[room].split())
