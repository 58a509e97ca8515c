"""Runs written by tests: tables made up row by row in the layout of a real run, with effects planted in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.tables import TABLES
from lagranja_sim.runs.records import Folder, Layout, to_parquet, write_manifest
from lagranja_sim.runs.records import _facts as facts_of

ROUNDS = 6


def empty(table: str, rows: int) -> dict[str, np.ndarray]:
    """Every column of a table, all 0."""
    return {name: np.zeros(rows, kind) for name, (kind, _) in TABLES[table].columns.fields.items()}


def write_run(folder: Path, tables: dict[str, dict[str, np.ndarray]], policies: list[str], games: int, **experiment: Any) -> Path:
    """A finished run of made-up tables; `policy` is an index into `policies`, which are one a seat."""
    target, players = Folder(str(folder)), len(policies)
    layout = Layout.of(games, players)
    parts: dict[str, list[Any]] = {}
    for table, columns in tables.items():
        frame = pl.DataFrame({name: columns[name].astype(kind) for name, (kind, _) in TABLES[table].columns.fields.items()})
        if table == "seats":
            names = pl.Series(policies, dtype=pl.Enum(list(dict.fromkeys(policies))))
            frame = frame.with_columns(names.gather(frame["policy"].cast(pl.UInt32)).alias("policy"))
        parts[table] = [_write_part(target, table, part, frame, *layout.span(part)) for part in range(layout.parts)]
    write_manifest(target, _manifest(policies, games, layout, parts, experiment))
    return folder


def _write_part(folder: Folder, table: str, part: int, frame: pl.DataFrame, first: int, games: int) -> Any:
    rows = frame.filter(pl.col("game").is_between(first, first + games - 1))
    content = to_parquet(rows)
    folder.write(f"{table}/part-{part:05d}.parquet", content)
    return facts_of(content, rows.height)


def _manifest(policies: list[str], games: int, layout: Layout, parts: dict[str, list[Any]], experiment: dict[str, Any]) -> dict[str, Any]:
    resolved = {
        "name": "made_up",
        "games": games,
        "players": len(policies),
        "variant": "deluxe",
        "seed": 1,
        "policies": policies,
        "overrides": {},
    }
    return {
        "schema_version": 1,
        "status": "complete",
        "command": "none",
        "experiment": {**resolved, "components": None, "lineups": [], "log": list(parts), **experiment},
        "hashes": {"rules": "0", "components": load_components().hash, "policies": dict.fromkeys(policies, "0")},
        "components": {"reconstructed_share": 0.5},
        "policies": {name: {"about": "made up", "weights": {}} for name in policies},
        "versions": {"python": "3"},
        "machine": {"processor": "none"},
        "layout": {"part_games": layout.part_games, "parts": layout.parts},
        "time": {"started": "2026-01-01T00:00:00+00:00", "wall_seconds": 1.0, "cpu_seconds": 1.0},
        "parts": parts,
    }


def made_up_games(games: int, players: int = 4, seed: int = 5) -> dict[str, dict[str, np.ndarray]]:
    """Games, seats and rounds in which nothing matters: random dice, orders, buildings and points, with a luck that each deal shares."""
    chances = np.random.default_rng(seed)
    number = np.arange(games)
    block = number // players
    deal = chances.normal(0, 3, games // players)[block]
    start = chances.integers(0, players, games // players)[block]
    seats = _seats(chances, games, players, number, start, deal)
    return {
        "games": _games(chances, games, players, number, block, start, seats),
        "seats": seats,
        "rounds": _rounds(chances, games, players, number, seats),
    }


def settle(tables: dict[str, dict[str, np.ndarray]], points: np.ndarray) -> None:
    """Add points to seats, and settle who wins."""
    seats = tables["seats"]
    seats["vp"] = (seats["vp"] + points).astype(np.int16)
    seats["vp_building"] = seats["vp"].copy()
    table = seats["vp"].reshape(-1, int(seats["seat"].max()) + 1)
    best = table == table.max(1, keepdims=True)
    seats["win_share"] = (best / best.sum(1, keepdims=True)).ravel().astype(np.float32)
    seats["rank"] = (1 + (table[:, None, :] > table[:, :, None]).sum(2)).ravel().astype(np.int8)
    alone = best.sum(1) == 1
    ordered = np.sort(table, axis=1)
    tables["games"]["winner_seat"] = np.where(alone, best.argmax(1), -1)
    tables["games"]["vp_win"], tables["games"]["vp_margin"] = ordered[:, -1], ordered[:, -1] - ordered[:, -2]


def _seats(
    chances: np.random.Generator, games: int, players: int, number: np.ndarray, start: np.ndarray, deal: np.ndarray
) -> dict[str, np.ndarray]:
    seats = empty("seats", games * players)
    seats["game"] = np.repeat(number, players)
    seats["seat"] = np.tile(np.arange(players), games)
    seats["policy"] = (seats["seat"] - seats["game"].astype(int)) % players
    seats["start_position"] = (seats["seat"] - np.repeat(start, players)) % players + 1
    seats["vp"] = np.round(50 + np.repeat(deal, players) + chances.normal(0, 6, games * players)).astype(np.int16)
    for name in TABLES["seats"].columns.names:
        if name.startswith("craft_round"):
            done = chances.random(games * players) < 0.4
            seats[name] = np.where(done, chances.integers(2, ROUNDS + 1, games * players), 0)
    return seats


def _games(
    chances: np.random.Generator, games: int, players: int, number: np.ndarray, block: np.ndarray, start: np.ndarray, seats: Any
) -> dict[str, np.ndarray]:
    table = empty("games", games)
    table["game"], table["block"], table["rotation"], table["start_seat"] = number, block, number % players, start
    drawn = chances.permuted(np.tile(np.arange(1, 7), (games // players, 1)), axis=1)[:, :3][block]
    for marker in range(3):
        table[f"blocked_{marker + 1}"] = drawn[:, marker]
    for name in TABLES["games"].columns.names:
        if name.startswith("first_round_"):
            rounds = seats[name.replace("first", "craft")].reshape(games, players)
            when = np.where(rounds > 0, rounds, 99)
            table[name] = np.where(when.min(1) < 99, when.min(1), 0)
            table[name.replace("round", "seat")] = np.where(when.min(1) < 99, when.argmin(1), -1)
    return table


def _rounds(chances: np.random.Generator, games: int, players: int, number: np.ndarray, seats: Any) -> dict[str, np.ndarray]:
    table = empty("rounds", games * players * ROUNDS)
    order = seats["start_position"].reshape(games, players)
    rows = {name: column.reshape(games, ROUNDS, players) for name, column in table.items()}  # views
    rows["game"][:] = number[:, None, None]
    rows["round"][:] = np.arange(1, ROUNDS + 1)[None, :, None]
    rows["seat"][:] = np.arange(players)
    for index in range(ROUNDS):
        rows["order_farm"][:, index] = order
        order = chances.permuted(np.tile(np.arange(1, players + 1), (games, 1)), axis=1)
        rows["order_transport"][:, index] = order
        _dice(chances, rows, index, games, players)
        rows["deliveries"][:, index] = chances.integers(0, 4, (games, players))
        rows["donkey"][:, index] = chances.integers(1, 5, (games, players))
        rows["siesta"][:, index] = chances.integers(0, 5, (games, players))
        rows["vp"][:, index] = index * 8 + chances.integers(0, 5, (games, players))
        rows["silver"][:, index] = chances.integers(0, 9, (games, players))
    return table


def _dice(chances: np.random.Generator, rows: dict[str, np.ndarray], index: int, games: int, players: int) -> None:
    """Dice taken at random in turn order."""
    dice = chances.permuted(chances.integers(1, 7, (games, 2 * players + 1)), axis=1)
    for face in range(1, 7):
        rows[f"dice_offered_{face}"][:, index] = (dice == face).sum(1, keepdims=True)
    place = rows["order_farm"][:, index].astype(int) - 1
    rows["die_1"][:, index] = np.take_along_axis(dice, place, 1)
    rows["die_2"][:, index] = np.take_along_axis(dice, players + place, 1)
    rows["die_last"][:, index] = dice[:, -1:]


def changed(folder: Path, change: dict[str, Any]) -> None:
    """Change what a run's manifest says."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
