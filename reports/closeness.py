"""How close games are, when they are decided, and how often those behind still win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.ticker import MaxNLocator

from lagranja_sim.report import style
from lagranja_sim.report.lookup import Seats
from lagranja_sim.report.say import ends, interval, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.report.tables import formats, side_by_side
from lagranja_sim.stats.batches import BATCHES, ROWS, batch_sums, means, ratios
from lagranja_sim.stats.blocks import SHARE, Estimate, estimate_at, estimates_in

GAME = "lagranja"
TITLE = "Closeness"
QUESTION = "How close are the games, when are they decided, and do those behind still win?"
ORDER = 62
NEEDS = ["games", "seats", "rounds"]
MIN_GAMES = 200
MIN_PLAYERS = 2

CLOSE = 3  # points
DEFICITS = [(0, 0), (1, 2), (3, 5), (6, 9), (10, 14), (15, 19), (20, 999)]  # points behind the leader
MIN_BUCKET = 100  # seats
WITHOUT_TAIL = 0.97  # of the games: margins beyond are drawn as one bar

DEFINITIONS = [
    "Winning margin: points of the best seat less those of the second best; 0 where silver broke the tie or the win was shared. Lead "
    "change: the seat alone in front, looked at after each round and at the end, is another than the one before; a shared lead changes "
    "nothing.",
    "The leader after a round has the most points once it is scored; leaders who tie count in equal parts. The leader's win share is the "
    "mean of their shares of the win. A game is decided after round r if one seat is alone in front after round r and every later one, "
    "and wins alone. `By policy alone` is what the policies in the lead win over all games: what the leader wins beyond it is what being "
    "in front tells beyond who plays.",
    "Deficit: points behind the leader after a round. The comeback chance is the mean share of the win of all seats with such a deficit "
    "after that round. It describes games as they are played: who is behind is also more often a weak policy or in a poor seat, so it is "
    "no effect of the points lacking.",
]


def build(data: ReportData) -> Section:
    """The section from margins to comebacks."""
    standings = Standings.of(data)
    closeness, leads, comebacks = _closeness(data), _leads(standings), _comebacks(standings)
    shown = comebacks.filter(pl.col(ROWS) >= MIN_BUCKET)
    return Section(
        TITLE,
        QUESTION,
        takeaways=[_closeness_takeaway(closeness), _decided_takeaway(leads, data.rounds), *_comeback_takeaway(shown, data)],
        figures=[_margins_figure(data, closeness), _decided_figure(leads, data.players), _comeback_figure(shown, data.rounds)],
        tables=[_closeness_table(closeness), _decided_table(leads), _comeback_table(shown, comebacks.height - shown.height)],
        caveats=[
            "When a game is decided and who comes back depends on how unequal the policies are.",
            data.reconstructed_note("barrows", "helpers", "market spaces"),
        ],
        text=DEFINITIONS,
    )


# --- margins and changes of the lead --------------------------------------------------------------------------------------------------


def _closeness(data: ReportData) -> dict[str, Estimate]:
    """Means over all games."""
    values = {
        "margin": pl.col("vp_margin"),
        "close": pl.col("vp_margin") <= CLOSE,
        "tie": pl.col("vp_margin") == 0,
        "shared": pl.col("winner_seat") < 0,
        "lead changes": pl.col("lead_changes"),
    }
    sums = batch_sums(data.scan("games"), [], values)
    frame = means(sums, [], list(values), dict.fromkeys(("close", "tie", "shared"), SHARE))
    return dict(zip(frame["measure"], estimates_in(frame), strict=True))


def _closeness_table(closeness: Mapping[str, Estimate]) -> Table:
    lines = {
        "margin": ("winning margin, points", ".2f"),
        "close": (f"games won by {CLOSE} points or fewer", ".2%"),
        "tie": ("games with equal points at the top", ".2%"),
        "shared": ("games whose win is shared", ".2%"),
        "lead changes": ("lead changes a game", ".2f"),
    }
    rows = [
        (text, *(format(value, spec) for value in (closeness[name].mean, closeness[name].low, closeness[name].high)))
        for name, (text, spec) in lines.items()
    ]
    frame = pl.DataFrame(rows, ["of", "value", "low", "high"], orient="row")
    return Table("closeness", "How close games are: means over all games.", frame)


def _closeness_takeaway(closeness: Mapping[str, Estimate]) -> Takeaway:
    margin, close, shared = (closeness[name] for name in ("margin", "close", "shared"))
    return Takeaway(
        f"The winner is {margin.mean:.1f} points ahead of the second on average ({ends(margin, '.1f')}); {close.mean:.0%} of games "
        f"({ends(close, '.0%')}) end within {CLOSE} points, {interval(shared, '.1%')} with a shared win.",
        1.5,  # a description: there is nothing it is compared with
    )


def _margins_figure(data: ReportData, closeness: Mapping[str, Estimate]) -> Figure:
    margin, changes = closeness["margin"].mean, closeness["lead changes"].mean
    figure, (left, right) = style.new_figure(7, 2.9, columns=2, width_ratios=[1.7, 1])
    _shares(left, _with_rest(_share_of(data, "vp_margin"), WITHOUT_TAIL), style.OKABE_ITO[0])
    left.axvline(margin, color=style.INK, linewidth=1)
    beside: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "fontsize": 9}
    left.annotate(f"mean {margin:.1f}", (margin, 1), (4, -8), **beside)
    left.set_xlabel("winning margin, points (last bar: as many or more)")
    left.set_ylabel("share of games")
    _shares(right, _share_of(data, "lead_changes"), style.OKABE_ITO[2])
    right.set_xlabel("lead changes in a game")
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    return Figure(
        "margins",
        "How close games are",
        f"Left: shares of games by winning margin, mean {margin:.1f} points. Right: shares by number of lead changes, mean {changes:.2f}.",
        figure,
    )


def _share_of(data: ReportData, name: str) -> dict[int, float]:
    """The share of games by a value."""
    counts = data.collect(data.scan("games").group_by(name).len()).sort(name)
    return dict(zip(counts[name].to_list(), (counts["len"] / counts["len"].sum()).to_list(), strict=True))


def _with_rest(shares: Mapping[int, float], until: float) -> dict[int, float]:
    """The shares with all values beyond the quantile `until` put together."""
    values, parts = list(shares), list(shares.values())
    last = next(at for at, total in enumerate(np.cumsum(parts)) if total >= until)
    return dict(zip(values[: last + 1], [*parts[:last], sum(parts[last:])], strict=True))


def _shares(axes: Any, shares: Mapping[int, float], colour: str) -> None:
    axes.bar(list(shares), list(shares.values()), width=0.85, color=colour)
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
        counts = np.bincount(self.batch, minlength=BATCHES)
        batches = np.flatnonzero(counts)
        summed = {name: np.bincount(self.batch, value, BATCHES)[batches] for name, value in values.items()}
        return pl.DataFrame({"batch": batches.astype(np.int16), ROWS: counts[batches], **summed})


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
    is_sorted = all((frame[name].to_numpy().reshape(shape) == place).all() for name, place in places.items())
    return frame if is_sorted else frame.sort("game", "round", "seat")


# --- when games are decided -----------------------------------------------------------------------------------------------------------

SAID_BY_LEAD = {  # column of the sums -> what it says of the lead after a round, and what it can be
    "win": ("leader wins", SHARE),
    "base": ("by policy alone", SHARE),
    "excess": ("beyond policy", (-1.0, 1.0)),
    "settled": ("decided", SHARE),
}


def _leads(standings: Standings) -> dict[str, pl.DataFrame]:
    """What the lead says: a frame of estimates by round for each measure."""
    sums = pl.concat([_lead_sums(standings, number) for number in range(len(standings.leads))])
    return {name: ratios(sums, ["round"], over, bounds=bounds) for over, (name, bounds) in SAID_BY_LEAD.items()}


def _lead_sums(standings: Standings, number: int) -> pl.DataFrame:
    lead = standings.leads[number]
    win, base = (lead * standings.win).sum(axis=1), (lead * standings.base).sum(axis=1)
    sums = standings.sums(win=win, base=base, excess=win - base, settled=_settled(standings, number))
    return sums.with_columns(pl.lit(number + 1).alias("round"))


def _settled(standings: Standings, number: int) -> np.ndarray:
    """Whether the sole winner was alone in front after this round and all later ones."""
    settled = standings.win == 1
    for lead in standings.leads[number:]:
        settled = settled & (lead == 1)
    return settled.any(axis=1)


def _decided_table(leads: Mapping[str, pl.DataFrame]) -> Table:
    caption = "What the lead after each round says about the win, with 95 % intervals."
    return Table("decided", caption, side_by_side(leads, ["round"]), formats(".1%", *leads))


def _decided_figure(leads: Mapping[str, pl.DataFrame], players: int) -> Figure:
    figure, axes = style.new_figure(7, 3.3)
    looks = {"leader wins": ("o", "-"), "by policy alone": ("^", ":"), "decided": ("s", "-")}
    rounds = leads["decided"]["round"]
    for (name, (mark, line)), colour in zip(looks.items(), (style.OKABE_ITO[0], style.FAINT, style.OKABE_ITO[5]), strict=True):
        style.line_with_band(axes, rounds, estimates_in(leads[name]), colour=colour, label=name, mark=mark, linestyle=line)
    style.reference_line(axes, 1 / players)
    axes.text(rounds.max(), 1 / players, "an equal share", fontsize=8.5, color=style.FAINT, va="bottom", ha="right")
    axes.set_ylim(0, 1)
    axes.set_xticks(rounds)
    axes.set_xlabel("after round")
    axes.set_ylabel("share of games")
    style.percent(axes.yaxis)
    style.label_lines(axes)
    shares = zip(rounds, leads["leader wins"]["mean"], leads["decided"]["mean"], strict=True)
    shares_in_words = "; ".join(f"round {number}: {win:.0%} and {decided:.0%}" for number, win, decided in shares)
    return Figure(
        "decided",
        "When games are decided",
        f"The leader's win share and the share of games decided, after each round. {shares_in_words}.",
        figure,
    )


def _middle(rounds: int) -> int:
    """The round after which sentences look at the standings."""
    return max(1, rounds // 2)


def _decided_takeaway(leads: Mapping[str, pl.DataFrame], rounds: int) -> Takeaway:
    """How often the leader after the middle round wins, and how often games are decided by then."""
    middle = _middle(rounds)
    win, excess, decided = (estimate_at(leads[name], round=middle) for name in ("leader wins", "beyond policy", "decided"))
    low, high = excess.low * 100, excess.high * 100
    beyond = f"{excess.mean * 100:+.1f} percentage points beyond what the leading policies win anyway ({low:+.1f} to {high:+.1f})"
    undecided = "" if excess.excludes(0) else "; whether that is more is undecided"
    return Takeaway(
        f"Who leads after round {middle} of {rounds} wins {win.mean:.0%} of the games ({ends(win, '.0%')}), {beyond}{undecided}; "
        f"{decided.mean:.0%} of games are decided by then.",
        strength(excess),
    )


# --- comebacks ------------------------------------------------------------------------------------------------------------------------


def _comebacks(standings: Standings) -> pl.DataFrame:
    """A frame of estimates: the share of the win by round and deficit."""
    sums = pl.concat([_deficit_sums(standings, number) for number in range(standings.vp.shape[1])])
    return ratios(sums, ["round", "bucket"], "won", bounds=SHARE)


def _deficit_sums(standings: Standings, number: int) -> pl.DataFrame:
    """Seats and wins after a round by batch and deficit."""
    behind = standings.vp[:, number].max(axis=1, keepdims=True) - standings.vp[:, number]
    bucket = np.searchsorted([high for _, high in DEFICITS], behind)
    code = (standings.batch[:, None].astype(np.int64) * len(DEFICITS) + bucket).ravel()
    size = BATCHES * len(DEFICITS)
    places = {"batch": np.repeat(np.arange(BATCHES), len(DEFICITS)), "bucket": np.tile(np.arange(len(DEFICITS)), BATCHES)}
    sums = {ROWS: np.bincount(code, minlength=size), "won": np.bincount(code, standings.win.ravel(), size)}
    return pl.DataFrame({**places, **sums}).with_columns(pl.lit(number + 1).alias("round"))


def _deficits() -> list[str]:
    return [f"{low}" if low == high else f"{low} or more" if high > 900 else f"{low}–{high}" for low, high in DEFICITS]


def _comeback_table(shown: pl.DataFrame, hidden: int) -> Table:
    behind = pl.col("bucket").replace_strict(dict(enumerate(_deficits())), return_dtype=pl.String).alias("behind")
    frame = shown.select("round", behind, pl.col(ROWS).alias("seats"), pl.col("mean").alias("comeback chance"), "low", "high")
    caption = (
        f"Share of the win by points behind the leader after each round (0: leading). {hidden} cells with fewer than {MIN_BUCKET} seats "
        "are hidden."
    )
    return Table("comebacks", caption, frame, dict.fromkeys(("comeback chance", "low", "high"), ".1%") | {"seats": ",.0f"})


def _comeback_figure(shown: pl.DataFrame, rounds: int) -> Figure:
    values = np.full((len(DEFICITS), rounds), np.nan)
    values[shown["bucket"].to_numpy(), shown["round"].to_numpy() - 1] = shown["mean"].to_numpy()
    figure, axes = style.new_figure(7, 3.4)
    cells = style.Cells(values, _deficits(), [str(number + 1) for number in range(rounds)])
    style.heat_map(axes, cells, text=".1%", label="share of the win")
    axes.set_xlabel("after round")
    axes.set_ylabel("points behind the leader (0: leading)")
    middle = _middle(rounds)
    chances = zip(_deficits(), values[:, middle - 1], strict=True)
    chances_in_words = ", ".join(f"{behind}: {chance:.0%}" for behind, chance in chances if np.isfinite(chance))
    what = f"Heat map of the share of the win by deficit and round; empty where there were fewer than {MIN_BUCKET} seats."
    alt = f"{what} After round {middle}: {chances_in_words}."
    return Figure("comebacks", "How often those behind still win", alt, figure)


def _comeback_takeaway(shown: pl.DataFrame, data: ReportData) -> list[Takeaway]:
    """How often a seat that is somewhat behind in the middle of the game still wins."""
    middle, bucket, equal = _middle(data.rounds), 3, 1 / data.players
    if shown.filter(round=middle, bucket=bucket).is_empty():
        return []
    chance = estimate_at(shown, round=middle, bucket=bucket)
    verdict = "undecided whether that differs from" if not chance.excludes(equal) else "less than" if chance.mean < equal else "more than"
    won = f"{chance.mean:.1%} of the time ({ends(chance, '.1%')}), {verdict} one seat's share of {equal:.0%}"
    text = f"Seats {_deficits()[bucket]} points behind after round {middle} still win {won}."
    return [Takeaway(text, strength(chance, equal))]
