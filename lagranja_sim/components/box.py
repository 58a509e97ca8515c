"""Components as the arrays the rules are compiled against: goods, effects and abilities as small numbers."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lagranja_sim.components.effects import Alternative, Effect, Part, When, parse_effect
from lagranja_sim.components.rulebook import Rules
from lagranja_sim.components.tables import Building, Card, Roof, Space
from lagranja_sim.rules import state

NOTHING = -1
GOODS = state.ITEMS + state.CLASSES
HEX_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def bits(positions: Iterable[int]) -> int:
    return sum(1 << position for position in set(positions))


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
        op.verb = (state.PASSIVES if part.passive else state.VERBS).index(part.verb)
        op.what = GOODS.index(part.what) if part.what else NOTHING
        op.n = part.n
        op.per = state.PERS.index(part.per)
        op.condition = state.IFS.index(part.condition)
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


def _count_goods(goods: Sequence[str]) -> list[int]:
    return [goods.count(kind) for kind in state.ITEMS[: state.KINDS]]


def _argument(when: When) -> int:
    """Faces 1 to 6 at their own bit, sides at the bit of their number."""
    if when.event == "revenue":
        return bits(map(int, when.arguments))
    return bits(map(state.SIDES.index, when.arguments))


def _fill_ability(
    ability: Any,
    store: EffectStore,
    when: When,
    effect: Effect,
    phases: Sequence[str] = state.PHASES,
    uses: int = 0,
    cost: Effect | None = None,
) -> None:
    ability.when = state.WHENS.index(when.kind)
    ability.event = state.EVENTS.index(when.event) if when.event else NOTHING
    ability.argument = _argument(when)
    ability.phases = bits(map(state.PHASES.index, phases))
    ability.uses = uses
    ability.cost = store.cost(cost or Effect())
    ability.effect = store.effect(effect)
    ability.is_passive_for = bits(state.PASSIVES.index(part.verb) for part in effect.parts if part.passive)


def _fill_cards(box: Any, store: EffectStore, cards: Sequence[Card], permanent: Sequence[str]) -> None:
    for card in cards:
        face = box.cards[card.card]
        face.grows = state.ITEMS.index(card.field)
        face.barrow[:] = _count_goods(card.barrow)
        face.barrow_size, face.barrow_vp = len(card.barrow), card.barrow_vp
        face.ext_hand, face.ext_delivery, face.ext_pig = card.ext_hand, card.ext_delivery, card.ext_pig
        face.ext_income = store.effect(card.ext_income)
        face.is_permanent = card.helper in permanent
        _fill_ability(face.helper, store, card.helper_when, card.helper_effect, card.helper_phases, card.helper_uses, card.helper_cost)


def _fill_roofs(box: Any, store: EffectStore, roofs: Sequence[Roof]) -> None:
    for roof in roofs:
        box.roof_round[roof.roof] = roof.round
        _fill_ability(box.roofs[roof.roof], store, roof.when, roof.effect, roof.phases)


def _fill_buildings(box: Any, store: EffectStore, buildings: Sequence[Building], rules: Rules) -> None:
    for building in buildings:
        record = box.buildings[state.BUILDINGS.index(building.building)]
        record.goods[:] = _count_goods(building.goods)
        record.number = building.number
        record.symbols = len(building.goods)
        record.immediate = store.effect(building.immediate)
        record.bonus_vp = getattr(rules.buildings.bonus_vp, building.building)
        _fill_ability(record.permanent, store, building.permanent.when, building.permanent.effect)


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
        box.open_spaces[players] = bits(i for i, space in enumerate(spaces) if rules.is_open(space.min_players, max(2, players)))


# Fields of the box that are numbers of the rules under their own names, by table of rules.toml.
_SAME_NAMES = {
    "game": ("rounds", "anytime_actions_a_turn"),
    "setup": ("victory_points", "silver", "commodities", "blocked_buildings", "dice_per_player", "dice_extra", "markers",
              "bonus_vp_by_position", "bonus_silver_by_position"),
    "buildings": ("vp_per_round", "first_completion_vp", "unlock_vp"),
    "farm": ("hand_limit", "cards_first_round", "cards_per_round", "pig_spaces", "breeding_pigs", "piglets", "extension_cost_step",
             "max_extensions", "barrow_slots", "helper_slots", "roof_slots", "roof_cost_per_round", "first_round_roofs_reversed"),
    "prices": ("commodity_silver", "silver_per_vp"),
    "transport": ("donkeys_return_in_round", "extra_deliveries", "extra_delivery_cost", "extra_delivery_limit_fixed"),
    "market": ("removal_vp", "marker_vp", "roof_marker_removes"),
}  # fmt: skip


def _fill_rules(box: Any, store: EffectStore, rules: Rules) -> None:
    for table, names in _SAME_NAMES.items():
        for name in names:
            box[name] = getattr(getattr(rules, table), name)
    box.hand_cards = rules.setup.cards
    box.piglet_without_space_sold = rules.farm.piglet_without_space == "sold"
    box.growth_effects_on_income = rules.farm.greengrocer_step == "income"
    box.roof_vp[: rules.farm.roof_slots] = rules.farm.roof_vp
    for field, prices in (("buy_price", rules.prices.buy), ("sell_price", rules.prices.sell), ("upgrade_price", rules.prices.upgrade)):
        box[field][:] = [getattr(prices, good) for good in state.ITEMS[: state.RESOURCES]]
    box.commodity_uses = store.effect(parse_effect(rules.prices.commodity_uses))
    box.faces[:] = [store.effect(parse_effect(face)) for face in rules.revenue.faces]
    box.modify_die_both_ways = rules.revenue.modify_die == "up_or_down"
    box.donkey_count = len(rules.transport.donkeys)
    box.donkeys[: len(rules.transport.donkeys)] = rules.transport.donkeys
    box.siesta_top = len(rules.transport.siesta_vp) - 1
    box.siesta_vp[: len(rules.transport.siesta_vp)] = rules.transport.siesta_vp
    box.deliveries_paid_up_front = rules.transport.extra_deliveries_paid == "up_front"


def build_box(
    cards: Sequence[Card], roofs: Sequence[Roof], buildings: Sequence[Building], spaces: Sequence[Space], rules: Rules
) -> tuple[np.ndarray, list[str]]:
    """The box, an array of one record, and the text of each alternative by its index; raises `ValueError` if it is too small."""
    array = np.zeros(1, state.BOX)
    store = EffectStore(array[0])
    _fill_rules(store.box, store, rules)
    _fill_cards(store.box, store, cards, rules.helpers.permanent)
    _fill_roofs(store.box, store, roofs)
    _fill_buildings(store.box, store, buildings, rules)
    _fill_market(store.box, spaces, rules)
    return array, store.texts
