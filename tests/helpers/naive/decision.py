"""A question to a seat, and the options that stand for doing nothing."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

DONE, DECLINE, FORGO = {"do": "done"}, {"do": "decline"}, {"do": "forgo"}

Steps = Generator["Decision", dict, object]  # yields what is asked, receives the option chosen


@dataclass
class Decision:
    """A question to one seat: one of the options is to be chosen."""

    round: int
    phase: str
    seat: int
    kind: str
    options: list[dict]
