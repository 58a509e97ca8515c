"""Known answers for means, contrasts, tests and regressions whose unit is the block."""

import numpy as np
import polars as pl
import pytest

from lagranja_sim.report.say import strength
from lagranja_sim.report.section import Section
from lagranja_sim.report.style import Part, ink_on, new_figure, stacked_bar
from lagranja_sim.stats.blocks import Estimate, estimate
from lagranja_sim.stats.clustered import Clusters, Regression, mean_of, means, means_by


def test_equal_blocks_give_students_interval_of_their_means():
    rows = np.random.default_rng(1).normal(size=(40, 4))
    average, known = mean_of(rows.sum(1), np.full(40, 4)), estimate(rows.mean(1))
    assert (average.mean, average.low, average.high) == pytest.approx((known.mean, known.low, known.high))


def test_unequal_blocks_count_by_their_rows():
    average = mean_of([3.0, 10.0], [1, 4])
    assert average.mean == pytest.approx(13 / 5)
    # u = (3 - 2.6) / 5, (10 - 10.4) / 5; variance = 2 / 1 x (0.08^2 + 0.08^2)
    assert average.error == pytest.approx(0.16)


def test_a_difference_of_paired_means_has_the_interval_of_the_differences():
    chances = np.random.default_rng(2)
    left = chances.normal(size=50)
    right = left + 0.5 + chances.normal(size=50) / 10
    difference = means(np.column_stack([left, right]), np.ones((50, 2))).difference(1, 0)
    known = estimate(right - left)
    assert (difference.mean, difference.low, difference.high) == pytest.approx((known.mean, known.low, known.high))


def test_a_single_block_has_no_interval():
    assert np.isnan(mean_of([4.0], [2]).low)


def test_equality_of_two_means_is_the_squared_t():
    rows = np.random.default_rng(3).normal(size=(30, 2))
    test = means(rows, np.ones((30, 2))).equality()
    difference = rows[:, 1] - rows[:, 0]
    assert test.statistic == pytest.approx(30 * difference.mean() ** 2 / difference.var(ddof=1))
    assert test.freedom == (1, 29)


@pytest.mark.parametrize("k", [2, 4])
def test_equality_is_rejected_as_often_as_it_should_be(k):
    chances = np.random.default_rng(4)
    p_values = []
    for _ in range(1_000):
        shared = chances.normal(size=(25, 1))
        p_values.append(means(shared + chances.normal(size=(25, k)), np.ones((25, k))).equality().p_value)
    assert np.mean(np.array(p_values) < 0.05) == pytest.approx(0.05, abs=0.02)


def test_shares_that_add_up_to_one_can_be_tested():
    """Their covariance has no full rank: three of four differences say it all."""
    winners = np.random.default_rng(5).integers(0, 4, 4000)
    test = means((winners[:, None] == np.arange(4)).astype(float), np.ones((4000, 4))).equality()
    assert test.freedom[0] == 3 and 0.001 < test.p_value <= 1


def test_intervals_of_a_regression_cover_the_truth_where_blocks_share_their_luck():
    chances = np.random.default_rng(6)
    covered = {"blocks": 0, "rows": 0}
    for _ in range(400):
        blocks = np.repeat(np.arange(60), 8)
        column = chances.normal(size=60)[blocks] + chances.normal(size=480) / 2
        outcome = 2 * column + chances.normal(size=60)[blocks] * 2 + chances.normal(size=480)
        columns = np.column_stack([np.ones(480), column])
        for unit, labels in (("blocks", blocks), ("rows", np.arange(480))):
            slope = Regression(columns, labels).fit(outcome).at(1)
            covered[unit] += slope.low < 2 < slope.high
    assert 0.91 < covered["blocks"] / 400 < 0.98
    assert covered["rows"] / 400 < 0.85  # what ignoring blocks would do


def test_regressions_agree_with_statsmodels():
    statsmodels = pytest.importorskip("statsmodels.api")
    chances = np.random.default_rng(7)
    blocks = np.repeat(np.arange(50), 6)
    columns = np.column_stack([np.ones(300), chances.normal(size=(300, 3))])
    outcome = columns @ [1, 2, 0, -1] + chances.normal(size=50)[blocks] + chances.normal(size=300)
    slopes = Regression(columns, blocks).fit(outcome)
    known = statsmodels.OLS(outcome, columns).fit(cov_type="cluster", cov_kwds={"groups": blocks, "use_correction": False})
    np.testing.assert_allclose(slopes.values, known.params)
    np.testing.assert_allclose(slopes.errors, known.bse * np.sqrt(50 / 49))


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_absorbing_is_the_same_as_an_intercept_for_each_block(order):
    chances = np.random.default_rng(8)
    blocks = np.repeat(np.arange(10), 5)
    blocks = blocks if order == "sorted" else chances.permutation(blocks)
    columns, outcome = chances.normal(size=(50, 2)), chances.normal(size=50)
    intercepts = (blocks[:, None] == np.arange(10)).astype(float)
    full = Regression(np.hstack([columns, intercepts]), blocks).fit(outcome)
    absorbed = Regression(columns, blocks, absorb=blocks).fit(outcome)
    np.testing.assert_allclose(absorbed.values, full.values[:2])
    np.testing.assert_allclose(absorbed.errors, full.errors[:2])


def test_what_others_determine_changes_no_contrast():
    chances = np.random.default_rng(9)
    blocks, kinds = np.repeat(np.arange(40), 5), chances.integers(0, 3, 200)
    every = (kinds[:, None] == np.arange(3)).astype(float)
    outcome = kinds + chances.normal(size=200)
    all_kinds = Regression(every, blocks, absorb=blocks).fit(outcome).difference(2, 0)
    without_first = Regression(every[:, 1:], blocks, absorb=blocks).fit(outcome).at(1)
    assert (all_kinds.mean, all_kinds.low) == pytest.approx((without_first.mean, without_first.low))


def test_sums_of_clusters_do_not_depend_on_the_order_of_rows():
    labels, rows = np.array([3, 3, 7, 9, 9, 9]), np.arange(12.0).reshape(6, 2)
    mixed = np.array([5, 0, 2, 4, 1, 3])
    np.testing.assert_array_equal(Clusters.of(labels).sums(rows), Clusters.of(labels[mixed]).sums(rows[mixed]))


def test_means_by_groups_leave_out_what_is_not_there():
    rows = pl.DataFrame({"block": [0, 0, 1, 2], "kind": ["a", "b", "a", "b"], "value": [1, 2, 3, None]}).lazy()
    groups = means_by(rows, ["kind"], pl.col("value"))
    assert groups.keys == [("a",), ("b",)]
    assert groups.joint.values.tolist() == [2.0, 2.0]
    assert groups.counts.tolist() == [2, 1]


def test_the_strongest_of_several_has_to_clear_a_wider_interval():
    interval = Estimate(1.0, 0.02, 1.98, 0.5, 1_000)
    assert strength(interval) > 1 > strength(interval, among=6)


def test_strength_is_measured_on_the_side_of_what_it_is_compared_with():
    """A share's interval that is cut at 1, or reaches down from it alone."""
    never_lost = Estimate(1.0, 0.9, 1.0, 0.0, 40)
    assert strength(never_lost, 0.5) == pytest.approx(5)
    assert strength(Estimate(0.5, 0.3, 0.6, 0.1, 40), 0.6) == pytest.approx(1)
    assert strength(Estimate(0.5, 0.3, 0.6, 0.1, 40), 0.3) == pytest.approx(1)


def test_what_has_no_spread_is_decided_and_what_a_single_block_says_is_not():
    assert strength(Estimate.known(2.0)) == 1
    assert strength(Estimate.known(0.0)) == 0
    assert strength(estimate([3.0])) == 0


# --- how it is shown --------------------------------------------------------------------------------------------------------------------


def test_a_note_with_nothing_to_say_is_left_out():
    assert Section("Title", "Why?", caveats=["", "rough", ""]).caveats == ["rough"]


def test_what_is_paid_lies_on_the_other_side_of_zero():
    _, axes = new_figure()
    end = stacked_bar(axes, 0, [Part(-2, "black"), Part(3, "white"), Part(4, "black", "4"), Part(1, "black", "1", "///")])
    assert end == 8
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(-2, 2), (0, 3), (3, 4), (7, 1)]
    assert [(text.get_text(), text.get_position()[0]) for text in axes.texts] == [("4", 5), ("1", 7.5)]
    plain, hatched = axes.texts
    assert plain.get_color() == ink_on("black") == "white" != hatched.get_color()
    assert hatched.get_bbox_patch() is not None
