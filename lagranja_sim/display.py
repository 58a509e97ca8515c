"""How results look in a terminal: tables on stdout, progress and remarks on stderr."""

from __future__ import annotations

import contextlib
import datetime
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from lagranja_sim.policy.call import exact
from lagranja_sim.runs.simulate import Listener
from lagranja_sim.wording import counted, too_few


class Pace(ProgressColumn):
    """Games a second since the start, and the time left at that pace."""

    def render(self, task: Task) -> Text:
        games, seconds = task.completed - task.fields["before"], task.elapsed
        if not games or not seconds:
            return Text("")
        time_left = datetime.timedelta(seconds=round(((task.total or 0) - task.completed) * seconds / games))
        return Text(f"{games / seconds:,.0f} games/s, {time_left} left")


class Patience:
    """Says what takes long: a text is shown only if no other follows within `SECONDS`."""

    SECONDS = 1.5

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.shown = False
        self.pending: threading.Timer | None = None

    def tell(self, text: str) -> None:
        self.stop()
        self.pending = threading.Timer(self.SECONDS, self._show, [text])
        self.pending.daemon = True
        self.pending.start()

    def stop(self) -> None:
        if self.pending:
            self.pending.cancel()

    def _show(self, text: str) -> None:
        self.shown = True
        self.say(text)


class Watcher(Listener):
    """Remarks as lines on stderr, and a progress bar there if it is a terminal."""

    def __init__(self) -> None:
        self.console = Console(stderr=True, highlight=False)
        self.bar: Progress | None = None

    def say(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    @contextlib.contextmanager
    def compiling(self) -> Iterator[Callable[[str], None]]:
        patience, started = Patience(self.say), time.monotonic()
        try:
            yield patience.tell
        finally:
            patience.stop()
        if patience.shown:
            self.say(f"compiled in {time.monotonic() - started:.0f} s")

    def progress(self, games: int, of: int) -> None:
        if not self.console.is_terminal:
            return
        if self.bar is None:
            self.bar = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("games"), Pace(), console=self.console, transient=True)
            self.bar.add_task("playing", total=of, completed=games, before=games)
            self.bar.start()
        self.bar.update(self.bar.task_ids[0], completed=games)

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar:
            self.bar.stop()


WIDEST = 200  # columns that a table may take


def show(*parts: object) -> None:
    """Print texts and tables. A table wider than the terminal runs over the edge; losing its names or figures would be worse."""
    console = Console(highlight=False)
    for part in parts:
        if isinstance(part, Table):
            console.width = max(console.width, Measurement.get(console, console.options.update(max_width=WIDEST), part).maximum)
        console.print(part, markup=False, soft_wrap=isinstance(part, str))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table whose first column holds names and whose others hold figures."""
    grid = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        grid.add_column(column, justify="right" if number else "left", no_wrap=number > 0, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    return grid


# --- the summary of a run ----------------------------------------------------------------------------------------------------------

TITLES = {"policy": "By policy", "start_position": "By start position"}


def show_summary(summary: dict[str, Any]) -> None:
    speed = f", {summary['games_per_second']:,} games/s" if summary["games_per_second"] else ""
    counts = f"{counted(summary['games'], 'game')} of {counted(summary['players'], 'player')} in {counted(summary['blocks'], 'block')}"
    show(f"{summary['name']}: {counts}, variant {summary['variant']}, seed {summary['seed']} ({summary['seconds']:.1f} s{speed})")
    for group, rows in summary["groups"].items():
        show("", table(TITLES[group], [group.replace("_", " "), "seats", "win share", "95 %", "points", "95 %"], map(_cells, rows)))
    show("", *_remarks(summary), f"written to {summary['run']}")


def _cells(row: dict[str, Any]) -> list[str]:
    name, seats, share, points = row.values()
    return [str(name), f"{seats:g}", *_interval(share, 100, " %"), *_interval(points, 1, "")]


def _interval(estimate: dict[str, float | None], scale: int, unit: str) -> tuple[str, str]:
    mean, low, high = (None if number is None else number * scale for number in estimate.values())
    return "-" if mean is None else f"{mean:.2f}{unit}", "-" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _remarks(summary: dict[str, Any]) -> list[str]:
    if not summary["groups"]:
        return ["no table of seats was kept (log), so there are no win shares"]
    wins = "nobody wins where one player is alone" if summary["players"] == 1 else "win share: 1 for a win, ties share it"
    return [f"{wins}; intervals: Student's t over blocks", *too_few(summary["blocks"], "block")]


# --- other commands ------------------------------------------------------------------------------------------------------------------


def show_bench(bench: dict[str, Any]) -> None:
    figures = ("games_per_second", "least", "most")
    rows = [[f"{row['policies']}, {row['log']}", *(f"{row[figure]:,}" for figure in figures)] for row in bench["rows"]]
    show(table("Games a second on one core", ["players, log", "median", "least", "most"], rows))
    size = f"{counted(bench['repeat'], 'repetition')} of {counted(bench['games'], 'game')}"
    show(f"{size}; {bench['machine']['processor']}, numba {bench['versions']['numba']}")


def show_examination(examination: dict[str, Any]) -> None:
    for name, version in examination["versions"].items():
        show(f"{name:14} {version}")
    cache = examination["cache"]
    show("", f"{'processor':14} {examination['processor']}, {examination['cpus']} at a time")
    show(f"{'cache':14} {cache['folder']}: {cache['state']}{'' if cache['writable'] else ', not writable'}")
    for kind, folders in examination["plugins"].items():
        show(f"{kind:14} {', '.join(folders) or 'none'}")
    show("", *(examination["problems"] or ["all is well"]))


def show_policies(policies: Iterable[Any]) -> None:
    for policy in policies:
        show(f"{policy.name:14} {policy.doc}{'' if policy.compiled else ' (Python)'}")
        for name, value in policy.weights.items():
            show(f"{'':14}   {name} = {exact(value)}")


def show_differences(names: Sequence[str], rows: Iterable[tuple[str, Any, Any]]) -> None:
    """Values by address, side by side."""
    grid = table("", ["address", *names], ([address, _spelled(a), _spelled(b)] for address, a, b in rows))
    for column in grid.columns:
        column.justify = "left"
    show(grid if grid.row_count else "no value differs")


def _spelled(value: Any) -> str:
    """A value as a change would spell it; `-` where there is none."""
    if value is None:
        return "-"
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def show_games(games: Iterable[Any]) -> None:
    for game in games:
        show(f"{game.name:14} {game.title}; usual variant {game.variant}, policy {game.policies.default}")
