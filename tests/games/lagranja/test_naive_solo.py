"""The naive referee plays the game for one by itself: known positions by rule id, and random games in which nothing gets lost."""

import random
from collections import Counter
from itertools import chain

import pytest
from naive import DONE, STOCK, Decision, laid_over
from naive_games import CARDS, PRINTED, RULES, VARIANTS, deck_maker, differences, drawn_by_lot, finish, run_to, stacks_of_roofs
from naive_solo import NEUTRAL, PLAYER, SoloReferee

GAMES = 50  # of each variant
NEGOTIATOR, SMUGGLER, TOWN_CRIER, EARLY_RISER = 2, 33, 21, 51
CARD_OF_4, OTHER_CARD_OF_4, CARD_OF_5, CARD_OF_6 = 7, 10, 3, 26  # by the points of the barrow
SILVER_DICE = [[4] * 9] * 6


def new_game(seed: object, variant: dict | None = None, **given: object) -> SoloReferee:
    """A game whose every chance hangs on the seed, but for what is given."""
    rng, rules = random.Random(str(seed)), laid_over(RULES, variant or {})
    setup = drawn_by_lot(rng, rules, 1)
    setup["order"] = rng.choice(([PLAYER, NEUTRAL], [NEUTRAL, PLAYER]))
    setup["roofs"] = [rng.sample(stack, len(stack)) for stack in stacks_of_roofs(rules)]
    return SoloReferee(PRINTED, variant or {}, setup | given, deck_maker(seed))


def neutral_moves_on(market: dict[int, int], card: int, *helpers: int) -> SoloReferee:
    """The game after a neutral move with this card on this market, the player owning these helpers."""
    game = new_game(1)
    game.phase, game.market, game.deck = "transport", dict(market), [*game.deck, card]
    game.farms[PLAYER].helpers = list(helpers)
    finish(game.neutral_move())
    return game


# ---------------------------------------------------------------------------------------------------------------------- by rule id


@pytest.mark.parametrize(("order", "market"), [([0, 1], {14: 0, 19: 1}), ([1, 0], {14: 1, 19: 0})])
def test_o1_the_order_marker_names_the_start_space_and_the_neutral_has_the_other(order: list[int], market: dict[int, int]) -> None:
    game = new_game(1, {"setup": {"bonus_silver_by_position": [5, 7, 0, 0]}}, order=order)
    state = game.snapshot()
    assert (state["order"], state["market"], state["siesta"][0], len(state["seats"])) == (order, market, [0], 1)
    assert state["seats"][0]["stock"]["silver"] == 1 + (5 if order == [0, 1] else 7)


@pytest.mark.parametrize("roofs", (1, 2, 4))
def test_o1_so_many_roofs_lie_open_each_round(roofs: int) -> None:
    game, offered = new_game(1, {"solo": {"roofs": roofs}}), []
    while (asked := run_to(game, "buy_roof")) is not None:
        offered.append(len(game.snapshot()["roofs_offered"]))
        game.choose(DONE if asked.kind == "buy_roof" else asked.options[0])
    assert offered == [roofs] * 6


@pytest.mark.parametrize(
    ("order", "dice", "expected"),
    [
        ([1, 0], [1, 2, 4, 4, 6], [[2, 4, 6], [4, 6], [6]]),  # 1 and the first 4 go
        ([0, 1], [1, 2, 4, 4, 6], [[1, 2, 4, 6], [4, 6], [6]]),  # the same, after the picks
        ([0, 1], [3, 3, 3, 3, 3], [[3], [3], [3]]),
    ],
)
def test_o2_picks_and_discards_by_turns_and_the_last_die_is_used(order: list[int], dice: list[int], expected: list[list[int]]) -> None:
    """The lowest face offered is picked each time, but for the first of a start player, who picks a 2 where there is one."""
    game = new_game(1, order=order, dice=[dice] * 6)
    faces = []
    for kind in ("take_die", "take_die", "last_die"):
        asked = run_to(game, kind)
        own = [option for option in asked.options if option["do"] in ("take_die", "use_die")]
        faces.append([option["die"] for option in own])
        game.choose(own[1] if len(own) == 4 else own[0])
    assert faces == expected
    assert run_to(game, "take_die", "choose_donkey").kind == "choose_donkey"


@pytest.mark.parametrize(("number", "gone"), [(1, 1), (3, 1), (4, 6), (6, 6)])
def test_o2_the_lowest_die_goes_in_the_first_rounds_and_then_the_highest(number: int, gone: int) -> None:
    game = new_game(1)
    game.round, game.dice = number, [1, 1, 0, 2, 0, 1]
    game.discard_a_die()
    assert game.dice[gone - 1] == [1, 1, 0, 2, 0, 1][gone - 1] - 1 and sum(game.dice) == 4


@pytest.mark.parametrize("order", ([0, 1], [1, 0]))
@pytest.mark.parametrize(("dice", "extra", "picks"), [(1, 1, (0, 0)), (2, 1, (1, 0)), (3, 1, (1, 1)), (9, 1, (4, 4)), (5, 0, (3, 2))])
def test_o2_other_numbers_of_dice(dice: int, extra: int, picks: tuple[int, int], order: list[int]) -> None:
    game = new_game(1, {"solo": {"dice": dice}, "setup": {"dice_extra": extra}}, order=order, dice=SILVER_DICE)
    kinds = []
    while (asked := run_to(game, "take_die", "last_die", "choose_donkey")).kind != "choose_donkey":
        kinds.append(asked.kind)
        game.choose(asked.options[0])
    assert kinds == ["take_die"] * picks[order[0]] + ["last_die"] * extra


@pytest.mark.parametrize(
    ("dice", "left"), [([1, 1, 1, 0, 0, 0], [1, 0, 1, 0, 0, 0]), ([2, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]), ([1, 0, 0, 0, 0, 0], [0] * 6)]
)
def test_o7_h2_the_only_die_of_a_reserved_face_is_discarded_last(dice: list[int], left: list[int]) -> None:
    game = new_game(1)
    game.round, game.dice, game.reserved = 1, dice, {1: PLAYER}
    game.discard_a_die()
    assert game.dice == left


@pytest.mark.parametrize(("market", "card", "space", "stays"), [
    ({7: 0, 11: 0, 15: 0}, CARD_OF_4, 6, {15: 0}),  # two 3s beside one free 4, one beside another (O9 a)
    ({20: 0}, CARD_OF_4, 6, {20: 0}),  # nothing to remove: four steps away, the other 4s two and three
    ({20: 1}, CARD_OF_4, 6, {20: 1}),  # the neutral's own markers count as others
    ({2: 0, 12: 1}, CARD_OF_4, 3, {12: 1}),  # 3 and 6 remove one each; what is removed is no neighbour any more
    ({}, CARD_OF_4, 6, {}),  # no other marker: no higher neighbour
    ({}, CARD_OF_6, 8, {}),  # all equal: the lowest number
    ({3: 1, 9: 1, 18: 1, 7: 1}, CARD_OF_4, 6, {3: 1, 9: 1, 18: 1, 7: 1}),  # the only free one; its own markers are not removed
])  # fmt: skip
def test_o3_where_the_neutral_marker_goes(market: dict[int, int], card: int, space: int, stays: dict[int, int]) -> None:
    game = neutral_moves_on(market, card)
    assert game.market == stays | {space: NEUTRAL}
    assert game.discard == [card]
    assert game.farms[PLAYER].stock["vp"] == 1


def test_o3_m3_with_its_value_full_it_replaces_where_most_are_removed() -> None:
    game = neutral_moves_on({4: 1, 13: 0, 24: 0, 19: 0, 14: 0}, CARD_OF_5)
    assert game.market == {4: 1, 13: 1, 24: 0}


def test_o3_m3_with_its_value_full_of_neutral_markers_it_places_nothing() -> None:
    game = neutral_moves_on({4: 1, 13: 1, 24: 1, 19: 0}, CARD_OF_5)
    assert (game.market, game.discard) == ({4: 1, 13: 1, 24: 1, 19: 0}, [CARD_OF_5])


def test_o3_s7_a_deck_made_anew_does_not_hold_the_card_just_drawn() -> None:
    game = new_game(1)
    game.market, game.deck, game.discard = {}, [CARD_OF_4], [OTHER_CARD_OF_4]
    finish(game.neutral_move())
    assert (game.deck, game.discard, game.market) == ([OTHER_CARD_OF_4], [CARD_OF_4], {6: NEUTRAL})
    game.deck, game.discard = [], []
    finish(game.neutral_move())
    assert (game.deck, game.discard, game.market) == ([], [], {6: NEUTRAL})


@pytest.mark.parametrize(("order", "before_t1", "in_t3"), [([1, 0], 2, 2), ([0, 1], 1, 1)])
def test_o3_o8_the_neutral_card_comes_before_the_players_phase_or_after_it(order: list[int], before_t1: int, in_t3: int) -> None:
    game = new_game(1, order=order, dice=SILVER_DICE)
    run_to(game, "choose_donkey")
    assert list(game.market.values()).count(NEUTRAL) == before_t1
    run_to(game, "free_delivery", donkey=4)
    assert list(game.market.values()).count(NEUTRAL) == in_t3
    run_to(game, "play_card")
    assert list(game.market.values()).count(NEUTRAL) == 2


def test_o3_the_neutral_moves_in_the_last_round_too() -> None:
    game = new_game(1, {"game": {"rounds": 1}}, dice=SILVER_DICE)
    run_to(game)
    assert list(game.market.values()).count(NEUTRAL) == 2


@pytest.mark.parametrize(("helper", "item", "amount"), [(NEGOTIATOR, "vp", 2), (SMUGGLER, "silver", 4)])
def test_o11_m5_helpers_answer_to_the_players_markers_removed_by_the_neutral(helper: int, item: str, amount: int) -> None:
    game = neutral_moves_on({7: 0, 11: 0}, CARD_OF_4, helper)
    assert game.farms[PLAYER].stock[item] == 1 + amount


def test_o2_m2_a_point_for_each_neutral_marker_the_player_removes() -> None:
    game = new_game(1, {"market": {"removal_vp": 3}})
    game.phase, game.turn, game.market, game.farms[PLAYER].helpers = "transport", PLAYER, {7: 1, 11: 1, 15: 1}, [TOWN_CRIER]
    finish(game.place_after_barrow(PLAYER, 4), {"do": "place_marker", "space": 6})
    assert game.market == {6: 0, 15: 1}
    assert (game.farms[PLAYER].points["market_removal"], game.farms[PLAYER].points["helper"]) == (6, 2)


def test_o9_m3_the_player_may_replace_a_neutral_marker_where_the_value_is_full() -> None:
    game = new_game(1)
    game.phase, game.turn, game.market = "transport", PLAYER, {4: 0, 13: 1, 24: 1, 12: 1}
    asked = finish(game.place_after_barrow(PLAYER, 5), {"do": "place_marker", "space": 13})
    assert asked[0].options == [{"do": "place_marker", "space": 13}, {"do": "place_marker", "space": 24}, {"do": "decline"}]
    assert (game.market, game.farms[PLAYER].points["market_removal"]) == ({4: 0, 13: 0, 24: 1}, 2)


@pytest.mark.parametrize(("donkey", "section", "starts"), [(1, 2, True), (2, 2, True), (3, 2, False), (2, 3, False), (4, 0, True)])
@pytest.mark.parametrize("order", ([0, 1], [1, 0]))
def test_o4_the_section_reached_says_who_starts_the_next_round(donkey: int, section: int, starts: bool, order: list[int]) -> None:
    game = new_game(1, {"solo": {"start_from_section": section}}, order=order, dice=SILVER_DICE)
    run_to(game, "free_delivery", "buy_delivery", donkey=donkey)
    assert game.snapshot()["order"] == order
    run_to(game, "play_card")
    state = game.snapshot()
    assert (state["round"], state["order"], state["siesta"][0]) == (2, [0, 1] if starts else [1, 0], [0])


@pytest.mark.parametrize(
    ("order", "donkey", "rounds", "silver"), [([1, 0], 1, 2, 3), ([1, 0], 3, 2, 0), ([0, 1], 1, 2, 0), ([1, 0], 1, 1, 0)]
)
def test_o11_h4_becoming_start_player_is_looked_at_when_the_disc_has_moved(order: list[int], donkey: int, rounds: int, silver: int) -> None:
    game = new_game(1, {"game": {"rounds": rounds}}, order=order, dice=SILVER_DICE)
    run_to(game, "choose_donkey")
    game.farms[PLAYER].helpers = [EARLY_RISER]
    run_to(game, "free_delivery", "buy_delivery", donkey=donkey)
    assert sum(entry[4] for entry in game.ledger if entry[6] == f"helper {EARLY_RISER}") == silver


# --------------------------------------------------------------------------------------------------------------------- random games


def assert_nothing_is_lost(game: SoloReferee) -> None:
    """Every card is in one place, points add up to their sources, markers keep to their limit and to open spaces."""
    farm, rules = game.farms[PLAYER], game.rules
    on_farm = chain(farm.hand, farm.field_cards, farm.barrows, farm.helpers, farm.extensions)
    assert sorted([*game.deck, *game.discard, *on_farm]) == sorted(CARDS)
    assert farm.stock["vp"] == sum(farm.points.values())
    assert all(farm.stock[item] >= 0 for item in STOCK)
    assert not rules["setup"]["markers"] or game.markers_in_use(PLAYER) <= rules["setup"]["markers"]
    assert set(game.market) <= set(game.open_spaces()) and set(game.market.values()) <= {PLAYER, NEUTRAL}
    neutral_markers_gone = 1 + game.round - list(game.market.values()).count(NEUTRAL)
    assert farm.points["market_removal"] <= rules["market"]["removal_vp"] * neutral_markers_gone
    assert [seat for stack in game.siesta for seat in stack] == [PLAYER]
    assert sum(game.dice) <= rules["solo"]["dice"]


def assert_well_asked(asked: Decision) -> None:
    assert asked.seat == PLAYER and asked.options
    assert all(option not in asked.options[:at] for at, option in enumerate(asked.options)), asked


def assert_the_ledger_adds_up(game: SoloReferee) -> None:
    booked: Counter = Counter()
    for _, _, seat, item, amount, _, _ in game.ledger:
        assert seat == PLAYER
        booked[item] += amount
    assert all(booked[item] == game.farms[PLAYER].stock[item] for item in STOCK)


def oddly(rng: random.Random, options: list[dict]) -> dict:
    """Any kind of act first, then any option of it, so that rare acts are as common as buying and selling."""
    act = rng.choice(sorted({option["do"] for option in options}))
    return rng.choice([option for option in options if option["do"] == act])


def eagerly(rng: random.Random, options: list[dict]) -> dict:
    """A delivery if there is one, and nothing sold or declined, so that rows, barrows and market fill."""
    deliveries = [option for option in options if option["do"] == "deliver"]
    return oddly(rng, deliveries or [option for option in options if option["do"] not in ("sell", "done", "decline", "forgo")] or options)


WAYS_TO_CHOOSE = (random.Random.choice, oddly, eagerly)


def play(game: SoloReferee, number: int) -> list[dict]:
    """To the end; returns what was chosen."""
    chosen: list[dict] = []
    rng, choose = random.Random(number), WAYS_TO_CHOOSE[number % len(WAYS_TO_CHOOSE)]
    while (asked := game.decision()) is not None:
        assert_nothing_is_lost(game)
        assert_well_asked(asked)
        chosen.append(choose(rng, asked.options))
        game.choose(chosen[-1])
    assert_nothing_is_lost(game)
    assert_the_ledger_adds_up(game)
    return chosen


def assert_every_option_can_be_carried_out(seed: str, variant: dict, chosen: list[dict]) -> None:
    """At the decision after these choices each option in turn leads to a sound state."""
    options = replayed(seed, variant, chosen).decision().options
    for option in options:
        game = replayed(seed, variant, chosen)
        game.choose(option)
        assert_nothing_is_lost(game)


def replayed(seed: str, variant: dict, chosen: list[dict]) -> SoloReferee:
    game = new_game(seed, variant)
    for option in chosen:
        game.choose(option)
    return game


@pytest.mark.parametrize("name", VARIANTS)
def test_solo_games_of_every_variant_run_to_their_end(name: str) -> None:
    variant, seen = differences(name), Counter()
    for number in range(GAMES):
        seed = f"{name} {number}"
        game = new_game(seed, variant)
        first = game.starts
        chosen = play(game, number)
        assert (game.round, game.phase) == (6, "end")
        seen["neutral markers removed"] += game.farms[PLAYER].points["market_removal"]
        seen[first, game.starts] += 1
        assert_every_option_can_be_carried_out(seed, variant, chosen[: random.Random(number).randrange(len(chosen))])
    assert len(seen) == 5 and all(seen.values()), seen  # all ways of starting and ending


ODD_RULES = {
    "few markers": {"setup": {"markers": 6}},
    "dice and roofs": {"solo": {"dice": 8, "roofs": 4, "lowest_die_until_round": 0, "start_from_section": 0}, "setup": {"dice_extra": 0}},
    "roof markers remove": {"market": {"roof_marker_removes": True, "closed_below_players": 2}, "revenue": {"modify_die": "up_or_down"}},
    "a small deck": {"setup": {"cards": 12}, "farm": {"hand_limit": 12, "cards_per_round": 4, "pig_spaces": 0}},
    "short and cheap": {"game": {"rounds": 3}, "transport": {"extra_delivery_cost": 0}, "solo": {"dice": 1, "roofs": 1}},
}


@pytest.mark.parametrize("name", ODD_RULES)
def test_solo_games_under_odd_rules_run_to_their_end(name: str) -> None:
    for number in range(9):
        play(new_game(f"{name} {number}", ODD_RULES[name]), number)
