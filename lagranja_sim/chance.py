"""Chance as a function of names: every number depends on the seed, the block, its purpose and its index, and on nothing else."""

import numpy as np

from lagranja_sim.compile import kernel

# numba keeps uint64 arithmetic only while every operand is one.
_STEP, _STREAM = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)

DECK, DICE, ROOF_TILES, BLOCKED, SEATING, RESHUFFLE, POLICY = range(1, 8)  # purposes


@kernel
def mixed(key, stream, index):
    """splitmix64 (Steele, Lea and Flood 2014) of a named position; a uint64 with 64 random bits."""
    z = np.uint64(key) * _STEP + np.uint64(stream) * _STREAM + np.uint64(index)
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    z = z ^ (z >> _31)
    z = (z + _STEP) * _FIRST
    return z ^ (z >> _31)


@kernel
def deal_key(seed, block):
    """The key of all chance of one deal."""
    return mixed(mixed(np.uint64(seed), 0, 0), 1, block)


@kernel
def below(key, purpose, index, bound):
    """A number from 0 to bound - 1; the bias of the remainder is below 2^-57 for the bounds used here."""
    return np.int64(mixed(key, purpose, index) % np.uint64(bound))


@kernel
def shuffle(values, count, key, purpose, number):
    """Fisher and Yates on the first `count` values in place; `number` tells shuffles of one purpose apart."""
    for last in range(count - 1, 0, -1):
        other = below(key, purpose, 128 * number + last, last + 1)
        value = values[last]
        values[last] = values[other]
        values[other] = value
