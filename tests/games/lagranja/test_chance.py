"""A game is a function of components, variant, policies, seed and game number, and its chance is fair."""

import dataclasses
import hashlib
import itertools
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from calls import HELPERS
from joblib import Parallel, delayed
from records import new_games, own_box, steps
from scipy.stats import chi2, chi2_contingency, chisquare

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.tables import TABLES
from lagranja_sim.games.lagranja.words import setup_words
from lagranja_sim.play.driver import play_games
from lagranja_sim.play.follow import follow_game
from lagranja_sim.play.slow_driver import play_games_slowly
from lagranja_sim.play.walk import Table
from lagranja_sim.policy import Policy, describe, find_policy

VARIANTS = ("deluxe", "first_edition", "bga", "yucata")
PLAYERS = (1, 2, 3, 4)
SEED = 17
LARGEST_SEED = 2**64 - 1
Rows = dict[str, np.ndarray]


@cache
def components_of(variant: str = "deluxe") -> Components:
    return load_components(None, variant)


def policies_of(players: int, *names: str) -> list[Policy]:
    """Policies for all seats, the names in turn."""
    return [find_policy(name) for name in itertools.islice(itertools.cycle(names or ("greedy", "random")), players)]


def played(players: int, first: int, count: int, seed: int = SEED, variant: str = "deluxe", names: tuple[str, ...] = ()) -> Rows:
    return play_games(components_of(variant), policies_of(players, *names), seed, first, count)


def joined(pieces: list[Rows]) -> Rows:
    return {table: np.concatenate([piece[table] for piece in pieces]) for table in TABLES.names}


def assert_same_rows(one: Rows, other: Rows) -> None:
    for table in TABLES.names:
        assert one[table].dtype == other[table].dtype
        assert one[table].tobytes() == other[table].tobytes(), table


# --- the same game however it is played ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("sizes", [(1,), (7,), (2, 31, 1, 5), (59, 1)])
def test_any_chunks_give_the_same_rows(players, sizes):
    whole, pieces, first = played(players, 0, 60), [], 0
    for size in itertools.cycle(sizes):
        if first == 60:
            break
        size = min(size, 60 - first)
        pieces.append(played(players, first, size))
        first += size
    assert_same_rows(joined(pieces), whole)


def test_later_games_do_not_depend_on_earlier_ones():
    assert_same_rows(played(3, 1_000_000, 9), joined([played(3, 1_000_000, 3), played(3, 1_000_003, 6)]))


@pytest.mark.parametrize("tables", [("games",), ("seats", "market"), ("cards",), ("rounds", "games")])
def test_tables_left_out_change_nothing_of_the_others(tables):
    some = play_games(components_of(), policies_of(4), SEED, 0, 20, tables)
    assert set(some) == set(tables)
    for table in tables:
        assert some[table].tobytes() == played(4, 0, 20)[table].tobytes()


@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_gives_the_same_rows(threads):
    tasks = [delayed(played)(4, first, 10) for first in range(0, 200, 10)]
    assert_same_rows(joined(Parallel(n_jobs=threads, prefer="threads")(tasks)), played(4, 0, 200))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_drivers_write_the_same_rows(variant, players):
    policies = policies_of(players)
    slowly = play_games_slowly(components_of(variant), policies, SEED, 5, 2 * players)
    assert_same_rows(slowly, play_games(components_of(variant), policies, SEED, 5, 2 * players))


def fingerprint() -> str:
    """A hash of all rows of a few games."""
    digest = hashlib.sha256()
    for variant, players, seed in (("deluxe", 2, SEED), ("bga", 3, SEED), ("yucata", 4, LARGEST_SEED)):
        rows = played(players, 2, 2, seed, variant)
        for table in TABLES.names:
            digest.update(rows[table].tobytes())
    return digest.hexdigest()


def test_uncompiled_games_are_the_same():
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join([str(HELPERS), *filter(None, sys.path)]),
    }
    command = [sys.executable, "-W", "ignore", "-c", "import test_chance; print(test_chance.fingerprint())"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip() == fingerprint()


def test_different_seeds_give_different_games():
    seeds = [*range(40), 2**32, 2**63, LARGEST_SEED]
    rows = [played(4, 0, 1, seed)["seats"].tobytes() + played(4, 0, 1, seed)["cards"].tobytes() for seed in seeds]
    assert len(set(rows)) == len(seeds)


# --- the same chance whoever plays under whatever variant ---------------------------------------------------------------------------


def setup_of(variant: str, players: int, number: int) -> dict[str, object]:
    """Deck, hands, dice, roofs, blocked buildings and order of a game."""
    table = Table(components_of(variant), policies_of(players), SEED, number)
    return setup_words(table.game, table.box)


@pytest.mark.parametrize("players", PLAYERS)
def test_variants_meet_the_same_chance(players):
    for number in (0, 1, 29):
        first, *others = (setup_of(variant, players, number) for variant in VARIANTS)
        assert all(other == first for other in others)


def test_policies_meet_the_same_chance():
    """As the replay tells it before, and as the rounds show it after the game."""
    setups, offered = [], []
    for names in (("random",), ("greedy",), ("first_option",), ("greedy", "random")):
        setup = next(iter(follow_game(components_of(), policies_of(3, *names), SEED, 4)))
        setups.append({key: value for key, value in setup.items() if key != "policies"})
        rounds = played(3, 4, 1, names=names)["rounds"]
        offered.append([rounds[f"dice_offered_{face}"].tolist() for face in range(1, 7)])
    assert all(setup == setups[0] for setup in setups)
    assert all(dice == offered[0] for dice in offered)


def test_policies_and_variants_meet_the_same_neutral_cards():
    """O3: one a round, whatever the player has drawn."""
    met = set()
    for variant, policy in itertools.product(("deluxe", "yucata"), ("random", "greedy", "balanced")):
        lines = follow_game(components_of(variant), [find_policy(policy)], SEED, 4)
        met.add(tuple(line["card"] for line in lines if line.get("reason") == "neutral" and line["type"] == "card"))
    assert [len(set(cards)) for cards in met] == [6]


def test_fewer_players_meet_the_same_cards_dice_and_roofs():
    two, three, four = (deals(1, players)[0] for players in (2, 3, 4))
    for fewer, players in ((two, 2), (three, 3)):
        for name in ("deck", "dice", "blocked"):
            assert np.array_equal(fewer[name], four[name])
        assert np.array_equal(fewer["roofs"][:, :players], four["roofs"][:, :players])
        assert not fewer["roofs"][:, players:].any()


# --- rotation -----------------------------------------------------------------------------------------------------------------------


def takers(players: int) -> list[Policy]:
    """Policies told apart by the donkey tile they take in round 1."""
    policy = describe(HELPERS / "donkey_policy.py")
    return [dataclasses.replace(policy, name=f"takes {tile}", weights={"tile": float(tile)}) for tile in range(1, players + 1)]


@pytest.mark.parametrize("players", PLAYERS)
def test_policies_rotate_through_the_seats(players):
    """Policy p has seat (p + rotation) % players: by the rows, and by what is done in the seat."""
    count = 3 * players
    rows = play_games(components_of(), takers(players), SEED, 0, count)
    assert rows["games"]["rotation"].tolist() == [game % players for game in range(count)]
    assert rows["games"]["block"].tolist() == [game // players for game in range(count)]
    first_round = rows["rounds"][rows["rounds"]["round"] == 1]
    for row, result in zip(first_round, rows["seats"], strict=True):
        assert (row["game"], row["seat"]) == (result["game"], result["seat"])
        assert (result["policy"] + result["game"] % players) % players == result["seat"]
        assert row["donkey"] == result["policy"] + 1
    for game in range(count):
        assert sorted(rows["seats"]["policy"][rows["seats"]["game"] == game]) == list(range(players))


@pytest.mark.parametrize("players", PLAYERS)
def test_all_rotations_of_a_block_have_the_same_deal(players):
    for block in (0, 1, 50):
        tables = [Table(components_of(), policies_of(players), SEED, block * players + rotation) for rotation in range(players)]
        assert len({table.room.games[0].tobytes() for table in tables}) == 1
        other = Table(components_of(), policies_of(players), SEED, (block + 1) * players)
        assert other.room.games[0].tobytes() != tables[0].room.games[0].tobytes()


# --- fairness -----------------------------------------------------------------------------------------------------------------------

DEALS = 20_000
FAIR = 1e-4  # the deals are the same in every run, so a fair generator that passes once passes always


@cache
def deals(count: int, players: int, by_seed: bool = False) -> np.ndarray:
    """Games just dealt: of successive blocks of one seed, or of the first blocks of successive seeds."""
    games, boxes = new_games(count), own_box(components_of())
    for index in range(count):
        seed, block = (index, 0) if by_seed else (SEED, index)
        steps().deal_in(games[index : index + 1], boxes, np.uint64(seed), block, players)
    return games


def is_uniform(values: np.ndarray, classes: int) -> bool:
    """Whether values from 0 to classes - 1 are about as frequent as each other."""
    counts = np.bincount(values.ravel(), minlength=classes)
    assert len(counts) == classes
    return chisquare(counts).pvalue > FAIR


def are_unrelated(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether the pairs of two columns of small numbers show no dependence."""
    table = np.bincount(one.astype(np.int64) * 8 + other, minlength=64).reshape(8, 8)
    return chi2_contingency(table[table.any(axis=1)][:, table.any(axis=0)]).pvalue > FAIR


def orders(values: np.ndarray) -> np.ndarray:
    """Each row's order as a number."""
    ranks = np.argsort(np.argsort(values, axis=1), axis=1)
    return np.unique(ranks, axis=0, return_inverse=True)[1]


@pytest.mark.parametrize("by_seed", [False, True], ids=["blocks", "seeds"])
def test_dice_are_fair(by_seed):
    faces = deals(DEALS, 4, by_seed)["dice"].astype(np.int64) - 1
    assert is_uniform(faces, 6)
    for round_index, die in itertools.product(range(s.ROUNDS), range(s.MAX_DICE)):
        assert is_uniform(faces[:, round_index, die], 6)
    flat = faces.reshape(DEALS, -1)
    for die in range(flat.shape[1] - 1):
        assert are_unrelated(flat[:, die], flat[:, die + 1])


@pytest.mark.parametrize("by_seed", [False, True], ids=["blocks", "seeds"])
def test_every_card_is_as_likely_everywhere_in_the_deck(by_seed):
    decks = deals(DEALS, 4, by_seed)["deck"].astype(np.int64)
    assert np.array_equal(np.sort(decks, axis=1), np.broadcast_to(np.arange(1, s.CARDS + 1), decks.shape))
    places = np.tile(np.arange(s.CARDS), DEALS)
    counts = np.bincount((decks.ravel() - 1) * s.CARDS + places, minlength=s.CARDS**2)
    expected = DEALS / s.CARDS
    freedom = (s.CARDS - 1) ** 2  # rows and columns sum to the number of deals
    statistic = ((counts - expected) ** 2 / expected).sum() * (s.CARDS - 1) / s.CARDS
    assert FAIR < chi2.sf(statistic, freedom) < 1 - FAIR


def test_for_one_player_and_neutral_start_as_often_whatever_else_is_dealt():
    games = deals(DEALS, 1)
    assert is_uniform(games["neutral_first"].astype(np.int64), 2)
    for other in (
        games["dice"][:, 0, 0],
        games["blocked"][:, 0],
        games["deck"][:, 0] % 6,
        games["deck"][:, 61] % 6,
        games["roofs"][:, 0, 0] % 4,
    ):
        assert are_unrelated(games["neutral_first"], other)


@pytest.mark.parametrize("players", (2, 3, 4))
def test_every_seat_starts_as_often(players):
    order = deals(DEALS, players)["order"][:, :players].astype(np.int64)
    assert is_uniform(order[:, 0], players)
    assert np.array_equal(order, (order[:, :1] + np.arange(players)) % players)


def test_every_order_of_blocked_buildings_is_as_likely():
    blocked = deals(DEALS, 4)["blocked"].astype(np.int64)
    assert is_uniform(np.unique(blocked @ [36, 6, 1], return_inverse=True)[1], 6 * 5 * 4)


def test_every_order_of_a_rounds_roofs_is_as_likely():
    roofs = deals(DEALS, 4)["roofs"]
    for round_index in range(s.ROUNDS):
        assert is_uniform(orders(roofs[:, round_index]), 24)


@pytest.mark.parametrize("by_seed", [False, True], ids=["blocks", "seeds"])
def test_neighbouring_deals_are_unrelated(by_seed):
    """Seed n and seed n + 1, block n and block n + 1."""
    games = deals(DEALS, 4, by_seed)
    for one, other in ((games[:-1], games[1:]), (games[:-2], games[2:])):
        assert are_unrelated(one["order"][:, 0], other["order"][:, 0])
        assert are_unrelated(one["blocked"][:, 0], other["blocked"][:, 0])
        assert are_unrelated(one["deck"][:, -1] % 6, other["deck"][:, -1] % 6)
        for round_index in range(s.ROUNDS):
            assert are_unrelated(one["dice"][:, round_index, 0], other["dice"][:, round_index, 0])
            assert are_unrelated(one["dice"][:, round_index, 0], other["dice"][:, round_index, 1])


def test_kinds_of_chance_are_unrelated():
    games = deals(DEALS, 4)
    kinds = (games["dice"][:, 0, 0], games["order"][:, 0], games["blocked"][:, 0], games["deck"][:, -1] % 6, games["roofs"][:, 5, 0] % 4)
    for one, other in itertools.combinations(kinds, 2):
        assert are_unrelated(one, other)
