"""What a policy file may use: `from lagranja_sim.games.lagranja.toolkit import *`.

Everything here is compiled and takes the game as the policy's seat sees it. The named constants of the rules come along.
"""

from lagranja_sim.chance import mixed
from lagranja_sim.compile import kernel
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.rules.hidden import redeal
from lagranja_sim.games.lagranja.rules.names import *
from lagranja_sim.games.lagranja.rules.state import *
from lagranja_sim.games.lagranja.toolkit.craft_markers import *
from lagranja_sim.games.lagranja.toolkit.effect_worth import *
from lagranja_sim.games.lagranja.toolkit.luck import draw
from lagranja_sim.games.lagranja.toolkit.markers import *
from lagranja_sim.games.lagranja.toolkit.needs import *
from lagranja_sim.games.lagranja.toolkit.notes import NOTES, PLAN
from lagranja_sim.games.lagranja.toolkit.option_worth import *
from lagranja_sim.games.lagranja.toolkit.plan import *
from lagranja_sim.games.lagranja.toolkit.position import *
from lagranja_sim.games.lagranja.toolkit.rivals import *
from lagranja_sim.games.lagranja.toolkit.search import *
from lagranja_sim.games.lagranja.toolkit.weights import Weight
from lagranja_sim.games.lagranja.toolkit.worth import *
from lagranja_sim.kit.agenda import kind_of, to_move, top

__all__ = [name for name in dir() if not name.startswith("_")]
