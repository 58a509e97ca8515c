"""Passive effects: signed numbers that helpers and permanent buildings add to prices, spaces and limits."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Condition, Item, Passive, Per
from lagranja_sim.games.lagranja.rules.state import SLOTS


@kernel
def barrows_on_farm(player):
    """How many market barrows stand on the farm."""
    count = 0
    for slot in range(SLOTS):
        if player.barrows[slot] > 0:
            count += 1
    return count


@kernel
def buildings_done(player):
    """How many craft buildings the player has completed."""
    count = 0
    for building in range(len(BUILDINGS)):
        count += (player.done >> building) & 1
    return count


@inlined
def field_cards(player):
    """How many fields the player has."""
    return int(player.fields[0]) + int(player.fields[1]) + int(player.fields[2])


@inlined
def strength(game, seat, op):
    """The amount of a part of an effect: its number times its `per`, or 0 where its `if` does not hold."""
    player = game.players[seat]
    if op.condition == Condition.PIGS and player.stock[Item.PIG] < op.at_least:
        return 0
    if op.condition == Condition.FIELDS and field_cards(player) < op.at_least:
        return 0
    if op.condition == Condition.SIESTA and player.siesta < op.at_least:
        return 0
    n = int(op.n)
    if op.per == Per.BARROWS:
        n *= barrows_on_farm(player)
    elif op.per == Per.BUILDINGS:
        n *= buildings_done(player)
    elif op.per == Per.FIELDS:
        n *= field_cards(player)
    return n


@kernel
def passive_amount(game, box, seat, ability, passive):
    """What one ability adds to a passive in the present phase."""
    if not (ability.is_passive_for >> passive) & 1 or not (ability.phases >> game.phase) & 1:
        return 0
    total = 0
    alternative = box.alternatives[box.effects[ability.effect].first]
    for index in range(alternative.first, alternative.first + alternative.length):
        op = box.ops[index]
        if op.verb == passive:
            total += strength(game, seat, op)
    return total


@inlined
def modifier(game, box, seat, passive):
    """The sum of a passive over the helpers and permanent buildings of a seat."""
    player = game.players[seat]
    if not (player.passives >> passive) & 1:
        return 0
    total = 0
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            total += passive_amount(game, box, seat, box.cards[player.helpers[slot]].helper, passive)
    for building in range(len(BUILDINGS)):
        if (player.permanent >> building) & 1:
            total += passive_amount(game, box, seat, box.craft_buildings[building].permanent, passive)
    return total


@kernel
def find_passives(game, box, seat):
    """Note which passives a seat has at all, so that most questions are answered by one bit."""
    player = game.players[seat]
    passives = 0
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            passives |= box.cards[player.helpers[slot]].helper.is_passive_for
    for building in range(len(BUILDINGS)):
        if (player.permanent >> building) & 1:
            passives |= box.craft_buildings[building].permanent.is_passive_for
    player.passives = passives


@inlined
def modified_price(price, change):
    """A7: a printed price with its modifier, never below 0."""
    return max(0, int(price) + change)


@kernel
def sell_price(game, box, seat, good):
    """A2: what a seat sells a resource for."""
    return modified_price(box.prices.sell[good], modifier(game, box, seat, Passive.SELL_PRICE))
