"""What must hold at every decision of every game: random games are played in a compiled loop that checks the whole state each time.

LAGRANJA_INVARIANT_GAMES sets the number of games, over all variants and player counts. A failure names the game, which is repeated by
`examine(components, players, game, 1)`. Even games choose any option, odd ones any kind of act first, so that rare acts are as common as
buying and selling.
"""

import os

import numpy as np
import pytest

from lagranja_sim.chance import mixed
from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.deal import deal
from lagranja_sim.games.lagranja.rules.engine import ROUND_SCORED, advance, apply
from lagranja_sim.games.lagranja.rules.modifiers import modifier
from lagranja_sim.games.lagranja.rules.names import (
    BUILDINGS,
    DECISIONS,
    FIELD,
    HARVEST,
    ITEMS,
    KINDS,
    SOURCES,
    Error,
    Item,
    Note,
    Passive,
    Phase,
    Step,
)
from lagranja_sim.games.lagranja.rules.state import CARDS, IN_DECK, IN_DISCARD, IN_HAND, NEUTRAL, ON_FARM, SEATS, SLOTS
from lagranja_sim.play.driver import new_games, new_options, own_box

GAMES = int(os.environ.get("LAGRANJA_INVARIANT_GAMES", "100000"))
VARIANTS = ("deluxe", "first_edition", "bga", "yucata")
PLAYERS = (1, 2, 3, 4)
SEED = 2026
MAX_DEPTH = 70  # of AGENDA
MAX_LISTED = 320  # of MAX_OPTIONS
MAX_NOTED = 128  # of LEDGER

LAW = (
    "no law is broken",
    "points equal the sum of their sources",
    "no stock is negative",
    "pigs have spaces",
    "markers in use are those the state shows",
    "markers in use are within the limit",
    "the dice of a round are two a player and one more, or for one five of which two are discarded, as rolled",
    "a donkey tile is used at most once in rounds 1-3 and once in rounds 4-6",
    "every card is in exactly one place",
    "a row holds only what its building takes",
    "a barrow holds only what its card takes",
    "three points are won by opening buildings, one for each",
    "a building's first point is won at most once",
    "points of buildings are the rounds they were completed in",
    "fields bear at most one good each",
    "a roof is bought at most once a round, five in all, each by one player",
    "the order names each seat once",
    "the market holds markers of players, or of the neutral one, on open spaces",
    "helpers are used as often as their cards allow",
    "discs are on the track",
    "the ledger sums to what players own",
    "the agenda is not nearly full",
    "whoever is asked has options and sits at the table",
    "everything is sold at the end",
    "the game ends without an error",
)
(FINE, POINTS, NEGATIVE, PIGS, MARKERS_SHOWN, MARKERS_LIMIT, DICE, DONKEYS, CARDS_ONCE, ROWS, BARROWS, OPENING, FIRST, BUILDING_POINTS,
 FIELDS, ROOFS, ORDER, MARKET, HELPERS, SIESTA, LEDGER, DEPTH, ASKED, SOLD, NO_ERROR) = range(len(LAW))  # fmt: skip

VP_FIRST, VP_UNLOCK, VP_BUILDING = SOURCES.index("first"), SOURCES.index("unlock"), SOURCES.index("building")

# What is counted beside the game; kernels allocate nothing.
BOOKS = s.record(
    ("game", np.int64),  # being played
    ("decision", np.int64),  # in it, forced ones and the moments of scoring included
    ("check", np.int64),  # number of this check
    ("on_market", np.int64, (SEATS,)),  # markers by owner
    ("tally", np.int64, (32,)),  # of cards by place, of dice by face
    ("met", np.int64, (CARDS + 1,)),  # by card: the check that met it last
    ("donkeys", np.int64, (SEATS,)),  # bit t: tile t used in these three rounds
    ("owned", np.int64, (SEATS, len(ITEMS))),  # the sums of the ledger
    ("max_depth", np.int64),
    ("max_listed", np.int64),
    ("max_noted", np.int64),
    ("max_decisions", np.int64),
    ("kinds", np.int64, (len(DECISIONS),)),  # how often each kind of decision was met
)


# --- laws about one player ----------------------------------------------------------------------------------------------------------


@kernel
def broken_by_stock(game, box, seat):
    """Goods, points, pigs and fields."""
    player = game.players[seat]
    points = 0
    for source in range(len(SOURCES)):
        points += player.points[source]
    if points != player.stock[Item.VP]:
        return POINTS
    for thing in range(len(ITEMS)):
        if player.stock[thing] < 0:
            return NEGATIVE
    if player.stock[Item.PIG] > max(0, box.farm.pig_spaces + player.pig_icons + modifier(game, box, seat, Passive.PIG_SPACE)):
        return PIGS
    for good in range(HARVEST):
        if player.stock[FIELD + good] > player.fields[good]:
            return FIELDS
    if player.siesta < 0 or player.siesta > box.siesta_top:
        return SIESTA
    return FINE


@kernel
def is_blocked(game, building):
    """Whether an order marker lies on a building."""
    found = False
    for index in range(game.opened, game.blocked_count):
        found |= game.blocked[index] == building
    return found


@kernel
def broken_by_rows(game, box, seat):
    """Craft buildings and what they were worth."""
    player = game.players[seat]
    points = 0
    for building in range(len(BUILDINGS)):
        printed = box.craft_buildings[building]
        left = 0
        for kind in range(KINDS):
            missing = int(player.row_missing[building, kind])
            if missing < 0 or missing > printed.goods[kind]:
                return ROWS
            left += missing
        is_done = (player.done >> building) & 1 == 1
        if left != player.row_left[building] or is_done != (left == 0) or is_done != (player.building_round[building] > 0):
            return ROWS
        if is_blocked(game, building) and left != printed.symbols:
            return ROWS
        if is_done:
            if player.building_round[building] > game.round_number or game.first_seat[building] < 0:
                return ROWS
            points += box.buildings.vp_per_round * player.building_round[building] + printed.bonus_vp
    if player.permanent & ~player.done:
        return ROWS
    return FINE if points == player.points[VP_BUILDING] else BUILDING_POINTS


@kernel
def broken_by_barrows(box, player):
    """Barrows and what lies on them; one just completed is empty of free symbols until it has gone."""
    for slot in range(SLOTS):
        if player.barrows[slot] == 0:
            continue
        card = box.cards[player.barrows[slot]]
        left = 0
        for kind in range(KINDS):
            missing = int(player.barrow_missing[slot, kind])
            if missing < 0 or missing > card.barrow[kind]:
                return BARROWS
            left += missing
        if left != player.barrow_left[slot]:
            return BARROWS
    return FINE


@kernel
def broken_by_helpers(box, player):
    """Uses this round."""
    for slot in range(SLOTS):
        if player.helpers[slot] > 0:
            uses = box.cards[player.helpers[slot]].helper.uses
            if player.helper_used[slot] < 0 or (uses > 0 and player.helper_used[slot] > uses):
                return HELPERS
    return FINE


@kernel
def markers_shown(box, player, on_market):
    """Dens, stables, fields and storage, symbols of rows and barrows filled, market markers and owner marks."""
    markers = on_market
    for thing in range(len(ITEMS)):
        if thing != Item.VP and thing != Item.SILVER:
            markers += player.stock[thing]
    for building in range(len(BUILDINGS)):
        is_done = player.row_left[building] == 0
        markers += 1 if is_done else box.craft_buildings[building].symbols - player.row_left[building]
    for slot in range(SLOTS):
        if player.barrows[slot] > 0:
            markers += box.cards[player.barrows[slot]].barrow_size - player.barrow_left[slot]
    return markers


@kernel
def broken_by_markers(game, box, seat, on_market):
    """L1."""
    player = game.players[seat]
    if player.markers != markers_shown(box, player, on_market):
        return MARKERS_SHOWN
    return MARKERS_LIMIT if box.setup.markers > 0 and player.markers > box.setup.markers else FINE


# --- laws about the table -----------------------------------------------------------------------------------------------------------


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
    first, opened, taken = 0, 0, 0
    for seat in range(game.seats):
        first += game.players[seat].points[VP_FIRST]
        opened += game.players[seat].points[VP_UNLOCK]
    for building in range(len(BUILDINGS)):
        seat = int(game.first_seat[building])
        if seat >= 0:
            taken += 1
            if seat >= game.seats or not (game.players[seat].done >> building) & 1:
                return FIRST
    if first != taken * box.buildings.first_completion_vp:
        return FIRST
    if game.opened < 0 or game.opened > 3 or game.opened != min(3, taken) or opened != game.opened:
        return OPENING
    return FINE


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


# --- playing ------------------------------------------------------------------------------------------------------------------------


@kernel
def any_option(options, count, by_act, luck):
    """Any option or, `by_act`, any kind of act and any option of it."""
    if not by_act:
        return np.int64(luck % np.uint64(count))
    acts, kinds = 0, 0
    for index in range(count):
        if not (acts >> options[index].do) & 1:
            acts |= 1 << options[index].do
            kinds += 1
    skip, act = np.int64(luck % np.uint64(kinds)), 0
    while skip > 0 or not (acts >> act) & 1:
        skip -= (acts >> act) & 1
        act += 1
    alike = 0
    for index in range(count):
        alike += options[index].do == act
    skip = np.int64((luck >> np.uint64(32)) % np.uint64(alike))
    for index in range(count):
        if options[index].do == act:
            if skip == 0:
                return index
            skip -= 1
    return 0


@kernel
def begin(game, box, books, seed, number, players):
    """Deal a game, with empty books."""
    books.game = number
    books.decision = 0
    books.owned[:] = 0
    box.ledger_count = 0
    box.list_count = 0
    deal(game, box, seed, number, players)
    return broken_law(game, box, books)


@kernel
def broken_by_choice(game, books, listed):
    """Whether there is something to choose, and by whom; what was met is written down."""
    task = game.agenda[game.depth - 1]
    if listed < 1 or task.seat < 0 or task.seat >= game.seats or (game.turn_seat >= 0 and game.turn_seat != task.seat):
        return ASKED
    books.max_depth = max(books.max_depth, game.depth)
    books.max_listed = max(books.max_listed, listed)
    books.kinds[task.kind] += 1
    return FINE


@kernel
def play_and_check(games, boxes, options, books_kept, seed, first, count, players):
    """Play games at random and check the laws whenever the core stops; returns the first law broken, at the place the books name."""
    game, box, books = games[0], boxes[0], books_kept[0]
    for number in range(first, first + count):
        key = mixed(seed, 999, number)
        law = begin(game, box, books, seed, number, players)
        while law == FINE:
            listed = advance(game, box, options)
            books.decision += 1
            books.max_noted = max(books.max_noted, box.ledger_count)
            if game.error != Error.OK:
                return NO_ERROR
            law = broken_law(game, box, books)
            if law != FINE:
                return law
            if listed == 0:
                law = broken_at_the_end(game, box)
                break
            if listed == ROUND_SCORED:
                law = broken_by_donkeys(game, box, books.donkeys)
                continue
            law = broken_by_choice(game, books, listed)
            apply(game, box, options[any_option(options, listed, number % 2 == 1, mixed(key, 0, books.decision))])
        if law != FINE:
            return law
        books.max_decisions = max(books.max_decisions, books.decision)
    return FINE


def examine(components: Components, players: int, first: int, count: int) -> np.ndarray:
    """Play and check games; the books, with the largest numbers met and the kinds of decisions."""
    books = np.zeros(1, BOOKS)
    law = play_and_check(new_games(1), own_box(components, with_ledger=True), new_options(), books, np.uint64(SEED), first, count, players)
    where = f"{components.variant}, {players} players, seed {SEED}, game {books['game'][0]}, decision {books['decision'][0]}"
    assert law == FINE, f"{where}: it is not so that {LAW[law]}"
    return books


# --- the laws hold ------------------------------------------------------------------------------------------------------------------

NEVER_ASKED = {"shift_die"}  # only under `modify_die = "up_or_down"`
SELDOM_ASKED = {"give_up"}  # only where markers are limited, and then a few times in a thousand games


def check_room(books: np.ndarray) -> None:
    """The agenda, the lists of options and the ledger are nowhere near full."""
    assert books["max_depth"][0] <= MAX_DEPTH
    assert books["max_listed"][0] <= MAX_LISTED
    assert books["max_noted"][0] <= MAX_NOTED


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_break_no_law(variant, players):
    components = load_components(None, variant)
    share = -(-GAMES // (len(VARIANTS) * len(PLAYERS)))
    books = examine(components, players, 10_000_000 * VARIANTS.index(variant), share)
    check_room(books)
    if share >= 1_000:
        other_way_to_buy = "buy_delivery" if components.box[0].transport.extra_deliveries_paid else "buy_deliveries"
        met = {name for name, times in zip(DECISIONS, books["kinds"][0], strict=True) if times}
        assert met | SELDOM_ASKED == set(DECISIONS) - NEVER_ASKED - {other_way_to_buy} | SELDOM_ASKED


ODD_RULES = {
    "eight markers": {"setup.markers": 8},
    "five markers": {"setup.markers": 5},
    "either way": {"revenue.modify_die": "up_or_down", "transport.extra_delivery_limit_fixed": True, "market.roof_marker_removes": True},
    "big farms": {
        "farm.cards_per_round": 3,
        "farm.hand_limit": 12,
        "farm.pig_spaces": 6,
        "farm.piglets": 3,
        "setup.silver": 50,
        "setup.commodities": 9,
    },
}


@pytest.mark.parametrize("name", ODD_RULES)
def test_odd_rules_break_no_law(name):
    components = load_components(None, "deluxe", ODD_RULES[name])
    for players in PLAYERS:
        check_room(examine(components, players, 0, max(1, GAMES // 200)))


# --- a broken law is noticed --------------------------------------------------------------------------------------------------------


def add(field: str, *place: int, amount: int = 1):
    """A change of one number of the game or, by `player.`, of seat 0."""

    def change(games: np.ndarray) -> None:
        of_player = field.startswith("player.")
        numbers = games["players"][field.removeprefix("player.")][0, 0] if of_player else games[field][0]
        if place:
            numbers[place] += amount
        elif of_player:
            games["players"][field.removeprefix("player.")][0, 0] += amount
        else:
            games[field][0] += amount

    return change


def both(*changes):
    """Changes together."""

    def change(games: np.ndarray) -> None:
        for one in changes:
            one(games)

    return change


def move_points(source: str):
    """A point of one source counted for another."""
    return both(add("player.points", SOURCES.index(source)), add("player.points", SOURCES.index("other"), amount=-1))


def put_a_hand_card_away(games: np.ndarray) -> None:
    in_hands = np.flatnonzero((games["card_place"][0] >= s.IN_HAND) & (games["card_place"][0] < s.ON_FARM))
    games["card_place"][0, in_hands[0]] = s.IN_DISCARD


def deal_a_card_twice(games: np.ndarray) -> None:
    games["deck"][0, 0] = games["deck"][0, 1]


def name_a_seat_twice(games: np.ndarray) -> None:
    games["order"][0, 0] = games["order"][0, 1]


def fill_the_agenda(games: np.ndarray) -> None:
    games["agenda"][0, games["depth"][0] :] = games["agenda"][0, 0]
    games["depth"][0] = MAX_DEPTH + 1


@pytest.mark.parametrize(
    ("law", "change"),
    [
        (POINTS, add("player.points", 3)),
        (NEGATIVE, add("player.stock", Item.GRAPE, amount=-100)),
        (PIGS, add("player.stock", Item.PIG, amount=20)),
        (MARKERS_SHOWN, add("player.markers")),
        (MARKERS_LIMIT, both(add("player.markers", amount=30), add("player.stock", Item.FOOD, amount=30))),
        (DICE, add("dice_left", 2)),
        (CARDS_ONCE, put_a_hand_card_away),
        (CARDS_ONCE, deal_a_card_twice),
        (CARDS_ONCE, add("player.hand_size")),
        (CARDS_ONCE, add("player.fields", Item.OLIVE)),
        (ROWS, add("player.row_missing", 0, Item.GRAIN, amount=9)),
        (ROWS, add("player.row_left", 1)),
        (ROWS, add("player.done")),
        (OPENING, add("opened")),
        (FIRST, move_points("first")),
        (BUILDING_POINTS, move_points("building")),
        (FIELDS, add("player.stock", Item.FIELD_GRAPE, amount=9)),
        (ROOFS, add("player.roof_count", amount=6)),
        (ORDER, name_a_seat_twice),
        (ORDER, add("neutral_first")),
        (MARKET, add("space_owner", 0, amount=5)),
        (SIESTA, add("player.siesta", amount=9)),
        (DEPTH, fill_the_agenda),
    ],
)  # fmt: skip
def test_a_broken_law_is_noticed(law, change):
    """Changes of a sound state; laws of the ledger, of donkeys and of the end are judged by games alone."""
    assert LAW[broken_after(change, 3)] == LAW[law]


@pytest.mark.parametrize(
    ("law", "change"),
    [
        (DICE, add("dice_left", 2)),
        (DICE, add("player.dice", 1)),
        (MARKET, add("space_owner", 5, amount=2)),  # a closed space
        (MARKET, add("space_owner", 0, amount=NEUTRAL + 2)),
        (ORDER, add("neutral_first", amount=2)),
    ],
)
def test_a_law_broken_in_the_game_for_one_is_noticed(law, change):
    assert LAW[broken_after(change, 1)] == LAW[law]


def broken_after(change, players):
    """The law that a change breaks in a sound state of round 3."""
    games, boxes, options, books = new_games(1), own_box(load_components()), new_options(), np.zeros(1, BOOKS)
    game, box = games[0], boxes[0]
    deal(game, box, np.uint64(SEED), 3, players)
    while (games["round_number"][0], games["phase"][0]) != (3, Phase.TRANSPORT):
        listed = advance(game, box, options)
        if listed > 0:
            apply(game, box, options[listed - 1 if listed % 2 else 0])
    books["owned"][0, :3] = games["players"]["stock"][0, :3]
    assert broken_law(game, box, books[0]) == FINE
    change(games)
    books["owned"][0, :3] = games["players"]["stock"][0, :3]
    return broken_law(game, box, books[0])
