"""Batches of blocks: the same as single blocks where there are few, as good where there are many; and what is computed from them."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from lagranja_sim.stats.batches import BATCHES, ROWS, batch_sums, beside_all, cube, jackknife, means, ratios, within_strata
from lagranja_sim.stats.blocks import SHARE, estimate, estimate_at, estimates_in
from lagranja_sim.stats.clustered import means_by


def rows(blocks: int, seed: int = 1) -> pl.DataFrame:
    """Four rows a block that share the block's luck."""
    chances = np.random.default_rng(seed)
    values = chances.normal(0, 2, blocks)[:, None] + chances.normal(5, 1, (blocks, 4))
    return pl.DataFrame({"block": np.repeat(np.arange(blocks), 4), "value": values.ravel(), "group": np.tile([0, 0, 1, 1], blocks)})


def sums_of(data: pl.DataFrame, *by: str) -> pl.DataFrame:
    return batch_sums(data.lazy(), by, {"value": pl.col("value")})


def test_few_blocks_are_their_own_batches() -> None:
    data = rows(50)
    interval = estimate_at(ratios(sums_of(data), [], "value"))
    expected = estimate(data.group_by("block", maintain_order=True).agg(pl.col("value").mean())["value"])
    assert (interval.figures, interval.error, interval.blocks) == (pytest.approx(expected.figures), pytest.approx(expected.error), 50)


def test_many_blocks_give_nearly_the_interval_of_single_blocks() -> None:
    data = rows(20 * BATCHES)
    shares = ratios(sums_of(data, "group"), ["group"], "value")
    singles = means_by(data.lazy(), ["group"], pl.col("value")).joint
    assert shares["mean"].to_list() == pytest.approx(singles.values)
    assert shares["error"].to_list() == pytest.approx(singles.errors, rel=0.15)


def test_an_interval_holds_the_true_mean_as_often_as_it_says() -> None:
    outside = [estimate_at(ratios(sums_of(rows(60, seed)), [], "value")).excludes(5) for seed in range(300)]
    assert 0.015 <= np.mean(outside) <= 0.09


def test_the_jackknife_of_a_ratio_agrees_with_linearization() -> None:
    data = rows(100)
    sums = sums_of(data)
    linear = estimate_at(ratios(sums, [], "value"))
    left_out = jackknife(sums.select("value", ROWS).to_numpy(), lambda total: total[0] / total[1]).at()
    assert (left_out.mean, left_out.error) == pytest.approx((linear.mean, linear.error), rel=0.01)
    assert left_out.figures == pytest.approx(linear.figures, rel=0.01)


def test_a_share_of_zero_is_not_certain() -> None:
    data = rows(30).with_columns(pl.lit(False).alias("never"), pl.lit(True).alias("always"))
    sums = batch_sums(data.lazy(), [], {name: pl.col(name) for name in ("never", "always")})
    shares = means(sums, [], ["never", "always"], {"never": SHARE, "always": SHARE})
    never, always = estimates_in(shares)
    expected = stats.binomtest(0, 30).proportion_ci().high
    assert shares["measure"].to_list() == ["never", "always"]
    assert (never.low, never.high) == pytest.approx((0, expected))
    assert (always.low, always.high) == pytest.approx((1 - expected, 1))


def test_a_single_batch_has_no_interval() -> None:
    frame = ratios(sums_of(rows(1)), [], "value")
    assert frame.select("low", "high", "error").row(0) == (None, None, None)
    assert np.isnan([estimate_at(frame).low, estimate_at(frame).high, estimate_at(frame).error]).all()


def test_a_batch_whose_weights_cancel_does_not_count() -> None:
    """What rounding leaves of them is no observation: it would make the interval narrower, now and then."""
    sums = pl.DataFrame({"batch": [0, 1, 2, 3], "over": [1.0, 3.0, 2.0, 1e-17], "under": [1.0, 2.0, 2.0, -2e-17]})
    assert ratios(sums, [], "over", "under").equals(ratios(sums.head(3), [], "over", "under"))


def test_the_order_of_sums_leaves_no_trace() -> None:
    sums = sums_of(rows(200, seed=4), "group")
    assert ratios(sums, ["group"], "value").equals(ratios(sums.sample(fraction=1, shuffle=True, seed=1), ["group"], "value"))


def test_where_a_group_has_none_its_sums_are_zero() -> None:
    sums = pl.DataFrame({"batch": [0, 1], "side": ["a", "b"], ROWS: [2, 3]})
    games = pl.DataFrame({"batch": [0, 1], "games": [10, 20]})
    counts = beside_all(sums, ["side"], games).sort("side", "batch")
    assert counts.select("side", "batch", "games", ROWS).rows() == [("a", 0, 10, 2), ("a", 1, 20, 0), ("b", 0, 10, 0), ("b", 1, 20, 3)]


def test_worth_within_strata_agrees_with_dummies() -> None:
    chances = np.random.default_rng(3)
    stratum, item = chances.integers(0, 4, 500), chances.integers(0, 5, 500)
    outcome = 10.0 * stratum + 2.0 * item + chances.normal(0, 1, 500)
    counts, totals = np.zeros((4, 5)), np.zeros((4, 5))
    np.add.at(counts, (stratum, item), 1)
    np.add.at(totals, (stratum, item), outcome)
    design = np.hstack([np.eye(4)[stratum], np.eye(5)[item]])
    slopes = np.linalg.lstsq(design, outcome, rcond=None)[0][4:]
    expected = slopes - (slopes * counts.sum(0)).sum() / counts.sum()
    assert within_strata(counts, totals) == pytest.approx(expected)


def test_an_item_that_is_never_compared_has_no_worth() -> None:
    worth = within_strata(np.array([[5.0, 5, 0], [0, 0, 4]]), np.array([[0.0, 10, 0], [0, 0, 99]]))
    assert np.isnan(worth[2]) and worth[1] - worth[0] == pytest.approx(2)


def test_a_cube_has_zeros_where_nothing_occurs() -> None:
    sums = pl.DataFrame({"batch": [0, 1], "side": ["b", "a"], "rows": [2, 3]})
    assert cube(sums, {"side": ["a", "b"]}, "rows").tolist() == [[0, 2], [3, 0]]
