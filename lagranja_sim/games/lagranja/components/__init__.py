"""The printed components and the numbers of the rules: read from files, checked, and turned into the arrays the rules take."""

from lagranja_sim.games.lagranja.components.load import Components, SourceCount, load_components
from lagranja_sim.games.lagranja.components.variants import VariantInfo, list_variants
from lagranja_sim.kit.problems import ComponentsError

__all__ = ["Components", "ComponentsError", "SourceCount", "VariantInfo", "list_variants", "load_components"]
