"""BOX, the record of everything printed and of every number of the rules.

A number of the rules is declared once, in the model of rules.toml (rulebook.py), and reached by its table: `box.farm.hand_limit`. Text that is an
effect is kept as the number of the effect, one word of several as its place among them, prices and points by good or building as an array.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, cast, get_args, get_origin

import numpy as np
from annotated_types import MaxLen
from pydantic import BaseModel

from lagranja_sim.games.lagranja.components.rulebook import Rules
from lagranja_sim.games.lagranja.rules import state
from lagranja_sim.games.lagranja.rules.names import BUILDINGS

NAMED = ("helpers",)  # tables that name components; box.cards holds what they say
Shape = tuple[int, ...]


def _bare(annotation: Any) -> tuple[Any, list[Any]]:
    """A type without its limits, and the limits."""
    if get_origin(annotation) is not Annotated:
        return annotation, []
    return annotation.__origin__, [limit for given in annotation.__metadata__ for limit in getattr(given, "metadata", [given])]


def _shape(annotation: Any, limits: list[Any]) -> Shape:
    """The room that a value of a type takes: one number, or as many as a list or table may have."""
    if get_origin(annotation) is list:
        most = next(limit.max_length for limit in limits if isinstance(limit, MaxLen))
        return most, *_shape(*_bare(get_args(annotation)[0]))
    is_table = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return (len(annotation.model_fields),) if is_table else ()


def _table(model: type[BaseModel]) -> np.dtype[Any]:
    """The record of one table of rules.toml."""
    return state.record(*((name, np.int16, _shape(info.annotation, info.metadata)) for name, info in model.model_fields.items()))


def _tables() -> dict[str, type[BaseModel]]:
    return {name: cast(type[BaseModel], info.annotation) for name, info in Rules.model_fields.items() if name not in NAMED}


def _encoded(value: Any, annotation: Any, effect: Callable[[str], int]) -> Any:
    """A value as numbers; `effect` gives the number of an effect's text."""
    if get_origin(annotation) is Literal:
        return get_args(annotation).index(value)
    if isinstance(value, BaseModel):
        return list(value.model_dump().values())
    if isinstance(value, list):
        return [_encoded(entry, _bare(get_args(annotation)[0])[0], effect) for entry in value]
    return effect(value) if isinstance(value, str) else value


def fill_tables(box: Any, rules: Rules, effect: Callable[[str], int]) -> None:
    """Write every number of the rules into the box; lists shorter than their room are filled up with zeros."""
    for table, model in _tables().items():
        for name, info in model.model_fields.items():
            numbers = _encoded(getattr(getattr(rules, table), name), info.annotation, effect)
            if isinstance(numbers, list):
                box[table][name][: len(numbers)] = numbers
            else:
                box[table][name] = numbers


BOX = state.record(
    ("cards", state.CARD_FACE, (state.CARDS + 1,)),
    ("roofs", state.ABILITY, (state.ROOFS + 1,)),
    ("roof_round", np.int8, (state.ROOFS + 1,)),
    ("craft_buildings", state.BUILDING, (len(BUILDINGS),)),
    ("spaces", state.SPACE, (state.MAX_SPACES,)),
    ("space_count", np.int8),
    ("open_spaces", np.int64, (state.SEATS + 1,)),  # bits, by number of players
    ("start_spaces", np.int8, (state.SEATS + 1, state.SEATS)),  # S5: by number of players and place in the first order
    ("ops", state.OP, (state.MAX_OPS,)),
    ("alternatives", state.ALTERNATIVE, (state.MAX_ALTERNATIVES,)),
    ("effects", state.EFFECT, (state.MAX_EFFECTS,)),
    *((name, _table(model)) for name, model in _tables().items()),
    ("donkey_count", np.int8),  # entries of transport.donkeys
    ("siesta_top", np.int8),  # index of the last entry of transport.siesta_vp
    # the ledger: rows of changes since the driver last emptied it, when it is on
    ("ledger_on", np.int8),
    ("ledger_count", np.int16),
    ("ledger", state.LEDGER_ROW, (state.LEDGER,)),
    ("list_count", np.int8),
    ("lists", state.LIST, (state.LISTS,)),
)
