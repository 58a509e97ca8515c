"""Fields that the tables of all games share.

`games` has game, block, rotation and decisions at least, `seats` has game, seat, policy, vp, rank and win_share.
"""

import numpy as np

from lagranja_sim.kit.tables import Field

GAME = Field("game", np.uint32, "number of the game in the run, from 0")
SEAT = Field("seat", np.int8, "seat, from 0, clockwise")
ROUND = Field("round", np.int8, "round, from 1")
BLOCK = Field("block", np.uint32, "number of the deal; the games of a block differ only in who sits where")
ROTATION = Field("rotation", np.uint8, "policy p of the experiment has seat (p + rotation) modulo the number of players")
DECISIONS = Field("decisions", np.uint32, "decisions with more than one option, of all seats")
POLICY = Field("policy", np.int8, "policy that played the seat: in the record its index, in the files its text, as the experiment names it")
