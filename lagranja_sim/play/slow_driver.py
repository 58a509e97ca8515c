"""Playing games in which a policy is an ordinary Python class: the same rows as the compiled loop writes, game by game."""

from collections.abc import Iterable, Sequence

import numpy as np

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import Do, Item
from lagranja_sim.games.lagranja.tables import ROWS, TABLES, as_columns
from lagranja_sim.play.driver import kernels
from lagranja_sim.play.walk import ASKED, DEALT, MOVED, OVER, SCORED, Table, walk
from lagranja_sim.policy import Policy


class Recorder:
    """Writes the rows of one game as it goes."""

    def __init__(self, players: int, rounds: int) -> None:
        driver = kernels()
        room = {"games": 1, "seats": players, "rounds": players * rounds, "cards": driver.CARD_ROWS, "market": driver.MARKET_ROWS}
        self.rows = {table: np.zeros(size, ROWS[table]) for table, size in room.items()}
        self.used = {"games": 1, "seats": players, "rounds": 0, "cards": 0, "market": 0}
        self.owners, self.placed_in = np.full(s.MAX_SPACES, -1, np.int8), np.zeros(s.MAX_SPACES, np.int64)
        self.farm_order, self.vp_before = np.full(s.SEATS, -1, np.int8), np.zeros(s.SEATS, np.int64)
        self.lead, self.lead_changes, self.do = -1, 0, -1
        self.notes = {DEALT: self.dealt, ASKED: self.asked, MOVED: self.moved, SCORED: self.scored, OVER: self.over}

    def note(self, moment: str, table: Table) -> None:
        """One moment of the game."""
        if moment in self.notes:
            self.notes[moment](table)

    def dealt(self, table: Table) -> None:
        self.farm_order[: table.players] = table.start_order
        self.vp_before[: table.players] = table.games["players"]["stock"][0, : table.players, Item.VP]
        self.watch(table, -1)

    def asked(self, table: Table) -> None:
        self.do = int(table.options["do"][table.chosen])
        if self.do == Do.PLAY_CARD:
            kernels().write_card_in(
                table.games, table.number, table.seat, table.options, table.chosen, self.rows["cards"], self.used["cards"]
            )
            self.used["cards"] += 1

    def moved(self, table: Table) -> None:
        if self.do in (Do.PLACE_MARKER, Do.GIVE_UP):
            self.watch(table, -1 if self.do == Do.GIVE_UP else table.seat)

    def watch(self, table: Table, seat: int) -> None:
        self.used["market"] = kernels().watch_market_in(
            table.games, table.boxes, table.number, seat, self.owners, self.placed_in, self.rows["market"], self.used["market"]
        )

    def scored(self, table: Table) -> None:
        players = table.players
        kernels().write_round_in(
            table.games, table.boxes, table.number, self.farm_order, self.vp_before, self.rows["rounds"], self.used["rounds"]
        )
        self.used["rounds"] += players
        self.farm_order[:players] = table.field("order")[:players]
        self.vp_before[:players] = table.games["players"]["stock"][0, :players, Item.VP]
        self.follow_lead(table, holds_last=True)

    def follow_lead(self, table: Table, holds_last: bool) -> None:
        ahead = int(kernels().leader_in(table.games))
        if ahead >= 0:
            self.lead_changes += self.lead >= 0 and ahead != self.lead
            self.lead = ahead if holds_last else self.lead

    def over(self, table: Table) -> None:
        self.follow_lead(table, holds_last=False)
        order = np.full(s.SEATS, -1, np.int8)
        order[: table.players] = table.start_order
        rows = self.rows["games"], self.rows["seats"]
        kernels().write_result_in(table.games, table.boxes, table.number, table.rotation, order, self.lead_changes, *rows)


def play_games_slowly(
    components: Components,
    policies: Sequence[Policy],
    players: int,
    seed: int,
    first_game: int,
    count: int,
    tables: Sequence[str] = tuple(TABLES),
) -> dict[str, np.ndarray]:
    """As `play_games`, one choice at a time through Python."""
    return rows_of((walk(components, policies, players, seed, number) for number in range(first_game, first_game + count)), tables)


def rows_of(games: Iterable[Iterable[tuple[str, Table]]], tables: Sequence[str] = tuple(TABLES)) -> dict[str, np.ndarray]:
    """The rows of games, each given by its moments."""
    pieces: dict[str, list[np.ndarray]] = {table: [np.zeros(0, ROWS[table])] for table in tables}
    for recorder in map(recorded, games):
        for name in tables:
            pieces[name].append(recorder.rows[name][: recorder.used[name]])
    return {name: as_columns(name, np.concatenate(parts)) for name, parts in pieces.items()}


def recorded(moments: Iterable[tuple[str, Table]]) -> Recorder:
    """What is to be kept of one game."""
    moments = iter(moments)
    first, table = next(moments)
    recorder = Recorder(table.players, int(table.box.game.rounds))
    recorder.note(first, table)
    for moment, table in moments:
        recorder.note(moment, table)
    return recorder
