"""La Granja as everything outside this package knows it."""

from pathlib import Path

from lagranja_sim.game import Game, MeasureKit, PolicyKit, Records
from lagranja_sim.games.lagranja.components.box_record import BOX
from lagranja_sim.games.lagranja.components.kit import Printed
from lagranja_sim.games.lagranja.deal_anew import dealt_anew
from lagranja_sim.games.lagranja.language import LaGranja
from lagranja_sim.games.lagranja.measures import PROFILE, PROFILE_NOTE, RESTS_ON, TABLES_READ, measured
from lagranja_sim.games.lagranja.renamed import new_fields, new_names
from lagranja_sim.games.lagranja.rows import LOG
from lagranja_sim.games.lagranja.rules.names import ERRORS
from lagranja_sim.games.lagranja.rules.state import GAME as GAME_RECORD
from lagranja_sim.games.lagranja.rules.state import MAX_OPTIONS, OPTION, SEATS
from lagranja_sim.games.lagranja.starts import STARTS
from lagranja_sim.games.lagranja.tables import TABLES, Rows
from lagranja_sim.games.lagranja.toolkit.notes import NOTES

GAME = Game(
    name="lagranja",
    title="La Granja",
    records=Records(GAME_RECORD, BOX, OPTION, NOTES, LOG, SEATS, MAX_OPTIONS),
    kernels="lagranja_sim.games.lagranja.kernels",
    tables=TABLES,
    rows=Rows,
    errors=ERRORS,
    language=LaGranja(),
    variant="deluxe",
    components=Printed(),
    policies=PolicyKit(
        default="balanced",
        references=("random", "greedy"),
        starts=STARTS,
        weights_file=Path(__file__).parent / "toolkit" / "weights.py",
        deal_anew=dealt_anew,
        new_names=new_names,
        new_fields=new_fields,
    ),
    measures=MeasureKit(TABLES_READ, measured, PROFILE, PROFILE_NOTE, RESTS_ON),
)
