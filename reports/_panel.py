"""Seats of games as arrays (game x seat), for estimates that compare a seat with its like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from lagranja_sim.report.section import ReportData

MOST_GAMES = 40_000  # adjusted estimates look at no more: enough for intervals of a tenth of a point, and quick to compute
STATE = ("vp", "silver", "goods", "markers", "barrows_done", "buildings_done")  # what a seat has when a round begins


@dataclass(frozen=True)
class Panel:
    """The first games of the runs, whole blocks."""

    data: ReportData

    @cached_property
    def games(self) -> int:
        return min(self.data.games, MOST_GAMES // self.data.players * self.data.players)

    @property
    def note(self) -> str:
        """What to say of the games that were left out."""
        return f"Adjusted estimates use the first {self.games:,} of {self.data.games:,} games." if self.games < self.data.games else ""

    def load(self, table: str, columns: list[str], where: pl.Expr | None = None) -> dict[str, np.ndarray]:
        """Columns of a table with one row a game and seat, as arrays of games x seats."""
        rows = self.data.scan(table).filter(pl.col("game") < self.games)
        rows = rows if where is None else rows.filter(where)
        frame = self.data.collect(rows.select("game", "seat", "block", *columns)).sort("game", "seat")
        return {name: frame[name].to_physical().to_numpy().reshape(self.games, self.data.players) for name in ("block", *columns)}

    @cached_property
    def seats(self) -> dict[str, np.ndarray]:
        return self.load("seats", ["policy", "start_position", "vp", "win_share"])

    @cached_property
    def policies(self) -> dict[str, int]:
        """What stands for each policy in `seats`."""
        kinds = self.data.collect(self.data.scan("seats").select("policy").head(1))["policy"].dtype
        names = kinds.categories.to_list() if isinstance(kinds, pl.Enum) else []
        present = set(np.unique(self.seats["policy"]).tolist())
        return {name: place for place, name in enumerate(names) if place in present}

    @property
    def blocks(self) -> np.ndarray:
        return self.seats["block"].ravel()

    @cached_property
    def who(self) -> np.ndarray:
        """Columns for policy and start position, one row a seat."""
        return np.hstack([dummies(self.seats["policy"]), dummies(self.seats["start_position"])])

    def round(self, number: int, columns: list[str]) -> dict[str, np.ndarray]:
        return self.load("rounds", columns, pl.col("round") == number)

    def state_before(self, number: int) -> np.ndarray:
        """What each seat had when the round began, one row a seat; nothing before the first round, when all have the same."""
        if number == 1:
            return np.zeros((self.games * self.data.players, 0))
        state = self.round(number - 1, list(STATE))
        return np.column_stack([state[name].ravel() for name in STATE]).astype(float)


def dummies(values: np.ndarray, kinds: range | None = None) -> np.ndarray:
    """A column of 0 and 1 for each kind of value."""
    flat = np.asarray(values).ravel()
    chosen = np.unique(flat) if kinds is None else np.array(kinds)
    return (flat[:, None] == chosen).astype(float)
