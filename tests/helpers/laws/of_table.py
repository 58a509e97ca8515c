"""Laws about the table, and the first law that a state breaks."""

from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, HARVEST, ITEMS, Item, Note, Phase, Step
from lagranja_sim.games.lagranja.rules.state import CARDS, IN_DECK, IN_DISCARD, IN_HAND, NEUTRAL, ON_FARM, SEATS, SLOTS
from laws import ASKED, CARDS_ONCE, DEPTH, DICE, DONKEYS, FINE, FIRST, LEDGER, MARKET, MAX_DEPTH, OPENING, ORDER, ROOFS, SOLD
from laws.of_seats import VP_FIRST, VP_UNLOCK, broken_by_barrows, broken_by_helpers, broken_by_markers, broken_by_rows, broken_by_stock


@kernel
def broken_by_market(game, box, on_market):
    """Who holds the spaces; the markers are counted."""
    on_market[:] = 0
    owners = NEUTRAL + 1 if game.seats == 1 else game.seats
    for space in range(len(game.space_owner)):
        owner = int(game.space_owner[space])
        if owner < 0:
            continue
        if owner >= owners or space >= box.space_count or not (box.open_spaces[game.seats] >> space) & 1:
            return MARKET
        on_market[owner] += 1
    return FINE


@kernel
def broken_by_first_points(game, box):
    """Points for the first completion and for opening."""
    first, opened, taken, first_due, opened_due = 0, 0, 0, 0, 0
    for seat in range(game.seats):
        first += game.players[seat].points[VP_FIRST]
        opened += game.players[seat].points[VP_UNLOCK]
    for building in range(len(BUILDINGS)):
        seat = int(game.first_seat[building])
        if seat >= 0:
            taken += 1
            first_due += box.buildings.first_completion_vp + box.craft_buildings[building].first_bonus_vp
            if seat >= game.seats or not (game.players[seat].done >> building) & 1:
                return FIRST
    if first != first_due:
        return FIRST
    if game.opened < 0 or game.opened > 3 or game.opened != min(3, taken):
        return OPENING
    for index in range(game.opened):
        opened_due += box.buildings.unlock_vp + box.craft_buildings[game.blocked[index]].unlock_bonus_vp
    return FINE if opened == opened_due else OPENING


@kernel
def broken_by_order(game):
    """A permutation of the seats; the neutral player comes before or after a single one."""
    seats = 0
    if game.neutral_first < 0 or game.neutral_first > (game.seats == 1):
        return ORDER
    for position in range(game.seats):
        seat = int(game.order[position])
        if seat < 0 or seat >= game.seats or (seats >> seat) & 1:
            return ORDER
        seats |= 1 << seat
    return FINE


@kernel
def broken_by_roofs(game, box):
    """F7: the roofs of a farm are of different rounds, none of a round to come, and nobody else has them."""
    owned = 0
    for seat in range(game.seats):
        player = game.players[seat]
        if player.roof_count < 0 or player.roof_count > box.farm.roof_slots:
            return ROOFS
        last = 0
        for space in range(player.roof_count):
            roof = int(player.roofs[space])
            if roof < 1 or (owned >> roof) & 1 or box.roof_round[roof] <= last or box.roof_round[roof] > game.round_number:
                return ROOFS
            owned |= 1 << roof
            last = int(box.roof_round[roof])
        if player.roof_this_round > 0 and (last != game.round_number or player.roof_this_round != player.roofs[player.roof_count - 1]):
            return ROOFS
        if player.roof_this_round == 0 and last > 0 and last == game.round_number:
            return ROOFS
    for index in range(SEATS):
        if game.roof_offer[index] > 0 and (owned >> game.roof_offer[index]) & 1:
            return ROOFS
    return FINE


@kernel
def is_rolled(game):
    """Whether this round's dice have been rolled."""
    if game.phase == Phase.FARM or game.round_number == 0:
        return False
    to_come = False
    for index in range(game.depth):
        to_come |= game.agenda[index].kind == Step.ROLL
    return not to_come


@kernel
def discards_due(game, taken):
    """O2: before and after a pick one die has been discarded for each, by the start player's opponent one more or one less at the most."""
    if game.seats > 1:
        return 0, 0
    if game.phase != Phase.REVENUE:
        return 2, 2
    return (taken, min(2, taken + 1)) if game.neutral_first else (max(0, taken - 1), taken)


@kernel
def broken_by_dice(game, box, tally):
    """R1, O2: on the board, with players, discarded and as the last die lie as many of each face as were rolled; before the roll there are none."""
    tally[:7] = 0
    left, taken = 0, 0
    for face in range(6):
        tally[face + 1] = game.dice_left[face]
        left += game.dice_left[face]
    for seat in range(game.seats):
        for pick in range(2):
            face = int(game.players[seat].dice[pick])
            if face > 0:
                tally[face] += 1
                taken += 1
    if not is_rolled(game):
        return FINE if left == 0 and taken == 0 else DICE
    if game.phase != Phase.REVENUE:  # the last die is back in the box
        if left != 0 or taken != 2 * game.seats:
            return DICE
        tally[game.last_die] += 1
    for index in range(box.solo.dice if game.seats == 1 else 2 * game.seats + 1):
        tally[game.dice[game.round_number - 1, index]] -= 1
    discarded, (fewest, most) = 0, discards_due(game, taken)
    for face in range(1, 7):
        if tally[face] > 0:
            return DICE
        discarded -= tally[face]
    return FINE if fewest <= discarded <= most else DICE


@kernel
def is_met_first(game, books, card, place):
    """Whether a card is in a place and was not met before in this check."""
    if card < 1 or card > CARDS or game.card_place[card] != place or books.met[card] == books.check:
        return False
    books.met[card] = books.check
    return True


@kernel
def broken_by_cards(game, box, books):
    """Each card is in the deck, the discard pile, one hand or on one farm, and the places agree that it is."""
    tally = books.tally
    tally[:] = 0
    for card in range(1, CARDS + 1):
        place = int(game.card_place[card])
        if place < 0 or place >= ON_FARM + game.seats or (place >= IN_HAND + game.seats and place < ON_FARM):
            return CARDS_ONCE
        tally[place] += 1
        if place >= ON_FARM:
            tally[ON_FARM + SEATS + HARVEST * (place - ON_FARM) + box.cards[card].grows] += 1
    if tally[IN_DECK] != game.deck_count or tally[IN_DISCARD] != game.discard_count:
        return CARDS_ONCE
    for index in range(game.deck_count):
        if not is_met_first(game, books, int(game.deck[index]), IN_DECK):
            return CARDS_ONCE
    for seat in range(game.seats):
        player, fields = game.players[seat], ON_FARM + SEATS + HARVEST * seat
        if tally[IN_HAND + seat] != player.hand_size:
            return CARDS_ONCE
        for index in range(2 * SLOTS + player.extension_count):
            if index < SLOTS:
                card = int(player.barrows[index])
            elif index < 2 * SLOTS:
                card = int(player.helpers[index - SLOTS])
            else:
                card = int(player.extensions[index - 2 * SLOTS])
            if index < 2 * SLOTS and card == 0:
                continue
            if not is_met_first(game, books, card, ON_FARM + seat):
                return CARDS_ONCE
            tally[fields + box.cards[card].grows] -= 1
        for good in range(HARVEST):
            if tally[fields + good] != player.fields[good]:
                return CARDS_ONCE
    return FINE


@kernel
def broken_by_donkeys(game, box, used):
    """T1, judged when a round has been scored; all tiles are back for rounds 1 and 4."""
    for seat in range(game.seats):
        if game.round_number == 1 or game.round_number == 4:
            used[seat] = 0
        tile = int(game.players[seat].donkey)
        if tile < 1 or tile > box.donkey_count or (used[seat] >> tile) & 1:
            return DONKEYS
        used[seat] |= 1 << tile
        if game.players[seat].donkeys_out != used[seat] >> 1:
            return DONKEYS
    return FINE


@kernel
def broken_by_ledger(game, box, owned):
    """What was noted since the last check, added to what was owned then, is what players own; the notepad is emptied."""
    for index in range(box.ledger_count):
        row = box.ledger[index]
        if row.note == Note.LEDGER:
            owned[row.seat, row.thing] += row.amount
    box.ledger_count = 0
    box.list_count = 0
    for seat in range(game.seats):
        for thing in range(len(ITEMS)):
            if owned[seat, thing] != game.players[seat].stock[thing]:
                return LEDGER
    return FINE


@kernel
def broken_at_the_end(game, box):
    """E2: nothing is left that can be sold, and less silver than a point costs."""
    if game.phase != Phase.END or game.depth != 0:
        return ASKED
    for seat in range(game.seats):
        stock = game.players[seat].stock
        for good in range(Item.PIG + 1):
            if stock[good] != 0:
                return SOLD
        if stock[Item.SILVER] >= box.prices.silver_per_vp:
            return SOLD
    return FINE


@kernel
def broken_law(game, box, books):
    """The first law that the state breaks, FINE if there is none."""
    books.check += 1
    for law in (
        broken_by_order(game), broken_by_market(game, box, books.on_market), broken_by_first_points(game, box), broken_by_roofs(game, box),
        broken_by_dice(game, box, books.tally), broken_by_cards(game, box, books), broken_by_ledger(game, box, books.owned),
    ):  # fmt: skip
        if law != FINE:
            return law
    for seat in range(game.seats):
        for law in (
            broken_by_stock(game, box, seat), broken_by_rows(game, box, seat), broken_by_barrows(box, game.players[seat]),
            broken_by_helpers(box, game.players[seat]), broken_by_markers(game, box, seat, books.on_market[seat]),
        ):  # fmt: skip
            if law != FINE:
                return law
    return DEPTH if game.depth > MAX_DEPTH else FINE
