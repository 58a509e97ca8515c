"""The revenue phase: the dice are rolled and taken, the last one is everybody's (R1-R3, H2)."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.agenda import drop, open_turn, push, push_step, push_step_for_each
from lagranja_sim.games.lagranja.rules.effects import push_effect
from lagranja_sim.games.lagranja.rules.ledger import note_list
from lagranja_sim.games.lagranja.rules.names import Ask, Do, Event, Note, Phase, Reason, Step, When
from lagranja_sim.games.lagranja.rules.options import put, put_number
from lagranja_sim.games.lagranja.rules.solo import push_picks
from lagranja_sim.games.lagranja.rules.state import REF_FACE, SLOTS


@kernel
def revenue_phase(game, box):
    """R1: before the roll, the roll, each pick in turn order, the last die in turn order."""
    game.phase = Phase.REVENUE
    push_step(game, Step.DICE_GONE, 0)
    if box.setup.dice_extra > 0:
        push_step_for_each(game, Step.LAST_DIE_TURN)
    push_step(game, Step.PICKED, 0)
    if game.seats == 1:
        push_picks(game, box)
    else:
        for pick in range(box.setup.dice_per_player - 1, -1, -1):
            for position in range(game.seats - 1, -1, -1):
                push(game, Step.DIE_TURN, game.order[position], pick, 0, 0, 0, 0)
    push_step(game, Step.ROLL, 0)
    push_step_for_each(game, Step.BEFORE_ROLL)


@kernel
def before_roll(game, box, seat):
    """H2: helpers that act before the roll are offered."""
    player = game.players[seat]
    for slot in range(SLOTS - 1, -1, -1):
        card = player.helpers[slot]
        if card > 0 and box.cards[card].helper.when == When.BEFORE_ROLL:
            push(game, Step.ANSWER, seat, 0, slot, 0, card, 1)


@kernel
def dice_in_play(game, box):
    """R1: so many dice a player and one more; O1: for one a number of its own."""
    if game.seats == 1:
        return int(box.solo.dice)
    return int(box.setup.dice_per_player) * int(game.seats) + int(box.setup.dice_extra)


@kernel
def roll(game, box):
    """R1: the faces were settled by the deal."""
    if box.ledger_on:
        note_list(game, box, Note.ROLL, game.dice[game.round_number - 1], dice_in_play(game, box))
    for index in range(dice_in_play(game, box)):
        game.dice_left[game.dice[game.round_number - 1, index] - 1] += 1


@kernel
def clear_dice(game):
    """The last die has been everybody's."""
    for face in range(6):
        game.dice_left[face] = 0


@kernel
def die_turn(game, box, seat, pick):
    """R1: one die is taken."""
    open_turn(game, box, seat)
    game.die_shift = 0
    push_step(game, Ask.END_TURN, seat)
    push(game, Ask.TAKE_DIE, seat, 1, pick, 0, 0, 0)


@kernel
def is_reserved_from(game, seat, face):
    """H2: the last die of a space that another seat has marked."""
    owner = game.reserved[face] - 1
    return owner >= 0 and owner != seat and game.dice_left[face] == 1


@kernel
def list_dice(game, box, seat, options, n):
    """R1, R3: the faces left and what they would count; a reservation that leaves nothing else does not hold."""
    before = n
    for face in range(6):
        if game.dice_left[face] > 0 and not is_reserved_from(game, seat, face):
            n = put_die(game, box, options, n, face + 1)
    if n == before:
        for face in range(6):
            if game.dice_left[face] > 0:
                n = put_die(game, box, options, n, face + 1)
    return n


@kernel
def put_die(game, box, options, n, face):
    """A die that may be taken: its face and the face that counts (R3)."""
    n = put(game, options, n, Do.TAKE_DIE)
    options[n - 1].n = face
    options[n - 1].m = min(6, max(1, face + game.die_shift))
    return n


@kernel
def take_die(game, box, face, counted):
    """R1: the die's effect, then what answers to its face."""
    drop(game)
    task = game.agenda[game.depth]
    seat, pick = int(task.seat), int(task.what)
    game.dice_left[face - 1] -= 1
    if pick < len(game.players[seat].dice):  # the game for one may have more picks
        game.players[seat].dice[pick] = face
    game.die_shift = 0
    push(game, Step.EVENT, seat, counted, Event.REVENUE, 0, 0, 0)
    push(game, Step.DIE_USED, seat, counted, 0, 0, 0, 0)
    push_face(game, box, seat, counted)


@kernel
def push_face(game, box, seat, face):
    """R2: what the face does."""
    game.die_alternative = -1
    push_effect(game, seat, box.revenue.faces[face - 1], Reason.DIE, REF_FACE + face)


@kernel
def clear_reservations(game):
    """H2: the picks are over, or the round."""
    for face in range(6):
        game.reserved[face] = 0


@kernel
def last_die_turn(game, box, seat):
    """R1: the last die is everybody's; neither R3 nor helpers on a die apply to it."""
    open_turn(game, box, seat)
    push_step(game, Ask.END_TURN, seat)
    push_step(game, Ask.LAST_DIE, seat)


@kernel
def find_last_die(game):
    """The face of the die that is left, 0 if there is none."""
    for face in range(6):
        if game.dice_left[face] > 0:
            return face + 1
    return 0


@kernel
def list_last_die(game, options, n):
    """R1: it has to be used."""
    game.last_die = find_last_die(game)
    return put_number(game, options, n, Do.USE_DIE, game.last_die)
