"""What an act would do once it is paid for (A6): nothing, something but for a marker to be given up first (L1), or something freely.

Compiled functions cannot call each other in a circle, so what a part stands for (the round's revenue, the second option of a die, income) is judged
by functions of its own, the `direct` ones; there a part that stands for something once more counts as doing something.
"""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.abilities import answers, building_answers, may_act, source_ability, source_reason, source_ref
from lagranja_sim.games.lagranja.rules.cards import can_draw
from lagranja_sim.games.lagranja.rules.deliveries import delivery_prospect
from lagranja_sim.games.lagranja.rules.holdings import FREELY, NOTHING, free_markers, free_pig_spaces, marker_prospect
from lagranja_sim.games.lagranja.rules.ledger import because, reason_of, ref_of
from lagranja_sim.games.lagranja.rules.market import has_free_space
from lagranja_sim.games.lagranja.rules.modifiers import strength
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, HARVEST, RESOURCES, Event, Goods, Item, Reason, Verb
from lagranja_sim.games.lagranja.rules.paying import is_payable, lay_aside, put_back, what_is_held
from lagranja_sim.games.lagranja.rules.state import REF_BUILDING, REF_ROOF, SLOTS


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
def direct_part_prospect(game, box, seat, op, reason, ref):
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
def direct_parts_prospect(game, box, seat, alternative, reason, ref):
    """The most that some part of an alternative would do, the price aside."""
    run, most = box.alternatives[alternative], NOTHING
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        if op.verb != Verb.PAY:
            most = max(most, direct_part_prospect(game, box, seat, op, reason, ref))
            if most == FREELY:
                break
    return most


@kernel
def direct_alternative_prospect(game, box, seat, alternative, reason, ref):
    """What an alternative would do once it is paid for; used for effects that another effect stands for."""
    if not box.alternatives[alternative].pays:
        return direct_parts_prospect(game, box, seat, alternative, reason, ref)
    if not is_payable(game, box, seat, alternative):
        return NOTHING
    held = what_is_held(game.players[seat])
    lay_aside(game, box, seat, alternative)
    prospect = direct_parts_prospect(game, box, seat, alternative, reason, ref)
    put_back(game.players[seat], held)
    return prospect


@kernel
def direct_effect_prospect(game, box, seat, effect, but, cause):
    """The most that some alternative (other than `but`) would do."""
    if effect < 0:
        return NOTHING
    run, most = box.effects[effect], NOTHING
    for alternative in range(run.first, run.first + run.length):
        if alternative != but:
            most = max(most, direct_alternative_prospect(game, box, seat, alternative, reason_of(cause), ref_of(cause)))
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
    prospect = direct_effect_prospect(game, box, seat, ability.effect, -1, because(Reason.HELPER, card))
    put_back(game.players[seat], held)
    return prospect > NOTHING


@kernel
def has_income(game, box, seat):
    """F5: whether some extension, helper or permanent building has income for the seat."""
    player = game.players[seat]
    for index in range(player.extension_count):
        card = player.extensions[index]
        if direct_effect_prospect(game, box, seat, box.cards[card].ext_income, -1, because(Reason.INCOME, card)) > NOTHING:
            return True
    for slot in range(SLOTS):
        if helper_has_income(game, box, seat, slot):
            return True
    for building in range(len(BUILDINGS)):
        if building_answers(game, box, seat, building, Event.INCOME, 0):
            effect = box.craft_buildings[building].permanent.effect
            if direct_effect_prospect(game, box, seat, effect, -1, because(Reason.CRAFT_PERMANENT, REF_BUILDING + building)) > NOTHING:
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
        return direct_effect_prospect(game, box, seat, box.revenue.faces[game.round_number - 1], -1, because(reason, ref))
    if op.verb == Verb.SECOND_OPTION:
        if game.die_face <= 0 or game.turn_seat != seat:
            return NOTHING
        return direct_effect_prospect(game, box, seat, box.revenue.faces[game.die_face - 1], game.die_alternative, because(reason, ref))
    return direct_part_prospect(game, box, seat, op, reason, ref)


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
