"""Policy files: how one is found and called, and what its weights may be."""

from pathlib import Path

import pytest
from own_policies import SCORE, problem, write

from lagranja_sim.policy import describe_referred, find_policy, list_policies, policy_files

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
    message = problem("ballanced")
    assert message.startswith("no policy is called 'ballanced' (did you mean balanced")
    assert "random" in message.partition("policies: ")[2]


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
        ("fiels=1", "policy greedy has no weight 'fiels' (did you mean field?); its weights: share, field"),
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
    policy = find_policy("greedy:@some.toml,step=3")
    assert (policy.weights["field"], policy.weights["step"], policy.weights["share"]) == (2.0, 3.0, 1.0)


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
    policy = find_policy("beside")
    assert policy.weights == {"one": 0.25}
    path.with_suffix(".toml").unlink()
    describe_referred.cache_clear()
    assert find_policy("beside").weights == {"one": 1.0}
    assert find_policy("beside").hash != policy.hash


def test_a_policy_may_stand_on_another(here: Path) -> None:
    write(here, "base", f'"""Below."""\nWEIGHTS = {{"one": (1.0, 0.0, 2.0), "two": (3.0, 0.0, 4.0)}}\n{SCORE}', "[weights]\ntwo = 2.0\n")
    write(here, "above", '"""Above."""\nBASE = "base"\nWEIGHTS = {"one": 0.5}\n')
    policy = find_policy("above:two=1.5")
    assert (policy.doc, policy.kind, policy.code.stem, policy.weights) == ("Above.", "score", "base", {"one": 0.5, "two": 1.5})
    assert policy.bounds == find_policy("base").bounds
    assert policy.hash != find_policy("base").hash


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
