"""Variants: TOML files that name what differs from rules.toml, laid one on top of the other along `base`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from lagranja_sim.games.lagranja.components.addresses import is_printed
from lagranja_sim.games.lagranja.components.changes import Change
from lagranja_sim.games.lagranja.components.rulebook import Rules, conflicts, known_keys
from lagranja_sim.kit.explain import explain
from lagranja_sim.kit.problems import ComponentsError, shown
from lagranja_sim.kit.tomlfile import Layer, Tree, flatten, merge, read_layer
from lagranja_sim.spelling import listing, near

PRINTED = Path(__file__).parent / "printed"
HEADINGS = ("name", "title", "base")  # keys of a variant's file that are no rules
RULES_FILE = "rules.toml"


@dataclass(frozen=True)
class Variant:
    name: str
    title: str
    base: str
    path: Path
    layer: Layer  # the differences alone


class VariantInfo(NamedTuple):
    name: str
    title: str
    path: Path
    differences: dict[str, object]


class Resolved(NamedTuple):
    """The rules under a variant, and where each value is from."""

    rules: Rules
    variant: Variant
    differences: dict[str, object]
    marks: dict[str, str]  # dotted key -> source, as marked in rules.toml
    origins: dict[str, Layer]
    changes: list[Change]  # of printed values
    printed: Tree  # rules.toml

    def where(self, key: str) -> str:
        return where(self.origins, key)


# --- finding and reading variants ------------------------------------------------------------------------------------------------


def _folders(directory: Path | None) -> list[Path]:
    """Those of a set of components, of the current folder, and the shipped ones."""
    folders = [directory / "variants"] if directory else []
    return [folder for folder in (*folders, Path("variants"), PRINTED / "variants") if folder.is_dir()]


def variant_paths(directory: Path | None = None) -> dict[str, Path]:
    """Every variant known by name; one of one's own hides a shipped one. Hidden files, such as editors' locks, are not variants."""
    paths = (path for folder in reversed(_folders(directory)) for path in sorted(folder.glob("*.toml")))
    return {path.stem: path for path in paths if not path.name.startswith(".")}


def _find(name: str, directory: Path | None, beside: Path | None) -> Path:
    known = variant_paths(directory)
    if name in known:
        return known[name]
    if name.endswith(".toml"):
        candidates = [*([beside / name] if beside else []), Path(name)]
        if file := next((path for path in candidates if path.is_file()), None):
            return file
        raise ValueError(f"{shown(name)} is no file; expected the path of a TOML file of differences")
    raise ValueError(f"{shown(name)} is no variant{near(name, known)}; expected {listing(sorted(known))}, or a path that ends in .toml")


def _label(path: Path) -> str:
    return f"variants/{path.name}" if path.parent.name == "variants" else str(path)


def _heading_problems(layer: Layer, stem: str) -> Iterable[str]:
    for key in HEADINGS:
        if not isinstance(layer.tree.get(key, ""), str):
            yield f"{layer.where(key)}, {key}: {shown(layer.tree[key])} does not fit; expected text"
    if isinstance(name := layer.tree.get("name", stem), str) and name != stem:
        yield f"{layer.where('name')}, name: {shown(name)} does not fit; expected {shown(stem)}, as the file is called"


def read_variant(path: Path) -> Variant:
    """Read one variant's file; its bases are not looked at."""
    layer = read_layer(path, _label(path))
    if problems := list(_heading_problems(layer, path.stem)):
        raise ComponentsError(problems)
    heading = {"name": path.stem, "title": path.stem, "base": ""} | {key: layer.tree[key] for key in HEADINGS if key in layer.tree}
    differences = {key: value for key, value in layer.tree.items() if key not in HEADINGS}
    return Variant(**heading, path=path, layer=Layer(layer.label, differences, layer.lines))


def variant_chain(name: str | Path, directory: Path | None = None) -> list[Variant]:
    """The variant and all it builds on, the base first."""
    chain: list[Variant] = []
    seen: list[Path] = []
    next_name, origin = str(name), ""
    while next_name or not chain:
        try:
            path = _find(next_name, directory, chain[0].path.parent if chain else None)
        except ValueError as error:
            raise ValueError(f"{origin}{error}") from None
        if path.resolve() in seen:
            circle = " -> ".join([*(variant.name for variant in reversed(chain)), path.stem])
            raise ValueError(f'{origin}the bases go round in a circle ({circle}); expected a chain that ends with base = ""')
        seen.append(path.resolve())
        chain.insert(0, read_variant(path))
        next_name, origin = chain[0].base, f"{chain[0].layer.where('base')}, base: "
    return chain


# --- the rules under a variant -------------------------------------------------------------------------------------------------------


def _in_words(key: str) -> str:
    """A dotted key with places in lists counted from 1."""
    return re.sub(r"\.(\d+)", lambda place: f", entry {int(place[1]) + 1}", key)


def where(origins: Mapping[str, Layer], key: str) -> str:
    """File, line and key from which the value of a dotted key is, or the table around it."""
    path = key.split(".")
    above = (".".join(path[:end]) for end in range(len(path), 0, -1))
    layer = next((origins[name] for name in above if name in origins), None)
    layer = layer or next((layer for name, layer in origins.items() if name.startswith(f"{key}.")), None)
    return f"{layer.where(key) if layer else RULES_FILE}, {_in_words(key)}"


def _unknown(key: str) -> str:
    """That a key is unknown, and which known ones are near: by spelling, or the same name in another table."""
    known = list(known_keys())
    table, _, last = key.rpartition(".")
    if elsewhere := [name for name in known if name.rpartition(".")[2] == last]:
        return f"is no key of the rules{near(key, elsewhere)}; expected {listing(elsewhere)}"
    siblings = [name for name in known if name.rpartition(".")[0] == table]
    return f"is no key of the rules{near(key, known)}; expected {listing(siblings or [k for k in known if '.' not in k])}"


def _findings(error: ValidationError, origins: Mapping[str, Layer]) -> Iterable[str]:
    for finding in error.errors():
        key = ".".join(map(str, finding["loc"]))
        if finding["type"] == "extra_forbidden":
            for leaf in [name for name in origins if name == key or name.startswith(f"{key}.")] or [key]:
                yield f"{where(origins, leaf)}: {_unknown(leaf)}"
        elif finding["type"] == "missing":
            yield f"{RULES_FILE}, {key}: {explain(finding, Rules)}"
        else:
            yield f"{where(origins, key)}: {explain(finding, Rules)}"


def _validate(tree: Tree, origins: Mapping[str, Layer]) -> Rules:
    try:
        rules = Rules.model_validate(tree)
    except ValidationError as error:
        raise ComponentsError(_findings(error, origins)) from None
    if problems := [f"{where(origins, key)}: {text}" for key, text in conflicts(rules)]:
        raise ComponentsError(problems)
    return rules


def _split(layer: Layer) -> tuple[Layer, list[Change]]:
    """What a layer says of the rules, and what of components."""
    flat = flatten(layer.tree)
    changes = [Change(key, value, layer.where(key)) for key, value in flat.items() if is_printed(key)]
    rules = {key: value for key, value in flat.items() if not is_printed(key)}
    return Layer(layer.label, rules, layer.lines, layer.marks), changes


def _differences(tree: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, object]:
    """What is new, by address; of a list that has as many entries as before, the entries."""
    before = flatten(base)
    new = {key: value for key, value in flatten(tree).items() if key not in before or before[key] != value}
    return {address: value for key in new for address, value in _new_entries(key, new[key], before.get(key))}


def _new_entries(key: str, now: Any, before: Any) -> Iterable[tuple[str, Any]]:
    if not (isinstance(now, list) and isinstance(before, list) and len(now) == len(before)):
        return [(key, now)]
    return [(f"{key}.{number}", entry) for number, (entry, old) in enumerate(zip(now, before, strict=True), start=1) if entry != old]


def resolve(variant: str | Path, directory: Path | None = None, overrides: Mapping[str, object] | None = None) -> Resolved:
    """rules.toml, the variant's chain and the overrides, one on top of the other; raises `ValueError` with what is wrong."""
    base = read_layer((directory or PRINTED) / RULES_FILE, RULES_FILE)
    chain = variant_chain(variant, directory)
    above = [_split(layer) for layer in (*(item.layer for item in chain), Layer("override", dict(overrides or {})))]
    tree, origins = merge([base, *(layer for layer, _ in above)])
    changes = [change for _, changes in above for change in changes]
    differences = _differences(tree, base.tree) | {change.address: change.value for change in changes}
    return Resolved(_validate(tree, origins), chain[-1], differences, base.marks, origins, changes, base.tree)


def check_folder(directory: Path | None) -> None:
    """Refuse a path that is no folder."""
    if directory and not directory.is_dir():
        raise ComponentsError(
            [f"{directory}: is no folder; expected one with cards.csv, roofs.csv, buildings.csv, market.csv and rules.toml"]
        )


def list_variants(directory: Path | None = None) -> list[VariantInfo]:
    """Every variant known by name, with its differences from rules.toml, bases included; raises `ComponentsError`."""
    check_folder(directory)
    variants, problems = [], []
    for name, path in sorted(variant_paths(directory).items()):
        try:
            resolved = resolve(name, directory)
            variants.append(VariantInfo(name, resolved.variant.title, path, resolved.differences))
        except ValueError as error:
            problems += str(error).splitlines()
    if problems:
        raise ComponentsError(dict.fromkeys(problems))
    return variants
