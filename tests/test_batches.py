"""Batches of blocks: the same as single blocks where there are few, as good where there are many; and what is computed from them."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from lagranja_sim.stats.batches import BATCHES, SHARE, batch_sums, cube, jackknife, means, p_value, ratios, within_strata
from lagranja_sim.stats.blocks import estimate
from lagranja_sim.stats.clustered import means_by


def rows(blocks: int, seed: int = 1) -> pl.DataFrame:
    """Four rows a block that share the block's luck."""
    chances = np.random.default_rng(seed)
    values = chances.normal(0, 2, blocks)[:, None] + chances.normal(5, 1, (blocks, 4))
    return pl.DataFrame({"block": np.repeat(np.arange(blocks), 4), "value": values.ravel(), "group": np.tile([0, 0, 1, 1], blocks)})


def test_few_blocks_are_their_own_batches() -> None:
    data = rows(50)
    found = means(data.lazy(), [], {"value": pl.col("value")}).row(0, named=True)
    expected = estimate(data.group_by("block", maintain_order=True).agg(pl.col("value").mean())["value"])
    assert (found["value"], found["low"], found["high"]) == pytest.approx((expected.mean, expected.low, expected.high))


def test_many_blocks_give_nearly_the_interval_of_single_blocks() -> None:
    data = rows(20 * BATCHES)
    found = means(data.lazy(), ["group"], {"value": pl.col("value")})
    singles = means_by(data.lazy(), ["group"], pl.col("value")).estimates
    assert found["value"].to_list() == pytest.approx(singles.values)
    assert found["error"].to_list() == pytest.approx(singles.errors, rel=0.15)


def test_an_interval_holds_the_true_mean_as_often_as_it_says() -> None:
    inside = [
        one["low"] <= 5 <= one["high"]
        for seed in range(300)
        for one in [means(rows(60, seed).lazy(), [], {"v": pl.col("value")}).row(0, named=True)]
    ]
    assert 0.91 <= np.mean(inside) <= 0.985


def test_the_jackknife_of_a_ratio_agrees_with_linearization() -> None:
    data = rows(100)
    sums = batch_sums(data.lazy(), [], {"value": pl.col("value")})
    linear = ratios(sums, [], "value").row(0, named=True)
    value, error = jackknife(sums.select("value", "rows").to_numpy(), lambda total: total[0] / total[1])
    assert (value, error) == pytest.approx((linear["value"], linear["error"]), rel=0.01)


def test_a_share_of_nought_is_not_certain() -> None:
    data = rows(30).with_columns(pl.lit(False).alias("never"), pl.lit(True).alias("always"))
    found = means(data.lazy(), [], {name: pl.col(name) for name in ("never", "always")}, {"never": SHARE, "always": SHARE})
    never, always = found.to_dicts()
    expected = stats.binomtest(0, 30).proportion_ci().high
    assert (never["low"], never["high"]) == pytest.approx((0, expected))
    assert (always["low"], always["high"]) == pytest.approx((1 - expected, 1))


def test_a_single_batch_has_no_interval() -> None:
    found = means(rows(1).lazy(), [], {"value": pl.col("value")}).row(0, named=True)
    assert found["low"] is None and found["high"] is None and found["error"] is None


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
    found = within_strata(np.array([[5.0, 5, 0], [0, 0, 4]]), np.array([[0.0, 10, 0], [0, 0, 99]]))
    assert np.isnan(found[2]) and found[1] - found[0] == pytest.approx(2)


def test_a_cube_has_noughts_where_nothing_occurs() -> None:
    sums = pl.DataFrame({"batch": [0, 1], "side": ["b", "a"], "rows": [2, 3]})
    assert cube(sums, {"side": ["a", "b"]}, "rows").tolist() == [[0, 2], [3, 0]]


def test_p_values_are_those_of_the_t_test() -> None:
    values = np.random.default_rng(1).normal(0.3, 1, 40)
    expected = stats.ttest_1samp(values, 0).pvalue
    assert p_value(values.mean(), values.std(ddof=1) / np.sqrt(40), 40) == pytest.approx(expected)
