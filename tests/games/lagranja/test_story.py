"""The story of a game: every act and every reason has words, and a choice is told with what follows from it."""

import dataclasses

import pytest
from story_lines import act, change, choice, final, news, setup

from lagranja_sim.games.lagranja import lines as documented
from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.rules.names import DOES, NOTES, REASONS
from lagranja_sim.games.lagranja.story import BECAUSE, BECAUSE_OF, FOR_ALL, NEWS, tell
from lagranja_sim.games.lagranja.story_words import LEAVE, SAY, Names, sentence

OPTIONS = {
    "done": {},
    "decline": {},
    "forgo": {},
    "play_card": {"card": 12, "side": "field"},
    "discard": {"card": 12},
    "take_growth": {"building": "greengrocer"},
    "grow": {},
    "buy_roof": {"roof": 10},
    "take_die": {"die": 3, "as": 4},
    "use_die": {"die": 3},
    "deliver": {"good": "wine", "from": "den", "to": "wainwright"},
    "buy_delivery": {},
    "buy_deliveries": {"count": 2},
    "buy": {"good": "olive"},
    "sell": {"good": "pig"},
    "upgrade": {"good": "pig", "from": "stable", "price": 0},
    "use_commodity": {"effect": "gain silver 4"},
    "use_roof": {"roof": 10},
    "use_helper": {"helper": 4},
    "use_building": {"building": "deli"},
    "choose": {"effect": "upgrade 2"},
    "gain": {"goods": ["olive", "grain"]},
    "siesta": {"steps": 1},
    "pay": {"good": "vp", "from": "purse"},
    "flip_roof": {"roof": 10},
    "reserve": {"die": 2},
    "shift": {"by": -1},
    "choose_donkey": {"donkey": 2},
    "place_marker": {"space": 3},
    "give_up": {"space": 3},
}
SENTENCES = {
    "forgo": "forgoes it for lack of markers",
    "play_card": "plays card 12 as a field of grain",
    "discard": "discards card 12",
    "take_growth": "uses the greengrocer before growth",
    "grow": "lets the farm grow",
    "buy_roof": "buys roof 10 (pig)",
    "take_die": "takes a 3 that counts as a 4",
    "use_die": "uses the last die, a 3",
    "deliver": "delivers 1 wine from the den to the wainwright",
    "buy_delivery": "buys a delivery",
    "buy_deliveries": "buys 2 deliveries",
    "buy": "buys 1 olive",
    "sell": "sells 1 pig",
    "upgrade": "upgrades 1 pig from the stable free of charge",
    "use_commodity": "returns a commodity for `gain silver 4`",
    "use_roof": "uses roof 10 (pig)",
    "use_helper": "uses the Farm Worker (card 4)",
    "use_building": "uses the craft marker of the deli",
    "choose": "chooses `upgrade 2`",
    "gain": "takes 1 olive and 1 grain",
    "siesta": "rests: 1 step on the siesta track",
    "pay": "pays 1 VP from the purse",
    "flip_roof": "turns roof 10 (pig) face up again",
    "reserve": "reserves the last die that shows 2",
    "shift": "changes the value of the die by -1",
    "choose_donkey": "chooses donkey tile 2 (deliveries 2, siesta steps 2)",
    "place_marker": "puts a marker on market space 3 (value 4)",
    "give_up": "gives up the marker on market space 3 (value 4) for lack of markers",
}


@pytest.fixture(scope="module")
def components():
    return load_components()


def sentences_of(components, *lines):
    """What is told of lines after a set-up, without headings."""
    return [line[4:] for line in tell([setup(), *lines], components) if line.startswith("    ")]


DELIVERY = act("deliver", good="wine", **{"from": "den"}, to="wainwright")


# --- words for everything --------------------------------------------------------------------------------------------------------


def test_every_act_and_reason_has_words():
    assert set(SAY) | set(LEAVE) == set(DOES) == set(OPTIONS)
    assert set(BECAUSE) == set(REASONS)
    assert set(BECAUSE_OF) <= set(REASONS)
    assert set(FOR_ALL) < set(NEWS) <= set(NOTES)


@pytest.mark.parametrize("do", OPTIONS)
def test_the_options_told_here_have_the_documented_keys(do):
    assert tuple(OPTIONS[do]) in documented.OPTIONS[do]


@pytest.mark.parametrize("do", SENTENCES)
def test_sentence(components, do):
    assert sentence(choice(0, act(do, **OPTIONS[do])), Names(components)) == SENTENCES[do]


REFERENCES = {
    "roof": {"roof": 5}, "roof_effect": {"roof": 5}, "die": {"die": 4}, "market_removal": {"space": 3, "owner": 0}, "building": {"building": "deli"},
    "first": {"building": "deli"}, "unlock": {"building": "deli"}, "craft_immediate": {"building": "deli"},
    "craft_permanent": {"building": "deli"}, "donkey": {"donkey": 2},
}  # fmt: skip


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_told_with_and_without_its_component(components, reason):
    for ref in (REFERENCES.get(reason, {"card": 5}), None):
        (line,) = sentences_of(components, change(1, "vp", 2, reason, ref))
        assert line.startswith("random (seat 1): ")
        assert "2" in line
        assert "None" not in line


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (act("play_card", card=2, side="barrow"), "plays card 2 as a barrow (food wine olive, worth 5)"),
        (act("play_card", card=2, side="barrow", replaces=9), "plays card 2 as a barrow (food wine olive, worth 5) in place of barrow 9"),
        (act("play_card", card=2, side="helper", replaces=7), "employs the Negotiator (card 2) in place of the Shed Builder (card 7)"),
        (act("play_card", card=2, side="extension"), "builds card 2 as an extension (hand +1, income: gain silver 1)"),
        (act("take_die", die=3, **{"as": 3}), "takes a 3"),
        (act("upgrade", good="olive", price=2, **{"from": "field"}), "upgrades 1 olive from a field"),
        (act("gain", good="pig"), "takes 1 pig"),
        (act("deliver", good="pig", to="barrow 12", **{"from": "stable"}), "delivers 1 pig from the stable to barrow 12"),
        (act("give_up", good="olive", **{"from": "den"}), "gives up 1 olive from the den for lack of markers"),
        (act("give_up", good="olive", **{"from": "barrow 12"}), "gives up 1 olive from barrow 12 for lack of markers"),
    ],
)
def test_sentence_of_special_cases(components, option, words):
    assert sentence(choice(0, option), Names(components)) == words


def test_a_barrow_that_leads_elsewhere_than_its_points_say_is_told_so(components):
    cards = tuple(card.model_copy(update={"market_value": 3}) for card in components.cards)
    names = Names(dataclasses.replace(components, cards=cards))
    assert names.barrow(2) == "food wine olive, worth 5, leads to value 3"


@pytest.mark.parametrize(
    ("kind", "other", "words"),
    [
        ("buy_roof", act("buy_roof", roof=1), "buys no roof"),
        ("buy_roof", act("sell", good="pig"), ""),
        ("play_card", act("play_card", card=1, side="field"), "plays no card"),
        ("free_delivery", DELIVERY, "leaves the rest of the deliveries"),
        ("end_turn", act("sell", good="pig"), ""),
    ],
)
def test_leaving_is_told_where_something_was_possible(components, kind, other, words):
    assert sentence(choice(0, act("done"), other, kind=kind), Names(components)) == words


def test_declining_names_what_stays_unused(components):
    line = choice(0, act("decline"), act("use_helper", helper=4), kind="offer")
    assert sentence(line, Names(components)) == "declines: the Farm Worker (card 4) stays unused"


# --- consequences ------------------------------------------------------------------------------------------------------------------


def test_completing_a_building(components):
    assert sentences_of(
        components,
        choice(2, DELIVERY, kind="free_delivery"),
        change(2, "wine", -1, "delivery", {"building": "wainwright"}),
        change(2, "vp", 1, "first", {"building": "wainwright"}),
        change(2, "vp", 2, "building", {"building": "wainwright"}),
        change(2, "vp", 1, "unlock", {"building": "deli"}),
    ) == ["rush (seat 2) delivers 1 wine from the den to the wainwright: completes it, 3 VP (first +1, round 2 +2); opens the deli +1"]


def test_completing_a_barrow_and_removing_a_marker(components):
    assert sentences_of(
        components,
        choice(0, act("deliver", good="olive", to="barrow 12", **{"from": "field"})),
        change(0, "field_olive", -1, "delivery", {"card": 12}),
        change(0, "vp", 4, "barrow", {"card": 12}),
        change(0, "commodity", 1, "barrow", {"card": 12}),
        choice(0, act("place_marker", space=3), act("place_marker", space=9), kind="place_marker"),
        news("marker", 1, space=2, change="removed", by=0, reason="market_removal", ref=None),
        change(0, "vp", 1, "market_removal", {"space": 2, "owner": 1}),
        change(1, "vp", 1, "helper", {"card": 2}),
    ) == [
        "greedy (seat 0) delivers 1 olive from a field to barrow 12: completes it +4 VP, +1 commodity",
        "greedy (seat 0) puts a marker on market space 3 (value 4): removes the marker of random (seat 1) on market space 2 (value 2) +1 VP",
        "random (seat 1): the Negotiator (card 2) +1 VP",
    ]


def test_trade(components):
    assert sentences_of(
        components,
        choice(0, act("buy", good="pig")),
        change(0, "silver", -5, "buy"),
        change(0, "pig", 1, "buy"),
        choice(0, act("use_commodity", effect="gain silver 4")),
        change(0, "commodity", -1, "commodity"),
        change(0, "silver", 4, "commodity"),
        choice(0, act("gain", good="olive"), act("gain", good="grape")),
        change(0, "olive", 1, "die", {"die": 3}),
        choice(0, act("sell", good="olive")),
        change(0, "olive", -1, "sell"),
        change(0, "silver", 1, "sell"),
    ) == [
        "greedy (seat 0) buys 1 pig: -5 silver, +1 pig",
        "greedy (seat 0) returns a commodity for `gain silver 4`: +4 silver",
        "greedy (seat 0) takes 1 olive",
        "greedy (seat 0) sells 1 olive: -1 olive, +1 silver",
    ]


def test_changes_without_a_choice_are_told_by_seat(components):
    assert sentences_of(
        components,
        change(0, "silver", 1, "income", {"card": 2}, phase="farm"),
        change(0, "silver", 3, "craft_permanent", {"building": "merchant_house"}, phase="farm"),
        change(1, "commodity", 1, "craft_permanent", {"building": "deli"}, phase="farm"),
        choice(0, act("grow"), phase="farm"),
        change(0, "field_olive", 2, "growth", phase="farm"),
        change(0, "pig", 1, "breed", phase="farm"),
        choice(0, act("done"), phase="farm"),
        change(1, "silver", 3, "no_space", phase="farm"),
    ) == [
        "greedy (seat 0): income of card 2 +1 silver; craft marker of the merchant house +3 silver",
        "random (seat 1): craft marker of the deli +1 commodity",
        "greedy (seat 0) lets the farm grow: +2 olive on a field; piglet +1 pig",
        "random (seat 1): sold for lack of space +3 silver",
    ]


def test_forced_choices_that_change_nothing_are_left_out(components):
    lines = choice(0, act("done")), choice(0, act("grow"), phase="farm"), choice(0, act("use_die", die=6), phase="revenue")
    assert sentences_of(components, *lines) == ["greedy (seat 0) uses the last die, a 6"]


def test_what_comes_in_a_later_phase_is_not_the_choice_s(components):
    delivered = change(0, "wine", -1, "delivery", {"building": "wainwright"})
    scored = change(0, "vp", 1, "market_round", phase="scoring")
    assert list(tell([setup(), choice(0, DELIVERY), delivered, scored], components))[-3:] == [
        "    greedy (seat 0) delivers 1 wine from the den to the wainwright",
        "  Scoring",
        "    greedy (seat 0): markers on the market +1 VP",
    ]


def test_a_card_drawn_and_a_new_deck(components):
    draw = {"from": "deck", "to": "hand"}
    assert sentences_of(
        components,
        choice(0, act("choose", effect="gain card 1"), act("choose", effect="play_card"), phase="revenue"),
        news("card", 0, phase="revenue", card=7, **draw, reason="die", ref={"die": 2}),
        choice(1, act("use_roof", roof=4), phase="farm"),
        news("use", 1, phase="farm", ref={"roof": 4}),
        news("card", 1, phase="farm", card=9, **draw, reason="roof_effect", ref={"roof": 4}),
        choice(2, act("done"), act("sell", good="pig"), phase="farm"),
        news("card", 2, phase="farm", card=5, **draw, reason="hand_limit", ref=None),
        news("reshuffle", phase="farm", deck=[8, 3]),
        news("card", 2, phase="farm", card=8, **draw, reason="hand_limit", ref=None),
        choice(2, act("discard", card=5), act("discard", card=8), phase="farm"),
        news("card", 2, phase="farm", card=5, **{"from": "hand", "to": "discard"}, reason="hand_limit", ref=None),
    ) == [
        "greedy (seat 0) chooses `gain card 1`: draws card 7",
        "random (seat 1) uses roof 4 (card): draws card 9",
        "rush (seat 2): draws card 5 up to the hand limit",
        "The discard pile is shuffled: a new deck of 2",
        "rush (seat 2): draws card 8 up to the hand limit",
        "rush (seat 2) discards card 5",
    ]


def test_discs_move_by_donkeys_and_make_a_new_order(components):
    def moved(seat, start, end, place, **cause):
        return news("disc", seat, **{"from": start, "to": end}, place=place, **cause)

    assert sentences_of(
        components,
        choice(0, act("siesta", steps=1), act("done"), kind="siesta"),
        moved(0, 0, 1, 1, reason="die", ref={"die": 5}),
        choice(1, act("choose_donkey", donkey=2), act("choose_donkey", donkey=1), kind="choose_donkey"),
        moved(2, 0, 1, 2, reason="donkey", ref={"donkey": 3}),
        moved(1, 0, 2, 1, reason="donkey", ref={"donkey": 2}),
        news("order", order=[1, 2, 0]),
        moved(1, 2, 0, 1, reason="new_round", ref=None),
    ) == [
        "greedy (seat 0) rests: 1 step on the siesta track",
        "random (seat 1) chooses donkey tile 2 (deliveries 2, siesta steps 2)",
        "rush (seat 2): donkey tile 3: from section 0 to 1 of the siesta track, on top of 1 other",
        "random (seat 1): donkey tile 2: from section 0 to 2 of the siesta track",
        "New turn order: random (seat 1), rush (seat 2) and greedy (seat 0)",
    ]


def test_what_brings_no_points_is_told_as_well(components):
    assert sentences_of(
        components,
        choice(2, DELIVERY, kind="free_delivery"),
        change(2, "wine", -1, "delivery", {"building": "wainwright"}),
        news("completed", 2, building="wainwright"),
        news("opened", 2, building="deli", marker=1),
        choice(0, act("place_marker", space=3), act("place_marker", space=9), kind="place_marker"),
        news("marker", 1, space=2, change="removed", by=0, reason="market_removal", ref=None),
    ) == [
        "rush (seat 2) delivers 1 wine from the den to the wainwright: completes it; opens the deli",
        "greedy (seat 0) puts a marker on market space 3 (value 4): removes the marker of random (seat 1) on market space 2 (value 2)",
    ]


def test_the_start(components):
    assert sentences_of(
        components,
        change(0, "vp", 1, "start", number=0, phase="setup"),
        news("marker", 0, number=0, phase="setup", space=3, change="placed", by=0, reason="start", ref=None),
    ) == ["greedy (seat 0): starts with +1 VP, a marker on market space 3 (value 4)"]


def test_the_game_for_one_tells_of_the_neutral_player(components):
    at = {"number": 1, "phase": "transport", "reason": "neutral", "ref": None}
    alone = setup(policies=["greedy"], players=1, order=[1, 0], hands=[[1, 2]])
    lines = [
        alone,
        news("die_discarded", number=1, phase="revenue", die=3),
        news("card", 1, card=7, to="discard", **at),
        news("marker", 1, space=6, change="placed", by=1, **at),
        news("marker", 0, space=7, change="removed", by=1, **(at | {"reason": "market_removal"})),
        news("order", number=1, phase="scoring", order=[0, 1]),
    ]
    assert list(tell(lines, components)) == [
        "La Granja Deluxe Master Set, base game (2022) with 1 player, game 7",
        "Turn order: the neutral player and greedy (seat 0)",
        "Blocked, to be opened in this order: the deli, the merchant house and the butcher",
        "Hand of greedy (seat 0): 1 and 2",
        "",
        "Round 1",
        "  Revenue (dice: 1, 2, 3, 3, 4, 5, 6)",
        "    A die is discarded, a 3",
        "  Transportation",
        "    the neutral player: draws card 7, a marker on market space 6 (value 4); "
        "removes the marker of greedy (seat 0) on market space 7 (value 3)",
        "  Scoring",
        "    New turn order: greedy (seat 0) and the neutral player",
    ]


# --- headings and the end ------------------------------------------------------------------------------------------------------------


def test_headings(components):
    lines = list(
        tell(
            [
                setup(),
                change(2, "vp", 1, "start", number=0, phase="setup"),
                choice(2, act("play_card", card=12, side="field"), number=1, phase="farm"),
                choice(0, act("take_die", die=6, **{"as": 6}), number=1, phase="revenue"),
                change(2, "vp", 2, "siesta", number=1, phase="scoring"),
                choice(1, act("play_card", card=1, side="field"), number=2, phase="farm"),
            ],
            components,
        )
    )
    assert lines == [
        "La Granja Deluxe Master Set, base game (2022) with 3 players, game 7",
        "Turn order: rush (seat 2), greedy (seat 0) and random (seat 1)",
        "Blocked, to be opened in this order: the deli, the merchant house and the butcher",
        "Hand of greedy (seat 0): 1 and 2",
        "Hand of random (seat 1): 3 and 4",
        "Hand of rush (seat 2): 5",
        "  Set-up",
        "    rush (seat 2): starts with +1 VP",
        "",
        "Round 1",
        "  Farm (roofs: roof 1 (olive), roof 4 (card), roof 2 (4 silver))",
        "    rush (seat 2) plays card 12 as a field of grain",
        "  Revenue (dice: 1, 2, 3, 3, 4, 5, 6)",
        "    greedy (seat 0) takes a 6",
        "  Scoring",
        "    rush (seat 2): siesta track +2 VP",
        "  Points after round 1: rush (seat 2) 3",
        "",
        "Round 2",
        "  Farm",
        "    random (seat 1) plays card 1 as a field of grape",
    ]


def test_end_table(components):
    lines = [
        setup(policies=["greedy", "random"], players=2, order=[0, 1], hands=[[], []]),
        change(0, "vp", 1, "start", number=0, phase="setup"),
        change(1, "vp", 12, "building", {"building": "deli"}),
        change(1, "vp", -1, "helper_cost", {"card": 4}),
        *[final(0, 1, 2, silver=4), final(1, 11, 1)],
    ]
    assert list(tell(lines, components))[-8:] == [
        "Final points by source",
        "             random (seat 1)  greedy (seat 0)",
        "building                  12                0",
        "start                      0                1",
        "spent                     -1                0",
        "points                    11                1",
        "silver left                0                4",
        "rank                       1                2",
    ]
