"""Words that results of several commands have in common."""

from __future__ import annotations

from lagranja_sim.stats.blocks import FEW

ROUGH = 30  # blocks; with fewer an interval is rough, as t relies on means that are nearly normal


def counted(number: int, noun: str) -> str:
    """`1 deal`, `2,000 deals`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def rounded(games: int, to: int) -> str:
    """`6 games are rounded up to 8`, or `are cut to`."""
    return f"{games} {'game is' if games == 1 else 'games are'} {'rounded up' if to > games else 'cut'} to {to}"


def too_few(blocks: int, unit: str) -> list[str]:
    """A remark if there are too few blocks (or deals) for good intervals, or for any; none if there are enough."""
    if blocks == 1:
        return [f"a single {unit}: too few for any interval"]
    dashes = f"; - stands where {blocks} are too few for one" if blocks < FEW else ""
    return [f"only {blocks} {unit}s: the intervals are rough{dashes}"] if blocks < ROUGH else []
