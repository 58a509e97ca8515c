"""What a policy's function returns by itself, which must be of the kind that is asked for.

numba turns what is returned into what was declared without a word: 0.7 would be option 0, and so would False.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba import njit, types
from numba.core import ir
from numba.core.typing.templates import Signature

from lagranja_sim.policy import PolicyError
from lagranja_sim.policy_tools.errors import at_line, in_words

WRONG = (types.Float, types.Complex, types.Boolean)  # of other kinds numba says itself that they are no whole numbers


def as_declared(function: Callable[..., Any], signature: Signature, **how: Any) -> Any:
    """A policy's function compiled with this signature; PolicyError if what it returns would have to be turned into a whole number."""
    compiled = njit(signature.args, **how)(function)
    kind = types.unliteral(compiled.overloads[signature.args].signature.return_type)
    if kind == signature.return_type:
        return compiled
    if isinstance(signature.return_type, types.Integer) and isinstance(kind, WRONG):
        raise PolicyError(wrong_result(function, signature))
    return njit(signature, **how)(function)


def wrong_result(function: Callable[..., Any], signature: Signature) -> str:
    """What is returned, and in which line; compiled anew, for what comes from the cache knows of no lines."""
    kind, line = next(returned(njit(signature.args)(function).overloads[signature.args].type_annotation))
    reason = f"{function.__name__} returns {in_words(str(kind))}, not the index of an option, which is a whole number"
    return at_line(Path(function.__code__.co_filename), reason, line)


def returned(annotation: Any) -> Iterator[tuple[types.Type, int]]:
    """What is no whole number and returned, and the line."""
    statements = [statement for block in annotation.blocks.values() for statement in block.body]
    sources = {statement.target.name: statement.value.value.name for statement in statements if is_cast(statement)}
    for statement in statements:
        if isinstance(statement, ir.Return):
            kind = annotation.typemap[sources.get(statement.value.name, statement.value.name)]
            if isinstance(kind, WRONG):
                yield kind, statement.loc.line


def is_cast(statement: Any) -> bool:
    """Whether a statement hands on what a `return` returns."""
    return isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == "cast"
