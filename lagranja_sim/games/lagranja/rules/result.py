"""Who is ahead and who has won (E3)."""

from enum import IntEnum

from lagranja_sim.compile import entry, kernel
from lagranja_sim.games.lagranja.rules.names import Item
from lagranja_sim.games.lagranja.rules.state import SEATS


class TieBreak(IntEnum):
    """What decides between equals in points (E3)."""

    SILVER = 0
    NONE = 1


@kernel
def is_better(box, player, other):
    """E3: more points or, with as many and where silver breaks ties, more silver left."""
    if player.stock[Item.VP] != other.stock[Item.VP]:
        return player.stock[Item.VP] > other.stock[Item.VP]
    return box.game.tie_break == TieBreak.SILVER and player.stock[Item.SILVER] > other.stock[Item.SILVER]


@entry
def rank_of(game, box, seat):
    """E3: 1 and one more for each seat that is better; equals share a rank. O13: 0 for one player alone."""
    if game.seats == 1:
        return 0
    rank = 1
    for other in range(game.seats):
        if is_better(box, game.players[other], game.players[seat]):
            rank += 1
    return rank


@kernel
def winners(game, box):
    """How many seats share the first rank."""
    count = 0
    for seat in range(game.seats):
        if rank_of(game, box, seat) == 1:
            count += 1
    return count


@kernel
def leader(game):
    """The seat alone in the lead by points, -1 if it is shared."""
    best = 0
    for seat in range(1, game.seats):
        if game.players[seat].stock[Item.VP] > game.players[best].stock[Item.VP]:
            best = seat
    for seat in range(game.seats):
        if seat != best and game.players[seat].stock[Item.VP] == game.players[best].stock[Item.VP]:
            return -1
    return best


@kernel
def position_of(order, seat):
    """A seat's place in an order, from 1."""
    for position in range(SEATS):
        if order[position] == seat:
            return position + 1
    return 0
