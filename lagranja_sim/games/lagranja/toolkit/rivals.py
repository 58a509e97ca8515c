"""The market between players: what a marker on a space takes from others, and whose barrows threaten it."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.market import is_of_value, is_open, is_removed_by
from lagranja_sim.games.lagranja.rules.state import SLOTS

NOBODY = -2  # a seat without markers


@kernel
def markers_removed(game, box, seat, space):
    """M2, M3: opponents' markers that go when a barrow of a seat puts one on a space, `box.market.removal_vp` points each. By a roof none (F10)."""
    owner = game.space_owner[space]
    count = 1 if owner >= 0 and owner != seat else 0
    for neighbour in range(box.space_count):
        if is_removed_by(game, box, seat, space, neighbour):
            count += 1
    return count


@kernel
def has_another_free(game, box, space):
    """Whether another open space of the same value holds no marker."""
    for other in range(box.space_count):
        if other != space and game.space_owner[other] < 0 and is_of_value(game, box, other, box.spaces[space].value):
            return True
    return False


@kernel
def can_come_to(game, box, seat, space):
    """M1, M3: whether a barrow of the space's value lets a seat put a marker there."""
    owner = game.space_owner[space]
    return is_open(game, box, space) and (owner < 0 or (owner != seat and not has_another_free(game, box, space)))


@kernel
def values_that_clear(game, box, seat, space):
    """Values of barrows, as bits, with which a seat could clear a space: from a neighbour of higher value (M2), or by taking its place (M3)."""
    value = int(box.spaces[space].value)
    values = 0 if has_another_free(game, box, space) else 1 << value
    for neighbour in range(box.space_count):
        if (
            (box.spaces[space].neighbours >> neighbour) & 1
            and box.spaces[neighbour].value > value
            and can_come_to(game, box, seat, neighbour)
        ):
            values |= 1 << int(box.spaces[neighbour].value)
    return values


@kernel
def threats(game, box, seat, space):
    """Barrows on the farms of others that could clear a space of a marker of `seat`."""
    values, count = values_that_clear(game, box, NOBODY, space), 0
    for other in range(game.seats):
        if other == seat:
            continue
        for slot in range(SLOTS):
            card = game.players[other].barrows[slot]
            if card > 0 and (values >> box.cards[card].market_value) & 1:
                count += (values_that_clear(game, box, other, space) >> box.cards[card].market_value) & 1
    return count


@kernel
def market_points(game, box, seat, space):
    """Points of a barrow's marker on a space: opponents' markers removed now (M2), and a round's end for each round left if it stays (M4)."""
    rounds_left = 1 + int(box.game.rounds) - int(game.round_number)
    return int(box.market.removal_vp) * markers_removed(game, box, seat, space) + int(box.market.marker_vp) * rounds_left
