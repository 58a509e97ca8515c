"""The revenue phase: the dice are rolled and taken, the last one is everybody's (R1-R3, H2)."""

from enum import IntEnum

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_effect, push_effect_but, push_event, push_for_each, push_number
from lagranja_sim.games.lagranja.rules.anytime import list_anytime, open_turn
from lagranja_sim.games.lagranja.rules.events import push_answer
from lagranja_sim.games.lagranja.rules.ledger import note_list
from lagranja_sim.games.lagranja.rules.names import Ask, Do, Event, Note, Phase, Reason, Step, When
from lagranja_sim.games.lagranja.rules.options import put, put_number
from lagranja_sim.games.lagranja.rules.solo import push_picks
from lagranja_sim.games.lagranja.rules.state import REF_FACE, SLOTS
from lagranja_sim.kit.agenda import drop, dropped_task, top


class ModifyDie(IntEnum):
    """What a roof may do to the die about to be taken (R3)."""

    UP = 0
    UP_OR_DOWN = 1


@kernel
def list_options(game, box, kind, seat, options):
    """R1: the dice that may be taken, or the last one; H2: the spaces to reserve; R3: the ways to shift a die."""
    if kind == Ask.TAKE_DIE:
        n = list_dice(game, box, seat, options, 0)
        return list_anytime(game, box, kind, seat, options, n)
    if kind == Ask.LAST_DIE:
        n = list_last_die(game, options, 0)
        return list_anytime(game, box, kind, seat, options, n)
    if kind == Ask.RESERVE:
        return list_unreserved_faces(game, options)
    return list_shifts(game, int(top(game).n), options)


@kernel
def apply_option(game, box, kind, seat, option):
    """A die is taken or the last one used (R1), a space reserved (H2), a die shifted (R3)."""
    if kind == Ask.TAKE_DIE:
        take_die(game, box, int(option.n), int(option.m))
        return
    drop(game)
    if kind == Ask.LAST_DIE:
        push_face(game, box, seat, int(option.n))
    elif kind == Ask.RESERVE:
        game.reserved[option.n - 1] = seat + 1
    else:
        shift_die(game, int(option.n))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    task = dropped_task(game)
    if kind == Step.REVENUE:
        revenue_phase(game, box)
    elif kind == Step.BEFORE_ROLL:
        before_roll(game, box, seat)
    elif kind == Step.ROLL:
        roll(game, box)
    elif kind == Step.DIE_TURN:
        die_turn(game, box, seat, int(task.n))
    elif kind == Step.LAST_DIE_TURN:
        last_die_turn(game, box, seat)
    elif kind == Step.MODIFY_DIE:
        modify_die(game, box, seat, int(task.n))
    elif kind == Step.DIE_USED:
        game.die_face = task.n
    elif kind == Step.SECOND_OPTION:
        second_option(game, box, seat, int(task.reason), int(task.ref))
    elif kind == Step.PICKED:
        clear_reservations(game)
    else:
        clear_dice(game)


# --- the phase -------------------------------------------------------------------------------------------------------------------


@kernel
def revenue_phase(game, box):
    """R1: before the roll, the roll, each pick in turn order, the last die in turn order."""
    game.phase = Phase.REVENUE
    push(game, Step.DICE_GONE, 0)
    if box.setup.dice_extra > 0:
        push_for_each(game, Step.LAST_DIE_TURN)
    push(game, Step.PICKED, 0)
    if game.seats == 1:
        push_picks(game, box)
    else:
        for pick in range(box.setup.dice_per_player - 1, -1, -1):
            for position in range(game.seats - 1, -1, -1):
                push_number(game, Step.DIE_TURN, game.order[position], pick)
    push(game, Step.ROLL, 0)
    push_for_each(game, Step.BEFORE_ROLL)


@kernel
def before_roll(game, box, seat):
    """H2: helpers that act before the roll are offered."""
    player = game.players[seat]
    for slot in range(SLOTS - 1, -1, -1):
        card = player.helpers[slot]
        if card > 0 and box.cards[card].helper.when == When.BEFORE_ROLL:
            push_answer(game, seat, slot, card, 1)


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
    push(game, Ask.END_TURN, seat)
    push_number(game, Ask.TAKE_DIE, seat, pick)


@kernel
def is_reserved_from(game, seat, face):
    """H2: the last die of a space that another seat has marked."""
    owner = game.reserved[face] - 1
    return owner >= 0 and owner != seat and game.dice_left[face] == 1


@inlined
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
    task = dropped_task(game)
    seat, pick = int(task.seat), int(task.n)
    game.dice_left[face - 1] -= 1
    if pick < len(game.players[seat].dice):  # the game for one may have more picks
        game.players[seat].dice[pick] = face
    game.die_shift = 0
    push_event(game, seat, Event.REVENUE, counted)
    push_number(game, Step.DIE_USED, seat, counted)
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
    push(game, Ask.END_TURN, seat)
    push(game, Ask.LAST_DIE, seat)


@kernel
def find_last_die(game):
    """The face of the die that is left, 0 if there is none."""
    for face in range(6):
        if game.dice_left[face] > 0:
            return face + 1
    return 0


@inlined
def list_last_die(game, options, n):
    """R1: it has to be used."""
    game.last_die = find_last_die(game)
    return put_number(game, options, n, Do.USE_DIE, game.last_die)


# --- what effects do to dice --------------------------------------------------------------------------------------------------------


@kernel
def modify_die(game, box, seat, amount):
    """R3: the die about to be taken counts more; in the other reading of the rule more or less."""
    if game.turn_seat != seat:
        return
    if box.revenue.modify_die == ModifyDie.UP_OR_DOWN:
        push_number(game, Ask.SHIFT_DIE, seat, amount)
    else:
        shift_die(game, amount)


@kernel
def shift_die(game, amount):
    """R3: shifts add up; beyond five they make no difference."""
    game.die_shift = min(5, max(-5, int(game.die_shift) + amount))


@inlined
def list_shifts(game, amount, options):
    """The other reading of R3: up or down."""
    n = put_number(game, options, 0, Do.SHIFT, amount)
    return put_number(game, options, n, Do.SHIFT, -amount)


@inlined
def list_unreserved_faces(game, options):
    """H2: revenue spaces nobody has marked."""
    n = 0
    for face in range(6):
        if game.reserved[face] == 0:
            n = put_number(game, options, n, Do.RESERVE, face + 1)
    return n


@kernel
def second_option(game, box, seat, reason, ref):
    """H3: another alternative of the die just used."""
    push_effect_but(game, seat, box.revenue.faces[game.die_face - 1], game.die_alternative, reason, ref)
