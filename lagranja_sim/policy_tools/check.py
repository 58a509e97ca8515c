"""Whether a policy may play: it compiles, is legal, deterministic, blind to hidden cards; and how fast it is."""

from __future__ import annotations

import os
import random
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lagranja_sim.components import Components
from lagranja_sim.display import show
from lagranja_sim.play.driver import GameError, PolicyFailed, play_games, warm_up, weight_row
from lagranja_sim.play.slow_driver import play_games_slowly
from lagranja_sim.play.walk import ASKED, Choose, Table, chooser, compiled_chooser, walk
from lagranja_sim.plugins import tool_folder
from lagranja_sim.policy import Policy, PolicyError, describe, find_policy, load_module
from lagranja_sim.policy_tools.errors import exception_message
from lagranja_sim.policy_tools.redeal import dealt_anew
from lagranja_sim.policy_tools.speed import measure
from lagranja_sim.rules import state as s

SEED = 20_260_101
GAMES = 200  # of the first test
AGAIN = 40  # games that are played again, and as many of them step by step
PATIENCE = 10.0  # seconds after which a test is content with less
A_KIND, REDEALS = 12, 3  # decisions of a kind that are asked again, each with so many deals of what is hidden
COPIES = 4  # among whom its speed is measured
ALONE = "it keeps something from one decision to the next, or takes its luck from elsewhere"
KNOWING = "it knows of hidden cards, dice, roofs or donkeys"


@dataclass(frozen=True)
class Finding:
    """One property of a policy: whether it has it, and what was seen."""

    name: str
    holds: bool
    text: str


@dataclass(frozen=True)
class Seating:
    """A mixed table: the policy at hand and others."""

    players: int
    policies: list[Policy]


def named(text: str) -> Policy:
    """A policy by its file or by name."""
    path = Path(text)
    if path.suffix != ".py":
        return find_policy(text)
    if not os.path.lexists(path):
        raise PolicyError(f"there is no file {path}")
    return describe(path.resolve() if path.is_file() else path)


@dataclass
class Check:
    """The tests of one policy."""

    components: Components
    policy: Policy
    played: dict[tuple[int, int], dict[str, np.ndarray]] = field(default_factory=dict)  # rows by seating and block

    def findings(self) -> Iterator[Finding]:
        """One after the other, as they are found; one that does not load or is not legal is tested no further."""
        tests = {"loads": self.loads, "legal": self.is_legal, "deterministic": self.is_deterministic, "blind": self.is_blind}
        for name, test in tests.items():
            try:
                found = Finding(name, True, test())
            except (Problem, PolicyError, GameError) as problem:
                found = Finding(name, False, str(problem))
            yield found
            if not found.holds and name in ("loads", "legal"):
                return
        yield Finding("fast", True, self.speed())

    @cached_property
    def seatings(self) -> list[Seating]:
        me, greedy, chance = self.policy, *(describe(tool_folder("policies") / f"{name}.py") for name in ("greedy", "random"))
        return [Seating(4, [me, greedy, chance, me]), Seating(3, [me, chance, greedy]), Seating(2, [me, chance])]

    # --- the tests -----------------------------------------------------------------------------------------------------------------------

    def loads(self) -> str:
        """The file can be read, and its function compiles."""
        warm_up([self.policy])
        chooser(self.policy)
        kind = f"compiled `{self.policy.kind}`" if self.policy.compiled else "a Python class"
        return f"{kind}, {len(self.policy.bounds)} weights"

    def is_legal(self) -> str:
        """Games at mixed tables come to their end."""
        started, games, block = time.monotonic(), 0, 0
        while games < GAMES and (time.monotonic() - started < PATIENCE or block == 0):
            for number, seating in enumerate(self.seatings):
                self.played[number, block] = self._rows(seating, block, play_games)
                games += seating.players
            block += 1
        return f"{games} games at mixed tables of 2 to 4"

    def is_deterministic(self) -> str:
        """The same games in another order, and step by step, are the same games."""
        games, started = 0, time.monotonic()
        for number, block in list(self.played)[: AGAIN // 3][::-1]:
            seating, rows = self.seatings[number], self.played[number, block]
            self._compare(rows, seating, block, play_games, "went otherwise when they were played again")
            if self.policy.compiled:
                self._compare(rows, seating, block, play_games_slowly, "go otherwise step by step")
            games += seating.players
            if time.monotonic() - started > PATIENCE:
                break
        return f"{games} games played again in another order{' and step by step' if self.policy.compiled else ''}"

    def _compare(self, rows: dict[str, np.ndarray], seating: Seating, block: int, play: Any, otherwise: str) -> None:
        others = self._rows(seating, block, play)
        if not all(np.array_equal(rows[table], others[table]) for table in rows):
            raise Problem(f"the games of block {block} ({seating.players} players, seed {SEED}) {otherwise}")

    def is_blind(self) -> str:
        """Asked again, alone and with other hidden cards, it chooses the same."""
        asked, kinds, started = 0, Counter[int](), time.monotonic()
        for table, decision in self._decisions(kinds):
            chances = random.Random(f"{table.number} {table.seat} {decision}")
            self._ask_again(table, table.games, decision, ALONE)
            for _ in range(REDEALS):
                self._ask_again(table, dealt_anew(table.games, table.boxes, table.seat, chances), decision, KNOWING)
            asked += 1
            if time.monotonic() - started > PATIENCE:
                break
        return f"{asked} decisions of {len(kinds)} kinds asked again, each with {REDEALS} other deals of what is hidden"

    def _ask_again(self, table: Table, games: np.ndarray, decision: int, otherwise: str) -> None:
        """The same decision with these games, by one that remembers nothing."""
        other = asked_again(table, self.components, games, decision)
        try:
            chosen = self.fresh()(other, weight_row(self.policy))
        except PolicyFailed as error:
            raise Problem(self._line(other, error)) from error
        if chosen != table.chosen:
            raise Problem(f"{otherwise}: asked again it chose option {chosen}, not {table.chosen} ({where(table)})")

    def speed(self) -> str:
        """Among copies of itself."""
        speed = measure(self.components, self.policy, COPIES)
        rate = f"{speed.games_per_second:,.0f} games a second of {COPIES} copies on one core"
        return f"{rate}, {speed.microseconds_a_decision:,.1f} us a decision"

    # --- games ---------------------------------------------------------------------------------------------------------------------------

    def _rows(self, seating: Seating, block: int, play: Any) -> dict[str, np.ndarray]:
        games = SEED, block * seating.players, seating.players
        try:
            rows: dict[str, np.ndarray] = play(self.components, seating.policies, seating.players, *games)
        except PolicyFailed as error:
            raise Problem(self._located(seating, block, error)) from error
        return rows

    def _located(self, seating: Seating, block: int, error: PolicyFailed) -> str:
        """Where compiled code fails."""
        for number in range(block * seating.players, (block + 1) * seating.players):
            moments = walk(self.components, seating.policies, seating.players, SEED, number)
            _, table = next(moments)  # the same object at all moments
            try:
                deque(moments, maxlen=0)
            except PolicyFailed as met:
                return self._line(table, met)
        return str(error)

    def _line(self, table: Table, error: PolicyFailed) -> str:
        """The decision and, if the function fails uncompiled too, the line."""
        function = getattr(load_module(self.policy.code), self.policy.kind)
        view, box, seat, options, count = table.shown()
        try:
            with np.errstate(all="raise"):
                if self.policy.kind == "choose":
                    function(view, box, seat, options, count, weight_row(self.policy))
                for option in options if self.policy.kind == "score" else ():
                    function(view, box, seat, option, weight_row(self.policy))
        except Exception as raised:
            return f"{exception_message(raised, self.policy.code)}\n    ({where(table)})"
        return f"{error}\n    ({where(table)})"

    def _decisions(self, kinds: Counter[int]) -> Iterator[tuple[Table, int]]:
        """Decisions of the policy with a choice, some of each kind, from games of all seatings; with the number of each for its seat."""
        for number in range(8):
            for seating in self.seatings:
                asked = Counter[int]()
                for moment, table in walk(self.components, seating.policies, seating.players, SEED, number):
                    if moment != ASKED or table.count == 1:
                        continue
                    asked[table.seat] += 1
                    kind = kind_of(table)
                    if seating.policies[table.policy_of(table.seat)] is self.policy and kinds[kind] < A_KIND:
                        kinds[kind] += 1
                        yield table, asked[table.seat] - 1

    def fresh(self) -> Choose:
        """A chooser that remembers nothing; a compiled one minds the ends of arrays."""
        return self._bounds_checked if self.policy.compiled else chooser(self.policy)

    @cached_property
    def _bounds_checked(self) -> Choose:
        return bounds_checked(self.policy)


def show_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Print them as they come."""
    told = []
    for finding in findings:
        told.append(finding)
        show(f"{'yes' if finding.holds else 'NO':4} {finding.name + ':':15}{finding.text}")
    return told


class Problem(Exception):
    """What is wrong with a policy."""


def kind_of(table: Table) -> int:
    return int(table.games["agenda"]["kind"][0, table.games["depth"][0] - 1])


def where(table: Table) -> str:
    """The decision at hand."""
    game = f"seed {SEED}, game {table.number} of {table.players} players"
    return f"{game}, round {table.field('round_number')}, {s.DECISIONS[kind_of(table)]}"


def asked_again(table: Table, components: Components, games: np.ndarray, decision: int) -> Table:
    """The same decision at a table of its own, with these games; in the scratch lies what anybody may have left, the same each time."""
    left = random.Random(f"{table.number} {table.seat} {decision} scratch")
    other = Table(components, table.players, SEED, table.number, with_ledger=False)
    other.games[:] = games
    other.run_on()
    other.seat = table.seat
    other.show(decision)
    other.views["decisions"] = table.views["decisions"]
    other.policy_boxes["scratch"] = [left.uniform(-9, 9) for _ in range(other.policy_boxes["scratch"].size)]
    other.policy_boxes["counts"] = [left.randrange(-9, 9) for _ in range(other.policy_boxes["counts"].size)]
    return other


def bounds_checked(policy: Policy) -> Choose:
    """A compiled policy whose own function minds the ends of arrays."""
    from numba import njit

    from lagranja_sim.compile import INTERPRETED
    from lagranja_sim.play.policy_api import CHOICE, SCORE

    function, signature = getattr(load_module(policy.code), policy.kind), SCORE if policy.kind == "score" else CHOICE
    return compiled_chooser(policy, function if INTERPRETED else njit(signature, boundscheck=True)(function))
