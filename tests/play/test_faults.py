"""What a policy may not do: change the game of others, score or choose what is no option, end the tool. It is told with policy and decision."""

import re
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import call

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.play import driver
from lagranja_sim.play.driver import PolicyFailed, compiled, play_games
from lagranja_sim.play.slow_driver import play_games_slowly
from lagranja_sim.policy import PolicyError, describe, find_policy

HEAD = '"""A policy of the tests."""\n\nimport sys\n\nimport numpy as np\n\nfrom lagranja_sim.games.lagranja.toolkit import *\n\n\n'
CHOOSE = "def choose(game, box, seat, options, weights, notes):\n"
SCORE = "def score(game, box, seat, option, weights, notes):\n"
CLASS = "class Policy:\n    def choose(self, game, box, seat, options, weights, notes):\n"
WEIGHTS = 'WEIGHTS = {"first": (1.0, 0.0, 2.0), "second": (1.0, 0.0, 2.0)}\n\n\n'
SEED = 7
WHERE = r"\(seed 7, game \d+ of 2 players, seat [01], round {round}, [a-z_]+\)"


def write(here: Path, name: str, head: str, body: str) -> str:
    """A policy's file: its head, and a body that is indented as that wants it."""
    indent = " " * (8 if "class" in head else 4)
    (here / "policies" / f"{name}.py").write_text(HEAD + head + textwrap.indent(textwrap.dedent(body).strip("\n") + "\n", indent))
    return name


def rows(*names: str, games: int = 8, first: int = 0) -> dict[str, np.ndarray]:
    policies = [find_policy(name) for name in names]
    return play_games(load_components(), policies, SEED, first, games)


def fails(*names: str) -> str:
    """What is told of a game, which is the same whether it is played at once or step by step."""
    told = []
    for play in (play_games, play_games_slowly):
        with pytest.raises(PolicyFailed) as caught:
            play(load_components(), [find_policy(name) for name in names], SEED, 0, 2)
        told.append(str(caught.value))
    assert told[0] == told[1]
    return told[0]


def equal(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[table], other[table]) for table in one)


# --- changes -------------------------------------------------------------------------------------------------------------------------

CHANGES = {  # what is changed in round 3, and how it is told
    "box.prices.sell[Item.PIG] = 9": r"box\.prices\.sell\[3\] from 3 to 9",
    "box.cards[5].barrow[2] = 7": r"box\.cards\[5\]\.barrow\[2\] from \d to 7",
    "box.game.rounds = 2": r"box\.game\.rounds from 6 to 2",
    "box.ledger_on = 1": r"box\.ledger_on from 0 to 1",
    "box.ops[1000].n = 3": r"box\.ops\[1000\]\.n from 0 to 3",
    "weights[1] = 0.25": r"its weight second from 1\.0 to 0\.25",
    "weights[40] = 5.0": r"its weight 40 from 0\.0 to 5\.0",
}


@pytest.mark.parametrize("form", ["compiled", "class"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_is_there_to_be_read_is_an_error(here: Path, change: str, form: str) -> None:
    head = {"compiled": CHOOSE, "class": CLASS}[form]
    name = write(
        here, f"change_{form}_{list(CHANGES).index(change)}", WEIGHTS + head, f"if game.round_number == 3:\n    {change}\nreturn 0"
    )
    told = fails(name, "random")
    where = WHERE.format(round=3)
    assert re.fullmatch(rf"policy {name} changed {CHANGES[change]}, which is there to be read {where}", told), told


def test_a_change_ends_a_run_a_replay_and_a_search_for_weights(here: Path, capsys: Any) -> None:
    body = "if game.round_number == 6:\n    box.prices.sell[Item.PIG] = 9\nreturn weights[0] * option.do"
    write(here, "thief", WEIGHTS + SCORE, body)
    (here / "m.toml").write_text('games = 40\nplayers = 2\nseed = 7\npolicies = ["thief", "random"]\n')
    told = rf"lagranja: policy thief changed box\.prices\.sell\[3\] from 3 to 9, which is there to be read {WHERE.format(round=6)}"
    ran = call(capsys, "run", "m.toml", "--out", here / "thief", "--jobs", 1)
    assert (ran.code, ran.out) == (1, "")
    assert re.search(rf"^{told}$", ran.err, re.MULTILINE)
    assert not list((here / "thief").rglob("*.parquet"))
    for command in (
        ("replay", here / "thief", 3),
        ("play", "--policies", "thief,random", "--seed", 7),
        ("ladder", "--policies", "thief,random", "--players", 2, "--games", 8, "--seed", 7, "--out", here / "ladder", "--jobs", 1),
    ):
        ended = call(capsys, *command)
        assert (ended.code, "changed box.prices.sell[3] from 3 to 9" in ended.err) == (1, True), command
        assert "should not happen" not in ended.err
    size = "--generations", 1, "--population", 4, "--deals", 1
    tuned = call(capsys, "tune", "thief", "--against", "random", "--players", 2, *size, "--jobs", 1, "--out", here / "tuned.toml")
    assert (tuned.code, "changed box.prices.sell[3] from 3 to 9" in tuned.err) == (1, True)
    assert not (here / "tuned.toml").exists()


HARMLESS = "return (game.round_number + seat) % len(options)"
HARM = {  # what a policy does to its own memory before it chooses as the harmless one does
    "puts_back": "price = box.prices.sell[Item.PIG]\nbox.prices.sell[Item.PIG] = 9 if game.round_number < 4 else 3\n" + HARMLESS,
    "notes": "notes.numbers[:] = 5.0\nnotes.counts[:] = 5\n" + HARMLESS,
    "options": "for index in range(len(options)):\n    options[index].do = Do.DONE\n    options[index].card = 1\n" + HARMLESS,
    "view": "game.players[0].stock[Item.VP] = 99\ngame.round_number = 1\n" + HARMLESS.replace("game.round_number", "game.decisions"),
}
WATCHES = """
seen = box.prices.sell[Item.PIG] + int(notes.numbers[3]) + notes.counts[3] + options[0].card + game.players[0].stock[Item.VP]
return seen % len(options)
"""


@pytest.mark.parametrize("form", ["compiled", "class"])
@pytest.mark.parametrize("harm", HARM)
def test_what_a_policy_does_to_its_own_memory_reaches_no_other_seat_and_no_other_game(here: Path, harm: str, form: str) -> None:
    head = {"compiled": CHOOSE, "class": CLASS}[form]
    if harm == "view":
        harmless = write(here, f"harmless_view_{form}", head, HARMLESS.replace("game.round_number", "game.decisions"))
    else:
        harmless = write(here, f"harmless_{harm}_{form}", head, HARMLESS)
    harmful, watching = write(here, f"{harm}_{form}", head, HARM[harm]), write(here, f"watching_{harm}_{form}", CHOOSE, WATCHES)
    expected, found = rows(harmless, watching), rows(harmful, watching)
    assert equal(found, expected)


def test_a_score_gets_an_option_of_its_own(here: Path) -> None:
    harmless = write(here, "scores", SCORE, "return float(option.do % 5)")
    harmful = write(here, "scores_and_changes", SCORE, "worth = float(option.do % 5)\noption.do = Do.DONE\noption.n = 7\nreturn worth")
    assert equal(rows(harmful, harmless), rows(harmless, harmless))


@pytest.mark.parametrize("form", ["compiled", "class"])
def test_notes_of_a_game_are_gone_in_the_next_one(here: Path, form: str) -> None:
    body = "notes.numbers[5] += 1.0\nnotes.counts[5] += 1\nreturn (int(notes.numbers[5]) + notes.counts[5]) % len(options)"
    name = write(here, f"counts_{form}", {"compiled": CHOOSE, "class": CLASS}[form], body)
    together, alone = rows(name, name, games=4), [rows(name, name, games=1, first=game) for game in range(4)]
    for table in together:
        assert np.array_equal(together[table], np.concatenate([each[table] for each in alone]))


# --- scores --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "name"), [("np.nan", "nan"), ("np.inf", "inf"), ("np.inf * (1 - option.n)", "infs")])
def test_a_score_that_is_no_number_is_an_error(here: Path, value: str, name: str) -> None:
    body = f"if game.round_number == 2 and option.do == Do.TAKE_DIE and option.n == 1:\n    return {value}\nreturn 0.0"
    told = fails(write(here, f"scores_{name}", SCORE, body), "random")
    score = "inf" if name == "inf" else "nan"
    option = r"option \d+ \(takes a 1( that counts as a \d)?\)"
    assert re.fullmatch(
        rf"policy scores_{name} scores {option} as {score}: a score is a number, or -inf to say never {WHERE.format(round=2)}", told
    ), told


def test_minus_infinity_says_never(here: Path) -> None:
    body = "return {} if option.do == Do.SELL else float(option.do)"
    least, never = write(here, "least", SCORE, body.format("-1e9")), write(here, "never", SCORE, body.format("-np.inf"))
    other = write(here, "other", SCORE, "return -float(option.do)")
    only_cards = "return -np.inf if option.do == Do.PLAY_CARD else 0.0"
    assert equal(rows(never, other), rows(least, other))
    told = fails(write(here, "nothing_left", SCORE, only_cards), "random")
    assert "policy nothing_left scores every option as -inf, which says never: one must be taken" in told
    assert told.endswith("play_card)")


# --- choices -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("0.7", "choose returns a number, not the index of an option, which is a whole number"),
        ("0 if seat > 3 else 0.5", "choose returns a number"),
        ("seat > 3", "choose returns true or false, not the index of an option"),
        ("np.float32(1)", "choose returns a number"),
    ],
)
def test_a_compiled_choice_is_a_whole_number_by_itself(tmp_path: Path, value: str, told: str) -> None:
    path = tmp_path / "kinds.py"
    path.write_text(f"{HEAD}{CHOOSE}    if game.round_number == 9:\n        return 0\n    return {value}\n")
    for _ in range(2):  # what has been refused is not found in the cache the next time
        driver._compiled.cache_clear()
        with pytest.raises(PolicyError) as caught:
            compiled(describe(path))
        assert str(caught.value).startswith(f"{path}, line 13: {told}")
        assert str(caught.value).endswith(f"\n    return {value}")


@pytest.mark.parametrize("value", ["options[0].n * 0", "np.uint8(0)", "np.int32(len(options) - 1)"])
def test_a_compiled_choice_may_be_any_whole_number(here: Path, value: str) -> None:
    name = write(here, f"whole_{abs(hash(value))}", CHOOSE, f"return {value}")
    assert len(rows(name, "random", games=2)["games"]) == 2


WRONG = {"0.7": "float", "True": "bool", "None": "NoneType", "np.float64(1.0)": "float64", "np.True_": "bool", "'1'": "str", "[0]": "list"}


@pytest.mark.parametrize("value", WRONG)
def test_a_class_chooses_a_whole_number(here: Path, value: str) -> None:
    name = write(here, f"wrong_{list(WRONG).index(value)}", CLASS, f"return 0 if game.round_number < 4 else {value}")
    told = fails(name, "random")
    assert told.startswith(f"policy {name} chose option {value} ({WRONG[value]}) of ")
    assert re.search(rf": an option's index is a whole number from 0 to \d+ {WHERE.format(round=4)}$", told)


@pytest.mark.parametrize("value", ["np.int64(0)", "np.argmax(np.zeros(len(options)))", "np.array(0)"])
def test_a_class_may_choose_by_a_number_of_numpy(here: Path, value: str) -> None:
    name = write(here, f"numpy_{len(value)}", CLASS, f"return {value}")
    assert len(rows(name, "random", games=2)["games"]) == 2


@pytest.mark.parametrize("form", ["compiled", "class"])
@pytest.mark.parametrize("value", ["len(options)", "-1", "len(options) + 1000000"])
def test_an_illegal_choice_is_told_with_policy_seat_decision_and_game(here: Path, value: str, form: str) -> None:
    head = {"compiled": CHOOSE, "class": CLASS}[form]
    name = write(here, f"illegal_{form}_{len(value)}", head, f"return {value} if game.round_number == 5 else 0")
    told = fails(name, "random")
    expected = rf"policy {name} chose option -?\d+ of (\d+): an option's index is a whole number from 0 to \d+ {WHERE.format(round=5)}"
    assert re.fullmatch(expected, told), told


# --- exceptions ----------------------------------------------------------------------------------------------------------------------


def test_what_compiled_code_raises_is_told_by_its_line(here: Path) -> None:
    told = fails(write(here, "divides", SCORE, "return 1.0 / (option.do - Do.TAKE_DIE)"), "random")
    first, source, where = told.splitlines()
    assert first.startswith("policy divides: ") and "divides.py, line 11: " in first
    assert source == "    return 1.0 / (option.do - Do.TAKE_DIE)"
    assert re.fullmatch(rf"    {WHERE.format(round=1)}", where)


@pytest.mark.parametrize("raised", ["sys.exit()", "sys.exit('enough')", "exit(3)", "raise KeyboardInterrupt", "raise GeneratorExit"])
def test_a_class_that_ends_everything_is_told_as_any_that_raises(here: Path, raised: str) -> None:
    name = write(here, f"ends_{len(raised)}_{raised[0]}", CLASS, f"if game.round_number == 2:\n    {raised}\nreturn 0")
    with pytest.raises(PolicyFailed) as caught:
        play_games(load_components(), [find_policy(name), find_policy("random")], SEED, 0, 2)
    first, source, where = str(caught.value).splitlines()
    kind = {"s": "SystemExit", "e": "SystemExit"}.get(raised[0], raised.split()[-1])
    assert f"policy {name}: " in first and f"{name}.py, line 13: {kind}" in first
    assert source == f"    {raised}"
    assert re.fullmatch(rf"    {WHERE.format(round=2)}", where)


@pytest.mark.parametrize(("kind", "code"), [("score", 2), ("class", 2), ("init", 1)])
def test_a_policy_that_exits_when_it_loads_does_not_end_the_tool_without_a_word(here: Path, capsys: Any, kind: str, code: int) -> None:
    text = {"score": f"sys.exit(0)\n\n\n{SCORE}    return 0.0\n", "class": f"sys.exit(0)\n\n\n{CLASS}        return 0\n"}
    init = "class Policy:\n    def __init__(self):\n        sys.exit(0)\n\n    def choose(self, *given):\n        return 0\n"
    path = here / "policies" / f"exits_{kind}.py"
    path.write_text(HEAD + text.get(kind, init))
    (here / "exits.toml").write_text(f'games = 4\nplayers = 2\nseed = 7\npolicies = ["exits_{kind}", "random"]\n')
    for command in (("play", "--policies", f"exits_{kind},random"), ("run", "exits.toml", "--out", here / f"exits_{kind}", "--jobs", 1)):
        ended = call(capsys, *command)
        assert (ended.code, ended.out) == (code, "")
        assert f"exits_{kind}.py, line {12 if kind == 'init' else 10}: SystemExit: 0" in ended.err
        assert "should not happen" not in ended.err


def test_errors_of_a_ladder_name_the_line_up(here: Path, capsys: Any) -> None:
    write(here, "lost", CHOOSE, "return len(options)")
    ended = call(capsys, "ladder", "--policies", "lost,random", "--players", 2, "--games", 8, "--out", here / "lost", "--jobs", 1)
    assert ended.code == 1
    assert "policy lost chose option" in ended.err
