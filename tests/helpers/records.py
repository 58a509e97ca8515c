"""Records of La Granja to work in, and the compiled steps on them."""

from typing import Any

import numpy as np

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.game import GAME
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.toolkit import FEATURES, NOTES, SearchRoom
from lagranja_sim.play.driver import copied, driver_of


def steps() -> Any:
    """The compiled steps of a game: deal_in, advance_in, move_in, ..."""
    return driver_of(GAME)


def new_games(count: int) -> np.ndarray:
    """Records to play in."""
    return np.zeros(count, s.GAME)


def new_options() -> np.ndarray:
    """Room for a list of options."""
    return np.zeros(s.MAX_OPTIONS, s.OPTION)


def new_notes() -> np.ndarray:
    """A policy's notes, empty."""
    return np.zeros(1, NOTES)


def search_room() -> SearchRoom:
    """Room to search in."""
    return SearchRoom(new_games(2), new_options(), np.zeros(FEATURES), new_notes())


def own_box(components: Components, with_ledger: bool = False) -> np.ndarray:
    """A copy of the box, for its ledger is written to."""
    box = copied(components.box)
    if with_ledger:
        GAME.language.follow(box[0])
    return box
