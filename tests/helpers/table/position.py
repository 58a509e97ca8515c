"""A position set up by hand: cards, farms and the middle of the table."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from lagranja_sim.games.lagranja.rules import state as s
from lagranja_sim.games.lagranja.rules.deal import EMPTY_FARM, deal
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, ITEMS, KINDS, SOURCES
from table.printing import Printing


class Position(Printing):
    """One game in play."""

    def __init__(
        self, players: int = 2, variant: str = "deluxe", overrides: Mapping[str, object] | None = None, dealt: int | None = None
    ) -> None:
        """A bare table or, with `dealt`, the game of that block as it is dealt."""
        super().__init__(variant, overrides)
        self.records = np.zeros(1, s.GAME)
        self.game = self.records[0]
        self.seats = range(players)
        deal(self.game, self.box, np.uint64(7), dealt or 0, players)
        if dealt is None:
            self._clear()

    def _clear(self) -> None:
        game = self.game
        game.depth, game.blocked_count, game.round_number, game.neutral_first = 0, 0, 1, 0
        game.blocked[:], game.space_owner[:], game.order[:] = -1, -1, range(s.SEATS)
        for seat in self.seats:
            game.players[seat] = EMPTY_FARM[0]
            self.player(seat).arrival = s.SEATS - seat
            for index, building in enumerate(self.box.craft_buildings):
                self.player(seat).row_left[index] = building.symbols
                self.player(seat).row_missing[index] = building.goods
        self.deck(*range(1, s.CARDS + 1))

    # --- cards -------------------------------------------------------------------------------------------------------------------

    def deck_cards(self) -> list[int]:
        """The deck, top first."""
        return [int(card) for card in self.game.deck[: self.game.deck_count][::-1]]

    def deck(self, *cards: int) -> Self:
        """Exactly these cards are the deck, top first. The others of the old deck are out of play."""
        for card in self.deck_cards():
            self.game.card_place[card] = s.HIDDEN
        for card in cards:
            self.game.card_place[card] = s.IN_DECK
        self.game.deck[: len(cards)] = cards[::-1]
        self.game.deck_count = len(cards)
        return self

    def discarded(self, *cards: int) -> Self:
        """These cards lie on the discard pile."""
        for card in cards:
            self._move(card, s.IN_DISCARD)
        return self

    def discards(self) -> list[int]:
        return [card for card in range(1, s.CARDS + 1) if self.game.card_place[card] == s.IN_DISCARD]

    def _move(self, card: int, place: int) -> int:
        """A card of the deck, or out of play, to another place."""
        if card in self.deck_cards():
            self.deck(*(other for other in self.deck_cards() if other != card))
        assert self.game.card_place[card] in (s.HIDDEN, s.IN_DECK), f"card {card} is in use"
        self.game.card_place[card] = place
        return card

    def _fresh(self, place: int, **cells: Any) -> int:
        """Any card nobody has: one out of play or, if there is none, the lowest of the deck."""
        out = [card for card in range(1, s.CARDS + 1) if self.game.card_place[card] == s.HIDDEN]
        card = self._move(out[0] if out else self.deck_cards()[-1], place)
        self.print_on("card", card, **cells)
        return card

    def hold(self, seat: int, helper: str | int | None = None, **cells: Any) -> int:
        """A card for a hand: that of a helper, a number, or any with these cells printed on it; returns its number."""
        if helper is None:
            return self._fresh(s.IN_HAND + seat, **cells)
        return self._move(self.helper_named(helper) if isinstance(helper, str) else helper, s.IN_HAND + seat)

    def hand(self, seat: int) -> list[int]:
        return [card for card in range(1, s.CARDS + 1) if self.game.card_place[card] == s.IN_HAND + seat]

    # --- farms ---------------------------------------------------------------------------------------------------------------------

    def player(self, seat: int) -> Any:
        return self.game.players[seat]

    def give(self, seat: int, **goods: int) -> Self:
        """Goods in dens and stables, silver, points, commodities."""
        for name, amount in goods.items():
            self.player(seat).stock[ITEMS.index(name)] += amount
        self.player(seat).points[SOURCES.index("other")] += goods.get("vp", 0)
        return self

    def fields(self, seat: int, *goods: str, grown: bool = False) -> Self:
        """Fields, empty or with their good."""
        for good in goods:
            index = ITEMS.index(good)
            self._fresh(s.ON_FARM + seat, field=good)
            self.player(seat).fields[index] += 1
            self.player(seat).stock[FIELD + index] += grown
        return self

    def barrow(self, seat: int, goods: str, value: int = 2, missing: str | None = None, leads_to: int | None = None) -> str:
        """A barrow that asks for these goods, of which some are still missing; returns what a delivery names it.

        `value` are its points and, if nothing else is said, the value of the market space to which it leads.
        """
        player, slot = self.player(seat), self._slot(self.player(seat).barrows)
        card = self._fresh(s.ON_FARM + seat, barrow=goods, barrow_vp=value, market_value=value if leads_to is None else leads_to)
        free = (goods if missing is None else missing).split()
        player.barrows[slot], player.barrow_left[slot] = card, len(free)
        player.barrow_missing[slot] = [free.count(name) for name in ITEMS[:KINDS]]
        return f"barrow {card}"

    def hire(
        self, seat: int, name: str = "", *, effect: str = "", when: str = "action", cost: str = "", phases: str = "any", uses: int = 0
    ) -> int:
        """A helper by name, or one with this ability; returns its card."""
        player, slot = self.player(seat), self._slot(self.player(seat).helpers)
        if name:
            card = self._move(self.helper_named(name), s.ON_FARM + seat)
        else:
            card = self._fresh(
                s.ON_FARM + seat, helper_effect=effect, helper_when=when, helper_cost=cost, helper_phases=phases, helper_uses=uses
            )
        player.helpers[slot] = card
        return card

    @staticmethod
    def _slot(slots: Any) -> int:
        return [int(card) for card in slots].index(0)

    def extend(self, seat: int, hand: int = 1, delivery: int = 0, pig: int = 0, income: str = "") -> Self:
        """An extension with these icons."""
        player = self.player(seat)
        card = self._fresh(s.ON_FARM + seat, ext_hand=hand, ext_delivery=delivery, ext_pig=pig, ext_income=income)
        player.extensions[player.extension_count] = card
        player.extension_count += 1
        player.hand_icons += hand
        player.delivery_icons += delivery
        player.pig_icons += pig
        return self

    def roof(self, seat: int, design: str = "", *, used: bool = False, **cells: Any) -> int:
        """A roof on the leftmost empty space, by its design or with these cells printed on it; returns its number."""
        player = self.player(seat)
        taken = {int(roof) for other in self.seats for roof in self.player(other).roofs}
        number = self.roof_named(design) if design else next(roof for roof in range(s.ROOFS, 0, -1) if roof not in taken)
        if not design:
            self.print_on("roof", number, **({"when": "action", "phases": "any"} | cells))
        player.roofs[player.roof_count], player.roof_used[player.roof_count] = number, used
        player.roof_count += 1
        return number

    def row(self, seat: int, building: str, missing: str) -> Self:
        """A row of a building on which only these goods are missing."""
        index, free = BUILDINGS.index(building), missing.split()
        self.player(seat).row_missing[index] = [free.count(name) for name in ITEMS[:KINDS]]
        self.player(seat).row_left[index] = len(free)
        return self

    def complete(self, seat: int, *buildings: str, flipped: bool = True) -> Self:
        """Buildings the seat has completed, their craft markers flipped or still of this round."""
        for building in buildings:
            index = BUILDINGS.index(building)
            self.row(seat, building, "")
            self.player(seat).done |= 1 << index
            self.player(seat).permanent |= flipped << index
            self.player(seat).building_round[index] = self.game.round_number - flipped
            if self.game.first_seat[index] < 0:
                self.game.first_seat[index] = seat
        return self

    def used_tiles(self, seat: int, *donkeys: int) -> Self:
        """Donkey tiles that are out."""
        self.player(seat).donkeys_out = sum(1 << (donkey - 1) for donkey in donkeys)
        return self

    def disc(self, seat: int, section: int) -> Self:
        """The siesta disc on a section; the one named last lies on top."""
        self.game.arrivals += 1
        self.player(seat).siesta, self.player(seat).arrival = section, self.game.arrivals
        return self

    # --- the middle of the table -------------------------------------------------------------------------------------------------

    def in_round(self, number: int) -> Self:
        self.game.round_number = number
        return self

    def in_order(self, *seats: int) -> Self:
        """The turn order, start player first."""
        self.game.order[: len(seats)] = seats
        return self

    def order(self) -> list[int]:
        return [int(seat) for seat in self.game.order[: len(self.seats)]]

    def second(self) -> Self:
        """The game for one: the neutral player is start player."""
        self.game.neutral_first = 1
        return self

    @property
    def starts(self) -> bool:
        """The game for one: whether the player is start player."""
        return not self.game.neutral_first

    def block(self, *buildings: str) -> Self:
        """Buildings with order markers, lowest first."""
        self.game.blocked[: len(buildings)] = [BUILDINGS.index(building) for building in buildings]
        self.game.blocked_count, self.game.opened = len(buildings), 0
        return self

    def blocked(self) -> list[str]:
        return [BUILDINGS[index] for index in self.game.blocked[self.game.opened : self.game.blocked_count]]

    def mark(self, seat: int, *spaces: int) -> Self:
        """Markers on spaces of the market."""
        for space in spaces:
            self.game.space_owner[space] = seat
        return self

    def market(self) -> dict[int, int]:
        """Who has a marker on which space."""
        return {space: int(owner) for space, owner in enumerate(self.game.space_owner) if owner >= 0}

    def spaces(self, value: int) -> list[int]:
        """The open spaces of a value."""
        is_open = int(self.box.open_spaces[len(self.seats)])
        return [space for space in range(self.box.space_count) if is_open >> space & 1 and self.box.spaces[space].value == value]

    def neighbours(self, space: int) -> list[int]:
        return [other for other in range(self.box.space_count) if int(self.box.spaces[space].neighbours) >> other & 1]

    def value(self, space: int) -> int:
        return int(self.box.spaces[space].value)

    def offer(self, *roofs: str | int) -> Self:
        """Face-up roofs to buy, by design or number."""
        numbers = [self.roof_named(roof) if isinstance(roof, str) else roof for roof in roofs]
        self.game.roof_offer[:] = numbers + [0] * (s.SEATS - len(numbers))
        return self

    def dice(self, *faces: int) -> Self:
        """What will be rolled this round."""
        self.game.dice[self.game.round_number - 1, : len(faces)] = faces
        return self

    def stacks(self) -> list[list[int]]:
        """The siesta track from its first section, each stack from the bottom."""
        seats = sorted(self.seats, key=lambda seat: int(self.player(seat).arrival))
        return [[seat for seat in seats if self.player(seat).siesta == section] for section in range(self.box.siesta_top + 1)]
