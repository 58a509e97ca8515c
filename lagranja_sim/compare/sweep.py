"""A sweep as it is asked for: a value of the game and what to set it to, one arm each; two sweeps make a grid, one arm for each pair."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from lagranja_sim.policy.call import split_policies
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.wording import counted

MOST, MOST_PAIRS = 50, 100  # values of a sweep, arms of a grid
EXAMPLE = '"prices.sell.pig=1..5"'
DEPTH = {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


@dataclass(frozen=True)
class Sweep:
    """A key and its values as they are written; the key of steps ends in their sign, as `prices.sell.pig+`."""

    key: str
    values: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Sweep:
        """`KEY=1..5`, `KEY=1,2,4`, `KEY=gain silver 3,gain silver 4` or the steps `KEY+=-1..1`; no comma in quotes or brackets splits."""
        key, equals, values = (part.strip() for part in text.partition("="))
        if not key.rstrip("+- ") or not equals:
            raise ExperimentError([f"--sweep: {text!r} is no sweep; expected KEY=LOW..HIGH or KEY=A,B,..., e.g. {EXAMPLE}"])
        different = tuple(dict.fromkeys(_values(key, values)))
        if not 2 <= len(different) <= MOST:
            raise ExperimentError([f"--sweep: {text!r} has {counted(len(different), 'value')}; expected 2 to {MOST}"])
        return cls(key, different)._checked()

    def _checked(self) -> Sweep:
        wrong = [value for value in self.values if self.has_steps and not re.fullmatch(r"[+-]?\d+", value)]
        if wrong:
            raise ExperimentError(
                [f"--sweep: {self.key}={wrong[0]}: {wrong[0]!r} is no step; expected whole numbers, as in {self.key}=-1..1"]
            )
        return self

    @property
    def has_steps(self) -> bool:
        return self.key.endswith(("+", "-"))

    @property
    def title(self) -> str:
        """What the values are of."""
        return f"{self.key[:-1].rstrip()} {self.key[-1]}=" if self.has_steps else self.key

    @property
    def numbers(self) -> list[float] | None:
        """The values as numbers, if all are and no two are the same."""
        numbers = [float(value) for value in self.values if NUMBER.fullmatch(value)]
        return numbers if len(set(numbers)) == len(self.values) else None

    def settings(self) -> list[str]:
        """The parts of arms that set the values."""
        return [f"{self.key}={value}" for value in self.values]


def parse_sweeps(texts: Sequence[str]) -> tuple[Sweep, ...]:
    """Sweeps that are laid on each other."""
    sweeps = tuple(map(Sweep.parse, texts))
    arms = prod(len(sweep.values) for sweep in sweeps)
    if len(sweeps) > 2:
        raise ExperimentError([f"--sweep: is given {len(sweeps)} times; expected once, or twice for a grid"])
    if len({sweep.key for sweep in sweeps}) < len(sweeps):
        raise ExperimentError([f"--sweep: both are of {sweeps[0].key}; a grid has two different keys"])
    if len(sweeps) == 2 and arms > MOST_PAIRS:
        sizes = " x ".join(str(len(sweep.values)) for sweep in sweeps)
        raise ExperimentError([f"--sweep: {sizes} values make {arms:,} arms; expected {MOST_PAIRS} at most, as all of them are played"])
    return sweeps


def texts_of(sweeps: Sequence[Sweep], base: str) -> list[str]:
    """An arm for each value, or each pair of values, on top of `base` if there is one; the last sweep's values change fastest."""
    return ["+".join(filter(None, (base, *settings))) for settings in product(*(sweep.settings() for sweep in sweeps))]


# --- values ------------------------------------------------------------------------------------------------------------------------


def _values(key: str, text: str) -> list[str]:
    if span := re.fullmatch(r"([+-]?\d+)\.\.([+-]?\d+)", text):
        return _range(int(span[1]), int(span[2]))
    if ".." in text and not re.search(r"[\"'/\[@]", text):
        raise ExperimentError([f"--sweep: {text!r} is no range; expected LOW..HIGH, two whole numbers"])
    return split_policies(text) if key in ("policy", "policies") else split_values(text)


def _range(low: int, high: int) -> list[str]:
    if low > high:
        raise ExperimentError([f"--sweep: {low}..{high} is in the wrong order; expected the smaller first"])
    if high - low >= MOST:
        raise ExperimentError([f"--sweep: {low}..{high} has {high - low + 1:,} values; expected 2 to {MOST}"])
    return [str(number) for number in range(low, high + 1)]


def split_values(text: str) -> list[str]:
    """The texts between commas; a comma within double quotes or brackets separates nothing."""
    pieces, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == '"'
        depth += 0 if quoted else DEPTH.get(sign, 0)
        if sign == "," and not quoted and not depth:
            pieces.append("")
        else:
            pieces[-1] += sign
    if quoted or depth:
        what = "double quote" if quoted else "bracket"
        raise ExperimentError([f"--sweep: {text!r} has a {what} without its other half"])
    return [piece.strip() for piece in pieces if piece.strip()]
