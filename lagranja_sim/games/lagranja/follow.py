"""One game as JSON lines: set-up, choices, all that follows from them, final states (docs/data.md names everything)."""

from collections.abc import Iterator, Sequence
from typing import Any

from lagranja_sim.games.lagranja.components import Components
from lagranja_sim.games.lagranja.rules.names import DECISIONS, PHASES, Item
from lagranja_sim.games.lagranja.words import (
    Words,
    farm_words,
    note_words,
    option_words,
    points_words,
    setup_words,
    stock_words,
    table_words,
)
from lagranja_sim.play.aside import off_main_thread
from lagranja_sim.play.driver import kernels
from lagranja_sim.play.walk import ASKED, DEALT, OVER, Table, walk
from lagranja_sim.policy import Policy


@off_main_thread
def follow_game(components: Components, policies: Sequence[Policy], players: int, seed: int, game: int) -> list[Words]:
    """The lines of one game, in order; what stands between two choices follows from the first."""
    return list(lines_of(components, policies, players, seed, game))


def lines_of(components: Components, policies: Sequence[Policy], players: int, seed: int, game: int) -> Iterator[Words]:
    """The same, as they come."""
    names = [policy.name for policy in policies]
    for moment, table in walk(components, policies, players, seed, game, with_ledger=True):
        if moment == DEALT:
            yield setup_line(table, components, names, seed)
        yield from empty_notepad(table)
        if moment == ASKED:
            yield choice_line(table, components, names)
        if moment == OVER:
            yield {"type": "table"} | table_words(table.game, table.box)
            yield from final_lines(table, names)


def setup_line(table: Table, components: Components, names: Sequence[str], seed: int) -> Words:
    """Everything that decides the game: components, variant, policies by seat and all chance but the reshuffles."""
    by_seat = [names[table.policy_of(seat)] for seat in range(table.players)]
    head: Words = {"type": "setup", "game": table.number, "seed": seed, "variant": components.variant, "components": components.hash}
    return head | {"policies": by_seat} | setup_words(table.game, table.box)


def choice_line(table: Table, components: Components, names: Sequence[str]) -> Words:
    """A decision with all its options and the one chosen."""
    game, seat = table.game, table.seat
    return {
        "type": "choice",
        "round": int(game.round_number),
        "phase": PHASES[game.phase],
        "seat": seat,
        "policy": names[table.policy_of(seat)],
        "kind": DECISIONS[game.agenda[game.depth - 1].kind],
        "options": [option_words(game, seat, table.options[i], components.alternative_texts) for i in range(table.count)],
        "chosen": table.chosen,
    }


def empty_notepad(table: Table) -> Iterator[Words]:
    """What was noted since the last call."""
    for index in range(table.box.ledger_count):
        yield note_words(table.box.ledger[index], table.box.lists)
    table.box.ledger_count = 0
    table.box.list_count = 0


def final_lines(table: Table, names: Sequence[str]) -> Iterator[Words]:
    """The result, a line a seat, with all that lies on its farm."""
    for seat in range(table.players):
        player: Any = table.game.players[seat]
        result: Words = {
            "type": "final",
            "seat": seat,
            "policy": names[table.policy_of(seat)],
            "vp": int(player.stock[Item.VP]),
            "rank": int(kernels().rank_in(table.games, seat)),
            "silver": int(player.stock[Item.SILVER]),
            "stock": stock_words(player),
            "points": points_words(player),
        }
        yield result | farm_words(table.game, table.box, seat)
