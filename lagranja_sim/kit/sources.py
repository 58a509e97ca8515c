"""Where the values of components come from."""

from typing import NamedTuple


class SourceCount(NamedTuple):
    """How many values of one part of the components have which source."""

    part: str
    documented: int
    partly: int
    reconstructed: int
