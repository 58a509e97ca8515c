"""The effect language: what it reads, what it refuses, and that every effect survives being written out and read again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.components.box import EffectStore
from lagranja_sim.games.lagranja.components.box_record import BOX
from lagranja_sim.games.lagranja.components.effects import (
    GAINS,
    PAYS,
    Effect,
    EffectError,
    Part,
    Permanent,
    When,
    parse_cost,
    parse_effect,
    parse_permanent,
    parse_when,
)
from lagranja_sim.games.lagranja.rules.names import (
    IFS,
    ITEMS,
    PASSIVES,
    PERS,
    RESOURCES,
    SIDES,
    VERBS,
    Condition,
    Goods,
    Item,
    Passive,
    Per,
    Verb,
)


def parts(text):
    return [list(alternative.parts) for alternative in parse_effect(text).alternatives]


# --- what is read ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("gain silver 3", Part("gain", "silver", 3)),
        ("gain harvest_different 3", Part("gain", "harvest_different", 3)),
        ("gain card 2", Part("gain", "card", 2)),
        ("pay upgraded 1", Part("pay", "upgraded", 1)),
        ("pay vp 1", Part("pay", "vp", 1)),
        ("upgrade 2", Part("upgrade", "", 2)),
        ("upgrade 1 grape", Part("upgrade", "grape", 1)),
        ("deliver 1", Part("deliver", "", 1)),
        ("siesta 2", Part("siesta", "", 2)),
        ("siesta_vp", Part("siesta_vp")),
        ("play_card", Part("play_card")),
        ("revenue round", Part("revenue")),
        ("modify_die 2", Part("modify_die", "", 2)),
        ("flip_roof 1", Part("flip_roof")),
        ("extra_delivery 1", Part("extra_delivery")),
        ("extra_delivery +1", Part("extra_delivery", passive=True)),
        ("hand_limit -1", Part("hand_limit", n=-1, passive=True)),
        ("gain vp 1 per barrows", Part("gain", "vp", 1, per="barrows")),
        ("gain vp 1 if siesta 3", Part("gain", "vp", 1, condition="siesta", at_least=3)),
        ("gain vp 1 per fields if pigs 2", Part("gain", "vp", 1, "fields", "pigs", 2)),
        ("gain vp 1 if pigs 2 per fields", Part("gain", "vp", 1, "fields", "pigs", 2)),
        ("piglets +1 if pigs 3", Part("piglets", n=1, condition="pigs", at_least=3, passive=True)),
        ("pig_space +1 per fields", Part("pig_space", n=1, per="fields", passive=True)),
    ],
)
def test_part(text, part):
    assert parts(text) == [[part]]


def test_semicolon_binds_closer():
    upgrade, siesta = Part("upgrade", "", 1), Part("siesta", "", 1)
    assert parts("upgrade 1 ; siesta 1 | siesta 1") == [[upgrade, siesta], [siesta]]


def test_texts_of_alternatives_are_as_written_with_single_spaces():
    texts = [alternative.text for alternative in parse_effect("  upgrade  1;siesta 1|siesta   2 ").alternatives]
    assert texts == ["upgrade 1;siesta 1", "siesta 2"]


@pytest.mark.parametrize("text", ["", "  ", "nothing"])
def test_nothing(text):
    assert parse_effect(text) == Effect()
    assert str(parse_effect(text)) == "nothing"


@pytest.mark.parametrize(
    ("text", "is_gain"),
    [
        ("gain vp 1", True),
        ("siesta_vp", True),
        ("double_roof_vp | income", True),
        ("extra_delivery 1", True),
        ("deliver 1 ; siesta_vp", True),
        ("deliver 1", False),
        ("gain vp 1 | deliver 1", False),
        ("pay silver 1 ; gain vp 1", False),
        ("extra_delivery +1", False),
        ("nothing", False),
    ],
)
def test_gains(text, is_gain):
    assert parse_effect(text).is_gain is is_gain


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("", When()),
        ("passive", When("passive")),
        ("before_roll", When("before_roll")),
        ("on breed", When("on", "breed")),
        ("on revenue 2 6", When("on", "revenue", ("2", "6"))),
        ("on revenue any", When("on", "revenue", tuple("123456"))),
        ("on card_played field", When("on", "card_played", ("field",))),
        ("on card_played any", When("on", "card_played", SIDES)),
    ],
)
def test_when(text, when):
    assert parse_when(text) == when
    assert parse_when(str(when)) == when


def test_permanent():
    assert parse_permanent("on income: gain silver 3") == Permanent(When("on", "income"), parse_effect("gain silver 3"))
    passives = parse_permanent("siesta_steps +1 ; free_delivery +1")
    assert passives.when == When("passive")
    assert [part.verb for part in passives.effect.parts] == ["siesta_steps", "free_delivery"]
    assert parse_permanent("nothing") == Permanent()


def test_cost_joins_parts():
    assert parse_cost("pay silver 1 ; pay vp 1").parts == (Part("pay", "silver", 1), Part("pay", "vp", 1))


# --- what is refused ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("gian silver 1", "in 'gian silver 1': 'gian' is no verb (did you mean gain?); expected gain, pay,"),
        ("gain", "in 'gain': the good is missing; expected `gain GOOD N`"),
        ("gain grap 1", "'grap' is no good to gain (did you mean grape or grain?); expected olive,"),
        ("gain silver", "in 'gain silver': '' is no number from 1 to 99; expected `gain silver N`"),
        ("gain silver 0", "'0' is no number from 1 to 99"),
        ("gain silver 100", "'100' is no number from 1 to 99"),
        ("gain silver +1", "'+1' is no number from 1 to 99"),
        ("gain silver 1 2", "'1 2' is no number from 1 to 99"),
        ("gain field_olive 1", "'field_olive' is no good to gain"),
        ("gain harvest_different 4", "'4' is no number from 1 to 3; expected `gain harvest_different N`"),
        ("gain harvest_different 1 per fields", "expected harvest_different without `per`"),
        ("pay card 1", "'card' is no good to pay"),
        ("upgrade 1 wine", "'wine' is no resource; expected olive, grain, grape or pig"),
        ("upgrade grape", "'grape' is no number from 1 to 99; expected `upgrade N` or `upgrade N GOOD`"),
        ("deliver", "'' is no number from 1 to 99; expected `deliver N`"),
        ("siesta_vp 2", "'2' is too much; expected `siesta_vp` alone"),
        ("revenue 3", "'3' is no revenue space; expected `revenue round`"),
        ("modify_die 6", "'6' is no number from 1 to 5; expected `modify_die N`"),
        ("piglets 1", "'1' is no signed number from -99 to +99; expected e.g. `piglets +1`"),
        ("gain vp 1 per pigs", "'pigs' is no count to multiply by; expected barrows, buildings or fields"),
        ("gain vp 1 per", "'' is no count to multiply by"),
        ("gain vp 1 if barrows 2", "'barrows' is no condition; expected pigs, fields or siesta"),
        ("gain vp 1 if pigs", "'' is no number from 1 to 99; expected `if pigs N`"),
        ("gain vp 1 per fields per barrows", "`per` stands there twice; expected it once at most"),
        ("gain vp 1 if pigs 2 if pigs 3", "`if` stands there twice"),
        ("gain vp 1 per fields now", "'now' is too much; expected `per` or `if` or the end of the part"),
        ("per fields", "a part is empty; expected a verb: gain, pay,"),
        ("gain vp 1 ;", "a part is empty"),
        ("gain vp 1 | | gain vp 2", "a part is empty"),
        ("gain vp 1 | nothing", "`nothing` stands alone"),
        ("gain vp 1 ; piglets +1", "has passive and other parts, or a choice of passives; expected only signed passives joined by `;`"),
        ("piglets +1 | pig_space +1", "has passive and other parts, or a choice of passives"),
        (" | ".join(["gain vp 1"] * 13), "13 alternatives; expected at most 12"),
        (" ; ".join(["gain vp 1"] * 13), "13 parts in one alternative; expected at most 12"),
    ],
)
def test_wrong_effect(text, problem):
    with pytest.raises(EffectError) as caught:
        parse_effect(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("on", "'' is no event; expected breed,"),
        ("on bred", "'bred' is no event (did you mean breed?)"),
        ("on breed 1", "'1' is too much; expected `on breed` alone"),
        ("on revenue", "the die face is missing; expected `on revenue` with 1, 2, 3, 4, 5 or 6, or any"),
        ("on card_played", "the side of a card is missing; expected `on card_played` with field, barrow, extension or helper, or any"),
        ("on card_played left", "'left' is no side of a card"),
        ("action now", "'now' is too much; expected `action` alone"),
        ("sometimes", "'sometimes' is no moment"),
    ],
)
def test_wrong_when(text, problem):
    with pytest.raises(EffectError) as caught:
        parse_when(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("on income gain vp 1", "has no colon; expected `on EVENT: effect`"),
        ("on income: piglets +1", "is passive; expected passives without `on EVENT:`"),
        ("gain vp 1", "is not passive; expected `on EVENT: effect`, signed passives or nothing"),
    ],
)
def test_wrong_permanent(text, problem):
    with pytest.raises(EffectError, match="expected") as caught:
        parse_permanent(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize("text", ["gain vp 1", "pay vp 1 | pay silver 1", "pay vp 1 ; gain vp 1"])
def test_wrong_cost(text):
    with pytest.raises(EffectError, match="is no cost; expected `pay GOOD N`, several joined by `;`"):
        parse_cost(text)


@pytest.mark.parametrize(
    "text",
    ["pay pig 1 ; pay pig 1", "pay resource 1 ; pay pig 1", "pay harvest 1 ; pay harvest_different 2", "pay upgraded 1 ; pay wine 2"],
)
def test_no_good_is_asked_for_in_two_costs(text):
    with pytest.raises(EffectError, match="expected each good in one `pay` only"):
        parse_cost(text)


# --- round trips -------------------------------------------------------------------------------------------------------------------


def shipped_effects():
    components = load_components()
    yield from (card.ext_income for card in components.cards)
    yield from (card.helper_cost for card in components.cards)
    yield from (card.helper_effect for card in components.cards)
    yield from (roof.effect for roof in components.roofs)
    yield from (building.immediate for building in components.buildings)
    yield from (building.permanent.effect for building in components.buildings)
    yield from map(parse_effect, (*components.rules.revenue.faces, components.rules.prices.commodity_uses))


def test_shipped_effects_survive_a_round_trip():
    effects = list(shipped_effects())
    assert len(effects) == 66 * 3 + 24 + 6 * 2 + 7
    for effect in effects:
        assert parse_effect(str(effect)) == effect
        assert str(effect) == (effect.text or "nothing")  # the printed set is spelled canonically


numbers = st.integers(1, 99)
modifiers = st.fixed_dictionaries(
    {},
    optional={"per": st.sampled_from(PERS[1:]), "if": st.tuples(st.sampled_from(IFS[1:]), numbers)},
)
heads = st.one_of(
    st.builds(lambda good, n: f"gain {good} {n}", st.sampled_from([good for good in GAINS if good != "harvest_different"]), numbers),
    st.builds(lambda n, good: f"upgrade {n} {good}", numbers, st.sampled_from(["", *ITEMS[:RESOURCES]])),
    st.builds(lambda verb, n: f"{verb} {n}", st.sampled_from(["deliver", "siesta", "flip_roof", "extra_delivery"]), numbers),
    st.sampled_from(["siesta_vp", "play_card", "revenue round", "second_option", "reserve_revenue", "place_marker", "income"]),
)
passive_heads = st.builds(lambda passive, n: f"{passive} {n:+}", st.sampled_from(PASSIVES), st.integers(-99, 99))


@st.composite
def with_modifiers(draw, head):
    found = draw(modifiers)
    words = [f"per {found['per']}"] if "per" in found else []
    words += [f"if {found['if'][0]} {found['if'][1]}"] if "if" in found else []
    return " ".join([draw(head), *draw(st.permutations(words))])


def joined(head, by, most):
    return st.lists(with_modifiers(head), min_size=1, max_size=most).map(by.join)


costs = st.builds(lambda good, n: f"pay {good} {n} ; ", st.sampled_from(PAYS), st.integers(1, 3))  # at most one: no good is asked for twice
alternatives = st.builds("{}{}".format, st.one_of(st.just(""), costs), joined(heads, " ; ", 3))
effect_texts = st.lists(alternatives, min_size=1, max_size=3).map(" | ".join)


@settings(max_examples=60, deadline=None)
@given(st.one_of(effect_texts, joined(passive_heads, ";", 3)))
def test_any_effect_survives_a_round_trip(text):
    effect = parse_effect(text)
    assert parse_effect(str(effect)) == effect
    assert effect.text == " ".join(text.split())


word_salad = st.lists(st.sampled_from([*VERBS, *GAINS, "|", ";", "per", "if", "1", "+1"]), max_size=8).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=30), word_salad))
def test_any_text_is_read_or_refused_with_what_was_expected(text):
    try:
        parse_effect(text)
    except EffectError as error:
        assert "expected" in str(error)


# --- into the box ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def store():
    return EffectStore(np.zeros(1, BOX)[0])


def test_effect_in_the_box(store):
    index = store.effect(parse_effect("pay silver 2 ; gain vp 1 per fields | upgrade 1 grape if pigs 2"))
    first, length, is_gain = store.box.effects[index]
    alternatives = [tuple(map(int, alternative)) for alternative in store.box.alternatives[first : first + length]]
    assert (int(length), int(is_gain), alternatives) == (2, 0, [(0, 2, 1), (2, 1, 0)])
    assert [tuple(op) for op in store.box.ops[:3].tolist()] == [
        (Verb.PAY, Item.SILVER, 2, Per.ONE, Condition.ALWAYS, 0),
        (Verb.GAIN, Item.VP, 1, Per.FIELDS, Condition.ALWAYS, 0),
        (Verb.UPGRADE, Item.GRAPE, 1, Per.ONE, Condition.PIGS, 2),
    ]


def test_classes_and_verbs_in_the_box(store):
    for text, op in {
        "gain harvest 1": (Verb.GAIN, Goods.HARVEST),
        "gain card 1": (Verb.GAIN, Goods.CARD),
        "pay harvest_different 2": (Verb.PAY, Goods.HARVEST_DIFFERENT),
        "upgrade 2": (Verb.UPGRADE, -1),
        "revenue round": (Verb.REVENUE, -1),
        "extra_delivery 2": (Verb.EXTRA_DELIVERY, -1),
        "extra_delivery +2": (Passive.EXTRA_DELIVERY, -1),
    }.items():
        effect = store.box.effects[store.effect(parse_effect(text))]
        assert tuple(store.box.ops[store.box.alternatives[effect.first].first])[:2] == op


def test_same_text_is_stored_once(store):
    assert store.effect(parse_effect("gain vp 1")) == store.effect(parse_effect(" gain  vp 1 "))
    assert store.cost(parse_cost("pay vp 1")) == store.cost(parse_cost("pay vp 1"))
    assert store.effect(Effect()) == store.cost(Effect()) == -1
    assert store.texts == ["gain vp 1", "pay vp 1"]
