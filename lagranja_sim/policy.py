"""Policies by name: found in the plug-in folders, loaded, compiled, and given their weights.

A policy file has a docstring (its first line is shown), `WEIGHTS` (name: (default, low, high)) and one of
- `choose(game, box, seat, options, count, weights)`: the index of an option,
- `score(game, box, seat, option, weights)`: a number for one option; the best is taken, the first of equals,
- `class Policy` with a method `choose` of the same meaning: not compiled, slower, free to use any Python.
"""

import ast
import difflib
import hashlib
import importlib.util
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from lagranja_sim.plugins import plugin_folders

MAX_WEIGHTS = 64


class PolicyError(ValueError):
    """A policy that does not exist, or that cannot be used as it is called."""


@dataclass(frozen=True)
class Weight:
    """A named number of a policy: its default and the bounds a tuner keeps to."""

    default: float
    low: float
    high: float


@dataclass(frozen=True)
class Policy:
    """A policy with its weights settled; nothing is compiled until it plays."""

    name: str  # as it is called: `greedy`, `greedy:share=2`
    path: Path
    doc: str  # first line of its docstring
    kind: str  # choose, score or class
    bounds: dict[str, Weight]
    weights: dict[str, float] = field(default_factory=dict)
    hash: str = ""

    @property
    def compiled(self) -> bool:
        return self.kind != "class"


# --- finding ---------------------------------------------------------------------------------------------------------------------


def policy_files() -> dict[str, Path]:
    """Every policy by name; an own file hides a shipped one of the same name."""
    files: dict[str, Path] = {}
    for folder in plugin_folders("policies"):
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("_"):
                files.setdefault(path.stem, path)
    return files


def list_policies() -> list[Policy]:
    """All policies with their default weights, by name."""
    return [find_policy(name) for name in sorted(policy_files())]


def find_policy(text: str) -> Policy:
    """The policy that `name` or `name:weight=number,weight=number` calls."""
    name, _, settings = text.strip().partition(":")
    files = policy_files()
    if name not in files:
        raise PolicyError(f"no policy is called '{name}'{near(name, files)}; policies: {', '.join(sorted(files))}")
    policy = describe(files[name])
    chosen = dict(parse_setting(policy, setting) for setting in settings.split(",") if setting)
    called = name + (":" + ",".join(f"{key}={value:g}" for key, value in sorted(chosen.items())) if chosen else "")
    weights = {key: weight.default for key, weight in policy.bounds.items()} | chosen
    return Policy(called, policy.path, policy.doc, policy.kind, policy.bounds, weights, policy.hash)


def near(name: str, names: Any) -> str:
    """`; did you mean ...?`, or nothing."""
    found = difflib.get_close_matches(name, list(names), 3, 0.5)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def parse_setting(policy: Policy, setting: str) -> tuple[str, float]:
    """`weight=number`, checked against the policy's names and bounds."""
    key, _, value = (part.strip() for part in setting.partition("="))
    if key not in policy.bounds:
        known = ", ".join(policy.bounds) or "none"
        raise PolicyError(f"policy {policy.name} has no weight '{key}'{near(key, policy.bounds)}; its weights: {known}")
    try:
        number = float(value)
    except ValueError:
        raise PolicyError(f"policy {policy.name}: weight {key}='{value}' is no number") from None
    weight = policy.bounds[key]
    if not weight.low <= number <= weight.high:
        raise PolicyError(f"policy {policy.name}: weight {key}={number:g} is outside {weight.low:g} to {weight.high:g}")
    return key, number


@cache
def describe(path: Path) -> Policy:
    """What a policy file says of itself, read without running it."""
    source = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise PolicyError(f"{path}, line {error.lineno}: {error.msg}") from None
    names = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    kind = next((kind for kind, name in (("choose", "choose"), ("score", "score"), ("class", "Policy")) if name in names), None)
    if kind is None:
        raise PolicyError(f"{path}: a policy has a function `choose` or `score` or a class `Policy`")
    doc = (ast.get_docstring(tree) or "").partition("\n")[0]
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    return Policy(path.stem, path, doc, kind, read_weights(path, tree), hash=digest)


def read_weights(path: Path, tree: ast.Module) -> dict[str, Weight]:
    """The literal `WEIGHTS` of a policy file."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "WEIGHTS" for target in node.targets):
            try:
                weights = {str(key): Weight(*map(float, value)) for key, value in ast.literal_eval(node.value).items()}
            except (ValueError, TypeError, AttributeError):
                raise PolicyError(f"{path}, line {node.lineno}: WEIGHTS is a dict of name: (default, low, high)") from None
            if len(weights) > MAX_WEIGHTS:
                raise PolicyError(f"{path}, line {node.lineno}: {len(weights)} weights; at most {MAX_WEIGHTS}")
            for key, weight in weights.items():
                if not weight.low <= weight.default <= weight.high:
                    raise PolicyError(f"{path}, line {node.lineno}: weight {key}: default {weight.default:g} is outside its bounds")
            return weights
    return {}


# --- loading ---------------------------------------------------------------------------------------------------------------------


@cache
def load_module(path: Path) -> ModuleType:
    """Run a policy file as a module of its own; the name depends on the path, so that compiled code finds it again in the cache."""
    tag = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"lagranja_policy_{re.sub(r'[^0-9a-zA-Z_]', '_', path.stem)}_{tag}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PolicyError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise PolicyError(f"{path}: {type(error).__name__}: {error}") from error
    return module
