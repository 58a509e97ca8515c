"""Values of seats, looked up from the rows of other tables.

A run of a million games has 24 million rows of rounds. Joining them to seats costs more time and memory than the rest of a query; as games
and seats are numbered without gaps, the value of a seat can also be found as entry game × players + seat of an array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from lagranja_sim.report.section import ReportData


@dataclass(frozen=True)
class Seats:
    """Columns of the table of seats as arrays, one entry a seat in the order of games and seats."""

    players: int
    policies: list[str]  # the policy of a seat is a number of this list
    columns: dict[str, np.ndarray]

    @classmethod
    def of(cls, data: ReportData, **values: pl.Expr) -> Seats:
        """The policy and other values of all seats."""
        policies = list(data.policies)
        code = pl.col("policy").cast(pl.String).replace_strict({name: at for at, name in enumerate(policies)}, return_dtype=pl.Int8)
        frame = data.collect(data.scan("seats").select("game", "seat", "block", code.alias("policy"), **values))
        place = frame["game"].to_numpy().astype(np.int64) * data.players + frame["seat"].to_numpy()
        names = [name for name in frame.columns if name not in ("game", "seat")]
        return cls(data.players, policies, {name: _in_order(frame[name].to_numpy(), place) for name in names})

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def with_columns(self, **columns: np.ndarray) -> Seats:
        """The same seats with more columns."""
        return Seats(self.players, self.policies, self.columns | columns)

    def less_game(self, name: str) -> np.ndarray:
        """A value less its mean over the seats of the game."""
        by_game = self.columns[name].reshape(-1, self.players).astype(np.float32)
        return (by_game - by_game.mean(axis=1, keepdims=True)).ravel()

    def value(self, name: str) -> pl.Expr:
        """The value of the seat that a row with `game` and `seat` is about."""
        column = self.columns[name]
        kind = pl.Series(column[:0]).dtype
        place = pl.col("game").cast(pl.Int64) * self.players + pl.col("seat")
        values = place.map_batches(lambda places: pl.Series(column[places.to_numpy()]), return_dtype=kind, is_elementwise=True)
        return values.alias(name)

    def with_policy_names(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with policies by name instead of number."""
        names: Mapping[Any, str] = dict(enumerate(self.policies))
        return frame.with_columns(pl.col("policy").replace_strict(names, return_dtype=pl.String))


def _in_order(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    if (place == np.arange(len(place))).all():
        return values
    ordered = np.empty_like(values)
    ordered[place] = values
    return ordered
