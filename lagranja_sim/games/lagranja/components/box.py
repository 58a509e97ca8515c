"""Components as the arrays the rules are compiled against: goods, effects and abilities as small numbers."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lagranja_sim.games.lagranja.components.box_record import BOX, fill_tables
from lagranja_sim.games.lagranja.components.effects import Alternative, Effect, Part, When, parse_effect
from lagranja_sim.games.lagranja.components.rulebook import Rules
from lagranja_sim.games.lagranja.components.start_spaces import start_spaces
from lagranja_sim.games.lagranja.components.tables import Building, Card, Roof, Space
from lagranja_sim.games.lagranja.rules import state
from lagranja_sim.games.lagranja.rules.names import (
    BUILDINGS,
    CLASSES,
    EVENTS,
    IFS,
    ITEMS,
    KINDS,
    PASSIVES,
    PERS,
    PHASES,
    SIDES,
    VERBS,
    WHENS,
)

NOTHING = -1
GOODS = ITEMS + CLASSES
HEX_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def bits(positions: Iterable[int]) -> int:
    return sum(1 << position for position in set(positions))


def _argument(when: When) -> int:
    """Faces 1 to 6 at their own bit, sides at the bit of their number."""
    if when.event == "revenue":
        return bits(map(int, when.arguments))
    return bits(map(SIDES.index, when.arguments))


class EffectStore:
    """Writes effects into the box; the same text is written once."""

    def __init__(self, box: Any) -> None:
        self.box = box
        self.texts: list[str] = []  # of the alternatives
        self._effects: dict[str, int] = {}
        self._costs: dict[str, int] = {}
        self._ops = 0

    def _op(self, part: Part) -> None:
        self._room(self._ops, state.MAX_OPS, "parts of effects")
        op = self.box.ops[self._ops]
        op.verb = (PASSIVES if part.passive else VERBS).index(part.verb)
        op.what = GOODS.index(part.what) if part.what else NOTHING
        op.n = part.n
        op.per = PERS.index(part.per)
        op.condition = IFS.index(part.condition)
        op.at_least = part.at_least
        self._ops += 1

    def _alternative(self, alternative: Alternative) -> int:
        index = len(self.texts)
        self._room(index, state.MAX_ALTERNATIVES, "alternatives")
        self.texts.append(alternative.text)
        record = self.box.alternatives[index]
        record.first, record.length = self._ops, len(alternative.parts)
        record.pays = any(part.verb == "pay" for part in alternative.parts)
        for part in alternative.parts:
            self._op(part)
        return index

    @staticmethod
    def _room(count: int, most: int, noun: str) -> None:
        if count >= most:
            raise ValueError(f"the components have too many different {noun}; expected at most {most}")

    def _new_effect(self, effect: Effect) -> int:
        index = len(self._effects)
        self._room(index, state.MAX_EFFECTS, "effects")
        record = self.box.effects[index]
        record.first, record.length, record.is_gain = len(self.texts), len(effect.alternatives), effect.is_gain
        for alternative in effect.alternatives:
            self._alternative(alternative)
        return index

    def effect(self, effect: Effect) -> int:
        """Index of the effect in the box; nothing is -1."""
        if not effect.alternatives:
            return NOTHING
        if effect.text not in self._effects:
            self._effects[effect.text] = self._new_effect(effect)
        return self._effects[effect.text]

    def cost(self, cost: Effect) -> int:
        """Index of the alternative that lists what is paid; nothing is -1."""
        if not cost.alternatives:
            return NOTHING
        if cost.text not in self._costs:
            self._costs[cost.text] = self._alternative(cost.alternatives[0])
        return self._costs[cost.text]

    def write_ability(
        self, ability: Any, when: When, effect: Effect, phases: Sequence[str] = PHASES, uses: int = 0, cost: Effect | None = None
    ) -> None:
        """Write an ability into its record in the box."""
        ability.when = WHENS.index(when.kind)
        ability.event = EVENTS.index(when.event) if when.event else NOTHING
        ability.argument = _argument(when)
        ability.phases = bits(map(PHASES.index, phases))
        ability.uses = uses
        ability.cost = self.cost(cost or Effect())
        ability.effect = self.effect(effect)
        ability.is_passive_for = bits(PASSIVES.index(part.verb) for part in effect.parts if part.passive)


def _count_goods(goods: Sequence[str]) -> list[int]:
    return [goods.count(kind) for kind in ITEMS[:KINDS]]


def _fill_cards(box: Any, store: EffectStore, cards: Sequence[Card], permanent: Sequence[str]) -> None:
    for card in cards:
        face = box.cards[card.card]
        face.grows = ITEMS.index(card.field)
        face.barrow[:] = _count_goods(card.barrow)
        face.barrow_size, face.barrow_vp, face.market_value = len(card.barrow), card.barrow_vp, card.market_value
        face.ext_hand, face.ext_delivery, face.ext_pig = card.ext_hand, card.ext_delivery, card.ext_pig
        face.ext_income = store.effect(card.ext_income)
        face.is_permanent = card.helper in permanent
        store.write_ability(face.helper, card.helper_when, card.helper_effect, card.helper_phases, card.helper_uses, card.helper_cost)


def _fill_roofs(box: Any, store: EffectStore, roofs: Sequence[Roof]) -> None:
    for roof in roofs:
        box.roof_round[roof.roof] = roof.round
        store.write_ability(box.roofs[roof.roof], roof.when, roof.effect, roof.phases)


def _fill_buildings(box: Any, store: EffectStore, buildings: Sequence[Building], rules: Rules) -> None:
    for building in buildings:
        record = box.craft_buildings[BUILDINGS.index(building.building)]
        record.goods[:] = _count_goods(building.goods)
        record.number = building.number
        record.symbols = len(building.goods)
        record.immediate = store.effect(building.immediate)
        for bonus in ("bonus_vp", "first_bonus_vp", "unlock_bonus_vp"):
            record[bonus] = getattr(getattr(rules.buildings, bonus), building.building)
        store.write_ability(record.permanent, building.permanent.when, building.permanent.effect)


def neighbours(spaces: Sequence[Space], index: int) -> list[int]:
    """The spaces that share a side with one."""
    at = {(space.q, space.r): i for i, space in enumerate(spaces)}
    q, r = spaces[index].q, spaces[index].r
    return sorted(at[q + dq, r + dr] for dq, dr in HEX_SIDES if (q + dq, r + dr) in at)


def _fill_market(box: Any, spaces: Sequence[Space], rules: Rules) -> None:
    box.space_count = len(spaces)
    for index, space in enumerate(spaces):
        record = box.spaces[index]
        record.value, record.start, record.min_players, record.q, record.r = space.value, space.start, space.min_players, space.q, space.r
        record.neighbours = bits(neighbours(spaces, index))
    for players in range(1, state.SEATS + 1):
        box.open_spaces[players] = bits(i for i, space in enumerate(spaces) if rules.is_open(space.min_players, players))
        begun_on = start_spaces(spaces, rules, players)
        box.start_spaces[players][: len(begun_on)] = begun_on


def _fill_rules(box: Any, store: EffectStore, rules: Rules) -> None:
    fill_tables(box, rules, lambda text: store.effect(parse_effect(text)))
    box.donkey_count = len(rules.transport.donkeys)
    box.siesta_top = len(rules.transport.siesta_vp) - 1


def build_box(
    cards: Sequence[Card], roofs: Sequence[Roof], buildings: Sequence[Building], spaces: Sequence[Space], rules: Rules
) -> tuple[np.ndarray, list[str]]:
    """The box, an array of one record, and the text of each alternative by its index; raises `ValueError` if it is too small."""
    array = np.zeros(1, BOX)
    store = EffectStore(array[0])
    _fill_rules(store.box, store, rules)
    _fill_cards(store.box, store, cards, rules.helpers.permanent)
    _fill_roofs(store.box, store, roofs)
    _fill_buildings(store.box, store, buildings, rules)
    _fill_market(store.box, spaces, rules)
    return array, store.texts
