"""What effects are worth, by the plan in the scratch: dice, roofs, helpers, commodities, incomes, written in any way the language allows."""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.rules.holdings import free_pig_spaces
from lagranja_sim.rules.modifiers import strength
from lagranja_sim.rules.paying import class_bounds
from lagranja_sim.rules.state import (
    CARD,
    CLASS_HARVEST_DIFFERENT,
    E_BARROW_DONE,
    E_BREED,
    E_BUILDING_DONE,
    E_CARD_PLAYED,
    E_GROWTH,
    E_INCOME,
    E_MARKER_PLACED,
    E_OPPONENT_MARKER_REMOVED,
    E_OWN_MARKER_REMOVED,
    E_REVENUE,
    E_ROOF_BOUGHT,
    E_SCORING,
    E_START_PLAYER,
    EVENTS,
    GRAPE,
    HARVEST,
    OLIVE,
    P_BUY_PRICE,
    P_EXTENSION_COST,
    P_EXTRA_DELIVERY,
    P_FREE_DELIVERY,
    P_HAND_LIMIT,
    P_PIG_SPACE,
    P_PIGLETS,
    P_ROOF_COST,
    P_SELL_PRICE,
    P_SIESTA_STEPS,
    P_UPGRADE_COST,
    PIG,
    SILVER,
    UPGRADED_FROM,
    V_DELIVER,
    V_DOUBLE_ROOF_VP,
    V_EXTRA_DELIVERY,
    V_FLIP_ROOF,
    V_GAIN,
    V_INCOME,
    V_MODIFY_DIE,
    V_PAY,
    V_PLACE_MARKER,
    V_PLAY_CARD,
    V_RESERVE,
    V_REVENUE_ROUND,
    V_SECOND_OPTION,
    V_SIESTA,
    V_SIESTA_VP,
    V_UPGRADE,
    VP,
    WHEN_ACTION,
    WHEN_EVENT,
    WHEN_PASSIVE,
)
from lagranja_sim.toolkit.needs import held
from lagranja_sim.toolkit.plan import (
    BEST_RATE,
    BEST_UPGRADE,
    KEPT,
    SECOND_UPGRADE,
    STEP_WORTH,
    W_CARD,
    W_DELIVERY,
    W_GOOD,
    W_ORDER,
    W_SILVER,
    W_STREAM,
    lost_worth,
    marker_worth,
)

# About how often in a round an event comes to a player.
EVENT_RATE = np.zeros(len(EVENTS))
EVENT_RATE[[E_BREED, E_INCOME, E_GROWTH, E_ROOF_BOUGHT, E_START_PLAYER, E_REVENUE, E_CARD_PLAYED]] = 0.4, 1.0, 1.0, 0.8, 0.2, 0.6, 0.3
EVENT_RATE[[E_BARROW_DONE, E_BUILDING_DONE, E_MARKER_PLACED, E_OWN_MARKER_REMOVED, E_OPPONENT_MARKER_REMOVED, E_SCORING]] = (
    0.6, 0.3, 0.6, 0.2, 0.3, 1.0,
)  # fmt: skip
# About what one unit of a passive is worth a round, in silver but for the last five, which are in points.
PASSIVE_RATE = np.zeros(11)
PASSIVE_RATE[[P_UPGRADE_COST, P_BUY_PRICE, P_SELL_PRICE, P_ROOF_COST, P_EXTENSION_COST]] = -1.5, -0.7, 0.5, -0.8, -0.4
PASSIVE_RATE[[P_PIG_SPACE, P_HAND_LIMIT, P_EXTRA_DELIVERY, P_FREE_DELIVERY, P_SIESTA_STEPS, P_PIGLETS]] = 0.15, 0.15, 0.7, 1.2, 0.4, 0.3


@kernel
def class_worth(box, what):
    """The best good of a class."""
    first, end = class_bounds(what)
    best = box.scratch[first]
    for good in range(first + 1, end):
        best = max(best, box.scratch[good])
    return best


@kernel
def different_harvest_worth(box, count):
    """The best `count` different harvest goods."""
    total, least = 0.0, box.scratch[OLIVE]
    for good in range(HARVEST):
        total += box.scratch[good]
        least = min(least, box.scratch[good])
    if count >= HARVEST:
        return total
    return total - least if count == 2 else max(box.scratch[OLIVE], max(box.scratch[OLIVE + 1], box.scratch[GRAPE]))


@inlined
def gain_worth(game, box, seat, what, amount, weights):
    """So much of a good, class or card."""
    if what == CARD:
        return amount * weights[W_CARD]
    if what == CLASS_HARVEST_DIFFERENT:
        return different_harvest_worth(box, amount)
    if what == PIG:
        fits = min(amount, free_pig_spaces(game, box, seat))
        return fits * box.scratch[PIG] + (amount - fits) * weights[W_SILVER] * float(box.sell_price[PIG])
    return amount * (box.scratch[what] if what <= VP else class_worth(box, what))


@inlined
def paid_worth(box, player, what, amount):
    """So much of a good, or of the good of a class that is least missed."""
    if what <= VP:
        return amount * lost_worth(box, what)
    first, end = class_bounds(what)
    least = -1.0
    for good in range(first, end):
        if player.stock[good] > 0 and (least < 0.0 or lost_worth(box, good) < least):
            least = lost_worth(box, good)
    return amount * max(0.0, least)


@inlined
def upgrade_worth(box, player, amount, only):
    """The best free upgrades at hand."""
    if only >= 0:
        return max(0.0, box.scratch[UPGRADED_FROM[only]] - box.scratch[KEPT + only]) if held(player, only) > 0 else 0.0
    best = box.scratch[BEST_UPGRADE]
    return best if amount < 2 else best + box.scratch[SECOND_UPGRADE]


@inlined
def part_worth(game, box, seat, op, weights):
    """One part of an effect."""
    amount = strength(game, seat, op)
    if amount <= 0:
        return 0.0
    player = game.players[seat]
    verb = op.verb
    if verb == V_GAIN:
        return gain_worth(game, box, seat, op.what, amount, weights)
    if verb == V_PAY:
        return -paid_worth(box, player, op.what, amount)
    if verb == V_UPGRADE:
        return upgrade_worth(box, player, amount, op.what)
    if verb == V_DELIVER:
        return amount * box.scratch[BEST_RATE]
    if verb == V_SIESTA:
        return min(amount, int(box.siesta_top) - int(player.siesta)) * box.scratch[STEP_WORTH]
    if verb == V_SIESTA_VP:
        return float(box.siesta_vp[player.siesta])
    if verb == V_PLAY_CARD:
        return 1.5 * weights[W_CARD] if player.hand_size > 0 else 0.0
    if verb == V_PLACE_MARKER:
        return marker_worth(game, box, weights)
    if verb == V_DOUBLE_ROOF_VP:
        return float(game.covered_vp)
    if verb == V_REVENUE_ROUND or verb == V_SECOND_OPTION or verb == V_INCOME or verb == V_FLIP_ROOF:
        return weights[W_GOOD]
    if verb == V_RESERVE or verb == V_MODIFY_DIE:
        return 0.5 * weights[W_GOOD]
    return 0.5 * amount * weights[W_DELIVERY] if verb == V_EXTRA_DELIVERY else 0.0


@kernel
def alternative_worth(game, box, seat, alternative, weights):
    """All parts of an alternative."""
    run = box.alternatives[alternative]
    total = 0.0
    for index in range(run.first, run.first + run.length):
        total += part_worth(game, box, seat, box.ops[index], weights)
    return total


@kernel
def effect_worth(game, box, seat, effect, weights):
    """The best alternative of an effect."""
    if effect < 0:
        return 0.0
    run = box.effects[effect]
    best = alternative_worth(game, box, seat, run.first, weights)
    for alternative in range(run.first + 1, run.first + run.length):
        best = max(best, alternative_worth(game, box, seat, alternative, weights))
    return best


@kernel
def cost_worth(game, box, seat, ability, weights):
    """What an ability's cost is worth, as a negative number."""
    return alternative_worth(game, box, seat, ability.cost, weights) if ability.cost >= 0 else 0.0


@inlined
def passive_worth(box, ability, weights):
    """A passive, a round."""
    total = 0.0
    run = box.alternatives[box.effects[ability.effect].first]
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        rate = PASSIVE_RATE[op.verb] * op.n
        total += rate * weights[W_SILVER] if op.verb <= P_EXTENSION_COST else rate
    return total


@inlined
def stream_part_worth(box, op, weights):
    """One part of an effect that comes again and again: what it would be worth on an average day, not on this one."""
    n = float(op.n)
    if op.verb == V_PAY or op.verb == V_GAIN:
        sign = 1.0 if op.verb == V_GAIN else -1.0
        if op.what == VP:
            return sign * n
        if op.what == SILVER:
            return sign * n * weights[W_SILVER]
        return sign * n * (weights[W_CARD] if op.what == CARD else weights[W_GOOD])
    if op.verb == V_UPGRADE:
        return n * weights[W_GOOD]
    if op.verb == V_DELIVER:
        return n * weights[W_DELIVERY]
    if op.verb == V_SIESTA:
        return n * (0.3 + weights[W_ORDER])
    return 0.4


@kernel
def ability_worth(box, ability, weights):
    """An ability, a round."""
    if ability.effect < 0:
        return 0.0
    if ability.when == WHEN_PASSIVE:
        return weights[W_STREAM] * passive_worth(box, ability, weights)
    total = 0.0
    run = box.alternatives[box.effects[ability.effect].first]
    for index in range(run.first, run.first + run.length):
        total += stream_part_worth(box, box.ops[index], weights)
    if ability.cost >= 0:
        cost = box.alternatives[ability.cost]
        for index in range(cost.first, cost.first + cost.length):
            total += stream_part_worth(box, box.ops[index], weights)
    rate = EVENT_RATE[ability.event] if ability.when == WHEN_EVENT else 0.8 if ability.when == WHEN_ACTION else 0.5
    return weights[W_STREAM] * rate * max(0.0, total)
