"""Games of the naive referee by itself: every chance of them hangs on a seed, and a test can bring them to the position it needs."""

import random
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from naive import Decision, Referee, Steps, laid_over, read_buildings, read_cards, table

PRINTED = Path(__file__).parents[2] / "lagranja_sim" / "games" / "lagranja" / "components" / "printed"
VARIANTS = ("deluxe", "first_edition", "bga", "yucata")
CARDS = read_cards(PRINTED / "cards.csv")
BUILDINGS = read_buildings(PRINTED / "buildings.csv")
ROOFS = table(PRINTED / "roofs.csv")
RULES = tomllib.loads((PRINTED / "rules.toml").read_text(encoding="utf-8"))
MOST_DICE = 9


@cache
def differences(variant: str) -> dict:
    """A shipped variant as the referee reads it: its tables."""
    data = tomllib.loads((PRINTED / "variants" / f"{variant}.toml").read_text(encoding="utf-8"))
    return {key: value for key, value in data.items() if isinstance(value, dict)}


def stacks_of_roofs(rules: dict) -> list[list[int]]:
    return [[int(row["roof"]) for row in ROOFS if int(row["round"]) == number] for number in range(1, rules["game"]["rounds"] + 1)]


def drawn_by_lot(rng: random.Random, rules: dict, players: int) -> dict:
    """What is decided before the first move (S1-S5), and the dice."""
    dealt = rules["setup"]["cards"]
    cards = rng.sample(sorted(CARDS), len(CARDS))
    stacks = stacks_of_roofs(rules)
    return {
        "players": players,
        "order": rng.sample(range(players), players),
        "hands": [cards[seat * dealt : (seat + 1) * dealt] for seat in range(players)],
        "deck": cards[players * dealt :],
        "blocked": rng.sample(range(1, len(BUILDINGS) + 1), 3),
        "roofs": [rng.sample(stack, players) for stack in stacks],
        "dice": [[rng.randint(1, 6) for _ in range(MOST_DICE)] for _ in stacks],
    }


def deck_maker(seed: object) -> Callable[[int, list[int]], list[int]]:
    return lambda number, cards: random.Random(f"{seed} {number}").sample(cards, len(cards))


def new_game(seed: object, variant: dict | None = None, players: int = 2) -> Referee:
    variant = variant or {}
    return Referee(PRINTED, variant, drawn_by_lot(random.Random(str(seed)), laid_over(RULES, variant), players), deck_maker(seed))


def run_to(game: Referee, *kinds: str, donkey: int | None = None) -> Decision | None:
    """Take the first option, or that donkey, until a decision of one of these kinds."""
    while (asked := game.decision()) is not None and asked.kind not in kinds:
        wanted = [option for option in asked.options if option["do"] == "choose_donkey" and option["donkey"] == donkey]
        game.choose((wanted or asked.options)[0])
    return asked


def finish(steps: Steps, *choices: dict) -> list[Decision]:
    """Carry out a part of the flow with these choices and no others; returns what was asked."""
    asked, coming = [], iter(choices)
    try:
        asked.append(next(steps))
        while True:
            choice = next(coming, None)
            assert choice in asked[-1].options, f"{choice} is not an answer to {asked[-1]}"
            asked.append(steps.send(choice))
    except StopIteration:
        assert next(coming, None) is None
        return asked
