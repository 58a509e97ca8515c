"""A plan made for a test: a table at a decision, and weights of which only those named are not 0."""

from typing import Any

import numpy as np
from records import new_notes
from table import Table

from lagranja_sim.games.lagranja import toolkit
from lagranja_sim.games.lagranja.rules.names import BUILDINGS
from lagranja_sim.policy import find_policy

NAMES = tuple(find_policy("balanced").bounds)


def weights(**given: float) -> np.ndarray:
    """A row of the weights of `balanced`; those not named are 0."""
    row = np.zeros(len(NAMES))
    for name, value in given.items():
        row[NAMES.index(name)] = value
    return row


def farm(players: int = 2) -> Table:
    """A table in the last round on which the rows of seat 0 are full, without a limit on markers: its targets are what a test sets up."""
    table = Table(players, overrides={"setup.markers": 0}).in_round(6)
    for building in BUILDINGS:
        table.row(0, building, missing="")
    return table


def planned(table: Table, **given: float) -> Any:
    """The plan for seat 0; what was in its record before does not matter."""
    notes = new_notes()
    for name in notes["plan"].dtype.names:
        notes["plan"][name] = 99
    toolkit.make_plan(table.game, table.box, 0, weights(**given), notes[0].plan)
    return notes[0].plan


def worths(table: Table, **given: float) -> dict[str, float]:
    """The worth of every option at hand, by its words."""
    plan = planned(table, **given)
    kind = int(table.game.agenda[table.game.depth - 1].kind)
    found = {}
    for option, words in zip(table.option_records[: table.count], table.options(), strict=True):
        found[" ".join(map(str, words.values()))] = float(toolkit.option_worth(table.game, table.box, 0, kind, option, plan))
    return found
