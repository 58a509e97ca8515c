"""What `lagranja components` and `lagranja variants` print: the parts with their sources, single tables, and what variants change."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lagranja_sim.games.lagranja.components.load import SOURCES, Components
from lagranja_sim.games.lagranja.components.tables import Building, Card, Roof, Row, Space
from lagranja_sim.games.lagranja.components.variants import VariantInfo, list_variants
from lagranja_sim.games.lagranja.rules.names import PHASES
from lagranja_sim.kit.problems import ComponentsError, no_such
from lagranja_sim.kit.tomlfile import flatten
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


def _icons(card: Card) -> str:
    icons = {"hand": card.ext_hand, "delivery": card.ext_delivery, "pig": card.ext_pig}
    return ", ".join(
        [f"{name} +{count}" for name, count in icons.items() if count] + [f"income: {card.ext_income.text}"] * bool(card.ext_income.text)
    )


_SIDES: Sequence[Column] = (
    ("card", lambda card: card.card),
    ("field", lambda card: card.field),
    ("barrow", lambda card: " ".join(card.barrow)),
    ("VP", lambda card: card.barrow_vp),
    ("market value, if another", lambda card: card.market_value if card.market_value != card.barrow_vp else ""),
    ("extension", _icons),
    ("source", lambda card: card.sides_source),
)
_HELPERS: Sequence[Column] = (
    ("card", lambda card: card.card),
    ("helper", lambda card: card.helper),
    ("phases", lambda card: _phases(card.helper_phases)),
    ("uses a round", lambda card: card.helper_uses or "any"),
    ("when", lambda card: card.helper_when),
    ("cost", lambda card: card.helper_cost.text),
    ("effect", lambda card: card.helper_effect.text),
    ("source", lambda card: card.helper_source),
)
_ROOFS: Sequence[Column] = (
    ("roof", lambda roof: roof.roof),
    ("round", lambda roof: roof.round),
    ("design", lambda roof: roof.design),
    ("when", lambda roof: roof.when),
    ("phases", lambda roof: _phases(roof.phases)),
    ("effect", lambda roof: roof.effect.text),
    ("source of design", lambda roof: roof.design_source),
    ("of phases", lambda roof: roof.phases_source),
    ("of round", lambda roof: roof.round_source),
)
_BUILDINGS: Sequence[Column] = (
    ("number", lambda building: building.number),
    ("building", lambda building: building.building),
    ("goods", lambda building: " ".join(building.goods)),
    ("when taken", lambda building: building.immediate.text),
    ("from the next round", lambda building: building.permanent.text),
    ("source", lambda building: building.source),
    ("of number", lambda building: building.number_source),
)
_MARKET: Sequence[Column] = (
    ("space", lambda item: item[0]),
    ("q", lambda item: item[1].q),
    ("r", lambda item: item[1].r),
    ("value", lambda item: item[1].value),
    ("start", lambda item: "yes" if item[1].start else ""),
    ("players", lambda item: f"{item[1].min_players} or more"),
    ("source", lambda item: item[1].source),
)


def _rule_columns(components: Components) -> Sequence[Column]:
    return (
        ("key", lambda item: item[0]),
        ("value", lambda item: _value(item[1])),
        ("source", lambda item: components.rule_sources.get(item[0], "")),
        ("changed", lambda item: "yes" if item[0] in components.differences else ""),
    )


def _value(value: object) -> str:
    """A value as TOML would spell it."""
    return json.dumps(value, ensure_ascii=False)


def _rule_items(components: Components) -> list[tuple[str, object]]:
    """Every number of the rules by its dotted key."""
    return list(flatten(components.rules.model_dump()).items())


PARTS: dict[str, Callable[[Components], list[Sheet]]] = {
    "cards": lambda c: [Sheet("Farm cards: field, barrow, extension", c.cards, _SIDES), Sheet("Farm cards: helpers", c.cards, _HELPERS)],
    "roofs": lambda c: [Sheet("Roofs", c.roofs, _ROOFS)],
    "buildings": lambda c: [Sheet("Craft buildings", c.buildings, _BUILDINGS)],
    "market": lambda c: [Sheet("Market spaces", list(enumerate(c.spaces)), _MARKET)],
    "rules": lambda c: [Sheet("Numbers of the rules", _rule_items(c), _rule_columns(c))],
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


def _differences(differences: dict[str, object]) -> Table:
    return _table("Differences from rules.toml", ("key", "value"), ((key, _value(value)) for key, value in differences.items()))


def _overview(components: Components, console: Console) -> None:
    console.print(f"{components.title} (variant {components.variant})")
    console.print(f"components: {components.directory or 'the printed set'}, hash {components.hash}")
    console.print(f"players: {span(components.players)}")
    console.print(_table("Sources of the values", ("part", *SOURCES), components.sources()))
    console.print(
        f"{components.reconstructed_share():.0%} of all values are reconstructed: found in no document, to be replaced by an owner's."
    )
    if components.differences:
        console.print(_differences(components.differences))


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
