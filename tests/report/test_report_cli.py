"""`lagranja report` as it is called, on games that were really played."""

import json

import made_runs
import pytest
from calls import call

EXPERIMENT = """
name = "planted"
games = 1_200
players = 4
seed = 3
policies = ["random"]

[overrides]
"setup.bonus_vp_by_position" = [0, 3, 0, 0]
"buildings.bonus_vp.deli" = 4
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Random players, of whom the second in the first order gets three points."""
    from lagranja_sim.runs.experiment import load_experiment
    from lagranja_sim.runs.setting import Setting
    from lagranja_sim.runs.simulate import run_experiment
    from lagranja_sim.runs.workers import Workers

    folder = tmp_path_factory.mktemp("played")
    (folder / "planted.toml").write_text(EXPERIMENT)
    loaded = load_experiment(str(folder / "planted.toml"), {})
    setting = Setting.checked(loaded)
    run_experiment(loaded.experiment, setting, str(folder / "run"), Workers.of(setting, 1))
    return folder / "run"


def test_a_whole_report_of_a_played_run(run, tmp_path, capsys):
    called = call(capsys, "report", run, "--out", tmp_path / "out")
    assert (called.code, called.err) == (0, "")
    assert called.out == f"written to {tmp_path / 'out' / 'index.html'}\n"
    page = (tmp_path / "out/index.html").read_text()
    assert "This section failed" not in page and "deli = 4" in page
    start = json.loads((tmp_path / "out/tables/turn_order-start.json").read_text())
    points = [row["points"] for row in sorted(start, key=lambda row: row["start position"])]
    others = (points[0] + points[2] + points[3]) / 3
    assert points[1] - others == pytest.approx(3, abs=0.8)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere"], 2, "there is no such folder"),
        (["RUN", "--sections", "dise"], 2, "did you mean dice"),
        (["RUN", "--format", "pdf"], 2, "there is no format 'pdf'"),
        (["--new", "my section"], 2, "cannot be the name of a section"),
        ([], 2, "give either runs, or --new and a name"),
    ],
)
def test_errors_are_lines_on_stderr(run, tmp_path, capsys, arguments, code, words):
    called = call(capsys, "report", *(run if word == "RUN" else word for word in arguments))
    assert called.code == code and words in called.err and not called.out


def test_a_failing_section_ends_with_1_and_the_page_is_there(run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports/broken.py").write_text("TITLE, QUESTION = 'Broken', 'Why?'\ndef build(data):\n    raise ValueError('no idea')\n")
    called = call(capsys, "report", run, "--out", "out", "--sections", "broken,method")
    assert called.code == 1 and called.err == "lagranja: section broken failed: ValueError: no idea\n"
    assert "no idea" in (tmp_path / "out/index.html").read_text()


def test_a_new_section(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call(capsys, "report", "--new", "my_question").out == "written to reports/my_question.py\n"


@pytest.mark.parametrize("games", [4, 8])
def test_a_report_of_hardly_any_games_says_what_it_lacks(tmp_path, capsys, monkeypatch, games):
    monkeypatch.chdir(tmp_path)
    made_runs.write_run(tmp_path / "few", made_runs.made_up_games(games), ["a", "b", "c", "d"], games)
    assert call(capsys, "report", "--new", "mine").code == 0
    path = tmp_path / "reports" / "mine.py"
    path.write_text(path.read_text().replace("MIN_GAMES = 40", "MIN_GAMES = 1"))
    answer = json.loads(call(capsys, "report", "few", "--json").out)
    assert answer["failures"] == []
    assert {"dice", "points", "policies", "turn_order"} <= set(answer["lacking"])
    page = (tmp_path / "few-report" / "index.html").read_text()
    assert f"It needs at least 200 games; there are {games}." in page
    assert ("(too few blocks for an interval)" in page) == (games == 4)
    assert ">nan<" not in page.lower() and "(nan" not in page.lower()


HEAD = "from lagranja_sim.report.section import *\n\nTITLE, QUESTION = 'Odd', 'Why?'\n"
ODD_SECTIONS = {
    "ORDER = 'first'": "ORDER is a number",
    "ORDER = float('nan')": "ORDER is a number",
    "NEEDS = 'seats'": "NEEDS is a list of names of tables",
    "MIN_GAMES = None": "MIN_GAMES is a whole number",
    "build = 3": "defines no build",
    "return None": "build returns a Section, not None",
    "return Section(TITLE, QUESTION, takeaways=['x'])": "takeaways of a Section is a list of Takeaway",
    "return Section(TITLE, QUESTION, takeaways=[Takeaway('x', 'much')])": "a Takeaway has a text and, as its strength, a number",
    "return Section(TITLE, QUESTION, tables=None)": "tables of a Section is a list of Table",
    "return Section(TITLE, QUESTION, caveats=3)": "caveats of a Section is a list of str",
}


@pytest.mark.parametrize(("line", "told"), ODD_SECTIONS.items(), ids=ODD_SECTIONS)
def test_an_odd_section_does_not_take_the_page_with_it(tmp_path, capsys, monkeypatch, line, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    body = (
        f"def build(data):\n    {line}\n"
        if line.startswith("return")
        else f"def build(data):\n    return Section(TITLE, QUESTION)\n{line}\n"
    )
    (tmp_path / "reports" / "odd.py").write_text(HEAD + body)
    made_runs.write_run(tmp_path / "few", made_runs.made_up_games(8), ["a", "b", "c", "d"], 8)
    done = call(capsys, "report", "few", "--sections", "odd,what_was_run", "--format", "html")
    assert (done.code, done.out) == (1, "written to few-report/index.html\n")
    assert done.err.startswith("lagranja: section odd failed: ") and told in done.err
    page = (tmp_path / "few-report" / "index.html").read_text()
    assert told in page and 'id="what_was_run"' in page
