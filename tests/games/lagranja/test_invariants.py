"""What must hold at every decision of every game: random games are played in a compiled loop that checks the whole state each time.

LAGRANJA_INVARIANT_GAMES sets the number of games, over all variants and player counts. A failure names the game, which is repeated by
`examine(components, players, game, 1)`. Even games choose any option, odd ones any kind of act first, so that rare acts are as common as
buying and selling.
"""

import os

import numpy as np
import pytest
from laws import (
    ASKED,
    BOOKS,
    BUILDING_POINTS,
    CARDS_ONCE,
    DEPTH,
    DICE,
    FIELDS,
    FINE,
    FIRST,
    LAW,
    MARKERS_LIMIT,
    MARKERS_SHOWN,
    MARKET,
    MAX_DEPTH,
    NEGATIVE,
    NO_ERROR,
    OPENING,
    ORDER,
    PIGS,
    POINTS,
    ROOFS,
    ROWS,
    SIESTA,
)
from laws.of_table import broken_at_the_end, broken_by_donkeys, broken_law
from records import new_games, new_options, own_box

from lagranja_sim.chance import mixed
from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.deal import deal
from lagranja_sim.games.lagranja.rules.engine import ROUND_SCORED, advance, apply
from lagranja_sim.games.lagranja.rules.names import DECISIONS, SOURCES, Error, Item, Phase
from lagranja_sim.games.lagranja.rules.state import NEUTRAL

GAMES = int(os.environ.get("LAGRANJA_INVARIANT_GAMES", "100000"))
VARIANTS = ("deluxe", "first_edition", "bga", "yucata")
PLAYERS = (1, 2, 3, 4)
SEED = 2026
MAX_LISTED = 320  # of MAX_OPTIONS
MAX_NOTED = 128  # of LEDGER


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
