"""What effects are worth, by the plan in the scratch: dice, roofs, helpers, commodities, incomes, written in any way the language allows."""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.holdings import free_pig_spaces
from lagranja_sim.games.lagranja.rules.modifiers import strength
from lagranja_sim.games.lagranja.rules.names import EVENTS, HARVEST, UPGRADED_FROM, Event, Goods, Item, Passive, Verb, When
from lagranja_sim.games.lagranja.rules.paying import class_bounds
from lagranja_sim.games.lagranja.toolkit.needs import held
from lagranja_sim.games.lagranja.toolkit.plan import (
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
EVENT_RATE[[Event.BREED, Event.INCOME, Event.GROWTH, Event.ROOF_BOUGHT, Event.START_PLAYER, Event.REVENUE, Event.CARD_PLAYED]] = (
    0.4,
    1.0,
    1.0,
    0.8,
    0.2,
    0.6,
    0.3,
)
EVENT_RATE[[Event.BARROW_DONE, Event.BUILDING_DONE, Event.MARKER_PLACED, Event.OWN_MARKER_REMOVED, Event.OPPONENT_MARKER_REMOVED, Event.SCORING]] = (
    0.6, 0.3, 0.6, 0.2, 0.3, 1.0,
)  # fmt: skip
# About what one unit of a passive is worth a round, in silver but for the last five, which are in points.
PASSIVE_RATE = np.zeros(11)
PASSIVE_RATE[[Passive.UPGRADE_COST, Passive.BUY_PRICE, Passive.SELL_PRICE, Passive.ROOF_COST, Passive.EXTENSION_COST]] = (
    -1.5,
    -0.7,
    0.5,
    -0.8,
    -0.4,
)
PASSIVE_RATE[
    [Passive.PIG_SPACE, Passive.HAND_LIMIT, Passive.EXTRA_DELIVERY, Passive.FREE_DELIVERY, Passive.SIESTA_STEPS, Passive.PIGLETS]
] = 0.15, 0.15, 0.7, 1.2, 0.4, 0.3


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
    total, least = 0.0, box.scratch[Item.OLIVE]
    for good in range(HARVEST):
        total += box.scratch[good]
        least = min(least, box.scratch[good])
    if count >= HARVEST:
        return total
    return total - least if count == 2 else max(box.scratch[Item.OLIVE], max(box.scratch[Item.OLIVE + 1], box.scratch[Item.GRAPE]))


@inlined
def gain_worth(game, box, seat, what, amount, weights):
    """So much of a good, class or card."""
    if what == Goods.CARD:
        return amount * weights[W_CARD]
    if what == Goods.HARVEST_DIFFERENT:
        return different_harvest_worth(box, amount)
    if what == Item.PIG:
        fits = min(amount, free_pig_spaces(game, box, seat))
        return fits * box.scratch[Item.PIG] + (amount - fits) * weights[W_SILVER] * float(box.prices.sell[Item.PIG])
    return amount * (box.scratch[what] if what <= Item.VP else class_worth(box, what))


@inlined
def paid_worth(box, player, what, amount):
    """So much of a good, or of the good of a class that is least missed."""
    if what <= Item.VP:
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
    if verb == Verb.GAIN:
        return gain_worth(game, box, seat, op.what, amount, weights)
    if verb == Verb.PAY:
        return -paid_worth(box, player, op.what, amount)
    if verb == Verb.UPGRADE:
        return upgrade_worth(box, player, amount, op.what)
    if verb == Verb.DELIVER:
        return amount * box.scratch[BEST_RATE]
    if verb == Verb.SIESTA:
        return min(amount, int(box.siesta_top) - int(player.siesta)) * box.scratch[STEP_WORTH]
    if verb == Verb.SIESTA_VP:
        return float(box.transport.siesta_vp[player.siesta])
    if verb == Verb.PLAY_CARD:
        return 1.5 * weights[W_CARD] if player.hand_size > 0 else 0.0
    if verb == Verb.PLACE_MARKER:
        return marker_worth(game, box, weights)
    if verb == Verb.DOUBLE_ROOF_VP:
        return float(game.covered_vp)
    if verb == Verb.REVENUE or verb == Verb.SECOND_OPTION or verb == Verb.INCOME or verb == Verb.FLIP_ROOF:
        return weights[W_GOOD]
    if verb == Verb.RESERVE_REVENUE or verb == Verb.MODIFY_DIE:
        return 0.5 * weights[W_GOOD]
    return 0.5 * amount * weights[W_DELIVERY] if verb == Verb.EXTRA_DELIVERY else 0.0


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
        total += rate * weights[W_SILVER] if op.verb <= Passive.EXTENSION_COST else rate
    return total


@inlined
def stream_part_worth(box, op, weights):
    """One part of an effect that comes again and again: what it would be worth on an average day, not on this one."""
    n = float(op.n)
    if op.verb == Verb.PAY or op.verb == Verb.GAIN:
        sign = 1.0 if op.verb == Verb.GAIN else -1.0
        if op.what == Item.VP:
            return sign * n
        if op.what == Item.SILVER:
            return sign * n * weights[W_SILVER]
        return sign * n * (weights[W_CARD] if op.what == Goods.CARD else weights[W_GOOD])
    if op.verb == Verb.UPGRADE:
        return n * weights[W_GOOD]
    if op.verb == Verb.DELIVER:
        return n * weights[W_DELIVERY]
    if op.verb == Verb.SIESTA:
        return n * (0.3 + weights[W_ORDER])
    return 0.4


@kernel
def ability_worth(box, ability, weights):
    """An ability, a round."""
    if ability.effect < 0:
        return 0.0
    if ability.when == When.PASSIVE:
        return weights[W_STREAM] * passive_worth(box, ability, weights)
    total = 0.0
    run = box.alternatives[box.effects[ability.effect].first]
    for index in range(run.first, run.first + run.length):
        total += stream_part_worth(box, box.ops[index], weights)
    if ability.cost >= 0:
        cost = box.alternatives[ability.cost]
        for index in range(cost.first, cost.first + cost.length):
            total += stream_part_worth(box, box.ops[index], weights)
    rate = EVENT_RATE[ability.event] if ability.when == When.ON else 0.8 if ability.when == When.ACTION else 0.5
    return weights[W_STREAM] * rate * max(0.0, total)
