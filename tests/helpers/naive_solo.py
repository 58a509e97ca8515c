"""The game for one by the naive referee: what differs beside a neutral player (O1-O13; docs/decisions.md, "The game for one")."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path

from naive import Referee, Space, Steps

PLAYER, NEUTRAL = 0, 1


def distance(here: Space, there: Space) -> int:
    """Steps from space to adjacent space, as if there were no gaps."""
    q, r = there.q - here.q, there.r - here.r
    return max(abs(q), abs(r), abs(q + r))


class SoloReferee(Referee):
    """One game of one player and the neutral one, which has markers on the market and nothing else."""

    def __init__(self, components: Path, variant: dict, setup: dict, shuffle: Callable[[int, list[int]], list[int]]):
        self.starts = setup["order"][0] == PLAYER  # O1, O4
        super().__init__(components, variant, setup, shuffle)

    def start_round(self) -> None:
        super().start_round()
        self.roofs_offered = self.roofs_offered[: self.rules["solo"]["roofs"]]

    # ----------------------------------------------------------------------------------------------------------------- revenue phase

    def dice_in_play(self) -> int:
        return self.rules["solo"]["dice"]

    def take_dice(self) -> Steps:
        """O2: picks and discards by turns, the start player beginning with a pick, the other with a discard."""
        picks = self.starts
        while sum(self.dice) > self.rules["setup"]["dice_extra"]:
            if picks:
                yield from self.take_a_die(PLAYER)
            else:
                self.discard_a_die()
            picks = not picks

    def discard_a_die(self) -> None:
        """O2, O7: a die of the lowest face, later of the highest; for a reserved face the neutral player is another seat (H2)."""
        lowest = self.round <= self.rules["solo"]["lowest_die_until_round"]
        faces = self.dice_for(NEUTRAL)
        self.dice[(min(faces) if lowest else max(faces)) - 1] -= 1

    # ----------------------------------------------------------------------------------------------------------- transportation phase

    def transportation_phase(self) -> Steps:
        """O3, O8: the neutral player's move comes before the player's whole phase, or after it where the player is start player."""
        self.phase = "transport"
        if not self.starts:
            yield from self.neutral_move()
        yield from super().transportation_phase()
        if self.starts:
            yield from self.neutral_move()

    def neutral_move(self) -> Steps:
        """O3, O9: a card is drawn, and a marker placed on a space of its barrow's value."""
        card = self.bottom_card()
        if card is None:
            return
        self.discard.append(card)
        spaces = self.spaces_for_neutral(self.cards[card].market_value)
        if not spaces:
            return
        self.turn = NEUTRAL  # M5: the player is not asked
        removed = self.occupy(NEUTRAL, min(spaces, key=self.preference))
        yield from self.removal_events(NEUTRAL, removed)
        self.turn = None

    def bottom_card(self) -> int | None:
        """O9, S7: drawn like the top one, from the other end."""
        if not self.deck and self.discard:
            self.reshuffle()
        self.deck = self.deck[-1:] + self.deck[:-1]
        return self.top_card()

    def spaces_for_neutral(self, value: int) -> list[int]:
        """M1, M3: free spaces; if there is none, those of the player."""
        return self.free_spaces(value) or [space for space in self.open_spaces(value) if self.market[space] == PLAYER]

    def preference(self, space: int) -> tuple[float, ...]:
        """O3: the least goes first: most markers removed, then farthest from those that stay, then fewest higher neighbours."""
        here, neighbours = self.spaces[space], self.open_neighbours(space)
        lost = [other for other in (space, *neighbours) if self.market.get(other) == PLAYER and self.is_removed(other, space)]
        stay = [other for other in self.market if other not in lost]
        nearest = min((distance(here, self.spaces[other]) for other in stay), default=inf)
        higher = [other for other in neighbours if self.spaces[other].value > here.value]
        return -len(lost), -nearest, len(higher), space

    def is_removed(self, other: int, space: int) -> bool:
        """M2, M3: whether a marker of the player's on `other` goes when one is placed on `space`."""
        return other == space or self.spaces[other].value < self.spaces[space].value

    def event(self, seat: int, name: str, detail: object = None) -> Steps:
        """The neutral player has nothing that answers."""
        if seat == PLAYER:
            yield from super().event(seat, name, detail)

    def advance_on_siesta_track(self) -> Steps:
        """T2, O11: the order stays; whoever is sure to start the next round has become start player (H4)."""
        yield from super().advance_on_siesta_track()
        if not self.starts and self.will_start() and self.round < self.rules["game"]["rounds"]:
            yield from self.event(PLAYER, "start_player")

    def will_start(self) -> bool:
        """O4."""
        return self.section(PLAYER) >= self.rules["solo"]["start_from_section"]

    def clear_up(self) -> None:
        """O4, O10: before the disc goes back it says who starts."""
        self.starts = self.will_start()
        super().clear_up()

    # ---------------------------------------------------------------------------------------------------------------------- snapshot

    def snapshot(self) -> dict:
        return super().snapshot() | {"order": [PLAYER, NEUTRAL] if self.starts else [NEUTRAL, PLAYER]}
