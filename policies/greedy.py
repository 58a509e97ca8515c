"""Most points now, then goods by their price; it plans nothing and passes up every trade that does not pay at once."""

from lagranja_sim.games.lagranja.toolkit import *

WEIGHTS = {
    "share": (1.0, 0.0, 3.0),  # of a target's points that one delivery counts for
    "field": (1.0, 0.0, 5.0),  # harvests a new field counts for
    "barrow": (1.0, 0.0, 2.0),  # of its points a new barrow counts for
    "extension": (1.0, 0.0, 10.0),  # a new extension, in silver
    "helper": (1.0, 0.0, 10.0),  # a new helper, in silver
    "step": (4.0, 0.0, 5.0),  # a step on the siesta track, in silver
}
SHARE, FIELDS, BARROW, EXTENSION, HELPER, STEP = range(6)


@kernel
def card_worth(game, box, seat, option, weights):
    """A card by the side it is played as; what it replaces is lost."""
    card = box.cards[option.card]
    if option.side == Side.FIELD:
        return weights[FIELDS] * good_price(box, card.grows)
    if option.side == Side.EXTENSION:
        return weights[EXTENSION]
    if option.side == Side.HELPER:
        return weights[HELPER] if game.players[seat].helpers[option.slot] == 0 else -1.0
    worth = weights[BARROW] * card.barrow_vp * good_price(box, Item.VP) / card.barrow_size
    return worth if game.players[seat].barrows[option.slot] == 0 else -1.0


@kernel
def face_worth(box, face):
    """A die by what its face brings at printed prices."""
    if face == 1:
        return good_price(box, Item.PIG)
    if face == 2:
        return good_price(box, Item.GRAPE)
    if face == 3:
        return good_price(box, Item.OLIVE) + good_price(box, Item.GRAPE)
    if face == 4:
        return 4.0
    return 4.5 if face == 5 else 5.0


@kernel
def gained_worth(box, option):
    """One good, or a set of harvest goods."""
    if option.good >= 0:
        return good_price(box, option.good)
    worth = 0.0
    for good in range(HARVEST):
        if (option.n >> good) & 1:
            worth += good_price(box, good)
    return worth


def score(game, box, seat, option, weights, notes):
    do = option.do
    if do == Do.DELIVER:
        return weights[SHARE] * delivery_points(game, box, seat, option) * good_price(box, Item.VP) + 1.0
    if do == Do.PLAY_CARD:
        return card_worth(game, box, seat, option, weights)
    if do == Do.TAKE_DIE:
        return face_worth(box, option.m)
    if do == Do.GAIN:
        return gained_worth(box, option)
    if do == Do.UPGRADE:
        return 1.0 - option.n
    if do == Do.BUY_ROOF:
        return box.farm.roof_vp[game.players[seat].roof_count] * good_price(box, Item.VP) + 3.0 - game.round_number
    if do == Do.CHOOSE_DONKEY:
        return 4.0 * box.transport.donkeys[option.n - 1, 0] + weights[STEP] * box.transport.donkeys[option.n - 1, 1]
    if do == Do.BUY_DELIVERY or do == Do.USE_ROOF or do == Do.USE_HELPER or do == Do.USE_BUILDING or do == Do.TAKE_GROWTH:
        return 2.0
    if do == Do.BUY_DELIVERIES:
        return 2.0 + 0.01 * option.n
    if do == Do.SIESTA:
        return weights[STEP] * option.n
    if do == Do.GIVE_UP:
        return -good_price(box, option.good if option.good >= 0 else Item.VP.value)
    if do == Do.FORGO:
        return -100.0  # it carries through what it has begun
    if do == Do.PAY or do == Do.DISCARD:
        return -good_price(box, option.good) if option.good >= 0 else 0.0
    if do == Do.BUY or do == Do.SELL or do == Do.USE_COMMODITY:
        return -1.0
    return 0.0
