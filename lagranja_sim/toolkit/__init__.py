"""What a policy file may use: `from lagranja_sim.toolkit import *`.

Everything here is compiled and takes the game as the policy's seat sees it. The named constants of the rules come along.
"""

from lagranja_sim.chance import mixed
from lagranja_sim.compile import kernel
from lagranja_sim.rules.engine import advance, apply
from lagranja_sim.rules.names import *
from lagranja_sim.rules.state import *
from lagranja_sim.toolkit.effect_worth import *
from lagranja_sim.toolkit.luck import draw
from lagranja_sim.toolkit.markers import *
from lagranja_sim.toolkit.needs import *
from lagranja_sim.toolkit.option_worth import *
from lagranja_sim.toolkit.plan import *
from lagranja_sim.toolkit.position import *
from lagranja_sim.toolkit.rivals import *
from lagranja_sim.toolkit.search import *
from lagranja_sim.toolkit.worth import *

__all__ = [name for name in dir() if not name.startswith("_")]
