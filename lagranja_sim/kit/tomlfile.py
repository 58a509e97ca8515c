"""TOML files that remember on which line each key stands and which source the end of that line names."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lagranja_sim.kit.addresses import changed, entries, matching
from lagranja_sim.kit.problems import ComponentsError
from lagranja_sim.textfile import Unreadable, read_text

SOURCE_MARKS = {"d": "documented", "p": "partly", "r": "reconstructed"}
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
_HEADER = re.compile(r"\s*\[+([^\[\]]+)\]+\s*$")
_NESTED = re.compile(r"\[[^\[\]]*\]")
_QUOTED_KEY = re.compile(r"^(\s*)[\"']([^\"']+)[\"'](\s*=)")
_KEY = re.compile(r"\s*([\w.\-* ]+?)\s*=")
_MARK = re.compile(r"\s*([dpr])(?:\s|$)")

Tree = dict[str, Any]


@dataclass(frozen=True)
class Layer:
    """Keys and values from one place. `where` names a key's place for a message."""

    label: str
    tree: Tree
    lines: dict[str, int] = field(default_factory=dict)  # dotted key or section -> line
    marks: dict[str, str] = field(default_factory=dict)  # dotted key -> source

    def where(self, key: str) -> str:
        path = key.split(".")
        line = next((line for end in range(len(path), 0, -1) if (line := self.lines.get(".".join(path[:end])))), None)
        return f"{self.label}, line {line}" if line else self.label


def _mark(comment: str) -> str | None:
    mark = _MARK.match(comment)
    return SOURCE_MARKS[mark[1]] if mark else None


def _lines(text: str) -> Iterator[tuple[int, bool, str, str]]:
    """Number of each line, whether it begins a statement, its code with strings emptied, and its comment."""
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        code, _, comment = _STRING.sub('""', _QUOTED_KEY.sub(r"\1\2\3", line)).partition("#")
        yield number, depth == 0, code, comment
        depth += sum(code.count(c) for c in "[{") - sum(code.count(c) for c in "]}")


def _places(text: str) -> tuple[dict[str, int], dict[str, str]]:
    """Lines and source marks by dotted key; a section's mark holds for its keys without their own."""
    lines: dict[str, int] = {}
    marks: dict[str, str] = {}
    section, section_mark, dotted, entry = "", None, "", 0
    for number, is_statement, code, comment in _lines(text):
        if not is_statement:  # a list over several lines, one or more entries on each
            lines[f"{dotted}.{entry}"] = number
            entry += _NESTED.sub("", code).count(",")
        elif header := _HEADER.match(code):
            section, section_mark = header[1].replace(" ", ""), _mark(comment)
            lines[section] = number
        elif key := _KEY.match(code):
            dotted, entry = ".".join(filter(None, (section, key[1].replace(" ", "")))), 0
            lines[dotted] = number
            if mark := _mark(comment) or section_mark:
                marks[dotted] = mark
    return lines, marks


def read_layer(path: Path, label: str) -> Layer:
    """Raises `ValueError` with the file, the place and what is wrong if it cannot be read."""
    if not os.path.lexists(path):
        raise ValueError(f"{label}: is missing in {path.parent}; expected a TOML file")
    try:
        text = read_text(path)
        tree = tomllib.loads(text)
    except Unreadable as error:
        raise ValueError(f"{label}: {error.reason}; expected a TOML file in UTF-8") from None
    except RecursionError:
        raise ValueError(f"{label}: is nested too deeply to be read; expected a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{label}: is no TOML: {error}") from None
    return Layer(label, tree, *_places(text))


def flatten(tree: Mapping[str, Any], prefix: str = "") -> Tree:
    """Nested tables as `{dotted key: value}`."""
    flat: Tree = {}
    for key, value in tree.items():
        flat |= flatten(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return flat


def _below(node: Any, key: str) -> Any:
    """What a key of a table, or the number of a list's entry, leads to; a table that is not there is made."""
    if isinstance(node, list):
        return node[_place(node, key)]
    if not isinstance(node.get(key), dict | list):
        node[key] = {}
    return node[key]


def _place(entries: list[Any], key: str) -> int:
    if not key.isdecimal() or not 1 <= int(key) <= len(entries):
        raise ValueError(f"there is no entry {key}; expected 1 to {len(entries)}")
    return int(key) - 1


def _set(tree: Tree, path: list[str], value: Any) -> str:
    """Change the value of an address; returns its dotted key with places in lists from 0, as they are counted in errors."""
    node: Any = tree
    keys: list[str] = []
    for name in path[:-1]:
        keys.append(str(_place(node, name)) if isinstance(node, list) else name)
        node = _below(node, name)
    last: Any = _place(node, path[-1]) if isinstance(node, list) else path[-1]
    before = node[last] if isinstance(node, list) else node.get(last)
    node[last] = deepcopy(changed(before, value))
    return ".".join([*keys, str(last)])


def _assign(tree: Tree, origins: dict[str, Layer], address: str, value: Any, layer: Layer) -> None:
    key = _set(tree, address.split("."), value)
    is_entry = key != address
    for name in [name for name in origins if f"{name}.".startswith(f"{key}.") or (key.startswith(f"{name}.") and not is_entry)]:
        del origins[name]
    line = layer.lines.get(address)
    origins[key] = Layer(layer.label, {}, {key: line} if line else {}) if is_entry else layer


def merge(layers: list[Layer]) -> tuple[Tree, dict[str, Layer]]:
    """One tree of all layers, later ones on top, and for each dotted key the layer its value is from; raises ComponentsError.

    A layer may name entries of lists, take steps from what the layers below it say, and use `*` (see `addresses`).
    """
    tree: Tree = {}
    origins: dict[str, Layer] = {}
    for layer in layers:
        for key, value in flatten(layer.tree).items():
            for address in matching(key, (name for name, _ in entries(tree))) or [key]:
                try:
                    _assign(tree, origins, address, value, layer)
                except ValueError as error:
                    raise ComponentsError([f"{layer.where(key)}, {address}: {error}"]) from None
    return tree, origins
