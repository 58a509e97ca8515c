"""Filling the list of legal options, an array of records of which it knows `do`, what the option does."""

from lagranja_sim.compile import inlined
from lagranja_sim.kit.agenda import fail
from lagranja_sim.kit.outcomes import TOO_MANY_OPTIONS


@inlined
def put(game, options, n, do):
    """Append an option and return the new count; the caller sets its details at count - 1. Where it finds no room it takes the place of the last."""
    if n >= len(options):
        fail(game, TOO_MANY_OPTIONS)
        n = len(options) - 1
    options[n].do = do
    return n + 1
