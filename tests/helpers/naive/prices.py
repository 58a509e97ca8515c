"""What a seat has of something, its modifiers and its prices."""

from __future__ import annotations

from naive.language import Part


class Prices:
    """What a seat has of something, its modifiers and its prices."""

    def count(self, seat: int, what: str) -> int:
        """What `per` and `if` ask for."""
        farm = self.farms[seat]
        return {
            "barrows": len(farm.barrows),
            "buildings": len(farm.done),
            "fields": sum(farm.fields.values()),
            "pigs": farm.stock["pig"],
            "siesta": self.section(seat),
        }[what]

    def amount(self, seat: int, part: Part) -> int:
        if part.condition and self.count(seat, part.condition[0]) < part.condition[1]:
            return 0
        return part.amount * (self.count(seat, part.per) if part.per else 1)

    def passive(self, seat: int, modifier: str) -> int:
        """The sum of a modifier over the helpers (in their phases) and the permanent craft markers (always)."""
        farm = self.farms[seat]
        abilities = [self.cards[card].helper for card in farm.helpers if self.cards[card].helper.works_in(self.phase)]
        abilities += [building.permanent for building in self.buildings if building.name in farm.permanent]
        parts = [part for ability in abilities if ability.when == "passive" for alternative in ability.effect for part in alternative.parts]
        return sum(self.amount(seat, part) for part in parts if part.verb == modifier)

    def buy_price(self, seat: int, good: str) -> int:
        return max(0, self.rules["prices"]["buy"][good] + self.passive(seat, "buy_price"))

    def sell_price(self, seat: int, good: str) -> int:
        return max(0, self.rules["prices"]["sell"][good] + self.passive(seat, "sell_price"))

    def upgrade_price(self, seat: int, good: str) -> int:
        return max(0, self.rules["prices"]["upgrade"][good] + self.passive(seat, "upgrade_cost"))

    def roof_price(self, seat: int) -> int:
        return max(0, self.rules["farm"]["roof_cost_per_round"] * self.round + self.passive(seat, "roof_cost"))

    def extension_cost(self, seat: int) -> int:
        number = len(self.farms[seat].extensions) + 1
        return max(0, number * self.rules["farm"]["extension_cost_step"] + self.passive(seat, "extension_cost"))

    def pig_room(self, seat: int) -> int:
        """Free pig spaces; below 0 where there are more pigs than spaces."""
        farm = self.farms[seat]
        spaces = self.rules["farm"]["pig_spaces"] + sum(self.cards[card].pig for card in farm.extensions) + self.passive(seat, "pig_space")
        return spaces - farm.stock["pig"]

    def hand_limit(self, seat: int) -> int:
        extensions = sum(self.cards[card].hand for card in self.farms[seat].extensions)
        return self.rules["farm"]["hand_limit"] + extensions + self.passive(seat, "hand_limit")

    def purchasable_deliveries(self, seat: int) -> int:
        """T4."""
        farm = self.farms[seat]
        icons = sum(self.cards[card].delivery for card in farm.extensions)
        return self.rules["transport"]["extra_deliveries"] + icons + self.passive(seat, "extra_delivery") + farm.extra_deliveries
