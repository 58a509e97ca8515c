"""The language of effects."""

from __future__ import annotations

import re
from dataclasses import dataclass

from naive.goods import GAINS


@dataclass(frozen=True, eq=False)
class Part:
    """One part of an effect: `gain silver 1 per buildings`, `upgrade 1 grape`, `piglets +1 if pigs 3`."""

    verb: str
    what: str  # a good, a class of goods, `round`, or nothing
    amount: int
    per: str
    condition: tuple[str, int] | None


@dataclass(frozen=True, eq=False)
class Alternative:
    """One alternative of an effect: the text as written and its parts in order."""

    text: str
    parts: tuple[Part, ...]

    @property
    def pays(self) -> list[Part]:
        return [part for part in self.parts if part.verb == "pay"]

    @property
    def others(self) -> list[Part]:
        return [part for part in self.parts if part.verb != "pay"]


@dataclass(frozen=True)
class Origin:
    """Where an effect comes from: the reason its points are booked under, and what restricts it."""

    reason: str
    ref: str
    roof: int | None = None  # the roof whose effect this is
    commodity: bool = False  # a commodity's pig needs a space (A1)


def parse_part(text: str) -> Part:
    words, per, condition = text.split(), "", None
    if "if" in words:
        at = words.index("if")
        condition = (words[at + 1], int(words[at + 2]))
        del words[at : at + 3]
    if "per" in words:
        at = words.index("per")
        per = words[at + 1]
        del words[at : at + 2]
    numbers = [int(word) for word in words[1:] if re.fullmatch(r"[+-]?\d+", word)]
    others = [word for word in words[1:] if not re.fullmatch(r"[+-]?\d+", word)]
    return Part(words[0], others[0] if others else "", numbers[0] if numbers else 1, per, condition)


def payment(good: str, amount: int) -> list[Part]:
    return [Part("pay", good, amount, "", None)]


def parse_effect(text: str) -> list[Alternative]:
    """`A ; B` does both, `A | B` offers a choice; no text is no effect."""
    texts = [" ".join(alternative.split()) for alternative in text.split("|") if alternative.strip()]
    return [Alternative(alternative, tuple(parse_part(part) for part in alternative.split(";") if part.strip())) for alternative in texts]


def happens_by_itself(effect: list[Alternative]) -> bool:
    """Gains without a price are never asked for."""
    return all(not alternative.pays and any(part.verb in GAINS for part in alternative.parts) for alternative in effect)
