"""Craft buildings: when they are completed, by whom first, what a marker is worth, and what a blocked start does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from _firsts import Firsts
from _panel import Panel

from lagranja_sim.report import style
from lagranja_sim.report.say import interval, number, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.stats.blocks import SHARE, Estimate, Estimates, false_discovery
from lagranja_sim.stats.clustered import Regression, mean_of, means

GAME = "lagranja"
TITLE = "Craft buildings"
QUESTION = (
    "When is each building completed, does it pay to be first, what is a marker worth by round, and what changes when a building is "
    "blocked at the start?"
)
ORDER = 50
NEEDS = ["games", "seats"]
MIN_GAMES = 400

FEWEST = 50  # markers of a building in a round; fewer are not shown

SURVIVAL = (
    "Survival: a seat that never completes a building is censored at the end of the last round and counts in every round. As all games end "
    "then, and none earlier, Kaplan and Meier's estimate is the plain share of seats still without it; the interval has blocks as its unit."
)
MARKERS = (
    "Markers by round: points at the end are regressed on which marker was taken in which round (none is the reference), among seats of "
    "the same deal, for equal policy and start position. The printed points of the round are part of the value. It is an adjusted "
    "association: who completes early may have had the better cards."
)
BLOCKED = (
    "Blocked at the start: a die draws which buildings are blocked, so deals in which a building is blocked differ from the others by "
    "chance alone, and the difference of their means is the causal effect of blocking it (and so of another one not being blocked) "
    "for these policies. All games of a block share the draw; the comparison is between blocks."
)
NOT_BLOCKED = "No building was blocked in some deals and open in others, so the effect of blocking cannot be estimated."


def build(data: ReportData) -> Section:
    """Completion, order, first completer, markers, blocked buildings."""
    panel = Panel(data)
    curves, firsts, markers, effects = _survival(data), Firsts.of(data), Markers.of(panel), _effects(data)
    beside = data.players > 1  # one player alone is always first
    return Section(
        TITLE,
        QUESTION,
        takeaways=[*(_first_sentence(firsts) if beside else ()), *_blocked_sentence(effects, len(_names(data)))],
        figures=[
            _survival_figure(curves),
            *(_first_figure(firsts) if beside else ()),
            *_marker_figure(markers),
            *_blocked_figure(effects),
        ],
        tables=[
            _survival_table(curves),
            _order_table(data),
            *(_first_table(firsts) if beside else ()),
            _marker_table(markers),
            *_blocked_table(effects),
        ],
        caveats=[
            panel.note,
            data.reconstructed_note("building numbers", "building goods and effects"),
            data.reconstructed_note("fields", "barrows", "helpers"),
        ],
        text=[SURVIVAL, MARKERS, BLOCKED if effects else NOT_BLOCKED],
    )


def _names(data: ReportData) -> list[str]:
    return [building.building for building in data.components.buildings]


def _words(name: str) -> str:
    return name.replace("_", " ")


# --- when ---------------------------------------------------------------------------------------------------------------------------------


def _survival(data: ReportData) -> dict[str, list[Estimate]]:
    """The share of seats that have not completed a building by the end of a round; of each building, by round."""
    names, rounds = _names(data), range(1, data.rounds + 1)
    waiting = [
        ((pl.col(f"craft_round_{name}") == 0) | (pl.col(f"craft_round_{name}") > round_number)).alias(f"{name} {round_number}")
        for name in names
        for round_number in rounds
    ]
    sums = data.collect(  # of whole numbers, so exact in any order
        data.scan("seats").select("block", *waiting).group_by("block").agg(pl.all().sum().cast(pl.Float32), pl.len().alias("seats"))
    )
    seats = sums["seats"].to_numpy().astype(float)[:, None]
    waited = {name: sums.select(f"{name} {round_number}" for round_number in rounds).to_numpy() for name in names}
    return {name: means(counts, seats).estimates(SHARE).all() for name, counts in waited.items()}


def _survival_figure(curves: Mapping[str, list[Estimate]]) -> Figure:
    figure, axes = style.new_figure(7, 4.0)
    for place, (name, shares) in enumerate(curves.items()):
        colour, mark = (looks[place % len(looks)] for looks in (style.OKABE_ITO, style.MARKS))
        line = [Estimate.known(1.0), *shares]
        style.line_with_band(axes, range(len(line)), line, colour=colour, label=_words(name), mark=mark)
    axes.set_xlabel("end of round")
    axes.set_ylabel("seats that have not completed it")
    axes.set_xticks(range(1 + max(map(len, curves.values()))))
    axes.set_ylim(0, 1.02)
    style.percent(axes.yaxis)
    style.label_lines(axes)
    ends = ", ".join(f"{_words(name)} {shares[-1].mean:.0%}" for name, shares in curves.items())
    return Figure(
        "survival",
        "Seats that have not yet completed each building, with 95 % bands",
        f"Falling lines; at the end never completed: {ends}.",
        figure,
    )


def _survival_table(curves: Mapping[str, list[Estimate]]) -> Table:
    rows = [(_words(name), round_number, *share.figures) for name, shares in curves.items() for round_number, share in enumerate(shares, 1)]
    frame = pl.DataFrame(rows, ["building", "round", "not completed", "from", "to"], orient="row")
    caption = "Survival: share of seats that have not completed a building by the end of a round"
    return Table("survival", caption, frame, dict.fromkeys(("not completed", "from", "to"), ".1%"))


def _order_table(data: ReportData) -> Table:
    """Which buildings are opened early."""
    rows = [_opening(data, name) for name in _names(data)]
    names = ["building", "ever completed", "by the first in round", "from", "to", "earliest of all"]
    frame = pl.DataFrame(rows, names, orient="row").sort("by the first in round")
    caption = (
        "Order of opening: share of games in which anybody completes it; mean round of the first completion in these; share of games in "
        "which none is completed in an earlier round"
    )
    formats = dict.fromkeys(("ever completed", "earliest of all"), ".1%") | dict.fromkeys(("by the first in round", "from", "to"), ".2f")
    return Table("order", caption, frame, formats)


def _opening(data: ReportData, name: str) -> tuple[object, ...]:
    rounds = [pl.col(f"first_round_{other}") for other in _names(data)]
    mine = pl.col(f"first_round_{name}")
    earliest = pl.min_horizontal(pl.when(other > 0).then(other) for other in rounds)
    games = data.scan("games").with_columns(
        (mine > 0).alias("_ever"), pl.when(mine > 0).then(mine).alias("_when"), ((mine > 0) & (mine == earliest)).alias("_first")
    )
    sums = data.collect(games.group_by("block").agg(pl.col("_ever", "_when", "_first").sum().cast(pl.Float64), pl.len().alias("games")))
    total = float(sums["games"].sum())
    when = mean_of(sums["_when"], sums["_ever"])
    return (_words(name), sums["_ever"].sum() / total, *when.figures, sums["_first"].sum() / total)


# --- first ------------------------------------------------------------------------------------------------------------------------------


def _first_table(firsts: Firsts) -> list[Table]:
    if not firsts.times:
        return []
    names = ("raw", "raw from", "raw to", "against table", "table from", "table to", "policy allowed for", "policy from", "policy to")
    rows = [
        (_words(name), times, *firsts.raw[name].figures, *firsts.against[name].figures, *firsts.adjusted[name].figures)
        for name, times in firsts.times.items()
    ]
    caption = (
        "First completers, points at the end: raw, less those of all seats that were not first; less their table's mean; and less also "
        "what their policy has above its table in all games. Associations with 95 % intervals, not effects"
    )
    frame = pl.DataFrame(rows, ["building", "times", *names], orient="row")
    return [Table("first", caption, frame, dict.fromkeys(names, "+.2f") | {"times": ","})]


def _first_figure(firsts: Firsts) -> list[Figure]:
    label = "points at the end, less the table's mean and the policy's own lead"
    alt = "First completers' points above their table, policy allowed for: "
    title = "First completers against their table (association, policy allowed for)"
    return _building_bars("first", title, alt, firsts.adjusted, label)


def _building_bars(name: str, title: str, alt: str, estimates: Mapping[str, Estimate], label: str) -> list[Figure]:
    """Points by building, if there are any."""
    if not estimates:
        return []
    figure, axes = style.new_figure(7, 1.0 + 0.36 * len(estimates))
    style.interval_bars(axes, [_words(name) for name in estimates], list(estimates.values()), reference=0, horizontal=True, text="+.2f")
    axes.set_xlabel(label)
    axes.margins(x=0.12)
    words = ", ".join(f"{_words(building)} {points.mean:+.2f}" for building, points in estimates.items())
    return [Figure(name, title, alt + words, figure)]


def _first_sentence(firsts: Firsts) -> list[Takeaway]:
    """The lead of first completers over all buildings, and its range over single ones."""
    if not firsts.times:
        return []
    pooled, clear = firsts.pooled, strength(firsts.pooled)
    if clear < 1:
        undecided = (
            f"Whether first completers end above their table could not be decided ({interval(pooled, '+.2f')} points over all buildings)."
        )
        return [Takeaway(undecided, clear)]
    low, high = (choose(firsts.adjusted, key=lambda name: firsts.adjusted[name].mean) for choose in (min, max))
    text = (
        f"Whoever completes a building first ends {interval(pooled, '+.2f')} points from the table's mean beyond the policy's own lead "
        f"({number(firsts.adjusted[low].mean, '+.1f')} for the {_words(low)}, {number(firsts.adjusted[high].mean, '+.1f')} for the "
        f"{_words(high)}): an association, not an effect."
    )
    return [Takeaway(text, clear)]


# --- markers ----------------------------------------------------------------------------------------------------------------------------


class Markers(NamedTuple):
    """The adjusted worth of a marker by building and round it was taken in: flat arrays, buildings x rounds."""

    names: list[str]
    rounds: int
    times: np.ndarray
    points: Estimates

    @classmethod
    def of(cls, panel: Panel) -> Markers:
        names, rounds = _names(panel.data), panel.data.rounds
        taken = panel.load("seats", [f"craft_round_{name}" for name in names])
        columns = [(taken[f"craft_round_{name}"] == round_number).ravel() for name in names for round_number in range(1, rounds + 1)]
        design = np.column_stack([*columns, panel.who]).astype(float)
        slopes = Regression(design, panel.blocks, panel.blocks).fit(panel.seats["vp"].ravel())
        own = slopes.only(range(len(columns))).estimates()
        return cls(names, rounds, np.array([column.sum() for column in columns]), own)

    @property
    def enough(self) -> np.ndarray:
        return self.times >= FEWEST


def _marker_table(markers: Markers) -> Table:
    keys = [(_words(name), round_number) for name in markers.names for round_number in range(1, markers.rounds + 1)]
    rows = [
        (*key, int(times), *(points.figures if times >= FEWEST else (None, None, None)))
        for key, times, points in zip(keys, markers.times, markers.points.all(), strict=True)
    ]
    p_adjusted = false_discovery(np.where(markers.enough, markers.points.p_values, np.nan))
    frame = pl.DataFrame(rows, ["building", "round", "times", "points", "from", "to"], orient="row")
    caption = f"Marker by building and round taken: points at the end over never taking it, adjusted; fewer than {FEWEST} are not shown"
    formats = {"times": ",", "p adjusted": ".4f"} | dict.fromkeys(("points", "from", "to"), "+.2f")
    return Table("markers", caption, frame.with_columns(pl.Series("p adjusted", p_adjusted, nan_to_null=True)), formats)


def _marker_figure(markers: Markers) -> list[Figure]:
    if not markers.enough.any():
        return []
    shape = (len(markers.names), markers.rounds)
    values = np.where(markers.enough, markers.points.mean, np.nan).reshape(shape)
    faint = ~markers.points.excludes(0).reshape(shape)
    figure, axes = style.new_figure(7, 3.2)
    columns = [f"round {round_number}" for round_number in range(1, markers.rounds + 1)]
    cells = style.Cells(values, [_words(name) for name in markers.names], columns, faint)
    style.heat_map(axes, cells, text="+.1f", label="points at the end", centre=0)
    row, column = np.unravel_index(np.nanargmax(values), shape)
    alt = (
        f"Heat map of the adjusted value of each craft marker by round taken; highest {values[row, column]:+.1f} for the "
        f"{_words(markers.names[int(row)])} in round {column + 1}."
    )
    title = "Value of a marker by round taken, in points over never taking it (adjusted; in brackets: the interval holds 0)"
    return [Figure("markers", title, alt, figure)]


# --- blocked at the start -----------------------------------------------------------------------------------------------------------------


class Effect(NamedTuple):
    """What blocking a building does to an outcome, of everybody or of one policy."""

    building: str
    outcome: str
    whose: str
    size: Estimate


def _effects(data: ReportData) -> list[Effect]:
    """The experiment that the dice make: which buildings are blocked is drawn for each deal."""
    deals = _deals(data)
    drawn = deals.select("blocked_1", "blocked_2", "blocked_3").to_numpy()
    comparisons = [("points", "vp", "all")]
    if len(data.policies) > 1:
        outcomes = (("points", "vp"), ("win share", "win_share"))
        comparisons += [(label, measure, policy) for policy in sorted(data.policies) for label, measure in outcomes]
    return [
        Effect(building.building, label, whose, _effect(deals[f"{whose} {measure}"], deals[f"{whose} seats"], is_blocked))
        for building in data.components.buildings
        for is_blocked in [(drawn == building.number).any(1)]
        if is_blocked.any() and not is_blocked.all()
        for label, measure, whose in comparisons
    ]


def _deals(data: ReportData) -> pl.DataFrame:
    """A row for each block: what was blocked, and sums of points, win shares and seats for all and for each policy."""
    policy = pl.col("policy").cast(pl.String)
    whose = {"all": pl.lit(True), **{name: policy == name for name in data.policies}}
    sums = [
        pl.col(measure).cast(pl.Float64).filter(is_own).sum().round(6).alias(f"{who} {measure}")
        for who, is_own in whose.items()
        for measure in ("vp", "win_share")
    ]
    seats = [is_own.sum().cast(pl.Float64).alias(f"{who} seats") for who, is_own in whose.items() if who != "all"]
    totals = data.scan("seats").group_by("block").agg(*sums, *seats, pl.len().cast(pl.Float64).alias("all seats"))
    drawn = data.scan("games").group_by("block").agg(pl.col("blocked_1", "blocked_2", "blocked_3").first())
    return data.collect(drawn.join(totals, on="block")).sort("block")


def _effect(sums: pl.Series, seats: pl.Series, is_blocked: np.ndarray) -> Estimate:
    """Mean where it is blocked less mean where it is not."""
    arms = np.column_stack([~is_blocked, is_blocked]).astype(float)
    return means(arms * sums.to_numpy()[:, None], arms * seats.to_numpy()[:, None]).difference(1, 0)


def _blocked_table(effects: list[Effect]) -> list[Table]:
    if not effects:
        return []
    rows = [(_words(effect.building), effect.outcome, effect.whose, *effect.size.figures, effect.size.p_value) for effect in effects]
    frame = pl.DataFrame(rows, ["building", "outcome", "whose", "effect", "from", "to", "p"], orient="row")
    caption = (
        "Effect of a building being blocked at the start, instead of another one: differences between deals with 95 % intervals; p "
        "adjusted over the table (Benjamini and Hochberg)"
    )
    formats = dict.fromkeys(("effect", "from", "to"), "+.3f") | dict.fromkeys(("p", "p adjusted"), ".4f")
    return [Table("blocked", caption, frame.with_columns(pl.Series("p adjusted", false_discovery(frame["p"]))), formats)]


def _on_everybody(effects: list[Effect]) -> dict[str, Estimate]:
    return {effect.building: effect.size for effect in effects if effect.whose == "all"}


def _blocked_figure(effects: list[Effect]) -> list[Figure]:
    alt = "Effect of each building being blocked at the start on a seat's points: "
    title = "Effect of a building being blocked at the start (drawn by die: causal)"
    return _building_bars("blocked", title, alt, _on_everybody(effects), "points of a seat at the end, blocked less open")


def _blocked_sentence(effects: list[Effect], among: int) -> list[Takeaway]:
    """The clearest effect of a blocked building."""
    sizes = _on_everybody(effects)
    if not sizes:
        return []
    clear, name = max((strength(size, among=among), name) for name, size in sizes.items())
    if clear < 1:
        widest = max(size.high - size.mean for size in sizes.values())
        undecided = "Whether blocking a building at the start changes a seat's points could not be decided for any of them"
        return [Takeaway(f"{undecided} (± {number(widest)} points).", clear)]
    return [
        Takeaway(
            f"A blocked {_words(name)} changes a seat's points by {interval(sizes[name], '+.2f')}, the clearest effect of a blocked "
            "building (drawn by die, so causal).",
            clear,
        )
    ]
