"""Deliveries to buildings and barrows."""

from __future__ import annotations

from naive.decision import DONE, Steps
from naive.farm import item_of
from naive.goods import DELIVERABLE
from naive.language import Origin
from naive.printed import Building


class Deliveries:
    """Deliveries to buildings and barrows."""

    def delivery_options(self, seat: int) -> list[dict]:
        """D1: every good held to every free symbol of it, on unblocked rows and on barrows."""
        farm = self.farms[seat]
        targets = {name: missing for name, missing in farm.rows.items() if name not in self.blocked}
        targets |= {f"barrow {card}": missing for card, missing in farm.barrows.items()}
        options = [
            {"do": "deliver", "good": good, "from": place, "to": target}
            for good, place in farm.held(DELIVERABLE)
            for target, missing in targets.items()
            if good in missing
        ]
        if not self.marker_within_reach(seat):  # silver needs one (L1)
            options = [option for option in options if option["good"] != "silver"]
        return options

    def delivers_only_silver(self, seat: int) -> bool:
        return all(option["good"] == "silver" for option in self.delivery_options(seat))

    def deliver_up_to(self, seat: int, amount: int) -> Steps:
        """Deliveries inside an effect or bought: only buying, selling, upgrading and commodities beside them."""
        for _ in range(amount):
            pick = yield from self.window(seat, "deliver", lambda: [*self.delivery_options(seat), DONE], effects=False)
            if pick == DONE:
                return
            yield from self.deliver(seat, pick)

    def deliver(self, seat: int, pick: dict) -> Steps:
        """D1: one good to one symbol; then what it completes."""
        farm, good, target = self.farms[seat], pick["good"], pick["to"]
        if good == "silver" and not (yield from self.need_marker(seat)):
            return
        self.add(seat, item_of(good, pick["from"]), -1, "deliver", target)
        farm.deliveries += 1
        if target in farm.rows:
            farm.rows[target].remove(good)
            if not farm.rows[target]:
                yield from self.complete_building(seat, next(building for building in self.buildings if building.name == target))
        else:
            card = int(target.split()[1])
            farm.barrows[card].remove(good)
            if not farm.barrows[card]:
                yield from self.complete_barrow(seat, card)

    def complete_building(self, seat: int, building: Building) -> Steps:
        """D3-D6."""
        farm, name, rules = self.farms[seat], building.name, self.rules["buildings"]
        del farm.rows[name]
        farm.done.append(name)
        first = name not in self.first_taken
        if first:
            self.first_taken.append(name)
            self.add(seat, "vp", rules["first_completion_vp"] + rules["first_bonus_vp"][name], "first", name)
        self.add(seat, "vp", rules["vp_per_round"] * self.round, "building", name)
        self.add(seat, "vp", rules["bonus_vp"].get(name, 0), "building", name)
        if first and self.blocked:
            opened = self.blocked.pop(0)
            self.add(seat, "vp", rules["unlock_vp"] + rules["unlock_bonus_vp"][opened], "unlock", opened)
        yield from self.event(seat, "building_done")
        yield from self.run(seat, building.immediate, Origin("craft", name))

    def complete_barrow(self, seat: int, card: int) -> Steps:
        """D7."""
        self.add(seat, "vp", self.cards[card].barrow_vp, "barrow", f"barrow {card}")
        yield from self.gain(seat, "commodity", 1, "barrow", f"barrow {card}")
        del self.farms[seat].barrows[card]
        self.discard.append(card)
        yield from self.place_after_barrow(seat, self.cards[card].market_value)
        yield from self.event(seat, "barrow_done")
