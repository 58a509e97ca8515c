"""Policies that are new: the files that `policies new` writes, and what `policies check` finds."""

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from calls import call
from own_policies import HEAD, write

from lagranja_sim.games.lagranja.game import GAME
from lagranja_sim.policy import PolicyError, find_policy
from lagranja_sim.policy_tools import check as policy_check
from lagranja_sim.policy_tools import judge, speed
from lagranja_sim.policy_tools.check import Check, Finding, Size, named
from lagranja_sim.policy_tools.new import new_policy
from lagranja_sim.runs.setting import open_components

# --- new -----------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of a few games, in this process."""
    size = Size(games=18, a_kind=2)
    monkeypatch.setattr(policy_check, "SIZE", size)
    monkeypatch.setattr(judge, "SIZE", size)
    monkeypatch.setattr(speed, "ENOUGH", 0.0)


@pytest.mark.parametrize("kind", GAME.policies.starts)
def test_a_new_policy_is_fit_to_play(here: Path, capsys: Any, kind: str, hasty: None) -> None:
    written = call(capsys, "policies", "new", f"new_{kind}", "--kind", kind)
    assert written.code == 0
    assert written.out.splitlines()[0] == f"wrote policies/new_{kind}.py"
    assert f"lagranja policies check new_{kind}" in written.out
    assert "share code:  from ._mine import worth, of policies/_mine.py" in written.out
    assert ("from ._mine import worth" in Path(f"policies/new_{kind}.py").read_text()) == (kind != "base")
    policy = find_policy(f"new_{kind}")
    assert policy.weights
    assert "NAME" not in policy.path.read_text()
    assert max(map(len, policy.path.read_text().splitlines())) <= 140
    policy = findings(f"new_{kind}")
    assert list(policy) == ["loads", "legal", "deterministic", "blind", "fast"]
    assert all(finding.holds for finding in policy.values()), policy


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
        new_policy(GAME, name)


def test_other_refusals(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PolicyError, match="a policy called 'greedy' comes with the tool"):
        new_policy(GAME, "greedy")
    with pytest.raises(PolicyError, match=r"no kind is called 'scor' \(did you mean score\?\); there are score, choose, class, base"):
        new_policy(GAME, "fine", "scor")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").write_text("a file")
    with pytest.raises(PolicyError, match=r"policies/fine\.py"):
        new_policy(GAME, "fine")


def test_the_first_policy_makes_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert new_policy(GAME, "first", "base") == Path("policies/first.py")
    assert find_policy("first").weights == find_policy("balanced").weights


# --- check ---------------------------------------------------------------------------------------------------------------------------


def findings(policy: str | Path) -> dict[str, Finding]:
    check = Check(open_components("lagranja"), named(str(policy)))
    return {finding.name: finding for finding in check.findings()}


@pytest.mark.xdist_group("checked")
def test_a_sound_policy_passes_all_tests(here: Path, capsys: Any, hasty: None) -> None:
    path = write(here, "sound", HEAD + "def choose(game, box, seat, options, weights, notes):\n    return draw(game, 0, len(options))\n")
    checked = call(capsys, "policies", "check", path, "--json")
    record = json.loads(checked.out)
    assert (checked.code, record["policy"]) == (0, "sound")
    assert [finding["name"] for finding in record["findings"]] == ["loads", "legal", "deterministic", "blind", "fast"]
    assert all(finding["holds"] for finding in record["findings"])
    assert "20 games played again in another order and all at once" in record["findings"][2]["text"]


UNSOUND = {
    "illegal": (
        "def choose(game, box, seat, options, weights, notes):\n    return len(options)\n",
        "legal",
        "an option's index is a whole number from",
    ),
    "divides": (
        "def score(game, box, seat, option, weights, notes):\n    return 1.0 / (option.do - 3)\n",
        "legal",
        "line 6: FloatingPointError",
    ),
    "never alone": ("def score(game, box, seat, option, weights, notes):\n    return 1.0 / (game.seats - 1)\n", "legal", "of 1 player"),
    "scratchy": (
        """
        def score(game, box, seat, option, weights, notes):
            box.prices.sell[0] += 1
            return box.prices.sell[0] * (option.do % 7)
        """,
        "legal",
        "changed box.prices.sell[0] from",
    ),
    "counting": (
        """
        TURNS = []

        class Policy:
            def choose(self, game, box, seat, options, weights, notes):
                TURNS.append(seat)
                return len(TURNS) % len(options)
        """,
        "deterministic",
        "went differently when they were played again",
    ),
    "remembering": (
        """
        class Policy:
            def __init__(self):
                self.turns = 0

            def choose(self, game, box, seat, options, weights, notes):
                self.turns += 1
                return self.turns % len(options)
        """,
        "blind",
        "it keeps something from one decision to the next",
    ),
    "peeping": (
        """
        import sys

        class Policy:
            def choose(self, game, box, seat, options, weights, notes):
                table = sys._getframe(1).f_locals["table"]
                return int(table.room.games["deck"][0].sum() + table.room.games["deck"][0, 5]) % len(options)
        """,
        "blind",
        "it knows of hidden cards, dice, roofs or donkeys",
    ),
    "raising": (
        "class Policy:\n    def choose(self, game, box, seat, options, weights, notes):\n        return options[99].do\n",
        "legal",
        "line 7: IndexError",
    ),
    "abroad": ("class Policy:\n    def __init__(self, who):\n        pass\n", "loads", "missing 1 required positional argument: 'who'"),
    "typo": ("def score(game, box, seat, option, weights, notes):\n    return good_prise(box, 1)\n", "loads", "did you mean good_price"),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_an_unsound_policy_is_found_out(here: Path, name: str, hasty: None, capsys: Any) -> None:
    text, test, told = UNSOUND[name]
    path = write(here, f"un_{name}", HEAD + textwrap.dedent(text))
    results = findings(path)
    assert not results[test].holds
    assert told in results[test].text
    assert all(finding.holds for earlier, finding in results.items() if list(results).index(earlier) < list(results).index(test))


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
