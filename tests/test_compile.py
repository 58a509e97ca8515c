"""How kernels are compiled."""

import numpy as np
import pytest

from lagranja_sim.compile import INTERPRETED, entry, inlined, kernel
from lagranja_sim.games.lagranja.game import GAME
from lagranja_sim.play.driver import driver_of

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@pytest.mark.parametrize("decorator", [kernel, inlined])
@pytest.mark.parametrize("python_first", [False, True])
def test_a_kernel_answers_python_and_compiled_code_alike(decorator, python_first: bool) -> None:
    @decorator
    def doubled(number):
        return 2 * number

    @entry
    def doubled_twice(number):
        return doubled(doubled(number))

    calls = [lambda: doubled(3) == 6, lambda: doubled_twice(3) == 12]
    assert all(call() for call in (calls if python_first else reversed(calls)))


def test_small_integers_are_compiled_once() -> None:
    @kernel
    def doubled(number):
        return 2 * number

    assert [doubled(kind(3)) for kind in (int, np.int8, np.uint16, np.int64)] == [6] * 4
    assert len(doubled.entry.signatures) == 1


def test_what_python_calls_in_a_run_is_an_entry() -> None:
    """A kernel that Python calls is compiled twice; this would show."""
    assert [name for name, function in vars(driver_of(GAME)).items() if hasattr(function, "entry")] == []
