"""Most points now, then goods by their price; it plans nothing and passes up every trade that does not pay at once."""

from lagranja_sim.toolkit import *

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
    if option.side == SIDE_FIELD:
        return weights[FIELDS] * good_price(box, card.grows)
    if option.side == SIDE_EXTENSION:
        return weights[EXTENSION]
    if option.side == SIDE_HELPER:
        return weights[HELPER] if game.players[seat].helpers[option.slot] == 0 else -1.0
    worth = weights[BARROW] * card.barrow_vp * good_price(box, VP) / card.barrow_size
    return worth if game.players[seat].barrows[option.slot] == 0 else -1.0


@kernel
def face_worth(box, face):
    """A die by what its face brings at printed prices."""
    if face == 1:
        return good_price(box, PIG)
    if face == 2:
        return good_price(box, GRAPE)
    if face == 3:
        return good_price(box, OLIVE) + good_price(box, GRAPE)
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


def score(game, box, seat, option, weights):
    do = option.do
    if do == DO_DELIVER:
        return weights[SHARE] * delivery_points(game, box, seat, option) * good_price(box, VP) + 1.0
    if do == DO_PLAY_CARD:
        return card_worth(game, box, seat, option, weights)
    if do == DO_TAKE_DIE:
        return face_worth(box, option.m)
    if do == DO_GAIN:
        return gained_worth(box, option)
    if do == DO_UPGRADE:
        return 1.0 - option.n
    if do == DO_BUY_ROOF:
        return box.roof_vp[game.players[seat].roof_count] * good_price(box, VP) + 3.0 - game.round_number
    if do == DO_CHOOSE_DONKEY:
        return 4.0 * box.donkeys[option.n - 1, 0] + weights[STEP] * box.donkeys[option.n - 1, 1]
    if do == DO_BUY_DELIVERY or do == DO_USE_ROOF or do == DO_USE_HELPER or do == DO_USE_BUILDING or do == DO_TAKE_GROWTH:
        return 2.0
    if do == DO_BUY_DELIVERIES:
        return 2.0 + 0.01 * option.n
    if do == DO_SIESTA:
        return weights[STEP] * option.n
    if do == DO_GIVE_UP:
        return -good_price(box, option.good if option.good >= 0 else VP)
    if do == DO_FORGO:
        return -100.0  # it carries through what it has begun
    if do == DO_PAY or do == DO_DISCARD:
        return -good_price(box, option.good) if option.good >= 0 else 0.0
    if do == DO_BUY or do == DO_SELL or do == DO_USE_COMMODITY:
        return -1.0
    return 0.0
