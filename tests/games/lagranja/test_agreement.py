"""The core, compiled and interpreted, agrees with the naive referee on every option and every state, in all variants and player counts.

LAGRANJA_AGREEMENT_GAMES sets the games of each combination (`make soak` plays thousands); half choose any option, half any kind of act first.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import agreement
import pytest
from calls import CHECKOUT, HELPERS
from component_sets import ComponentSet

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.kit.tomlfile import flatten

GAMES = int(os.environ.get("LAGRANJA_AGREEMENT_GAMES", "84"))
CHUNKS = 4
VARIANTS = ("deluxe", "first_edition", "bga", "yucata")


def differences(variant: str) -> dict[str, object]:
    """A shipped variant as the referee reads it: its tables."""
    data = tomllib.loads((agreement.PRINTED / "variants" / f"{variant}.toml").read_text(encoding="utf-8"))
    return {key: value for key, value in data.items() if isinstance(value, dict)}


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("players", (1, 2, 3, 4))
@pytest.mark.parametrize("variant", VARIANTS)
def test_core_and_referee_agree_move_by_move(variant: str, players: int, chunk: int) -> None:
    components, rules = load_components(None, variant), differences(variant)
    for block in range(chunk, GAMES, CHUNKS):
        choose = agreement.oddly if block // CHUNKS % 2 else agreement.uniformly
        assert agreement.follow(components, rules, 2026, block, players, choose) > 20


ODD_RULES = {
    "few markers": {"setup": {"markers": 8}},
    "fewer markers": {"setup": {"markers": 5}},
    "dice either way, purchases fixed": {"revenue": {"modify_die": "up_or_down"}, "transport": {"extra_delivery_limit_fixed": True}},
    "roof markers remove, one pick, no last die": {
        "market": {"roof_marker_removes": True},
        "setup": {"dice_per_player": 1, "dice_extra": 0},
    },
    "generous": {
        "farm": {"cards_per_round": 3, "hand_limit": 9, "pig_spaces": 6, "piglets": 2, "roof_cost_per_round": 0},
        "setup": {"silver": 30, "commodities": 5},
    },
    "short": {"game": {"rounds": 3}, "buildings": {"unlock_vp": 0, "vp_per_round": 3}, "market": {"marker_vp": 2, "removal_vp": 0}},
    "first and opening by building, few cards drawn, ties shared": {
        "game": {"rounds": 4, "tie_break": "none"},
        "buildings": {
            "first_bonus_vp": {"deli": 3, "butcher": -1, "village_store": 2},
            "unlock_bonus_vp": {"wainwright": 5, "greengrocer": -1, "merchant_house": 1},
        },
        "farm": {"cards_drawn": 1, "hand_limit": 5},
        "transport": {"extra_delivery_cost": 0, "extra_deliveries": 9},
    },
    "all begin on one value": {"market": {"start": [3, 3, 3, 3]}},
}


@pytest.mark.parametrize("name", ODD_RULES)
def test_core_and_referee_agree_under_odd_rules(name: str) -> None:
    components = load_components(None, "deluxe", flatten(ODD_RULES[name]))
    for block in range(max(8, GAMES // 5)):
        agreement.follow(components, ODD_RULES[name], 7, block, 1 + block % 4, agreement.oddly if block // 4 % 2 else agreement.uniformly)


ODD_RULES_FOR_ONE = {
    "dice and roofs": {"solo": {"dice": 8, "roofs": 4, "lowest_die_until_round": 0, "start_from_section": 0}, "setup": {"dice_extra": 0}},
    "nine dice": {"solo": {"dice": 9, "lowest_die_until_round": 6, "start_from_section": 4}, "setup": {"markers": 5}},
    "one die, one roof": {"solo": {"dice": 1, "roofs": 1}, "game": {"rounds": 3}, "transport": {"extra_delivery_cost": 0}},
    "roof markers remove": {"market": {"roof_marker_removes": True, "closed_below_players": 2}, "revenue": {"modify_die": "up_or_down"}},
    "many new decks": {
        "setup": {"cards": 12, "commodities": 9},
        "prices": {"commodity_uses": "gain card 12 | gain card 9"},
        "farm": {"hand_limit": 0, "cards_per_round": 4, "pig_spaces": 0},
    },
    "both begin where nobody should": {"market": {"start": [6, 6, 2, 2], "removal_vp": 3}},
    "by place": {"setup": {"bonus_vp_by_position": [1, 5, 0, 0], "bonus_silver_by_position": [0, 3, 0, 0], "dice_per_player": 1}},
}


@pytest.mark.parametrize("name", ODD_RULES_FOR_ONE)
def test_core_and_referee_agree_under_odd_rules_for_one(name: str) -> None:
    rules = ODD_RULES_FOR_ONE[name]
    components = load_components(None, "deluxe", flatten(rules))
    for block in range(max(6, GAMES // 6)):
        agreement.follow(components, rules, 7, block, 1, agreement.oddly if block % 2 else agreement.uniformly)


COSTLY = [  # costs and effects of helpers; many of them may do nothing once they are paid for, or want a marker first
    ("pay silver 1", "gain olive 1"), ("pay silver 2", "gain commodity 1"), ("pay vp 1", "revenue round"), ("pay silver 1", "deliver 1"),
    ("pay harvest 1", "deliver 1"), ("pay harvest_different 2", "upgrade 1"), ("pay olive 1", "upgrade 1"), ("pay commodity 1", "deliver 2"),
    ("pay silver 1", "gain harvest 1 ; gain vp 1"), ("pay silver 1", "place_marker"), ("pay pig 1", "gain vp 2 if pigs 2"),
    ("pay silver 1", "gain grain 1 if pigs 2"), ("", "pay silver 1 ; deliver 1"), ("", "pay silver 1 ; gain olive 2 | gain silver 1"),
    ("pay silver 1", "pay silver 1 ; gain pig 2 | gain card 1"), ("pay silver 1", "gain resource 1"), ("", "gain harvest_different 2"),
    ("pay upgraded 1", "gain upgraded 1 ; siesta 1"), ("pay silver 1", "income"), ("pay resource 2", "gain upgraded 1"), ("", "deliver 1"),
]  # fmt: skip
MOMENTS = ("action", "action", "action", "on income", "on barrow_done", "on own_marker_removed", "on revenue any", "on growth")


@pytest.mark.parametrize("paid", ["one_by_one", "up_front"])
def test_core_and_referee_agree_where_everything_costs_something(tmp_path: Path, paid: str) -> None:
    mine = ComponentSet(tmp_path)
    head, *cards = mine.table("cards.csv")
    for number, card in enumerate(cards):
        cost, effect = COSTLY[number % len(COSTLY)]
        cells = {
            "phases": "any",
            "uses": ("", "1", "2")[number % 3],
            "when": MOMENTS[number % len(MOMENTS)],
            "cost": cost,
            "effect": effect,
        }
        for name, text in cells.items():
            card[head.index(f"helper_{name}")] = text
    mine.write("cards.csv", [head, *cards])
    components = mine.load(overrides={"setup.markers": 6, "transport.extra_deliveries_paid": paid})
    rules = {"setup": {"markers": 6}, "transport": {"extra_deliveries_paid": paid}}
    for block in range(max(8, GAMES // 5)):
        choose = agreement.oddly if block // 4 % 2 else agreement.uniformly
        agreement.follow(components, rules, 13, block, 1 + block % 4, choose, mine.folder)


def test_core_and_referee_agree_where_barrows_lead_elsewhere_than_their_points_say(tmp_path: Path) -> None:
    mine = ComponentSet(tmp_path).write_market_values({card: str(2 + card % 5) for card in range(1, 60)})
    for card in range(1, 20):
        mine.cell("cards.csv", card + 1, "barrow_vp", str(card % 9))
    components = mine.load()
    for block in range(max(8, GAMES // 10)):
        choose = agreement.oddly if block // 4 % 2 else agreement.uniformly
        agreement.follow(components, {}, 17, block, 1 + block % 4, choose, mine.folder)


INTERPRETED = """
import agreement, test_agreement
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules.engine import advance
assert not hasattr(advance, "signatures"), "compiled"
for variant in test_agreement.VARIANTS:
    components, rules = load_components(None, variant), test_agreement.differences(variant)
    for block in range(6):
        agreement.follow(components, rules, 11, block, 1 + block % 4, agreement.oddly if block % 2 else agreement.uniformly)
"""


def test_interpreted_core_and_referee_agree() -> None:
    """The same source without the compiler, where an integer that leaves its width raises."""
    path = os.pathsep.join([str(CHECKOUT), str(HELPERS), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", INTERPRETED], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
