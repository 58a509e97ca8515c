"""La Granja in words: how options are spelled, what a replay's lines hold, how they are told (docs/decisions.md, docs/data.md)."""

from collections.abc import Iterator, Sequence
from typing import Any

from lagranja_sim.game import Language, Words
from lagranja_sim.games.lagranja.rules.names import DECISIONS, PHASES, Item
from lagranja_sim.games.lagranja.rules.result import rank_of
from lagranja_sim.games.lagranja.story import tell
from lagranja_sim.games.lagranja.story_words import Names, sentence
from lagranja_sim.games.lagranja.words import farm_words, note_words, option_words, points_words, setup_words, stock_words, table_words


class LaGranja(Language):
    """The words of the game; what happens is taken from the ledger of the box."""

    def follow(self, box: Any) -> None:
        box.ledger_on = True
        box.ledger_count = 0
        box.list_count = 0

    def setup(self, game: Any, box: Any) -> Words:
        return setup_words(game, box)

    def moment(self, game: Any) -> Words:
        return {"round": int(game.round_number), "phase": PHASES[game.phase]}

    def decision(self, game: Any) -> str:
        return DECISIONS[game.agenda[game.depth - 1].kind]

    def option(self, game: Any, seat: int, option: Any, components: Any) -> Words:
        return option_words(game, seat, option, components.alternative_texts)

    def happened(self, box: Any) -> Iterator[Words]:
        for index in range(box.ledger_count):
            yield note_words(box.ledger[index], box.lists)
        box.ledger_count = 0
        box.list_count = 0

    def end(self, game: Any, box: Any) -> Iterator[Words]:
        yield {"type": "table"} | table_words(game, box)

    def final(self, game: Any, box: Any, seat: int) -> Words:
        player = game.players[seat]
        result: Words = {"vp": int(player.stock[Item.VP]), "rank": int(rank_of(game, box, seat)), "silver": int(player.stock[Item.SILVER])}
        result |= {"stock": stock_words(player), "points": points_words(player)}
        return result | farm_words(game, box, seat)

    def option_in_words(self, words: Words, kind: str, components: Any) -> str:
        return sentence({"kind": kind, "options": [words], "chosen": 0}, Names(components)) or str(words["do"])

    def tell(self, lines: Sequence[Words], components: Any) -> Iterator[str]:
        return iter(tell(lines, components))
