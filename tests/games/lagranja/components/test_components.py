"""Components: what is read, their hash, how they are shown, and the arrays the rules take."""

import json
import subprocess
import sys

import pytest

from lagranja_sim.games.lagranja.components import ComponentsError, load_components
from lagranja_sim.games.lagranja.components.box_record import BOX
from lagranja_sim.games.lagranja.components.show import PARTS, show_components
from lagranja_sim.games.lagranja.components.tables import SOURCE_COLUMNS
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, Condition, Event, Item, Passive, Phase, Side, Verb, When


@pytest.fixture(scope="module")
def printed():
    return load_components()


# --- the printed set -------------------------------------------------------------------------------------------------------------


def test_importing_needs_no_compiler():
    code = "import sys, lagranja_sim.games.lagranja.components as c; c.load_components(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_box_is_one_record(printed):
    assert printed.box.shape == (1,)
    assert printed.box.dtype == BOX


def test_numbers_of_players(printed):
    assert printed.players == (1, 2, 3, 4)
    assert load_components(overrides={"game.min_players": 1}).players == (1, 2, 3, 4)
    assert load_components(overrides={"game.min_players": 3, "game.max_players": 3}).players == (1, 3)


def test_sources_count_every_value(printed):
    counts = {count.part: count for count in printed.sources()}
    assert counts["fields"] == ("fields", 0, 1, 65)
    assert counts["helpers"] == ("helpers", 6, 5, 55)
    assert counts["roof designs"] == ("roof designs", 24, 0, 0)
    assert counts["market spaces"].reconstructed == 29
    assert counts["rule numbers"].reconstructed == 6
    assert 0.7 < printed.reconstructed_share() < 0.8


def test_source_columns_may_be_left_out(mine):
    for name in ("cards.csv", "roofs.csv", "buildings.csv", "market.csv"):
        rows = mine.table(name)
        kept = [i for i, column in enumerate(rows[0]) if column not in SOURCE_COLUMNS]
        mine.write(name, [[row[i] for i in kept] for row in rows])
    loaded = mine.load()
    assert loaded.cards[0].helper_source == "reconstructed"
    assert loaded.hash == load_components().hash


def test_names(printed):
    assert printed.card(23).helper == "Farm Servant"
    assert printed.roof(10).design == "pig"
    assert printed.building("deli").number == 3


# --- the box ---------------------------------------------------------------------------------------------------------------------


def effect_texts(components, effect):
    first, length, _ = components.box[0].effects[effect]
    return components.alternative_texts[first : first + length]


def test_card_in_the_box(printed):
    face = printed.box[0].cards[2]  # Negotiator: barrow food wine olive
    assert face.grows == Item.OLIVE
    assert list(face.barrow) == [1, 0, 0, 0, 1, 1, 0, 0, 0]
    assert (face.barrow_size, face.barrow_vp, face.market_value) == (3, 5, 5)
    assert (face.ext_hand, face.ext_delivery, face.ext_pig) == (1, 0, 0)
    assert effect_texts(printed, face.ext_income) == ["gain silver 1"]
    assert (face.helper.when, face.helper.event) == (When.ON, Event.OWN_MARKER_REMOVED)
    assert face.helper.phases == 1 << Phase.REVENUE | 1 << Phase.TRANSPORT
    assert (face.helper.uses, face.helper.cost) == (0, -1)
    assert not face.is_permanent


def test_a_barrow_leads_where_its_points_say_unless_the_table_says_otherwise(mine, printed):
    mine.write_market_values({2: "3", 3: ""})
    one, two, three = mine.load().box[0].cards[1:4]
    assert [(card.barrow_vp, card.market_value) for card in (one, two, three)] == [(2, 2), (5, 3), (5, 5)]
    mine.write_market_values({})
    assert mine.load().hash == printed.hash


def test_arguments_of_events_are_bits(mine):
    mine.cell("cards.csv", 3, "helper_when", "on card_played field helper")
    cards = mine.load().box[0].cards
    assert cards[3].helper.argument == 1 << 2 | 1 << 6  # on revenue 2 6
    assert cards[6].helper.argument == 0b1111110  # on revenue any
    assert cards[2].helper.argument == 1 << Side.FIELD | 1 << Side.HELPER


def test_cost_is_an_alternative(printed):
    cost = printed.box[0].cards[6].helper.cost
    assert printed.alternative_texts[cost] == "pay vp 1"
    first, length, _ = printed.box[0].alternatives[cost]
    assert length == 1
    assert tuple(printed.box[0].ops[first]) == (Verb.PAY, Item.VP, 1, 0, 0, 0)


def test_passive_in_the_box(printed):
    helper = printed.box[0].cards[11].helper  # piglets +1 if pigs 3
    first, length, is_gain = printed.box[0].effects[helper.effect]
    assert (helper.when, length, is_gain) == (When.PASSIVE, 1, 0)
    assert helper.is_passive_for == 1 << Passive.PIGLETS
    assert tuple(printed.box[0].ops[printed.box[0].alternatives[first].first]) == (Passive.PIGLETS, -1, 1, 0, Condition.PIGS, 3)


def test_building_in_the_box(printed):
    wainwright = printed.box[0].craft_buildings[BUILDINGS.index("wainwright")]
    assert list(wainwright.goods) == [0, 0, 0, 0, 1, 1, 1, 0, 0]
    assert wainwright.symbols == 3
    assert effect_texts(printed, wainwright.immediate) == ["deliver 1 ; siesta_vp"]
    assert wainwright.permanent.is_passive_for == 1 << Passive.SIESTA_STEPS | 1 << Passive.FREE_DELIVERY
    deli = printed.box[0].craft_buildings[BUILDINGS.index("deli")].permanent
    assert (deli.when, deli.event, effect_texts(printed, deli.effect)) == (When.ON, Event.INCOME, ["gain commodity 1"])


def test_roofs_in_the_box(printed):
    box = printed.box[0]
    assert list(box.roof_round[1:]) == [r for r in range(1, 7) for _ in range(4)]
    assert (box.roofs[12].when, box.roofs[12].event) == (When.ON, Event.ROOF_BOUGHT)
    assert effect_texts(printed, box.roofs[3].effect) == ["gain grain 1", "gain olive 1"]


def test_market_in_the_box(printed):
    box = printed.box[0]
    assert box.space_count == 29
    places = {(space.q, space.r): i for i, space in enumerate(box.spaces[:29])}
    around = sorted(places[at] for at in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)])
    assert [i for i in range(48) if int(box.spaces[places[0, 0]].neighbours) >> i & 1] == around
    open_spaces = {n: int(box.open_spaces[n]).bit_count() for n in range(1, 5)}
    assert open_spaces == {1: 19, 2: 19, 3: 19, 4: 29}


def test_closed_spaces_by_variant():
    box = load_components(overrides={"market.closed_below_players": 3}).box[0]
    assert [int(box.open_spaces[n]).bit_count() for n in (1, 2, 3, 4)] == [19, 19, 29, 29]


def test_gains_happen_by_themselves(printed):
    box = printed.box[0]
    assert box.effects[box.cards[18].helper.effect].is_gain  # gain silver 3
    assert box.effects[printed.box[0].craft_buildings[1].immediate].is_gain  # deliver 1 ; siesta_vp: each alternative has a gain
    assert not box.effects[box.cards[4].helper.effect].is_gain  # play_card
    assert not box.effects[box.roofs[11].effect].is_gain  # pay silver 1 ; deliver 1


def test_same_text_is_one_effect(mine):
    mine.cell("cards.csv", 2, "helper_when", "action").cell("cards.csv", 2, "helper_effect", "gain silver  3")
    box = mine.load().box[0]
    assert box.cards[1].helper.effect == box.cards[18].helper.effect


def test_numbers_of_the_rules_in_the_box(printed):
    box = printed.box[0]
    assert (box.game.rounds, box.setup.cards, box.setup.markers, box.setup.blocked_buildings) == (6, 4, 25, 3)
    assert list(box.farm.roof_vp[: box.farm.roof_slots]) == [0, 1, 2, 3, 4]
    assert [list(prices) for prices in (box.prices.buy, box.prices.sell, box.prices.upgrade)] == [[3, 3, 4, 5], [1, 1, 2, 3], [2, 2, 3, 4]]
    assert [list(tile) for tile in box.transport.donkeys[: box.donkey_count]] == [[1, 3], [2, 2], [3, 1], [4, 0]]
    assert (box.siesta_top, list(box.transport.siesta_vp[:5])) == (4, [0, 0, 1, 2, 3])
    assert [effect_texts(printed, face)[0] for face in box.revenue.faces] == [
        "gain pig 1", "play_card", "gain harvest_different 2", "gain silver 4", "upgrade 2", "deliver 1",
    ]  # fmt: skip
    assert (box.farm.piglet_without_space, box.farm.greengrocer_step, box.transport.extra_deliveries_paid) == (0, 0, 0)
    assert (box.ledger_on, box.ledger_count) == (0, 0)


def test_bonus_by_building():
    box = load_components(overrides={"buildings.bonus_vp.deli": 2}).box[0]
    assert [building.bonus_vp for building in box.craft_buildings] == [0, 0, 2, 0, 0, 0]


def test_effect_without_anything_is_none(mine):
    mine.replace("rules.toml", '"gain pig 1",\n', '"nothing",\n').cell("cards.csv", 3, "ext_income", "nothing")
    box = mine.load().box[0]
    assert box.revenue.faces[0] == -1
    assert box.cards[2].ext_income == box.cards[1].ext_income == -1


def test_order_of_lines_does_not_matter(mine):
    rows = mine.table("cards.csv")
    mine.write("cards.csv", [rows[0], *reversed(rows[1:])])
    assert mine.load().box.tobytes() == load_components().box.tobytes()


# --- the hash --------------------------------------------------------------------------------------------------------------------


def test_hash_ignores_what_influences_no_game(mine):
    before = load_components().hash
    mine.replace("rules.toml", "[game]", "# a remark\n[game]").replace("rules.toml", "# d\n", "# r\n")
    mine.replace("rules.toml", "olive = 3, grain = 3", "grain = 3, olive = 3")
    mine.cell("cards.csv", 2, "helper", "Cook").cell("cards.csv", 2, "sides_source", "documented")
    mine.replace("cards.csv", "card,field", "# a remark\n\ncard,field")
    assert (
        mine.load().hash
        == before
        == load_components(variant="yucata", overrides={"setup.markers": 25, "transport.extra_delivery_limit_fixed": False}).hash
    )


@pytest.mark.parametrize(
    ("file", "line", "column", "value"),
    [
        ("cards.csv", 2, "field", "olive"),
        ("cards.csv", 2, "barrow", "grain grape"),
        ("cards.csv", 2, "barrow_vp", "3"),
        ("cards.csv", 2, "ext_hand", "2"),
        ("cards.csv", 2, "ext_income", "gain silver 1"),
        ("cards.csv", 2, "helper_phases", "farm"),
        ("cards.csv", 4, "helper_uses", "2"),
        ("cards.csv", 4, "helper_when", "on revenue 2"),
        ("cards.csv", 4, "helper_cost", "pay vp 1"),
        ("cards.csv", 4, "helper_effect", "gain vp 1"),
        ("roofs.csv", 2, "phases", "farm"),
        ("roofs.csv", 2, "effect", "gain olive 2"),
        ("buildings.csv", 2, "goods", "silver"),
        ("buildings.csv", 2, "immediate", "gain silver 2"),
        ("buildings.csv", 2, "permanent", "on income: gain silver 2"),
        ("market.csv", 2, "q", "9"),
        ("market.csv", 2, "value", "3"),
        ("market.csv", 2, "min_players", "2"),
    ],
)
def test_hash_follows_every_value_of_the_tables(mine, file, line, column, value):
    assert mine.cell(file, line, column, value).load().hash != load_components().hash


@pytest.mark.parametrize(
    "override",
    [
        {"prices.sell.pig": 4},
        {"revenue.faces": ["gain pig 1"] * 6},
        {"helpers.permanent": ["Chef"]},
        {"farm.first_round_roofs_reversed": False},
        {"transport.siesta_vp": [0, 1, 1, 2, 3]},
        {"game.max_players": 3},
    ],
)
def test_hash_follows_every_number_of_the_rules(override):
    assert load_components(overrides=override).hash != load_components().hash


# --- showing -----------------------------------------------------------------------------------------------------------------------


def test_overview(capsys):
    show_components(load_components(variant="bga"))
    text = capsys.readouterr().out
    assert "78% of all values are reconstructed" in text
    assert "transport.extra_deliveries_paid" in text


WORDS = dict(zip(PARTS, ("Farm Servant", "flip a roof", "wainwright", "4 or more", "siesta_vp"), strict=True))


@pytest.mark.parametrize(("part", "word"), list(WORDS.items()))
def test_parts(capsys, printed, part, word):
    show_components(printed, part)
    assert word in capsys.readouterr().out
    show_components(printed, part, as_json=True)
    assert part in json.loads(capsys.readouterr().out)


def test_overview_as_json(capsys, printed):
    show_components(printed, None, as_json=True)
    data = json.loads(capsys.readouterr().out)
    assert data["hash"] == printed.hash
    assert data["sources"][3] == {"part": "helpers", "documented": 6, "partly": 5, "reconstructed": 55}


def test_where_a_barrow_leads_is_shown_beside_its_points(capsys, mine):
    show_components(mine.write_market_values({2: "3", 3: "5"}).load(), "cards")
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert next(row[5:7] for row in rows if row[:1] == ["cards.2"]) == ["5", "3"]
    assert next(row[5:7] for row in rows if row[:1] == ["cards.3"]) == ["5", "5"]


def test_unknown_part(printed):
    with pytest.raises(ComponentsError, match=r"'card' is no part \(did you mean cards\?\); expected cards"):
        show_components(printed, "card")
