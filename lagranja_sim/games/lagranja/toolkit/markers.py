"""What acts are worth where no marker is free (L1): a marker has to be given up as part of their price, and an act once begun is carried
through.

A seat that begins an act and then forgoes it has changed nothing, and is asked again as long as it has anytime actions left (A5).
"""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.availability import use_prospect
from lagranja_sim.games.lagranja.rules.holdings import WITH_A_MARKER
from lagranja_sim.games.lagranja.rules.names import Ask, Step
from lagranja_sim.games.lagranja.rules.transport import purchase_prospect
from lagranja_sim.games.lagranja.toolkit.plan import lost_worth, marker_worth
from lagranja_sim.kit.agenda import below


@inlined
def use_marker_price(game, box, seat, source, plan):
    """What the marker is worth that using a roof or helper takes (by its source, as in rules/abilities.py); 0 unless it does nothing without."""
    if plan.marker_price > 0.0 and use_prospect(game, box, seat, source) == WITH_A_MARKER:
        return plan.marker_price
    return 0.0


@inlined
def purchase_marker_price(game, box, seat, count, plan):
    """What the marker is worth that buying deliveries takes; 0 unless silver is all that they could deliver."""
    if plan.marker_price > 0.0 and purchase_prospect(game, box, seat, count) == WITH_A_MARKER:
        return plan.marker_price
    return 0.0


@kernel
def awaited_worth(game, box, plan):
    """What is lost by forgoing: a good, a market marker, or an act already judged worth its price when it was begun, which outweighs everything."""
    waiting = below(game, 1)
    if waiting.kind == Step.RECEIVE:
        return lost_worth(plan, int(waiting.what))
    if below(game, 2).kind == Ask.PLACE_MARKER:
        return marker_worth(box, plan)
    return 1e6
