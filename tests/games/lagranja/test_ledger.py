"""The replay of a game adds up: its ledger to what each seat owns, its points to the columns of the tables, its choices to the counts."""

from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import DECISIONS, ITEMS, NOTES, PHASES, REASONS, SOURCE_OF_REASON, SOURCES, Side
from lagranja_sim.games.lagranja.words import Words
from lagranja_sim.play.driver import play_games
from lagranja_sim.play.follow import follow_game
from lagranja_sim.play.walk import ASKED, walk
from lagranja_sim.policy import find_policy

VARIANTS = ("deluxe", "first_edition", "bga", "yucata")
PLAYERS = (2, 3, 4)
TABLES_OF = {"random": ("random",), "greedy": ("greedy",), "mixed": ("greedy", "random")}
SEED = 71
GAMES = 4  # of each combination
SOURCE_OF = {reason: SOURCES[SOURCE_OF_REASON[index]] for index, reason in enumerate(REASONS)}


@cache
def components_of(variant: str) -> Components:
    return load_components(None, variant)


@cache
def replayed(variant: str, players: int, policies: str, game: int) -> list[Words]:
    """The lines of a game."""
    names = [TABLES_OF[policies][index % len(TABLES_OF[policies])] for index in range(players)]
    return list(follow_game(components_of(variant), [find_policy(name) for name in names], SEED, game))


@cache
def played(variant: str, players: int, policies: str) -> dict[str, np.ndarray]:
    """The rows of the same games."""
    names = [TABLES_OF[policies][index % len(TABLES_OF[policies])] for index in range(players)]
    return play_games(components_of(variant), [find_policy(name) for name in names], SEED, 0, GAMES)


def of_type(lines: list[Words], kind: str) -> list[Words]:
    return [line for line in lines if line["type"] == kind]


each_game = pytest.mark.parametrize(
    ("variant", "players", "policies", "game"),
    [
        pytest.param(variant, players, policies, game, id=f"{variant}-{players}-{policies}-{game}")
        for variant in VARIANTS
        for players in PLAYERS
        for policies in TABLES_OF
        for game in range(GAMES)
    ],
)


@each_game
def test_the_ledger_adds_up(variant, players, policies, game):
    """Nobody ever owns less than nothing, and in the end what the ledger says."""
    owned: dict[int, Counter[str]] = {seat: Counter() for seat in range(players)}
    points: dict[int, Counter[str]] = {seat: Counter() for seat in range(players)}
    lines = replayed(variant, players, policies, game)
    for row in of_type(lines, "ledger"):
        assert row["amount"] != 0
        owned[row["seat"]][row["item"]] += row["amount"]
        assert owned[row["seat"]][row["item"]] >= 0, row
        if row["item"] == "vp":
            points[row["seat"]][SOURCE_OF[row["reason"]]] += row["amount"]
    finals = of_type(lines, "final")
    assert [final["seat"] for final in finals] == list(range(players))
    for final in finals:
        assert {item: owned[final["seat"]][item] for item in ITEMS} == final["stock"]
        assert {source: points[final["seat"]][source] for source in SOURCES} == final["points"]
        assert sum(final["points"].values()) == final["vp"] == final["stock"]["vp"]
        assert final["silver"] == final["stock"]["silver"]


@each_game
def test_a_replay_ends_as_the_rows_of_its_run(variant, players, policies, game):
    lines, tables = replayed(variant, players, policies, game), played(variant, players, policies)
    rows = tables["seats"][tables["seats"]["game"] == game]
    assert len(rows) == players
    for final, row in zip(of_type(lines, "final"), rows, strict=True):
        assert (final["seat"], final["vp"], final["rank"], final["silver"]) == (row["seat"], row["vp"], row["rank"], row["silver_left"])
        assert final["points"] == {source: row[f"vp_{source}"] for source in SOURCES}
        assert row["win_share"] == (pytest.approx(1 / sum(rows["rank"] == 1)) if row["rank"] == 1 else 0)
    best = tables["games"][game]
    assert best["vp_win"] == max(rows["vp"])
    assert best["winner_seat"] == (int(rows["seat"][rows["rank"] == 1][0]) if sum(rows["rank"] == 1) == 1 else -1)
    assert best["decisions"] == sum(len(choice["options"]) > 1 for choice in of_type(lines, "choice"))
    setup = lines[0]
    assert [setup["order"].index(row["seat"]) + 1 for row in rows] == list(rows["start_position"])
    assert setup["order"][0] == best["start_seat"]
    assert setup["blocked"] == [best[f"blocked_{marker}"] for marker in (1, 2, 3)]


@each_game
def test_choices_are_among_different_options(variant, players, policies, game):
    choices = of_type(replayed(variant, players, policies, game), "choice")
    assert choices
    for choice in choices:
        assert 0 <= choice["chosen"] < len(choice["options"])
        assert choice["kind"] in DECISIONS
        assert choice["phase"] in PHASES
        assert 0 <= choice["seat"] < players
        spelled = [str(sorted(option.items())) for option in choice["options"]]
        assert len(set(spelled)) == len(spelled), choice


@each_game
def test_rounds_follow_the_replay(variant, players, policies, game):
    """What a round's row says is what happened in the round's lines."""
    lines, tables = replayed(variant, players, policies, game), played(variant, players, policies)
    gained: Counter[tuple[int, int]] = Counter()
    dice, roofs, donkeys = defaultdict(list), {}, {}
    for line in lines:
        if line["type"] == "ledger" and line["item"] == "vp" and line["phase"] not in ("setup", "end"):
            gained[line["round"], line["seat"]] += line["amount"]
        if line["type"] == "choice":
            chosen, where = line["options"][line["chosen"]], (line["round"], line["seat"])
            if chosen["do"] == "take_die":
                dice[where].append(chosen["die"])
            if chosen["do"] == "buy_roof":
                roofs[where] = chosen["roof"]
            if chosen["do"] == "choose_donkey":
                donkeys[where] = chosen["donkey"]
    rows = tables["rounds"][tables["rounds"]["game"] == game]
    assert len(rows) == players * 6
    for row in rows:
        where = (row["round"], row["seat"])
        assert row["vp_gained"] == gained[where]
        assert [row["die_1"], row["die_2"]] == dice[where]
        assert row["roof"] == roofs.get(where, 0)
        assert row["donkey"] == donkeys[where]
        offered = Counter(lines[0]["dice"][row["round"] - 1])
        assert [row[f"dice_offered_{face}"] for face in range(1, 7)] == [offered[face] for face in range(1, 7)]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_of_different_tables_agree(variant, players):
    """Cards played and markers on the market, as their own tables tell them, are those that rounds and seats count."""
    policies = [find_policy("random"), find_policy("greedy"), find_policy("random"), find_policy("greedy")][:players]
    tables = play_games(components_of(variant), policies, SEED, 0, 200 * players)
    rounds, market, cards, seats, games = (tables[name] for name in ("rounds", "market", "cards", "seats", "games"))
    seat_of_row = rounds["game"].astype(np.int64) * s.SEATS + rounds["seat"]
    seat_of_marker = market["game"].astype(np.int64) * s.SEATS + market["seat"]
    for number in range(1, 7):
        is_there = (market["round_placed"] <= number) & ((market["round_removed"] == 0) | (market["round_removed"] > number))
        markers = np.bincount(seat_of_marker[is_there], minlength=len(games) * s.SEATS)
        in_round = rounds["round"] == number
        assert np.array_equal(markers[seat_of_row[in_round]], rounds["markers"][in_round])
    seat_of_card = cards["game"].astype(np.int64) * s.SEATS + cards["seat"]
    seat_of_result = seats["game"].astype(np.int64) * s.SEATS + seats["seat"]
    for column, side in (("fields", Side.FIELD), ("extensions", Side.EXTENSION)):
        of_side = np.bincount(seat_of_card[cards["side"] == side], minlength=len(games) * s.SEATS)
        assert np.array_equal(of_side[seat_of_result], seats[column])
    last = rounds["round"] == 6
    assert np.array_equal(rounds["barrows_done"][last], seats["barrows"])
    assert np.array_equal(rounds["buildings_done"][last], seats["buildings"])
    assert np.array_equal((rounds["roof"] > 0).reshape(len(games), 6, players).sum(axis=1).ravel(), seats["roofs"])
    assert np.array_equal(sum(seats[f"vp_{source}"] for source in SOURCES), seats["vp"])
    assert np.array_equal(seats["vp"].reshape(-1, players).max(axis=1), games["vp_win"])


def test_k1_nothing_noted_reaches_a_policy():
    """What a policy is asked with has a notepad of its own that is off and empty, while the game's fills."""
    empty = components_of("deluxe").box[0]["ledger"]
    noted = 0
    for moment, table in walk(components_of("deluxe"), [find_policy("greedy")] * 2, SEED, 0, follow=True):
        if moment == ASKED:
            _, box, *_ = table.shown()
            assert (box.ledger_on, box.ledger_count) == (0, 0)
            assert box["ledger"].tobytes() == empty.tobytes()
        noted += len(list(table.rules.language.happened(table.box)))
    assert noted > 200


def test_immediate_and_permanent_effects_of_craft_markers_are_told_apart_and_count_for_one_source():
    points: Counter[str] = Counter()
    for game in range(GAMES):
        for row in of_type(replayed("deluxe", 4, "greedy", game), "ledger"):
            if row["item"] == "vp":
                points[row["reason"]] += row["amount"]
    assert SOURCE_OF["craft_immediate"] == SOURCE_OF["craft_permanent"] == "craft"
    craft = sum(final["points"]["craft"] for game in range(GAMES) for final in of_type(replayed("deluxe", 4, "greedy", game), "final"))
    assert points["craft_immediate"] + points["craft_permanent"] == craft > 0


def test_a_step_leaves_room_in_the_ledger():
    """The notepad of one step holds the longest chain of consequences met, many times over."""
    longest = 0
    for policies in TABLES_OF:
        since = 0
        for line in replayed("deluxe", 4, policies, 0):
            since = since + 1 if line["type"] in NOTES else 0
            longest = max(longest, since)
    assert 0 < longest < s.LEDGER // 2
