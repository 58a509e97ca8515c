"""A position in which everything that a seat cannot see is dealt anew (K1): other hands, the deck, dice and roofs to come, hidden donkeys.

It works on the full game, as an array of one record, and does not depend on how the driver hides things.
"""

from __future__ import annotations

import random

import numpy as np

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import Ask, Phase, Step


def dealt_anew(games: np.ndarray, box: np.ndarray, seat: int, chances: random.Random) -> np.ndarray:
    """A copy of the position that looks the same to the seat."""
    other = games.copy()
    deal_cards(other, seat, chances)
    roll_dice(other, chances)
    draw_roofs(other, box, chances)
    choose_donkeys(other, box, seat, chances)
    other["chance"] = chances.getrandbits(64)
    return other


def is_hidden(place: int, seat: int) -> bool:
    """Whether a seat cannot know which cards lie in this place."""
    return place == s.IN_DECK or (s.IN_HAND <= place < s.ON_FARM and place != s.IN_HAND + seat)


def deal_cards(games: np.ndarray, seat: int, chances: random.Random) -> None:
    """Deal other hands and the deck anew; their sizes stay the same."""
    places = games["card_place"][0]
    cards = [card for card in range(1, s.CARDS + 1) if is_hidden(places[card], seat)]
    chances.shuffle(cards)
    for other in range(games["seats"][0]):
        for _ in range(games["players"]["hand_size"][0, other] if other != seat else 0):
            places[cards.pop()] = s.IN_HAND + other
    places[cards] = s.IN_DECK
    games["deck"][0, : len(cards)] = cards


def roll_dice(games: np.ndarray, chances: random.Random) -> None:
    """Choose the faces of dice that have not been rolled."""
    number, phase = int(games["round_number"][0]), games["phase"][0]
    is_rolled = phase > Phase.FARM and Step.ROLL not in games["agenda"]["kind"][0, : games["depth"][0]]
    for round_index in range(number if is_rolled else max(0, number - 1), s.ROUNDS):
        games["dice"][0, round_index] = chances.choices(range(1, 7), k=s.MAX_DICE)


def draw_roofs(games: np.ndarray, box: np.ndarray, chances: random.Random) -> None:
    """Choose the roofs of later rounds, which lie face down."""
    for round_index in range(games["round_number"][0], s.ROUNDS):
        tiles = [roof for roof in range(1, s.ROOFS + 1) if box["roof_round"][0, roof] == round_index + 1]
        laid_out = int(np.count_nonzero(games["roofs"][0, round_index]))
        games["roofs"][0, round_index, :laid_out] = chances.sample(tiles, laid_out)


def choose_donkeys(games: np.ndarray, box: np.ndarray, seat: int, chances: random.Random) -> None:
    """Choose the donkeys that others have chosen but not yet revealed."""
    if games["agenda"]["kind"][0, games["depth"][0] - 1] != Ask.CHOOSE_DONKEY:
        return
    for other in range(games["seats"][0]):
        if other != seat and games["players"]["donkey"][0, other] > 0:
            tiles_out = int(games["players"]["donkeys_out"][0, other])
            tiles = [tile for tile in range(1, int(box["donkey_count"][0]) + 1) if not tiles_out >> (tile - 1) & 1]
            games["players"]["donkey"][0, other] = chances.choice(tiles)
