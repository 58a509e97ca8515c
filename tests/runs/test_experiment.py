"""Experiment files: what is read, what is adjusted, and what is refused with which words."""

import json
from pathlib import Path
from typing import Any

import pytest

from lagranja_sim.runs.experiment import ExperimentError, experiment_from, load_experiment, to_toml

TABLES = ("games", "seats", "rounds", "cards", "market")
GOOD = 'games = 8\nplayers = 4\nseed = 1\npolicies = ["a", "b", "c", "d"]\n'


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes an experiment file into an empty current folder."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "mine.toml") -> str:
        (tmp_path / name).write_text(text)
        return name

    return write


def problems(name: str, **options: Any) -> list[str]:
    with pytest.raises(ExperimentError) as caught:
        load_experiment(name, options)
    return caught.value.problems


# --- what is read ------------------------------------------------------------------------------------------------------------------


def test_defaults_are_all_tables_the_deluxe_variant_and_the_name_of_the_file(written: Any) -> None:
    loaded = load_experiment(written(GOOD))
    assert loaded.experiment.name == "mine"
    assert loaded.experiment.log == list(TABLES)
    assert loaded.experiment.variant == "deluxe"
    assert loaded.experiment.blocks == 2
    assert loaded.remarks == []


def test_the_shipped_baseline_is_found_by_name(written: Any) -> None:
    experiment = load_experiment("baseline").experiment
    assert (experiment.name, experiment.games, experiment.players) == ("baseline", 20_000, 4)
    assert experiment.policies == ["greedy", "random", "random", "random"]


def test_an_own_experiment_hides_the_shipped_one_of_that_name(written: Any, tmp_path: Path) -> None:
    (tmp_path / "experiments").mkdir()
    written(GOOD, "experiments/baseline.toml")
    assert load_experiment("baseline").experiment.games == 8


def test_one_policy_stands_for_all_seats(written: Any) -> None:
    assert load_experiment(written(GOOD.replace('"a", "b", "c", "d"', '"a"'))).experiment.policies == ["a"] * 4


def test_options_take_the_place_of_the_file(written: Any) -> None:
    experiment = load_experiment(written(GOOD), {"games": 400, "seed": 9, "players": None}).experiment
    assert (experiment.games, experiment.seed, experiment.players) == (400, 9, 4)


@pytest.mark.parametrize(("asked", "played"), [(1, 4), (4, 4), (5, 8), (10, 12)])
def test_games_are_rounded_up_to_whole_blocks_and_that_is_said(written: Any, asked: int, played: int) -> None:
    loaded = load_experiment(written(GOOD), {"games": asked})
    assert loaded.experiment.games == played
    assert bool(loaded.remarks) == (asked != played)
    games = "1 game is" if asked == 1 else f"{asked} games are"
    assert all(f"{games} rounded up to {played}" in remark for remark in loaded.remarks)


def test_tables_keep_their_order(written: Any) -> None:
    assert load_experiment(written(GOOD + 'log = ["seats", "games"]\n')).experiment.log == ["games", "seats"]


def test_overrides_may_be_nested_or_dotted(written: Any) -> None:
    name = written(GOOD + '[overrides]\n"market.removal_vp" = 2\n[overrides.prices.sell]\npig = 4\n')
    assert load_experiment(name).experiment.overrides == {"market.removal_vp": 2, "prices.sell.pig": 4}


def test_paths_count_from_the_file_and_become_absolute(written: Any, tmp_path: Path) -> None:
    (tmp_path / "folder" / "box").mkdir(parents=True)
    written("", "folder/other.toml")
    name = written(GOOD + 'variant = "other.toml"\ncomponents = "box"\n', "folder/mine.toml")
    experiment = load_experiment(name).experiment
    assert experiment.variant == str(tmp_path / "folder" / "other.toml")
    assert experiment.components == str(tmp_path / "folder" / "box")


def test_a_resolved_experiment_written_as_toml_reads_back_the_same(written: Any) -> None:
    text = GOOD + 'name = "x"\ndescription = "say \\"hello\\""\nlog = ["seats"]\n[overrides]\na.b = [1, 2]\nc = true\n'
    experiment = load_experiment(written(text)).experiment
    assert load_experiment(written(to_toml(experiment), "again.toml")).experiment == experiment


def test_the_manifest_of_a_run_is_an_experiment(written: Any, tmp_path: Path) -> None:
    experiment = load_experiment(written(GOOD)).experiment
    (tmp_path / "run").mkdir()
    written(json.dumps({"experiment": experiment.model_dump()}), "run/manifest.json")
    assert load_experiment("run").experiment == experiment


def test_values_of_the_command_line_alone_make_an_experiment() -> None:
    loaded = experiment_from({"name": "x", "games": 2, "players": 2, "seed": 1, "policies": ["a"]})
    assert loaded.experiment.policies == ["a", "a"]
    with pytest.raises(ExperimentError, match=r"--policies: 3 are named for 2 players"):
        experiment_from({"name": "x", "games": 2, "players": 2, "seed": 1, "policies": ["a", "b", "c"]})


# --- what is refused -----------------------------------------------------------------------------------------------------------------

WRONG = {
    "games = 0": "mine.toml:1: games: must be at least 1, not 0",
    "games = -4": "mine.toml:1: games: must be at least 1, not -4",
    'games = "many"': 'mine.toml:1: games: must be a whole number, not "many"',
    "games = 1.5": "mine.toml:1: games: must be a whole number, not 1.5",
    "games = true": "mine.toml:1: games: must be a whole number, not true",
    "games = 3_000_000_000": "mine.toml:1: games: must be at most 2000000000, not 3000000000",
    "games = 8\ngammes = 8": "mine.toml:2: gammes: is no key of an experiment (did you mean games or game?)",
    "games = 8\nname = 'a/b'": "mine.toml:2: name: must be a plain name (letters, digits, '.', '_', '-'), not \"a/b\"",
    "games = 8\nvariant = 3": "mine.toml:2: variant: must be text in quotes, not 3",
    "games = 8\nvariant = 'no.toml'": "mine.toml:2: variant: there is no no.toml",
    "games = 8\ncomponents = 'nowhere'": "mine.toml:2: components: there is no nowhere",
    "games = 8\nlog = 'games'": 'mine.toml:2: log: must be a list, not "games"',
    "games = 8\nlog = []": "mine.toml:2: log: must not be empty",
    "games = 8\nlog = ['round']": "mine.toml:2: log: no table 'round'; there are games, seats, rounds, cards, market (did you mean rounds?)",
    "games = 8\noverrides = 3": "mine.toml:2: overrides: must be a table, not 3",
}


@pytest.mark.parametrize(("line", "message"), WRONG.items(), ids=WRONG)
def test_a_wrong_value_is_named_with_file_line_and_key(written: Any, line: str, message: str) -> None:
    assert problems(written(GOOD.replace("games = 8", line))) == [message]


MISSING = ["games = 8", "players = 4", "seed = 1", 'policies = ["a", "b", "c", "d"]']


@pytest.mark.parametrize("line", MISSING)
def test_a_missing_key_is_named(written: Any, line: str) -> None:
    assert problems(written(GOOD.replace(line + "\n", ""))) == [f"mine.toml: {line.partition(' ')[0]}: is missing"]


def test_all_problems_are_told_at_once(written: Any) -> None:
    assert len(problems(written("games = 0\nplayers = 0\nseed = -1\npolicies = []\n"))) == 4


def test_an_entry_of_a_list_is_named(written: Any) -> None:
    assert problems(written(GOOD.replace('"b"', "2"))) == ["mine.toml:4: policies (entry 2): must be text in quotes, not 2"]


def test_policies_must_fit_the_seats(written: Any) -> None:
    assert problems(written(GOOD.replace(', "d"', ""))) == [
        "mine.toml:4: policies: 3 are named for 4 players; name one a seat, or one for all"
    ]


def test_a_number_of_players_the_game_is_not_for_is_refused_where_it_was_given(written: Any) -> None:
    name = written('games = 5\nplayers = 5\nseed = 1\npolicies = ["a"]\n')
    with pytest.raises(ExperimentError, match=r"^mine.toml:2: players: Chess is for 2 to 4 players, not 5$"):
        load_experiment(name).check_players(range(2, 5), "Chess")
    with pytest.raises(ExperimentError, match=r"^--players: "):
        load_experiment(name, {"players": 6}).check_players(range(2, 5), "Chess")
    with pytest.raises(ExperimentError, match=r"players: Chess is for 1, 3 or 4 players, not 5$"):
        load_experiment(name).check_players((1, 3, 4), "Chess")


def test_an_option_is_named_instead_of_the_file(written: Any) -> None:
    assert problems(written(GOOD), games=-1, seed=-2) == ["--games: must be at least 1, not -1", "--seed: must be at least 0, not -2"]


def test_what_is_not_toml_is_refused_with_its_line(written: Any) -> None:
    assert problems(written("games = 8\nplayers = = 4\n")) == ["mine.toml:2: not TOML: invalid value"]


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    assert problems(str(tmp_path / "x.toml")) == [f"{tmp_path / 'x.toml'}: is not UTF-8 text (byte 1)"]


def test_an_unknown_experiment_is_refused_with_near_names(written: Any) -> None:
    (problem,) = problems("basline")
    assert problem.startswith("no experiment 'basline': neither a file nor one of ")
    assert problem.endswith("(did you mean baseline?)")
