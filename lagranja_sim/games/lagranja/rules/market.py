"""The market: placing markers and removing those of opponents (M1-M3, F10)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push_event, push_units
from lagranja_sim.games.lagranja.rules.holdings import credit, free_markers, put_on_space, take_off_space, wait_for_marker
from lagranja_sim.games.lagranja.rules.ledger import because
from lagranja_sim.games.lagranja.rules.names import Ask, Do, Event, Item, Reason, Step
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import MAX_SPACES, REF_LOST_MARKER
from lagranja_sim.kit.agenda import drop, dropped_task, top

ANY_VALUE = 0


@kernel
def list_options(game, box, kind, seat, options):
    """M1, M3: where the marker may go."""
    return list_spaces(game, box, seat, int(top(game).n), options)


@kernel
def apply_option(game, box, kind, seat, option):
    """M1: the marker placed or, in another's stead (M3), not."""
    if option.do == Do.DECLINE:
        drop(game)
    else:
        place_marker(game, box, int(option.space))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    market_marker(game, box, seat, dropped_task(game))


@kernel
def is_open(game, box, space):
    """Whether a space may be used with this number of players."""
    return (box.open_spaces[game.seats] >> space) & 1 == 1


@kernel
def has_free_space(game, box):
    """Whether an open space holds no marker."""
    for space in range(box.space_count):
        if game.space_owner[space] < 0 and is_open(game, box, space):
            return True
    return False


@kernel
def put_space(game, options, n, space):
    """One space to place a marker on."""
    n = put(game, options, n, Do.PLACE_MARKER)
    options[n - 1].space = space
    return n


@kernel
def is_of_value(game, box, space, value):
    """Whether an open space has a value."""
    return is_open(game, box, space) and (value == ANY_VALUE or box.spaces[space].value == value)


@kernel
def list_spaces(game, box, seat, value, options):
    """M1, M3: free open spaces of a value; if there is none, those opponents hold, which may be declined."""
    n = 0
    for space in range(box.space_count):
        if game.space_owner[space] < 0 and is_of_value(game, box, space, value):
            n = put_space(game, options, n, space)
    if n > 0 or value == ANY_VALUE:
        return n
    for space in range(box.space_count):
        if game.space_owner[space] != seat and is_of_value(game, box, space, value):
            n = put_space(game, options, n, space)
    return put(game, options, n, Do.DECLINE) if n > 0 else 0


@kernel
def has_place(game, box, seat, value):
    """Whether a marker could be placed on a space of a value, be it in another's stead."""
    for space in range(box.space_count):
        if is_of_value(game, box, space, value):
            if game.space_owner[space] < 0 or (value != ANY_VALUE and game.space_owner[space] != seat):
                return True
    return False


@inlined
def push_market_marker(game, seat, value, by_effect, reason, ref):
    """Let a seat place a marker next."""
    task = push_units(game, Step.MARKET_MARKER, seat, value, reason, ref)
    task.flag = by_effect


@inlined
def market_marker(game, box, seat, task):
    """A space is chosen once a marker is free for it (L1)."""
    value, by_effect, reason, ref = int(task.n), int(task.flag), int(task.reason), int(task.ref)
    if not has_place(game, box, seat, value):
        return
    push_units(game, Ask.PLACE_MARKER, seat, value, reason, ref).flag = by_effect
    if free_markers(game, box, seat) <= 0:
        wait_for_marker(game, seat)


@kernel
def is_removed_by(game, box, seat, space, neighbour):
    """M2: an opponent's marker on an adjacent open space of lower value."""
    if not (box.spaces[space].neighbours >> neighbour) & 1 or box.spaces[neighbour].value >= box.spaces[space].value:
        return False
    return game.space_owner[neighbour] >= 0 and game.space_owner[neighbour] != seat and is_open(game, box, neighbour)


@kernel
def place_marker(game, box, space):
    """M1-M3; by a roof nobody is removed and no marker counts as placed (F10), unless the variant says so."""
    drop(game)
    task = dropped_task(game)
    seat, reason, ref, by_effect = int(task.seat), int(task.reason), int(task.ref), int(task.flag)
    removes = not by_effect or box.market.roof_marker_removes
    if removes:
        push_removal_events(game, box, seat, space)
    if not by_effect:
        push_event(game, seat, Event.MARKER_PLACED, 0)
    if game.space_owner[space] >= 0:
        remove_marker(game, box, seat, space, by_effect)
    put_on_space(game, box, seat, space, reason, ref)
    if removes:
        remove_neighbours(game, box, seat, space, by_effect)


@kernel
def remove_neighbours(game, box, seat, space, earns_nothing):
    """M2: the opponents' markers that a marker just placed removes."""
    for neighbour in range(box.space_count):
        if is_removed_by(game, box, seat, space, neighbour):
            remove_marker(game, box, seat, neighbour, earns_nothing)


@kernel
def push_removal_events(game, box, seat, space):
    """The events of the removals to come: the replaced marker's first, then by space number."""
    for neighbour in range(box.space_count - 1, -1, -1):
        if is_removed_by(game, box, seat, space, neighbour):
            push_removal_event(game, seat, game.space_owner[neighbour])
    if game.space_owner[space] >= 0:
        push_removal_event(game, seat, game.space_owner[space])


@kernel
def push_removal_event(game, seat, owner):
    """One removal is answered by who removed, then by the owner."""
    push_event(game, owner, Event.OWN_MARKER_REMOVED, 0)
    push_event(game, seat, Event.OPPONENT_MARKER_REMOVED, 0)


@kernel
def remove_marker(game, box, seat, space, earns_nothing):
    """M2: back to its owner's supply, 1 point for who removed it; an effect earns none (F10), nor does the neutral player (O9)."""
    owner = int(game.space_owner[space])
    game.players[owner].markers_removed += 1
    take_off_space(game, box, seat, space, Reason.MARKET_REMOVAL)
    if box.market.removal_vp != 0 and not earns_nothing:
        credit(
            game, box, seat, Item.VP, box.market.removal_vp, because(Reason.MARKET_REMOVAL, REF_LOST_MARKER + MAX_SPACES * owner + space)
        )
