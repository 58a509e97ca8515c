"""The deck, hands, and cards played."""

from __future__ import annotations

from naive.decision import Steps
from naive.farm import item_of
from naive.goods import FARM_GOODS


class Cards:
    """The deck, hands, and cards played."""

    def reshuffle(self) -> None:
        self.deck = list(self.shuffle(self.reshuffles, sorted(self.discard)))
        self.discard = []
        self.reshuffles += 1

    def draw(self, seat: int, amount: int) -> None:
        self.farms[seat].hand += [card for _ in range(amount) if (card := self.top_card()) is not None]

    def top_card(self) -> int | None:
        """S7: the moment the deck is empty the discard pile becomes the new one; both empty, nothing is drawn."""
        if not self.deck and self.discard:
            self.reshuffle()
        if not self.deck:
            return None
        card = self.deck.pop(0)
        if not self.deck and self.discard:
            self.reshuffle()
        return card

    def ways_to_play(self, seat: int) -> list[dict]:
        """F2, F3: every card of the hand on every side it can be played to."""
        farm, rules, ways = self.farms[seat], self.rules["farm"], []
        permanent = self.rules["helpers"]["permanent"]
        replaceable = [card for card in farm.helpers if self.cards[card].helper_name not in permanent]
        kinds = {good for good, _ in farm.held(FARM_GOODS)}
        for card in sorted(farm.hand):
            way = {"do": "play_card", "card": card}
            ways.append(way | {"side": "field"})
            if len(farm.barrows) < rules["barrow_slots"]:
                ways.append(way | {"side": "barrow"})
            else:
                ways += [way | {"side": "barrow", "replaces": barrow} for barrow in farm.barrows]
            if len(farm.helpers) < rules["helper_slots"]:
                ways.append(way | {"side": "helper"})
            else:
                ways += [way | {"side": "helper", "replaces": helper} for helper in replaceable]
            if len(farm.extensions) < rules["max_extensions"] and self.extension_cost(seat) <= len(kinds):
                ways.append(way | {"side": "extension"})
        return ways

    def play_card(self, seat: int, way: dict) -> Steps:
        """F2, F3; then pigs above the space left are sold; then the event."""
        farm, card, side, replaced = self.farms[seat], way["card"], way["side"], way.get("replaces")
        if side == "extension":
            yield from self.pay_extension(seat, card)
        farm.hand.remove(card)
        match side:
            case "field":
                farm.fields[self.cards[card].field] += 1
                farm.field_cards.append(card)
            case "barrow":
                if replaced is not None:
                    del farm.barrows[replaced]
                farm.barrows[card] = list(self.cards[card].barrow)
            case "helper":
                if replaced is not None:
                    farm.helpers[farm.helpers.index(replaced)] = card
                    del farm.uses[replaced]
                else:
                    farm.helpers.append(card)
            case "extension":
                farm.extensions.append(card)
        if replaced is not None:
            self.discard.append(replaced)
        while farm.stock["pig"] > 0 and self.pig_room(seat) < 0:
            self.sell(seat, "pig")
        yield from self.event(seat, "card_played", side)

    def pay_extension(self, seat: int, card: int) -> Steps:
        """F3: different farm goods, one of each kind, from dens, stables or fields."""
        unpaid = list(FARM_GOODS)
        for _ in range(self.extension_cost(seat)):
            options = [{"do": "pay", "good": good, "from": place} for good, place in self.farms[seat].held(tuple(unpaid))]
            pick = yield from self.ask(seat, "pay_extension", options)
            self.add(seat, item_of(pick["good"], pick["from"]), -1, "spent", f"extension {card}")
            unpaid.remove(pick["good"])
