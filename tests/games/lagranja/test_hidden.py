"""What a policy is shown: all that is public, and nothing that is not.

At positions of every kind of decision, everything hidden from the seat to choose is dealt anew in the true game: other hands, the deck,
dice and roofs to come, the key of chance, donkeys not yet revealed. What the seat is shown, may do and chooses must stay the same.
"""

import random
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from calls import HELPERS

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import DECISIONS, Phase, Step
from lagranja_sim.kit.outcomes import ROUND_SCORED
from lagranja_sim.play.driver import play_games
from lagranja_sim.play.slow_driver import play_games_slowly
from lagranja_sim.play.walk import Table, chooser
from lagranja_sim.policy import Policy, describe, find_policy, list_policies

RULES: dict[str, tuple[str, dict[str, object]]] = {
    "deluxe": ("deluxe", {}),
    "bga": ("bga", {}),
    "few markers, dice either way": ("deluxe", {"setup.markers": 8, "revenue.modify_die": "up_or_down"}),
    "no last die": ("deluxe", {"setup.dice_extra": 0}),
}
SEED = 23
GAMES = 90  # played under each set of rules to find positions in
KEPT = 24  # positions of each kind of decision and set of rules
REDEALS = 3  # of each position
ASKED = 8  # positions of each kind at which every policy is asked; some think long


@dataclass(frozen=True)
class Position:
    """A game at a decision."""

    rules: str
    number: int
    games: np.ndarray  # one record
    seat: int
    kind: str

    @property
    def where(self) -> str:
        return f"{self.rules}, game {self.number} of seed {SEED}, round {self.games['round_number'][0]}, {self.kind} of seat {self.seat}"


@cache
def components_of(rules: str) -> Components:
    variant, overrides = RULES[rules]
    return load_components(None, variant, overrides)


def anybody(players: int) -> list[Policy]:
    """Whoever sits at a table at which nobody is asked."""
    return [find_policy("random")] * players


def moments_of(table: Table, chances: random.Random) -> dict[str, tuple[int, np.ndarray]]:
    """A random game: for each kind of decision it meets the seat and the record at one of them. Any kind of act is chosen first."""
    moments: dict[str, tuple[int, np.ndarray]] = {}
    table.run_on()
    while table.count != 0:
        if table.count != ROUND_SCORED:
            seat, kind = table.to_move, table.kind
            if kind not in moments or chances.random() < 0.2:
                moments[kind] = seat, table.room.games.copy()
            acts = table.options["do"][: table.count]
            alike = np.flatnonzero(acts == chances.choice(sorted(set(acts.tolist()))))
            table.chosen = int(chances.choice(alike))
            table.move()
        else:
            table.run_on()
    return moments


@cache
def positions() -> dict[str, list[Position]]:
    """Positions by kind of decision."""
    found: dict[str, list[Position]] = {kind: [] for kind in DECISIONS}
    for rules in RULES:
        kept = dict.fromkeys(DECISIONS, 0)
        for number in range(GAMES):
            table = Table(components_of(rules), anybody(1 + number % 4), SEED, number)
            for kind, (seat, games) in moments_of(table, random.Random(number)).items():
                if kept[kind] < KEPT:
                    kept[kind] += 1
                    found[kind].append(Position(rules, number, games, seat, kind))
    return found


# --- what is hidden -----------------------------------------------------------------------------------------------------------------


def is_hidden(place: int, seat: int) -> bool:
    """Whether a seat does not know of a card in this place that it is there."""
    return place == s.IN_DECK or (s.IN_HAND <= place < s.ON_FARM and place != s.IN_HAND + seat)


def rounds_rolled(games: np.ndarray) -> int:
    """How many rounds' dice have been rolled."""
    number, phase = int(games["round_number"][0]), games["phase"][0]
    to_come = games["agenda"]["kind"][0, : games["depth"][0]]
    return number if phase > Phase.FARM and Step.ROLL not in to_come else number - 1


def deal_cards_anew(games: np.ndarray, seat: int, chances: random.Random) -> None:
    """Other hands and the deck, as large as they are."""
    places, deck = games["card_place"][0], games["deck"][0]
    cards = [card for card in range(1, s.CARDS + 1) if is_hidden(places[card], seat)]
    chances.shuffle(cards)
    for other in range(games["seats"][0]):
        if other != seat:
            for _ in range(games["players"]["hand_size"][0, other]):
                places[cards.pop()] = s.IN_HAND + other
    assert len(cards) == games["deck_count"][0]
    for index, card in enumerate(cards):
        places[card] = s.IN_DECK
        deck[index] = card
    deck[len(cards) :] = [chances.randint(1, s.CARDS) for _ in range(len(cards), s.CARDS)]


def roll_and_draw_anew(games: np.ndarray, components: Components, chances: random.Random) -> None:
    """Dice and roofs to come."""
    number, players = int(games["round_number"][0]), int(games["seats"][0])
    laid_out = components.rules.solo.roofs if players == 1 else players
    for round_index in range(rounds_rolled(games), s.ROUNDS):
        games["dice"][0, round_index] = [chances.randint(1, 6) for _ in range(s.MAX_DICE)]
    for round_index in range(number, s.ROUNDS):
        tiles = [roof.roof for roof in components.roofs if roof.round == round_index + 1]
        games["roofs"][0, round_index, :laid_out] = chances.sample(tiles, laid_out)


def choose_donkeys_anew(games: np.ndarray, seat: int, tiles: int, chances: random.Random) -> None:
    """Donkeys that others have chosen and not yet revealed."""
    for other in range(games["seats"][0]):
        if other != seat and games["players"]["donkey"][0, other] > 0:
            unused = [tile for tile in range(1, tiles + 1) if not games["players"]["donkeys_out"][0, other] >> (tile - 1) & 1]
            games["players"]["donkey"][0, other] = chances.choice(unused)


def dealt_anew(position: Position, number: int) -> np.ndarray:
    """The position with everything hidden from the seat changed."""
    games, chances = position.games.copy(), random.Random(f"{position.where} {number}")
    components = components_of(position.rules)
    deal_cards_anew(games, position.seat, chances)
    roll_and_draw_anew(games, components, chances)
    if position.kind == "choose_donkey":
        choose_donkeys_anew(games, position.seat, int(components.box[0].donkey_count), chances)
    games["chance"] = chances.getrandbits(64)
    return games


# --- what is shown ------------------------------------------------------------------------------------------------------------------


def table_at(position: Position, games: np.ndarray | None = None, policy: Policy | None = None) -> Table:
    """A table at a position, or at another deal of it, with its options listed and shown to the seat."""
    players = int(position.games["seats"][0])
    table = Table(components_of(position.rules), [policy] * players if policy else anybody(players), SEED, position.number)
    table.room.games[0] = position.games[0] if games is None else games[0]
    table.run_on()
    table.seat = position.seat
    table.show(asked=7)
    return table


def shown(table: Table) -> bytes:
    return table.room.views.tobytes()


def listed(table: Table) -> bytes:
    return table.options[: table.count].tobytes()


def test_every_kind_of_decision_is_met():
    assert {kind for kind, found in positions().items() if not found} == set()


@pytest.mark.parametrize("kind", DECISIONS)
def test_nothing_hidden_is_shown(kind):
    for position in positions()[kind]:
        table = table_at(position)
        for number in range(REDEALS):
            games = dealt_anew(position, number)
            assert games.tobytes() != position.games.tobytes()
            other = table_at(position, games)
            assert listed(other) == listed(table), position.where
            assert shown(other) == shown(table), position.where


@pytest.mark.parametrize("kind", DECISIONS)
def test_everything_public_is_shown(kind):
    """Field by field what the seat sees is the true game, but for the blanks that stand for hidden things."""
    for position in positions()[kind]:
        expected, seen = position.games.copy(), table_at(position).room.views
        for card in range(1, s.CARDS + 1):
            if is_hidden(expected["card_place"][0, card], position.seat):
                expected["card_place"][0, card] = s.HIDDEN
        expected["deck"] = 0
        expected["dice"][0, rounds_rolled(expected) :] = 0
        expected["roofs"][0, position.games["round_number"][0] :] = 0
        if kind == "choose_donkey":
            for other in range(s.SEATS):
                if other != position.seat:
                    expected["players"]["donkey"][0, other] = 0
        expected["chance"] = 0
        expected["luck"] = seen["luck"]
        for name in s.GAME.names:
            assert seen[name].tobytes() == expected[name].tobytes(), f"{position.where}: {name}"


def test_a_seat_sees_its_own_hand_and_how_many_cards_others_hold():
    for position in positions()["play_card"]:
        games, seen = position.games, table_at(position).room.views
        own = games["card_place"][0] == s.IN_HAND + position.seat
        assert np.array_equal(seen["card_place"][0] == s.IN_HAND + position.seat, own)
        assert own.sum() == seen["players"]["hand_size"][0, position.seat]
        assert np.array_equal(seen["players"]["hand_size"], games["players"]["hand_size"])
        unknown = games["deck_count"][0] + games["players"]["hand_size"][0].sum() - own.sum()
        assert (seen["card_place"][0] == s.HIDDEN).sum() == unknown


def test_luck_tells_games_seats_and_decisions_apart():
    """The stream of a policy depends on nothing else; above all not on what is hidden."""
    position = next(position for position in positions()["play_card"] if position.games["seats"][0] > 1)
    table, met = table_at(position), set()
    for number in range(3):
        for seat in range(2):
            for asked in range(3):
                table.number, table.seat = number, seat
                table.show(asked)
                met.add(int(table.room.views["luck"][0]))
    assert len(met) == 3 * 2 * 3


@pytest.mark.parametrize("play", [play_games, play_games_slowly], ids=["compiled", "slow"])
def test_options_of_earlier_decisions_are_not_shown(play):
    """They would name cards of other hands. One game at a time: a seat's own lists of an earlier game say nothing of this one."""
    peeping = describe(HELPERS / "peeping_policy.py")
    for game in range(6):
        assert len(play(components_of("deluxe"), [peeping] * 3, SEED, game, 1, ["games"])["games"]) == 1


@pytest.mark.parametrize("policy", list_policies(), ids=lambda policy: policy.name)
def test_policies_choose_the_same_whatever_is_hidden(policy):
    choose = chooser(policy)
    for found in positions().values():
        for position in found[:: max(1, len(found) // ASKED)]:
            table = table_at(position, policy=policy)
            choice = choose(table)
            assert 0 <= choice < table.count
            assert choose(table_at(position, dealt_anew(position, 0), policy)) == choice, position.where
