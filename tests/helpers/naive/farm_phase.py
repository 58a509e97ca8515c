"""The farm phase."""

from __future__ import annotations

from naive.decision import DECLINE, DONE, Steps
from naive.goods import HARVEST, ON_FIELD
from naive.language import Origin


class FarmPhase:
    """The farm phase."""

    def farm_phase(self) -> Steps:
        """F1-F7: all seats finish a step before the next."""
        self.phase = "farm"
        for seat in self.order:
            yield from self.play_cards(seat)
        self.turn = None
        for seat in self.order:
            yield from self.income(seat)
        for seat in self.order:
            yield from self.growth(seat)
        backwards = self.round == 1 and self.rules["farm"]["first_round_roofs_reversed"]
        for seat in self.order[::-1] if backwards else self.order:
            yield from self.buy_a_roof(seat)
        self.turn = None

    def play_cards(self, seat: int) -> Steps:
        """F1: exactly two cards in round 1, at most one later; then F4."""
        self.begin_turn(seat)
        first = self.round == 1
        must = [] if first else [DONE]
        pick = None
        for _ in range(self.rules["farm"]["cards_first_round" if first else "cards_per_round"]):
            pick = yield from self.window(seat, "play_card", lambda: self.ways_to_play(seat) + must)
            if pick in (None, DONE):
                break
            yield from self.play_card(seat, pick)
        if pick != DONE:
            yield from self.end_turn(seat)
        yield from self.to_hand_limit(seat)

    def to_hand_limit(self, seat: int) -> Steps:
        """F4: draw up to the limit, so many cards at the most; with more cards discard down to it."""
        hand = self.farms[seat].hand
        if len(hand) <= self.hand_limit(seat):
            self.draw(seat, min(self.hand_limit(seat) - len(hand), self.rules["farm"]["cards_drawn"]))
            return

        def too_many() -> list[dict]:
            return [{"do": "discard", "card": card} for card in sorted(hand)] if len(hand) > self.hand_limit(seat) else []

        while pick := (yield from self.window(seat, "discard", too_many)):
            hand.remove(pick["card"])
            self.discard.append(pick["card"])

    def income(self, seat: int) -> Steps:
        """F5: extensions in the order played, helpers, permanent craft markers."""
        for card in list(self.farms[seat].extensions):
            yield from self.run(seat, self.cards[card].income, Origin("other", f"extension {card}"))
        yield from self.event(seat, "income")

    def income_is_available(self, seat: int) -> bool:
        farm = self.farms[seat]
        return (
            any(self.available(seat, self.cards[card].income, Origin("other", f"extension {card}")) for card in farm.extensions)
            or any(self.cards[card].helper.answers("income") and self.helper_is_usable(seat, card) for card in farm.helpers)
            or any(
                self.available(seat, building.permanent.effect, Origin("craft", building.name))
                for building in self.permanent_on(seat, "income")
            )
        )

    def growth(self, seat: int) -> Steps:
        """F6: one turn; a greengrocer's good before or after the growth."""
        self.begin_turn(seat)
        taken: list[str] = []

        def before() -> list[dict]:
            untaken = [building for building in self.permanent_on(seat, "growth") if building.name not in taken]
            return [
                {"do": "take_growth", "building": building.name}
                for building in untaken
                if self.available(seat, building.permanent.effect, Origin("craft", building.name))
            ] + [{"do": "grow"}]

        while (pick := (yield from self.window(seat, "before_growth", before)))["do"] == "take_growth":
            taken.append(pick["building"])
            building = next(building for building in self.buildings if building.name == pick["building"])
            yield from self.run(seat, building.permanent.effect, Origin("craft", building.name))
        yield from self.fields_grow(seat)
        if (yield from self.pigs_breed(seat)):
            yield from self.event(seat, "breed")
        yield from self.growth_events(seat, taken)
        yield from self.end_turn(seat)

    def fields_grow(self, seat: int) -> Steps:
        """F6: each empty field gets its good."""
        farm = self.farms[seat]
        for good in HARVEST:
            yield from self.put(seat, ON_FIELD[good], farm.fields[good] - farm.stock[ON_FIELD[good]], "growth", good)

    def pigs_breed(self, seat: int) -> Steps:
        """F6, H4: piglets as far as there is space; returns whether one came into a stable."""
        rules, born = self.rules["farm"], 0
        if self.farms[seat].stock["pig"] < rules["breeding_pigs"]:
            return False
        for _ in range(max(0, rules["piglets"] + self.passive(seat, "piglets"))):
            if self.pig_room(seat) > 0:
                born += yield from self.put(seat, "pig", 1, "breed", "")
            elif rules["piglet_without_space"] == "sold":
                self.add(seat, "silver", self.sell_price(seat, "pig"), "breed", "")
        return born > 0

    def growth_events(self, seat: int, taken: list[str]) -> Steps:
        """Helpers on `growth`, then the permanent craft markers not taken before."""
        for card in list(self.farms[seat].helpers):
            if card in self.farms[seat].helpers and self.cards[card].helper.answers("growth"):
                yield from self.helper_answers(seat, card)
        for building in self.permanent_on(seat, "growth"):
            if building.name not in taken:
                yield from self.building_answers(seat, building)

    def buy_a_roof(self, seat: int) -> Steps:
        """F7."""
        self.begin_turn(seat)
        farm, rules = self.farms[seat], self.rules["farm"]

        def on_offer() -> list[dict]:
            can_buy = len(farm.roofs) < rules["roof_slots"] and farm.stock["silver"] >= self.roof_price(seat)
            return [{"do": "buy_roof", "roof": roof} for roof in sorted(self.roofs_offered) if can_buy] + [DONE]

        pick = yield from self.window(seat, "buy_roof", on_offer)
        if pick == DONE:
            return
        roof, space = pick["roof"], len(farm.roofs)
        self.add(seat, "silver", -self.roof_price(seat), "roof", f"roof {roof}")
        self.roofs_offered.remove(roof)
        farm.roofs.append([roof, True])
        self.covered = dict(enumerate(rules["roof_vp"])).get(space, 0)
        self.add(seat, "vp", self.covered, "roof", f"roof {roof}")
        yield from self.roof_bought(seat)
        self.covered = 0
        yield from self.end_turn(seat)

    def roof_bought(self, seat: int) -> Steps:
        """F9: own roofs that answer to a purchase are offered first, in the order bought."""
        for roof, _ in list(self.farms[seat].roofs):
            face_up = [roof, True] in self.farms[seat].roofs
            if face_up and self.roofs[roof].answers("roof_bought") and self.roof_is_usable(seat, roof):
                pick = yield from self.ask(seat, "offer", [{"do": "use_roof", "roof": roof}, DECLINE])
                if pick != DECLINE:
                    yield from self.use_roof(seat, roof)
        yield from self.event(seat, "roof_bought")
