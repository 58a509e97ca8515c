"""The naive referee in known positions: what comes before a price, and what is offered for one."""

from collections import Counter

import pytest
from naive import DONE, FORGO, Origin, Referee, parse_effect
from naive_games import finish, new_game

DONKEY_DRIVER, FERRYMAN, IMPORTER, MULETEER = 12, 14, 54, 15
PURCHASED_DELIVERY = 11
OLIVE_BARROW = 25
GIVE_UP_OLIVE = {"do": "give_up", "good": "olive", "from": "den"}
BUY = {"do": "buy_delivery"}


def in_turn(
    rules: dict | None = None, markers: int = 0, missing: tuple[str, ...] = (), helpers: tuple[int, ...] = (), **stock: int
) -> Referee:
    """Seat 0 has its turn with this stock, these symbols left on a barrow or the merchant house, and so many markers free."""
    game = new_game(1, rules)
    game.phase, game.turn, game.market, game.blocked = "transport", 0, {}, []
    farm = game.farms[0]
    farm.stock, farm.helpers, farm.done = Counter(stock), list(helpers), ["deli"]
    farm.barrows = {OLIVE_BARROW: ["olive"] * missing.count("olive")} if "olive" in missing else {}
    farm.rows = {"merchant_house": ["silver"]} if "silver" in missing else {}
    game.rules["setup"] |= {"markers": game.markers_in_use(0) + markers}
    return game


def test_l1_the_marker_comes_before_the_price_of_a_good() -> None:
    game = in_turn(olive=1, silver=3)
    asked = finish(game.anytime_action(0, {"do": "buy", "good": "grain"}), GIVE_UP_OLIVE)
    assert ([decision.kind for decision in asked], +game.farms[0].stock) == (["give_up"], Counter(grain=1))


def test_l1_who_forgoes_pays_nothing() -> None:
    game = in_turn(olive=1, silver=3)
    finish(game.anytime_action(0, {"do": "buy", "good": "grain"}), FORGO)
    assert +game.farms[0].stock == Counter(olive=1, silver=3)


def test_l1_without_a_marker_within_reach_nothing_is_bought() -> None:
    game = in_turn(silver=9)
    assert {"do": "buy", "good": "grain"} not in game.anytime_options(0, effects=True, before_die=False)
    game = in_turn(silver=9, missing=("olive",))  # the barrow's other olive lies on it
    assert {"do": "buy", "good": "grain"} in game.anytime_options(0, effects=True, before_die=False)


def test_l1_a_helper_forgone_for_want_of_a_marker_was_not_used() -> None:
    game = in_turn(olive=1, silver=3, helpers=(IMPORTER,))
    finish(game.use_helper(0, IMPORTER), FORGO)
    assert (+game.farms[0].stock, game.farms[0].uses[IMPORTER]) == (Counter(olive=1, silver=3), 0)
    finish(game.use_helper(0, IMPORTER), GIVE_UP_OLIVE)
    assert (+game.farms[0].stock, game.farms[0].uses[IMPORTER]) == (Counter(commodity=1), 1)


def test_l1_whoever_pays_with_a_good_is_not_asked() -> None:
    game = in_turn(commodity=1)
    use = {"do": "use_commodity", "effect": "gain harvest_different 2"}
    assert use in game.anytime_options(0, effects=True, before_die=False)
    asked = finish(game.anytime_action(0, use), {"do": "gain", "goods": ["olive", "grain"]}, FORGO)
    assert [decision.kind for decision in asked] == ["choose_goods", "give_up"]  # the second unit, when its turn comes
    assert +game.farms[0].stock == Counter(olive=1)


@pytest.mark.parametrize(
    ("stock", "offered"), [({"silver": 1}, False), ({"silver": 2}, True), ({"silver": 1, "olive": 1}, True), ({"olive": 1}, False)]
)
def test_t4_a_purchase_is_judged_by_what_is_left_after_paying(stock: dict[str, int], offered: bool) -> None:
    game = in_turn(markers=5, missing=("silver", "olive"), **stock)
    assert next(game.buy_deliveries(0)).options[:-1].count(BUY) == offered
    game.farms[0].roofs = [[PURCHASED_DELIVERY, True]]
    assert game.roof_is_usable(0, PURCHASED_DELIVERY) == offered


def test_t4_up_front_each_number_is_judged_by_what_it_leaves() -> None:
    game = in_turn({"transport": {"extra_deliveries_paid": "up_front", "extra_deliveries": 4}}, 5, ("silver",), silver=3)
    own = [option for option in next(game.buy_deliveries(0)).options if option["do"] == "buy_deliveries"]
    assert [option["count"] for option in own] == [1, 2]


@pytest.mark.parametrize(("helper", "stock", "usable"), [
    (FERRYMAN, {"olive": 1}, False),
    (FERRYMAN, {"olive": 1, "grape": 1}, True),
    (FERRYMAN, {"olive": 2}, True),
    (DONKEY_DRIVER, {"silver": 2}, False),
    (DONKEY_DRIVER, {"silver": 3}, True),
])  # fmt: skip
def test_a6_a_helper_is_judged_by_what_its_cost_leaves(helper: int, stock: dict[str, int], usable: bool) -> None:
    game = in_turn(markers=5, missing=("silver", "olive"), helpers=(helper,), **stock)
    assert game.helper_is_usable(0, helper) == usable


@pytest.mark.parametrize(("what", "left"), [("harvest", {"olive": 1, "grape": 1}), ("harvest_different", {"olive": 1})])
def test_a6_of_each_kind_counts_what_the_best_way_of_paying_leaves(what: str, left: dict[str, int]) -> None:
    game = in_turn(olive=2, grape=1, silver=1)
    use = parse_effect(f"pay {what} 2 ; gain vp 1")[0]
    with game.after_paying(0, use.pays):
        assert (+game.farms[0].stock, game.free_markers(0)) == (Counter(left | {"silver": 1}), 2)
    assert game.is_available(0, use, Origin("other", ""))


@pytest.mark.parametrize("fixed", (False, True))
def test_t4_the_number_is_counted_when_it_is_asked_unless_it_is_fixed(fixed: bool) -> None:
    game = in_turn({"transport": {"extra_delivery_limit_fixed": fixed}}, 5, ("olive", "olive"), (MULETEER,), silver=9, olive=2)
    turn = game.buy_deliveries(0)
    assert BUY in next(turn).options
    deliver = turn.send(BUY)
    game.farms[0].helpers = []  # the second delivery was the Muleteer's
    asked = turn.send(deliver.options[0])
    assert (asked.kind, BUY in asked.options, DONE in asked.options) == ("buy_delivery", fixed, True)


def test_t4_one_by_one_the_window_stays_open_while_the_number_may_grow() -> None:
    game = in_turn({"transport": {"extra_delivery_limit_fixed": False, "extra_deliveries": 0}}, 5, ("olive",), silver=9, olive=2)
    turn = game.buy_deliveries(0)
    asked = next(turn)
    assert (asked.kind, BUY in asked.options) == ("buy_delivery", False)
    game.farms[0].helpers = [MULETEER]
    assert BUY in turn.send({"do": "buy", "good": "olive"}).options


def test_t4_a_purchase_forgone_for_want_of_a_marker_counts_for_the_number_only() -> None:
    game = in_turn({"transport": {"extra_delivery_limit_fixed": True}}, missing=("silver",), silver=2, food=1)
    asked = finish(game.buy_deliveries(0), BUY, FORGO, DONE)
    assert [decision.kind for decision in asked] == ["buy_delivery", "give_up", "end_turn"]
    assert (game.farms[0].stock["silver"], game.farms[0].bought_deliveries) == (2, 0)
