"""How long a policy takes to choose: processor time of games among copies of itself, on one core."""

from __future__ import annotations

import time
from dataclasses import dataclass

from lagranja_sim.game import Components
from lagranja_sim.play.aside import off_main_thread
from lagranja_sim.play.driver import play_games
from lagranja_sim.policy import Policy

ENOUGH = 0.2  # seconds that a measurement lasts at least
SEED = 1


@dataclass(frozen=True)
class Speed:
    """Microseconds a game, and a decision, of copies of one policy."""

    microseconds_a_game: float
    microseconds_a_decision: float

    @property
    def games_per_second(self) -> float:
        return 1e6 / self.microseconds_a_game


@off_main_thread
def measure(components: Components, policy: Policy, players: int) -> Speed:
    """The speed in ever more games, until they take long enough; the first, short attempts warm everything up."""
    games = 1
    while True:
        started = time.thread_time()
        rows = play_games(components, [policy] * players, SEED, 0, games, ["games"])
        seconds = time.thread_time() - started
        if seconds >= ENOUGH:
            decisions = max(1, int(rows["games"]["decisions"].sum()))
            return Speed(seconds * 1e6 / games, seconds * 1e6 / decisions)
        games = min(16 * games, 1 + int(1.2 * games * ENOUGH / max(seconds, 1e-6)))
