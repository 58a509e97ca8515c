"""The laws that hold at every decision of every game, and what is counted to check them; by seat and by table in modules of their own."""

import numpy as np

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import DECISIONS, ITEMS
from lagranja_sim.games.lagranja.rules.state import CARDS, SEATS

MAX_DEPTH = 70  # of AGENDA

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
