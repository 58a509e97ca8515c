"""Small comparisons for tests."""

from typing import Any

from lagranja_sim.compare.arms import Shared
from lagranja_sim.compare.comparison import Comparison, Wish, compare
from lagranja_sim.runs.simulate import Listener

GREEDY = Shared("lagranja", ["greedy"], 4, 1, "deluxe")
PIG = "prices.sell.pig=4"
CHANGED = "transport.siesta_vp=[0,2,4,6,8]"
SHORT = ("--policies", "greedy", "--games", "200", "--jobs", "1")


def comparison_of(*texts: str, shared: Shared = GREEDY, games: int = 400, jobs: int = 1, **wish: Any) -> Comparison:
    values = {"metric": None, "equivalent": None, "plan": None, "precision": None} | wish
    return compare(texts, shared, Wish.of(games, **values), jobs, "lagranja compare", Listener())
