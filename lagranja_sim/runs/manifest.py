"""What a run's manifest has to hold before it is used: mistakes in one edited by hand, or cut short, are reported key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lagranja_sim.game import find_game
from lagranja_sim.runs.experiment import Experiment, in_words


class ManifestTable(BaseModel):
    """A table of the manifest; keys other than the fields are allowed and not read."""

    model_config = ConfigDict(extra="allow", strict=True)


class Hashes(ManifestTable):
    rules: str
    components: str
    policies: dict[str, str]


class Policy(ManifestTable):
    about: str
    weights: dict[str, float]


class Layout(ManifestTable):
    part_games: int = Field(ge=1)
    parts: int = Field(ge=1)


class Times(ManifestTable):
    started: str
    wall_seconds: float
    cpu_seconds: float


class Part(ManifestTable):
    rows: int = Field(ge=0)
    bytes: int = Field(ge=0)
    sha256: str


class Manifest(ManifestTable):
    status: Literal["running", "complete"]
    command: str
    experiment: Experiment
    hashes: Hashes
    components: dict[str, Any]
    policies: dict[str, Policy]
    versions: dict[str, str]
    machine: dict[str, Any]
    layout: Layout
    time: Times
    parts: dict[str, list[Part]] = {}


class Damaged(ValueError):
    """What is wrong with a manifest, a line for each key."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def check_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest, its experiment complete; raises `Damaged`."""
    try:
        model = Manifest.model_validate(manifest)
    except ValidationError as error:
        raise Damaged([f"{'.'.join(map(str, detail['loc']))}: {in_words(detail)}" for detail in error.errors()]) from None
    if problems := list(_contradictions(model)):
        raise Damaged(problems)
    experiment = model.experiment.model_dump()
    return {**manifest, "experiment": experiment | {"variant": experiment["variant"] or find_game(experiment["game"]).variant}}


def _contradictions(manifest: Manifest) -> Iterator[str]:
    experiment, layout = manifest.experiment, manifest.layout
    if layout.parts != -(-experiment.games // layout.part_games):
        yield f"layout: {experiment.games} games are not {layout.parts} parts of {layout.part_games}"
    seats = {len(lineup) for lineup in experiment.lineups} or {len(experiment.policies)}
    if seats != {experiment.players} or experiment.games % experiment.players:
        yield f"experiment: games, policies or line-ups do not fit {experiment.players} players"
    if any(not 0 <= index < len(experiment.policies) for lineup in experiment.lineups for index in lineup):
        yield "experiment.lineups: they name policies that are not there"
    if manifest.status == "complete" and set(manifest.parts) != set(experiment.log):
        yield "parts: they are not those of the tables that were kept (experiment.log)"
    for table, parts in manifest.parts.items():
        if len(parts) != layout.parts:
            yield f"parts.{table}: {len(parts)} instead of {layout.parts}"
