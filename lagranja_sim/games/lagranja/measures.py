"""What arms of La Granja are compared by beside points and wins: the result, what players have and do, a number a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from lagranja_sim.game import Column, Measure
from lagranja_sim.games.lagranja.tables import FACES, TABLES

Tables = Mapping[str, np.ndarray]
TABLES_READ = ("games", "seats", "rounds", "cards")
OF_GAMES = {
    "margin": ("vp_margin", "points of the winner above the second"),
    "winner_points": ("vp_win", "points of the winner"),
    "lead_changes": ("lead_changes", "changes of the lead in a game"),
    "decisions": ("decisions", "decisions in a game, of all players"),
}
OF_SEATS = {
    "barrows": "barrows completed by a player",
    "buildings": "buildings completed by a player",
    "helpers": "helpers of a player",
    "roofs": "roofs of a player",
    "pigs": "pigs that a player received",
    "silver_left": "silver left to a player",
}
RESTS_ON = {  # part of the components -> sections that rest on it
    "fields": "Cards, Closeness, Points",
    "barrows": "Cards, Closeness, Market, Points",
    "extensions": "Cards, Dice, Turn order",
    "helpers": "Cards, Closeness, Points",
    "roof designs": "Roofs",
    "roof phases": "Roofs",
    "roof rounds": "Roofs",
    "building goods and effects": "Craft buildings",
    "building numbers": "Craft buildings (which building a die blocks)",
    "market spaces": "Closeness, Market, Points",
    "rule numbers": "all sections",
}
PROFILE = {  # what a report shows of policies -> column of `seats`, or of the sums over rounds
    "barrows": "barrows",
    "buildings": "buildings",
    "siesta points": "vp_siesta",
    "roofs": "roofs",
    "fields": "fields",
    "extensions": "extensions",
    "helpers": "helpers",
    "pigs": "pigs",
    "deliveries": "deliveries",
    "bought deliveries": "bought_deliveries",
}
PROFILE_NOTE = (
    "Fields, extensions, helpers and roofs are those on the farm at the end; barrows and buildings those completed; pigs those received; "
    "deliveries all of the game."
)
DICE, BUILT, POINTS = ("die_1", "die_2", "die_last"), "craft_round_", "vp_"


def measured(tables: Tables, players: int) -> Iterator[Column]:
    """All of them."""
    for part in (_results, _means, _built, _sides, _faces):
        yield from part(tables, players)


def _a_game(values: np.ndarray, players: int) -> np.ndarray:
    """The mean over the seats of each game."""
    return values.reshape(-1, players).mean(axis=1, dtype=np.float64)


def _results(tables: Tables, players: int) -> Iterator[Column]:
    games = tables["games"]
    for name, (column, words) in OF_GAMES.items():
        yield Measure(name, words), games[column].astype(np.float64)
    yield Measure("shared_wins", "games with more than one winner", True), (games["winner_seat"] < 0).astype(np.float64)


def _means(tables: Tables, players: int) -> Iterator[Column]:
    """Points by source, and what a player has at the end."""
    seats = tables["seats"]
    for column in seats.dtype.names or ():
        if column.startswith(POINTS):
            source = column.removeprefix(POINTS)
            yield Measure(column, f"points of a player from {source.replace('_', ' ')}"), _a_game(seats[column], players)
    for column, words in OF_SEATS.items():
        yield Measure(column, words), _a_game(seats[column], players)


def _built(tables: Tables, players: int) -> Iterator[Column]:
    seats = tables["seats"]
    for column in seats.dtype.names or ():
        if column.startswith(BUILT):
            name = column.removeprefix(BUILT)
            words = f"players who complete the {name.replace('_', ' ')}"
            yield Measure(f"completed({name})", words, True), _a_game(seats[column] > 0, players)


def _sides(tables: Tables, players: int) -> Iterator[Column]:
    first, games = tables["games"]["game"][0], len(tables["games"])
    cards = tables["cards"]
    for number, side in enumerate(TABLES.codes["cards", "side"]):
        played = np.bincount((cards["game"] - first)[cards["side"] == number], minlength=games)
        yield Measure(f"cards({side})", f"cards that a player plays as {side}"), played / players


def _faces(tables: Tables, players: int) -> Iterator[Column]:
    games, rounds = len(tables["games"]), tables["rounds"]
    for face in map(int, FACES):
        taken = np.sum([rounds[die] == face for die in DICE], axis=0).reshape(games, -1).sum(axis=1)
        yield Measure(f"face({face})", f"dice of face {face} that a player takes"), taken / players
