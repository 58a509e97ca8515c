"""Policies by name: found in the plug-in folders, described, and given their weights.

A policy file has a docstring (its first line is shown), `WEIGHTS` (name: (default, low, high)) and one of
- `choose(game, box, seat, options, weights, notes)`: the index of an option,
- `score(game, box, seat, option, weights, notes)`: a number for one option; the best is taken, the first of equals,
- `class Policy` with a method `choose` of the same meaning: not compiled, slower, free to use any Python,
- `BASE = "other"`: it plays as that policy does, with other default weights; `WEIGHTS` are then plain numbers.
`WEIGHTS_OF = "other"` puts the weights of another policy before its own, for a policy that plays with that one's judgement; "toolkit" stands for
those of the game's toolkit. `PLAYS = "name"` says which game it plays, if that is another than La Granja.
Defaults that a tuner found stand in a weights file of the same name beside it (`balanced.toml`).
"""

import hashlib
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from lagranja_sim.game import find_game
from lagranja_sim.plugins import DEFAULT_GAME, hiding, plugin_files
from lagranja_sim.policy.call import Call, exact
from lagranja_sim.policy.errors import PolicyError, at_line
from lagranja_sim.policy.modules import files_of, load_module
from lagranja_sim.policy.written import Written, setting_of, source_of, syntax_tree, written
from lagranja_sim.spelling import near
from lagranja_sim.textfile import Unreadable, line_of, read_text

MAX_WEIGHTS = 64
TOOLKIT = "toolkit"  # in WEIGHTS_OF


@dataclass(frozen=True)
class Weight:
    """A named number of a policy: its default and the bounds a tuner keeps to."""

    default: float
    low: float
    high: float


@dataclass(frozen=True)
class Policy:
    """A policy with its weights settled; nothing is run before it plays or its hash is asked for."""

    name: str  # as it is called, but only with weights that are not the defaults: `greedy`, `greedy:share=2`
    path: Path
    code: Path  # the file whose function plays: the policy's own or its base's
    doc: str  # first line of its docstring
    kind: str  # choose, score or class
    game: str  # the name of the game that it plays
    bounds: dict[str, Weight]
    weights: dict[str, float] = field(default_factory=dict)
    texts: str = ""  # a hash of its file, of those that it imports or stands on, and of weights beside them

    @property
    def compiled(self) -> bool:
        return self.kind != "class"

    @property
    def hash(self) -> str:
        """Of all that decides how it plays under given weights: the texts, and the values that its code takes from elsewhere when run.

        Raises PolicyError if the file cannot be run, or compiled code would take in what cannot be told by its content.
        """
        return hashlib.sha256(f"{self.texts} {hash_taken_in(self.code, self.kind)}".encode()).hexdigest()[:16]


# --- finding ---------------------------------------------------------------------------------------------------------------------


def policy_files() -> dict[str, Path]:
    """Every policy by name; an own file hides a shipped one of the same name."""
    return plugin_files("policies", ".py")


def list_policies(game: str = DEFAULT_GAME, on_broken: Callable[[PolicyError], None] | None = None) -> list[Policy]:
    """All policies of a game with their default weights, by name. A file that cannot be read raises, or is reported to `on_broken` and left out."""
    policies = []
    for _, path in sorted(policy_files().items()):
        try:
            policies.append(_describe_plugin(path))
        except PolicyError as error:
            if on_broken is None:
                raise
            on_broken(error)
    return [policy for policy in policies if policy.game == game]


def find_policy(text: str) -> Policy:
    """The policy that a call stands for, e.g. `greedy:share=2` (see `policy.call`); what the call itself sets overrides its weights files."""
    call = Call.of(text)
    policy = _describe_plugin(file_of(call.name))
    weights = policy.weights | from_files(policy, call.files) | from_settings(policy, call.settings)
    changed = sorted((key, value) for key, value in weights.items() if value != policy.weights[key])
    name = f"{call.name}:{','.join(f'{key}={exact(value)}' for key, value in changed)}" if changed else call.name
    return replace(policy, name=name, weights=weights)


def _describe_plugin(path: Path) -> Policy:
    """The policy of a plug-in folder, with its default weights; the error for a broken file says if it hides a shipped one."""
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


# --- weights of a call -----------------------------------------------------------------------------------------------------------


def from_settings(policy: Policy, settings: Iterable[str]) -> dict[str, float]:
    """`weight=number`, each once, checked against the policy's names and bounds."""
    weights: dict[str, float] = {}
    for setting in settings:
        key, _, value = (part.strip() for part in setting.partition("="))
        if key in weights:
            raise PolicyError(f"policy {policy.name}: weight {key} is set twice, to {exact(weights[key])} and to {value}")
        weights[key] = check_weight(policy, key, number_in(policy, key, value))
    return weights


def number_in(policy: Policy, key: str, value: str) -> float:
    """The number that a text stands for; nan for a text that is no number if the policy has no such weight, which is reported later."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if key in policy.bounds and math.isnan(number):
        raise PolicyError(f"policy {policy.name}: weight {key}={value!r} is no number")
    return number


def check_weight(policy: Policy, key: str, number: float) -> float:
    """The number, if the policy has such a weight and it is within its bounds."""
    if key not in policy.bounds:
        known = ", ".join(policy.bounds) or "none"
        raise PolicyError(f"policy {policy.name} has no weight {key!r}{near(key, policy.bounds)}; its weights: {known}")
    weight = policy.bounds[key]
    if not weight.low <= number <= weight.high:
        raise PolicyError(f"policy {policy.name}: weight {key}={exact(number)} is outside {exact(weight.low)} to {exact(weight.high)}")
    return number + 0.0  # -0.0 is 0


def from_files(policy: Policy, files: Iterable[str]) -> dict[str, float]:
    """The weights in all files; no two files may set the same one."""
    weights: dict[str, float] = {}
    for file in files:
        file_weights = read_weights_file(policy, Path(file))
        if twice := sorted(weights.keys() & file_weights.keys()):
            raise PolicyError(f"policy {policy.name}: weight {twice[0]} is set by two files, {' and '.join(files)}")
        weights |= file_weights
    return weights


def read_weights_file(policy: Policy, path: Path) -> dict[str, float]:
    """The `[weights]` of a TOML file, as `lagranja tune` writes it."""
    try:
        text = read_text(path)
        table = tomllib.loads(text)
    except Unreadable as error:
        raise PolicyError(f"weights file {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"weights file {path}: {error}") from None
    except RecursionError:
        raise PolicyError(f"weights file {path}: is nested too deeply to be read") from None
    for key in table:
        if key != "weights":
            reason = (
                f"'{key}' stands outside the table [weights]" if key in policy.bounds else f"'{key}' is not read{near(key, ['weights'])}"
            )
            raise weights_file_error(path, text, key, f"{reason}; expected a table [weights] of numbers")
    if not isinstance(table.get("weights"), dict):
        raise weights_file_error(path, text, "weights", "expected a table [weights] of numbers")
    return {key: weight_in_file(policy, path, text, (key, value)) for key, value in table["weights"].items()}


def weight_in_file(policy: Policy, path: Path, text: str, weight: tuple[str, Any]) -> float:
    """One weight of a file."""
    key, value = weight
    if not is_number(value):
        raise weights_file_error(path, text, key, f"{key} is no number; expected a table [weights] of numbers")
    try:
        return check_weight(policy, key, float(value))
    except PolicyError as error:
        raise weights_file_error(path, text, key, str(error)) from None


def weights_file_error(path: Path, text: str, key: str, problem: str) -> PolicyError:
    """An error about a key of a weights file, with its line."""
    line = line_of(text, key)
    return PolicyError(f"weights file {path}{f', line {line}' if line else ''}: {problem}")


def is_number(value: Any) -> bool:
    """Whether a value can be a weight; true and false are no numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value)


def is_finite(value: float) -> bool:
    """Whether a number is neither infinite nor too large for a float."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


# --- what a file says of itself --------------------------------------------------------------------------------------------------


def describe(path: Path) -> Policy:
    """What a policy file says of itself, read without running it."""
    return describe_referred(path, ())


@cache
def describe_referred(path: Path, referring: tuple[Path, ...]) -> Policy:
    """Describe a policy that others refer to, as BASE or WEIGHTS_OF; `referring` are their files, outermost first."""
    if path in referring:
        raise PolicyError(f"{referring[0]}: its BASE or WEIGHTS_OF leads back to {path.name}")
    check_name(path)
    source = written(path)
    parents = [
        parent_of(name, source, (*referring, path)) for name in (source.value("BASE"), source.value("WEIGHTS_OF")) if name is not None
    ]
    policy = own_policy(source, parents) if source.kind else derived_policy(source, parents[0])
    texts = [*texts_of(path), *(parent.texts.encode() for parent in parents)]
    weights_file = path.with_suffix(".toml")
    if os.path.lexists(weights_file):
        policy = replace(policy, weights=policy.weights | read_weights_file(policy, weights_file))
        texts.append(weights_file.read_bytes())
    return replace(policy, texts=hashlib.sha256(b"".join(hashlib.sha256(text).digest() for text in texts)).hexdigest())


def parent_of(name: str, source: Written, referring: tuple[Path, ...]) -> Policy:
    """The policy that BASE or WEIGHTS_OF names, which plays the same game; or the weights of the game's toolkit."""
    if name == TOOLKIT and (toolkit_file := find_game(game_of(source)).policies.weights_file):
        return weights_of_toolkit(toolkit_file, game_of(source))
    parent = describe_referred(file_of(name), referring)
    if "PLAYS" in source.settings and parent.game != game_of(source):
        raise source.problem("PLAYS", f"{name} plays {parent.game}, not {game_of(source)}")
    return parent


@cache
def weights_of_toolkit(file: Path, game: str) -> Policy:
    """The weights of a toolkit, as a policy that others can take them from."""
    setting = setting_of(file, syntax_tree(file), "WEIGHTS")
    assert setting is not None
    policy = own_policy(Written(file, "", {"WEIGHTS": setting}, "choose"), [])
    return replace(policy, game=game, texts=hashlib.sha256(source_of(file)).hexdigest())


def game_of(source: Written) -> str:
    """The game that a policy file says it plays."""
    return str(source.value("PLAYS") or DEFAULT_GAME)


def check_name(path: Path) -> None:
    """Refuse a policy whose name a call cannot spell."""
    name = path.stem
    if name != name.strip() or set(name) & set(',:="') or name.startswith("@"):
        reason = 'holds a comma, a colon, = or ", begins with @ or has a space at an end'
        raise PolicyError(f"{path}: a policy whose name {reason} cannot be called")


def texts_of(path: Path) -> list[bytes]:
    """The text of a policy file, then the names and texts of the files that it imports."""
    others = sorted((name.partition(".")[2].encode(), source_of(file)) for name, file in files_of(path).items() if file != path)
    return [source_of(path), *(part for pair in others for part in pair)]


def own_policy(source: Written, parents: Sequence[Policy]) -> Policy:
    """A policy that plays by its own function; with `WEIGHTS_OF` the weights of another one come first, with its tuned defaults."""
    bounds = {key: replace(weight, default=parent.weights[key]) for parent in parents for key, weight in parent.bounds.items()}
    bounds |= own_bounds(source)
    if len(bounds) > MAX_WEIGHTS:
        raise PolicyError(f"{source.path}: {len(bounds)} weights; at most {MAX_WEIGHTS}")
    defaults = {key: weight.default for key, weight in bounds.items()}
    game = source.value("PLAYS") or next((parent.game for parent in parents), DEFAULT_GAME)
    return Policy(source.path.stem, source.path, source.path, source.doc, source.kind, game, bounds, defaults)


def own_bounds(source: Written) -> dict[str, Weight]:
    """The `WEIGHTS` of a policy file: name: (default, low, high)."""
    bounds: dict[str, Weight] = {}
    for key, value in (source.value("WEIGHTS") or {}).items():
        if not isinstance(value, tuple | list) or len(value) != 3 or not all(map(is_number, value)):
            raise source.problem("WEIGHTS", f"weight {key}: WEIGHTS is a dict of name: (default, low, high), three finite numbers", key)
        check_key(source, key)
        weight = bounds[key] = Weight(*map(float, value))
        if not weight.low <= weight.default <= weight.high:
            reason = f"default {exact(weight.default)} is outside {exact(weight.low)} to {exact(weight.high)}"
            raise source.problem("WEIGHTS", f"weight {key}: {reason}", key)
    return bounds


def check_key(source: Written, key: Any) -> None:
    """Refuse a weight whose name a call cannot spell."""
    if not isinstance(key, str) or not re.fullmatch(r'[^\s,:=@"+]+', key):
        raise source.problem("WEIGHTS", f'{key!r} is no name for a weight: a text without spaces and without any of , : = @ " +', key)


def derived_policy(source: Written, parent: Policy) -> Policy:
    """A policy that plays as another does, with other default weights."""
    policy = replace(parent, name=source.path.stem)
    weights: dict[str, float] = {}
    for key, value in (source.value("WEIGHTS") or {}).items():
        if not is_number(value):
            raise source.problem("WEIGHTS", f"weight {key}: beside BASE, WEIGHTS is a dict of name: number", key)
        try:
            weights[key] = check_weight(policy, key, float(value))
        except PolicyError as error:
            raise source.problem("WEIGHTS", str(error), key) from None
    return replace(policy, path=source.path, doc=source.doc, weights=parent.weights | weights)


# --- what its code takes in ------------------------------------------------------------------------------------------------------


@cache
def hash_taken_in(code: Path, kind: str) -> str:
    """A hash of what the function or class of a policy file takes from outside the texts that it is made of, once the file has been run."""
    return hash_taken_in_now(code, kind)


def check_taken_in(code: Path, kind: str) -> None:
    """Refuse what compiled code must not take in, and what has changed since the policy's hash was computed."""
    if hash_taken_in(code, kind) != hash_taken_in_now(code, kind):
        raise PolicyError(f"{code}: another policy's file has changed a value that this one takes in; what is shared is to stay as it is")


def hash_taken_in_now(code: Path, kind: str) -> str:
    """The same hash for the present values."""
    from lagranja_sim.frozen import Unknowable, digest  # the compiler takes a moment to import

    name = "Policy" if kind == "class" else kind
    try:
        return digest(vars(load_module(code))[name], map(str, files_of(code).values()), compiled=kind != "class")
    except KeyError:
        raise PolicyError(f"{code}: there is no {name} any more once the file has been run") from None
    except Unknowable as error:
        if error.code is None:
            raise PolicyError(f"{code}: {name} is {error.text}") from None
        raise PolicyError(at_line(Path(error.code.co_filename), error.text, error.code.co_firstlineno)) from None
