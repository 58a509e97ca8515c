"""Stocks of goods, and the markers that they take (L1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from naive.decision import FORGO, Steps
from naive.farm import item_of
from naive.goods import CLASSES, MARKED, RESOURCES, UPGRADED
from naive.language import Part


class Stock:
    """Stocks of goods, and the markers that they take (L1)."""

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
