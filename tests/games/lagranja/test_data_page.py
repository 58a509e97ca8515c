"""docs/data.md is what the sources declare, and they declare every column, line and code."""

import numpy as np
import pytest
from calls import CHECKOUT

from lagranja_sim.games.lagranja import data_page, lines, tables
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules.names import DECISIONS, DOES, ITEMS, NOTES, PHASES, REASONS, SIDES, SOURCES
from lagranja_sim.play.driver import play_games
from lagranja_sim.policy import find_policy

PAGE = (CHECKOUT / "docs" / "data.md").read_text(encoding="utf-8")
DECISIONS_PAGE = (CHECKOUT / "docs" / "decisions.md").read_text(encoding="utf-8")


def test_the_page_is_made_from_the_sources() -> None:
    assert data_page.page() == PAGE, "python -m lagranja_sim.games.lagranja.data_page > docs/data.md"


def test_the_readme_and_the_decisions_lead_to_the_page() -> None:
    assert "data.md" in (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert "(data.md)" in DECISIONS_PAGE


@pytest.mark.parametrize(
    ("meanings", "codes"),
    [
        (tables.PHASE_MEANINGS, PHASES),
        (tables.SIDE_MEANINGS, SIDES),
        (tables.SOURCE_MEANINGS, SOURCES),
        (lines.ITEM_MEANINGS, ITEMS),
        (lines.REASON_MEANINGS, REASONS),
        (lines.OPTIONS, DOES),
        (lines.LINES, ("setup", "choice", "table", "final", *NOTES)),
        (lines.OPTION_KEYS, {key for several in lines.OPTIONS.values() for keys in several for key in keys}),
    ],
    ids=["phases", "sides", "sources", "items", "reasons", "acts", "lines", "keys of options"],
)
def test_every_code_has_a_meaning(meanings, codes) -> None:
    assert set(meanings) == set(codes)
    assert all(meanings.values())


def test_every_column_has_a_meaning_and_is_on_the_page() -> None:
    for table, declared_table in tables.TABLES.tables.items():
        section = PAGE.partition(f"### {table}\n")[2].partition("\n#")[0]
        declared = {column: meaning for field in declared_table.fields for column, meaning in field.columns.items()}
        assert tuple(declared) == declared_table.columns.names
        assert all(f"| `{column}` | " in section and meaning in section for column, meaning in declared.items())


@pytest.mark.parametrize("kind", DECISIONS)
def test_every_kind_of_decision_is_told_in_decisions(kind: str) -> None:
    assert f"`{kind}`" in DECISIONS_PAGE


def test_numbers_below_0_and_of_names_are_codes_with_a_meaning() -> None:
    """In played games no column holds a negative number that is neither a code nor points, nor a name's number without a name."""
    played = play_games(load_components(), [find_policy("greedy")] * 4, 1, 0, 400)
    for table, fields in tables.FIELDS.items():
        for field in fields:
            for column in field.columns:
                values = {int(value) for value in np.unique(played[table][column])}
                assert column.startswith("vp") or {value for value in values if value < 0} <= set(field.codes), column
                assert not field.names or values <= set(field.codes) == set(range(len(field.names))), column
