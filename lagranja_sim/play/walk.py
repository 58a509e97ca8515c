"""One game step by step from Python: the same moves as the compiled loop, open to Python policies, replays and their ledger."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import Error
from lagranja_sim.play.aside import is_ctrl_c
from lagranja_sim.play.driver import PolicyFailed, compiled, copied, game_error, kernels, new_games, own_box, weight_row, words
from lagranja_sim.play.faults import change, game_of, index_of, no_score, raised, where
from lagranja_sim.policy import Policy, PolicyError, load_module
from lagranja_sim.policy.errors import exception_message

Choose = Callable[["Table", np.ndarray], int]

DEALT, ASKING, ASKED, MOVED, SCORED, OVER = "dealt", "asking", "asked", "moved", "scored", "over"


class Table:
    """A game in play: its records, whose turn to choose it is, and what was chosen last."""

    def __init__(self, components: Components, players: int, seed: int, number: int, with_ledger: bool) -> None:
        self.components = components
        self.games, self.boxes = new_games(1), own_box(components, with_ledger)
        # What a policy gets lies in memory of its own: nothing of the true game, nor of what other seats get, can be reached or changed from it.
        self.views, self.policy_boxes = new_games(1), [own_box(components) for _ in range(players)]
        self.lists = np.zeros((1 + players, s.MAX_OPTIONS), s.OPTION)  # of options: the true one, and one for each seat to look at
        self.options, self.option_words = self.lists[0], words(self.lists)
        self.game, self.box = self.games[0], self.boxes[0]
        self.number, self.rotation, self.players = number, number % players, players
        self.driver = kernels()
        self.seed = np.uint64(seed)
        self.driver.deal_in(self.games, self.boxes, self.seed, number // players, players)
        self.start_order = self.field("order")[:players]
        self.weights: list[np.ndarray] = []  # by policy, as it is handed them
        self.count = 0  # options listed
        self.to_move = -1
        self.seat = -1  # who chooses or, once the game has run on, who chose last
        self.chosen = 0

    def field(self, name: str) -> Any:
        """A field of the game as plain numbers; reading a record's attributes is slow."""
        return self.games[name][0].tolist()

    @property
    def kind(self) -> int:
        """Of the decision at hand."""
        return int(self.games["agenda"]["kind"][0, self.games["depth"][0] - 1])

    def policy_of(self, seat: int) -> int:
        """The index of the policy that plays a seat."""
        return (seat - self.rotation) % self.players

    @property
    def policy_options(self) -> np.ndarray:
        """The options that the seat is shown."""
        return np.asarray(self.lists[1 + self.seat, : self.count])

    def shown(self) -> tuple[Any, Any, int, np.ndarray, int]:
        """What a Python policy is asked with; it may keep it, so that all but the box is a copy."""
        return copied(self.views)[0], self.policy_boxes[self.seat][0], self.seat, copied(self.policy_options), self.count

    def run_on(self) -> None:
        """To the next choice, the end of a round or of the game."""
        self.count, self.to_move = self.driver.advance_in(self.games, self.boxes, self.options)

    def move(self) -> None:
        """Carry out what was chosen and run on."""
        self.count, self.to_move = self.driver.move_in(self.games, self.boxes, self.options, self.chosen)

    def show(self, asked: int) -> None:
        """Lay out what the seat that chooses may see, at its decision number `asked`."""
        here = self.games, self.views, self.option_words, self.count
        self.driver.show_in(*here, self.seed, self.number, self.seat, asked)


# --- asking a policy -----------------------------------------------------------------------------------------------------------------


def chooser(policy: Policy) -> Choose:
    """Asks a policy for an option; PolicyFailed tells of anything else that it does."""
    ask = class_asked(policy) if policy.kind == "class" else compiled_asked(policy, compiled(policy.code, policy.kind))

    def choose(table: Table, weights: np.ndarray) -> int:
        try:
            answer = ask(table, weights)
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise raised(policy, table, weights, error) from error
        if policy.kind == "score" and answer < 0:
            raise no_score(policy, table, -1 - answer, score_of(policy, table, weights, -1 - answer))
        return index_of(policy, table, answer)

    return choose


def compiled_asked(policy: Policy, function: Any) -> Callable[["Table", np.ndarray], Any]:
    """A compiled policy by its function pointer."""
    driver = kernels()
    ask = driver.ask_scorer if policy.kind == "score" else driver.ask_chooser

    def answer(table: Table, weights: np.ndarray) -> Any:
        return ask(table.views, table.policy_boxes[table.seat], table.seat, table.policy_options, table.count, weights, function)

    return answer


def score_of(policy: Policy, table: Table, weights: np.ndarray, index: int) -> float:
    """One option's score."""
    view, box, seat, options, _ = table.shown()
    return float(compiled(policy.code, policy.kind)(view, box, seat, options[index], weights))


def class_asked(policy: Policy) -> Callable[["Table", np.ndarray], Any]:
    """A new instance of a Python policy."""
    try:
        choose = load_module(policy.code).Policy().choose
    except PolicyError:
        raise
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        raise PolicyFailed(f"policy {policy.name}: {exception_message(error, policy.code)}") from error
    return lambda table, weights: choose(*table.shown(), weights)


# --- the game ------------------------------------------------------------------------------------------------------------------------


def walk(
    components: Components, policies: Sequence[Policy], players: int, seed: int, number: int, with_ledger: bool = False
) -> Iterator[tuple[str, Table]]:
    """The moments of game `number`; the table is the same object each time, as it stands at that moment.

    Moments: dealt; asking (a policy is about to be asked); asked (options are listed, `chosen` is settled, nothing done yet; forced choices
    too); moved (it has been carried out, up to the next choice); scored (a round's points, nothing reset yet); over. With a ledger the
    consumer empties `box.ledger_count`.
    """
    table = Table(components, players, seed, number, with_ledger)
    table.weights = [weight_row(policy) for policy in policies]
    choosers, asked = [chooser(policy) for policy in policies], [0] * players
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
            yield ASKING, table
            table.chosen = choosers[policy](table, table.weights[policy])
            asked[table.seat] += 1
        yield ASKED, table
        table.move()
        yield MOVED, table
    if table.field("error") != Error.OK:
        raise game_error(table.field("error"), seed, number)
    check_changes(table, policies)
    yield OVER, table


def check_changes(table: Table, policies: Sequence[Policy]) -> None:
    """After a game: what policies were handed to read must be as it was. Who changed it is told with the decision, for which it is played again."""
    for seat in range(table.players):
        policy = policies[table.policy_of(seat)]
        if told := change(policy, table, seat):
            moments = walk(table.components, policies, table.players, int(table.seed), table.number)
            decisions = (where(other) for moment, other in moments if moment == ASKED and change(policy, other, seat))
            raise PolicyFailed(f"policy {policy.name} changed {told}, which is there to be read ({next(decisions, game_of(table))})")
