"""Crossings: known answers, and how often their intervals hold a crossing that is known."""

from collections.abc import Sequence

import numpy as np
import pytest

from lagranja_sim.stats.blocks import t_quantile
from lagranja_sim.stats.crossings import Curve, Span, heads_beyond, joined, points, spans

CERTAIN = 0.0


def curve(places: Sequence[float], means: Sequence[float], variance: float = CERTAIN, step: float = CERTAIN, blocks: int = 100) -> Curve:
    return Curve(np.array(places, float), np.array(means, float), np.full(len(places), variance), np.full(len(places) - 1, step), blocks)


def measured(rows: np.ndarray, places: Sequence[float]) -> Curve:
    """The curve of block means, blocks x places."""
    blocks = len(rows)
    return Curve(
        np.array(places, float),
        rows.mean(axis=0),
        rows.var(axis=0, ddof=1) / blocks,
        np.diff(rows, axis=1).var(axis=0, ddof=1) / blocks,
        blocks,
    )


# --- known answers -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("means", "line", "found"),
    [
        ((0, 1), 0.25, [1.25]),
        ((0, 1, 3), 2, [3.0]),  # the second piece is twice as long
        ((0, 1, 0), 0.5, [1.5, 3.0]),
        ((0, 1, 3), 1, [2.0]),  # on a mean
        ((0, 1, 3), 5, []),
        ((1, 1, 1), 1, [1.0, 2.0, 4.0]),
    ],
)
def test_means_cross_where_straight_lines_between_them_do(means: Sequence[float], line: float, found: list[float]) -> None:
    assert points(curve((1, 2, 4)[: len(means)], means), line) == found


def test_certain_means_cross_at_a_point() -> None:
    assert spans(curve((1, 2, 4), (0, 1, 0)), 0.5) == [Span(1.5, 1.5), Span(3.0, 3.0)]


def test_errors_that_all_means_share_move_the_crossing_by_the_error_over_the_slope() -> None:
    half = float(t_quantile(100)) * 0.1
    (span,) = spans(curve((0, 10), (-5, 5), variance=0.01), 0)
    assert span == pytest.approx((5 - half, 5 + half))


def test_independent_means_cross_where_fieller_says() -> None:
    # (2 x - 1)^2 <= q (1 - 2 x (1 - x)) with q = t^2 v, so (4 - 2 q) (x^2 - x) + 1 - q <= 0
    square = float(t_quantile(100)) ** 2 * 0.01
    half = np.sqrt(1 / 4 - (1 - square) / (4 - 2 * square))
    (span,) = spans(curve((0, 1), (-1, 1), variance=0.01, step=0.02), 0)
    assert span == pytest.approx((0.5 - half, 0.5 + half))


def test_what_is_known_badly_may_cross_anywhere_or_outside() -> None:
    assert spans(curve((1, 2), (0, 1), variance=9, step=18), 0.5) == [Span(1, 2)]
    low, high = spans(curve((1, 2, 3), (5, 0, 5), variance=1.0, step=0.0), 2.5)  # two crossings, apart
    assert low.high < 2 < high.low


def test_a_curve_far_from_the_line_does_not_cross_it() -> None:
    assert spans(curve((1, 2, 3), (5, 6, 5), variance=0.01, step=0.01), 0) == []


def test_nothing_is_said_of_a_single_block() -> None:
    assert spans(curve((1, 2), (0, 1), variance=np.nan, step=np.nan, blocks=1), 0.5) == []


def test_touching_spans_are_one() -> None:
    assert joined([Span(0, 1), Span(1, 2), Span(3, 4), Span(3, 3.5)]) == [Span(0, 2), Span(3, 4)]


@pytest.mark.parametrize(
    ("means", "line", "ends"),
    [((0, 1, 2), 3, [3]), ((2, 1, 0), 3, [1]), ((2, 1, 2), 3, [1, 3]), ((0, 1, 2), -1, [1]), ((1, 2, 1), 3, [])],
)
def test_a_curve_heads_for_a_line_beyond_its_ends(means: Sequence[float], line: float, ends: list[float]) -> None:
    assert heads_beyond(curve((1, 2, 3), means, step=0.01), line) == ends


def test_a_step_that_may_be_none_heads_nowhere() -> None:
    assert heads_beyond(curve((1, 2, 3), (0, 1, 2), step=1.0), 3) == []


# --- coverage ------------------------------------------------------------------------------------------------------------------------

PLACES, TRUE, LINE, CROSSING = (1, 2, 3, 5), (0.0, 0.4, 0.5, 0.9), 0.7, 4.0


def held(rows: np.ndarray, line: float, crossing: float) -> bool:
    return any(span.low <= crossing <= span.high for span in spans(measured(rows, PLACES), line))


@pytest.mark.parametrize(("shared", "own"), [(1.0, 0.2), (1.0, 1.0), (0.0, 2.0)])
def test_the_interval_holds_the_crossing_as_often_as_stated(shared: float, own: float) -> None:
    """Normal block means with much, some and no luck in common."""
    chance, repetitions, blocks = np.random.default_rng(1), 1_500, 60
    luck = shared * chance.normal(size=(repetitions, blocks, 1)) + own * chance.normal(size=(repetitions, blocks, 4))
    coverage = np.mean([held(np.array(TRUE) + rows, LINE, CROSSING) for rows in luck])
    assert 0.935 <= coverage <= 0.965


def test_the_interval_holds_the_crossing_of_shares_of_wins_too() -> None:
    """Each block has four games on one deal; a win is a threshold of shared and own luck, and the true shares are those of all blocks."""
    chance, repetitions, blocks = np.random.default_rng(2), 1_200, 150
    shares = np.array([0.20, 0.23, 0.24, 0.28])
    deals = chance.uniform(size=(repetitions, blocks, 4, 1))
    again = np.where(chance.uniform(size=(repetitions, blocks, 4, 4)) < 0.3, chance.uniform(size=(repetitions, blocks, 4, 4)), deals)
    wins = (again < shares).mean(axis=2)
    coverage = np.mean([held(rows, 0.25, 3.5) for rows in wins])
    assert 0.93 <= coverage <= 0.97
