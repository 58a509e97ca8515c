"""What a policy is to the compiled driver: a function of one fixed signature."""

from numba import from_dtype, types

from lagranja_sim.games.lagranja.components.box_record import BOX
from lagranja_sim.games.lagranja.rules.state import GAME, OPTION

GAME_TYPE, BOX_TYPE, OPTION_TYPE = from_dtype(GAME), from_dtype(BOX), from_dtype(OPTION)
CHOICE = types.int64(GAME_TYPE, BOX_TYPE, types.int64, OPTION_TYPE[::1], types.int64, types.float64[::1])
SCORE = types.float64(GAME_TYPE, BOX_TYPE, types.int64, OPTION_TYPE, types.float64[::1])
CHOOSER, SCORER = types.FunctionType(CHOICE), types.FunctionType(SCORE)
MAX_WEIGHTS = 64
