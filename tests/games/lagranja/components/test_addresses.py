"""Every value has an address, by which it can be changed."""

import re
from pathlib import Path
from typing import Any

import pytest

from lagranja_sim.game import find_game
from lagranja_sim.games.lagranja.components import Components, ComponentsError, load_components
from lagranja_sim.games.lagranja.components.addresses import columns, is_printed

PRINTED = load_components()
NAMES = ("helper", "design")  # on which no game depends

EXCHANGED = ("round", "number")  # one component takes it from another

# What another value of a kind is, where one more or less does not do: by the last word of the address, else of the address before the entry.
OTHERS: dict[str, list[Any]] = {
    "field": ["olive", "grain"],
    "barrow": ["olive", "grain"],
    "goods": ["olive", "grain"],
    "helper_phases": ["farm", "revenue"],
    "phases": ["farm", "revenue"],
    "helper_when": ["action", "on income", "passive"],
    "when": ["before_die", "on roof_bought"],
    "helper_cost": ["pay silver 7"],
    "helper_effect": ["gain silver 7", "piglets +3"],
    "ext_income": ["gain silver 7"],
    "effect": ["gain silver 7"],
    "immediate": ["gain silver 7"],
    "permanent": ["on income: gain silver 7"],
    "faces": ["gain silver 7"],
    "commodity_uses": ["gain silver 7"],
    "donkeys": [[1, 4]],
    "permanent helpers": [["Chef"]],
    "piglet_without_space": ["sold"],
    "greengrocer_step": ["income"],
    "modify_die": ["up_or_down"],
    "extra_deliveries_paid": ["up_front"],
    "q": [40],
    "r": [40],
    "tie_break": ["none"],
}
TOGETHER = {  # values that cannot change alone, and what goes with them
    "game.min_players": {"game.min_players": 1},
    "farm.roof_slots": {"farm.roof_slots": 4, "farm.roof_vp": [0, 1, 2, 3]},
}
ABLE = {"helper_when": "helper_effect", "helper_effect": "helper_when", "helper_cost": "helper_when", "helper_uses": "helper_when"}


def others(address: str, value: Any) -> list[Any]:
    """Values that may stand there instead."""
    words = address.split(".")
    kind = "permanent helpers" if address == "helpers.permanent" else words[-2] if words[-1].isdecimal() else words[-1]
    if kind in OTHERS:
        return OTHERS[kind]
    if isinstance(value, bool):
        return [not value]
    return [value + 1, value - 1, value + 20] if isinstance(value, int) else [f"{value} two"]


def loaded(overrides: dict[str, Any]) -> Components | None:
    try:
        return load_components(overrides=overrides)
    except ComponentsError:
        return None


def with_company(address: str, value: Any) -> list[dict[str, Any]]:
    """The change alone, and with what a helper may need beside it."""
    *card, column = address.split(".")
    alone = {address: value}
    if column == "start":
        return [alone, in_place_of_the_other_start(int(card[1])) | alone]
    if column not in ABLE:
        return [alone]
    active = {f"{'.'.join(card)}.helper_when": "action", f"{'.'.join(card)}.helper_effect": "gain silver 1"}
    return [alone, active | alone, alone | {f"{'.'.join(card)}.helper_effect": "piglets +1", f"{'.'.join(card)}.helper_cost": ""}]


def in_place_of_the_other_start(number: int) -> dict[str, Any]:
    """An open space that may become the start space of its value, since there is no other."""
    value = PRINTED.spaces[number - 1].value
    others = [place for place, space in enumerate(PRINTED.spaces, start=1) if space.start and space.value == value and place != number]
    return {f"market.{number}.min_players": 1} | {f"market.{place}.start": 0 for place in others}


@pytest.mark.parametrize("part", ["roofs", "buildings", "market", "rules"])
def test_every_value_can_be_changed_and_the_change_matters(part: str) -> None:
    addresses = [address for address in PRINTED.values if part_of(address) == part]
    assert addresses
    assert [address for address in addresses if not matters(address)] == []


@pytest.mark.parametrize("column", columns("cards"))
def test_every_value_of_a_card_can_be_changed_and_the_change_matters(column: str) -> None:
    """Of all cards at once, which do not depend on one another; where one refuses a change, the next one is tried."""
    left = {f"cards.{card.card}.{column}" for card in PRINTED.cards}
    tries = {address: tries_of(address) for address in left}
    for attempt in range(max(map(len, tries.values()))):
        left -= changed_together({address: tries[address][attempt] for address in left if attempt < len(tries[address])})
    assert left == set()


def changed_together(wanted: dict[str, dict[str, Any]]) -> set[str]:
    """Those of the changes, by address, that can be made and matter."""
    together = {key: value for change in wanted.values() for key, value in change.items()}
    try:
        components = load_components(overrides=together)
    except ComponentsError as error:
        refused = set(map(card_of, error.problems))
        allowed = {address: change for address, change in wanted.items() if address.rpartition(".")[0] not in refused}
        assert len(allowed) < len(wanted)
        return changed_together(allowed) if allowed else set()
    changed = {address for address in wanted if components.values[address] == wanted[address][address] != PRINTED.values[address]}
    assert not changed or components.hash != PRINTED.hash or all(address.endswith(NAMES) for address in changed)
    return changed


def card_of(problem: str) -> str:
    """`cards.12` of a problem with the change itself, or with what it does not go with, on line 13 of the file."""
    line = re.match(r"cards\.csv, line (\d+)", problem)
    return f"cards.{int(line[1]) - 1}" if line else problem.split(":")[0].removeprefix("override, ").rpartition(".")[0]


def part_of(address: str) -> str:
    return address.partition(".")[0] if is_printed(address) else "rules"


def tries_of(address: str) -> list[dict[str, Any]]:
    """Changes of a value, with what they may need beside them."""
    return [change for value in others(address, PRINTED.values[address]) for change in with_company(address, value)]


def matters(address: str) -> bool:
    """Whether some other value can be loaded, stands there then, and gives another hash (or stands there, if it is a name)."""
    for change in [TOGETHER[address]] if address in TOGETHER else tries_of(address):
        components = loaded(change)
        if components and components.values[address] == change[address] != PRINTED.values[address]:
            return components.hash != PRINTED.hash or address.endswith(NAMES)
    return False


def test_every_value_of_a_component_refuses_what_cannot_stand_there() -> None:
    addresses = [address for address in PRINTED.values if is_printed(address) and not address.endswith(EXCHANGED)]
    with pytest.raises(ComponentsError) as error:
        load_components(overrides={address: "" if address.endswith(NAMES) else "no such thing" for address in addresses})
    told = {problem.split(":")[0] for problem in error.value.problems}
    assert [address for address in addresses if f"override, {address}" not in told] == []


@pytest.mark.parametrize("address", ["roofs.3.round", "roofs.24.round", "buildings.deli.number"])
def test_what_is_exchanged_refuses_what_cannot_stand_there(address: str) -> None:
    with pytest.raises(ComponentsError, match=f"override, {address}: '9' does not fit"):
        load_components(overrides={address: 9})


def test_every_number_of_the_rules_refuses_what_cannot_stand_there() -> None:
    for address in [address for address in PRINTED.values if not is_printed(address)]:
        with pytest.raises(ComponentsError, match=f"override, {re.split('[.][0-9]', address)[0]}"):
            load_components(overrides={address: "no such thing"})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"prices.sell.*": "+=1"}, {"prices.sell.olive": 2, "prices.sell.grain": 2, "prices.sell.grape": 3, "prices.sell.pig": 4}),
        ({"prices.*.pig": "-=1"}, {"prices.buy.pig": 4, "prices.sell.pig": 2, "prices.upgrade.pig": 3}),
        ({"transport.donkeys.1": [1, 2]}, {"transport.donkeys.1": [1, 2]}),
        ({"transport.donkeys.1.2": "-=1"}, {"transport.donkeys.1": [1, 2]}),
        ({"farm.roof_vp": [0, 1, 2, 3, 9], "farm.roof_vp.5": "+=1"}, {"farm.roof_vp.5": 10}),
        ({"buildings.deli.goods": ["commodity", "commodity"]}, {"buildings.deli.goods": "commodity commodity"}),
        ({"buildings": {"deli": {"goods": "commodity"}}}, {"buildings.deli.goods": "commodity"}),
    ],
)
def test_what_is_changed_is_what_was_named(changes: dict[str, Any], expected: dict[str, Any]) -> None:
    assert load_components(overrides=changes).differences == expected


def test_what_is_changed_stands_beside_what_was_printed() -> None:
    changed = load_components(
        overrides={"prices.sell.pig": "+=1", "revenue.faces.4": "gain silver 5", "cards.1.helper_effect": "upgrade_cost -2"}
    ).changed
    assert [tuple(change) for change in changed] == [
        ("prices.sell.pig", 3, 4, "documented"),
        ("revenue.faces.4", "gain silver 4", "gain silver 5", "documented"),
        ("cards.1.helper_effect", "upgrade_cost -1", "upgrade_cost -2", "documented"),
    ]


def test_points_of_a_barrow_and_the_space_that_it_leads_to_are_two_things() -> None:
    """D6: a barrow leads to the space of its printed points, whatever it is worth."""
    changed = load_components(overrides={"cards.*.barrow_vp": "-=1"})
    assert [card.barrow_vp for card in changed.cards] == [card.barrow_vp - 1 for card in PRINTED.cards]
    assert [card.market_value for card in changed.cards] == [card.market_value for card in PRINTED.cards]
    assert load_components(overrides={"cards.12.market_value": 3}).differences == {"cards.12.market_value": 3}


def test_a_moved_roof_exchanges_its_round_with_the_lowest_numbered_one_of_that_round() -> None:
    lowest = min(roof.roof for roof in PRINTED.roofs if roof.round == 2)
    assert PRINTED.roof(3).round == 1
    assert load_components(overrides={"roofs.3.round": 2}).differences == {"roofs.3.round": 2, f"roofs.{lowest}.round": 1}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"cards.80.barrow_vp": 3}, "override, cards.80.barrow_vp: there is no card 80; expected 1 to 66"),
        ({"cards.12.barow_vp": 3}, "override, cards.12.barow_vp: 'barow_vp' is no value of a card (did you mean barrow_vp or barrow?)"),
        ({"buildings.delli.goods": "olive"}, "override, buildings.delli.goods: 'delli' is no building (did you mean deli?)"),
        ({"farm.roof_vp.9": 1}, "override, farm.roof_vp.9: there is no entry 9; expected 1 to 5"),
        ({"farm.roof_vp.5": 500}, "override, farm.roof_vp, entry 5: 500 does not fit; expected a whole number from 0 to 100"),
        ({"cards.*.nothing": 1}, "override, cards.*.nothing: matches no value"),
        ({"cards.12.field": "+=1"}, "override, cards.12.field: 'grain' takes no step +=1; expected a value"),
        ({"cards.12": 3}, "override, cards.12: names no value of a card; expected cards.N.COLUMN"),
        ({"cards.12.barrow_vp": True}, "override, cards.12.barrow_vp: true does not fit; expected a whole number or text"),
        ({"revenue.faces.4": "gain sliver 5"}, "override, revenue.faces, entry 4:"),
    ],
)
def test_a_wrong_address_or_value_is_refused_in_words(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(ComponentsError) as error:
        load_components(overrides=changes)
    assert str(error.value).startswith(told)


def test_a_variant_names_values_by_their_addresses(tmp_path: Path) -> None:
    """In its file keys stand in quotes, or in tables; the line of a wrong one is told."""
    text = 'name = "mine"\ntitle = "Mine"\nbase = "bga"\n"revenue.faces.4" = "gain silver 5"\n[cards.12]\nbarrow_vp = {}\n'
    path = tmp_path / "mine.toml"
    path.write_text(text.format(5))
    components = load_components(variant=path)
    assert components.differences.items() >= {"revenue.faces.4": "gain silver 5", "cards.12.barrow_vp": 5}.items()
    assert components.rules.farm.piglet_without_space == "sold"
    path.write_text(text.format('"many"'))
    with pytest.raises(ComponentsError, match=r"mine\.toml, line 6, cards\.12\.barrow_vp: 'many' does not fit"):
        load_components(variant=path)
    path.write_text('name = "mine"\nbase = "deluxe"\n"farm.roof_vp.5" = 500\n')
    with pytest.raises(ComponentsError, match=r"mine\.toml, line 3, farm\.roof_vp, entry 5"):
        load_components(variant=path)


def test_whatever_a_change_may_name_is_known() -> None:
    keys = set(find_game("lagranja").components.keys())
    assert keys > PRINTED.values.keys()
    assert {"prices", "farm.roof_vp", "transport.donkeys.1.2"} < keys
