"""What the craft marker of a building is worth beyond its points, read from what the marker does (D5): now, and in each round to come."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Event, Goods, Item, Passive, Per, Verb, When
from lagranja_sim.games.lagranja.toolkit.rates import EVENT_RATE, PASSIVE_RATE
from lagranja_sim.games.lagranja.toolkit.weights import Weight

BARROWS_DONE = 1.5  # about how many barrows a player has completed with a building
RATE = EVENT_RATE.copy()  # about how often in a round an event comes to a player who completes buildings
RATE[[Event.BARROW_DONE, Event.BUILDING_DONE]] = 0.8, 0.4


@inlined
def gain_worth_on_average(op, plan):
    """The worth of an amount of a good or of cards, whatever is needed at the moment."""
    amount = BARROWS_DONE * op.n if op.per == Per.BARROWS else float(op.n)
    if op.what == Item.VP:
        return amount
    if op.what == Item.SILVER:
        return amount * plan.weights[Weight.SILVER]
    if op.what == Item.COMMODITY:
        return amount * plan.weights[Weight.COMMODITY]
    return amount * (plan.weights[Weight.CARD] if op.what == Goods.CARD else plan.weights[Weight.GOOD])


@inlined
def part_worth_on_average(op, plan):
    """The worth of one part of an effect on average."""
    if op.verb == Verb.GAIN:
        return gain_worth_on_average(op, plan)
    if op.verb == Verb.PAY:
        return -gain_worth_on_average(op, plan)
    if op.verb == Verb.DELIVER or op.verb == Verb.EXTRA_DELIVERY:
        return op.n * plan.weights[Weight.DELIVERY]
    if op.verb == Verb.SIESTA:
        return op.n * plan.weights[Weight.ORDER]
    if op.verb == Verb.SIESTA_VP:
        return 1.0
    return plan.weights[Weight.GOOD]


@inlined
def passive_worth_on_average(op, plan):
    """The worth of one passive in a round."""
    if op.verb == Passive.FREE_DELIVERY:
        return op.n * plan.weights[Weight.DELIVERY]
    if op.verb == Passive.SIESTA_STEPS:
        return op.n * plan.weights[Weight.ORDER]
    rate = op.n * PASSIVE_RATE[op.verb]
    return rate * plan.weights[Weight.SILVER] if op.verb <= Passive.EXTENSION_COST else rate


@kernel
def worth_on_average(box, effect, is_passive, plan):
    """The worth of the best alternative of an effect on average."""
    best, run = 0.0, box.effects[effect]
    for alternative in range(run.first, run.first + run.length):
        parts, total = box.alternatives[alternative], 0.0
        for index in range(parts.first, parts.first + parts.length):
            op = box.ops[index]
            total += passive_worth_on_average(op, plan) if is_passive else part_worth_on_average(op, plan)
        best = max(best, total)
    return best


@inlined
def times_a_round(ability):
    """How often a lasting effect is used in a round."""
    if ability.when == When.PASSIVE:
        return 1.0
    return RATE[ability.event] if ability.when == When.ON else 0.8


@kernel
def note_craft_markers(box, plan):
    """Note the worth of each craft marker when its building is completed, and in each round after that."""
    for building in range(len(BUILDINGS)):
        printed = box.craft_buildings[building]
        lasting = printed.permanent
        plan.craft_now[building] = worth_on_average(box, printed.immediate, False, plan) if printed.immediate >= 0 else 0.0
        plan.craft_a_round[building] = 0.0
        if lasting.effect >= 0:
            worth = worth_on_average(box, lasting.effect, lasting.when == When.PASSIVE, plan)
            plan.craft_a_round[building] = times_a_round(lasting) * worth


@inlined
def craft_marker_worth(building, plan):
    """What a craft marker brings over the rounds left."""
    later = max(0.0, plan.rounds_left - 1.0)
    return plan.craft_now[building] + later * plan.craft_a_round[building]
