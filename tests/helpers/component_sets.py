"""Sets of components for tests: the printed files copied, with single cells and lines changed."""

import csv
import shutil
from pathlib import Path

import pytest

from lagranja_sim.games.lagranja.components import ComponentsError, load_components
from lagranja_sim.games.lagranja.components.variants import PRINTED


class ComponentSet:
    """A copy of the printed set in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "mine"
        shutil.copytree(PRINTED, self.folder)

    def table(self, name: str) -> list[list[str]]:
        with (self.folder / name).open(newline="") as file:
            return list(csv.reader(file))

    def write(self, name: str, rows: list[list[str]]) -> None:
        with (self.folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)

    def cell(self, name: str, line: int, column: str, value: str) -> "ComponentSet":
        rows = self.table(name)
        rows[line - 1][rows[0].index(column)] = value
        self.write(name, rows)
        return self

    def write_market_values(self, values: dict[int, str]) -> "ComponentSet":
        """The column of cards.csv that says where barrows lead, blank but for these cards."""
        head, *rows = self.table("cards.csv")
        if "market_value" in head:
            head, *rows = ([cell for at, cell in enumerate(row) if at != head.index("market_value")] for row in (head, *rows))
        self.write("cards.csv", [[*head, "market_value"], *([*row, values.get(int(row[0]), "")] for row in rows)])
        return self

    def drop(self, name: str, line: int) -> "ComponentSet":
        rows = self.table(name)
        del rows[line - 1]
        self.write(name, rows)
        return self

    def replace(self, name: str, old: str, new: str) -> "ComponentSet":
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        return self

    def add(self, name: str, text: str) -> "ComponentSet":
        path = self.folder / name
        path.write_text((path.read_text() if path.exists() else "") + text)
        return self

    def load(self, **how):
        return load_components(self.folder, **how)

    def problems(self, **how) -> list[str]:
        with pytest.raises(ComponentsError) as caught:
            self.load(**how)
        return caught.value.problems


def problems_of(**how) -> list[str]:
    """What is wrong with the printed set under a variant or overrides."""
    with pytest.raises(ComponentsError) as caught:
        load_components(**how)
    return caught.value.problems
