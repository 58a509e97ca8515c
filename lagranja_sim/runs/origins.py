"""Where the policies of a run came from, for a user who opens it again and no longer has them, or has others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lagranja_sim.plugins import DEFAULT_GAME, plugin_folders
from lagranja_sim.policy import Policy, PolicyError, describe, file_of, find_policy, list_policies


def unusable(error: PolicyError, manifest: Mapping[str, Any]) -> PolicyError:
    """The error, with what happened to the policies that may have caused it."""
    lines = list(changes(manifest))
    unchanged = [path for path in _paths(manifest).values() if str(path) in str(error) and not any(str(path) in line for line in lines)]
    lines += [f"{path} itself has not changed since the run; something that it needs has" for path in unchanged]
    return type(error)("\n".join([str(error), *lines]))  # keeps the exit code: what failed in a game is no wrong call


def changes(manifest: Mapping[str, Any]) -> Iterator[str]:
    """A line for each policy, and each file of weights, that differs from the present one: where the run had it from, and what is there now."""
    yield from _changed_weights(manifest)
    for name, path in _paths(manifest).items():
        at_hand = _at_hand(name)
        if at_hand and _is_unchanged(at_hand, name, manifest):
            continue
        now = _now(path, name, manifest)
        other = f"; at hand is {at_hand.path}" if at_hand and at_hand.path != path else ""
        yield f"the run had {name.partition(':')[0]} from {path}, {now}{other}"


def _changed_weights(manifest: Mapping[str, Any]) -> Iterator[str]:
    names_played = manifest["hashes"]["policies"]
    for text in dict.fromkeys(manifest["experiment"]["policies"]):
        base, _, settings = text.partition(":")
        if "@" in settings and _name_of(text) not in names_played:
            names = [name for name in names_played if name.partition(":")[0] == base]
            yield f"the weights of {text} have changed or are gone; the run played {' and '.join(names)}"


def _name_of(text: str) -> str | None:
    try:
        return find_policy(text).name
    except PolicyError:
        return None


def _paths(manifest: Mapping[str, Any]) -> dict[str, Path]:
    """The files of a run's policies by the names in its manifest, each file once; runs of earlier versions do not record them."""
    paths = {name: Path(facts["path"]) for name, facts in manifest.get("policies", {}).items() if "path" in facts}
    return {name: path for name, path in paths.items() if next(other for other, same in paths.items() if same == path) == name}


def _at_hand(name: str) -> Policy | None:
    try:
        return describe(file_of(name.partition(":")[0]))
    except PolicyError:
        return None


def _is_unchanged(policy: Policy, name: str, manifest: Mapping[str, Any]) -> bool:
    """Whether a policy is the one of this name in the run: in its text, and unless it cannot be run also in what its code takes in."""
    if policy.texts != manifest["policies"][name].get("texts"):
        return False
    try:
        return policy.hash == manifest["hashes"]["policies"].get(name)
    except PolicyError:
        return True


def _now(path: Path, name: str, manifest: Mapping[str, Any]) -> str:
    """What happened to a file, in words."""
    if not path.is_file():
        names = [
            policy.name
            for policy in list_policies(manifest["experiment"].get("game", DEFAULT_GAME), lambda _: None)
            if _is_unchanged(policy, name, manifest)
        ]
        return f"which is gone; {' and '.join(names)} says the same" if names else "which is gone"
    try:
        if _is_unchanged(describe(path), name, manifest):
            return "which is still there" + _where_to_run(path)
    except PolicyError as error:
        return f"which cannot be used any more ({error})"
    return "which has changed since"


def _where_to_run(path: Path) -> str:
    above = path.parent.parent
    return f": give the command in {above}" if path.parent.name == "policies" and path.parent not in plugin_folders("policies") else ""
