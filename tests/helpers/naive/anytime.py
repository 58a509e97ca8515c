"""Anytime actions (A1-A6)."""

from __future__ import annotations

from naive.decision import Steps
from naive.farm import item_of
from naive.goods import BECOMES, RESOURCES
from naive.language import Origin, payment


class AnytimeActions:
    """Anytime actions (A1-A6)."""

    def anytime_options(self, seat: int, effects: bool, before_die: bool) -> list[dict]:
        """A1-A6. Roofs and helpers (`effects`) only between finished effects."""
        if self.turn != seat or self.actions >= self.rules["game"]["anytime_actions_a_turn"]:
            return []
        farm, options = self.farms[seat], []
        silver = farm.stock["silver"]
        for good in RESOURCES:
            if silver >= self.buy_price(seat, good) and self.has_place_for(seat, good) and self.marker_within_reach(seat):
                options.append({"do": "buy", "good": good})
        options += [{"do": "sell", "good": good} for good, _ in farm.held(RESOURCES, fields=False)]
        for good, place in farm.held(RESOURCES):
            price = self.upgrade_price(seat, good)
            if silver >= price:
                options.append({"do": "upgrade", "good": good, "from": place, "price": price})
        if farm.stock["commodity"] > 0:
            origin = Origin("other", "commodity", commodity=True)
            with self.after_paying(seat, payment("commodity", 1)):
                options += [{"do": "use_commodity", "effect": use.text} for use in self.available(seat, self.commodity_uses, origin)]
        if effects:
            whens = ("action", "before_die") if before_die else ("action",)
            options += [
                {"do": "use_roof", "roof": roof}
                for roof, face_up in farm.roofs
                if face_up and self.roofs[roof].when in whens and self.roof_is_usable(seat, roof)
            ]
            options += [
                {"do": "use_helper", "helper": card}
                for card in farm.helpers
                if self.cards[card].helper.when in whens and self.helper_is_usable(seat, card)
            ]
        return options

    def anytime_action(self, seat: int, pick: dict) -> Steps:
        match pick["do"]:
            case "buy":
                yield from self.buy(seat, pick["good"])
            case "sell":
                self.sell(seat, pick["good"])
            case "upgrade":
                self.add(seat, "silver", -pick["price"], "upgrade", pick["good"])
                self.upgrade(seat, pick)
            case "use_commodity":
                self.add(seat, "commodity", -1, "use_commodity", pick["effect"])
                use = next(use for use in self.commodity_uses if use.text == pick["effect"])
                yield from self.carry_out(seat, use, Origin("other", "commodity", commodity=True))
            case "use_roof":
                yield from self.use_roof(seat, pick["roof"])
            case "use_helper":
                yield from self.use_helper(seat, pick["helper"])

    def has_place_for(self, seat: int, good: str) -> bool:
        return good != "pig" or self.pig_room(seat) > 0

    def buy(self, seat: int, good: str) -> Steps:
        """A2, L1: at the price that was listed."""
        listed_price = self.buy_price(seat, good)
        if (yield from self.marker_first(seat, self.free_markers(seat) == 0, lambda: self.has_place_for(seat, good))):
            self.add(seat, "silver", -listed_price, "buy", good)
            yield from self.gain(seat, good, 1, "buy", good)

    def sell(self, seat: int, good: str) -> None:
        """A2."""
        price = self.sell_price(seat, good)
        self.add(seat, good, -1, "sell", good)
        self.add(seat, "silver", price, "sell", good)

    def upgrade(self, seat: int, pick: dict) -> None:
        """A3: the marker moves from den, field or stable to the den of the upgraded good."""
        self.add(seat, item_of(pick["good"], pick["from"]), -1, "upgrade", pick["good"])
        self.add(seat, BECOMES[pick["good"]], 1, "upgrade", pick["good"])

    def roof_is_usable(self, seat: int, roof: int) -> bool:
        """F8."""
        ability = self.roofs[roof]
        return ability.works_in(self.phase) and bool(self.available(seat, ability.effect, Origin("roof_effect", f"roof {roof}", roof=roof)))

    def use_roof(self, seat: int, roof: int) -> Steps:
        """F8: it is face down, then its effect is carried out."""
        effect, origin = self.roofs[roof].effect, Origin("roof_effect", f"roof {roof}", roof=roof)
        wanted = self.effect_wants_marker(seat, effect, origin)
        if not (yield from self.marker_first(seat, wanted, lambda: self.roof_is_usable(seat, roof))):
            return
        next(entry for entry in self.farms[seat].roofs if entry[0] == roof)[1] = False
        yield from self.run(seat, effect, origin)

    def helper_is_usable(self, seat: int, card: int) -> bool:
        """H1: in its phase, with a use left, a cost that can be paid and an effect that does something."""
        helper = self.cards[card].helper
        phase = "farm" if helper.answers("income") else self.phase  # income, even a roof's, is a step of the farm phase (F11)
        uses_left = helper.uses is None or self.farms[seat].uses[card] < helper.uses
        if not (helper.works_in(phase) and uses_left and self.can_pay(seat, helper.cost)):
            return False
        with self.after_paying(seat, helper.cost):
            return bool(self.available(seat, helper.effect, Origin("helper", f"helper {card}")))

    def use_helper(self, seat: int, card: int) -> Steps:
        """A use is spent, the cost is paid, the effect runs."""
        helper, origin = self.cards[card].helper, Origin("helper", f"helper {card}")
        with self.after_paying(seat, helper.cost):
            wanted = self.effect_wants_marker(seat, helper.effect, origin)
        if not (yield from self.marker_first(seat, wanted, lambda: self.helper_is_usable(seat, card))):
            return
        self.farms[seat].uses[card] += 1
        for part in helper.cost:
            yield from self.pay(seat, part, origin.ref)
        yield from self.run(seat, helper.effect, origin)
