"""Where points come from, how they spread, and when a game is decided."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.rules.state import SOURCES
from lagranja_sim.stats.batches import BATCHES, SHARE, batch_sums, cube, jackknife, means_of, ratios, t_factor
from lagranja_sim.stats.lookup import Seats

TITLE = "Points"
QUESTION = "Where do points come from, how close are the games, and when are they decided?"
ORDER = 60
NEEDS = ["games", "seats", "rounds"]
MIN_GAMES = 200

GROUPS = {  # what is told apart in the picture -> columns of `seats`
    "barrows": ["barrow"],
    "market": ["market_round", "market_removal"],
    "buildings": ["building", "first", "unlock"],
    "siesta": ["siesta"],
    "roofs": ["roof", "roof_effect"],
    "craft markers": ["craft"],
    "helpers": ["helper"],
    "silver and start": ["silver", "start", "other"],
    "paid": ["spent"],
}
DEFICITS = [(0, 0), (1, 2), (3, 5), (6, 9), (10, 14), (15, 19), (20, 999)]  # points behind the leader
MIN_BUCKET = 100  # seats
LEAST_SHOWN = 0.05  # points: smaller parts of a bar cannot be seen
SPREAD = (0.1, 0.5, 0.9)  # quantiles

DEFINITIONS = [
    "Points by source add up to the points of the final score; what is paid in points counts below nought. Winning margin: points of the "
    "best seat less those of the second best; 0 where silver broke the tie or the win was shared. Lead change: the seat alone in front, "
    "looked at after each round and at the end, is another than the one before; a shared lead changes nothing.",
    "The leader after a round has the most points once it is scored; leaders who tie count in equal parts. The leader's win share is the "
    "mean of their shares of the win. A game is decided after round r if one seat is alone in front after round r and every later one, "
    "and wins alone. `By policy alone` is what the policies in the lead win over all games: what the leader wins beyond it is what being "
    "in front tells beyond who plays.",
    "Deficit: points behind the leader after a round. The comeback chance is the mean share of the win of all seats with such a deficit "
    "after that round. It describes games as they are played: who is behind is also more often a weak policy or in a poor seat, so it is "
    "no effect of the points lacking.",
]


def build(data: ReportData) -> Section:
    """The section from sources to comebacks."""
    section = Section(TITLE, QUESTION, text=DEFINITIONS)
    _sources(data, section)
    _distribution(data, section)
    _closeness(data, section)
    standings = Standings.of(data)
    _decided(data, standings, section)
    _comebacks(standings, section)
    section.caveats += [
        "Sources are not independent: a barrow also brings a market marker and a commodity, so taking a source away would cost more or "
        "less than its bar.",
        "When a game is decided and who comes back depends on how unequal the policies are.",
        data.reconstructed_note("barrows", "helpers", "market spaces"),
    ]
    section.caveats = [caveat for caveat in section.caveats if caveat]
    return section


# --- sources --------------------------------------------------------------------------------------------------------------------------


def _sources(data: ReportData, section: Section) -> None:
    seats = data.scan("seats")
    columns = [source for source in SOURCES if f"vp_{source}" in seats.collect_schema().names()]
    values = {source: pl.col(f"vp_{source}") for source in columns} | {"all": pl.col("vp")}
    sums = batch_sums(seats, ["policy"], values)
    sums = sums.with_columns(pl.sum_horizontal([one for one in parts if one in columns]).alias(group) for group, parts in GROUPS.items())
    by_source = means_of(sums, ["policy"], [*columns, "all"])
    by_group = means_of(sums, ["policy"], [*GROUPS, "all"])
    by_round = _by_round(data, sums)
    section.figures.append(_sources_figure(by_group, by_round, data))
    section.tables += [
        Table(
            "sources", "Points of a seat by source, with 95 % intervals.", _policy_table(by_source, "source"), dict.fromkeys(NUMBERS, ".2f")
        ),
        Table(
            "rounds",
            "Points gained by round; `end` is silver turned into points.",
            _policy_table(by_round, "round"),
            dict.fromkeys(NUMBERS, ".2f"),
        ),
    ]
    section.takeaways.append(_largest_source(sums))


NUMBERS = ("points", "low", "high")


def _policy_table(found: pl.DataFrame, name: str) -> pl.DataFrame:
    return found.sort("policy", maintain_order=True).select(
        "policy", pl.col("measure").alias(name), pl.col("value").alias("points"), "low", "high"
    )


def _by_round(data: ReportData, seats: pl.DataFrame) -> pl.DataFrame:
    """What a seat gains in each round, and before the first and after the last."""
    by_seat = Seats.of(data)
    rows = data.scan("rounds").select("block", "round", "vp_gained", by_seat.value("policy"))
    gained = by_seat.named(batch_sums(rows, ["policy", "round"], {"gained": pl.col("vp_gained")}))
    rounds = {f"round {number}": number for number in range(1, data.rounds + 1)}
    wide = gained.group_by("batch", "policy").agg(
        pl.col("gained").filter(pl.col("round") == number).sum().alias(name) for name, number in rounds.items()
    )
    joined = seats.with_columns(pl.col("policy").cast(pl.String)).join(
        wide.with_columns(pl.col("policy").cast(pl.String)), on=["batch", "policy"]
    )
    joined = joined.with_columns((pl.col("all") - pl.col("start") - pl.sum_horizontal(*rounds)).alias("end"))
    return means_of(joined, ["policy"], ["start", *rounds, "end"])


def _largest_source(sums: pl.DataFrame) -> Takeaway:
    totals = {group: sums[group].sum() / sums["rows"].sum() for group in GROUPS}
    first, second = sorted(totals, key=lambda group: totals[group], reverse=True)[:2]
    share = ratios(sums, [], first, "all").row(0, named=True)
    ahead = ratios(sums.with_columns((pl.col(first) - pl.col(second)).alias("ahead")), [], "ahead").row(0, named=True)
    verdict = "; which of the two is larger is undecided" if ahead["low"] <= 0 else ""
    return Takeaway(
        f"The largest source of points is {first}: {totals[first]:.1f} a seat, {share['value']:.0%} of all ({share['low']:.1%} to "
        f"{share['high']:.1%}), {ahead['value']:.1f} more ({ahead['low']:.1f} to {ahead['high']:.1f}) than {second}{verdict}.",
        _strength(ahead["value"], ahead["high"] - ahead["value"]),
    )


def _strength(distance: float, half: float) -> float:
    """How many half-widths of its interval a finding is away from none."""
    return abs(distance) / half if half > 0 else float(abs(distance) > 0) * 99


def _sources_figure(by_group: pl.DataFrame, by_round: pl.DataFrame, data: ReportData) -> Figure:
    """Two stacked bars a policy: by source, and by round."""
    order = _by_points(by_group)
    figure, (left, right) = style.new_figure(7, 1.9 + 0.75 * len(order), rows=2, sharex=True)
    shown = [group for group in GROUPS if by_group.filter(pl.col("measure") == group)["value"].abs().max() >= LEAST_SHOWN]
    colours = dict(zip(GROUPS, style.PARTS, strict=False))
    _stack(left, by_group, order, shown, colours, "by source")
    rounds = by_round["measure"].unique(maintain_order=True).to_list()
    shades = {name: (style.matplotlib.colormaps["cividis"](0.95 - 0.9 * at / len(rounds)), "") for at, name in enumerate(rounds)}
    _stack(right, by_round, order, rounds, shades, "by round gained")
    right.set_xlabel("points of a seat, mean")
    best = {row["measure"]: row["value"] for row in by_group.filter(pl.col("policy").cast(pl.String) == order[0]).to_dicts()}
    listed = ", ".join(f"{name} {best[name]:.1f}" for name in GROUPS if abs(best[name]) >= 0.5)
    return Figure(
        "sources",
        "Points of a seat by policy, by source and by round",
        f"Stacked bars of mean points by policy. The best, {order[0]}, has {best['all']:.1f}: {listed}.",
        figure,
    )


def _by_points(by_group: pl.DataFrame) -> list[str]:
    return by_group.filter(pl.col("measure") == "all").sort("value", descending=True)["policy"].cast(pl.String).to_list()


def _stack(axes: Any, found: pl.DataFrame, order: list[str], parts: list[str], looks: dict[str, Any], title: str) -> None:
    values = {(str(row["policy"]), row["measure"]): row["value"] for row in found.to_dicts()}
    for at, policy in enumerate(order):
        end = 0.0
        for part in parts:
            value = values[policy, part]
            start = end if value >= 0 else value  # what is paid lies left of nought
            end += max(value, 0)
            colour, hatch = looks[part]
            axes.barh(at, abs(value), left=start, height=0.62, color=colour, hatch=hatch, edgecolor="white", linewidth=0.6)
            if value >= 2.5:
                axes.text(start + value / 2, at, f"{value:.0f}", ha="center", va="center", fontsize=8, **_lettering(colour, hatch))
        axes.text(end, at, f"  {sum(values[policy, part] for part in parts):.1f}", va="center", fontsize=9)
    axes.set_yticks(range(len(order)), order)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.margins(x=0.08)
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=style.FAINT, linewidth=0.8)
    handles = [
        style.matplotlib.patches.Patch(facecolor=colour, hatch=hatch, edgecolor="white")
        for colour, hatch in (looks[part] for part in parts)
    ]
    axes.legend(
        handles,
        parts,
        loc="lower left",
        bbox_to_anchor=(-0.02, 1.0),
        ncols=5,
        fontsize=8.5,
        title=title,
        alignment="left",
        handlelength=1.2,
    )


def _lettering(colour: Any, hatch: str) -> dict[str, Any]:
    """What can be read on a colour; on a hatched one only what has a ground of its own."""
    red, green, blue = style.matplotlib.colors.to_rgb(colour)
    pale = "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else style.INK
    return {"color": style.INK, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1}} if hatch else {"color": pale}


# --- distribution ---------------------------------------------------------------------------------------------------------------------


def _distribution(data: ReportData, section: Section) -> None:
    counts = batch_sums(data.scan("seats"), ["policy", "vp"])
    frames = {str(key[0]): part for key, part in counts.partition_by("policy", as_dict=True).items()}
    order = sorted(frames, key=lambda policy: -_quantiles(frames[policy])[1]["points"])
    rows = [{"policy": policy, **quantile} for policy in order for quantile in _quantiles(frames[policy])]
    section.tables.append(
        Table(
            "quantiles",
            "Quantiles of a seat's points with 95 % intervals (Woodruff's).",
            pl.DataFrame(rows),
            {"quantile": ".0%"} | dict.fromkeys(NUMBERS, ".0f"),
        )
    )
    section.figures.append(_distribution_figure(frames, order, rows))


def _quantiles(counts: pl.DataFrame) -> list[dict[str, float]]:
    """Quantiles, with the points at which the shares at both ends of the interval of the cumulative share are reached."""
    points = counts["vp"].unique().sort()
    table = cube(counts, {"vp": points.to_list()}, "rows").cumsum(axis=1)
    share = table.sum(axis=0) / table[:, -1].sum()
    found = []
    for level in SPREAD:
        at = int(np.searchsorted(share, level))
        _, error = jackknife(table[:, [at, -1]], lambda total: total[0] / total[1])
        half = float(t_factor(len(table)) * error)
        ends = [int(points[min(int(np.searchsorted(share, bound)), len(points) - 1)]) for bound in (level - half, level, level + half)]
        found.append({"quantile": level, "points": ends[1], "low": ends[0], "high": ends[2]})
    return found


def _distribution_figure(frames: dict[str, pl.DataFrame], order: list[str], rows: list[dict[str, Any]]) -> Figure:
    figure, axes = style.new_figure(7, 0.9 + 0.72 * len(order), rows=len(order), sharex=True, squeeze=False)
    colours = style.colour_of(order)
    for axis, policy in zip(axes[:, 0], order, strict=True):
        whole = frames[policy].group_by("vp").agg(pl.col("rows").sum()).sort("vp")
        axis.bar(whole["vp"], whole["rows"] / whole["rows"].sum(), width=1, color=colours[policy])
        low, middle, high = (row["points"] for row in rows if row["policy"] == policy)
        axis.axvline(middle, color=style.INK, linewidth=1)
        axis.set_title(f"{policy}: median {middle}, eight in ten between {low} and {high}", fontsize=9)
        style.percent(axis.yaxis)
        axis.tick_params(axis="y", labelsize=8)
    axes[-1, 0].set_xlabel("points of a seat at the end")
    figure.supylabel("share of seats", fontsize=9.5)
    listed = "; ".join(f"{row['policy']} {row['points']}" for row in rows if row["quantile"] == 0.5)
    return Figure(
        "distribution", "How the points of a seat spread", f"A histogram of points a policy; the line is the median ({listed}).", figure
    )


# --- how close games are --------------------------------------------------------------------------------------------------------------


def _closeness(data: ReportData, section: Section) -> None:
    games = data.scan("games")
    margins = batch_sums(games, ["vp_margin"])
    changes = batch_sums(games, ["lead_changes"])
    values = {
        "margin": pl.col("vp_margin"),
        "tie": pl.col("vp_margin") == 0,
        "shared": pl.col("winner_seat") < 0,
        "lead changes": pl.col("lead_changes"),
    }
    measures = {"close": pl.col("vp_margin") <= 3} | values
    found = means_of(batch_sums(games, [], measures), [], list(measures), {"tie": SHARE, "shared": SHARE, "close": SHARE})
    named = {row["measure"]: row for row in found.to_dicts()}
    section.tables.append(Table("closeness", "How close games are: means over all games.", _closeness_table(named), {}))
    section.figures.append(_closeness_figure(margins, changes, named))
    section.takeaways.append(_closeness_takeaway(named))


def _closeness_table(named: dict[str, dict[str, Any]]) -> pl.DataFrame:
    lines = {
        "winning margin, points": ("margin", ".2f"),
        "games won by 3 points or fewer": ("close", ".2%"),
        "games with equal points at the top": ("tie", ".2%"),
        "games whose win is shared": ("shared", ".2%"),
        "lead changes a game": ("lead changes", ".2f"),
    }
    return pl.DataFrame(
        [{"of": text} | {key: format(named[name][key], form) for key in ("value", "low", "high")} for text, (name, form) in lines.items()]
    )


def _closeness_takeaway(named: dict[str, dict[str, Any]]) -> Takeaway:
    margin, close, shared = named["margin"], named["close"], named["shared"]
    return Takeaway(
        f"The winner is {margin['value']:.1f} points ahead of the second on average ({margin['low']:.1f} to {margin['high']:.1f}); "
        f"{close['value']:.0%} of games ({close['low']:.0%} to {close['high']:.0%}) end within 3 points, {shared['value']:.1%} "
        f"({shared['low']:.1%} to {shared['high']:.1%}) with a shared win.",
        1.5,  # a description: there is nothing it is compared with
    )


def _closeness_figure(margins: pl.DataFrame, changes: pl.DataFrame, named: dict[str, dict[str, Any]]) -> Figure:
    figure, (left, right) = style.new_figure(7, 2.9, columns=2, width_ratios=[1.7, 1])
    _shares(left, *_with_rest(_share_of(margins, "vp_margin"), 0.97), style.OKABE_ITO[0])
    left.axvline(named["margin"]["value"], color=style.INK, linewidth=1)
    left.annotate(
        f"mean {named['margin']['value']:.1f}",
        (named["margin"]["value"], 1),
        (4, -8),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        fontsize=9,
    )
    left.set_xlabel("winning margin, points (last bar: as many or more)")
    left.set_ylabel("share of games")
    _shares(right, *_with_rest(_share_of(changes, "lead_changes"), 1), style.OKABE_ITO[2])
    right.set_xlabel("lead changes in a game")
    right.xaxis.set_major_locator(style.matplotlib.ticker.MaxNLocator(integer=True))
    return Figure(
        "closeness",
        "How close games are",
        f"Left: shares of games by winning margin, mean {named['margin']['value']:.1f} points. "
        f"Right: shares by number of lead changes, mean {named['lead changes']['value']:.2f}.",
        figure,
    )


def _share_of(counts: pl.DataFrame, name: str) -> pl.DataFrame:
    return ratios(
        counts.join(counts.group_by("batch").agg(pl.col("rows").sum().alias("all")), on="batch"), [name], "rows", "all", SHARE
    ).with_columns((pl.col("value") * pl.col("n") / counts["rows"].sum()).alias("value"))


def _with_rest(shares: pl.DataFrame, until: float) -> tuple[list[int], list[float]]:
    """The values and their shares; those beyond the quantile `until` are one."""
    values, parts = shares[:, 0].to_list(), shares["value"].to_list()
    kept = next((at for at, total in enumerate(np.cumsum(parts)) if total >= until), len(parts) - 1) if until < 1 else len(parts)
    return values[: kept + 1], [*parts[:kept], sum(parts[kept:])] if kept < len(parts) else parts


def _shares(axes: Any, values: list[int], shares: list[float], colour: str) -> None:
    axes.bar(values, shares, width=0.85, color=colour)
    style.percent(axes.yaxis)
    axes.grid(axis="y", color=style.GRID, linewidth=0.7)


# --- the standings after each round ---------------------------------------------------------------------------------------------------


class Standings(NamedTuple):
    """Points after each round and how games ended, as arrays."""

    vp: np.ndarray  # games x rounds x seats
    leads: list[np.ndarray]  # by round: games x seats, equal parts of 1 for those who lead
    win: np.ndarray  # games x seats
    base: np.ndarray  # games x seats: the win share of the seat's policy over all games
    batch: np.ndarray  # games

    @classmethod
    def of(cls, data: ReportData) -> Standings:
        shape = (-1, data.rounds, data.players)
        rounds = data.collect(data.scan("rounds").select("game", "round", "seat", "vp"))
        vp = _regular(rounds, data)["vp"].to_numpy().reshape(shape)
        seats = Seats.of(data, win=pl.col("win_share"))
        games = (-1, data.players)
        shares = np.bincount(seats["policy"], seats["win"]) / np.maximum(np.bincount(seats["policy"]), 1)
        base = shares.astype(np.float32)[seats["policy"]]
        leads = [_lead(vp[:, number]) for number in range(data.rounds)]
        return cls(vp, leads, seats["win"].reshape(games), base.reshape(games), seats["block"].reshape(games)[:, 0] % BATCHES)

    def sums(self, **values: np.ndarray) -> pl.DataFrame:
        """Values of games summed by batch."""
        held = np.unique(self.batch)
        summed = {name: np.bincount(self.batch, value, BATCHES)[held] for name, value in values.items()}
        return pl.DataFrame({"batch": held.astype(np.int16), "rows": np.bincount(self.batch, minlength=BATCHES)[held], **summed})


def _lead(vp: np.ndarray) -> np.ndarray:
    front = (vp == vp.max(axis=1, keepdims=True)).astype(np.float32)
    return front / front.sum(axis=1, keepdims=True)


def _regular(frame: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """The rows in the order of games, rounds and seats, which they usually have already."""
    shape = (-1, data.rounds, data.players)
    places = {
        "game": np.arange(data.games)[:, None, None],
        "round": np.arange(1, data.rounds + 1)[:, None],
        "seat": np.arange(data.players),
    }
    held = all((frame[name].to_numpy().reshape(shape) == place).all() for name, place in places.items())
    return frame if held else frame.sort("game", "round", "seat")


# --- when games are decided -----------------------------------------------------------------------------------------------------------


def _decided(data: ReportData, standings: Standings, section: Section) -> None:
    table = pl.concat([_decided_after(standings, number) for number in range(data.rounds)])
    section.tables.append(
        Table(
            "decided", "What the lead after each round says about the win, with 95 % intervals.", table, _percentages(table, but=["round"])
        )
    )
    section.figures.append(_decided_figure(table, data.players))
    section.takeaways.append(_decided_takeaway(table, data))


def _decided_after(standings: Standings, number: int) -> pl.DataFrame:
    lead = standings.leads[number]
    win, base = (lead * standings.win).sum(axis=1), (lead * standings.base).sum(axis=1)
    sums = standings.sums(win=win, base=base, excess=win - base, settled=_settled(standings, number))
    row: dict[str, Any] = {"round": number + 1}
    for name, of in {"leader wins": "win", "by policy alone": "base", "beyond policy": "excess", "decided": "settled"}.items():
        found = ratios(sums, [], of, bounds=(-1, 1) if of == "excess" else SHARE).row(0, named=True)
        row |= {name: found["value"], f"{name}, low": found["low"], f"{name}, high": found["high"]}
    return pl.DataFrame(row)


def _settled(standings: Standings, number: int) -> np.ndarray:
    """Whether the sole winner was alone in front after this round and all later ones."""
    settled = standings.win == 1
    for lead in standings.leads[number:]:
        settled = settled & (lead == 1)
    return settled.any(axis=1)


def _percentages(table: pl.DataFrame, but: list[str]) -> dict[str, str]:
    return {name: ".1%" for name in table.columns if name not in but}


def _decided_figure(table: pl.DataFrame, players: int) -> Figure:
    figure, axes = style.new_figure(7, 3.3)
    looks = {"leader wins": ("o", "-"), "by policy alone": ("^", ":"), "decided": ("s", "-")}
    for (name, (mark, line)), colour in zip(looks.items(), (style.OKABE_ITO[0], style.FAINT, style.OKABE_ITO[5]), strict=True):
        ends = table[f"{name}, low"], table[f"{name}, high"]
        style.line_with_band(axes, table["round"], table[name], *ends, colour=colour, label=name, mark=mark, linestyle=line)
    axes.axhline(1 / players, color=style.FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.text(table["round"].max(), 1 / players, "an equal share", fontsize=8.5, color=style.FAINT, va="bottom", ha="right")
    axes.set_ylim(0, 1)
    axes.set_xticks(table["round"])
    axes.set_xlabel("after round")
    axes.set_ylabel("share of games")
    style.percent(axes.yaxis)
    style.label_lines(axes)
    said = "; ".join(f"round {row['round']}: {row['leader wins']:.0%} and {row['decided']:.0%}" for row in table.to_dicts())
    return Figure(
        "decided", "When games are decided", f"The leader's win share and the share of games decided, after each round. {said}.", figure
    )


def _decided_takeaway(table: pl.DataFrame, data: ReportData) -> Takeaway:
    row = table.row(data.rounds // 2 - 1, named=True)
    excess, low, high = (row[f"beyond policy{end}"] for end in ("", ", low", ", high"))
    beyond = f"{excess * 100:+.1f} percentage points beyond what the leading policies win anyway ({low * 100:+.1f} to {high * 100:+.1f})"
    undecided = "; whether that is more is undecided" if low <= 0 <= high else ""
    return Takeaway(
        f"Who leads after round {row['round']} of {data.rounds} wins {row['leader wins']:.0%} of the games "
        f"({row['leader wins, low']:.0%} to {row['leader wins, high']:.0%}), {beyond}{undecided}; "
        f"{row['decided']:.0%} of games are decided by then.",
        _strength(excess, (high - low) / 2),
    )


# --- comebacks ------------------------------------------------------------------------------------------------------------------------


def _comebacks(standings: Standings, section: Section) -> None:
    table = pl.concat([_comeback_after(standings, number) for number in range(standings.vp.shape[1])])
    shown = table.filter(pl.col("seats") >= MIN_BUCKET)
    section.tables.append(
        Table(
            "comebacks",
            f"Share of the win by points behind the leader after each round (0: leading). {table.height - shown.height} cells with fewer "
            f"than {MIN_BUCKET} seats are hidden.",
            shown.drop("bucket"),
            _percentages(shown, ["round", "behind", "seats", "bucket"]) | {"seats": ",.0f"},
        )
    )
    section.figures.append(_comeback_figure(shown, standings.vp.shape[1]))
    section.takeaways += _comeback_takeaway(shown, standings)


def _comeback_after(standings: Standings, number: int) -> pl.DataFrame:
    behind = standings.vp[:, number].max(axis=1, keepdims=True) - standings.vp[:, number]
    bucket = np.searchsorted([high for _, high in DEFICITS], behind)
    code = (standings.batch[:, None].astype(np.int64) * len(DEFICITS) + bucket).ravel()
    size = BATCHES * len(DEFICITS)
    count, won = np.bincount(code, minlength=size), np.bincount(code, standings.win.ravel(), size)
    frame = pl.DataFrame(
        {
            "batch": np.repeat(np.arange(BATCHES), len(DEFICITS)),
            "bucket": np.tile(np.arange(len(DEFICITS)), BATCHES),
            "rows": count,
            "won": won,
        }
    )
    found = ratios(frame, ["bucket"], "won", bounds=SHARE)
    names = [_span(*ends) for ends in DEFICITS]
    return found.select(
        pl.lit(number + 1).alias("round"),
        pl.col("bucket").replace_strict(dict(enumerate(names)), return_dtype=pl.String).alias("behind"),
        pl.col("n").alias("seats"),
        pl.col("value").alias("comeback chance"),
        "low",
        "high",
        "bucket",
    )


def _span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} or more" if high > 900 else f"{low}–{high}"


def _comeback_figure(shown: pl.DataFrame, rounds: int) -> Figure:
    values = np.full((len(DEFICITS), rounds), np.nan)
    for row in shown.to_dicts():
        values[row["bucket"], row["round"] - 1] = row["comeback chance"]
    figure, axes = style.new_figure(7, 3.4)
    style.heat_map(
        axes,
        values,
        [_span(*ends) for ends in DEFICITS],
        [str(number + 1) for number in range(rounds)],
        text=".1%",
        label="share of the win",
    )
    axes.set_xlabel("after round")
    axes.set_ylabel("points behind the leader (0: leading)")
    middle = shown.filter(pl.col("round") == rounds // 2).to_dicts()
    said = ", ".join(f"{row['behind']}: {row['comeback chance']:.0%}" for row in middle)
    what = f"Heat map of the share of the win by deficit and round; empty where there were fewer than {MIN_BUCKET} seats."
    alt = f"{what} After round {rounds // 2}: {said}."
    return Figure("comebacks", "How often those behind still win", alt, figure)


def _comeback_takeaway(shown: pl.DataFrame, standings: Standings) -> list[Takeaway]:
    middle = shown.filter((pl.col("round") == standings.vp.shape[1] // 2) & (pl.col("behind") == _span(*DEFICITS[3])))
    if middle.is_empty():
        return []
    row, chance = middle.row(0, named=True), 1 / standings.vp.shape[2]
    value, low, high = row["comeback chance"], row["low"], row["high"]
    verdict = "undecided whether that differs from" if low <= chance <= high else "less than" if value < chance else "more than"
    won = f"{value:.1%} of the time ({low:.1%} to {high:.1%}), {verdict} one seat's share of {chance:.0%}"
    text = f"Seats {row['behind']} points behind after round {row['round']} still win {won}."
    return [Takeaway(text, _strength(value - chance, (high - low) / 2))]
