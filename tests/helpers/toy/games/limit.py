"""Limit: everybody has a hidden card and adds dice to it; the highest total that is not above the limit wins, for all who have it."""

from typing import Any, NamedTuple

import numpy as np
from pydantic import Field as Number

from lagranja_sim.chance import mixed, shuffle
from lagranja_sim.compile import inlined, kernel
from lagranja_sim.game import Game, Language, PolicyKit, Records
from lagranja_sim.kit import fields
from lagranja_sim.kit.numbers import NumberKit, Numbers
from lagranja_sim.kit.outcomes import ROUND_SCORED
from lagranja_sim.kit.records import record
from lagranja_sim.kit.tables import Field, Table, Tables

# --- what is printed ---------------------------------------------------------------------------------------------------------------


class Rules(Numbers):
    limit: int = Number(14, ge=2, le=99)
    rounds: int = Number(4, ge=1, le=6)


COMPONENTS = NumberKit("limit", "Limit", Rules, range(2, 4), {"usual": {}, "low": {"limit": 9}})

# --- a game in play ----------------------------------------------------------------------------------------------------------------
SEATS, CARDS, MOST_ROUNDS = 3, 6, 6
DECK, DICE = 1, 2  # what chance is drawn for
STATE = record(
    ("seats", np.int8), ("error", np.int8), ("decisions", np.int32), ("luck", np.uint64),  # what every game has
    ("round_number", np.int8), ("turn", np.int8), ("is_scored", np.int8),
    ("deck", np.int8, (CARDS,)), ("card", np.int8, (SEATS,)), ("dice", np.int8, (MOST_ROUNDS, SEATS)),
    ("vp", np.int16, (SEATS,)), ("has_stopped", np.int8, (SEATS,)),
)  # fmt: skip
TAKE, STOP = 0, 1
OPTION = record(("do", np.int8))
NOTES = record(("numbers", np.float64, (4,)))


@kernel
def deal(game, box, seed, block, players):
    """A hidden card for each seat, and all dice as they will be rolled."""
    key = mixed(np.uint64(seed), 0, block)
    game.seats, game.error, game.decisions = players, 0, 0
    game.round_number, game.turn, game.is_scored = 1, 0, 0
    for card in range(CARDS):
        game.deck[card] = card + 1
    shuffle(game.deck, CARDS, key, DECK, 0)
    for seat in range(SEATS):
        game.card[seat] = game.deck[seat] if seat < players else 0
        game.vp[seat] = game.card[seat]
        game.has_stopped[seat] = 0
        for number in range(MOST_ROUNDS):
            game.dice[number, seat] = 1 + mixed(key, DICE, SEATS * number + seat) % np.uint64(6)


@kernel
def advance(game, box, options):
    """The next seat that has not stopped and is not above the limit may take its die."""
    while game.round_number <= box.rounds:
        if game.turn < game.seats:
            if game.has_stopped[game.turn] == 0 and game.vp[game.turn] <= box.limit:
                options[0].do, options[1].do = TAKE, STOP
                return 2
            game.turn += 1
        elif game.is_scored == 0:
            game.is_scored = 1
            return ROUND_SCORED
        else:
            game.round_number += 1
            game.turn, game.is_scored = 0, 0
    return 0


@kernel
def to_move(game):
    """Whose turn it is."""
    return int(game.turn)


@kernel
def apply(game, box, option):
    """Take the die of this round, or stop for good."""
    if option.do == TAKE:
        game.vp[game.turn] += game.dice[game.round_number - 1, game.turn]
    else:
        game.has_stopped[game.turn] = 1
    game.turn += 1


@inlined
def hide(views, game, seat):
    """A seat sees its own card and the dice on the table; of others it sees the sum of their dice."""
    views[0] = game
    view = views[0]
    for card in range(CARDS):
        view.deck[card] = 0
    for other in range(SEATS):
        if other != seat:
            view.vp[other] -= view.card[other]
            view.card[other] = 0
    for number in range(game.round_number, MOST_ROUNDS):
        for other in range(SEATS):
            view.dice[number, other] = 0


def deal_anew(games, boxes, seat, chances):
    """Other cards and dice to come, which the seat cannot see."""
    other = games.copy()
    state, own = other[0], games["card"][0, seat]
    cards = [card for card in range(1, CARDS + 1) if card != own]
    chances.shuffle(cards)
    for index in (index for index in range(int(state.seats)) if index != seat):
        new = cards.pop()
        state.vp[index] += new - state.card[index]
        state.card[index] = new
    for number in range(int(state.round_number), MOST_ROUNDS):
        state.dice[number] = [chances.randint(1, 6) for _ in range(SEATS)]
    return other


# --- its tables --------------------------------------------------------------------------------------------------------------------

VP = Field("vp", np.int16, "points: the card and all dice taken")
TABLES = Tables(
    {
        "games": Table("one row a game", (fields.GAME, fields.BLOCK, fields.ROTATION, fields.DECISIONS, Field("winners", np.int8, "seats that won"))),
        "seats": Table(
            "one row a seat",
            (fields.GAME, fields.SEAT, fields.POLICY, VP, Field("rank", np.int8, "1 for winners, 2 for others"),
             Field("win_share", np.float32, "1 for each winner"), Field("card", np.int8, "its hidden card")),
            each_seat=True,
        ),
        "rounds": Table("one row a seat of a round", (fields.GAME, fields.ROUND, fields.SEAT, VP), most_rows=MOST_ROUNDS, each_seat=True),
    }
)  # fmt: skip
LOG = record(("number", np.int64), ("rotation", np.int8), ("rows_used", np.int64, (len(TABLES.names),)))


class Rows(NamedTuple):
    games: Any
    seats: Any
    rounds: Any


@kernel
def note_scored(game, box, log, rows):
    """The points at a round's end."""
    for seat in range(game.seats if len(rows.rounds) > 0 else 0):
        row = rows.rounds[log.rows_used[2]]
        row.game, row.round_number, row.seat, row.vp = log.number, game.round_number, seat, game.vp[seat]
        log.rows_used[2] += 1


@kernel
def note_over(game, box, log, rows):
    """The result: nobody wins where all are above the limit."""
    best, winners = 0, 0
    for seat in range(game.seats):
        if game.vp[seat] <= box.limit:
            best = max(best, int(game.vp[seat]))
    for seat in range(game.seats):
        winners += game.vp[seat] == best
        if len(rows.seats) > 0:
            row = rows.seats[log.rows_used[1]]
            row.game, row.seat, row.policy = log.number, seat, (seat + game.seats - log.rotation) % game.seats
            row.vp, row.card, row.win_share = game.vp[seat], game.card[seat], 1.0 if game.vp[seat] == best else 0.0
            row.rank = 1 if game.vp[seat] == best else 2
            log.rows_used[1] += 1
    if len(rows.games) > 0:
        row = rows.games[log.rows_used[0]]
        row.game, row.block, row.rotation = log.number, log.number // game.seats, log.rotation
        row.decisions, row.winners = game.decisions, winners
        log.rows_used[0] += 1


# --- in words ----------------------------------------------------------------------------------------------------------------------


class Words(Language):
    def setup(self, game, box):
        return {"cards": game.card[: game.seats].tolist()}

    def moment(self, game):
        return {"round": int(game.round_number)}

    def option(self, game, seat, option, components):
        return {"do": "take", "die": int(game.dice[game.round_number - 1, seat])} if option.do == TAKE else {"do": "stop"}

    def final(self, game, box, seat):
        return {"vp": int(game.vp[seat]), "card": int(game.card[seat])}


GAME = Game(
    name="limit", title="Limit", records=Records(STATE, COMPONENTS.box, OPTION, NOTES, LOG, SEATS, 2), kernels=__name__, tables=TABLES,
    rows=Rows, errors={}, language=Words(), variant="usual", components=COMPONENTS,
    policies=PolicyKit("careful", ("rash", "careful"), deal_anew=deal_anew), one_win=False,
)  # fmt: skip
