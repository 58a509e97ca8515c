"""Ladders: line-ups that meet equally often, ratings with known answers, and runs of many line-ups that replay and repeat like any other."""

import json
import math
import random
import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from calls import Call, call, part_bytes
from scipy import stats

from lagranja_sim.contest import ladder
from lagranja_sim.contest.ladder_show import show_ladder
from lagranja_sim.play.driver import GameError, play_games
from lagranja_sim.policy import PolicyError
from lagranja_sim.policy_tools import speed
from lagranja_sim.policy_tools.speed import Speed
from lagranja_sim.runs import lineups
from lagranja_sim.runs.experiment import ExperimentError, Loaded
from lagranja_sim.runs.lineups import Span, design, meetings_of, play_span
from lagranja_sim.runs.records import open_run
from lagranja_sim.runs.replay import replay
from lagranja_sim.runs.setting import Setting, find_policies, open_components
from lagranja_sim.runs.summary import summarize
from lagranja_sim.stats.blocks import FEW
from lagranja_sim.stats.ratings import ELO, Comparisons, compare, rate, strengths

POLICIES = ("greedy", "random", "greedy:field=0")


def made(capsys: Any, out: Path, *options: object) -> Call:
    return call(capsys, "ladder", "--out", out, *options)


@pytest.fixture(autouse=True, scope="module")
def hasty() -> Iterator[None]:
    """Speeds are measured as briefly as can be."""
    with patch.object(speed, "ENOUGH", 0.0):
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small ladder of three policies for two players, and what it found."""
    out = tmp_path_factory.mktemp("ladder") / "run"
    prepared = ladder.prepare(POLICIES, 2, 100, {"seed": 3})
    assert prepared.remarks == [
        "100 games are rounded up to 102: whole blocks of 6, every deal in each rotation of the seats by 3 line-ups"
    ]
    return out, ladder.Ladder.of(prepared, 1).play(str(out), False, "a command", ladder.Listener())


# --- designs -------------------------------------------------------------------------------------------------------------------------


def met(policies: int, players: int, most: int) -> np.ndarray:
    """How often each policy meets each other."""
    return meetings_of(design(policies, players, most, seed=1), policies)


@pytest.mark.parametrize(("policies", "players", "most", "size"), [(13, 2, 1, 78), (5, 4, 60, 5), (6, 3, 60, 20), (4, 4, 60, 1)])
def test_few_combinations_are_all_played(policies: int, players: int, most: int, size: int) -> None:
    found = design(policies, players, most, seed=1)
    assert sorted(found) == sorted(combinations(range(policies), players))
    assert len(found) == size


@pytest.mark.parametrize(("policies", "players", "often"), [(12, 4, 3), (12, 3, 2), (9, 4, 9)])
def test_where_it_can_be_all_pairs_meet_as_often(policies: int, players: int, often: int) -> None:
    meetings = met(policies, players, 62)
    assert np.array_equal(meetings, often * (1 - np.eye(policies, dtype=int)))


@pytest.mark.parametrize(("policies", "players", "most"), [(14, 4, 62), (11, 4, 20), (7, 3, 2)])
def test_elsewhere_all_have_as_many_seats_and_meet_nearly_as_often(policies: int, players: int, most: int) -> None:
    found = design(policies, players, most, seed=1)
    assert len(set(np.bincount(np.concatenate(found)))) == 1
    meetings = meetings_of(found, policies)
    apart = meetings[~np.eye(policies, dtype=bool)]
    assert apart.min() >= 1
    assert apart.max() - apart.min() <= 1
    assert not meetings.diagonal().any()


@pytest.mark.parametrize(("policies", "players"), [(2, 4), (3, 4), (2, 3)])
def test_fewer_policies_than_players_share_the_seats_evenly(policies: int, players: int) -> None:
    found = design(policies, players, 60, seed=1)
    assert len(set(np.bincount(np.concatenate(found)))) == 1
    meetings = meetings_of(found, policies)
    assert len(set(meetings[~np.eye(policies, dtype=bool)])) == 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policies", range(2, 7))
def test_there_is_a_design_for_every_size(policies: int, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineups, "TRIES", 400)
    for most in range(6):
        found = design(policies, players, most, seed=1)
        assert {len(lineup) for lineup in found} == {players}
        assert len(set(np.bincount(np.concatenate(found), minlength=policies))) == 1
        meetings = meetings_of(found, policies)[~np.eye(policies, dtype=bool)]
        assert meetings.min() >= 1 and meetings.max() - meetings.min() <= 1


def test_a_design_depends_on_its_seed_alone() -> None:
    random.seed(5)
    first = design(14, 4, 30, seed=1)
    random.seed(6)
    assert design(14, 4, 30, seed=1) == first != design(14, 4, 30, seed=2)


# --- ratings -------------------------------------------------------------------------------------------------------------------------


def games_of(players: int, seats: int, games: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games of players whose strengths go up by a half: who sits, how they finish, and the truth."""
    chances, truth = np.random.default_rng(seed), np.arange(players) / 2 - (players - 1) / 4
    seated = np.array([chances.permutation(players)[:seats] for _ in range(games)])
    return seated, (-(truth[seated] + chances.gumbel(size=seated.shape))).argsort(1).argsort(1) + 1, truth


def fitted(compared: Comparisons) -> np.ndarray:
    return strengths(compared.firsts.sum(0), compared.groups.sum(0), compared.members)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_ties_choix_finds_the_same_strengths(seats: int) -> None:
    choix = pytest.importorskip("choix")
    seated, ranks, _ = games_of(5, seats, 400, seed=seats)
    orders = [list(players[np.argsort(places)]) for players, places in zip(seated, ranks, strict=True)]
    found = fitted(compare(seated, ranks, np.zeros(400, int), 5))
    assert found == pytest.approx(choix.ilsr_rankings(5, orders), abs=2e-3)


def test_odds_of_ten_to_one_are_400_points() -> None:
    seated, ranks = np.tile([0, 1], (1100, 1)), np.tile([1, 2], (1100, 1))
    ranks[:100] = [2, 1]
    better, worse = fitted(compare(seated, ranks, np.zeros(1100, int), 2)) * ELO
    assert better - worse == pytest.approx(400, abs=1)


def test_a_tie_is_half_of_either_order() -> None:
    seated = np.array([[0, 1, 2]] * 2)
    tied = compare(seated, np.array([[1, 1, 3]] * 2), np.zeros(2, int), 3)
    either = compare(seated, np.array([[1, 2, 3], [2, 1, 3]]), np.zeros(2, int), 3)
    assert fitted(tied) == pytest.approx(fitted(either))
    assert compare(seated, np.array([[1, 1, 1]] * 2), np.zeros(2, int), 3).firsts.sum(0) == pytest.approx([4 / 3] * 3)


def test_who_never_wins_or_never_loses_has_an_open_interval() -> None:
    seated, ranks = np.array([[0, 1], [1, 2], [2, 1], [0, 2]] * 20), np.array([[1, 2]] * 80)
    deals = np.random.default_rng(1).permutation(80) // 4
    best, middle, other = rate(compare(seated, ranks, deals, 3), seed=1, resamples=50)
    assert math.isfinite(best.mean)
    assert math.isnan(best.high)
    assert best.low > middle.mean > best.low - 3000
    assert middle.mean == pytest.approx(other.mean)
    assert middle.low < middle.mean < middle.high


def test_an_open_interval_reaches_as_far_as_luck_may() -> None:
    """Six wins in six deals may be those of one who wins 54 of 100: the odds are what Clopper and Pearson say, not what a prior leaves."""
    seated, ranks = np.tile([0, 1], (6, 1)), np.tile([1, 2], (6, 1))
    winner, loser = rate(compare(seated, ranks, np.arange(6), 2), seed=1, resamples=50)
    limit = stats.binomtest(6, 6).proportion_ci().low
    assert winner.low - 1500 == pytest.approx(ELO * math.log(limit / (1 - limit)) / 2, abs=2)
    assert loser.high == pytest.approx(3000 - winner.low)
    assert math.isnan(winner.high) and math.isnan(loser.low)


@pytest.mark.parametrize("seats", [(0, 0, 1), (0, 1, 1)])
def test_to_be_first_among_copies_of_oneself_is_to_win_nothing(seats: tuple[int, ...]) -> None:
    seated, ranks = np.tile(seats, (12, 1)), np.tile([1, 2, 3], (12, 1))
    winner, loser = rate(compare(seated, ranks, np.arange(12), 2), seed=1, resamples=50)
    assert math.isnan(winner.high) and math.isnan(loser.low)
    assert winner.low > loser.high


def test_deals_that_all_go_alike_leave_no_interval_between_best_and_worst() -> None:
    seated, ranks = np.tile([0, 1, 2], (12, 1)), np.tile([1, 2, 3], (12, 1))
    _, middle, _ = rate(compare(seated, ranks, np.arange(12), 3), seed=1, resamples=50)
    assert middle.mean == pytest.approx(1500)
    assert math.isnan(middle.low) and math.isnan(middle.high)


@pytest.mark.parametrize("deals", [FEW, 12, 60])
def test_intervals_hold_the_truth_about_as_often_as_they_say(deals: int) -> None:
    covered = []
    for seed in range(40):
        seated, ranks, truth = games_of(4, 4, 4 * deals, seed)
        ratings = rate(compare(seated, ranks, np.arange(4 * deals) // 4, 4), seed, resamples=200)
        covered += [rating.low <= 1500 + ELO * strength <= rating.high for rating, strength in zip(ratings, truth, strict=True)]
    assert 0.88 < np.mean(covered) < 0.99


def test_intervals_depend_on_the_seed_alone_and_few_deals_have_none() -> None:
    seated, ranks, _ = games_of(3, 3, 90, seed=1)
    compared = compare(seated, ranks, np.arange(90) // 3, 3)
    assert rate(compared, 5, 50) == rate(compared, 5, 50) != rate(compared, 6, 50)
    for deals in range(1, FEW):
        few = rate(compare(seated, ranks, np.arange(90) % deals, 3), 5, 50)
        assert all(math.isfinite(rating.mean) and math.isnan(rating.low) and math.isnan(rating.high) for rating in few)


# --- the run -------------------------------------------------------------------------------------------------------------------------


def test_a_ladder_is_a_run_with_every_policy_in_every_seat(played: tuple[Path, dict[str, Any]]) -> None:
    run = open_run(str(played[0]))
    assert run.experiment["lineups"] == [[0, 1], [0, 2], [1, 2]]
    seats = run.scan("seats").collect()
    assert seats["game"].unique().sort().to_list() == list(range(102))
    assert set(seats.group_by("policy", "seat").len()["len"]) == {34}
    assert [policy["weights"]["field"] for name, policy in run.manifest["policies"].items() if "greedy" in name] == [1.0, 0.0]


def test_all_line_ups_play_the_same_deals(played: tuple[Path, dict[str, Any]]) -> None:
    games = open_run(str(played[0])).scan("games").collect()
    assert games["block"].to_list() == [number // 2 for number in range(34)] * 3
    assert games.group_by("block").agg(pl.struct("start_seat", "blocked_1", "blocked_2").n_unique().alias("kinds"))["kinds"].max() == 1
    dice = open_run(str(played[0])).scan("rounds").with_columns(block=pl.col("game") % 34 // 2)
    offered = [f"dice_offered_{face}" for face in range(1, 7)]
    assert dice.group_by("block", "round").agg(pl.struct(offered).n_unique().alias("kinds")).collect()["kinds"].max() == 1


@pytest.mark.parametrize("game", [0, 33, 34, 67, 68, 101])
def test_every_game_of_a_ladder_can_be_told(played: tuple[Path, dict[str, Any]], game: int) -> None:
    told = replay(str(played[0]), game)
    kept = open_run(str(played[0])).game("seats", game)
    assert told.lines[0]["game"] == game
    assert told.remarks == []
    final = [(line["seat"], line["policy"], line["vp"]) for line in told.lines if line["type"] == "final"]
    assert final == list(kept.select("seat", pl.col("policy").cast(pl.String), "vp").iter_rows())


def test_any_number_of_workers_and_a_repetition_write_the_same_bytes(
    played: tuple[Path, dict[str, Any]], tmp_path: Path, capsys: Any
) -> None:
    assert (
        made(capsys, tmp_path / "two", "--policies", ",".join(POLICIES), "--players", 2, "--games", 100, "--seed", 3, "--jobs", 2).code == 0
    )
    assert part_bytes(tmp_path / "two") == part_bytes(played[0])
    assert call(capsys, "run", played[0], "--out", tmp_path / "again").code == 0
    assert part_bytes(tmp_path / "again") == part_bytes(played[0])


def test_the_summary_of_a_ladder_counts_deals(played: tuple[Path, dict[str, Any]]) -> None:
    found = summarize(open_run(str(played[0])))
    assert found["blocks"] == 17
    by_policy = {row["policy"]: row for row in found["groups"]["policy"]}
    for row in played[1]["policies"]:
        assert by_policy[row["policy"]]["win_share"] == pytest.approx(row["win_share"], abs=1e-4)


def test_a_game_that_fails_names_its_line_up() -> None:
    def fails(*_: Any) -> Any:
        raise GameError("game 3 of seed 1 ended with an error")

    setting = Setting(open_components("lagranja"), find_policies("lagranja", ["random", "greedy"]), 2, 1, ((0, 1),), 10)
    with pytest.raises(GameError, match=r"^game 3 of seed 1 .* \(of the line-up random, greedy\)$"):
        play_span(fails, setting, 0, 2, ["seats"])


def test_a_span_may_cross_line_ups() -> None:
    setting = Setting(open_components("lagranja"), find_policies("lagranja", ["random", "greedy", "random"]), 2, 1, ((0, 1), (2, 1)), 6)
    whole = play_span(play_games, setting, 0, 12, ["seats", "games"])
    pieces = [play_span(play_games, setting, first, count, ["seats", "games"]) for first, count in ((0, 5), (5, 4), (9, 3))]
    for table in whole:
        assert np.array_equal(whole[table], np.concatenate([piece[table] for piece in pieces]))
    assert set(whole["seats"]["policy"][12:]) == {1, 2}
    assert Span.at(setting, 7).first == 6


# --- what is found -------------------------------------------------------------------------------------------------------------------


def test_results_are_what_the_rows_say(played: tuple[Path, dict[str, Any]]) -> None:
    out, found = played
    seats = open_run(str(out)).scan("seats").with_columns(pl.col("policy").cast(pl.String)).collect()
    means = {row["policy"]: row for row in seats.group_by("policy").mean().to_dicts()}
    for row in found["policies"]:
        assert row["vp"]["mean"] == pytest.approx(means[row["policy"]]["vp"], abs=1e-3)
        assert row["games"] == 68
        assert row["profile"]["fields"] == pytest.approx(means[row["policy"]]["fields"], abs=1e-3)
        assert row["profile"]["vp_siesta"] == pytest.approx(means[row["policy"]]["vp_siesta"], abs=1e-3)
        assert row["speed"]["microseconds_a_game"] > 0
    both = seats.join(seats, on="game").filter(pl.col("policy") < pl.col("policy_right"))
    for (one, other), games in both.group_by("policy", "policy_right"):
        share = games.select(((pl.col("rank_right") - pl.col("rank")).sign() + 1).mean() / 2).item()
        assert found["head_to_head"][one][other]["mean"] == pytest.approx(share, abs=1e-3)
        assert found["head_to_head"][other][one]["mean"] == pytest.approx(1 - share, abs=1e-3)


def test_the_strongest_comes_first_and_ratings_have_a_mean_of_1500(played: tuple[Path, dict[str, Any]]) -> None:
    ratings = [row["rating"]["mean"] for row in played[1]["policies"]]
    assert ratings == sorted(ratings, reverse=True)
    assert np.mean(ratings) == pytest.approx(1500, abs=0.01)
    assert played[1]["policies"][-1]["policy"] == "random"


def test_results_are_kept_in_the_run(played: tuple[Path, dict[str, Any]]) -> None:
    assert json.loads((played[0] / "ladder.json").read_text()) == played[1]


def test_the_command_prints_tables_or_one_object(tmp_path: Path, capsys: Any) -> None:
    shown = made(capsys, tmp_path / "a", "--policies", "greedy,random,greedy:field=0,share=2", "--players", 4, "--games", 48)
    assert (shown.code, shown.err) == (0, "")
    for text in ("Ratings", "Finished ahead", "Points by source", "greedy:field=0,share=2", "only 4 deals", "3 line-ups on 4 deals"):
        assert text in shown.out
    found = json.loads(made(capsys, tmp_path / "b", "--policies", "greedy,random", "--players", 3, "--games", 12, "--json").out)
    assert (found["players"], found["games"], found["deals"], found["lineups"]) == (3, 12, 2, 2)


def test_a_weights_file_is_called_by_its_name_and_found_from_elsewhere(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("[weights]\nfield = 2.5\n")
    shown = made(capsys, tmp_path / "run", "--policies", "greedy:@mine.toml,greedy", "--players", 2, "--games", 4)
    assert "greedy:@mine.toml" in shown.out
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert replay(str(tmp_path / "run"), 1).remarks == []


def test_long_ladders_are_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setattr(ladder, "LONG", 0.0)
    shown = made(capsys, tmp_path / "run", "--policies", "greedy,random", "--players", 2, "--games", 4)
    assert re.search("this takes about 0 minutes; most of it goes to (greedy|random)", shown.err)  # whichever is slower today


def test_all_policies_are_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "list_policies", lambda game, on_broken: find_policies(game, ["greedy", "random"]))
    assert ladder.prepare(None, 2, 4, {}).experiment.policies == ["greedy", "random"]


# --- every size ----------------------------------------------------------------------------------------------------------------------


def made_up(loaded: Loaded) -> Any:
    """A run of the experiment in which the later a policy stands in the list, the better it is; a few games are ties."""
    experiment = loaded.experiment
    games, players = experiment.games, experiment.players
    who = np.repeat(np.array(experiment.lineups), experiment.games_a_lineup, axis=0)
    points = 10 * who + np.random.default_rng(1).integers(0, 8, who.shape)
    best = points == points.max(1, keepdims=True)
    columns = {
        "game": np.repeat(np.arange(games), players),
        "seat": np.tile(np.arange(players), games),
        "rank": (1 + (points[:, None, :] > points[:, :, None]).sum(2)).ravel(),
        "vp": points.ravel(),
        "win_share": (best / best.sum(1, keepdims=True)).ravel().astype(np.float32),
    }
    names = pl.Series("policy", experiment.policies, dtype=pl.Enum(experiment.policies)).gather(who.ravel())
    frame = pl.DataFrame({**columns, "policy": names, "barrows": columns["vp"] / 20})
    manifest = {"time": {"wall_seconds": 0.0}}
    return SimpleNamespace(
        experiment=experiment.model_dump(), scan=lambda _: frame.lazy(), folder=SimpleNamespace(url="made up"), manifest=manifest
    )


def ladders_of(policies: int, players: int) -> dict[tuple[int, int], Loaded]:
    """Ladders of up to 200 games, one for each number of line-ups and deals."""
    names = [f"greedy:field={number}" for number in range(policies)]
    loaded = (ladder.prepare(names, players, games, {}) for games in range(1, 201))
    return {(len(each.experiment.lineups), each.experiment.games): each for each in loaded}


def is_sound(found: dict[str, float | None], deals: int) -> bool:
    """A mean; and an interval that holds it and is not just a point, or none."""
    mean, low, high = found["mean"], found["low"], found["high"]
    if mean is None or (deals == 1 and not low == high is None):
        return False
    return low is None or high is None or (low <= mean <= high and low < high)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policies", range(2, 7))
def test_every_size_has_a_ladder_and_no_false_interval(policies: int, players: int, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "rate", partial(rate, resamples=20))
    monkeypatch.setattr(ladder, "design", cache(design))
    for loaded in ladders_of(policies, players).values():
        found = ladder.results(made_up(loaded), [Speed(1.0, 1.0)] * policies)
        deals = found["deals"]
        for row in found["policies"]:
            assert all(is_sound(row[measure], deals) for measure in ("rating", "win_share", "vp")), (loaded.experiment.games, row)
            assert deals >= FEW or row["rating"]["low"] == row["rating"]["high"] is None
        assert all(is_sound(share, deals) for shares in found["head_to_head"].values() for share in shares.values())
        if deals in (1, FEW - 1, FEW, 40):
            show_ladder(found)
            assert ("a single deal: too few for any interval" in capsys.readouterr().out) == (deals == 1)


def test_one_policy_is_no_ladder() -> None:
    for players in (2, 3, 4):
        with pytest.raises(PolicyError, match="a ladder takes two policies or more"):
            ladder.prepare(["greedy"], players, 20, {})


def test_the_smallest_ladders_are_played(tmp_path: Path, capsys: Any) -> None:
    done = made(capsys, tmp_path / "a", "--policies", "greedy,random", "--players", 4, "--games", 20)
    assert (done.code, done.err) == (0, "")
    assert "20 games of 4 players: 1 line-up on 5 deals" in done.out
    done = made(capsys, tmp_path / "b", "--policies", "greedy,random", "--players", 3, "--games", 1)
    assert done.err == "1 game is rounded up to 6: whole blocks of 6, every deal in each rotation of the seats by 2 line-ups\n"
    assert "every two policies meet 4 times on each deal" in done.out


# --- what is refused -----------------------------------------------------------------------------------------------------------------

WRONG = {
    "greedy": "a ladder takes two policies or more",
    "greedy,random,greedy": "names every policy once; greedy stands twice",
    "greedy,greedy:": "greedy and greedy: are the same policy",
    "greedy,rondom": "no policy is called 'rondom' (did you mean random",
    "greedy,random --players 5": "1 to 4 players, not 5",
    "greedy,random --players 1": "2 to 9 players, not 1",
    "greedy,random --variant deluxx": "deluxx",
}


@pytest.mark.parametrize("options", WRONG)
def test_what_cannot_be_played_is_refused(options: str, tmp_path: Path, capsys: Any) -> None:
    refused = made(capsys, tmp_path / "run", "--policies", *options.split())
    assert refused.code == 2
    assert WRONG[options] in refused.err
    assert not (tmp_path / "run").exists()


def test_a_finished_ladder_is_refused_before_anything_is_measured(
    played: tuple[Path, dict[str, Any]], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "measure", None)
    refused = made(capsys, played[0], "--policies", ",".join(POLICIES), "--players", 2, "--games", 100, "--seed", 3)
    assert refused.code == 2
    assert "holds this run, finished" in refused.err


@pytest.mark.parametrize("lineup", [[0], [0, 2], [0, -1]])
def test_line_ups_name_policies_that_exist(lineup: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "design", lambda *_: [lineup])
    with pytest.raises(ExperimentError, match="must be 2 numbers from 0 to 1, one a seat"):
        ladder.prepare(["greedy", "random"], 2, 4, {})


def test_exchanges_never_make_a_design_less_even() -> None:
    chances = random.Random(1)
    found = [tuple(chances.sample(range(7), 3)) for _ in range(14)]
    meetings = meetings_of(found, 7)
    for _ in range(200):
        before = lineups.unevenness(meetings)
        lineups.exchange(found, meetings, chances)
        assert lineups.unevenness(meetings) <= before
        assert np.array_equal(meetings, meetings_of(found, 7))
