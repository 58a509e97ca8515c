"""The core and the naive referee follow the same games: every option list and every state is compared."""

import random
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from naive import Referee
from naive_solo import SoloReferee

from lagranja_sim.chance import RESHUFFLE, shuffle
from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.deal import deal
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, DECISIONS, ERRORS, ITEMS, KINDS, PHASES, SOURCES, Error
from lagranja_sim.games.lagranja.rules.result import rank_of
from lagranja_sim.games.lagranja.words import option_words, order_words, setup_words

PRINTED = Path(__file__).parents[2] / "lagranja_sim" / "games" / "lagranja" / "components" / "printed"
Choose = Callable[[random.Random, list[dict[str, Any]]], dict[str, Any]]


Option = namedtuple("Option", s.OPTION.names)  # type: ignore[misc]
GOODS = [ITEMS[kind] for kind in range(KINDS)]


class CoreGame:
    """The compiled core behind the interface of the naive referee."""

    def __init__(self, components: Components, seed: int, block: int, players: int) -> None:
        self.texts = components.alternative_texts
        self.box = components.box[0]
        self.tiles, self.sections = int(self.box.donkey_count), int(self.box.siesta_top) + 1
        self.records = np.zeros(1, s.GAME)
        self.game = self.records[0]  # the same memory, as the core takes it
        self.option_records = np.zeros(s.MAX_OPTIONS, s.OPTION)
        self.options = self.option_records
        deal(self.game, self.box, np.uint64(seed), block, players)
        self.setup = setup_words(self.game, self.box)
        self.run_on()

    def run_on(self) -> None:
        """To the next decision; the moments when a round has been scored are passed over."""
        self.count = -1
        while self.count < 0:
            self.count = advance(self.game, self.box, self.options)
        error, depth = self.field("error"), self.field("depth")
        assert error == Error.OK, ERRORS[error]
        self.kind, self.seat = (self.records["agenda"][name][0, depth - 1].item() for name in ("kind", "seat"))

    def field(self, name: str) -> Any:
        """A field of the record as plain numbers; much quicker than by attribute."""
        return self.records[name][0].tolist()

    def words(self) -> list[dict[str, Any]]:
        players = self.records["players"]
        farm = SimpleNamespace(**{name: players[name][0, self.seat].tolist() for name in ("barrows", "helpers")})
        table = SimpleNamespace(players={self.seat: farm})
        return [option_words(table, self.seat, Option(*option), self.texts) for option in self.option_records[: self.count].tolist()]

    def choose(self, index: int) -> None:
        apply(self.game, self.box, self.options[index])
        self.run_on()

    def snapshot(self) -> dict[str, Any]:
        """The state in the words of the naive referee."""
        game = {name: self.field(name) for name in s.GAME.names if name not in ("players", "agenda", "dice", "roofs")}
        seats = range(game["seats"])
        players = {name: self.records["players"][name][0].tolist() for name in s.PLAYER.names}
        stacks: list[list[int]] = [[] for _ in range(self.sections)]
        for seat in sorted(seats, key=lambda seat: players["arrival"][seat]):
            stacks[players["siesta"][seat]].append(seat)
        places = game["card_place"]
        return {
            "round": game["round_number"],
            "phase": PHASES[game["phase"]],
            "order": order_words(self.game),
            "siesta": stacks,
            "dice": game["dice_left"],
            "roofs_offered": sorted(roof for roof in game["roof_offer"] if roof),
            "blocked": [BUILDINGS[building] for building in game["blocked"][game["opened"] : game["blocked_count"]]],
            "first_taken": sorted(name for name, seat in zip(BUILDINGS, game["first_seat"], strict=True) if seat >= 0),
            "market": {space: owner for space, owner in enumerate(game["space_owner"]) if owner >= 0},
            "deck": game["deck"][: game["deck_count"]][::-1],
            "discard": [card for card in range(1, s.CARDS + 1) if places[card] == s.IN_DISCARD],
            "seats": [self.seat_snapshot(seat, places, {name: values[seat] for name, values in players.items()}) for seat in seats],
        }

    def seat_snapshot(self, seat: int, places: list[int], player: dict[str, Any]) -> dict[str, Any]:
        """What one seat has."""
        tiles_out = player["donkeys_out"] | (1 << player["donkey"] >> 1)
        barrows, helpers = player["barrows"], player["helpers"]
        return {
            "stock": dict(zip(ITEMS, player["stock"], strict=True)),
            "fields": dict(zip(ITEMS, player["fields"], strict=False)),
            "barrows": sorted([barrows[k], missing(player["barrow_missing"][k])] for k in range(s.SLOTS) if barrows[k]),
            "helpers": [[helpers[k], player["helper_used"][k]] for k in range(s.SLOTS) if helpers[k]],
            "extensions": player["extensions"][: player["extension_count"]],
            "roofs": [[player["roofs"][k], not player["roof_used"][k]] for k in range(player["roof_count"])],
            "donkeys": [tile + 1 for tile in range(self.tiles) if not tiles_out >> tile & 1],
            "rows": {name: missing(player["row_missing"][b]) for b, name in enumerate(BUILDINGS) if player["row_left"][b]},
            "done": sorted(name for b, name in enumerate(BUILDINGS) if player["done"] >> b & 1),
            "permanent": sorted(name for b, name in enumerate(BUILDINGS) if player["permanent"] >> b & 1),
            "hand": [card for card in range(1, s.CARDS + 1) if places[card] == s.IN_HAND + seat],
            "points": dict(zip(SOURCES, player["points"], strict=True)),
            "markers": player["markers"],
            "deliveries": player["deliveries"],
            "bought_deliveries": player["bought_deliveries"],
        }


def missing(counts: Any) -> list[str]:
    """Symbols still free, sorted by name."""
    return sorted(good for good, count in zip(GOODS, counts, strict=True) for _ in range(count))


def deck_maker(core: CoreGame) -> Callable[[int, list[int]], list[int]]:
    """The reshuffles of a core game, for its referee: chance is shared, rules are not."""
    key = np.uint64(core.game.chance)

    def reshuffled(number: int, cards: list[int]) -> list[int]:
        deck = np.array(cards, np.int8)
        shuffle(deck, len(deck), key, RESHUFFLE, number)
        return [int(card) for card in reversed(deck)]

    return reshuffled


def uniformly(rng: random.Random, options: list[dict[str, Any]]) -> dict[str, Any]:
    """Any option."""
    return rng.choice(options)


def oddly(rng: random.Random, options: list[dict[str, Any]]) -> dict[str, Any]:
    """Any kind of act first, then any option of it, so that rare acts are as common as buying and selling."""
    act = rng.choice(sorted({option["do"] for option in options}))
    return rng.choice([option for option in options if option["do"] == act])


def follow(
    components: Components, variant: dict[str, Any], seed: int, block: int, players: int, choose: Choose, directory: Path = PRINTED
) -> int:
    """Play one game in the core and in the referee; returns the number of decisions compared."""
    core = CoreGame(components, seed, block, players)
    referee = (Referee if players > 1 else SoloReferee)(directory, variant, core.setup, deck_maker(core))
    rng = random.Random(f"{seed} {block} {players}")
    decisions = 0
    while True:
        while core.count == 1:
            core.choose(0)
        asked = referee.decision()
        while asked is not None and len(asked.options) == 1:
            referee.choose(asked.options[0])
            asked = referee.decision()
        where = f"seed {seed}, block {block}, {players} players, decision {decisions}"
        assert core.snapshot() == referee.snapshot(), where
        if asked is None or core.count == 0:
            assert asked is None and core.count == 0, where
            if players > 1:  # one has no rank (O13)
                assert [rank_of(core.game, core.box, seat) for seat in range(players)] == referee.ranks(), where
            return decisions
        words = core.words()
        assert (DECISIONS[core.kind], core.seat, core.field("round_number"), PHASES[core.field("phase")]) == (
            asked.kind,
            asked.seat,
            asked.round,
            asked.phase,
        ), where
        listed = sorted(map(spelled, words))
        assert listed == sorted(map(spelled, asked.options)), f"{where}: {asked.kind}"
        chosen = choose(rng, sorted(words, key=spelled))
        core.choose(words.index(chosen))
        referee.choose(chosen)
        decisions += 1


def spelled(words: dict[str, Any]) -> str:
    """An option as text in which the order of keys has no part."""
    return str(sorted(words.items()))
