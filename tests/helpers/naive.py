"""A slow and obvious referee for La Granja: the rules once more, written to be read beside the rulebook.

It shares no code with the package and reads the component files by itself. The flow of the game is a tree of generators: a step that
asks something yields a Decision and receives the option chosen. Rule ids (F1, D6, ...) are those of the rules digest; when a decision
is asked and how its options are spelled is written in docs/decisions.md.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

HARVEST = ("olive", "grain", "grape")
RESOURCES = (*HARVEST, "pig")
UPGRADED = ("food", "wine", "meat")
GOODS = (*RESOURCES, *UPGRADED, "silver", "commodity", "vp")
FARM_GOODS = (*RESOURCES, *UPGRADED, "silver", "vp")
DELIVERABLE = (*RESOURCES, *UPGRADED, "silver", "commodity")
CLASSES = {"harvest": HARVEST, "harvest_different": HARVEST, "resource": RESOURCES, "upgraded": UPGRADED}
BECOMES = {"olive": "food", "grain": "food", "grape": "wine", "pig": "meat"}
ON_FIELD = {good: f"field_{good}" for good in HARVEST}
STOCK = (*GOODS, *ON_FIELD.values())
MARKED = (*RESOURCES, *UPGRADED, "commodity", *ON_FIELD.values())  # every unit of these is a player marker (L1)
SOURCES_OF_POINTS = (
    "barrow",
    "market_round",
    "market_removal",
    "building",
    "first",
    "unlock",
    "siesta",
    "roof",
    "craft",
    "helper",
    "roof_effect",
    "silver",
    "start",
    "spent",
    "other",
)
GAINS = ("gain", "siesta_vp", "double_roof_vp", "income", "extra_delivery")
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


# ---------------------------------------------------------------------------------------------------------------- the effect language


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


# -------------------------------------------------------------------------------------------------------------------- the components


@dataclass(frozen=True)
class Ability:
    """What a helper, a roof or a permanent craft marker can do, when, and at what cost."""

    when: str
    effect: list[Alternative]
    cost: tuple[Part, ...] = ()
    phases: tuple[str, ...] = ("any",)
    uses: int | None = None  # None: no limit

    def works_in(self, phase: str) -> bool:
        return "any" in self.phases or phase in self.phases

    def answers(self, event: str, detail: object = None) -> bool:
        """`on revenue 2 6` answers to the event `revenue` with the detail 2 or 6, `on revenue any` to every one."""
        words = self.when.split()
        if words[:2] != ["on", event]:
            return False
        return not words[2:] or "any" in words[2:] or str(detail) in words[2:]


@dataclass(frozen=True)
class Card:
    number: int
    field: str
    barrow: tuple[str, ...]
    barrow_vp: int
    hand: int
    delivery: int
    pig: int
    income: list[Alternative]
    helper_name: str
    helper: Ability


@dataclass(frozen=True)
class Building:
    number: int
    name: str
    goods: tuple[str, ...]
    immediate: list[Alternative]
    permanent: Ability


@dataclass(frozen=True)
class Space:
    q: int
    r: int
    value: int
    start: bool
    min_players: int

    def is_adjacent(self, other: Space) -> bool:
        return (other.q - self.q, other.r - self.r) in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: (value or "").strip() for key, value in row.items() if key} for row in csv.DictReader(file)]


def read_cards(path: Path) -> dict[int, Card]:
    cards = {}
    for row in table(path):
        cost = parse_effect(row["helper_cost"])
        helper = Ability(
            row["helper_when"],
            parse_effect(row["helper_effect"]),
            cost[0].parts if cost else (),
            tuple(row["helper_phases"].split()),
            int(row["helper_uses"]) if row["helper_uses"] else None,
        )
        icons = [int(row[key] or 0) for key in ("ext_hand", "ext_delivery", "ext_pig")]
        number = int(row["card"])
        cards[number] = Card(
            number,
            row["field"],
            tuple(row["barrow"].split()),
            int(row["barrow_vp"]),
            *icons,
            parse_effect(row["ext_income"]),
            row["helper"],
            helper,
        )
    return cards


def read_roofs(path: Path) -> dict[int, Ability]:
    return {int(row["roof"]): Ability(row["when"], parse_effect(row["effect"]), phases=tuple(row["phases"].split())) for row in table(path)}


def read_buildings(path: Path) -> list[Building]:
    buildings = []
    for row in table(path):
        when, colon, effect = row["permanent"].partition(":")
        permanent = Ability(when.strip(), parse_effect(effect)) if colon else Ability("passive", parse_effect(row["permanent"]))
        immediate = parse_effect(row["immediate"])
        buildings.append(Building(int(row["number"]), row["building"], tuple(row["goods"].split()), immediate, permanent))
    return sorted(buildings, key=lambda building: building.number)


def read_market(path: Path) -> list[Space]:
    return [Space(int(row["q"]), int(row["r"]), int(row["value"]), row["start"] == "1", int(row["min_players"])) for row in table(path)]


def laid_over(rules: dict, variant: dict) -> dict:
    """A variant is the printed rules with its own keys laid over them."""
    merged = dict(rules)
    for key, value in variant.items():
        merged[key] = laid_over(rules.get(key, {}), value) if isinstance(value, dict) else value
    return merged


# -------------------------------------------------------------------------------------------------------------------------- the farms


@dataclass
class Farm:
    """Everything one seat owns."""

    seat: int
    hand: list[int]
    donkeys: list[int]
    rows: dict[str, list[str]]  # goods still missing, by uncompleted building
    stock: Counter = field(default_factory=Counter)
    fields: Counter = field(default_factory=Counter)
    field_cards: list[int] = field(default_factory=list)
    barrows: dict[int, list[str]] = field(default_factory=dict)  # goods still missing, by card
    helpers: list[int] = field(default_factory=list)  # by slot
    uses: Counter = field(default_factory=Counter)  # of helpers, this round
    extensions: list[int] = field(default_factory=list)
    roofs: list[list] = field(default_factory=list)  # [roof, face up], in the order bought
    done: list[str] = field(default_factory=list)
    permanent: list[str] = field(default_factory=list)
    points: Counter = field(default_factory=Counter)
    tile: tuple[int, int] = (0, 0)  # donkeys and hats of the donkey tile chosen
    deliveries: int = 0
    bought_deliveries: int = 0
    extra_deliveries: int = 0  # gained for this round
    twice_counted: int = 0  # after a payment that is only thought of: units that count as left in one way of paying or another

    def held(self, goods: tuple[str, ...], fields: bool = True) -> list[tuple[str, str]]:
        """Each of these goods that is there, with each place that has it."""
        pairs = []
        for good in goods:
            if self.stock[good] > 0:
                pairs.append((good, place_of(good)))
            if fields and good in HARVEST and self.stock[ON_FIELD[good]] > 0:
                pairs.append((good, "field"))
        return pairs


def place_of(good: str) -> str:
    return {"pig": "stable", "silver": "purse", "vp": "purse", "commodity": "storage"}.get(good, "den")


def item_of(good: str, place: str) -> str:
    return ON_FIELD[good] if place == "field" else good


class Referee:
    """One game from its set-up to its end. The market, deck and farms are plain lists and dictionaries."""

    def __init__(self, components: Path, variant: dict, setup: dict, shuffle: Callable[[int, list[int]], list[int]]):
        self.cards = read_cards(components / "cards.csv")
        self.roofs = read_roofs(components / "roofs.csv")
        self.buildings = read_buildings(components / "buildings.csv")
        self.spaces = read_market(components / "market.csv")
        self.rules = laid_over(tomllib.loads((components / "rules.toml").read_text(encoding="utf-8")), variant)
        self.faces = [parse_effect(text) for text in self.rules["revenue"]["faces"]]
        self.commodity_uses = parse_effect(self.rules["prices"]["commodity_uses"])
        self.setup, self.shuffle = setup, shuffle
        self.ledger: list[tuple[int, str, int, str, int, str, str]] = []
        self.round, self.phase = 0, "setup"
        self.turn: int | None = None  # the seat whose turn it is
        self.actions = 0  # anytime actions of this turn (A5)
        self.set_up()
        self.flow = self.game()
        self.pending: Decision | None = next(self.flow, None)

    def decision(self) -> Decision | None:
        return self.pending

    def choose(self, option: dict) -> None:
        if self.pending is None or option not in self.pending.options:
            raise ValueError(f"{option} is not among the options of {self.pending}")
        try:
            self.pending = self.flow.send(option)
        except StopIteration:
            self.pending = None

    # ---------------------------------------------------------------------------------------------------------------------- set-up

    def set_up(self) -> None:
        """S1-S7."""
        numbers, setup = self.rules["setup"], self.setup
        self.players = setup["players"]
        places = setup["order"]  # in the game for one the neutral player has a place, though no farm and no turn
        self.order = [seat for seat in places if seat < self.players]
        self.deck, self.discard, self.reshuffles = list(setup["deck"]), [], 0
        self.dice = [0] * 6
        self.reserved: dict[int, int] = {}  # H2: face -> seat
        self.shift = 0  # R3: what the die being taken counts more
        self.die_used: tuple[int, Alternative | None] | None = None  # the die of this turn and the alternative carried out
        self.covered = 0  # F9: points of the roof space just covered
        self.roofs_offered: list[int] = []
        names = {building.number: building.name for building in self.buildings}
        self.blocked = [names[number] for number in setup["blocked"][: numbers["blocked_buildings"]]]
        self.first_taken: list[str] = []
        donkeys = range(1, len(self.rules["transport"]["donkeys"]) + 1)
        self.farms = []
        for seat in range(self.players):
            rows = {building.name: list(building.goods) for building in self.buildings}
            self.farms.append(Farm(seat, list(setup["hands"][seat]), list(donkeys), rows))
        for position, seat in ((place, seat) for place, seat in enumerate(places) if seat in self.order):
            self.add(seat, "vp", numbers["victory_points"] + numbers["bonus_vp_by_position"][position], "start", "setup")
            self.add(seat, "silver", numbers["silver"] + numbers["bonus_silver_by_position"][position], "start", "setup")
            self.add(seat, "commodity", numbers["commodities"], "start", "setup")
        self.market = {
            space: seat
            for space, card in enumerate(self.spaces)
            if card.start
            for position, seat in enumerate(places)
            if card.value == position + 2
        }  # S5
        self.siesta: list[list[int]] = [[] for _ in self.rules["transport"]["siesta_vp"]]
        self.siesta[0] = self.order[::-1]  # S6

    # ------------------------------------------------------------------------------------------------------------- stock and markers

    def add(self, seat: int, item: str, amount: int, reason: str, ref: str) -> None:
        """Change a stock and write it down."""
        if amount == 0:
            return
        farm = self.farms[seat]
        farm.stock[item] += amount
        if item == "vp":
            farm.points[reason] += amount
        self.ledger.append((self.round, self.phase, seat, item, amount, reason, ref))

    def markers_in_use(self, seat: int) -> int:
        """L1: every good, silver on a row or barrow, commodity, market marker and owner mark."""
        farm = self.farms[seat]
        goods = sum(farm.stock[item] for item in MARKED)
        on_rows = sum(len(building.goods) - len(farm.rows[building.name]) for building in self.buildings if building.name in farm.rows)
        on_barrows = sum(len(self.cards[card].barrow) - len(missing) for card, missing in farm.barrows.items())
        return goods - farm.twice_counted + on_rows + on_barrows + len(farm.done) + list(self.market.values()).count(seat)

    def free_markers(self, seat: int) -> int | None:
        """None: no limit."""
        limit = self.rules["setup"]["markers"]
        return max(0, limit - self.markers_in_use(seat)) if limit > 0 else None

    def give_up_options(self, seat: int) -> list[dict]:
        """L1: any one marker of the dens, stables, fields, commodities, barrows or the market."""
        farm = self.farms[seat]
        goods = farm.held((*RESOURCES, *UPGRADED, "commodity"))
        loaded = [
            (good, card)
            for card, missing in farm.barrows.items()
            if missing
            for good in sorted((Counter(self.cards[card].barrow) - Counter(missing)).keys())
        ]
        return (
            [{"do": "give_up", "good": good, "from": place} for good, place in goods]
            + [{"do": "give_up", "good": good, "from": f"barrow {card}"} for good, card in loaded]
            + [{"do": "give_up", "space": space} for space, owner in sorted(self.market.items()) if owner == seat]
        )

    def marker_within_reach(self, seat: int) -> bool:
        return self.free_markers(seat) != 0 or bool(self.give_up_options(seat))

    def marker_first(self, seat: int, wanted: bool, still_possible: Callable[[], bool]) -> Steps:
        """L1: the marker comes before the price. Whether the act that wants it takes place."""
        return not wanted or ((yield from self.need_marker(seat)) and still_possible())

    def need_marker(self, seat: int) -> Steps:
        """L1: is there a marker for one unit, if need be by giving up another?"""
        if self.free_markers(seat) != 0:
            return True
        pick = yield from self.ask(seat, "give_up", [*self.give_up_options(seat), FORGO])
        if pick == FORGO:
            return False
        if "space" in pick:
            del self.market[pick["space"]]
        elif pick["from"].startswith("barrow"):
            self.farms[seat].barrows[int(pick["from"].split()[1])].append(pick["good"])
        else:
            self.add(seat, item_of(pick["good"], pick["from"]), -1, "give_up", "")
        return True

    def put(self, seat: int, item: str, amount: int, reason: str, ref: str) -> Steps:
        """Add to a stock, with a marker for each unit that needs one. Returns how many units were added."""
        free = self.free_markers(seat) if item in MARKED else None
        at_once = amount if free is None else min(free, amount)
        self.add(seat, item, at_once, reason, ref)
        added = at_once
        for _ in range(amount - at_once):
            if (yield from self.need_marker(seat)):
                self.add(seat, item, 1, reason, ref)
                added += 1
        return added

    def gain(self, seat: int, good: str, amount: int, reason: str, ref: str) -> Steps:
        """Goods from outside the fields go to a den; a pig without a space is sold at once (F12)."""
        if good == "card":
            self.draw(seat, amount)
        elif good == "pig":
            for _ in range(amount):
                if self.pig_room(seat) > 0:
                    yield from self.put(seat, "pig", 1, reason, ref)
                else:
                    self.add(seat, "silver", self.sell_price(seat, "pig"), reason, ref)
        else:
            yield from self.put(seat, good, amount, reason, ref)

    @contextmanager
    def after_paying(self, seat: int, parts: list[Part] | tuple[Part, ...]) -> Iterator[None]:
        """The state in which all this is paid; where the payer chooses, of each kind what the best way for it leaves."""
        farm, amounts = self.farms[seat], [self.amount(seat, part) for part in parts]
        stock, twice_counted = farm.stock, farm.twice_counted
        farm.stock = Counter(stock)
        for part, amount in zip(parts, amounts, strict=True):
            kinds = CLASSES.get(part.what, (part.what,))
            held, different = {good: farm.stock[good] for good in kinds}, part.what == "harvest_different"
            others_pay = {good: sum(min(n, 1) if different else n for kind, n in held.items() if kind != good) for good in kinds}
            for good in kinds:
                farm.stock[good] -= min(held[good], max(0, amount - others_pay[good]))
            if part.what in CLASSES:
                farm.twice_counted += sum(farm.stock[good] for good in kinds) - (sum(held.values()) - amount)
        yield
        farm.stock, farm.twice_counted = stock, twice_counted

    # -------------------------------------------------------------------------------------------------------------- modifiers, prices

    def count(self, seat: int, what: str) -> int:
        """What `per` and `if` ask for."""
        farm = self.farms[seat]
        return {
            "barrows": len(farm.barrows),
            "buildings": len(farm.done),
            "fields": sum(farm.fields.values()),
            "pigs": farm.stock["pig"],
            "siesta": self.section(seat),
        }[what]

    def amount(self, seat: int, part: Part) -> int:
        if part.condition and self.count(seat, part.condition[0]) < part.condition[1]:
            return 0
        return part.amount * (self.count(seat, part.per) if part.per else 1)

    def passive(self, seat: int, modifier: str) -> int:
        """The sum of a modifier over the helpers (in their phases) and the permanent craft markers (always)."""
        farm = self.farms[seat]
        abilities = [self.cards[card].helper for card in farm.helpers if self.cards[card].helper.works_in(self.phase)]
        abilities += [building.permanent for building in self.buildings if building.name in farm.permanent]
        parts = [part for ability in abilities if ability.when == "passive" for alternative in ability.effect for part in alternative.parts]
        return sum(self.amount(seat, part) for part in parts if part.verb == modifier)

    def buy_price(self, seat: int, good: str) -> int:
        return max(0, self.rules["prices"]["buy"][good] + self.passive(seat, "buy_price"))

    def sell_price(self, seat: int, good: str) -> int:
        return max(0, self.rules["prices"]["sell"][good] + self.passive(seat, "sell_price"))

    def upgrade_price(self, seat: int, good: str) -> int:
        return max(0, self.rules["prices"]["upgrade"][good] + self.passive(seat, "upgrade_cost"))

    def roof_price(self, seat: int) -> int:
        return max(0, self.rules["farm"]["roof_cost_per_round"] * self.round + self.passive(seat, "roof_cost"))

    def extension_cost(self, seat: int) -> int:
        number = len(self.farms[seat].extensions) + 1
        return max(0, number * self.rules["farm"]["extension_cost_step"] + self.passive(seat, "extension_cost"))

    def pig_room(self, seat: int) -> int:
        """Free pig spaces; below 0 where there are more pigs than spaces."""
        farm = self.farms[seat]
        spaces = self.rules["farm"]["pig_spaces"] + sum(self.cards[card].pig for card in farm.extensions) + self.passive(seat, "pig_space")
        return spaces - farm.stock["pig"]

    def hand_limit(self, seat: int) -> int:
        extensions = sum(self.cards[card].hand for card in self.farms[seat].extensions)
        return self.rules["farm"]["hand_limit"] + extensions + self.passive(seat, "hand_limit")

    def purchasable_deliveries(self, seat: int) -> int:
        """T4."""
        farm = self.farms[seat]
        icons = sum(self.cards[card].delivery for card in farm.extensions)
        return self.rules["transport"]["extra_deliveries"] + icons + self.passive(seat, "extra_delivery") + farm.extra_deliveries

    # ----------------------------------------------------------------------------------------------------------------- asking, turns

    def ask(self, seat: int, kind: str, options: list[dict]) -> Steps:
        """Ask a seat. In another seat's turn nothing is asked (M5): it declines what it may decline, and else takes the first option."""
        if self.turn is not None and self.turn != seat:
            return next((option for option in options if option in (DONE, DECLINE, FORGO)), options[0])
        return (yield Decision(self.round, self.phase, seat, kind, options))

    def begin_turn(self, seat: int) -> None:
        self.turn, self.actions = seat, 0

    def window(self, seat: int, kind: str, own: Callable[[], list[dict]], effects: bool = True, before_die: bool = False) -> Steps:
        """Ask until one of the window's own options is chosen (A0); None where it has none of its own any more."""
        while options := own():
            pick = yield from self.ask(seat, kind, options + self.anytime_options(seat, effects, before_die))
            if pick in options:
                return pick
            self.actions += 1
            yield from self.anytime_action(seat, pick)
        return None

    def end_turn(self, seat: int) -> Steps:
        """A0: the anytime actions once more before the turn passes."""
        yield from self.window(seat, "end_turn", lambda: [DONE])

    # --------------------------------------------------------------------------------------------------------------- anytime actions

    def anytime_options(self, seat: int, effects: bool, before_die: bool) -> list[dict]:
        """A1-A6. Roofs and helpers (`effects`) only between finished effects."""
        if self.turn != seat or self.actions >= self.rules["game"]["anytime_actions_a_turn"]:
            return []
        farm, options = self.farms[seat], []
        silver = farm.stock["silver"]
        for good in RESOURCES:
            if silver >= self.buy_price(seat, good) and self.has_place_for(seat, good) and self.marker_within_reach(seat):
                options.append({"do": "buy", "good": good})
        options += [{"do": "sell", "good": good} for good, _ in farm.held(RESOURCES, fields=False)]
        for good, place in farm.held(RESOURCES):
            price = self.upgrade_price(seat, good)
            if silver >= price:
                options.append({"do": "upgrade", "good": good, "from": place, "price": price})
        if farm.stock["commodity"] > 0:
            origin = Origin("other", "commodity", commodity=True)
            with self.after_paying(seat, payment("commodity", 1)):
                options += [{"do": "use_commodity", "effect": use.text} for use in self.available(seat, self.commodity_uses, origin)]
        if effects:
            whens = ("action", "before_die") if before_die else ("action",)
            options += [
                {"do": "use_roof", "roof": roof}
                for roof, face_up in farm.roofs
                if face_up and self.roofs[roof].when in whens and self.roof_is_usable(seat, roof)
            ]
            options += [
                {"do": "use_helper", "helper": card}
                for card in farm.helpers
                if self.cards[card].helper.when in whens and self.helper_is_usable(seat, card)
            ]
        return options

    def anytime_action(self, seat: int, pick: dict) -> Steps:
        match pick["do"]:
            case "buy":
                yield from self.buy(seat, pick["good"])
            case "sell":
                self.sell(seat, pick["good"])
            case "upgrade":
                self.add(seat, "silver", -pick["price"], "upgrade", pick["good"])
                self.upgrade(seat, pick)
            case "use_commodity":
                self.add(seat, "commodity", -1, "use_commodity", pick["effect"])
                use = next(use for use in self.commodity_uses if use.text == pick["effect"])
                yield from self.carry_out(seat, use, Origin("other", "commodity", commodity=True))
            case "use_roof":
                yield from self.use_roof(seat, pick["roof"])
            case "use_helper":
                yield from self.use_helper(seat, pick["helper"])

    def has_place_for(self, seat: int, good: str) -> bool:
        return good != "pig" or self.pig_room(seat) > 0

    def buy(self, seat: int, good: str) -> Steps:
        """A2, L1: at the price that was listed."""
        listed_price = self.buy_price(seat, good)
        if (yield from self.marker_first(seat, self.free_markers(seat) == 0, lambda: self.has_place_for(seat, good))):
            self.add(seat, "silver", -listed_price, "buy", good)
            yield from self.gain(seat, good, 1, "buy", good)

    def sell(self, seat: int, good: str) -> None:
        """A2."""
        price = self.sell_price(seat, good)
        self.add(seat, good, -1, "sell", good)
        self.add(seat, "silver", price, "sell", good)

    def upgrade(self, seat: int, pick: dict) -> None:
        """A3: the marker moves from den, field or stable to the den of the upgraded good."""
        self.add(seat, item_of(pick["good"], pick["from"]), -1, "upgrade", pick["good"])
        self.add(seat, BECOMES[pick["good"]], 1, "upgrade", pick["good"])

    def roof_is_usable(self, seat: int, roof: int) -> bool:
        """F8."""
        ability = self.roofs[roof]
        return ability.works_in(self.phase) and bool(self.available(seat, ability.effect, Origin("roof_effect", f"roof {roof}", roof=roof)))

    def use_roof(self, seat: int, roof: int) -> Steps:
        """F8: it is face down, then its effect is carried out."""
        effect, origin = self.roofs[roof].effect, Origin("roof_effect", f"roof {roof}", roof=roof)
        wanted = self.effect_wants_marker(seat, effect, origin)
        if not (yield from self.marker_first(seat, wanted, lambda: self.roof_is_usable(seat, roof))):
            return
        next(entry for entry in self.farms[seat].roofs if entry[0] == roof)[1] = False
        yield from self.run(seat, effect, origin)

    def helper_is_usable(self, seat: int, card: int) -> bool:
        """H1: in its phase, with a use left, a cost that can be paid and an effect that does something."""
        helper = self.cards[card].helper
        phase = "farm" if helper.answers("income") else self.phase  # income, even a roof's, is a step of the farm phase (F11)
        uses_left = helper.uses is None or self.farms[seat].uses[card] < helper.uses
        if not (helper.works_in(phase) and uses_left and self.can_pay(seat, helper.cost)):
            return False
        with self.after_paying(seat, helper.cost):
            return bool(self.available(seat, helper.effect, Origin("helper", f"helper {card}")))

    def use_helper(self, seat: int, card: int) -> Steps:
        """A use is spent, the cost is paid, the effect runs."""
        helper, origin = self.cards[card].helper, Origin("helper", f"helper {card}")
        with self.after_paying(seat, helper.cost):
            wanted = self.effect_wants_marker(seat, helper.effect, origin)
        if not (yield from self.marker_first(seat, wanted, lambda: self.helper_is_usable(seat, card))):
            return
        self.farms[seat].uses[card] += 1
        for part in helper.cost:
            yield from self.pay(seat, part, origin.ref)
        yield from self.run(seat, helper.effect, origin)

    # ----------------------------------------------------------------------------------------------------------------------- effects

    def can_pay(self, seat: int, parts: list[Part] | tuple[Part, ...]) -> bool:
        """All named goods together; a class of goods needs enough units, each part for itself. Fields never pay."""
        stock, named = self.farms[seat].stock, Counter()
        for part in parts:
            amount = self.amount(seat, part)
            if part.what == "harvest_different":
                if sum(stock[good] > 0 for good in HARVEST) < amount:
                    return False
            elif part.what in CLASSES:
                if sum(stock[good] for good in CLASSES[part.what]) < amount:
                    return False
            else:
                named[part.what] += amount
        return all(stock[good] >= amount for good, amount in named.items())

    def pay(self, seat: int, part: Part, ref: str) -> Steps:
        """Pay one part of a cost; of a class of goods the owner chooses each unit."""
        amount, paid = self.amount(seat, part), []
        if part.what not in CLASSES:
            self.add(seat, part.what, -amount, "spent", ref)
            return
        for _ in range(amount):
            goods = tuple(good for good in CLASSES[part.what] if part.what != "harvest_different" or good not in paid)
            options = [{"do": "pay", "good": good, "from": place} for good, place in self.farms[seat].held(goods, fields=False)]
            pick = yield from self.ask(seat, "pay_good", options)
            self.add(seat, pick["good"], -1, "spent", ref)
            paid.append(pick["good"])

    def is_available(self, seat: int, alternative: Alternative, origin: Origin) -> bool:
        """What it costs can be paid and some part other than `pay` does something then."""
        if not self.can_pay(seat, alternative.pays):
            return False
        with self.after_paying(seat, alternative.pays):
            return any(self.does_something(seat, part, origin) for part in alternative.others)

    def available(self, seat: int, effect: list[Alternative], origin: Origin) -> list[Alternative]:
        return [alternative for alternative in effect if self.is_available(seat, alternative, origin)]

    def does_something(self, seat: int, part: Part, origin: Origin) -> bool:
        farm, amount = self.farms[seat], self.amount(seat, part)
        if amount <= 0:
            return False
        match part.verb:
            case "gain":
                if part.what == "card":
                    return bool(self.deck or self.discard)
                enough_room = not (part.what == "pig" and origin.commodity) or self.pig_room(seat) >= amount
                return enough_room and (not self.gain_needs_marker(seat, part.what) or self.marker_within_reach(seat))
            case "upgrade":
                return bool(farm.held((part.what,) if part.what else RESOURCES))
            case "deliver":
                return bool(self.delivery_options(seat))
            case "siesta":
                return self.section(seat) < len(self.siesta) - 1
            case "siesta_vp":
                return self.siesta_points(seat) > 0
            case "play_card":
                return bool(farm.hand)
            case "revenue":
                return bool(self.available(seat, self.face_of_the_round(), origin))
            case "second_option":
                return bool(self.available(seat, self.other_options(), origin))
            case "reserve_revenue":
                return len(self.reserved) < len(self.dice)
            case "flip_roof":
                return bool(self.flip_options(seat, origin))
            case "place_marker":
                return bool(self.free_spaces()) and self.marker_within_reach(seat)
            case "double_roof_vp":
                return self.covered > 0
            case "income":
                return self.income_is_available(seat)
            case "modify_die" | "extra_delivery":
                return True
            case "nothing":
                return False
        raise ValueError(f"unknown effect: {part}")

    def gain_needs_marker(self, seat: int, what: str) -> bool:
        """L1: not silver, points or a card, nor a pig that is sold for lack of a space."""
        return what not in ("silver", "vp", "card") and (what not in ("pig", "resource") or self.pig_room(seat) > 0)

    def part_wants_marker(self, seat: int, part: Part, origin: Origin) -> bool:
        """L1: of a part that does something, whether it could do nothing without a marker that must be given up first."""
        if self.free_markers(seat) != 0:
            return False
        match part.verb:
            case "gain":
                return self.gain_needs_marker(seat, part.what)
            case "place_marker":
                return True
            case "deliver":
                return self.delivers_only_silver(seat)
            case "revenue":
                return self.effect_wants_marker(seat, self.face_of_the_round(), origin)
            case "second_option":
                return self.effect_wants_marker(seat, self.other_options(), origin)
        return False

    def wants_marker(self, seat: int, alternative: Alternative, origin: Origin) -> bool:
        with self.after_paying(seat, alternative.pays):
            parts = [part for part in alternative.others if self.does_something(seat, part, origin)]
            return all(self.part_wants_marker(seat, part, origin) for part in parts)

    def effect_wants_marker(self, seat: int, effect: list[Alternative], origin: Origin) -> bool:
        return all(self.wants_marker(seat, alternative, origin) for alternative in self.available(seat, effect, origin))

    def run(self, seat: int, effect: list[Alternative], origin: Origin) -> Steps:
        """Carry out an available alternative, the owner's choice; returns it."""
        alternatives = self.available(seat, effect, origin)
        if not alternatives:
            return None
        chosen = alternatives[0]
        if len(alternatives) > 1:
            options = [{"do": "choose", "effect": alternative.text} for alternative in alternatives]
            pick = yield from self.ask(seat, "choose_effect", options)
            chosen = next(alternative for alternative in alternatives if alternative.text == pick["effect"])
        yield from self.carry_out(seat, chosen, origin)
        return chosen

    def carry_out(self, seat: int, alternative: Alternative, origin: Origin) -> Steps:
        """The parts in order, each judged again; a `pay` that cannot be paid ends the alternative."""
        wanted = bool(alternative.pays) and self.wants_marker(seat, alternative, origin)
        if not (yield from self.marker_first(seat, wanted, lambda: self.is_available(seat, alternative, origin))):
            return
        for part in alternative.parts:
            if part.verb == "pay":
                if not self.can_pay(seat, [part]):
                    return
                yield from self.pay(seat, part, origin.ref)
            elif self.does_something(seat, part, origin):
                yield from self.carry_out_part(seat, part, self.amount(seat, part), origin)

    def carry_out_part(self, seat: int, part: Part, amount: int, origin: Origin) -> Steps:
        match part.verb:
            case "gain":
                yield from self.gain_part(seat, part.what, amount, origin)
            case "upgrade":
                yield from self.upgrade_free(seat, (part.what,) if part.what else RESOURCES, amount)
            case "deliver":
                yield from self.deliver_up_to(seat, amount)
            case "siesta":
                room = len(self.siesta) - 1 - self.section(seat)
                pick = yield from self.ask(seat, "siesta", [{"do": "siesta", "steps": k + 1} for k in range(min(amount, room))] + [DONE])
                self.move_disc(seat, pick.get("steps", 0))
            case "siesta_vp":
                self.add(seat, "vp", self.siesta_points(seat) * amount, origin.reason, origin.ref)
            case "play_card":
                pick = yield from self.ask(seat, "effect_card", [*self.ways_to_play(seat), DONE])
                if pick != DONE:
                    yield from self.play_card(seat, pick)
            case "revenue":
                yield from self.run(seat, self.face_of_the_round(), origin)
            case "second_option":
                yield from self.run(seat, self.other_options(), origin)
            case "reserve_revenue":
                faces = [face for face in range(1, len(self.dice) + 1) if face not in self.reserved]
                pick = yield from self.ask(seat, "reserve", [{"do": "reserve", "die": face} for face in faces])
                self.reserved[pick["die"]] = seat
            case "modify_die":
                yield from self.shift_die(seat, amount)
            case "flip_roof":
                yield from self.flip_roofs(seat, amount, origin)
            case "place_marker":
                for _ in range(amount):
                    yield from self.place_by_effect(seat)
            case "double_roof_vp":
                self.add(seat, "vp", self.covered * amount, "roof_effect", origin.ref)
            case "income":
                yield from self.income(seat)
            case "extra_delivery":
                self.farms[seat].extra_deliveries += amount

    def gain_part(self, seat: int, what: str, amount: int, origin: Origin) -> Steps:
        """A named good, or goods of the owner's choice."""
        if what == "harvest_different":
            sets = [list(goods) for goods in combinations(HARVEST, min(amount, len(HARVEST)))]
            pick = yield from self.ask(seat, "choose_goods", [{"do": "gain", "goods": goods} for goods in sets])
            for good in pick["goods"]:
                yield from self.gain(seat, good, 1, origin.reason, origin.ref)
        elif what in CLASSES:
            for _ in range(amount):
                no_pig = origin.commodity and self.pig_room(seat) <= 0
                goods = [good for good in CLASSES[what] if good != "pig" or not no_pig]
                pick = yield from self.ask(seat, "choose_good", [{"do": "gain", "good": good} for good in goods])
                yield from self.gain(seat, pick["good"], 1, origin.reason, origin.ref)
        else:
            yield from self.gain(seat, what, amount, origin.reason, origin.ref)

    def upgrade_free(self, seat: int, goods: tuple[str, ...], amount: int) -> Steps:
        """R5: up to that many, from dens, fields and stables."""
        for _ in range(amount):
            options = [{"do": "upgrade", "good": good, "from": place, "price": 0} for good, place in self.farms[seat].held(goods)]
            pick = yield from self.ask(seat, "upgrade", [*options, DONE])
            if pick == DONE:
                return
            self.upgrade(seat, pick)

    def flip_options(self, seat: int, origin: Origin) -> list[dict]:
        return [{"do": "flip_roof", "roof": roof} for roof, face_up in self.farms[seat].roofs if not face_up and roof != origin.roof]

    def flip_roofs(self, seat: int, amount: int, origin: Origin) -> Steps:
        """F11: other used roofs are face up again."""
        for _ in range(amount):
            if not (options := self.flip_options(seat, origin)):
                return
            pick = yield from self.ask(seat, "flip_roof", options)
            next(entry for entry in self.farms[seat].roofs if entry[0] == pick["roof"])[1] = True

    # ------------------------------------------------------------------------------------------------------------------------ events

    def event(self, seat: int, name: str, detail: object = None) -> Steps:
        """First the helpers by slot, then the permanent craft markers by number."""
        for card in list(self.farms[seat].helpers):
            if card in self.farms[seat].helpers and self.cards[card].helper.answers(name, detail):
                yield from self.helper_answers(seat, card)
        for building in self.permanent_on(seat, name, detail):
            yield from self.building_answers(seat, building)

    def helper_answers(self, seat: int, card: int, by_itself: bool = True) -> Steps:
        """Gains happen by themselves; anything else is an offer."""
        helper = self.cards[card].helper
        if not self.helper_is_usable(seat, card):
            return
        if helper.cost or not by_itself or not happens_by_itself(helper.effect):
            pick = yield from self.ask(seat, "offer", [{"do": "use_helper", "helper": card}, DECLINE])
            if pick == DECLINE:
                return
        yield from self.use_helper(seat, card)

    def building_answers(self, seat: int, building: Building) -> Steps:
        origin = Origin("craft", building.name)
        if not self.available(seat, building.permanent.effect, origin):
            return
        if not happens_by_itself(building.permanent.effect):
            pick = yield from self.ask(seat, "offer", [{"do": "use_building", "building": building.name}, DECLINE])
            if pick == DECLINE:
                return
        yield from self.run(seat, building.permanent.effect, origin)

    def permanent_on(self, seat: int, event: str, detail: object = None) -> list[Building]:
        """The permanent craft markers that answer to an event; in a variant those of the growth belong to the income."""
        owned = [building for building in self.buildings if building.name in self.farms[seat].permanent]
        if self.rules["farm"]["greengrocer_step"] == "income":
            if event == "growth":
                return []
            if event == "income":
                return [building for building in owned if building.permanent.answers("income") or building.permanent.answers("growth")]
        return [building for building in owned if building.permanent.answers(event, detail)]

    # -------------------------------------------------------------------------------------------------------------- deck, hand, cards

    def reshuffle(self) -> None:
        self.deck = list(self.shuffle(self.reshuffles, sorted(self.discard)))
        self.discard = []
        self.reshuffles += 1

    def draw(self, seat: int, amount: int) -> None:
        self.farms[seat].hand += [card for _ in range(amount) if (card := self.top_card()) is not None]

    def top_card(self) -> int | None:
        """S7: the moment the deck is empty the discard pile becomes the new one; both empty, nothing is drawn."""
        if not self.deck and self.discard:
            self.reshuffle()
        if not self.deck:
            return None
        card = self.deck.pop(0)
        if not self.deck and self.discard:
            self.reshuffle()
        return card

    def ways_to_play(self, seat: int) -> list[dict]:
        """F2, F3: every card of the hand on every side it can be played to."""
        farm, rules, ways = self.farms[seat], self.rules["farm"], []
        permanent = self.rules["helpers"]["permanent"]
        replaceable = [card for card in farm.helpers if self.cards[card].helper_name not in permanent]
        kinds = {good for good, _ in farm.held(FARM_GOODS)}
        for card in sorted(farm.hand):
            way = {"do": "play_card", "card": card}
            ways.append(way | {"side": "field"})
            if len(farm.barrows) < rules["barrow_slots"]:
                ways.append(way | {"side": "barrow"})
            else:
                ways += [way | {"side": "barrow", "replaces": barrow} for barrow in farm.barrows]
            if len(farm.helpers) < rules["helper_slots"]:
                ways.append(way | {"side": "helper"})
            else:
                ways += [way | {"side": "helper", "replaces": helper} for helper in replaceable]
            if len(farm.extensions) < rules["max_extensions"] and self.extension_cost(seat) <= len(kinds):
                ways.append(way | {"side": "extension"})
        return ways

    def play_card(self, seat: int, way: dict) -> Steps:
        """F2, F3; then pigs above the space left are sold; then the event."""
        farm, card, side, replaced = self.farms[seat], way["card"], way["side"], way.get("replaces")
        if side == "extension":
            yield from self.pay_extension(seat, card)
        farm.hand.remove(card)
        match side:
            case "field":
                farm.fields[self.cards[card].field] += 1
                farm.field_cards.append(card)
            case "barrow":
                if replaced is not None:
                    del farm.barrows[replaced]
                farm.barrows[card] = list(self.cards[card].barrow)
            case "helper":
                if replaced is not None:
                    farm.helpers[farm.helpers.index(replaced)] = card
                    del farm.uses[replaced]
                else:
                    farm.helpers.append(card)
            case "extension":
                farm.extensions.append(card)
        if replaced is not None:
            self.discard.append(replaced)
        while farm.stock["pig"] > 0 and self.pig_room(seat) < 0:
            self.sell(seat, "pig")
        yield from self.event(seat, "card_played", side)

    def pay_extension(self, seat: int, card: int) -> Steps:
        """F3: different farm goods, one of each kind, from dens, stables or fields."""
        unpaid = list(FARM_GOODS)
        for _ in range(self.extension_cost(seat)):
            options = [{"do": "pay", "good": good, "from": place} for good, place in self.farms[seat].held(tuple(unpaid))]
            pick = yield from self.ask(seat, "pay_extension", options)
            self.add(seat, item_of(pick["good"], pick["from"]), -1, "spent", f"extension {card}")
            unpaid.remove(pick["good"])

    # -------------------------------------------------------------------------------------------------------------------- deliveries

    def delivery_options(self, seat: int) -> list[dict]:
        """D1: every good held to every free symbol of it, on unblocked rows and on barrows."""
        farm = self.farms[seat]
        targets = {name: missing for name, missing in farm.rows.items() if name not in self.blocked}
        targets |= {f"barrow {card}": missing for card, missing in farm.barrows.items()}
        options = [
            {"do": "deliver", "good": good, "from": place, "to": target}
            for good, place in farm.held(DELIVERABLE)
            for target, missing in targets.items()
            if good in missing
        ]
        if not self.marker_within_reach(seat):  # silver needs one (L1)
            options = [option for option in options if option["good"] != "silver"]
        return options

    def delivers_only_silver(self, seat: int) -> bool:
        return all(option["good"] == "silver" for option in self.delivery_options(seat))

    def deliver_up_to(self, seat: int, amount: int) -> Steps:
        """Deliveries inside an effect or bought: only buying, selling, upgrading and commodities beside them."""
        for _ in range(amount):
            pick = yield from self.window(seat, "deliver", lambda: [*self.delivery_options(seat), DONE], effects=False)
            if pick == DONE:
                return
            yield from self.deliver(seat, pick)

    def deliver(self, seat: int, pick: dict) -> Steps:
        """D1: one good to one symbol; then what it completes."""
        farm, good, target = self.farms[seat], pick["good"], pick["to"]
        if good == "silver" and not (yield from self.need_marker(seat)):
            return
        self.add(seat, item_of(good, pick["from"]), -1, "deliver", target)
        farm.deliveries += 1
        if target in farm.rows:
            farm.rows[target].remove(good)
            if not farm.rows[target]:
                yield from self.complete_building(seat, next(building for building in self.buildings if building.name == target))
        else:
            card = int(target.split()[1])
            farm.barrows[card].remove(good)
            if not farm.barrows[card]:
                yield from self.complete_barrow(seat, card)

    def complete_building(self, seat: int, building: Building) -> Steps:
        """D3-D6."""
        farm, name, rules = self.farms[seat], building.name, self.rules["buildings"]
        del farm.rows[name]
        farm.done.append(name)
        first = name not in self.first_taken
        if first:
            self.first_taken.append(name)
            self.add(seat, "vp", rules["first_completion_vp"], "first", name)
        self.add(seat, "vp", rules["vp_per_round"] * self.round, "building", name)
        self.add(seat, "vp", rules["bonus_vp"].get(name, 0), "building", name)
        if first and self.blocked:
            self.add(seat, "vp", rules["unlock_vp"], "unlock", self.blocked.pop(0))
        yield from self.event(seat, "building_done")
        yield from self.run(seat, building.immediate, Origin("craft", name))

    def complete_barrow(self, seat: int, card: int) -> Steps:
        """D7."""
        self.add(seat, "vp", self.cards[card].barrow_vp, "barrow", f"barrow {card}")
        yield from self.gain(seat, "commodity", 1, "barrow", f"barrow {card}")
        del self.farms[seat].barrows[card]
        self.discard.append(card)
        yield from self.place_after_barrow(seat, self.cards[card].barrow_vp)
        yield from self.event(seat, "barrow_done")

    # ------------------------------------------------------------------------------------------------------------------------ market

    def is_open(self, space: int) -> bool:
        """M1: spaces for four players are closed with fewer than `closed_below_players`; all others are open."""
        return self.spaces[space].min_players < 4 or len(self.setup["order"]) >= self.rules["market"]["closed_below_players"]

    def open_spaces(self, value: int | None = None) -> list[int]:
        return [space for space, card in enumerate(self.spaces) if self.is_open(space) and value in (None, card.value)]

    def free_spaces(self, value: int | None = None) -> list[int]:
        return [space for space in self.open_spaces(value) if space not in self.market]

    def choose_space(self, seat: int, listed: Callable[[], list[dict]]) -> Steps:
        """The space chosen once a marker is free for it (L1); None where it is forgone or declined."""
        if not listed() or not (yield from self.need_marker(seat)):
            return None
        pick = yield from self.ask(seat, "place_marker", listed())
        return pick.get("space")

    def place_after_barrow(self, seat: int, value: int) -> Steps:
        """M1-M3: a free space; if there is none, an opponent's may be taken."""

        def listed() -> list[dict]:
            if free := self.free_spaces(value):
                return [{"do": "place_marker", "space": space} for space in free]
            taken = [{"do": "place_marker", "space": space} for space in self.open_spaces(value) if self.market[space] != seat]
            return [*taken, DECLINE] if taken else []

        space = yield from self.choose_space(seat, listed)
        if space is None:
            return
        removed = self.occupy(seat, space)
        for _ in removed:
            self.add(seat, "vp", self.rules["market"]["removal_vp"], "market_removal", f"space {space}")
        yield from self.event(seat, "marker_placed")
        yield from self.removal_events(seat, removed)

    def occupy(self, seat: int, space: int) -> list[int]:
        """M2, M3: returns the owners of the markers removed."""
        replaced = [self.market.pop(space)] if space in self.market else []
        self.market[space] = seat
        return replaced + self.remove_lower_neighbours(seat, space)

    def place_by_effect(self, seat: int) -> Steps:
        """F10: any free open space; no points, nobody removed (but in a variant), no `marker_placed`."""
        space = yield from self.choose_space(seat, lambda: [{"do": "place_marker", "space": space} for space in self.free_spaces()])
        if space is None:
            return
        self.market[space] = seat
        if self.rules["market"]["roof_marker_removes"]:
            yield from self.removal_events(seat, self.remove_lower_neighbours(seat, space))

    def remove_lower_neighbours(self, seat: int, space: int) -> list[int]:
        """M2: opponents on adjacent spaces of lower value, in the order of the spaces; returns the owners."""
        lower = [other for other in self.open_neighbours(space) if self.spaces[other].value < self.spaces[space].value]
        return [self.market.pop(other) for other in lower if self.market.get(other, seat) != seat]

    def open_neighbours(self, space: int) -> list[int]:
        return [other for other in self.open_spaces() if self.spaces[space].is_adjacent(self.spaces[other])]

    def removal_events(self, seat: int, removed: list[int]) -> Steps:
        for owner in removed:
            yield from self.event(seat, "opponent_marker_removed")
            yield from self.event(owner, "own_marker_removed")

    # ------------------------------------------------------------------------------------------------------------------ siesta track

    def section(self, seat: int) -> int:
        return next(section for section, stack in enumerate(self.siesta) if seat in stack)

    def siesta_points(self, seat: int) -> int:
        return self.rules["transport"]["siesta_vp"][self.section(seat)]

    def move_disc(self, seat: int, steps: int) -> None:
        """R4: on top of the stack it lands on, never past the top section; a disc that does not move keeps its place."""
        here = self.section(seat)
        there = min(here + steps, len(self.siesta) - 1)
        if there > here:
            self.siesta[here].remove(seat)
            self.siesta[there].append(seat)

    # ---------------------------------------------------------------------------------------------------------------------- the game

    def game(self) -> Steps:
        for number in range(1, self.rules["game"]["rounds"] + 1):
            self.round = number
            self.start_round()
            yield from self.farm_phase()
            yield from self.revenue_phase()
            yield from self.transportation_phase()
            yield from self.scoring_phase()
        self.end_of_game()

    def start_round(self) -> None:
        self.roofs_offered = list(self.setup["roofs"][self.round - 1])
        self.reserved = {}
        for farm in self.farms:
            farm.deliveries = farm.bought_deliveries = farm.extra_deliveries = 0
            farm.uses.clear()

    # -------------------------------------------------------------------------------------------------------------------- farm phase

    def farm_phase(self) -> Steps:
        """F1-F7: all seats finish a step before the next."""
        self.phase = "farm"
        for seat in self.order:
            yield from self.play_cards(seat)
        self.turn = None
        for seat in self.order:
            yield from self.income(seat)
        for seat in self.order:
            yield from self.growth(seat)
        backwards = self.round == 1 and self.rules["farm"]["first_round_roofs_reversed"]
        for seat in self.order[::-1] if backwards else self.order:
            yield from self.buy_a_roof(seat)
        self.turn = None

    def play_cards(self, seat: int) -> Steps:
        """F1: exactly two cards in round 1, at most one later; then F4."""
        self.begin_turn(seat)
        first = self.round == 1
        must = [] if first else [DONE]
        pick = None
        for _ in range(self.rules["farm"]["cards_first_round" if first else "cards_per_round"]):
            pick = yield from self.window(seat, "play_card", lambda: self.ways_to_play(seat) + must)
            if pick in (None, DONE):
                break
            yield from self.play_card(seat, pick)
        if pick != DONE:
            yield from self.end_turn(seat)
        yield from self.to_hand_limit(seat)

    def to_hand_limit(self, seat: int) -> Steps:
        """F4: draw up to the limit; with more cards discard down to it."""
        hand = self.farms[seat].hand
        if len(hand) <= self.hand_limit(seat):
            self.draw(seat, self.hand_limit(seat) - len(hand))
            return

        def too_many() -> list[dict]:
            return [{"do": "discard", "card": card} for card in sorted(hand)] if len(hand) > self.hand_limit(seat) else []

        while pick := (yield from self.window(seat, "discard", too_many)):
            hand.remove(pick["card"])
            self.discard.append(pick["card"])

    def income(self, seat: int) -> Steps:
        """F5: extensions in the order played, helpers, permanent craft markers."""
        for card in list(self.farms[seat].extensions):
            yield from self.run(seat, self.cards[card].income, Origin("other", f"extension {card}"))
        yield from self.event(seat, "income")

    def income_is_available(self, seat: int) -> bool:
        farm = self.farms[seat]
        return (
            any(self.available(seat, self.cards[card].income, Origin("other", f"extension {card}")) for card in farm.extensions)
            or any(self.cards[card].helper.answers("income") and self.helper_is_usable(seat, card) for card in farm.helpers)
            or any(
                self.available(seat, building.permanent.effect, Origin("craft", building.name))
                for building in self.permanent_on(seat, "income")
            )
        )

    def growth(self, seat: int) -> Steps:
        """F6: one turn; a greengrocer's good before or after the growth."""
        self.begin_turn(seat)
        taken: list[str] = []

        def before() -> list[dict]:
            untaken = [building for building in self.permanent_on(seat, "growth") if building.name not in taken]
            return [
                {"do": "take_growth", "building": building.name}
                for building in untaken
                if self.available(seat, building.permanent.effect, Origin("craft", building.name))
            ] + [{"do": "grow"}]

        while (pick := (yield from self.window(seat, "before_growth", before)))["do"] == "take_growth":
            taken.append(pick["building"])
            building = next(building for building in self.buildings if building.name == pick["building"])
            yield from self.run(seat, building.permanent.effect, Origin("craft", building.name))
        yield from self.fields_grow(seat)
        if (yield from self.pigs_breed(seat)):
            yield from self.event(seat, "breed")
        yield from self.growth_events(seat, taken)
        yield from self.end_turn(seat)

    def fields_grow(self, seat: int) -> Steps:
        """F6: each empty field gets its good."""
        farm = self.farms[seat]
        for good in HARVEST:
            yield from self.put(seat, ON_FIELD[good], farm.fields[good] - farm.stock[ON_FIELD[good]], "growth", good)

    def pigs_breed(self, seat: int) -> Steps:
        """F6, H4: piglets as far as there is space; returns whether one came into a stable."""
        rules, born = self.rules["farm"], 0
        if self.farms[seat].stock["pig"] < rules["breeding_pigs"]:
            return False
        for _ in range(max(0, rules["piglets"] + self.passive(seat, "piglets"))):
            if self.pig_room(seat) > 0:
                born += yield from self.put(seat, "pig", 1, "breed", "")
            elif rules["piglet_without_space"] == "sold":
                self.add(seat, "silver", self.sell_price(seat, "pig"), "breed", "")
        return born > 0

    def growth_events(self, seat: int, taken: list[str]) -> Steps:
        """Helpers on `growth`, then the permanent craft markers not taken before."""
        for card in list(self.farms[seat].helpers):
            if card in self.farms[seat].helpers and self.cards[card].helper.answers("growth"):
                yield from self.helper_answers(seat, card)
        for building in self.permanent_on(seat, "growth"):
            if building.name not in taken:
                yield from self.building_answers(seat, building)

    def buy_a_roof(self, seat: int) -> Steps:
        """F7."""
        self.begin_turn(seat)
        farm, rules = self.farms[seat], self.rules["farm"]

        def on_offer() -> list[dict]:
            can_buy = len(farm.roofs) < rules["roof_slots"] and farm.stock["silver"] >= self.roof_price(seat)
            return [{"do": "buy_roof", "roof": roof} for roof in sorted(self.roofs_offered) if can_buy] + [DONE]

        pick = yield from self.window(seat, "buy_roof", on_offer)
        if pick == DONE:
            return
        roof, space = pick["roof"], len(farm.roofs)
        self.add(seat, "silver", -self.roof_price(seat), "roof", f"roof {roof}")
        self.roofs_offered.remove(roof)
        farm.roofs.append([roof, True])
        self.covered = dict(enumerate(rules["roof_vp"])).get(space, 0)
        self.add(seat, "vp", self.covered, "roof", f"roof {roof}")
        yield from self.roof_bought(seat)
        self.covered = 0
        yield from self.end_turn(seat)

    def roof_bought(self, seat: int) -> Steps:
        """F9: own roofs that answer to a purchase are offered first, in the order bought."""
        for roof, _ in list(self.farms[seat].roofs):
            face_up = [roof, True] in self.farms[seat].roofs
            if face_up and self.roofs[roof].answers("roof_bought") and self.roof_is_usable(seat, roof):
                pick = yield from self.ask(seat, "offer", [{"do": "use_roof", "roof": roof}, DECLINE])
                if pick != DECLINE:
                    yield from self.use_roof(seat, roof)
        yield from self.event(seat, "roof_bought")

    # ----------------------------------------------------------------------------------------------------------------- revenue phase

    def revenue_phase(self) -> Steps:
        """R1-R3, H2."""
        self.phase = "revenue"
        for seat in self.order:
            for card in list(self.farms[seat].helpers):
                if card in self.farms[seat].helpers and self.cards[card].helper.when == "before_roll":
                    yield from self.helper_answers(seat, card, by_itself=False)
        self.roll()
        yield from self.take_dice()
        self.reserved = {}
        if any(self.dice):
            face = next(face for face, left in enumerate(self.dice, 1) if left)
            for seat in self.order:
                yield from self.use_the_last_die(seat, face)
        self.dice = [0] * 6
        self.turn = None

    def take_dice(self) -> Steps:
        for _ in range(self.rules["setup"]["dice_per_player"]):
            for seat in self.order:
                yield from self.take_a_die(seat)

    def dice_in_play(self) -> int:
        numbers = self.rules["setup"]
        return numbers["dice_per_player"] * self.players + numbers["dice_extra"]

    def roll(self) -> None:
        rolled = self.setup["dice"][self.round - 1][: self.dice_in_play()]
        self.dice = [rolled.count(face) for face in range(1, 7)]

    def dice_for(self, seat: int) -> list[int]:
        """H2: the only die left on a space another seat has reserved is not offered, unless nothing else is left."""
        left = [face for face in range(1, 7) if self.dice[face - 1] > 0]
        return [face for face in left if self.dice[face - 1] > 1 or self.reserved.get(face, seat) == seat] or left

    def counted(self, face: int) -> int:
        """R3."""
        return max(1, min(6, face + self.shift))

    def take_a_die(self, seat: int) -> Steps:
        """R1: a die, its action, its events."""
        self.begin_turn(seat)
        self.shift = 0
        pick = yield from self.window(
            seat,
            "take_die",
            lambda: [{"do": "take_die", "die": face, "as": self.counted(face)} for face in self.dice_for(seat)],
            before_die=True,
        )
        face = pick["as"]
        self.dice[pick["die"] - 1] -= 1
        carried_out = yield from self.run(seat, self.faces[face - 1], Origin("other", f"die {face}"))
        self.die_used = (face, carried_out)
        yield from self.event(seat, "revenue", face)
        yield from self.end_turn(seat)
        self.die_used = None

    def use_the_last_die(self, seat: int, face: int) -> Steps:
        """R1, R3: it is taken by nobody."""
        self.begin_turn(seat)
        yield from self.window(seat, "last_die", lambda: [{"do": "use_die", "die": face}])
        yield from self.run(seat, self.faces[face - 1], Origin("other", f"die {face}"))
        yield from self.end_turn(seat)

    def shift_die(self, seat: int, amount: int) -> Steps:
        """R3: up, or in a variant up or down."""
        if self.rules["revenue"]["modify_die"] == "up_or_down":
            pick = yield from self.ask(seat, "shift_die", [{"do": "shift", "by": amount}, {"do": "shift", "by": -amount}])
            amount = pick["by"]
        self.shift += amount

    def face_of_the_round(self) -> list[Alternative]:
        """H3, Merchant."""
        return self.faces[self.round - 1] if self.round <= len(self.faces) else []

    def other_options(self) -> list[Alternative]:
        """H3, Porter: the alternatives of the die just used but the one carried out."""
        if self.die_used is None:
            return []
        face, carried_out = self.die_used
        return [alternative for alternative in self.faces[face - 1] if alternative is not carried_out]

    # ----------------------------------------------------------------------------------------------------------- transportation phase

    def transportation_phase(self) -> Steps:
        """T1-T4."""
        self.phase = "transport"
        if self.round == self.rules["transport"]["donkeys_return_in_round"]:
            for farm in self.farms:
                farm.donkeys = list(range(1, len(self.rules["transport"]["donkeys"]) + 1))
        for seat in self.order:
            yield from self.choose_donkey(seat)
        yield from self.advance_on_siesta_track()
        for seat in self.order:
            yield from self.free_deliveries(seat)
        for seat in self.order:
            yield from self.buy_deliveries(seat)
        self.turn = None

    def choose_donkey(self, seat: int) -> Steps:
        """T1."""
        farm, tiles = self.farms[seat], self.rules["transport"]["donkeys"]
        farm.tile = (0, 0)
        if farm.donkeys:
            pick = yield from self.ask(seat, "choose_donkey", [{"do": "choose_donkey", "donkey": donkey} for donkey in farm.donkeys])
            farm.donkeys.remove(pick["donkey"])
            farm.tile = tuple(tiles[pick["donkey"] - 1])

    def advance_on_siesta_track(self) -> Steps:
        """T2: all discs move in the old order; then the new order stands."""
        before = self.order[0]
        for seat in self.order:
            self.move_disc(seat, max(0, self.farms[seat].tile[1] + self.passive(seat, "siesta_steps")))
        self.order = [seat for stack in reversed(self.siesta) for seat in reversed(stack)]
        if self.order[0] != before:
            yield from self.event(self.order[0], "start_player")

    def free_deliveries(self, seat: int) -> Steps:
        """T3."""
        self.begin_turn(seat)
        for _ in range(max(0, self.farms[seat].tile[0] + self.passive(seat, "free_delivery"))):
            pick = yield from self.window(seat, "free_delivery", lambda: [*self.delivery_options(seat), DONE])
            if pick == DONE:
                return
            yield from self.deliver(seat, pick)
        yield from self.end_turn(seat)

    def buy_deliveries(self, seat: int) -> Steps:
        """T4: one by one, each made before the next is bought, or all paid up front; the number fixed when the turn begins, or counted when asked."""
        self.begin_turn(seat)
        one_by_one = self.rules["transport"]["extra_deliveries_paid"] == "one_by_one"
        fixed = self.purchasable_deliveries(seat) if self.rules["transport"]["extra_delivery_limit_fixed"] else None
        used = 0

        def own() -> list[dict]:
            if fixed is not None and used >= fixed:
                return []
            left = (self.purchasable_deliveries(seat) if fixed is None else fixed) - used
            if one_by_one:
                return [{"do": "buy_delivery"}] * (left > 0 and self.can_buy(seat, 1)) + [DONE]
            return [{"do": "buy_deliveries", "count": k} for k in range(1, left + 1) if self.can_buy(seat, k)] + [DONE]

        while pick := (yield from self.window(seat, "buy_delivery" if one_by_one else "buy_deliveries", own)):
            if pick == DONE:
                return
            count = pick.get("count", 1)
            used += count  # also those forgone for lack of a marker
            if (yield from self.pay_deliveries(seat, count)):
                yield from self.deliver_up_to(seat, count)
            if not one_by_one:
                break
        yield from self.end_turn(seat)

    def price_of_deliveries(self, count: int) -> list[Part]:
        return payment("silver", count * self.rules["transport"]["extra_delivery_cost"])

    def can_buy(self, seat: int, count: int) -> bool:
        """The silver pays for so many, and something can be delivered then."""
        cost = self.price_of_deliveries(count)
        if not self.can_pay(seat, cost):
            return False
        with self.after_paying(seat, cost):
            return bool(self.delivery_options(seat))

    def pay_deliveries(self, seat: int, count: int) -> Steps:
        """Returns whether they were bought, and not forgone for lack of a marker (L1)."""
        cost = self.price_of_deliveries(count)
        with self.after_paying(seat, cost):
            wanted = self.free_markers(seat) == 0 and self.delivers_only_silver(seat)
        if not (yield from self.marker_first(seat, wanted, lambda: self.can_buy(seat, count))):
            return False
        self.add(seat, "silver", -cost[0].amount, "buy_delivery", "")
        self.farms[seat].bought_deliveries += count
        return True

    # ----------------------------------------------------------------------------------------------------------------- scoring and end

    def scoring_phase(self) -> Steps:
        """E1."""
        self.phase = "scoring"
        for seat in self.order:
            markers = list(self.market.values()).count(seat)
            self.add(seat, "vp", markers * self.rules["market"]["marker_vp"], "market_round", "market")  # M4
        for seat in self.order:
            self.add(seat, "vp", self.siesta_points(seat), "siesta", "siesta track")
        for seat in self.order:
            yield from self.event(seat, "scoring")
        for farm in self.farms:
            farm.permanent = list(farm.done)  # D5
        if self.round < self.rules["game"]["rounds"]:
            self.clear_up()

    def clear_up(self) -> None:
        """E1, not after the last round: discs back to the start, remaining roofs away."""
        self.siesta = [self.order[::-1]] + [[] for _ in self.siesta[1:]]
        self.roofs_offered = []

    def end_of_game(self) -> None:
        """E2: sales at printed prices, then silver into points."""
        self.phase = "end"
        prices = self.rules["prices"]
        worth = prices["sell"] | {"commodity": prices["commodity_silver"]}
        for seat in self.order:
            stock = self.farms[seat].stock
            for good in (*RESOURCES, "commodity"):
                amount = stock[good]
                self.add(seat, good, -amount, "sell", "end")
                self.add(seat, "silver", amount * worth[good], "sell", "end")
            points = stock["silver"] // prices["silver_per_vp"]
            self.add(seat, "silver", -points * prices["silver_per_vp"], "silver", "end")
            self.add(seat, "vp", points, "silver", "end")

    # ---------------------------------------------------------------------------------------------------------------------- snapshot

    def snapshot(self) -> dict:
        return {
            "round": self.round,
            "phase": self.phase,
            "order": list(self.order),
            "siesta": [list(stack) for stack in self.siesta],
            "dice": list(self.dice),
            "roofs_offered": sorted(self.roofs_offered),
            "blocked": list(self.blocked),
            "first_taken": sorted(self.first_taken),
            "market": dict(sorted(self.market.items())),
            "deck": list(self.deck),
            "discard": sorted(self.discard),
            "seats": [self.farm_snapshot(farm) for farm in self.farms],
        }

    def farm_snapshot(self, farm: Farm) -> dict:
        return {
            "stock": {item: farm.stock[item] for item in STOCK},
            "fields": {good: farm.fields[good] for good in HARVEST},
            "barrows": sorted([card, sorted(missing)] for card, missing in farm.barrows.items()),
            "helpers": [[card, farm.uses[card]] for card in farm.helpers],
            "extensions": list(farm.extensions),
            "roofs": [[roof, face_up] for roof, face_up in farm.roofs],
            "donkeys": sorted(farm.donkeys),
            "rows": {name: sorted(missing) for name, missing in farm.rows.items()},
            "done": sorted(farm.done),
            "permanent": sorted(farm.permanent),
            "hand": sorted(farm.hand),
            "points": {source: farm.points[source] for source in SOURCES_OF_POINTS},
            "markers": self.markers_in_use(farm.seat),
            "deliveries": farm.deliveries,
            "bought_deliveries": farm.bought_deliveries,
        }
