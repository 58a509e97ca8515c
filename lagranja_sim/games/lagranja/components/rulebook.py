"""Every number of the rules: the model of rules.toml under a variant, with the ranges in which the game can be played."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lagranja_sim.games.lagranja.components.effects import parse_effect
from lagranja_sim.games.lagranja.rules import state

# What a die face may not do: `revenue round` would repeat itself for ever, `second_option` needs an earlier die, and an income may itself contain
# the face of the round's number.
NOT_ON_A_FACE = {"revenue": "revenue round", "second_option": "second_option", "income": "income"}


def _effect(text: str) -> str:
    if parse_effect(text).is_passive:
        raise ValueError(f"'{text}' is passive; expected an effect that happens at once")
    return text


def _face(text: str) -> str:
    effect = parse_effect(_effect(text))
    for verb, spelled in NOT_ON_A_FACE.items():
        if effect.has(verb):
            raise ValueError(f"'{text}' would lead back to itself; expected a die face without `{spelled}`")
    return text


EffectText = Annotated[str, AfterValidator(_effect), Field(title="effect")]
FaceText = Annotated[str, AfterValidator(_face), Field(title="effect")]
Points = Annotated[int, Field(ge=0, le=100)]
Bonus = Annotated[int, Field(ge=-100, le=100)]
Price = Annotated[int, Field(ge=0, le=1000)]
Few = Annotated[int, Field(ge=0, le=12)]
Deliveries = Annotated[int, Field(ge=0, le=20)]
StartValue = Annotated[int, Field(ge=1, le=100)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Game(_Table):
    rounds: int = Field(ge=1, le=state.ROUNDS)
    min_players: int = Field(ge=1, le=state.SEATS)
    max_players: int = Field(ge=2, le=state.SEATS)
    anytime_actions_a_turn: int = Field(ge=0, le=1000)
    tie_break: Literal["silver", "none"]


class Setup(_Table):
    victory_points: int = Field(ge=0, le=1000)
    silver: int = Field(ge=0, le=1000)
    commodities: Points
    cards: Few
    blocked_buildings: int = Field(ge=0, le=3)
    dice_per_player: int = Field(ge=1, le=2)  # with the next: at most state.MAX_DICE dice on the table
    dice_extra: int = Field(ge=0, le=1)
    markers: int = Field(ge=0, le=1000)
    bonus_vp_by_position: list[Bonus] = Field(min_length=state.SEATS, max_length=state.SEATS)
    bonus_silver_by_position: list[Bonus] = Field(min_length=state.SEATS, max_length=state.SEATS)


class BonusByBuilding(_Table):
    merchant_house: Bonus
    wainwright: Bonus
    deli: Bonus
    greengrocer: Bonus
    village_store: Bonus
    butcher: Bonus


class Buildings(_Table):
    vp_per_round: Points
    bonus_vp: BonusByBuilding
    first_completion_vp: Points
    first_bonus_vp: BonusByBuilding
    unlock_vp: Points
    unlock_bonus_vp: BonusByBuilding  # of the building that opens


class Farm(_Table):
    hand_limit: Few
    cards_first_round: Few
    cards_per_round: Few
    cards_drawn: int = Field(ge=0, le=state.CARDS)
    pig_spaces: int = Field(ge=0, le=20)
    breeding_pigs: int = Field(ge=1, le=20)
    piglets: int = Field(ge=0, le=20)
    extension_cost_step: int = Field(ge=0, le=9)
    max_extensions: int = Field(ge=0, le=state.MAX_EXTENSIONS)
    piglet_without_space: Literal["lost", "sold"]
    greengrocer_step: Literal["growth", "income"]
    barrow_slots: int = Field(ge=1, le=state.SLOTS)
    helper_slots: int = Field(ge=1, le=state.SLOTS)
    roof_slots: int = Field(ge=0, le=state.ROOF_SPACES)
    roof_vp: list[Points] = Field(max_length=state.ROOF_SPACES)
    roof_cost_per_round: int = Field(ge=0, le=20)
    first_round_roofs_reversed: bool


class PriceList(_Table):
    olive: Price
    grain: Price
    grape: Price
    pig: Price


class Prices(_Table):
    buy: PriceList
    sell: PriceList
    upgrade: PriceList
    commodity_silver: Price
    commodity_uses: EffectText
    silver_per_vp: int = Field(ge=1, le=1000)


class Revenue(_Table):
    faces: list[FaceText] = Field(min_length=6, max_length=6)
    modify_die: Literal["up", "up_or_down"]


Tile = Annotated[list[Deliveries], Field(min_length=2, max_length=2)]


class Transport(_Table):
    donkeys: list[Tile] = Field(min_length=1, max_length=state.MAX_DONKEYS)
    donkeys_return_in_round: int = Field(ge=1, le=state.ROUNDS + 1)
    siesta_vp: list[Points] = Field(min_length=2, max_length=state.MAX_SECTIONS)
    extra_deliveries: Deliveries
    extra_delivery_cost: Points
    extra_deliveries_paid: Literal["one_by_one", "up_front"]
    extra_delivery_limit_fixed: bool


class Market(_Table):
    start: list[StartValue] = Field(min_length=state.SEATS, max_length=state.SEATS)  # by place in the first order
    closed_below_players: int = Field(ge=1, le=state.SEATS + 1)
    removal_vp: Points
    marker_vp: Points
    roof_marker_removes: bool


class Helpers(_Table):
    permanent: list[str]


class Solo(_Table):
    """The game for one: dice and roofs of a round, and who starts (O1, O2, O4)."""

    dice: int = Field(ge=1, le=state.MAX_DICE)
    roofs: int = Field(ge=1, le=state.SEATS)
    lowest_die_until_round: int = Field(ge=0, le=state.ROUNDS)
    start_from_section: int = Field(ge=0, le=state.MAX_SECTIONS - 1)


class Rules(_Table):
    game: Game
    setup: Setup
    buildings: Buildings
    farm: Farm
    prices: Prices
    revenue: Revenue
    transport: Transport
    market: Market
    helpers: Helpers
    solo: Solo

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that can play: one beside the neutral player (O1), and those of the game for several."""
        return 1, *range(max(2, self.game.min_players), self.game.max_players + 1)

    def begun_on(self, players: int) -> list[int]:
        """The values of the spaces on which players begin, by place in the first order; one plays beside the neutral player (O1)."""
        return self.market.start[: max(2, players)]

    def is_open(self, min_players: int, players: int) -> bool:
        """Whether a market space marked for `min_players` may be used; one plays on the board for two (O5)."""
        return min_players <= 2 or max(2, players) >= self.market.closed_below_players


def known_keys(model: type[BaseModel] = Rules, prefix: str = "") -> Iterator[str]:
    """Every dotted key and table name of the rules."""
    for name, field in model.model_fields.items():
        yield prefix + name
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from known_keys(field.annotation, f"{prefix}{name}.")


def _fewest_donkeys(rules: Rules) -> int:
    """How few tiles suffice: a used tile is out until the round in which all return (T1)."""
    before = min(rules.transport.donkeys_return_in_round - 1, rules.game.rounds)
    return max(before, rules.game.rounds - before)


def _bonus_conflicts(buildings: Buildings) -> Iterator[tuple[str, str]]:
    for bonuses, base in (("bonus_vp", "vp_per_round"), ("first_bonus_vp", "first_completion_vp"), ("unlock_bonus_vp", "unlock_vp")):
        least = -getattr(buildings, base)
        for name, bonus in getattr(buildings, bonuses).model_dump().items():
            if bonus < least:
                yield f"buildings.{bonuses}.{name}", f"{bonus} does not fit; expected at least {least}: completing never costs points"


def conflicts(rules: Rules) -> Iterator[tuple[str, str]]:
    """Keys whose values are fine alone but not together, as (dotted key, what is wrong)."""
    game, setup, farm, transport = rules.game, rules.setup, rules.farm, rules.transport
    if game.min_players > game.max_players:
        yield "game.min_players", f"{game.min_players} does not fit; expected at most game.max_players ({game.max_players})"
    if 0 < setup.markers < 5:
        yield "setup.markers", f"{setup.markers} does not fit; expected 0 (no limit) or a whole number from 5 to 1000"
    elif setup.markers and setup.commodities >= setup.markers:
        yield "setup.commodities", f"{setup.commodities} does not fit; expected fewer than setup.markers ({setup.markers})"
    for key, base in (("bonus_vp_by_position", setup.victory_points), ("bonus_silver_by_position", setup.silver)):
        if min(getattr(setup, key)) + base < 0:
            yield f"setup.{key}", f"{min(getattr(setup, key))} does not fit; expected at least -{base}, what everybody starts with"
    yield from _bonus_conflicts(rules.buildings)
    if len(farm.roof_vp) != farm.roof_slots:
        yield "farm.roof_vp", f"{farm.roof_vp} does not fit; expected one entry for each of farm.roof_slots ({farm.roof_slots})"
    if (count := len(transport.donkeys)) < (needed := _fewest_donkeys(rules)):
        yield "transport.donkeys", f"{count} tiles are too few; expected {needed} or more for the rounds in which none returns"
    if rules.solo.start_from_section >= len(transport.siesta_vp):
        yield "solo.start_from_section", f"{rules.solo.start_from_section} does not fit; expected a section of transport.siesta_vp"
