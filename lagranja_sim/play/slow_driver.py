"""Playing games in which a policy is an ordinary Python class: the same rows as the compiled loop writes, game by game."""

from collections.abc import Iterable, Sequence

import numpy as np

from lagranja_sim.game import Components, find_game
from lagranja_sim.play.driver import Rows, columns_of, driver_of, output
from lagranja_sim.play.walk import ASKED, DEALT, MOVED, OVER, SCORED, Table, walk
from lagranja_sim.policy import Policy


class Recorder:
    """Has the game note what happens at a table, by the same kernels as the compiled loop."""

    def __init__(self, table: Table, tables: Sequence[str]) -> None:
        self.driver, self.made = driver_of(table.rules), output(table.rules, tables, 1, table.players)
        self.made.logs["number"], self.made.logs["rotation"] = table.number, table.rotation

    def note(self, moment: str, table: Table) -> None:
        """One moment of the game."""
        if moment == DEALT:
            self.driver.note_dealt_in(table.room, self.made)
        elif moment == ASKED:
            self.driver.note_choice_in(table.room, self.made, table.seat, table.chosen)
        elif moment == MOVED:
            self.driver.note_moved_in(table.room, self.made, table.seat)
        elif moment == SCORED:
            self.driver.note_scored_in(table.room, self.made)
        elif moment == OVER:
            self.driver.note_over_in(table.room, self.made)


def play_games_slowly(
    components: Components, policies: Sequence[Policy], seed: int, first_game: int, count: int, tables: Sequence[str] | None = None
) -> Rows:
    """As `play_games`, one choice at a time through Python."""
    game = find_game(components.game)
    wanted = game.tables.names if tables is None else tables
    games = (walk(components, policies, seed, number) for number in range(first_game, first_game + count))
    pieces = [rows_of(moments, wanted) for moments in games]
    nothing = columns_of(game, output(game, (), 0, len(policies)), wanted)
    return {table: np.concatenate([nothing[table], *(piece[table] for piece in pieces)]) for table in wanted}


def rows_of(moments: Iterable[tuple[str, Table]], tables: Sequence[str] | None = None) -> Rows:
    """The rows of a game, given by its moments; None: of all tables."""
    moments = iter(moments)
    first, table = next(moments)
    wanted = table.rules.tables.names if tables is None else tables
    recorder = Recorder(table, wanted)
    recorder.note(first, table)
    for moment, table in moments:
        recorder.note(moment, table)
    return columns_of(table.rules, recorder.made, wanted)
