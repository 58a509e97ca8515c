"""The state in plain lists and dictionaries."""

from __future__ import annotations

from naive.farm import Farm
from naive.goods import HARVEST, SOURCES_OF_POINTS, STOCK


class Snapshot:
    """The state in plain lists and dictionaries."""

    def snapshot(self) -> dict:
        return {
            "round": self.round,
            "phase": self.phase,
            "order": list(self.order),
            "siesta": [list(stack) for stack in self.siesta],
            "dice": list(self.dice),
            "roofs_offered": sorted(self.roofs_offered),
            "blocked": list(self.blocked),
            "first_taken": sorted(self.first_taken),
            "market": dict(sorted(self.market.items())),
            "deck": list(self.deck),
            "discard": sorted(self.discard),
            "seats": [self.farm_snapshot(farm) for farm in self.farms],
        }

    def farm_snapshot(self, farm: Farm) -> dict:
        return {
            "stock": {item: farm.stock[item] for item in STOCK},
            "fields": {good: farm.fields[good] for good in HARVEST},
            "barrows": sorted([card, sorted(missing)] for card, missing in farm.barrows.items()),
            "helpers": [[card, farm.uses[card]] for card in farm.helpers],
            "extensions": list(farm.extensions),
            "roofs": [[roof, face_up] for roof, face_up in farm.roofs],
            "donkeys": sorted(farm.donkeys),
            "rows": {name: sorted(missing) for name, missing in farm.rows.items()},
            "done": sorted(farm.done),
            "permanent": sorted(farm.permanent),
            "hand": sorted(farm.hand),
            "points": {source: farm.points[source] for source in SOURCES_OF_POINTS},
            "markers": self.markers_in_use(farm.seat),
            "deliveries": farm.deliveries,
            "bought_deliveries": farm.bought_deliveries,
        }
