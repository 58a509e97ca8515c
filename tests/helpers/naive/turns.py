"""Asking a seat, and its turn."""

from __future__ import annotations

from collections.abc import Callable

from naive.decision import DECLINE, DONE, FORGO, Decision, Steps


class Turns:
    """Asking a seat, and its turn."""

    def ask(self, seat: int, kind: str, options: list[dict]) -> Steps:
        """Ask a seat. In another seat's turn nothing is asked (M5): it declines what it may decline, and else takes the first option."""
        if self.turn is not None and self.turn != seat:
            return next((option for option in options if option in (DONE, DECLINE, FORGO)), options[0])
        return (yield Decision(self.round, self.phase, seat, kind, options))

    def begin_turn(self, seat: int) -> None:
        self.turn, self.actions = seat, 0

    def window(self, seat: int, kind: str, own: Callable[[], list[dict]], effects: bool = True, before_die: bool = False) -> Steps:
        """Ask until one of the window's own options is chosen (A0); None where it has none of its own any more."""
        while options := own():
            pick = yield from self.ask(seat, kind, options + self.anytime_options(seat, effects, before_die))
            if pick in options:
                return pick
            self.actions += 1
            yield from self.anytime_action(seat, pick)
        return None

    def end_turn(self, seat: int) -> Steps:
        """A0: the anytime actions once more before the turn passes."""
        yield from self.window(seat, "end_turn", lambda: [DONE])
