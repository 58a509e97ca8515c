"""Lines of a game of three, as a story is told from them."""


def setup(**changes):
    return {
        "type": "setup", "game": 7, "variant": "deluxe", "components": "x", "players": 3, "policies": ["greedy", "random", "rush"],
        "order": [2, 0, 1], "hands": [[1, 2], [3, 4], [5]], "deck": [], "dice": [[5, 1, 3, 3, 2, 6, 4]], "roofs": [[1, 4, 2]],
        "blocked": [3, 1, 6], **changes,
    }  # fmt: skip


def choice(seat, option, *others, kind="end_turn", number=2, phase="transport"):
    return {
        "type": "choice", "round": number, "phase": phase, "seat": seat, "policy": "x", "kind": kind,
        "options": [*others, option], "chosen": len(others),
    }  # fmt: skip


def change(seat, item, amount, reason, ref=None, number=2, phase="transport"):
    return {"type": "ledger", "round": number, "phase": phase, "seat": seat, "item": item, "amount": amount, "reason": reason, "ref": ref}


def news(kind, seat=None, number=2, phase="transport", **details):
    return {"type": kind, "round": number, "phase": phase, **({} if seat is None else {"seat": seat}), **details}


def final(seat, vp, rank, silver=0):
    return {"type": "final", "seat": seat, "vp": vp, "rank": rank, "silver": silver, "stock": {}}


def act(do, **details):
    return {"do": do, **details}
