"""The game for one (O1-O13): a player alone beside a neutral one, which has markers on the market and nothing else.

The player is seat 0 and alone in `game.order`; `game.neutral_first` says who starts. Other modules call what is here where the game for one differs.
"""

from lagranja_sim.chance import SEATING, below
from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_event, push_number
from lagranja_sim.games.lagranja.rules.anytime import open_turn
from lagranja_sim.games.lagranja.rules.cards import move_card, reshuffle_if_empty
from lagranja_sim.games.lagranja.rules.holdings import put_on_space
from lagranja_sim.games.lagranja.rules.ledger import begin_list, note_die
from lagranja_sim.games.lagranja.rules.market import (
    is_of_value,
    is_open,
    is_removed_by,
    push_removal_events,
    remove_marker,
    remove_neighbours,
)
from lagranja_sim.games.lagranja.rules.names import Event, Note, Reason, Step
from lagranja_sim.games.lagranja.rules.state import IN_DISCARD, NEUTRAL

PLAYER = 0
EARNS_NOTHING = 1
NO_CARD, NO_SPACE = 0, -1
FAR = 999  # steps to the nearest marker where there is none


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    if kind == Step.DISCARD_DIE:
        discard_die(game, box)
    else:
        neutral_move(game, box)


# --- set-up and order (O1, O4) -------------------------------------------------------------------------------------------------


@kernel
def roofs_a_round(game, box):
    """S2: as many roofs as there are players; O1: for one a number of its own."""
    return int(box.solo.roofs) if game.seats == 1 else int(game.seats)


@kernel
def set_up_neutral(game, box):
    """O1: the player draws one of two order markers; the neutral player has the other, and the start space of its place."""
    game.neutral_first = below(game.chance, SEATING, 1, 2)
    place = 1 - int(game.neutral_first)
    put_on_space(game, box, NEUTRAL, int(box.start_spaces[1, place]), Reason.START, 0)


@kernel
def will_start(game, box):
    """O4: whether the player's disc has gone far enough to start the next round."""
    return game.players[PLAYER].siesta >= box.solo.start_from_section


@kernel
def push_start(game, box):
    """O11, H4: discs never move back, so whoever was not start player and has gone far enough in T2 has become it. No round follows the last."""
    if game.neutral_first and will_start(game, box) and game.round_number < box.game.rounds:
        push_event(game, PLAYER, Event.START_PLAYER, 0)


@kernel
def change_order(game, box):
    """O4: at the end of a round, before the disc goes back."""
    game.neutral_first = 0 if will_start(game, box) else 1
    if box.ledger_on:
        noted = box.lists[begin_list(game, box, Note.ORDER, 2)]
        noted.numbers[0] = NEUTRAL if game.neutral_first else PLAYER
        noted.numbers[1] = PLAYER if game.neutral_first else NEUTRAL


# --- the dice (O2, O7) -----------------------------------------------------------------------------------------------------------


@kernel
def push_picks(game, box):
    """O2: picks and discards take turns until the last die is left; the start player begins with a pick, the other with a discard."""
    turns = max(0, int(box.solo.dice) - int(box.setup.dice_extra))
    for turn in range(turns - 1, -1, -1):
        if turn % 2 == game.neutral_first:
            push_number(game, Step.DIE_TURN, PLAYER, turn // 2)
        else:
            push(game, Step.DISCARD_DIE, NEUTRAL)


@kernel
def discard_die(game, box):
    """O2, O7, H2: the lowest face as rolled, later the highest; the only die of a face that the player has reserved goes last."""
    face = face_to_discard(game, box, True)
    if face < 0:
        face = face_to_discard(game, box, False)
    game.dice_left[face] -= 1
    if box.ledger_on:
        note_die(game, box, face + 1)


@kernel
def face_to_discard(game, box, spares_reserved):
    """The face of the die that goes, counted from 0; -1 if there is none."""
    lowest = game.round_number <= box.solo.lowest_die_until_round
    for index in range(6):
        face = index if lowest else 5 - index
        spared = 1 if spares_reserved and game.reserved[face] > 0 else 0
        if game.dice_left[face] > spared:
            return face
    return -1


# --- the neutral player's move (O3, O8, O9) --------------------------------------------------------------------------------------


@kernel
def neutral_move(game, box):
    """O3: a card, and a marker on a space of its barrow's value; markers of the player go without points for anyone, in another's turn (M5)."""
    card = draw_from_below(game, box)
    space = NO_SPACE if card == NO_CARD else best_space(game, box, int(box.cards[card].market_value))
    if space == NO_SPACE:
        return
    open_turn(game, box, NEUTRAL)
    push_removal_events(game, box, NEUTRAL, space)
    if game.space_owner[space] >= 0:
        remove_marker(game, box, NEUTRAL, space, EARNS_NOTHING)
    put_on_space(game, box, NEUTRAL, space, Reason.NEUTRAL, 0)
    remove_neighbours(game, box, NEUTRAL, space, EARNS_NOTHING)


@kernel
def draw_from_below(game, box):
    """O3, O9, S7: the bottom card of the deck, so that each round's card is settled by the deal whatever the player draws; it is discarded."""
    reshuffle_if_empty(game, box)
    if game.deck_count == 0:
        return NO_CARD
    card = int(game.deck[0])
    game.deck_count -= 1
    for index in range(game.deck_count):
        game.deck[index] = game.deck[index + 1]
    reshuffle_if_empty(game, box)  # a new deck does not hold the card just drawn
    move_card(game, box, card, IN_DISCARD, Reason.NEUTRAL, 0)
    return card


@kernel
def best_space(game, box, value):
    """O3, M1, M3: of the free spaces of a value, or where none is free of those the player holds, the one with the highest measures."""
    best, highest = NO_SPACE, -1
    for owner in (-1, PLAYER):
        for space in range(box.space_count):
            if game.space_owner[space] == owner and is_of_value(game, box, space, value):
                measure = measures(game, box, space)
                if measure > highest:
                    best, highest = space, measure
        if best != NO_SPACE:
            return best
    return best


@kernel
def measures(game, box, space):
    """O3: most markers removed, then farthest from those that stay, then fewest higher neighbours; a later one decides between equals alone."""
    return (removals(game, box, space) * (FAR + 1) + distance_to_nearest(game, box, space)) * 10 + 6 - higher_neighbours(game, box, space)


@kernel
def goes(game, box, space, other):
    """M2, M3: whether a neutral marker on `space` removes the marker on `other`."""
    return other == space or is_removed_by(game, box, NEUTRAL, space, other)


@kernel
def removals(game, box, space):
    """Markers of the player's that a neutral marker would remove, the one whose place it takes among them."""
    count = 0
    for other in range(box.space_count):
        if game.space_owner[other] >= 0 and goes(game, box, space, other):
            count += 1
    return count


@kernel
def distance_to_nearest(game, box, space):
    """Steps to the nearest other marker, whoever's, of those that stay, as if the map had no gaps."""
    nearest = FAR
    for other in range(box.space_count):
        if game.space_owner[other] >= 0 and not goes(game, box, space, other):
            nearest = min(nearest, distance(box.spaces[space], box.spaces[other]))
    return nearest


@kernel
def distance(one, other):
    """Steps from space to adjacent space."""
    q, r = int(other.q) - int(one.q), int(other.r) - int(one.r)
    return max(abs(q), abs(r), abs(q + r))


@kernel
def higher_neighbours(game, box, space):
    """Adjacent open spaces from which the marker could be removed."""
    count = 0
    for other in range(box.space_count):
        if (box.spaces[space].neighbours >> other) & 1 and is_open(game, box, other) and box.spaces[other].value > box.spaces[space].value:
            count += 1
    return count
