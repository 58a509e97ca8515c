"""Effects: whether they are available, what they cost, and what they do."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from naive.decision import DONE, Steps
from naive.goods import CLASSES, HARVEST, RESOURCES
from naive.language import Alternative, Origin, Part


class Effects:
    """Effects: whether they are available, what they cost, and what they do."""

    def can_pay(self, seat: int, parts: list[Part] | tuple[Part, ...]) -> bool:
        """All named goods together; a class of goods needs enough units, each part for itself. Fields never pay."""
        stock, named = self.farms[seat].stock, Counter()
        for part in parts:
            amount = self.amount(seat, part)
            if part.what == "harvest_different":
                if sum(stock[good] > 0 for good in HARVEST) < amount:
                    return False
            elif part.what in CLASSES:
                if sum(stock[good] for good in CLASSES[part.what]) < amount:
                    return False
            else:
                named[part.what] += amount
        return all(stock[good] >= amount for good, amount in named.items())

    def pay(self, seat: int, part: Part, ref: str) -> Steps:
        """Pay one part of a cost; of a class of goods the owner chooses each unit."""
        amount, paid = self.amount(seat, part), []
        if part.what not in CLASSES:
            self.add(seat, part.what, -amount, "spent", ref)
            return
        for _ in range(amount):
            goods = tuple(good for good in CLASSES[part.what] if part.what != "harvest_different" or good not in paid)
            options = [{"do": "pay", "good": good, "from": place} for good, place in self.farms[seat].held(goods, fields=False)]
            pick = yield from self.ask(seat, "pay_good", options)
            self.add(seat, pick["good"], -1, "spent", ref)
            paid.append(pick["good"])

    def is_available(self, seat: int, alternative: Alternative, origin: Origin) -> bool:
        """What it costs can be paid and some part other than `pay` does something then."""
        if not self.can_pay(seat, alternative.pays):
            return False
        with self.after_paying(seat, alternative.pays):
            return any(self.does_something(seat, part, origin) for part in alternative.others)

    def available(self, seat: int, effect: list[Alternative], origin: Origin) -> list[Alternative]:
        return [alternative for alternative in effect if self.is_available(seat, alternative, origin)]

    def does_something(self, seat: int, part: Part, origin: Origin) -> bool:
        farm, amount = self.farms[seat], self.amount(seat, part)
        if amount <= 0:
            return False
        match part.verb:
            case "gain":
                if part.what == "card":
                    return bool(self.deck or self.discard)
                enough_room = not (part.what == "pig" and origin.commodity) or self.pig_room(seat) >= amount
                return enough_room and (not self.gain_needs_marker(seat, part.what) or self.marker_within_reach(seat))
            case "upgrade":
                return bool(farm.held((part.what,) if part.what else RESOURCES))
            case "deliver":
                return bool(self.delivery_options(seat))
            case "siesta":
                return self.section(seat) < len(self.siesta) - 1
            case "siesta_vp":
                return self.siesta_points(seat) > 0
            case "play_card":
                return bool(farm.hand)
            case "revenue":
                return bool(self.available(seat, self.face_of_the_round(), origin))
            case "second_option":
                return bool(self.available(seat, self.other_options(), origin))
            case "reserve_revenue":
                return len(self.reserved) < len(self.dice)
            case "flip_roof":
                return bool(self.flip_options(seat, origin))
            case "place_marker":
                return bool(self.free_spaces()) and self.marker_within_reach(seat)
            case "double_roof_vp":
                return self.covered > 0
            case "income":
                return self.income_is_available(seat)
            case "modify_die" | "extra_delivery":
                return True
            case "nothing":
                return False
        raise ValueError(f"unknown effect: {part}")

    def gain_needs_marker(self, seat: int, what: str) -> bool:
        """L1: not silver, points or a card, nor a pig that is sold for lack of a space."""
        return what not in ("silver", "vp", "card") and (what not in ("pig", "resource") or self.pig_room(seat) > 0)

    def part_wants_marker(self, seat: int, part: Part, origin: Origin) -> bool:
        """L1: of a part that does something, whether it could do nothing without a marker that must be given up first."""
        if self.free_markers(seat) != 0:
            return False
        match part.verb:
            case "gain":
                return self.gain_needs_marker(seat, part.what)
            case "place_marker":
                return True
            case "deliver":
                return self.delivers_only_silver(seat)
            case "revenue":
                return self.effect_wants_marker(seat, self.face_of_the_round(), origin)
            case "second_option":
                return self.effect_wants_marker(seat, self.other_options(), origin)
        return False

    def wants_marker(self, seat: int, alternative: Alternative, origin: Origin) -> bool:
        with self.after_paying(seat, alternative.pays):
            parts = [part for part in alternative.others if self.does_something(seat, part, origin)]
            return all(self.part_wants_marker(seat, part, origin) for part in parts)

    def effect_wants_marker(self, seat: int, effect: list[Alternative], origin: Origin) -> bool:
        return all(self.wants_marker(seat, alternative, origin) for alternative in self.available(seat, effect, origin))

    def run(self, seat: int, effect: list[Alternative], origin: Origin) -> Steps:
        """Carry out an available alternative, the owner's choice; returns it."""
        alternatives = self.available(seat, effect, origin)
        if not alternatives:
            return None
        chosen = alternatives[0]
        if len(alternatives) > 1:
            options = [{"do": "choose", "effect": alternative.text} for alternative in alternatives]
            pick = yield from self.ask(seat, "choose_effect", options)
            chosen = next(alternative for alternative in alternatives if alternative.text == pick["effect"])
        yield from self.carry_out(seat, chosen, origin)
        return chosen

    def carry_out(self, seat: int, alternative: Alternative, origin: Origin) -> Steps:
        """The parts in order, each judged again; a `pay` that cannot be paid ends the alternative."""
        wanted = bool(alternative.pays) and self.wants_marker(seat, alternative, origin)
        if not (yield from self.marker_first(seat, wanted, lambda: self.is_available(seat, alternative, origin))):
            return
        for part in alternative.parts:
            if part.verb == "pay":
                if not self.can_pay(seat, [part]):
                    return
                yield from self.pay(seat, part, origin.ref)
            elif self.does_something(seat, part, origin):
                yield from self.carry_out_part(seat, part, self.amount(seat, part), origin)

    def carry_out_part(self, seat: int, part: Part, amount: int, origin: Origin) -> Steps:
        match part.verb:
            case "gain":
                yield from self.gain_part(seat, part.what, amount, origin)
            case "upgrade":
                yield from self.upgrade_free(seat, (part.what,) if part.what else RESOURCES, amount)
            case "deliver":
                yield from self.deliver_up_to(seat, amount)
            case "siesta":
                room = len(self.siesta) - 1 - self.section(seat)
                pick = yield from self.ask(seat, "siesta", [{"do": "siesta", "steps": k + 1} for k in range(min(amount, room))] + [DONE])
                self.move_disc(seat, pick.get("steps", 0))
            case "siesta_vp":
                self.add(seat, "vp", self.siesta_points(seat) * amount, origin.reason, origin.ref)
            case "play_card":
                pick = yield from self.ask(seat, "effect_card", [*self.ways_to_play(seat), DONE])
                if pick != DONE:
                    yield from self.play_card(seat, pick)
            case "revenue":
                yield from self.run(seat, self.face_of_the_round(), origin)
            case "second_option":
                yield from self.run(seat, self.other_options(), origin)
            case "reserve_revenue":
                faces = [face for face in range(1, len(self.dice) + 1) if face not in self.reserved]
                pick = yield from self.ask(seat, "reserve", [{"do": "reserve", "die": face} for face in faces])
                self.reserved[pick["die"]] = seat
            case "modify_die":
                yield from self.shift_die(seat, amount)
            case "flip_roof":
                yield from self.flip_roofs(seat, amount, origin)
            case "place_marker":
                for _ in range(amount):
                    yield from self.place_by_effect(seat)
            case "double_roof_vp":
                self.add(seat, "vp", self.covered * amount, "roof_effect", origin.ref)
            case "income":
                yield from self.income(seat)
            case "extra_delivery":
                self.farms[seat].extra_deliveries += amount

    def gain_part(self, seat: int, what: str, amount: int, origin: Origin) -> Steps:
        """A named good, or goods of the owner's choice."""
        if what == "harvest_different":
            sets = [list(goods) for goods in combinations(HARVEST, min(amount, len(HARVEST)))]
            pick = yield from self.ask(seat, "choose_goods", [{"do": "gain", "goods": goods} for goods in sets])
            for good in pick["goods"]:
                yield from self.gain(seat, good, 1, origin.reason, origin.ref)
        elif what in CLASSES:
            for _ in range(amount):
                no_pig = origin.commodity and self.pig_room(seat) <= 0
                goods = [good for good in CLASSES[what] if good != "pig" or not no_pig]
                pick = yield from self.ask(seat, "choose_good", [{"do": "gain", "good": good} for good in goods])
                yield from self.gain(seat, pick["good"], 1, origin.reason, origin.ref)
        else:
            yield from self.gain(seat, what, amount, origin.reason, origin.ref)

    def upgrade_free(self, seat: int, goods: tuple[str, ...], amount: int) -> Steps:
        """R5: up to that many, from dens, fields and stables."""
        for _ in range(amount):
            options = [{"do": "upgrade", "good": good, "from": place, "price": 0} for good, place in self.farms[seat].held(goods)]
            pick = yield from self.ask(seat, "upgrade", [*options, DONE])
            if pick == DONE:
                return
            self.upgrade(seat, pick)

    def flip_options(self, seat: int, origin: Origin) -> list[dict]:
        return [{"do": "flip_roof", "roof": roof} for roof, face_up in self.farms[seat].roofs if not face_up and roof != origin.roof]

    def flip_roofs(self, seat: int, amount: int, origin: Origin) -> Steps:
        """F11: other used roofs are face up again."""
        for _ in range(amount):
            if not (options := self.flip_options(seat, origin)):
                return
            pick = yield from self.ask(seat, "flip_roof", options)
            next(entry for entry in self.farms[seat].roofs if entry[0] == pick["roof"])[1] = True
