"""What a position shows, and whether its books balance."""

from collections.abc import Iterable

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, ERRORS, FIELD, HARVEST, ITEMS, SOURCES, Error, Item, Step
from table.position import Position

NO_MARKERS = (Item.SILVER, Item.VP)


def tally(names: Iterable[str], values: Iterable[int]) -> dict[str, int]:
    """What is not 0, by name."""
    return {name: int(value) for name, value in zip(names, values, strict=True) if value}


class Books(Position):
    """A position, what it shows of each seat, and checks that hold in every position."""

    def stock(self, seat: int, good: str) -> int:
        return int(self.player(seat).stock[ITEMS.index(good)])

    def gained(self, seat: int) -> dict[str, int]:
        """What a seat has more, or less, than when the step started."""
        return tally(ITEMS, self.player(seat).stock - self.before[seat])

    def points(self, seat: int) -> dict[str, int]:
        """Points by source since the step started."""
        return tally(SOURCES, self.player(seat).points - self.points_before[seat])

    def helpers(self, seat: int) -> list[int]:
        return [int(card) for card in self.player(seat).helpers if card]

    def barrows(self, seat: int) -> list[int]:
        return [int(card) for card in self.player(seat).barrows if card]

    def face_up(self, seat: int) -> list[int]:
        """Roofs not used yet."""
        player = self.player(seat)
        return [int(player.roofs[k]) for k in range(player.roof_count) if not player.roof_used[k]]

    def done_buildings(self, seat: int) -> list[str]:
        return [name for index, name in enumerate(BUILDINGS) if self.player(seat).done >> index & 1]

    def permanent(self, seat: int) -> list[str]:
        return [name for index, name in enumerate(BUILDINGS) if self.player(seat).permanent >> index & 1]

    def free_markers(self, seat: int) -> int:
        return int(self.box.setup.markers) - int(self.player(seat).markers)

    # --- the books -------------------------------------------------------------------------------------------------------------------

    def markers_in_use(self, seat: int) -> int:
        """Counted from what lies on the table."""
        player = self.player(seat)
        goods = sum(int(amount) for item, amount in enumerate(player.stock) if item not in NO_MARKERS)
        on_barrows = sum(
            int(self.box.cards[card].barrow_size) - int(left) for card, left in zip(player.barrows, player.barrow_left, strict=True) if card
        )
        on_rows = 0
        for index, left in enumerate(player.row_left):
            on_rows += 1 if player.done >> index & 1 else int(self.box.craft_buildings[index].symbols) - int(left)
        return goods + on_barrows + on_rows + list(self.market().values()).count(seat)

    def check(self) -> None:
        """The books balance."""
        game = self.game
        assert game.error == Error.OK, ERRORS[game.error]
        assert game.discard_count == len(self.discards())
        assert sorted(self.deck_cards()) == [card for card in range(1, s.CARDS + 1) if game.card_place[card] == s.IN_DECK]
        for seat in self.seats:
            player = self.player(seat)
            assert min(player.stock) >= 0
            assert sum(player.points) == player.stock[Item.VP]
            assert player.hand_size == len(self.hand(seat))
            assert all(player.stock[FIELD + good] <= player.fields[good] for good in range(HARVEST))
            in_transit = any(task.kind == Step.BARROW_GONE for task in game.agenda[: game.depth])
            assert in_transit or player.markers == self.markers_in_use(seat)
            assert not self.box.setup.markers or player.markers <= self.box.setup.markers
