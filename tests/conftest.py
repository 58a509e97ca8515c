"""Compiles the rules once before the tests are dealt out to workers, which would otherwise each do so."""

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """The controller (or the only process) fills the cache; workers find it full."""
    if hasattr(session.config, "workerinput") or session.config.option.collectonly:
        return
    from lagranja_sim.play.driver import warm_up
    from lagranja_sim.policy import find_policy

    warm_up([find_policy(name) for name in ("random", "greedy", "balanced")])
