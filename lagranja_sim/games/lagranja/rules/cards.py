"""Farm cards: drawing and discarding (S7, F4) and the four ways to play one (F2, F3)."""

from lagranja_sim.chance import RESHUFFLE, shuffle
from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.agenda import push, push_event
from lagranja_sim.games.lagranja.rules.holdings import credit, sell_surplus_pigs
from lagranja_sim.games.lagranja.rules.ledger import because, note_card, note_list
from lagranja_sim.games.lagranja.rules.modifiers import find_passives, modifier
from lagranja_sim.games.lagranja.rules.names import FIELD, HARVEST, KINDS, Ask, Do, Event, Item, Note, Passive, Reason, Side, Step
from lagranja_sim.games.lagranja.rules.options import put
from lagranja_sim.games.lagranja.rules.state import CARDS, IN_DECK, IN_DISCARD, IN_HAND, ON_FARM
from lagranja_sim.kit.agenda import count_down, drop, dropped_task, top


@kernel
def list_options(game, box, kind, seat, options):
    """A card to be played by an effect, or a good to be paid for an extension."""
    if kind == Ask.EFFECT_CARD:
        n = list_cards(game, box, seat, options, 0)
        return put(game, options, n, Do.DONE) if n > 0 else 0
    return list_extension_payments(game, seat, int(top(game).n), int(top(game).what), options)


@kernel
def apply_option(game, box, kind, seat, option):
    """The card or the good that was chosen."""
    if kind == Ask.EFFECT_CARD:
        drop(game)
        play_card(game, box, seat, int(option.card), int(option.side), int(option.slot))
    else:
        pay_for_extension(game, box, int(option.good))


@kernel
def run_step(game, box, kind, seat):
    """The step that has been dropped."""
    task = dropped_task(game)
    finish_card(game, box, seat, int(task.ref), int(task.what))


# --- deck and hand -------------------------------------------------------------------------------------------------------------


@kernel
def move_card(game, box, card, place, reason, ref):
    """The only way a single card goes from one place to another: where it is, sizes of hands and of the discard pile, and the ledger."""
    if box.ledger_on:
        note_card(game, box, card, place, reason, ref)
    before = int(game.card_place[card])
    game.card_place[card] = place
    if before >= IN_HAND and before < ON_FARM:
        game.players[before - IN_HAND].hand_size -= 1
    if place >= IN_HAND and place < ON_FARM:
        game.players[place - IN_HAND].hand_size += 1
    elif place == IN_DISCARD:
        game.discard_count += 1


@kernel
def reshuffle(game, box):
    """S7: the discard pile becomes the deck."""
    count = 0
    for card in range(1, CARDS + 1):
        if game.card_place[card] == IN_DISCARD:
            game.card_place[card] = IN_DECK
            game.deck[count] = card
            count += 1
    shuffle(game.deck, count, game.chance, RESHUFFLE, game.reshuffles)
    game.deck_count = count
    game.discard_count = 0
    game.reshuffles += 1
    if box.ledger_on:
        note_list(game, box, Note.RESHUFFLE, game.deck, count)


@kernel
def reshuffle_if_empty(game, box):
    """S7: an empty deck is made anew, if there is anything to make it of."""
    if game.deck_count == 0 and game.discard_count > 0:
        reshuffle(game, box)


@kernel
def can_draw(game):
    """Whether a draw would find a card."""
    return game.deck_count > 0 or game.discard_count > 0


@kernel
def draw_card(game, box, seat, reason, ref):
    """S7: from the deck, which is made anew the moment it is empty; from nothing, nothing is drawn."""
    reshuffle_if_empty(game, box)
    if game.deck_count == 0:
        return
    game.deck_count -= 1
    move_card(game, box, int(game.deck[game.deck_count]), IN_HAND + seat, reason, ref)
    reshuffle_if_empty(game, box)


@kernel
def hand_limit(game, box, seat):
    """F4: the board's limit, extensions and helpers."""
    return max(0, int(box.farm.hand_limit) + game.players[seat].hand_icons + modifier(game, box, seat, Passive.HAND_LIMIT))


@kernel
def draw_to_hand_limit(game, box, seat):
    """F4: at the end of the F1 turn, no more than so many cards."""
    player = game.players[seat]
    limit = min(hand_limit(game, box, seat), player.hand_size + int(box.farm.cards_drawn))
    while player.hand_size < limit and can_draw(game):
        draw_card(game, box, seat, Reason.HAND_LIMIT, 0)


@kernel
def list_discards(game, box, seat, options, n):
    """F4: a player above the limit discards, its choice."""
    if game.players[seat].hand_size <= hand_limit(game, box, seat):
        return n
    for card in range(1, CARDS + 1):
        if game.card_place[card] == IN_HAND + seat:
            n = put(game, options, n, Do.DISCARD)
            options[n - 1].card = card
    return n


# --- the four ways to play a card ------------------------------------------------------------------------------------------------


@kernel
def put_card(game, options, n, card, side, slot):
    """One way to play a card."""
    n = put(game, options, n, Do.PLAY_CARD)
    option = options[n - 1]
    option.card = card
    option.side = side
    option.slot = slot
    return n


@kernel
def first_empty(slots, count):
    """The first empty of `count` slots, -1 if there is none."""
    for slot in range(count):
        if slots[slot] == 0:
            return slot
    return -1


@kernel
def list_cards(game, box, seat, options, n):
    """F1-F3: every card of the hand as a field, barrow, helper or, if it can be paid, extension."""
    player = game.players[seat]
    barrow = first_empty(player.barrows, box.farm.barrow_slots)
    helper = first_empty(player.helpers, box.farm.helper_slots)
    extension = can_extend(game, box, seat)
    for card in range(1, CARDS + 1):
        if game.card_place[card] != IN_HAND + seat:
            continue
        n = put_card(game, options, n, card, Side.FIELD, -1)
        if barrow >= 0:
            n = put_card(game, options, n, card, Side.BARROW, barrow)
        else:
            for slot in range(box.farm.barrow_slots):
                n = put_card(game, options, n, card, Side.BARROW, slot)
        if helper >= 0:
            n = put_card(game, options, n, card, Side.HELPER, helper)
        else:
            for slot in range(box.farm.helper_slots):
                if not box.cards[player.helpers[slot]].is_permanent:
                    n = put_card(game, options, n, card, Side.HELPER, slot)
        if extension:
            n = put_card(game, options, n, card, Side.EXTENSION, -1)
    return n


@kernel
def play_card(game, box, seat, card, side, slot):
    """Tuck a card under a side of the farm; what follows from it is pushed."""
    task = push(game, Step.CARD_PLACED, seat)
    task.ref = card
    task.what = side
    if side == Side.FIELD:
        place_field(game, box, seat, card)
    elif side == Side.BARROW:
        place_barrow(game, box, seat, card, slot)
    elif side == Side.HELPER:
        place_helper(game, box, seat, card, slot)
    else:
        task = push(game, Ask.PAY_EXTENSION, seat)
        task.ref = card
        task.n = extension_cost(game, box, seat)


@kernel
def place_field(game, box, seat, card):
    """F2: to the left of the farm."""
    move_card(game, box, card, ON_FARM + seat, Reason.PLAYED, 0)
    game.players[seat].fields[box.cards[card].grows] += 1


@kernel
def place_barrow(game, box, seat, card, slot):
    """F2: into a slot; of a replaced barrow the goods are lost and the markers return."""
    player = game.players[seat]
    old = int(player.barrows[slot])
    if old > 0:
        player.markers -= box.cards[old].barrow_size - player.barrow_left[slot]
        move_card(game, box, old, IN_DISCARD, Reason.PLAYED, 0)
    move_card(game, box, card, ON_FARM + seat, Reason.PLAYED, 0)
    player.barrows[slot] = card
    player.barrow_left[slot] = box.cards[card].barrow_size
    for kind in range(KINDS):
        player.barrow_missing[slot, kind] = box.cards[card].barrow[kind]


@kernel
def place_helper(game, box, seat, card, slot):
    """F2, H1: into a slot, not exhausted; a replaced helper goes to the discard pile."""
    player = game.players[seat]
    if player.helpers[slot] > 0:
        move_card(game, box, int(player.helpers[slot]), IN_DISCARD, Reason.PLAYED, 0)
    move_card(game, box, card, ON_FARM + seat, Reason.PLAYED, 0)
    player.helpers[slot] = card
    player.helper_used[slot] = 0
    find_passives(game, box, seat)


@inlined
def finish_card(game, box, seat, card, side):
    """The card lies: an extension gives its icons, pigs that lost their space are sold, and the event goes out."""
    if side == Side.EXTENSION:
        move_card(game, box, card, ON_FARM + seat, Reason.PLAYED, 0)
        player = game.players[seat]
        player.extensions[player.extension_count] = card
        player.extension_count += 1
        player.hand_icons += box.cards[card].ext_hand
        player.delivery_icons += box.cards[card].ext_delivery
        player.pig_icons += box.cards[card].ext_pig
    sell_surplus_pigs(game, box, seat)
    push_event(game, seat, Event.CARD_PLAYED, side)


# --- paying for an extension (F3) ----------------------------------------------------------------------------------------------------


@kernel
def extension_cost(game, box, seat):
    """F3, A7: the n-th extension costs n times the step in different farm goods, with modifiers, never below 0."""
    return max(
        0, (game.players[seat].extension_count + 1) * int(box.farm.extension_cost_step) + modifier(game, box, seat, Passive.EXTENSION_COST)
    )


@kernel
def has_farm_good(player, good):
    """Whether a farm good can be paid from somewhere."""
    return player.stock[good] > 0 or (good < HARVEST and player.stock[FIELD + good] > 0)


@kernel
def is_farm_good(good):
    """Resources, upgraded goods, silver and points; a commodity never pays."""
    return good <= Item.MEAT or good == Item.SILVER or good == Item.VP


@kernel
def can_extend(game, box, seat):
    """F3: an extension is offered only if it can be paid."""
    player = game.players[seat]
    if player.extension_count >= box.farm.max_extensions:
        return False
    kinds = 0
    for good in range(Item.VP + 1):
        if is_farm_good(good) and has_farm_good(player, good):
            kinds += 1
    return kinds >= extension_cost(game, box, seat)


@kernel
def list_extension_payments(game, seat, left, kinds_paid, options):
    """F3: `left` goods still to be paid, of each kind not yet paid one (`kinds_paid`: a bit a good), from dens, stables or fields."""
    player, n = game.players[seat], 0
    if left == 0:
        return 0
    for good in range(Item.VP + 1):
        if not is_farm_good(good) or (kinds_paid >> good) & 1:
            continue
        if player.stock[good] > 0:
            n = put(game, options, n, Do.PAY)
            options[n - 1].good = good
        if good < HARVEST and player.stock[FIELD + good] > 0:
            n = put(game, options, n, Do.PAY)
            options[n - 1].good = FIELD + good
    return n


@kernel
def pay_for_extension(game, box, thing):
    """One good of the cost; `thing` may lie on a field."""
    task = top(game)
    seat, card = int(task.seat), int(task.ref)
    task.what |= 1 << (thing - FIELD if thing >= FIELD else thing)
    count_down(game)
    credit(game, box, seat, thing, -1, because(Reason.EXTENSION, card))
