"""The address of every value: `cards.12.barrow_vp`, `roofs.3.round`, `buildings.deli.goods`, `market.9.value`, and those of rules.toml."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lagranja_sim.games.lagranja.components.rulebook import Rules, known_keys
from lagranja_sim.games.lagranja.components.tables import SOURCE_COLUMNS, Building, Card, Roof, Row, Space
from lagranja_sim.kit.addresses import entries
from lagranja_sim.kit.tomlfile import flatten

LISTS_OF_NAMES = ("helpers.permanent",)  # whose entries have no number


class Part(NamedTuple):
    """A table of components: the model of its rows, the column that names a row (spaces of the market are numbered as they stand), and the
    columns that say how its values are known."""

    model: type[Row]
    noun: str
    name: str
    source: str
    sources: Mapping[str, str] = {}  # by column, where it is not `source`

    def source_of(self, column: str) -> str:
        return self.sources.get(column, self.source)


OF_HELPERS = {column: "helper_source" for column in Card.model_fields if column.startswith("helper")}
PARTS = {
    "cards": Part(Card, "card", "card", "sides_source", OF_HELPERS),
    "roofs": Part(Roof, "roof", "roof", "design_source", {"phases": "phases_source", "round": "round_source"}),
    "buildings": Part(Building, "building", "building", "source", {"number": "number_source"}),
    "market": Part(Space, "market space", "", "source"),
}


def columns(part: str) -> list[str]:
    """The columns of a table whose values have an address."""
    return [name for name in PARTS[part].model.model_fields if name != PARTS[part].name and name not in SOURCE_COLUMNS]


def is_printed(address: str) -> bool:
    """Whether an address is of a component, and not of a rule: `buildings` and `market` are tables of both."""
    part, _, rest = address.partition(".")
    name, _, column = rest.partition(".")
    if part in ("cards", "roofs"):
        return True
    return part in PARTS and bool(column) and name not in Rules.model_fields[part].annotation.model_fields  # type: ignore[union-attr]


def plain(value: Any) -> Any:
    """A value as its cell spells it: numbers and texts as they are, goods and phases in words, effects in their language."""
    if isinstance(value, tuple):
        return " ".join(value)
    return value if isinstance(value, int | str) else getattr(value, "text", str(value))


def values_of_rows(part: str, rows: Sequence[Row]) -> Iterator[tuple[str, Any]]:
    """The address and value of everything in the rows of a table."""
    return ((address, plain(getattr(row, column))) for address, row, column in _places(part, rows))


def sources_of_rows(part: str, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """The address of everything in the rows of a table, and how it is known."""
    return ((address, getattr(row, PARTS[part].source_of(column))) for address, row, column in _places(part, rows))


def _places(part: str, rows: Sequence[Row]) -> Iterator[tuple[str, Row, str]]:
    for number, row in enumerate(rows, start=1):
        name = getattr(row, PARTS[part].name) if PARTS[part].name else number
        yield from ((f"{part}.{name}.{column}", row, column) for column in columns(part))


def values_of_rules(rules: Rules) -> Iterator[tuple[str, Any]]:
    """The address and value of every number of the rules; of a list, those of its entries."""
    for address, value in flatten(rules.model_dump()).items():
        if isinstance(value, list) and address not in LISTS_OF_NAMES:
            yield from ((f"{address}.{number}", entry) for number, entry in enumerate(value, start=1))
        else:
            yield address, value


def known_addresses(rules: Rules, values: Mapping[str, Any]) -> list[str]:
    """What a change may name: values, and of the rules also tables, whole lists and entries of entries."""
    named = [*known_keys(), *(address for address, _ in entries(rules.model_dump())), *values]
    return list(dict.fromkeys(named))
