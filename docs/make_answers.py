"""Makes docs/answers.md: plays what docs/answers.toml asks, and puts the blocks beside the answers in words.  make answers"""

import platform
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

DOCS = Path(__file__).parent
RULE = "-" * 20  # the line above and below a block
HEAD = """# Answers

Made by `make answers` from answers.toml: each question with its answer, the command that gave it, and the block to paste where it is
discussed. They are effects of changes, on the same deals; what the policies cannot see they cannot answer, and the values of most cards are
reconstructed (`lagranja components`).
"""


def block_of(command: str) -> str:
    """What a command prints between its rules. Raises CalledProcessError if it fails."""
    call = [sys.executable, "-m", "lagranja_sim.cli", *command.split()]
    printed = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    first, last = [number for number, line in enumerate(printed) if line == RULE][-2:]
    return "\n".join(printed[first + 1 : last])


def answered(answer: dict[str, Any]) -> Iterator[str]:
    """One question as Markdown."""
    yield f"\n## {answer['question']}\n\n{answer['answer'].strip()}\n"
    for command in answer["commands"]:
        began = perf_counter()
        yield f"\n    lagranja {command}\n\n"
        yield from (f"    {line}\n" for line in block_of(command).splitlines())
        yield f"\n{perf_counter() - began:,.0f} seconds.\n"


def main() -> None:
    answers = tomllib.loads((DOCS / "answers.toml").read_text("utf-8"))["answers"]
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {datetime.now(UTC):%d %B %Y}"
    text = HEAD + f"\n{machine}.\n" + "".join(part for answer in answers for part in answered(answer))
    (DOCS / "answers.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
