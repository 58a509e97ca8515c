"""The set-up (S1-S7)."""

from __future__ import annotations

from naive.farm import Farm
from naive.language import Alternative


class SetUp:
    """The set-up (S1-S7)."""

    def set_up(self) -> None:
        """S1-S7."""
        numbers, setup = self.rules["setup"], self.setup
        self.players = setup["players"]
        places = setup["order"]  # in the game for one the neutral player has a place, though no farm and no turn
        self.order = [seat for seat in places if seat < self.players]
        self.deck, self.discard, self.reshuffles = list(setup["deck"]), [], 0
        self.dice = [0] * 6
        self.reserved: dict[int, int] = {}  # H2: face -> seat
        self.shift = 0  # R3: what the die being taken counts more
        self.die_used: tuple[int, Alternative | None] | None = None  # the die of this turn and the alternative carried out
        self.covered = 0  # F9: points of the roof space just covered
        self.roofs_offered: list[int] = []
        names = {building.number: building.name for building in self.buildings}
        self.blocked = [names[number] for number in setup["blocked"][: numbers["blocked_buildings"]]]
        self.first_taken: list[str] = []
        donkeys = range(1, len(self.rules["transport"]["donkeys"]) + 1)
        self.farms = []
        for seat in range(self.players):
            rows = {building.name: list(building.goods) for building in self.buildings}
            self.farms.append(Farm(seat, list(setup["hands"][seat]), list(donkeys), rows))
        for position, seat in ((place, seat) for place, seat in enumerate(places) if seat in self.order):
            self.add(seat, "vp", numbers["victory_points"] + numbers["bonus_vp_by_position"][position], "start", "setup")
            self.add(seat, "silver", numbers["silver"] + numbers["bonus_silver_by_position"][position], "start", "setup")
            self.add(seat, "commodity", numbers["commodities"], "start", "setup")
        self.market: dict[int, int] = {}
        for seat, value in zip(places, self.rules["market"]["start"], strict=False):
            self.market[self.first_space(value)] = seat
        self.siesta: list[list[int]] = [[] for _ in self.rules["transport"]["siesta_vp"]]
        self.siesta[0] = self.order[::-1]  # S6

    def first_space(self, value: int) -> int:
        """S5: the start space of a value; where another has it, the free space of that value nearest to the middle, of equals the first."""
        free = self.free_spaces(value)
        marked = [space for space in free if self.spaces[space].start]
        return marked[0] if marked else min(free, key=lambda space: (self.rings(space), space))

    def rings(self, space: int) -> int:
        """How many rings a space lies away from the hex in the middle: of the three numbers of a hex, which add up to 0, the largest."""
        q, r = self.spaces[space].q, self.spaces[space].r
        return max(abs(number) for number in (q, r, -q - r))
