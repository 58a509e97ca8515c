"""Means and intervals over blocks: known answers, and coverage where the games of a block are correlated."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lagranja_sim.stats.blocks import (
    ANYTHING,
    FEW,
    Estimate,
    Estimates,
    estimate,
    estimate_at,
    estimates_in,
    false_discovery,
    with_q_values,
)


def test_a_known_answer() -> None:
    interval = estimate([1, 2, 3, 4, 5])
    assert interval.mean == 3
    assert interval.error == pytest.approx(math.sqrt(2.5 / 5))
    assert interval.low == pytest.approx(3 - 2.7764451 * math.sqrt(0.5))  # t(0.975) with 4 degrees of freedom, from a table
    assert interval.high == pytest.approx(3 + 2.7764451 * math.sqrt(0.5))
    assert interval.blocks == 5


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=50).filter(lambda values: np.std(values) > 1e-3), st.sampled_from([0.8, 0.95, 0.99])
)
def test_agrees_with_the_one_sample_t_test(values: list[float], level: float) -> None:
    interval = estimate(values, level)
    expected = stats.ttest_1samp(values, 0).confidence_interval(level)
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_one_block_has_a_mean_and_no_interval() -> None:
    interval = estimate([0.5])
    assert interval.mean == 0.5
    assert math.isnan(interval.low) and math.isnan(interval.high) and math.isnan(interval.error)


def test_an_interval_is_cut_to_what_can_be() -> None:
    interval = estimate([0, 0, 1], bounds=(0, 1))
    assert (interval.low, interval.high) == (0, 1)


def test_blocks_that_agree_leave_no_doubt_to_show() -> None:
    interval = estimate([0.25] * 10)
    assert (interval.low, interval.mean, interval.high) == (0.25, 0.25, 0.25)


def test_p_values_are_those_of_the_t_test() -> None:
    values = np.random.default_rng(1).normal(0.3, 1, 40)
    assert estimate(values).p_value == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
    assert math.isnan(estimate([1.0]).p_value)


def test_a_value_is_told_apart_if_the_interval_leaves_it_out() -> None:
    interval = estimate([1, 2, 3, 4, 5])
    assert [interval.excludes(value) for value in (0, 1.1, 3, 4.9, 6)] == [True, False, False, False, True]
    assert not estimate([1.0]).excludes(0)


def test_a_difference_of_shares_has_newcombes_interval() -> None:
    """The worked example of Newcombe (Statistics in Medicine 17, 1998, 873-890): 56 of 70 and 48 of 80, method 10."""
    shares = [stats.binomtest(count, of).proportion_ci(method="wilson") for count, of in ((56, 70), (48, 80))]
    left, right = (Estimate(mean, ci.low, ci.high, math.nan, 99) for mean, ci in zip((0.8, 0.6), shares, strict=True))
    assert left.less(right).figures == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


def test_a_difference_of_means_has_the_error_of_both() -> None:
    left, right = (estimate(np.random.default_rng(seed).normal(0, seed, 50)) for seed in (3, 4))
    apart = left.less(right)
    assert apart.error == pytest.approx(math.hypot(left.error, right.error))
    assert apart.high - apart.mean == pytest.approx(apart.half)


def test_several_estimates_are_single_ones_side_by_side() -> None:
    rows = np.random.default_rng(5).normal(1, 2, (30, 3))
    expected = [estimate(column) for column in rows.T]
    errors = rows.std(axis=0, ddof=1) / np.sqrt(30)
    intervals = Estimates.of(rows.mean(axis=0), errors, 30)
    for each in (intervals.all(), estimates_in(intervals.frame())):
        assert [interval.figures for interval in each] == [pytest.approx(interval.figures) for interval in expected]
    assert intervals.p_values == pytest.approx([interval.p_value for interval in expected])


def test_an_estimate_is_found_in_a_frame_by_its_key() -> None:
    frame = Estimates.of([1.0, np.nan], [0.5, np.nan], [10, 1]).frame().insert_column(0, pl.Series("side", ["a", "b"]))
    assert frame.row(1) == ("b", None, None, None, None, 1)
    assert estimate_at(frame, side="a") == Estimate.of(1.0, 0.5, 10)
    assert math.isnan(estimate_at(frame, side="b").mean)
    with pytest.raises(ValueError, match="unpack"):
        estimate_at(frame, side="c")


def test_false_discovery_is_benjamini_and_hochbergs() -> None:
    assert false_discovery([0.01, 0.04, np.nan, 0.03]) == pytest.approx([0.03, 0.04, np.nan, 0.04], nan_ok=True)
    p = np.random.default_rng(5).uniform(size=40) ** 2
    ranked = np.sort(p)  # min over j >= i of p(j) m / j
    expected = [min(1, *(ranked[j] * 40 / (j + 1) for j in range(i, 40)), 1) for i in np.argsort(np.argsort(p))]
    assert false_discovery(p) == pytest.approx(expected)
    assert false_discovery([]).size == 0


def test_few_blocks_that_agree_may_do_so_by_chance() -> None:
    for blocks in range(1, FEW):
        interval = estimate([12.5] * blocks)
        assert interval.mean == 12.5
        assert math.isnan(interval.low) and math.isnan(interval.high)
        assert math.isnan(interval.p_value)


def test_a_share_that_is_the_same_in_all_blocks_is_not_certain() -> None:
    never, always, half = (estimate([share] * 30, bounds=(0, 1)) for share in (0, 1, 0.5))
    limit = stats.binomtest(0, 30).proportion_ci().high
    assert (never.low, never.high) == pytest.approx((0, limit))
    assert (always.low, always.high) == pytest.approx((1 - limit, 1))
    assert (half.low, half.high) == pytest.approx((0.5 - limit / 2, 0.5 + limit / 2))
    assert math.isnan(estimate([0], bounds=(0, 1)).high)


def test_shares_that_cannot_be_otherwise_are_certain() -> None:
    interval = estimate(np.array([1 / 3] * 2, np.float32), bounds=(1 / 3, 1 / 3))
    assert (interval.low, interval.high) == pytest.approx((1 / 3, 1 / 3))


@pytest.mark.parametrize("values", [[], [[1, 2], [3, 4]]])
def test_no_blocks_are_refused(values: list) -> None:
    with pytest.raises(ValueError, match="at least one block"):
        estimate(values)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        estimate([1, 2], level)


def coverage(experiments: np.ndarray, truth: float, bounds: tuple[float, float] = ANYTHING) -> float:
    """The share of experiments (one a row) whose interval holds the truth."""
    intervals = [estimate(row, bounds=bounds) for row in experiments]
    return float(np.mean([not each.excludes(truth) for each in intervals]))


def test_intervals_over_blocks_cover_as_they_say_and_those_over_games_do_not() -> None:
    """Four games of a block share a deal that is worth up to five points; 3,000 experiments of 60 blocks."""
    random = np.random.default_rng(20260101)
    deals = random.gamma(2.0, 2.5, size=(3_000, 60, 1))
    games = 20 + deals + random.normal(0, 3, size=(3_000, 60, 4))
    truth = 20 + 2.0 * 2.5
    assert 0.935 <= coverage(games.mean(axis=2), truth) <= 0.962
    assert coverage(games.reshape(3_000, -1), truth) < 0.85


def test_win_shares_are_covered_too() -> None:
    """A player wins 3 of 10 games, more often with a good deal: block means are multiples of a quarter."""
    random = np.random.default_rng(7)
    chances = random.beta(3, 7, size=(3_000, 100, 1))
    wins = random.random((3_000, 100, 4)) < chances
    assert 0.935 <= coverage(wins.mean(axis=2), 0.3) <= 0.962


@pytest.mark.parametrize("blocks", [2, 3, 6, 10, 20])
@pytest.mark.parametrize("truth", [0.01, 0.04, 0.5, 0.97])
def test_few_blocks_make_no_false_promise_of_a_share(blocks: int, truth: float) -> None:
    """A game in a hundred is won, or all but three: most experiments of a few blocks see nothing else. Rough is what intervals may be here."""
    wins = np.random.default_rng(8).random((1_000, blocks, 4)) < truth
    assert coverage(wins.mean(axis=2), truth, (0, 1)) >= 0.84


def test_q_values_stand_beside_the_p_values_that_they_adjust() -> None:
    tests = pl.DataFrame({"name": ["a", "b", "c"], "p": [0.01, 0.04, math.nan]})
    adjusted = with_q_values(tests)
    assert adjusted.drop("q").equals(tests, null_equal=True)
    assert adjusted["q"].to_list()[:2] == pytest.approx([0.02, 0.04]) and math.isnan(adjusted["q"][2])
