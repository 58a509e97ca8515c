"""Changes of single printed values, made in the cells as they were read, so that a changed cell is checked like one that was typed there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from lagranja_sim.games.lagranja.components.addresses import PARTS, columns
from lagranja_sim.games.lagranja.components.tables import Table, Tables
from lagranja_sim.kit.addresses import changed, matching
from lagranja_sim.kit.explain import explain
from lagranja_sim.kit.problems import no_such, shown
from lagranja_sim.spelling import near, span

EXCHANGED = ("round", "number")  # columns in which a value moves from one row to another, which gets that of the first
Cells = dict[str, str]


STAND_INS = {"cards": {"market_value": "barrow_vp"}}  # a blank cell is filled from another before that is changed


def _filled(part: str, cells: Cells) -> Cells:
    """The cells that others stand in for."""
    return {column: cells.get(column) or cells.get(other, "") for column, other in STAND_INS.get(part, {}).items()}


class Change(NamedTuple):
    """A new value, or a step, for an address, and the place where it was asked for: `override`, or a file and line."""

    address: str
    value: Any
    place: str


class Sheet:
    """The cells of a table, to be changed by address."""

    def __init__(self, part: str, table: Table[Any]) -> None:
        self.part, self.table = part, table
        self.rows: dict[str, tuple[int, Cells]] = {}
        for number, (line, cells) in enumerate(table.cells, start=1):
            name = cells.get(PARTS[part].name, "") if PARTS[part].name else str(number)
            self.rows.setdefault(name.lstrip("0"), (line, cells | _filled(part, cells)))
        self.changed: dict[tuple[int, str], str] = {}  # line and column -> where its value is from

    @property
    def addresses(self) -> list[str]:
        return [f"{self.part}.{name}.{column}" for name in self.rows for column in columns(self.part)]

    def change(self, address: str, value: Any, place: str) -> None:
        """Change one value. Raises ValueError with what is wrong."""
        name, column = self._place(address)
        line, cells = self.rows[name]
        text = _spelled(changed(_number_or_text(cells.get(column, "")), value))
        if column in EXCHANGED:
            self._hand_over(name, column, text, f"{place}, {address}")
        cells[column] = text
        self.changed[line, column] = f"{place}, {address}"

    def _place(self, address: str) -> tuple[str, str]:
        _, _, rest = address.partition(".")
        name, _, column = rest.rpartition(".")
        noun = PARTS[self.part].noun
        if name not in self.rows and name.isdecimal() and all(map(str.isdecimal, self.rows)):
            raise ValueError(f"there is no {noun} {name}; expected {span(sorted(map(int, self.rows)))}")
        if name not in self.rows:
            raise ValueError(
                no_such(name, noun, tuple(self.rows)) if name else f"names no value of a {noun}; expected {self.part}.N.COLUMN"
            )
        if column not in columns(self.part):
            raise ValueError(no_such(column, f"value of a {noun}", tuple(columns(self.part))))
        return name, column

    def _hand_over(self, name: str, column: str, text: str, where: str) -> None:
        """The lowest-numbered row with the wanted value gets the value of the row that takes it."""
        line, cells = self.rows[name]
        other = next((row for row in self.rows.values() if row[1].get(column) == text), (line, cells))
        other[1][column] = cells.get(column, "")
        self.changed[other[0], column] = where

    def checked(self, problems: list[str]) -> Table[Any]:
        """The table with its changes; what is wrong with them is added to `problems`."""
        rows = dict(self.table.rows)
        for line, cells in self.rows.values():
            columns_changed = [column for changed_line, column in self.changed if changed_line == line]
            if line in rows and columns_changed:
                rows[line] = self._row(line, cells, rows[line], problems)
        return replace(self.table, rows=list(rows.items()), cells=list(self.rows.values()), changed=self.changed)

    def _row(self, line: int, cells: Cells, before: Any, problems: list[str]) -> Any:
        try:
            return PARTS[self.part].model.model_validate(cells)
        except ValidationError as error:
            table = replace(self.table, changed=self.changed)
            findings = error.errors()
            problems += [table.problem(line, str(one["loc"][0]), explain(one, PARTS[self.part].model)) for one in findings]
            return before


def _number_or_text(cell: str) -> int | str:
    return int(cell) if cell.lstrip("-").isdecimal() else cell


def _spelled(value: Any) -> str:
    """A value as a cell has it; a list of goods or phases as its words."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return " ".join(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"{shown(value)} does not fit; expected a whole number or text")
    return " ".join(str(value).split())


def with_changes(tables: Tables, changes: Sequence[Change], problems: list[str]) -> Tables:
    """The tables with values changed one after the other; whatever is wrong with a change is added to `problems`."""
    sheets = {part: Sheet(part, getattr(tables, part)) for part in PARTS}
    for change in changes:
        sheet = sheets[change.address.partition(".")[0]]
        addresses = matching(change.address, sheet.addresses)
        if not addresses:
            problems.append(f"{change.place}, {change.address}: matches no value{near(change.address, sheet.addresses)}")
        for address in addresses:
            try:
                sheet.change(address, change.value, change.place)
            except ValueError as error:
                problems.append(f"{change.place}, {address}: {error}")
    return Tables(**{part: sheet.checked(problems) if sheet.changed else sheet.table for part, sheet in sheets.items()})
