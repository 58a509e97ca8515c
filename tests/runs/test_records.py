"""A run on disk: parts, their types and bytes, the manifest, and what is refused when it is read."""

import errno
import json
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagranja_sim.runs import records
from lagranja_sim.runs.records import SCHEMA_VERSION, Folder, Layout, RunError, open_run, read_manifest, write_manifest, write_part

POLICIES = ["b", "a", "a"]
MANIFEST: dict[str, Any] = {
    "schema_version": SCHEMA_VERSION,
    "status": "complete",
    "command": "lagranja run",
    "experiment": {"name": "made_up", "games": 12, "players": 3, "seed": 1, "log": ["seats"], "policies": POLICIES},
    "hashes": {"rules": "0", "components": "0", "policies": {"a": "0", "b": "0"}},
    "components": {},
    "policies": {name: {"about": "", "weights": {}} for name in ("a", "b")},
    "versions": {},
    "machine": {},
    "layout": {"part_games": 6, "parts": 2},
    "time": {"started": "2026-01-01T00:00:00+00:00", "wall_seconds": 1, "cpu_seconds": 1.0},
}
COLUMNS = [("game", np.uint32), ("seat", np.int8), ("policy", np.int8), ("vp", np.int16), ("win_share", np.float32)]


def rows(first: int, games: int) -> np.ndarray:
    """A table of three seats a game."""
    made = np.zeros(games * 3, COLUMNS)
    made["game"] = np.repeat(np.arange(first, first + games), 3)
    made["seat"] = made["policy"] = np.tile(np.arange(3), games)
    made["vp"] = made["game"] * 10 + made["seat"]
    return made


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A run of 12 games in parts of 6."""
    folder = Folder(str(tmp_path / "run"))
    facts = [write_part(folder, part, {"seats": rows(part * 6, 6)}, POLICIES) for part in range(2)]
    write_manifest(folder, {**MANIFEST, "parts": {"seats": [fact["seats"] for fact in facts]}})
    return tmp_path / "run"


def change_manifest(run: Path, **values: Any) -> None:
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, **values}))


def manifest_with(run: Path, place: str, value: Any) -> None:
    """Change one value of the manifest, or take it away (...); the place is dotted."""
    manifest = json.loads((run / "manifest.json").read_text())
    *above, key = place.split(".")
    table = reduce(lambda table, name: table[int(name) if isinstance(table, list) else name], above, manifest)
    if value is ...:
        del table[key]
    else:
        table[int(key) if isinstance(table, list) else key] = value
    (run / "manifest.json").write_text(json.dumps(manifest))


# --- layout ------------------------------------------------------------------------------------------------------------------------


@given(blocks=st.integers(1, 2_000_000), players=st.integers(1, 6))
def test_parts_are_whole_blocks_and_hold_every_game_once(blocks: int, players: int) -> None:
    layout = Layout.of(blocks * players, players)
    assert layout.part_games % players == 0
    assert layout.part_games <= records.MOST_GAMES_A_PART
    first, count = layout.span(layout.parts - 1)
    assert first + count == blocks * players
    assert count > 0
    assert layout.span(0)[0] == 0
    assert layout.parts <= records.PARTS or layout.part_games > records.MOST_GAMES_A_PART - players


# --- parts -------------------------------------------------------------------------------------------------------------------------


def test_columns_keep_their_types_and_policies_become_names(finished: Path) -> None:
    frame = open_run(str(finished)).scan("seats").collect()
    texts = pl.Enum(["b", "a"])
    assert frame.schema == {"game": pl.UInt32, "seat": pl.Int8, "policy": texts, "vp": pl.Int16, "win_share": pl.Float32}
    assert frame["policy"].to_list()[:3] == POLICIES
    assert frame["game"].to_list() == np.repeat(np.arange(12), 3).tolist()


def test_parts_are_plain_parquet_without_times(finished: Path) -> None:
    file = pq.ParquetFile(finished / "seats" / "part-00000.parquet")
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert file.metadata.num_rows == 18
    assert set(file.metadata.metadata or {}) <= {b"ARROW:schema"}


def test_the_same_rows_are_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    write_part(Folder(str(tmp_path / "again")), 0, {"seats": rows(0, 6)}, POLICIES)
    name = "seats/part-00000.parquet"
    assert (tmp_path / "again" / name).read_bytes() == (finished / name).read_bytes()


def test_the_rows_of_a_game_are_those_of_the_table(finished: Path) -> None:
    run = open_run(str(finished))
    for game in (0, 5, 6, 11):
        assert run.game("seats", game)["vp"].to_list() == [game * 10, game * 10 + 1, game * 10 + 2]


def test_an_empty_table_is_written_and_read(tmp_path: Path) -> None:
    write_part(Folder(str(tmp_path)), 0, {"seats": rows(0, 0)}, POLICIES)
    assert pl.read_parquet(tmp_path / "seats" / "part-00000.parquet").height == 0


# --- folders -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["here", "elsewhere"])
def test_folders_here_and_elsewhere_behave_the_same(tmp_path: Path, kind: str) -> None:
    folder = Folder(str(tmp_path / "x") if kind == "here" else f"memory://{tmp_path.name}/x")
    assert not folder.exists()
    assert folder.names() == []
    folder.write("t/a.bin", b"1")
    folder.write("t/a.bin", b"23")
    folder.write("b.bin", b"")
    assert folder.names() == ["b.bin", "t"]
    assert folder.names("t") == ["a.bin"]
    assert (folder.read("t/a.bin"), folder.size_of("t/a.bin"), folder.size_of("t/none")) == (b"23", 2, None)
    folder.remove("t/a.bin")
    assert not folder.exists("t/a.bin")


def test_a_file_that_cannot_be_written_whole_is_not_there_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(str(tmp_path))
    folder.write("a.bin", b"old")

    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(folder.files, "mv", fails)
    with pytest.raises(OSError, match="no space"):
        folder.write("a.bin", b"new")
    assert (tmp_path / "a.bin").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]


def test_an_unknown_kind_of_url_is_refused() -> None:
    with pytest.raises(RunError, match=r"nope://x: "):
        Folder("nope://x")


# --- what is refused when a run is opened --------------------------------------------------------------------------------------------


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such folder"):
        open_run(str(tmp_path / "none"))


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is not a run: it has no manifest\.json"):
        open_run(str(tmp_path))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null"])
def test_a_damaged_manifest(finished: Path, text: str) -> None:
    (finished / "manifest.json").write_text(text)
    with pytest.raises(RunError, match="is damaged or not the manifest of a run"):
        open_run(str(finished))


DAMAGES = [
    ("status", ..., "status: is missing"),
    ("status", "done", "status: must be 'running' or 'complete', not \"done\""),
    ("experiment", ..., "experiment: is missing"),
    ("experiment", [], "experiment: must be a table, not []"),
    ("experiment.games", "12", 'experiment.games: must be a whole number, not "12"'),
    ("experiment.games", 14, "layout: 14 games are not 2 parts of 6"),
    ("experiment.seed", ..., "experiment.seed: is missing"),
    ("experiment.seed", -1, "experiment.seed: must be at least 0, not -1"),
    ("experiment.players", 2, "experiment: games, policies or line-ups do not fit 2 players"),
    ("experiment.policies", ["a", 3, "b"], "experiment.policies.1: must be text in quotes, not 3"),
    ("experiment.lineups", [[0, 1, 7]], "experiment.lineups: they name policies that are not there"),
    ("experiment.log", ["seats", "rounds"], "parts: they are not those of the tables that were kept (experiment.log)"),
    ("experiment.nonsense", 1, "experiment.nonsense: is no key of an experiment"),
    ("hashes.policies", "0", 'hashes.policies: must be a table, not "0"'),
    ("layout.part_games", 0, "layout.part_games: must be at least 1, not 0"),
    ("layout.parts", 3, "layout: 12 games are not 3 parts of 6"),
    ("time.wall_seconds", "1", 'time.wall_seconds: must be a number, not "1"'),
    ("policies.a", None, "policies.a: must be a table, not null"),
    ("parts.seats", [], "parts.seats: 0 instead of 2"),
    ("parts.seats.1", {"rows": 1}, "parts.seats.1.bytes: is missing"),
]


@pytest.mark.parametrize(("place", "value", "told"), DAMAGES, ids=[f"{place}={value}" for place, value, _ in DAMAGES])
def test_a_manifest_that_was_edited_is_told_key_by_key(finished: Path, place: str, value: Any, told: str) -> None:
    manifest_with(finished, place, value)
    with pytest.raises(RunError) as refused:
        open_run(str(finished))
    assert f"{finished}/manifest.json is damaged: {told}" in str(refused.value).splitlines()


def test_what_an_experiment_leaves_out_is_as_it_would_be_played(finished: Path) -> None:
    assert open_run(str(finished)).experiment["variant"] == "deluxe"


def test_another_schema_version(finished: Path) -> None:
    change_manifest(finished, schema_version=99)
    with pytest.raises(RunError, match=f"schema version 99; this version of the tool reads version {SCHEMA_VERSION}"):
        read_manifest(Folder(str(finished)))


def test_a_run_that_is_not_finished(finished: Path) -> None:
    change_manifest(finished, status="running")
    with pytest.raises(RunError, match="is not finished"):
        open_run(str(finished))


def test_a_missing_part(finished: Path) -> None:
    (finished / "seats" / "part-00001.parquet").unlink()
    with pytest.raises(RunError, match=r"is damaged: seats/part-00001\.parquet is missing"):
        open_run(str(finished))


def test_a_truncated_part(finished: Path) -> None:
    part = finished / "seats" / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(RunError, match=r"part-00001\.parquet has 100 bytes instead of \d+"):
        open_run(str(finished))


def test_an_altered_part(finished: Path) -> None:
    part = finished / "seats" / "part-00001.parquet"
    content = bytearray(part.read_bytes())
    content[40] ^= 1
    part.write_bytes(content)
    run = open_run(str(finished))
    assert run.game("seats", 0).height == 3
    with pytest.raises(RunError, match=r"is damaged: seats/part-00001\.parquet is not what the run wrote"):
        run.scan("seats")


def test_a_table_that_was_not_kept(finished: Path) -> None:
    with pytest.raises(RunError, match="keeps no table 'rounds'; it has seats"):
        open_run(str(finished)).scan("rounds")
