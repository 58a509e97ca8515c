"""What is compared: the table of measures, each a number a game, from the rows that are written; points and wins, then those of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lagranja_sim.game import Column, Game, Measure
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.spelling import near

Tables = Mapping[str, np.ndarray]


def measured(game: Game, tables: Tables, players: int, labels: Sequence[str]) -> tuple[list[Measure], np.ndarray]:
    """The measures, and games x measures. `labels` names who plays, one a policy; equal labels are counted together."""
    columns = [*_points(tables, players), *_wins(game, tables, players), *_by_seat(tables, players), *_by_label(tables, players, labels)]
    columns += game.measures.columns(tables, players)
    return [measure for measure, _ in columns], np.column_stack([values for _, values in columns])


def _points(tables: Tables, players: int) -> Iterator[Column]:
    yield Measure("points", "points of a player"), tables["seats"]["vp"].reshape(-1, players).mean(axis=1, dtype=np.float64)


def _wins(game: Game, tables: Tables, players: int) -> Iterator[Column]:
    """Of any seat: where there is one win a game this says nothing."""
    if not game.one_win:
        wins = tables["seats"]["win_share"].reshape(-1, players).mean(axis=1, dtype=np.float64)
        yield Measure("win_share", "wins of a player", True), wins


def _by_seat(tables: Tables, players: int) -> Iterator[Column]:
    """Fairness: what wins belong to each place of the first round's order."""
    seats = tables["seats"]
    if players == 1 or "start_position" not in (seats.dtype.names or ()):
        return
    for position in range(1, players + 1):
        words = f"wins of {'the start player' if position == 1 else f'player {position} in the first order'}"
        own = np.where(seats["start_position"] == position, seats["win_share"], 0.0)
        yield Measure(f"win_share(seat{position})", words, True, 1 / players), own.reshape(-1, players).sum(axis=1)
    ends = np.select([seats["start_position"] == players, seats["start_position"] == 1], [seats["win_share"], -seats["win_share"]], 0.0)
    words = "wins of the last player in the first order less those of the start player"
    yield Measure("win_share(last-first)", words, True, 0.0), ends.reshape(-1, players).sum(axis=1)


def _by_label(tables: Tables, players: int, labels: Sequence[str]) -> Iterator[Column]:
    """Strength: wins and points of a seat that is played under a label."""
    seats, names = tables["seats"], list(dict.fromkeys(labels))
    for name in names if len(names) > 1 else ():
        places = [place for place, label in enumerate(labels) if label == name]
        own = np.isin(seats["policy"], places)
        for measure, column, words in (("win_share", "win_share", "wins"), ("points", "vp", "points")):
            total = np.where(own, seats[column], 0).astype(np.float64).reshape(-1, players).sum(axis=1)
            is_share = measure == "win_share"
            even = 1 / players if is_share else None
            yield Measure(f"{measure}({name})", f"{words} of a seat played by {name}", is_share, even), total / len(places)


# --- by name -----------------------------------------------------------------------------------------------------------------------


def chosen(measures: Sequence[Measure], names: Sequence[str], option: str = "--metric") -> list[int]:
    """The places of the measures named; of all if none is."""
    known = [measure.name for measure in measures]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ExperimentError([f"{option}: no measure is called {unknown[0]!r}{near(unknown[0], known)}; there are {', '.join(known)}"])
    return [known.index(name) for name in dict.fromkeys(names)] or list(range(len(known)))
