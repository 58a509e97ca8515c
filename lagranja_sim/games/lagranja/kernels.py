"""The compiled functions by which La Granja is played, as `Game.kernels` names them."""

from lagranja_sim.games.lagranja.rows import note_choice, note_dealt, note_moved, note_over, note_scored
from lagranja_sim.games.lagranja.rules.deal import deal
from lagranja_sim.games.lagranja.rules.engine import advance, apply
from lagranja_sim.games.lagranja.rules.hidden import hide
from lagranja_sim.kit.agenda import to_move

__all__ = ["advance", "apply", "deal", "hide", "note_choice", "note_dealt", "note_moved", "note_over", "note_scored", "to_move"]
