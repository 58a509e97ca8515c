"""What it is worth to take a die of each face, over what the same seat would otherwise have taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from _panel import Panel, dummies

from lagranja_sim.report.say import interval, number, strength
from lagranja_sim.report.section import Figure, ReportData, Section, Table, Takeaway, TooFew
from lagranja_sim.report.style import estimate_bars, heat_map, new_figure, percent
from lagranja_sim.stats.blocks import Estimate
from lagranja_sim.stats.clustered import Estimates, Regression, false_discovery

TITLE = "Dice"
QUESTION = "Which faces are offered and taken, how early, and what is a die of each worth when it is taken?"
ORDER = 30
NEEDS = ["seats", "rounds"]
MIN_GAMES = 400

FACES = range(1, 7)
PICKS = ("first", "second")
FEWEST = 50  # a face taken or passed over fewer times in a cell is left out


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
    """What taking each face is worth in one pick of a round, where it can be told."""

    pick: Pick
    points: Estimates
    share: Estimates
    placebo: Estimates | None  # the same with points held before the round as the outcome
    known: np.ndarray  # faces with enough picks

    @property
    def weights(self) -> np.ndarray:
        return self.pick.taken.sum(0) * self.known


def build(data: ReportData) -> Section:
    """Count, estimate, show."""
    panel = Panel(data)
    found = [_value(panel, pick) for pick in _picks(panel)]
    if not any(value.known.any() for value in found):
        raise TooFew("No face was both taken and passed over often enough in any round.")
    points, share = _by_face(found, "points"), _by_face(found, "share")
    section = Section(TITLE, QUESTION, text=list(TEXT), caveats=[*CAVEATS, panel.note])
    section.takeaways = _sentences(points, share)
    section.figures = [_bars(points, share), _heat(found, data), _offer_figure(found, data)]
    section.tables = [_face_table(points, share, found), _cell_table(panel, found), _offer_table(panel, found)]
    section.caveats.append(_placebo_words(found))
    section.caveats.append(data.reconstructed_note("fields", "barrows", "helpers"))
    return section


# --- the picks ----------------------------------------------------------------------------------------------------------------------------


def _picks(panel: Panel) -> list[Pick]:
    return [pick for number_ in range(1, panel.data.rounds + 1) for pick in _picks_of(panel, number_)]


def _picks_of(panel: Panel, number_: int) -> list[Pick]:
    """Both picks of a round; one that nobody had is left out."""
    columns = ["order_farm", "die_1", "die_2", *(f"dice_offered_{face}" for face in FACES)]
    found = panel.round(number_, columns)
    order = found["order_farm"]
    left = np.stack([found[f"dice_offered_{face}"] for face in FACES], axis=-1).astype(np.int16)
    picks = []
    for pick, column in enumerate(("die_1", "die_2")):
        taken = (found[column][..., None] == np.array(FACES)).astype(np.int16)
        if not taken.any():
            continue
        earlier = (order[:, None, :] < order[:, :, None]).astype(np.int16)  # game, seat, other seat
        at_turn = left - earlier @ taken
        turn = order + pick * panel.data.players
        picks.append(Pick(number_, pick, turn.ravel(), at_turn.reshape(-1, 6), taken.reshape(-1, 6).astype(float)))
        left = left - taken.sum(1, keepdims=True)
    return picks


# --- the estimate -----------------------------------------------------------------------------------------------------------------------


def _value(panel: Panel, pick: Pick) -> Value:
    """Slopes of the outcome on the face taken, and from them each face against what is taken otherwise."""
    state = panel.state_before(pick.round)
    controls = [panel.who, dummies(pick.turn), pick.left, pick.left > 0, *_first_pick(panel, pick)]
    full = Regression(np.hstack([pick.taken, *controls, state]), panel.blocks, panel.blocks)
    contrasts, known = _contrasts(pick)
    points = _faces(full.fit(panel.seats["vp"].ravel()), contrasts)
    share = _faces(full.fit(panel.seats["win_share"].ravel()), contrasts)
    placebo = None
    if state.shape[1]:
        blind = Regression(np.hstack([pick.taken, *controls, state[:, 1:]]), panel.blocks, panel.blocks)
        placebo = _faces(blind.fit(state[:, 0]), contrasts)
    return Value(pick, points, share, placebo, known)


def _first_pick(panel: Panel, pick: Pick) -> list[np.ndarray]:
    """What the seat took before."""
    if pick.pick == 0:
        return []
    return [dummies(panel.round(pick.round, ["die_1"])["die_1"])]


def _contrasts(pick: Pick) -> tuple[np.ndarray, np.ndarray]:
    """For each face: itself less the others in the shares in which they are taken where the face is on offer and passed over."""
    offered = pick.left > 0
    passed = offered & (pick.taken == 0)
    weights = np.eye(6)
    known = np.zeros(6, bool)
    for face in range(6):
        others = pick.taken[passed[:, face]].sum(0)
        known[face] = pick.taken[:, face].sum() >= FEWEST and others.sum() >= FEWEST
        weights[face] -= others / max(1.0, others.sum())
    return weights, known


def _faces(slopes: Estimates, contrasts: np.ndarray) -> Estimates:
    return slopes.combined(np.hstack([contrasts, np.zeros((6, slopes.values.size - 6))]))


def _by_face(found: list[Value], outcome: str) -> dict[int, Estimate]:
    """Each face over all rounds and picks, weighted by how often it is taken."""
    weights = np.array([value.weights for value in found])
    made = {}
    for face in np.flatnonzero(weights.sum(0) > 0):
        share = weights[:, face] / weights[:, face].sum()
        made[int(face) + 1] = _mixed([getattr(value, outcome) for value in found], share, int(face))
    return made


def _mixed(found: list[Estimates], shares: np.ndarray, face: int) -> Estimate:
    """A weighted mean over cells, which share the blocks: their influences add up."""
    used = [(share, one) for share, one in zip(shares, found, strict=True) if share > 0]
    value = np.array([sum(share * one.values[face] for share, one in used)])
    influence = np.asarray(sum(share * one.influence[:, face] for share, one in used))
    return Estimates(value, influence[:, None]).one(0)


# --- in words -------------------------------------------------------------------------------------------------------------------------


def _sentences(points: dict[int, Estimate], share: dict[int, Estimate]) -> list[Takeaway]:
    """The face of most and of least value."""
    ranked = sorted(points, key=lambda face: points[face].mean)
    made = [_sentence(ranked[-1], "most", points, share), _sentence(ranked[0], "least", points, share)]
    return made if len(ranked) > 1 else made[:1]


def _sentence(face: int, rank: str, points: dict[int, Estimate], share: dict[int, Estimate]) -> Takeaway:
    clear = strength(points[face], among=len(points))
    if clear < 1:
        side = "more" if rank == "most" else "less"
        text = (
            f"No face could be told to be worth {side} than what is taken otherwise; the extreme is {face}: "
            f"{interval(points[face], '+.2f')} points, adjusted."
        )
        return Takeaway(text, clear)
    text = (
        f"A die of {face} is worth {rank} when taken: {interval(points[face], '+.2f')} points and "
        f"{number(100 * share[face].mean, '+.1f')} percentage points of "
        "win share against what the same seat would otherwise take, adjusted."
    )
    return Takeaway(text, clear)


def _placebo_words(found: list[Value]) -> str:
    """How far the adjustment can be off: a die taken now cannot change points held before."""
    gaps = [(abs(value.placebo.values[face]), value, face) for value in found if value.placebo for face in np.flatnonzero(value.known)]
    if not gaps:
        return ""
    size, value, face = max(gaps, key=lambda gap: gap[0])
    middle = float(np.median([gap[0] for gap in gaps]))
    return (
        "Placebo: a die cannot change points held before its round, yet the same comparison with those as the outcome shows a median gap "
        f"of {middle:.2f} points and at most {size:.2f} "
        f"(face {face + 1}, round {value.pick.round}, {PICKS[value.pick.pick]} pick). Values of that size may be selection."
    )


TEXT = (
    "Value: for each pick of each round, final points (and win share) are regressed on the face taken, among seats of the same deal (each "
    "block has its own intercept), for equal policy, "
    "start position, turn to pick, dice of each face on offer at that turn, the face of the first pick, and the points, silver, goods, "
    "markers, barrows and buildings held when the "
    "round began. A face's value is its slope less those of the faces taken instead where it was on offer and passed over, in the shares "
    "in which they were taken. Overall values "
    "weigh rounds and picks by how often the face was taken. Intervals have blocks as their unit.",
    "Why it may be believed: the dice are random, seats of one deal meet the same rolls, and which faces are left at a turn depends on "
    "others' picks; so like seats are compared that took "
    "different faces. What it assumes: that beyond what is held equal the reasons for a pick have nothing to do with the result. Cards in "
    "hand and the state of barrows and rows are not held "
    "equal, so these are adjusted associations, not effects; `lagranja value` forces the choice and gives the effect. The last die is "
    "everybody's: nobody chooses it, so it has no value here.",
)
CAVEATS = (
    "The value is that for these policies, with the faces they take where they take them; a face that is taken only when it is useful "
    "looks better than one taken at random.",
    f"A face taken or passed over fewer than {FEWEST} times in a pick of a round is left out there.",
)


# --- figures ------------------------------------------------------------------------------------------------------------------------------


def _bars(points: dict[int, Estimate], share: dict[int, Estimate]) -> Figure:
    figure, (left, right) = new_figure(7, 3.2, columns=2)
    for axes, found, text, label in (
        (left, points, "+.2f", "difference in points at the end"),
        (right, share, "+.1%", "difference in win share"),
    ):
        ones = [found[face] for face in found]
        estimate_bars(axes, [str(face) for face in found], ones, reference=0, text=text)
        axes.set_xlabel("face taken")
        axes.set_ylabel(label)
        axes.margins(y=0.15)
    percent(right.yaxis, 1)
    alt = "Adjusted value of each face with 95 % intervals, in points: " + ", ".join(
        f"{face}: {one.mean:+.2f}" for face, one in points.items()
    )
    return Figure("value", "Value of a die taken, over what is taken otherwise (adjusted; all rounds)", alt, figure)


def _heat(found: list[Value], data: ReportData) -> Figure:
    values, faint = np.full((6, data.rounds), np.nan), np.zeros((6, data.rounds), bool)
    for number_ in range(1, data.rounds + 1):
        for face, one in _by_face([value for value in found if value.pick.round == number_], "points").items():
            values[face - 1, number_ - 1], faint[face - 1, number_ - 1] = one.mean, one.low <= 0 <= one.high
    figure, axes = new_figure(7, 3.4)
    rounds = [f"round {number_}" for number_ in range(1, data.rounds + 1)]
    heat_map(axes, values, [str(face) for face in FACES], rounds, text="+.1f", label="points at the end", centre=0, faint=faint)
    axes.set_ylabel("face taken")
    best = np.unravel_index(np.nanargmax(values), values.shape)
    alt = (
        f"Heat map of the adjusted value in points by face and round; highest {values[best]:+.1f} for face {best[0] + 1} in round "
        f"{best[1] + 1}."
    )
    return Figure("value_by_round", "Value by face and round, in points (adjusted; in brackets: the interval holds 0)", alt, figure)


def _offer_figure(found: list[Value], data: ReportData) -> Figure:
    """Share taken of those on offer, by turn to pick."""
    turns = range(1, 2 * data.players + 1)
    values = np.full((6, len(turns)), np.nan)
    for turn in turns:
        here = [(value.pick, value.pick.turn == turn) for value in found]
        offered = np.sum([(pick.left[rows] > 0).sum(0) for pick, rows in here], axis=0)
        taken = np.sum([pick.taken[rows].sum(0) for pick, rows in here], axis=0)
        values[:, turn - 1] = np.divide(taken, offered, out=np.full(6, np.nan), where=offered > 0)
    figure, axes = new_figure(7, 3.4)
    heat_map(axes, values, [str(face) for face in FACES], [str(turn) for turn in turns], text=".0%", label="share taken where on offer")
    axes.set_xlabel(f"turn to pick (1 to {data.players}: first dice, then second dice)")
    axes.set_ylabel("face")
    first = int(np.nanargmax(values[:, 0])) + 1
    alt = f"Heat map of how often each face is taken where it is on offer, by turn to pick; the first to pick takes a {first} most readily."
    return Figure("taken", "How early faces are taken: share of turns with the face on offer in which it is taken", alt, figure)


# --- tables -------------------------------------------------------------------------------------------------------------------------------


def _face_table(points: dict[int, Estimate], share: dict[int, Estimate], found: list[Value]) -> Table:
    taken = np.sum([value.pick.taken.sum(0) for value in found], axis=0)
    rows = [
        (face, one.mean, one.low, one.high, share[face].mean, share[face].low, share[face].high, int(taken[face - 1]))
        for face, one in points.items()
    ]
    names = ["face", "points", "from", "to", "win share", "share from", "share to", "times taken"]
    signed = dict.fromkeys(names[1:4], "+.2f") | dict.fromkeys(names[4:7], "+.2%") | {"times taken": ","}
    return Table(
        "value",
        "Value of each face over all rounds and picks, adjusted, with 95 % intervals",
        pl.DataFrame(rows, names, orient="row"),
        signed,
    )


def _cell_table(panel: Panel, found: list[Value]) -> Table:
    rows = [row for value in found for row in _cell_rows(value)]
    rows += [row for number_ in range(1, panel.data.rounds + 1) for row in _last_rows(panel, number_)]
    rows.sort(key=lambda row: row[0])
    p_adjusted = false_discovery([row[-1] for row in rows])
    names = ["round", "pick", "face", "on offer", "taken of these", "mean turn", "points", "from", "to", "win share", "placebo", "p"]
    frame = pl.DataFrame(rows, names, orient="row", infer_schema_length=None).with_columns(
        pl.Series("p adjusted", p_adjusted, nan_to_null=True)
    )
    formats = {
        "on offer": ".0%",
        "taken of these": ".0%",
        "mean turn": ".1f",
        "points": "+.2f",
        "from": "+.2f",
        "to": "+.2f",
        "win share": "+.2%",
    }
    caption = (
        "By round, pick and face: how often on offer, taken and when; value with its interval; the placebo (points held before the "
        "round); p adjusted over the table. The last die is everybody's: how often it is of the face"
    )
    return Table("cells", caption, frame, formats | {"placebo": "+.2f", "p": ".4f", "p adjusted": ".4f"})


def _cell_rows(value: Value) -> list[tuple[Any, ...]]:
    pick, p_values = value.pick, value.points.p_values()
    rows = []
    for face in range(6):
        offered, taken = pick.left[:, face] > 0, pick.taken[:, face] > 0
        known = bool(value.known[face])
        one, share = value.points.one(face), value.share.values[face]
        placebo = None if value.placebo is None or not known else float(value.placebo.values[face])
        worth = (
            (one.mean, one.low, one.high, float(share), placebo, float(p_values[face])) if known else (None, None, None, None, None, None)
        )
        share_taken = float(taken.sum() / max(1, offered.sum()))
        rows.append(
            (
                pick.round,
                PICKS[pick.pick],
                face + 1,
                float(offered.mean()),
                share_taken,
                float(pick.turn[taken].mean()) if taken.any() else None,
                *worth,
            )
        )
    return rows


def _last_rows(panel: Panel, number_: int) -> list[tuple[Any, ...]]:
    """The last die, which is everybody's: how often it is which."""
    shares = _last(panel, number_) / panel.games
    return [(number_, "last", face, float(shares[face - 1]), *[None] * 8) for face in FACES]


def _offer_table(panel: Panel, found: list[Value]) -> Table:
    """How often each face is rolled, taken first or second, and left as everybody's last die."""
    rolled = np.sum([value.pick.left[value.pick.turn == 1].sum(0) for value in found if value.pick.pick == 0], axis=0)
    picks = [np.sum([value.pick.taken.sum(0) for value in found if value.pick.pick == pick] or [np.zeros(6)], axis=0) for pick in (0, 1)]
    last = np.sum([_last(panel, number_) for number_ in range(1, panel.data.rounds + 1)], axis=0)
    rows = [(face, *(float(count[face - 1] / max(1, rolled[face - 1])) for count in (*picks, last))) for face in FACES]
    frame = pl.DataFrame(rows, ["face", "taken at a first pick", "taken at a second pick", "left as the last die"], orient="row")
    return Table("offered", "What becomes of the dice rolled of each face", frame, dict.fromkeys(frame.columns[1:], ".1%"))


def _last(panel: Panel, number_: int) -> np.ndarray:
    last = panel.round(number_, ["die_last"])["die_last"][:, 0]
    return np.bincount(last, minlength=7)[1:7]
