"""What `lagranja components` and `lagranja variants` print: the parts with their sources, single tables, and what variants change."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lagranja_sim.games.lagranja.components import addresses
from lagranja_sim.games.lagranja.components.load import SOURCES, Components
from lagranja_sim.games.lagranja.components.tables import Building, Card, Roof, Row, Space
from lagranja_sim.games.lagranja.components.variants import VariantInfo, list_variants
from lagranja_sim.games.lagranja.rules.names import PHASES
from lagranja_sim.kit.problems import ComponentsError, no_such
from lagranja_sim.spelling import span
from lagranja_sim.streams import json_text

WIDE = 160  # columns where no terminal says how wide it is

Column = tuple[str, Callable[[Any], object]]


class Sheet(NamedTuple):
    """One printed table: its rows and what each column shows of a row."""

    title: str
    rows: Sequence[Any]
    columns: Sequence[Column]


# --- what a part shows -----------------------------------------------------------------------------------------------------


def _phases(names: Sequence[str]) -> str:
    return "any" if tuple(names) == PHASES else " ".join(names)


IN_WORDS: Mapping[str, Callable[[Any], str]] = {
    "phases": _phases,
    "helper_phases": _phases,
    "min_players": lambda players: f"{players} or more",
}


def _values(part: str, title: str, rows: Sequence[Row], is_wanted: Callable[[str], bool] = lambda name: True) -> Sheet:
    """The values of a part with the first words of their addresses in front, and the last ones above."""
    model, name = addresses.PARTS[part].model, addresses.PARTS[part].name
    items = [(f"{part}.{getattr(row, name) if name else number}", row) for number, row in enumerate(rows, start=1)]
    names = [column for column in model.model_fields if column != name and is_wanted(column)]
    return Sheet(title, items, [("address", lambda item: item[0]), *map(_column, names)])


def _column(name: str) -> Column:
    return name, lambda item: IN_WORDS.get(name, addresses.plain)(getattr(item[1], name))


def _is_of_helper(column: str) -> bool:
    return column.startswith("helper")


def _rules(components: Components) -> Sheet:
    """The numbers of the rules; entries of a list have the source of their list."""
    items = list(addresses.values_of_rules(components.rules))
    columns: Sequence[Column] = (
        ("address", lambda item: item[0]),
        ("value", lambda item: _value(item[1])),
        ("source", lambda item: _of(components.rule_sources, item[0]) or ""),
        ("changed", lambda item: "yes" if _of(components.differences, item[0]) is not None else ""),
    )
    return Sheet("Numbers of the rules", items, columns)


def _of(facts: Mapping[str, Any], address: str) -> Any:
    """What is noted of an address, or of the list whose entry it is."""
    return facts.get(address, facts.get(address.rpartition(".")[0]))


def _value(value: object) -> str:
    """A value as TOML would spell it."""
    return json.dumps(value, ensure_ascii=False)


PARTS: dict[str, Callable[[Components], list[Sheet]]] = {
    "cards": lambda c: [
        _values("cards", "Farm cards: field, barrow, extension", c.cards, lambda column: not _is_of_helper(column)),
        _values("cards", "Farm cards: helpers (helper_uses a round, 0 for any number)", c.cards, _is_of_helper),
    ],
    "roofs": lambda c: [_values("roofs", "Roofs", c.roofs)],
    "buildings": lambda c: [_values("buildings", "Craft buildings", c.buildings)],
    "market": lambda c: [_values("market", "Market spaces", c.spaces)],
    "rules": lambda c: [_rules(c)],
}


# --- as JSON ---------------------------------------------------------------------------------------------------------------


def _cell(value: object) -> object:
    """Numbers, texts and lists as they are; whatever the effect language reads as it was written."""
    return list(value) if isinstance(value, tuple) else value if isinstance(value, int | str) else getattr(value, "text", str(value))


def _row_data(row: Card | Roof | Building | Space | Row) -> dict[str, object]:
    return {key: _cell(value) for key, value in row}


def _part_data(components: Components, part: str) -> object:
    rows = {"cards": components.cards, "roofs": components.roofs, "buildings": components.buildings, "market": components.spaces}
    return components.rules.model_dump() if part == "rules" else [_row_data(row) for row in rows[part]]


def components_data(components: Components, part: str | None = None) -> dict[str, object]:
    """What the components are and what of them is reconstructed; with a part, its rows as well."""
    data: dict[str, object] = {
        "variant": components.variant,
        "title": components.title,
        "directory": str(components.directory) if components.directory else None,
        "hash": components.hash,
        "players": list(components.players),
        "differences": components.differences,
        "changed": [change._asdict() for change in components.changed],
        "sources": [count._asdict() for count in components.sources()],
        "reconstructed_share": round(components.reconstructed_share(), 4),
    }
    return data | ({part: _part_data(components, part)} if part else {})


def _variant_data(variant: VariantInfo) -> dict[str, object]:
    return variant._asdict() | {"path": str(variant.path)}


def _print_json(data: object) -> None:
    print(json_text(data, indent=2))


# --- as text ---------------------------------------------------------------------------------------------------------------


def _console() -> Console:
    console = Console(emoji=False, highlight=False, markup=False)
    return console if console.is_terminal else Console(emoji=False, highlight=False, markup=False, width=WIDE)


def _table(title: str, headings: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    table = Table(title=Text(title, style="bold"), box=box.SIMPLE, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    return table


def _sheet(sheet: Sheet) -> Table:
    return _table(sheet.title, [name for name, _ in sheet.columns], ([show(row) for _, show in sheet.columns] for row in sheet.rows))


def _changed(components: Components) -> Table:
    """What is another than printed: *changed*, however well the printed value is known."""
    rows = ((change.address, _value(change.value), _value(change.printed), change.source) for change in components.changed)
    return _table("Changed values", ("address", "value", "printed", "the printed one is"), rows)


def _overview(components: Components, console: Console) -> None:
    console.print(f"{components.title} (variant {components.variant})")
    console.print(f"components: {components.directory or 'the printed set'}, hash {components.hash}")
    console.print(f"players: {span(components.players)}")
    console.print(_table("Sources of the values", ("part", *SOURCES), components.sources()))
    console.print(
        f"{components.reconstructed_share():.0%} of all values are reconstructed: found in no document, to be replaced by an owner's."
    )
    if components.changed:
        console.print(_changed(components))


def show_components(components: Components, part: str | None = None, as_json: bool = False) -> None:
    """Print the parts and their sources, or one part's table (cards, roofs, buildings, market, rules)."""
    if part is not None and part not in PARTS:
        raise ComponentsError([no_such(part, "part", tuple(PARTS))])
    if as_json:
        _print_json(components_data(components, part))
        return
    console = _console()
    if part is None:
        _overview(components, console)
    for sheet in PARTS[part](components) if part else []:
        console.print(_sheet(sheet))


def show_variants(directory: Path | None = None, as_json: bool = False) -> None:
    """Print the variants known by name and what each changes."""
    variants = list_variants(directory)
    if as_json:
        _print_json([_variant_data(variant) for variant in variants])
        return
    rows = (
        (v.name, v.title, "\n".join(f"{key} = {_value(value)}" for key, value in v.differences.items()) or "none", v.path) for v in variants
    )
    _console().print(_table("Variants", ("name", "title", "differences from rules.toml", "file"), rows))
