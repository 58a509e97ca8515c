"""The market."""

from __future__ import annotations

from collections.abc import Callable

from naive.decision import DECLINE, Steps


class Market:
    """The market."""

    def is_open(self, space: int) -> bool:
        """M1: spaces for four players are closed with fewer than `closed_below_players`; all others are open."""
        return self.spaces[space].min_players < 4 or len(self.setup["order"]) >= self.rules["market"]["closed_below_players"]

    def open_spaces(self, value: int | None = None) -> list[int]:
        return [space for space, card in enumerate(self.spaces) if self.is_open(space) and value in (None, card.value)]

    def free_spaces(self, value: int | None = None) -> list[int]:
        return [space for space in self.open_spaces(value) if space not in self.market]

    def choose_space(self, seat: int, listed: Callable[[], list[dict]]) -> Steps:
        """The space chosen once a marker is free for it (L1); None where it is forgone or declined."""
        if not listed() or not (yield from self.need_marker(seat)):
            return None
        pick = yield from self.ask(seat, "place_marker", listed())
        return pick.get("space")

    def place_after_barrow(self, seat: int, value: int) -> Steps:
        """M1-M3: a free space; if there is none, an opponent's may be taken."""

        def listed() -> list[dict]:
            if free := self.free_spaces(value):
                return [{"do": "place_marker", "space": space} for space in free]
            taken = [{"do": "place_marker", "space": space} for space in self.open_spaces(value) if self.market[space] != seat]
            return [*taken, DECLINE] if taken else []

        space = yield from self.choose_space(seat, listed)
        if space is None:
            return
        removed = self.occupy(seat, space)
        for _ in removed:
            self.add(seat, "vp", self.rules["market"]["removal_vp"], "market_removal", f"space {space}")
        yield from self.event(seat, "marker_placed")
        yield from self.removal_events(seat, removed)

    def occupy(self, seat: int, space: int) -> list[int]:
        """M2, M3: returns the owners of the markers removed."""
        replaced = [self.market.pop(space)] if space in self.market else []
        self.market[space] = seat
        return replaced + self.remove_lower_neighbours(seat, space)

    def place_by_effect(self, seat: int) -> Steps:
        """F10: any free open space; no points, nobody removed (but in a variant), no `marker_placed`."""
        space = yield from self.choose_space(seat, lambda: [{"do": "place_marker", "space": space} for space in self.free_spaces()])
        if space is None:
            return
        self.market[space] = seat
        if self.rules["market"]["roof_marker_removes"]:
            yield from self.removal_events(seat, self.remove_lower_neighbours(seat, space))

    def remove_lower_neighbours(self, seat: int, space: int) -> list[int]:
        """M2: opponents on adjacent spaces of lower value, in the order of the spaces; returns the owners."""
        lower = [other for other in self.open_neighbours(space) if self.spaces[other].value < self.spaces[space].value]
        return [self.market.pop(other) for other in lower if self.market.get(other, seat) != seat]

    def open_neighbours(self, space: int) -> list[int]:
        return [other for other in self.open_spaces() if self.spaces[space].is_adjacent(self.spaces[other])]

    def removal_events(self, seat: int, removed: list[int]) -> Steps:
        for owner in removed:
            yield from self.event(seat, "opponent_marker_removed")
            yield from self.event(owner, "own_marker_removed")
