"""The page and its files: built whole, with sections that lack or fail, from good and bad runs."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from made_runs import changed, made_up_games, settle, write_run

from lagranja_sim.report import style
from lagranja_sim.report.build import ReportError
from lagranja_sim.report.make import make_report
from lagranja_sim.report.start import start_section
from lagranja_sim.runs.records import RunError

GAMES, POLICIES = 800, ["one", "two", "one", "two"]
MINE = ["takeaways", "what_was_run", "dice", "turn_order", "buildings", "method"]


def made_run(folder, tables=("games", "seats", "rounds"), games=GAMES, **experiment):
    made = made_up_games(games, seed=experiment.get("seed", 5))
    settle(made, 2 * (made["seats"]["start_position"] == 1))
    return str(write_run(folder, {table: made[table] for table in tables}, POLICIES, games, **experiment))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made_run(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture(scope="module")
def whole(run, tmp_path_factory):
    """A report of the sections that need no more than these tables."""
    return make_report([run], str(tmp_path_factory.mktemp("report") / "made"), MINE).path


def listed(path):
    return {section["name"]: section for section in json.loads((path.parent / "report.json").read_text())["sections"]}


# --- the page ------------------------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Links, ids, images and outside addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.images = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if tag == "a" else []
        self.images += [attributes] if tag == "img" else []
        assert tag != "script" and not str(attributes.get("src", "data:")).startswith("http")


def test_the_page_needs_no_other_file_and_its_links_lead_somewhere(whole):
    page = Page(whole.read_text())
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        assert link[1:] in page.ids if link.startswith("#") else (whole.parent / link).is_file(), link
    assert {f"#{name}" for name in MINE} <= set(page.links)


def test_every_figure_has_a_text_and_stands_in_the_page(whole):
    page = Page(whole.read_text())
    assert page.images and all(len(image["alt"]) > 20 and image["src"].startswith("data:image/svg+xml;base64,") for image in page.images)


def test_figures_and_tables_lie_beside_the_page(whole):
    stems = {kind: {path.stem for path in whole.parent.glob(f"*/*.{kind}")} for kind in ("png", "svg", "csv", "json")}
    assert stems["png"] == stems["svg"] and "dice-value_by_round" in stems["png"]
    assert stems["csv"] == stems["json"] and "buildings-blocked" in stems["csv"]


def test_takeaways_are_at_most_ten_and_the_strongest_come_first(whole):
    takeaways = listed(whole)["takeaways"]["takeaways"]
    decided = [takeaway["strength"] for takeaway in takeaways if takeaway["strength"] >= 1]
    assert 0 < len(takeaways) <= 10 and decided == sorted(decided, reverse=True)
    assert all(takeaway["section"] in MINE for takeaway in takeaways)


def test_only_the_formats_asked_for(run, tmp_path):
    report = make_report([run], str(tmp_path / "out"), ["turn_order"], ["csv"])
    assert {path.suffix for path in report.path.rglob("*.*")} == {".csv", ".json"}
    assert not list(report.path.glob("*.html")) and not list(report.path.glob("tables/*.json"))


def test_the_same_run_gives_the_same_bytes(run, tmp_path):
    pages = [make_report([run], str(tmp_path / name), ["dice", "buildings"]).path.read_bytes() for name in "ab"]
    assert pages[0] == pages[1]


def test_two_runs_are_read_as_one(run, tmp_path):
    other = made_run(tmp_path / "other", seed=6)
    path = make_report([run, other], str(tmp_path / "out"), ["what_was_run", "turn_order"]).path
    assert f"{2 * GAMES:,} games" in path.read_text()
    assert json.loads((path.parent / "tables/turn_order-start.json").read_text())[0]["seats"] == 2 * GAMES


# --- bad input -----------------------------------------------------------------------------------------------------------------------


def test_a_section_whose_table_was_not_kept_says_so(tmp_path):
    path = make_report([made_run(tmp_path / "run", ["games", "seats"])], str(tmp_path / "out"), MINE).path
    assert "did not keep rounds" in listed(path)["dice"]["lacks"]
    assert "did not keep rounds" in path.read_text()
    assert listed(path)["buildings"]["takeaways"]


def test_too_few_games_for_a_section(tmp_path):
    report = make_report([made_run(tmp_path / "run", games=8)], str(tmp_path / "out"), MINE)
    sections = listed(report.path)
    assert not report.failures and "at least" in sections["dice"]["lacks"] and "there are 8" in sections["dice"]["lacks"]
    assert sections["takeaways"]["lacks"]


def test_a_folder_that_is_no_run(tmp_path):
    with pytest.raises(RunError, match="is not a run"):
        make_report([str(tmp_path)], str(tmp_path / "out"))


def test_a_run_of_another_schema_version(tmp_path):
    run = made_run(tmp_path / "run")
    changed(tmp_path / "run", {"schema_version": 99})
    with pytest.raises(RunError, match="schema version 99"):
        make_report([run], str(tmp_path / "out"))


def test_a_missing_part(tmp_path):
    run = made_run(tmp_path / "run")
    (tmp_path / "run/rounds/part-00001.parquet").unlink()
    with pytest.raises(RunError, match=r"part-00001\.parquet is missing"):
        make_report([run], str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_an_altered_part_fails_the_sections_that_read_it(tmp_path):
    run = made_run(tmp_path / "run")
    path = tmp_path / "run/rounds/part-00001.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    report = make_report([run], str(tmp_path / "out"), MINE)
    sections = listed(report.path)
    assert "is not what the run wrote" in sections["dice"]["failure"] and not sections["buildings"]["failure"]
    assert len(report.failures) == 2


def test_different_experiments_are_not_mixed(run, tmp_path):
    other = made_run(tmp_path / "other", seed=6, variant="yucata")
    with pytest.raises(RunError, match="different experiments: they differ in variant"):
        make_report([run, other], str(tmp_path / "out"))


def test_the_same_games_twice(run, tmp_path):
    with pytest.raises(RunError, match="the same games twice"):
        make_report([run, run], str(tmp_path / "out"))


@pytest.mark.parametrize(
    ("options", "words"), [({"sections": ["dise"]}, "did you mean dice"), ({"formats": ["pdf"]}, "there is no format 'pdf'")]
)
def test_unknown_names(run, tmp_path, options, words):
    with pytest.raises(ReportError, match=re.escape(words)):
        make_report([run], str(tmp_path / "out"), **options)


def test_a_report_is_replaced_only_if_asked_and_nothing_else_ever(run, tmp_path):
    out = tmp_path / "out"
    make_report([run], str(out), ["method"])
    with pytest.raises(ReportError, match="--force replaces it"):
        make_report([run], str(out), ["method"])
    (out / "mine.txt").write_text("kept")
    make_report([run], str(out), ["what_was_run"], force=True)
    assert (out / "mine.txt").exists() and not (out / "tables/method-sources.csv").exists()
    (out / "report.json").unlink()
    with pytest.raises(ReportError, match="not a report"):
        make_report([run], str(out), ["method"], force=True)


# --- a user's own sections -------------------------------------------------------------------------------------------------------------


def test_a_started_section_appears_as_it_is(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert start_section("my_question").read_text().startswith('"""my_question')
    report = make_report([run], "out", ["my_question"])
    assert not report.failures and "My question" in report.path.read_text()
    with pytest.raises(ReportError, match="exists already"):
        start_section("my_question")
    with pytest.raises(ReportError, match="cannot be the name"):
        start_section("my question")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def build(data):\n    1 / 0\n", "ZeroDivisionError: division by zero"),
        ("raise KeyError('gone')\n", "KeyError: 'gone'"),
        ("this is no Python\n", "SyntaxError"),
        ("", "defines no build"),
    ],
)
def test_a_section_that_fails_is_shown_as_failed(run, tmp_path, monkeypatch, source, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports/broken.py").write_text("TITLE, QUESTION = 'Broken', 'Why?'\n" + source)
    report = make_report([run], "out", ["broken", "method"])
    assert len(report.failures) == 1 and words in report.failures[0]
    page = report.path.read_text()
    assert "This section failed" in page and "Definitions" in page


# --- in a browser ----------------------------------------------------------------------------------------------------------------------

PROBE = """<script>
window.problems = [];
window.addEventListener("error", event => problems.push(String(event.message)));
window.addEventListener("load", () => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) problems.push("overflow " + document.documentElement.scrollWidth + " > " + width);
  for (const image of document.images) if (!image.complete || image.naturalWidth === 0) problems.push("no image: " + image.alt);
  for (const link of document.querySelectorAll('a[href^="#"]')) if (!document.querySelector(link.hash)) problems.push("no target: " + link.hash);
  document.title = "PROBED at " + innerWidth + ": " + JSON.stringify(problems);
});
</script>"""


def browser():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no chromium on the PATH: the page was not looked at in a browser")
    return [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=5000"]


@pytest.mark.parametrize("width", [400, 1400])
def test_in_a_browser_nothing_overflows_and_all_links_and_images_work(whole, tmp_path, width):
    """The page stands in a frame of that width, for a browser window cannot be as narrow as a telephone."""
    probed = tmp_path / "probed.html"
    probed.write_text(whole.read_text().replace("</head>", PROBE + "</head>"))
    frame = tmp_path / "frame.html"
    frame.write_text(
        f'<title>waiting</title><iframe src="probed.html" width="{width}" height="900" style="border: 0" '
        'onload="setTimeout(() => document.body.append(this.contentDocument.title), 500)"></iframe>'
    )
    command = [*browser(), "--allow-file-access-from-files", f"--window-size={width + 100},1000", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert f"PROBED at {width}: []" in done.stdout, done.stdout[-500:]
    assert "CONSOLE" not in done.stderr


def test_in_a_browser_it_prints(whole, tmp_path):
    target = tmp_path / "page.pdf"
    subprocess.run([*browser(), f"--print-to-pdf={target}", whole.as_uri()], capture_output=True, timeout=120, check=True)
    assert target.read_bytes().startswith(b"%PDF") and target.stat().st_size > 20_000


def drawn(kind):
    figure, axes = style.new_figure(2, 2)
    axes.plot([1, 2])
    return style.image(figure, kind, 50)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_an_image_has_the_same_bytes_whenever_it_is_drawn(kind):
    content = drawn(kind)
    assert content == drawn(kind)
    assert b"dc:date" not in content and b"Software" not in content
