"""Policy files of one's own in ./policies/."""

import textwrap
from pathlib import Path

import pytest

from lagranja_sim.policy import PolicyError, find_policy

SCORE = "def score(game, box, seat, option, weights, notes):\n    return 0.0\n"
HEAD = '"""A policy of the tests."""\n\nfrom lagranja_sim.games.lagranja.toolkit import *\n\n'


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
