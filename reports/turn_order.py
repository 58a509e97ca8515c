"""What a place in the turn order is worth, and what is paid for it."""

from __future__ import annotations

import numpy as np
import polars as pl
from _panel import Panel, dummies

from lagranja_sim.report.say import interval, number, p_value, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway
from lagranja_sim.report.style import (
    colour_of,
    estimate_bars,
    heat_map,
    interval_bars,
    label_lines,
    line_with_band,
    mark_of,
    new_figure,
    percent,
)
from lagranja_sim.stats.blocks import Estimate
from lagranja_sim.stats.clustered import Grouped, Regression, false_discovery, means_by

TITLE = "Turn order"
QUESTION = "Does it matter who starts? What is a place further up worth, in which round, and what is paid for it?"
ORDER = 40
NEEDS = ["seats", "rounds"]
MIN_GAMES = 200

SHARE, POINTS = ".1%", ".2f"
SHARES = (0.0, 1.0)


def build(data: ReportData) -> Section:
    """By start position, by policy, by place in each round; the siesta track; changes of the start player."""
    section = Section(TITLE, QUESTION)
    for part in (_by_start, _by_policy, _by_round, _siesta, _changes):
        part(data, section)
    return section


# --- start position ------------------------------------------------------------------------------------------------------------------


def _by_start(data: ReportData, section: Section) -> None:
    seats = data.scan("seats")
    share = means_by(seats, ["start_position"], pl.col("win_share"))
    points = means_by(seats, ["start_position"], pl.col("vp"))
    section.takeaways += [_start_sentence(share, data.players), _points_sentence(points)]
    section.figures.append(_start_figure(share, points, data.players))
    section.tables.append(_start_table(share, points))
    section.text.append(
        "The seats of a block meet the same deal, and each policy has each seat once, so differences between start positions are effects "
        "of the position "
        f"(the start player is drawn at random) for these policies. Are all win shares equal? {_test(share)} All points? {_test(points)}"
    )


def _test(found: Grouped) -> str:
    test = found.estimates.equality()
    return f"F({test.freedom[0]}, {test.freedom[1]:,}) = {test.statistic:.2f}, {p_value(test.p_value)}."


def _start_sentence(share: Grouped, players: int) -> Takeaway:
    """The start player against an equal share."""
    first, test = share.estimates.one(0, SHARES), share.estimates.equality()
    clear, equal = strength(first, 1 / players), f"an equal {1 / players:.1%}"
    if clear >= 1:
        word = "less" if first.mean < 1 / players else "more"
        text = f"The start player wins {word} than {equal}: {interval(first, SHARE)}; the start positions differ ({p_value(test.p_value)})."
        return Takeaway(text, clear)
    rest = "differ" if test.p_value < 0.05 else "could not be told apart"
    text = (
        f"The start player's win share, {interval(first, SHARE)}, could not be told from {equal}; the start positions {rest} "
        f"({p_value(test.p_value)})."
    )
    return Takeaway(text, clear)


def _points_sentence(points: Grouped) -> Takeaway:
    """The widest gap between two positions."""
    best, worst = int(np.argmax(points.estimates.values)), int(np.argmin(points.estimates.values))
    gap, count = points.estimates.difference(best, worst), len(points.keys)
    clear = strength(gap, among=count * (count - 1) // 2)
    if clear < 1:
        return Takeaway(f"Points by start position could not be told apart: the widest gap is {interval(gap)}.", clear)
    (top,), (bottom,) = points.keys[best], points.keys[worst]
    return Takeaway(
        f"Start position {top} ends with {interval(gap)} points more than position {bottom}, the widest gap between two.", clear
    )


def _start_figure(share: Grouped, points: Grouped, players: int) -> Figure:
    figure, (left, right) = new_figure(7, 3.2, columns=2)
    for axes, found, bounds, text in ((left, share, SHARES, ".1%"), (right, points, (-np.inf, np.inf), ".1f")):
        frame = found.frame(["position"], bounds)
        labels = [str(position) for position in frame["position"]]
        reference = 1 / players if found is share else float(found.estimates.values.mean())
        interval_bars(axes, labels, frame["mean"], frame["low"], frame["high"], reference=reference, text=text)
        axes.set_xlabel("start position")
        axes.margins(y=0.15)
    percent(left.yaxis)
    left.set_ylabel("win share")
    right.set_ylabel("points at the end")
    alt = "Win share and points by start position with 95 % intervals: " + ", ".join(
        f"{key[0]}: {value:.1%} and {vp:.1f}"
        for key, value, vp in zip(share.keys, share.estimates.values, points.estimates.values, strict=True)
    )
    return Figure("start", "Win share and points by start position (dashed: equal shares, mean points)", alt, figure)


def _start_table(share: Grouped, points: Grouped) -> Table:
    left = share.frame(["start position"], SHARES).select(
        "start position", pl.col("mean").alias("win share"), pl.col("low").alias("from"), pl.col("high").alias("to"), "rows"
    )
    right = points.frame(["start position"]).select(
        pl.col("mean").alias("points"), pl.col("low").alias("points from"), pl.col("high").alias("points to")
    )
    frame = pl.concat([left.drop("rows"), right, left.select(pl.col("rows").alias("seats"))], how="horizontal")
    formats = {"win share": SHARE, "from": SHARE, "to": SHARE, "points": POINTS, "points from": POINTS, "points to": POINTS, "seats": ","}
    return Table("start", "By start position, with 95 % intervals over blocks", frame, formats)


def _by_policy(data: ReportData, section: Section) -> None:
    """The same for strong and weak policies."""
    if len(data.policies) < 2:
        return
    found = means_by(data.scan("seats"), ["policy", "start_position"], pl.col("win_share"))
    parts = {policy: found.only([place for place, key in enumerate(found.keys) if key[0] == policy]) for policy in data.policies}
    section.figures.append(_policy_figure(parts))
    section.tables.append(_policy_table(parts))


def _policy_figure(parts: dict[str, Grouped]) -> Figure:
    figure, axes = new_figure(7, 3.6)
    colours, marks = colour_of(list(parts)), mark_of(list(parts))
    for policy, part in parts.items():
        relative = part.estimates.against_mean().all()
        mean, low, high = ([getattr(one, figure_) for one in relative] for figure_ in ("mean", "low", "high"))
        line_with_band(axes, [key[1] for key in part.keys], mean, low, high, colour=colours[policy], label=policy, mark=marks[policy])
    axes.axhline(0, color="#767676", linewidth=0.8)
    axes.set_xticks(sorted({int(str(key[1])) for part in parts.values() for key in part.keys}))
    axes.set_xlabel("start position")
    axes.set_ylabel("win share less the policy's own mean")
    percent(axes.yaxis)
    label_lines(axes)
    alt = "Lines of each policy's win share by start position, less its mean over positions, with 95 % bands."
    return Figure("by_policy", "Start position for each policy: win share less the policy's own mean", alt, figure)


def _policy_table(parts: dict[str, Grouped]) -> Table:
    tests = [part.estimates.equality() for part in parts.values()]
    adjusted = false_discovery([test.p_value for test in tests])
    rows = [
        (policy, float(part.estimates.values.mean()), *(float(value) for value in part.estimates.values), test.p_value, float(found))
        for (policy, part), test, found in zip(parts.items(), tests, adjusted, strict=True)
    ]
    positions = [f"position {key[1]}" for key in next(iter(parts.values())).keys]
    frame = pl.DataFrame(rows, ["policy", "all positions", *positions, "p equal", "p adjusted"], orient="row")
    formats = dict.fromkeys(("all positions", *positions), SHARE) | {"p equal": ".4f", "p adjusted": ".4f"}
    caption = (
        "Win share of each policy by start position; p of the test that all are equal, raw and adjusted for several tests (Benjamini and "
        "Hochberg)"
    )
    return Table("by_policy", caption, frame.sort("all positions", descending=True), formats)


# --- places in each round --------------------------------------------------------------------------------------------------------------


def _by_round(data: ReportData, section: Section) -> None:
    """Raw association of the place held while dice are taken."""
    rows = data.scan("rounds").select("game", "seat", "round", "order_farm", "block")
    seats = data.scan("seats").select("game", "seat", "win_share", "vp")
    found = means_by(rows.join(seats, on=["game", "seat"]), ["round", "order_farm"], pl.col("win_share"))
    shape = (data.rounds, data.players)
    table = np.full(shape, np.nan)
    for (round_, place), value in zip(found.keys, found.estimates.values, strict=True):
        table[int(str(round_)) - 1, int(str(place)) - 1] = value
    figure, axes = new_figure(7, 3.0)
    labels = [f"round {number}" for number in range(1, data.rounds + 1)]
    heat_map(
        axes, table.T, [str(place) for place in range(1, data.players + 1)], labels, text=SHARE, label="win share", centre=1 / data.players
    )
    axes.set_ylabel("place in the order")
    alt = (
        f"Heat map of win share by round and place in the order; round 1 from {table[0, 0]:.1%} for the first to {table[0, -1]:.1%} for "
        "the last."
    )
    section.figures.append(Figure("by_round", "Raw win share by place in the order of farm and revenue phase", alt, figure))
    section.tables.append(_round_table(found))
    section.caveats.append(
        "From round 2 on the place in the order is chosen, by siesta steps and donkey tiles: the map by round is a raw association. "
        "Policies that win for other reasons may "
        "sit at one end of it. Only round 1 is drawn at random."
    )


def _round_table(found: Grouped) -> Table:
    frame = found.frame(["round", "place"], SHARES).rename({"mean": "win share", "low": "from", "high": "to", "rows": "seats"})
    caption = "Raw win share by round and place in the order of the farm and revenue phases, with 95 % intervals"
    return Table("by_round", caption, frame, {"win share": SHARE, "from": SHARE, "to": SHARE, "seats": ","})


# --- the siesta track --------------------------------------------------------------------------------------------------------------------


def _siesta(data: ReportData, section: Section) -> None:
    """A place further up, adjusted; and its price."""
    panel = Panel(data)
    rounds = [number for number in range(1, data.rounds + 1) if data.players > 1]
    worth = [_place_worth(panel, number) for number in rounds]
    if not worth:
        return
    section.tables.append(_siesta_table(rounds, worth))
    section.figures.append(_siesta_figure(rounds, worth))
    section.takeaways.append(_siesta_sentence(worth, rounds))
    section.text.append(
        "The track: the place that a seat reaches in a round's transport holds for that transport and for the next round's dice. One "
        "place further up is worth the slope of final "
        "points on that place, among seats of the same deal, for equal policy, start position, old place, siesta section reached, donkey "
        "tile, and the points, silver, goods, markers, "
        "barrows and buildings held when the round began. Its price is the slope of the round's deliveries on the place without tile and "
        "section: what those who come out further up "
        "delivered less. Both are adjusted, not causal: what a policy saw in its position beyond these is not in them."
    )
    section.caveats.append(panel.note)


def _place_worth(panel: Panel, number: int) -> dict[str, Estimate]:
    """Of coming out one place further up in this round."""
    found = panel.round(number, ["order_farm", "order_transport", "donkey", "siesta", "deliveries", "bought_deliveries"])
    before = [panel.who, dummies(found["order_farm"]), panel.state_before(number)]
    up = -found["order_transport"].ravel()[:, None].astype(float)
    price = Regression(np.hstack([up, *before]), panel.blocks, panel.blocks)
    held = Regression(np.hstack([up, *before, dummies(found["donkey"]), dummies(found["siesta"])]), panel.blocks, panel.blocks)
    outcomes = {
        "points": (held, panel.seats["vp"]),
        "win share": (held, panel.seats["win_share"]),
        "points with their price": (price, panel.seats["vp"]),
    }
    outcomes |= {"deliveries": (price, found["deliveries"] + 0.0)}
    return {name: fit.fit(values.ravel()).one(0) for name, (fit, values) in outcomes.items()}


def _siesta_figure(rounds: list[int], worth: list[dict[str, Estimate]]) -> Figure:
    figure, (left, right) = new_figure(7, 3.2, columns=2)
    for axes, key, label in ((left, "points", "points at the end"), (right, "deliveries", "deliveries in the round")):
        found = [one[key] for one in worth]
        estimate_bars(axes, [str(number) for number in rounds], found, reference=0, text="+.2f")
        axes.set_xlabel("round")
        axes.set_ylabel(label)
        axes.margins(y=0.15)
    left.set_title("one place up, tile held equal")
    right.set_title("its price")
    alt = "Adjusted value of one place further up by round, in points, and the deliveries given up for it: " + ", ".join(
        f"round {number}: {one['points'].mean:+.2f} and {one['deliveries'].mean:+.2f}" for number, one in zip(rounds, worth, strict=True)
    )
    return Figure("siesta", "One place further up on the siesta track, adjusted", alt, figure)


def _siesta_table(rounds: list[int], worth: list[dict[str, Estimate]]) -> Table:
    rows = [
        (number, name, found.mean, found.low, found.high) for number, one in zip(rounds, worth, strict=True) for name, found in one.items()
    ]
    frame = pl.DataFrame(rows, ["round", "one place further up", "adjusted difference", "from", "to"], orient="row")
    return Table("siesta", "One place further up in the transport order: adjusted differences with 95 % intervals", frame,
                 {"adjusted difference": "+.3f", "from": "+.3f", "to": "+.3f"})  # fmt: skip


def _siesta_sentence(worth: list[dict[str, Estimate]], rounds: list[int]) -> Takeaway:
    """The clearest round."""
    clear, place = max((strength(one["points"], among=len(worth)), place) for place, one in enumerate(worth))
    found, price = worth[place]["points"], worth[place]["deliveries"]
    if clear < 1:
        return Takeaway("Whether a place further up on the siesta track is worth points could not be decided in any round.", clear)
    text = (
        f"One place further up on the siesta track in round {rounds[place]}, the clearest of all rounds, goes with "
        f"{interval(found, '+.2f')} points at the end, adjusted, "
        f"for the same donkey tile; those who came out further up made {number(price.mean, '+.2f')} deliveries in that round."
    )
    return Takeaway(text, clear)


# --- changes of the start player ------------------------------------------------------------------------------------------------------


def _changes(data: ReportData, section: Section) -> None:
    rows = data.scan("rounds").filter(pl.col("order_farm") == 1)
    found = means_by(rows, ["round"], (pl.col("order_transport") != 1))
    frame = found.frame(["round"], SHARES).rename({"mean": "start player changes", "low": "from", "high": "to", "rows": "games"})
    caption = "Share of games in which another player leads after the round's siesta moves"
    section.tables.append(Table("changes", caption, frame, {"start player changes": SHARE, "from": SHARE, "to": SHARE, "games": ","}))
