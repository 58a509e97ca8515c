"""The spaces of the market on which players begin (S5)."""

from collections.abc import Sequence

from lagranja_sim.games.lagranja.components.rulebook import Rules
from lagranja_sim.games.lagranja.components.tables import Space

NO_SPACE = -1


def start_spaces(spaces: Sequence[Space], rules: Rules, players: int) -> list[int]:
    """The space of each place in the first order, -1 where none is free; in the game for one the neutral player has a place too (O1).

    Of the free open spaces of its value a place has the start space or else the one nearest to the middle, of equals the first in the table.
    """
    taken: list[int] = []
    for value in rules.begun_on(players):
        fitting = [i for i, space in enumerate(spaces) if space.value == value and rules.is_open(space.min_players, players)]
        free = [index for index in fitting if index not in taken]
        taken.append(min(free, key=lambda index: (not spaces[index].start, _from_middle(spaces[index])), default=NO_SPACE))
    return taken


def _from_middle(space: Space) -> int:
    """Steps to the hex 0,0."""
    return max(abs(space.q), abs(space.r), abs(space.q + space.r))
