"""The farm phase: cards (F1-F4), income (F5), growth and piglets (F6), roofs (F7-F9)."""

from enum import IntEnum

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.abilities import FROM_BUILDING, building_answers
from lagranja_sim.games.lagranja.rules.agenda import push, push_effect, push_event, push_for_each, push_number
from lagranja_sim.games.lagranja.rules.anytime import list_anytime, open_turn
from lagranja_sim.games.lagranja.rules.availability import effect_prospect
from lagranja_sim.games.lagranja.rules.cards import draw_to_hand_limit, list_cards, list_discards, move_card, play_card
from lagranja_sim.games.lagranja.rules.events import push_answers, push_roof_answers, use
from lagranja_sim.games.lagranja.rules.holdings import NOTHING, credit, free_pig_spaces, receive, sell_homeless_pigs
from lagranja_sim.games.lagranja.rules.ledger import because
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
    Reason,
    Step,
)
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import IN_DISCARD, REF_BUILDING, REF_ROOF, SEATS
from lagranja_sim.kit.agenda import count_down, drop, dropped_task


class PigletWithoutSpace(IntEnum):
    """What becomes of a piglet for which there is no space (F6)."""

    LOST = 0
    SOLD = 1


@kernel
def list_options(game, box, kind, seat, options):
    """F1: cards to play, F4: to discard; F6: growth or what comes before; F7: roofs."""
    can_leave = kind == Ask.BUY_ROOF or (kind == Ask.PLAY_CARD and game.round_number > 1)
    if kind == Ask.PLAY_CARD:
        n = list_cards(game, box, seat, options, 0)
    elif kind == Ask.DISCARD:
        n = list_discards(game, box, seat, options, 0)
    elif kind == Ask.BEFORE_GROWTH:
        n = list_before_growth(game, box, seat, options, 0)
    else:
        n = list_roofs(game, box, seat, options, 0)
    if n == 0 and not can_leave:
        return 0
    n = list_anytime(game, box, kind, seat, options, n)
    return put(game, options, n, Do.DONE) if can_leave else n


@kernel
def apply_option(game, box, kind, seat, option):
    """A card is played or discarded (F1, F4), growth taken or begun (F6), a roof bought (F7)."""
    if kind == Ask.PLAY_CARD:
        count_down(game)
        play_card(game, box, seat, int(option.card), int(option.side), int(option.slot))
    elif kind == Ask.DISCARD:
        move_card(game, box, int(option.card), IN_DISCARD, Reason.HAND_LIMIT, 0)
    elif kind == Ask.BUY_ROOF:
        buy_roof(game, box, seat, int(option.slot))
    elif option.do == Do.TAKE_GROWTH:
        take_growth(game, box, seat, int(option.building))
    else:
        drop(game)


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    if kind == Step.CARDS_TURN:
        cards_turn(game, box, seat)
    elif kind == Step.HAND_LIMIT:
        draw_to_hand_limit(game, box, seat)
    elif kind == Step.INCOME:
        push_income(game, box, seat)
    elif kind == Step.GROWTH_TURN:
        growth_turn(game, box, seat)
    elif kind == Step.GROW:
        grow(game, box, seat, int(dropped_task(game).n))
    elif kind == Step.BREED:
        breed(game, box, seat)
    elif kind == Step.BRED:
        answer_breeding(game, box, seat)
    elif kind == Step.GROWN:
        push_answers(game, box, seat, Event.GROWTH, 0)
    elif kind == Step.ROOF_TURN:
        roof_turn(game, box, seat)
    else:
        game.covered_vp = 0


@kernel
def farm_phase(game, box):
    """All players finish a step before the next, in turn order; round 1 sells its roofs in reverse (F7)."""
    game.phase = Phase.FARM
    reverse = game.round_number == 1 and box.farm.first_round_roofs_reversed
    for index in range(game.seats):
        push(game, Step.ROOF_TURN, game.order[index if reverse else game.seats - 1 - index])
    push_for_each(game, Step.GROWTH_TURN)
    push_for_each(game, Step.INCOME)
    push_for_each(game, Step.CARDS_TURN)


# --- F1, F4 --------------------------------------------------------------------------------------------------------------------


@kernel
def cards_turn(game, box, seat):
    """F1: exactly so many cards in round 1, at most so many later; then F4."""
    open_turn(game, box, seat)
    push(game, Ask.DISCARD, seat)
    push(game, Step.HAND_LIMIT, seat)
    push(game, Ask.END_TURN, seat)
    cards = int(box.farm.cards_first_round if game.round_number == 1 else box.farm.cards_per_round)
    if cards > 0:
        push_number(game, Ask.PLAY_CARD, seat, cards)


# --- F5 --------------------------------------------------------------------------------------------------------------------------


@kernel
def push_income(game, box, seat):
    """F5: what extensions show, then helpers and permanent buildings with income."""
    push_event(game, seat, Event.INCOME, 0)
    player = game.players[seat]
    for index in range(player.extension_count - 1, -1, -1):
        card = int(player.extensions[index])
        push_effect(game, seat, box.cards[card].ext_income, Reason.INCOME, card)


# --- F6 --------------------------------------------------------------------------------------------------------------------------


@kernel
def growth_turn(game, box, seat):
    """F6: a turn around growth, piglets and the greengrocer."""
    open_turn(game, box, seat)
    game.growth_taken = 0
    push(game, Ask.END_TURN, seat)
    push(game, Step.GROWN, seat)
    push(game, Step.BREED, seat)
    for good in range(HARVEST - 1, -1, -1):
        push_number(game, Step.GROW, seat, good)
    push(game, Ask.BEFORE_GROWTH, seat)


@inlined
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
    receive(game, box, seat, FIELD + good, int(player.fields[good]) - int(player.stock[FIELD + good]), because(Reason.GROWTH, 0))


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
        push(game, Step.BRED, seat)
        receive(game, box, seat, Item.PIG, fitting, because(Reason.BREED, 0))


@inlined
def answer_breeding(game, box, seat):
    """H4: the event needs a piglet received."""
    if game.piglets > 0:
        push_answers(game, box, seat, Event.BREED, 0)


# --- F7 ----------------------------------------------------------------------------------------------------------------------------


@kernel
def roof_turn(game, box, seat):
    """F7: at most one roof."""
    open_turn(game, box, seat)
    push(game, Ask.END_TURN, seat)
    push(game, Ask.BUY_ROOF, seat)


@kernel
def roof_price(game, box, seat):
    """F7, A7: the round's number, with modifiers, never below 0."""
    return max(0, int(box.farm.roof_cost_per_round) * int(game.round_number) + modifier(game, box, seat, Passive.ROOF_COST))


@inlined
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
        credit(game, box, seat, Item.SILVER, -price, because(Reason.ROOF, REF_ROOF + roof))
    player.roofs[player.roof_count] = roof
    player.roof_used[player.roof_count] = 0
    player.roof_this_round = roof
    game.covered_vp = box.farm.roof_vp[player.roof_count]
    player.roof_count += 1
    if game.covered_vp > 0:
        credit(game, box, seat, Item.VP, game.covered_vp, because(Reason.ROOF, REF_ROOF + roof))
    push(game, Step.ROOF_PLACED, seat)
    push_event(game, seat, Event.ROOF_BOUGHT, 0)
    push_roof_answers(game, box, seat)
