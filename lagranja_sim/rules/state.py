"""The records of a game and the named constants of the rules.

`GAME` is everything of a game in play, `BOX` everything printed: cards, roofs, buildings, market and the numbers of the rules under
the variant in force. Both are plain numpy records without pointers, so `copy[0] = game[0]` clones a game.
No field may carry the name of a method of numpy scalars (round, item, size, take, ...): uncompiled, the method would win.
"""

import numpy as np

# --- items: what a player may own. The first nine can be delivered; the last three lie on fields. -------------------------------
OLIVE, GRAIN, GRAPE, PIG, FOOD, WINE, MEAT, SILVER, COMMODITY, VP, FIELD_OLIVE, FIELD_GRAIN, FIELD_GRAPE = range(13)
ITEMS = ("olive", "grain", "grape", "pig", "food", "wine", "meat", "silver", "commodity", "vp", "field_olive", "field_grain", "field_grape")
HARVEST, RESOURCES, KINDS = 3, 4, 9  # items below these are harvest goods, resources, deliverable kinds
FIELD = FIELD_OLIVE  # FIELD + good is that good on a field
UPGRADED_FROM = np.array([FOOD, FOOD, WINE, MEAT], np.int8)  # by resource

# --- classes of goods in effects, numbered after the items -----------------------------------------------------------------
CLASS_HARVEST, CLASS_HARVEST_DIFFERENT, CLASS_RESOURCE, CLASS_UPGRADED, CARD = range(13, 18)
CLASSES = ("harvest", "harvest_different", "resource", "upgraded", "card")

# --- phases ------------------------------------------------------------------------------------------------------------------
SETUP, FARM, REVENUE, TRANSPORT, SCORING, END = range(6)
PHASES = ("setup", "farm", "revenue", "transport", "scoring", "end")

# --- what an option does -------------------------------------------------------------------------------------------------------
(DO_DONE, DO_DECLINE, DO_FORGO, DO_PLAY_CARD, DO_DISCARD, DO_TAKE_GROWTH, DO_GROW, DO_BUY_ROOF, DO_TAKE_DIE, DO_USE_DIE, DO_DELIVER,
 DO_BUY_DELIVERY, DO_BUY_DELIVERIES, DO_BUY, DO_SELL, DO_UPGRADE, DO_USE_COMMODITY, DO_USE_ROOF, DO_USE_HELPER, DO_USE_BUILDING,
 DO_CHOOSE, DO_GAIN, DO_SIESTA, DO_PAY, DO_FLIP_ROOF, DO_RESERVE, DO_SHIFT, DO_CHOOSE_DONKEY, DO_PLACE_MARKER, DO_GIVE_UP) = range(30)  # fmt: skip
DOES = ("done", "decline", "forgo", "play_card", "discard", "take_growth", "grow", "buy_roof", "take_die", "use_die", "deliver",
        "buy_delivery", "buy_deliveries", "buy", "sell", "upgrade", "use_commodity", "use_roof", "use_helper", "use_building",
        "choose", "gain", "siesta", "pay", "flip_roof", "reserve", "shift", "choose_donkey", "place_marker", "give_up")  # fmt: skip

# --- sides of a card -------------------------------------------------------------------------------------------------------------
SIDE_FIELD, SIDE_BARROW, SIDE_EXTENSION, SIDE_HELPER = range(4)
SIDES = ("field", "barrow", "extension", "helper")

# --- buildings ---------------------------------------------------------------------------------------------------------------------
BUILDINGS = ("merchant_house", "wainwright", "deli", "greengrocer", "village_store", "butcher")

# --- the effect language -----------------------------------------------------------------------------------------------------------
(V_GAIN, V_PAY, V_UPGRADE, V_DELIVER, V_SIESTA, V_SIESTA_VP, V_PLAY_CARD, V_REVENUE_ROUND, V_SECOND_OPTION, V_RESERVE, V_MODIFY_DIE,
 V_FLIP_ROOF, V_PLACE_MARKER, V_DOUBLE_ROOF_VP, V_INCOME, V_EXTRA_DELIVERY) = range(16)  # fmt: skip
VERBS = ("gain", "pay", "upgrade", "deliver", "siesta", "siesta_vp", "play_card", "revenue", "second_option", "reserve_revenue", "modify_die",
         "flip_roof", "place_marker", "double_roof_vp", "income", "extra_delivery")  # fmt: skip
(P_UPGRADE_COST, P_BUY_PRICE, P_SELL_PRICE, P_ROOF_COST, P_EXTENSION_COST, P_PIG_SPACE, P_HAND_LIMIT, P_EXTRA_DELIVERY, P_FREE_DELIVERY,
 P_SIESTA_STEPS, P_PIGLETS) = range(11)  # fmt: skip
PASSIVES = ("upgrade_cost", "buy_price", "sell_price", "roof_cost", "extension_cost", "pig_space", "hand_limit", "extra_delivery",
            "free_delivery", "siesta_steps", "piglets")  # fmt: skip
PER_ONE, PER_BARROWS, PER_BUILDINGS, PER_FIELDS = range(4)
PERS = ("", "barrows", "buildings", "fields")
IF_ALWAYS, IF_PIGS, IF_FIELDS, IF_SIESTA = range(4)
IFS = ("", "pigs", "fields", "siesta")
WHEN_NEVER, WHEN_PASSIVE, WHEN_ACTION, WHEN_BEFORE_ROLL, WHEN_BEFORE_DIE, WHEN_EVENT = range(6)
WHENS = ("", "passive", "action", "before_roll", "before_die", "on")
(E_BREED, E_INCOME, E_GROWTH, E_ROOF_BOUGHT, E_START_PLAYER, E_REVENUE, E_CARD_PLAYED, E_BARROW_DONE, E_BUILDING_DONE, E_MARKER_PLACED,
 E_OWN_MARKER_REMOVED, E_OPPONENT_MARKER_REMOVED, E_SCORING) = range(13)  # fmt: skip
EVENTS = ("breed", "income", "growth", "roof_bought", "start_player", "revenue", "card_played", "barrow_done", "building_done", "marker_placed",
          "own_marker_removed", "opponent_marker_removed", "scoring")  # fmt: skip

# --- why something changed hands, and which column of points it counts for -----------------------------------------------------------
(R_START, R_PLAYED, R_ROOF, R_ROOF_EFFECT, R_BUY, R_SELL, R_UPGRADE, R_DIE, R_COMMODITY, R_INCOME, R_GROWTH, R_BREED, R_DELIVERY,
 R_BOUGHT_DELIVERY, R_BARROW, R_MARKET_ROUND, R_MARKET_REMOVAL, R_BUILDING, R_FIRST, R_UNLOCK, R_SIESTA, R_CRAFT_IMMEDIATE, R_HELPER, R_EXTENSION,
 R_NO_SPACE, R_GIVE_UP, R_END_SALE, R_SILVER, R_PAID_HELPER, R_PAID_EFFECT, R_CRAFT_PERMANENT, R_HAND_LIMIT, R_DONKEY,
 R_NEW_ROUND) = range(34)  # fmt: skip
REASONS = ("start", "played", "roof", "roof_effect", "buy", "sell", "upgrade", "die", "commodity", "income", "growth", "breed", "delivery",
           "bought_delivery", "barrow", "market_round", "market_removal", "building", "first", "unlock", "siesta", "craft_immediate", "helper",
           "extension", "no_space", "give_up", "end_sale", "silver", "helper_cost", "effect_cost", "craft_permanent", "hand_limit", "donkey",
           "new_round")  # fmt: skip
SOURCES = ("barrow", "market_round", "market_removal", "building", "first", "unlock", "siesta", "roof", "craft", "helper", "roof_effect",
           "silver", "start", "spent", "other")  # fmt: skip
_SOURCE_OF = {"barrow": "barrow", "market_round": "market_round", "market_removal": "market_removal", "building": "building", "first": "first",
              "unlock": "unlock", "siesta": "siesta", "roof": "roof", "craft_immediate": "craft", "craft_permanent": "craft", "helper": "helper",
              "roof_effect": "roof_effect", "silver": "silver", "start": "start", "extension": "spent", "helper_cost": "spent",
              "effect_cost": "spent"}  # fmt: skip
SOURCE_OF_REASON = np.array([SOURCES.index(_SOURCE_OF.get(reason, "other")) for reason in REASONS], np.int8)

# A reference names the component behind a change: a card by its number, the others offset.
REF_ROOF, REF_BUILDING, REF_DONKEY, REF_FACE = 100, 200, 300, 400  # roof number, building index, tile from 1, face 1-6
REF_LOST_MARKER = 500  # a market space and who had a marker there: space index + MAX_SPACES x seat

# --- what the notepad tells, in the order in which it happens: the types of lines of a replay --------------------------------------------
(NOTE_LEDGER, NOTE_CARD, NOTE_RESHUFFLE, NOTE_DISC, NOTE_MARKER, NOTE_USE, NOTE_FLIPPED, NOTE_COMPLETED, NOTE_OPENED, NOTE_PERMANENT,
 NOTE_ROUND, NOTE_ROLL, NOTE_ORDER, NOTE_DONKEYS_BACK) = range(14)  # fmt: skip
NOTES = ("ledger", "card", "reshuffle", "disc", "marker", "use", "flipped", "completed", "opened", "permanent", "round", "roll",
         "order", "donkeys_back")  # fmt: skip

# --- where a card is -------------------------------------------------------------------------------------------------------------------
IN_DECK, IN_DISCARD, IN_HAND, ON_FARM, HIDDEN = 0, 1, 2, 6, 10  # IN_HAND + seat, ON_FARM + seat; HIDDEN only in what a policy sees

# --- what the agenda can hold: first the decisions, then the steps that run by themselves ----------------------------------------------
(ASK_PLAY_CARD, ASK_DISCARD, ASK_END_TURN, ASK_BEFORE_GROWTH, ASK_BUY_ROOF, ASK_TAKE_DIE, ASK_LAST_DIE, ASK_FREE_DELIVERY, ASK_BUY_DELIVERY,
 ASK_BUY_DELIVERIES, ASK_DELIVER, ASK_EFFECT, ASK_GOOD, ASK_GOODS, ASK_UPGRADE, ASK_SIESTA, ASK_EFFECT_CARD, ASK_PAY_EXTENSION, ASK_PAY_GOOD,
 ASK_FLIP_ROOF, ASK_RESERVE, ASK_SHIFT, ASK_OFFER, ASK_DONKEY, ASK_PLACE_MARKER, ASK_GIVE_UP) = range(26)  # fmt: skip
DECISIONS = ("play_card", "discard", "end_turn", "before_growth", "buy_roof", "take_die", "last_die", "free_delivery", "buy_delivery",
             "buy_deliveries", "deliver", "choose_effect", "choose_good", "choose_goods", "upgrade", "siesta", "effect_card", "pay_extension",
             "pay_good", "flip_roof", "reserve", "shift_die", "offer", "choose_donkey", "place_marker", "give_up")  # fmt: skip
LAST_WINDOW = ASK_BUY_DELIVERIES  # decisions up to this one are windows: all anytime actions are offered beside them
LAST_ASK = ASK_GIVE_UP
(STEP_ROUND, STEP_CARDS_TURN, STEP_HAND_LIMIT, STEP_INCOME, STEP_GROWTH_TURN, STEP_GROW, STEP_BREED, STEP_BRED, STEP_GROWN,
 STEP_ROOF_TURN, STEP_ROOF_PLACED, STEP_REVENUE, STEP_BEFORE_ROLL, STEP_ROLL, STEP_DIE_TURN, STEP_LAST_DIE_TURN, STEP_PICKED,
 STEP_DIE_USED, STEP_DICE_GONE, STEP_TRANSPORT, STEP_REVEAL, STEP_NEW_ORDER, STEP_FREE_TURN, STEP_BUY_TURN, STEP_SCORING, STEP_SCORED,
 STEP_END_ROUND, STEP_END, STEP_EFFECT, STEP_PARTS, STEP_SECOND_OPTION, STEP_EVENT, STEP_ANSWER, STEP_RECEIVE, STEP_BARROW_GONE,
 STEP_MARKET_MARKER, STEP_CARD_PLACED, STEP_CLOSE_TURN, STEP_WAIT_FOR_MARKER, STEP_BUY, STEP_USE, STEP_ALTERNATIVE, STEP_PAY_DELIVERIES,
 STEP_SILVER_DELIVERY) = range(26, 70)  # fmt: skip
FIRST_WAITING = STEP_BUY  # steps from this one on are acts that waited for a marker to be given up (L1)

# --- errors: a game that ends with one of these is reported with its seed and number, never counted ------------------------------------
(OK, ERROR_AGENDA_FULL, ERROR_TOO_MANY_OPTIONS, ERROR_NEGATIVE_STOCK, ERROR_STOCK_TOO_LARGE, ERROR_NO_SUCH_OPTION, ERROR_LEDGER_FULL,
 ERROR_UNKNOWN_TASK, ERROR_TOO_MANY_DECISIONS, ERROR_TOO_MANY_STEPS, ERROR_TOO_MANY_ROWS) = range(11)  # fmt: skip
ERRORS = ("ok", "the agenda is full", "more options than there is room for", "a stock became negative", "a stock is larger than 32,767",
          "a policy chose an option that does not exist", "the ledger of one step is full", "a task nobody knows is on the agenda",
          "the game does not end", "effects set each other off without end", "more cards or markers in one game than there is room for")  # fmt: skip

# --- sizes ---------------------------------------------------------------------------------------------------------------------------------
SEATS, ROUNDS, CARDS, ROOFS, SLOTS, ROOF_SPACES, MAX_EXTENSIONS, MAX_DICE, MAX_SPACES, MAX_DONKEYS, MAX_SECTIONS = (
    4,
    6,
    66,
    24,
    3,
    6,
    9,
    9,
    48,
    6,
    8,
)
AGENDA, MAX_OPTIONS, LEDGER = 80, 640, 512
MAX_OPS, MAX_ALTERNATIVES, MAX_EFFECTS = 1024, 768, 512


def record(*fields):
    """A numpy record dtype whose nested records are read as attributes, compiled and uncompiled."""
    return np.dtype((np.record, list(fields)))


PLAYER = record(
    ("stock", np.int16, (len(ITEMS),)),
    ("points", np.int16, (len(SOURCES),)),  # by source; sums to stock[VP]
    ("fields", np.int8, (HARVEST,)),  # field cards by good; what grows on them is stock[FIELD + good]
    ("barrows", np.int8, (SLOTS,)),  # card number, 0 = empty slot
    ("barrow_missing", np.int8, (SLOTS, KINDS)),
    ("barrow_left", np.int8, (SLOTS,)),  # symbols still free
    ("helpers", np.int8, (SLOTS,)),  # card number, 0 = empty slot
    ("helper_used", np.int8, (SLOTS,)),  # uses this round
    ("extensions", np.int8, (MAX_EXTENSIONS,)),  # card numbers in the order played
    ("extension_count", np.int8),
    ("hand_icons", np.int8),
    ("delivery_icons", np.int8),
    ("pig_icons", np.int8),
    ("roofs", np.int8, (ROOF_SPACES,)),  # roof numbers from the leftmost space
    ("roof_used", np.int8, (ROOF_SPACES,)),  # 1 = face down
    ("roof_count", np.int8),
    ("roof_this_round", np.int8),  # number of the roof bought this round, 0 = none
    ("donkey", np.int8),  # tile chosen this round, counted from 1; 0 = not yet
    ("donkeys_out", np.int16),  # bit d: tile d + 1 is used up
    ("row_missing", np.int8, (len(BUILDINGS), KINDS)),
    ("row_left", np.int8, (len(BUILDINGS),)),  # symbols still free; 0 = completed
    ("done", np.int16),  # bit b: building b completed
    ("permanent", np.int16),  # bit b: its craft marker is flipped
    ("building_round", np.int8, (len(BUILDINGS),)),  # round of completion, 0 = never
    ("siesta", np.int8),  # section of the disc
    ("arrival", np.int16),  # the disc that came later lies higher in its stack
    ("hand_size", np.int8),
    ("markers", np.int16),  # in use
    ("passives", np.int32),  # bit p: some helper or permanent building has passive p
    ("dice", np.int8, (2,)),  # faces taken this round, as rolled; 0 = none
    ("deliveries", np.int8),  # this round
    ("bought_deliveries", np.int8),  # this round
    ("extra_deliveries", np.int16),  # purchasable deliveries granted by effects, this round
    ("barrows_done", np.int8),
    ("pigs", np.int16),  # received, whole game
    ("markers_removed", np.int8),  # own market markers lost to others, whole game
)

TASK = record(
    ("kind", np.int8), ("seat", np.int8), ("reason", np.int8), ("flag", np.int8), ("n", np.int16), ("what", np.int16), ("ref", np.int16)
)

GAME = record(
    ("round_number", np.int8),
    ("phase", np.int8),
    ("seats", np.int8),
    ("order", np.int8, (SEATS,)),  # turn order: seats, start player first
    ("turn_seat", np.int8),  # whose turn it is, -1 = nobody's
    ("anytime_left", np.int16),
    ("die_shift", np.int8),  # from modify_die, for the die about to be taken
    ("die_face", np.int8),  # counted face of the die in use
    ("die_alternative", np.int16),  # of its effect, the one carried out; -1 = none
    ("dice_left", np.int8, (6,)),
    ("reserved", np.int8, (6,)),  # by face: seat + 1, 0 = free
    ("last_die", np.int8),
    ("roof_offer", np.int8, (SEATS,)),  # roof numbers on offer, 0 = gone
    ("covered_vp", np.int8),  # points of the roof space just covered
    ("piglets", np.int8),  # received in the growth step under way
    ("growth_taken", np.int16),  # bit b: building b's growth effect was taken this turn
    ("blocked", np.int8, (3,)),  # building indices in the order of their markers
    ("blocked_count", np.int8),
    ("opened", np.int8),  # how many of them are open by now
    ("first_seat", np.int8, (len(BUILDINGS),)),  # who completed it first, -1 = nobody yet
    ("space_owner", np.int8, (MAX_SPACES,)),  # seat, -1 = no marker
    ("arrivals", np.int16),
    ("deck", np.int8, (CARDS,)),  # the top is deck[deck_count - 1]
    ("deck_count", np.int8),
    ("discard_count", np.int8),
    ("card_place", np.int8, (CARDS + 1,)),
    ("reshuffles", np.int16),
    ("dice", np.int8, (ROUNDS, MAX_DICE)),  # as they will be rolled
    ("roofs", np.int8, (ROUNDS, SEATS)),
    ("chance", np.uint64),  # key of all chance of this deal; 0 in what a policy sees
    ("luck", np.uint64),  # the policy's own stream at this decision
    ("decisions", np.int32),
    ("error", np.int8),
    ("depth", np.int16),
    ("agenda", TASK, (AGENDA,)),
    ("players", PLAYER, (SEATS,)),
)

OPTION = record(
    ("do", np.int8),
    ("card", np.int8),  # card, roof number or building index + 1, by `do`
    ("side", np.int8),
    ("slot", np.int8),  # slot of a barrow or helper (played into, delivered to, used), -1 = none
    ("good", np.int8),  # an item; for a good on a field FIELD + good
    ("building", np.int8),  # target of a delivery, -1 = none
    ("space", np.int8),
    ("n", np.int16),  # price, steps, count, face taken, alternative of an effect or set of goods, by `do`
    ("m", np.int16),  # face counted
)

# --- the box ---------------------------------------------------------------------------------------------------------------------------
OP = record(
    ("verb", np.int8),  # V_..., or P_... in a passive
    ("what", np.int8),  # item or class; of `upgrade N good` the good, -1 = any
    ("n", np.int16),
    ("per", np.int8),
    ("condition", np.int8),
    ("at_least", np.int8),
)
ALTERNATIVE = record(("first", np.int16), ("length", np.int16), ("pays", np.int8))  # ops; pays: some are `pay`
EFFECT = record(("first", np.int16), ("length", np.int16), ("is_gain", np.int8))  # alternatives; is_gain: each has a gain and no pay
ABILITY = record(
    ("when", np.int8),
    ("event", np.int8),
    ("argument", np.int16),  # bits: faces 1-6 for revenue, side s at bit s for card_played
    ("phases", np.int16),  # bit p: usable in phase p
    ("uses", np.int8),  # a round, 0 = unlimited
    ("cost", np.int16),  # alternative of `pay` parts, -1 = free
    ("effect", np.int16),  # -1 = nothing; a passive's effect has one alternative whose ops are P_...
    ("is_passive_for", np.int32),  # bit p: has passive p
)
CARD_FACE = record(
    ("grows", np.int8),
    ("barrow", np.int8, (KINDS,)),
    ("barrow_size", np.int8),
    ("barrow_vp", np.int8),
    ("ext_hand", np.int8),
    ("ext_delivery", np.int8),
    ("ext_pig", np.int8),
    ("ext_income", np.int16),  # effect, -1 = none
    ("helper", ABILITY),
    ("is_permanent", np.int8),  # a helper that cannot be replaced
)
BUILDING = record(
    ("number", np.int8),
    ("goods", np.int8, (KINDS,)),
    ("symbols", np.int8),
    ("immediate", np.int16),
    ("permanent", ABILITY),
    ("bonus_vp", np.int16),
)
SPACE = record(("value", np.int8), ("start", np.int8), ("min_players", np.int8), ("q", np.int8), ("r", np.int8), ("neighbours", np.int64))

LEDGER_ROW = record(
    ("note", np.int8),  # NOTE_..., which says what of the rest counts
    ("round_number", np.int8),
    ("phase", np.int8),
    ("seat", np.int8),
    ("thing", np.int8),  # an item, a card, a market space, a roof or a building
    ("amount", np.int16),  # of an item; a disc's place in its stack, from the bottom; a building's order marker
    ("before", np.int8),  # a card's place, a disc's section, the owner of a market space
    ("after", np.int8),
    ("reason", np.int8),
    ("ref", np.int16),
    ("listed", np.int8, (CARDS,)),  # roofs, dice, the turn order or a deck
    ("listed_count", np.int8),
)

BOX = record(
    ("cards", CARD_FACE, (CARDS + 1,)),
    ("roofs", ABILITY, (ROOFS + 1,)),
    ("roof_round", np.int8, (ROOFS + 1,)),
    ("buildings", BUILDING, (len(BUILDINGS),)),
    ("spaces", SPACE, (MAX_SPACES,)),
    ("space_count", np.int8),
    ("open_spaces", np.int64, (SEATS + 1,)),  # bits, by number of players
    ("ops", OP, (MAX_OPS,)),
    ("alternatives", ALTERNATIVE, (MAX_ALTERNATIVES,)),
    ("effects", EFFECT, (MAX_EFFECTS,)),
    # [game], [setup]
    ("rounds", np.int8),
    ("anytime_actions_a_turn", np.int16),
    ("victory_points", np.int16),
    ("silver", np.int16),
    ("commodities", np.int16),
    ("hand_cards", np.int8),
    ("blocked_buildings", np.int8),
    ("dice_per_player", np.int8),
    ("dice_extra", np.int8),
    ("markers", np.int16),
    ("bonus_vp_by_position", np.int16, (SEATS,)),
    ("bonus_silver_by_position", np.int16, (SEATS,)),
    # [buildings]
    ("vp_per_round", np.int16),
    ("first_completion_vp", np.int16),
    ("unlock_vp", np.int16),
    # [farm]
    ("hand_limit", np.int8),
    ("cards_first_round", np.int8),
    ("cards_per_round", np.int8),
    ("pig_spaces", np.int8),
    ("breeding_pigs", np.int8),
    ("piglets", np.int8),
    ("extension_cost_step", np.int8),
    ("max_extensions", np.int8),
    ("piglet_without_space_sold", np.int8),
    ("growth_effects_on_income", np.int8),
    ("barrow_slots", np.int8),
    ("helper_slots", np.int8),
    ("roof_slots", np.int8),
    ("roof_vp", np.int8, (ROOF_SPACES,)),
    ("roof_cost_per_round", np.int8),
    ("first_round_roofs_reversed", np.int8),
    # [prices]
    ("buy_price", np.int16, (RESOURCES,)),
    ("sell_price", np.int16, (RESOURCES,)),
    ("upgrade_price", np.int16, (RESOURCES,)),
    ("commodity_silver", np.int16),
    ("commodity_uses", np.int16),  # effect
    ("silver_per_vp", np.int16),
    # [revenue], [transport], [market]
    ("faces", np.int16, (6,)),  # effects
    ("modify_die_both_ways", np.int8),
    ("donkeys", np.int8, (MAX_DONKEYS, 2)),  # deliveries, siesta steps
    ("donkey_count", np.int8),
    ("donkeys_return_in_round", np.int8),
    ("siesta_vp", np.int8, (MAX_SECTIONS,)),
    ("siesta_top", np.int8),  # index of the top section
    ("extra_deliveries", np.int8),
    ("extra_delivery_cost", np.int8),
    ("deliveries_paid_up_front", np.int8),
    ("extra_delivery_limit_fixed", np.int8),
    ("removal_vp", np.int16),
    ("marker_vp", np.int16),
    ("roof_marker_removes", np.int8),
    ("scratch", np.float64, (64,)),  # room for a policy to work in during one decision
    ("counts", np.int32, (18,)),  # and for whole numbers, which add up faster
    # the notepad: what has happened since the driver last emptied it, when it is on; off in what a policy gets
    ("ledger_on", np.int8),
    ("ledger_count", np.int16),
    ("ledger", LEDGER_ROW, (LEDGER,)),
)
