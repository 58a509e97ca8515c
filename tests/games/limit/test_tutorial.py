"""docs/games.md makes a game of its own: what it shows is the game that these tests play, and every command of it can be typed."""

import re
import shlex
from pathlib import Path

import pytest
from calls import CHECKOUT, HELPERS, process

PAGE = (CHECKOUT / "docs" / "games.md").read_text(encoding="utf-8")
TOY = HELPERS / "toy"
FILES = {  # of the toy -> what comes before its blocks on the page
    "policies/careful.py": "`policies/careful.py`:",
    "policies/rash.py": "`policies/rash.py`:",
    "experiments/limits.toml": "`experiments/limits.toml`:",
}


def blocks(language: str, text: str = PAGE) -> list[str]:
    """The code blocks of a language, in order."""
    return re.findall(rf"```{language}\n(.*?)```\n", text, re.DOTALL)


def joined(pieces: list[str]) -> str:
    """Blocks as one file, whatever empty lines lie between them."""
    return re.sub(r"\n+", "\n", "\n".join(pieces)).strip()


def test_the_blocks_of_the_page_are_the_game() -> None:
    game = joined(blocks("python", PAGE.partition("## Two policies")[0]))
    assert game == joined([(TOY / "games" / "limit.py").read_text(encoding="utf-8")])


@pytest.mark.parametrize("name", FILES)
def test_the_other_files_stand_on_the_page_too(name: str) -> None:
    language = "toml" if name.endswith("toml") else "python"
    assert blocks(language, PAGE.partition(FILES[name])[2])[0].strip() == (TOY / name).read_text(encoding="utf-8").strip()


def test_the_game_takes_200_lines_at_most() -> None:
    assert len((TOY / "games" / "limit.py").read_text(encoding="utf-8").splitlines()) <= 200


def test_a_reader_types_the_page_and_has_a_game(tmp_path: Path) -> None:
    """File by file, command by command, in an empty folder."""
    for folder in ("games", "policies", "experiments"):
        (tmp_path / folder).mkdir()
    (tmp_path / "games" / "limit.py").write_text("\n".join(blocks("python", PAGE.partition("## Two policies")[0])))
    for name, before in FILES.items():
        language = "toml" if name.endswith("toml") else "python"
        (tmp_path / name).write_text(blocks(language, PAGE.partition(before)[2])[0])
    commands = blocks("bash")[0].splitlines()
    assert len(commands) > 8
    for command in commands:
        ended = process(*shlex.split(command)[1:], cwd=tmp_path)
        assert ended.code == 0, (command, ended.err)
        assert ended.out or "new" in command, command
    assert (tmp_path / "runs" / "limits-report" / "index.html").is_file()
