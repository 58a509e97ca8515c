"""Arms, controls, play on the same deals, and sweeps."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import call
from comparisons import CHANGED, GREEDY, PIG, SHORT, comparison_of

from lagranja_sim.compare.arms import Shared, distinct, load_arms, parse, parts_of
from lagranja_sim.compare.comparison import Comparison, split_names
from lagranja_sim.compare.paired import Match, divergence, spans_of
from lagranja_sim.compare.sweep import Sweep
from lagranja_sim.runs.experiment import ExperimentError

# --- arms ----------------------------------------------------------------------------------------------------------------------------


def test_an_arm_is_made_of_parts() -> None:
    recipe = parse(f"yucata+{PIG}+policies=greedy:share=2,random+transport.siesta_vp=[0,1]", GREEDY)
    assert recipe.variant == "yucata"
    assert recipe.overrides == {"prices.sell.pig": 4, "transport.siesta_vp": [0, 1]}
    assert recipe.policies == ("greedy:share=2", "random")


def test_values_are_spelled_as_in_toml() -> None:
    recipe = parse('transport.extra_deliveries_paid=up_front+market.roof_marker_removes=true+prices.commodity_uses="gain silver 4"', GREEDY)
    assert list(recipe.overrides.values()) == ["up_front", True, "gain silver 4"]


def test_steps_and_texts_with_a_plus_are_not_split() -> None:
    assert parts_of("bga+prices.sell.pig+=1+a.b-=2+c=piglets +1+d=gain silver 5") == [
        "bga",
        "prices.sell.pig+=1",
        "a.b-=2",
        "c=piglets +1",
        "d=gain silver 5",
    ]
    assert parse("bga+prices.sell.*+=1+prices.sell.pig+=-1", GREEDY).overrides == {"prices.sell.*": "+=1", "prices.sell.pig": "+=-1"}


def test_one_arm_is_compared_with_the_game_as_it_is() -> None:
    assert [arm.text for arm in load_arms([PIG], GREEDY)] == ["deluxe", PIG]


def test_a_file_of_differences_is_an_arm(tmp_path: Path) -> None:
    path = tmp_path / "dear+pigs.toml"
    path.write_text('base = "deluxe"\n[prices.sell]\npig = 4\n')
    first, second = load_arms([str(path), PIG], GREEDY)
    assert first.setting.components.hash == second.setting.components.hash


def test_a_folder_of_components_is_an_arm() -> None:
    from lagranja_sim.games.lagranja.components.variants import PRINTED

    first, second = load_arms([f"components={PRINTED}", PIG], GREEDY)
    assert first.setting.components.directory == PRINTED
    assert second.setting.components.directory is None


# --- controls ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (("deluxe", "deluxe"), ["deluxe", "deluxe (2)"]),
        (("yucata", "yucata", "yucata"), ["yucata", "yucata (2)", "yucata (3)"]),
        (("deluxe", "deluxe+policy=greedy"), ["deluxe", "deluxe+policy=greedy"]),
        (("policy=greedy",), ["deluxe", "policy=greedy"]),
        ((PIG, "deluxe+" + PIG), [PIG, "deluxe+" + PIG]),
        (("policy=greedy", "policy=greedy:share=1"), ["policy=greedy", "policy=greedy:share=1"]),
    ],
)
def test_equal_arms_are_controls_and_differ_by_exactly_nothing(texts: tuple[str, ...], names: list[str]) -> None:
    comparison = comparison_of(*texts, games=80)
    assert [arm.text for arm in comparison.arms] == names
    for arm in comparison.arms[1:]:
        assert arm.is_like(comparison.arms[0])
        assert comparison.diverged(arm) == 0
        rows = comparison.of_arm(arm)
        assert len(rows) == len(comparison.measures)
        assert {(row.mean, row.low, row.high, row.error, row.p, row.verdict) for row in rows} == {(0.0, 0.0, 0.0, 0.0, 1.0, "identical")}


def test_names_of_arms_are_distinct_whatever_they_are_called() -> None:
    assert distinct(["a", "a (2)", "a", "a", "b"]) == ["a", "a (2)", "a (3)", "a (4)", "b"]
    assert distinct(["a", "a", "a (2)"]) == ["a", "a (2)", "a (2) (2)"]


def test_equal_arms_beside_others_say_the_same_and_change_no_verdict() -> None:
    alone, among = comparison_of("deluxe", CHANGED), comparison_of("deluxe", CHANGED, "deluxe", CHANGED)

    def said(comparison: Comparison, text: str) -> list[Any]:
        (arm,) = [arm for arm in comparison.arms if arm.text == text]
        return [replace(row, arm="") for row in sorted(comparison.of_arm(arm), key=lambda row: row.measure)]

    assert repr(said(among, CHANGED)) == repr(said(among, f"{CHANGED} (2)")) == repr(said(alone, CHANGED))
    assert {row.verdict for row in among.of_arm(among.arms[2])} == {"identical"}


def test_the_command_shows_controls_under_names_of_their_own(capsys: Any, tmp_path: Path) -> None:
    done = call(capsys, "compare", "deluxe", CHANGED, "deluxe", *SHORT, "--out", tmp_path / "out")
    assert done.code == 0
    assert done.err == "deluxe (2) changes nothing against deluxe: components, rules and policies are the same\n"
    assert f"{CHANGED} against deluxe" in done.out
    assert "deluxe (2) against deluxe\n  every game is the same as under deluxe, in every table\n" in done.out
    assert "arm deluxe (2): components " in done.out
    assert "same deals, deluxe (2): 0.0 % of games differ; points of a player: the same in every deal" in done.out
    record = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [arm["arm"] for arm in record["arms"]] == ["deluxe", CHANGED, "deluxe (2)"]
    assert record["luck"][1] == {"arm": "deluxe (2)", "diverging": 0.0, "first_in_round": {}}
    assert "deluxe (2) against deluxe" in (tmp_path / "out" / "comparison.html").read_text()


@pytest.mark.parametrize("test", [("--sprt", "points: 0 vs 1"), ("--precision", "1", "--metric", "points")])
def test_a_sequential_test_of_equal_arms_ends_at_its_first_look(capsys: Any, test: tuple[str, ...]) -> None:
    record = json.loads(call(capsys, "compare", "deluxe", "deluxe", "--policies", "greedy", *test, "--json").out)
    assert (record["games"], record["luck"][0]["diverging"]) == (1_024, 0.0)
    assert [(row["mean"], row["verdict"]) for row in record["differences"]] == [(0.0, "identical")]


@pytest.mark.parametrize(
    ("sweep", "reference"),
    [
        ("policy=greedy,random", "greedy"),
        ("policy=random,greedy,greedy:share=1", "greedy"),
        ("variant=yucata,deluxe", "deluxe"),
        ("prices.sell.pig=2,3", "3"),
    ],
)
def test_a_sweep_may_hold_what_it_is_laid_on(capsys: Any, sweep: str, reference: str) -> None:
    done = call(capsys, "compare", "--sweep", sweep, "--policies", "greedy", "--games", "40", "--metric", "points", "--json")
    record = json.loads(done.out)
    assert (done.code, record["sweep"]["reference"]) == (0, reference)
    rows = {row["value"]: row for row in record["sweep"]["responses"]}
    assert rows[reference]["reference"]
    assert "greedy:share=1" not in rows or rows["greedy:share=1"]["difference"] == 0


# --- the same deals ------------------------------------------------------------------------------------------------------------------


def test_a_change_that_touches_nothing_makes_exactly_no_difference() -> None:
    comparison = comparison_of("deluxe", "prices.sell.pig=3")
    assert comparison.diverged(comparison.arms[1]) == 0
    assert {(row.mean, row.low, row.high, row.error, row.verdict) for row in comparison.differences} == {(0.0, 0.0, 0.0, 0.0, "identical")}


def test_a_rule_that_no_policy_meets_makes_exactly_no_difference() -> None:
    """Other components, the same games."""
    comparison = comparison_of("deluxe", "farm.max_extensions=7")
    assert comparison.diverged(comparison.arms[1]) == 0
    assert all(row.verdict == "identical" for row in comparison.differences)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_order_of_games_in_a_block_leaves_no_trace(players: int) -> None:
    """Policies that draw no lots, one seat on, play the same games: as other rotations of the same block."""
    names = ["greedy", "balanced", "first_option", "farmer"][:players]
    turned = [*names[1:], names[0]]
    arms = [f"policies={','.join(order)}" for order in (names, turned)]
    comparison = comparison_of(*arms, shared=Shared("lagranja", ["greedy"], players, 5, "deluxe"), games=20 * players)
    assert comparison.diverged(comparison.arms[1]) == 1
    unchanged = [row for row in comparison.differences if "player" not in row.measure]
    assert all(row.verdict == "identical" for row in unchanged), [row for row in unchanged if row.verdict != "identical"]
    assert any(row.verdict == "different" for row in comparison.differences)


def test_neither_workers_nor_progress_change_the_numbers() -> None:
    first, second = comparison_of(PIG, games=1_300, jobs=1), comparison_of(PIG, games=1_300, jobs=3)
    assert first.differences == second.differences
    assert first.played.diverged == second.played.diverged
    assert list(spans_of(0, 70, 32)) == [(0, 32), (32, 32), (64, 6)]


def test_the_estimates_are_those_of_the_tables() -> None:
    """Against rows played one arm at a time, averaged by hand."""
    from lagranja_sim.play.driver import play_games

    comparison = comparison_of(PIG, games=200)
    points = []
    for arm in comparison.arms:
        seats = play_games(arm.setting.components, arm.setting.policies, 1, 0, 200, ["seats"])["seats"]
        points.append(seats["vp"].reshape(50, 16).mean(axis=1))
    row = next(row for row in comparison.differences if row.measure == "points")
    apart = points[1] - points[0]
    assert (row.before, row.after, row.mean) == pytest.approx((points[0].mean(), points[1].mean(), apart.mean()))
    assert row.error == pytest.approx(apart.std(ddof=1) / np.sqrt(50))
    assert row.correlation == pytest.approx(np.corrcoef(*points)[0, 1])
    assert row.saving == pytest.approx((points[0].var() + points[1].var()) / apart.var())


def test_every_table_adds_up() -> None:
    """Shares of wins by seat add up to one, points by source to points, faces to the dice that are taken."""
    comparison = comparison_of(CHANGED, shared=Shared("lagranja", ["greedy", "random", "random", "random"], 4, 2, "deluxe"), games=80)
    values = {row.measure: row for row in comparison.differences}
    for figure, total in (("before", 1.0), ("after", 1.0), ("mean", 0.0)):
        assert sum(getattr(values[f"win_share(seat{seat})"], figure) for seat in (1, 2, 3, 4)) == pytest.approx(total)
        by_source = sum(getattr(row, figure) for name, row in values.items() if name.startswith("vp_"))
        assert by_source == pytest.approx(getattr(values["points"], figure))
        by_policy = getattr(values["win_share(greedy)"], figure) + 3 * getattr(values["win_share(random)"], figure)
        assert by_policy == pytest.approx(total)


def test_divergence_is_dated_by_the_first_round_that_differs() -> None:
    arm = load_arms([PIG], GREEDY)[0]
    tables = Match.of([arm, arm])._play(arm, 0, 1)
    changed = {table: rows.copy() for table, rows in tables.items()}
    assert divergence(tables, changed, 4) == {}
    changed["seats"]["vp"][0] += 1
    changed["rounds"]["silver"][24 + 8] += 1  # game 1, round 3
    assert divergence(tables, changed, 4) == {0: 1, 3: 1}


def test_a_game_of_fewer_rounds_differs_from_then_on() -> None:
    comparison = comparison_of("game.rounds=5+transport.donkeys_return_in_round=4", "deluxe", games=8)
    assert comparison.diverged(comparison.arms[1]) == 1


def test_seats_go_by_policy_where_all_arms_have_the_same() -> None:
    def labels(*texts: str) -> list[str]:
        return Match.of(load_arms(texts, Shared("lagranja", ["greedy", "random", "random", "random"], 4, 1, "deluxe"))).labels

    assert labels("deluxe", PIG) == ["greedy", "random", "random", "random"]
    assert labels("deluxe", "policies=random,random,random,greedy") == ["player1", "player2", "player3", "player4"]
    assert len(set(labels("policy=greedy", "policy=random"))) == 1


def test_false_discoveries_are_controlled_over_all_arms_together() -> None:
    comparison = comparison_of("deluxe", PIG, CHANGED, metric="points,margin")
    assert len(comparison.differences) == 4
    p_values, rates = zip(*((row.p, row.q) for row in comparison.differences), strict=True)
    assert max(rates) == pytest.approx(min(1, max(p_values)))
    assert [abs(row.z) for row in comparison.differences] == sorted((abs(row.z) for row in comparison.differences), reverse=True)


def test_a_width_is_reached_and_no_more_is_played() -> None:
    comparison = comparison_of(PIG, games=40_000, metric="points", precision=0.05)
    row = comparison.differences[0]
    assert row.high - row.low <= 0.1
    assert comparison.games < 40_000


def test_names_are_split_outside_of_parentheses() -> None:
    assert split_names("points, win_share(greedy:a=1,b=2),margin") == ["points", "win_share(greedy:a=1,b=2)", "margin"]


# --- sweeps --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=1..3", ("1", "2", "3")),
        ("a.b=-1..1", ("-1", "0", "1")),
        ("a.b=1,4,9", ("1", "4", "9")),
        ("a.b=[0,1],[0,2]", ("[0,1]", "[0,2]")),
        ("policy=greedy:share=2,random", ("greedy:share=2", "random")),
    ],
)
def test_a_sweep_is_read(text: str, values: tuple[str, ...]) -> None:
    assert Sweep.parse(text).values == values


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a.b", "is no sweep"),
        ("=1..2", "is no sweep"),
        ("a.b=", "has 0 values; expected 2 to 50"),
        ("a.b=3", "has 1 value; expected 2 to 50"),
        ("a.b=3..1", "wrong order"),
        ("a.b=1..1", "has 1 value; expected 2 to 50"),
        ("a.b=1..99", "has 99 values; expected 2 to 50"),
        ("a.b=4,4", "has 1 value; expected 2 to 50"),
    ],
)
def test_what_is_no_sweep_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ExperimentError, match=f"^--sweep: .*{reason}"):
        Sweep.parse(text)
