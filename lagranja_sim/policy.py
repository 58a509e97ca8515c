"""Policies by name: found in the plug-in folders, loaded, compiled, and given their weights.

A policy file has a docstring (its first line is shown), `WEIGHTS` (name: (default, low, high)) and one of
- `choose(game, box, seat, options, count, weights)`: the index of an option,
- `score(game, box, seat, option, weights)`: a number for one option; the best is taken, the first of equals,
- `class Policy` with a method `choose` of the same meaning: not compiled, slower, free to use any Python,
- `BASE = "other"`: it plays as that policy does, with other default weights; `WEIGHTS` are then plain numbers.
`WEIGHTS_OF = "other"` puts the weights of another policy before its own, for a policy that plays with that one's judgement.
Defaults that a tuner found stand in a weights file of the same name beside it (`balanced.toml`).
"""

import ast
import difflib
import hashlib
import importlib.util
import math
import os
import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from lagranja_sim.plugins import hiding, plugin_files
from lagranja_sim.policy_tools.errors import exception_message
from lagranja_sim.textfile import Unreadable, read_text

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
    code: Path  # the file whose function plays: the policy's own or its base's
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
    return plugin_files("policies", ".py")


def list_policies(on_broken: Callable[[PolicyError], None] | None = None) -> list[Policy]:
    """All policies with their default weights, by name. A file that cannot be read is told to `on_broken` and left out, or else raises."""
    found = []
    for _, path in sorted(policy_files().items()):
        try:
            found.append(_found(path))
        except PolicyError as error:
            if on_broken is None:
                raise
            on_broken(error)
    return found


def find_policy(text: str) -> Policy:
    """The policy that `name`, `name:weight=number,weight=number` or `name:@weights.toml` calls."""
    name, _, settings = text.strip().partition(":")
    policy = _found(file_of(name))
    chosen: dict[str, float] = {}
    for setting in filter(None, settings.split(",")):
        chosen |= read_weights_file(policy, Path(setting[1:])) if re.match("@.", setting) else parse_setting(policy, setting)
    called = name + (":" + ",".join(f"{key}={spelled(value)}" for key, value in sorted(chosen.items())) if chosen else "")
    return replace(policy, name=called, weights=policy.weights | chosen)


def spelled(weight: float) -> str:
    """A weight as it would be typed, with all its digits: policies of different weights have different names."""
    return repr(weight).removesuffix(".0")


def _found(path: Path) -> Policy:
    """The policy of a plug-in folder, with its default weights; that a broken file hides a shipped one is said."""
    try:
        return describe(path)
    except PolicyError as error:
        raise PolicyError(f"{error}{hiding('policies', path)}") from None


def file_of(name: str) -> Path:
    """The file of a policy by name."""
    files = policy_files()
    if name not in files:
        raise PolicyError(f"no policy is called {name!r}{near(Path(name).stem, files)}; policies: {', '.join(sorted(files))}")
    return files[name]


def near(name: str, names: Any) -> str:
    """`; did you mean ...?`, or nothing."""
    found = difflib.get_close_matches(name.lower(), list(names), 3, 0.5)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def parse_setting(policy: Policy, setting: str) -> dict[str, float]:
    """`weight=number`, checked against the policy's names and bounds."""
    key, _, value = (part.strip() for part in setting.partition("="))
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if key in policy.bounds and math.isnan(number):
        raise PolicyError(f"policy {policy.name}: weight {key}={value!r} is no number")
    return {key: checked(policy, key, number)}


def checked(policy: Policy, key: str, number: float) -> float:
    """A weight that the policy has, within its bounds."""
    if key not in policy.bounds:
        known = ", ".join(policy.bounds) or "none"
        raise PolicyError(f"policy {policy.name} has no weight {key!r}{near(key, policy.bounds)}; its weights: {known}")
    weight = policy.bounds[key]
    if not weight.low <= number <= weight.high:
        raise PolicyError(f"policy {policy.name}: weight {key}={number:g} is outside {weight.low:g} to {weight.high:g}")
    return number


def read_weights_file(policy: Policy, path: Path) -> dict[str, float]:
    """The `[weights]` of a TOML file, as `lagranja tune` writes it."""
    try:
        table = tomllib.loads(read_text(path)).get("weights")
    except Unreadable as error:
        raise PolicyError(f"weights file {error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PolicyError(f"weights file {path}: {error}") from None
    if not isinstance(table, dict) or not all(isinstance(value, int | float) for value in table.values()):
        raise PolicyError(f"weights file {path}: expected a table [weights] of numbers")
    return {key: checked(policy, key, as_float(value)) for key, value in table.items()}


def as_float(number: float) -> float:
    """A number as it is compiled; a whole one that is too large for that is beyond any bound."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def describe(path: Path) -> Policy:
    """What a policy file says of itself, read without running it."""
    return described(path, ())


@cache
def described(path: Path, referring: tuple[Path, ...]) -> Policy:
    """The same for a policy that others refer to, as BASE or WEIGHTS_OF; `referring` are those files, outermost first."""
    if path in referring:
        raise PolicyError(f"{referring[0]}: its BASE or WEIGHTS_OF leads back to {path.name}")
    source, tree = read_source(path)
    doc = (ast.get_docstring(tree) or "").partition("\n")[0]
    digest = hashlib.sha256(source.encode())
    base = literal(path, tree, "BASE")
    if base is not None:
        policy = derived(path, doc, described(file_of(str(base)), (*referring, path)), literal(path, tree, "WEIGHTS") or {})
        digest.update(policy.hash.encode())
    else:
        bounds = read_bounds(path, tree)
        other = literal(path, tree, "WEIGHTS_OF")
        if other is not None:
            parent = described(file_of(str(other)), (*referring, path))
            bounds = bounds_of(parent) | bounds
            digest.update(parent.hash.encode())
        policy = Policy(path.stem, path, path, doc, kind_of(path, tree), bounds, {key: weight.default for key, weight in bounds.items()})
    tuned = path.with_suffix(".toml")
    if os.path.lexists(tuned):
        policy = replace(policy, weights=policy.weights | read_weights_file(policy, tuned))
        digest.update(tuned.read_bytes())
    return replace(policy, hash=digest.hexdigest()[:16])


def read_source(path: Path) -> tuple[str, ast.Module]:
    """The text of a policy file and what it says."""
    if path.stem != path.stem.strip() or set(path.stem) & set(",:="):
        raise PolicyError(f"{path}: a policy whose name holds a comma, a colon, = or a space at its end cannot be called")
    try:
        source = read_text(path)
        return source, ast.parse(source)
    except Unreadable as error:
        raise PolicyError(str(error)) from None
    except SyntaxError as error:
        raise PolicyError(f"{path}, line {error.lineno}: {error.msg}") from None
    except (RecursionError, MemoryError):  # the parser's word for brackets without end
        raise PolicyError(f"{path}: is nested too deeply to be read") from None


def bounds_of(parent: Policy) -> dict[str, Weight]:
    """`WEIGHTS_OF = "other"`: the weights of another policy come first, with its tuned defaults."""
    return {key: replace(weight, default=parent.weights[key]) for key, weight in parent.bounds.items()}


def kind_of(path: Path, tree: ast.Module) -> str:
    """Which of the ways to choose a policy file has."""
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for kind, name in (("choose", "choose"), ("score", "score"), ("class", "Policy")):
        if name in names:
            return kind
    raise PolicyError(f"{path}: a policy has a function `choose` or `score`, a class `Policy`, or a BASE")


def derived(path: Path, doc: str, parent: Policy, weights: Any) -> Policy:
    """A policy that plays as another does, with other default weights."""
    named = replace(parent, name=path.stem)
    if not isinstance(weights, dict) or not all(isinstance(value, int | float) for value in weights.values()):
        raise PolicyError(f"{path}: beside BASE, WEIGHTS is a dict of name: number")
    own = {str(key): checked(named, str(key), as_float(value)) for key, value in weights.items()}
    return replace(named, path=path, doc=doc, weights=parent.weights | own)


def literal(path: Path, tree: ast.Module, name: str) -> Any:
    """The literal value a policy file gives a name, or None."""
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            try:
                return ast.literal_eval(node.value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                raise PolicyError(f"{path}, line {node.lineno}: {name} is written out, without names or calls") from None
    return None


def read_bounds(path: Path, tree: ast.Module) -> dict[str, Weight]:
    """The `WEIGHTS` of a policy file: name: (default, low, high)."""
    written = literal(path, tree, "WEIGHTS") or {}
    try:
        weights = {str(key): Weight(*map(float, value)) for key, value in written.items()}
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise PolicyError(f"{path}: WEIGHTS is a dict of name: (default, low, high)") from None
    if len(weights) > MAX_WEIGHTS:
        raise PolicyError(f"{path}: {len(weights)} weights; at most {MAX_WEIGHTS}")
    for key, weight in weights.items():
        if not weight.low <= weight.default <= weight.high:
            raise PolicyError(f"{path}: weight {key}: default {weight.default:g} is outside {weight.low:g} to {weight.high:g}")
    return weights


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
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PolicyError(exception_message(error, path)) from error
    return module
