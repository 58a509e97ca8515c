"""Arms, play on the same deals, and the command: what it says, what it writes, what it refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import call

from lagranja_sim.compare.arms import Arm, Shared, distinct, load_arms, parse
from lagranja_sim.compare.comparison import Comparison, Wish, compare, split_names
from lagranja_sim.compare.paired import Match, divergence, spans_of
from lagranja_sim.compare.sweep import Sweep
from lagranja_sim.plugins import tool_folder
from lagranja_sim.runs.experiment import ExperimentError
from lagranja_sim.runs.simulate import Listener

GREEDY = Shared("lagranja", ["greedy"], 4, 1, "deluxe")
PIG = "prices.sell.pig=4"
CHANGED = "transport.siesta_vp=[0,2,4,6,8]"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What compiling says is not part of what calls print here."""
    from lagranja_sim.play.driver import warm_up
    from lagranja_sim.policy import find_policy

    warm_up([find_policy("greedy"), find_policy("random")])


def made(*texts: str, shared: Shared = GREEDY, games: int = 400, jobs: int = 1, **wish: Any) -> Comparison:
    values = {"metric": None, "equivalent": None, "plan": None, "precision": None} | wish
    return compare(texts, shared, Wish.of(games, **values), jobs, "lagranja compare", Listener())


# --- arms ----------------------------------------------------------------------------------------------------------------------------


def test_an_arm_is_made_of_parts() -> None:
    found = parse(f"yucata+{PIG}+policies=greedy:share=2,random+transport.siesta_vp=[0,1]", GREEDY)
    assert found.variant == "yucata"
    assert found.overrides == {"prices.sell.pig": 4, "transport.siesta_vp": [0, 1]}
    assert found.policies == ("greedy:share=2", "random")


def test_values_are_spelled_as_in_toml() -> None:
    found = parse('transport.extra_deliveries_paid=up_front+market.roof_marker_removes=true+prices.commodity_uses="gain silver 4"', GREEDY)
    assert list(found.overrides.values()) == ["up_front", True, "gain silver 4"]


def test_one_arm_is_compared_with_the_game_as_it_is() -> None:
    assert [arm.text for arm in load_arms([PIG], GREEDY)] == ["deluxe", PIG]


def test_a_file_of_differences_is_an_arm(tmp_path: Path) -> None:
    path = tmp_path / "dear+pigs.toml"
    path.write_text('base = "deluxe"\n[prices.sell]\npig = 4\n')
    one, other = load_arms([str(path), PIG], GREEDY)
    assert one.setting.components.hash == other.setting.components.hash


def test_a_folder_of_components_is_an_arm() -> None:
    from lagranja_sim.games.lagranja.components.variants import PRINTED

    one, other = load_arms([f"components={PRINTED}", PIG], GREEDY)
    assert one.setting.components.directory == PRINTED
    assert other.setting.components.directory is None


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
    found = made(*texts, games=80)
    assert [arm.text for arm in found.arms] == names
    for arm in found.arms[1:]:
        assert arm.is_like(found.arms[0])
        assert found.diverged(arm) == 0
        rows = found.of_arm(arm)
        assert len(rows) == len(found.measures)
        assert {(row.mean, row.low, row.high, row.error, row.p, row.verdict) for row in rows} == {(0.0, 0.0, 0.0, 0.0, 1.0, "identical")}


def test_names_of_arms_are_distinct_whatever_they_are_called() -> None:
    assert distinct(["a", "a (2)", "a", "a", "b"]) == ["a", "a (2)", "a (3)", "a (4)", "b"]
    assert distinct(["a", "a", "a (2)"]) == ["a", "a (2)", "a (2) (2)"]


def test_equal_arms_beside_others_say_the_same_and_change_no_verdict() -> None:
    alone, among = made("deluxe", CHANGED), made("deluxe", CHANGED, "deluxe", CHANGED)

    def said(found: Comparison, text: str) -> list[Any]:
        (arm,) = [arm for arm in found.arms if arm.text == text]
        return [replace(row, arm="") for row in sorted(found.of_arm(arm), key=lambda row: row.measure)]

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
    found = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [arm["arm"] for arm in found["arms"]] == ["deluxe", CHANGED, "deluxe (2)"]
    assert found["luck"][1] == {"arm": "deluxe (2)", "diverging": 0.0, "first_in_round": {}}
    assert "deluxe (2) against deluxe" in (tmp_path / "out" / "comparison.html").read_text()


@pytest.mark.parametrize("test", [("--sprt", "points: 0 vs 1"), ("--precision", "1", "--metric", "points")])
def test_a_sequential_test_of_equal_arms_ends_at_its_first_look(capsys: Any, test: tuple[str, ...]) -> None:
    found = json.loads(call(capsys, "compare", "deluxe", "deluxe", "--policies", "greedy", *test, "--json").out)
    assert (found["games"], found["luck"][0]["diverging"]) == (1_024, 0.0)
    assert [(row["mean"], row["verdict"]) for row in found["differences"]] == [(0.0, "identical")]


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
    found = json.loads(done.out)
    assert (done.code, found["sweep"]["reference"]) == (0, reference)
    rows = {row["value"]: row for row in found["sweep"]["responses"]}
    assert rows[reference]["reference"]
    assert "greedy:share=1" not in rows or rows["greedy:share=1"]["difference"] == 0


# --- the same deals ------------------------------------------------------------------------------------------------------------------


def test_a_change_that_touches_nothing_makes_exactly_no_difference() -> None:
    found = made("deluxe", "prices.sell.pig=3")
    assert found.diverged(found.arms[1]) == 0
    assert {(row.mean, row.low, row.high, row.error, row.verdict) for row in found.differences} == {(0.0, 0.0, 0.0, 0.0, "identical")}


def test_a_rule_that_no_policy_meets_makes_exactly_no_difference() -> None:
    """Other components, the same games."""
    found = made("deluxe", "farm.max_extensions=7")
    assert found.diverged(found.arms[1]) == 0
    assert all(row.verdict == "identical" for row in found.differences)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_order_of_games_in_a_block_leaves_no_trace(players: int) -> None:
    """Policies that draw no lots, one seat on, play the same games: as other rotations of the same block."""
    names = ["greedy", "balanced", "first_option", "farmer"][:players]
    turned = [*names[1:], names[0]]
    arms = [f"policies={','.join(order)}" for order in (names, turned)]
    found = made(*arms, shared=Shared("lagranja", ["greedy"], players, 5, "deluxe"), games=20 * players)
    assert found.diverged(found.arms[1]) == 1
    unchanged = [row for row in found.differences if "player" not in row.measure]
    assert all(row.verdict == "identical" for row in unchanged), [row for row in unchanged if row.verdict != "identical"]
    assert any(row.verdict == "different" for row in found.differences)


def test_neither_workers_nor_progress_change_the_numbers() -> None:
    one, other = made(PIG, games=1_300, jobs=1), made(PIG, games=1_300, jobs=3)
    assert one.differences == other.differences
    assert one.played.diverged == other.played.diverged
    assert list(spans_of(0, 70, 32)) == [(0, 32), (32, 32), (64, 6)]


def test_the_estimates_are_those_of_the_tables() -> None:
    """Against rows played one arm at a time, averaged by hand."""
    from lagranja_sim.play.driver import play_games

    found = made(PIG, games=200)
    points = []
    for arm in found.arms:
        seats = play_games(arm.setting.components, arm.setting.policies, 1, 0, 200, ["seats"])["seats"]
        points.append(seats["vp"].reshape(50, 16).mean(axis=1))
    row = next(row for row in found.differences if row.measure == "points")
    apart = points[1] - points[0]
    assert (row.before, row.after, row.mean) == pytest.approx((points[0].mean(), points[1].mean(), apart.mean()))
    assert row.error == pytest.approx(apart.std(ddof=1) / np.sqrt(50))
    assert row.correlation == pytest.approx(np.corrcoef(*points)[0, 1])
    assert row.saving == pytest.approx((points[0].var() + points[1].var()) / apart.var())


def test_every_table_adds_up() -> None:
    """Shares of wins by seat add up to one, points by source to points, faces to the dice that are taken."""
    found = made(CHANGED, shared=Shared("lagranja", ["greedy", "random", "random", "random"], 4, 2, "deluxe"), games=80)
    values = {row.measure: row for row in found.differences}
    for figure, total in (("before", 1.0), ("after", 1.0), ("mean", 0.0)):
        assert sum(getattr(values[f"win_share(seat{seat})"], figure) for seat in (1, 2, 3, 4)) == pytest.approx(total)
        by_source = sum(getattr(row, figure) for name, row in values.items() if name.startswith("vp_"))
        assert by_source == pytest.approx(getattr(values["points"], figure))
        by_policy = getattr(values["win_share(greedy)"], figure) + 3 * getattr(values["win_share(random)"], figure)
        assert by_policy == pytest.approx(total)


def test_divergence_is_dated_by_the_first_round_that_differs() -> None:
    arm = load_arms([PIG], GREEDY)[0]
    one = Match.of([arm, arm])._play(arm, 0, 1)
    other = {table: rows.copy() for table, rows in one.items()}
    assert divergence(one, other, 4) == {}
    other["seats"]["vp"][0] += 1
    other["rounds"]["silver"][24 + 8] += 1  # game 1, round 3
    assert divergence(one, other, 4) == {0: 1, 3: 1}


def test_a_game_of_fewer_rounds_differs_from_then_on() -> None:
    found = made("game.rounds=5+transport.donkeys_return_in_round=4", "deluxe", games=8)
    assert found.diverged(found.arms[1]) == 1


def test_seats_go_by_policy_where_all_arms_have_the_same() -> None:
    def labels(*texts: str) -> list[str]:
        return Match.of(load_arms(texts, Shared("lagranja", ["greedy", "random", "random", "random"], 4, 1, "deluxe"))).labels

    assert labels("deluxe", PIG) == ["greedy", "random", "random", "random"]
    assert labels("deluxe", "policies=random,random,random,greedy") == ["player1", "player2", "player3", "player4"]
    assert len(set(labels("policy=greedy", "policy=random"))) == 1


def test_false_discoveries_are_controlled_over_all_arms_together() -> None:
    found = made("deluxe", PIG, CHANGED, metric="points,margin")
    assert len(found.differences) == 4
    p_values, rates = zip(*((row.p, row.q) for row in found.differences), strict=True)
    assert max(rates) == pytest.approx(min(1, max(p_values)))
    assert [abs(row.z) for row in found.differences] == sorted((abs(row.z) for row in found.differences), reverse=True)


def test_a_width_is_reached_and_no_more_is_played() -> None:
    found = made(PIG, games=40_000, metric="points", precision=0.05)
    row = found.differences[0]
    assert row.high - row.low <= 0.1
    assert found.games < 40_000


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


# --- the command ---------------------------------------------------------------------------------------------------------------------

SHORT = ("--policies", "greedy", "--games", "200", "--jobs", "1")


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
    found = json.loads((tmp_path / "one" / "comparison.json").read_text())
    assert {row["verdict"] for row in found["differences"]} == {"undecided", "identical"}
    assert {(row["low"], row["high"], row["z"], row["p"]) for row in found["differences"]} == {(None,) * 4}


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
    found = json.loads(done.out)
    assert found["sequential"]["decision"] == "high"
    assert found["games"] == 1_024
    assert found["sequential"]["estimate_low"] < found["sequential"]["estimate"] < found["sequential"]["estimate_high"]
    assert "rather than +0 or less" in found["decision"]


def test_a_sequential_test_gives_up_at_its_cap(capsys: Any) -> None:
    test = ("--sprt", "points: 0 vs 0.00001", "--games", "1200")
    done = call(capsys, "compare", PIG, "--policies", "greedy", *test, "--json")
    found = json.loads(done.out)
    assert (found["games"], found["sequential"]["decision"]) == (1_536, "undecided")
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
    found = json.loads((out / "comparison.json").read_text())
    assert (found["sweep"]["key"], found["sweep"]["reference"]) == ("prices.sell.pig", "3")
    points = [row for row in found["sweep"]["responses"] if row["measure"] == "points"]
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
    assert "http" not in pages[0].replace("data:image", "")
    assert arm not in pages[0]  # quotes are escaped
    HTMLParser().feed(pages[0])
    assert (tmp_path / "one" / "comparison.svg").read_bytes() == (tmp_path / "two" / "comparison.svg").read_bytes()


def test_arms_are_tuned_first_if_that_is_wanted(capsys: Any) -> None:
    done = call(capsys, "compare", CHANGED, "--policies", "greedy", "--games", "40", "--retune", "1", "--json")
    found = json.loads(done.out)
    assert [arm["retuned"]["generations"] for arm in found["arms"]] == [1, 1]
    for arm in found["arms"]:
        assert arm["retuned"]["kept"] == (arm["retuned"]["gain"]["mean"] > 0)
    assert done.err.count("tuned for 1 generation") == 2
    assert found["block"].count("; tuned for 1 generation: wins ") == 2


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
    played = made("deluxe", PIG, shared=shared, games=200)
    assert read.games == 200
    assert read.played.diverged == played.played.diverged
    for one, other in zip(read.played.differences, played.played.differences, strict=True):
        assert one.mean == pytest.approx(other.mean)
        assert one.squares == pytest.approx(other.squares)


def test_a_run_is_a_control_of_itself(runs: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs)
    done = call(capsys, "compare", "plain", "plain", "./plain", "--json")
    found = json.loads(done.out)
    assert [arm["arm"] for arm in found["arms"]] == ["plain", "plain (2)", "./plain"]
    assert {row["verdict"] for row in found["differences"]} == {"identical"}


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
    found = json.loads(manifest.read_text())
    found["hashes"]["components"] = "0" * 16
    manifest.write_text(json.dumps(found))
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
    made = call(capsys, "compare", "mine.toml", "--seed", "3")
    assert made.code == 0, made.err
    assert "8 games of 2 players" in made.out and "yucata against deluxe" in made.out
    (tmp_path / "mine.toml").write_text('name = "mine"\narms = ["deluxe"]\ngame = 8\n')
    refused = call(capsys, "compare", "mine.toml")
    assert refused.code == 2 and "mine.toml, game: " in refused.err


def test_the_shipped_comparison_of_variants(capsys):
    made = call(capsys, "compare", "variants", "--games", "8", "--policies", "random")
    assert made.code == 0, made.err
    assert all(f"{name} against deluxe" in made.out for name in ("first_edition", "bga", "yucata"))
