"""The revenue phase."""

from __future__ import annotations

from naive.decision import Steps
from naive.language import Alternative, Origin


class RevenuePhase:
    """The revenue phase."""

    def revenue_phase(self) -> Steps:
        """R1-R3, H2."""
        self.phase = "revenue"
        for seat in self.order:
            for card in list(self.farms[seat].helpers):
                if card in self.farms[seat].helpers and self.cards[card].helper.when == "before_roll":
                    yield from self.helper_answers(seat, card, by_itself=False)
        self.roll()
        yield from self.take_dice()
        self.reserved = {}
        if any(self.dice):
            face = next(face for face, left in enumerate(self.dice, 1) if left)
            for seat in self.order:
                yield from self.use_the_last_die(seat, face)
        self.dice = [0] * 6
        self.turn = None

    def take_dice(self) -> Steps:
        for _ in range(self.rules["setup"]["dice_per_player"]):
            for seat in self.order:
                yield from self.take_a_die(seat)

    def dice_in_play(self) -> int:
        numbers = self.rules["setup"]
        return numbers["dice_per_player"] * self.players + numbers["dice_extra"]

    def roll(self) -> None:
        rolled = self.setup["dice"][self.round - 1][: self.dice_in_play()]
        self.dice = [rolled.count(face) for face in range(1, 7)]

    def dice_for(self, seat: int) -> list[int]:
        """H2: the only die left on a space another seat has reserved is not offered, unless nothing else is left."""
        left = [face for face in range(1, 7) if self.dice[face - 1] > 0]
        return [face for face in left if self.dice[face - 1] > 1 or self.reserved.get(face, seat) == seat] or left

    def counted(self, face: int) -> int:
        """R3."""
        return max(1, min(6, face + self.shift))

    def take_a_die(self, seat: int) -> Steps:
        """R1: a die, its action, its events."""
        self.begin_turn(seat)
        self.shift = 0
        pick = yield from self.window(
            seat,
            "take_die",
            lambda: [{"do": "take_die", "die": face, "as": self.counted(face)} for face in self.dice_for(seat)],
            before_die=True,
        )
        face = pick["as"]
        self.dice[pick["die"] - 1] -= 1
        carried_out = yield from self.run(seat, self.faces[face - 1], Origin("other", f"die {face}"))
        self.die_used = (face, carried_out)
        yield from self.event(seat, "revenue", face)
        yield from self.end_turn(seat)
        self.die_used = None

    def use_the_last_die(self, seat: int, face: int) -> Steps:
        """R1, R3: it is taken by nobody."""
        self.begin_turn(seat)
        yield from self.window(seat, "last_die", lambda: [{"do": "use_die", "die": face}])
        yield from self.run(seat, self.faces[face - 1], Origin("other", f"die {face}"))
        yield from self.end_turn(seat)

    def shift_die(self, seat: int, amount: int) -> Steps:
        """R3: up, or in a variant up or down."""
        if self.rules["revenue"]["modify_die"] == "up_or_down":
            pick = yield from self.ask(seat, "shift_die", [{"do": "shift", "by": amount}, {"do": "shift", "by": -amount}])
            amount = pick["by"]
        self.shift += amount

    def face_of_the_round(self) -> list[Alternative]:
        """H3, Merchant."""
        return self.faces[self.round - 1] if self.round <= len(self.faces) else []

    def other_options(self) -> list[Alternative]:
        """H3, Porter: the alternatives of the die just used but the one carried out."""
        if self.die_used is None:
            return []
        face, carried_out = self.die_used
        return [alternative for alternative in self.faces[face - 1] if alternative is not carried_out]
