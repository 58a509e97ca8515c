"""One game step by step from Python: the same moves as the compiled loop, open to Python policies, replays and their ledger."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from lagranja_sim.components import Components
from lagranja_sim.play.driver import PolicyFailed, compiled, game_error, kernels, new_games, new_options, own_box, weight_row
from lagranja_sim.policy import Policy, PolicyError, load_module
from lagranja_sim.policy_tools.errors import exception_message
from lagranja_sim.rules import state as s

Choose = Callable[["Table", np.ndarray], int]

DEALT, ASKED, MOVED, SCORED, OVER = "dealt", "asked", "moved", "scored", "over"


class Table:
    """A game in play: its records, whose turn to choose it is, and what was chosen last."""

    def __init__(self, components: Components, players: int, seed: int, number: int, with_ledger: bool) -> None:
        self.games, self.boxes, self.options = new_games(1), own_box(components, with_ledger), new_options()
        # What a policy gets lies in memory of its own: nothing of the true game can be reached or changed from it.
        self.views, self.policy_boxes, self.policy_options = new_games(1), own_box(components), new_options()
        self.game, self.box = self.games[0], self.boxes[0]
        self.number, self.rotation, self.players = number, number % players, players
        self.driver = kernels()
        self.seed = np.uint64(seed)
        self.driver.deal_in(self.games, self.boxes, self.seed, number // players, players)
        self.start_order = self.field("order")[:players]
        self.count = 0  # options listed
        self.to_move = -1
        self.seat = -1  # who chooses or, once the game has run on, who chose last
        self.chosen = 0

    def field(self, name: str) -> Any:
        """A field of the game as plain numbers; reading a record's attributes is slow."""
        return self.games[name][0].tolist()

    def policy_of(self, seat: int) -> int:
        """The index of the policy that plays a seat."""
        return (seat - self.rotation) % self.players

    def shown(self) -> tuple[Any, Any, int, np.ndarray, int]:
        """What a Python policy is asked with."""
        return self.views[0], self.policy_boxes[0], self.seat, self.policy_options[: self.count], self.count

    def run_on(self) -> None:
        """To the next choice, the end of a round or of the game."""
        self.count, self.to_move = self.driver.advance_in(self.games, self.boxes, self.options)

    def move(self) -> None:
        """Carry out what was chosen and run on."""
        self.count, self.to_move = self.driver.move_in(self.games, self.boxes, self.options, self.chosen)

    def show(self, asked: int) -> None:
        """Lay out what the seat that chooses may see, at its decision number `asked`."""
        here = self.games, self.views, self.options, self.policy_options, self.count
        self.driver.show_in(*here, self.seed, self.number, self.seat, asked)


def chooser(policy: Policy) -> Choose:
    """A policy as a Python callable, whatever its kind."""
    if policy.kind == "class":
        return class_chooser(policy)
    return compiled_chooser(policy, compiled(policy.code, policy.kind))


def compiled_chooser(policy: Policy, function: Any) -> Choose:
    """A compiled policy by its function pointer."""
    driver = kernels()
    ask_function = driver.ask_scorer if policy.kind == "score" else driver.ask_chooser

    def ask(table: Table, weights: np.ndarray) -> int:
        try:
            return int(ask_function(table.views, table.policy_boxes, table.seat, table.policy_options, table.count, weights, function))
        except Exception as error:
            raise PolicyFailed(f"{policy.code}: {type(error).__name__}: {error}") from error

    return ask


def class_chooser(policy: Policy) -> Choose:
    """A new instance of a Python policy; what goes wrong in it is told by the line of its file."""
    try:
        choose = load_module(policy.code).Policy().choose
    except (TypeError, AttributeError) as error:
        raise PolicyError(exception_message(error, policy.code)) from error

    def ask(table: Table, weights: np.ndarray) -> int:
        try:
            return int(choose(*table.shown(), weights))
        except Exception as error:
            raise PolicyError(exception_message(error, policy.code)) from error

    return ask


def walk(
    components: Components, policies: Sequence[Policy], players: int, seed: int, number: int, with_ledger: bool = False
) -> Iterator[tuple[str, Table]]:
    """The moments of game `number`; the table is the same object each time, as it stands at that moment.

    Moments: dealt; asked (options are listed, `chosen` is settled, nothing done yet; forced choices too); moved (it has been carried out,
    up to the next choice); scored (a round's points, nothing reset yet); over. With a ledger the consumer empties `box.ledger_count`.
    """
    table = Table(components, players, seed, number, with_ledger)
    choosers, weights = [chooser(policy) for policy in policies], [weight_row(policy) for policy in policies]
    asked = [0] * players
    yield DEALT, table
    table.run_on()
    while table.count != 0:
        if table.count == table.driver.ROUND_SCORED:
            yield SCORED, table
            table.run_on()
            continue
        table.seat, table.chosen = table.to_move, 0
        if table.count > 1:
            policy = table.policy_of(table.seat)
            table.show(asked[table.seat])
            table.chosen = int(choosers[policy](table, weights[policy]))
            asked[table.seat] += 1
            check_choice(table, policies[policy], seed)
        yield ASKED, table
        table.move()
        yield MOVED, table
    if table.field("error") != s.OK:
        raise game_error(table.field("error"), seed, number)
    yield OVER, table


def check_choice(table: Table, policy: Policy, seed: int) -> None:
    """A policy must name an option that exists."""
    if not 0 <= table.chosen < table.count:
        where = f"seed {seed}, game {table.number}, round {table.field('round_number')}"
        raise PolicyError(f"policy {policy.name} chose option {table.chosen} of {table.count} ({where})")
