"""The kind of value that a policy's function returns, before numba converts it: it must be what is asked for.

numba silently converts the value into the declared type: 0.7 would become option 0, and so would False.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit, types
from numba.core import ir
from numba.core.typing.templates import Signature

from lagranja_sim.policy import PolicyError
from lagranja_sim.policy.errors import at_line, in_words

WRONG = (types.Float, types.Complex, types.Boolean)  # numba itself refuses the other kinds that are no whole numbers


def as_declared(function: Callable[..., Any], signature: Signature, **how: Any) -> Any:
    """A policy's function compiled with this signature; PolicyError if what it returns would have to be turned into a whole number."""
    compiled = njit(signature.args, **how)(function)
    overload = compiled.overloads[signature.args]
    if isinstance(signature.return_type, types.Integer) and (reason := wrong_result(function, overload.type_annotation)):
        compiled._cache.flush()  # otherwise the next process would load it from the cache, without the types that show the fault
        raise PolicyError(reason)
    if types.unliteral(overload.signature.return_type) == signature.return_type:
        return compiled
    return njit(signature, **how)(function)


def wrong_result(function: Callable[..., Any], annotation: Any) -> str:
    """What is returned that is no whole number, and on which line; empty if nothing is, or for code from the cache, which holds no other."""
    statements = [statement for block in getattr(annotation, "blocks", {}).values() for statement in block.body]
    sources = {statement.target.name: statement.value.value.name for statement in statements if is_cast(statement)}
    for statement in statements:
        if isinstance(statement, ir.Return):
            kind = annotation.typemap[sources.get(statement.value.name, statement.value.name)]
            if isinstance(kind, WRONG):
                reason = f"{function.__name__} returns {in_words(str(kind))}, not the index of an option, which is a whole number"
                return at_line(Path(function.__code__.co_filename), reason, statement.loc.line)
    return ""


def is_cast(statement: Any) -> bool:
    """Whether a statement passes a value on to a `return`."""
    return isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == "cast"
