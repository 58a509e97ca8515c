"""The effect language of cards, roofs, buildings, die faces and commodities.

`A | B` offers a choice between alternatives, `A ; B` does both parts (`;` binds closer), `nothing` or an empty text is nothing.
A part is a verb with its words, then in any order `per barrows|buildings|fields` (multiplies) and `if pigs|fields|siesta N`
(only with at least N). A part whose number carries a sign is passive: it is in force all the time. An effect is passive
throughout or not at all.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lagranja_sim.games.lagranja.rules.names import (
    CLASSES,
    EVENTS,
    FIELD,
    HARVEST,
    IFS,
    ITEMS,
    PASSIVES,
    PERS,
    RESOURCES,
    SIDES,
    VERBS,
    WHENS,
    Item,
)
from lagranja_sim.kit.problems import no_such, shown
from lagranja_sim.spelling import listing

GOODS = ITEMS[:FIELD]
GAINS = (*GOODS, *CLASSES)
PAYS = tuple(good for good in GAINS if good != "card")  # nothing asks which card of the hand would pay
FACES = tuple("123456")
GAIN_VERBS = ("gain", "siesta_vp", "double_roof_vp", "income", "extra_delivery")  # what happens by itself when it costs nothing
BIGGEST = 99
BIGGEST_OF = {"harvest_different": HARVEST, "modify_die": 5}  # three harvest goods differ; a die cannot count more than 6
MOST_PARTS = MOST_ALTERNATIVES = 12


class EffectError(ValueError):
    """A text that is no effect, with the part that fails and what could stand there."""


@dataclass(frozen=True)
class Part:
    """One thing an effect does, or one passive."""

    verb: str
    what: str = ""
    n: int = 1
    per: str = ""
    condition: str = ""
    at_least: int = 0
    passive: bool = False

    def __str__(self) -> str:
        words = [self.verb, *WORDS[self.verb](self)] if not self.passive else [self.verb, f"{self.n:+}"]
        words += ["per", self.per] if self.per else []
        words += ["if", self.condition, str(self.at_least)] if self.condition else []
        return " ".join(words)


@dataclass(frozen=True)
class Alternative:
    """Parts done one after the other; `text` is how the components spell it."""

    parts: tuple[Part, ...]
    text: str = field(compare=False)

    def __str__(self) -> str:
        return " ; ".join(map(str, self.parts))

    @property
    def is_gain(self) -> bool:
        verbs = {part.verb for part in self.parts}
        return not verbs.isdisjoint(GAIN_VERBS) and "pay" not in verbs


@dataclass(frozen=True)
class Effect:
    """Alternatives of which one is carried out. Without any it is nothing."""

    alternatives: tuple[Alternative, ...] = ()
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The same effect in its one canonical spelling."""
        return " | ".join(map(str, self.alternatives)) or "nothing"

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(part for alternative in self.alternatives for part in alternative.parts)

    @property
    def is_passive(self) -> bool:
        return any(part.passive for part in self.parts)

    @property
    def is_gain(self) -> bool:
        return bool(self.alternatives) and not self.is_passive and all(alternative.is_gain for alternative in self.alternatives)

    def has(self, verb: str) -> bool:
        return any(part.verb == verb and not part.passive for part in self.parts)


@dataclass(frozen=True)
class When:
    """When an ability works: its kind, and for `on` the event and the faces or sides it answers to."""

    kind: str = ""
    event: str = ""
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, self.event, *self.arguments)))


# --- numbers and names ------------------------------------------------------------------------------------------------------


def _number(words: list[str], form: str, biggest: int = BIGGEST) -> int:
    if len(words) != 1 or not re.fullmatch(r"[0-9]{1,4}", words[0]) or not 1 <= int(words[0]) <= biggest:
        raise EffectError(f"{shown(' '.join(words))} is no number from 1 to {biggest}; expected `{form}`")
    return int(words[0])


def _signed(verb: str, words: list[str]) -> int:
    if len(words) != 1 or not re.fullmatch(r"[+-][0-9]{1,2}", words[0]):
        raise EffectError(f"{shown(' '.join(words))} is no signed number from -{BIGGEST} to +{BIGGEST}; expected e.g. `{verb} +1`")
    return int(words[0])


def _one_of(word: str, noun: str, known: tuple[str, ...]) -> str:
    if word not in known:
        raise EffectError(no_such(word, noun, known))
    return word


# --- the words after each verb ------------------------------------------------------------------------------------------------

Parse = Callable[[str, list[str]], tuple[str, int]]  # verb and words to (what, n)


def _good_and_number(known: tuple[str, ...]) -> Parse:
    def parse(verb: str, words: list[str]) -> tuple[str, int]:
        if not words:
            raise EffectError(f"the good is missing; expected `{verb} GOOD N`")
        good = _one_of(words[0], f"good to {verb}", known)
        return good, _number(words[1:], f"{verb} {good} N", BIGGEST_OF.get(good, BIGGEST))

    return parse


def _only_number(verb: str, words: list[str]) -> tuple[str, int]:
    return "", _number(words, f"{verb} N", BIGGEST_OF.get(verb, BIGGEST))


def _number_and_resource(verb: str, words: list[str]) -> tuple[str, int]:
    n = _number(words[:1], f"{verb} N` or `{verb} N GOOD")
    good = _one_of(" ".join(words[1:]), "resource", ITEMS[:RESOURCES]) if words[1:] else ""
    return good, n


def _no_words(verb: str, words: list[str]) -> tuple[str, int]:
    if words:
        raise EffectError(f"{shown(' '.join(words))} is too much; expected `{verb}` alone")
    return "", 1


def _round(verb: str, words: list[str]) -> tuple[str, int]:
    if words != ["round"]:
        raise EffectError(f"{shown(' '.join(words))} is no revenue space; expected `{verb} round`")
    return "", 1


Write = Callable[[Part], list[str]]
_NUMBER: tuple[Parse, Write] = (_only_number, lambda part: [str(part.n)])
_ALONE: tuple[Parse, Write] = (_no_words, lambda part: [])
_SHAPES: dict[str, tuple[Parse, Write]] = {  # how the words after a verb are read and written
    "gain": (_good_and_number(GAINS), lambda part: [part.what, str(part.n)]),
    "pay": (_good_and_number(PAYS), lambda part: [part.what, str(part.n)]),
    "upgrade": (_number_and_resource, lambda part: [str(part.n), *([part.what] if part.what else [])]),
    "revenue": (_round, lambda part: ["round"]),
    **dict.fromkeys(("deliver", "siesta", "modify_die", "flip_roof", "extra_delivery"), _NUMBER),
    **dict.fromkeys(("siesta_vp", "play_card", "second_option", "reserve_revenue", "place_marker"), _ALONE),
    **dict.fromkeys(("double_roof_vp", "income"), _ALONE),
}
PARSERS = {verb: parse for verb, (parse, _) in _SHAPES.items()}
WORDS = {verb: write for verb, (_, write) in _SHAPES.items()}
KNOWN_VERBS = (*VERBS, *(passive for passive in PASSIVES if passive not in VERBS))


# --- parts, alternatives, effects -----------------------------------------------------------------------------------------------


def _split_tail(words: list[str]) -> tuple[list[str], list[str]]:
    """The verb's own words, and what follows from the first `per` or `if` on."""
    start = next((i for i, word in enumerate(words) if word in ("per", "if")), len(words))
    return words[:start], words[start:]


def _tail(words: list[str]) -> dict[str, str | int]:
    """`per X` and `if Y N`, each at most once, in any order."""
    clauses: dict[str, str | int] = {}
    while words:
        key = words[0]
        if key not in ("per", "if"):
            raise EffectError(f"{shown(key)} is too much; expected `per` or `if` or the end of the part")
        if {"per": "per", "if": "condition"}[key] in clauses:
            raise EffectError(f"`{key}` stands there twice; expected it once at most")
        if key == "per":
            clauses["per"] = _one_of(" ".join(words[1:2]), "count to multiply by", PERS[1:])
            words = words[2:]
        else:
            clauses["condition"] = _one_of(" ".join(words[1:2]), "condition", IFS[1:])
            clauses["at_least"] = _number(words[2:3], f"if {words[1]} N")
            words = words[3:]
    return clauses


def _is_signed(words: list[str]) -> bool:
    return bool(words) and words[0][:1] in ("+", "-")


def _part(text: str) -> Part:
    head, tail = _split_tail(text.split())
    if not head:
        raise EffectError(f"a part is empty; expected a verb: {listing(KNOWN_VERBS)}")
    verb, words = head[0], head[1:]
    if verb == "nothing":
        raise EffectError("`nothing` stands alone; expected no other part or alternative with it")
    _one_of(verb, "verb", KNOWN_VERBS)
    if verb in PASSIVES and (verb not in VERBS or _is_signed(words)):
        return Part(verb, n=_signed(verb, words), passive=True, **_tail(tail))  # type: ignore[arg-type]
    what, n = PARSERS[verb](verb, words)
    part = Part(verb, what, n, **_tail(tail))  # type: ignore[arg-type]
    if part.per and part.what == "harvest_different":
        raise EffectError("`per` would ask for more than three different harvest goods; expected harvest_different without `per`")
    return part


def _located_part(text: str) -> Part:
    try:
        return _part(text)
    except EffectError as error:
        raise EffectError(f"in '{' '.join(text.split())}': {error}") from None


def _alternative(text: str) -> Alternative:
    texts = text.split(";")
    if len(texts) > MOST_PARTS:
        raise EffectError(f"{len(texts)} parts in one alternative; expected at most {MOST_PARTS}")
    parts = tuple(map(_located_part, texts))
    _check_costs(parts)
    return Alternative(parts, " ".join(text.split()))


_GOODS_OF_CLASS = {
    "harvest": ITEMS[:HARVEST],
    "harvest_different": ITEMS[:HARVEST],
    "resource": ITEMS[:RESOURCES],
    "upgraded": ITEMS[RESOURCES : Item.SILVER],
}


def _check_costs(parts: Sequence[Part]) -> None:
    """Two costs in the same good might each be affordable but not both, so a good may be asked for only once."""
    seen: set[str] = set()
    for part in parts:
        if part.verb == "pay":
            goods = set(_GOODS_OF_CLASS.get(part.what, (part.what,)))
            if goods & seen:
                raise EffectError(
                    f"`pay {part.what}` asks again for {' or '.join(sorted(goods & seen))}; expected each good in one `pay` only"
                )
            seen |= goods


def parse_effect(text: str) -> Effect:
    """Read an effect or a list of passives; raises `EffectError`."""
    written = " ".join(text.split())
    if written in ("", "nothing"):
        return Effect((), written)
    texts = written.split("|")
    if len(texts) > MOST_ALTERNATIVES:
        raise EffectError(f"{len(texts)} alternatives; expected at most {MOST_ALTERNATIVES}")
    effect = Effect(tuple(map(_alternative, texts)), written)
    if effect.is_passive and (len(texts) > 1 or not all(part.passive for part in effect.parts)):
        raise EffectError(f"'{written}' has passive and other parts, or a choice of passives; expected only signed passives joined by `;`")
    return effect


def parse_cost(text: str) -> Effect:
    """Read what an ability costs: `pay` parts, no choice."""
    cost = parse_effect(text)
    if len(cost.alternatives) > 1 or any(part.verb != "pay" for part in cost.parts):
        raise EffectError(f"'{cost.text}' is no cost; expected `pay GOOD N`, several joined by `;`")
    return cost


# --- when ---------------------------------------------------------------------------------------------------------------------------

_ARGUMENTS = {"revenue": ("die face", FACES), "card_played": ("side of a card", SIDES)}


def _event_arguments(event: str, words: list[str]) -> tuple[str, ...]:
    if event not in _ARGUMENTS:
        if words:
            raise EffectError(f"{shown(' '.join(words))} is too much; expected `on {event}` alone")
        return ()
    noun, known = _ARGUMENTS[event]
    if words == ["any"]:
        return known
    if not words:
        raise EffectError(f"the {noun} is missing; expected `on {event}` with {listing(known)}, or any")
    return tuple(_one_of(word, noun, known) for word in words)


def parse_when(text: str) -> When:
    """Read `passive`, `action`, `before_roll`, `before_die` or `on EVENT`; raises `EffectError`."""
    words = text.split()
    if not words:
        return When()
    kind = _one_of(words[0], "moment", WHENS[1:])
    if kind != "on":
        if words[1:]:
            raise EffectError(f"{shown(' '.join(words[1:]))} is too much; expected `{kind}` alone")
        return When(kind)
    event = _one_of(" ".join(words[1:2]), "event", EVENTS)
    return When(kind, event, _event_arguments(event, words[2:]))


@dataclass(frozen=True)
class Permanent:
    """What a flipped craft marker does: passives, or `on EVENT: effect`."""

    when: When = When()
    effect: Effect = Effect()
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.when}: {self.effect}" if self.when.kind == "on" else str(self.effect)


def parse_permanent(text: str) -> Permanent:
    """Read the permanent column of the buildings; raises `EffectError`."""
    written = " ".join(text.split())
    if written.startswith("on "):
        moment, colon, rest = written.partition(":")
        if not colon:
            raise EffectError(f"'{written}' has no colon; expected `on EVENT: effect`")
        effect = parse_effect(rest)
        if effect.is_passive:
            raise EffectError(f"'{effect}' is passive; expected passives without `on EVENT:`, or another effect")
        return Permanent(parse_when(moment), effect, written)
    effect = parse_effect(written)
    if effect.alternatives and not effect.is_passive:
        raise EffectError(f"'{written}' is not passive; expected `on EVENT: effect`, signed passives or nothing")
    return Permanent(When("passive") if effect.alternatives else When(), effect, written)
