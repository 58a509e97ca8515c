"""What can be paid, and what is left of a farm once something is paid: an act is offered by what it could do then (A6)."""

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.modifiers import strength
from lagranja_sim.games.lagranja.rules.names import HARVEST, RESOURCES, Goods, Item, Verb


@kernel
def class_bounds(what):
    """The goods of a class as a range of items: resources, upgraded goods, else harvest goods."""
    if what == Goods.RESOURCE:
        return 0, RESOURCES
    if what == Goods.UPGRADED:
        return Item.FOOD.value, Item.MEAT + 1
    return 0, HARVEST


@inlined
def units_to_pay(player, what, good):
    """How many of a good could go into a cost of a class: all that is held, of different goods one."""
    held = int(player.stock[good])
    return min(held, 1) if what == Goods.HARVEST_DIFFERENT else held


@inlined
def units_of_class(player, what):
    """How many goods could go into a cost of a class."""
    first, end = class_bounds(what)
    units = 0
    for good in range(first, end):
        units += units_to_pay(player, what, good)
    return units


@inlined
def can_pay(game, seat, what, amount):
    """Whether so much of a good or class can be paid, from dens, stables, purse and storage, never from fields."""
    player = game.players[seat]
    if what <= Item.VP:
        return player.stock[what] >= amount
    return units_of_class(player, what) >= amount


@kernel
def is_payable(game, box, seat, alternative):
    """Whether the `pay` parts of an alternative can be paid; no two of them ask for the same good."""
    run = box.alternatives[alternative]
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        if op.verb == Verb.PAY and not can_pay(game, seat, op.what, strength(game, seat, op)):
            return False
    return True


@inlined
def what_is_held(player):
    """The stocks that can be paid with, and last the markers in use, to be put back."""
    held = player.stock
    return (held[0], held[1], held[2], held[3], held[4], held[5], held[6], held[7], held[8], held[9], player.markers)  # fmt: skip


@inlined
def put_back(player, held):
    """Undo what was laid aside since `what_is_held`."""
    for thing in range(Item.VP + 1):
        player.stock[thing] = held[thing]
    player.markers = held[Item.VP + 1]


@kernel
def lay_aside(game, box, seat, alternative):
    """Take away what the `pay` parts of an alternative ask for, for as long as it is judged what could be done then."""
    run = box.alternatives[alternative]
    for index in range(run.first, run.first + run.length):
        op = box.ops[index]
        if op.verb == Verb.PAY:
            lay_goods_aside(game.players[seat], int(op.what), strength(game, seat, op))


@kernel
def lay_goods_aside(player, what, amount):
    """What is paid sets its markers free (L1). Of a class each good keeps as many as the way of paying leaves that leaves most of it."""
    if what != Item.SILVER and what != Item.VP:
        player.markers -= amount
    if what <= Item.VP:
        player.stock[what] -= amount
        return
    first, end = class_bounds(what)
    units = units_of_class(player, what)
    for good in range(first, end):
        of_others = units - units_to_pay(player, what, good)
        player.stock[good] -= max(0, amount - of_others)
