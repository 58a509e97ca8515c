"""The rows a run writes: one record type a table, as the compiled driver fills them and as columns of parquet files.

A field of several numbers in the driver (points by source, say) is as many columns in the data.
"""

import numpy as np

from lagranja_sim.rules.state import BUILDINGS, PHASES, SIDES, SOURCES, record

MARKERS = tuple(str(number) for number in (1, 2, 3))
FACES = tuple(str(face) for face in range(1, 7))

# table -> fields: (name in the driver, type, column names or None for one column of that name)
FIELDS: dict[str, list[tuple[str, type[np.generic], list[str] | None]]] = {
    "games": [
        ("game", np.uint32, None),
        ("block", np.uint32, None),
        ("rotation", np.uint8, None),
        ("start_seat", np.int8, None),
        ("winner_seat", np.int8, None),  # -1 = shared
        ("vp_win", np.int16, None),
        ("vp_margin", np.int16, None),
        ("lead_changes", np.uint8, None),
        ("blocked", np.int8, [f"blocked_{marker}" for marker in MARKERS]),  # building numbers in marker order
        ("first_round", np.int8, [f"first_round_{name}" for name in BUILDINGS]),  # 0 = never
        ("first_seat", np.int8, [f"first_seat_{name}" for name in BUILDINGS]),  # -1 = never
        ("decisions", np.uint32, None),
    ],
    "seats": [
        ("game", np.uint32, None),
        ("seat", np.int8, None),
        ("policy", np.int8, None),
        ("start_position", np.int8, None),
        ("vp", np.int16, None),
        ("rank", np.int8, None),
        ("win_share", np.float32, None),
        ("silver_left", np.int16, None),
        ("points", np.int16, [f"vp_{source}" for source in SOURCES]),
        ("barrows", np.int8, None),
        ("buildings", np.int8, None),
        ("fields", np.int8, None),
        ("extensions", np.int8, None),
        ("helpers", np.int8, None),
        ("roofs", np.int8, None),
        ("pigs", np.int16, None),  # received over the game
        ("craft_round", np.int8, [f"craft_round_{name}" for name in BUILDINGS]),  # 0 = never
    ],
    "rounds": [
        ("game", np.uint32, None),
        ("round", np.int8, None),
        ("seat", np.int8, None),
        ("order_farm", np.int8, None),
        ("order_transport", np.int8, None),
        ("vp", np.int16, None),
        ("vp_gained", np.int16, None),
        ("silver", np.int16, None),
        ("goods", np.int16, None),
        ("dice", np.int8, ["die_1", "die_2"]),
        ("die_last", np.int8, None),
        ("offered", np.int8, [f"dice_offered_{face}" for face in FACES]),
        ("roof", np.int8, None),
        ("donkey", np.int8, None),
        ("siesta", np.int8, None),
        ("deliveries", np.int8, None),
        ("bought_deliveries", np.int8, None),
        ("markers", np.int8, None),
        ("barrows_done", np.int8, None),
        ("buildings_done", np.int8, None),
    ],
    "cards": [
        ("game", np.uint32, None),
        ("seat", np.int8, None),
        ("card", np.int8, None),
        ("side", np.int8, None),
        ("round", np.int8, None),
        ("phase", np.int8, None),
    ],
    "market": [
        ("game", np.uint32, None),
        ("seat", np.int8, None),
        ("space", np.int8, None),
        ("value", np.int8, None),
        ("round_placed", np.int8, None),  # 0 = at the start
        ("round_removed", np.int8, None),  # 0 = never
        ("removed_by", np.int8, None),  # -1 = nobody
    ],
}
# Columns whose numbers stand for names; the policy's names are the run's.
NAMES: dict[tuple[str, str], tuple[str, ...]] = {("cards", "side"): SIDES, ("cards", "phase"): PHASES}

# In the driver a field may not be called as a method of numpy scalars is.
_IN_DRIVER = {"round": "round_number"}


def _driver_field(name: str, kind: type[np.generic], columns: list[str] | None) -> tuple[object, ...]:
    driver_name = _IN_DRIVER.get(name, name)
    return (driver_name, kind) if columns is None else (driver_name, kind, (len(columns),))


def _columns(name: str, kind: type[np.generic], columns: list[str] | None) -> list[tuple[str, np.dtype[np.generic]]]:
    return [(column, np.dtype(kind)) for column in columns or [name]]


ROWS = {table: record(*(_driver_field(*field) for field in fields)) for table, fields in FIELDS.items()}
TABLES = {table: [column for field in fields for column in _columns(*field)] for table, fields in FIELDS.items()}


def as_columns(table: str, rows: np.ndarray) -> np.ndarray:
    """The driver's rows seen as one column a number, without a copy."""
    return rows.view(np.dtype(TABLES[table]))
