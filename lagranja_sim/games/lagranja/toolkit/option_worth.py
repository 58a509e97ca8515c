"""What one option is worth, by the plan in the scratch: the heart of every planning policy."""

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
from lagranja_sim.games.lagranja.toolkit.plan import (
    BARROW_RATE,
    BEST_RATE,
    BREEDER,
    BUILDING_RATE,
    KEPT,
    MARKER_PRICE,
    ROUNDS_LEFT,
    W_CARD,
    W_CROWD,
    W_DELIVERY,
    W_EXTENSION,
    W_FIELD,
    W_FINISH,
    W_GOOD,
    W_HELPER,
    W_HOLD,
    W_LACK,
    W_ORDER,
    W_PATIENCE,
    W_PAYMENT,
    W_PIG,
    W_REMOVAL,
    W_ROOF,
    W_SAFETY,
    W_SAVE,
    W_SIESTA,
    W_SILVER,
    W_THRESHOLD,
    W_TRADE,
    barrow_worth,
    lacking_price,
    lost_worth,
    marker_worth,
    plan,
)
from lagranja_sim.games.lagranja.toolkit.rivals import markers_removed, threats
from lagranja_sim.kit.agenda import kind_of, top


@inlined
def delivery_worth(game, box, seat, option, weights):
    """A delivery by its target's rate, more if it finishes the target; a little more from a field, which grows again, less for a breeding pig."""
    player = game.players[seat]
    if option.building >= 0:
        rate, left = box.scratch[BUILDING_RATE + option.building], int(player.row_left[option.building])
    else:
        rate, left = box.scratch[BARROW_RATE + option.slot], int(player.barrow_left[option.slot])
    if rate <= weights[W_THRESHOLD]:
        return -1.0
    worth = rate * (1.0 + (weights[W_FINISH] if left == 1 else 0.0))
    if option.good >= FIELD:
        return worth + 0.05
    if option.good == Item.SILVER:
        return worth - box.scratch[MARKER_PRICE]
    return worth - box.scratch[BREEDER] if option.good == Item.PIG else worth


# --- cards -----------------------------------------------------------------------------------------------------------------------


@inlined
def field_worth(game, box, player, card, weights):
    """A field: a harvest a round, worth less beside many fields."""
    good = box.cards[card].grows
    crowd = 1.0 + weights[W_CROWD] * (field_cards(player) + int(player.fields[good]))
    return weights[W_FIELD] * max(weights[W_GOOD], box.scratch[good]) * box.scratch[ROUNDS_LEFT] / crowd


@kernel
def new_barrow_worth(game, box, card, weights):
    """A barrow just placed: its rate, with the price of what it lacks."""
    price = lacking_price(box, box.cards[card].barrow)
    worth = barrow_worth(game, box, card, weights) - weights[W_LACK] * weights[W_SILVER] * price
    return worth / (box.cards[card].barrow_size + weights[W_PATIENCE])


@inlined
def barrow_card_worth(game, box, player, card, slot, weights):
    """A card as a barrow; instead of another, only what it is better by."""
    worth = new_barrow_worth(game, box, card, weights)
    if player.barrows[slot] == 0:
        return 2.0 * worth
    progress = float(box.cards[player.barrows[slot]].barrow_size - player.barrow_left[slot])
    return worth - max(0.0, box.scratch[BARROW_RATE + slot]) - progress


@inlined
def extension_worth(game, box, seat, card, weights):
    """A card as an extension: its icons over the rounds left, less its price."""
    face, rounds = box.cards[card], box.scratch[ROUNDS_LEFT]
    a_round = 0.5 * weights[W_CARD] * face.ext_hand + 0.7 * weights[W_DELIVERY] * face.ext_delivery + weights[W_PIG] * face.ext_pig
    if face.ext_income >= 0:
        a_round += effect_worth(game, box, seat, face.ext_income, weights)
    return weights[W_EXTENSION] * a_round * rounds - weights[W_PAYMENT] * extension_cost(game, box, seat)


@inlined
def helper_worth(game, box, player, card, slot, weights):
    """A card as a helper over the rounds left; instead of another, only what it is better by."""
    worth = ability_worth(box, box.cards[card].helper, weights)
    if player.helpers[slot] > 0:
        worth -= ability_worth(box, box.cards[player.helpers[slot]].helper, weights)
    return weights[W_HELPER] * worth * box.scratch[ROUNDS_LEFT]


@inlined
def card_worth(game, box, seat, card, side, slot, weights):
    """A card played on one of its sides."""
    player = game.players[seat]
    if side == Side.FIELD:
        return field_worth(game, box, player, card, weights)
    if side == Side.BARROW:
        return barrow_card_worth(game, box, player, card, slot, weights)
    if side == Side.EXTENSION:
        return extension_worth(game, box, seat, card, weights)
    return helper_worth(game, box, player, card, slot, weights)


@kernel
def kept_card_worth(game, box, seat, card, weights):
    """A card kept in the hand: the better of its field and its barrow."""
    player = game.players[seat]
    return max(field_worth(game, box, player, card, weights), 2.0 * new_barrow_worth(game, box, card, weights))


# --- the market, the donkeys, the dice, the roofs ------------------------------------------------------------------------------------


@kernel
def space_worth(game, box, seat, space, weights):
    """A market space: markers removed now, less what threatens this one."""
    removes = box.market.roof_marker_removes or not top(game).flag  # F10: a roof's marker does not
    gain = weights[W_REMOVAL] * markers_removed(game, box, seat, space) if removes else 0.0
    return gain - weights[W_SAFETY] * threats(game, box, seat, space) * box.scratch[ROUNDS_LEFT]


@kernel
def deliverable(game, box, seat, weights):
    """About how many goods held have a place to go that is worth it."""
    player = game.players[seat]
    total = 0
    for kind in range(KINDS):
        wanted = 0
        for slot in range(len(player.barrows)):
            if box.scratch[BARROW_RATE + slot] > weights[W_THRESHOLD]:
                wanted += player.barrow_missing[slot, kind]
        for building in range(len(player.row_left)):
            if box.scratch[BUILDING_RATE + building] > weights[W_THRESHOLD]:
                wanted += player.row_missing[building, kind]
        total += min(wanted, held(player, kind))
    return total


@kernel
def donkey_worth(game, box, seat, tile, weights):
    """A donkey tile: deliveries that have something to carry, steps, and keeping large tiles for rounds with more to carry."""
    donkeys, hats = int(box.transport.donkeys[tile, 0]), int(box.transport.donkeys[tile, 1])
    useful = min(float(donkeys), deliverable(game, box, seat, weights) + 0.5)
    ready = max(weights[W_DELIVERY], box.scratch[BEST_RATE])
    last = game.round_number == box.game.rounds or game.round_number + 1 == box.transport.donkeys_return_in_round
    saved = 0.0 if last else weights[W_SAVE] * donkeys
    return useful * ready - saved + steps_worth(game, box, seat, hats, weights)


@kernel
def steps_worth(game, box, seat, steps, weights):
    """Steps on the siesta track by the points of the section reached."""
    player = game.players[seat]
    section = min(int(box.siesta_top), player.siesta + steps)
    points = float(box.transport.siesta_vp[section]) - float(box.transport.siesta_vp[player.siesta])
    return weights[W_SIESTA] * points + weights[W_ORDER] * (section - player.siesta)


@kernel
def roof_worth(game, box, seat, roof, weights):
    """A roof on offer: the points of its space, its effect, less its price."""
    price = float(box.farm.roof_cost_per_round * game.round_number)
    points = float(box.farm.roof_vp[game.players[seat].roof_count])
    return (
        weights[W_ROOF] * (points + 0.8 * max(0.2, effect_worth(game, box, seat, box.roofs[roof].effect, weights)))
        - weights[W_SILVER] * price
    )


@kernel
def use_worth(game, box, seat, ability, weights):
    """Using an ability now rather than later."""
    worth = effect_worth(game, box, seat, ability.effect, weights) + cost_worth(game, box, seat, ability, weights)
    return worth - weights[W_HOLD] * max(0.0, box.scratch[ROUNDS_LEFT] - 1.0)


# --- trade -------------------------------------------------------------------------------------------------------------------------


@inlined
def upgrade_option_worth(game, box, kind, option, weights):
    """An upgrade: what the good gains, less its price; paid for only before growth, from a field where it grows again, or for a delivery."""
    good = option.good - FIELD if option.good >= FIELD else option.good
    gain = box.scratch[UPGRADED_FROM[good]] - box.scratch[KEPT + good] - weights[W_SILVER] * option.n
    if kind == Ask.UPGRADE:
        return gain + 0.01
    if kind == Ask.BEFORE_GROWTH and option.good >= FIELD:
        return gain + 0.5 * max(weights[W_GOOD], box.scratch[good]) - weights[W_TRADE]
    return gain - weights[W_TRADE] if game.phase == Phase.TRANSPORT else -1.0


@inlined
def trade_worth(game, box, seat, kind, option, weights):
    """Buying for deliveries, or before growth a pig to breed; selling; commodities when they do more than they are kept for."""
    if option.do == Do.BUY:
        to_breed = option.good == Item.PIG and kind == Ask.BEFORE_GROWTH and box.scratch[BREEDER] > 0.0
        if not to_breed and game.phase != Phase.TRANSPORT:
            return -1.0
        return box.scratch[option.good] - weights[W_SILVER] * option.n - weights[W_TRADE] - box.scratch[MARKER_PRICE]
    if option.do == Do.SELL:
        return weights[W_SILVER] * option.n - lost_worth(box, option.good) - 2.0 * weights[W_TRADE]
    if option.do == Do.UPGRADE:
        return upgrade_option_worth(game, box, kind, option, weights)
    return alternative_worth(game, box, seat, option.n, weights) - box.scratch[Item.COMMODITY] - weights[W_TRADE]


@inlined
def gained_worth(box, option):
    """A good chosen, or a set of harvest goods."""
    if option.good >= 0:
        return box.scratch[option.good]
    total = 0.0
    for good in range(HARVEST):
        if (option.n >> good) & 1:
            total += box.scratch[good]
    return total


# --- any option ----------------------------------------------------------------------------------------------------------------------


@inlined
def option_worth(game, box, seat, kind, option, weights):
    """The worth of an option for a seat whose plan is in the scratch; passing is worth 0."""
    do = option.do
    if do == Do.DELIVER:
        return delivery_worth(game, box, seat, option, weights)
    if do == Do.BUY or do == Do.SELL or do == Do.UPGRADE or do == Do.USE_COMMODITY:
        return trade_worth(game, box, seat, kind, option, weights)
    if do == Do.PLAY_CARD:
        return card_worth(game, box, seat, int(option.card), option.side, option.slot, weights)
    if do == Do.TAKE_DIE:
        return effect_worth(game, box, seat, box.revenue.faces[option.m - 1], weights)
    if do == Do.CHOOSE:
        return alternative_worth(game, box, seat, option.n, weights)
    if do == Do.GAIN:
        return gained_worth(box, option)
    if do == Do.USE_ROOF:
        return use_worth(game, box, seat, box.roofs[option.card], weights) - use_marker_price(game, box, seat, FROM_ROOF + option.slot)
    if do == Do.USE_HELPER:
        return use_worth(game, box, seat, box.cards[option.card].helper, weights) - use_marker_price(game, box, seat, int(option.slot))
    return rare_option_worth(game, box, seat, option, weights)


@kernel
def rare_option_worth(game, box, seat, option, weights):
    """The options that come up less often."""
    do = option.do
    if do == Do.BUY_ROOF:
        return roof_worth(game, box, seat, int(option.card), weights)
    if do == Do.CHOOSE_DONKEY:
        return donkey_worth(game, box, seat, option.n - 1, weights)
    if do == Do.BUY_DELIVERY:
        return box.scratch[BEST_RATE] - weights[W_SILVER] * box.transport.extra_delivery_cost - purchase_marker_price(game, box, seat, 1)
    if do == Do.BUY_DELIVERIES:
        useful = min(float(option.n), float(deliverable(game, box, seat, weights)))
        price = weights[W_SILVER] * box.transport.extra_delivery_cost * option.n + purchase_marker_price(game, box, seat, int(option.n))
        return useful * box.scratch[BEST_RATE] - price
    if do == Do.SIESTA:
        return steps_worth(game, box, seat, option.n, weights)
    if do == Do.PLACE_MARKER:
        return marker_worth(game, box, weights) + space_worth(game, box, seat, option.space, weights)
    if do == Do.PAY or (do == Do.GIVE_UP and option.good >= 0):
        return -lost_worth(box, option.good)
    if do == Do.GIVE_UP:
        return -marker_worth(game, box, weights)
    if do == Do.FORGO:
        return -awaited_worth(game, box, weights)
    if do == Do.DISCARD:
        return -kept_card_worth(game, box, seat, int(option.card), weights)
    if do == Do.FLIP_ROOF:
        return effect_worth(game, box, seat, box.roofs[option.card].effect, weights)
    if do == Do.RESERVE:
        return effect_worth(game, box, seat, box.revenue.faces[option.n - 1], weights)
    if do == Do.USE_BUILDING or do == Do.TAKE_GROWTH or do == Do.SHIFT:
        return 0.1
    return 0.0


@inlined
def can_wait(game, box, kind):
    """Windows that are passed: the last die's, and ends of turns but those of the last deliveries. Hardly anything there could not be done later."""
    if kind == Ask.LAST_DIE:
        return True
    is_end = kind == Ask.END_TURN or (kind == Ask.BUY_DELIVERY and deliveries_left(game, box) <= 0)
    return is_end and (game.phase != Phase.TRANSPORT or game.round_number < box.game.rounds)


@kernel
def best_planned(game, box, seat, options, count, weights):
    """Plan, then take the option of most worth, the first of equals. Where all that could be done can wait, the step goes on at once."""
    kind = kind_of(game)
    if can_wait(game, box, kind):
        return 0 if kind == Ask.LAST_DIE else count - 1
    plan(game, box, seat, weights)
    best, best_worth = 0, -np.inf
    for index in range(count):  # no first one before the loop: what it takes to value an option is compiled in here, once
        worth = option_worth(game, box, seat, kind, options[index], weights)
        if worth > best_worth:
            best, best_worth = index, worth
    return best
