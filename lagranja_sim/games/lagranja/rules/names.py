"""The names of the rules with their numbers: goods, phases, options, the effect language, decisions and steps."""

from enum import IntEnum, auto

import numpy as np

from lagranja_sim.kit import outcomes as kit


def words(names):
    """The names of an enumeration as data and replays spell them, by number."""
    return tuple(name.name.lower() for name in names)


class Item(IntEnum):
    """What a player may own. The first nine can be delivered; the last three lie on fields."""

    OLIVE = 0
    GRAIN = 1
    GRAPE = 2
    PIG = 3
    FOOD = 4
    WINE = 5
    MEAT = 6
    SILVER = 7
    COMMODITY = 8
    VP = 9
    FIELD_OLIVE = 10
    FIELD_GRAIN = 11
    FIELD_GRAPE = 12


class Goods(IntEnum):
    """Classes of goods in effects, numbered after the items."""

    HARVEST = 13
    HARVEST_DIFFERENT = 14
    RESOURCE = 15
    UPGRADED = 16
    CARD = 17


class Phase(IntEnum):
    """Phases of a round, with what comes before and after all rounds."""

    SETUP = 0
    FARM = 1
    REVENUE = 2
    TRANSPORT = 3
    SCORING = 4
    END = 5


class Do(IntEnum):
    """What an option does."""

    DONE = 0
    DECLINE = 1
    FORGO = 2
    PLAY_CARD = 3
    DISCARD = 4
    TAKE_GROWTH = 5
    GROW = 6
    BUY_ROOF = 7
    TAKE_DIE = 8
    USE_DIE = 9
    DELIVER = 10
    BUY_DELIVERY = 11
    BUY_DELIVERIES = 12
    BUY = 13
    SELL = 14
    UPGRADE = 15
    USE_COMMODITY = 16
    USE_ROOF = 17
    USE_HELPER = 18
    USE_BUILDING = 19
    CHOOSE = 20
    GAIN = 21
    SIESTA = 22
    PAY = 23
    FLIP_ROOF = 24
    RESERVE = 25
    SHIFT = 26
    CHOOSE_DONKEY = 27
    PLACE_MARKER = 28
    GIVE_UP = 29


class Side(IntEnum):
    """Sides of a card."""

    FIELD = 0
    BARROW = 1
    EXTENSION = 2
    HELPER = 3


class Verb(IntEnum):
    """What a part of an effect does."""

    GAIN = 0
    PAY = 1
    UPGRADE = 2
    DELIVER = 3
    SIESTA = 4
    SIESTA_VP = 5
    PLAY_CARD = 6
    REVENUE = 7
    SECOND_OPTION = 8
    RESERVE_REVENUE = 9
    MODIFY_DIE = 10
    FLIP_ROOF = 11
    PLACE_MARKER = 12
    DOUBLE_ROOF_VP = 13
    INCOME = 14
    EXTRA_DELIVERY = 15


class Passive(IntEnum):
    """What a helper changes as long as it lies there."""

    UPGRADE_COST = 0
    BUY_PRICE = 1
    SELL_PRICE = 2
    ROOF_COST = 3
    EXTENSION_COST = 4
    PIG_SPACE = 5
    HAND_LIMIT = 6
    EXTRA_DELIVERY = 7
    FREE_DELIVERY = 8
    SIESTA_STEPS = 9
    PIGLETS = 10


class Per(IntEnum):
    """What the amount of a part is multiplied by."""

    ONE = 0
    BARROWS = 1
    BUILDINGS = 2
    FIELDS = 3


class Condition(IntEnum):
    """What a part depends on."""

    ALWAYS = 0
    PIGS = 1
    FIELDS = 2
    SIESTA = 3


class When(IntEnum):
    """When an ability works."""

    NEVER = 0
    PASSIVE = 1
    ACTION = 2
    BEFORE_ROLL = 3
    BEFORE_DIE = 4
    ON = 5


class Event(IntEnum):
    """What abilities answer to."""

    BREED = 0
    INCOME = 1
    GROWTH = 2
    ROOF_BOUGHT = 3
    START_PLAYER = 4
    REVENUE = 5
    CARD_PLAYED = 6
    BARROW_DONE = 7
    BUILDING_DONE = 8
    MARKER_PLACED = 9
    OWN_MARKER_REMOVED = 10
    OPPONENT_MARKER_REMOVED = 11
    SCORING = 12


class Reason(IntEnum):
    """Why something changed hands."""

    START = 0
    PLAYED = 1
    ROOF = 2
    ROOF_EFFECT = 3
    BUY = 4
    SELL = 5
    UPGRADE = 6
    DIE = 7
    COMMODITY = 8
    INCOME = 9
    GROWTH = 10
    BREED = 11
    DELIVERY = 12
    BOUGHT_DELIVERY = 13
    BARROW = 14
    MARKET_ROUND = 15
    MARKET_REMOVAL = 16
    BUILDING = 17
    FIRST = 18
    UNLOCK = 19
    SIESTA = 20
    CRAFT_IMMEDIATE = 21
    HELPER = 22
    EXTENSION = 23
    NO_SPACE = 24
    GIVE_UP = 25
    END_SALE = 26
    SILVER = 27
    HELPER_COST = 28
    EFFECT_COST = 29
    CRAFT_PERMANENT = 30
    HAND_LIMIT = 31
    DONKEY = 32
    NEW_ROUND = 33
    NEUTRAL = 34


class Ask(IntEnum):
    """Decisions, by the module that lists and applies them. Nothing keeps their numbers, so a new one may stand anywhere."""

    # farm.py
    PLAY_CARD = 0
    DISCARD = auto()
    BEFORE_GROWTH = auto()
    BUY_ROOF = auto()
    # revenue.py
    TAKE_DIE = auto()
    LAST_DIE = auto()
    RESERVE = auto()
    SHIFT_DIE = auto()
    # transport.py
    CHOOSE_DONKEY = auto()
    SIESTA = auto()
    FREE_DELIVERY = auto()
    BUY_DELIVERY = auto()
    BUY_DELIVERIES = auto()
    DELIVER = auto()
    # market.py
    PLACE_MARKER = auto()
    # cards.py
    EFFECT_CARD = auto()
    PAY_EXTENSION = auto()
    # effects.py
    CHOOSE_EFFECT = auto()
    CHOOSE_GOOD = auto()
    CHOOSE_GOODS = auto()
    PAY_GOOD = auto()
    # events.py
    OFFER = auto()
    FLIP_ROOF = auto()
    # anytime.py
    END_TURN = auto()
    UPGRADE = auto()
    GIVE_UP = auto()


class Step(IntEnum):
    """Steps that run by themselves, by the module that runs them; they are numbered on from the decisions."""

    # engine.py
    ROUND = len(Ask)
    # farm.py
    CARDS_TURN = auto()
    HAND_LIMIT = auto()
    INCOME = auto()
    GROWTH_TURN = auto()
    GROW = auto()
    BREED = auto()
    BRED = auto()
    GROWN = auto()
    ROOF_TURN = auto()
    ROOF_PLACED = auto()
    # revenue.py
    REVENUE = auto()
    BEFORE_ROLL = auto()
    ROLL = auto()
    DIE_TURN = auto()
    LAST_DIE_TURN = auto()
    MODIFY_DIE = auto()
    DIE_USED = auto()
    SECOND_OPTION = auto()
    PICKED = auto()
    DICE_GONE = auto()
    # transport.py
    TRANSPORT = auto()
    REVEAL = auto()
    NEW_ORDER = auto()
    FREE_TURN = auto()
    BUY_TURN = auto()
    PAY_DELIVERIES = auto()
    # market.py
    MARKET_MARKER = auto()
    # cards.py
    CARD_PLACED = auto()
    # effects.py
    EFFECT = auto()
    PARTS = auto()
    ALTERNATIVE = auto()
    # events.py
    EVENT = auto()
    ANSWER = auto()
    USE = auto()
    # anytime.py
    BUY = auto()
    CLOSE_TURN = auto()
    # deliveries.py
    SILVER_DELIVERY = auto()
    BARROW_GONE = auto()
    # scoring.py
    SCORING = auto()
    SCORED = auto()
    END_ROUND = auto()
    END = auto()
    # solo.py
    DISCARD_DIE = auto()
    NEUTRAL_MOVE = auto()
    # holdings.py
    RECEIVE = auto()
    WAIT_FOR_MARKER = auto()


class Note(IntEnum):
    """What a row of the ledger tells, which says what of its fields counts."""

    LEDGER = 0
    CARD = 1
    RESHUFFLE = 2
    DISC = 3
    MARKER = 4
    USE = 5
    FLIPPED = 6
    COMPLETED = 7
    OPENED = 8
    PERMANENT = 9
    ROUND = 10
    ROLL = 11
    ORDER = 12
    DONKEYS_BACK = 13
    DIE_DISCARDED = 14


class Error(IntEnum):
    """How a game may end that is reported with its seed and number, never counted; beside those of kit/outcomes.py."""

    OK = kit.OK
    NEGATIVE_STOCK = 1
    STOCK_TOO_LARGE = 2
    LEDGER_FULL = 3
    TOO_MANY_STEPS = 4


# --- the names as data and replays spell them --------------------------------------------------------------------------------
ITEMS = words(Item)
CLASSES = words(Goods)
PHASES = words(Phase)
DOES = words(Do)
SIDES = words(Side)
VERBS = words(Verb)
PASSIVES = words(Passive)
EVENTS = words(Event)
REASONS = words(Reason)
DECISIONS = words(Ask)
NOTES = words(Note)
PERS = ("", *words(Per)[1:])
IFS = ("", *words(Condition)[1:])
WHENS = ("", *words(When)[1:])
BUILDINGS = ("merchant_house", "wainwright", "deli", "greengrocer", "village_store", "butcher")
ERRORS: dict[int, str] = {
    Error.NEGATIVE_STOCK: "a stock became negative",
    Error.STOCK_TOO_LARGE: "a stock is larger than 32,767",
    Error.LEDGER_FULL: "the ledger of one step is full",
    Error.TOO_MANY_STEPS: "effects set each other off without end",
}

# --- goods by number ---
HARVEST, RESOURCES, KINDS = 3, 4, 9  # items below these are harvest goods, resources, deliverable kinds
FIELD = int(Item.FIELD_OLIVE)  # FIELD + good is that good on a field
UPGRADED_FROM = np.array([Item.FOOD, Item.FOOD, Item.WINE, Item.MEAT], np.int8)  # by resource

# --- which column of points a change counts for ---
SOURCES = ("barrow", "market_round", "market_removal", "building", "first", "unlock", "siesta", "roof", "craft", "helper", "roof_effect",
           "silver", "start", "spent", "other")  # fmt: skip
_SOURCE_OF = {"craft_immediate": "craft", "craft_permanent": "craft", "extension": "spent", "helper_cost": "spent", "effect_cost": "spent",
              **{source: source for source in SOURCES}}  # fmt: skip
SOURCE_OF_REASON = np.array([SOURCES.index(_SOURCE_OF.get(reason, "other")) for reason in REASONS], np.int8)
