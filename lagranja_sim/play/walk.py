"""One game step by step from Python: the same moves as the compiled loop, open to Python policies, replays and their ledger."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from lagranja_sim.game import Components, find_game
from lagranja_sim.kit.outcomes import ROUND_SCORED
from lagranja_sim.play.aside import is_ctrl_c
from lagranja_sim.play.driver import PolicyFailed, compiled, copied, driver_of, game_error, memory, weight_row
from lagranja_sim.play.faults import change, game_of, index_of, no_score, raised, where
from lagranja_sim.policy import Policy, PolicyError, load_module
from lagranja_sim.policy.errors import exception_message

Choose = Callable[["Table"], int]

DEALT, ASKING, ASKED, MOVED, SCORED, OVER = "dealt", "asking", "asked", "moved", "scored", "over"


class Table:
    """A game in play: its records, whose turn to choose it is, and what was chosen last.

    What a policy gets lies in memory of its own (`room`, as in the loop): nothing of the true game, nor of what other seats get, can be reached
    or changed from it.
    """

    def __init__(self, components: Components, policies: Sequence[Policy], seed: int, number: int, follow: bool = False) -> None:
        self.components, self.policies, self.players = components, policies, len(policies)
        self.rules = find_game(components.game)
        self.driver = driver_of(self.rules)
        self.room = memory(components, [weight_row(policy) for policy in policies])
        self.game, self.box, self.options = self.room.games[0], self.room.boxes[0], self.room.options[0]
        self.number, self.rotation, self.seed = number, number % self.players, np.uint64(seed)
        if follow:
            self.rules.language.follow(self.box)
        self.driver.deal_in(self.room.games, self.room.boxes, self.seed, number // self.players, self.players)
        self.count = 0  # options listed
        self.to_move = -1
        self.seat = -1  # who chooses or, once the game has run on, who chose last
        self.chosen = 0
        self.notes_before = copied(self.notes_of(0))  # of the seat that was asked last

    def field(self, name: str) -> Any:
        """A field of the game as plain numbers; reading a record's attributes is slow."""
        return self.room.games[name][0].tolist()

    @property
    def kind(self) -> str:
        """Of the decision at hand."""
        return self.rules.language.decision(self.game)

    def policy_of(self, seat: int) -> int:
        """The index of the policy that plays a seat."""
        return (seat - self.rotation) % self.players

    def box_of(self, seat: int) -> np.ndarray:
        """The box that a seat is handed."""
        return np.asarray(self.room.boxes[1 + seat : 2 + seat])

    def notes_of(self, seat: int) -> np.ndarray:
        """What a seat keeps of the game."""
        return np.asarray(self.room.notes[seat : seat + 1])

    def weights_of(self, seat: int) -> np.ndarray:
        """The weights that a seat is handed."""
        return np.asarray(self.room.weights[1, self.policy_of(seat)])

    @property
    def policy_options(self) -> np.ndarray:
        """The options that the seat is shown."""
        return np.asarray(self.room.options[1 + self.seat, : self.count])

    def shown(self) -> tuple[Any, Any, int, np.ndarray]:
        """What a Python policy is asked with; it may keep it, so that all but the box is a copy."""
        return copied(self.room.views)[0], self.box_of(self.seat)[0], self.seat, copied(self.policy_options)

    def run_on(self) -> None:
        """To the next choice, the end of a round or of the game."""
        self.count, self.to_move = self.driver.advance_in(self.room.games, self.room.boxes, self.options)

    def move(self) -> None:
        """Carry out what was chosen and run on."""
        self.count, self.to_move = self.driver.move_in(self.room.games, self.room.boxes, self.options, self.chosen)

    def show(self, asked: int) -> None:
        """Lay out what the seat that chooses may see, at its decision number `asked`."""
        self.driver.show_in(self.room, self.count, self.seed, self.number, self.seat, asked)
        self.notes_before = copied(self.notes_of(self.seat))


# --- asking a policy -----------------------------------------------------------------------------------------------------------------


def chooser(policy: Policy) -> Choose:
    """Asks a policy for an option; PolicyFailed tells of anything else that it does."""
    ask = class_asked(policy) if policy.kind == "class" else compiled_asked(table_driver(policy), policy)

    def choose(table: Table) -> int:
        try:
            answer = ask(table)
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise raised(policy, table, error) from error
        if policy.kind == "score" and answer < 0:
            raise no_score(policy, table, -1 - answer, score_of(policy, table, -1 - answer))
        return index_of(policy, table, answer)

    return choose


def compiled_asked(driver: Any, policy: Policy) -> Callable[["Table"], Any]:
    """A compiled policy by its function pointer."""
    function, ask = compiled(policy), driver.ask_scorer if policy.kind == "score" else driver.ask_chooser
    return lambda table: ask(table.room, function, table.policy_of(table.seat), table.seat, table.count)


def table_driver(policy: Policy) -> Any:
    """The steps of the game that a policy plays."""
    return driver_of(find_game(policy.game))


def score_of(policy: Policy, table: Table, index: int) -> float:
    """One option's score, with the notes as they were."""
    view, box, seat, options = table.shown()
    return float(compiled(policy)(view, box, seat, options[index], table.weights_of(seat), copied(table.notes_before)[0]))


def class_asked(policy: Policy) -> Callable[["Table"], Any]:
    """A new instance of a Python policy."""
    try:
        choose = load_module(policy.code).Policy().choose
    except PolicyError:
        raise
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        raise PolicyFailed(f"policy {policy.name}: {exception_message(error, policy.code)}") from error
    return lambda table: choose(*table.shown(), table.weights_of(table.seat), table.notes_of(table.seat)[0])


# --- the game ------------------------------------------------------------------------------------------------------------------------


def walk(components: Components, policies: Sequence[Policy], seed: int, number: int, follow: bool = False) -> Iterator[tuple[str, Table]]:
    """The moments of game `number`; the table is the same object each time, as it stands at that moment.

    Moments: dealt; asking (a policy is about to be asked); asked (options are listed, `chosen` is settled, nothing done yet; forced choices
    too); moved (it has been carried out, up to the next choice); scored (a round's points, nothing reset yet); over. With `follow` the game notes
    what happens, and the consumer takes it from `language.happened`.
    """
    table = Table(components, policies, seed, number, follow)
    choosers, asked = [chooser(policy) for policy in policies], [0] * len(policies)
    yield DEALT, table
    table.run_on()
    while table.count != 0:
        if table.count == ROUND_SCORED:
            yield SCORED, table
            table.run_on()
            continue
        table.seat, table.chosen = table.to_move, 0
        if table.count > 1:
            policy = table.policy_of(table.seat)
            table.show(asked[table.seat])
            yield ASKING, table
            table.chosen = choosers[policy](table)
            asked[table.seat] += 1
        yield ASKED, table
        table.move()
        yield MOVED, table
    if code := table.field("error"):
        raise game_error(table.rules, code, seed, number)
    check_changes(table, policies)
    yield OVER, table


def check_changes(table: Table, policies: Sequence[Policy]) -> None:
    """After a game: what policies were handed to read must be as it was. Who changed it is told with the decision, for which it is played again."""
    for seat in range(table.players):
        policy = policies[table.policy_of(seat)]
        if told := change(policy, table, seat):
            moments = walk(table.components, policies, int(table.seed), table.number)
            decisions = (where(other) for moment, other in moments if moment == ASKED and change(policy, other, seat))
            raise PolicyFailed(f"policy {policy.name} changed {told}, which is there to be read ({next(decisions, game_of(table))})")
