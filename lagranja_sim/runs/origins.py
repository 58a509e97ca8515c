"""Where a run had its policies from, for whoever opens it again and does not find them, or finds others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lagranja_sim.plugins import DEFAULT_GAME, plugin_folders
from lagranja_sim.policy import Policy, PolicyError, describe, file_of, find_policy, list_policies


def unusable(error: PolicyError, manifest: Mapping[str, Any]) -> PolicyError:
    """The error with what became of the policies that it may be about."""
    lines = list(changes(manifest))
    unchanged = [path for path in _paths(manifest).values() if str(path) in str(error) and not any(str(path) in line for line in lines)]
    lines += [f"{path} itself is as the run had it; what it needs besides is not" for path in unchanged]
    return type(error)("\n".join([str(error), *lines]))  # what failed in a game is no wrong call


def changes(manifest: Mapping[str, Any]) -> Iterator[str]:
    """A line for each policy, and each file of weights, that is not the one at hand: where the run had it from, and what is there now."""
    yield from _changed_weights(manifest)
    for name, path in _paths(manifest).items():
        at_hand = _at_hand(name)
        if at_hand and _is_as_played(at_hand, name, manifest):
            continue
        now = _now(path, name, manifest)
        other = f"; at hand is {at_hand.path}" if at_hand and at_hand.path != path else ""
        yield f"the run had {name.partition(':')[0]} from {path}, {now}{other}"


def _changed_weights(manifest: Mapping[str, Any]) -> Iterator[str]:
    played = manifest["hashes"]["policies"]
    for text in dict.fromkeys(manifest["experiment"]["policies"]):
        base, _, settings = text.partition(":")
        if "@" in settings and _called(text) not in played:
            names = [name for name in played if name.partition(":")[0] == base]
            yield f"the weights of {text} are others now, or gone; the run played {' and '.join(names)}"


def _called(text: str) -> str | None:
    try:
        return find_policy(text).name
    except PolicyError:
        return None


def _paths(manifest: Mapping[str, Any]) -> dict[str, Path]:
    """The files of a run's policies by the names they were called, each once; runs of earlier versions do not say."""
    kept = {name: Path(said["path"]) for name, said in manifest.get("policies", {}).items() if "path" in said}
    return {name: path for name, path in kept.items() if next(other for other, same in kept.items() if same == path) == name}


def _at_hand(name: str) -> Policy | None:
    try:
        return describe(file_of(name.partition(":")[0]))
    except PolicyError:
        return None


def _is_as_played(policy: Policy, name: str, manifest: Mapping[str, Any]) -> bool:
    """Whether a policy is the one that a run called so: as it is written, and also in what its code takes in, unless it cannot be run."""
    if policy.texts != manifest["policies"][name].get("texts"):
        return False
    try:
        return policy.hash == manifest["hashes"]["policies"].get(name)
    except PolicyError:
        return True


def _now(path: Path, name: str, manifest: Mapping[str, Any]) -> str:
    """What became of a file."""
    if not path.is_file():
        names = [
            policy.name
            for policy in list_policies(manifest["experiment"].get("game", DEFAULT_GAME), lambda _: None)
            if _is_as_played(policy, name, manifest)
        ]
        return f"which is gone; {' and '.join(names)} says the same" if names else "which is gone"
    try:
        if _is_as_played(describe(path), name, manifest):
            return "which is still there" + _where_it_is_found(path)
    except PolicyError as error:
        return f"which cannot be used any more ({error})"
    return "which has changed since"


def _where_it_is_found(path: Path) -> str:
    above = path.parent.parent
    return f": give the command in {above}" if path.parent.name == "policies" and path.parent not in plugin_folders("policies") else ""
