"""How often events come in a round, and what passives are worth in it, about."""

import numpy as np

from lagranja_sim.games.lagranja.rules.names import EVENTS, Event, Passive

# About how often in a round an event comes to a player.
EVENT_RATE = np.zeros(len(EVENTS))
EVENT_RATE[[Event.BREED, Event.INCOME, Event.GROWTH, Event.ROOF_BOUGHT, Event.START_PLAYER, Event.REVENUE, Event.CARD_PLAYED]] = (
    0.4,
    1.0,
    1.0,
    0.8,
    0.2,
    0.6,
    0.3,
)
EVENT_RATE[[Event.BARROW_DONE, Event.BUILDING_DONE, Event.MARKER_PLACED, Event.OWN_MARKER_REMOVED, Event.OPPONENT_MARKER_REMOVED, Event.SCORING]] = (
    0.6, 0.3, 0.6, 0.2, 0.3, 1.0,
)  # fmt: skip
# About what one unit of a passive is worth a round, in silver but for the last five, which are in points.
PASSIVE_RATE = np.zeros(11)
PASSIVE_RATE[[Passive.UPGRADE_COST, Passive.BUY_PRICE, Passive.SELL_PRICE, Passive.ROOF_COST, Passive.EXTENSION_COST]] = (
    -1.5,
    -0.7,
    0.5,
    -0.8,
    -0.4,
)
PASSIVE_RATE[
    [Passive.PIG_SPACE, Passive.HAND_LIMIT, Passive.EXTRA_DELIVERY, Passive.FREE_DELIVERY, Passive.SIESTA_STEPS, Passive.PIGLETS]
] = 0.15, 0.15, 0.7, 1.2, 0.4, 0.3
