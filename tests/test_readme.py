"""What the README tells to type can be typed, and what it names is there."""

import re
from pathlib import Path
from typing import Any

import pytest
from calls import CHECKOUT, call

README = (CHECKOUT / "README.md").read_text()
INDENTED = re.findall(r"(?:^ {4}.*\n(?:\n(?= {4}))?)+", README, re.MULTILINE)


def block(containing: str) -> str:
    """The indented block with a text in it, without its indent."""
    (found,) = [text for text in INDENTED if containing in text]
    return re.sub(r"^ {4}", "", found, flags=re.MULTILINE)


def test_every_command_it_names_is_one(capsys: Any) -> None:
    known = call(capsys, "--help").out
    assert set(re.findall(r"\blagranja ([a-z]+)\b", README)) <= set(re.findall(r"^  ([a-z]+) ", known, re.MULTILINE))


def test_every_option_it_names_is_one(capsys: Any) -> None:
    commands = ("run", "replay", "play", "components", "report", "ladder", "policies", "compare", "variants new")
    known = "".join(call(capsys, *command.split(), "--help").out for command in commands)
    assert all(option in known for option in re.findall(r"--[a-z]+", README))


def test_every_make_target_it_names_is_one() -> None:
    makefile = (CHECKOUT / "Makefile").read_text()
    assert all(f"\n{target}:" in makefile for target in re.findall(r"\bmake ([a-z]+)\b(?=[`\n ]*(?:#|`))", README))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:lagranja_sim|policies|experiments|tests|docs)/[\w./]*)`", README))))
def test_every_file_it_names_is_there(name: str) -> None:
    assert (CHECKOUT / name).exists() or name == "reports/"


def test_its_experiment_plays_and_its_query_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    text = block('name = "mine"')
    (tmp_path / "experiments" / "mine.toml").write_text(text.partition("\nlagranja")[0])
    played = call(capsys, "run", "mine", "--games", "8", "--out", "runs/demo")
    assert played.code == 0, played.err
    assert call(capsys, "run", "runs/demo", "--out", "again").code == 0
    exec(block("import polars"), {})
