"""Events, and what answers them."""

from __future__ import annotations

from naive.decision import DECLINE, Steps
from naive.language import Origin, happens_by_itself
from naive.printed import Building


class Events:
    """Events, and what answers them."""

    def event(self, seat: int, name: str, detail: object = None) -> Steps:
        """First the helpers by slot, then the permanent craft markers by number."""
        for card in list(self.farms[seat].helpers):
            if card in self.farms[seat].helpers and self.cards[card].helper.answers(name, detail):
                yield from self.helper_answers(seat, card)
        for building in self.permanent_on(seat, name, detail):
            yield from self.building_answers(seat, building)

    def helper_answers(self, seat: int, card: int, by_itself: bool = True) -> Steps:
        """Gains happen by themselves; anything else is an offer."""
        helper = self.cards[card].helper
        if not self.helper_is_usable(seat, card):
            return
        if helper.cost or not by_itself or not happens_by_itself(helper.effect):
            pick = yield from self.ask(seat, "offer", [{"do": "use_helper", "helper": card}, DECLINE])
            if pick == DECLINE:
                return
        yield from self.use_helper(seat, card)

    def building_answers(self, seat: int, building: Building) -> Steps:
        origin = Origin("craft", building.name)
        if not self.available(seat, building.permanent.effect, origin):
            return
        if not happens_by_itself(building.permanent.effect):
            pick = yield from self.ask(seat, "offer", [{"do": "use_building", "building": building.name}, DECLINE])
            if pick == DECLINE:
                return
        yield from self.run(seat, building.permanent.effect, origin)

    def permanent_on(self, seat: int, event: str, detail: object = None) -> list[Building]:
        """The permanent craft markers that answer to an event; in a variant those of the growth belong to the income."""
        owned = [building for building in self.buildings if building.name in self.farms[seat].permanent]
        if self.rules["farm"]["greengrocer_step"] == "income":
            if event == "growth":
                return []
            if event == "income":
                return [building for building in owned if building.permanent.answers("income") or building.permanent.answers("growth")]
        return [building for building in owned if building.permanent.answers(event, detail)]
