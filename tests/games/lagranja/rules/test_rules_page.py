"""docs/rules.md: every rule has a row, and stands in the modules that the row names."""

import re
from pathlib import Path

import pytest

from rules.test_coverage import IDS

CHECKOUT = Path(__file__).parents[4]
PAGE = (CHECKOUT / "docs" / "rules.md").read_text(encoding="utf-8")
RANGE = re.compile(r"\b([A-Z])(\d+)(?:-\1?(\d+))?\b")
FOLDER = CHECKOUT / re.search(r"where in `([\w/]+)`", PAGE)[1]
ROWS = [
    (found[1], re.findall(r"`([^`]+\.py)`", found[2]))
    for found in re.finditer(r"^\| (?!id)([A-Z]\d[^|]*) \|.*\|([^|]*)\|$", PAGE, re.MULTILINE)
]


def ids_in(text):
    """`S1-S3, S5` as the set of S1, S2, S3, S5."""
    return {f"{found[1]}{number}" for found in RANGE.finditer(text) for number in range(int(found[2]), int(found[3] or found[2]) + 1)}


def test_every_rule_has_one_row():
    listed = [rule for ids, _ in ROWS for rule in ids_in(ids)]
    assert sorted(listed) == sorted(rule.upper() for rule in IDS if not rule.startswith("c_"))


@pytest.mark.parametrize(("ids", "modules"), ROWS, ids=[ids for ids, _ in ROWS])
def test_a_rule_stands_where_its_row_says(ids, modules):
    wanted = ids_in(ids)
    named = {module: ids_in((FOLDER / module).read_text(encoding="utf-8")) & wanted for module in modules}
    assert wanted == set().union(*named.values())
    assert [module for module, rules in named.items() if not rules] == []
