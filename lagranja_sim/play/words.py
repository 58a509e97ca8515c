"""Records of a game in words: options, set-up, ledger rows and final states as the objects that docs/decisions.md describes."""

from collections.abc import Sequence
from typing import Any

from lagranja_sim.rules import state as s

Words = dict[str, Any]


def place_of(thing: int) -> str:
    """Where an item lies."""
    if thing >= s.FIELD:
        return "field"
    return {s.PIG: "stable", s.SILVER: "purse", s.VP: "purse", s.COMMODITY: "storage"}.get(thing, "den")


def good_of(thing: int) -> str:
    """The good an item is, wherever it lies."""
    return s.ITEMS[thing - s.FIELD if thing >= s.FIELD else thing]


def from_place(thing: int) -> Words:
    """A good and where it is taken from."""
    return {"good": good_of(thing), "from": place_of(thing)}


def played(game: Any, seat: int, option: Any) -> Words:
    """A way to play a card; a slot that is taken names the card replaced."""
    player = game.players[seat]
    words: Words = {"card": int(option.card), "side": s.SIDES[option.side]}
    if option.slot >= 0:
        replaced = int((player.barrows if option.side == s.SIDE_BARROW else player.helpers)[option.slot])
        if replaced:
            words["replaces"] = replaced
    return words


def delivered(game: Any, seat: int, option: Any) -> Words:
    """A delivery: what, from where, to which building or barrow."""
    target = s.BUILDINGS[option.building] if option.building >= 0 else f"barrow {game.players[seat].barrows[option.slot]}"
    return {**from_place(int(option.good)), "to": target}


def gained(option: Any) -> Words:
    """One good chosen, or a set of harvest goods."""
    if option.good >= 0:
        return {"good": s.ITEMS[option.good]}
    return {"goods": [s.ITEMS[good] for good in range(s.HARVEST) if (int(option.n) >> good) & 1]}


def given_up(game: Any, seat: int, option: Any) -> Words:
    """A marker given up: of a place on the farm, a barrow or the market."""
    if option.space >= 0:
        return {"space": int(option.space)}
    if option.slot >= 0:
        return {"good": s.ITEMS[option.good], "from": f"barrow {game.players[seat].barrows[option.slot]}"}
    return from_place(int(option.good))


def option_words(game: Any, seat: int, option: Any, texts: Sequence[str]) -> Words:
    """An option of the decision at hand; `texts` are the alternatives of effects by index."""
    do = int(option.do)
    words: Words = {"do": s.DOES[do]}
    number, thing, card = int(option.n), int(option.good), int(option.card)
    if do == s.DO_PLAY_CARD:
        return words | played(game, seat, option)
    if do == s.DO_DELIVER:
        return words | delivered(game, seat, option)
    if do == s.DO_GAIN:
        return words | gained(option)
    if do == s.DO_GIVE_UP:
        return words | given_up(game, seat, option)
    if do == s.DO_TAKE_DIE:
        return words | {"die": number, "as": int(option.m)}
    if do == s.DO_UPGRADE:
        return words | from_place(thing) | {"price": number}
    details: dict[int, Words] = {
        s.DO_DISCARD: {"card": card},
        s.DO_TAKE_GROWTH: {"building": s.BUILDINGS[option.building]},
        s.DO_USE_BUILDING: {"building": s.BUILDINGS[option.building]},
        s.DO_BUY_ROOF: {"roof": card},
        s.DO_USE_ROOF: {"roof": card},
        s.DO_FLIP_ROOF: {"roof": card},
        s.DO_USE_HELPER: {"helper": card},
        s.DO_USE_DIE: {"die": number},
        s.DO_RESERVE: {"die": number},
        s.DO_BUY_DELIVERIES: {"count": number},
        s.DO_SIESTA: {"steps": number},
        s.DO_SHIFT: {"by": number},
        s.DO_CHOOSE_DONKEY: {"donkey": number},
        s.DO_PLACE_MARKER: {"space": int(option.space)},
        s.DO_PAY: from_place(thing),
        s.DO_BUY: {"good": good_of(thing)},
        s.DO_SELL: {"good": good_of(thing)},
        s.DO_CHOOSE: {"effect": texts[number] if 0 <= number < len(texts) else ""},
        s.DO_USE_COMMODITY: {"effect": texts[number] if 0 <= number < len(texts) else ""},
    }
    return words | details.get(do, {})


def deck_words(game: Any) -> list[int]:
    """The deck, top first."""
    return [int(card) for card in reversed(game.deck[: game.deck_count])]


def hand_words(game: Any, seat: int) -> list[int]:
    """The cards in a hand, ascending."""
    return [card for card in range(1, s.CARDS + 1) if game.card_place[card] == s.IN_HAND + seat]


def setup_words(game: Any, box: Any) -> Words:
    """All chance of a game just dealt, but the reshuffles."""
    players = int(game.seats)
    dice = int(box.dice_per_player) * players + int(box.dice_extra)
    return {
        "players": players,
        "order": [int(seat) for seat in game.order[:players]],
        "hands": [hand_words(game, seat) for seat in range(players)],
        "deck": deck_words(game),
        "dice": [[int(face) for face in game.dice[r, :dice]] for r in range(box.rounds)],
        "roofs": [[int(roof) for roof in game.roofs[r, :players]] for r in range(box.rounds)],
        "blocked": [int(box.buildings[building].number) for building in game.blocked[: game.blocked_count]],
    }


def ref_words(ref: int) -> int | str | None:
    """The component behind a change: a card or roof by its number, a building by its name, `space N`, `face N`."""
    if ref >= s.REF_FACE:
        return f"face {ref - s.REF_FACE}"
    if ref >= s.REF_SPACE:
        return f"space {ref - s.REF_SPACE}"
    if ref >= s.REF_BUILDING:
        return s.BUILDINGS[ref - s.REF_BUILDING]
    if ref >= s.REF_ROOF:
        return ref - s.REF_ROOF
    return ref or None


def ledger_words(row: Any) -> Words:
    """One change of what a seat owns."""
    return {
        "round": int(row.round_number),
        "phase": s.PHASES[row.phase],
        "seat": int(row.seat),
        "item": s.ITEMS[row.thing],
        "amount": int(row.amount),
        "reason": s.REASONS[row.reason],
        "ref": ref_words(int(row.ref)),
    }


def stock_words(player: Any) -> dict[str, int]:
    """What a player holds, by item."""
    return {name: int(player.stock[item]) for item, name in enumerate(s.ITEMS)}


def points_words(player: Any) -> dict[str, int]:
    """A player's points by source."""
    return {name: int(player.points[source]) for source, name in enumerate(s.SOURCES)}
