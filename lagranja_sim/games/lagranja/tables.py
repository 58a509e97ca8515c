"""The tables of La Granja; docs/data.md is made from these declarations."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from lagranja_sim.games.lagranja.rules.names import BUILDINGS, PHASES, SIDES, SOURCES
from lagranja_sim.games.lagranja.rules.state import ROUNDS
from lagranja_sim.kit.fields import BLOCK, DECISIONS, GAME, POLICY, ROTATION, ROUND, SEAT
from lagranja_sim.kit.tables import Field, Table, Tables

FACES = tuple(str(face) for face in range(1, 7))
MARKERS = tuple(str(number) for number in (1, 2, 3))

PHASE_MEANINGS = {
    "setup": "before the first round",
    "farm": "cards, income, growth, roofs (F1 to F12)",
    "revenue": "from what is done before the roll to the last die (R1 to R5, H2)",
    "transport": "donkeys, siesta track, deliveries (T1 to T5)",
    "scoring": "market and siesta points at a round's end, then the change of rounds (E1, M4)",
    "end": "the final sale and points for silver (E2)",
}
SIDE_MEANINGS = {
    "field": "to the left of the farm: a field",
    "barrow": "above it: a market barrow",
    "extension": "to the right: a farm extension, paid for",
    "helper": "below it: a helper",
}
SOURCE_MEANINGS = {
    "barrow": "points for completed barrows (D7)",
    "market_round": "points for own markers on the market at the ends of rounds (M4)",
    "market_removal": "points for markers of others removed from the market (M2, M3)",
    "building": "points for completed buildings: the round's number each, and any printed bonus (D3)",
    "first": "points for being the first to complete a building (D3)",
    "unlock": "points for opening a blocked building (D4)",
    "siesta": "points of the siesta section at the ends of rounds (E1)",
    "roof": "points of the spaces that roofs were placed on (F7)",
    "craft": "points by craft markers, immediate and permanent effects together (D5)",
    "helper": "points by effects of helpers",
    "roof_effect": "points by effects of roofs, double points among them (F9)",
    "silver": "points for silver left at the end (E2)",
    "start": "points to start with (S1)",
    "spent": "points paid for extensions, helpers and effects, as a number not above 0",
    "other": "points by dice, commodities and income of extensions; 0 with the printed components",
}


def _each_building(prefix: str, meaning: str) -> dict[str, str]:
    """A column a building; its name takes the place of `{}` in the meaning."""
    return {f"{prefix}_{name}": meaning.format(name.replace("_", " ")) for name in BUILDINGS}


def _named(meanings: Mapping[str, str]) -> dict[int, str]:
    return {number: f"`{name}`, {meaning}" for number, (name, meaning) in enumerate(meanings.items())}


NEVER = {0: "never"}

FIELDS: dict[str, list[Field]] = {
    "games": [
        GAME,
        BLOCK,
        ROTATION,
        Field("start_seat", np.int8, "seat that starts round 1; beside one player alone 1 is the neutral one"),
        Field("winner_seat", np.int8, "seat of rank 1", {-1: "several share it, or one player is alone"}),
        Field("vp_win", np.int16, "most points of a seat"),
        Field("vp_margin", np.int16, "points by which the best seat leads the second; 0 where they have as many, or one player is alone"),
        Field("lead_changes", np.uint8, "how often a round's end or the final result showed another seat alone in the lead than the last that was"),
        Field("blocked", np.int8, {f"blocked_{n}": f"number of the building with order marker {n}" for n in MARKERS}, {0: "no such marker"}),
        Field("first_round", np.int8, _each_building("first_round", "round in which the {} was first completed"), NEVER),
        Field("first_seat", np.int8, _each_building("first_seat", "seat that completed the {} first"), {-1: "nobody"}),
        DECISIONS,
    ],
    "seats": [
        GAME,
        SEAT,
        POLICY,
        Field("start_position", np.int8, "place in the turn order of round 1, from 1"),
        Field("vp", np.int16, "points at the end, the sum of the `vp_*` columns"),
        Field("rank", np.int8, "1 and one more for each seat with more points or, by `game.tie_break`, silver left (E3)", {0: "one player alone"}),
        Field("win_share", np.float32, "1 divided among all seats of rank 1; 0 for the others; null for one player alone"),
        Field("silver_left", np.int16, "silver after points were taken for it, which decides ties"),
        Field("points", np.int16, {f"vp_{source}": SOURCE_MEANINGS[source] for source in SOURCES}),
        Field("barrows", np.int8, "barrows completed"),
        Field("buildings", np.int8, "craft buildings completed"),
        Field("fields", np.int8, "fields on the farm at the end"),
        Field("extensions", np.int8, "extensions on the farm at the end"),
        Field("helpers", np.int8, "helpers on the farm at the end"),
        Field("roofs", np.int8, "roofs bought"),
        Field("pigs", np.int16, "pigs that came into the stable over the game"),
        Field("craft_round", np.int8, _each_building("craft_round", "round in which the seat completed the {}"), NEVER),
    ],
    "rounds": [
        GAME,
        ROUND,
        SEAT,
        Field("order_farm", np.int8, "place in the turn order of the farm and revenue phases, from 1"),
        Field("order_transport", np.int8, "place in the turn order from the siesta track on, from 1"),
        Field("vp", np.int16, "points when the round has been scored"),
        Field("vp_gained", np.int16, "points more than when the round before had been scored, or the game began"),
        Field("silver", np.int16, "silver when the round has been scored"),
        Field("goods", np.int16, "harvest goods, those on fields included, pigs and upgraded goods when the round has been scored"),
        Field("dice", np.int8, {"die_1": "face of the die taken first, as rolled", "die_2": "face of the die taken second"}, {0: "none taken"}),
        Field("die_last", np.int8, "face of the last die, which all use", {0: "there was none"}),
        Field("offered", np.int8, {f"dice_offered_{f}": f"dice that showed {f} before the first was taken" for f in FACES}),
        Field("roof", np.int8, "number of the roof bought", {0: "none"}),
        Field("donkey", np.int8, "donkey tile chosen, from 1"),
        Field("siesta", np.int8, "section of the siesta disc when the round has been scored, from 0"),
        Field("deliveries", np.int8, "deliveries made, of all kinds"),
        Field("bought_deliveries", np.int8, "deliveries bought in the transportation phase (T4)"),
        Field("markers", np.int8, "own markers on the market when the round has been scored"),
        Field("barrows_done", np.int8, "barrows completed so far"),
        Field("buildings_done", np.int8, "craft buildings completed so far"),
    ],
    "cards": [
        GAME,
        SEAT,
        Field("card", np.int8, "number of the card played"),
        Field("side", np.int8, "what it was played as", _named(SIDE_MEANINGS), SIDES),
        ROUND,
        Field("phase", np.int8, "phase in which it was played", _named(PHASE_MEANINGS), PHASES),
    ],
    "market": [
        GAME,
        Field("seat", np.int8, "owner of the marker; beside one player alone 1 is the neutral one"),
        Field("space", np.int8, "market space, from 0 in the order of market.csv"),
        Field("value", np.int8, "value of the space"),
        Field("round_placed", np.int8, "round in which it was placed", {0: "it lay there from the start"}),
        Field("round_removed", np.int8, "round in which it was removed", {0: "never: it stayed to the end"}),
        Field(
            "removed_by",
            np.int8,
            "seat that removed it; beside one player alone 1 is the neutral one",
            {-1: "nobody: it stayed, or its owner gave it up (L1)"},
        ),
    ],
}  # fmt: skip
TABLE_MEANINGS = {
    "games": "one row a game",
    "seats": "one row a seat of a game",
    "rounds": "one row a seat of a round of a game, noted when the round has been scored and nothing was reset yet",
    "cards": "one row a card that somebody chose to play, an extension also where its payment comes later",
    "market": "one row a marker that came to lie on the market, those of the start included",
}
MOST_ROWS = {"games": 1, "seats": 1, "rounds": ROUNDS, "cards": 1_000, "market": 1_000}  # of a game, or of a seat in it
USUAL_ROWS = {"cards": 60, "market": 40}
OF_SEATS = ("seats", "rounds")
TABLES = Tables(
    {
        name: Table(TABLE_MEANINGS[name], tuple(fields), MOST_ROWS[name], name in OF_SEATS, USUAL_ROWS.get(name, 0))
        for name, fields in FIELDS.items()
    }
)


class Rows(NamedTuple):
    """Room for the rows of each table; empty where a table is not wanted."""

    games: np.ndarray
    seats: np.ndarray
    rounds: np.ndarray
    cards: np.ndarray
    market: np.ndarray
