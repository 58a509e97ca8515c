"""A set of components, loaded, checked and resolved under a variant."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lagranja_sim.games.lagranja.components.addresses import PARTS, is_printed, sources_of_rows, values_of_rows, values_of_rules
from lagranja_sim.games.lagranja.components.box import build_box
from lagranja_sim.games.lagranja.components.changes import with_changes
from lagranja_sim.games.lagranja.components.checks import joint_problems, table_problems
from lagranja_sim.games.lagranja.components.rulebook import Rules
from lagranja_sim.games.lagranja.components.tables import SOURCE_COLUMNS, Building, Card, Roof, Row, Space, Table, Tables, read_tables
from lagranja_sim.games.lagranja.components.variants import PRINTED, Resolved, check_folder, resolve
from lagranja_sim.kit.addresses import entries
from lagranja_sim.kit.problems import ComponentsError
from lagranja_sim.kit.sources import SourceCount

NAME_COLUMNS = ("helper", "design")  # names that no game depends on
NUMBERED = {"cards": "card", "roofs": "roof", "buildings": "number"}  # table -> the column of its order
SOURCES = ("documented", "partly", "reconstructed")


class Changed(NamedTuple):
    """A value that is another than the printed one, and how the printed one is known."""

    address: str
    printed: Any
    value: Any
    source: str


@dataclass(frozen=True, eq=False)
class Components:
    """Everything printed, under one variant. `box[0]` is what the rules take."""

    game: ClassVar[str] = "lagranja"
    variant: str
    title: str
    directory: Path | None
    box: np.ndarray
    hash: str
    rules: Rules
    changed: tuple[Changed, ...]
    cards: tuple[Card, ...]
    roofs: tuple[Roof, ...]
    buildings: tuple[Building, ...]
    spaces: tuple[Space, ...]
    alternative_texts: list[str]
    rule_sources: dict[str, str]  # dotted key of rules.toml -> source
    values: dict[str, Any]  # by address, in the order in which they are shown

    @property
    def differences(self) -> dict[str, object]:
        """What is another than the printed value, by address."""
        return {change.address: change.value for change in self.changed}

    @property
    def players(self) -> tuple[int, ...]:
        """The allowed numbers of players."""
        return self.rules.players

    def card(self, number: int) -> Card:
        return self.cards[number - 1]

    def roof(self, number: int) -> Roof:
        return self.roofs[number - 1]

    def building(self, name: str) -> Building:
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Building]:
        return {building.building: building for building in self.buildings}

    def sources(self) -> list[SourceCount]:
        """Counts of values by part and source."""
        parts = {part: [getattr(row, column) for row in getattr(self, rows)] for part, (rows, column) in _PARTS.items()}
        parts["rule numbers"] = list(self.rule_sources.values())
        return [SourceCount(part, *(Counter(sources)[source] for source in SOURCES)) for part, sources in parts.items()]

    def reconstructed_share(self) -> float:
        """The share of all values that no document gives."""
        counts = self.sources()
        return sum(count.reconstructed for count in counts) / sum(sum(count[1:]) for count in counts)


_PARTS = {  # part -> rows and the column that names the source of its values
    "fields": ("cards", "sides_source"),
    "barrows": ("cards", "sides_source"),
    "extensions": ("cards", "sides_source"),
    "helpers": ("cards", "helper_source"),
    "roof designs": ("roofs", "design_source"),
    "roof phases": ("roofs", "phases_source"),
    "roof rounds": ("roofs", "round_source"),
    "building goods and effects": ("buildings", "source"),
    "building numbers": ("buildings", "number_source"),
    "market spaces": ("spaces", "source"),
}


# --- the hash ------------------------------------------------------------------------------------------------------------------------


def _facts(rows: Iterable[Row]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row if key not in SOURCE_COLUMNS + NAME_COLUMNS} for row in rows]


def _hash(rules: Rules, tables: Mapping[str, Sequence[Row]], permanent: list[int]) -> str:
    """A hash of everything that can influence a game; effects count in the canonical spelling of their language."""
    facts: dict[str, Any] = {name: _facts(rows) for name, rows in tables.items()}
    facts["rules"] = rules.model_dump() | {"helpers": {"permanent": permanent}}
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# --- loading ---------------------------------------------------------------------------------------------------------------------------


def _resolve(variant: str | Path, directory: Path | None, overrides: Mapping[str, object] | None, problems: list[str]) -> Resolved | None:
    try:
        return resolve(variant, directory, overrides)
    except ValueError as error:
        problems += str(error).splitlines()
        return None


def _values(rules: Rules, tables: Tables) -> dict[str, Any]:
    """Every value by its address."""
    rows = [pair for part in PARTS for pair in values_of_rows(part, _in_order(part, getattr(tables, part)))]
    return dict([*rows, *values_of_rules(rules)])


def _in_order(part: str, table: Table[Any]) -> list[Any]:
    """The rows of a table by their number; spaces as they stand."""
    rows = [row for _, row in table]
    return sorted(rows, key=lambda row: getattr(row, NUMBERED[part])) if part in NUMBERED else rows


def _changed_rules(resolved: Resolved) -> Iterator[Changed]:
    printed = dict(entries(resolved.printed))
    for address, value in resolved.differences.items():
        if not is_printed(address):
            source = next((resolved.marks[key] for key in (address, address.rpartition(".")[0]) if key in resolved.marks), "")
            yield Changed(address, printed.get(address), value, source)


def _changed_parts(printed: Tables, values: Mapping[str, Any]) -> Iterator[Changed]:
    for part in PARTS:
        rows = _in_order(part, getattr(printed, part))
        sources = dict(sources_of_rows(part, rows))
        for address, before in values_of_rows(part, rows):
            if values[address] != before:
                yield Changed(address, before, values[address], sources[address])


def _build(printed: Tables, tables: Tables, resolved: Resolved, directory: Path | None) -> Components:
    parts = {part: tuple(_in_order(part, getattr(tables, part))) for part in PARTS}
    cards, roofs, buildings, spaces = parts.values()
    box, texts = build_box(cards, roofs, buildings, spaces, resolved.rules)
    permanent = [card.card for card in cards if card.helper in resolved.rules.helpers.permanent]
    values = _values(resolved.rules, tables)
    return Components(
        variant=resolved.variant.name,
        title=resolved.variant.title,
        directory=directory,
        box=box,
        hash=_hash(resolved.rules, parts, permanent),
        rules=resolved.rules,
        changed=(*_changed_rules(resolved), *_changed_parts(printed, values)),
        cards=cards,
        roofs=roofs,
        buildings=buildings,
        spaces=spaces,
        alternative_texts=texts,
        rule_sources=resolved.marks,
        values=values,
    )


def load_components(
    directory: Path | None = None, variant: str | Path = "deluxe", overrides: Mapping[str, object] | None = None
) -> Components:
    """Load a set of components (None: the printed one) under a variant and single changes, e.g. `{"prices.sell.pig": 4}`.

    Raises `ComponentsError` with everything that is wrong.
    """
    folder = Path(directory) if directory else None
    check_folder(folder)
    problems: list[str] = []
    printed = read_tables(folder or PRINTED, problems)
    resolved = _resolve(variant, folder, overrides, problems)
    tables = with_changes(printed, resolved.changes, problems) if resolved else printed
    problems += table_problems(tables)
    problems += joint_problems(tables, resolved) if resolved else []
    if problems or not resolved:
        raise ComponentsError(problems)
    try:
        return _build(printed, tables, resolved, folder)
    except ValueError as error:  # the box is too small
        raise ComponentsError([str(error)]) from None
