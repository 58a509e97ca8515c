"""Every number of the rules is in force: changed alone, it changes what one small scene shows."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from table import Table

from lagranja_sim.games.lagranja.components.variants import PRINTED
from lagranja_sim.games.lagranja.rules.names import BUILDINGS
from lagranja_sim.games.lagranja.rules.result import rank_of
from lagranja_sim.kit.tomlfile import flatten

Make = Callable[..., Table]  # makes a table with or without the change


@dataclass(frozen=True)
class Case:
    """The key's other value, a scene, and what it shows with the printed value and with the other."""

    changed: Any
    scene: Callable[[Make], Any]
    printed: Any
    then: Any
    also: tuple[tuple[str, Any], ...] = ()  # keys that have to change along


# --- scenes ------------------------------------------------------------------------------------------------------------------------


def dealt_stock(good: str) -> Callable[[Make], int]:
    """What the start player starts with."""

    def scene(make: Make) -> int:
        table = make(dealt=1)
        return table.stock(table.order()[0], good)

    return scene


def section_after_round_3(make: Make) -> int:
    return int(make().in_round(3).disc(0, 2).scoring_phase().player(0).siesta)


def another(building: str) -> str:
    return "deli" if building != "deli" else "butcher"


def complete(building: str, source: str, blocked: str = "") -> Callable[[Make], int]:
    """Points for completing a building in round 2 while another is blocked, which it opens."""

    def scene(make: Make) -> int:
        table = make().in_round(2).block(blocked or another(building))
        good = str(table.components.building(building).goods[0])
        table.row(0, building, missing=good).give(0, **{good: 1}).free_deliveries(0, 1).choose(good=good, to=building)
        return table.points(0).get(source, 0)

    return scene


def cards_played(number: int) -> Callable[[Make], int]:
    def scene(make: Make) -> int:
        table = make().in_round(number)
        for _ in range(4):
            table.hold(0)
        table.cards_turn(0)
        while table.kind == "play_card":
            table.choose(card=table.hand(0)[0], side="field")
        return int(table.player(0).fields.sum())

    return scene


def drawn_up_to(make: Make) -> int:
    return len(make().in_round(2).give(0, olive=1).cards_turn(0).done().hand(0))


def ranks_of_equals(make: Make) -> list[int]:
    """Ranks of two with as many points, of whom the first has more silver left."""
    table = make().give(0, vp=9, silver=4).give(1, vp=9, silver=3).end_of_game()
    return [rank_of(table.game, table.box, seat) for seat in table.seats]


def growth_with(pigs: int, spaces: int) -> Callable[[Make], dict[str, int]]:
    return lambda make: make().extend(0, pig=spaces - 2).give(0, pig=pigs).growth(0).leave().gained(0)


def first_extension(make: Make) -> int:
    """Goods paid for it."""
    table = make().in_round(2).give(0, food=1, wine=1)
    card = table.hold(0)
    table.cards_turn(0).choose(card=card, side="extension")
    while table.kind == "pay_extension":
        table.choose(**table.options()[0])
    return -sum(table.gained(0).values())


def ways_to_play(side: str, prepare: Callable[[Table], Any]) -> Callable[[Make], int]:
    """How many ways there are to play a card on this side."""

    def scene(make: Make) -> int:
        table = make().in_round(2).give(0, silver=1, olive=1)
        card = table.hold(0)
        prepare(table)
        return len(table.cards_turn(0).offers(card=card, side=side))

    return scene


def roof_bought(make: Make) -> dict[str, int]:
    """The first roof, in round 2."""
    return make().in_round(2).offer("pig").give(0, silver=9).roofs(0).choose(do="buy_roof").gained(0)


def roofs_offered_with_one(make: Make) -> int:
    table = make().in_round(2).offer("pig").give(0, silver=9)
    table.roof(0, "olive")
    return len(table.roofs(0).offers(do="buy_roof"))


def first_roof_buyer(make: Make) -> int:
    return make().offer("olive", "4 silver").give(0, silver=1).give(1, silver=1).whole_round(1).seat


def trade(do: str, good: str) -> Callable[[Make], int]:
    """Silver that a trade costs or brings."""
    return lambda make: abs(make().give(0, **{good: 1}, silver=20).turn(0).choose(do=do, good=good).gained(0)["silver"])


def uses_of_a_commodity(make: Make) -> int:
    return len(make().give(0, commodity=1).turn(0).offers(do="use_commodity"))


def donkey_1(make: Make) -> int:
    return int(make().transport_phase().choose(donkey=1).choose(donkey=4).player(0).siesta)


def deliveries_bought(make: Make) -> int:
    table, count = make().give(0, silver=9).buying_deliveries(0), 0
    while table.offers(do="buy_delivery"):
        table.choose(do="buy_delivery").choose(do="deliver", to="merchant_house")
        count += 1
    return count


def price_of_a_delivery(make: Make) -> int:
    return -make().give(0, silver=9, food=1).buying_deliveries(0).choose(do="buy_delivery").choose(good="food").gained(0)["silver"]


def deliveries_with_an_extension_played_meanwhile(make: Make) -> bool:
    """Whether a second delivery can be bought after an extension with an icon was played in the same turn."""
    table = make().give(0, silver=20, commodity=1)
    card = table.hold(0, ext_delivery=1)
    table.buying_deliveries(0).choose(do="use_commodity", effect="play_card").choose(card=card, side="extension")
    table.choose(do="buy_delivery").choose(do="deliver", to="merchant_house")
    return bool(table.offers(do="buy_delivery"))


def open_spaces(make: Make) -> int:
    return sum(len(make(players=3).spaces(value)) for value in range(2, 7))


def removal(make: Make) -> int:
    table = make().mark(1, 7).give(0, olive=1)
    wagon = table.barrow(0, "olive", value=4)
    return table.free_deliveries(0, 1).choose(to=wagon).choose(space=3).points(0).get("market_removal", 0)


def market_marker_roof(make: Make) -> dict[int, int]:
    table = make().mark(1, 7)
    table.roof(0, "market marker")
    return table.turn(0).choose(do="use_roof").choose(space=3).market()


def die_1(make: Make) -> str:
    table = make()
    table.roof(0, "die 1")
    return table.pick(0, 3, 1).choose(do="use_roof").kind


FACES = [
    "gain vp 1",
    "play_card | gain card 1 | gain harvest 1",
    "gain harvest_different 2",
    "gain silver 4",
    "upgrade 2 | siesta 2",
    "deliver 1 | gain silver 2",
]


CASES: dict[str, Case] = {
    "game.rounds": Case(3, section_after_round_3, 0, 2),
    "game.min_players": Case(3, lambda make: make().components.players, (1, 2, 3, 4), (1, 3, 4)),
    "game.max_players": Case(3, lambda make: make().components.players, (1, 2, 3, 4), (1, 2, 3)),
    "game.anytime_actions_a_turn": Case(0, lambda make: len(make().give(0, olive=1).turn(0).offers(do="sell")), 1, 0),
    "game.tie_break": Case("none", ranks_of_equals, [1, 2], [1, 1]),
    "setup.victory_points": Case(4, dealt_stock("vp"), 1, 4),
    "setup.silver": Case(3, dealt_stock("silver"), 1, 3),
    "setup.commodities": Case(0, dealt_stock("commodity"), 1, 0),
    "setup.cards": Case(6, lambda make: len(make(dealt=1).hand(0)), 4, 6),
    "setup.blocked_buildings": Case(1, lambda make: len(make(dealt=1).blocked()), 3, 1),
    "setup.dice_per_player": Case(1, lambda make: int(make(dealt=1).in_round(1).revenue_phase().game.dice_left.sum()), 5, 3),
    "setup.dice_extra": Case(0, lambda make: int(make(dealt=1).in_round(1).revenue_phase().game.dice_left.sum()), 5, 4),
    "setup.markers": Case(9, lambda make: make(dealt=1).free_markers(0), 23, 7),
    "setup.bonus_vp_by_position": Case([2, 0, 0, 0], dealt_stock("vp"), 1, 3),
    "setup.bonus_silver_by_position": Case([-1, 0, 0, 0], dealt_stock("silver"), 1, 0),
    "buildings.vp_per_round": Case(3, complete("butcher", "building"), 2, 6),
    **{f"buildings.bonus_vp.{building}": Case(5, complete(building, "building"), 2, 7) for building in BUILDINGS},
    "buildings.first_completion_vp": Case(4, complete("butcher", "first"), 1, 4),
    **{f"buildings.first_bonus_vp.{building}": Case(5, complete(building, "first"), 1, 6) for building in BUILDINGS},
    "buildings.unlock_vp": Case(0, complete("butcher", "unlock"), 1, 0),
    **{f"buildings.unlock_bonus_vp.{building}": Case(-1, complete(another(building), "unlock", building), 1, 0) for building in BUILDINGS},
    "farm.hand_limit": Case(5, drawn_up_to, 3, 5),
    "farm.cards_first_round": Case(1, cards_played(1), 2, 1),
    "farm.cards_per_round": Case(2, cards_played(2), 1, 2),
    "farm.cards_drawn": Case(1, drawn_up_to, 3, 1),
    "farm.pig_spaces": Case(1, lambda make: make().extend(0, pig=0).give(0, pig=1).takes(0, 1).gained(0), {"pig": 1}, {"silver": 3}),
    "farm.breeding_pigs": Case(1, growth_with(pigs=1, spaces=2), {}, {"pig": 1}),
    "farm.piglets": Case(2, growth_with(pigs=2, spaces=9), {"pig": 1}, {"pig": 2}),
    "farm.extension_cost_step": Case(2, first_extension, 1, 2),
    "farm.max_extensions": Case(1, ways_to_play("extension", lambda table: table.extend(0)), 1, 0),
    "farm.piglet_without_space": Case("sold", growth_with(pigs=2, spaces=2), {}, {"silver": 3}),
    "farm.greengrocer_step": Case("income", lambda make: make().complete(0, "greengrocer").income().kind, "", "choose_good"),
    "farm.barrow_slots": Case(2, ways_to_play("barrow", lambda table: [table.barrow(0, "olive") for _ in range(2)]), 1, 2),
    "farm.helper_slots": Case(2, ways_to_play("helper", lambda table: [table.hire(0, "Chef"), table.hire(0, "Mason")]), 1, 2),
    "farm.roof_slots": Case(1, roofs_offered_with_one, 1, 0, also=(("farm.roof_vp", [0]),)),
    "farm.roof_vp": Case([2, 2, 2, 2, 2], roof_bought, {"silver": -2}, {"silver": -2, "vp": 2}),
    "farm.roof_cost_per_round": Case(3, roof_bought, {"silver": -2}, {"silver": -6}),
    "farm.first_round_roofs_reversed": Case(False, first_roof_buyer, 1, 0),
    "prices.buy.olive": Case(7, trade("buy", "olive"), 3, 7),
    "prices.buy.grain": Case(7, trade("buy", "grain"), 3, 7),
    "prices.buy.grape": Case(7, trade("buy", "grape"), 4, 7),
    "prices.buy.pig": Case(7, trade("buy", "pig"), 5, 7),
    "prices.sell.olive": Case(7, trade("sell", "olive"), 1, 7),
    "prices.sell.grain": Case(7, trade("sell", "grain"), 1, 7),
    "prices.sell.grape": Case(7, trade("sell", "grape"), 2, 7),
    "prices.sell.pig": Case(7, trade("sell", "pig"), 3, 7),
    "prices.upgrade.olive": Case(7, trade("upgrade", "olive"), 2, 7),
    "prices.upgrade.grain": Case(7, trade("upgrade", "grain"), 2, 7),
    "prices.upgrade.grape": Case(7, trade("upgrade", "grape"), 3, 7),
    "prices.upgrade.pig": Case(7, trade("upgrade", "pig"), 4, 7),
    "prices.commodity_silver": Case(3, lambda make: make().give(0, commodity=1).end_of_game().gained(0)["silver"], 4, 3),
    "prices.commodity_uses": Case("gain silver 9 | gain vp 1", uses_of_a_commodity, 4, 2),
    "prices.silver_per_vp": Case(3, lambda make: make().give(0, silver=9).end_of_game().points(0), {"silver": 1}, {"silver": 3}),
    "revenue.faces": Case(FACES, lambda make: make().takes(0, 1).gained(0), {"pig": 1}, {"vp": 1}),
    "revenue.modify_die": Case("up_or_down", die_1, "take_die", "shift_die"),
    "transport.donkeys": Case([[1, 1], [2, 2], [3, 1], [4, 0]], donkey_1, 3, 1),
    "transport.donkeys_return_in_round": Case(3, lambda make: make().in_round(3).used_tiles(0, 1, 2).transport_phase().count, 2, 4),
    "transport.siesta_vp": Case([0, 0, 0, 5], lambda make: make().disc(0, 3).scoring_phase().points(0), {"siesta": 2}, {"siesta": 5}),
    "transport.extra_deliveries": Case(3, deliveries_bought, 1, 3),
    "transport.extra_delivery_cost": Case(2, price_of_a_delivery, 1, 2),
    "transport.extra_deliveries_paid": Case(
        "up_front", lambda make: make().give(0, silver=9).buying_deliveries(0).kind, "buy_delivery", "buy_deliveries"
    ),
    "transport.extra_delivery_limit_fixed": Case(True, deliveries_with_an_extension_played_meanwhile, True, False),
    "market.start": Case([4, 2, 2, 2], lambda make: sorted(make(dealt=1).market()), [14, 19], [14, 18]),
    "market.closed_below_players": Case(3, open_spaces, 19, 29),
    "market.removal_vp": Case(2, removal, 1, 2),
    "market.marker_vp": Case(2, lambda make: make().mark(0, 2, 3).scoring_phase().points(0), {"market_round": 2}, {"market_round": 4}),
    "market.roof_marker_removes": Case(True, market_marker_roof, {3: 0, 7: 1}, {3: 0}),
    "solo.dice": Case(7, lambda make: int(make(1).revenue_phase().game.dice_left.sum()), 5, 7),
    "solo.roofs": Case(3, lambda make: int((make(1, dealt=1).game.roof_offer > 0).sum()), 2, 3),
    "solo.lowest_die_until_round": Case(0, lambda make: make(1).second().dice(1, 2, 3, 3, 3).revenue_phase().count, 2, 3),
    "solo.start_from_section": Case(3, lambda make: make(1).disc(0, 2).scoring_phase().starts, True, False),
    "helpers.permanent": Case(
        ["Chef"], ways_to_play("helper", lambda table: [table.hire(0, name) for name in ("Chef", "Mason", "Dozer")]), 3, 2
    ),
}


def maker(overrides: dict[str, Any]) -> Make:
    return lambda players=2, **how: Table(players, overrides=overrides, **how)


@pytest.mark.parametrize("key", CASES)
def test_a_changed_number_changes_the_game(key):
    case = CASES[key]
    assert case.scene(maker({})) == case.printed
    assert case.scene(maker({key: case.changed, **dict(case.also)})) == case.then


def test_every_number_of_the_rules_has_a_case():
    rules = tomllib.loads((PRINTED / "rules.toml").read_text(encoding="utf-8"))
    assert set(flatten(rules)) == set(CASES)
