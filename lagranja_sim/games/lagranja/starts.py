"""Starting files for policies: each kind documented, and fit to play as it is. NAME stands for the policy's name."""

SCORE = '''"""Delivers what it can and plays for fields and barrows: a start for a policy of your own.

The line above is shown by `lagranja policies`. `score` is asked for every option of a decision; the option with the highest
number is taken, the first of equals. It is compiled, so keep to numbers, tuples, loops and functions decorated with @kernel.
What does not compile is told by its line: lagranja policies check NAME
"""

from lagranja_sim.games.lagranja.toolkit import *  # noqa: F403

# What several policies use stands in a file beside them whose name begins with _: from ._mine import worth  (policies/_mine.py)

# name: (default, lowest, highest). NAME:field=2 calls the policy with another weight.
WEIGHTS = {
    "delivery": (2.0, 0.0, 5.0),  # a point that a delivery brings nearer
    "field": (6.0, 0.0, 12.0),  # the first card played as a field, in goods
    "barrow": (4.0, 0.0, 12.0),  # a card played as a barrow, in goods
}
DELIVERY, FIELD_CARD, BARROW = range(3)  # their places in `weights`


@kernel
def card_worth(game, seat, option, weights):
    """A card: fields are worth less the more there are, a barrow goes into an empty place."""
    me = game.players[seat]
    if option.side == Side.FIELD:
        return weights[FIELD_CARD] / (1.0 + me.fields[0] + me.fields[1] + me.fields[2])
    if option.side == Side.BARROW and me.barrows[option.slot] == 0:
        return weights[BARROW]
    return 0.1


@kernel
def gained(box, option):
    """One good, or a set of harvest goods (bit 0 of `n` is the olive), at printed prices."""
    if option.good >= 0:
        return good_price(box, option.good)
    worth = 0.0
    for good in range(HARVEST):
        if option.n >> good & 1:
            worth += good_price(box, good)
    return worth


def score(game, box, seat, option, weights, notes):
    """How good an option is for `seat`.

    game: what the seat may see: game.round_number, game.players[seat].stock[OLIVE], .barrows, .row_left[building], ...
    box: what is printed: box.cards[number], box.craft_buildings[index], prices, ...
    option: option.do says what it does, its other fields with what: card, side, slot, good, building, space, n, m.
    notes: what the policy itself writes there, kept to the end of the game: notes.numbers, notes.counts.
    All fields and constants stand in lagranja_sim/games/lagranja/rules/state.py, ready-made judgements in
    lagranja_sim/games/lagranja/toolkit.
    """
    do = option.do
    if do == Do.DELIVER:
        return 1.0 + weights[DELIVERY] * delivery_points(game, box, seat, option)
    if do == Do.PLAY_CARD:
        return card_worth(game, seat, option, weights)
    if do == Do.GAIN:
        return gained(box, option)
    if do == Do.TAKE_DIE:
        return float(option.m)  # the face it counts as
    if do == Do.BUY_ROOF:
        return box.farm.roof_vp[game.players[seat].roof_count] - 0.5 * game.round_number
    if do == Do.CHOOSE_DONKEY:
        return 2.0 * box.transport.donkeys[option.n - 1, 0] + box.transport.donkeys[option.n - 1, 1]  # deliveries and steps
    if do in (Do.BUY_DELIVERY, Do.USE_ROOF, Do.USE_HELPER, Do.USE_BUILDING, Do.TAKE_GROWTH, Do.UPGRADE, Do.SIESTA):
        return 0.5
    if do in (Do.BUY, Do.SELL, Do.USE_COMMODITY, Do.DISCARD, Do.GIVE_UP):
        return -1.0
    if do == Do.FORGO:
        return -2.0  # rather give up a marker: an act forgone could be begun again and again
    return 0.0  # `done`, and whatever is not named here
'''

CHOOSE = '''"""Delivers where it brings most, else takes any option: a start for a policy of your own.

The line above is shown by `lagranja policies`. `choose` is asked at every decision with two options or more and returns the
index of one. It is compiled, so keep to numbers, tuples, loops and functions decorated with @kernel.
What does not compile is told by its line: lagranja policies check NAME
"""

from lagranja_sim.games.lagranja.toolkit import *  # noqa: F403

# What several policies use stands in a file beside them whose name begins with _: from ._mine import worth  (policies/_mine.py)

# name: (default, lowest, highest). NAME:delivery=2 calls the policy with another weight.
WEIGHTS = {
    "delivery": (1.0, 0.0, 5.0),  # a point that a delivery brings nearer
    "luck": (0.5, 0.0, 5.0),  # how much chance has a say
}
DELIVERY, LUCK = range(2)  # their places in `weights`


@kernel
def worth(game, box, seat, option, weights):
    """One option: option.do says what it does, its other fields with what: card, side, slot, good, building, space, n, m."""
    if option.do == Do.DELIVER:
        return 1.0 + weights[DELIVERY] * delivery_points(game, box, seat, option)
    return 0.0


def choose(game, box, seat, options, weights, notes):
    """The index of an option, from 0 to len(options) - 1.

    game: what the seat may see: game.round_number, game.players[seat].stock[OLIVE], .barrows, .row_left[building], ...
    box: what is printed: box.cards[number], box.craft_buildings[index], prices, ...
    draw(game, index, bound): the policy's own luck, below `bound`; during a decision an index gives the same number again.
    notes: what the policy itself writes there, kept to the end of the game: notes.numbers, notes.counts.
    All fields and constants stand in lagranja_sim/games/lagranja/rules/state.py, ready-made judgements in
    lagranja_sim/games/lagranja/toolkit.
    """
    best, best_worth = 0, -1.0
    for index in range(len(options)):
        this = worth(game, box, seat, options[index], weights) + weights[LUCK] * draw(game, index, 1000) / 1000.0
        if this > best_worth:
            best, best_worth = index, this
    return best
'''

CLASS = '''"""Delivers whenever it can, in plain Python: a start for trying things out.

The line above is shown by `lagranja policies`. A class is not compiled: it may use any Python, and is some fifty times slower. It is made
anew for every game. So that a game can be repeated it must choose the same whenever it is shown the same: keep nothing from
one decision to the next but in `notes`, and take chance from `game.luck` only.
Errors are told by their line: lagranja policies check NAME
"""

from lagranja_sim.games.lagranja.rules.names import Do, Side

# What several policies use stands in a file beside them whose name begins with _: from ._mine import worth  (policies/_mine.py)

# name: (default, lowest, highest). NAME:field=2 calls the policy with another weight.
WEIGHTS = {"field": (1.0, 0.0, 5.0)}


class Policy:
    def choose(self, game, box, seat, options, weights, notes):
        """The index of an option, from 0 to len(options) - 1; print what you like while you look around.

        game: what the seat may see: game.round_number, game.players[seat].stock, ...; box: what is printed.
        options[index]: do says what it does, its other fields with what: card, side, slot, good, building, space, n, m.
        weights: an array in the order of WEIGHTS. All fields and constants stand in lagranja_sim/games/lagranja/rules/state.py.
        """
        return max(range(len(options)), key=lambda index: self.worth(options[index], weights))

    def worth(self, option, weights):
        if option["do"] == Do.DELIVER:
            return 3.0
        if option["do"] == Do.PLAY_CARD and option["side"] == Side.FIELD:
            return weights[0]
        return 0.5 if option["do"] == Do.GAIN else 0.0
'''

BASE = '''"""Plays as `balanced` does, with weights of its own: a start for a policy without code.

The line above is shown by `lagranja policies`. Take the # from a line and change its number.
"""

BASE = "balanced"
WEIGHTS = {
    WEIGHTS_OF_BASE
}
'''

STARTS = {"score": SCORE, "choose": CHOOSE, "class": CLASS, "base": BASE}
