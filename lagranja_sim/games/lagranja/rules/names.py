"""The names of the rules with their numbers: goods, phases, options, the effect language, decisions and steps."""

from enum import IntEnum

import numpy as np


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
    """Decisions. Those up to LAST_WINDOW are windows: all anytime actions are offered beside them."""

    PLAY_CARD = 0
    DISCARD = 1
    END_TURN = 2
    BEFORE_GROWTH = 3
    BUY_ROOF = 4
    TAKE_DIE = 5
    LAST_DIE = 6
    FREE_DELIVERY = 7
    BUY_DELIVERY = 8
    BUY_DELIVERIES = 9
    DELIVER = 10
    CHOOSE_EFFECT = 11
    CHOOSE_GOOD = 12
    CHOOSE_GOODS = 13
    UPGRADE = 14
    SIESTA = 15
    EFFECT_CARD = 16
    PAY_EXTENSION = 17
    PAY_GOOD = 18
    FLIP_ROOF = 19
    RESERVE = 20
    SHIFT_DIE = 21
    OFFER = 22
    CHOOSE_DONKEY = 23
    PLACE_MARKER = 24
    GIVE_UP = 25


class Step(IntEnum):
    """Steps that run by themselves, numbered after the decisions."""

    ROUND = 26
    CARDS_TURN = 27
    HAND_LIMIT = 28
    INCOME = 29
    GROWTH_TURN = 30
    GROW = 31
    BREED = 32
    BRED = 33
    GROWN = 34
    ROOF_TURN = 35
    ROOF_PLACED = 36
    REVENUE = 37
    BEFORE_ROLL = 38
    ROLL = 39
    DIE_TURN = 40
    LAST_DIE_TURN = 41
    PICKED = 42
    DIE_USED = 43
    DICE_GONE = 44
    TRANSPORT = 45
    REVEAL = 46
    NEW_ORDER = 47
    FREE_TURN = 48
    BUY_TURN = 49
    SCORING = 50
    SCORED = 51
    END_ROUND = 52
    END = 53
    EFFECT = 54
    PARTS = 55
    SECOND_OPTION = 56
    EVENT = 57
    ANSWER = 58
    RECEIVE = 59
    BARROW_GONE = 60
    MARKET_MARKER = 61
    CARD_PLACED = 62
    CLOSE_TURN = 63
    WAIT_FOR_MARKER = 64
    DISCARD_DIE = 65
    NEUTRAL_MOVE = 66
    BUY = 67
    USE = 68
    ALTERNATIVE = 69
    PAY_DELIVERIES = 70
    SILVER_DELIVERY = 71


class PigletWithoutSpace(IntEnum):
    """What becomes of a piglet for which there is no space (F6)."""

    LOST = 0
    SOLD = 1


class GreengrocerStep(IntEnum):
    """When permanent buildings with an effect on growth act (F6)."""

    GROWTH = 0
    INCOME = 1


class ModifyDie(IntEnum):
    """What a roof may do to the die about to be taken (R3)."""

    UP = 0
    UP_OR_DOWN = 1


class DeliveriesPaid(IntEnum):
    """How bought deliveries are paid for (T4)."""

    ONE_BY_ONE = 0
    UP_FRONT = 1


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
    """How a game may end that is reported with its seed and number, never counted."""

    OK = 0
    AGENDA_FULL = 1
    TOO_MANY_OPTIONS = 2
    NEGATIVE_STOCK = 3
    STOCK_TOO_LARGE = 4
    NO_SUCH_OPTION = 5
    LEDGER_FULL = 6
    UNKNOWN_TASK = 7
    TOO_MANY_DECISIONS = 8
    TOO_MANY_STEPS = 9
    TOO_MANY_ROWS = 10


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
ERRORS = (  # by number
    "ok", "the agenda is full", "more options than there is room for", "a stock became negative", "a stock is larger than 32,767",
          "a policy chose an option that does not exist", "the ledger of one step is full", "a task nobody knows is on the agenda",
          "the game does not end", "effects set each other off without end", "more cards or markers in one game than there is room for")  # fmt: skip

# --- goods by number ---
HARVEST, RESOURCES, KINDS = 3, 4, 9  # items below these are harvest goods, resources, deliverable kinds
FIELD = int(Item.FIELD_OLIVE)  # FIELD + good is that good on a field
UPGRADED_FROM = np.array([Item.FOOD, Item.FOOD, Item.WINE, Item.MEAT], np.int8)  # by resource

# --- which column of points a change counts for ---
SOURCES = ("barrow", "market_round", "market_removal", "building", "first", "unlock", "siesta", "roof", "craft", "helper", "roof_effect",
           "silver", "start", "spent", "other")  # fmt: skip
_SOURCE_OF = {"barrow": "barrow", "market_round": "market_round", "market_removal": "market_removal", "building": "building", "first": "first",
              "unlock": "unlock", "siesta": "siesta", "roof": "roof", "craft_immediate": "craft", "craft_permanent": "craft", "helper": "helper",
              "roof_effect": "roof_effect", "silver": "silver", "start": "start", "extension": "spent", "helper_cost": "spent",
              "effect_cost": "spent"}  # fmt: skip
SOURCE_OF_REASON = np.array([SOURCES.index(_SOURCE_OF.get(reason, "other")) for reason in REASONS], np.int8)

# --- decisions ---
LAST_WINDOW = Ask.BUY_DELIVERIES
LAST_ASK = Ask.GIVE_UP
FIRST_WAITING = Step.BUY  # steps from this one on are acts that waited for a marker to be given up (L1)
