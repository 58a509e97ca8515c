"""What a report section is made of, and the data it is made from.

A section is a file in a folder `reports/`: `TITLE`, `QUESTION`, `ORDER` (its place on the page), `NEEDS` (tables of the run), `MIN_GAMES`
and `build(data: ReportData) -> Section`. It aggregates lazily, so that a run of a million games fits into little memory:

    data.collect(data.scan("seats").group_by("policy").agg(pl.col("vp").mean()))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from lagranja_sim.game import Game, find_game
from lagranja_sim.runs.records import Run
from lagranja_sim.runs.summary import games_a_lineup

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


BLOCK = "block"  # the unit of every interval


class TooFew(Exception):
    """There is not enough to answer the section's question; the message says what is lacking and is shown in the page."""


@dataclass
class Takeaway:
    """A finding in one sentence. `strength` is its size in half-widths of its interval; below 1 the sentence says that it is undecided."""

    text: str
    strength: float
    section: str = ""  # where it comes from, filled in where the strongest of all sections are listed


@dataclass
class Figure:
    """A picture; `name` becomes part of its file's name, `alt` says in words what can be seen."""

    name: str
    title: str
    alt: str
    figure: Drawing


@dataclass
class Table:
    """A table; `formats` are Python's format specifications by column, e.g. `{"win share": ".1%"}`."""

    name: str
    caption: str
    frame: pl.DataFrame
    formats: dict[str, str] = field(default_factory=dict)


@dataclass
class Section:
    """What the page shows under one heading."""

    title: str
    question: str
    takeaways: list[Takeaway] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)  # paragraphs, shown before the figures

    def __post_init__(self) -> None:
        if isinstance(self.caveats, list):  # anything else is refused when the section has been built
            self.caveats = [caveat for caveat in self.caveats if caveat]  # a note may be empty


@dataclass(frozen=True)
class ReportData:
    """The runs a report is about: one experiment, played once or, with different seeds, several times."""

    runs: Sequence[Run]

    @property
    def manifest(self) -> dict[str, Any]:
        return self.runs[0].manifest

    @property
    def experiment(self) -> dict[str, Any]:
        return self.runs[0].experiment

    @cached_property
    def games(self) -> int:
        """Games of all runs."""
        return sum(int(run.experiment["games"]) for run in self.runs)

    @property
    def players(self) -> int:
        return int(self.experiment["players"])

    @cached_property
    def policies(self) -> list[str]:
        """The policies that play, each once, in the order of the experiment."""
        return list(dict.fromkeys(self.experiment["policies"]))

    @property
    def variant(self) -> str:
        return str(self.experiment["variant"])

    @property
    def game(self) -> str:
        """The name of the game that was played."""
        return str(self.experiment["game"])

    @property
    def rules(self) -> Game:
        """The game itself: its rules, tables and names."""
        return find_game(self.game)

    @property
    def rounds(self) -> int:
        return int(self.components.rules.game.rounds)

    @cached_property
    def components(self) -> Any:
        """The components the games were played with: `Components` of the game, with what only it has."""
        from lagranja_sim.runs.setting import open_components

        return open_components(self.game, self.experiment.get("components"), self.variant, self.experiment.get("overrides"))

    @cached_property
    def blocks(self) -> int:
        return sum(_blocks(run) for run in self.runs)

    @property
    def tables(self) -> list[str]:
        """Tables that every run kept."""
        return [table for table in self.runs[0].tables if all(table in run.tables for run in self.runs)]

    def scan(self, table: str, with_seats: bool = False) -> pl.LazyFrame:
        """All rows of a table, with the column `block`; of a table with a seat also its `policy` and `start_position`, if asked.

        The numbers of games and blocks of later runs follow those of earlier ones."""
        frames, first_game, first_block = [], 0, 0
        for run in self.runs:
            frames.append(_renumber(_rows(run, table, with_seats), run, first_game, first_block))
            first_game += int(run.experiment["games"])
            first_block += _blocks(run)
        return pl.concat(frames)

    @staticmethod
    def collect(frame: pl.LazyFrame) -> pl.DataFrame:
        """The rows of a query, computed part by part so that memory stays flat."""
        return frame.collect(engine="streaming")

    def reconstructed_note(self, *parts: str) -> str:
        """The caveat for conclusions that rest on components found in no document; empty if all of these parts are documented.

        Parts are those of `lagranja components`: fields, barrows, extensions, helpers, roof designs, roof phases, roof rounds,
        building goods and effects, building numbers, market spaces, rule numbers."""
        counts = [count for count in self.components.sources() if count.part in parts]
        shares = [f"{count.part} {count.reconstructed} of {sum(count[1:])}" for count in counts if count.reconstructed]
        if not shares:
            return ""
        return (
            f"Rests on reconstructed values, which were found in no document and fill gaps plausibly ({', '.join(shares)}); the printed game may "
            "differ."
        )


def _deals(run: Run) -> int:
    """Games after which the deals begin anew: where several line-ups play the same deals, those of one line-up."""
    return games_a_lineup(run.experiment)


def _blocks(run: Run) -> int:
    return _deals(run) // int(run.experiment["players"])


def _rows(run: Run, table: str, with_seats: bool) -> pl.LazyFrame:
    """The rows of a table, if asked with the policy and start position of the seat."""
    rows = run.scan(table)
    if not with_seats or table == "seats":
        return rows
    seats = run.scan("seats").select("game", "seat", "policy", "start_position")
    return rows.join(seats, on=["game", "seat"], how="left")


def _renumber(rows: pl.LazyFrame, run: Run, first_game: int, first_block: int) -> pl.LazyFrame:
    block = pl.col("game") % _deals(run) // int(run.experiment["players"]) + first_block
    return rows.with_columns(block.cast(pl.UInt32).alias(BLOCK), (pl.col("game") + first_game).cast(pl.UInt32).alias("game"))
