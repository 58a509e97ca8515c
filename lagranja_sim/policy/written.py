"""What a policy file says of itself: PLAYS, BASE, WEIGHTS and WEIGHTS_OF, read without running it, and by which function it plays.

Each of the four is read where it stands in one statement, written out. Anything else that the file does with these names would be ignored,
so it is refused, with its line.
"""

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lagranja_sim.modules import text_of
from lagranja_sim.policy.errors import ARGUMENTS, PolicyError, at_line
from lagranja_sim.spelling import near
from lagranja_sim.textfile import Unreadable

SETTINGS = {"PLAYS": str, "BASE": str, "WEIGHTS": dict, "WEIGHTS_OF": str}
KINDS = {
    "PLAYS": "the name of a game",
    "BASE": "the name of a policy",
    "WEIGHTS": "a dict of name: (default, low, high)",
    "WEIGHTS_OF": "the name of a policy",
}
EXPECTED = {"PLAYS": '"lagranja"', "BASE": '"balanced"', "WEIGHTS": "{...}", "WEIGHTS_OF": '"balanced"'}
OLD = "`notes` is new since version 0.1"
COUNTED = ", and `count` is len(options)"
WAYS = ("choose", "score", "Policy")  # to play
HANDED = 6  # arguments of a policy
INNER = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
CHANGING = ("update", "setdefault", "pop", "popitem", "clear")
ALIKE = 0.8  # from this similarity on a name is taken for a slip of the pen


@dataclass(frozen=True)
class Setting:
    """A value, its line, and for a dict the lines of its keys."""

    value: Any
    line: int
    lines: dict[Any, int]

    def where(self, key: Any) -> int:
        return self.lines.get(key, self.line)


@dataclass(frozen=True)
class Written:
    """The settings in a policy file, its docstring, and how it plays."""

    path: Path
    doc: str  # first line of its docstring
    settings: dict[str, Setting]
    kind: str  # choose, score or class; nothing beside a BASE

    def value(self, name: str) -> Any:
        """A setting's value, or None."""
        return self.settings[name].value if name in self.settings else None

    def problem(self, name: str, text: str, key: Any = None) -> PolicyError:
        """What is wrong with a setting, or a key in it."""
        return problem(self.path, self.settings[name].where(key), text)


def problem(path: Path, line: int, text: str) -> PolicyError:
    return PolicyError(f"{path}, line {line}: {text}")


def source_of(path: Path) -> bytes:
    """The text of a Python file, as it was first read."""
    try:
        return text_of(path)
    except Unreadable as error:
        raise PolicyError(str(error)) from None


def syntax_tree(path: Path) -> ast.Module:
    """The syntax tree of a Python file, whose byte order mark and declared encoding are respected."""
    try:
        return ast.parse(source_of(path))
    except SyntaxError as error:
        raise PolicyError(f"{path}, line {error.lineno}: {error.msg}" if error.lineno else f"{path}: {error.msg}") from None
    except (RecursionError, MemoryError):  # raised by the parser for very deep nesting
        raise PolicyError(f"{path}: is nested too deeply to be read") from None


@cache
def written(path: Path) -> Written:
    """What a policy file says of itself. Raises PolicyError with the line of whatever would be ignored."""
    tree = syntax_tree(path)
    settings = {name: setting for name in SETTINGS if (setting := setting_of(path, tree, name))}
    refuse_slips(path, tree, settings)
    kind = "" if "BASE" in settings else kind_of(path, tree)
    if not kind:
        refuse_more_than_settings(path, tree)
    return Written(path, (ast.get_docstring(tree) or "").partition("\n")[0], settings, kind)


# --- settings ------------------------------------------------------------------------------------------------------------------------


def setting_of(path: Path, tree: ast.Module, name: str) -> Setting | None:
    """The value that a file gives a name in its one statement, or None."""
    places: list[Any] = [node for node in outside_functions(tree) if touches(node, name)]
    if not places:
        return None
    statement = next((node for node in tree.body if places[0] in targets_of(node)), None)
    if statement is None or getattr(statement, "value", None) is None:
        raise problem(path, places[0].lineno, f"{name} is written by itself, out of any block: {name} = {EXPECTED[name]}")
    if len(places) > 1:
        raise problem(path, places[1].lineno, f"{name} is written once and in full, on line {statement.lineno}; this would not be read")
    value = literal(path, statement, name)
    if not isinstance(value, SETTINGS[name]):
        raise problem(path, statement.lineno, f"{name} is {KINDS[name]}: {name} = {EXPECTED[name]}")
    return Setting(value, statement.lineno, key_lines(path, statement.value, name))


def outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes that run when the file is run."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [] if isinstance(node, INNER) else reversed(list(ast.iter_child_nodes(node)))


def touches(node: ast.AST, name: str) -> bool:
    """Whether a node gives a name its value, or changes what it holds."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load) and is_name(node.value, name)
    if isinstance(node, ast.Call):
        function = node.func
        return isinstance(function, ast.Attribute) and function.attr in CHANGING and is_name(function.value, name)
    if isinstance(node, ast.alias):
        return (node.asname or node.name) == name
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def targets_of(node: ast.AST) -> list[ast.expr]:
    """What a statement of the form `name = ...` or `name: type = ...` gives a value."""
    if isinstance(node, ast.Assign):
        return node.targets if len(node.targets) == 1 else []
    return [node.target] if isinstance(node, ast.AnnAssign) else []


def literal(path: Path, statement: Any, name: str) -> Any:
    """A value that is written out."""
    try:
        return ast.literal_eval(statement.value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise problem(path, statement.lineno, f"{name} is written out, without names or calls") from None


def key_lines(path: Path, node: ast.AST, name: str) -> dict[Any, int]:
    """The line of each key of a dict; no key stands twice."""
    lines: dict[Any, int] = {}
    for part in node.keys if isinstance(node, ast.Dict) else ():
        assert part is not None  # `literal` has refused `**`
        key = ast.literal_eval(part)
        if key in lines:
            raise problem(path, part.lineno, f"{name} has '{key}' twice, first on line {lines[key]}")
        lines[key] = part.lineno
    return lines


def refuse_slips(path: Path, tree: ast.Module, settings: dict[str, Setting]) -> None:
    """Refuse a name much like a setting's with a value of its kind: it is a slip of the pen."""
    missing = [name for name in SETTINGS if name not in settings]
    for node in tree.body:
        for target in targets_of(node):
            meant = difflib.get_close_matches(target.id.upper(), missing, 1, ALIKE) if isinstance(target, ast.Name) else []
            if meant and isinstance(plain_value(node), SETTINGS[meant[0]]):
                raise problem(path, node.lineno, f"{ast.unparse(target)} is no setting of a policy (did you mean {meant[0]}?)")


def plain_value(node: ast.AST) -> Any:
    """A text that a statement gives a name, or an empty dict in place of any dict."""
    value = getattr(node, "value", None)
    return {} if isinstance(value, ast.Dict) else getattr(value, "value", None)


# --- how it plays --------------------------------------------------------------------------------------------------------------------


def kind_of(path: Path, tree: ast.Module) -> str:
    """Which of the ways a policy plays. A decorated function called `score` may help a `choose`, and the other way round."""
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    lines = {node.name: node.lineno for node in definitions if node.name in WAYS}
    if len(lines) > 1:
        definitions = [node for node in definitions if not node.decorator_list]
        lines = {node.name: node.lineno for node in definitions if node.name in WAYS}
    if len(lines) > 1:
        first, second = sorted(lines, key=lambda name: lines[name])[:2]
        raise problem(path, lines[second], f"{second} would not be used, for {first} on line {lines[first]} plays; keep one of them")
    if not lines:
        hint = next((text for node in definitions if (text := near(node.name, WAYS))), "")
        raise PolicyError(f"{path}: a policy has a function `choose` or `score`, a class `Policy`, or a BASE{hint}")
    (name,) = lines
    check_arguments(path, next(node for node in definitions if node.name == name))
    return "class" if name == "Policy" else name


def check_arguments(path: Path, node: ast.FunctionDef | ast.ClassDef) -> None:
    """What plays takes what it is handed; a class by its method `choose`, if it is written there."""
    inner = [part for part in getattr(node, "body", ()) if isinstance(part, ast.FunctionDef) and part.name == "choose"]
    function, own = (node, 0) if isinstance(node, ast.FunctionDef) else (inner[0] if inner else None, 1)
    if function is None or function.args.vararg:
        return
    taken = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)][own:]
    needed = len(taken) - len(function.args.defaults)
    is_old = taken[-1:] == ["weights"]
    if is_old or not needed <= HANDED <= len(taken):
        hint = f" ({OLD}{COUNTED if 'count' in taken else ''})" if is_old else ""
        reason = f"{function.name} takes {ARGUMENTS[function.name]}, not ({', '.join(taken)}){hint}"
        raise PolicyError(at_line(path, reason, function.lineno))


def refuse_more_than_settings(path: Path, tree: ast.Module) -> None:
    """Refuse code in a file with BASE, as nothing of it would be run."""
    for number, node in enumerate(tree.body):
        is_doc = number == 0 and ast.get_docstring(tree) is not None
        is_setting = any(is_name(target, name) for target in targets_of(node) for name in ("PLAYS", "BASE", "WEIGHTS"))
        if not is_doc and not is_setting:
            raise problem(path, node.lineno, "beside BASE only PLAYS and WEIGHTS are read, and nothing is run; leave this out")
