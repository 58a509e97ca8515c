"""Calls that are wrong in every way that anybody typed one: each is told in plain words on stderr, with exit code 2, and nothing is changed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import made_runs
import pytest
import typer
from calls import call

from lagranja_sim import cli
from lagranja_sim.arguments import LONGEST, number, one_of, shown, some_names, whole, wrong_argument

FOREIGN = ("Traceback", "should not happen", "Input should", "validation error", "Value error", "Errno", "Field required", "String should")
WHOLE, FRACTION, NAMES = set("NSJGKD"), set("XP"), {"W,V,...", "M,M,...", "F,G,..."}  # what options take, by what stands for it in the help


def options() -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Every option of every command that takes a value: the command, the option, and what stands for its value."""

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        for parameter in command.params:
            if parameter.opts[0].startswith("--") and not parameter.is_flag:
                yield words, parameter.opts[0], str(parameter.metavar)
        for name, below in getattr(command, "commands", {}).items():
            yield from walk(below, (*words, name))

    return walk(typer.main.get_command(cli.app), ())


OPTIONS = list(options())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: Any, here: Path, *arguments: str) -> str:
    """What a wrong call prints; whatever lies in the folder stays as it is."""
    before = {path: path.lstat().st_mtime_ns for path in here.rglob("*")}
    done = call(capsys, *arguments)
    assert (done.code, done.out) == (2, ""), done
    assert not [words for words in FOREIGN if words in done.err]
    assert {path: path.lstat().st_mtime_ns for path in here.rglob("*")} == before
    return done.err


# --- any option ----------------------------------------------------------------------------------------------------------------------


def test_all_options_were_found() -> None:
    assert {("compare", "--sprt"), ("policies", "check", "--variant"), ("run", "--games")} <= {
        (*words, option) for words, option, _ in OPTIONS
    }
    assert len(OPTIONS) > 60


@pytest.mark.parametrize(("words", "option"), [(words, option) for words, option, _ in OPTIONS], ids=str)
@pytest.mark.parametrize(("value", "told"), [("", "is empty"), ("\udcff", "is not UTF-8: '\\udcff'")])
def test_what_is_empty_or_no_text_is_refused(capsys: Any, here: Path, words: tuple[str, ...], option: str, value: str, told: str) -> None:
    assert refused(capsys, here, *words, option, value) == f"lagranja: argument {len(words) + 2}, after '{option}', {told}\n"


@pytest.mark.parametrize(("words", "option"), [(words, option) for words, option, metavar in OPTIONS if metavar in WHOLE], ids=str)
@pytest.mark.parametrize("value", ["x", "1.5", "1e3", "٣", "9" * 31, "x" * 5_000])
def test_what_is_no_whole_number_is_refused(capsys: Any, here: Path, words: tuple[str, ...], option: str, value: str) -> None:
    told = refused(capsys, here, *words, option, value)
    assert f"Invalid value for '{option}': must be a whole number" in told
    assert f", not {shown(value)}\n" in told


@pytest.mark.parametrize(("words", "option"), [(words, option) for words, option, metavar in OPTIONS if metavar in FRACTION], ids=str)
@pytest.mark.parametrize("value", ["x", "nan", "-inf", "1e999"])
def test_what_is_no_number_is_refused(capsys: Any, here: Path, words: tuple[str, ...], option: str, value: str) -> None:
    assert f"Invalid value for '{option}': must be a number, not {value!r}\n" in refused(capsys, here, *words, option, value)


@pytest.mark.parametrize(
    ("words", "option"), [(words, option) for words, option, metavar in OPTIONS if metavar in NAMES or option == "--sections"], ids=str
)
def test_a_list_that_names_nothing_is_refused(capsys: Any, here: Path, words: tuple[str, ...], option: str) -> None:
    for value in (",", " , ,"):
        assert f"Invalid value for '{option}': must name something, not {value!r}\n" in refused(capsys, here, *words, option, value)


# --- calls ---------------------------------------------------------------------------------------------------------------------------

LONG = "x" * 5_000
MOST = 2**63 - 1
WRONG = {
    ("run", ""): "argument 2, after 'run', is empty",
    ("run", "pair.toml", "--out="): "--out= is followed by nothing",
    ("run", "folder"): "folder: is a folder, not a file",
    ("run", LONG): f"'{'x' * LONGEST}...': no file has so long a name",
    ("run", "pair.toml", "--components", LONG): "no file has so long a name",
    ("run", "pair.toml", "--variant", f"{LONG}.toml"): "no file has so long a name",
    ("run", "pair.toml", "--jobs", "0"): "'--jobs': must be a whole number from 1 to 1000, not '0'",
    ("run", "pair.toml", "--jobs", "9999999"): "'--jobs': must be a whole number from 1 to 1000, not '9999999'",
    ("run", "pair.toml", "--players", "0"): "'--players': must be a whole number of at least 1, not '0'",
    ("run", "one.toml", "--players", "999999999"): "--players: must be at most 100, not 999999999",
    ("run", "pair.toml", "--backend", "smoke"): "'--backend': must be threading, loky or dask, not 'smoke'",
    ("run", "pair.toml", "--scheduler", "x:1", "--backend", "loky"): "--scheduler is for --backend dask, not for loky",
    ("run", "pair.toml", "--seed", str(MOST + 1)): f"--seed: must be at most {MOST}, not {MOST + 1}",
    ("run", "override.toml"): "override.toml:6: prices.sell.pig: 'x' does not fit; expected a whole number from 0 to 1000",
    ("run", "nul.toml"): "nul.toml:5: components: there is no ",
    ("run", "long.toml"): "long.toml:5: name: must have at most 100 characters, not 101",
    ("play", "--players", "0"): "'--players': must be a whole number of at least 1, not '0'",
    ("play", "--policies", "GREEDY"): "no policy is called 'GREEDY' (did you mean greedy?)",
    ("play", "--policies", "policies/greedy.py"): "no policy is called 'policies/greedy.py' (did you mean greedy?)",
    ("play", "--policies", "a\nb"): "no policy is called 'a\\nb'",
    ("play", "--policies", "greedy:@"): "the path of a weights file stands after the @, as in greedy:@mine.toml",
    ("play", "--policies", "greedy:@pair.toml"): "expected a table [weights] of numbers",
    ("tune", "greedy", "--against", "random", "--seed", "-1"): f"--seed: must be from 0 to {MOST}, not -1",
    ("tune", "greedy", "--against", "random", "--population", "3"): "must be a whole number from 4 to 10000, not '3'",
    ("compare", "yucata", "--players", "999999999"): "its game is for 1 to 4 players, not 999999999",
    ("compare", "policies=,", "yucata"): "arm 'policies=,': policies names nobody",
    ("compare", "prices.sell.pig={}"): "'{}' is no value; expected a number, true or false, [a, list] or \"text\"",
    ("compare", "prices.sell.pig=2020-01-01"): "2020-01-01 does not fit; expected a whole number from 0 to 1000",
    ("compare", "prices.sell.pig=[true, 1]"): "[true, 1] does not fit; expected a whole number",
    ("compare", "deluxe", "yucata", "--variant", "delux"): "'delux' is no variant (did you mean deluxe?)",
    ("compare", "deluxe", "yucata", "--components", "nowhere"): "nowhere: is no folder",
    ("compare", "policy=random", "yucata", "--policies", "gredy"): "no policy is called 'gredy' (did you mean greedy?)",
    ("compare", "yucata", "--sprt", "points: 0 vs 1e999"): "--sprt: 0 vs inf has no end; expected two numbers",
    ("compare", "--sweep", "prices.sell.pig=1.."): "--sweep: '1..' is no range; expected LOW..HIGH, two whole numbers",
    ("compare", "--sweep", "prices.sell.pig=1..1e9"): "--sweep: '1..1e9' is no range",
    ("compare", "arms.toml"): "arms.toml, gane: is no key of an experiment (did you mean game or games?)",
    ("compare", "seed.toml"): "seed.toml, seed: must be at least 0, not -1",
    ("compare", "entry.toml"): "entry.toml, arms (entry 2): must be text in quotes, not 3",
    ("components", "--components", "folder"): "cards.csv: is missing in folder",
    (
        "variants",
        "--components",
        "nowhere",
    ): "nowhere: is no folder; expected one with cards.csv, roofs.csv,",
    ("variants", "--components", "folder"): "rules.toml: is missing in folder; expected a TOML file",
    ("report", "--new", "dice"): "a section called 'dice' comes with the tool; choose another name",
    ("policies", "new", "a\nb"): "'a\\nb' is no name for a policy",
    ("policies", "new", "mine", "--kind", "a\nb"): "no kind is called 'a\\nb'",
    ("policies", "check", "nowhere.py"): "there is no file nowhere.py",
    ("report", "run", "--format", "pdf"): "there is no format 'pdf'",
    ("report", "damaged"): 'damaged/manifest.json is damaged: experiment.games: must be a whole number, not "8"',
    ("replay", "damaged", "1"): "damaged/manifest.json is damaged: ",
    ("compare", "damaged", "run"): "damaged/manifest.json is damaged: ",
    ("replay", "run", "x"): "Invalid value for 'GAME': must be a whole number, not 'x'",
}


@pytest.fixture
def crowded(here: Path) -> Path:
    """The files that the calls speak of."""
    pair = 'games = 2\nplayers = 2\nseed = 1\npolicies = ["random", "greedy"]\n'
    texts = {
        "pair": pair,
        "one": pair.replace(', "greedy"', ""),
        "override": f'{pair}[overrides]\n"prices.sell.pig" = "x"\n',
        "nul": f'{pair}components = "a\\u0000b"\n',
        "long": f'{pair}name = "{"a" * 101}"\n',
        "arms": 'name = "mine"\narms = ["deluxe"]\ngane = 8\n',
        "seed": 'name = "mine"\narms = ["deluxe", "yucata"]\nseed = -1\n',
        "entry": 'name = "mine"\narms = ["deluxe", 3]\n',
    }
    for name, text in texts.items():
        (here / f"{name}.toml").write_text(text)
    (here / "folder").mkdir()
    for name in ("run", "damaged"):
        made_runs.write_run(here / name, made_runs.made_up_games(8), ["a", "b", "c", "d"], 8)
    experiment = json.loads((here / "damaged" / "manifest.json").read_text())["experiment"]
    made_runs.changed(here / "damaged", {"experiment": {**experiment, "games": "8"}})
    return here


@pytest.mark.parametrize(("arguments", "told"), WRONG.items(), ids=[" ".join(arguments)[:60] for arguments in WRONG])
def test_a_wrong_call_is_told_in_plain_words(capsys: Any, crowded: Path, arguments: tuple[str, ...], told: str) -> None:
    assert told in refused(capsys, crowded, *arguments)


# --- what is read --------------------------------------------------------------------------------------------------------------------


def test_arguments_may_hold_anything_else() -> None:
    assert wrong_argument(["run", "x", "--out", "Ünï ✓", "--jobs=2", "--", "-", " ", "a=", "prices.sell.pig="]) == ""
    assert wrong_argument(["", "run"]) == "argument 1 is empty"


def test_numbers_are_read_as_they_are_written() -> None:
    assert [whole()(text) for text in ("7", "-7", "+7", "20_000", "007", 7)] == [7, -7, 7, 20_000, 7, 7]
    assert [whole(1, 3)(text) for text in ("1", "3")] == [1, 3]
    assert [number(text) for text in ("1", "-0.5", "1e-3", 2)] == [1.0, -0.5, 0.001, 2.0]
    assert some_names("a, b") == "a, b"
    assert one_of("a", "b")("b") == "b"
    for text in ("0", "4", "1__0", "_1", "1_"):
        with pytest.raises(typer.BadParameter):
            whole(1, 3)(text)
