"""The files that the package's own kernels are made of: what is in them tells what these compile to, and how a game goes."""

import os
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent
PATTERNS = (
    "compile.py",
    "chance.py",
    "kit/*.py",
    "play/policy_api.py",
    "play/driver_kernels.py",
    "games/*/tables.py",
    "games/*/rules/*.py",
    "games/*/toolkit/*.py",
)
CHECKED = os.environ.get("LAGRANJA_CHECKED") == "1"  # kernels are compiled with bounds checks


def source_files(patterns: tuple[str, ...] = PATTERNS) -> list[Path]:
    """The package's files of such names, in the order of their paths."""
    return sorted({path for pattern in patterns for path in PACKAGE.glob(pattern)})


def source_texts(patterns: tuple[str, ...] = PATTERNS) -> Iterator[bytes]:
    """The name of each within the package, and what is in it."""
    for path in source_files(patterns):
        yield path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes()
