"""A game can be audited from its JSON lines alone: tests/audit.py rebuilds all of it and finds what the last lines say.

The games are of all variants and numbers of players, by policies that play well, at random and oddly, and under odd rules.
"""

import json
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from audit import Misfit, audit
from calls import HELPERS

from lagranja_sim.games.lagranja import lines as documented
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.tables import PHASE_MEANINGS
from lagranja_sim.play.follow import follow_game
from lagranja_sim.policy import Policy, describe, find_policy

Line = dict[str, Any]

SEED = 43
ODD_RULES: dict[str, dict[str, Any]] = {
    "few markers": {"setup.markers": 8},
    "fewer markers": {"setup.markers": 5, "setup.silver": 9},
    "dice either way": {"revenue.modify_die": "up_or_down", "transport.extra_delivery_limit_fixed": False},
    "one pick, no last die": {"setup.dice_per_player": 1, "setup.dice_extra": 0, "market.roof_marker_removes": True},
    "many cards": {
        "farm.cards_per_round": 4,
        "farm.hand_limit": 12,
        "setup.silver": 30,
        "setup.commodities": 5,
        "farm.roof_cost_per_round": 0,
    },
    "no cards left": {"setup.cards": 12, "farm.hand_limit": 12, "farm.cards_per_round": 3},
    "short": {
        "game.rounds": 3,
        "buildings.unlock_vp": 0,
        "buildings.first_completion_vp": 0,
        "market.removal_vp": 0,
        "market.marker_vp": 2,
    },
    "nothing for a building": {"buildings.vp_per_round": 0, "buildings.first_completion_vp": 0, "buildings.unlock_vp": 0},
    "costs": {
        "prices.commodity_uses": "pay silver 1 ; gain vp 2 | pay harvest 1 ; gain card 2 | place_marker | siesta 1 ; flip_roof 1 | gain pig 1",
        "farm.pig_spaces": 0,
        "setup.commodities": 6,
    },
    "donkeys back at once": {"transport.donkeys_return_in_round": 3, "setup.blocked_buildings": 0},
}
VARIANTS = ("deluxe", "first_edition", "bga", "yucata")
GAMES = (
    {  # name -> variant, overrides, players, policies (the seats in turn), game
        f"{variant}, {players} players": (variant, {}, players, ("greedy", "odd", "balanced"), players)
        for variant in VARIANTS
        for players in (1, 2, 3, 4)
    }
    | {
        name: ("deluxe", rules, 2 + number % 3, ("odd", "balanced", "odd", "random"), number)
        for number, (name, rules) in enumerate(ODD_RULES.items())
    }
    | {
        "new decks for one": (
            "deluxe",
            {"setup.cards": 12, "setup.commodities": 9, "prices.commodity_uses": "gain card 12 | gain card 9"},
            1,
            ("odd",),
            3,
        )
    }
)


def policy_of(name: str) -> Policy:
    return describe(HELPERS / "odd_policy.py") if name == "odd" else find_policy(name)


@cache
def told(name: str) -> str:
    """The lines of a game as they are printed."""
    variant, rules, players, policies, game = GAMES[name]
    named = [policy_of(policies[seat % len(policies)]) for seat in range(players)]
    return "\n".join(json.dumps(line) for line in follow_game(load_components(None, variant, rules), named, SEED, game))


def lines_of(name: str) -> list[Line]:
    return [json.loads(line) for line in told(name).splitlines()]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_rebuilt_from_its_lines(name: str) -> None:
    lines = lines_of(name)
    books = audit(lines)
    assert [line["type"] for line in lines[-books.finals - 1 :]] == ["table", *["final"] * GAMES[name][2]]


@pytest.mark.parametrize("name", GAMES)
def test_each_line_has_the_documented_keys(name: str) -> None:
    for line in lines_of(name):
        kind = line.pop("type")
        assert set(line) == {key for key in documented.LINES[kind].keys if not set(key) & set(".[*")}, line
        assert keys_of(line) <= set(documented.LINES[kind].keys), line
        if "ref" in line:
            check_reference(line["ref"])
        for option in line.get("options", ()):
            assert tuple(key for key in option if key != "do") in documented.OPTIONS[option["do"]], option
            assert set(option) - {"do"} <= set(documented.OPTION_KEYS)


@pytest.mark.parametrize("name", GAMES)
def test_each_code_of_the_lines_has_a_meaning(name: str) -> None:
    meanings = {"reason": documented.REASON_MEANINGS, "item": documented.ITEM_MEANINGS, "phase": PHASE_MEANINGS}
    for line in lines_of(name):
        for key, known in meanings.items():
            assert key not in line or line[key] in known
        if line["type"] == "card":
            assert {line["from"], line["to"]} <= set(documented.PLACE_MEANINGS)


def keys_of(value: Any, path: str = "") -> set[str]:
    """Every key of nested objects as the page spells it: `[]` for a list, `*` where each name of something is a key."""
    if path in ("options", "ref"):
        return {path}  # checked by themselves
    if isinstance(value, list):
        return {path} | {key for each in value if isinstance(each, dict) for key in keys_of(each, f"{path}[]")}
    if not isinstance(value, dict):
        return {path}
    named = path in ("stock", "points", "buildings", "first")
    keys = {key for name, each in value.items() for key in keys_of(each, f"{path}.{'*' if named else name}".removeprefix("."))}
    return keys | ({path} if path and path in ("stock", "points", "buildings", "first") else set())


def check_reference(ref: Line | None) -> None:
    """One kind of component, a market space with the owner of the marker lost there."""
    if ref is not None:
        assert set(ref) == {"space", "owner"} or (len(ref) == 1 and set(ref) <= set(documented.REF_MEANINGS)), ref


SELDOM_OFFERED = {"reserve", "shift", "use_building"}  # tests/test_story.py has one of each


def test_the_games_hold_every_type_of_line_reason_and_act() -> None:
    """Else the tests above could not notice."""
    lines = [line for name in GAMES for line in lines_of(name)]
    assert {line["type"] for line in lines} == set(documented.LINES)
    assert {line["reason"] for line in lines if "reason" in line} == set(documented.REASON_MEANINGS)
    offered = {option["do"] for line in lines if line["type"] == "choice" for option in line["options"]}
    assert offered | SELDOM_OFFERED == set(documented.OPTIONS)
    assert sum(line["type"] == "reshuffle" for line in lines_of("many cards")) > 1


def test_the_games_hold_a_new_deck_made_by_the_neutral_players_draw() -> None:
    lines = lines_of("new decks for one")
    follows = [(one["type"], other.get("reason")) for one, other in pairwise(lines)]
    assert ("reshuffle", "neutral") in follows


# --- an auditor who is awake --------------------------------------------------------------------------------------------------------

LEFT_OUT = [kind for kind in documented.LINES if kind not in ("setup", "choice")]


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_a_line_left_out_is_noticed(kind: str) -> None:
    """The first such line of a game."""
    lines = lines_of({"reshuffle": "many cards", "die_discarded": "deluxe, 1 players"}.get(kind, "costs"))
    index = [line["type"] for line in lines].index(kind)
    with pytest.raises(Misfit):
        audit(lines[:index] + lines[index + 1 :])


CHANGES = {  # what is changed -> type of the line, and how
    "amount": ("ledger", lambda line: {"amount": line["amount"] + 1}),
    "whose": ("ledger", lambda line: {"seat": 1 - line["seat"]}),
    "card drawn": ("card", lambda line: {"card": line["card"] % 66 + 1}),
    "disc's section": ("disc", lambda line: {"to": line["to"] + 1 if line["to"] < 4 else 1}),
    "disc's place": ("disc", lambda line: {"place": line["place"] + 1}),
    "new order": ("order", lambda line: {"order": line["order"][::-1]}),
    "die discarded": ("die_discarded", lambda line: {"die": line["die"] % 6 + 1}),
    "roofs": ("round", lambda line: {"roofs": line["roofs"][::-1]}),
    "dice": ("roll", lambda line: {"dice": [*line["dice"], 1]}),
    "new deck": ("reshuffle", lambda line: {"deck": line["deck"][1:]}),
    "marker's space": ("marker", lambda line: {"space": line["space"] + 1}),
    "choice": ("choice", lambda line: {"chosen": len(line["options"])}),
    "points": ("final", lambda line: {"points": line["points"] | {"craft": line["points"]["craft"] + 1}}),
    "market": ("table", lambda line: {"market": line["market"][1:]}),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_line_is_noticed(what: str) -> None:
    kind, change = CHANGES[what]
    lines = lines_of("deluxe, 1 players" if kind == "die_discarded" else "many cards")
    index = next(index for index, line in enumerate(lines) if line["type"] == kind)
    lines[index] |= change(lines[index])
    with pytest.raises(Misfit, match="line "):
        audit(lines)
