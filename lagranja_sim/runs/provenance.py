"""What a run record says about where its numbers come from: versions, hashes, machine."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lagranja_sim import __version__
from lagranja_sim.game import game_sources
from lagranja_sim.kernel_sources import SHARED, source_texts
from lagranja_sim.runs.setting import Setting

PACKAGES = ("numba", "numpy", "polars", "pyarrow", "pandas", "joblib", "scipy", "pydantic", "typer", "matplotlib")


def versions() -> dict[str, str]:
    """The versions of Python, of the tool and of what it stands on."""
    return {"python": platform.python_version(), "lagranja_sim": __version__, **{name: version_of(name) for name in PACKAGES}}


def version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def rules_hash(game: str) -> str:
    """A hash of the sources that decide how a game goes: those that all games share, and its own."""
    texts = [*source_texts(SHARED), *(path.read_bytes() for path in game_sources(game))]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


@cache
def sources_hash(patterns: tuple[str, ...]) -> str:
    return hashlib.sha256(b"".join(source_texts(patterns))).hexdigest()[:16]


def hashes(setting: Setting) -> dict[str, Any]:
    """Hashes of all that decides how a game goes: rules, components, policies."""
    policies = {policy.name: policy.hash for policy in setting.policies}
    return {"rules": rules_hash(setting.components.game), "components": setting.components.hash, "policies": policies}


def called(setting: Setting, sources: tuple[str, ...]) -> dict[str, Any]:
    """All that the numbers of a call depend on besides its options: those of `hashes`, weights, versions, and the sources that count."""
    weights = {policy.name: policy.weights for policy in setting.policies}
    at_hand = {name: version for name, version in versions().items() if name in ("python", "lagranja_sim", "numba", "numpy")}
    game = {"players": setting.players, "seed": setting.seed, **hashes(setting), "weights": weights}
    return {**game, "versions": {**at_hand, "sources": sources_hash(sources)}}


def different(some: Mapping[str, Any], others: Mapping[str, Any]) -> list[str]:
    """Which hashes differ: rules, components, policies."""
    return [what for what in some if some[what] != others.get(what)]


def machine() -> dict[str, Any]:
    return {"system": platform.platform(), "processor": processor(), "cpus": os.cpu_count()}


def processor() -> str:
    """The processor's name where the system tells it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
