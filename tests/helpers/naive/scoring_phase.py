"""The scoring phase and the end of the game."""

from __future__ import annotations

from naive.decision import Steps
from naive.goods import RESOURCES


class ScoringPhase:
    """The scoring phase and the end of the game."""

    def scoring_phase(self) -> Steps:
        """E1."""
        self.phase = "scoring"
        for seat in self.order:
            markers = list(self.market.values()).count(seat)
            self.add(seat, "vp", markers * self.rules["market"]["marker_vp"], "market_round", "market")  # M4
        for seat in self.order:
            self.add(seat, "vp", self.siesta_points(seat), "siesta", "siesta track")
        for seat in self.order:
            yield from self.event(seat, "scoring")
        for farm in self.farms:
            farm.permanent = list(farm.done)  # D5
        if self.round < self.rules["game"]["rounds"]:
            self.clear_up()

    def clear_up(self) -> None:
        """E1, not after the last round: discs back to the start, remaining roofs away."""
        self.siesta = [self.order[::-1]] + [[] for _ in self.siesta[1:]]
        self.roofs_offered = []

    def end_of_game(self) -> None:
        """E2: sales at printed prices, then silver into points."""
        self.phase = "end"
        prices = self.rules["prices"]
        worth = prices["sell"] | {"commodity": prices["commodity_silver"]}
        for seat in self.order:
            stock = self.farms[seat].stock
            for good in (*RESOURCES, "commodity"):
                amount = stock[good]
                self.add(seat, good, -amount, "sell", "end")
                self.add(seat, "silver", amount * worth[good], "sell", "end")
            points = stock["silver"] // prices["silver_per_vp"]
            self.add(seat, "silver", -points * prices["silver_per_vp"], "silver", "end")
            self.add(seat, "vp", points, "silver", "end")

    def ranks(self) -> list[int]:
        """E3: by points, then by silver left unless the rules break no ties; equals share the better rank."""
        results = [(farm.stock["vp"], farm.stock["silver"]) for farm in self.farms]
        if self.rules["game"]["tie_break"] == "none":
            results = [(points, 0) for points, _ in results]
        return [sorted(results, reverse=True).index(result) + 1 for result in results]
