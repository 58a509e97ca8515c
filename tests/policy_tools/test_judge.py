"""`policies check` judges in processes of their own: a policy that crashes, ends or loops there is found out, and nothing else is harmed."""

import json
import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from calls import call

from lagranja_sim.policy_tools import judge
from lagranja_sim.policy_tools.check import Size
from lagranja_sim.policy_tools.judge import Case
from lagranja_sim.runs.simulate import Listener

pytestmark = pytest.mark.xdist_group("checked")  # the rules are compiled once more, with the ends of arrays minded

HEAD = '"""A policy of the tests."""\n\nimport ctypes\nimport os\nimport sys\n\nfrom lagranja_sim.games.lagranja.toolkit import *\n\n\n'
CHOOSE = "def choose(game, box, seat, options, weights, notes):\n"
SCORE = "def score(game, box, seat, option, weights, notes):\n"
CLASS = "class Policy:\n    def choose(self, game, box, seat, options, weights, notes):\n        "
ASKED = r"\(seed \d+, game \d of 4 players, seat \d, round {}, [a-z_]+\)"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for policies, and tests of a few games."""
    (tmp_path / "policies").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(judge, "SIZE", Size(games=9, a_kind=1, redeals=1))
    yield tmp_path


def write(name: str, text: str) -> str:
    Path("policies", f"{name}.py").write_text(HEAD + text)
    return name


def findings(name: str) -> dict[str, str]:
    """What is found, by test; of those that a policy passes nothing but that."""
    found = Case(name, "deluxe", None).findings(Listener())
    return {finding.name: "yes" if finding.holds else finding.text for finding in found}


LEGAL = {  # what the first test of games finds
    "far": (
        CHOOSE + "    return options[100000].do * 0\n",
        r"policy far: .*far\.py, line 11: IndexError.*\n    .*\n    " + ASKED.format(1),
    ),
    "beyond": (
        SCORE + "    return weights[60 + option.do]\n",
        r"policy beyond: .*line 11: IndexError: [^\n]*\n    return weights\[60 \+ option\.do\]\n.*",
    ),
    "helped": (
        "@kernel\ndef worth(weights, place):\n    return weights[place]\n\n\n" + SCORE + "    return worth(weights, 64 + option.do)\n",
        r"policy helped: .*line 16: IndexError: .*",
    ),
    "crashes": (CLASS + "return ctypes.string_at(0)[0]\n", r"it crashes: segmentation fault \(SIGSEGV\) " + ASKED.format(1)),
    "leaves": (
        CLASS + "return os._exit(0) if game.round_number == 2 else 0\n",
        "it ends the process with exit code 0 " + ASKED.format(2),
    ),
    "thinks": (
        CHOOSE + "    while game.round_number == 2 and len(options) > 0:\n        game.luck += options[0].do\n    return 0\n",
        "it does not choose within 3 s " + ASKED.format(2),
    ),
    "catches": (
        CLASS + "while True:\n            try:\n                sys.exit()\n            except BaseException:\n                pass\n",
        "it does not choose within 3 s " + ASKED.format(1),
    ),
}


@pytest.mark.parametrize("name", LEGAL)
def test_what_a_policy_does_to_its_process_is_a_finding(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, told = LEGAL[name]
    monkeypatch.setitem(judge.LIMITS, "asking", 3.0)
    found = findings(write(name, text))
    assert list(found) == ["loads", "legal"]
    assert found["loads"] == "yes"
    assert re.fullmatch(told, found["legal"], re.DOTALL), found["legal"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("exits", f"sys.exit(3)\n\n\n{SCORE}    return 0.0\n", "line 10: SystemExit: 3\n    sys.exit(3)"),
        ("loops", f"while True:\n    pass\n\n\n{CHOOSE}    return 0\n", "it does not load within 3 s ("),
    ],
)
def test_what_happens_while_a_policy_loads_is_a_finding(name: str, text: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(judge.LIMITS, "loading", 3.0)
    found = findings(write(name, text))
    assert list(found) == ["loads"]
    assert told in found["loads"]


def test_a_policy_that_passes_is_measured_and_what_it_prints_is_no_finding(capfd: Any) -> None:
    write("talks", CLASS + "print('thinking')\n        return 0\n")
    before = os.environ.copy()
    checked = call(capfd, "policies", "check", "talks", "--json")
    assert checked.code == 0
    assert json.loads(checked.out)["findings"][-1]["name"] == "fast"
    assert "thinking" in checked.err
    assert os.environ == before


def test_a_policy_that_crashes_gives_exit_code_1(capfd: Any) -> None:
    checked = call(capfd, "policies", "check", write("falls", CLASS + "return ctypes.string_at(0)[0]\n"))
    assert checked.code == 1
    assert textwrap.shorten(checked.out, 200).startswith("yes loads: a Python class, 0 weights NO legal: it crashes: segmentation fault")
    assert "lagranja:" not in checked.err
