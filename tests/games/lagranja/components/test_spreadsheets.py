"""The tables of components after a spreadsheet has opened and saved them: however it writes them, they mean the same."""

import csv
import io
from collections.abc import Callable

import pytest

from lagranja_sim.games.lagranja.components import load_components

TABLES = ("cards.csv", "roofs.csv", "buildings.csv", "market.csv")
Rows = list[list[str]]


def saved(rows: Rows, **how) -> bytes:
    text = io.StringIO()
    csv.writer(text, **how).writerows(rows)
    return text.getvalue().encode()


def with_points(rows: Rows, end: str) -> Rows:
    return [[f"{cell}{end}" if cell.lstrip("-").isdecimal() else cell for cell in row] for row in rows]


def one_wider(rows: Rows) -> Rows:
    return [[*row, "", ""] for row in rows]


def with_remark(rows: Rows) -> Rows:
    return [["# mine; checked, by hand", *[""] * (len(rows[0]) - 1)], *rows]


SAVED: dict[str, Callable[[Rows], bytes]] = {
    "semicolons": lambda rows: saved(rows, delimiter=";"),
    "tabs": lambda rows: saved(rows, delimiter="\t"),
    "all cells quoted": lambda rows: saved(rows, quoting=csv.QUOTE_ALL),
    "all cells quoted, semicolons": lambda rows: saved(rows, quoting=csv.QUOTE_ALL, delimiter=";"),
    "a byte order mark": lambda rows: b"\xef\xbb\xbf" + saved(rows),
    "a byte order mark, quotes and semicolons": lambda rows: b"\xef\xbb\xbf" + saved(rows, quoting=csv.QUOTE_ALL, delimiter=";"),
    "line feeds": lambda rows: saved(rows, lineterminator="\n"),
    "carriage returns": lambda rows: saved(rows, lineterminator="\r"),
    "numbers with a point": lambda rows: saved(with_points(rows, ".0")),
    "numbers with a comma": lambda rows: saved(with_points(rows, ",00"), delimiter=";"),
    "empty columns": lambda rows: saved(one_wider(rows)),
    "empty columns, tabs": lambda rows: saved(one_wider(rows), delimiter="\t"),
    "empty lines": lambda rows: saved([*rows, [], [""] * len(rows[0]), [" "] * len(rows[0])]),
    "blanks": lambda rows: saved([[f" {cell}\xa0" for cell in row] for row in rows]),
    "a remark above": lambda rows: saved(with_remark(rows)),
    "a remark above, quotes and semicolons": lambda rows: saved(with_remark(rows), quoting=csv.QUOTE_ALL, delimiter=";"),
    "no line end at the end": lambda rows: saved(rows).rstrip(b"\r\n"),
}


@pytest.mark.parametrize("how", SAVED)
def test_a_spreadsheet_does_no_harm(mine, how):
    for name in TABLES:
        (mine.folder / name).write_bytes(SAVED[how](mine.table(name)))
    loaded, printed = mine.load(), load_components()
    assert loaded.hash == printed.hash
    assert loaded.values == printed.values
    assert loaded.sources() == printed.sources()


def test_steps_go_on_from_numbers_with_a_point(mine):
    (mine.folder / "cards.csv").write_bytes(saved(with_points(mine.table("cards.csv"), ".0")))
    before = load_components().values["cards.5.barrow_vp"]
    assert mine.load(overrides={"cards.5.barrow_vp": "+=1"}).values["cards.5.barrow_vp"] == before + 1


def test_what_is_wrong_is_found_behind_other_separators(mine):
    mine.cell("cards.csv", 14, "field", "grap")
    (mine.folder / "cards.csv").write_bytes(saved(one_wider(mine.table("cards.csv")), delimiter=";"))
    assert mine.problems()[0].startswith("cards.csv, line 14, field: 'grap' is no harvest good")


def test_a_number_that_is_not_whole_is_refused(mine):
    problems = mine.cell("cards.csv", 14, "barrow_vp", "3.5").problems()
    assert problems[0].startswith("cards.csv, line 14, barrow_vp: '3.5' does not fit; expected a whole number")


def test_a_filled_cell_beside_the_table_is_refused(mine):
    rows = mine.table("market.csv")
    mine.write("market.csv", [rows[0], [*rows[1], "", "mine"], *rows[2:]])
    assert mine.problems()[0] == f"market.csv, line 2: {len(rows[0]) + 2} cells do not fit; expected {len(rows[0])}, one a column"


def test_a_text_in_another_encoding_is_refused_in_words(mine):
    (mine.folder / "cards.csv").write_bytes(saved(mine.table("cards.csv")).decode().encode("utf-16"))
    assert "cards.csv: is not UTF-8 text (byte 1); expected a CSV file in UTF-8" in mine.problems()
