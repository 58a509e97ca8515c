"""Pydantic's errors put into words for whoever typed the value: what was typed, and what was expected."""

from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from lagranja_sim.kit.problems import FEW, shown
from lagranja_sim.spelling import listing, near

Where = tuple[str | int, ...]


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def field_at(model: type[BaseModel], where: Where) -> FieldInfo | None:
    """The field a place in the data belongs to; None if the model has no such place."""
    field: FieldInfo | None = None
    annotation: Any = model
    for key in where:
        if _is_model(annotation) and isinstance(key, str):
            field = annotation.model_fields.get(key)
        elif isinstance(key, int) and get_args(annotation):
            field = FieldInfo.from_annotation(get_args(annotation)[0])
        else:
            field = None
        if field is None:
            return None
        annotation = field.annotation
    return field


def _bound(field: FieldInfo, kind: type, name: str) -> Any:
    return next((getattr(item, name) for item in field.metadata if isinstance(item, kind)), None)


def _whole(field: FieldInfo) -> str:
    return f"a whole number from {_bound(field, Ge, 'ge')} to {_bound(field, Le, 'le')}"


def _list(field: FieldInfo) -> str:
    least, most = _bound(field, MinLen, "min_length"), _bound(field, MaxLen, "max_length")
    count = "" if least is None and most is None else f"{least} " if least == most else f"{least or 0} to {most} "
    return f"a list of {count}entries, each {expected(FieldInfo.from_annotation(get_args(field.annotation)[0]))}"


def expected(field: FieldInfo) -> str:
    """What may stand in a field."""
    annotation: Any = field.annotation
    if get_origin(annotation) is Literal:
        return listing(get_args(annotation))
    if get_origin(annotation) in (list, tuple):
        return _list(field)
    if _is_model(annotation):
        return f"a table with the keys {listing(annotation.model_fields, 'and')}"
    return {int: _whole(field), bool: "true or false"}.get(annotation, "text")


def _near_choice(field: FieldInfo, value: object) -> str:
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    return near(value, choices) if len(choices) > FEW else ""


def explain(error: ErrorDetails, model: type[BaseModel]) -> str:
    """One finding as `VALUE is no X; expected Y`."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    field = field_at(model, error["loc"])
    value = error["input"]
    if field is None:
        return f"{shown(value)} does not fit: {error['msg']}"
    if error["type"] == "missing":
        return f"is missing; expected {expected(field)}"
    if value == "":
        return f"is empty; expected {expected(field)}"
    noun = f"is no {field.title}" if field.title else "does not fit"
    return f"{shown(value)} {noun}{_near_choice(field, value)}; expected {expected(field)}"
