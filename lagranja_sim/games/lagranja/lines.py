"""What a replay's JSON lines hold: every type with every key, and every code; docs/data.md is made from it.

A key inside an object of a list is written `barrows[].card`, inside an object `stock.olive`; `stock.*` stands for one key an item.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class LineType:
    """One type of line: when it comes, and the meaning of each key but `type`."""

    meaning: str
    keys: Mapping[str, str]


WHEN = {"round": "round, from 1; 0 before the first", "phase": "phase, a code"}
SEAT = {"seat": "seat, from 0"}
OWNER = "its owner; in the game for one 1 is the neutral player, who sits nowhere"
CAUSE = {"reason": "why, a code", "ref": "the component behind it, `null` where there is none"}
STACKS = "siesta track from its first section: for each the seats whose discs lie there, from the bottom"

LINES: dict[str, LineType] = {
    "setup": LineType(
        "The first line: all that decides the game but what policies choose and in what order discards are shuffled.",
        {
            "game": "number of the game",
            "seed": "seed of all chance",
            "variant": "name of the variant",
            "components": "hash of everything printed and of all rule numbers",
            "policies": "text of the policy of each seat",
            "players": "number of players",
            "order": "seats in turn order, start player first; in the game for one with the neutral player as 1",
            "hands": "cards of each seat's hand, ascending",
            "deck": "cards of the deck, top first",
            "dice": "for each round the faces as they will be rolled",
            "roofs": "for each round the roofs that will be laid out",
            "blocked": "numbers of the blocked buildings, in the order of their markers",
            "discs": STACKS,
            "donkeys": "numbers of the donkey tiles that each seat has",
        },
    ),
    "round": LineType(
        "A round begins. Roofs that nobody bought in the round before are gone, and all helpers are ready.",
        WHEN | {"roofs": "roofs that lie face up, to be bought"},
    ),
    "roll": LineType("The dice are rolled (R1).", WHEN | {"dice": "their faces"}),
    "die_discarded": LineType("A die is taken away: in the game for one, between the picks (O2).", WHEN | {"die": "its face"}),
    "choice": LineType(
        "A seat chooses, also where it has one option only. All lines up to the next choice follow from it, or happen by themselves.",
        WHEN
        | SEAT
        | {
            "policy": "text of the policy that chose",
            "kind": "kind of decision (decisions.md)",
            "options": "all legal options, each an object: `do` names the act, its other keys are listed below",
            "chosen": "index of the one chosen, from 0",
        },
    ),
    "ledger": LineType(
        "A seat owns more or less of something. The rows of a game add up to what all own at its end.",
        WHEN | SEAT | {"item": "what, a code", "amount": "how many more; negative: fewer"} | CAUSE,
    ),
    "card": LineType(
        "A card goes from one place to another: it is drawn, played, discarded, replaced, a completed barrow, or the neutral player's (O3).",
        WHEN
        | {
            "seat": "seat from whose hand or farm, or to whose, it goes; 1 for the neutral player's card",
            "card": "its number",
            "from": "the place it leaves, a code; what is drawn is the top of the deck, the neutral player's card its bottom",
            "to": "the place it comes to",
        }
        | CAUSE,
    ),
    "reshuffle": LineType("The discard pile is shuffled and becomes the deck (S7).", WHEN | {"deck": "its cards, top first"}),
    "disc": LineType(
        "A siesta disc moves (R4, T2), or goes back at the change of rounds (E1).",
        WHEN
        | SEAT
        | {
            "from": "section it leaves, from 0",
            "to": "section it comes to",
            "place": "its place in the stack there, from 1 at the bottom: on top; at the change of rounds, on top of those already back",
        }
        | CAUSE,
    ),
    "marker": LineType(
        "A marker comes to a market space or leaves it, those of the start (S5) included.",
        WHEN
        | {
            "seat": OWNER,
            "space": "market space, from 0",
            "change": "`placed` or `removed`",
            "by": "seat that placed or removed it",
        }
        | CAUSE,
    ),
    "use": LineType(
        "A helper, a roof or a permanent craft marker is used: chosen, or answering an event by itself. A roof is face down from now on.",
        WHEN | SEAT | {"ref": "the card, roof or building"},
    ),
    "flipped": LineType("A used roof is face up again (F11).", WHEN | SEAT | {"roof": "its number"}),
    "completed": LineType(
        "A seat completes its row of a building; the goods on it are gone (D3). A completed barrow appears as its card, which is discarded.",
        WHEN | SEAT | {"building": "its name"},
    ),
    "opened": LineType(
        "A blocked building is open to all from now on (D4).",
        WHEN
        | {
            "seat": "seat that opened it, with the first completion of another",
            "building": "its name",
            "marker": "its order marker, from 1",
        },
    ),
    "permanent": LineType("A craft marker is flipped at the end of a round (D5).", WHEN | SEAT | {"building": "its name"}),
    "order": LineType("The turn order that holds from now on (T2; O4).", WHEN | {"order": "seats, start player first"}),
    "donkeys_back": LineType("All used donkey tiles are back.", dict(WHEN)),
    "table": LineType(
        "What lies in the middle of the table when the game is over.",
        {
            "order": "seats in the last turn order",
            "discs": STACKS,
            "market": "the markers on the market, ascending by space",
            "market[].space": "market space, from 0",
            "market[].seat": OWNER,
            "roofs": "roofs of the last round that nobody bought",
            "blocked": "numbers of the buildings still blocked, in the order of their markers",
            "first": "for each building that somebody completed, who did first",
            "first.*": "the seat",
            "deck": "cards of the deck, top first",
            "discard": "cards of the discard pile, ascending",
        },
    ),
    "final": LineType(
        "The result of a seat and all that is on its farm, a line a seat.",
        SEAT
        | {
            "policy": "text of its policy",
            "vp": "points",
            "rank": "1 and one more for each seat with more points or, by `game.tie_break`, more silver left; 0 for one player alone",
            "silver": "silver left",
            "stock": "what it owns",
            "stock.*": "how many of the item",
            "points": "its points by source",
            "points.*": "points of the source; they sum to `vp`",
            "hand": "cards of its hand, ascending",
            "fields": "cards played as fields, ascending",
            "barrows": "barrows not yet completed, from the left",
            "barrows[].card": "card number",
            "barrows[].loaded": "the goods on it",
            "helpers": "helpers, from the left",
            "helpers[].card": "card number",
            "helpers[].used": "how often it was used in the last round",
            "extensions": "cards played as extensions, in the order played",
            "roofs": "roofs, from the left",
            "roofs[].roof": "its number",
            "roofs[].used": "whether it lies face down",
            "buildings": "its row of each building, and its craft marker",
            "buildings.*.loaded": "the goods on the row; empty once it is completed",
            "buildings.*.completed": "round in which it was completed, 0 = never",
            "buildings.*.permanent": "whether the craft marker is flipped",
            "disc": "its siesta disc",
            "disc.section": "section, from 0",
            "disc.place": "place in the stack there, from 1 at the bottom",
            "donkeys": "donkey tiles not used up",
            "markers": "markers in use (L1)",
        },
    ),
}

OPTIONS: dict[str, tuple[tuple[str, ...], ...]] = {  # act -> the keys beside `do`; several: one or the other
    "done": ((),), "decline": ((),), "forgo": ((),), "grow": ((),), "buy_delivery": ((),),
    "play_card": (("card", "side"), ("card", "side", "replaces")),
    "discard": (("card",),),
    "take_growth": (("building",),),
    "buy_roof": (("roof",),),
    "take_die": (("die", "as"),),
    "use_die": (("die",),),
    "deliver": (("good", "from", "to"),),
    "buy_deliveries": (("count",),),
    "buy": (("good",),),
    "sell": (("good",),),
    "upgrade": (("good", "from", "price"),),
    "use_commodity": (("effect",),),
    "use_roof": (("roof",),),
    "use_helper": (("helper",),),
    "use_building": (("building",),),
    "choose": (("effect",),),
    "gain": (("good",), ("goods",)),
    "siesta": (("steps",),),
    "pay": (("good", "from"),),
    "flip_roof": (("roof",),),
    "reserve": (("die",),),
    "shift": (("by",),),
    "choose_donkey": (("donkey",),),
    "place_marker": (("space",),),
    "give_up": (("good", "from"), ("space",)),
}  # fmt: skip
OPTION_KEYS = {
    "as": "face that counts (R3)",
    "building": "name of a building",
    "by": "number that the value of a die changes by",
    "card": "card number",
    "count": "how many",
    "die": "face of a die",
    "donkey": "donkey tile, from 1",
    "effect": "the alternative of an effect, as written in the components",
    "from": "where the good lies: `den`, `field`, `stable`, `purse`, `storage`, or `barrow 12` (its card)",
    "good": "a good, as `item` names it; of a field without `field_`",
    "goods": "different harvest goods",
    "helper": "card number of a helper",
    "price": "silver that it costs",
    "replaces": "card number of the barrow or helper that goes",
    "roof": "roof number",
    "side": "`field`, `barrow`, `extension` or `helper`",
    "space": "market space, from 0",
    "steps": "siesta steps",
    "to": "name of a building, or `barrow 12` (its card)",
}

ITEM_MEANINGS = {
    "olive": "in a den",
    "grain": "in a den",
    "grape": "in a den",
    "pig": "in a stable",
    "food": "in a den, upgraded from olive or grain",
    "wine": "in a den, upgraded from grape",
    "meat": "in a den, upgraded from a pig",
    "silver": "in the purse",
    "commodity": "a trade commodity",
    "vp": "victory points",
    "field_olive": "an olive on the field it grew on",
    "field_grain": "a grain on the field it grew on",
    "field_grape": "a grape on the field it grew on",
}
PLACE_MEANINGS = {
    "deck": "the deck",
    "discard": "the discard pile",
    "hand": "the seat's hand",
    "farm": "the seat's farm, on the side named by the choice to play it; an extension comes there when it is paid for",
}
REF_MEANINGS = {  # keys of a reference -> what it names; the codes of reasons say which kind to expect
    "card": "a card by its number: barrow, extension or helper",
    "roof": "a roof by its number",
    "building": "a building by its name",
    "die": "a face of a die, as counted",
    "donkey": "a donkey tile, from 1",
    "space": "a market space, with `owner`, the seat that lost its marker there",
}
REASON_MEANINGS = {
    "start": "what a game begins with (S1, S5)",
    "played": "a card is played (F1 to F3); one that it replaces is discarded",
    "roof": "a roof's price, and the points of the space it is placed on (F7); ref: the roof",
    "roof_effect": "the effect of a roof (F8 to F11); ref: the roof",
    "buy": "a resource is bought (A2)",
    "sell": "a resource is sold (A2)",
    "upgrade": "a resource is upgraded for its price (A3)",
    "die": "what a die does (R2), a second option or the round's revenue not included; ref: the face",
    "commodity": "a commodity is returned, and what it is returned for (A1)",
    "income": "income that an extension shows (F5); ref: the card",
    "growth": "an empty field gets its good (F6)",
    "breed": "piglets (F6)",
    "delivery": "a good, silver or commodity is delivered (D1); ref: the building, or the barrow's card",
    "bought_delivery": "silver for bought deliveries (T4)",
    "barrow": "a barrow is completed (D7): points, the commodity, the card, the market marker; ref: its card",
    "market_round": "points for markers on the market at a round's end (M4)",
    "market_removal": "a marker of another seat is removed (M2, M3), and its point; ref of the point: the space and who lost the marker",
    "building": "a building is completed (D3): the round's points and any printed bonus; ref: the building",
    "first": "the first completion of a building by anyone (D3); ref: the building",
    "unlock": "a blocked building is opened (D4); ref: the building opened",
    "siesta": "points of the siesta section at a round's end (E1)",
    "craft_immediate": "the effect of a craft marker when its building is completed (D5); ref: the building",
    "craft_permanent": "the lasting effect of a craft marker, from the next round on (D5); ref: the building",
    "helper": "the effect of a helper; ref: its card",
    "extension": "what an extension costs (F3); ref: its card",
    "no_space": "a pig that finds no space, or loses it, is sold at once (F2, F12); ref: what brought it",
    "give_up": "a marker is given up for another (L1)",
    "end_sale": "the sale at the end (E2)",
    "silver": "silver becomes points at the end (E2)",
    "helper_cost": "what the use of a helper costs; ref: its card",
    "effect_cost": "what an effect itself asks to be paid; ref: what has the effect",
    "hand_limit": "cards drawn or discarded to the hand limit (F4)",
    "donkey": "siesta steps of a donkey tile, and any that helpers and craft markers add to them (T2); ref: the tile",
    "new_round": "discs go back for the next round (E1)",
    "neutral": "the neutral player's move: its card and its marker (O3)",
}
