"""What each card is worth on each of its sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from lagranja_sim.report import style
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.rules.state import CARDS, SIDES
from lagranja_sim.stats.batches import BATCHES, batch_sums, cube, jackknife, p_value, ratios, t_factor, within_strata
from lagranja_sim.stats.clustered import false_discovery
from lagranja_sim.stats.lookup import Seats

TITLE = "Cards"
QUESTION = "Which cards, and which of their sides, go with more points and wins than others?"
ORDER = 70
NEEDS = ["games", "seats", "cards"]
MIN_GAMES = 1000

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


def build(data: ReportData) -> Section:
    """The section: a table of all cards by side, a picture of those that stand out."""
    sums = _sums(data)
    table = _table(sums, data)
    kept = table.filter(pl.col("plays") >= MIN_PLAYS)
    if kept.is_empty():
        raise TooFew(f"no card was played {MIN_PLAYS} times on one side; play more games")
    kept = _with_discoveries(kept)
    hidden = len(SIDES) * CARDS - kept.height
    section = Section(TITLE, QUESTION, text=METHOD)
    section.takeaways = [_takeaway(kept), *_extremes(kept)]
    section.figures = [_figure(kept)]
    section.tables = [Table("cards", _caption(kept, hidden), _printed(kept), FORMATS)]
    section.caveats = [
        f"{hidden} of {len(SIDES) * CARDS} buckets (a card on a side) were played fewer than {MIN_PLAYS} times, most of them never, and "
        f"are hidden.",
        "A card is worth to a policy what that policy makes of it; a policy that never uses helpers tells nothing of theirs.",
        data.reconstructed_note("helpers", "barrows", "extensions", "fields"),
    ]
    return section


# --- sums -----------------------------------------------------------------------------------------------------------------------------

STRATUM = ["policy", "round"]
OUTCOMES = ("points", "win share")


def _sums(data: ReportData) -> pl.DataFrame:
    """Plays and outcomes by batch, policy, round, card and side."""
    seats = Seats.of(data, vp=pl.col("vp"), win=pl.col("win_share") - 1 / data.players)
    seats = seats.with_columns(**dict(zip(OUTCOMES, (seats.less_game("vp"), seats["win"]), strict=True)))
    found = {name: seats.value(name) for name in OUTCOMES}
    played = data.scan("cards").select("block", _code(seats.value("policy")), **found)
    sums = batch_sums(played, ["code"], {name: pl.col(name) for name in OUTCOMES}, _batches(data))
    return seats.named(sums.with_columns(*_decoded()).drop("code"))


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


def _decoded() -> list[pl.Expr]:
    found, rest = [], pl.col("code")
    for name in reversed(PARTS):
        found.append((rest % PARTS[name]).cast(pl.Int8).alias(name))
        rest = rest // PARTS[name]
    return found


def _table(sums: pl.DataFrame, data: ReportData) -> pl.DataFrame:
    """Every bucket with its raw and adjusted values."""
    games = batch_sums(data.scan("games"), [], batches=_batches(data)).select("batch", pl.col("rows").alias("games"))
    often = ratios(_each_batch(sums, games), ["card", "side"], "rows", "games").select(
        "card", "side", pl.col("value").alias("plays a game")
    )
    raw = [_renamed(ratios(sums, ["card", "side"], outcome), f"{outcome}, raw") for outcome in OUTCOMES]
    count = sums.group_by("card", "side").agg(
        pl.col("rows").sum().alias("plays"), ((pl.col("round") * pl.col("rows")).sum() / pl.col("rows").sum()).alias("mean round")
    )
    table = count.join(often, on=["card", "side"]).join(raw[0], on=["card", "side"]).join(raw[1], on=["card", "side"])
    return table.join(pl.concat(_adjusted(sums)), on=["card", "side"]).with_columns(_names(data))


def _each_batch(sums: pl.DataFrame, games: pl.DataFrame) -> pl.DataFrame:
    """Plays by batch beside the games of the batch, also where a card was not played."""
    buckets = sums.select("card", "side").unique()
    plays = sums.group_by("batch", "card", "side").agg(pl.col("rows").sum())
    return buckets.join(games, how="cross").join(plays, on=["batch", "card", "side"], how="left").with_columns(pl.col("rows").fill_null(0))


def _renamed(found: pl.DataFrame, name: str) -> pl.DataFrame:
    return found.select(
        "card", "side", pl.col("value").alias(name), pl.col("low").alias(f"{name}, low"), pl.col("high").alias(f"{name}, high")
    )


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


def _adjusted(sums: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """By side: what a card is worth within policy and round, with intervals from leaving out batches."""
    for (side,), part in sums.partition_by("side", as_dict=True).items():
        part = part.with_columns(
            pl.concat_str([pl.col("policy").cast(pl.String), pl.col("round").cast(pl.String)], separator="/").alias("stratum")
        )
        cards = sorted(part["card"].unique())
        axes = {"stratum": part["stratum"].unique().sort().to_list(), "card": cards}
        frame = pl.DataFrame(
            {"card": pl.Series(cards, dtype=sums.schema["card"]), "side": pl.Series([side] * len(cards), dtype=sums.schema["side"])}
        )
        columns = [frame]
        for outcome in OUTCOMES:
            columns.append(
                _adjusted_values(np.stack([cube(part, axes, "rows"), cube(part, axes, outcome)], axis=1), f"{outcome}, adjusted")
            )
        yield pl.concat(columns, how="horizontal")


def _adjusted_values(parts: np.ndarray, name: str) -> pl.DataFrame:
    value, error = jackknife(parts, lambda total: within_strata(total[0], total[1]))
    half = float(t_factor(len(parts))) * error
    p = p_value(value, error, len(parts))
    return pl.DataFrame({name: value, f"{name}, low": value - half, f"{name}, high": value + half, f"{name}, p": p}).fill_nan(None)


def _with_discoveries(table: pl.DataFrame) -> pl.DataFrame:
    known = table.filter(pl.col("points, adjusted, p").is_not_null())
    return known.with_columns(pl.Series("q", false_discovery(known["points, adjusted, p"].to_list()), dtype=pl.Float64)).sort(
        "points, adjusted", descending=True
    )


# --- what is shown --------------------------------------------------------------------------------------------------------------------

POINTS = ("points, adjusted", "points, raw")
WINS = ("win share, adjusted", "win share, raw")
FORMATS = (
    {"plays": ",.0f", "plays a game": ".3f", "mean round": ".1f", "q": ".3f"}
    | {f"{name}{end}": "+.2f" for name in POINTS for end in ("", ", low", ", high")}
    | {f"{name}{end}": "+.1%" for name in WINS for end in ("", ", low", ", high")}
)


def _printed(kept: pl.DataFrame) -> pl.DataFrame:
    side = pl.col("side").replace_strict(dict(enumerate(SIDES)), return_dtype=pl.String).alias("side")
    intervals = [f"{name}{end}" for name in (*POINTS, *WINS) for end in ("", ", low", ", high")]
    return kept.select("card", "name", side, "shows", "plays", "plays a game", "mean round", *intervals, "q")


def _caption(kept: pl.DataFrame, hidden: int) -> str:
    return (
        f"All cards by side, best first: adjusted (within policy and round, against the average card of the side) and raw (against the "
        f"game's mean), with 95 % intervals and q values for adjusted points. {kept.height} buckets shown, {hidden} with fewer than "
        f"{MIN_PLAYS} plays hidden."
    )


def _found(kept: pl.DataFrame) -> pl.DataFrame:
    return kept.filter(pl.col("q") < FALSE_DISCOVERIES)


def _takeaway(kept: pl.DataFrame) -> Takeaway:
    found = _found(kept)
    above, below = (found["points, adjusted"] > 0).sum(), (found["points, adjusted"] < 0).sum()
    undecided = kept.height - found.height
    text = (
        f"Of {kept.height} cards by side played {MIN_PLAYS} times or more, {above} go with more points than the average card of their "
        f"side and {below} with fewer (adjusted for policy and round, false discoveries held to {FALSE_DISCOVERIES:.0%}); {undecided} "
        f"are undecided."
    )
    return Takeaway(text, 1.5 if found.height else 0.5)


def _extremes(kept: pl.DataFrame) -> Iterator[Takeaway]:
    """The best and the worst that are told apart from the average, by the end of the interval that is nearer to it."""
    found = _found(kept)
    ends = found.sort("points, adjusted, low").tail(1), found.sort("points, adjusted, high").head(1)
    rows = [row for end in ends for row in end.to_dicts()]
    for row, word in zip(rows, ("more", "fewer"), strict=False):
        value, low, high = (row[f"points, adjusted{end}"] for end in ("", ", low", ", high"))
        if (value > 0) == (word == "more"):
            yield Takeaway(
                f"Among cards, {_label(row)}, most surely goes with {word} points than the average of that side, policy and round: "
                f"{value:+.2f} ({low:+.2f} to {high:+.2f}), {row['win share, adjusted'] * 100:+.1f} percentage points of win share; an "
                f"adjusted association, not an effect.",
                2 * abs(value) / (high - low),
            )


def _label(row: Mapping[str, Any]) -> str:
    """The number and the side; the helper's name where it is the helper that was played."""
    side = SIDES[row["side"]]
    return f"{row['card']} {row['name']}, {side}"


def _figure(kept: pl.DataFrame) -> Figure:
    """The strongest and the weakest, dots with intervals; the shape tells the side."""
    many = min(SHOWN, kept.height // 2)
    best, worst = kept.head(many).to_dicts(), kept.tail(many).to_dicts() if many else []
    figure, axes = style.new_figure(7, 1.5 + 0.25 * len(best + worst))
    colours = dict(zip(range(len(SIDES)), style.OKABE_ITO, strict=False))
    for rows, start in ((best, 0), (worst, many + 1)):
        for at, row in enumerate(rows, start):
            _dot(axes, at, row, colours[row["side"]])
    rows = [*best, *worst]
    axes.set_yticks([*range(many), *range(many + 1, 2 * many + 1)], [_label(row) for row in rows], fontsize=8.5)
    axes.set_ylim(2 * many + 0.6, -0.6)
    axes.axhline(many, color=style.GRID, linewidth=0.8)
    note = f"{kept.height - 2 * many} others between "
    axes.text(1, many, note, transform=axes.get_yaxis_transform(), ha="right", va="center", fontsize=8.5, color=style.FAINT,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    axes.axvline(0, color=style.FAINT, linewidth=1, linestyle=(0, (4, 3)))
    axes.grid(axis="x", color=style.GRID, linewidth=0.7)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(
        "points against the average card of that side, policy and round\n(adjusted association, 95 % interval; hollow: not told apart "
        "from 0)"
    )
    seen = sorted({row["side"] for row in rows})
    handles = [style.matplotlib.lines.Line2D([], [], color=colours[side], marker=style.MARKS[side], linestyle="") for side in seen]
    axes.legend(handles, [SIDES[side] for side in seen], loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, fontsize=8.5)
    said = "; ".join(f"{_label(row)} {row['points, adjusted']:+.1f}" for row in (*best[:3], *worst[-3:]))
    return Figure(
        "extremes",
        f"The {many} strongest and {many} weakest cards by side",
        f"Dots with intervals, sorted. The ends of the list: {said}.",
        figure,
    )


def _dot(axes: Any, at: int, row: Mapping[str, Any], colour: str) -> None:
    axes.plot([row["points, adjusted, low"], row["points, adjusted, high"]], [at, at], color=colour, linewidth=2, solid_capstyle="butt")
    clear = row["q"] < FALSE_DISCOVERIES
    axes.plot(
        row["points, adjusted"], at, style.MARKS[row["side"]], color=colour, markersize=6, markerfacecolor=colour if clear else "white"
    )
