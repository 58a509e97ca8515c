"""Tuning: a toy whose best weight is known is found, from the seed alone, on fair deals; and the file of weights says how it came about."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import Call, call

from lagranja_sim.contest import tune_file
from lagranja_sim.contest.tune import HELD_OUT, MARGIN, Arena, Cube, Search, tune
from lagranja_sim.play.driver import play_games
from lagranja_sim.policy import Policy, PolicyError, find_policy
from lagranja_sim.runs.setting import find_policies, open_components

# It knows what to do, but acts on it the less often the further its weight is from 0.7.
TOY = '''"""Best with its weight at 0.7."""

from lagranja_sim.games.lagranja.toolkit import *  # noqa: F403

WEIGHTS = {"skill": (0.15, 0.0, 1.0), "nothing": (1.0, 1.0, 1.0)}


@kernel
def worth(game, box, seat, option):
    do = option.do
    if do == Do.DELIVER:
        return 1.0 + 2.0 * delivery_points(game, box, seat, option)
    if do == Do.PLAY_CARD:
        return 1.0 if option.side == Side.FIELD else 0.1
    if do == Do.CHOOSE_DONKEY:
        return 2.0 * box.transport.donkeys[option.n - 1, 0] + box.transport.donkeys[option.n - 1, 1]
    if do == Do.TAKE_DIE or do == Do.SIESTA or do == Do.UPGRADE or do == Do.BUY_DELIVERY or do == Do.BUY_ROOF:
        return 0.5
    return -1.0 if do == Do.BUY or do == Do.SELL or do == Do.USE_COMMODITY else 0.0


def choose(game, box, seat, options, weights, notes):
    if draw(game, 0, 1000) > 850.0 - 1600.0 * abs(weights[0] - 0.7):
        return draw(game, 1, len(options))
    best = 0
    for index in range(1, len(options)):
        if worth(game, box, seat, options[index]) > worth(game, box, seat, options[best]):
            best = index
    return best
'''
SEARCH = ("--players", 2, "--generations", 10, "--population", 6, "--deals", 60)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toy in it; one place for all tests, so that it is compiled once."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "policies").mkdir()
    (folder / "policies" / "toy.py").write_text(TOY)
    return folder


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(home)
    for file in home.glob("*.toml"):
        file.unlink()
    return home


@pytest.fixture
def toy(here: Path) -> Policy:
    return find_policy("toy")


def arena(players: int = 2, pool: tuple[str, ...] = ("random",), seed: int = 1) -> Arena:
    return Arena(open_components("lagranja"), find_policies("lagranja", pool), players, seed)


def found(policy: Policy, jobs: int = 1, seed: int = 1, generations: int = 3) -> dict[str, Any]:
    return tune(Cube.of(policy), arena(2, ("random", "toy"), seed), Search(generations, 6, 20, jobs))


def tuned(capsys: Any, *options: object) -> Call:
    return call(capsys, "tune", "toy", "--against", "random", *SEARCH, *options)


# --- a known answer ------------------------------------------------------------------------------------------------------------------


def test_the_best_weight_is_found_and_the_gain_is_shown(here: Path, capsys: Any) -> None:
    done = json.loads(tuned(capsys, "--json").out)
    assert done["weights"]["skill"] == pytest.approx(0.7, abs=0.12)
    assert done["weights"]["nothing"] == 1.0
    gain = done["held_out"]
    assert gain["deals"] == 60 * HELD_OUT
    assert gain["win_share"]["difference"]["low"] > 0.05
    assert gain["margin"]["tuned"]["mean"] > gain["margin"]["start"]["mean"] + 2
    for measure in ("fitness", "win_share", "margin"):
        means = {which: gain[measure][which]["mean"] for which in ("start", "tuned", "difference")}
        assert means["difference"] == pytest.approx(means["tuned"] - means["start"], abs=1e-4)
    assert len(done["history"]) == 10
    assert done["history"][-1]["mean"] > done["history"][0]["mean"]


def test_the_result_depends_on_the_seed_and_not_on_the_workers(toy: Policy) -> None:
    np.random.seed(5)
    alone = found(toy, jobs=1)
    np.random.seed(6)
    assert found(toy, jobs=3) == alone
    assert found(toy, jobs=2, seed=2)["weights"] != alone["weights"]


def test_a_policy_at_the_edge_of_its_bounds_can_be_tuned(toy: Policy) -> None:
    edge = find_policy("toy:skill=0")
    assert Cube.of(edge).start() == [0.0]
    assert 0.0 <= found(edge, generations=2)["weights"]["skill"] <= 1.0


# --- the cube ------------------------------------------------------------------------------------------------------------------------


def test_a_weight_that_is_named_twice_is_tuned_once(toy: Policy) -> None:
    assert Cube.of(toy, ["skill", "skill"]).names == ["skill"]


def test_weights_are_scaled_to_their_bounds() -> None:
    cube = Cube.of(find_policy("greedy:field=2.5"), ["field", "step"])
    assert cube.start() == [0.5, 0.8]
    policy = cube.policy_at([0.123456, 1.0])
    assert (policy.weights["field"], policy.weights["step"], policy.weights["share"]) == (0.6173, 5.0, 1.0)


@pytest.mark.parametrize(
    ("policy", "only", "problem"),
    [
        ("random", (), "policy random has no weights to tune"),
        ("greedy", ("fild",), "policy greedy has no weight 'fild' (did you mean field?)"),
    ],
)
def test_what_cannot_be_tuned_is_said(policy: str, only: tuple[str, ...], problem: str) -> None:
    with pytest.raises(PolicyError) as caught:
        Cube.of(find_policy(policy), only)
    assert str(caught.value) == problem


# --- the deals -----------------------------------------------------------------------------------------------------------------------


def test_each_generation_has_deals_of_its_own_and_opponents_from_the_whole_pool() -> None:
    field = arena(4, ("random", "greedy", "greedy:field=0"))
    drawn = [field.draw("search", generation, 50) for generation in range(4)]
    assert drawn == [field.draw("search", generation, 50) for generation in range(4)]
    dealt = [deal for meetings in drawn for meeting in meetings for deal in range(meeting.first, meeting.first + meeting.deals)]
    assert sorted(dealt) == list(range(200))
    seats = np.zeros(3)
    for meeting in (meeting for meetings in drawn for meeting in meetings):
        np.add.at(seats, list(meeting.opponents), meeting.deals)
    assert seats.sum() == 600
    assert seats.min() > 150


def test_search_and_test_meet_different_deals() -> None:
    field = arena()
    assert len({field.seed_for("search"), field.seed_for("test"), field.seed_for("candidates"), field.seed}) == 4


def test_fitness_is_win_share_and_a_share_of_the_margin() -> None:
    field = arena(3, ("random", "greedy"))
    policy, meetings = find_policy("greedy"), field.draw("search", 0, 6)
    outcome = field.judge(policy, "search", meetings)
    assert outcome.shape == (6, 3)
    expected = []
    for meeting in meetings:
        seated = [policy, *(field.pool[index] for index in meeting.opponents)]
        for deal in range(meeting.first, meeting.first + meeting.deals):
            games = []
            for game in range(3 * deal, 3 * deal + 3):
                rows = play_games(field.components, seated, field.seed_for("search"), game, 1, ["seats"])["seats"]
                own, others = rows[rows["policy"] == 0][0], rows[rows["policy"] != 0]
                games.append((own["win_share"], own["vp"] - others["vp"].mean()))
            share, margin = np.mean(games, axis=0)
            expected.append((share + margin / MARGIN, share, margin))
    assert outcome == pytest.approx(np.array(expected))


# --- the file ------------------------------------------------------------------------------------------------------------------------


def test_the_file_tells_its_story_and_plays(here: Path, capsys: Any) -> None:
    done = json.loads(tuned(capsys, "--seed", 4, "--json").out)
    text = (here / "toy-tuned.toml").read_text()
    assert done["out"] == "toy-tuned.toml"
    assert tomllib.loads(text) == {"weights": done["weights"]}
    story = " ".join(line[2:] for line in text.splitlines() if line.startswith("# "))
    for part in (
        "Weights of toy, found by CMA-ES in games of 2 against random.",
        "Command: lagranja tune toy --against random --players 2",
        "10 generations of 6 candidates on 60 deals each, seed 4, variant deluxe.",
        "Held out, 1200 other deals in every seat (95 % intervals over deals):",
        f"- win share {100 * done['held_out']['win_share']['tuned']['mean']:.2f} % against",
        "They are better than the weights at the start.",
        "with lagranja_sim",
    ):
        assert part in story
    assert max(map(len, text.splitlines())) <= 140
    assert find_policy("toy:@toy-tuned.toml").weights == done["weights"]
    (here / "one.toml").write_text("games = 4\nplayers = 2\nseed = 1\npolicies = ['toy:@toy-tuned.toml', 'random']\n")
    shutil.rmtree(here / "runs", ignore_errors=True)
    assert call(capsys, "run", "one.toml").code == 0
    assert call(capsys, "replay", "runs/one", 1).code == 0


def test_a_terminal_shows_what_was_gained(here: Path, capsys: Any) -> None:
    shown = tuned(capsys, "--generations", 2, "--only", "skill")
    assert (shown.code, shown.err) == (0, "")
    for part in (
        "toy against random: 2 generations of 6 candidates on 60 deals, seed 1",
        "win share, %",
        "skill",
        "written to toy-tuned.toml",
    ):
        assert part in shown.out


def test_a_single_deal_and_generation_are_enough_to_end(here: Path, capsys: Any) -> None:
    shown = tuned(capsys, "--generations", 1, "--deals", 1, "--population", 4)
    assert (shown.code, shown.err) == (0, "")
    assert "toy against random: 1 generation of 4 candidates on 1 deal, seed 1" in shown.out
    assert "Held out: 20 deals" in shown.out
    assert "nan" not in shown.out + (here / "toy-tuned.toml").read_text()


def test_a_file_is_replaced_only_when_asked(here: Path, capsys: Any) -> None:
    (here / "mine.toml").write_text("mine")
    refused = tuned(capsys, "--out", "mine.toml")
    assert (refused.code, refused.err) == (2, "lagranja: mine.toml exists; choose another file with --out, or replace it with --force\n")
    assert (here / "mine.toml").read_text() == "mine"
    assert tuned(capsys, "--out", "mine.toml", "--force", "--generations", 1).code == 0
    assert "[weights]" in (here / "mine.toml").read_text()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--out", "no/such/folder.toml"), "there is no folder no/such"),
        (("--out", "policies", "--force"), "policies exists; choose another file"),
        (("--players", 5), "games of 2 to 4 players, not 5"),
        (("--players", 1), "2 to 4 players, not 1"),
        (("--against", "rndom"), "did you mean random"),
        (("--against", ","), "--against names no policy"),
        (("--only", "skil"), "did you mean skill?"),
    ],
)
def test_what_cannot_be_done_is_said_first(here: Path, capsys: Any, options: tuple[object, ...], problem: str) -> None:
    refused = tuned(capsys, *options)
    assert refused.code == 2
    assert problem in refused.err


@pytest.mark.parametrize(
    ("low", "high", "words"), [(0.1, 0.2, "better than"), (-0.2, -0.1, "worse than"), (-0.1, 0.1, "not shown to be better than")]
)
def test_the_verdict_is_about_the_interval(low: float, high: float, words: str) -> None:
    difference = {"mean": (low + high) / 2, "low": low, "high": high}
    assert tune_file.verdict({"fitness": {"difference": difference}}) == f"They are {words} the weights at the start."
