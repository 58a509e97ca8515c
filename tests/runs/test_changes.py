"""Changes of a game as they are typed: what is read, what is refused with which words, and runs and games that are played with them."""

import json
from pathlib import Path
from typing import Any

import pytest
from calls import call, part_bytes

from lagranja_sim.runs.changes import WrongChange, changed_name, laid_on, read_typed, value_of
from lagranja_sim.runs.experiment import ExperimentError, load_experiment

KEYS = ["prices.sell.pig", "prices.sell.grape", "revenue.faces.4", "cards.1.barrow_vp", "cards.2.barrow_vp", "cards.2.helper_effect"]


def overrides(*texts: str) -> dict[str, Any]:
    return read_typed(texts, KEYS).overrides


# --- reading -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("prices.sell.pig=4", 4),
        ("prices.sell.pig = -1", -1),
        ("prices.sell.pig=+4", 4),
        ("prices.sell.pig+=1", "+=1"),
        ("prices.sell.pig-=2", "-=2"),
        ("prices.sell.pig+=-1", "+=-1"),
        ("prices.sell.pig += 1", "+=1"),
        ("prices.sell.pig=true", True),
        ("prices.sell.pig=[1, 2]", [1, 2]),
        ('prices.sell.pig=""', ""),
        ("prices.sell.pig='up_front'", "up_front"),
        ("revenue.faces.4=gain silver 5", "gain silver 5"),
        ("revenue.faces.4=gain vp 1 | gain silver 2", "gain vp 1 | gain silver 2"),
        ("cards.2.helper_effect=piglets +1", "piglets +1"),
        ("cards.2.helper_effect=1 of these", "1 of these"),
        ("cards.*.barrow_vp-=1", "-=1"),
    ],
)
def test_a_value_is_spelled_as_in_toml_or_is_the_text_itself(text: str, value: Any) -> None:
    (read,) = overrides(text).values()
    assert (read, type(read)) == (value, type(value))


def test_changes_name_what_they_are_laid_on() -> None:
    read = read_typed(["bga", "components=mine", "prices.sell.pig=4", "cards.*.barrow_vp+=1"], KEYS)
    assert (read.variant, read.components) == ("bga", "mine")
    assert read.overrides == {"prices.sell.pig": 4, "cards.*.barrow_vp": "+=1"}
    assert read.argument("cards.2.barrow_vp") == "cards.*.barrow_vp+=1"
    assert read.argument("cards.2.helper_effect") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("prices.sell.pig=", 'prices.sell.pig has no value; an empty text is ""'),
        ("prices.sell.pig", "prices.sell.pig has no value; expected prices.sell.pig=VALUE"),
        ("prices.sell.pig=[1,", "'[1,' is no value; expected a number, true or false"),
        ('prices.sell.pig="x', "'\"x' is no value"),
        ("prices.sell.pig={}", "'{}' is no value"),
        ("prices.sell.pig+=x", "'x' is no step; expected a whole number"),
        ("prices.sell.pig+=1.5", "'1.5' is no step"),
        ("prices.sell.pgi=4", r"nothing is called 'prices.sell.pgi' (did you mean prices.sell.pig"),
        ("cards.*.barow_vp=4", "nothing is called 'cards.*.barow_vp' (did you mean cards.*.barrow_vp"),
        ("cards.*=4", "nothing is called 'cards.*'"),
        ("=4", "nothing is called ''"),
        (" ", "a part is empty"),
        ("policy=greedy", "who plays is no change of the game"),
        ("varaint=bga", "did you mean variant?"),
    ],
)
def test_a_wrong_change_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(WrongChange) as caught:
        overrides(text)
    assert str(caught.value).startswith(f"change {text!r}: ")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("bga", "variant=yucata"), "change 'variant=yucata': names two variants, bga and yucata"),
        (("components=a", "components=b"), "change 'components=b': sets components twice"),
        (("prices.sell.pig=1", "prices.sell.pig+=1"), "change 'prices.sell.pig+=1': sets prices.sell.pig twice"),
    ],
)
def test_nothing_is_set_twice(texts: tuple[str, ...], reason: str) -> None:
    with pytest.raises(WrongChange) as caught:
        overrides(*texts)
    assert str(caught.value) == reason


def test_a_second_line_does_not_hide_in_a_value() -> None:
    assert value_of("4\nother = 5") == "4\nother = 5"


# --- laid on those of an experiment ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ({}, {"a": "+=1"}, {"a": "+=1"}),
        ({"a": 4}, {"a": 7}, {"a": 7}),
        ({"a": 4}, {"a": "+=1"}, {"a": 5}),
        ({"a": "+=1"}, {"a": "-=3"}, {"a": "-=2"}),
        ({"a": 4, "b.1": 1}, {"b.*": "+=1"}, {"a": 4, "b.1": 1, "b.*": "+=1"}),
    ],
)
def test_a_step_goes_on_from_what_is_there(before: dict[str, Any], change: dict[str, Any], after: dict[str, Any]) -> None:
    assert laid_on(before, change) == after


def test_later_changes_stand_last() -> None:
    assert list(laid_on({"cards.2.barrow_vp": 3, "cards.*.barrow_vp": 4}, {"cards.2.barrow_vp": 5})) == [
        "cards.*.barrow_vp",
        "cards.2.barrow_vp",
    ]


def test_there_is_no_step_from_a_text() -> None:
    with pytest.raises(WrongChange, match=r"a of the experiment: 'sold' takes no step \+=1"):
        laid_on({"a": "sold"}, {"a": "+=1"})


# --- names -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        ((), "base"),
        (("prices.sell.pig=4",), "base-prices.sell.pig-4"),
        (("bga", "cards.*.barrow_vp+=1"), "base-bga-cards.all.barrow_vp-plus-1"),
        (("prices.sell.pig-=1",), "base-prices.sell.pig-minus-1"),
    ],
)
def test_a_changed_experiment_is_named_after_its_changes(texts: tuple[str, ...], name: str) -> None:
    assert changed_name("base", texts) == name


def test_names_that_would_look_alike_or_be_too_long_are_told_apart() -> None:
    texts = ["a=gain silver 5", "a=gain silver, 5", "variant=../bga.toml", *(f"a={'x' * 200}{number}" for number in range(2))]
    names = [changed_name("base", [text]) for text in texts]
    assert len(set(names)) == len(names)
    assert names[0].startswith("base-a-gain-silver-5-")
    assert max(map(len, names)) <= 100


# --- experiments -----------------------------------------------------------------------------------------------------------------------

PAIR = 'games = 4\nplayers = 2\nseed = 1\npolicies = ["random", "greedy"]\nvariant = "yucata"\n[overrides.prices]\nsell.pig = 4\n'


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an experiment that has a variant and an override of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pair.toml").write_text(PAIR)
    return tmp_path


def test_changes_lie_on_the_experiments_own(pair: Path) -> None:
    plain = load_experiment("pair.toml").experiment
    changed = load_experiment("pair.toml", None, ["prices.sell.pig+=1", "setup.silver=2"]).experiment
    assert (plain.name, plain.variant, plain.overrides) == ("pair", "yucata", {"prices.sell.pig": 4})
    assert (changed.variant, changed.overrides) == ("yucata", {"prices.sell.pig": 5, "setup.silver": 2})
    assert changed.name == "pair-prices.sell.pig-plus-1-setup.silver-2"
    assert load_experiment("pair.toml", None, ["bga"]).experiment.variant == "bga"


def test_an_option_and_a_change_do_not_name_two_variants(pair: Path) -> None:
    with pytest.raises(ExperimentError, match="change 'bga': --variant names another one"):
        load_experiment("pair.toml", {"variant": "yucata"}, ["bga"])


# --- commands --------------------------------------------------------------------------------------------------------------------------


def test_a_changed_run_has_its_own_folder_and_repeats_itself(pair: Path, capsys: Any) -> None:
    plain, changed = call(capsys, "run", "pair.toml"), call(capsys, "run", "pair.toml", "prices.sell.pig=9")
    assert (plain.code, changed.code, changed.err) == (0, 0, "")
    name = "pair-prices.sell.pig-9"
    assert changed.out.splitlines()[-1] == f"written to runs/{name}"
    assert sorted(path.name for path in (pair / "runs").iterdir()) == ["pair", name]
    manifest = json.loads((pair / "runs" / name / "manifest.json").read_text())
    assert manifest["experiment"]["overrides"] == {"prices.sell.pig": 9}
    assert manifest["command"] == "lagranja run pair.toml prices.sell.pig=9"
    assert call(capsys, "run", f"runs/{name}", "--out", "again").code == 0
    assert part_bytes(pair / "again") == part_bytes(pair / "runs" / name)
    assert part_bytes(pair / "again") != part_bytes(pair / "runs" / "pair")
    assert call(capsys, "replay", f"runs/{name}", 1).code == 0


def test_a_finished_changed_run_is_not_overwritten(pair: Path, capsys: Any) -> None:
    assert call(capsys, "run", "pair.toml", "prices.sell.pig=9").code == 0
    before = part_bytes(pair / "runs")
    again = call(capsys, "run", "pair.toml", "prices.sell.pig=9")
    assert (again.code, again.out) == (2, "")
    assert "holds this run, finished; choose another folder with --out" in again.err
    assert part_bytes(pair / "runs") == before


def test_a_game_is_played_with_changes(pair: Path, capsys: Any) -> None:
    silver = [call(capsys, "play", f"setup.silver={start}", "--seed", 1, "--json").out for start in (0, 9)]
    assert silver[0] != silver[1]
    other = call(capsys, "play", "variant=bga", "--seed", 1, "--json")
    assert json.loads(other.out.splitlines()[0])["variant"] == "bga"
    assert other.out == call(capsys, "play", "--variant", "bga", "--seed", 1, "--json").out


WRONG = {
    "run pair.toml prices.sell.pgi=4": "change 'prices.sell.pgi=4': nothing is called 'prices.sell.pgi' (did you mean prices.sell.pig",
    "run pair.toml prices.sell.pig=x": "change 'prices.sell.pig=x': 'x' does not fit; expected a whole number from 0 to 1000",
    "play cards.12.barrow_vp=-1": "change 'cards.12.barrow_vp=-1': '-1' does not fit",
    "play cards.*.barrow_vp-=90": "change 'cards.*.barrow_vp-=90': cards.1.barrow_vp: ",
    "play revenue.faces.4=gan": "change 'revenue.faces.4=gan': ",
    "run pair.toml cards.80.barrow_vp=1": "change 'cards.80.barrow_vp=1': nothing is called 'cards.80.barrow_vp' (did you mean cards.",
    "run pair.toml prices.sell.pig=-1": "change 'prices.sell.pig=-1': -1 does not fit",
    "run pair.toml setup.silver=1": "pair.toml:7: prices.sell.pig: 'x' does not fit",
    "run pair.toml variant=bggg": "'bggg' is no variant",
    "run pair.toml variant=no.toml": "change 'variant=no.toml': there is no no.toml",
    "run pair.toml components=nowhere": "change 'components=nowhere': there is no nowhere",
    "run pair.toml bga --variant yucata": "change 'bga': --variant names another one",
    "run pair.toml policies=greedy": "change 'policies=greedy': policies: who plays is no change of the game",
    "run pair.toml prices.sell.pig+=1": "prices.sell.pig of the experiment: 'x' takes no step +=1; expected a value",
    "run broken.toml x=": "broken.toml:4: policies: must be a list",
    "play prices.sell.pgi=4": "change 'prices.sell.pgi=4': nothing is called",
    "play prices.sell.pig=2000": "change 'prices.sell.pig=2000': 2000 does not fit; expected a whole number from 0 to 1000",
    "play transport.siesta_vp.1=x": "change 'transport.siesta_vp.1=x': 'x' does not fit",
    "play transport.donkeys.1.2=x": "change 'transport.donkeys.1.2=x': 'x' does not fit",
    "play prices.*.pig-=100": "change 'prices.*.pig-=100': prices.sell.pig: -9",
    "play yucata bga": "change 'bga': names two variants, yucata and bga",
}


@pytest.mark.parametrize(("line", "message"), WRONG.items(), ids=WRONG)
def test_a_wrong_change_ends_a_command_with_2(pair: Path, capsys: Any, line: str, message: str) -> None:
    (pair / "pair.toml").write_text(PAIR.replace("pig = 4", 'pig = "x"'))
    (pair / "broken.toml").write_text(PAIR.replace('["random", "greedy"]', '"random"'))
    failed = call(capsys, *line.split())
    assert (failed.code, failed.out) == (2, "")
    assert all(text.startswith("lagranja: ") for text in failed.err.splitlines())
    assert message in failed.err
    assert not (pair / "runs").exists()
