"""What a place in the turn order is worth, and what is paid for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from _panel import Panel, dummies

from lagranja_sim.report import style
from lagranja_sim.report.say import interval, number, p_value, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.stats.blocks import ANYTHING, SHARE, Estimate, false_discovery
from lagranja_sim.stats.clustered import Grouped, Regression, means_by

GAME = "lagranja"
TITLE = "Turn order"
QUESTION = "Does it matter who starts? What is a place further up worth, in which round, and what is paid for it?"
ORDER = 40
NEEDS = ["seats", "rounds"]
MIN_GAMES = 200
MIN_PLAYERS = 2

PERCENT, POINTS = ".1%", ".2f"
Worth = dict[str, Estimate]  # of coming out one place further up in a round, by outcome


def build(data: ReportData) -> Section:
    """By start position, by policy, by place in each round; the siesta track; changes of the start player."""
    share, points = (means_by(data.scan("seats"), ["start_position"], pl.col(measure)) for measure in ("win_share", "vp"))
    policies, places = _by_policy(data), _by_place(data)
    panel = Panel(data)
    worth = {round_number: _place_worth(panel, round_number) for round_number in range(1, data.rounds + 1) if data.players > 1}
    return Section(
        TITLE,
        QUESTION,
        takeaways=[_start_sentence(share, data.players), _points_sentence(points), *_siesta_sentence(worth)],
        figures=[
            _start_figure(share, points, data.players),
            *_policy_figure(policies),
            _round_figure(places, data),
            *_siesta_figure(worth),
        ],
        tables=[_start_table(share, points), *_policy_table(policies), _round_table(places), *_siesta_table(worth), _change_table(data)],
        caveats=[CHOSEN, panel.note],
        text=[_start_words(share, points), *([HOW_SIESTA] if worth else [])],
    )


CHOSEN = (
    "From round 2 on the place in the order is chosen, by siesta steps and donkey tiles: the map by round is a raw association. Policies "
    "that win for other reasons may sit at one end of it. Only round 1 is drawn at random."
)
HOW_SIESTA = (
    "The track: the place that a seat reaches in a round's transport holds for that transport and for the next round's dice. One place "
    "further up is worth the slope of final points on that place, among seats of the same deal, for equal policy, start position, old "
    "place, siesta section reached, donkey tile, and the points, silver, goods, markers, barrows and buildings held when the round began. "
    "Its price is the slope of the round's deliveries on the place without tile and section: what those who come out further up "
    "delivered less. Both are adjusted, not causal: what a policy saw in its position beyond these is not in them."
)


# --- start position ------------------------------------------------------------------------------------------------------------------


def _start_words(share: Grouped, points: Grouped) -> str:
    return (
        "The seats of a block meet the same deal, and each policy has each seat once, so differences between start positions are effects "
        "of the position "
        f"(the start player is drawn at random) for these policies. Are all win shares equal? {_test(share)} All points? {_test(points)}"
    )


def _test(groups: Grouped) -> str:
    test = groups.joint.equality()
    return f"F({test.freedom[0]}, {test.freedom[1]:,}) = {test.statistic:.2f}, {p_value(test.p_value)}."


def _start_sentence(share: Grouped, players: int) -> Takeaway:
    """The start player against an equal share."""
    first, test = share.joint.at(0, SHARE), share.joint.equality()
    clear, equal = strength(first, 1 / players), f"an equal {1 / players:.1%}"
    if clear >= 1:
        word = "less" if first.mean < 1 / players else "more"
        text = (
            f"The start player wins {word} than {equal}: {interval(first, PERCENT)}; the start positions differ ({p_value(test.p_value)})."
        )
        return Takeaway(text, clear)
    rest = "differ" if test.p_value < 0.05 else "could not be told apart"
    text = (
        f"The start player's win share, {interval(first, PERCENT)}, could not be told from {equal}; the start positions {rest} "
        f"({p_value(test.p_value)})."
    )
    return Takeaway(text, clear)


def _points_sentence(points: Grouped) -> Takeaway:
    """The widest gap between two positions."""
    best, worst = int(np.argmax(points.joint.values)), int(np.argmin(points.joint.values))
    gap, count = points.joint.difference(best, worst), len(points.keys)
    clear = strength(gap, among=count * (count - 1) // 2)
    if clear < 1:
        return Takeaway(f"Points by start position could not be told apart: the widest gap is {interval(gap)}.", clear)
    (top,), (bottom,) = points.keys[best], points.keys[worst]
    return Takeaway(
        f"Start position {top} ends with {interval(gap)} points more than position {bottom}, the widest gap between two.", clear
    )


def _start_figure(share: Grouped, points: Grouped, players: int) -> Figure:
    figure, (left, right) = style.new_figure(7, 3.2, columns=2)
    mean_points = float(points.joint.values.mean())
    for axes, groups, bounds, reference, text in (
        (left, share, SHARE, 1 / players, ".1%"),
        (right, points, ANYTHING, mean_points, ".1f"),
    ):
        labels = [str(position) for (position,) in groups.keys]
        style.interval_bars(axes, labels, groups.joint.estimates(bounds).all(), reference=reference, text=text)
        axes.set_xlabel("start position")
        axes.margins(y=0.15)
    style.percent(left.yaxis)
    left.set_ylabel("win share")
    right.set_ylabel("points at the end")
    alt = "Win share and points by start position with 95 % intervals: " + ", ".join(
        f"{position}: {value:.1%} and {vp:.1f}"
        for (position,), value, vp in zip(share.keys, share.joint.values, points.joint.values, strict=True)
    )
    return Figure("start", "Win share and points by start position (dashed: equal shares, mean points)", alt, figure)


def _start_table(share: Grouped, points: Grouped) -> Table:
    shares, means = share.frame(["start position"], SHARE), points.frame(["start position"])
    left = shares.select("start position", **{"win share": pl.col("mean"), "from": pl.col("low"), "to": pl.col("high")})
    right = means.select(**{"points": pl.col("mean"), "points from": pl.col("low"), "points to": pl.col("high")})
    frame = pl.concat([left, right, shares.select(pl.col("rows").alias("seats"))], how="horizontal")
    number_formats = dict.fromkeys(("win share", "from", "to"), PERCENT) | dict.fromkeys(("points", "points from", "points to"), POINTS)
    return Table("start", "By start position, with 95 % intervals over blocks", frame, number_formats | {"seats": ","})


# --- start position of each policy ---------------------------------------------------------------------------------------------------


def _by_policy(data: ReportData) -> dict[str, Grouped]:
    """Win shares by start position for strong and weak policies; nothing if only one plays."""
    if len(data.policies) < 2:
        return {}
    groups = means_by(data.scan("seats"), ["policy", "start_position"], pl.col("win_share"))
    return {policy: groups.only([place for place, key in enumerate(groups.keys) if key[0] == policy]) for policy in data.policies}


def _policy_figure(policies: Mapping[str, Grouped]) -> list[Figure]:
    if not policies:
        return []
    figure, axes = style.new_figure(7, 3.6)
    colours, marks = style.colour_of(list(policies)), style.mark_of(list(policies))
    for policy, groups in policies.items():
        relative = groups.joint.against_mean().estimates().all()
        positions = [position for _, position in groups.keys]
        style.line_with_band(axes, positions, relative, colour=colours[policy], label=policy, mark=marks[policy])
    axes.axhline(0, color=style.FAINT, linewidth=0.8)
    axes.set_xticks(sorted({int(str(position)) for groups in policies.values() for _, position in groups.keys}))
    axes.set_xlabel("start position")
    axes.set_ylabel("win share less the policy's own mean")
    style.percent(axes.yaxis)
    style.label_lines(axes)
    alt = "Lines of each policy's win share by start position, less its mean over positions, with 95 % bands."
    return [Figure("by_policy", "Start position for each policy: win share less the policy's own mean", alt, figure)]


def _policy_table(policies: Mapping[str, Grouped]) -> list[Table]:
    if not policies:
        return []
    tests = [groups.joint.equality() for groups in policies.values()]
    adjusted = false_discovery([test.p_value for test in tests])
    rows = [
        (policy, float(groups.joint.values.mean()), *groups.joint.values.tolist(), test.p_value, float(p))
        for (policy, groups), test, p in zip(policies.items(), tests, adjusted, strict=True)
    ]
    positions = [f"position {position}" for _, position in next(iter(policies.values())).keys]
    frame = pl.DataFrame(rows, ["policy", "all positions", *positions, "p equal", "p adjusted"], orient="row")
    number_formats = dict.fromkeys(("all positions", *positions), PERCENT) | {"p equal": ".4f", "p adjusted": ".4f"}
    caption = (
        "Win share of each policy by start position; p of the test that all are equal, raw and adjusted for several tests (Benjamini and "
        "Hochberg)"
    )
    return [Table("by_policy", caption, frame.sort("all positions", descending=True), number_formats)]


# --- places in each round --------------------------------------------------------------------------------------------------------------


def _by_place(data: ReportData) -> Grouped:
    """Raw association of the place held while dice are taken."""
    rows = data.scan("rounds").select("game", "seat", "round", "order_farm", "block")
    seats = data.scan("seats").select("game", "seat", "win_share", "vp")
    return means_by(rows.join(seats, on=["game", "seat"]), ["round", "order_farm"], pl.col("win_share"))


def _round_figure(places: Grouped, data: ReportData) -> Figure:
    values = np.full((data.players, data.rounds), np.nan)
    for (round_number, place), share in zip(places.keys, places.joint.values, strict=True):
        values[int(str(place)) - 1, int(str(round_number)) - 1] = share
    figure, axes = style.new_figure(7, 3.0)
    rounds = [f"round {round_number}" for round_number in range(1, data.rounds + 1)]
    cells = style.Cells(values, [str(place) for place in range(1, data.players + 1)], rounds)
    style.heat_map(axes, cells, text=PERCENT, label="win share", centre=1 / data.players)
    axes.set_ylabel("place in the order")
    alt = (
        f"Heat map of win share by round and place in the order; round 1 from {values[0, 0]:.1%} for the first to {values[-1, 0]:.1%} for "
        "the last."
    )
    return Figure("by_round", "Raw win share by place in the order of farm and revenue phase", alt, figure)


def _round_table(places: Grouped) -> Table:
    frame = places.frame(["round", "place"], SHARE)
    caption = "Raw win share by round and place in the order of the farm and revenue phases, with 95 % intervals"
    return _share_table("by_round", caption, frame, ["round", "place"], ("win share", "seats"))


def _share_table(name: str, caption: str, frame: pl.DataFrame, by: Sequence[str], titles: tuple[str, str]) -> Table:
    """A share with its interval by some columns, and the rows that it is of; `titles` are the names of these two columns."""
    share, rows = titles
    shown = frame.select(*by, **{share: pl.col("mean"), "from": pl.col("low"), "to": pl.col("high"), rows: pl.col("rows")})
    return Table(name, caption, shown, dict.fromkeys((share, "from", "to"), PERCENT) | {rows: ","})


# --- the siesta track --------------------------------------------------------------------------------------------------------------------


def _place_worth(panel: Panel, round_number: int) -> Worth:
    """The adjusted worth of a place further up in this round, and its price."""
    rows = panel.round(round_number, ["order_farm", "order_transport", "donkey", "siesta", "deliveries", "bought_deliveries"])
    before = [panel.who, dummies(rows["order_farm"]), panel.state_before(round_number)]
    up = -rows["order_transport"].ravel()[:, None].astype(float)
    price = Regression(np.hstack([up, *before]), panel.blocks, panel.blocks)
    tile_held = Regression(np.hstack([up, *before, dummies(rows["donkey"]), dummies(rows["siesta"])]), panel.blocks, panel.blocks)
    outcomes = {
        "points": (tile_held, panel.seats["vp"]),
        "win share": (tile_held, panel.seats["win_share"]),
        "points with their price": (price, panel.seats["vp"]),
        "deliveries": (price, rows["deliveries"] + 0.0),
    }
    return {name: regression.fit(values.ravel()).at(0) for name, (regression, values) in outcomes.items()}


def _siesta_figure(worth: Mapping[int, Worth]) -> list[Figure]:
    if not worth:
        return []
    figure, (left, right) = style.new_figure(7, 3.2, columns=2)
    for axes, key, label in ((left, "points", "points at the end"), (right, "deliveries", "deliveries in the round")):
        estimates = [outcomes[key] for outcomes in worth.values()]
        style.interval_bars(axes, [str(round_number) for round_number in worth], estimates, reference=0, text="+.2f")
        axes.set_xlabel("round")
        axes.set_ylabel(label)
        axes.margins(y=0.15)
    left.set_title("one place up, tile held equal")
    right.set_title("its price")
    alt = "Adjusted value of one place further up by round, in points, and the deliveries given up for it: " + ", ".join(
        f"round {round_number}: {outcomes['points'].mean:+.2f} and {outcomes['deliveries'].mean:+.2f}"
        for round_number, outcomes in worth.items()
    )
    return [Figure("siesta", "One place further up on the siesta track, adjusted", alt, figure)]


def _siesta_table(worth: Mapping[int, Worth]) -> list[Table]:
    rows = [
        (round_number, name, estimate.mean, estimate.low, estimate.high)
        for round_number, outcomes in worth.items()
        for name, estimate in outcomes.items()
    ]
    if not rows:
        return []
    frame = pl.DataFrame(rows, ["round", "one place further up", "adjusted difference", "from", "to"], orient="row")
    caption = "One place further up in the transport order: adjusted differences with 95 % intervals"
    return [Table("siesta", caption, frame, dict.fromkeys(("adjusted difference", "from", "to"), "+.3f"))]


def _siesta_sentence(worth: Mapping[int, Worth]) -> list[Takeaway]:
    """What a place further up is worth in the round where that is clearest."""
    if not worth:
        return []
    clear, round_number = max((strength(outcomes["points"], among=len(worth)), round_number) for round_number, outcomes in worth.items())
    points, price = worth[round_number]["points"], worth[round_number]["deliveries"]
    if clear < 1:
        return [Takeaway("Whether a place further up on the siesta track is worth points could not be decided in any round.", clear)]
    text = (
        f"One place further up on the siesta track in round {round_number}, the clearest of all rounds, goes with "
        f"{interval(points, '+.2f')} points at the end, adjusted, "
        f"for the same donkey tile; those who came out further up made {number(price.mean, '+.2f')} deliveries in that round."
    )
    return [Takeaway(text, clear)]


# --- changes of the start player ------------------------------------------------------------------------------------------------------


def _change_table(data: ReportData) -> Table:
    rows = data.scan("rounds").filter(pl.col("order_farm") == 1)
    frame = means_by(rows, ["round"], pl.col("order_transport") != 1).frame(["round"], SHARE)
    caption = "Share of games in which another player leads after the round's siesta moves"
    return _share_table("changes", caption, frame, ["round"], ("start player changes", "games"))
