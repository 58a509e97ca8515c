"""The tables a run writes: each field declared once, with its type, what it means and what its codes stand for.

A table is one record type as compiled code fills it, and columns of parquet files. A field of several numbers in the record (points by source,
say) is as many columns in the files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lagranja_sim.kit.records import record

# In compiled code a field may not be called as a method of numpy scalars is.
_IN_RECORD = {"round": "round_number"}


@dataclass(frozen=True)
class Field:
    """A field of a table: its name in the record, its type, and each of its columns with what it means."""

    name: str
    kind: type[np.generic]
    meaning: str | Mapping[str, str]  # of the one column of that name, or by column
    codes: Mapping[int, str] = field(default_factory=dict)  # numbers that stand for something else than a number of their kind
    names: tuple[str, ...] = ()  # the column's numbers are indices of these names

    @property
    def columns(self) -> dict[str, str]:
        """The meaning of each column."""
        return {self.name: self.meaning} if isinstance(self.meaning, str) else dict(self.meaning)

    @property
    def in_record(self) -> tuple[object, ...]:
        """The field of the record."""
        name = _IN_RECORD.get(self.name, self.name)
        return (name, self.kind) if isinstance(self.meaning, str) else (name, self.kind, (len(self.meaning),))


@dataclass(frozen=True)
class Table:
    """A table: what a row stands for, its fields, and the most rows that one game may add."""

    meaning: str
    fields: tuple[Field, ...]
    most_rows: int = 1  # of a game; of a seat if `each_seat`
    each_seat: bool = False
    usual_rows: int = 0  # of a game, where that is less than the most

    @cached_property
    def row(self) -> np.dtype[np.void]:
        """The record of a row."""
        return record(*(each.in_record for each in self.fields))

    @cached_property
    def columns(self) -> np.dtype[np.void]:
        """A row as one column a number."""
        return np.dtype([(column, each.kind) for each in self.fields for column in each.columns])

    def room(self, players: int) -> int:
        """Rows that a game of so many may add."""
        return self.most_rows * (players if self.each_seat else 1)


@dataclass(frozen=True)
class Tables:
    """All tables of a game, by name; `games` and `seats` are among them."""

    tables: Mapping[str, Table]

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.tables)

    @cached_property
    def codes(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Columns whose numbers stand for names, by table and column; the names of policies are the run's."""
        fields = ((table, each) for table, declared in self.tables.items() for each in declared.fields)
        return {(table, column): each.names for table, each in fields if each.names for column in each.columns}
