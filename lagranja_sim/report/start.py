"""The file that a new section starts from: it runs as it is."""

from __future__ import annotations

from pathlib import Path

from lagranja_sim.plugins import tool_folder
from lagranja_sim.report.build import ReportError
from lagranja_sim.runs.folder import Folder, reason

STARTING = '''"""{name}: say here what the section is about."""

import polars as pl

from lagranja_sim.report.say import interval
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.report.style import interval_bars, new_figure
from lagranja_sim.stats.blocks import estimates_in
from lagranja_sim.stats.clustered import means_by

TITLE = "{title}"
QUESTION = "How many farms' points does each policy end with?"
ORDER = 500  # its place on the page; the shipped sections have 0 to 200
NEEDS = ["seats"]  # tables of the run
MIN_GAMES = 40


def build(data: ReportData) -> Section:
    """Aggregate, draw, and say it in a sentence."""
    points = means_by(data.scan("seats"), ["policy"], pl.col("vp"))  # intervals have blocks of games as their unit
    frame = points.frame(["policy"])
    estimates = estimates_in(frame)
    figure, axes = new_figure(7, 0.8 + 0.4 * frame.height)
    interval_bars(axes, frame["policy"], estimates, horizontal=True, text=".1f")
    axes.set_xlabel("points at the end")
    best = int(frame["mean"].arg_max())
    sentence = f"{{frame['policy'][best]}} has most points: {{interval(estimates[best], '.1f')}}."
    table = frame.select("policy", "mean", "low", "high", "rows")
    return Section(
        TITLE,
        QUESTION,
        takeaways=[Takeaway(sentence, strength=1.0)],
        figures=[Figure("points", "Points at the end by policy", "Dots with intervals of the mean points of each policy.", figure)],
        tables=[Table("points", "Points at the end", table, {{"mean": ".2f", "low": ".2f", "high": ".2f", "rows": ","}})],
        caveats=["An association, not an effect: say what it rests on."],
    )
'''


def start_section(name: str, folder: Path | None = None) -> Path:
    """Write the file of a new section into ./reports/."""
    if not name.isidentifier() or name.startswith("_"):
        raise ReportError(f"{name!r} cannot be the name of a section; expected letters, digits and underscores, e.g. my_question")
    if (tool_folder("reports") / f"{name}.py").exists():
        raise ReportError(f"a section called {name!r} comes with the tool; choose another name")
    path = (folder or Path("reports")) / f"{name}.py"
    try:
        Folder.at(path.parent).write_new(path.name, STARTING.format(name=name, title=name.replace("_", " ").capitalize()))
    except FileExistsError:
        raise ReportError(f"{path} exists already") from None
    except OSError as error:
        raise ReportError(f"{path} cannot be written: {reason(error)}") from None
    return path
