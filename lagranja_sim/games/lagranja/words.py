"""Records of a game in words: options as docs/decisions.md spells them, and the lines of a replay as docs/data.md does."""

from collections.abc import Callable, Sequence
from typing import Any

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import (
    BUILDINGS,
    DOES,
    FIELD,
    HARVEST,
    ITEMS,
    KINDS,
    NOTES,
    PHASES,
    REASONS,
    SIDES,
    SOURCES,
    Do,
    Item,
    Note,
    Side,
)

Words = dict[str, Any]


def place_of(thing: int) -> str:
    """Where an item lies."""
    if thing >= FIELD:
        return "field"
    places: dict[int, str] = {Item.PIG: "stable", Item.SILVER: "purse", Item.VP: "purse", Item.COMMODITY: "storage"}
    return places.get(thing, "den")


def good_of(thing: int) -> str:
    """The good an item is, wherever it lies."""
    return ITEMS[thing - FIELD if thing >= FIELD else thing]


def from_place(thing: int) -> Words:
    """A good and where it is taken from."""
    return {"good": good_of(thing), "from": place_of(thing)}


def play_words(game: Any, seat: int, option: Any) -> Words:
    """A way to play a card; in a slot that is taken, with the card that it replaces."""
    player = game.players[seat]
    words: Words = {"card": int(option.card), "side": SIDES[option.side]}
    if option.slot >= 0:
        replaced = int((player.barrows if option.side == Side.BARROW else player.helpers)[option.slot])
        if replaced:
            words["replaces"] = replaced
    return words


def delivery_words(game: Any, seat: int, option: Any) -> Words:
    """A delivery: what, from where, to which building or barrow."""
    target = BUILDINGS[option.building] if option.building >= 0 else f"barrow {game.players[seat].barrows[option.slot]}"
    return {**from_place(int(option.good)), "to": target}


def gain_words(option: Any) -> Words:
    """One good chosen, or a set of harvest goods."""
    if option.good >= 0:
        return {"good": ITEMS[option.good]}
    return {"goods": [ITEMS[good] for good in range(HARVEST) if (int(option.n) >> good) & 1]}


def give_up_words(game: Any, seat: int, option: Any) -> Words:
    """Giving up a marker of a place on the farm, a barrow or the market."""
    if option.space >= 0:
        return {"space": int(option.space)}
    if option.slot >= 0:
        return {"good": ITEMS[option.good], "from": f"barrow {game.players[seat].barrows[option.slot]}"}
    return from_place(int(option.good))


def option_words(game: Any, seat: int, option: Any, texts: Sequence[str]) -> Words:
    """An option of the decision at hand; `texts` are the alternatives of effects by index."""
    do = int(option.do)
    words: Words = {"do": DOES[do]}
    number, thing, card = int(option.n), int(option.good), int(option.card)
    if do == Do.PLAY_CARD:
        return words | play_words(game, seat, option)
    if do == Do.DELIVER:
        return words | delivery_words(game, seat, option)
    if do == Do.GAIN:
        return words | gain_words(option)
    if do == Do.GIVE_UP:
        return words | give_up_words(game, seat, option)
    if do == Do.TAKE_DIE:
        return words | {"die": number, "as": int(option.m)}
    if do == Do.UPGRADE:
        return words | from_place(thing) | {"price": number}
    details: dict[int, Words] = {
        Do.DISCARD: {"card": card},
        Do.TAKE_GROWTH: {"building": BUILDINGS[option.building]},
        Do.USE_BUILDING: {"building": BUILDINGS[option.building]},
        Do.BUY_ROOF: {"roof": card},
        Do.USE_ROOF: {"roof": card},
        Do.FLIP_ROOF: {"roof": card},
        Do.USE_HELPER: {"helper": card},
        Do.USE_DIE: {"die": number},
        Do.RESERVE: {"die": number},
        Do.BUY_DELIVERIES: {"count": number},
        Do.SIESTA: {"steps": number},
        Do.SHIFT: {"by": number},
        Do.CHOOSE_DONKEY: {"donkey": number},
        Do.PLACE_MARKER: {"space": int(option.space)},
        Do.PAY: from_place(thing),
        Do.BUY: {"good": good_of(thing)},
        Do.SELL: {"good": good_of(thing)},
        Do.CHOOSE: {"effect": texts[number] if 0 <= number < len(texts) else ""},
        Do.USE_COMMODITY: {"effect": texts[number] if 0 <= number < len(texts) else ""},
    }
    return words | details.get(do, {})


# --- the table and the farms -------------------------------------------------------------------------------------------------------


def numbers(values: Any) -> list[int]:
    """Small numbers of a record as plain ones."""
    return [int(value) for value in values]


def cards_at(game: Any, place: int) -> list[int]:
    """The cards in a place, ascending."""
    return [card for card in range(1, s.CARDS + 1) if game.card_place[card] == place]


def deck_words(game: Any) -> list[int]:
    """The deck, top first."""
    return numbers(reversed(game.deck[: game.deck_count]))


def disc_words(game: Any, box: Any) -> list[list[int]]:
    """The siesta track from its first section, each stack of seats from the bottom."""
    seats = sorted(range(game.seats), key=lambda seat: int(game.players[seat].arrival))
    return [[seat for seat in seats if game.players[seat].siesta == section] for section in range(box.siesta_top + 1)]


def place_on_track(stacks: list[list[int]], seat: int) -> Words:
    """Where a seat's disc lies, its place in the stack from 1 at the bottom."""
    section = next(section for section, stack in enumerate(stacks) if seat in stack)
    return {"section": section, "place": stacks[section].index(seat) + 1}


def order_words(game: Any) -> list[int]:
    """The turn order, start player first; in the game for one the neutral player has its place there (O1)."""
    if game.seats == 1:
        return [s.NEUTRAL, 0] if game.neutral_first else [0, s.NEUTRAL]
    return numbers(game.order[: game.seats])


def donkey_words(box: Any, tiles_out: int) -> list[int]:
    """The donkey tiles not used up."""
    return [tile + 1 for tile in range(box.donkey_count) if not (int(tiles_out) >> tile) & 1]


def setup_words(game: Any, box: Any) -> Words:
    """Everything random in a game that was just dealt, except later reshuffles."""
    players, alone = int(game.seats), game.seats == 1
    dice = box.solo.dice if alone else box.setup.dice_per_player * players + box.setup.dice_extra
    roofs = box.solo.roofs if alone else players
    return {
        "players": players,
        "order": order_words(game),
        "hands": [cards_at(game, s.IN_HAND + seat) for seat in range(players)],
        "deck": deck_words(game),
        "dice": [numbers(game.dice[r, :dice]) for r in range(box.game.rounds)],
        "roofs": [numbers(game.roofs[r, :roofs]) for r in range(box.game.rounds)],
        "blocked": blocked_words(game, box),
        "discs": disc_words(game, box),
        "donkeys": donkey_words(box, 0),
    }


def blocked_words(game: Any, box: Any) -> list[int]:
    """The numbers of the buildings that are blocked, in the order of their markers."""
    return [int(box.craft_buildings[building].number) for building in game.blocked[game.opened : game.blocked_count]]


def table_words(game: Any, box: Any) -> Words:
    """What lies in the middle of the table."""
    return {
        "order": order_words(game),
        "discs": disc_words(game, box),
        "market": [{"space": space, "seat": int(seat)} for space, seat in enumerate(game.space_owner) if seat >= 0],
        "roofs": numbers(roof for roof in game.roof_offer if roof),
        "blocked": blocked_words(game, box),
        "first": {name: int(seat) for name, seat in zip(BUILDINGS, game.first_seat, strict=True) if seat >= 0},
        "deck": deck_words(game),
        "discard": cards_at(game, s.IN_DISCARD),
    }


def farm_words(game: Any, box: Any, seat: int) -> Words:
    """Everything that a seat has except stock and points."""
    player = game.players[seat]
    barrows, helpers = numbers(player.barrows), numbers(player.helpers)
    extensions = numbers(player.extensions[: player.extension_count])
    return {
        "hand": cards_at(game, s.IN_HAND + seat),
        "fields": [card for card in cards_at(game, s.ON_FARM + seat) if card not in (*barrows, *helpers, *extensions)],
        "barrows": [
            {"card": card, "loaded": loaded_goods(box.cards[card].barrow, player.barrow_missing[slot])}
            for slot, card in enumerate(barrows)
            if card
        ],
        "helpers": [{"card": card, "used": int(player.helper_used[slot])} for slot, card in enumerate(helpers) if card],
        "extensions": extensions,
        "roofs": [{"roof": int(player.roofs[space]), "used": bool(player.roof_used[space])} for space in range(player.roof_count)],
        "buildings": {name: building_words(player, box, building) for building, name in enumerate(BUILDINGS)},
        "disc": place_on_track(disc_words(game, box), seat),
        "donkeys": donkey_words(box, player.donkeys_out),
        "markers": int(player.markers),
    }


def building_words(player: Any, box: Any, building: int) -> Words:
    """The goods on a seat's row of a building, and the state of its craft marker."""
    completed = int(player.building_round[building])
    lying = [] if completed else loaded_goods(box.craft_buildings[building].goods, player.row_missing[building])
    return {"loaded": lying, "completed": completed, "permanent": bool((player.permanent >> building) & 1)}


def loaded_goods(symbols: Any, missing: Any) -> list[str]:
    """The goods that lie on symbols, in the order of items."""
    return [ITEMS[kind] for kind in range(KINDS) for _ in range(int(symbols[kind]) - int(missing[kind]))]


def stock_words(player: Any) -> dict[str, int]:
    """What a player holds, by item."""
    return {name: int(player.stock[item]) for item, name in enumerate(ITEMS)}


def points_words(player: Any) -> dict[str, int]:
    """A player's points by source."""
    return {name: int(player.points[source]) for source, name in enumerate(SOURCES)}


# --- what has happened --------------------------------------------------------------------------------------------------------------

# The first number of each range, the highest first, and what a number in it refers to, counted from the first.
REFERENCES: tuple[tuple[int, Callable[[int], Words]], ...] = (
    (s.REF_LOST_MARKER, lambda number: {"space": number % s.MAX_SPACES, "owner": number // s.MAX_SPACES}),
    (s.REF_FACE, lambda face: {"die": face}),
    (s.REF_DONKEY, lambda tile: {"donkey": tile}),
    (s.REF_BUILDING, lambda building: {"building": BUILDINGS[building]}),
    (s.REF_ROOF, lambda roof: {"roof": roof}),
    (1, lambda number: {"card": number + 1}),
)


def ref_words(ref: int) -> Words | None:
    """The component behind a change."""
    for first, words in REFERENCES:
        if ref >= first:
            return words(ref - first)
    return None


def place_words(place: int) -> str:
    """Where a card is; the seat of the line says whose hand or farm that is."""
    if place >= s.ON_FARM:
        return "farm"
    return "hand" if place >= s.IN_HAND else "discard" if place == s.IN_DISCARD else "deck"


def cause_words(row: Any) -> Words:
    """The reason for a change, and the component behind it."""
    return {"reason": REASONS[row.reason], "ref": ref_words(int(row.ref))}


def marker_words(row: Any) -> Words:
    """A marker that came to the market or left it."""
    placed, owner = row.after >= 0, max(row.before, row.after)
    return {"seat": int(owner), "space": int(row.thing), "change": "placed" if placed else "removed", "by": int(row.seat)} | cause_words(
        row
    )


def building_event_words(row: Any) -> Words:
    """The seat and the building of an event."""
    return {"seat": int(row.seat), "building": BUILDINGS[row.thing]}


LIST_KEYS = {Note.RESHUFFLE: "deck", Note.ROUND: "roofs", Note.ROLL: "dice", Note.ORDER: "order"}  # the keys of lists that all can see
NOTE_WORDS: dict[int, Callable[[Any], Words]] = {
    Note.LEDGER: lambda row: {"seat": int(row.seat), "item": ITEMS[row.thing], "amount": int(row.amount)} | cause_words(row),
    Note.CARD: lambda row: (
        {"seat": int(row.seat), "card": int(row.thing), "from": place_words(row.before), "to": place_words(row.after)} | cause_words(row)
    ),
    Note.DISC: lambda row: (
        {"seat": int(row.seat), "from": int(row.before), "to": int(row.after), "place": int(row.amount)} | cause_words(row)
    ),
    Note.MARKER: marker_words,
    Note.USE: lambda row: {"seat": int(row.seat), "ref": ref_words(int(row.ref))},
    Note.FLIPPED: lambda row: {"seat": int(row.seat), "roof": int(row.thing)},
    Note.COMPLETED: building_event_words,
    Note.OPENED: lambda row: building_event_words(row) | {"marker": int(row.amount)},
    Note.PERMANENT: building_event_words,
    Note.DONKEYS_BACK: lambda row: {},
    Note.DIE_DISCARDED: lambda row: {"die": int(row.thing)},
}


def list_words(row: Any, lists: Any) -> Words:
    """A list that all can see; a new deck is written from its top."""
    entry = lists[row.amount]
    laid_out = numbers(entry.numbers[: entry.length])
    return {LIST_KEYS[row.note]: laid_out[::-1] if row.note == Note.RESHUFFLE else laid_out}


def note_words(row: Any, lists: Any) -> Words:
    """One row of the ledger as a line; `lists` are those of the box that rows refer to."""
    head = {"type": NOTES[row.note], "round": int(row.round_number), "phase": PHASES[row.phase]}
    return head | (list_words(row, lists) if row.note in LIST_KEYS else NOTE_WORDS[int(row.note)](row))
