"""What the tests of a comparison promise, checked by simulation: error rates, power, coverage, with fixed seeds."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy.stats import binom, nct, t

from lagranja_sim.compare.differences import DIFFERENT, EQUIVALENT, SAME, UNDECIDED, Difference, difference, with_verdicts
from lagranja_sim.compare.moments import Moments
from lagranja_sim.compare.sequential import HIGH, LOW, Plan, Stopped
from lagranja_sim.play.driver import play_games
from lagranja_sim.policy import find_policy
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.runs.setting import open_components
from lagranja_sim.stats.blocks import estimate

TIMES = 1_000


def within_chance(count: int, rate: float, times: int = TIMES) -> bool:
    """Whether a count of `times` lies in the 99 % interval of a binomial with this rate."""
    low, high = binom.interval(0.99, times, rate)
    return bool(low <= count <= high)


def rows_of(before: np.ndarray, after: np.ndarray) -> list[Difference]:
    """A comparison of blocks x measures."""
    moments = Moments.of(before), Moments.of(after), Moments.of(after - before)
    return [difference("b", f"m{at}", at, *moments) for at in range(before.shape[1])]


def of_differences(values: np.ndarray) -> Difference:
    """A comparison of a single measure that was 0 before."""
    return rows_of(np.zeros((len(values), 1)), values[:, None])[0]


# --- error rates of the table --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def block_means() -> np.ndarray:
    """Blocks of real games: points, margin, wins of the start player, decisions, changes of the lead."""
    components, policies, blocks = open_components("lagranja"), [find_policy("random")] * 4, 2_000
    tables = play_games(components, policies, 3, 0, blocks * 4, ["games", "seats"])
    seats, games = tables["seats"], tables["games"]
    starts = np.where(seats["start_position"] == 1, seats["win_share"], 0).reshape(-1, 4).sum(axis=1)
    points = seats["vp"].reshape(-1, 4).mean(axis=1)
    columns = [points, games["vp_margin"], starts, games["decisions"], games["lead_changes"]]
    return np.column_stack(columns).astype(float).reshape(blocks, 4, -1).mean(axis=1)


def test_a_against_a_is_rejected_at_the_nominal_rate(block_means: np.ndarray) -> None:
    """1,000 comparisons of 50 deals with 50 others, played under the same rules."""
    chances = np.random.default_rng(1)
    pairs = chances.integers(len(block_means), size=(TIMES, 2, 50))
    p_values = np.array([[row.p for row in rows_of(block_means[one], block_means[other])] for one, other in pairs])
    for measure in range(p_values.shape[1]):
        assert within_chance(int((p_values[:, measure] < 0.05).sum()), 0.05), measure


def test_the_table_finds_nothing_in_95_of_100_tables_of_nothing() -> None:
    chances = np.random.default_rng(2)
    zeros = np.zeros((60, 20))
    differing = [
        any(row.verdict == DIFFERENT for row in with_verdicts(rows_of(zeros, chances.normal(size=zeros.shape)), {})) for _ in range(TIMES)
    ]
    assert within_chance(sum(differing), 0.05)


def test_the_share_of_false_discoveries_is_held_where_some_are_true() -> None:
    chances, effects = np.random.default_rng(3), np.repeat([0.6, 0.0], 10)
    shares = []
    for _ in range(300):
        rows = with_verdicts(rows_of(np.zeros((60, 20)), chances.normal(effects, 1.0, size=(60, 20))), {})
        differing = [int(row.measure[1:]) for row in rows if row.verdict == DIFFERENT]
        shares.append(np.mean([number >= 10 for number in differing]) if differing else 0.0)
    assert np.mean(shares) < 0.05


def test_a_planted_effect_is_found_with_the_power_that_theory_states() -> None:
    blocks, effect = 100, 0.3
    limit = t.ppf(0.975, blocks - 1)
    power = nct.sf(limit, blocks - 1, effect * np.sqrt(blocks)) + nct.cdf(-limit, blocks - 1, effect * np.sqrt(blocks))
    chances = np.random.default_rng(4)
    count = sum(of_differences(chances.normal(effect, 1.0, blocks)).p < 0.05 for _ in range(TIMES))
    assert within_chance(count, float(power))


# --- coverage ------------------------------------------------------------------------------------------------------------------------


def covers(row: Difference, truth: float) -> bool:
    return not row.excludes(truth)


def test_intervals_of_means_cover() -> None:
    """Skewed values with a common part, so that pairs are correlated; the true difference is 0.2."""
    chances, count = np.random.default_rng(6), 0
    for _ in range(TIMES):
        common = chances.gamma(2.0, 1.0, (200, 1))
        before, after = common + chances.normal(size=(200, 1)), common + 0.2 + chances.normal(size=(200, 1))
        count += covers(rows_of(before, after)[0], 0.2)
    assert within_chance(count, 0.95)


def test_intervals_of_win_shares_cover() -> None:
    """Blocks of four games in which the start player wins 27.1 % before and 25.4 % after, by the same luck."""
    chances, count = np.random.default_rng(7), 0
    for _ in range(TIMES):
        luck = chances.uniform(size=(400, 4))
        before, after = (luck < 0.271).mean(axis=1), (luck < 0.254).mean(axis=1)
        count += covers(rows_of(before[:, None], after[:, None])[0], -0.017)
    assert within_chance(count, 0.95)


def test_rare_differences_are_not_found_too_easily() -> None:
    """One block in 100 differs, always in the same direction: far too few for t, which would miss the truth in every third comparison."""
    chances = np.random.default_rng(8)
    rows = [of_differences(np.where(chances.uniform(size=100) < 0.01, 0.25, 0.0)) for _ in range(TIMES)]
    met = [row for row in rows if row.differing]
    assert sum(covers(row, 0.0025) for row in met) >= 0.95 * len(met)
    assert not any(row.p < 0.05 for row in rows if row.differing < 6)


# --- verdicts ------------------------------------------------------------------------------------------------------------------------


def verdict_of(values: np.ndarray, bound: float | None) -> str:
    return with_verdicts([of_differences(values)], {} if bound is None else {"m0": bound})[0].verdict


def test_equivalence_is_claimed_wrongly_at_most_as_often_as_stated() -> None:
    """At the bound itself, where it is hardest; and nearly always where there is no difference."""
    chances = np.random.default_rng(9)
    at_bound = sum(verdict_of(chances.normal(0.5, 1.0, 100), 0.5) == EQUIVALENT for _ in range(TIMES))
    at_zero = sum(verdict_of(chances.normal(0.0, 1.0, 100), 0.5) == EQUIVALENT for _ in range(200))
    assert within_chance(at_bound, 0.05)
    assert at_zero > 190


def test_a_wide_interval_is_undecided_whether_or_not_there_is_a_bound() -> None:
    values = np.random.default_rng(10).normal(0.0, 1.0, 30)
    assert [verdict_of(values, bound) for bound in (None, 0.1)] == [UNDECIDED, UNDECIDED]


def test_no_difference_in_any_block_is_exactly_zero() -> None:
    row = with_verdicts([of_differences(np.zeros(30))], {})[0]
    assert (row.mean, row.low, row.high, row.z, row.p, row.verdict) == (0, 0, 0, 0, 1, SAME)


def test_the_facts_of_a_difference_are_an_estimate_and_its_tests() -> None:
    row = with_verdicts([of_differences(np.random.default_rng(14).normal(1.0, 1.0, 30))], {})[0]
    head = {"arm": "b", "measure": "m0", "before": 0.0, "after": row.mean}
    estimate = {"mean": row.mean, "low": row.low, "high": row.high, "error": row.error, "blocks": 30}
    tests = ["differing", "z", "p", "correlation", "saving", "identical", "q", "bound", "verdict"]
    assert list(row.facts()) == [*head, *estimate, *tests]
    assert row.facts() | head | estimate == row.facts()
    assert (row.p, row.z) == pytest.approx((row.p_value, row.mean / row.error))


def test_one_block_tells_nothing() -> None:
    row = with_verdicts([of_differences(np.array([1.0]))], {})[0]
    assert np.isnan([row.low, row.high, row.p]).all()
    assert row.verdict == UNDECIDED


def test_pairing_saves_what_the_variances_say() -> None:
    chances = np.random.default_rng(11)
    luck, own = chances.normal(size=(2, 5_000, 1)), chances.normal(size=(2, 5_000, 1))
    row = rows_of(luck[0] + 0.5 * own[0], luck[0] + 0.5 * own[1])[0]
    assert row.correlation == pytest.approx(1 / 1.25, abs=0.02)
    assert row.saving == pytest.approx(2 * 1.25 / 0.5, rel=0.1)


def test_moments_put_together_are_those_of_all_rows() -> None:
    rows = np.random.default_rng(12).normal(5.0, 2.0, size=(100, 3))
    parts = Moments.of(rows[:7]) + Moments.of(rows[7:50]) + Moments.of(rows[50:])
    assert parts.count == 100
    assert parts.mean == pytest.approx(rows.mean(axis=0))
    assert parts.variance == pytest.approx(rows.var(axis=0, ddof=1))
    assert parts.estimate(1).figures == pytest.approx(estimate(rows[:, 1]).figures)
    assert (parts.nonzero == 100).all()
    assert (parts.largest == np.abs(rows).max(axis=0)).all()


# --- the sequential test -------------------------------------------------------------------------------------------------------------

PLAN = Plan("m", 0.0, 0.02, 0.05, 0.10)
FIRST, STEP, CAP, SPREAD = 256, 128, 12_800, 0.3
Draw = Callable[[np.random.Generator, int], np.ndarray]


def ends(plan: Plan, draw: Draw, times: int, seed: int, cap: int = CAP) -> Iterator[Stopped]:
    """Where tests of simulated blocks end."""
    chances, looks = np.random.default_rng(seed), np.arange(FIRST, cap + 1, STEP)
    for _ in range(times):
        values = draw(chances, cap)
        means = np.cumsum(values)[looks - 1] / looks
        variances = (np.cumsum(values**2)[looks - 1] - looks * means**2) / (looks - 1)
        states = (Stopped(plan, int(n), float(m), float(v)) for n, m, v in zip(looks, means, variances, strict=True))
        yield next(state for state in states if state.decision in (LOW, HIGH) or state.blocks == looks[-1])


def normal(mean: float) -> Draw:
    return lambda chances, count: chances.normal(mean, SPREAD, count)


def win_shares(change: float) -> Draw:
    """Differences of the start player's wins in blocks of four games, by the same luck with some noise."""

    def draw(chances: np.random.Generator, count: int) -> np.ndarray:
        luck = chances.uniform(size=(count, 4))
        before = luck < 0.25
        after = np.where(chances.uniform(size=(count, 4)) < 0.3, chances.uniform(size=(count, 4)), luck) < 0.25 + change
        return after.mean(axis=1) - before.mean(axis=1)

    return draw


@pytest.mark.parametrize("kind", [normal, win_shares])
def test_error_rates_are_at_most_those_stated(kind: Callable[[float], Draw]) -> None:
    """Looks are apart, so that tests end beyond the bounds and err less often than stated, not more."""
    false_alarms = sum(end.decision == HIGH for end in ends(PLAN, kind(PLAN.low), 500, 21))
    misses = sum(end.decision == LOW for end in ends(PLAN, kind(PLAN.high), 500, 22))
    assert false_alarms <= binom.ppf(0.995, 500, PLAN.alpha)
    assert misses <= binom.ppf(0.995, 500, PLAN.beta)


def test_it_takes_fewer_blocks_than_a_fixed_test_of_the_same_error_rates() -> None:
    fixed = ((1.645 + 1.282) * SPREAD / PLAN.high) ** 2
    for mean in (PLAN.low, PLAN.high):
        assert np.mean([end.blocks for end in ends(PLAN, normal(mean), 200, 23)]) < 0.9 * fixed


@pytest.mark.parametrize("mean", [-0.01, 0.0, 0.01, 0.02, 0.03])
def test_the_interval_after_stopping_covers_and_the_estimate_is_unbiased_in_the_median(mean: float) -> None:
    """The place of the outcome in the order is uniform under the true mean, also among those that reach the cap."""
    places = np.array([end.chance_above(mean) for end in ends(PLAN, normal(mean), 500, 24, cap=2_560)])
    assert within_chance(int(((places > 0.025) & (places < 0.975)).sum()), 0.95, 500)
    assert within_chance(int((places < 0.5).sum()), 0.5, 500)


def test_the_estimate_inverts_the_order_and_is_less_than_the_mean_at_an_early_stop() -> None:
    stopped = Stopped(PLAN, 512, 0.04, SPREAD**2)
    assert stopped.decision == HIGH
    interval = stopped.estimate()
    assert [stopped.chance_above(mean) for mean in (interval.low, interval.mean, interval.high)] == pytest.approx(
        [0.025, 0.5, 0.975], abs=0.002
    )
    assert interval.low < interval.mean < 0.04 < interval.high


def test_chances_of_all_outcomes_add_up() -> None:
    """By the order, the chance to be above what is nearly the lowest outcome is nearly 1."""
    lowest = Stopped(PLAN, FIRST, -1.0, SPREAD**2)
    highest = Stopped(PLAN, FIRST, 1.0, SPREAD**2)
    assert (lowest.chance_above(0.0), highest.chance_above(0.0)) == pytest.approx((1.0, 0.0), abs=1e-9)


def test_stopping_at_a_width_keeps_the_coverage() -> None:
    chances, looks, count = np.random.default_rng(25), np.arange(FIRST, 5_000, STEP), 0
    for _ in range(TIMES):
        values = chances.gamma(1.0, 1.0, 5_000)
        rows = ((n, values[:n].std(ddof=1) / np.sqrt(n)) for n in looks)
        n, error = next((n, error) for n, error in rows if 1.96 * error < 0.05)
        count += abs(values[:n].mean() - 1.0) < t.ppf(0.975, n - 1) * error
    assert within_chance(count, 0.95)


def test_the_ratio_is_that_of_normal_likelihoods() -> None:
    values = np.random.default_rng(26).normal(0.01, SPREAD, 300)
    variance = float(values.var(ddof=1))
    likelihoods = [-((values - mean) ** 2).sum() / (2 * variance) for mean in (PLAN.high, PLAN.low)]
    assert PLAN.ratio(300, float(values.mean()), variance) == pytest.approx(likelihoods[0] - likelihoods[1])
    assert PLAN.ratio(300, 0.0, 0.0) == -np.inf
    assert PLAN.ratio(300, 0.01, 0.0) == 0


def test_how_far_it_still_is() -> None:
    low, high = PLAN.bounds
    assert PLAN.blocks_left(high / 2, 1_000) == pytest.approx(1_000)
    assert PLAN.blocks_left(low / 2, 1_000) == pytest.approx(1_000)
    assert PLAN.blocks_left(0.0, 1_000) == np.inf


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("win_share(seat1): 0 vs 0.01", ("win_share(seat1)", 0.0, 0.01)),
        (" points : -1e-1 vs +0.5 ", ("points", -0.1, 0.5)),
    ],
)
def test_a_test_is_read(text: str, expected: tuple[str, float, float]) -> None:
    plan = Plan.parse(text)
    assert (plan.measure, plan.low, plan.high) == expected


@pytest.mark.parametrize("text", ["points", "points: 0", "points: a vs b", "points: 1..2 vs 3", "points: 1 vs 1", "points: 0.01 vs 0"])
def test_what_is_no_test_is_refused(text: str) -> None:
    with pytest.raises(ExperimentError, match="--sprt"):
        Plan.parse(text)
