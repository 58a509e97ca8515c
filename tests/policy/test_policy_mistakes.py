"""Mistakes in policies are told in plain words, with their line."""

import os
from pathlib import Path
from typing import Any

import pytest
from calls import call
from own_policies import HEAD, SCORE, write

from lagranja_sim.play.driver import PolicyFailed, compiled, play_games, warm_up
from lagranja_sim.policy import Policy, PolicyError, describe, describe_referred, find_policy, list_policies, load_module
from lagranja_sim.policy.errors import in_words, split_types
from lagranja_sim.runs.setting import open_components

# --- mistakes ------------------------------------------------------------------------------------------------------------------------

# name: body of the file from line 5 on, the line to be told, the words
MISTAKES = {
    "misspelled": (
        "def score(game, box, seat, option, weights, notes):\n    return 1.0 if option.do == DO_DELIVR else 0.0\n",
        6,
        "there is no name 'DO_DELIVR' (did you mean Do.DELIVER",
    ),
    "old_name": (
        "def score(game, box, seat, option, weights, notes):\n    return 1.0 if option.do == DO_DELIVER else 0.0\n",
        6,
        "there is no name 'DO_DELIVER'; it is called Do.DELIVER now",
    ),
    "old_field": (
        "def score(game, box, seat, option, weights, notes):\n    return float(box.hand_limit)\n",
        6,
        "'hand_limit'; it is called box.farm.hand_limit now",
    ),
    "old_room": (
        "def score(game, box, seat, option, weights, notes):\n    return box.scratch[3]\n",
        6,
        "there is no field 'scratch'; it is called notes.numbers now",
    ),
    "old_weight": (
        "def score(game, box, seat, option, weights, notes):\n    return weights[W_SILVER]\n",
        6,
        "there is no name 'W_SILVER'; it is called Weight.SILVER now",
    ),
    "name_and_number": (
        "def score(game, box, seat, option, weights, notes):\n    return float(Item.VP if option.good < 0 else option.good)\n",
        6,
        "write Item.NAME.value",
    ),
    "missing_return": (
        "def score(game, box, seat, option, weights, notes):\n    if option.do == Do.DELIVER:\n        return 1.0\n",
        6,
        "score can end after this line without a `return`",
    ),
    "formatting": (
        "def score(game, box, seat, option, weights, notes):\n    text = f'{weights[0]:.2f}'\n    return float(len(text))\n",
        6,
        "compiled code cannot put numbers into text",
    ),
    "percent": (
        "def score(game, box, seat, option, weights, notes):\n    return float(len('%s' % option.do))\n",
        6,
        "compiled code cannot put numbers into text",
    ),
    "arguments": (
        "def score(game, box, seat, option, weights, notes):\n    return good_price(option.good)\n",
        6,
        "good_price(box, thing) is called with the wrong arguments: missing a required argument: 'thing'",
    ),
    "mixed_list": (
        "def score(game, box, seat, option, weights, notes):\n    values = [1, 'two', 3.0]\n    return values[option.do]\n",
        7,
        "a list in compiled code holds things of one kind only",
    ),
    "undecorated": (
        "def worth(box):\n    return 1.0\n\n\ndef score(game, box, seat, option, weights, notes):\n    return worth(box)\n",
        10,
        "worth is an ordinary Python function: decorate it with @kernel",
    ),
    "nested": (
        "@kernel\ndef worth(box):\n    return good_price(box, 1, 2)\n\n\n"
        "def score(game, box, seat, option, weights, notes):\n    return worth(box)\n",
        7,
        "good_price(box, thing) is called with the wrong arguments: too many positional arguments",
    ),
    "field": (
        "def score(game, box, seat, option, weights, notes):\n    return 1.0 * game.round\n",
        6,
        "there is no field 'round' (did you mean rounds, roof_round or round_number?)",
    ),
    "signature": ("def score(game, box, seat, option):\n    return 1.0\n", 5, "score takes (game, box, seat, option, weights, notes)"),
    "result": ("def score(game, box, seat, option, weights, notes):\n    return 'high'\n", 6, "score returns a number, not text"),
    "by_name": (
        "def score(game, box, seat, option, weights, notes):\n    return weights['a']\n",
        6,
        "an array is asked for a place by a whole number",
    ),
    "two_kinds": (
        "def score(game, box, seat, option, weights, notes):\n    x = 1\n    if seat:\n        x = 's'\n    return 1.0 if x == 1 else 0.0\n",
        9,
        "x is a whole number in one place and text in another",
    ),
    "chance": (
        "import random\n\n\ndef choose(game, box, seat, options, weights, notes):\n    return random.choice(options)\n",
        9,
        "compiled code cannot use random.choice; for chance there is draw(game, index, bound)",
    ),
    "table": (
        "TABLE = {1: 2.0}\n\n\ndef score(game, box, seat, option, weights, notes):\n    return TABLE[seat]\n",
        9,
        "cannot use TABLE, a dict",
    ),
    "generator": (
        "def score(game, box, seat, option, weights, notes):\n    return max(weights[i] for i in range(3))\n",
        6,
        "generator expressions do not compile: write a loop",
    ),
    "global": (
        "N = 0\n\n\ndef score(game, box, seat, option, weights, notes):\n    global N\n    N += 1\n    return 1.0\n",
        10,
        "a name from outside a function cannot be changed in it",
    ),
    "operation": (
        "def score(game, box, seat, option, weights, notes):\n    return option + 1\n",
        6,
        "`add` does not work on a record and a whole number",
    ),
    "called": (
        "def score(game, box, seat, option, weights, notes):\n    return SLOTS(2)\n",
        6,
        "a whole number is called as if it were a function",
    ),
}


def told_of(path: Path) -> str:
    with pytest.raises(PolicyError) as caught:
        compiled(describe(path))
    return str(caught.value)


@pytest.mark.parametrize("name", [name for name, (_, line, _) in MISTAKES.items() if line])
def test_a_mistake_is_told_by_its_line(tmp_path: Path, name: str) -> None:
    text, line, words = MISTAKES[name]
    path = tmp_path / f"{name}.py"
    path.write_text(HEAD + text)
    message = told_of(path)
    where, source = message.splitlines()
    assert where.startswith(f"{path}, line {line}: ")
    assert words is not None
    assert words in where
    assert source == "    " + path.read_text().splitlines()[line - 1].strip()
    assert "numba" not in message.lower()


def test_a_mistake_ends_a_command_with_two_lines(here: Path, capsys: Any) -> None:
    path = write(here, "mistaken", HEAD + MISTAKES["misspelled"][0])
    ended = call(capsys, "play", "--policies", "mistaken,random")
    assert ended.code == 2
    assert ended.err.splitlines()[-2:] == [
        f"lagranja: {path}, line 6: there is no name 'DO_DELIVR' (did you mean Do.DELIVER, Do.BUY_DELIVERY or Do.BUY_DELIVERIES?)",
        "lagranja:     return 1.0 if option.do == DO_DELIVR else 0.0",
    ]


def test_what_goes_wrong_while_loading_is_told_by_its_line(here: Path) -> None:
    write(here, "unloadable", HEAD + f"LIMIT = 1 / 0\n{SCORE}")
    with pytest.raises(PolicyError, match=r"unloadable\.py, line 5: ZeroDivisionError: division by zero\n    LIMIT = 1 / 0$"):
        warm_up([find_policy("unloadable")])


def test_what_compiled_code_raises_in_a_game_names_policy_and_games(here: Path) -> None:
    write(here, "raiser", HEAD + "def score(game, box, seat, option, weights, notes):\n    return 1.0 / (option.do - 3)\n")
    policy = find_policy("raiser")
    with pytest.raises(PolicyFailed, match=r"(?s)^policy raiser: .*line 6: .*divide by zero.*\(seed 7, game 4 of 2 players, seat "):
        play_games(open_components("lagranja"), [policy] * 2, 7, 4, 2, ["seats"])


def test_a_class_is_made_anew_for_every_game(here: Path) -> None:
    text = """
        MADE = []

        class Policy:
            def __init__(self):
                MADE.append(1)

            def choose(self, *given):
                return 0
        """
    write(here, "anew", text)
    policy: Policy = find_policy("anew")
    play_games(open_components("lagranja"), [policy] * 2, 1, 0, 3, ["seats"])
    assert len(load_module(policy.code).MADE) == 6


def test_types_are_told_as_kinds() -> None:
    text = "Record(a[type=int8;offset=0],(1, 2)), Literal[int](3), unicode_type) and more"
    assert [in_words(kind) for kind in split_types(text)] == ["a record", "a whole number", "text"]
    assert os.sep not in in_words("Function(x)")


def test_a_circle_of_bases_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    for name, base in (("one", "two"), ("two", "one")):
        (tmp_path / "policies" / f"{name}.py").write_text(f'"""Plays as {base}."""\n\nBASE = "{base}"\n')
    with pytest.raises(PolicyError, match=r"leads back to one\.py"):
        find_policy("one")


def test_a_broken_file_hides_no_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "broken.py").write_text("def choose(:\n")
    messages = []
    names = {policy.name for policy in list_policies(on_broken=messages.append)}
    assert "balanced" in names and "broken" not in names
    assert "broken.py, line 1" in str(messages[0])


def test_the_hash_of_a_policy_covers_the_weights_it_takes_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "mine.py").write_text('"""Mine."""\n\nWEIGHTS = {"a": (1, 0, 2)}\n\n\ndef choose(*_):\n    pass\n')
    (tmp_path / "policies" / "yours.py").write_text('"""Yours."""\n\nWEIGHTS_OF = "mine"\n\n\ndef choose(*_):\n    pass\n')
    before = find_policy("yours").hash
    describe_referred.cache_clear()
    (tmp_path / "policies" / "mine.toml").write_text("[weights]\na = 2\n")
    assert find_policy("yours").hash != before


OLD = {  # what policies of version 0.1 were written as -> the line and what is said
    "choose": (
        "def choose(game, box, seat, options, count, weights):\n    return count - 1\n",
        "line 1: choose takes (game, box, seat, options, weights, notes)",
    ),
    "score": (
        "def score(game, box, seat, option, weights):\n    return 0.0\n",
        "line 1: score takes (game, box, seat, option, weights, notes)",
    ),
    "class": (
        "class Policy:\n    def choose(self, game, box, seat, options, count, weights):\n        return 0\n",
        "line 2: choose takes (game, box, seat",
    ),
}


@pytest.mark.parametrize("kind", OLD)
def test_an_older_policy_is_told_the_old_arguments_and_the_new(tmp_path: Path, kind: str) -> None:
    text, words = OLD[kind]
    (tmp_path / "old.py").write_text(text)
    with pytest.raises(PolicyError) as caught:
        describe(tmp_path / "old.py")
    assert words in str(caught.value)
    assert "`notes` is new since version 0.1" in str(caught.value)
    assert ("`count` is len(options)" in str(caught.value)) == ("count" in text)


def test_a_module_that_has_moved_is_told_by_its_new_name(tmp_path: Path) -> None:
    (tmp_path / "moved.py").write_text(f"from lagranja_sim.toolkit import *\n{SCORE}")
    with pytest.raises(PolicyError, match=r"line 1: .*it is called lagranja_sim\.games\.lagranja\.toolkit now"):
        load_module(tmp_path / "moved.py")
