"""What one option is worth, by the plan: the heart of every planning policy."""

import numpy as np

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.abilities import FROM_ROOF
from lagranja_sim.games.lagranja.rules.cards import extension_cost
from lagranja_sim.games.lagranja.rules.modifiers import field_cards
from lagranja_sim.games.lagranja.rules.names import FIELD, HARVEST, KINDS, UPGRADED_FROM, Ask, Do, Item, Phase, Side
from lagranja_sim.games.lagranja.rules.transport import deliveries_left
from lagranja_sim.games.lagranja.toolkit.effect_worth import ability_worth, alternative_worth, cost_worth, effect_worth
from lagranja_sim.games.lagranja.toolkit.markers import awaited_worth, purchase_marker_price, use_marker_price
from lagranja_sim.games.lagranja.toolkit.needs import held
from lagranja_sim.games.lagranja.toolkit.plan import barrow_worth, lacking_price, lost_worth, make_plan, marker_worth
from lagranja_sim.games.lagranja.toolkit.rivals import markers_removed, threats
from lagranja_sim.games.lagranja.toolkit.weights import Weight
from lagranja_sim.kit.agenda import kind_of, top


@inlined
def delivery_worth(game, box, seat, option, plan):
    """A delivery by its target's rate, more if it finishes the target; a little more from a field, which grows again, less for a breeding pig."""
    player = game.players[seat]
    if option.building >= 0:
        rate, left = plan.building_rate[option.building], int(player.row_left[option.building])
    else:
        rate, left = plan.barrow_rate[option.slot], int(player.barrow_left[option.slot])
    if rate <= plan.weights[Weight.THRESHOLD]:
        return -1.0
    worth = rate * (1.0 + (plan.weights[Weight.FINISH] if left == 1 else 0.0))
    if option.good >= FIELD:
        return worth + 0.05
    if option.good == Item.SILVER:
        return worth - plan.marker_price
    return worth - plan.breeder if option.good == Item.PIG else worth


# --- cards -----------------------------------------------------------------------------------------------------------------------


@inlined
def field_worth(game, box, player, card, plan):
    """A field: a harvest a round, worth less beside many fields."""
    good = box.cards[card].grows
    crowd = 1.0 + plan.weights[Weight.CROWD] * (field_cards(player) + int(player.fields[good]))
    return plan.weights[Weight.FIELD] * max(plan.weights[Weight.GOOD], plan.worth[good]) * plan.rounds_left / crowd


@kernel
def new_barrow_worth(box, card, plan):
    """A barrow just placed: its rate, with the price of what it lacks."""
    price = lacking_price(plan, box.cards[card].barrow)
    worth = barrow_worth(box, card, plan) - plan.weights[Weight.LACK] * plan.weights[Weight.SILVER] * price
    return worth / (box.cards[card].barrow_size + plan.weights[Weight.PATIENCE])


@inlined
def barrow_card_worth(game, box, player, card, slot, plan):
    """A card as a barrow; in place of another, only by how much it is better."""
    worth = new_barrow_worth(box, card, plan)
    if player.barrows[slot] == 0:
        return 2.0 * worth
    progress = float(box.cards[player.barrows[slot]].barrow_size - player.barrow_left[slot])
    return worth - max(0.0, plan.barrow_rate[slot]) - progress


@inlined
def extension_worth(game, box, seat, card, plan):
    """A card as an extension: its icons over the rounds left, less its price."""
    face, rounds = box.cards[card], plan.rounds_left
    a_round = (
        0.5 * plan.weights[Weight.CARD] * face.ext_hand
        + 0.7 * plan.weights[Weight.DELIVERY] * face.ext_delivery
        + plan.weights[Weight.PIG] * face.ext_pig
    )
    if face.ext_income >= 0:
        a_round += effect_worth(game, box, seat, face.ext_income, plan)
    return plan.weights[Weight.EXTENSION] * a_round * rounds - plan.weights[Weight.PAYMENT] * extension_cost(game, box, seat)


@inlined
def helper_worth(game, box, player, card, slot, plan):
    """A card as a helper over the rounds left; in place of another, only by how much it is better."""
    worth = ability_worth(box, box.cards[card].helper, plan)
    if player.helpers[slot] > 0:
        worth -= ability_worth(box, box.cards[player.helpers[slot]].helper, plan)
    return plan.weights[Weight.HELPER] * worth * plan.rounds_left


@inlined
def card_worth(game, box, seat, option, plan):
    """A card played on one of its sides."""
    player, card, side, slot = game.players[seat], int(option.card), option.side, option.slot
    if side == Side.FIELD:
        return field_worth(game, box, player, card, plan)
    if side == Side.BARROW:
        return barrow_card_worth(game, box, player, card, slot, plan)
    if side == Side.EXTENSION:
        return extension_worth(game, box, seat, card, plan)
    return helper_worth(game, box, player, card, slot, plan)


@kernel
def kept_card_worth(game, box, seat, card, plan):
    """A card kept in the hand: the better of its field and its barrow."""
    player = game.players[seat]
    return max(field_worth(game, box, player, card, plan), 2.0 * new_barrow_worth(box, card, plan))


# --- the market, the donkeys, the dice, the roofs ------------------------------------------------------------------------------------


@kernel
def space_worth(game, box, seat, space, plan):
    """A market space: markers removed now, less what threatens this one."""
    removes = box.market.roof_marker_removes or not top(game).flag  # F10: a roof's marker does not
    gain = plan.weights[Weight.REMOVAL] * markers_removed(game, box, seat, space) if removes else 0.0
    return gain - plan.weights[Weight.SAFETY] * threats(game, box, seat, space) * plan.rounds_left


@kernel
def deliverable(game, box, seat, plan):
    """About how many of the goods held could be delivered to targets worth finishing."""
    player = game.players[seat]
    total = 0
    for kind in range(KINDS):
        missing = 0
        for slot in range(len(player.barrows)):
            if plan.barrow_rate[slot] > plan.weights[Weight.THRESHOLD]:
                missing += player.barrow_missing[slot, kind]
        for building in range(len(player.row_left)):
            if plan.building_rate[building] > plan.weights[Weight.THRESHOLD]:
                missing += player.row_missing[building, kind]
        total += min(missing, held(player, kind))
    return total


@kernel
def donkey_worth(game, box, seat, tile, plan):
    """A donkey tile: its steps and the deliveries for which there are goods, less the worth of keeping a large tile for later rounds."""
    donkeys, hats = int(box.transport.donkeys[tile, 0]), int(box.transport.donkeys[tile, 1])
    useful = min(float(donkeys), deliverable(game, box, seat, plan) + 0.5)
    ready = max(plan.weights[Weight.DELIVERY], plan.best_rate)
    last = game.round_number == box.game.rounds or game.round_number + 1 == box.transport.donkeys_return_in_round
    worth_of_keeping = 0.0 if last else plan.weights[Weight.SAVE] * donkeys
    return useful * ready - worth_of_keeping + steps_worth(game, box, seat, hats, plan)


@kernel
def steps_worth(game, box, seat, steps, plan):
    """Steps on the siesta track by the points of the section reached."""
    player = game.players[seat]
    section = min(int(box.siesta_top), player.siesta + steps)
    points = float(box.transport.siesta_vp[section]) - float(box.transport.siesta_vp[player.siesta])
    return plan.weights[Weight.SIESTA] * points + plan.weights[Weight.ORDER] * (section - player.siesta)


@kernel
def roof_worth(game, box, seat, roof, plan):
    """A roof on offer: the points of its space, its effect, less its price."""
    price = float(box.farm.roof_cost_per_round * game.round_number)
    points = float(box.farm.roof_vp[game.players[seat].roof_count])
    return (
        plan.weights[Weight.ROOF] * (points + 0.8 * max(0.2, effect_worth(game, box, seat, box.roofs[roof].effect, plan)))
        - plan.weights[Weight.SILVER] * price
    )


@kernel
def use_worth(game, box, seat, ability, plan):
    """Using an ability now rather than later."""
    worth = effect_worth(game, box, seat, ability.effect, plan) + cost_worth(game, box, seat, ability, plan)
    return worth - plan.weights[Weight.HOLD] * max(0.0, plan.rounds_left - 1.0)


# --- trade -------------------------------------------------------------------------------------------------------------------------


@inlined
def upgrade_option_worth(game, box, kind, option, plan):
    """An upgrade: what the good gains, less its price; paid for only before growth, from a field where it grows again, or for a delivery."""
    good = option.good - FIELD if option.good >= FIELD else option.good
    gain = plan.worth[UPGRADED_FROM[good]] - plan.kept[good] - plan.weights[Weight.SILVER] * option.n
    if kind == Ask.UPGRADE:
        return gain + 0.01
    if kind == Ask.BEFORE_GROWTH and option.good >= FIELD:
        return gain + 0.5 * max(plan.weights[Weight.GOOD], plan.worth[good]) - plan.weights[Weight.TRADE]
    return gain - plan.weights[Weight.TRADE] if game.phase == Phase.TRANSPORT else -1.0


@inlined
def trade_worth(game, box, seat, kind, option, plan):
    """Buying for deliveries, or before growth a pig to breed; selling; using commodities where that is worth more than keeping them."""
    if option.do == Do.BUY:
        is_for_breeding = option.good == Item.PIG and kind == Ask.BEFORE_GROWTH and plan.breeder > 0.0
        if not is_for_breeding and game.phase != Phase.TRANSPORT:
            return -1.0
        return plan.worth[option.good] - plan.weights[Weight.SILVER] * option.n - plan.weights[Weight.TRADE] - plan.marker_price
    if option.do == Do.SELL:
        return plan.weights[Weight.SILVER] * option.n - lost_worth(plan, option.good) - 2.0 * plan.weights[Weight.TRADE]
    if option.do == Do.UPGRADE:
        return upgrade_option_worth(game, box, kind, option, plan)
    return alternative_worth(game, box, seat, option.n, plan) - plan.worth[Item.COMMODITY] - plan.weights[Weight.TRADE]


@inlined
def gained_worth(plan, option):
    """A good chosen, or a set of harvest goods."""
    if option.good >= 0:
        return plan.worth[option.good]
    total = 0.0
    for good in range(HARVEST):
        if (option.n >> good) & 1:
            total += plan.worth[good]
    return total


# --- any option ----------------------------------------------------------------------------------------------------------------------


@inlined
def option_worth(game, box, seat, kind, option, plan):
    """The worth of an option for the seat that the plan is for; passing is worth 0."""
    do = option.do
    if do == Do.DELIVER:
        return delivery_worth(game, box, seat, option, plan)
    if do == Do.BUY or do == Do.SELL or do == Do.UPGRADE or do == Do.USE_COMMODITY:
        return trade_worth(game, box, seat, kind, option, plan)
    if do == Do.PLAY_CARD:
        return card_worth(game, box, seat, option, plan)
    if do == Do.TAKE_DIE:
        return effect_worth(game, box, seat, box.revenue.faces[option.m - 1], plan)
    if do == Do.CHOOSE:
        return alternative_worth(game, box, seat, option.n, plan)
    if do == Do.GAIN:
        return gained_worth(plan, option)
    if do == Do.USE_ROOF:
        return use_worth(game, box, seat, box.roofs[option.card], plan) - use_marker_price(game, box, seat, FROM_ROOF + option.slot, plan)
    if do == Do.USE_HELPER:
        return use_worth(game, box, seat, box.cards[option.card].helper, plan) - use_marker_price(game, box, seat, int(option.slot), plan)
    return rare_option_worth(game, box, seat, option, plan)


@kernel
def rare_option_worth(game, box, seat, option, plan):
    """The options that come up less often."""
    do = option.do
    if do == Do.BUY_ROOF:
        return roof_worth(game, box, seat, int(option.card), plan)
    if do == Do.CHOOSE_DONKEY:
        return donkey_worth(game, box, seat, option.n - 1, plan)
    if do == Do.BUY_DELIVERY:
        return (
            plan.best_rate
            - plan.weights[Weight.SILVER] * box.transport.extra_delivery_cost
            - purchase_marker_price(game, box, seat, 1, plan)
        )
    if do == Do.BUY_DELIVERIES:
        useful = min(float(option.n), float(deliverable(game, box, seat, plan)))
        price = plan.weights[Weight.SILVER] * box.transport.extra_delivery_cost * option.n + purchase_marker_price(
            game, box, seat, int(option.n), plan
        )
        return useful * plan.best_rate - price
    if do == Do.SIESTA:
        return steps_worth(game, box, seat, option.n, plan)
    if do == Do.PLACE_MARKER:
        return marker_worth(box, plan) + space_worth(game, box, seat, option.space, plan)
    if do == Do.PAY or (do == Do.GIVE_UP and option.good >= 0):
        return -lost_worth(plan, option.good)
    if do == Do.GIVE_UP:
        return -marker_worth(box, plan)
    if do == Do.FORGO:
        return -awaited_worth(game, box, plan)
    if do == Do.DISCARD:
        return -kept_card_worth(game, box, seat, int(option.card), plan)
    if do == Do.FLIP_ROOF:
        return effect_worth(game, box, seat, box.roofs[option.card].effect, plan)
    if do == Do.RESERVE:
        return effect_worth(game, box, seat, box.revenue.faces[option.n - 1], plan)
    if do == Do.USE_BUILDING or do == Do.TAKE_GROWTH or do == Do.SHIFT:
        return 0.1
    return 0.0


@inlined
def can_wait(game, box, kind):
    """Whether to pass without a plan: at the last die and at ends of turns, except the last deliveries. Almost everything can be done later."""
    if kind == Ask.LAST_DIE:
        return True
    is_end = kind == Ask.END_TURN or (kind == Ask.BUY_DELIVERY and deliveries_left(game, box) <= 0)
    return is_end and (game.phase != Phase.TRANSPORT or game.round_number < box.game.rounds)


@kernel
def best_planned(game, box, seat, options, weights, notes):
    """The index of the option of most worth by a plan, the first of equals. Where everything can wait, it passes without a plan."""
    kind = kind_of(game)
    if can_wait(game, box, kind):
        return 0 if kind == Ask.LAST_DIE else len(options) - 1
    plan = notes.plan
    make_plan(game, box, seat, weights, plan)
    best, best_worth = 0, -np.inf
    for index in range(len(options)):  # none is valued before the loop, so that `option_worth` is inlined only once
        worth = option_worth(game, box, seat, kind, options[index], plan)
        if worth > best_worth:
            best, best_worth = index, worth
    return best
