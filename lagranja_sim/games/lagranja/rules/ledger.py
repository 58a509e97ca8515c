"""The notepad of a game: what has happened, in order, for whoever replays it.

Nothing here changes the game, and nothing is written unless `box.ledger_on`: that is for the caller to ask, so that games without a
ledger are spared the call.
"""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.names import Error, Note
from lagranja_sim.games.lagranja.rules.state import IN_HAND, LEDGER, LISTS, NEUTRAL, REFS, SEATS
from lagranja_sim.kit.agenda import fail


@kernel
def begin_row(game, box, note, seat):
    """The index of a new row that tells when, what and who; its details are the caller's."""
    index = int(box.ledger_count)
    if index >= LEDGER:
        fail(game, Error.LEDGER_FULL)
        return LEDGER - 1
    box.ledger_count = index + 1
    row = box.ledger[index]
    row.note = note
    row.round_number = game.round_number
    row.phase = game.phase
    row.seat = seat
    return index


@inlined
def because(reason, ref):
    """Why something changes, as one number: the reason and the component behind it."""
    return int(reason) * REFS + int(ref)


@inlined
def reason_of(cause):
    """The reason."""
    return cause // REFS


@inlined
def ref_of(cause):
    """The component behind it."""
    return cause % REFS


@kernel
def note_change(game, box, seat, thing, amount, cause):
    """A player owns more or less of an item."""
    row = box.ledger[begin_row(game, box, Note.LEDGER, seat)]
    row.thing = thing
    row.amount = amount
    row.reason = reason_of(cause)
    row.ref = ref_of(cause)


@kernel
def note_card(game, box, card, place, reason, ref):
    """A card is about to go to another place; the seat is that of the hand or farm it comes from or goes to, else the neutral player's (O3)."""
    before = int(game.card_place[card])
    holder = max(before, int(place)) - IN_HAND
    row = box.ledger[begin_row(game, box, Note.CARD, holder % SEATS if holder >= 0 else NEUTRAL)]
    row.thing = card
    row.before = before
    row.after = place
    row.reason = reason
    row.ref = ref


@kernel
def note_disc(game, box, seat, before, reason, ref):
    """A siesta disc has moved from a section and lies on those of its new one that came earlier."""
    player = game.players[seat]
    place = 0
    for other in range(game.seats):
        if game.players[other].siesta == player.siesta and game.players[other].arrival <= player.arrival:
            place += 1
    row = box.ledger[begin_row(game, box, Note.DISC, seat)]
    row.before = before
    row.after = player.siesta
    row.amount = place
    row.reason = reason
    row.ref = ref


@kernel
def note_marker(game, box, seat, space, reason, ref):
    """A seat is about to take the marker off a market space or, where there is none, to put one of its own there."""
    row = box.ledger[begin_row(game, box, Note.MARKER, seat)]
    row.thing = space
    row.before = game.space_owner[space]
    row.after = seat if game.space_owner[space] < 0 else -1
    row.reason = reason
    row.ref = ref


@kernel
def note_use(game, box, seat, ref):
    """A helper, a roof or a permanent craft marker is used, by choice or by itself."""
    row = box.ledger[begin_row(game, box, Note.USE, seat)]
    row.ref = ref


@kernel
def note_flip(game, box, seat, roof):
    """A used roof is face up again."""
    row = box.ledger[begin_row(game, box, Note.FLIPPED, seat)]
    row.thing = roof


@kernel
def note_building(game, box, note, seat, building, marker):
    """A building is completed, opened (order marker 1, 2 or 3, else 0) or becomes permanent."""
    row = box.ledger[begin_row(game, box, note, seat)]
    row.thing = building
    row.amount = marker


@kernel
def note_list(game, box, note, values, count):
    """What is laid out for all: the first `count` of some numbers."""
    noted = box.lists[begin_list(game, box, note, count)]
    for index in range(count):
        noted.numbers[index] = values[index]


@kernel
def begin_list(game, box, note, count):
    """The index of a new list of `count` numbers, laid out for all; the numbers are the caller's."""
    row = box.ledger[begin_row(game, box, note, -1)]
    row.amount = box.list_count
    if box.list_count >= LISTS:
        fail(game, Error.LEDGER_FULL)
        return LISTS - 1
    box.list_count += 1
    box.lists[row.amount].length = count
    return int(row.amount)


@kernel
def note_die(game, box, face):
    """The neutral player takes a die away."""
    row = box.ledger[begin_row(game, box, Note.DIE_DISCARDED, -1)]
    row.thing = face
