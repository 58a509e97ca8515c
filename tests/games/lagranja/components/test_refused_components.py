"""Sets of components that are refused, with everything that is wrong with them."""

import os
from pathlib import Path

import pytest
from component_sets import problems_of

from lagranja_sim.games.lagranja.components import ComponentsError, load_components

# --- what is refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "line", "column", "value", "problem"),
    [
        ("cards.csv", 14, "field", "grap", "'grap' is no harvest good; expected olive, grain or grape"),
        ("cards.csv", 14, "field", "", "is empty; expected olive, grain or grape"),
        ("cards.csv", 14, "barrow", "olive grap", "'grap' is no good that can be delivered (did you mean grape or grain?); expected"),
        ("cards.csv", 14, "barrow", "", "0 goods do not fit; expected 1 to 12 of olive"),
        ("cards.csv", 14, "barrow_vp", "7", "7 has no open market space with 1, 2, 3 or 4 players; expected 2, 3, 4, 5 or 6"),
        ("cards.csv", 14, "barrow_vp", "-2", "'-2' does not fit; expected a whole number from 0 to 100"),
        ("cards.csv", 14, "ext_hand", "many", "'many' does not fit; expected a whole number from 0 to 9"),
        ("cards.csv", 14, "ext_income", "gain gold 1", "in 'gain gold 1': 'gold' is no good to gain"),
        ("cards.csv", 14, "ext_income", "piglets +1", "'piglets +1' is passive; expected an effect that happens at once"),
        ("cards.csv", 14, "ext_income", "income", "'income' would lead back to itself; expected an effect without `income`"),
        ("cards.csv", 14, "helper", "", "is empty; expected text"),
        ("cards.csv", 14, "helper_phases", "farming", "'farming' is no phase (did you mean farm?); expected any, setup, farm,"),
        ("cards.csv", 14, "helper_phases", "", "is empty; expected any, or some of setup, farm,"),
        ("cards.csv", 14, "helper_uses", "-1", "'-1' does not fit; expected a whole number from 0 to 100"),
        ("cards.csv", 14, "helper_when", "acton", "'acton' is no moment (did you mean action?); expected passive, action,"),
        ("cards.csv", 14, "helper_when", "on revenue 7", "'7' is no die face; expected 1, 2, 3, 4, 5 or 6"),
        ("cards.csv", 14, "helper_when", "", "is empty; expected passive, action, before_roll or before_die, or on EVENT"),
        ("cards.csv", 14, "helper_cost", "gain silver 2", "'gain silver 2' is no cost; expected `pay GOOD N`"),
        ("cards.csv", 14, "helper_effect", "piglets +1", "'piglets +1' is passive; expected `passive` as helper_when, not 'on"),
        ("cards.csv", 16, "helper_effect", "gain vp 1", "'gain vp 1' is not passive; expected signed passives, e.g. `piglets +1`"),
        ("cards.csv", 16, "helper_cost", "pay silver 1", "'pay silver 1' does not fit; expected no cost"),
        ("cards.csv", 16, "helper_uses", "1", "1 does not fit; expected a blank"),
        ("cards.csv", 43, "helper_effect", "income", "'income' would lead back to itself"),
        ("cards.csv", 14, "helper_source", "guess", "'guess' is no source; expected documented, partly or reconstructed"),
        ("cards.csv", 14, "card", "67", "'67' does not fit; expected a whole number from 1 to 66"),
        ("cards.csv", 14, "card", "12", "12 stands in line 13 already; expected every number from 1 to 66 once"),
        ("roofs.csv", 4, "when", "before_roll", "'before_roll' is no moment of a roof; expected action, before_die or on roof_bought"),
        ("roofs.csv", 4, "effect", "gain", "in 'gain': the good is missing; expected `gain GOOD N`"),
        ("roofs.csv", 4, "effect", "piglets +1", "'piglets +1' is passive"),
        ("roofs.csv", 4, "round", "7", "'7' does not fit; expected a whole number from 1 to 6"),
        ("buildings.csv", 3, "building", "wagonwright", "'wagonwright' is no building (did you mean wainwright?); expected"),
        ("buildings.csv", 3, "number", "7", "'7' does not fit; expected a whole number from 1 to 6"),
        ("buildings.csv", 3, "building", "deli", "'deli' stands in line 3 already; expected each building once"),
        ("buildings.csv", 3, "immediate", "deliver one", "in 'deliver one': 'one' is no number from 1 to 99; expected `deliver N`"),
        ("buildings.csv", 3, "permanent", "on incom: gain vp 1", "'incom' is no event (did you mean income?)"),
        ("buildings.csv", 3, "permanent", "gain vp 1", "'gain vp 1' is not passive; expected `on EVENT: effect`, signed"),
        ("buildings.csv", 3, "permanent", "on growth: income", "'income' would lead back to itself"),
        ("market.csv", 4, "q", "1", "hex 1,-2 stands in line 4 already; expected each hex once"),
        ("market.csv", 4, "value", "x", "'x' does not fit; expected a whole number from 1 to 100"),
        ("market.csv", 4, "start", "1", "value 2 has its start space in line 4 already"),
        ("market.csv", 16, "min_players", "4", "the start space of value 2 is closed with 1, 2 or 3 players; expected it to be open"),
    ],
)  # fmt: skip
def test_wrong_cell(mine, file, line, column, value, problem):
    problems = mine.cell(file, line, column, value).problems()
    assert any(text.startswith(f"{file}, line ") and f", {column}: " in text and problem in text for text in problems), problems
    if "already" not in problem:
        assert any(text.startswith(f"{file}, line {line}, {column}: ") for text in problems), problems


def test_line_numbers_count_remarks_and_empty_lines(mine):
    mine.replace("cards.csv", "card,field", "# mine\n\ncard,field").replace("cards.csv", "\n13,grape", "\n13,grap")
    assert mine.problems()[0].startswith("cards.csv, line 16, field: 'grap' is no harvest good")


def test_missing_lines(mine):
    mine.drop("cards.csv", 61).drop("cards.csv", 15).drop("roofs.csv", 25).drop("buildings.csv", 4).drop("market.csv", 15)
    assert mine.problems() == [
        "cards.csv, card: 14 and 60 missing; expected every number from 1 to 66 once",
        "roofs.csv, roof: 24 missing; expected every number from 1 to 24 once",
        "roofs.csv, round: 3 roofs for round 6; expected exactly 4 for each round",
        "buildings.csv, number: 3 missing; expected every number from 1 to 6 once",
        "buildings.csv, building: deli missing; expected each of the six buildings once",
    ]


def test_wrong_columns(mine):
    mine.replace("cards.csv", "helper_when", "helper_wen").replace("roofs.csv", "roof,round", "roof,roof,round")
    problems = mine.problems()
    assert any(p.startswith("cards.csv, line 1: 'helper_wen' is no column (did you mean helper_when") for p in problems)
    assert any(p.startswith("cards.csv, line 1: column 'helper_when' is missing (did you mean helper_wen") for p in problems)
    assert any(p.startswith("roofs.csv, line 1: column 'roof' stands there 2 times; expected once") for p in problems)


def test_too_few_and_too_many_cells(mine):
    mine.replace("market.csv", "0,0,5,1,2,reconstructed", "0,0,5,1,2").replace("market.csv", "1,0,2,1,2,reconstructed", "1,0,2,1,2,r,r")
    assert mine.problems() == [
        "market.csv, line 15: 5 cells do not fit; expected 6, one a column",
        "market.csv, line 16: 7 cells do not fit; expected 6, one a column",
    ]


@pytest.mark.parametrize("name", ["cards.csv", "roofs.csv", "buildings.csv", "market.csv", "rules.toml"])
def test_missing_file(mine, name):
    (mine.folder / name).unlink()
    assert [problem for problem in mine.problems() if problem.startswith(f"{name}: ") and "expected" in problem]


def test_empty_file(mine):
    (mine.folder / "market.csv").write_text("")
    assert all(problem.startswith("market.csv, line 1: column '") for problem in mine.problems())


def test_unreadable_files(mine):
    (mine.folder / "roofs.csv").write_bytes(b"roof\xff")
    mine.replace("market.csv", "0,0,5,1,2,reconstructed", '0,0,5,1,2,"reconstructed')
    mine.replace("rules.toml", "rounds = 6", "rounds = six")
    problems = mine.problems()
    assert "roofs.csv: is not UTF-8 text (byte 5); expected a CSV file in UTF-8" in problems
    assert any(problem.startswith("market.csv: is no CSV: ") for problem in problems)
    assert any(problem.startswith("rules.toml: is no TOML: ") and "line 5" in problem for problem in problems)


@pytest.mark.parametrize("name", ["roofs.csv", "rules.toml"])
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.mkdir, "is a folder, not a file"),
        (os.mkfifo, "is a pipe, not a file"),
        (lambda path: path.symlink_to("nowhere"), "is a link to nowhere, which is not there"),
    ],
)
def test_what_is_no_file_is_not_opened(mine, name, make, reason):
    (mine.folder / name).unlink()
    make(mine.folder / name)
    assert any(problem.startswith(f"{name}: {reason}; expected a ") for problem in mine.problems())


def test_no_such_folder(tmp_path):
    with pytest.raises(ComponentsError, match="is no folder; expected one with cards"):
        load_components(tmp_path / "nowhere")


def test_too_many_spaces(mine):
    mine.add("market.csv", "".join(f"{q},40,2,0,2,\n" for q in range(20)))
    assert mine.problems() == ["market.csv: 49 spaces are too many; expected at most 48"]


def test_too_many_effects_for_the_box(mine):
    rows = mine.table("cards.csv")
    column = rows[0].index("ext_income")
    for number, row in enumerate(rows[1:], start=1):
        row[column] = " | ".join(f"gain silver {number} per fields if pigs {i}" for i in range(1, 13))
    mine.write("cards.csv", rows)
    assert mine.problems() == ["the components have too many different alternatives; expected at most 768"]


def test_all_problems_are_shown_together(mine):
    mine.cell("cards.csv", 5, "field", "grap").cell("cards.csv", 7, "barrow_vp", "0").cell("roofs.csv", 3, "when", "never")
    mine.replace("rules.toml", "rounds = 6 ", "rounds = 7 ")
    with pytest.raises(ComponentsError) as caught:
        mine.load(variant="bgaa")
    assert len(caught.value.problems) == 4
    assert str(caught.value).splitlines() == caught.value.problems


# --- the numbers of the rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("rounds = 6 ", "rounds = 7 ", "rules.toml, line 5, game.rounds: 7 does not fit; expected a whole number from 1 to 6"),
        ("rounds = 6 ", 'rounds = "6" ', "rules.toml, line 5, game.rounds: '6' does not fit; expected a whole number from 1 to 6"),
        ("rounds = 6 ", "rounds = true ", "rules.toml, line 5, game.rounds: true does not fit; expected a whole number from 1 to 6"),
        ("rounds = 6 ", "rouns = 6 ", "rules.toml, line 5, game.rouns: is no key of the rules (did you mean game.rounds"),
        ("rounds = 6 ", "", "rules.toml, game.rounds: is missing; expected a whole number from 1 to 6"),
        ("[helpers]", "[helper]", "rules.toml, helpers: is missing; expected a table with the keys permanent"),
        ("[helpers]", "[helper]", "helper.permanent: is no key of the rules (did you mean helpers.permanent?); expected helpers.permanent"),
        ("min_players = 2", "min_players = 5", "game.min_players: 5 does not fit; expected a whole number from 1 to 4"),
        ("max_players = 4", "max_players = 1", "game.max_players: 1 does not fit; expected a whole number from 2 to 4"),
        ("olive = 3, grain = 3", "olive = -3, grain = 3", "prices.buy.olive: -3 does not fit; expected a whole number from 0 to 1000"),
        ("reversed = true", "reversed = 1", "farm.first_round_roofs_reversed: 1 does not fit; expected true or false"),
        ('"up"', '"down"', "revenue.modify_die: 'down' does not fit; expected up or up_or_down"),
        ('  "deliver 1 |', '  "deliver a |', "revenue.faces, entry 6: in 'deliver a': 'a' is no number from 1 to 99; expected `deliver N`"),
        ('  "gain silver 4",\n', "", "revenue.faces: ['gain pig 1',"),
        ('"gain pig 1",', '"revenue round",', "revenue.faces, entry 1: 'revenue round' would lead back to itself"),
        ('"gain pig 1",', '"piglets +1",', "revenue.faces, entry 1: 'piglets +1' is passive; expected an effect that happens at once"),
        ("[4, 0]]", "[4]]", "transport.donkeys, entry 4: [4] does not fit; expected a list of 2 entries, each a whole number from 0 to 20"),
        ("[4, 0]]", "[4, -1]]", "transport.donkeys, entry 4, entry 2: -1 does not fit; expected a whole number from 0 to 20"),
        ("siesta_vp = [0, 0, 1, 2, 3]", "siesta_vp = [0]", "transport.siesta_vp: [0] does not fit; expected a list of 2 to 8 entries"),
        ("blocked_buildings = 3", "blocked_buildings = 4", "setup.blocked_buildings: 4 does not fit; expected a whole number from 0 to 3"),
        ("dice_extra = 1", "dice_extra = 2", "setup.dice_extra: 2 does not fit; expected a whole number from 0 to 1"),
        ("start_from_section = 2", "start_from_section = 5", "solo.start_from_section: 5 does not fit; expected a section of transport"),
    ],
)
def test_wrong_number(mine, old, new, problem):
    problems = mine.replace("rules.toml", old, new).problems()
    assert any(problem in text for text in problems), problems
    assert all(text.startswith("rules.toml, ") for text in problems)


def test_lines_of_lists(mine):
    mine.replace("rules.toml", '  "deliver 1 |', '  "deliver a |')
    line = mine.folder.joinpath("rules.toml").read_text().splitlines().index('  "deliver a | gain silver 2",') + 1
    assert mine.problems()[0].startswith(f"rules.toml, line {line}, revenue.faces, entry 6: ")


@pytest.mark.parametrize(
    ("overrides", "problem"),
    [
        ({"game.min_players": 4, "game.max_players": 3}, "override, game.min_players: 4 does not fit; expected at most game.max_players"),
        ({"setup.markers": 4}, "override, setup.markers: 4 does not fit; expected 0 (no limit) or a whole number from 5 to 1000"),
        ({"setup.commodities": 25}, "override, setup.commodities: 25 does not fit; expected fewer than setup.markers (25)"),
        ({"setup.bonus_vp_by_position": [0, 0, 0, -2]}, "override, setup.bonus_vp_by_position: -2 does not fit; expected at least -1"),
        ({"setup.bonus_silver_by_position": [0]}, "override, setup.bonus_silver_by_position: [0] does not fit; expected a list of 4"),
        ({"buildings.bonus_vp.deli": -2}, "override, buildings.bonus_vp.deli: -2 does not fit; expected at least -1"),
        ({"buildings.first_bonus_vp.deli": -2}, "override, buildings.first_bonus_vp.deli: -2 does not fit; expected at least -1"),
        (
            {"buildings.unlock_bonus_vp.deli": -1, "buildings.unlock_vp": 0},
            "buildings.unlock_bonus_vp.deli: -1 does not fit; expected at least 0",
        ),
        ({"game.tie_break": "goods"}, "override, game.tie_break: 'goods' does not fit; expected silver or none"),
        ({"farm.roof_slots": 6}, "farm.roof_vp: [0, 1, 2, 3, 4] does not fit; expected one entry for each of farm.roof_slots (6)"),
        ({"transport.donkeys": [[1, 3], [2, 2]]}, "override, transport.donkeys: 2 tiles are too few; expected 3 or more"),
        ({"transport.donkeys_return_in_round": 7}, "transport.donkeys: 4 tiles are too few; expected 6 or more"),
        ({"helpers.permanent": ["Shed Bilder"]}, "helpers.permanent: 'Shed Bilder' is no helper (did you mean Shed Builder?)"),
        ({"market.start": [2, 3, 7, 5]}, "market.start: [2, 3, 7, 5] does not fit with 3 or 4 players; expected an open space of value 7"),
        (
            {"market.start": [6] * 4, "market.closed_below_players": 5},
            "market.start: [6, 6, 6, 6] does not fit with 4 players; expected an",
        ),
        ({"market.start": [2, 3, 4]}, "override, market.start: [2, 3, 4] does not fit; expected a list of 4 entries, each a whole number"),
        ({"market.closed_below_players": 5, "transport.siesta_vp": [0, 1]}, "solo.start_from_section: 2 does not fit"),
    ],
)
def test_numbers_that_do_not_fit_together(overrides, problem):
    assert any(problem in text for text in problems_of(overrides=overrides))


def test_marks_are_sources(mine):
    mine.replace("rules.toml", "rounds = 6                         # d", "rounds = 6 # p")
    loaded = mine.load()
    assert loaded.rule_sources["game.rounds"] == "partly"
    assert loaded.rule_sources["prices.sell"] == loaded.rule_sources["solo.dice"] == "documented"
    assert loaded.rule_sources["solo.start_from_section"] == "reconstructed"
    assert "helpers.permanent" not in loaded.rule_sources


def test_a_table_without_start_spaces_has_those_nearest_to_the_middle(mine):
    mine.write("market.csv", [[*row[:3], "0", *row[4:]] if row[0] != "q" else row for row in mine.table("market.csv")])
    assert list(mine.load().box[0].start_spaces[4]) == [12, 7, 18, 13]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("0", "'0' does not fit; expected a whole number from 1 to 100"),
        ("much", "'much' does not fit; expected a whole number from 1 to 100"),
        ("7", "7 has no open market space with 1, 2, 3 or 4 players; expected 2, 3, 4, 5 or 6"),
    ],
)
def test_wrong_market_values(mine, value, problem):
    assert mine.write_market_values({12: value}).problems() == [f"cards.csv, line 13, market_value: {problem}"]


def test_a_barrow_without_points_says_where_it_leads(mine):
    mine.cell("cards.csv", 13, "barrow_vp", "0")
    assert mine.problems() == ["cards.csv, line 13, market_value: 0 does not fit; expected a whole number from 1 to 100"]
    assert mine.write_market_values({12: "3"}).load().card(12).barrow_vp == 0
