"""A comparison read from a file: a TOML file in experiments/ that lists arms, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from lagranja_sim.game import find_game
from lagranja_sim.plugins import DEFAULT_GAME, plugin_files
from lagranja_sim.runs.experiment import MOST_GAMES, MOST_PLAYERS, MOST_SEED, ExperimentError, entry_of, in_words, read_toml
from lagranja_sim.spelling import near

OPTIONS = ("games", "players", "seed", "policies", "variant", "metric")  # that the command line may set instead


class ComparisonFile(BaseModel):
    """The arms of a comparison, and options for those that the command line does not give."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    description: str = ""
    arms: list[str] = Field(min_length=1)
    game: str = DEFAULT_GAME
    games: int | None = Field(None, ge=1, le=MOST_GAMES)
    players: int | None = Field(None, ge=1, le=MOST_PLAYERS)
    seed: int | None = Field(None, ge=0, le=MOST_SEED)
    policies: list[str] | None = Field(None, min_length=1)
    variant: str | None = None
    metric: list[str] | None = Field(None, min_length=1)

    def fill_in(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options of a call, with the file's values for those that it leaves out; lists as the command line spells them."""
        own = {key: ",".join(value) if isinstance(value, list) else value for key, value in self.model_dump(include=set(OPTIONS)).items()}
        return {key: own[key] if value is None and key in own else value for key, value in options.items()}


def comparison_file(game: str, arms: Sequence[str]) -> ComparisonFile | None:
    """The comparison that a single arm names, by its file or by its name in experiments/; None if it is an arm like any other."""
    path = _file(arms[0]) if len(arms) == 1 else None
    if path is None:
        return None
    try:
        _, data = read_toml(path)
    except ExperimentError:
        if arms[0] in find_game(game).components.variant_paths():
            return None  # a broken file does not hide a variant of its name
        raise
    if "arms" not in data:
        return None
    try:
        return ComparisonFile.model_validate(data)
    except ValidationError as error:
        raise ExperimentError([_problem(path, detail) for detail in error.errors()]) from None


def filled_in(game: str, arms: Sequence[str], options: dict[str, Any]) -> tuple[str, list[str], dict[str, Any]]:
    """Game, arms and options of a call, from the file that it names if it names one."""
    file = comparison_file(game, arms)
    return (file.game, file.arms, file.fill_in(options)) if file else (game, list(arms), options)


def _problem(path: Path, detail: ErrorDetails) -> str:
    key = str(detail["loc"][0])
    hint = near(key, ComparisonFile.model_fields) if detail["type"] == "extra_forbidden" else ""
    return f"{path}, {key}{entry_of(detail)}: {in_words(detail)}{hint}"


def _file(name: str) -> Path | None:
    """The file a name stands for."""
    if name.endswith(".toml"):
        return Path(name) if Path(name).is_file() else None
    return plugin_files("experiments", ".toml").get(name)
