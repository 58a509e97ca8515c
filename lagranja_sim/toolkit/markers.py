"""What acts are worth where no marker is free (L1): the one to give up is a part of their price, and what was begun is carried through.

Who begins an act and then forgoes it has changed nothing, and is asked again as long as anytime actions are left (A5).
"""

import numpy as np

from lagranja_sim.compile import kernel
from lagranja_sim.rules.effects import FROM_ROOF, use_prospect
from lagranja_sim.rules.holdings import WITH_A_MARKER, markers_on_barrow
from lagranja_sim.rules.state import (
    ASK_PLACE_MARKER,
    DO_BUY,
    DO_BUY_DELIVERIES,
    DO_BUY_DELIVERY,
    DO_DELIVER,
    DO_USE_HELPER,
    DO_USE_ROOF,
    KINDS,
    SILVER,
    SLOTS,
    STEP_RECEIVE,
    VP,
)
from lagranja_sim.rules.transport import purchase_prospect
from lagranja_sim.toolkit.plan import lost_worth, marker_worth


@kernel
def asks_for_marker(game, box, seat, option):
    """Whether an option asks for a marker to be given up before anything happens; no marker is free."""
    do = option.do
    if do == DO_BUY:
        return True
    if do == DO_DELIVER:
        return option.good == SILVER
    if do == DO_USE_ROOF:
        return use_prospect(game, box, seat, FROM_ROOF + int(option.slot)) == WITH_A_MARKER
    if do == DO_USE_HELPER:
        return use_prospect(game, box, seat, int(option.slot)) == WITH_A_MARKER
    if do == DO_BUY_DELIVERY or do == DO_BUY_DELIVERIES:
        return purchase_prospect(game, box, seat, max(1, int(option.n))) == WITH_A_MARKER
    return False


@kernel
def cheapest_marker(game, box, seat, weights):
    """The least that could be lost by giving up a marker, by the plan in the scratch."""
    player, least = game.players[seat], np.inf
    for thing in range(len(player.stock)):
        if thing != SILVER and thing != VP and player.stock[thing] > 0:
            least = min(least, lost_worth(box, thing))
    for slot in range(SLOTS):
        for kind in range(KINDS):
            if markers_on_barrow(player, box, slot, kind) > 0:
                least = min(least, lost_worth(box, kind))
    for space in range(box.space_count):
        if game.space_owner[space] == seat:
            least = min(least, marker_worth(game, box, weights))
    return least


@kernel
def awaited_worth(game, box, weights):
    """What is lost by forgoing: a good, a market marker, or an act already weighed up when it was begun, which nothing outweighs."""
    waiting = game.agenda[game.depth - 2]
    if waiting.kind == STEP_RECEIVE:
        return lost_worth(box, int(waiting.what))
    if game.agenda[game.depth - 3].kind == ASK_PLACE_MARKER:
        return marker_worth(game, box, weights)
    return 1e6
