"""Makes the table of toolkit/position.py: plays games of `balanced`, and regresses final points on positions, round by round.

python -m lagranja_sim.games.lagranja.fit_positions [GAMES [SEED]]
"""

import sys
import textwrap
from pathlib import Path

import numpy as np
from numba import njit

from lagranja_sim.games.lagranja.components import Components, load_components
from lagranja_sim.games.lagranja.rules.deal import deal
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.rules.names import Item
from lagranja_sim.games.lagranja.rules.state import GAME, MAX_OPTIONS, OPTION, ROUNDS
from lagranja_sim.games.lagranja.toolkit.notes import NOTES
from lagranja_sim.games.lagranja.toolkit.option_worth import best_planned
from lagranja_sim.games.lagranja.toolkit.position import FEATURES, describe
from lagranja_sim.games.lagranja.toolkit.search import SearchRoom
from lagranja_sim.kit.agenda import to_move
from lagranja_sim.kit.outcomes import ROUND_SCORED
from lagranja_sim.play.driver import weight_row
from lagranja_sim.policy import find_policy
from lagranja_sim.runs.folder import Folder

HEADER = '''"""Made by `python -m lagranja_sim.games.lagranja.fit_positions {games} {seed}`; see toolkit/position.py."""

# fmt: off
TABLE = [
'''


@njit(nogil=True)
def record(room, boxes, weights, seed, positions, points):
    """Positions [game, seat, round, feature] and final points [game, seat] of games played by plan."""
    game, box, options, notes = room.games[0], boxes[0], room.options, room.notes[0]
    games, players = points.shape
    for number in range(games):
        deal(game, box, seed, number, players)
        listed = advance(game, box, options)
        while listed != 0:
            if listed == ROUND_SCORED:
                for seat in range(players):
                    describe(game, box, seat, positions[number, seat, game.round_number - 1])
            else:
                seat = to_move(game)
                chosen = best_planned(game, box, seat, options[:listed], weights, notes) if listed > 1 else 0
                apply(game, box, options[chosen])
            listed = advance(game, box, options)
        for seat in range(players):
            points[number, seat] = game.players[seat].stock[Item.VP]


def sample(components: Components, games: int, seed: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions and final points of four copies of `balanced`."""
    positions, points = np.zeros((games, players, ROUNDS, FEATURES)), np.zeros((games, players))
    weights = weight_row(find_policy("balanced"))
    room = SearchRoom(np.zeros(1, GAME), np.zeros(MAX_OPTIONS, OPTION), np.zeros(FEATURES), np.zeros(1, NOTES))
    record(room, components.box, weights, np.uint64(seed), positions, points)
    return positions.reshape(-1, ROUNDS, FEATURES), points.reshape(-1)


def fit(positions: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Least squares, a little shrunk, for each round; the last round's row stays empty (its result is known)."""
    table = np.zeros((ROUNDS, FEATURES))
    for round_index in range(ROUNDS - 1):
        x = positions[:, round_index]
        table[round_index] = np.linalg.solve(x.T @ x + 1e-3 * len(x) * np.diag(np.r_[0.0, 0.0, np.ones(FEATURES - 2)]) * 0.01, x.T @ points)
    return table


def wrapped(row: np.ndarray) -> str:
    """A row of numbers over several lines."""
    return textwrap.fill("".join(f"{number:.4g}, " for number in row).strip(), 136, initial_indent="    ", subsequent_indent="    ")


def main() -> None:
    games, seed = (int(text) for text in (*sys.argv[1:3], "20000", "1")[:2]) if len(sys.argv) > 2 else (20_000, 1)
    positions, points = sample(load_components(), games, seed, 4)
    table = fit(positions, points)
    for round_index in range(ROUNDS - 1):
        predicted = positions[:, round_index] @ table[round_index]
        print(f"round {round_index + 1}: explains {np.corrcoef(predicted, points)[0, 1] ** 2:.0%} of the variance of final points")
    rows = [f"    # round {r + 1}\n" + wrapped(row) for r, row in enumerate(table)]
    text = HEADER.format(games=games, seed=seed) + "\n".join(rows) + "\n]\n"
    Folder.at(Path(__file__).parent / "toolkit").write_text("position_table.py", text)


if __name__ == "__main__":
    main()
