"""The printed components and the numbers of the rules: read from files, checked, and turned into the arrays the rules take."""

from lagranja_sim.components.load import Components, SourceCount, load_components
from lagranja_sim.components.problems import ComponentsError
from lagranja_sim.components.variants import VariantInfo, list_variants

__all__ = ["Components", "ComponentsError", "SourceCount", "VariantInfo", "list_variants", "load_components"]
