"""The command `lagranja compare`: what it prints and writes, what it refuses, finished runs, and the experiments that come with the tool."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from calls import call
from comparisons import CHANGED, GREEDY, PIG, SHORT, comparison_of

from lagranja_sim.compare.arms import Arm, Shared, load_arms
from lagranja_sim.compare.comparison import Wish, compare
from lagranja_sim.plugins import tool_folder
from lagranja_sim.runs.simulate import Listener

# --- the command ---------------------------------------------------------------------------------------------------------------------


def test_what_it_says(capsys: Any) -> None:
    done = call(capsys, "compare", CHANGED, *SHORT)
    assert (done.code, done.err) == (0, "")
    assert "of games differ from those under deluxe" in done.out
    assert "points of a player from siesta: " in done.out
    assert done.out.index("  points of a player: ") < done.out.index("  wins of the start player: ") < done.out.index("from siesta: ")
    assert "Differences, the surest first" in done.out
    assert "undecided is not equal" in done.out


def test_the_block_to_paste_has_ten_lines(capsys: Any) -> None:
    done = call(capsys, "compare", "deluxe", CHANGED, *SHORT)
    lines = done.out.rstrip().splitlines()
    block = lines[lines.index("-" * 20) + 1 : -1]
    assert len(block) == 10
    heads = [line.partition(":")[0].split(",")[0].split()[0] for line in block]
    assert heads == ["lagranja", "arm", "arm", "games", "same", "estimate", "estimate", "test", "decision", "command"]
    assert block[-1] == f"command: lagranja compare deluxe '{CHANGED}' --policies greedy --games 200 --jobs 1"


def test_json_says_the_same_and_twice(capsys: Any) -> None:
    first, second = (json.loads(call(capsys, "compare", PIG, *SHORT, "--json").out) for _ in range(2))
    first["seconds"] = second["seconds"]
    assert first == second
    assert (first["games"], first["deals"], first["players"], first["seed"]) == (200, 50, 4, 1)
    assert [arm["arm"] for arm in first["arms"]] == ["deluxe", PIG]
    assert {"measure", "words", "before", "after", "mean", "low", "high", "z", "q", "verdict"} <= set(first["differences"][0])
    assert first["luck"][0]["diverging"] == pytest.approx(sum(first["luck"][0]["first_in_round"].values()) / 200)


def test_a_single_deal_has_differences_and_no_intervals(capsys: Any, tmp_path: Path) -> None:
    done = call(capsys, "compare", PIG, "--policies", "greedy", "--games", "1", "--out", tmp_path / "one")
    assert (done.code, done.err) == (0, "1 game is rounded up to 4: whole blocks, one game for each rotation of the seats\n")
    assert "4 games of 4 players each, on the same 1 deal " in done.out
    assert "points of a player: a single deal is too few for a correlation within pairs" in done.out
    assert "a single deal: too few for any interval" in done.out
    assert "nan" not in done.out
    record = json.loads((tmp_path / "one" / "comparison.json").read_text())
    assert {row["verdict"] for row in record["differences"]} == {"undecided", "identical"}
    assert {(row["low"], row["high"], row["z"], row["p"]) for row in record["differences"]} == {(None,) * 4}


def test_two_deals_that_agree_are_no_proof(capsys: Any) -> None:
    done = call(capsys, "compare", "--sweep", "prices.sell.pig=3,4", "--policies", "greedy", "--games", "8", "--json")
    shares = [row for row in json.loads(done.out)["sweep"]["responses"] if row["measure"] == "win_share(seat1)"]
    assert [(row["mean"], row["low"], row["high"]) for row in shares] == [(0.0, None, None)] * 2
    shown = call(capsys, "compare", "--sweep", "prices.sell.pig=3,4", "--policies", "greedy", "--games", "8").out
    assert "only 2 deals: the intervals are rough; - stands where 2 are too few for one" in shown


def test_what_touches_nothing_is_said(capsys: Any) -> None:
    done = call(capsys, "compare", "prices.sell.pig=3", *SHORT)
    assert "changes nothing" in done.err
    assert "every game is the same" in done.out


def test_a_sequential_test_decides(capsys: Any) -> None:
    done = call(capsys, "compare", CHANGED, "--policies", "greedy", "--sprt", "points: 0 vs 1", "--json")
    record = json.loads(done.out)
    assert record["sequential"]["decision"] == "high"
    assert record["games"] == 1_024
    assert record["sequential"]["estimate_low"] < record["sequential"]["estimate"] < record["sequential"]["estimate_high"]
    assert "rather than +0 or less" in record["decision"]


def test_a_sequential_test_gives_up_at_its_cap(capsys: Any) -> None:
    test = ("--sprt", "points: 0 vs 0.00001", "--games", "1200")
    done = call(capsys, "compare", PIG, "--policies", "greedy", *test, "--json")
    record = json.loads(done.out)
    assert (record["games"], record["sequential"]["decision"]) == (1_536, "undecided")
    assert "rounded up to 1536" in done.err
    text = call(capsys, "compare", PIG, "--policies", "greedy", *test).out
    assert "undecided at the cap" in text
    assert "estimate, allowing for stopping" in text


def test_equivalence_within_a_bound(capsys: Any) -> None:
    done = call(capsys, "compare", PIG, *SHORT, "--metric", "points", "--equivalent", "2")
    assert "equivalent within 2" in done.out


def test_a_sweep_is_told_and_charted(capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "swept"
    done = call(capsys, "compare", "--sweep", "prices.sell.pig=2..4", *SHORT, "--out", out)
    assert done.code == 0
    assert done.out.count("reference") == 6
    assert sorted(path.name for path in out.iterdir()) == ["block.txt", "comparison.html", "comparison.json", "sweep.png", "sweep.svg"]
    record = json.loads((out / "comparison.json").read_text())
    assert (record["sweep"]["key"], record["sweep"]["reference"]) == ("prices.sell.pig", "3")
    points = [row for row in record["sweep"]["responses"] if row["measure"] == "points"]
    assert [row["value"] for row in points] == ["2", "3", "4"]
    assert points[0]["mean"] < points[2]["mean"]
    again = call(capsys, "compare", "--sweep", "prices.sell.pig=2..4", *SHORT, "--out", out)
    assert (again.code, "--force" in again.err) == (2, True)


def test_a_page_holds_everything_and_needs_nothing(capsys: Any, tmp_path: Path) -> None:
    from html.parser import HTMLParser

    arm = 'prices.commodity_uses="gain silver 4"'
    pages = []
    for name in ("one", "two"):
        assert call(capsys, "compare", arm, *SHORT, "--out", tmp_path / name).code == 0
        pages.append((tmp_path / name / "comparison.html").read_text())
    assert "points of a player" in pages[0]
    assert "lagranja compare: lagranja_sim" in pages[0]
    assert "http" not in re.sub('base64,[^"]*', "", pages[0])
    assert arm not in pages[0]  # quotes are escaped
    HTMLParser().feed(pages[0])
    assert (tmp_path / "one" / "comparison.svg").read_bytes() == (tmp_path / "two" / "comparison.svg").read_bytes()


def test_arms_are_tuned_first_if_that_is_wanted(capsys: Any) -> None:
    done = call(capsys, "compare", CHANGED, "--policies", "greedy", "--games", "40", "--retune", "1", "--json")
    record = json.loads(done.out)
    assert [arm["retuned"]["generations"] for arm in record["arms"]] == [1, 1]
    for arm in record["arms"]:
        assert arm["retuned"]["kept"] == (arm["retuned"]["gain"]["mean"] > 0)
    assert done.err.count("tuned for 1 generation") == 2
    assert record["block"].count("; tuned for 1 generation: wins ") == 2


REFUSED = [
    ((), "nothing to compare"),
    (("delux",), "did you mean deluxe"),
    (("deluxe",), "nothing to be compared with"),
    (("deluxe+yucata",), "names two variants"),
    (("prices.sell.pgi=4",), "did you mean prices.sell.pig"),
    (("polcy=greedy",), "did you mean policy"),
    (("prices.sell.pig=",), "has no value"),
    (("prices.sell.pig=many",), "expected a whole number"),
    (("transport.siesta_vp=[0,1",), "is no value"),
    ((PIG + "+",), "a part is empty"),
    ((PIG + "+" + PIG,), "sets prices.sell.pig twice"),
    (("policy=greddy",), "did you mean greedy"),
    (("policy=greedy:shar=1",), "has no weight"),
    (("policies=greedy,random", "policies=greedy,random,random"), "different numbers of players"),
    (("policies=greedy,random",), "2 policies are named for 4 players"),
    (("components=nowhere",), "is no folder"),
    (("nowhere.toml",), "is no file"),
    ((PIG, "--players", "9"), "not 9"),
    ((PIG, "--games", "0"), "--games"),
    ((PIG, "--seed", "-1"), "--seed"),
    ((PIG, "--policies", ","), "--policies"),
    ((PIG, "--metric", "pointz", *SHORT), "did you mean points"),
    ((PIG, "--equivalent", "1"), "needs --metric"),
    ((PIG, "--equivalent", "0", "--metric", "points"), "must be above 0"),
    ((PIG, "--precision", "1"), "needs --metric"),
    ((PIG, "--precision", "1", "--metric", "points,margin"), "a single --metric"),
    ((PIG, "--precision", "1", "--metric", "points", "--games", "40"), "at least 1024 games"),
    ((PIG, "--sprt", "points"), "is no test"),
    ((PIG, "--sprt", "points: 1 vs 0"), "wrong order"),
    ((PIG, "--sprt", "pointz: 0 vs 1", "--policies", "greedy"), "did you mean points"),
    ((PIG, "--sprt", "points: 0 vs 1", "--alpha", "0.6"), "--alpha"),
    ((PIG, "--sprt", "points: 0 vs 1", "--metric", "points"), "decides alone"),
    ((PIG, "--sprt", "points: 0 vs 1", "--games", "100"), "at least 1024 games"),
    (("deluxe", PIG, "yucata", "--sprt", "points: 0 vs 1"), "two arms"),
    ((PIG, "--beta", "0.1"), "--sprt"),
    ((PIG, "--retune", "1", "--policies", "greedy,random,random,random"), "several policies"),
    ((PIG, "--retune", "1", "--policies", "first_option"), "no weights to tune"),
    (("--sweep", "prices.sell.pig=1..5", "--retune", "1"), "do not go together"),
    (("--sweep", "prices.sell.pig=5..1"), "wrong order"),
    (("--sweep", "prices.sel.pig=1..5"), "did you mean prices.sell.pig"),
    (("deluxe", "yucata", "--sweep", "prices.sell.pig=1..5"), "one arm at most"),
    (("--sweep", "prices.sell.pig=1..5", "--sprt", "points: 0 vs 1"), "do not go together"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=[" ".join(arguments) or "nothing" for arguments, _ in REFUSED])
def test_wrong_calls_are_refused_with_the_reason(capsys: Any, arguments: tuple[str, ...], reason: str) -> None:
    done = call(capsys, "compare", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert all(line.startswith("lagranja: ") for line in done.err.splitlines())


# --- finished runs -------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of the same deals, and of others."""
    from lagranja_sim.runs.experiment import experiment_from
    from lagranja_sim.runs.setting import Setting
    from lagranja_sim.runs.simulate import run_experiment
    from lagranja_sim.runs.workers import Workers

    folder = tmp_path_factory.mktemp("runs")
    common = {"name": "run", "games": 200, "players": 4, "seed": 1, "policies": ["greedy", "random", "random", "random"]}
    changes: dict[str, dict[str, Any]] = {
        "plain": {},
        "dear": {"overrides": {"prices.sell.pig": 4}},
        "other_seed": {"seed": 2},
        "shorter": {"games": 100},
        "few_tables": {"log": ["games", "seats"]},
        "pair": {"players": 2, "policies": ["greedy", "random"]},
    }
    for name, values in changes.items():
        experiment = experiment_from({**common, **values}).experiment
        setting = Setting.of(experiment)
        run_experiment(experiment, setting, str(folder / name), Workers.of(setting, 1))
    return folder


def test_finished_runs_say_what_playing_says(runs: Path) -> None:
    shared = Shared("lagranja", ["greedy", "random", "random", "random"], 4, 1, "deluxe")
    read = compare([str(runs / "plain"), str(runs / "dear")], shared, Wish.of(None, None, None, None, None), 1, "", Listener())
    played = comparison_of("deluxe", PIG, shared=shared, games=200)
    assert read.games == 200
    assert read.played.diverged == played.played.diverged
    for one, other in zip(read.played.differences, played.played.differences, strict=True):
        assert one.mean == pytest.approx(other.mean)
        assert one.squares == pytest.approx(other.squares)


def test_a_run_is_a_control_of_itself(runs: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs)
    done = call(capsys, "compare", "plain", "plain", "./plain", "--json")
    record = json.loads(done.out)
    assert [arm["arm"] for arm in record["arms"]] == ["plain", "plain (2)", "./plain"]
    assert {row["verdict"] for row in record["differences"]} == {"identical"}


REFUSED_RUNS = [
    (("plain",), "name a second one"),
    (("plain", "other_seed"), "seed is 1 in one, 2 in the other"),
    (("plain", "shorter"), "games is 200 in one, 100 in the other"),
    (("plain", "pair"), "players is 4 in one, 2 in the other"),
    (("plain", "few_tables"), "no table of rounds"),
    (("plain", "deluxe"), "is none"),
    (("plain", "plain+prices.sell.pig=4"), "is none"),
    (("plain", "dear", "--seed", "1"), "--seed"),
    (("plain", "dear", "--games", "1000"), "hold 200 games"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED_RUNS, ids=[" ".join(arguments) for arguments, _ in REFUSED_RUNS])
def test_runs_that_cannot_be_compared_are_refused(
    capsys: Any, runs: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(runs)
    done = call(capsys, "compare", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err


def test_a_run_of_other_components_is_refused(capsys: Any, runs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(runs / "dear", tmp_path / "changed")
    manifest = tmp_path / "changed" / "manifest.json"
    record = json.loads(manifest.read_text())
    record["hashes"]["components"] = "0" * 16
    manifest.write_text(json.dumps(record))
    done = call(capsys, "compare", runs / "plain", tmp_path / "changed")
    assert (done.code, "the components are not those" in done.err) == (2, True)


# --- the ready experiments -----------------------------------------------------------------------------------------------------------


def test_every_variant_has_a_ready_experiment() -> None:
    from lagranja_sim.games.lagranja.components import load_components
    from lagranja_sim.games.lagranja.components.variants import variant_paths
    from lagranja_sim.runs.experiment import load_experiment

    for name in variant_paths():
        experiment = load_experiment(str(tool_folder("experiments") / f"{name}.toml")).experiment
        assert (experiment.name, experiment.variant) == (name, name)
        assert experiment.games == 20_000
        assert set(experiment.policies) == {"balanced"}
        assert experiment.players in load_components(variant=experiment.variant).players


def test_an_arm_is_like_another_that_plays_the_same() -> None:
    def arm(text: str) -> Arm:
        return load_arms([text, "yucata"], GREEDY)[0]

    assert arm("deluxe").is_like(arm("prices.sell.pig=3"))
    assert not arm("deluxe").is_like(arm(PIG))
    assert not arm("deluxe").is_like(arm("policy=random"))


def test_a_comparison_written_down(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\narms = ["deluxe", "yucata"]\ngames = 8\nplayers = 2\npolicies = ["greedy", "random"]\n'
    )
    done = call(capsys, "compare", "mine.toml", "--seed", "3")
    assert done.code == 0, done.err
    assert "8 games of 2 players" in done.out and "yucata against deluxe" in done.out
    (tmp_path / "mine.toml").write_text('name = "mine"\narms = ["deluxe"]\ngame = 8\n')
    refused = call(capsys, "compare", "mine.toml")
    assert refused.code == 2 and "mine.toml, game: " in refused.err


def test_the_shipped_comparison_of_variants(capsys):
    done = call(capsys, "compare", "variants", "--games", "8", "--policies", "random")
    assert done.code == 0, done.err
    assert all(f"{name} against deluxe" in done.out for name in ("first_edition", "bga", "yucata"))
