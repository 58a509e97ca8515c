"""What each card is worth on each of its sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from matplotlib.lines import Line2D

from lagranja_sim.games.lagranja.rules.names import SIDES
from lagranja_sim.games.lagranja.rules.state import CARDS
from lagranja_sim.report import style
from lagranja_sim.report.lookup import Seats
from lagranja_sim.report.say import ends, number, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.report.tables import columns, formats, names_of
from lagranja_sim.stats.batches import BATCHES, ROWS, batch_sums, beside_all, cube, jackknife, ratios, within_strata
from lagranja_sim.stats.blocks import Estimate, Estimates, estimate_at, estimates_in, with_q_values

GAME = "lagranja"
TITLE = "Cards"
QUESTION = "Which cards, and which of their sides, go with more points and wins than others?"
ORDER = 70
NEEDS = ["games", "seats", "cards"]
MIN_GAMES = 1000
MIN_PLAYERS = 2  # seats of a game are compared; reports/alone.py has the cards of one player

MIN_PLAYS = 100  # a bucket (a card on one side) played less often is hidden
FALSE_DISCOVERIES = 0.05
MANY_GAMES = 200_000
SHOWN = 12  # strongest and weakest, each

METHOD = [
    "Every card has four sides: field, barrow, extension and helper. A card's row counts the times it was played on that side. `Points, "
    "raw` is the mean of the final points of the seats that played it less the mean points of their games; `win share, raw` the mean "
    "share of the win less an equal share. Raw values mix the card with who plays it and when: a side that strong policies like, or that "
    "is played late in games that go well, looks good.",
    "`Adjusted` values compare a card with the others that the same policy played on the same side in the same round: least squares of "
    "points relative to the game's mean on card and on policy × round, one fit a side. 0 is the average card of that side. Which cards "
    "come into a hand is chance, which of them are played is the policy's choice, so an adjusted value is still an association and not "
    "what a seat would gain if it drew the card.",
    f"Intervals take all games of a deal as one unit. The q value is Benjamini and Hochberg's over the whole table: of the cards with q "
    f"below {FALSE_DISCOVERIES:.2f} on average at most {FALSE_DISCOVERIES:.0%} are false alarms. The extremes of a long list are "
    f"exaggerated by luck; expect a new run to bring them nearer to 0.",
]


BY = ["card", "side"]  # a bucket
OUTCOMES = ("points", "win share")
ADJUSTED, RAW = "points, adjusted", "points, raw"
WINS_ADJUSTED, WINS_RAW = "win share, adjusted", "win share, raw"


def build(data: ReportData) -> Section:
    """The section: a table of all cards by side, a picture of those that stand out."""
    sums = _sums(data)
    adjusted = _frequent(_adjusted(sums, "points"), sums)
    if adjusted.is_empty():
        raise TooFew(f"no card was played {MIN_PLAYS} times on one side; play more games")
    table = _table(sums, adjusted, data)
    buckets = len(SIDES) * CARDS
    return Section(
        TITLE,
        QUESTION,
        takeaways=[_summary(adjusted), *_extremes(table, adjusted)],
        figures=[_figure(table, adjusted)],
        tables=[Table("cards", _caption(table.height, buckets), _printed(table), FORMATS)],
        caveats=[
            f"{buckets - table.height} of {buckets} buckets (a card on a side) were played fewer than {MIN_PLAYS} times, most of them "
            f"never, and are hidden.",
            "A card is worth to a policy what that policy makes of it; a policy that never uses helpers tells nothing of theirs.",
            data.reconstructed_note("helpers", "barrows", "extensions", "fields"),
        ],
        text=METHOD,
    )


# --- sums -----------------------------------------------------------------------------------------------------------------------------


def _sums(data: ReportData) -> pl.DataFrame:
    """Plays and outcomes by batch, policy, round, card and side."""
    seats = Seats.of(data, vp=pl.col("vp"), win=pl.col("win_share") - 1 / data.players)
    seats = seats.with_columns(**dict(zip(OUTCOMES, (seats.less_game("vp"), seats["win"]), strict=True)))
    outcomes = {name: seats.value(name) for name in OUTCOMES}
    played = data.scan("cards").select("block", _code(seats.value("policy")), **outcomes)
    sums = batch_sums(played, ["code"], {name: pl.col(name) for name in OUTCOMES}, _batches(data))
    return seats.with_policy_names(sums.with_columns(*_columns_of_code()).drop("code"))


PARTS = {
    "policy": 64,
    "round": 16,
    "card": 128,
    "side": 4,
}  # what a code is made of, and how many each can be at most: one key is quicker than four


def _batches(data: ReportData) -> int:
    """Fewer for large runs, so that the many groups need little memory: intervals get 2 % wider."""
    return BATCHES if data.games <= MANY_GAMES else BATCHES // 4


def _code(policy: pl.Expr) -> pl.Expr:
    code = policy.cast(pl.Int32)
    for name in list(PARTS)[1:]:
        code = code * PARTS[name] + pl.col(name).cast(pl.Int32)
    return code.alias("code")


def _columns_of_code() -> list[pl.Expr]:
    parts, rest = [], pl.col("code")
    for name in reversed(PARTS):
        parts.append((rest % PARTS[name]).cast(pl.Int8).alias(name))
        rest = rest // PARTS[name]
    return parts


def _table(sums: pl.DataFrame, adjusted: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """The buckets of `adjusted` with everything that is known of them."""
    plays = sums.group_by("batch", *BY).agg(pl.col(ROWS).sum())
    games = batch_sums(data.scan("games"), [], batches=_batches(data)).select("batch", pl.col(ROWS).alias("games"))
    often = ratios(beside_all(plays, BY, games), BY, ROWS, "games").select(*BY, pl.col("mean").alias("plays a game"))
    counts = sums.group_by(BY).agg(
        pl.col(ROWS).sum().alias("plays"), ((pl.col("round") * pl.col(ROWS)).sum() / pl.col(ROWS).sum()).alias("mean round")
    )
    table = adjusted.select(*BY, *columns(ADJUSTED), "q")
    estimates = {RAW: ratios(sums, BY, "points"), WINS_RAW: ratios(sums, BY, "win share"), WINS_ADJUSTED: _adjusted(sums, "win share")}
    for other in (counts, often, *(frame.select(*BY, *columns(name)) for name, frame in estimates.items())):
        table = table.join(other, on=BY, maintain_order="left")
    return table.with_columns(_names(data))


def _names(data: ReportData) -> list[pl.Expr]:
    """The helper's name, by which players know a card, and what its side shows."""
    cards = {card.card: card for card in data.components.cards}
    shows = [
        pl.when(pl.col("side") == side).then(
            pl.col("card").replace_strict({number: show(card) for number, card in cards.items()}, default="")
        )
        for side, show in enumerate(SHOWS)
    ]
    name = pl.col("card").replace_strict({number: card.helper for number, card in cards.items()}, default="", return_dtype=pl.String)
    return [name.alias("name"), pl.coalesce(shows).alias("shows")]


def _extension(card: Any) -> str:
    icons = {"hand": card.ext_hand, "delivery": card.ext_delivery, "pig": card.ext_pig}
    return ", ".join(
        [*(f"{name} {count}" for name, count in icons.items() if count), *([card.ext_income.text] if card.ext_income.text else [])]
    )


SHOWS = (
    lambda card: card.field,
    lambda card: f"{card.barrow_vp}: {' '.join(card.barrow)}",
    _extension,
    lambda card: card.helper_effect.text,
)  # by side


# --- adjusted values ------------------------------------------------------------------------------------------------------------------


def _adjusted(sums: pl.DataFrame, outcome: str) -> pl.DataFrame:
    """A frame of estimates: what a card is worth on a side within policy and round, with p values."""
    parts = sums.partition_by("side", as_dict=True).items()
    return pl.concat([_adjusted_on(part, outcome).with_columns(pl.lit(side, sums.schema["side"]).alias("side")) for (side,), part in parts])


def _adjusted_on(part: pl.DataFrame, outcome: str) -> pl.DataFrame:
    """The worth of the cards on one side, with intervals from leaving out batches."""
    stratum = pl.concat_str([pl.col("policy").cast(pl.String), pl.col("round").cast(pl.String)], separator="/")
    part = part.with_columns(stratum.alias("stratum"))
    cards = part["card"].unique().sort()
    axes = {"stratum": part["stratum"].unique().sort().to_list(), "card": cards.to_list()}
    cells = np.stack([cube(part, axes, ROWS), cube(part, axes, outcome)], axis=1)
    worth: Estimates = jackknife(cells, lambda total: within_strata(total[0], total[1]))
    return worth.frame().with_columns(cards, pl.Series("p", worth.p_values, nan_to_null=True))


def _frequent(adjusted: pl.DataFrame, sums: pl.DataFrame) -> pl.DataFrame:
    """The cards and sides that were played often enough to be estimated, with q values over all of them, the best first."""
    often = sums.group_by(BY).agg(pl.col(ROWS).sum()).filter(pl.col(ROWS) >= MIN_PLAYS)
    frequent = adjusted.join(often.select(BY), on=BY, how="semi").drop_nulls("p")
    return with_q_values(frequent).sort("mean", descending=True)


# --- what is shown --------------------------------------------------------------------------------------------------------------------

FORMATS = (
    {"plays": ",.0f", "plays a game": ".3f", "mean round": ".1f", "q": ".3f"}
    | formats("+.2f", ADJUSTED, RAW)
    | formats("+.1%", WINS_ADJUSTED, WINS_RAW)
)


def _printed(table: pl.DataFrame) -> pl.DataFrame:
    side = pl.col("side").replace_strict(dict(enumerate(SIDES)), return_dtype=pl.String).alias("side")
    intervals = [column for name in (ADJUSTED, RAW, WINS_ADJUSTED, WINS_RAW) for column in names_of(name)]
    return table.select("card", "name", side, "shows", "plays", "plays a game", "mean round", *intervals, "q")


def _caption(shown: int, buckets: int) -> str:
    return (
        f"All cards by side, best first: adjusted (within policy and round, against the average card of the side) and raw (against the "
        f"game's mean), with 95 % intervals and q values for adjusted points. {shown} buckets shown, {buckets - shown} with fewer than "
        f"{MIN_PLAYS} plays hidden."
    )


def _decided(adjusted: pl.DataFrame) -> pl.DataFrame:
    return adjusted.filter(pl.col("q") < FALSE_DISCOVERIES)


def _summary(adjusted: pl.DataFrame) -> Takeaway:
    decided = _decided(adjusted)
    above, below = (decided["mean"] > 0).sum(), (decided["mean"] < 0).sum()
    text = (
        f"Of {adjusted.height} cards by side played {MIN_PLAYS} times or more, {above} go with more points than the average card of their "
        f"side and {below} with fewer (adjusted for policy and round, false discoveries held to {FALSE_DISCOVERIES:.0%}); "
        f"{adjusted.height - decided.height} are undecided."
    )
    return Takeaway(text, 1.5 if decided.height else 0.5)


def _extremes(table: pl.DataFrame, adjusted: pl.DataFrame) -> Iterator[Takeaway]:
    """The best and the worst that are told apart from the average, by the end of the interval that is nearer to it."""
    decided = _decided(adjusted)
    best, worst = decided.sort("low").tail(1), decided.sort("high").head(1)
    for extreme, word in ((best, "more"), (worst, "fewer")):
        for card, side in extreme.select(BY).iter_rows():
            points, row = estimate_at(decided, card=card, side=side), table.row(by_predicate=_bucket(card, side), named=True)
            if (points.mean > 0) == (word == "more"):
                yield Takeaway(
                    f"Among cards, {_label(row)}, most surely goes with {word} points than the average of that side, policy and round: "
                    f"{number(points.mean, '+.2f')} ({ends(points, '+.2f')}), {number(row[WINS_ADJUSTED] * 100, '+.1f')} percentage points "
                    f"of win share; an adjusted association, not an effect.",
                    strength(points),
                )


def _bucket(card: int, side: int) -> pl.Expr:
    return (pl.col("card") == card) & (pl.col("side") == side)


def _label(row: Mapping[str, Any]) -> str:
    """The number and the side; the helper's name where it is the helper that was played."""
    side = SIDES[row["side"]]
    return f"{row['card']} {row['name']}, {side}"


# --- the picture ----------------------------------------------------------------------------------------------------------------------


def _figure(table: pl.DataFrame, adjusted: pl.DataFrame) -> Figure:
    """The strongest and the weakest, dots with intervals; the shape tells the side."""
    count = min(SHOWN, table.height // 2)
    places = [*range(count), *range(count + 1, 2 * count + 1)]
    rows = [*table.head(count).to_dicts(), *table.tail(count).to_dicts()] if count else []
    estimates = dict(zip(adjusted.select(BY).iter_rows(), estimates_in(adjusted), strict=True))
    figure, axes = style.new_figure(7, 1.5 + 0.25 * len(rows))
    for place, row in zip(places, rows, strict=True):
        _draw(axes, place, row, estimates[row["card"], row["side"]])
    axes.set_yticks(places, [_label(row) for row in rows], fontsize=8.5)
    axes.set_ylim(2 * count + 0.6, -0.6)
    _divide(axes, count, f"{table.height - 2 * count} others between ")
    style.reference_line(axes, 0, upright=True)
    axes.grid(axis="x", color=style.GRID, linewidth=0.7)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(
        "points against the average card of that side, policy and round\n(adjusted association, 95 % interval; hollow: not told apart "
        "from 0)"
    )
    sides = sorted({row["side"] for row in rows})
    handles = [Line2D([], [], color=style.OKABE_ITO[side], marker=style.MARKS[side], linestyle="") for side in sides]
    style.legend_above(axes, handles, [SIDES[side] for side in sides], 4)
    ends = "; ".join(f"{_label(row)} {row[ADJUSTED]:+.1f}" for row in (*rows[:count][:3], *rows[count:][-3:]))
    return Figure(
        "extremes",
        f"The {count} strongest and {count} weakest cards by side",
        f"Dots with intervals, sorted. The ends of the list: {ends}.",
        figure,
    )


def _draw(axes: Any, place: int, row: Mapping[str, Any], estimate: Estimate) -> None:
    side = row["side"]
    style.dot(axes, place, estimate, colour=style.OKABE_ITO[side], mark=style.MARKS[side], filled=row["q"] < FALSE_DISCOVERIES)


def _divide(axes: Any, place: int, note: str) -> None:
    """A line between the strongest and the weakest, which says how many are left out."""
    axes.axhline(place, color=style.GRID, linewidth=0.8)
    axes.text(1, place, note, transform=axes.get_yaxis_transform(), ha="right", va="center", fontsize=8.5, color=style.FAINT,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
