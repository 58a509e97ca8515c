"""What is written about a policy's weights, in its file, in a weights file or in a call, is used or refused, with its place; and names are exact."""

import json
from pathlib import Path
from typing import Any

import pytest
from calls import call

from lagranja_sim.contest.ladder import labels
from lagranja_sim.policy import PolicyError, describe, find_policy
from lagranja_sim.policy.call import exact, path_of, spell_path, split_policies, with_paths
from lagranja_sim.policy.modules import load_module
from lagranja_sim.runs.experiment import experiment_from, load_experiment

SCORE = "def score(game, box, seat, option, weights, notes):\n    return 0.0\n"
CHOOSE = "def choose(game, box, seat, options, weights, notes):\n    return 0\n"
BOUND = '{"share": (1.0, 0.0, 3.0)}'
MARK = "\ufeff"  # what some editors put first


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder with a folder of policies."""
    (tmp_path / "policies").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(here: Path, text: str, name: str = "mine") -> Path:
    path = here / "policies" / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def problem(text: str) -> str:
    with pytest.raises(PolicyError) as caught:
        find_policy(text)
    return str(caught.value)


# --- calls ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text"),
    [(2.0, "2"), (2, "2"), (2.0000001, "2.0000001"), (0.1 + 0.2, "0.30000000000000004"), (-0.0, "0"), (1e22, "1e+22"), (1e-7, "1e-07")],
)
def test_a_number_has_one_name_that_no_other_has(number: float, text: str) -> None:
    assert exact(number) == text
    assert float(text) == number


def test_other_settings_have_other_names_and_equal_ones_the_same() -> None:
    names = {text: find_policy(f"greedy:{text}").name for text in ("share=2", "share=2.0", "share=+2e0", "share=2.0000001")}
    assert list(names.values()) == ["greedy:share=2"] * 3 + ["greedy:share=2.0000001"]
    assert find_policy("greedy:share=1,field=2").name == "greedy:field=2"  # 1 is the default
    assert find_policy("greedy:share=1").name == "greedy"


def test_two_settings_are_two_rows_of_a_table(here: Path, capsys: Any) -> None:
    (here / "m.toml").write_text('games = 4\nplayers = 2\nseed = 1\npolicies = ["greedy:share=2", "greedy:share=2.0000001"]\n')
    record = json.loads(call(capsys, "run", "m.toml", "--json").out)
    assert {row["policy"] for row in record["groups"]["policy"]} == {"greedy:share=2", "greedy:share=2.0000001"}
    equal = call(capsys, "ladder", "--policies", "greedy:share=2,greedy:share=2.0", "--players", 2)
    assert (equal.code, equal.err) == (2, "lagranja: greedy:share=2 and greedy:share=2.0 are the same policy\n")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("share=2,share=3", "policy greedy: weight share is set twice, to 2 and to 3"),
        ("share=2, share = 2", "policy greedy: weight share is set twice, to 2 and to 2"),
        ("share=3.0000001", "policy greedy: weight share=3.0000001 is outside 0 to 3"),
        ("share=inf", "policy greedy: weight share=inf is outside 0 to 3"),
        ('@"w.toml', "a double quote has no second one"),
        ('@my"w".toml', 'a path is in quotes as a whole or not at all: @"my,weights.toml"'),
    ],
)
def test_a_setting_that_would_be_dropped_is_refused(here: Path, setting: str, told: str) -> None:
    assert told in problem(f"greedy:{setting}")


def test_what_a_call_sets_goes_before_its_files_in_any_order(here: Path) -> None:
    (here / "one.toml").write_text("[weights]\nshare = 2\nfield = 3\n")
    (here / "two.toml").write_text("[weights]\nstep = 2\n")
    expected = find_policy("greedy:share=0.5,field=3,step=2")
    assert find_policy("greedy:@one.toml,share=0.5,@two.toml").weights == expected.weights
    assert find_policy("greedy:share=0.5,@two.toml,@one.toml").name == expected.name
    assert problem("greedy:@one.toml,@one.toml") == "policy greedy: weight field is set by two files, one.toml and one.toml"


@pytest.mark.parametrize(
    ("text", "policies"),
    [
        ("a,b", ["a", "b"]),
        ("a:x=1,y=2,b", ["a:x=1,y=2", "b"]),
        ("a:x=1,@w.toml,b", ["a:x=1,@w.toml", "b"]),
        ('a:@"my,weights.toml",b:@w.toml,x=1, c', ['a:@"my,weights.toml"', "b:@w.toml,x=1", "c"]),
        ('a:@"x=1,b.toml",@"q"".toml",b', ['a:@"x=1,b.toml",@"q"".toml"', "b"]),
        ("a:@x=1.toml,b", ["a:@x=1.toml", "b"]),
        (",a,,b,", ["a", "b"]),
    ],
)
def test_a_list_of_calls_is_taken_apart(text: str, policies: list[str]) -> None:
    assert split_policies(text) == policies


@pytest.mark.parametrize("path", ["w.toml", "my,weights.toml", 'a "b", c.toml', " w.toml", "a+b.toml", "C:\\w.toml"])
def test_any_path_can_be_written(path: str) -> None:
    assert path_of(spell_path(path)) == path
    call = f"a:{spell_path(path)},x=1"
    assert split_policies(f"{call},b") == [call, "b"]
    assert with_paths(call, lambda given: given * (given == path)) == call


def test_a_comma_in_the_path_of_a_weights_file(here: Path, capsys: Any) -> None:
    (here / "my,weights.toml").write_text("[weights]\nshare = 2\n")
    quoted = 'greedy:@"my,weights.toml"'
    assert find_policy(quoted).name == "greedy:share=2"
    folder = here / "a,b"
    folder.mkdir()
    (folder / "w.toml").write_text("[weights]\nshare = 0.5\n")
    (folder / "m.toml").write_text("games = 4\nplayers = 2\nseed = 1\npolicies = ['greedy:@w.toml', 'greedy:@\"my,weights.toml\"']\n")
    assert load_experiment("a,b/m.toml").experiment.policies == [
        f'greedy:@"{folder / "w.toml"}"',
        f'greedy:@"{here / "my,weights.toml"}"',
    ]
    assert call(capsys, "play", "--policies", f"{quoted},random", "--seed", 1).code == 0
    compared = call(capsys, "compare", f"policies={quoted},random", "--players", 2, "--games", 4, "--policies", "random", "--json")
    assert json.loads(compared.out)["arms"][1]["policies"] == ["greedy:share=2", "random"]


def test_a_plus_in_quotes_is_part_of_a_path(here: Path) -> None:
    from lagranja_sim.compare.arms import parts_of

    assert parts_of('bga+policy=greedy:@"a+b,c.toml"+prices.sell.pig=+4') == ["bga", 'policy=greedy:@"a+b,c.toml"', "prices.sell.pig=+4"]


def test_an_experiment_tells_where_a_quote_is_missing() -> None:
    from lagranja_sim.runs.experiment import ExperimentError

    values = {"name": "m", "games": 4, "players": 2, "seed": 1, "policies": ['greedy:@"w.toml', "random"]}
    with pytest.raises(ExperimentError, match=r"^--policies: .* has no second one"):
        experiment_from(values)


def test_weights_files_of_one_name_are_two_rows_of_a_ladder() -> None:
    assert labels(["a:@/x/w.toml", "a:@/y/v.toml"]) == ["a:@w.toml", "a:@v.toml"]
    assert labels(["a:@/x/w.toml", "a:@/y/w.toml", "b"]) == ["a:@/x/w.toml", "a:@/y/w.toml", "b"]


# --- weights files -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n[weight]\nshare = 2\n", ", line 2: 'weight' is not read (did you mean weights?); expected a table [weights] of numbers"),
        (
            "share = 3\n[weights]\nfield = 2\n",
            ", line 1: 'share' stands outside the table [weights]; expected a table [weights] of numbers",
        ),
        ("[weights]\nshare = 2\n[more]\n", ", line 3: 'more' is not read; expected"),
        ("", ": expected a table [weights] of numbers"),
        ("weights = 3\n", ", line 1: expected a table [weights] of numbers"),
        ("[weights]\nfield = 2\nshare = true\n", ", line 3: share is no number"),
        ('[weights]\nshare = "2"\n', ", line 2: share is no number"),
        ("[weights]\nshare = inf\n", ", line 2: share is no number"),
        ("[weights]\nshare = nan\n", ", line 2: share is no number"),
        (f"[weights]\nshare = 1{'0' * 400}\n", ", line 2: share is no number"),
        ("[weights.deep]\nshare = 2\n", ", line 1: deep is no number"),
        ("[weights]\n\nshar = 2\n", ", line 3: policy greedy has no weight 'shar' (did you mean share?)"),
        ("[weights]\nshare = 4\n", ", line 2: policy greedy: weight share=4 is outside 0 to 3"),
        ("[weights]\nshare = 1\nshare = 2\n", ": Cannot overwrite a value (at line 3"),
    ],
)
def test_what_a_weights_file_says_is_used_or_refused(here: Path, text: str, told: str) -> None:
    (here / "w.toml").write_text(text)
    assert problem("greedy:@w.toml").startswith(f"weights file w.toml{told}")


# --- policy files --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [f"WEIGHTS: dict = {BOUND}\n{SCORE}", f"WEIGHTS: 'dict[str, tuple]' = {BOUND}\n{SCORE}"])
def test_a_setting_may_be_annotated(here: Path, text: str) -> None:
    write(here, text)
    assert find_policy("mine").weights == {"share": 1.0}
    write(here, 'BASE: str = "mine"\nWEIGHTS: dict = {"share": 2}\n', "above")
    assert find_policy("above").weights == {"share": 2.0}
    write(here, f'WEIGHTS_OF: str = "mine"\n{SCORE}', "beside")
    assert find_policy("beside").weights == {"share": 1.0}


ONCE = "WEIGHTS is written once and in full, on line 1; this would not be read"
ALONE = "WEIGHTS is written by itself, out of any block: WEIGHTS = {...}"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('WEIGHTS = {}\nWEIGHTS["share"] = (1.0, 0.0, 3.0)\n', 2, ONCE),
        ("WEIGHTS = {}\nWEIGHTS.update(share=(1.0, 0.0, 3.0))\n", 2, ONCE),
        ("WEIGHTS = {}\nWEIGHTS |= dict(share=(1.0, 0.0, 3.0))\n", 2, ONCE),
        (f"WEIGHTS = {{}}\nif True:\n    WEIGHTS = {BOUND}\n", 3, ONCE),
        (f"WEIGHTS = {BOUND}\nWEIGHTS = {BOUND}\n", 2, ONCE),
        (f"WEIGHTS = {BOUND}\ndel WEIGHTS\n", 2, ONCE),
        (f"WEIGHTS = {BOUND}\nimport json as WEIGHTS\n", 2, ONCE),
        (f"if True:\n    WEIGHTS = {BOUND}\n", 2, ALONE),
        (f"WEIGHTS = MORE = {BOUND}\n", 1, ALONE),
        (f"WEIGHTS, MORE = {BOUND}, 1\n", 1, ALONE),
        ("WEIGHTS: dict\n", 1, ALONE),
        ("from math import pi as WEIGHTS\n", 1, ALONE),
        ("def WEIGHTS():\n    pass\n", 1, ALONE),
        ('\nWEIGHTS = {"share": (1, 0, 3), "share": (2, 0, 3)}\n', 2, "WEIGHTS has 'share' twice, first on line 2"),
        ('WEIGHTS = {\n    "a": (1, 0, 3),\n    "b": (4, 0, 3),\n}\n', 3, "weight b: default 4 is outside 0 to 3"),
        ('WEIGHTS = {"a": (1, 0, 1e999)}\n', 1, "weight a: WEIGHTS is a dict of name: (default, low, high), three finite numbers"),
        ('WEIGHTS = {"a": (1, -1e999, 3)}\n', 1, "weight a: WEIGHTS is a dict of name: (default, low, high), three finite numbers"),
        (
            f'WEIGHTS = {{"a": (1, 0, 1{"0" * 400})}}\n',
            1,
            "weight a: WEIGHTS is a dict of name: (default, low, high), three finite numbers",
        ),
        ('WEIGHTS = {"a": "103"}\n', 1, "weight a: WEIGHTS is a dict of name: (default, low, high), three finite numbers"),
        ('WEIGHTS = {"a": (True, False, True)}\n', 1, "weight a: WEIGHTS is a dict of name: (default, low, high), three finite numbers"),
        ('WEIGHTS = {"a": {1, 0, 3}}\n', 1, "weight a: WEIGHTS is a dict of name: (default, low, high), three finite numbers"),
        ("WEIGHTS = {1: (1, 0, 3)}\n", 1, "1 is no name for a weight"),
        ('WEIGHTS = {"a=b": (1, 0, 3)}\n', 1, "'a=b' is no name for a weight"),
        ("WEIGHTS = []\n", 1, "WEIGHTS is a dict of name: (default, low, high)"),
        ("WEIGHTS = None\n", 1, "WEIGHTS is a dict of name: (default, low, high)"),
        (f"\nWEIGHT = {BOUND}\n", 2, "WEIGHT is no setting of a policy (did you mean WEIGHTS?)"),
        (f"weights: dict = {BOUND}\n", 1, "weights is no setting of a policy (did you mean WEIGHTS?)"),
        ('WEIGHT_OF = "greedy"\n', 1, "WEIGHT_OF is no setting of a policy (did you mean WEIGHTS_OF?)"),
        ('WEIGHTS_OF = "greedy"\nWEIGHTS_OF = "random"\n', 2, "WEIGHTS_OF is written once and in full, on line 1; this would not be read"),
        ("WEIGHTS_OF = 3\n", 1, 'WEIGHTS_OF is the name of a policy: WEIGHTS_OF = "balanced"'),
    ],
)
def test_what_a_file_says_of_its_weights_is_used_or_refused(here: Path, text: str, line: int, told: str) -> None:
    path = write(here, text + SCORE)
    assert problem("mine").startswith(f"{path}, line {line}: {told}")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('BASE = "greedy"\nBASE = "random"\n', 2, "BASE is written once and in full, on line 1; this would not be read"),
        ('if True:\n    BASE = "greedy"\n', 2, 'BASE is written by itself, out of any block: BASE = "balanced"'),
        ("BASE = 3\n", 1, 'BASE is the name of a policy: BASE = "balanced"'),
        ('BASE = "greedy"\nWEIGHTS = {"share": (1, 0, 3)}\n', 2, "weight share: beside BASE, WEIGHTS is a dict of name: number"),
        ('BASE = "greedy"\nWEIGHTS = {"share": True}\n', 2, "weight share: beside BASE, WEIGHTS is a dict of name: number"),
        ('BASE = "greedy"\nWEIGHTS = {\n    "step": 1,\n    "shar": 1,\n}\n', 4, "policy mine has no weight 'shar' (did you mean share?)"),
        ('BASE = "greedy"\nWEIGHTS = {"share": 9}\n', 2, "policy mine: weight share=9 is outside 0 to 3"),
        (f'BASE = "greedy"\n{SCORE}', 2, "beside BASE only PLAYS and WEIGHTS are read, and nothing is run; leave this out"),
        (
            '"""Doc."""\nBASE = "greedy"\nWEIGHTS_OF = "random"\n',
            3,
            "beside BASE only PLAYS and WEIGHTS are read, and nothing is run; leave this out",
        ),
        ('BASE = "greedy"\nWEIGHT = {"share": 1}\n', 2, "WEIGHT is no setting of a policy (did you mean WEIGHTS?)"),
        (f"{SCORE}\n{CHOOSE}", 4, "choose would not be used, for score on line 1 plays; keep one of them"),
    ],
)
def test_what_a_file_says_of_how_it_plays_is_used_or_refused(here: Path, text: str, line: int, told: str) -> None:
    path = write(here, text)
    assert problem("mine").startswith(f"{path}, line {line}: {told}")


def test_a_decorated_function_may_help_the_one_that_plays(here: Path) -> None:
    write(here, f"from lagranja_sim.games.lagranja.toolkit import *\n\n@kernel\n{SCORE}\n{CHOOSE}")
    assert find_policy("mine").kind == "choose"


def test_a_way_to_play_that_is_misspelled_is_told(here: Path) -> None:
    write(here, SCORE.replace("score", "scor"))
    assert problem("mine").endswith("or a BASE (did you mean score?)")


def test_weights_taken_over_count_to_the_most_there_may_be(here: Path) -> None:
    write(here, f"WEIGHTS_OF = 'balanced'\nWEIGHTS = {dict.fromkeys(map(str, range(40)), (0, 0, 1))}\n{SCORE}")
    assert problem("mine").endswith("70 weights; at most 64")


@pytest.mark.parametrize(
    "text",
    [
        f"{SCORE}\ndef fill():\n    global WEIGHTS\n    WEIGHTS = {BOUND}\n\nfill()\n",
        f"WEIGHTS = {{}}\nMORE = WEIGHTS\nMORE['share'] = (1.0, 0.0, 3.0)\n{SCORE}",
        f"from .greedy import *\n{SCORE}",
    ],
)
def test_what_no_reading_tells_is_told_when_the_file_is_run(here: Path, text: str) -> None:
    path = write(here, text)
    with pytest.raises(PolicyError, match="WEIGHTS is not what is written there once the file has been run"):
        load_module(path)


# --- byte order marks ----------------------------------------------------------------------------------------------------------------


def test_a_byte_order_mark_is_no_part_of_a_file(here: Path, capsys: Any) -> None:
    write(here, f'{MARK}"""Marked."""\nfrom ._helper import X\nWEIGHTS = {BOUND}\n{SCORE}')
    write(here, f"{MARK}X = 1\n", "_helper")
    (here / "policies" / "mine.toml").write_text(f"{MARK}[weights]\nshare = 2\n", encoding="utf-8")
    (here / "w.toml").write_text(f"{MARK}[weights]\nshare = 0.5\n", encoding="utf-8")
    (here / "v.toml").write_text(f'{MARK}base = "deluxe"\n[prices.sell]\npig = 4\n', encoding="utf-8")
    experiment = 'games = 4\nplayers = 2\nseed = 1\nvariant = "v.toml"\npolicies = ["mine:@w.toml", "random"]\n'
    (here / "m.toml").write_text(MARK + experiment, encoding="utf-8")
    (here / "c.toml").write_text(f'{MARK}name = "c"\narms = ["deluxe", "v.toml"]\ngames = 4\npolicies = ["random"]\n', encoding="utf-8")
    policy = find_policy("mine")
    assert (policy.doc, policy.weights, load_module(policy.code).X) == ("Marked.", {"share": 2.0}, 1)
    ran = call(capsys, "run", "m.toml")
    assert (ran.code, "mine:share=0.5" in ran.out) == (0, True)
    assert call(capsys, "compare", "c.toml").code == 0


def test_a_declared_encoding_is_heeded(here: Path) -> None:
    path = here / "policies" / "mine.py"
    path.write_bytes(f'# -*- coding: latin-1 -*-\n"""Prêt."""\n{SCORE}'.encode("latin-1"))
    assert find_policy("mine").doc == "Prêt."


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xff\xfe\x00", r"is not UTF-8 text \(byte 1\)$"),
        (b"x = '\xff'\n", r"is not UTF-8 text \(byte 6\)$"),
        (b"# coding: ascii\nx = '\xff'\n", r"is not ascii text \(byte 22\)$"),
        (b"# coding: rot13\n", "'rot13' is not a text encoding"),
        (b"x = '\x00'\n", "is not text: byte 6 is NUL$"),
    ],
)
def test_a_file_that_is_no_text_is_told(here: Path, data: bytes, told: str) -> None:
    (here / "policies" / "mine.py").write_bytes(data)
    with pytest.raises(PolicyError, match=told) as caught:
        find_policy("mine")
    assert str(here / "policies" / "mine.py") in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(here: Path) -> None:
    path = here / "policies" / "mine.py"
    path.mkdir()
    with pytest.raises(PolicyError, match=r"mine\.py: is a folder, not a file$"):
        describe(path)


def test_a_weight_beside_a_policy_is_finite(here: Path) -> None:
    write(here, f"WEIGHTS = {BOUND}\n{SCORE}").with_suffix(".toml").write_text("[weights]\nshare = inf\n")
    assert "line 2: share is no number" in problem("mine")
