"""Every policy meets every other: the line-ups, the run that plays them, and the results of each policy.

The unit of every interval is the deal: every line-up plays the same deals in all rotations of its seats, so the games on one deal depend
on each other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.game import find_game
from lagranja_sim.play.driver import warm_up
from lagranja_sim.plugins import DEFAULT_GAME
from lagranja_sim.policy import PolicyError, list_policies
from lagranja_sim.policy.call import with_paths
from lagranja_sim.policy_tools.speed import Speed, measure
from lagranja_sim.runs.experiment import ExperimentError, Loaded, experiment_from
from lagranja_sim.runs.folder import Folder, Unwritten, reason
from lagranja_sim.runs.lineups import design, meetings_of
from lagranja_sim.runs.records import Layout, Run, open_run
from lagranja_sim.runs.resume import find_start, status
from lagranja_sim.runs.setting import Setting
from lagranja_sim.runs.simulate import Listener, carry_out, new_manifest
from lagranja_sim.runs.summary import MEASURES, SEATS, SHARE, share_bounds
from lagranja_sim.runs.workers import Workers
from lagranja_sim.stats.blocks import ANYTHING, Estimate, estimate
from lagranja_sim.stats.ratings import compare, rate

GAMES, PLAYERS, SEED = 10_000, 4, 1
COPIES = 4  # of a policy, playing each other while its speed is measured; fewer if a game has fewer seats
PLAYER_COUNTS = range(2, 10)  # for which line-ups can be made
ENOUGH_DEALS = 40  # a design has so few line-ups that each can play this many deals
LONG = 60.0  # seconds of play from which on the user is told beforehand
FILE = "ladder.json"
NOT_IN_PROFILE = ("game", "seat", "start_position", "rank", *MEASURES)


def prepare(policies: Sequence[str] | None, players: int | None, games: int | None, options: dict[str, Any]) -> Loaded:
    """The experiment of a ladder among these policies, or among all there are; `options` are its other values."""
    rules = find_game(options.get("game") or DEFAULT_GAME)
    names, remarks = readable_policies(rules.name) if policies is None else (list(policies), [])
    players, games = players or min(PLAYERS, rules.records.seats), games or GAMES
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated or len(names) < 2:
        raise PolicyError(
            f"a ladder names every policy once; {repeated[0]} stands twice" if repeated else "a ladder takes two policies or more"
        )
    if players not in PLAYER_COUNTS:
        raise ExperimentError([f"--players: a ladder is for {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]} players, not {players}"])
    seed = SEED if options.get("seed") is None else options["seed"]
    lineups = [list(lineup) for lineup in design(len(names), players, games // (players * ENOUGH_DEALS), seed)]
    values = {"name": "ladder", "games": games, "players": players, "policies": names, "lineups": lineups}
    loaded = experiment_from({**options, **values, "seed": seed})
    return replace(loaded, remarks=[*remarks, *loaded.remarks])


def readable_policies(game: str) -> tuple[list[str], list[str]]:
    """The names of all policies of a game, and remarks on those whose files cannot be read."""
    broken: list[PolicyError] = []
    names = [policy.name for policy in list_policies(game, broken.append)]
    return names, [f"left out: {error}" for error in broken]


@dataclass(frozen=True)
class Ladder:
    """A ladder about to be played."""

    loaded: Loaded
    setting: Setting
    workers: Workers

    @classmethod
    def of(cls, loaded: Loaded, jobs: int | None = None) -> Ladder:
        """Load everything that the experiment names."""
        setting = Setting.checked(loaded)
        texts: dict[str, str] = {}
        for text, policy in zip(loaded.experiment.policies, setting.policies, strict=True):
            if policy.name in texts:
                raise PolicyError(f"{texts[policy.name]} and {text} are the same policy")
            texts[policy.name] = text
        return cls(loaded, setting, Workers.of(setting, jobs))

    def play(self, out: str, force: bool, command: str, listener: Listener) -> dict[str, Any]:
        """Measure and play; the results are returned and written to the run's folder, or `Unwritten` is raised with them."""
        folder = Folder.at(out)
        with folder.hold():
            play = self._runner(folder, force, command, listener)
            folder.try_out()
            speeds = self._speeds(listener)
            self._say_if_long(speeds, listener)
            outcome = results(play(), speeds)
            try:
                folder.write_text(FILE, json.dumps(outcome, indent=1) + "\n")
            except OSError as error:
                raise Unwritten(outcome, f"{folder.url}/{FILE} cannot be written: {reason(error)}") from error
        return outcome

    def _runner(self, folder: Folder, force: bool, command: str, listener: Listener) -> Callable[[], Run]:
        """A function that plays the run, or opens it if all its games are there but no ladder. Refuses a folder that may not be used."""
        experiment = self.loaded.experiment
        manifest = new_manifest(experiment, self.setting, Layout.of(experiment.games, experiment.players), command)
        if status(folder, manifest) == "complete" and not folder.exists(FILE):
            listener.say(f"going on with the ladder in {folder.url}: all its games are there")
            return lambda: open_run(folder.url)
        start = find_start(folder, manifest, force)

        def play() -> Run:
            if folder.exists(FILE):
                folder.remove(FILE)  # another run's
            return carry_out(experiment, self.setting, folder, start, self.workers, listener)

        return play

    def _speeds(self, listener: Listener) -> list[Speed]:
        with listener.compiling() as tell:
            warm_up(self.setting.policies, tell)
        return [measure(self.setting.components, policy, self.copies) for policy in self.setting.policies]

    @property
    def copies(self) -> int:
        """How many copies of a policy play while its speed is measured."""
        return min(COPIES, max(self.setting.components.players))

    def _say_if_long(self, speeds: list[Speed], listener: Listener) -> None:
        seats = np.bincount(np.concatenate(self.setting.lineups), minlength=len(speeds))
        microseconds_a_seat = np.array([speed.microseconds_a_game for speed in speeds]) / self.copies
        seconds = float(seats @ microseconds_a_seat) * self.setting.games_a_lineup / 1e6
        if seconds > LONG * self.workers.jobs:
            slowest = self.setting.policies[int(np.argmax(seats * microseconds_a_seat))].name
            listener.say(f"this takes about {seconds / 60 / self.workers.jobs:,.0f} minutes; most of it goes to {slowest}")


# --- results -------------------------------------------------------------------------------------------------------------------------


def results(run: Run, speeds: Sequence[Speed]) -> dict[str, Any]:
    """Ratings, win shares, points, head to head and profiles, the strongest policy first."""
    names = labels(run.experiment["policies"])
    games = Games.of(run)
    rows = [
        {"policy": name, **measures, "speed": {key: round(value, 2) for key, value in asdict(speed).items()}}
        for name, measures, speed in zip(names, games.measures(run), speeds, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda index: -rows[index]["rating"]["mean"])
    head_to_head = games.head_to_head()
    return {
        **_design(run, len(names)),
        "policies": [rows[index] for index in order],
        "head_to_head": {names[row]: {names[column]: head_to_head[row][column] for column in order if column != row} for row in order},
    }


def labels(texts: Sequence[str]) -> list[str]:
    """The texts that called the policies, weights files without their folders unless two would look the same."""
    short = [label(text) for text in texts]
    return [text if short.count(name) > 1 else name for text, name in zip(texts, short, strict=True)]


def label(text: str) -> str:
    """The text that called a policy, a weights file without its folder."""
    return with_paths(text, lambda path: Path(path).name)


def _design(run: Run, policies: int) -> dict[str, Any]:
    """The run and how many games, line-ups and deals it holds."""
    experiment = run.experiment
    lineups, players = experiment["lineups"], experiment["players"]
    meetings = meetings_of(lineups, policies)[~np.eye(policies, dtype=bool)]
    return {
        "run": run.folder.url,
        "variant": experiment["variant"],
        "players": players,
        "games": experiment["games"],
        "lineups": len(lineups),
        "deals": experiment["games"] // (len(lineups) * players),
        "meetings": {"least": int(meetings.min()), "most": int(meetings.max())},
        "seed": experiment["seed"],
        "seconds": run.manifest["time"]["wall_seconds"],
    }


@dataclass(frozen=True)
class Games:
    """The games of a ladder: for each the policies of its seats, their ranks, and the deal."""

    players: np.ndarray  # games x seats, policies by index
    ranks: np.ndarray
    deals: np.ndarray
    count: int  # of policies
    seed: int
    game: str

    @classmethod
    def of(cls, run: Run) -> Games:
        experiment = run.experiment
        seats, games = experiment["players"], experiment["games"]
        games_a_lineup = games // len(experiment["lineups"])
        rows = run.scan(SEATS).select(pl.col("policy").to_physical(), "rank").collect()
        deals = np.arange(games) % games_a_lineup // seats
        players, ranks = (rows[name].to_numpy().astype(int).reshape(games, seats) for name in rows.columns)
        return cls(players, ranks, deals, len(experiment["policies"]), experiment["seed"], experiment["game"])

    def measures(self, run: Run) -> list[dict[str, Any]]:
        """For each policy: rating, win share and points with intervals, and the means of all other columns of its seats."""
        ratings = rate(compare(self.players, self.ranks, self.deals, self.count), self.seed)
        rows: list[dict[str, Any]] = [{"rating": rating.plain(digits=4)} for rating in ratings]
        seats = run.scan(SEATS).with_columns(deal=pl.Series(np.repeat(self.deals, self.players.shape[1]))).collect()
        for index in range(self.count):
            own_seats = seats.filter(pl.col("policy").to_physical() == index)
            means = own_seats.group_by("deal").agg(pl.col(*MEASURES).cast(pl.Float64).mean()).sort("deal")
            games = own_seats["game"].n_unique()
            bounds = {SHARE: share_bounds(self.game, games, own_seats.height, self.players.shape[1])}
            rows[index] |= {name: _mean_and_interval(means[name].to_numpy(), bounds.get(name, ANYTHING)) for name in MEASURES}
            rows[index]["games"] = games
            rows[index]["profile"] = _profile(own_seats, self.game)
        return rows

    def head_to_head(self) -> list[list[dict[str, float | None]]]:
        """Row against column: the share of meetings in which it finished ahead, equal finishes counting half."""
        shape = int(self.deals.max()) + 1, self.count, self.count
        met, ahead = np.zeros(shape), np.zeros(shape)
        for seat in range(self.players.shape[1]):
            for other in range(self.players.shape[1]):
                if seat != other:
                    pairs = self.deals, self.players[:, seat], self.players[:, other]
                    np.add.at(met, pairs, 1.0)
                    np.add.at(ahead, pairs, (1.0 + np.sign(self.ranks[:, other] - self.ranks[:, seat])) / 2)
        with np.errstate(invalid="ignore"):
            shares = ahead / met
        return [[_mean_and_interval(shares[:, row, column], (0.0, 1.0)) for column in range(self.count)] for row in range(self.count)]


def _profile(seats: pl.DataFrame, game: str) -> dict[str, float]:
    """The mean of every other number in the rows of its seats, except columns in which some values are codes."""
    coded = [column for field in find_game(game).tables[SEATS].fields if field.codes for column in field.columns]
    means = seats.select(pl.selectors.numeric().exclude(*NOT_IN_PROFILE, "deal", *coded).mean())
    return {name: round(float(value), 4) for name, value in means.row(0, named=True).items()}


def _mean_and_interval(deal_means: np.ndarray, bounds: tuple[float, float]) -> dict[str, float | None]:
    known = deal_means[~np.isnan(deal_means)]
    interval = estimate(known, bounds=bounds) if len(known) else Estimate(np.nan, np.nan, np.nan, np.nan, 0)
    return interval.plain(digits=4)
