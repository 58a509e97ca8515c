"""What players own: the one function through which anything changes hands, and the limits of stables and markers (F12, L1)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_number, push_units
from lagranja_sim.games.lagranja.rules.ledger import because, note_change, note_marker, reason_of, ref_of
from lagranja_sim.games.lagranja.rules.modifiers import modifier, sell_price
from lagranja_sim.games.lagranja.rules.names import KINDS, SOURCE_OF_REASON, Ask, Error, Item, Passive, Reason, Step
from lagranja_sim.games.lagranja.rules.state import SLOTS
from lagranja_sim.kit.agenda import drop, fail, top

NO_LIMIT = 10_000
NOTHING, WITH_A_MARKER, FREELY = range(3)  # what an act would do: nothing, something but for a marker to be given up first, or something
MOST = 32_767  # that a stock can hold


@kernel
def run_step(game, box, kind, seat):
    """L1: the step on top, which stays there for as long as it waits for markers."""
    if kind == Step.RECEIVE:
        receive_unit(game, box, seat)
    else:
        go_on_with_marker(game, box, seat)


@kernel
def credit(game, box, seat, thing, amount, cause):
    """The only way anything of a player's changes: stock, points by source, markers in use and, when one is kept, the ledger."""
    player = game.players[seat]
    after = int(player.stock[thing]) + amount
    if after < 0:
        fail(game, Error.NEGATIVE_STOCK)
    if after > MOST:
        fail(game, Error.STOCK_TOO_LARGE)
        return
    player.stock[thing] = after
    if thing == Item.VP:
        player.points[SOURCE_OF_REASON[reason_of(cause)]] += amount
    elif thing != Item.SILVER:
        player.markers += amount
        if thing == Item.PIG and amount > 0:
            player.pigs += amount
    if box.ledger_on:
        note_change(game, box, seat, thing, amount, cause)


@kernel
def put_on_space(game, box, seat, space, reason, ref):
    """A marker of a seat comes to lie on a free market space."""
    if box.ledger_on:
        note_marker(game, box, seat, space, reason, ref)
    game.space_owner[space] = seat
    game.players[seat].markers += 1


@kernel
def take_off_space(game, box, seat, space, reason):
    """A seat takes the marker, its own or another's, off a market space; it goes back to its owner's supply."""
    if box.ledger_on:
        note_marker(game, box, seat, space, reason, 0)
    game.players[game.space_owner[space]].markers -= 1
    game.space_owner[space] = -1


@inlined
def free_markers(game, box, seat):
    """L1: how many markers are not in use."""
    if box.setup.markers == 0:
        return NO_LIMIT
    return int(box.setup.markers - game.players[seat].markers)


@inlined
def free_pig_spaces(game, box, seat):
    """Stables of the board, of extensions and of helpers that hold no pig yet."""
    player = game.players[seat]
    return max(0, box.farm.pig_spaces + player.pig_icons + modifier(game, box, seat, Passive.PIG_SPACE) - player.stock[Item.PIG])


@kernel
def sell_surplus_pigs(game, box, seat):
    """F2: after a replacement, pigs above the space left are sold at once."""
    player = game.players[seat]
    spaces = max(0, box.farm.pig_spaces + player.pig_icons + modifier(game, box, seat, Passive.PIG_SPACE))
    surplus = player.stock[Item.PIG] - spaces
    if surplus > 0:
        credit(game, box, seat, Item.PIG, -surplus, because(Reason.NO_SPACE, 0))
        sell_homeless_pigs(game, box, seat, surplus, 0)


@kernel
def sell_homeless_pigs(game, box, seat, pigs, ref):
    """F12: what has no space is sold at the owner's price."""
    silver = pigs * sell_price(game, box, seat, Item.PIG)
    if silver > 0:
        credit(game, box, seat, Item.SILVER, silver, because(Reason.NO_SPACE, ref))


@kernel
def receive(game, box, seat, thing, amount, cause):
    """A gain, last act of whoever calls: where markers run out it is asked unit by unit (L1)."""
    if thing == Item.PIG:
        homeless = amount - free_pig_spaces(game, box, seat)
        if homeless > 0:
            sell_homeless_pigs(game, box, seat, homeless, ref_of(cause))
            amount = amount - homeless
    if amount <= 0:
        return
    if thing == Item.VP or thing == Item.SILVER or amount <= free_markers(game, box, seat):
        take_in(game, box, seat, thing, amount, cause)
    else:
        push_gain(game, seat, thing, amount, reason_of(cause), ref_of(cause))


@kernel
def take_in(game, box, seat, thing, amount, cause):
    """A gain for which the markers are there; piglets are counted for who waits for them (H4)."""
    credit(game, box, seat, thing, amount, cause)
    if reason_of(cause) == Reason.BREED:
        game.piglets += amount


@inlined
def push_gain(game, seat, thing, amount, reason, ref):
    """Let units of a gain come in next, one by one as markers allow (L1)."""
    task = push_units(game, Step.RECEIVE, seat, amount, reason, ref)
    task.what = thing


@inlined
def receive_unit(game, box, seat):
    """L1: one unit of a gain that markers are short for; forgone units were counted down by the answer."""
    task = top(game)
    if task.n <= 0:
        drop(game)
    elif free_markers(game, box, seat) > 0:
        task.n -= 1
        take_in(game, box, seat, task.what, 1, because(task.reason, task.ref))
    else:
        push(game, Ask.GIVE_UP, seat)


@kernel
def wait_for_marker(game, seat):
    """L1: the task on top waits until a marker has been given up for it; forgone, it does not take place."""
    push_number(game, Step.WAIT_FOR_MARKER, seat, 1)


@inlined
def go_on_with_marker(game, box, seat):
    """L1: the task below goes on with a free marker; n is 0 when it is forgone."""
    if top(game).n <= 0:
        drop(game)
        drop(game)
    elif free_markers(game, box, seat) > 0:
        drop(game)
    else:
        push(game, Ask.GIVE_UP, seat)


@inlined
def marker_prospect(game, box, seat):
    """L1: whether what needs a marker could happen freely, only with one that is given up, or not at all."""
    if free_markers(game, box, seat) > 0:
        return FREELY
    return WITH_A_MARKER if can_give_up(game, box, seat) else NOTHING


@kernel
def can_give_up(game, box, seat):
    """L1: a marker in a den, stable, field, the storage, on a barrow or on the market."""
    player = game.players[seat]
    for thing in range(len(player.stock)):
        if thing != Item.VP and thing != Item.SILVER and player.stock[thing] > 0:
            return True
    for space in range(len(game.space_owner)):
        if game.space_owner[space] == seat:
            return True
    for slot in range(SLOTS):
        for kind in range(KINDS):
            if markers_on_barrow(player, box, slot, kind) > 0:
                return True
    return False


@kernel
def markers_on_barrow(player, box, slot, kind):
    """Symbols of a kind that are filled on a barrow not yet complete."""
    if player.barrows[slot] == 0 or player.barrow_left[slot] == 0:
        return 0
    return int(box.cards[player.barrows[slot]].barrow[kind]) - int(player.barrow_missing[slot, kind])
