"""docs/data.md, made from the declarations of tables and lines: `python -m lagranja_sim.games.lagranja.data_page > docs/data.md`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from lagranja_sim.games.lagranja import lines
from lagranja_sim.games.lagranja.tables import PHASE_MEANINGS, SOURCE_MEANINGS, TABLES
from lagranja_sim.kit.tables import Field
from lagranja_sim.runs.records import to_frame

HEAD = """\
# What the tool writes

The tables of a run, and the lines that `lagranja replay RUN GAME --json` and `lagranja play --json` print. This page is made from the sources
by `python -m lagranja_sim.games.lagranja.data_page`. Rule ids (F1, D6, …) are listed in [rules.md](rules.md), decisions and their options in
[decisions.md](decisions.md). Seats, games, blocks and market spaces are numbered from 0; rounds, places in an order, cards, roofs and
donkey tiles from 1. Buildings and cards have the names and numbers of the components (`lagranja components`).
"""
LINES = """\
## The lines of a game

One JSON object a line, in the order in which things happen. Whoever reads them needs no rules: every card, disc, marker and good
can be followed from `setup` to `table` and `final`, and must end where these say. Each line has a `type` and exactly the keys listed
here. A key after a dot belongs to an object; `[]` stands for each object of a list, `*` for each name.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_tables(), LINES, *_lines(), *_options(), *_codes()]).rstrip() + "\n"


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown, with an empty line after it."""
    all_rows = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in all_rows) + "\n"


def _codes_of(field: Field) -> str:
    return "; ".join(f"{number} = {meaning}" for number, meaning in field.codes.items())


def _tables() -> Iterator[str]:
    yield "## The tables of a run\n"
    yield "`RUN/TABLE/part-00000.parquet` and so on, rows in the order of games.\n"
    for table, declared in TABLES.tables.items():
        yield f"### {table}\n\n{_sentence(declared.meaning)}\n"
        types = _types(table)
        rows = (
            (f"`{column}`", types[column], meaning, _codes_of(field))
            for field in declared.fields
            for column, meaning in field.columns.items()
        )
        yield _rows(("column", "type", "meaning", "codes"), rows)


def _types(table: str) -> dict[str, str]:
    """The types of a table's columns in its files."""
    schema = to_frame(np.zeros(0, TABLES[table].columns), []).schema
    return {column: "text" if isinstance(kind, pl.Enum) else str(kind).lower() for column, kind in schema.items()}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _lines() -> Iterator[str]:
    for name, line in lines.LINES.items():
        yield f"### {name}\n\n{line.meaning}\n"
        yield _meanings("key", line.keys)


def _meanings(head: str, meanings: Mapping[str, str]) -> str:
    return _rows((head, "meaning"), ((f"`{name}`", meaning) for name, meaning in meanings.items()))


def _options() -> Iterator[str]:
    yield "## Keys of options\n\nWhen an act is offered, and what it does: [decisions.md](decisions.md).\n"
    rows = ((f"`{act}`", " or ".join(map(_listing, keys))) for act, keys in lines.OPTIONS.items())
    yield _rows(("`do`", "its other keys"), rows)
    yield _meanings("key", lines.OPTION_KEYS)


def _listing(keys: Sequence[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys) or "none"


CODES: dict[str, tuple[str, Mapping[str, str]]] = {
    "phase": ("`phase` of the lines; of the table `cards` as the number given there", PHASE_MEANINGS),
    "item": ("`item` of `ledger`, keys of `stock`", lines.ITEM_MEANINGS),
    "reason": ("`reason` of `ledger`, `card`, `disc` and `marker`", lines.REASON_MEANINGS),
    "ref": ("keys of the object `ref`", lines.REF_MEANINGS),
    "place": ("`from` and `to` of `card`", lines.PLACE_MEANINGS),
    "source": ("keys of `points`; with `vp_` before them the columns of `seats`", SOURCE_MEANINGS),
}


def _codes() -> Iterator[str]:
    yield "## Codes\n"
    for name, (where, meanings) in CODES.items():
        yield f"### {name}\n\n{_sentence(where)}\n"
        yield _meanings(name, meanings)


if __name__ == "__main__":
    print(page(), end="")
