"""Events, who answers them (H4), and using an ability at last (F8-F11, H1)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.abilities import (
    FROM_BUILDING,
    FROM_ROOF,
    answers,
    building_answers,
    is_spent,
    source_ability,
    source_reason,
    source_ref,
)
from lagranja_sim.games.lagranja.rules.agenda import push, push_effect
from lagranja_sim.games.lagranja.rules.availability import is_usable, use_prospect
from lagranja_sim.games.lagranja.rules.effects import push_part
from lagranja_sim.games.lagranja.rules.holdings import NOTHING, WITH_A_MARKER, wait_for_marker
from lagranja_sim.games.lagranja.rules.ledger import note_flip, note_use
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Ask, Do, Event, Reason, Step
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import REF_ROOF, SLOTS
from lagranja_sim.kit.agenda import count_down, drop, dropped_task, top


@kernel
def list_options(game, box, kind, seat, options):
    """What is offered, or the roofs to be turned."""
    if kind == Ask.OFFER:
        return list_offer(game, seat, int(top(game).what), options)
    return list_used_roofs(game, seat, int(top(game).ref) - REF_ROOF, options)


@kernel
def apply_option(game, box, kind, seat, option):
    """The offer taken or declined, or a roof turned."""
    if kind == Ask.OFFER:
        source = int(top(game).what)
        drop(game)
        if option.do != Do.DECLINE:
            use(game, box, seat, source)
    else:
        count_down(game)
        flip_roof(game, box, seat, int(option.slot))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    task = dropped_task(game)
    if kind == Step.EVENT:
        push_answers(game, box, seat, int(task.what), int(task.n))
    elif kind == Step.ANSWER:
        answer(game, box, seat, int(task.what), int(task.ref), int(task.flag))
    else:
        use(game, box, seat, int(task.what))


# --- events and who answers them -----------------------------------------------------------------------------------------------------


@inlined
def push_answer(game, seat, source, card, always_offered):
    """Let an ability answer next; of a helper it is noted which one it is."""
    task = push(game, Step.ANSWER, seat)
    task.what = source
    task.ref = card
    task.flag = always_offered


@kernel
def push_answers(game, box, seat, event, argument):
    """Let the helpers by slot, then the permanent buildings by number, answer an event."""
    for building in range(len(BUILDINGS) - 1, -1, -1):
        if building_answers(game, box, seat, building, event, argument):
            push_answer(game, seat, FROM_BUILDING + building, 0, 0)
    player = game.players[seat]
    for slot in range(SLOTS - 1, -1, -1):
        card = player.helpers[slot]
        if card > 0 and answers(box.cards[card].helper, event, argument):
            push_answer(game, seat, slot, card, 0)


@kernel
def push_roof_answers(game, box, seat):
    """F9: own face-up roofs that wait for a roof to be placed."""
    player = game.players[seat]
    for space in range(player.roof_count - 1, -1, -1):
        if not player.roof_used[space] and answers(box.roofs[player.roofs[space]], Event.ROOF_BOUGHT, 0):
            push_answer(game, seat, FROM_ROOF + space, 0, 1)


@inlined
def answer(game, box, seat, source, card, always_offered):
    """An event's turn for one ability: a pure gain happens by itself, else it is offered, but not in another's turn (M5)."""
    if source < FROM_BUILDING and game.players[seat].helpers[source] != card:
        return
    if not is_usable(game, box, seat, source):
        return
    ability = source_ability(game, box, seat, source)
    if ability.cost < 0 and box.effects[ability.effect].is_gain and not always_offered:
        use(game, box, seat, source)
    elif game.turn_seat < 0 or game.turn_seat == seat:
        push(game, Ask.OFFER, seat).what = source


# --- using an ability ------------------------------------------------------------------------------------------------------------------


@kernel
def use(game, box, seat, source):
    """F8, H1: spend a use, pay the cost, then let the effect happen. Where it would do nothing without a marker, that comes first (L1)."""
    prospect = use_prospect(game, box, seat, source)
    if prospect == NOTHING:  # by the marker that was given up
        return
    if prospect == WITH_A_MARKER and is_spent(source):
        push(game, Step.USE, seat).what = source
        wait_for_marker(game, seat)
    else:
        spend(game, box, seat, source)


@kernel
def spend(game, box, seat, source):
    """The use and the cost of an ability, then its effect."""
    player = game.players[seat]
    ability = source_ability(game, box, seat, source)
    ref = source_ref(game, seat, source)
    if box.ledger_on:
        note_use(game, box, seat, ref)
    push_effect(game, seat, ability.effect, source_reason(source), ref)
    if source >= FROM_ROOF:
        player.roof_used[source - FROM_ROOF] = 1
    elif source < FROM_BUILDING:
        player.helper_used[source] += 1
        if ability.cost >= 0:
            push_part(game, seat, box.alternatives[ability.cost].first, ability.cost, Reason.HELPER_COST, ref)


@inlined
def put_use(game, seat, source, options, n):
    """An ability to be used."""
    player = game.players[seat]
    if source >= FROM_ROOF:
        n = put(game, options, n, Do.USE_ROOF)
        options[n - 1].card = player.roofs[source - FROM_ROOF]
        options[n - 1].slot = source - FROM_ROOF
    elif source >= FROM_BUILDING:
        n = put(game, options, n, Do.USE_BUILDING)
        options[n - 1].building = source - FROM_BUILDING
    else:
        n = put(game, options, n, Do.USE_HELPER)
        options[n - 1].card = player.helpers[source]
        options[n - 1].slot = source
    return n


@inlined
def list_offer(game, seat, source, options):
    """Take it or leave it."""
    n = put_use(game, seat, source, options, 0)
    return put(game, options, n, Do.DECLINE)


@inlined
def list_used_roofs(game, seat, but, options):
    """F11: own roofs that lie face down, but the one whose effect this is (a roof number)."""
    player, n = game.players[seat], 0
    for space in range(player.roof_count):
        if player.roof_used[space] and player.roofs[space] != but:
            n = put(game, options, n, Do.FLIP_ROOF)
            options[n - 1].card = player.roofs[space]
            options[n - 1].slot = space
    return n


@kernel
def flip_roof(game, box, seat, space):
    """F11: a used roof is face up again."""
    game.players[seat].roof_used[space] = 0
    if box.ledger_on:
        note_flip(game, box, seat, game.players[seat].roofs[space])
