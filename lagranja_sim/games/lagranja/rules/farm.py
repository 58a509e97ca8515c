"""The farm phase: cards (F1-F4), income (F5), growth and piglets (F6), roofs (F7-F9)."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.agenda import drop, open_turn, push, push_step, push_step_for_each
from lagranja_sim.games.lagranja.rules.effects import (
    FROM_BUILDING,
    building_answers,
    effect_prospect,
    push_answers,
    push_roof_answers,
    use,
)
from lagranja_sim.games.lagranja.rules.holdings import NOTHING, credit, free_pig_spaces, receive, sell_homeless_pigs
from lagranja_sim.games.lagranja.rules.modifiers import modifier
from lagranja_sim.games.lagranja.rules.names import (
    BUILDINGS,
    FIELD,
    HARVEST,
    Ask,
    Do,
    Event,
    Item,
    Passive,
    Phase,
    PigletWithoutSpace,
    Reason,
    Step,
)
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import REF_BUILDING, REF_ROOF, SEATS


@kernel
def farm_phase(game, box):
    """All players finish a step before the next, in turn order; round 1 sells its roofs in reverse (F7)."""
    game.phase = Phase.FARM
    reverse = game.round_number == 1 and box.farm.first_round_roofs_reversed
    for index in range(game.seats):
        push_step(game, Step.ROOF_TURN, game.order[index if reverse else game.seats - 1 - index])
    push_step_for_each(game, Step.GROWTH_TURN)
    push_step_for_each(game, Step.INCOME)
    push_step_for_each(game, Step.CARDS_TURN)


# --- F1, F4 --------------------------------------------------------------------------------------------------------------------


@kernel
def cards_turn(game, box, seat):
    """F1: exactly so many cards in round 1, at most so many later; then F4."""
    open_turn(game, box, seat)
    push_step(game, Ask.DISCARD, seat)
    push_step(game, Step.HAND_LIMIT, seat)
    push_step(game, Ask.END_TURN, seat)
    push(game, Ask.PLAY_CARD, seat, box.farm.cards_first_round if game.round_number == 1 else box.farm.cards_per_round, 0, 0, 0, 0)


# --- F6 --------------------------------------------------------------------------------------------------------------------------


@kernel
def growth_turn(game, box, seat):
    """F6: a turn around growth, piglets and the greengrocer."""
    open_turn(game, box, seat)
    game.growth_taken = 0
    push_step(game, Ask.END_TURN, seat)
    push_step(game, Step.GROWN, seat)
    push_step(game, Step.BREED, seat)
    for good in range(HARVEST - 1, -1, -1):
        push(game, Step.GROW, seat, 0, good, 0, 0, 0)
    push_step(game, Ask.BEFORE_GROWTH, seat)


@kernel
def list_before_growth(game, box, seat, options, n):
    """F6: the greengrocer before growth, or growth."""
    for building in range(len(BUILDINGS)):
        if building_answers(game, box, seat, building, Event.GROWTH, 0):
            effect = box.craft_buildings[building].permanent.effect
            if effect_prospect(game, box, seat, effect, Reason.CRAFT_PERMANENT, REF_BUILDING + building) > NOTHING:
                n = put(game, options, n, Do.TAKE_GROWTH)
                options[n - 1].building = building
    return put(game, options, n, Do.GROW)


@kernel
def take_growth(game, box, seat, building):
    """F6: the greengrocer's resource before growth."""
    game.growth_taken |= 1 << building
    use(game, box, seat, FROM_BUILDING + building)


@kernel
def grow(game, box, seat, good):
    """F6: each empty field of a good gets it."""
    player = game.players[seat]
    receive(game, box, seat, FIELD + good, int(player.fields[good]) - int(player.stock[FIELD + good]), Reason.GROWTH, 0)


@kernel
def breed(game, box, seat):
    """F6, F12: with enough pigs piglets come, as many as fit; the rest is lost or, by variant, sold."""
    if game.players[seat].stock[Item.PIG] < box.farm.breeding_pigs:
        return
    game.piglets = 0
    piglets = max(0, int(box.farm.piglets) + modifier(game, box, seat, Passive.PIGLETS))
    fitting = min(piglets, free_pig_spaces(game, box, seat))
    if box.farm.piglet_without_space == PigletWithoutSpace.SOLD and piglets > fitting:
        sell_homeless_pigs(game, box, seat, piglets - fitting, 0)
    if fitting > 0:
        push_step(game, Step.BRED, seat)
        receive(game, box, seat, Item.PIG, fitting, Reason.BREED, 0)


@kernel
def bred(game, box):
    """H4: the event needs a piglet received."""
    drop(game)
    if game.piglets > 0:
        push_answers(game, box, int(game.agenda[game.depth].seat), Event.BREED, 0)


# --- F7 ----------------------------------------------------------------------------------------------------------------------------


@kernel
def roof_turn(game, box, seat):
    """F7: at most one roof."""
    open_turn(game, box, seat)
    push_step(game, Ask.END_TURN, seat)
    push_step(game, Ask.BUY_ROOF, seat)


@kernel
def roof_price(game, box, seat):
    """F7, A7: the round's number, with modifiers, never below 0."""
    return max(0, int(box.farm.roof_cost_per_round) * int(game.round_number) + modifier(game, box, seat, Passive.ROOF_COST))


@kernel
def list_roofs(game, box, seat, options, n):
    """F7: the face-up roofs of the round, while a space is free and the silver suffices."""
    player = game.players[seat]
    if player.roof_count >= box.farm.roof_slots or player.stock[Item.SILVER] < roof_price(game, box, seat):
        return n
    for index in range(SEATS):
        if game.roof_offer[index] > 0:
            n = put(game, options, n, Do.BUY_ROOF)
            options[n - 1].card = game.roof_offer[index]
            options[n - 1].slot = index
    return n


@kernel
def buy_roof(game, box, seat, index):
    """F7, F9: onto the leftmost empty space, whose points are taken at once; then what waits for a roof answers."""
    drop(game)
    player = game.players[seat]
    roof = int(game.roof_offer[index])
    game.roof_offer[index] = 0
    price = roof_price(game, box, seat)
    if price > 0:
        credit(game, box, seat, Item.SILVER, -price, Reason.ROOF, REF_ROOF + roof)
    player.roofs[player.roof_count] = roof
    player.roof_used[player.roof_count] = 0
    player.roof_this_round = roof
    game.covered_vp = box.farm.roof_vp[player.roof_count]
    player.roof_count += 1
    if game.covered_vp > 0:
        credit(game, box, seat, Item.VP, game.covered_vp, Reason.ROOF, REF_ROOF + roof)
    push_step(game, Step.ROOF_PLACED, seat)
    push(game, Step.EVENT, seat, 0, Event.ROOF_BOUGHT, 0, 0, 0)
    push_roof_answers(game, box, seat)
