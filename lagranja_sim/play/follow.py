"""One game as JSON lines: set-up, choices, all that follows from them, final states (docs/data.md names everything)."""

from collections.abc import Iterator, Sequence

from lagranja_sim.game import Components, Words
from lagranja_sim.play.aside import off_main_thread
from lagranja_sim.play.walk import ASKED, DEALT, OVER, Table, walk
from lagranja_sim.policy import Policy


@off_main_thread
def follow_game(components: Components, policies: Sequence[Policy], seed: int, number: int) -> list[Words]:
    """The lines of one game, in order; what stands between two choices follows from the first."""
    return list(lines_of(components, policies, seed, number))


def lines_of(components: Components, policies: Sequence[Policy], seed: int, number: int) -> Iterator[Words]:
    """The same, as they come."""
    for moment, table in walk(components, policies, seed, number, follow=True):
        by_seat = [policies[table.policy_of(seat)].name for seat in range(table.players)]
        language = table.rules.language
        if moment == DEALT:
            yield setup_line(table, by_seat)
        yield from language.happened(table.box)
        if moment == ASKED:
            yield choice_line(table, by_seat)
        if moment == OVER:
            yield from language.end(table.game, table.box)
            for seat in range(table.players):
                yield {"type": "final", "seat": seat, "policy": by_seat[seat]} | language.final(table.game, table.box, seat)


def setup_line(table: Table, by_seat: Sequence[str]) -> Words:
    """Everything that decides the game: components, variant, policies by seat and all chance but the reshuffles."""
    components = table.components
    head: Words = {"type": "setup", "game": table.number, "seed": int(table.seed)}
    head |= {"variant": components.variant, "components": components.hash, "policies": by_seat}
    return head | table.rules.language.setup(table.game, table.box)


def choice_line(table: Table, by_seat: Sequence[str]) -> Words:
    """A decision with all its options and the one chosen."""
    language, seat = table.rules.language, table.seat
    options = [language.option(table.game, seat, option, table.components) for option in table.options[: table.count]]
    head: Words = {"type": "choice"} | language.moment(table.game) | {"seat": seat, "policy": by_seat[seat], "kind": table.kind}
    return head | {"options": options, "chosen": table.chosen}
