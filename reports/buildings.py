"""Craft buildings: when they are completed, by whom first, what a marker is worth, and what a blocked start does."""

from __future__ import annotations

import numpy as np
import polars as pl
from _panel import Panel

from lagranja_sim.report.say import interval, number, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.report.style import MARKS, OKABE_ITO, estimate_bars, heat_map, label_lines, line_with_band, new_figure, percent
from lagranja_sim.stats.blocks import Estimate
from lagranja_sim.stats.clustered import Estimates, Regression, false_discovery, mean_of, means

TITLE = "Craft buildings"
QUESTION = (
    "When is each building completed, does it pay to be first, what is a marker worth by round, and what changes when a building is "
    "blocked at the start?"
)
ORDER = 50
NEEDS = ["games", "seats"]
MIN_GAMES = 400

SHARES = (0.0, 1.0)
FEWEST = 50  # markers of a building in a round; fewer are not shown


def build(data: ReportData) -> Section:
    """Completion, order, first completer, markers, blocked buildings."""
    section = Section(TITLE, QUESTION)
    for part in (_completion, _order, _first_completers, _markers, _blocked):
        part(data, section)
    section.caveats += [
        data.reconstructed_note("building numbers", "building goods and effects"),
        data.reconstructed_note("fields", "barrows", "helpers"),
    ]
    return section


def _names(data: ReportData) -> list[str]:
    return [building.building for building in data.components.buildings]


def _words(name: str) -> str:
    return name.replace("_", " ")


# --- when ---------------------------------------------------------------------------------------------------------------------------------


def _completion(data: ReportData, section: Section) -> None:
    """Survival curves: the share of seats that have not completed a building by the end of a round."""
    curves = _survival(data)
    figure, axes = new_figure(7, 4.0)
    for place, (name, found) in enumerate(curves.items()):
        ones = [Estimate(1, 1, 1, 0, data.blocks), *found.all(SHARES)]
        line_with_band(axes, range(data.rounds + 1), [one.mean for one in ones], [one.low for one in ones], [one.high for one in ones],
                       colour=OKABE_ITO[place % len(OKABE_ITO)], label=_words(name), mark=MARKS[place % len(MARKS)])  # fmt: skip
    axes.set_xlabel("end of round")
    axes.set_ylabel("seats that have not completed it")
    axes.set_xticks(range(data.rounds + 1))
    axes.set_ylim(0, 1.02)
    percent(axes.yaxis)
    label_lines(axes)
    ends = ", ".join(f"{_words(name)} {found.values[-1]:.0%}" for name, found in curves.items())
    section.figures.append(
        Figure(
            "survival",
            "Seats that have not yet completed each building, with 95 % bands",
            f"Falling lines; at the end never completed: {ends}.",
            figure,
        )
    )
    rows = [
        (_words(name), number_ + 1, one.mean, one.low, one.high)
        for name, found in curves.items()
        for number_, one in enumerate(found.all(SHARES))
    ]
    frame = pl.DataFrame(rows, ["building", "round", "not completed", "from", "to"], orient="row")
    caption = "Survival: share of seats that have not completed a building by the end of a round"
    section.tables.append(Table("survival", caption, frame, {"not completed": ".1%", "from": ".1%", "to": ".1%"}))
    section.text.append(
        "Survival: a seat that never completes a building is censored at the end of the last round and counts in every round. As all "
        "games end then, and none earlier, Kaplan and "
        "Meier's estimate is the plain share of seats still without it; the interval has blocks as its unit."
    )


def _survival(data: ReportData) -> dict[str, Estimates]:
    """Of each building, by round."""
    names, rounds = _names(data), range(1, data.rounds + 1)
    waiting = [
        ((pl.col(f"craft_round_{name}") == 0) | (pl.col(f"craft_round_{name}") > number_)).alias(f"{name} {number_}")
        for name in names
        for number_ in rounds
    ]
    sums = data.collect(  # of whole numbers, so exact in any order
        data.scan("seats").select("block", *waiting).group_by("block").agg(pl.all().sum().cast(pl.Float32), pl.len().alias("seats"))
    )
    seats = sums["seats"].to_numpy().astype(float)[:, None]
    return {name: means(sums.select(f"{name} {number_}" for number_ in rounds).to_numpy(), seats) for name in names}


def _order(data: ReportData, section: Section) -> None:
    """Which buildings are opened early."""
    rows = [_opening(data, name) for name in _names(data)]
    names = ["building", "ever completed", "by the first in round", "from", "to", "earliest of all"]
    frame = pl.DataFrame(rows, names, orient="row").sort("by the first in round")
    caption = (
        "Order of opening: share of games in which anybody completes it; mean round of the first completion in these; share of games in "
        "which none is completed in an earlier round"
    )
    section.tables.append(
        Table(
            "order",
            caption,
            frame,
            {"ever completed": ".1%", "by the first in round": ".2f", "from": ".2f", "to": ".2f", "earliest of all": ".1%"},
        )
    )


def _opening(data: ReportData, name: str) -> tuple[object, ...]:
    rounds = [pl.col(f"first_round_{other}") for other in _names(data)]
    mine = pl.col(f"first_round_{name}")
    earliest = pl.min_horizontal(pl.when(one > 0).then(one) for one in rounds)
    games = data.scan("games").with_columns(
        (mine > 0).alias("_ever"), pl.when(mine > 0).then(mine).alias("_when"), ((mine > 0) & (mine == earliest)).alias("_first")
    )
    sums = data.collect(games.group_by("block").agg(pl.col("_ever", "_when", "_first").sum().cast(pl.Float64), pl.len().alias("games")))
    when = _ratio(sums["_when"], sums["_ever"])
    total = float(sums["games"].sum())
    return (_words(name), sums["_ever"].sum() / total, when.mean, when.low, when.high, sums["_first"].sum() / total)


def _ratio(sums: pl.Series, counts: pl.Series) -> Estimate:
    return mean_of(sums.to_numpy(), counts.to_numpy())


# --- first ------------------------------------------------------------------------------------------------------------------------------


def _first_completers(data: ReportData, section: Section) -> None:
    """Those who completed a building first: raw, and against their table."""
    names, sums = _names(data), _first_sums(data)
    rows, relative = [], []
    for name in names:
        times, rest = sums[f"{name} times"].to_numpy(), sums[f"{name} rest"].to_numpy()
        if not times.sum() or not rest.sum():
            continue
        raw = means(sums.select(f"{name} rest vp", f"{name} vp").to_numpy(), np.column_stack([rest, times])).difference(1, 0)
        against, adjusted = (mean_of(sums[f"{name} {measure}"], times) for measure in ("_vp", "_vp_policy"))
        rows.append((_words(name), int(times.sum()), *_three(raw), *_three(against), *_three(adjusted)))
        relative.append((name, adjusted))
    if not rows:
        return
    header = [
        "building",
        "times",
        "raw",
        "raw from",
        "raw to",
        "against table",
        "table from",
        "table to",
        "policy allowed for",
        "policy from",
        "policy to",
    ]
    frame = pl.DataFrame(rows, header, orient="row")
    caption = (
        "First completers, points at the end: raw, less those of all seats that were not first; less their table's mean; and less also "
        "what their policy has above its table "
        "in all games. Associations with 95 % intervals, not effects"
    )
    section.tables.append(Table("first", caption, frame, dict.fromkeys(header[2:], "+.2f") | {"times": ","}))
    section.figures.append(_first_figure(relative))
    pooled = [sums.select(f"{name} {what}" for name in names).sum_horizontal() for what in ("_vp_policy", "times")]
    section.takeaways.append(_first_sentence(mean_of(*pooled), relative))


def _first_sums(data: ReportData) -> pl.DataFrame:
    """By block: for each building how often a seat was first or not, and their points, raw and relative.

    Sums are rounded and sorted, so that the order in which rows come in leaves no trace."""
    firsts = data.scan("games").select("game", *(pl.col(f"first_seat_{name}") for name in _names(data)))
    rows = _against_table(data).join(firsts, on="game")
    sums: list[pl.Expr] = []
    for name in _names(data):
        first = pl.col("seat") == pl.col(f"first_seat_{name}")
        sums += [
            first.sum().alias(f"{name} times"),
            (~first).sum().alias(f"{name} rest"),
            pl.col("vp").filter(~first).sum().alias(f"{name} rest vp"),
        ]
        sums += [pl.col(measure).filter(first).sum().alias(f"{name} {measure}") for measure in ("vp", "_vp", "_vp_policy")]
    return data.collect(rows.group_by("block").agg(one.cast(pl.Float64).round(6) for one in sums)).sort("block")


def _three(found: Estimate) -> tuple[float, float, float]:
    return found.mean, found.low, found.high


def _against_table(data: ReportData) -> pl.LazyFrame:
    """Points less the table's mean; and less what the policy has above it over all games, too."""
    seats = data.scan("seats").with_columns(pl.col("vp").cast(pl.Float64), pl.col("policy").cast(pl.String))
    games = seats.group_by("game").agg(pl.col("vp").mean().alias("_table"))
    relative = seats.join(games, on="game").with_columns((pl.col("vp") - pl.col("_table")).alias("_vp"))
    policies = data.collect(relative.group_by("policy").agg(pl.col("_vp").mean().round(6).alias("_own")))
    return relative.join(policies.lazy(), on="policy").with_columns((pl.col("_vp") - pl.col("_own")).alias("_vp_policy"))


def _first_figure(found: list[tuple[str, Estimate]]) -> Figure:
    figure, axes = new_figure(7, 1.0 + 0.36 * len(found))
    ones = [one for _, one in found]
    estimate_bars(axes, [_words(name) for name, _ in found], ones, reference=0, horizontal=True, text="+.2f")
    axes.set_xlabel("points at the end, less the table's mean and the policy's own lead")
    axes.margins(x=0.12)
    alt = "First completers' points above their table, policy allowed for: " + ", ".join(
        f"{_words(name)} {one.mean:+.2f}" for name, one in found
    )
    return Figure("first", "First completers against their table (association, policy allowed for)", alt, figure)


def _first_sentence(pooled: Estimate, found: list[tuple[str, Estimate]]) -> Takeaway:
    """Over all buildings, with the range of single ones."""
    clear = strength(pooled)
    if clear < 1:
        return Takeaway(
            f"Whether first completers end above their table could not be decided ({interval(pooled, '+.2f')} points over all buildings).",
            clear,
        )
    (low, least), (high, most) = (choose(found, key=lambda pair: pair[1].mean) for choose in (min, max))
    text = (
        f"Whoever completes a building first ends {interval(pooled, '+.2f')} points from the table's mean beyond the policy's own lead "
        f"({number(least.mean, '+.1f')} for the "
        f"{_words(low)}, {number(most.mean, '+.1f')} for the {_words(high)}): an association, not an effect."
    )
    return Takeaway(text, clear)


# --- markers ----------------------------------------------------------------------------------------------------------------------------


def _markers(data: ReportData, section: Section) -> None:
    """Each marker by the round it was taken in, adjusted."""
    panel, names = Panel(data), _names(data)
    rounds = panel.load("seats", [f"craft_round_{name}" for name in names])
    columns = [(rounds[f"craft_round_{name}"] == number_).ravel() for name in names for number_ in range(1, data.rounds + 1)]
    counts = np.array([column.sum() for column in columns])
    fit = Regression(np.column_stack([*columns, panel.who]).astype(float), panel.blocks, panel.blocks).fit(panel.seats["vp"].ravel())
    shape = (len(names), data.rounds)
    found = [fit.one(place) for place in range(len(columns))]
    _marker_figure(section, names, found, counts.reshape(shape))
    p_values = np.where(counts >= FEWEST, fit.p_values()[: len(columns)], np.nan)
    rows = [
        (_words(name), number_, int(count), *((one.mean, one.low, one.high) if count >= FEWEST else (None, None, None)))
        for (name, number_), count, one in zip(
            ((name, number_) for name in names for number_ in range(1, data.rounds + 1)), counts, found, strict=True
        )
    ]
    frame = pl.DataFrame(rows, ["building", "round", "times", "points", "from", "to"], orient="row").with_columns(
        pl.Series("p adjusted", false_discovery(p_values), nan_to_null=True)
    )
    caption = f"Marker by building and round taken: points at the end over never taking it, adjusted; fewer than {FEWEST} are not shown"
    section.tables.append(
        Table("markers", caption, frame, {"times": ",", "points": "+.2f", "from": "+.2f", "to": "+.2f", "p adjusted": ".4f"})
    )
    section.text.append(
        "Markers by round: points at the end are regressed on which marker was taken in which round (none is the reference), among seats "
        "of the same deal, for equal policy and start position. "
        "The printed points of the round are part of the value. It is an adjusted association: who completes early may have had the "
        "better cards."
    )
    section.caveats.append(panel.note)


def _marker_figure(section: Section, names: list[str], found: list[Estimate], counts: np.ndarray) -> None:
    means = np.array([one.mean for one in found]).reshape(counts.shape)
    faint = np.array([one.low <= 0 <= one.high for one in found]).reshape(counts.shape)
    values = np.where(counts >= FEWEST, means, np.nan)
    if np.isnan(values).all():
        return
    figure, axes = new_figure(7, 3.2)
    columns = [f"round {number_}" for number_ in range(1, counts.shape[1] + 1)]
    heat_map(axes, values, [_words(name) for name in names], columns, text="+.1f", label="points at the end", centre=0, faint=faint)
    row, column = np.unravel_index(np.nanargmax(values), values.shape)
    alt = (
        f"Heat map of the adjusted value of each craft marker by round taken; highest {values[row, column]:+.1f} for the "
        f"{_words(names[int(row)])} in round {column + 1}."
    )
    section.figures.append(
        Figure(
            "markers",
            "Value of a marker by round taken, in points over never taking it (adjusted; in brackets: the interval holds 0)",
            alt,
            figure,
        )
    )


# --- blocked at the start -----------------------------------------------------------------------------------------------------------------


def _blocked(data: ReportData, section: Section) -> None:
    """The experiment that the dice make: which buildings are blocked is drawn for each deal."""
    numbers = {building.building: building.number for building in data.components.buildings}
    deals = _deals(data)
    drawn = deals.select("blocked_1", "blocked_2", "blocked_3").to_numpy()
    rows = [row for name, number_ in numbers.items() for row in _effects(data, deals, (drawn == number_).any(1), name)]
    if not rows:
        section.text.append("No building was blocked in some deals and open in others, so the effect of blocking cannot be told.")
        return
    adjusted = false_discovery([p for *_, p in rows])
    names = ["building", "outcome", "whose", "effect", "from", "to", "p"]
    shown = [(_words(name), outcome, who, one.mean, one.low, one.high, p) for name, outcome, who, one, p in rows]
    frame = pl.DataFrame(shown, names, orient="row").with_columns(pl.Series("p adjusted", adjusted))
    caption = (
        "Effect of a building being blocked at the start, instead of another one: differences between deals with 95 % intervals; p "
        "adjusted over the table (Benjamini and Hochberg)"
    )
    formats = {"effect": "+.3f", "from": "+.3f", "to": "+.3f", "p": ".4f", "p adjusted": ".4f"}
    section.tables.append(Table("blocked", caption, frame, formats))
    everybody = [(name, one) for name, outcome, who, one, _ in rows if who == "all"]
    section.figures.append(_blocked_figure(everybody))
    section.takeaways.append(_blocked_sentence(everybody, len(numbers)))
    section.text.append(
        "Blocked at the start: a die draws which buildings are blocked, so deals in which a building is blocked differ from the others by "
        "chance alone, and the difference of their means is the causal "
        "effect of blocking it (and thus of one of the others not being blocked) for these policies. All games of a block share the draw; "
        "the comparison is between blocks."
    )


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
    found = data.scan("seats").group_by("block").agg(*sums, *seats, pl.len().cast(pl.Float64).alias("all seats"))
    drawn = data.scan("games").group_by("block").agg(pl.col("blocked_1", "blocked_2", "blocked_3").first())
    return data.collect(drawn.join(found, on="block")).sort("block")


def _effects(data: ReportData, deals: pl.DataFrame, is_blocked: np.ndarray, name: str) -> list[tuple[str, str, str, Estimate, float]]:
    """On everybody's points, and on each policy's points and win share."""
    if is_blocked.all() or not is_blocked.any():
        return []
    asked = [("points", "vp", "all")]
    if len(data.policies) > 1:
        asked += [
            (label, measure, policy)
            for policy in sorted(data.policies)
            for label, measure in (("points", "vp"), ("win share", "win_share"))
        ]
    return [(name, label, who, *_effect(deals[f"{who} {measure}"], deals[f"{who} seats"], is_blocked)) for label, measure, who in asked]


def _effect(sums: pl.Series, seats: pl.Series, is_blocked: np.ndarray) -> tuple[Estimate, float]:
    """Mean where it is blocked less mean where it is not."""
    arms = np.column_stack([~is_blocked, is_blocked]).astype(float)
    difference = means(arms * sums.to_numpy()[:, None], arms * seats.to_numpy()[:, None]).combined([[-1.0, 1.0]])
    return difference.one(0), float(difference.p_values()[0])


def _blocked_figure(found: list[tuple[str, Estimate]]) -> Figure:
    figure, axes = new_figure(7, 1.0 + 0.36 * len(found))
    ones = [one for _, one in found]
    estimate_bars(axes, [_words(name) for name, _ in found], ones, reference=0, horizontal=True, text="+.2f")
    axes.set_xlabel("points of a seat at the end, blocked less open")
    axes.margins(x=0.12)
    alt = "Effect of each building being blocked at the start on a seat's points: " + ", ".join(
        f"{_words(name)} {one.mean:+.2f}" for name, one in found
    )
    return Figure("blocked", "Effect of a building being blocked at the start (drawn by die: causal)", alt, figure)


def _blocked_sentence(found: list[tuple[str, Estimate]], count: int) -> Takeaway:
    clear, name, one = max((strength(one, among=count), name, one) for name, one in found)
    if clear < 1:
        widest = max(one.high - one.mean for _, one in found)
        return Takeaway(
            f"Whether blocking a building at the start changes a seat's points could not be decided for any of them (± {number(widest)} "
            "points).",
            clear,
        )
    return Takeaway(
        f"A blocked {_words(name)} changes a seat's points by {interval(one, '+.2f')}, the clearest effect of a blocked building (drawn "
        "by die, so causal).",
        clear,
    )
