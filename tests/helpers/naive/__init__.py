"""A slow and obvious referee for La Granja: the rules once more, written to be read beside the rulebook.

It shares no code with the package and reads the component files by itself. The flow of the game is a tree of generators: a step that
asks something yields a Decision and receives the option chosen. Rule ids (F1, D6, ...) are those of docs/rules.md; when a decision
is asked and how its options are spelled is written in docs/decisions.md.
"""

from naive.decision import DECLINE, DONE, FORGO, Decision, Steps
from naive.goods import STOCK
from naive.language import Origin, parse_effect
from naive.printed import Space, laid_over, read_buildings, read_cards, table
from naive.referee import Referee

__all__ = [
    "DECLINE",
    "DONE",
    "FORGO",
    "STOCK",
    "Decision",
    "Origin",
    "Referee",
    "Space",
    "Steps",
    "laid_over",
    "parse_effect",
    "read_buildings",
    "read_cards",
    "table",
]
