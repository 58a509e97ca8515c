"""The effect language at work: what cards, roofs, buildings, dice and commodities do.

An effect is a row of `box.effects`: a run of alternatives, each a run of ops. A seat carries one out as tasks on the agenda, one part after the
other, so that each may ask. `reason` and `ref` name the origin and go with every part.
"""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import count_down, drop, push
from lagranja_sim.games.lagranja.rules.cards import can_draw, draw_card
from lagranja_sim.games.lagranja.rules.deliveries import delivery_prospect
from lagranja_sim.games.lagranja.rules.holdings import (
    FREELY,
    NOTHING,
    WITH_A_MARKER,
    credit,
    free_markers,
    free_pig_spaces,
    marker_prospect,
    receive,
    wait_for_marker,
)
from lagranja_sim.games.lagranja.rules.ledger import note_disc, note_flip, note_use
from lagranja_sim.games.lagranja.rules.market import ANY_VALUE, has_free_space, push_market_marker
from lagranja_sim.games.lagranja.rules.modifiers import strength
from lagranja_sim.games.lagranja.rules.names import (
    BUILDINGS,
    FIELD,
    HARVEST,
    RESOURCES,
    UPGRADED_FROM,
    Ask,
    Do,
    Event,
    Goods,
    GreengrocerStep,
    Item,
    ModifyDie,
    Phase,
    Reason,
    Step,
    Verb,
    When,
)
from lagranja_sim.games.lagranja.rules.options import put, put_good, put_number
from lagranja_sim.games.lagranja.rules.paying import can_pay, class_bounds, is_payable, lay_aside, put_back, what_is_held
from lagranja_sim.games.lagranja.rules.state import REF_BUILDING, REF_ROOF, SLOTS

# --- what a part of an effect would do (A6) ----------------------------------------------------------------------------------------


@kernel
def can_upgrade(player, good):
    """Whether a resource (`good` -1: any) lies in a den, on a field or in a stable."""
    for resource in range(RESOURCES):
        if good < 0 or resource == good:
            if player.stock[resource] > 0 or (resource < HARVEST and player.stock[FIELD + resource] > 0):
                return True
    return False


@kernel
def has_used_roof(player, but):
    """Whether a roof other than `but` (a roof number) lies face down."""
    for space in range(player.roof_count):
        if player.roof_used[space] and player.roofs[space] != but:
            return True
    return False


@kernel
def has_unreserved_face(game):
    """H2: whether some revenue space is not marked."""
    for face in range(6):
        if game.reserved[face] == 0:
            return True
    return False


@inlined
def gain_prospect(game, box, seat, what, amount, reason):
    """A gain always does something, but for cards of an empty deck, a commodity's pig without a space (A1), and markers (L1)."""
    if what == Goods.CARD:
        return FREELY if can_draw(game) else NOTHING
    if what == Item.PIG and reason == Reason.COMMODITY and free_pig_spaces(game, box, seat) < amount:
        return NOTHING
    if what == Item.SILVER or what == Item.VP or free_markers(game, box, seat) > 0:
        return FREELY
    if (what == Item.PIG or what == Goods.RESOURCE) and free_pig_spaces(game, box, seat) == 0:
        return FREELY
    return marker_prospect(game, box, seat)


@inlined
def markerless_part_does_something(game, box, seat, op, ref):
    """A6 for a part that needs no marker."""
    player = game.players[seat]
    if op.verb == Verb.UPGRADE:
        return can_upgrade(player, op.what)
    if op.verb == Verb.SIESTA:
        return player.siesta < box.siesta_top
    if op.verb == Verb.SIESTA_VP:
        return box.transport.siesta_vp[player.siesta] > 0
    if op.verb == Verb.PLAY_CARD:
        return player.hand_size > 0
    if op.verb == Verb.RESERVE_REVENUE:
        return has_unreserved_face(game)
    if op.verb == Verb.FLIP_ROOF:
        return has_used_roof(player, ref - REF_ROOF)
    if op.verb == Verb.DOUBLE_ROOF_VP:
        return game.covered_vp > 0
    return True


@kernel
def simple_part_prospect(game, box, seat, op, reason, ref):
    """A6 for a part; parts that stand for other effects count as doing something."""
    amount = strength(game, seat, op)
    if amount <= 0:
        return NOTHING
    if op.verb == Verb.GAIN:
        return gain_prospect(game, box, seat, op.what, amount, reason)
    if op.verb == Verb.DELIVER:
        return delivery_prospect(game, box, seat)
    if op.verb == Verb.PLACE_MARKER:
        return marker_prospect(game, box, seat) if has_free_space(game, box) else NOTHING
    return FREELY if markerless_part_does_something(game, box, seat, op, ref) else NOTHING


@inlined
def simple_parts_prospect(game, box, seat, alternative, reason, ref):
    """The most that some part of an alternative would do, the price aside."""
    run, most = box.alternatives[alternative], NOTHING
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        if op.verb != Verb.PAY:
            most = max(most, simple_part_prospect(game, box, seat, op, reason, ref))
            if most == FREELY:
                break
    return most


@kernel
def simple_alternative_prospect(game, box, seat, alternative, reason, ref):
    """What an alternative would do once it is paid for; used for effects that another effect stands for."""
    if not box.alternatives[alternative].pays:
        return simple_parts_prospect(game, box, seat, alternative, reason, ref)
    if not is_payable(game, box, seat, alternative):
        return NOTHING
    held = what_is_held(game.players[seat])
    lay_aside(game, box, seat, alternative)
    prospect = simple_parts_prospect(game, box, seat, alternative, reason, ref)
    put_back(game.players[seat], held)
    return prospect


@kernel
def simple_effect_prospect(game, box, seat, effect, but, reason, ref):
    """The most that some alternative (other than `but`) would do."""
    if effect < 0:
        return NOTHING
    run, most = box.effects[effect], NOTHING
    for alternative in range(run.first, run.first + run.length):
        if alternative != but:
            most = max(most, simple_alternative_prospect(game, box, seat, alternative, reason, ref))
            if most == FREELY:
                break
    return most


@kernel
def helper_has_income(game, box, seat, slot):
    """F5: whether a helper on income would do something, its cost paid."""
    card = game.players[seat].helpers[slot]
    if card == 0 or not answers(box.cards[card].helper, Event.INCOME, 0) or not may_act(game, box, seat, slot):
        return False
    ability = box.cards[card].helper
    held = what_is_held(game.players[seat])
    if ability.cost >= 0:
        lay_aside(game, box, seat, ability.cost)
    prospect = simple_effect_prospect(game, box, seat, ability.effect, -1, Reason.HELPER, card)
    put_back(game.players[seat], held)
    return prospect > NOTHING


@kernel
def has_income(game, box, seat):
    """F5: whether some extension, helper or permanent building has income for the seat."""
    player = game.players[seat]
    for index in range(player.extension_count):
        card = player.extensions[index]
        if simple_effect_prospect(game, box, seat, box.cards[card].ext_income, -1, Reason.INCOME, card) > NOTHING:
            return True
    for slot in range(SLOTS):
        if helper_has_income(game, box, seat, slot):
            return True
    for building in range(len(BUILDINGS)):
        if building_answers(game, box, seat, building, Event.INCOME, 0):
            effect = box.craft_buildings[building].permanent.effect
            if simple_effect_prospect(game, box, seat, effect, -1, Reason.CRAFT_PERMANENT, REF_BUILDING + building) > NOTHING:
                return True
    return False


@inlined
def part_prospect(game, box, seat, op, reason, ref):
    """A6 for every part."""
    if strength(game, seat, op) <= 0:
        return NOTHING
    if op.verb == Verb.INCOME:
        return FREELY if has_income(game, box, seat) else NOTHING
    if op.verb == Verb.REVENUE:
        return simple_effect_prospect(game, box, seat, box.revenue.faces[game.round_number - 1], -1, reason, ref)
    if op.verb == Verb.SECOND_OPTION:
        if game.die_face <= 0 or game.turn_seat != seat:
            return NOTHING
        return simple_effect_prospect(game, box, seat, box.revenue.faces[game.die_face - 1], game.die_alternative, reason, ref)
    return simple_part_prospect(game, box, seat, op, reason, ref)


@inlined
def parts_prospect(game, box, seat, alternative, reason, ref):
    """The most that some part of an alternative would do, the price aside."""
    run, most = box.alternatives[alternative], NOTHING
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        if op.verb != Verb.PAY:
            most = max(most, part_prospect(game, box, seat, op, reason, ref))
            if most == FREELY:
                break
    return most


@kernel
def alternative_prospect(game, box, seat, alternative, reason, ref):
    """What an alternative would do once it is paid for; nothing if it cannot be paid."""
    if box.alternatives[alternative].pays:
        return paid_alternative_prospect(game, box, seat, alternative, reason, ref)
    return parts_prospect(game, box, seat, alternative, reason, ref)


@kernel
def paid_alternative_prospect(game, box, seat, alternative, reason, ref):
    """The same for one with a price of its own."""
    if not is_payable(game, box, seat, alternative):
        return NOTHING
    held = what_is_held(game.players[seat])
    lay_aside(game, box, seat, alternative)
    prospect = parts_prospect(game, box, seat, alternative, reason, ref)
    put_back(game.players[seat], held)
    return prospect


@kernel
def effect_prospect(game, box, seat, effect, reason, ref):
    """The most that some alternative would do."""
    if effect < 0:
        return NOTHING
    run, most = box.effects[effect], NOTHING
    for alternative in range(run.first, run.first + run.length):
        most = max(most, alternative_prospect(game, box, seat, alternative, reason, ref))
        if most == FREELY:
            break
    return most


# --- carrying an effect out -----------------------------------------------------------------------------------------------------------


@kernel
def push_effect(game, seat, effect, reason, ref):
    """Let an effect happen next."""
    if effect >= 0:
        push(game, Step.EFFECT, seat, -1, effect, reason, ref, 0)


@kernel
def push_parts(game, box, seat, alternative, reason, ref):
    """Let an alternative happen next, from its first part. Where its price would buy nothing without a marker, that comes first (L1)."""
    if box.alternatives[alternative].pays:
        prospect = alternative_prospect(game, box, seat, alternative, reason, ref)
        if prospect == NOTHING:  # by the marker that was given up
            return
        if prospect == WITH_A_MARKER:
            push(game, Step.ALTERNATIVE, seat, 0, alternative, reason, ref, 0)
            wait_for_marker(game, seat)
            return
    push(game, Step.PARTS, seat, box.alternatives[alternative].first, alternative, reason, ref, 0)


@kernel
def choose_alternative(game, box, seat, alternative, reason, ref):
    """An alternative is settled; that of a die is remembered for the second option (H3)."""
    if reason == Reason.DIE:
        game.die_alternative = alternative
    push_parts(game, box, seat, alternative, reason, ref)


@kernel
def run_effect(game, box):
    """No alternative available: nothing; one: it is carried out; more: a choice. The task's n is an alternative left out, or -1."""
    drop(game)
    task = game.agenda[game.depth]
    seat, effect, but, reason, ref = int(task.seat), int(task.what), int(task.n), int(task.reason), int(task.ref)
    run = box.effects[effect]
    available, found = 0, -1
    for alternative in range(run.first, run.first + run.length):
        if alternative != but and alternative_prospect(game, box, seat, alternative, reason, ref) > NOTHING:
            available += 1
            found = alternative
    if available == 1:
        choose_alternative(game, box, seat, found, reason, ref)
    elif available > 1:
        push(game, Ask.CHOOSE_EFFECT, seat, but, effect, reason, ref, 0)


@kernel
def list_alternatives(game, box, seat, effect, but, reason, ref, options, n):
    """The available alternatives of an effect but one."""
    run = box.effects[effect]
    for alternative in range(run.first, run.first + run.length):
        if alternative != but and alternative_prospect(game, box, seat, alternative, reason, ref) > NOTHING:
            n = put_number(game, options, n, Do.CHOOSE, alternative)
    return n


@kernel
def run_part(game, box):
    """The next part of an alternative; one that does nothing is skipped, a cost that cannot be paid ends the alternative."""
    drop(game)
    task = game.agenda[game.depth]
    seat, index, alternative, reason, ref = int(task.seat), int(task.n), int(task.what), int(task.reason), int(task.ref)
    run = box.alternatives[alternative]
    op = box.ops[index]
    if op.verb == Verb.PAY:
        if not can_pay(game, seat, op.what, strength(game, seat, op)):
            return
    if index + 1 < run.first + run.length:
        push(game, Step.PARTS, seat, index + 1, alternative, reason, ref, 0)
    if op.verb == Verb.PAY:
        pay(game, box, seat, op, reason, ref)
    elif part_prospect(game, box, seat, op, reason, ref) > NOTHING:
        carry_out(game, box, seat, op, reason, ref)


@kernel
def pay(game, box, seat, op, reason, ref):
    """A cost; of a class, the player chooses which goods."""
    amount = strength(game, seat, op)
    paid = Reason.HELPER_COST if reason == Reason.HELPER_COST else Reason.EFFECT_COST
    if amount == 0:
        return
    if op.what <= Item.VP:
        credit(game, box, seat, op.what, -amount, paid, ref)
    else:
        push(game, Ask.PAY_GOOD, seat, amount, op.what, paid, ref, 0)


@kernel
def carry_out(game, box, seat, op, reason, ref):
    """One part that does something."""
    amount = strength(game, seat, op)
    if op.verb == Verb.GAIN:
        gain(game, box, seat, op.what, amount, reason, ref)
    elif op.verb == Verb.UPGRADE:
        push(game, Ask.UPGRADE, seat, amount, op.what, reason, ref, 0)
    elif op.verb == Verb.DELIVER:
        push(game, Ask.DELIVER, seat, amount, 0, reason, ref, 0)
    elif op.verb == Verb.SIESTA:
        push(game, Ask.SIESTA, seat, amount, 0, reason, ref, 0)
    elif op.verb == Verb.SIESTA_VP:
        credit(game, box, seat, Item.VP, amount * int(box.transport.siesta_vp[game.players[seat].siesta]), reason, ref)
    elif op.verb == Verb.PLAY_CARD:
        push(game, Ask.EFFECT_CARD, seat, 1, 0, reason, ref, 0)
    elif op.verb == Verb.REVENUE:
        push_effect(game, seat, box.revenue.faces[game.round_number - 1], reason, ref)
    elif op.verb == Verb.SECOND_OPTION:
        push(game, Step.SECOND_OPTION, seat, 0, 0, reason, ref, 0)
    elif op.verb == Verb.RESERVE_REVENUE:
        push(game, Ask.RESERVE, seat, 1, 0, reason, ref, 0)
    elif op.verb == Verb.MODIFY_DIE:
        modify_die(game, box, seat, amount)
    elif op.verb == Verb.FLIP_ROOF:
        push(game, Ask.FLIP_ROOF, seat, amount, 0, reason, ref, 0)
    elif op.verb == Verb.PLACE_MARKER:
        for _ in range(amount):
            push_market_marker(game, seat, ANY_VALUE, 1, reason, ref)
    elif op.verb == Verb.DOUBLE_ROOF_VP:
        credit(game, box, seat, Item.VP, amount * int(game.covered_vp), Reason.ROOF_EFFECT, ref)
    elif op.verb == Verb.INCOME:
        push(game, Step.INCOME, seat, 0, 0, 0, 0, 0)
    elif op.verb == Verb.EXTRA_DELIVERY:
        game.players[seat].extra_deliveries += amount


@kernel
def gain(game, box, seat, what, amount, reason, ref):
    """A good, a card, or a choice of goods."""
    if what <= Item.VP:
        receive(game, box, seat, what, amount, reason, ref)
    elif what == Goods.CARD:
        for _ in range(amount):
            draw_card(game, box, seat, reason, ref)
    elif what == Goods.HARVEST_DIFFERENT:
        push(game, Ask.CHOOSE_GOODS, seat, min(amount, HARVEST), what, reason, ref, 0)
    else:
        push(game, Ask.CHOOSE_GOOD, seat, amount, what, reason, ref, 0)


@kernel
def modify_die(game, box, seat, amount):
    """R3: the die about to be taken counts more; in the other reading of the rule more or less."""
    if game.turn_seat != seat:
        return
    if box.revenue.modify_die == ModifyDie.UP_OR_DOWN:
        push(game, Ask.SHIFT_DIE, seat, amount, 0, 0, 0, 0)
    else:
        shift_die(game, amount)


@kernel
def shift_die(game, amount):
    """R3: shifts add up; beyond five they make no difference."""
    game.die_shift = min(5, max(-5, int(game.die_shift) + amount))


@kernel
def second_option(game, box):
    """H3: another alternative of the die just used."""
    drop(game)
    task = game.agenda[game.depth]
    push(game, Step.EFFECT, task.seat, game.die_alternative, box.revenue.faces[game.die_face - 1], task.reason, task.ref, 0)


@kernel
def push_income(game, box, seat):
    """F5: what extensions show, then helpers and permanent buildings with income."""
    push(game, Step.EVENT, seat, 0, Event.INCOME, 0, 0, 0)
    player = game.players[seat]
    for index in range(player.extension_count - 1, -1, -1):
        card = int(player.extensions[index])
        push_effect(game, seat, box.cards[card].ext_income, Reason.INCOME, card)


# --- events and who answers them -----------------------------------------------------------------------------------------------------

FROM_BUILDING, FROM_ROOF = 10, 20  # an answer's source: a helper slot, or these plus a building or a roof space


@kernel
def answers(ability, event, argument):
    """Whether an ability waits for this event, with this face or side."""
    if ability.when != When.ON or ability.event != event:
        return False
    return (event != Event.REVENUE and event != Event.CARD_PLAYED) or (ability.argument >> argument) & 1 == 1


@kernel
def building_answers(game, box, seat, building, event, argument):
    """The same for a permanent building; a growth effect taken before growth does not come again (F6)."""
    if not (game.players[seat].permanent >> building) & 1:
        return False
    ability = box.craft_buildings[building].permanent
    if ability.when == When.ON and ability.event == Event.GROWTH and box.farm.greengrocer_step == GreengrocerStep.INCOME:
        return event == Event.INCOME
    if event == Event.GROWTH and (game.growth_taken >> building) & 1:
        return False
    return answers(ability, event, argument)


@kernel
def push_answers(game, box, seat, event, argument):
    """Let the helpers by slot, then the permanent buildings by number, answer an event."""
    for building in range(len(BUILDINGS) - 1, -1, -1):
        if building_answers(game, box, seat, building, event, argument):
            push(game, Step.ANSWER, seat, 0, FROM_BUILDING + building, 0, 0, 0)
    player = game.players[seat]
    for slot in range(SLOTS - 1, -1, -1):
        card = player.helpers[slot]
        if card > 0 and answers(box.cards[card].helper, event, argument):
            push(game, Step.ANSWER, seat, 0, slot, 0, card, 0)


@kernel
def push_roof_answers(game, box, seat):
    """F9: own face-up roofs that wait for a roof to be placed."""
    player = game.players[seat]
    for space in range(player.roof_count - 1, -1, -1):
        if not player.roof_used[space] and answers(box.roofs[player.roofs[space]], Event.ROOF_BOUGHT, 0):
            push(game, Step.ANSWER, seat, 0, FROM_ROOF + space, 0, 0, 1)


@kernel
def source_ability(game, box, seat, source):
    """The ability behind an answer."""
    player = game.players[seat]
    if source >= FROM_ROOF:
        return box.roofs[player.roofs[source - FROM_ROOF]]
    if source >= FROM_BUILDING:
        return box.craft_buildings[source - FROM_BUILDING].permanent
    return box.cards[player.helpers[source]].helper


@kernel
def source_reason(source):
    """Why things change hands through an answer."""
    if source >= FROM_ROOF:
        return Reason.ROOF_EFFECT
    return Reason.CRAFT_PERMANENT if source >= FROM_BUILDING else Reason.HELPER


@kernel
def source_ref(game, seat, source):
    """The component behind an answer."""
    player = game.players[seat]
    if source >= FROM_ROOF:
        return REF_ROOF + int(player.roofs[source - FROM_ROOF])
    return REF_BUILDING + source - FROM_BUILDING if source >= FROM_BUILDING else int(player.helpers[source])


@kernel
def has_use_left(game, box, seat, slot):
    """H1: a helper's uses a round; 0 stands for no limit."""
    player = game.players[seat]
    uses = box.cards[player.helpers[slot]].helper.uses
    return uses == 0 or player.helper_used[slot] < uses


@kernel
def works_now(game, ability):
    """H1: whether the phase is one an ability lists. Income, even a roof's, is a step of the farm phase (F11)."""
    phase = Phase.FARM.value if ability.when == When.ON and ability.event == Event.INCOME else int(game.phase)
    return (ability.phases >> phase) & 1 == 1


@kernel
def may_act(game, box, seat, source):
    """Whether an ability's phase, uses and cost allow it now."""
    ability = source_ability(game, box, seat, source)
    if ability.effect < 0:
        return False
    if source < FROM_BUILDING and not has_use_left(game, box, seat, source):
        return False
    if (source < FROM_BUILDING or source >= FROM_ROOF) and not works_now(game, ability):
        return False
    return ability.cost < 0 or is_payable(game, box, seat, ability.cost)


@kernel
def use_prospect(game, box, seat, source):
    """What an ability would do once its cost is paid; nothing if it may not act."""
    if not may_act(game, box, seat, source):
        return NOTHING
    ability = source_ability(game, box, seat, source)
    reason, ref = source_reason(source), source_ref(game, seat, source)
    if ability.cost < 0:
        return effect_prospect(game, box, seat, ability.effect, reason, ref)
    held = what_is_held(game.players[seat])
    lay_aside(game, box, seat, ability.cost)
    prospect = effect_prospect(game, box, seat, ability.effect, reason, ref)
    put_back(game.players[seat], held)
    return prospect


@inlined
def is_usable(game, box, seat, source):
    """Whether an ability may act and would do something."""
    return use_prospect(game, box, seat, source) > NOTHING


@inlined
def is_spent(source):
    """Whether using it costs a use or turns a roof; craft markers are never spent."""
    return source < FROM_BUILDING or source >= FROM_ROOF


@kernel
def use(game, box, seat, source):
    """F8, H1: spend a use, pay the cost, then let the effect happen. Where it would do nothing without a marker, that comes first (L1)."""
    prospect = use_prospect(game, box, seat, source)
    if prospect == NOTHING:  # by the marker that was given up
        return
    if prospect == WITH_A_MARKER and is_spent(source):
        push(game, Step.USE, seat, 0, source, 0, 0, 0)
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
            push(game, Step.PARTS, seat, box.alternatives[ability.cost].first, ability.cost, Reason.HELPER_COST, ref, 0)


@kernel
def answer(game, box):
    """An event's turn for one ability: a pure gain happens by itself, else it is offered, but not in another's turn (M5).

    The task's flag 1 stands for an ability that is always offered.
    """
    drop(game)
    task = game.agenda[game.depth]
    seat, source, card, always_offered = int(task.seat), int(task.what), int(task.ref), int(task.flag)
    if source < FROM_BUILDING and game.players[seat].helpers[source] != card:
        return
    if not is_usable(game, box, seat, source):
        return
    ability = source_ability(game, box, seat, source)
    if ability.cost < 0 and box.effects[ability.effect].is_gain and not always_offered:
        use(game, box, seat, source)
    elif game.turn_seat < 0 or game.turn_seat == seat:
        push(game, Ask.OFFER, seat, 0, source, 0, 0, 0)


@kernel
def list_offer(game, seat, source, options, n):
    """Take it or leave it."""
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
    return put(game, options, n, Do.DECLINE)


# --- choices inside effects ------------------------------------------------------------------------------------------------------------


@kernel
def list_goods(game, box, seat, what, reason, options, n):
    """One good of a class; a pig from a commodity needs a space (A1)."""
    first, end = class_bounds(what)
    for good in range(first, end):
        if good == Item.PIG and reason == Reason.COMMODITY and free_pig_spaces(game, box, seat) <= 0:
            continue
        n = put_good(game, options, n, Do.GAIN, good, 0)
    return n


@kernel
def list_sets_of_goods(game, count, options, n):
    """Every set of `count` different harvest goods, as bits."""
    for goods in range(1 << HARVEST):
        if (goods & 1) + (goods >> 1 & 1) + (goods >> 2 & 1) == count:
            n = put_number(game, options, n, Do.GAIN, goods)
    return n


@kernel
def gain_chosen_good(game, box, good):
    """One unit of a choice of goods."""
    task = game.agenda[game.depth - 1]
    seat, reason, ref = int(task.seat), int(task.reason), int(task.ref)
    count_down(game)
    receive(game, box, seat, good, 1, reason, ref)


@kernel
def gain_chosen_goods(game, box, goods):
    """A set of harvest goods, olives first."""
    drop(game)
    task = game.agenda[game.depth]
    seat, reason, ref = int(task.seat), int(task.reason), int(task.ref)
    for good in range(HARVEST - 1, -1, -1):
        if (goods >> good) & 1:
            push(game, Step.RECEIVE, seat, 1, good, reason, ref, 0)


@kernel
def list_upgrades(game, seat, only, options, n):
    """R5: free upgrades of what lies in dens, on fields and in stables."""
    player = game.players[seat]
    before = n
    for good in range(RESOURCES):
        if only >= 0 and good != only:
            continue
        if player.stock[good] > 0:
            n = put_good(game, options, n, Do.UPGRADE, good, 0)
        if good < HARVEST and player.stock[FIELD + good] > 0:
            n = put_good(game, options, n, Do.UPGRADE, FIELD + good, 0)
    return put(game, options, n, Do.DONE) if n > before else n


@kernel
def upgrade(game, box, seat, thing, reason, ref):
    """A3: the marker moves from den, field or stable to the upgraded good."""
    good = thing - FIELD if thing >= FIELD else thing
    credit(game, box, seat, thing, -1, reason, ref)
    credit(game, box, seat, UPGRADED_FROM[good], 1, reason, ref)


@kernel
def list_siesta_steps(game, box, seat, steps, options, n):
    """R4: up to so many steps, never past the top section."""
    room = box.siesta_top - game.players[seat].siesta
    if room <= 0:
        return n
    for step in range(1, min(steps, room) + 1):
        n = put_number(game, options, n, Do.SIESTA, step)
    return put(game, options, n, Do.DONE)


@kernel
def advance_disc(game, box, seat, steps, reason, ref):
    """R4, T2: a disc that moves lands on top; one that does not keeps its place."""
    player = game.players[seat]
    before = int(player.siesta)
    section = min(int(box.siesta_top), before + steps)
    if section > before:
        player.siesta = section
        game.arrivals += 1
        player.arrival = game.arrivals
        if box.ledger_on:
            note_disc(game, box, seat, before, reason, ref)


@kernel
def list_cost_goods(game, seat, what, paid, options, n):
    """A cost of a class: what is held of it; different kinds are paid once each (`paid`: a bit a good)."""
    player = game.players[seat]
    first, end = class_bounds(what)
    for good in range(first, end):
        if player.stock[good] > 0 and not (what == Goods.HARVEST_DIFFERENT and (paid >> good) & 1):
            n = put_good(game, options, n, Do.PAY, good, 0)
    return n


@kernel
def pay_chosen_good(game, box, good):
    """One unit of a cost of a class."""
    task = game.agenda[game.depth - 1]
    seat, reason, ref = int(task.seat), int(task.reason), int(task.ref)
    task.flag |= 1 << good
    count_down(game)
    credit(game, box, seat, good, -1, reason, ref)


@kernel
def list_used_roofs(game, seat, but, options, n):
    """F11: own roofs that lie face down, but the one whose effect this is."""
    player = game.players[seat]
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


@kernel
def list_unreserved_faces(game, options, n):
    """H2: revenue spaces nobody has marked."""
    for face in range(6):
        if game.reserved[face] == 0:
            n = put_number(game, options, n, Do.RESERVE, face + 1)
    return n


@kernel
def list_shifts(game, amount, options, n):
    """The other reading of R3: up or down."""
    n = put_number(game, options, n, Do.SHIFT, amount)
    return put_number(game, options, n, Do.SHIFT, -amount)
