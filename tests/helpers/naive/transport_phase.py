"""The transportation phase and the siesta track."""

from __future__ import annotations

from naive.decision import DONE, Steps
from naive.language import Part, payment


class TransportPhase:
    """The transportation phase and the siesta track."""

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
