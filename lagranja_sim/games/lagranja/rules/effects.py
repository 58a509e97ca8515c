"""The effect language at work: what cards, roofs, buildings, dice and commodities do.

An effect is a row of `box.effects`: a run of alternatives, each a run of ops. A seat carries one out as tasks on the agenda, one part after the
other, so that each may ask. `reason` and `ref` name the origin and go with every part.
"""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push_effect, push_units
from lagranja_sim.games.lagranja.rules.availability import alternative_prospect, part_prospect
from lagranja_sim.games.lagranja.rules.cards import draw_card
from lagranja_sim.games.lagranja.rules.holdings import NOTHING, WITH_A_MARKER, credit, free_pig_spaces, push_gain, receive, wait_for_marker
from lagranja_sim.games.lagranja.rules.ledger import because, reason_of, ref_of
from lagranja_sim.games.lagranja.rules.market import ANY_VALUE, push_market_marker
from lagranja_sim.games.lagranja.rules.modifiers import strength
from lagranja_sim.games.lagranja.rules.names import HARVEST, Ask, Do, Goods, Item, Reason, Step, Verb
from lagranja_sim.games.lagranja.rules.options import put_good, put_number
from lagranja_sim.games.lagranja.rules.paying import can_pay, class_bounds
from lagranja_sim.kit.agenda import count_down, drop, dropped_task, top

TASKS = {Verb.UPGRADE: Ask.UPGRADE, Verb.DELIVER: Ask.DELIVER, Verb.SIESTA: Ask.SIESTA, Verb.PLAY_CARD: Ask.EFFECT_CARD,
         Verb.RESERVE_REVENUE: Ask.RESERVE, Verb.FLIP_ROOF: Ask.FLIP_ROOF, Verb.MODIFY_DIE: Step.MODIFY_DIE,
         Verb.SECOND_OPTION: Step.SECOND_OPTION, Verb.INCOME: Step.INCOME}  # parts that are a matter of another module  # fmt: skip
TASK_OF = np.array([TASKS.get(verb, -1) for verb in Verb], np.int8)  # by verb


@kernel
def list_options(game, box, kind, seat, options):
    """An alternative, or goods to gain or to pay."""
    task = top(game)
    n, what, reason = int(task.n), int(task.what), int(task.reason)
    if kind == Ask.CHOOSE_EFFECT:
        return list_alternatives(game, box, seat, what, n, options)
    if kind == Ask.CHOOSE_GOOD:
        return list_goods(game, box, seat, what, reason, options)
    if kind == Ask.CHOOSE_GOODS:
        return list_sets_of_goods(game, n, options)
    return list_cost_goods(game, seat, what, int(task.flag), options)


@kernel
def apply_option(game, box, kind, seat, option):
    """The alternative or the good that was chosen."""
    if kind == Ask.CHOOSE_EFFECT:
        task = top(game)
        reason, ref = int(task.reason), int(task.ref)
        drop(game)
        choose_alternative(game, box, seat, int(option.n), reason, ref)
    elif kind == Ask.CHOOSE_GOOD:
        gain_chosen_good(game, box, int(option.good))
    elif kind == Ask.CHOOSE_GOODS:
        gain_chosen_goods(game, int(option.n))
    else:
        pay_chosen_good(game, box, int(option.good))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    task = dropped_task(game)
    if kind == Step.EFFECT:
        run_effect(game, box, seat, task)
    elif kind == Step.PARTS:
        run_part(game, box, seat, task)
    else:
        push_parts(game, box, seat, int(task.what), int(task.reason), int(task.ref))


# --- an effect and its alternatives -----------------------------------------------------------------------------------------------------


@inlined
def push_part(game, seat, index, alternative, reason, ref):
    """Let an alternative go on from a part of it."""
    task = push_units(game, Step.PARTS, seat, index, reason, ref)
    task.what = alternative


@kernel
def push_parts(game, box, seat, alternative, reason, ref):
    """Let an alternative happen next, from its first part. Where its price would buy nothing without a marker, that comes first (L1)."""
    if box.alternatives[alternative].pays:
        prospect = alternative_prospect(game, box, seat, alternative, reason, ref)
        if prospect == NOTHING:  # by the marker that was given up
            return
        if prospect == WITH_A_MARKER:
            push_units(game, Step.ALTERNATIVE, seat, 0, reason, ref).what = alternative
            wait_for_marker(game, seat)
            return
    push_part(game, seat, box.alternatives[alternative].first, alternative, reason, ref)


@kernel
def choose_alternative(game, box, seat, alternative, reason, ref):
    """An alternative is settled; that of a die is remembered for the second option (H3)."""
    if reason == Reason.DIE:
        game.die_alternative = alternative
    push_parts(game, box, seat, alternative, reason, ref)


@inlined
def run_effect(game, box, seat, task):
    """No alternative available: nothing; one: it is carried out; more: a choice."""
    effect, but, reason, ref = int(task.what), int(task.n), int(task.reason), int(task.ref)
    run = box.effects[effect]
    available, last = 0, -1
    for alternative in range(run.first, run.first + run.length):
        if alternative != but and alternative_prospect(game, box, seat, alternative, reason, ref) > NOTHING:
            available += 1
            last = alternative
    if available == 1:
        choose_alternative(game, box, seat, last, reason, ref)
    elif available > 1:
        push_units(game, Ask.CHOOSE_EFFECT, seat, but, reason, ref).what = effect


@inlined
def list_alternatives(game, box, seat, effect, but, options):
    """The available alternatives of an effect but one."""
    task, run, n = top(game), box.effects[effect], 0
    for alternative in range(run.first, run.first + run.length):
        if alternative != but and alternative_prospect(game, box, seat, alternative, task.reason, task.ref) > NOTHING:
            n = put_number(game, options, n, Do.CHOOSE, alternative)
    return n


@inlined
def run_part(game, box, seat, task):
    """A part of an alternative; one that does nothing is skipped, a cost that cannot be paid ends the alternative."""
    index, alternative, reason, ref = int(task.n), int(task.what), int(task.reason), int(task.ref)
    run, op = box.alternatives[alternative], box.ops[index]
    if op.verb == Verb.PAY:
        if not can_pay(game, seat, op.what, strength(game, seat, op)):
            return
    if index + 1 < run.first + run.length:
        push_part(game, seat, index + 1, alternative, reason, ref)
    if op.verb == Verb.PAY:
        pay(game, box, seat, op, reason, ref)
    elif part_prospect(game, box, seat, op, reason, ref) > NOTHING:
        carry_out(game, box, seat, op, reason, ref)


# --- parts -------------------------------------------------------------------------------------------------------------------------------


@kernel
def pay(game, box, seat, op, reason, ref):
    """A cost; of a class, the player chooses which goods."""
    amount = strength(game, seat, op)
    why = Reason.HELPER_COST if reason == Reason.HELPER_COST else Reason.EFFECT_COST
    if amount == 0:
        return
    if op.what <= Item.VP:
        credit(game, box, seat, op.what, -amount, because(why, ref))
    else:
        push_units(game, Ask.PAY_GOOD, seat, amount, why, ref).what = op.what


@kernel
def carry_out(game, box, seat, op, reason, ref):
    """One part that does something."""
    amount, kind = strength(game, seat, op), TASK_OF[op.verb]
    if kind >= 0:
        push_units(game, kind, seat, amount, reason, ref).what = op.what
    elif op.verb == Verb.GAIN:
        gain(game, box, seat, op.what, amount, because(reason, ref))
    elif op.verb == Verb.SIESTA_VP:
        credit(game, box, seat, Item.VP, amount * int(box.transport.siesta_vp[game.players[seat].siesta]), because(reason, ref))
    elif op.verb == Verb.REVENUE:
        push_effect(game, seat, box.revenue.faces[game.round_number - 1], reason, ref)
    elif op.verb == Verb.PLACE_MARKER:
        for _ in range(amount):
            push_market_marker(game, seat, ANY_VALUE, 1, reason, ref)
    elif op.verb == Verb.DOUBLE_ROOF_VP:
        credit(game, box, seat, Item.VP, amount * int(game.covered_vp), because(Reason.ROOF_EFFECT, ref))
    elif op.verb == Verb.EXTRA_DELIVERY:
        game.players[seat].extra_deliveries += amount


@kernel
def gain(game, box, seat, what, amount, cause):
    """A good, a card, or a choice of goods."""
    if what <= Item.VP:
        receive(game, box, seat, what, amount, cause)
        return
    reason, ref = reason_of(cause), ref_of(cause)
    if what == Goods.CARD:
        for _ in range(amount):
            draw_card(game, box, seat, reason, ref)
    elif what == Goods.HARVEST_DIFFERENT:
        push_units(game, Ask.CHOOSE_GOODS, seat, min(amount, HARVEST), reason, ref).what = what
    else:
        push_units(game, Ask.CHOOSE_GOOD, seat, amount, reason, ref).what = what


# --- choices inside effects ------------------------------------------------------------------------------------------------------------


@inlined
def list_goods(game, box, seat, what, reason, options):
    """One good of a class; a pig from a commodity needs a space (A1)."""
    n = 0
    first, end = class_bounds(what)
    for good in range(first, end):
        if good == Item.PIG and reason == Reason.COMMODITY and free_pig_spaces(game, box, seat) <= 0:
            continue
        n = put_good(game, options, n, Do.GAIN, good, 0)
    return n


@inlined
def list_sets_of_goods(game, count, options):
    """Every set of `count` different harvest goods, as bits."""
    n = 0
    for goods in range(1 << HARVEST):
        if (goods & 1) + (goods >> 1 & 1) + (goods >> 2 & 1) == count:
            n = put_number(game, options, n, Do.GAIN, goods)
    return n


@kernel
def gain_chosen_good(game, box, good):
    """One unit of a choice of goods."""
    task = top(game)
    seat, reason, ref = int(task.seat), int(task.reason), int(task.ref)
    count_down(game)
    receive(game, box, seat, good, 1, because(reason, ref))


@kernel
def gain_chosen_goods(game, goods):
    """A set of harvest goods, olives first."""
    drop(game)
    task = dropped_task(game)
    seat, reason, ref = int(task.seat), int(task.reason), int(task.ref)
    for good in range(HARVEST - 1, -1, -1):
        if (goods >> good) & 1:
            push_gain(game, seat, good, 1, reason, ref)


@inlined
def list_cost_goods(game, seat, what, kinds_paid, options):
    """A cost of a class: what is held of it; different kinds are paid once each (`kinds_paid`: a bit a good)."""
    player, n = game.players[seat], 0
    first, end = class_bounds(what)
    for good in range(first, end):
        if player.stock[good] > 0 and not (what == Goods.HARVEST_DIFFERENT and (kinds_paid >> good) & 1):
            n = put_good(game, options, n, Do.PAY, good, 0)
    return n


@kernel
def pay_chosen_good(game, box, good):
    """One unit of a cost of a class."""
    task = top(game)
    seat, reason, ref = int(task.seat), int(task.reason), int(task.ref)
    task.flag |= 1 << good
    count_down(game)
    credit(game, box, seat, good, -1, because(reason, ref))
