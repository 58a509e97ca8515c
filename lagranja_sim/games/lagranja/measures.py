"""What is compared: the table of measures, each a number a game, from the rows that the driver writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lagranja_sim.games.lagranja.tables import FACES, NAMES
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.spelling import near

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
DICE, BUILT, POINTS = ("die_1", "die_2", "die_last"), "craft_round_", "vp_"


@dataclass(frozen=True)
class Measure:
    """A name, what it says in words, and whether it is a share (shown in percent)."""

    name: str
    words: str
    is_share: bool = False


Column = tuple[Measure, np.ndarray]


def measured(tables: Tables, players: int, labels: Sequence[str]) -> tuple[list[Measure], np.ndarray]:
    """The measures, and games x measures. `labels` names who plays, one a policy; equal labels are counted together."""
    columns = [*_results(tables, players), *_by_seat(tables, players), *_by_label(tables, players, labels), *_means(tables, players)]
    columns += [*_built(tables, players), *_sides(tables, players), *_faces(tables, players)]
    return [measure for measure, _ in columns], np.column_stack([values for _, values in columns])


def _a_game(values: np.ndarray, players: int) -> np.ndarray:
    """The mean over the seats of each game."""
    return values.reshape(-1, players).mean(axis=1, dtype=np.float64)


def _results(tables: Tables, players: int) -> Iterator[Column]:
    games = tables["games"]
    yield Measure("points", "points of a player"), _a_game(tables["seats"]["vp"], players)
    for name, (column, words) in OF_GAMES.items():
        yield Measure(name, words), games[column].astype(np.float64)
    yield Measure("shared_wins", "games with more than one winner", True), (games["winner_seat"] < 0).astype(np.float64)


def _by_seat(tables: Tables, players: int) -> Iterator[Column]:
    """Fairness: what wins belong to each place of the first round's order."""
    seats = tables["seats"]
    for position in range(1, players + 1):
        words = f"wins of {'the start player' if position == 1 else f'player {position} in the first order'}"
        own = np.where(seats["start_position"] == position, seats["win_share"], 0.0)
        yield Measure(f"win_share(seat{position})", words, True), own.reshape(-1, players).sum(axis=1)


def _by_label(tables: Tables, players: int, labels: Sequence[str]) -> Iterator[Column]:
    """Strength: wins and points of a seat that is played under a label."""
    seats, names = tables["seats"], list(dict.fromkeys(labels))
    for name in names if len(names) > 1 else ():
        places = [place for place, label in enumerate(labels) if label == name]
        own = np.isin(seats["policy"], places)
        for measure, column, words in (("win_share", "win_share", "wins"), ("points", "vp", "points")):
            total = np.where(own, seats[column], 0).astype(np.float64).reshape(-1, players).sum(axis=1)
            yield Measure(f"{measure}({name})", f"{words} of a seat played by {name}", measure == "win_share"), total / len(places)


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
    for number, side in enumerate(NAMES["cards", "side"]):
        played = np.bincount((cards["game"] - first)[cards["side"] == number], minlength=games)
        yield Measure(f"cards({side})", f"cards that a player plays as {side}"), played / players


def _faces(tables: Tables, players: int) -> Iterator[Column]:
    games, rounds = len(tables["games"]), tables["rounds"]
    for face in map(int, FACES):
        taken = np.sum([rounds[die] == face for die in DICE], axis=0).reshape(games, -1).sum(axis=1)
        yield Measure(f"face({face})", f"dice of face {face} that a player takes"), taken / players


# --- by name -----------------------------------------------------------------------------------------------------------------------


def chosen(measures: Sequence[Measure], names: Sequence[str], option: str = "--metric") -> list[int]:
    """The places of the measures named; of all if none is."""
    known = [measure.name for measure in measures]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ExperimentError([f"{option}: no measure is called {unknown[0]!r}{near(unknown[0], known)}; there are {', '.join(known)}"])
    return [known.index(name) for name in dict.fromkeys(names)] or list(range(len(known)))
