"""`lagranja components` and `lagranja variants`: addresses that are shown, what differs between two sets, and variants that are written down."""

import json
from pathlib import Path
from typing import Any

import pytest
from calls import call

from lagranja_sim.games.lagranja.components import load_components
from lagranja_sim.games.lagranja.components.addresses import is_printed


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- addresses -------------------------------------------------------------------------------------------------------------------------


def headed(text: str) -> dict[str, str]:
    """What a printed table shows, by address; of a value that is wrapped, the first line."""
    shown: dict[str, str] = {}
    heads: list[tuple[int, str]] = []
    for line in text.splitlines():
        if line.startswith("  address"):
            heads = [(line.index(f"  {word}") + 2, word) for word in line.split()]
        elif heads and line.startswith("  ") and line.split() and "." in line.split()[0]:
            ends = [start for start, _ in heads[1:]] + [len(line)]
            cells = {word: line[start:end].strip() for (start, word), end in zip(heads, ends, strict=True)}
            shown |= {f"{cells['address']}.{word}": cell for word, cell in cells.items() if word != "address"}
    return shown


@pytest.mark.parametrize("part", ["cards", "roofs", "buildings", "market"])
def test_every_value_of_a_part_is_shown_under_its_address(capsys: Any, part: str) -> None:
    shown = headed(call(capsys, "components", "--part", part).out)
    values = load_components().values
    names = {address for address in values if address.split(".")[0] == part and is_printed(address)}
    assert names <= set(shown)
    for address in ("cards.12.barrow_vp", "roofs.3.round", "buildings.deli.goods", "market.9.value"):
        assert address.split(".")[0] != part or shown[address] == str(values[address])


def test_numbers_of_the_rules_are_shown_entry_by_entry(capsys: Any) -> None:
    lines = call(capsys, "components", "--part", "rules").out.splitlines()
    rows = {line.split()[0]: line for line in lines if line.startswith("  ") and line.strip()}
    assert '"gain silver 4"' in rows["revenue.faces.4"]
    assert "[1, 3]" in rows["transport.donkeys.1"]
    assert "documented" in rows["transport.donkeys.1"]
    assert "revenue.faces" not in rows


def test_a_changed_entry_is_marked(capsys: Any, project: Path) -> None:
    (project / "faces.toml").write_text('base = "deluxe"\n"revenue.faces.4" = "gain silver 5"\n')
    lines = call(capsys, "components", "--part", "rules", "--variant", "faces.toml").out.splitlines()
    assert [line.split()[0] for line in lines if line.split()[-1:] == ["yes"]] == ["revenue.faces.4"]


# --- diff ------------------------------------------------------------------------------------------------------------------------------

YUCATA = [
    {"address": "setup.markers", "a": 25, "b": 0},
    {"address": "transport.extra_delivery_limit_fixed", "a": False, "b": True},
]


def test_two_variants_differ_value_by_value(capsys: Any) -> None:
    text, data = call(capsys, "components", "diff", "deluxe", "yucata"), call(capsys, "components", "diff", "deluxe", "yucata", "--json")
    assert (text.code, text.err, data.code, data.err) == (0, "", 0, "")
    assert json.loads(data.out) == YUCATA
    rows = [line.split() for line in text.out.splitlines() if line.strip()]
    assert rows == [
        ["address", "deluxe", "yucata"],
        ["setup.markers", "25", "0"],
        ["transport.extra_delivery_limit_fixed", "false", "true"],
    ]


def test_nothing_differs_from_itself(capsys: Any) -> None:
    same = call(capsys, "components", "diff", "bga", "bga")
    assert (same.code, same.out, same.err) == (0, "no value differs\n", "")
    assert json.loads(call(capsys, "components", "diff", "bga", "bga", "--json").out) == []


def test_a_folder_and_a_file_of_differences_are_sets(capsys: Any, project: Path, mine: Any) -> None:
    spaces = len(mine.table("market.csv")) - 1
    mine.cell("cards.csv", 13, "barrow_vp", "2").cell("buildings.csv", 4, "goods", "wine").drop("market.csv", spaces + 1)
    found = {
        row["address"]: (row["a"], row["b"]) for row in json.loads(call(capsys, "components", "diff", "deluxe", mine.folder, "--json").out)
    }
    assert found["cards.12.barrow_vp"][1] == 2
    assert found["buildings.deli.goods"] == ("commodity commodity commodity", "wine")
    assert [address for address, (_, b) in found.items() if b is None and address.endswith("value")] == [f"market.{spaces}.value"]
    (project / "own.toml").write_text('base = "yucata"\n')
    assert call(capsys, "components", "diff", "yucata", "own.toml").out == "no value differs\n"


def test_a_value_that_one_set_has_not_is_a_dash(capsys: Any, project: Path) -> None:
    (project / "three.toml").write_text('base = "deluxe"\n[transport]\ndonkeys = [[1, 3], [2, 2], [3, 1], [4, 0], [4, 1]]\n')
    line = next(line for line in call(capsys, "components", "diff", "deluxe", "three.toml").out.splitlines() if "donkeys.5" in line)
    assert line.split() == ["transport.donkeys.5", "-", "[4,", "1]"]


# --- variants of one's own ---------------------------------------------------------------------------------------------------------------


def test_a_variant_is_written_and_found_by_its_name(capsys: Any, project: Path) -> None:
    changes = ("prices.sell.pig=2", "revenue.faces.4=gain silver 5", "cards.1.ext_hand-=1")
    made = call(capsys, "variants", "new", "cheap_pigs", *changes, "--base", "bga", "--title", 'Cheap "pigs" 🐖')
    assert (made.code, made.err) == (0, "")
    assert made.out == "wrote variants/cheap_pigs.toml\nsee what it changes: lagranja components diff bga cheap_pigs\n"
    assert (project / "variants" / "cheap_pigs.toml").read_text() == (
        'name = "cheap_pigs"\ntitle = "Cheap \\"pigs\\" 🐖"\nbase = "bga"\n\n'
        '"prices.sell.pig" = 2\n"revenue.faces.4" = "gain silver 5"\n"cards.1.ext_hand" = "-=1"\n'
    )
    differing = json.loads(call(capsys, "components", "diff", "bga", "cheap_pigs", "--json").out)
    assert [row["address"] for row in differing] == ["cards.1.ext_hand", "prices.sell.pig", "revenue.faces.4"]
    assert "cheap_pigs" in [variant["name"] for variant in json.loads(call(capsys, "variants", "--json").out)]
    assert json.loads(call(capsys, "play", "cheap_pigs", "--seed", 1, "--json").out.splitlines()[0])["variant"] == "cheap_pigs"


def test_a_variant_without_options_is_laid_on_the_usual_one(capsys: Any, project: Path) -> None:
    assert call(capsys, "variants", "new", "rich", "setup.silver+=1").code == 0
    assert (project / "variants" / "rich.toml").read_text() == 'name = "rich"\ntitle = "rich"\nbase = "deluxe"\n\n"setup.silver" = "+=1"\n'
    assert load_components(variant="rich").rules.setup.silver == load_components().rules.setup.silver + 1


REFUSED = {
    ("bga", "prices.sell.pig=2"): "a variant called 'bga' comes with the tool; choose another name",
    ("kept", "prices.sell.pig=2"): "variants/kept.toml exists; it is left as it is",
    ("../odd", "prices.sell.pig=2"): "'../odd' is no name for a variant",
    ("odd", "prices.sell.pig=x"): "variants/odd.toml, line 5, prices.sell.pig: 'x' does not fit",
    ("odd", "cards.1.barrow_vp=900"): "variants/odd.toml, line 5, cards.1.barrow_vp: '900' does not fit",
    ("odd", "cards.1.barow_vp=2"): "change 'cards.1.barow_vp=2': nothing is called 'cards.1.barow_vp' (did you mean cards.1.barrow_vp",
    ("odd", "variant=bga"): "change 'variant=bga': a file of a variant holds values; what it is laid on is named by --base",
    ("odd", "policy=greedy"): "who plays is no change of the game",
    ("odd", "prices.sell.pig=2", "--base", "bggg"): "'bggg' is no variant",
    ("odd", "prices.sell.pig=2", "--game", "chess"): "no game is called 'chess'",
    ("odd",): "Missing argument 'CHANGE...'",
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.items(), ids=[" ".join(arguments) for arguments in REFUSED])
def test_a_variant_that_cannot_be_is_not_written(capsys: Any, project: Path, arguments: tuple[str, ...], message: str) -> None:
    (project / "variants").mkdir()
    (project / "variants" / "kept.toml").write_text('name = "kept"\n')
    failed = call(capsys, "variants", "new", *arguments)
    assert (failed.code, failed.out) == (2, "")
    assert message in failed.err
    assert [path.name for path in (project / "variants").iterdir()] == ["kept.toml"]
    assert (project / "variants" / "kept.toml").read_text() == 'name = "kept"\n'


WRONG = {
    "components diff bga": "Missing argument 'B'",
    "components diff bga nowhere": "'nowhere' is no variant",
    "components diff bga nowhere.toml": "'nowhere.toml' is no file",
    "components diff bga empty": "cards.csv: is missing in empty",
    "components diff bga yucata --game chess": "no game is called 'chess'",
    "components dif bga yucata": "No such command 'dif'",
    "components --json diff bga yucata": "--json stands before diff",
    "variants --game lagranja new odd prices.sell.pig=2": "--game stands before new",
    "variants nwe odd": "No such command 'nwe'",
}


@pytest.mark.parametrize(("line", "message"), WRONG.items(), ids=WRONG)
def test_a_wrong_call_ends_with_2_and_says_why(capsys: Any, project: Path, line: str, message: str) -> None:
    (project / "empty").mkdir()
    failed = call(capsys, *line.split())
    assert (failed.code, failed.out) == (2, "")
    assert message in failed.err
    assert [path.name for path in project.iterdir()] == ["empty"]


def test_a_file_that_cannot_be_written_is_said_in_words(capsys: Any, project: Path) -> None:
    (project / "variants").write_text("")
    failed = call(capsys, "variants", "new", "odd", "prices.sell.pig=2")
    assert (failed.code, failed.out) == (2, "")
    assert "variants/odd.toml cannot be written: Not a directory" in failed.err
