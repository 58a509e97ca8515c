"""The four printed tables: cards, roofs, buildings and the market's spaces, each a CSV file with one component a line.

Empty lines and lines that begin with # are skipped. Source columns may be left out or blank: a value that names no source counts as
reconstructed. So may `market_value` of cards: a barrow then leads to a space of the value that it has in points. A spreadsheet may save the
files in its own way: with semicolons or tabs, numbers as `3.0`, empty columns at the end.
"""

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf, ValidationError, ValidationInfo

from lagranja_sim.games.lagranja.components.effects import Effect, Permanent, When, parse_cost, parse_effect, parse_permanent, parse_when
from lagranja_sim.games.lagranja.rules import state
from lagranja_sim.games.lagranja.rules.names import ITEMS, KINDS, PHASES
from lagranja_sim.kit.explain import explain
from lagranja_sim.kit.problems import no_such
from lagranja_sim.spelling import listing, near
from lagranja_sim.textfile import Unreadable, read_text

DELIVERABLE = ITEMS[:KINDS]
MOST_SYMBOLS = 12


def _goods(text: str) -> tuple[str, ...]:
    goods = tuple(text.split())
    for good in goods:
        if good not in DELIVERABLE:
            raise ValueError(no_such(good, "good that can be delivered", DELIVERABLE))
    if not 1 <= len(goods) <= MOST_SYMBOLS:
        raise ValueError(f"{len(goods)} goods do not fit; expected 1 to {MOST_SYMBOLS} of {listing(DELIVERABLE)}, separated by blanks")
    return goods


def _phases(text: str) -> tuple[str, ...]:
    names = tuple(text.split())
    if names == ("any",):
        return PHASES
    for name in names:
        if name not in PHASES:
            raise ValueError(no_such(name, "phase", ("any", *PHASES)))
    if not names:
        raise ValueError(f"is empty; expected any, or some of {listing(PHASES)}")
    return tuple(dict.fromkeys(names))


def _zero_if_blank(text: str) -> str:
    return text or "0"


def _points_if_blank(text: object, row: ValidationInfo) -> object:
    """What a barrow is worth says where its marker goes too, unless the table says otherwise; points that are wrong are refused for themselves."""
    return text or row.data.get("barrow_vp", 1)


def _source(text: str) -> str:
    return text or "reconstructed"


Goods = Annotated[tuple[str, ...], BeforeValidator(_goods)]
Phases = Annotated[tuple[str, ...], BeforeValidator(_phases)]
EffectCell = Annotated[InstanceOf[Effect], BeforeValidator(parse_effect)]
CostCell = Annotated[InstanceOf[Effect], BeforeValidator(parse_cost)]
WhenCell = Annotated[InstanceOf[When], BeforeValidator(parse_when)]
PermanentCell = Annotated[InstanceOf[Permanent], BeforeValidator(parse_permanent)]
Source = Annotated[Literal["documented", "partly", "reconstructed"], BeforeValidator(_source), Field(title="source")]
Icons = Annotated[int, Field(ge=0, le=9)]
Points = Annotated[int, Field(ge=0, le=100)]
MarketValue = Annotated[int, Field(ge=1, le=100)]
Name = Annotated[str, Field(min_length=1, title="name")]


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Card(Row):
    """A farm card: four sides and the helper's ability."""

    card: int = Field(ge=1, le=state.CARDS)
    field: Literal["olive", "grain", "grape"] = Field(title="harvest good")
    barrow: Goods
    barrow_vp: Points
    market_value: Annotated[MarketValue, BeforeValidator(_points_if_blank)] = Field(default=0, validate_default=True)
    ext_hand: Icons
    ext_delivery: Icons
    ext_pig: Icons
    ext_income: EffectCell
    helper: Name
    helper_phases: Phases
    helper_uses: Annotated[int, BeforeValidator(_zero_if_blank), Field(ge=0, le=100)]
    helper_when: WhenCell
    helper_cost: CostCell
    helper_effect: EffectCell
    sides_source: Source = "reconstructed"
    helper_source: Source = "reconstructed"


class Roof(Row):
    """A roof tile: works once, then lies face down (F8)."""

    roof: int = Field(ge=1, le=state.ROOFS)
    round: int = Field(ge=1, le=state.ROUNDS)
    design: Name
    when: WhenCell
    phases: Phases
    effect: EffectCell
    design_source: Source = "reconstructed"
    phases_source: Source = "reconstructed"
    round_source: Source = "reconstructed"


class Building(Row):
    """A craft building: its row of goods, and its marker's effect when taken and from the next round on."""

    number: int = Field(ge=1, le=6)
    building: Literal["merchant_house", "wainwright", "deli", "greengrocer", "village_store", "butcher"] = Field(title="building")
    goods: Goods
    immediate: EffectCell
    permanent: PermanentCell
    source: Source = "reconstructed"
    number_source: Source = "reconstructed"


class Space(Row):
    """A hex of the market in axial coordinates."""

    q: int = Field(ge=-50, le=50)
    r: int = Field(ge=-50, le=50)
    value: MarketValue
    start: int = Field(ge=0, le=1)
    min_players: int = Field(ge=1, le=state.SEATS)
    source: Source = "reconstructed"


SOURCE_COLUMNS = ("sides_source", "helper_source", "design_source", "phases_source", "round_source", "source", "number_source")
OPTIONAL_COLUMNS = (*SOURCE_COLUMNS, "market_value")
R = TypeVar("R", bound=Row)


@dataclass
class Table(Generic[R]):
    """The rows of one file that could be read, with their lines, and the raw cells of all."""

    name: str
    rows: list[tuple[int, R]] = field(default_factory=list)
    cells: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    readable: bool = False  # the file exists and its columns are the right ones
    changed: dict[tuple[int, str], str] = field(default_factory=dict)  # line and column -> where the value there is from

    def __iter__(self) -> Iterator[tuple[int, R]]:
        return iter(self.rows)

    def problem(self, line: int, column: str, text: str) -> str:
        where = self.changed.get((line, column)) or f"{self.name}, line {line}, {column}"
        return f"{where}: {text}"

    @property
    def complete(self) -> bool:
        return self.readable and len(self.rows) == len(self.cells)


# --- reading one file --------------------------------------------------------------------------------------------------------

_SEPARATORS = ",;\t"
_WHOLE = re.compile(r"^([+-]?\d+)[.,]0+$")  # a whole number as a spreadsheet may write it


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that holds some, as they were before a spreadsheet saved them."""
    text = read_text(path)
    reader = csv.reader(io.StringIO(text), delimiter=_separator(text), strict=True)
    for raw in reader:
        cells = [_WHOLE.sub(r"\1", " ".join(cell.split())) for cell in raw]
        if any(cells) and not cells[0].startswith("#"):
            yield reader.line_num, cells


def _separator(text: str) -> str:
    """What stands between the names of the columns; spreadsheets write what is usual in their country."""
    lines = (line.strip(f' "{_SEPARATORS}') for line in text.splitlines())
    names = next((line for line in lines if line and not line.startswith("#")), "")
    return max(_SEPARATORS, key=names.count)


def _without_empty_end(cells: list[str], columns: int = 0) -> list[str]:
    """The cells without empty ones to the right of so many columns."""
    filled = max((place for place, cell in enumerate(cells, start=1) if cell), default=0)
    return cells[: max(filled, columns)]


def _column_problems(name: str, header: list[str], model: type[Row]) -> Iterator[str]:
    known = tuple(model.model_fields)
    for column, count in Counter(header).items():
        if column not in known:
            yield f"{name}, line 1: {no_such(column, 'column', known)}"
        elif count > 1:
            yield f"{name}, line 1: column '{column}' stands there {count} times; expected once"
    for column in known:
        if column not in header and column not in OPTIONAL_COLUMNS:
            yield f"{name}, line 1: column '{column}' is missing{near(column, header)}; expected {listing(known, 'and')}"


def _row_problems(table: Table[Any], line: int, model: type[Row], error: ValidationError) -> Iterator[str]:
    for finding in error.errors():
        yield table.problem(line, str(finding["loc"][0]), explain(finding, model))


def _read_lines(table: Table[R], path: Path, model: type[R], problems: list[str]) -> None:
    lines = list(_lines(path))
    header = _without_empty_end(lines[0][1]) if lines else []
    wrong = list(_column_problems(table.name, header, model))
    problems += wrong
    table.readable = not wrong
    for line, raw in lines[1:] if table.readable else []:
        texts = _without_empty_end(raw, len(header))
        cells = dict(zip(header, texts, strict=False))
        table.cells.append((line, cells))
        if len(texts) != len(header):
            problems.append(f"{table.name}, line {line}: {len(texts)} cells do not fit; expected {len(header)}, one a column")
            continue
        try:
            table.rows.append((line, model.model_validate(cells)))
        except ValidationError as error:
            problems += _row_problems(table, line, model, error)


def read_table(directory: Path, name: str, model: type[R], problems: list[str]) -> Table[R]:
    """Read one file; whatever is wrong with it is added to `problems`."""
    table: Table[R] = Table(name)
    if not os.path.lexists(directory / name):
        problems.append(f"{name}: is missing in {directory}; expected a table with the columns {listing(model.model_fields, 'and')}")
        return table
    try:
        _read_lines(table, directory / name, model, problems)
    except Unreadable as error:
        problems.append(f"{name}: {error.reason}; expected a CSV file in UTF-8")
    except csv.Error as error:
        problems.append(f"{name}: is no CSV: {error}")
    return table


@dataclass(frozen=True)
class Tables:
    cards: Table[Card]
    roofs: Table[Roof]
    buildings: Table[Building]
    market: Table[Space]


def read_tables(directory: Path, problems: list[str]) -> Tables:
    """Read the four tables; whatever is wrong with single lines is added to `problems`."""
    return Tables(
        cards=read_table(directory, "cards.csv", Card, problems),
        roofs=read_table(directory, "roofs.csv", Roof, problems),
        buildings=read_table(directory, "buildings.csv", Building, problems),
        market=read_table(directory, "market.csv", Space, problems),
    )
