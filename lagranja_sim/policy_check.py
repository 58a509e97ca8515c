"""Whether a policy may play: it compiles, is legal, deterministic, blind to hidden cards; and how fast it is."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lagranja_sim.components import Components
from lagranja_sim.driver import GameError, compiled, kernels, play_games, warm_up, weight_row
from lagranja_sim.plugins import tool_folder
from lagranja_sim.policy import Policy, PolicyError, describe, find_policy, load_module
from lagranja_sim.policy_errors import exception_message
from lagranja_sim.redeal import dealt_anew
from lagranja_sim.rules import state as s
from lagranja_sim.slow_driver import play_games_slowly
from lagranja_sim.speed import measure
from lagranja_sim.walk import ASKED, Choose, Table, chooser, walk

SEED = 20_260_101
GAMES = 200  # of the first test
AGAIN = 40  # games that are played again, and as many of them step by step
PATIENCE = 15.0  # seconds after which a test is content with less
A_KIND, REDEALS = 12, 3  # decisions of a kind that are asked again, each with so many deals of what is hidden


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
    if not path.is_file():
        raise PolicyError(f"there is no file {path}")
    return describe(path.resolve())


@dataclass
class Check:
    """The tests of one policy."""

    components: Components
    policy: Policy
    played: dict[tuple[int, int], dict[str, np.ndarray]] = field(default_factory=dict)  # rows by seating and block

    def findings(self) -> Iterator[Finding]:
        """One after the other, as they are found; after a failure that leaves nothing to test no more."""
        for name, test in (("compiles", self.compiles), ("legal", self.is_legal), ("deterministic", self.is_deterministic), ("blind", self.is_blind)):
            problem, text = self._tried(test)
            yield Finding(name if self.policy.compiled or name != "compiles" else "loads", not problem, problem or text)
            if problem and name in ("compiles", "legal"):
                return
        speed = measure(self.components, self.policy, 4)
        text = f"{speed.games_per_second:,.0f} games a second of four copies on one core, {speed.microseconds_a_decision:,.1f} us a decision"
        yield Finding("fast", True, text)

    def _tried(self, test: Any) -> tuple[str, str]:
        """A problem, or else what was seen; whatever a policy raises is a problem."""
        try:
            return "", test()
        except Problem as problem:
            return str(problem), ""
        except (PolicyError, GameError) as error:
            return str(error), ""

    @cached_property
    def seatings(self) -> list[Seating]:
        me, greedy, chance = self.policy, *(describe(tool_folder("policies") / f"{name}.py") for name in ("greedy", "random"))
        return [Seating(4, [me, greedy, chance, me]), Seating(3, [me, chance, greedy]), Seating(2, [me, chance])]

    # --- the tests -----------------------------------------------------------------------------------------------------------------------

    def compiles(self) -> str:
        """The file loads and its function compiles."""
        warm_up([self.policy])
        if not self.policy.compiled:
            chooser(self.policy)
            return f"a Python class with {len(self.policy.bounds)} weights"
        return f"`{self.policy.kind}` with {len(self.policy.bounds)} weights"

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
        games, step_by_step, started = 0, 0, time.monotonic()
        for number, block in list(self.played)[: AGAIN // 3][::-1]:
            seating, rows = self.seatings[number], self.played[number, block]
            games += seating.players
            if not same(rows, self._rows(seating, block, play_games)):
                raise Problem(f"the games of block {block} ({seating.players} players, seed {SEED}) went otherwise when they were played again")
            if self.policy.compiled and (time.monotonic() - started < PATIENCE or not step_by_step):
                step_by_step += seating.players
                if not same(rows, self._rows(seating, block, play_games_slowly)):
                    raise Problem(f"the games of block {block} ({seating.players} players, seed {SEED}) go otherwise step by step")
        return f"{games} games played again in another order" + (f", {step_by_step} of them step by step" if step_by_step else "")

    def is_blind(self) -> str:
        """Asked again, alone and with other hidden cards, it chooses the same."""
        asked, kinds, started = 0, Counter[int](), time.monotonic()
        fresh, weights = self._fresh(), weight_row(self.policy)
        for table, number, decision in self._decisions(kinds):
            chances = random.Random(f"{table.number} {table.seat} {decision}")
            for redeal in range(REDEALS + 1):
                games = dealt_anew(table.games, table.boxes, table.seat, chances) if redeal else table.games
                chosen = fresh()(asked_again(table, self.components, games, decision, chances), weights)
                if chosen != table.chosen:
                    raise Problem(different(table, chosen, hidden=redeal > 0))
            asked += 1
            if time.monotonic() - started > PATIENCE:
                break
        return f"{asked} decisions of {len(kinds)} kinds asked again, each with {REDEALS} other deals of what is hidden"

    # --- games ---------------------------------------------------------------------------------------------------------------------------

    def _rows(self, seating: Seating, block: int, play: Any) -> dict[str, np.ndarray]:
        games = SEED, block * seating.players, seating.players
        try:
            rows: dict[str, np.ndarray] = play(self.components, seating.policies, seating.players, *games)
        except (PolicyError, GameError):
            raise
        except Exception as error:  # the policy's own, from compiled code
            raise Problem(self._located(seating, block, error)) from error
        return rows

    def _located(self, seating: Seating, block: int, error: Exception) -> str:
        """Where an error of compiled code comes up: its line, if the function uncompiled meets it too, and the decision."""
        for number in range(block * seating.players, (block + 1) * seating.players):
            table: Any = None
            try:
                for _, table in walk(self.components, seating.policies, seating.players, SEED, number):
                    pass
            except Exception as met:
                return f"{self._line(table, met)} ({where(table)})"
        return f"{type(error).__name__}: {error}"

    def _line(self, table: Table, error: Exception) -> str:
        function = getattr(load_module(self.policy.code), self.policy.kind)
        view, box, seat, options, count = table.shown()
        try:
            with np.errstate(all="raise"):
                if self.policy.kind == "choose":
                    function(view, box, seat, options, count, weight_row(self.policy))
                for option in options if self.policy.kind == "score" else ():
                    function(view, box, seat, option, weight_row(self.policy))
        except Exception as raised:
            return exception_message(raised, self.policy.code)
        return f"{self.policy.code}: {type(error).__name__}: {error}"

    def _decisions(self, kinds: Counter[int]) -> Iterator[tuple[Table, int, int]]:
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
                        yield table, number, asked[table.seat] - 1

    def _fresh(self) -> Any:
        """Makes choosers that remember nothing; a compiled one watches its indices."""
        if not self.policy.compiled:
            return lambda: chooser(self.policy)
        watching = bounds_checked(self.policy)
        return lambda: watching


class Problem(Exception):
    """What is wrong with a policy."""


def same(rows: dict[str, np.ndarray], others: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(rows[table], others[table]) for table in rows)


def kind_of(table: Table) -> int:
    return int(table.games["agenda"]["kind"][0, table.games["depth"][0] - 1])


def where(table: Table) -> str:
    """The decision at hand."""
    return f"seed {SEED}, game {table.number} of {table.players} players, round {table.field('round_number')}, {s.DECISIONS[kind_of(table)]}"


def asked_again(table: Table, components: Components, games: np.ndarray, decision: int, chances: random.Random) -> Table:
    """The same decision at a table of its own, with another deal of what is hidden; in the scratch lies what anybody may have left there."""
    other = Table(components, table.players, SEED, table.number, with_ledger=False)
    other.games[:] = games
    other.run_on()
    other.seat = table.seat
    kernels().show_in(other.games, other.views, other.options, other.count, np.uint64(SEED), table.number, table.seat, decision)
    other.views["decisions"] = table.views["decisions"]
    other.policy_options[: other.count] = other.options[: other.count]
    other.policy_boxes["scratch"] = [chances.uniform(-9, 9) for _ in range(other.policy_boxes["scratch"].size)]
    return other


def different(table: Table, chosen: int, hidden: bool) -> str:
    """What it means that a policy chose otherwise."""
    why = "it knows of hidden cards, dice or roofs" if hidden else "it keeps something from one decision to the next, or draws its luck elsewhere"
    return f"{why}: asked again it chose option {chosen}, not {table.chosen} ({where(table)})"


def bounds_checked(policy: Policy) -> Choose:
    """A compiled policy whose own function minds the ends of arrays."""
    from numba import njit

    from lagranja_sim.compile import INTERPRETED
    from lagranja_sim.policy_api import CHOICE, SCORE

    raw = getattr(load_module(policy.code), policy.kind)
    function = compiled(policy.code, policy.kind) if INTERPRETED else njit(SCORE if policy.kind == "score" else CHOICE, boundscheck=True)(raw)
    ask = kernels().ask_scorer if policy.kind == "score" else kernels().ask_chooser

    def choose(table: Table, weights: np.ndarray) -> int:
        return int(ask(table.views, table.policy_boxes, table.seat, table.policy_options, table.count, weights, function))

    return choose
