"""The weights of a plan: the numbers in which policies that plan differ. `WEIGHTS_OF = "toolkit"` in a policy file takes them all.

name: (default, lowest, highest). In compiled code a weight is reached by name: `plan.weights[Weight.SILVER]`.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

WEIGHTS = {
    "silver": (0.25, 0.05, 2.0),  # points a silver is worth
    "commodity": (1.0, 0.0, 3.0),  # a commodity, in points
    "delivery": (1.5, 0.2, 4.0),  # a delivery yet to come
    "share": (0.7, 0.1, 1.5),  # of a target's rate that a good it needs is worth
    "barrow": (1.0, 0.3, 6.0),  # barrows against ...
    "building": (1.0, 0.0, 6.0),  # ... buildings
    "market": (0.85, 0.0, 1.5),  # of the rounds left that a market marker stays
    "patience": (0.5, 0.0, 4.0),  # deliveries that a target is thought to need beyond its symbols
    "lack": (1.0, 0.0, 3.0),  # the price of goods a target lacks
    "permanent": (0.7, 0.0, 4.0),  # craft markers beyond their points
    "field": (0.7, 0.0, 3.0),  # harvests of a new field
    "helper": (0.7, 0.0, 3.0),
    "extension": (0.8, 0.0, 3.0),
    "card": (0.6, 0.0, 2.5),  # a card in the hand
    "order": (0.2, 0.0, 1.5),  # a step in the turn order
    "siesta": (1.0, 0.0, 6.0),  # points of the siesta track
    "roof": (1.0, 0.2, 12.0),
    "save": (0.4, 0.0, 2.0),  # keeping a donkey for later
    "keep": (1.0, 0.2, 3.0),  # a good without use, in its selling price
    "pig": (0.15, 0.0, 4.0),  # a pig for its piglets, or a space for them, a round
    "threshold": (0.3, 0.0, 1.5),  # the rate below which a target is left alone
    "removal": (1.0, 0.0, 3.0),  # an opponent's marker removed
    "safety": (0.05, 0.0, 1.0),  # a barrow of others that could clear the space, a round
    "finish": (0.5, 0.0, 12.0),  # the last delivery to a target
    "hold": (0.05, 0.0, 0.5),  # keeping a roof or a helper's use for later, a round
    "good": (0.7, 0.1, 2.0),  # a good on an average day
    "crowd": (0.25, 0.0, 1.0),  # how much less a field is worth beside others
    "payment": (0.7, 0.1, 2.0),  # a good paid for an extension
    "trade": (0.05, 0.0, 1.5),  # what a trade must bring at least
    "stream": (1.0, 0.2, 2.0),  # what comes again each round
}


def _index_enum(names: Iterable[str]) -> Any:
    """An enum of names in capitals, numbered from 0 in their order."""
    return IntEnum("Weight", {name.upper(): place for place, name in enumerate(names)})


Weight = _index_enum(WEIGHTS)
