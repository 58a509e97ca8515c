"""Filling the list of legal options (lagranja_sim/kit/options.py)."""

from lagranja_sim.compile import inlined
from lagranja_sim.kit import options as kit


@inlined
def put(game, options, n, do):
    """Append an option that does `do`, every detail blank, and return the new count; the caller fills in details at count - 1."""
    n = kit.put(game, options, n, do)
    option = options[n - 1]
    option.card = 0
    option.side = -1
    option.slot = -1
    option.good = -1
    option.building = -1
    option.space = -1
    option.n = 0
    option.m = 0
    return n


@inlined
def put_number(game, options, n, do, number):
    """Append an option whose only detail is a number."""
    n = put(game, options, n, do)
    options[n - 1].n = number
    return n


@inlined
def put_good(game, options, n, do, good, number):
    """Append an option about a good, with a number (its price, mostly)."""
    n = put(game, options, n, do)
    options[n - 1].good = good
    options[n - 1].n = number
    return n
