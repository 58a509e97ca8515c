"""The records of a game, and their sizes.

`GAME` is everything of a game in play, `OPTION` what may be chosen; the records of printed things are here too, and the box that holds them all in
components/box_record.py. All are plain numpy records without pointers, so `copy[0] = game[0]` clones a game.
No field may carry the name of a method of numpy scalars (round, item, size, take, ...): uncompiled, the method would win.
"""

import numpy as np

from lagranja_sim.games.lagranja.rules.names import BUILDINGS, HARVEST, ITEMS, KINDS, SOURCES
from lagranja_sim.kit.records import record

# A reference names the component behind a change: a card by its number, the others offset.
REF_ROOF, REF_BUILDING, REF_DONKEY, REF_FACE = 100, 200, 300, 400  # roof number, building index, tile from 1, face 1-6
REF_LOST_MARKER = 500  # a market space and who had a marker there: space index + MAX_SPACES x seat
REFS = 1_024  # references are below this

# --- where a card is -------------------------------------------------------------------------------------------------------------------
IN_DECK, IN_DISCARD, IN_HAND, ON_FARM, HIDDEN = 0, 1, 2, 6, 10  # IN_HAND + seat, ON_FARM + seat; HIDDEN only in what a policy sees

NEUTRAL = 1  # owner of the neutral player's markers in the game for one (O6); nobody sits there, and players[NEUTRAL] stays an empty farm

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
AGENDA, MAX_OPTIONS, LEDGER, LISTS = 80, 640, 512, 16
MAX_OPS, MAX_ALTERNATIVES, MAX_EFFECTS = 1024, 768, 512


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
    # The game for one: 1 = the neutral player is start player (O1, O4), else 0. Here, and so wide, it leaves all other numbers their even places.
    ("neutral_first", np.int16),
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
    ("market_value", np.int8),  # of the space to which the barrow leads
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
    ("first_bonus_vp", np.int16),
    ("unlock_bonus_vp", np.int16),
)
SPACE = record(("value", np.int8), ("start", np.int8), ("min_players", np.int8), ("q", np.int8), ("r", np.int8), ("neighbours", np.int64))

LEDGER_ROW = record(
    ("note", np.int8),  # of Note, which says what of the rest counts
    ("round_number", np.int8),
    ("phase", np.int8),
    ("seat", np.int8),
    ("thing", np.int8),  # an item, a card, a market space, a roof or a building
    ("amount", np.int16),  # of an item; a disc's place in its stack, from the bottom; a building's order marker; the number of a list
    ("before", np.int8),  # a card's place, a disc's section, the owner of a market space
    ("after", np.int8),
    ("reason", np.int8),
    ("ref", np.int16),
)
LIST = record(("length", np.int8), ("numbers", np.int8, (CARDS,)))  # roofs, dice, the turn order or a deck
