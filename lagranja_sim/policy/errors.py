"""A policy's errors in plain words: the line of its file, the source of that line, and what is wrong with it.

numba reports what it cannot compile in terms of its own types and passes. The mistakes that authors of policies usually make are recognized
here by numba's message; of any other message the first line that is not about numba itself is shown.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from lagranja_sim.errors import UserError
from lagranja_sim.game import Game, find_game
from lagranja_sim.plugins import DEFAULT_GAME, PACKAGES
from lagranja_sim.spelling import near

LONGEST = 240  # characters of a message that is not recognized
ARGUMENTS = {"score": "(game, box, seat, option, weights, notes)", "choose": "(game, box, seat, options, weights, notes)"}
OPCODES = {
    "STORE_GLOBAL": "a name from outside a function cannot be changed in it",
    "IMPORT_NAME": "imports stand at the top of the file",
}
RESULTS = {"float64": "a number", "int64": "a whole number"}


class PolicyError(UserError, ValueError):
    """A policy that does not exist, or that cannot be used as it is called."""


def compile_message(error: Exception, path: Path, name: str, module: ModuleType, game: Game) -> str:
    """Why the function `name` of a policy's file does not compile."""
    case = Case(f"KeyError: {error}" if isinstance(error, KeyError) else str(error), path, name, module, game)
    for pattern, explain in REASONS:
        if match := re.search(pattern, case.text, re.DOTALL):
            reason = explain(match, case)
            return at_line(case.file, reason.text, reason.line or case.line)
    return at_line(case.file, first_words(case.text), case.line)


def exception_message(error: BaseException, path: Path) -> str:
    """An ordinary exception, with the line in a policy's file, or in one beside it, where it was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == path.parent]
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ImportError):
        reason = re.sub(rf"{PACKAGES}\w+", "", reason) + import_hint(error.name or "", path.parent)
    return at_line(Path(frames[-1].filename), reason, frames[-1].lineno) if frames else at_line(path, reason, None)


def import_hint(name: str, folder: Path) -> str:
    """What may have been meant by a module that cannot be imported into a policy."""
    last_part, files = name.rpartition(".")[2], [file.stem for file in folder.glob("*.py")]
    if name == last_part and name in files:
        return f"; a file beside a policy is imported with a dot: from .{name} import ..."
    new_names = find_game(DEFAULT_GAME).policies.new_names()
    if name in new_names:
        return f"; it is called {new_names[name]} now"
    return near(last_part, files) if name.startswith(PACKAGES) else ""


def at_line(path: Path, reason: str, line: int | None) -> str:
    """`FILE, line N: reason` and, below it, that line of the file."""
    if line is None:
        return f"{path}: {reason}"
    lines = linecache.getlines(str(path))
    source = f"\n    {lines[line - 1].strip()}" if 0 < line <= len(lines) else ""
    return f"{path}, line {line}: {reason}{source}"


@dataclass(frozen=True)
class Case:
    """A message of numba's, and the function of a policy's file that it is about."""

    text: str
    path: Path
    name: str
    module: ModuleType
    game: Game

    @cached_property
    def place(self) -> tuple[Path, int | None]:
        """The first line in the file, or in one beside it, that numba names: of nested calls it names the innermost first."""
        for match in re.finditer(r'File "([^"]+)", line (\d+)|\b(?:at|from) (\S[^\n]*?\.py) \((\d+)\)', self.text):
            file = Path(os.path.normpath(Path.cwd() / (match[1] or match[3])))
            if file.parent == self.path.parent:
                return file, int(match[2] or match[4])
        return self.path, None

    @property
    def file(self) -> Path:
        return self.place[0]

    @property
    def line(self) -> int | None:
        return self.place[1]

    def where(self, is_meant: Callable[[Any], bool]) -> int | None:
        """The first line of the file that holds a node for which `is_meant` is true."""
        nodes = ast.walk(ast.parse(self.file.read_bytes()))
        return min((node.lineno for node in nodes if hasattr(node, "lineno") and is_meant(node)), default=None)

    def callee(self) -> str:
        """The name of the function whose call numba refuses."""
        match = re.search(r"<function (\w+) at", self.text)
        return match[1] if match else "the function"


@dataclass(frozen=True)
class Reason:
    """Why code does not compile, in plain words, and the line if it is known more exactly than numba names it."""

    text: str
    line: int | None = None


# --- words -----------------------------------------------------------------------------------------------------------------------------

KINDS = {
    r"Literal\[str\]|unicode": "text",
    r"Literal\[int\]|u?int\d": "a whole number",
    r"float": "a number",
    r"Literal\[bool\]|bool": "true or false",
    r"none": "None",
    r"Record": "a record",
    r"(unaligned |readonly |nested)*array": "an array",
    r"(reflected )?list|LiteralList": "a list",
    r"(Uni|Literal)?Tuple|StarArgTuple": "a tuple",
    r"DictType|LiteralStrKeyDict": "a dict",
}


def in_words(kind: str) -> str:
    """A type of numba's in plain words."""
    return next((words for pattern, words in KINDS.items() if re.match(pattern, kind)), "something else")


def split_types(text: str) -> Iterator[str]:
    """The types of a list of arguments, up to the bracket that closes it."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "([{<") - (sign in ")]}>")
        if depth < 0 or (sign == "," and depth == 0):
            yield text[start:place].strip()
            start = place + 1
        if depth < 0:
            return


def field_names(kind: np.dtype[Any]) -> set[str]:
    """All fields of a record and of the records in it."""
    if kind.subdtype:
        return field_names(kind.subdtype[0])
    return set(kind.names or ()).union(*(field_names(kind[name]) for name in kind.names or ()))


def new_name_hint(name: str, renamed: Mapping[str, str], known: Iterable[str]) -> str:
    """What an old name has become, or names much like it."""
    return f"; it is called {renamed[name]} now" if name in renamed else near(name, [*known, *renamed.values()])


def first_words(text: str) -> str:
    """The first line of a message that is not about numba itself."""
    lines = (line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("Failed in", "During", "-")))
    return next(lines, "unknown reason")[:LONGEST]


# --- reasons ----------------------------------------------------------------------------------------------------------------------------


def no_name(match: re.Match[str], case: Case) -> Reason:
    known = [*vars(case.module), *vars(builtins)]
    line = case.where(lambda node: isinstance(node, ast.Name) and node.id == match[1])
    return Reason(f"there is no name '{match[1]}'{new_name_hint(match[1], case.game.policies.new_names(), known)}", line)


def no_field(match: re.Match[str], case: Case) -> Reason:
    records = case.game.records
    known = field_names(records.game) | field_names(records.box) | field_names(records.option) | field_names(records.notes)
    line = case.where(lambda node: isinstance(node, ast.Attribute) and node.attr == match[1])
    return Reason(f"there is no field '{match[1]}'{new_name_hint(match[1], case.game.policies.new_fields(), known)}", line)


def not_compiled(match: re.Match[str], _case: Case) -> Reason:
    name, kind = match[1], match[2]
    if kind == "function":
        return Reason(f"{name} is an ordinary Python function: decorate it with @kernel")
    if kind == "type":
        return Reason(f"{name} is a class, which compiled code cannot use")
    return Reason(f"compiled code cannot use {name}, a {kind}: write a tuple of numbers or a numpy array")


def needless_decorator(_match: re.Match[str], case: Case) -> Reason:
    return Reason(
        f"{case.name} is compiled as it is; leave out its decorator", case.where(lambda node: getattr(node, "name", "") == case.name)
    )


def wrong_arguments(match: re.Match[str], case: Case) -> Reason:
    return Reason(f"{case.callee()}{match[1]} is called with the wrong arguments: {match[2]}")


def wrong_signature(_match: re.Match[str], case: Case) -> Reason:
    line = case.where(lambda node: isinstance(node, ast.FunctionDef) and node.name == case.name)
    return Reason(f"{case.name} takes {ARGUMENTS[case.name]}", line)


def no_return(_match: re.Match[str], case: Case) -> Reason:
    return Reason(f"{case.name} can end after this line without a `return`")


def wrong_result(match: re.Match[str], case: Case) -> Reason:
    return Reason(f"{case.name} returns {RESULTS.get(match[2], match[2])}, not {in_words(match[1])}")


def no_text(_match: re.Match[str], _case: Case) -> Reason:
    return Reason("compiled code cannot put numbers into text; leave it out, or write `class Policy` while you try things out")


def no_attribute(match: re.Match[str], _case: Case) -> Reason:
    if module := re.match(r"Module\(<module '(\w+)'", match[2]):
        hint = "; for chance there is draw(game, index, bound)" if "random" in module[1] else ""
        return Reason(f"compiled code cannot use {module[1]}.{match[1]}{hint}")
    return Reason(f"{in_words(match[2])} has no '{match[1]}' in compiled code")


def mixed_list(_match: re.Match[str], _case: Case) -> Reason:
    return Reason("a list in compiled code holds things of one kind only, not numbers beside text or the like")


def mixed_tuple(_match: re.Match[str], _case: Case) -> Reason:
    return Reason("a tuple of different kinds can only be asked for a place written as a number")


def global_list(match: re.Match[str], _case: Case) -> Reason:
    return Reason(f"compiled code cannot use the list {match[1]} from outside the function: make it a tuple, with ( ) in place of [ ]")


def text_as_index(_match: re.Match[str], _case: Case) -> Reason:
    return Reason("an array is asked for a place by a whole number, not by a name; weights stand in the order of WEIGHTS")


def name_and_number(match: re.Match[str], _case: Case) -> Reason:
    return Reason(f"a name of {match[1]} and a number do not stand for one another in one expression: write {match[1]}.NAME.value")


def two_kinds(match: re.Match[str], _case: Case) -> Reason:
    return Reason(f"{match[3]} is {in_words(match[1])} in one place and {in_words(match[2])} in another")


def no_generator(_match: re.Match[str], _case: Case) -> Reason:
    return Reason("generator expressions do not compile: write a loop")


def no_opcode(match: re.Match[str], _case: Case) -> Reason:
    return Reason(OPCODES.get(match[1], f"this does not compile ({match[1]})"))


def no_construct(match: re.Match[str], case: Case) -> Reason:
    return Reason(f"`{match[1]}` does not compile", case.where(lambda node: isinstance(node, ast.With)) if "with" in match[1] else None)


def no_function(match: re.Match[str], _case: Case) -> Reason:
    return Reason(f"{in_words(match[1])} is called as if it were a function")


def no_operation(match: re.Match[str], _case: Case) -> Reason:
    kinds = [in_words(kind) for kind in split_types(match[2])]
    return Reason(f"`{match[1]}` does not work on {' and '.join(kinds)}")


REASONS: tuple[tuple[str, Callable[[re.Match[str], Case], Reason]], ...] = (
    (r"NameError: name '(\w+)' is not defined", no_name),
    (r"^KeyError: '(\w+)'", no_field),
    (r"on an already jitted function", needless_decorator),
    (r"Untyped global name '(\w+)': Cannot determine Numba type of <class '(?:\w+\.)*(\w+)'>", not_compiled),
    (r"Cannot bind 'args=.*?to signature '(\(.*?\))' due to \"TypeError: (.*?)\"", wrong_arguments),
    (r"Signature mismatch: \d+ argument types given", wrong_signature),
    (r"No conversion from none to \w+ for '\$", no_return),
    (r"No conversion from (.+?) to (\w+) for '\$", wrong_result),
    (r"format spec in f-strings|>>> mod\((?:unicode|Literal\[str\])|Unknown attribute 'format' of type .*?(?:str|unicode)", no_text),
    (r"Unknown attribute '(\w+)' of type (.*)", no_attribute),
    (r"on a literal list|LiteralList|list\.(?:append|insert|extend) for list", mixed_list),
    (r"reflected list.*?assigned to variable '(\w+)' in globals", global_list),
    (r">>> getitem\(Tuple\(", mixed_tuple),
    (r">>> getitem\((?:unaligned |nested)?array.*?(?:Literal\[str\]|unicode_type)", text_as_index),
    (r"Cannot unify (?:\w+ and )?IntEnum<\w+>\((\w+)\)", name_and_number),
    (r"Cannot unify (.+?) and (.+?) for '(\w+)", two_kinds),
    (r"use of yield in a closure", no_generator),
    (r"unsupported opcode \((\w+)\)", no_opcode),
    (r"The '(.+?)' construct is not supported", no_construct),
    (r"No type info available for (.+?) as a callable", no_function),
    (r"No implementation of function Function\(<built-in function \w+>\).*?>>> (\w+)\((.*)", no_operation),
)
