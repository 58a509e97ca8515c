"""Whether a policy may play: it compiles, is legal, deterministic, blind to hidden cards; and how fast it is."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from lagranja_sim.display import show
from lagranja_sim.game import Components, Game, find_game
from lagranja_sim.play.driver import GameError, play_games, warm_up
from lagranja_sim.play.faults import where
from lagranja_sim.play.slow_driver import rows_of
from lagranja_sim.play.walk import ASKED, ASKING, Table, chooser, walk
from lagranja_sim.policy import Policy, PolicyError, describe, find_policy, load_module
from lagranja_sim.policy_tools.speed import measure
from lagranja_sim.spelling import span

TESTS = ("loads", "legal", "deterministic", "blind", "fast")
SEED = 20_260_101
COPIES = 4  # of a policy, playing each other while its speed is measured
REMEMBERS = "it keeps something from one decision to the next, or takes its luck from elsewhere"
SEES_HIDDEN = "it knows of hidden cards, dice, roofs or donkeys"


@dataclass(frozen=True)
class Finding:
    """One property of a policy: whether it has it, and what was seen."""

    name: str
    holds: bool
    text: str

    @property
    def forbids_more(self) -> bool:
        """A policy that does not load or is not legal cannot be tested further."""
        return not self.holds and self.name in ("loads", "legal")


@dataclass(frozen=True)
class Size:
    """How many games are played and how many decisions are asked again."""

    games: int = 200  # of the test for legal play
    again: int = 40  # games that are played twice
    a_kind: int = 12  # decisions of a kind that are asked again
    redeals: int = 3  # other deals of the hidden cards and dice for each of them
    patience: float = 10.0  # seconds after which a test stops early


SIZE = Size()


@dataclass(frozen=True)
class Seating:
    """A table: the policy under test, and others where it is not alone."""

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


def tell_nobody(_doing: str, _what: str) -> None:
    """Ignore the report, as nobody watches."""


@dataclass
class Check:
    """The tests of one policy. `tell` is called with what comes next: `loading`, `compiling`, `asking` for a decision or `playing` games."""

    components: Components
    policy: Policy
    size: Size = field(default_factory=lambda: SIZE)
    tell: Callable[[str, str], None] = tell_nobody
    rows_played: dict[tuple[int, int], dict[str, np.ndarray]] = field(default_factory=dict)  # rows by seating and block

    def findings(self, names: Iterable[str] = TESTS) -> Iterator[Finding]:
        """What the tests of these names find, one after the other; a policy that does not load or is not legal is tested no further."""
        tests: dict[str, Callable[[], str]] = {
            "loads": self.loads,
            "legal": self.is_legal,
            "deterministic": self.is_deterministic,
            "blind": self.is_blind,
            "fast": self.is_fast,
        }
        for name in names:
            try:
                finding = Finding(name, True, tests[name]())
            except (Problem, PolicyError, GameError) as problem:
                finding = Finding(name, False, str(problem))
            yield finding
            if finding.forbids_more:
                return

    def _warm_up(self) -> None:
        warm_up([*self.others, self.policy], partial(self.tell, "compiling"))

    @property
    def game(self) -> Game:
        return find_game(self.components.game)

    @cached_property
    def others(self) -> list[Policy]:
        """The reference policies of the game, which it plays against."""
        return [find_policy(name) for name in self.game.policies.references[::-1]]

    @cached_property
    def seatings(self) -> list[Seating]:
        me, (better, weaker) = self.policy, self.others
        seatings = [[me, better, weaker, me], [me, weaker, better], [me, weaker], [me]]
        return [Seating(len(policies), policies) for policies in seatings if len(policies) in self.components.players]

    # --- the tests -----------------------------------------------------------------------------------------------------------------------

    def loads(self) -> str:
        """The file can be read, and its function compiles."""
        self.tell("loading", str(self.policy.code))
        load_module(self.policy.code)
        self._warm_up()
        players = max(self.components.players)
        rows_of(walk(self.components, [self.others[1]] * players, SEED, 0))  # compiles the moves of single games too
        self.tell("loading", str(self.policy.code))
        chooser(self.policy)
        kind = f"compiled `{self.policy.kind}`" if self.policy.compiled else "a Python class"
        return f"{kind}, {len(self.policy.bounds)} weights"

    def is_legal(self) -> str:
        """Games at mixed tables and alone, played step by step, reach their end."""
        started, games, block = time.monotonic(), 0, 0
        while games < self.size.games and (time.monotonic() - started < self.size.patience or block == 0):
            for number, seating in enumerate(self.seatings):
                first = block * seating.players
                games_of_block = [rows_of(self._game(seating, first + rotation)) for rotation in range(seating.players)]
                self.rows_played[number, block] = {
                    table: np.concatenate([rows[table] for rows in games_of_block]) for table in games_of_block[0]
                }
                games += seating.players
            block += 1
        mixed = sorted(seating.players for seating in self.seatings if seating.players > 1)
        places = [f"at mixed tables of {span(mixed)}"] * bool(mixed) + ["alone"] * (len(mixed) < len(self.seatings))
        return f"{games} games {' and '.join(places)}"

    def is_deterministic(self) -> str:
        """Played again in another order, as a run plays them, the games go the same."""
        games, started = 0, time.monotonic()
        for number, block in list(self.rows_played)[: self.size.again // len(self.seatings)][::-1]:
            seating, rows = self.seatings[number], self.rows_played[number, block]
            self.tell("playing", f"block {block} of {seating.players} players")
            again = play_games(self.components, seating.policies, SEED, block * seating.players, seating.players)
            if not all(rows[table].tobytes() == again[table].tobytes() for table in rows):
                these_games = f"the games of block {block} ({seating.players} players, seed {SEED})"
                raise Problem(f"{these_games} went differently when they were played again; {REMEMBERS}")
            games += seating.players
            if time.monotonic() - started > self.size.patience:
                break
        return f"{games} games played again in another order{' and all at once' if self.policy.compiled else ''}"

    def is_blind(self) -> str:
        """Asked again, alone and with other hidden cards, it chooses the same."""
        deal_anew = self.game.policies.deal_anew
        decisions, kinds, started = 0, Counter[str](), time.monotonic()
        for table, decision in self._decisions(kinds):
            chances = random.Random(f"{table.number} {table.seat} {decision}")
            self._ask_again(table, table.room.games, decision, REMEMBERS)
            for _ in range(self.size.redeals):
                if deal_anew:
                    self._ask_again(table, deal_anew(table.room.games, table.room.boxes, table.seat, chances), decision, SEES_HIDDEN)
            decisions += 1
            if time.monotonic() - started > self.size.patience:
                break
        redealt = f", each with {self.size.redeals} other deals of what is hidden" if deal_anew else ""
        return f"{decisions} decisions of {len(kinds)} kinds asked again{redealt}"

    def _ask_again(self, table: Table, games: np.ndarray, decision: int, suspicion: str) -> None:
        """Ask a fresh copy of the policy for the same decision with these games; raises `Problem` if it chooses something else."""
        other = same_decision(table, games, decision)
        self.tell("asking", where(other))
        chosen = chooser(self.policy)(other)
        if chosen != table.chosen:
            raise Problem(f"{suspicion}: asked again it chose option {chosen}, not {table.chosen} ({where(table)})")

    def is_fast(self) -> str:
        """How fast games among copies of itself are."""
        self._warm_up()
        copies = min(COPIES, max(self.components.players))
        self.tell("playing", f"games of {copies} copies")
        speed = measure(self.components, self.policy, copies)
        rate = f"{speed.games_per_second:,.0f} games a second of {copies} copies on one core"
        return f"{rate}, {speed.microseconds_a_decision:,.1f} us a decision"

    # --- games ---------------------------------------------------------------------------------------------------------------------------

    def _game(self, seating: Seating, number: int) -> Iterator[tuple[str, Table]]:
        """The moments of a game; `tell` is called before each decision of the policy."""
        for moment, table in walk(self.components, seating.policies, SEED, number):
            if moment == ASKING and self._is_own(seating, table):
                self.tell("asking", where(table))
            yield moment, table

    def _is_own(self, seating: Seating, table: Table) -> bool:
        return seating.policies[table.policy_of(table.seat)] is self.policy

    def _decisions(self, kinds: Counter[str]) -> Iterator[tuple[Table, int]]:
        """Decisions of the policy with a choice, some of each kind, from games of all seatings; with the number of each for its seat."""
        for number in range(8):
            for seating in self.seatings:
                decisions_of_seats = Counter[int]()
                for moment, table in self._game(seating, number):
                    if moment != ASKED or table.count == 1:
                        continue
                    decisions_of_seats[table.seat] += 1
                    if self._is_own(seating, table) and kinds[table.kind] < self.size.a_kind:
                        kinds[table.kind] += 1
                        yield table, decisions_of_seats[table.seat] - 1


def show_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Print findings as they come, and return them."""
    shown = []
    for finding in findings:
        shown.append(finding)
        show(f"{'yes' if finding.holds else 'NO':4} {finding.name + ':':15}{finding.text}")
    return shown


class Problem(Exception):
    """What is wrong with a policy."""


def same_decision(table: Table, games: np.ndarray, decision: int) -> Table:
    """The same decision at a table of its own, with these games and with the notes that the seat had made by then."""
    other = Table(table.components, table.policies, SEED, table.number)
    other.room.games[:] = games
    other.run_on()
    other.seat = table.seat
    other.notes_of(other.seat)[:] = table.notes_before
    other.show(decision)
    other.room.views["decisions"] = table.room.views["decisions"]
    return other
