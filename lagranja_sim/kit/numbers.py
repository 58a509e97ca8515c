"""Components of a game that is made of numbers only: a model of whole numbers, variants that change some of them, and the box they make.

class Rules(Numbers):
    limit: int = Field(21, ge=2, le=99)

COMPONENTS = NumberKit("limit", "Twenty-one", Rules, range(2, 4), {"usual": {}, "short": {"limit": 12}})
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from lagranja_sim.kit.addresses import changed, matching
from lagranja_sim.kit.explain import explain
from lagranja_sim.kit.problems import ComponentsError, near, no_such
from lagranja_sim.kit.records import record
from lagranja_sim.kit.sources import SourceCount
from lagranja_sim.textfile import Unreadable, read_text


class Numbers(BaseModel):
    """The numbers of a game, each with its default and its bounds."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True, eq=False)
class NumberComponents:
    """The numbers under one variant. `box[0]` is what the kernels take: a field a number."""

    game: str
    title: str
    players: range
    variant: str
    rules: Numbers
    box: np.ndarray
    differences: dict[str, object]

    @property
    def hash(self) -> str:
        """Of all that can influence a game."""
        return hashlib.sha256(json.dumps(self.rules.model_dump(), sort_keys=True).encode()).hexdigest()[:16]

    def sources(self) -> list[SourceCount]:
        """All numbers are as their author wrote them."""
        return [SourceCount("rule numbers", len(type(self.rules).model_fields), 0, 0)]

    def reconstructed_share(self) -> float:
        """None are guessed."""
        return 0.0


@dataclass(frozen=True, eq=False)
class NumberKit:
    """Loads and shows them."""

    game: str
    title: str
    model: type[Numbers]
    players: range
    variants: Mapping[str, Mapping[str, int]]  # differences from the defaults, by name

    @property
    def box(self) -> np.dtype[Any]:
        """The record of the numbers."""
        return record(*((name, np.int64) for name in self.model.model_fields))

    def load(self, folder: Path | None, variant: str | Path, overrides: Mapping[str, Any] | None = None) -> NumberComponents:
        """The numbers under a variant, by name or in a TOML file, and single changes. Raises ComponentsError."""
        if folder:
            raise ComponentsError([f"{folder}: {self.title} has no folder of components; its numbers are changed one by one: number=value"])
        try:
            rules = self.model.model_validate(self._changed(self._differences(variant), overrides or {}))
        except ValidationError as error:
            raise ComponentsError(self._findings(error)) from None
        box = np.zeros(1, self.box)
        for name, value in rules.model_dump().items():
            box[name] = value
        usual = self.model().model_dump()
        differences = {name: value for name, value in rules.model_dump().items() if value != usual[name]}
        name = variant.stem if isinstance(variant, Path) else variant
        return NumberComponents(self.game, self.title, self.players, name, rules, box, differences)

    def _changed(self, differences: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
        """A variant's numbers with single changes, which may be steps and stand for several numbers (see `addresses`)."""
        numbers, usual = dict(differences), self.model().model_dump()
        for pattern, value in overrides.items():
            for name in matching(pattern, usual) or [pattern]:
                try:
                    numbers[name] = changed(numbers.get(name, usual.get(name)), value)
                except ValueError as error:
                    raise ComponentsError([f"override, {name}: {error}"]) from None
        return numbers

    def _differences(self, variant: str | Path) -> Mapping[str, Any]:
        if isinstance(variant, Path):
            try:
                return tomllib.loads(read_text(variant))
            except (Unreadable, tomllib.TOMLDecodeError) as error:
                raise ComponentsError([f"{variant}: {error}"]) from None
        if variant not in self.variants:
            raise ComponentsError([no_such(variant, "variant", list(self.variants))])
        return self.variants[variant]

    def _findings(self, error: ValidationError) -> Iterable[str]:
        for finding in error.errors():
            name = str(finding["loc"][0])
            hint = near(name, self.keys()) if finding["type"] == "extra_forbidden" else ""
            yield f"override, {name}: {f'is no number of the rules{hint}' if hint else explain(finding, self.model)}"

    def variant_paths(self) -> Mapping[str, Path]:
        """Variants are no files."""
        return {}

    def keys(self) -> Iterable[str]:
        """What an override may name."""
        return list(self.model.model_fields)

    def values(self, components: Any) -> Mapping[str, Any]:
        """The numbers by name."""
        return dict(components.rules.model_dump())

    def show(self, components: Any, part: str | None, as_json: bool) -> None:
        """Print the numbers; they are one part, `rules`."""
        if part not in (None, "rules"):
            raise ComponentsError([no_such(part, "part", ["rules"])])
        values = components.rules.model_dump()
        print(json.dumps(values) if as_json else "\n".join(f"{name:24} {value}" for name, value in values.items()))

    def show_variants(self, folder: Path | None, as_json: bool) -> None:
        """Print what each variant changes."""
        loaded = {name: self.load(folder, name) for name in self.variants}
        if as_json:
            print(json.dumps({name: components.differences for name, components in loaded.items()}))
            return
        for name, components in loaded.items():
            print(f"{name:14} {', '.join(f'{key} = {value}' for key, value in components.differences.items()) or 'as it is'}")
