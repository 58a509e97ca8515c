"""What a policy remembers of a game: the record `notes`, one a seat, empty when the game begins and hidden from all others.

`notes.plan` is the plan of the decision at hand (toolkit/plan.py); `notes.numbers` and `notes.counts` are room for what a policy of your own
wants to remember.
"""

import numpy as np

from lagranja_sim.games.lagranja.rules.names import BUILDINGS, FIELD, KINDS, Item
from lagranja_sim.games.lagranja.rules.state import SLOTS, record
from lagranja_sim.games.lagranja.toolkit.weights import WEIGHTS

PLAN = record(  # all worths are in points
    ("weights", np.float64, (len(WEIGHTS),)),  # the weights of the policy
    ("worth", np.float64, (FIELD,)),  # of one more, by item
    ("kept", np.float64, (Item.MEAT + 1,)),  # by good: what is lost with one of those held where it is
    ("short", np.float64, (KINDS,)),  # by kind: what targets worth finishing want beyond what is held; negative: a surplus
    ("barrow_rate", np.float64, (SLOTS,)),  # of each delivery to the barrow in a slot; negative: there is none to deliver to
    ("building_rate", np.float64, (len(BUILDINGS),)),  # of each delivery to a building
    ("best_rate", np.float64),  # of the best delivery that could be made
    ("best_upgrade", np.float64),  # what the best upgrade at hand gains ...
    ("second_upgrade", np.float64),  # ... and the best of another resource
    ("step_worth", np.float64),  # of a step on the siesta track
    ("craft_now", np.float64, (len(BUILDINGS),)),  # a craft marker when its building is completed ...
    ("craft_a_round", np.float64, (len(BUILDINGS),)),  # ... and in each round after that
    ("rounds_left", np.float64),  # with the one under way
    ("breeder", np.float64),  # the piglets of later rounds that are lost with a pig of a pair, or towards one
    ("marker_price", np.float64),  # L1: the least that is lost by giving up a marker, 0 while one is free
    ("held", np.int64, (KINDS,)),  # units held, by kind
    ("making_price", np.int64, (KINDS,)),  # what one more unit would cost in silver, by kind
)
NOTES = record(("plan", PLAN), ("numbers", np.float64, (64,)), ("counts", np.int64, (16,)))
