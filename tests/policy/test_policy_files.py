"""Policy files: how one is found and called, what its weights may be, what a new one is, what a check tells, and what its mistakes are told as."""

import json
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from calls import call

from lagranja_sim.play.driver import PolicyFailed, compiled, play_games, warm_up
from lagranja_sim.policy import Policy, PolicyError, describe, described, find_policy, list_policies, load_module, policy_files
from lagranja_sim.policy.errors import in_words, split_types
from lagranja_sim.policy_tools import check as policy_check
from lagranja_sim.policy_tools import judge, speed
from lagranja_sim.policy_tools.check import Check, Finding, Size, named
from lagranja_sim.policy_tools.new import KINDS, new_policy
from lagranja_sim.runs.setting import open_components

SCORE = "def score(game, box, seat, option, weights):\n    return 0.0\n"
HEAD = '"""A policy of the tests."""\n\nfrom lagranja_sim.games.lagranja.toolkit import *\n\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "policies").mkdir()
    return folder


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder for policies of one's own, empty; no test uses a name that another one uses, for what is loaded stays so."""
    monkeypatch.chdir(home)
    yield home
    for path in (home / "policies").glob("*.*"):
        path.unlink()


def write(here: Path, name: str, text: str, tuned: str | None = None) -> Path:
    path = here / "policies" / f"{name}.py"
    path.write_text(textwrap.dedent(text))
    if tuned is not None:
        path.with_suffix(".toml").write_text(tuned)
    return path


def problem(text: str) -> str:
    with pytest.raises(PolicyError) as caught:
        find_policy(text)
    return str(caught.value)


# --- finding -------------------------------------------------------------------------------------------------------------------------


def test_own_policies_come_first_and_helpers_are_none(here: Path) -> None:
    own = write(here, "greedy", f'"""Mine."""\n{SCORE}')
    write(here, "_helper", "")
    assert find_policy("greedy").path == own
    assert find_policy("greedy").doc == "Mine."
    assert find_policy("random").path != own.with_name("random.py")
    assert "_helper" not in policy_files()
    assert {"greedy", "random", "balanced"} <= {policy.name for policy in list_policies()}


def test_an_unknown_name_is_told_its_neighbours(here: Path) -> None:
    told = problem("ballanced")
    assert told.startswith("no policy is called 'ballanced'; did you mean balanced")
    assert "random" in told.partition("policies: ")[2]


# --- weights -------------------------------------------------------------------------------------------------------------------------


def test_weights_have_defaults_and_can_be_set(here: Path) -> None:
    write(here, "two", f'WEIGHTS = {{"one": (1.0, 0.0, 2.0), "other": (5, 5, 9)}}\n{SCORE}')
    assert find_policy("two").weights == {"one": 1.0, "other": 5.0}
    called = find_policy("two:other=7.5, one=2")
    assert called.weights == {"one": 2.0, "other": 7.5}
    assert called.name == "two:one=2,other=7.5"
    assert called.hash == find_policy("two").hash


def test_policies_of_different_weights_have_different_names(here: Path) -> None:
    names = [find_policy(f"greedy:share={share}").name for share in ("2", "2.00", "2.0000001", "0.1", "1e-7")]
    assert names == [f"greedy:share={share}" for share in ("2", "2", "2.0000001", "0.1", "1e-07")]
    assert [find_policy(name).name for name in names] == names


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("fiels=1", "policy greedy has no weight 'fiels'; did you mean field?; its weights: share, field"),
        ("field=6", "policy greedy: weight field=6 is outside 0 to 5"),
        ("field=-1", "policy greedy: weight field=-1 is outside 0 to 5"),
        ("field=much", "policy greedy: weight field='much' is no number"),
        ("field=nan", "policy greedy: weight field='nan' is no number"),
        ("field", "policy greedy: weight field='' is no number"),
        ("@nowhere.toml", "weights file nowhere.toml: No such file"),
    ],
)
def test_wrong_settings_are_told(here: Path, setting: str, told: str) -> None:
    assert problem(f"greedy:{setting}").startswith(told)


def test_a_weights_file_sets_weights_and_later_settings_win(here: Path) -> None:
    (here / "some.toml").write_text("# how\n[weights]\nfield = 2\nstep = 1.5\n")
    found = find_policy("greedy:@some.toml,step=3")
    assert (found.weights["field"], found.weights["step"], found.weights["share"]) == (2.0, 3.0, 1.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[weights]\nfield = 9\n", "outside 0 to 5"),
        ("[weights]\nfeld = 1\n", "did you mean field?"),
        ("weights = 3\n", "expected a table [weights] of numbers"),
        ('[weights]\nfield = "2"\n', "expected a table [weights] of numbers"),
        ("[weights\n", "weights file wrong.toml: "),
    ],
)
def test_wrong_weights_files_are_told(here: Path, text: str, told: str) -> None:
    (here / "wrong.toml").write_text(text)
    assert told in problem("greedy:@wrong.toml")


def test_tuned_weights_beside_a_policy_are_its_defaults(here: Path) -> None:
    path = write(here, "beside", f'WEIGHTS = {{"one": (1.0, 0.0, 2.0)}}\n{SCORE}', "[weights]\none = 0.25\n")
    found = find_policy("beside")
    assert found.weights == {"one": 0.25}
    path.with_suffix(".toml").unlink()
    described.cache_clear()
    assert find_policy("beside").weights == {"one": 1.0}
    assert find_policy("beside").hash != found.hash


def test_a_policy_may_stand_on_another(here: Path) -> None:
    write(here, "base", f'"""Below."""\nWEIGHTS = {{"one": (1.0, 0.0, 2.0), "two": (3.0, 0.0, 4.0)}}\n{SCORE}', "[weights]\ntwo = 2.0\n")
    write(here, "above", '"""Above."""\nBASE = "base"\nWEIGHTS = {"one": 0.5}\n')
    found = find_policy("above:two=1.5")
    assert (found.doc, found.kind, found.code.stem, found.weights) == ("Above.", "score", "base", {"one": 0.5, "two": 1.5})
    assert found.bounds == find_policy("base").bounds
    assert found.hash != find_policy("base").hash


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("w1", "WEIGHTS = 3\n" + SCORE, "WEIGHTS is a dict of name: (default, low, high)"),
        ("w2", 'WEIGHTS = {"a": (1, 2)}\n' + SCORE, "WEIGHTS is a dict of name: (default, low, high)"),
        ("w3", 'WEIGHTS = {"a": (3, 0, 2)}\n' + SCORE, "weight a: default 3 is outside 0 to 2"),
        ("w4", 'TWO = 2\n\nWEIGHTS = {"a": (1, 0, TWO)}\n' + SCORE, "line 3: WEIGHTS is written out, without names or calls"),
        ("w5", f"WEIGHTS = {dict.fromkeys(map(str, range(65)), (0, 0, 1))}\n" + SCORE, "65 weights; at most 64"),
        ("w6", "def chose(game): ...\n", "a policy has a function `choose` or `score`, a class `Policy`, or a BASE"),
        ("w7", "def score(:\n", "line 1: invalid syntax"),
        ("w8", 'BASE = "w8"\n', "leads back to w8.py"),
        ("w9", 'BASE = "greedy"\nWEIGHTS = {"field": (1, 0, 2)}\n', "beside BASE, WEIGHTS is a dict of name: number"),
        ("w10", 'BASE = "greedy"\nWEIGHTS = {"field": 7}\n', "weight field=7 is outside 0 to 5"),
        ("w11", 'BASE = "gredy"\n', "did you mean greedy?"),
    ],
)
def test_wrong_files_are_told(here: Path, name: str, text: str, told: str) -> None:
    write(here, name, text)
    assert told in problem(name)


# --- new -----------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of a few games, in this process."""
    size = Size(games=18, a_kind=2)
    monkeypatch.setattr(policy_check, "SIZE", size)
    monkeypatch.setattr(judge, "SIZE", size)
    monkeypatch.setattr(speed, "ENOUGH", 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_policy_is_fit_to_play(here: Path, capsys: Any, kind: str, hasty: None) -> None:
    written = call(capsys, "policies", "new", f"new_{kind}", "--kind", kind)
    assert written.code == 0
    assert written.out.splitlines()[0] == f"wrote policies/new_{kind}.py"
    assert f"lagranja policies check new_{kind}" in written.out
    assert "share code:  from ._mine import worth, of policies/_mine.py" in written.out
    assert ("from ._mine import worth" in Path(f"policies/new_{kind}.py").read_text()) == (kind != "base")
    found = find_policy(f"new_{kind}")
    assert found.weights
    assert "NAME" not in found.path.read_text()
    assert max(map(len, found.path.read_text().splitlines())) <= 140
    found = findings(f"new_{kind}")
    assert list(found) == ["loads", "legal", "deterministic", "blind", "fast"]
    assert all(finding.holds for finding in found.values()), found


def test_a_new_policy_edited_in_one_line_plays_in_a_ladder(here: Path, capsys: Any) -> None:
    assert call(capsys, "policies", "new", "edited").code == 0
    path = here / "policies" / "edited.py"
    text = path.read_text()
    path.write_text(text.replace("        return 1.0 + weights[DELIVERY]", "        return 3.0 + weights[DELIVERY]"))
    assert path.read_text() != text
    played = call(capsys, "ladder", "--policies", "edited,random", "--players", 2, "--games", 40, "--out", here / "ladder", "--json")
    assert [row["policy"] for row in json.loads(played.out)["policies"]] == ["edited", "random"]


def test_a_new_policy_overwrites_nothing(here: Path, capsys: Any) -> None:
    path = write(here, "taken", "mine")
    refused = call(capsys, "policies", "new", "taken")
    assert (refused.code, refused.err) == (2, "lagranja: policies/taken.py exists; it is left as it is\n")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", ["two words", "7up", "a-b", "", "_x", "class", "a/b", "../up", "naïve"])
def test_a_name_is_an_identifier(here: Path, name: str) -> None:
    with pytest.raises(PolicyError, match="is no name for a policy"):
        new_policy(name)


def test_other_refusals(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PolicyError, match="a policy called 'greedy' comes with the tool"):
        new_policy("greedy")
    with pytest.raises(PolicyError, match=r"no kind is called 'scor'; did you mean score\?; there are score, choose, class, base"):
        new_policy("fine", "scor")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").write_text("a file")
    with pytest.raises(PolicyError, match=r"policies/fine\.py"):
        new_policy("fine")


def test_the_first_policy_makes_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert new_policy("first", "base") == Path("policies/first.py")
    assert find_policy("first").weights == find_policy("balanced").weights


# --- check ---------------------------------------------------------------------------------------------------------------------------


def findings(policy: str | Path) -> dict[str, Finding]:
    check = Check(open_components(None, "deluxe"), named(str(policy)))
    return {finding.name: finding for finding in check.findings()}


@pytest.mark.xdist_group("checked")
def test_a_sound_policy_passes_all_tests(here: Path, capsys: Any, hasty: None) -> None:
    path = write(here, "sound", HEAD + "def choose(game, box, seat, options, count, weights):\n    return draw(game, 0, count)\n")
    checked = call(capsys, "policies", "check", path, "--json")
    told = json.loads(checked.out)
    assert (checked.code, told["policy"]) == (0, "sound")
    assert [finding["name"] for finding in told["findings"]] == ["loads", "legal", "deterministic", "blind", "fast"]
    assert all(finding["holds"] for finding in told["findings"])
    assert "20 games played again in another order and all at once" in told["findings"][2]["text"]


UNSOUND = {
    "illegal": (
        "def choose(game, box, seat, options, count, weights):\n    return count\n",
        "legal",
        "an option's index is a whole number from",
    ),
    "divides": ("def score(game, box, seat, option, weights):\n    return 1.0 / (option.do - 3)\n", "legal", "line 6: FloatingPointError"),
    "never alone": ("def score(game, box, seat, option, weights):\n    return 1.0 / (game.seats - 1)\n", "legal", "of 1 players"),
    "scratchy": (
        """
        def score(game, box, seat, option, weights):
            box.scratch[63] += 1.0
            return box.scratch[63] * (option.do % 7)
        """,
        "blind",
        "it keeps something from one decision to the next",
    ),
    "counting": (
        """
        TURNS = []

        class Policy:
            def choose(self, game, box, seat, options, count, weights):
                TURNS.append(seat)
                return len(TURNS) % count
        """,
        "deterministic",
        "went otherwise when they were played again",
    ),
    "remembering": (
        """
        class Policy:
            def __init__(self):
                self.turns = 0

            def choose(self, game, box, seat, options, count, weights):
                self.turns += 1
                return self.turns % count
        """,
        "blind",
        "it keeps something from one decision to the next",
    ),
    "peeping": (
        """
        import sys

        class Policy:
            def choose(self, game, box, seat, options, count, weights):
                table = sys._getframe(1).f_locals["table"]
                return int(table.games["deck"][0].sum() + table.games["deck"][0, 5]) % count
        """,
        "blind",
        "it knows of hidden cards, dice, roofs or donkeys",
    ),
    "raising": (
        "class Policy:\n    def choose(self, game, box, seat, options, count, weights):\n        return options[99].do\n",
        "legal",
        "line 7: IndexError",
    ),
    "abroad": ("class Policy:\n    def __init__(self, who):\n        pass\n", "loads", "missing 1 required positional argument: 'who'"),
    "typo": ("def score(game, box, seat, option, weights):\n    return good_prise(box, 1)\n", "loads", "did you mean good_price"),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_an_unsound_policy_is_found_out(here: Path, name: str, hasty: None, capsys: Any) -> None:
    text, test, told = UNSOUND[name]
    path = write(here, f"un_{name}", HEAD + textwrap.dedent(text))
    found = findings(path)
    assert not found[test].holds
    assert told in found[test].text
    assert all(finding.holds for earlier, finding in found.items() if list(found).index(earlier) < list(found).index(test))


@pytest.mark.xdist_group("checked")
def test_an_unfit_policy_gives_exit_code_1(here: Path, capsys: Any, hasty: None) -> None:
    write(here, "unfit", HEAD + "class Policy:\n    def choose(self, *given):\n        return -1\n")
    checked = call(capsys, "policies", "check", "unfit")
    assert checked.code == 1
    assert "NO   legal:" in checked.out
    assert "chose option -1 of" in checked.out


@pytest.mark.parametrize(("policy", "told"), [("nowhere.py", "there is no file nowhere.py"), ("gredy", "did you mean greedy?")])
def test_a_policy_to_check_must_exist(here: Path, capsys: Any, policy: str, told: str) -> None:
    checked = call(capsys, "policies", "check", policy)
    assert checked.code == 2
    assert told in checked.err


def test_the_list_is_still_there(here: Path, capsys: Any) -> None:
    listed = call(capsys, "policies")
    assert listed.code == 0
    assert "greedy" in listed.out
    assert {"name", "weights"} <= set(json.loads(call(capsys, "policies", "--json").out)[0])


# --- mistakes ------------------------------------------------------------------------------------------------------------------------

# name: body of the file from line 5 on, the line to be told, the words
MISTAKES = {
    "misspelled": (
        "def score(game, box, seat, option, weights):\n    return 1.0 if option.do == DO_DELIVR else 0.0\n",
        6,
        "there is no name 'DO_DELIVR'; did you mean Do.DELIVER",
    ),
    "old_name": (
        "def score(game, box, seat, option, weights):\n    return 1.0 if option.do == DO_DELIVER else 0.0\n",
        6,
        "there is no name 'DO_DELIVER'; it is called Do.DELIVER now",
    ),
    "old_field": (
        "def score(game, box, seat, option, weights):\n    return float(box.hand_limit)\n",
        6,
        "'hand_limit'; it is called box.farm.hand_limit now",
    ),
    "name_and_number": (
        "def score(game, box, seat, option, weights):\n    return float(Item.VP if option.good < 0 else option.good)\n",
        6,
        "write Item.NAME.value",
    ),
    "missing_return": (
        "def score(game, box, seat, option, weights):\n    if option.do == Do.DELIVER:\n        return 1.0\n",
        6,
        "score can end after this line without a `return`",
    ),
    "formatting": (
        "def score(game, box, seat, option, weights):\n    text = f'{weights[0]:.2f}'\n    return float(len(text))\n",
        6,
        "compiled code cannot put numbers into text",
    ),
    "percent": (
        "def score(game, box, seat, option, weights):\n    return float(len('%s' % option.do))\n",
        6,
        "compiled code cannot put numbers into text",
    ),
    "arguments": (
        "def score(game, box, seat, option, weights):\n    return good_price(option.good)\n",
        6,
        "good_price(box, thing) is called with the wrong arguments: missing a required argument: 'thing'",
    ),
    "mixed_list": (
        "def score(game, box, seat, option, weights):\n    values = [1, 'two', 3.0]\n    return values[option.do]\n",
        7,
        "a list in compiled code holds things of one kind only",
    ),
    "undecorated": (
        "def worth(box):\n    return 1.0\n\n\ndef score(game, box, seat, option, weights):\n    return worth(box)\n",
        10,
        "worth is an ordinary Python function: decorate it with @kernel",
    ),
    "nested": (
        "@kernel\ndef worth(box):\n    return good_price(box, 1, 2)\n\n\ndef score(game, box, seat, option, weights):\n    return worth(box)\n",
        7,
        "good_price(box, thing) is called with the wrong arguments: too many positional arguments",
    ),
    "field": (
        "def score(game, box, seat, option, weights):\n    return 1.0 * game.round\n",
        6,
        "there is no field 'round'; did you mean rounds or roof_round or round_number?",
    ),
    "signature": ("def score(game, box, seat, option):\n    return 1.0\n", 5, "score takes (game, box, seat, option, weights)"),
    "result": ("def score(game, box, seat, option, weights):\n    return 'high'\n", 6, "score returns a number, not text"),
    "by_name": (
        "def score(game, box, seat, option, weights):\n    return weights['a']\n",
        6,
        "an array is asked for a place by a whole number",
    ),
    "two_kinds": (
        "def score(game, box, seat, option, weights):\n    x = 1\n    if seat:\n        x = 's'\n    return 1.0 if x == 1 else 0.0\n",
        9,
        "x is a whole number in one place and text in another",
    ),
    "chance": (
        "import random\n\n\ndef choose(game, box, seat, options, count, weights):\n    return random.choice(options)\n",
        9,
        "compiled code cannot use random.choice; for chance there is draw(game, index, bound)",
    ),
    "table": (
        "TABLE = {1: 2.0}\n\n\ndef score(game, box, seat, option, weights):\n    return TABLE[seat]\n",
        9,
        "cannot use TABLE, a dict",
    ),
    "generator": (
        "def score(game, box, seat, option, weights):\n    return max(weights[i] for i in range(3))\n",
        6,
        "generator expressions do not compile: write a loop",
    ),
    "global": (
        "N = 0\n\n\ndef score(game, box, seat, option, weights):\n    global N\n    N += 1\n    return 1.0\n",
        10,
        "a name from outside a function cannot be changed in it",
    ),
    "operation": (
        "def score(game, box, seat, option, weights):\n    return option + 1\n",
        6,
        "`add` does not work on a record and a whole number",
    ),
    "called": (
        "def score(game, box, seat, option, weights):\n    return SLOTS(2)\n",
        6,
        "a whole number is called as if it were a function",
    ),
}


def told_of(path: Path) -> str:
    policy = describe(path)
    with pytest.raises(PolicyError) as caught:
        compiled(policy.code, policy.kind)
    return str(caught.value)


@pytest.mark.parametrize("name", [name for name, (_, line, _) in MISTAKES.items() if line])
def test_a_mistake_is_told_by_its_line(tmp_path: Path, name: str) -> None:
    text, line, words = MISTAKES[name]
    path = tmp_path / f"{name}.py"
    path.write_text(HEAD + text)
    told = told_of(path)
    where, source = told.splitlines()
    assert where.startswith(f"{path}, line {line}: ")
    assert words is not None
    assert words in where
    assert source == "    " + path.read_text().splitlines()[line - 1].strip()
    assert "numba" not in told.lower()


def test_a_mistake_ends_a_command_with_two_lines(here: Path, capsys: Any) -> None:
    path = write(here, "mistaken", HEAD + MISTAKES["misspelled"][0])
    ended = call(capsys, "play", "--policies", "mistaken,random")
    assert ended.code == 2
    assert ended.err.splitlines()[-2:] == [
        f"lagranja: {path}, line 6: there is no name 'DO_DELIVR'; did you mean Do.DELIVER or Do.BUY_DELIVERY?",
        "lagranja:     return 1.0 if option.do == DO_DELIVR else 0.0",
    ]


def test_what_goes_wrong_while_loading_is_told_by_its_line(here: Path) -> None:
    write(here, "unloadable", HEAD + f"LIMIT = 1 / 0\n{SCORE}")
    with pytest.raises(PolicyError, match=r"unloadable\.py, line 5: ZeroDivisionError: division by zero\n    LIMIT = 1 / 0$"):
        warm_up([find_policy("unloadable")])


def test_what_compiled_code_raises_in_a_game_names_policy_and_games(here: Path) -> None:
    write(here, "raiser", HEAD + "def score(game, box, seat, option, weights):\n    return 1.0 / (option.do - 3)\n")
    policy = find_policy("raiser")
    with pytest.raises(PolicyFailed, match=r"(?s)^policy raiser: .*line 6: .*divide by zero.*\(seed 7, game 4 of 2 players, seat "):
        play_games(open_components(None, "deluxe"), [policy] * 2, 2, 7, 4, 2, ["seats"])


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
    play_games(open_components(None, "deluxe"), [policy] * 2, 2, 1, 0, 3, ["seats"])
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
    told = []
    found = {policy.name for policy in list_policies(told.append)}
    assert "balanced" in found and "broken" not in found
    assert "broken.py, line 1" in str(told[0])


def test_the_hash_of_a_policy_covers_the_weights_it_takes_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "mine.py").write_text('"""Mine."""\n\nWEIGHTS = {"a": (1, 0, 2)}\n\n\ndef choose():\n    pass\n')
    (tmp_path / "policies" / "yours.py").write_text('"""Yours."""\n\nWEIGHTS_OF = "mine"\n\n\ndef choose():\n    pass\n')
    before = find_policy("yours").hash
    described.cache_clear()
    (tmp_path / "policies" / "mine.toml").write_text("[weights]\na = 2\n")
    assert find_policy("yours").hash != before
