"""The referee: one game, whose rules stand in the modules of this package by phase."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

from naive.anytime import AnytimeActions
from naive.cards import Cards
from naive.decision import Decision, Steps
from naive.deliveries import Deliveries
from naive.effects import Effects
from naive.events import Events
from naive.farm_phase import FarmPhase
from naive.language import parse_effect
from naive.market import Market
from naive.prices import Prices
from naive.printed import laid_over, read_buildings, read_cards, read_market, read_roofs
from naive.revenue_phase import RevenuePhase
from naive.scoring_phase import ScoringPhase
from naive.set_up import SetUp
from naive.snapshot import Snapshot
from naive.stock import Stock
from naive.transport_phase import TransportPhase
from naive.turns import Turns


class Referee(
    SetUp,
    Stock,
    Prices,
    Turns,
    AnytimeActions,
    Effects,
    Events,
    Cards,
    Deliveries,
    Market,
    FarmPhase,
    RevenuePhase,
    TransportPhase,
    ScoringPhase,
    Snapshot,
):
    """One game from its set-up to its end. The market, deck and farms are plain lists and dictionaries."""

    def __init__(self, components: Path, variant: dict, setup: dict, shuffle: Callable[[int, list[int]], list[int]]):
        self.cards = read_cards(components / "cards.csv")
        self.roofs = read_roofs(components / "roofs.csv")
        self.buildings = read_buildings(components / "buildings.csv")
        self.spaces = read_market(components / "market.csv")
        self.rules = laid_over(tomllib.loads((components / "rules.toml").read_text(encoding="utf-8")), variant)
        self.faces = [parse_effect(text) for text in self.rules["revenue"]["faces"]]
        self.commodity_uses = parse_effect(self.rules["prices"]["commodity_uses"])
        self.setup, self.shuffle = setup, shuffle
        self.ledger: list[tuple[int, str, int, str, int, str, str]] = []
        self.round, self.phase = 0, "setup"
        self.turn: int | None = None  # the seat whose turn it is
        self.actions = 0  # anytime actions of this turn (A5)
        self.set_up()
        self.flow = self.game()
        self.pending: Decision | None = next(self.flow, None)

    def decision(self) -> Decision | None:
        return self.pending

    def choose(self, option: dict) -> None:
        if self.pending is None or option not in self.pending.options:
            raise ValueError(f"{option} is not among the options of {self.pending}")
        try:
            self.pending = self.flow.send(option)
        except StopIteration:
            self.pending = None

    def game(self) -> Steps:
        for number in range(1, self.rules["game"]["rounds"] + 1):
            self.round = number
            self.start_round()
            yield from self.farm_phase()
            yield from self.revenue_phase()
            yield from self.transportation_phase()
            yield from self.scoring_phase()
        self.end_of_game()

    def start_round(self) -> None:
        self.roofs_offered = list(self.setup["roofs"][self.round - 1])
        self.reserved = {}
        for farm in self.farms:
            farm.deliveries = farm.bought_deliveries = farm.extra_deliveries = 0
            farm.uses.clear()
