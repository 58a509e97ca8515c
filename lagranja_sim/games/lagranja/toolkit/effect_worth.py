"""What effects are worth by the plan: of dice, roofs, helpers, commodities and incomes, in anything that the language of effects can say."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.holdings import free_pig_spaces
from lagranja_sim.games.lagranja.rules.modifiers import strength
from lagranja_sim.games.lagranja.rules.names import HARVEST, UPGRADED_FROM, Goods, Item, Passive, Verb, When
from lagranja_sim.games.lagranja.rules.paying import class_bounds
from lagranja_sim.games.lagranja.toolkit.needs import held
from lagranja_sim.games.lagranja.toolkit.plan import lost_worth, marker_worth
from lagranja_sim.games.lagranja.toolkit.rates import EVENT_RATE, PASSIVE_RATE
from lagranja_sim.games.lagranja.toolkit.weights import Weight


@kernel
def class_worth(plan, what):
    """The worth of the best good of a class."""
    first, end = class_bounds(what)
    best = plan.worth[first]
    for good in range(first + 1, end):
        best = max(best, plan.worth[good])
    return best


@kernel
def different_harvest_worth(plan, count):
    """The worth of the best `count` different harvest goods."""
    total, least = 0.0, plan.worth[Item.OLIVE]
    for good in range(HARVEST):
        total += plan.worth[good]
        least = min(least, plan.worth[good])
    if count >= HARVEST:
        return total
    return total - least if count == 2 else max(plan.worth[Item.OLIVE], max(plan.worth[Item.OLIVE + 1], plan.worth[Item.GRAPE]))


@inlined
def gain_worth(game, box, seat, what, amount, plan):
    """The worth of gaining an amount of a good, of a class of goods, or of cards."""
    if what == Goods.CARD:
        return amount * plan.weights[Weight.CARD]
    if what == Goods.HARVEST_DIFFERENT:
        return different_harvest_worth(plan, amount)
    if what == Item.PIG:
        fits = min(amount, free_pig_spaces(game, box, seat))
        return fits * plan.worth[Item.PIG] + (amount - fits) * plan.weights[Weight.SILVER] * float(box.prices.sell[Item.PIG])
    return amount * (plan.worth[what] if what <= Item.VP else class_worth(plan, what))


@inlined
def paid_worth(player, what, amount, plan):
    """What is lost by paying an amount of a good, or of the good of a class that is least missed."""
    if what <= Item.VP:
        return amount * lost_worth(plan, what)
    first, end = class_bounds(what)
    least = -1.0
    for good in range(first, end):
        if player.stock[good] > 0 and (least < 0.0 or lost_worth(plan, good) < least):
            least = lost_worth(plan, good)
    return amount * max(0.0, least)


@inlined
def upgrade_worth(player, amount, only, plan):
    """The worth of the best free upgrades at hand."""
    if only >= 0:
        return max(0.0, plan.worth[UPGRADED_FROM[only]] - plan.kept[only]) if held(player, only) > 0 else 0.0
    best = plan.best_upgrade
    return best if amount < 2 else best + plan.second_upgrade


@inlined
def part_worth(game, box, seat, op, plan):
    """The worth of one part of an effect."""
    amount = strength(game, seat, op)
    if amount <= 0:
        return 0.0
    player = game.players[seat]
    verb = op.verb
    if verb == Verb.GAIN:
        return gain_worth(game, box, seat, op.what, amount, plan)
    if verb == Verb.PAY:
        return -paid_worth(player, op.what, amount, plan)
    if verb == Verb.UPGRADE:
        return upgrade_worth(player, amount, op.what, plan)
    if verb == Verb.DELIVER:
        return amount * plan.best_rate
    if verb == Verb.SIESTA:
        return min(amount, int(box.siesta_top) - int(player.siesta)) * plan.step_worth
    if verb == Verb.SIESTA_VP:
        return float(box.transport.siesta_vp[player.siesta])
    if verb == Verb.PLAY_CARD:
        return 1.5 * plan.weights[Weight.CARD] if player.hand_size > 0 else 0.0
    if verb == Verb.PLACE_MARKER:
        return marker_worth(box, plan)
    if verb == Verb.DOUBLE_ROOF_VP:
        return float(game.covered_vp)
    if verb == Verb.REVENUE or verb == Verb.SECOND_OPTION or verb == Verb.INCOME or verb == Verb.FLIP_ROOF:
        return plan.weights[Weight.GOOD]
    if verb == Verb.RESERVE_REVENUE or verb == Verb.MODIFY_DIE:
        return 0.5 * plan.weights[Weight.GOOD]
    return 0.5 * amount * plan.weights[Weight.DELIVERY] if verb == Verb.EXTRA_DELIVERY else 0.0


@kernel
def alternative_worth(game, box, seat, alternative, plan):
    """The worth of all parts of an alternative."""
    run = box.alternatives[alternative]
    total = 0.0
    for index in range(run.first, run.first + run.length):
        total += part_worth(game, box, seat, box.ops[index], plan)
    return total


@kernel
def effect_worth(game, box, seat, effect, plan):
    """The worth of the best alternative of an effect."""
    if effect < 0:
        return 0.0
    run = box.effects[effect]
    best = alternative_worth(game, box, seat, run.first, plan)
    for alternative in range(run.first + 1, run.first + run.length):
        best = max(best, alternative_worth(game, box, seat, alternative, plan))
    return best


@kernel
def cost_worth(game, box, seat, ability, plan):
    """What an ability's cost is worth, as a negative number."""
    return alternative_worth(game, box, seat, ability.cost, plan) if ability.cost >= 0 else 0.0


@inlined
def passive_worth(box, ability, plan):
    """The worth of a passive in a round."""
    total = 0.0
    run = box.alternatives[box.effects[ability.effect].first]
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        rate = PASSIVE_RATE[op.verb] * op.n
        total += rate * plan.weights[Weight.SILVER] if op.verb <= Passive.EXTENSION_COST else rate
    return total


@inlined
def stream_part_worth(box, op, plan):
    """The worth of one part of a recurring effect: on average, not in the present position."""
    n = float(op.n)
    if op.verb == Verb.PAY or op.verb == Verb.GAIN:
        sign = 1.0 if op.verb == Verb.GAIN else -1.0
        if op.what == Item.VP:
            return sign * n
        if op.what == Item.SILVER:
            return sign * n * plan.weights[Weight.SILVER]
        return sign * n * (plan.weights[Weight.CARD] if op.what == Goods.CARD else plan.weights[Weight.GOOD])
    if op.verb == Verb.UPGRADE:
        return n * plan.weights[Weight.GOOD]
    if op.verb == Verb.DELIVER:
        return n * plan.weights[Weight.DELIVERY]
    if op.verb == Verb.SIESTA:
        return n * (0.3 + plan.weights[Weight.ORDER])
    return 0.4


@kernel
def ability_worth(box, ability, plan):
    """The worth of an ability in a round."""
    if ability.effect < 0:
        return 0.0
    if ability.when == When.PASSIVE:
        return plan.weights[Weight.STREAM] * passive_worth(box, ability, plan)
    total = 0.0
    run = box.alternatives[box.effects[ability.effect].first]
    for index in range(run.first, run.first + run.length):
        total += stream_part_worth(box, box.ops[index], plan)
    if ability.cost >= 0:
        cost = box.alternatives[ability.cost]
        for index in range(cost.first, cost.first + cost.length):
            total += stream_part_worth(box, box.ops[index], plan)
    rate = EVENT_RATE[ability.event] if ability.when == When.ON else 0.8 if ability.when == When.ACTION else 0.5
    return plan.weights[Weight.STREAM] * rate * max(0.0, total)
