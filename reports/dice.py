"""What it is worth to take a die of each face, over what the same seat would otherwise have taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from _panel import STATE, Panel, dummies

from lagranja_sim.report import style
from lagranja_sim.report.say import interval, number, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.stats.blocks import Estimate, false_discovery
from lagranja_sim.stats.clustered import Joint, Regression

GAME = "lagranja"
TITLE = "Dice"
QUESTION = "Which faces are offered and taken, how early, and what is a die of each worth when it is taken?"
ORDER = 30
NEEDS = ["seats", "rounds"]
MIN_GAMES, MIN_PLAYERS = 400, 2  # seats of a deal are compared; reports/alone.py has the dice of one player

FACES = range(1, 7)
PICKS = ("first", "second")
FEWEST = 50  # a face taken or passed over fewer times in a cell is left out
Faces = dict[int, Estimate]  # the value of each face that something is known of


@dataclass(frozen=True)
class Pick:
    """One pick of one round, a row a seat."""

    round: int
    pick: int  # 0 first, 1 second
    turn: np.ndarray  # 1 to twice the number of players
    left: np.ndarray  # dice of each face on offer at this seat's turn
    taken: np.ndarray  # which face, as columns of 0 and 1


@dataclass(frozen=True)
class Value:
    """What taking each face is worth to a policy in one pick of a round, where it can be estimated."""

    pick: Pick
    policy: str
    estimates: dict[str, Joint]  # of points, share, and placebo: points held before the round
    times: np.ndarray  # each face was taken; 0 where that was too seldom


def build(data: ReportData) -> Section:
    """The section: how often faces are taken and what they are worth."""
    panel = Panel(data)
    picks = _picks(panel)
    values = [value for pick in picks for value in _values(panel, pick)]
    if not any(value.times.any() for value in values):
        raise TooFew("No face was both taken and passed over often enough in any round.")
    return Section(
        TITLE,
        QUESTION,
        takeaways=_sentences(values),
        figures=[_bars(values), _heat(values, data), *_policy_heat(values), _offer_figure(picks, data)],
        tables=[_face_table(values), *_policy_table(values), _cell_table(panel, picks, values), _offer_table(panel, picks)],
        caveats=[*CAVEATS, panel.note, _placebo_words(values), data.reconstructed_note("fields", "barrows", "helpers")],
        text=list(TEXT),
    )


# --- the picks ----------------------------------------------------------------------------------------------------------------------------


def _picks(panel: Panel) -> list[Pick]:
    return [pick for round_number in range(1, panel.data.rounds + 1) for pick in _picks_of(panel, round_number)]


def _picks_of(panel: Panel, round_number: int) -> list[Pick]:
    """The two picks of a round; a pick that nobody had is left out."""
    columns = ["order_farm", "die_1", "die_2", *(f"dice_offered_{face}" for face in FACES)]
    rows = panel.round(round_number, columns)
    order = rows["order_farm"]
    left = np.stack([rows[f"dice_offered_{face}"] for face in FACES], axis=-1).astype(np.int16)
    picks = []
    for pick, column in enumerate(("die_1", "die_2")):
        taken = (rows[column][..., None] == np.array(FACES)).astype(np.int16)
        if not taken.any():
            continue
        earlier = (order[:, None, :] < order[:, :, None]).astype(np.int16)  # game, seat, other seat
        at_turn = left - earlier @ taken
        turn = order + pick * panel.data.players
        picks.append(Pick(round_number, pick, turn.ravel(), at_turn.reshape(-1, 6), taken.reshape(-1, 6).astype(float)))
        left = left - taken.sum(1, keepdims=True)
    return picks


# --- the estimate -----------------------------------------------------------------------------------------------------------------------


def _values(panel: Panel, pick: Pick) -> list[Value]:
    """The values of the faces to each policy in a pick."""
    state = panel.state_before(pick.round)
    controls = [dummies(panel.seats["start_position"]), dummies(pick.turn), pick.left, pick.left > 0, *_first_pick(panel, pick)]
    columns = np.hstack([pick.taken, *controls, state])
    playing = panel.seats["policy"].ravel()
    return [_value(panel, pick, columns, playing == kind, name) for name, kind in panel.policies.items()]


def _value(panel: Panel, pick: Pick, columns: np.ndarray, is_own: np.ndarray, policy: str) -> Value:
    """Slopes of the outcome on the face a policy takes, and from them each face against what it takes otherwise."""
    blocks, own = panel.blocks[is_own], columns[is_own]
    contrasts, known = _contrasts(pick.left[is_own] > 0, pick.taken[is_own])
    full = Regression(own, blocks, blocks)
    fits = {"points": full.fit(panel.seats["vp"].ravel()[is_own]), "share": full.fit(panel.seats["win_share"].ravel()[is_own])}
    if pick.round > 1:
        before = own.shape[1] - len(STATE) + STATE.index("vp")
        fits["placebo"] = Regression(np.delete(own, before, axis=1), blocks, blocks).fit(own[:, before])
    present = np.isin(np.unique(panel.blocks), np.unique(blocks))
    estimates = {name: _faces(fit, contrasts, present) for name, fit in fits.items()}
    return Value(pick, policy, estimates, pick.taken[is_own].sum(0) * known)


def _first_pick(panel: Panel, pick: Pick) -> list[np.ndarray]:
    """What the seat took before."""
    if pick.pick == 0:
        return []
    return [dummies(panel.round(pick.round, ["die_1"])["die_1"])]


def _contrasts(offered: np.ndarray, taken: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each face: itself less the others in the shares in which they are taken where the face is on offer and passed over."""
    passed = offered & (taken == 0)
    weights = np.eye(6)
    known = np.zeros(6, bool)
    for face in range(6):
        others = taken[passed[:, face]].sum(0)
        known[face] = taken[:, face].sum() >= FEWEST and others.sum() >= FEWEST
        weights[face] -= others / max(1.0, others.sum())
    return weights, known


def _faces(slopes: Joint, contrasts: np.ndarray, present: np.ndarray) -> Joint:
    """Contrasts between the first six slopes; blocks in which the policy did not play have no influence."""
    own = slopes.combined(np.hstack([contrasts, np.zeros((6, slopes.values.size - 6))]))
    influence = np.zeros((present.size, 6))
    influence[present] = own.influence
    return Joint(own.values, influence)


def _by_face(values: Sequence[Value], outcome: str = "points") -> Faces:
    """The mean value of each face, weighted by how often it was taken; faces without any value are left out."""
    times = np.array([value.times for value in values]).reshape(-1, 6)
    return {int(face) + 1: _mixed(values, outcome, int(face), times[:, face]) for face in np.flatnonzero(times.sum(0))}


def _mixed(values: Sequence[Value], outcome: str, face: int, times: np.ndarray) -> Estimate:
    """A weighted mean of values, which share the blocks: their influences add up."""
    used = [(weight, value.estimates[outcome]) for weight, value in zip(times / times.sum(), values, strict=True) if weight > 0]
    mean = np.array([sum(weight * faces.values[face] for weight, faces in used)])
    influence = np.asarray(sum(weight * faces.influence[:, face] for weight, faces in used))
    return Joint(mean, influence[:, None]).at(0)


def _policies(values: Sequence[Value]) -> dict[str, Faces]:
    """The value of each face to each policy, in points; empty if only one plays."""
    names = list(dict.fromkeys(value.policy for value in values))
    return {name: _by_face([value for value in values if value.policy == name]) for name in names} if len(names) > 1 else {}


# --- in words -------------------------------------------------------------------------------------------------------------------------


def _sentences(values: Sequence[Value]) -> list[Takeaway]:
    """The face of most and of least value."""
    points = _by_face(values)
    ranked = sorted(points, key=lambda face: points[face].mean)
    extremes = {"most": ranked[-1], "least": ranked[0]} if len(ranked) > 1 else {"most": ranked[-1]}
    return [_sentence(values, face, rank) for rank, face in extremes.items()]


def _sentence(values: Sequence[Value], face: int, rank: str) -> Takeaway:
    faces = _by_face(values)
    points, clear = faces[face], strength(faces[face], among=len(faces))
    if clear < 1:
        side = "more" if rank == "most" else "less"
        what = f"It could not be decided that any face is worth {side} than what is taken otherwise"
        looked = f"allowing for a look at {len(faces)} faces; the extreme, taken alone, is {face}"
        return Takeaway(f"{what}, {looked}: {interval(points, '+.2f')} points, adjusted.", clear)
    text = (
        f"A die of {face} is worth {rank} when taken: {interval(points, '+.2f')} points and "
        f"{number(100 * _by_face(values, 'share')[face].mean, '+.1f')} percentage "
        f"points of win share against what the same policy otherwise takes, adjusted{_range(values, face)}."
    )
    return Takeaway(text, clear)


def _range(values: Sequence[Value], face: int) -> str:
    """How far policies differ in the value of a face."""
    means = sorted((faces[face].mean, name) for name, faces in _policies(values).items() if face in faces)
    if len(means) < 2:
        return ""
    (low, least), (high, most) = means[0], means[-1]
    return f"; from {number(low, '+.1f')} for {least} to {number(high, '+.1f')} for {most}"


def _placebo_words(values: Sequence[Value]) -> str:
    """How far the adjustment can be off: a die taken now cannot change points held before."""
    later = [value for value in values if value.pick.round > 1]
    gaps = {face: abs(points.mean) for face, points in _by_face(later, "placebo").items()}
    if not gaps:
        return ""
    face = max(gaps, key=lambda face: gaps[face])
    return (
        "Placebo: a die cannot change points held before its round, yet the same comparison with those as the outcome shows gaps of up to "
        f"{gaps[face]:.2f} points (face {face}). Values of that size may be selection. The table by round and pick gives the gap for each."
    )


TEXT = (
    "Value: for each policy and each pick of each round, final points (and win share) are regressed on the face taken, among seats of the "
    "same deal (each block has its own intercept), for equal start position, turn to pick, dice of each face on offer at that turn, face "
    "of "
    "the first pick, and points, silver, goods, markers, barrows and buildings held when the round began. So it is set against what the "
    "same "
    "policy has in other seats of the same deal. A face's value is its slope less those of the faces which that policy takes instead "
    "where it "
    "is on offer and passed over, in the shares in which it takes them. Overall values weigh policies, rounds and picks by how often the "
    "face "
    "was taken. A die passed over is not lost: it may be there at the second pick, or as the last die, which is everybody's; a value is "
    "what "
    "taking it now adds to that. Intervals have blocks as their unit.",
    "Why it may be believed: the dice are random, seats of one deal meet the same rolls, and which faces are left at a turn depends on "
    "others' picks; so like seats are compared that took different faces. What it assumes: that beyond what is held equal the reasons for "
    "a "
    "pick have nothing to do with the result. Cards in hand and the state of barrows and rows are not held equal, so these are adjusted "
    "associations, not effects; `lagranja value` forces the choice and gives the effect.",
)
CAVEATS = (
    "The value is that for these policies, with the faces they take where they take them; a face that is taken only when it is useful "
    "looks "
    "better than one taken at random, and policies may differ in sign.",
    f"A face that a policy took or passed over fewer than {FEWEST} times in a pick of a round is left out there.",
)


# --- figures ------------------------------------------------------------------------------------------------------------------------------


def _bars(values: Sequence[Value]) -> Figure:
    points, share = _by_face(values), _by_face(values, "share")
    figure, (left, right) = style.new_figure(7, 3.2, columns=2)
    for axes, faces, text, label in (
        (left, points, "+.2f", "difference in points at the end"),
        (right, share, "+.1%", "difference in win share"),
    ):
        style.interval_bars(axes, [str(face) for face in faces], list(faces.values()), reference=0, text=text)
        axes.set_xlabel("face taken")
        axes.set_ylabel(label)
        axes.margins(y=0.15)
    style.percent(right.yaxis)
    alt = "Adjusted value of each face with 95 % intervals, in points: " + ", ".join(
        f"{face}: {worth.mean:+.2f}" for face, worth in points.items()
    )
    return Figure("value", "Value of a die taken, over what is taken otherwise (adjusted; all rounds)", alt, figure)


def _heat(values: Sequence[Value], data: ReportData) -> Figure:
    rounds = range(1, data.rounds + 1)
    by_round = {
        f"round {round_number}": _by_face([value for value in values if value.pick.round == round_number]) for round_number in rounds
    }
    figure, worth = _face_map(by_round)
    best = np.unravel_index(np.nanargmax(worth), worth.shape)
    alt = (
        f"Heat map of the adjusted value in points by face and round; highest {worth[best]:+.1f} for face {best[0] + 1} in round "
        f"{best[1] + 1}."
    )
    return Figure("value_by_round", "Value by face and round, in points (adjusted; in brackets: the interval holds 0)", alt, figure)


def _policy_heat(values: Sequence[Value]) -> list[Figure]:
    policies = _policies(values)
    if not policies:
        return []
    figure, worth = _face_map(policies)
    best = [int(np.nanargmax(column)) + 1 if np.isfinite(column).any() else 0 for column in worth.T]
    alt = "Heat map of the adjusted value in points by face and policy; highest: " + ", ".join(
        f"{name} face {face}" for name, face in zip(policies, best, strict=True)
    )
    title = "Value by face and policy, in points (adjusted; in brackets: the interval holds 0)"
    return [Figure("value_by_policy", title, alt, figure)]


def _face_map(columns: dict[str, Faces]) -> tuple[Any, np.ndarray]:
    """A heat map of the values of faces, and its numbers."""
    worth, faint = np.full((6, len(columns)), np.nan), np.zeros((6, len(columns)), bool)
    for column, faces in enumerate(columns.values()):
        for face, points in faces.items():
            worth[face - 1, column], faint[face - 1, column] = points.mean, not points.excludes(0)
    figure, axes = style.new_figure(7, 3.4)
    cells = style.Cells(worth, [str(face) for face in FACES], list(columns), faint)
    style.heat_map(axes, cells, text="+.1f", label="points at the end", centre=0)
    axes.set_ylabel("face taken")
    return figure, worth


def _offer_figure(picks: list[Pick], data: ReportData) -> Figure:
    """Share taken of those on offer, by turn to pick."""
    turns = range(1, 2 * data.players + 1)
    shares = np.full((6, len(turns)), np.nan)
    for turn in turns:
        rows_of_turn = [(pick, pick.turn == turn) for pick in picks]
        offered = np.sum([(pick.left[rows] > 0).sum(0) for pick, rows in rows_of_turn], axis=0)
        taken = np.sum([pick.taken[rows].sum(0) for pick, rows in rows_of_turn], axis=0)
        shares[:, turn - 1] = np.divide(taken, offered, out=np.full(6, np.nan), where=offered > 0)
    figure, axes = style.new_figure(7, 3.4)
    cells = style.Cells(shares, [str(face) for face in FACES], [str(turn) for turn in turns])
    style.heat_map(axes, cells, text=".0%", label="share taken where on offer")
    axes.set_xlabel(f"turn to pick (1 to {data.players}: first dice, then second dice)")
    axes.set_ylabel("face")
    first = int(np.nanargmax(shares[:, 0])) + 1
    alt = f"Heat map of how often each face is taken where it is on offer, by turn to pick; the first to pick takes a {first} most readily."
    return Figure("taken", "How early faces are taken: share of turns with the face on offer in which it is taken", alt, figure)


# --- tables -------------------------------------------------------------------------------------------------------------------------------


def _face_table(values: Sequence[Value]) -> Table:
    points, share = _by_face(values), _by_face(values, "share")
    times = np.sum([value.times for value in values], axis=0)
    rows = [(face, *worth.figures, *share[face].figures, int(times[face - 1])) for face, worth in points.items()]
    names = ["face", "points", "from", "to", "win share", "share from", "share to", "times counted"]
    formats = dict.fromkeys(names[1:4], "+.2f") | dict.fromkeys(names[4:7], "+.2%") | {"times counted": ","}
    caption = "Value of each face over all policies, rounds and picks, adjusted, with 95 % intervals"
    return Table("value", caption, pl.DataFrame(rows, names, orient="row"), formats)


def _policy_table(values: Sequence[Value]) -> list[Table]:
    rows = [(name, face, *points.figures) for name, faces in _policies(values).items() for face, points in faces.items()]
    frame = pl.DataFrame(rows, ["policy", "face", "points", "from", "to"], orient="row")
    caption = "Value of each face to each policy, adjusted, with 95 % intervals"
    return [Table("by_policy", caption, frame, dict.fromkeys(("points", "from", "to"), "+.2f"))] if rows else []


def _cell_table(panel: Panel, picks: list[Pick], values: Sequence[Value]) -> Table:
    rows = [row for pick in picks for row in _cell_rows(pick, [value for value in values if value.pick is pick])]
    rows += [row for round_number in range(1, panel.data.rounds + 1) for row in _last_rows(panel, round_number)]
    rows.sort(key=lambda row: row[0])
    p_adjusted = false_discovery([row[-1] for row in rows])
    names = ["round", "pick", "face", "on offer", "taken of these", "mean turn", "points", "from", "to", "win share", "placebo", "p"]
    frame = pl.DataFrame(rows, names, orient="row", infer_schema_length=None)
    frame = frame.with_columns(pl.Series("p adjusted", p_adjusted, nan_to_null=True))
    formats = {"on offer": ".0%", "taken of these": ".0%", "mean turn": ".1f", "win share": "+.2%", "placebo": "+.2f"}
    formats |= dict.fromkeys(("points", "from", "to"), "+.2f") | dict.fromkeys(("p", "p adjusted"), ".4f")
    caption = (
        "By round, pick and face: how often on offer, taken and when; value over all policies with its interval; the placebo (points held "
        "before the round); p adjusted over the table. The last die is everybody's: how often it is of the face"
    )
    return Table("cells", caption, frame, formats)


def _cell_rows(pick: Pick, values: Sequence[Value]) -> list[tuple[Any, ...]]:
    points, share = _by_face(values), _by_face(values, "share")
    placebo = _by_face(values, "placebo") if pick.round > 1 else {}
    rows = []
    for face in FACES:
        offered, taken = pick.left[:, face - 1] > 0, pick.taken[:, face - 1] > 0
        frequency = (
            float(offered.mean()),
            float(taken.sum() / max(1, offered.sum())),
            float(pick.turn[taken].mean()) if taken.any() else None,
        )
        worth: tuple[Any, ...] = (None,) * 6
        if face in points:
            gap = placebo[face].mean if face in placebo else None
            worth = (*points[face].figures, share[face].mean, gap, points[face].p_value)
        rows.append((pick.round, PICKS[pick.pick], face, *frequency, *worth))
    return rows


def _last_rows(panel: Panel, round_number: int) -> list[tuple[Any, ...]]:
    """The last die, which is everybody's: how often it is which."""
    shares = _last(panel, round_number) / panel.games
    return [(round_number, "last", face, float(shares[face - 1]), *[None] * 8) for face in FACES]


def _offer_table(panel: Panel, chances: list[Pick]) -> Table:
    """How often each face is rolled, taken first or second, and left as everybody's last die."""
    rolled = np.sum([pick.left[pick.turn == 1].sum(0) for pick in chances if pick.pick == 0], axis=0)
    picks = [np.sum([pick.taken.sum(0) for pick in chances if pick.pick == which] or [np.zeros(6)], axis=0) for which in (0, 1)]
    last = np.sum([_last(panel, round_number) for round_number in range(1, panel.data.rounds + 1)], axis=0)
    rows = [(face, *(float(count[face - 1] / max(1, rolled[face - 1])) for count in (*picks, last))) for face in FACES]
    frame = pl.DataFrame(rows, ["face", "taken at a first pick", "taken at a second pick", "left as the last die"], orient="row")
    return Table("offered", "What becomes of the dice rolled of each face", frame, dict.fromkeys(frame.columns[1:], ".1%"))


def _last(panel: Panel, round_number: int) -> np.ndarray:
    last = panel.round(round_number, ["die_last"])["die_last"][:, 0]
    return np.bincount(last, minlength=7)[1:7]
