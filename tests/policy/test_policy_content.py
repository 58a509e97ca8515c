"""A policy's hash, and the code that plays, follow everything that decides how it plays; files beside it can be shared."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from calls import call, environment, part_bytes, process

from lagranja_sim.compile import INTERPRETED
from lagranja_sim.play.driver import compiled
from lagranja_sim.policy import PolicyError, describe, find_policy, list_policies
from lagranja_sim.policy.modules import files_of, load_module

CHOOSE = "def choose(game, box, seat, options, weights, notes):\n    return "
CLASS = "class Policy:\n    def choose(self, game, box, seat, options, weights, notes):\n        return "


def write(folder: Path, **texts: str) -> Path:
    """Files in a folder of policies; the last one's path."""
    (folder / "policies").mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / "policies" / f"{name}.py"
        path.write_text(textwrap.dedent(text))
    return path


def hash_of(folder: Path, **texts: str) -> str:
    """The hash of the last of some files in a new folder."""
    return describe(write(folder, **texts)).hash


def refusal(path: Path) -> str:
    with pytest.raises(PolicyError) as caught:
        _ = describe(path).hash
    return str(caught.value)


# --- what plays ----------------------------------------------------------------------------------------------------------------------

SHARED = """
from pathlib import Path

import numpy as np
from numba import njit

from lagranja_sim.games.lagranja.toolkit import *

TABLE = np.loadtxt(Path(__file__).with_name("table.csv"), ndmin=1)


@njit(cache=True)
def wanted(count):
    return min(int(TABLE[0]) + 0, count - 1)
"""
SHARING = """
import os

from ._shared import wanted

K = int(os.environ.get("K", "0"))


def choose(game, box, seat, options, weights, notes):
    count = len(options)
    return min(K + wanted(count), count - 1)
"""


def played(folder: Path, out: str, **more: str) -> tuple[str, dict[str, bytes]]:
    """The policy's hash in the manifest, and all rows, of a run by a process of its own."""
    done = process("run", "m.toml", "--out", out, cwd=folder, **more)
    said = [line for line in done.err.splitlines() if not line.startswith("compil")]  # on a busy machine, that it takes a while
    assert (done.code, said) == (0, [])
    manifest = json.loads((folder / out / "manifest.json").read_text())
    return manifest["hashes"]["policies"]["sharing"], part_bytes(folder / out)


def edit(path: Path, old: str, new: str) -> None:
    """An edit that leaves length and time as they were."""
    before, text = path.stat(), path.read_text()
    assert (text.count(old), len(old)) == (1, len(new))
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_every_change_of_what_it_takes_in_is_played_and_stands_in_the_manifest(tmp_path: Path) -> None:
    path = write(tmp_path, _shared=SHARED, sharing=SHARING)
    table, manifest = path.with_name("table.csv"), tmp_path / "first" / "manifest.json"
    table.write_text("0\n")
    (tmp_path / "m.toml").write_text('games = 8\nplayers = 2\nseed = 7\npolicies = ["sharing", "random"]\n')
    games = [played(tmp_path, "first"), played(tmp_path, "second", K="5")]
    edit(path.with_name("_shared.py"), "+ 0", "+ 2")
    games.append(played(tmp_path, "third"))
    assert len({digest for digest, _ in games}) == len({tuple(rows.values()) for _, rows in games}) == 3
    edit(path.with_name("_shared.py"), "+ 2", "+ 0")
    edit(table, "0", "3")
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "status": "running"}))
    refused = process("run", "m.toml", "--out", "first", cwd=tmp_path)
    assert refused.code == 2
    assert "holds another run (it differs in hashes.policies.sharing)" in refused.err


# --- the hash ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("play", [CHOOSE, CLASS], ids=["choose", "class"])
@pytest.mark.parametrize("values", [("1", "2"), ("1", "1.0"), ("(1, 2)", "(1, 3)"), ("np.arange(3)", "np.arange(4)")])
def test_the_hash_follows_values_that_another_file_holds(tmp_path: Path, play: str, values: tuple[str, str]) -> None:
    """Also where no text of a policy tells them."""
    source = f"import os\nimport numpy as np\nK = eval(os.environ['VALUE'])\n\n\n{play}K if seat < 0 else 0\n"
    found = []
    for number, value in enumerate((*values, values[0])):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("VALUE", value)
            found.append(hash_of(tmp_path / str(number), mine=source))
    assert found[0] != found[1]
    assert found[0] == found[2]


@pytest.mark.parametrize("play", [CHOOSE, CLASS], ids=["choose", "class"])
def test_the_hash_follows_the_texts_of_files_that_are_imported(tmp_path: Path, play: str) -> None:
    mine, helper = f"from . import _a\n\n\n{play}0\n", "from ._b import *\n"
    first = hash_of(tmp_path / "0", _a=helper, _b="ONE = 1\n", _c="", mine=mine)
    assert hash_of(tmp_path / "1", _a=helper, _b="ONE = 2\n", _c="", mine=mine) != first
    assert hash_of(tmp_path / "2", _a=helper, _b="ONE = 1\n", _c="more", mine=mine) == first


def test_imports_within_functions_and_folders_count(tmp_path: Path) -> None:
    write(
        tmp_path, _late="", mine=f"{CLASS}0\n\n    def other(self):\n        from ._deep.er import this\n        from ._late import that\n"
    )
    deep = tmp_path / "policies" / "_deep"
    deep.mkdir()
    (deep / "__init__.py").write_text("")
    (deep / "er.py").write_text("from . import more\nfrom .. import _up\nfrom ... import beyond\n")
    (deep / "more.py").write_text("")
    write(tmp_path, _up="")
    names = {name.partition(".")[2] for name in files_of(tmp_path / "policies" / "mine.py")}
    assert names == {"mine", "_late", "_deep", "_deep.er", "_deep.more", "_up"}


def test_a_policy_that_stands_on_another_follows_what_that_one_takes_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for number in ("1", "2"):
        folder = tmp_path / number
        write(folder, base=f"import os\nK = int(os.environ['K'])\n\n\n{CHOOSE}min(K, 0)\n", above='BASE = "base"\n')
        monkeypatch.setenv("K", number)
        monkeypatch.chdir(folder)
        found.append(find_policy("above").hash)
    assert found[0] != found[1]


@pytest.mark.skipif(INTERPRETED, reason="it is compared with what is compiled")
def test_without_the_compiler_the_hash_is_the_same(tmp_path: Path) -> None:
    path = write(tmp_path, _shared=SHARED, sharing=SHARING)
    path.with_name("table.csv").write_text("0\n")
    code = "import sys, pathlib; from lagranja_sim.policy import describe; print(*(describe(pathlib.Path(path)).hash for path in sys.argv[1:]))"
    paths = [str(path), str(find_policy("greedy").path), str(find_policy("mcts").path)]
    done = subprocess.run([sys.executable, "-c", code, *paths], env=environment(NUMBA_DISABLE_JIT="1"), capture_output=True, text=True)
    assert done.stdout.split() == [describe(Path(each)).hash for each in paths], done.stderr


def test_listing_policies_runs_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    write(tmp_path, loud=f"print('I was run')\n\n\n{CHOOSE}0\n")
    monkeypatch.chdir(tmp_path)
    listed = call(capsys, "policies", "--json")
    assert "loud" in {policy["name"] for policy in json.loads(listed.out)}
    assert "I was run" not in listed.out + listed.err


@pytest.mark.xdist_group("checked")
def test_a_check_tells_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from lagranja_sim.policy_tools import judge
    from lagranja_sim.policy_tools.check import Size

    monkeypatch.setattr(judge, "SIZE", Size(games=2, a_kind=1, redeals=1))
    record = json.loads(call(capsys, "policies", "check", "first_option", "--json").out)
    assert record["hash"] == find_policy("first_option").hash
    broken = write(tmp_path, broken=f"1 / 0\n{CLASS}0\n")
    assert json.loads(call(capsys, "policies", "check", broken, "--json").out)["hash"] is None


# --- what cannot be told -------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(INTERPRETED, reason="nothing is frozen")
def test_what_cannot_be_told_by_content_is_refused_with_its_place(tmp_path: Path) -> None:
    helper = """
        from numba import vectorize
        from lagranja_sim.games.lagranja.toolkit import *

        @vectorize(["float64(float64)"])
        def doubled(x):
            return 2.0 * x

        @kernel
        def worth(number):
            return doubled(number)
        """
    path = write(tmp_path, _helper=helper, mine=f"from ._helper import worth\n\n\n{CHOOSE}int(worth(0.0))\n")
    message = refusal(path)
    where, source = message.splitlines()
    assert where.startswith(f"{path.with_name('_helper.py')}, line 9: worth uses doubled, a DUFunc, whose content cannot be determined; ")
    assert source == "    @kernel"
    with pytest.raises(PolicyError, match="worth uses doubled"):
        compiled(describe(path))


def test_a_class_may_use_anything(tmp_path: Path) -> None:
    source = f"import threading\nLOCK = threading.Lock()\n\n\n{CLASS}0 if LOCK else 1\n"
    assert hash_of(tmp_path / "0", mine=source) == hash_of(tmp_path / "1", mine=source)


# --- files beside a policy -----------------------------------------------------------------------------------------------------------


def test_two_folders_share_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though all names are the same; from any working folder."""
    user = f"from ._mine import NUMBER, SEEN\nSEEN.append(1)\n{CLASS}0\n"
    paths = [write(tmp_path / str(number), _mine=f"NUMBER = {number}\nSEEN = []\n", user=user) for number in (1, 2)]
    for working in (tmp_path, tmp_path / "1", tmp_path / "2" / "policies"):
        monkeypatch.chdir(working)
        modules = list(map(load_module, paths))
        assert [(module.NUMBER, module.SEEN) for module in modules] == [(1, [1]), (2, [1])]
    assert not {"_mine", "user", "policies"} & set(sys.modules)


def test_two_policies_of_a_folder_share_a_file(tmp_path: Path) -> None:
    first = write(tmp_path, _mine="SEEN = []\n", one=f"from ._mine import SEEN\nSEEN.append(1)\n{CLASS}0\n")
    second = write(tmp_path, two=f"from . import _mine\n_mine.SEEN.append(2)\n{CLASS}0\n")
    load_module(second)
    assert load_module(first).SEEN == [2, 1]


def test_no_name_is_in_the_way_of_another(tmp_path: Path) -> None:
    """A helper or policy may be called as a module of Python is, and the other way round."""
    text = f"import json\nimport random\nfrom ._json import MINE\n{CLASS}0\n"
    module = load_module(write(tmp_path, _json="MINE = True\n", json="MINE = True\n", random=text))
    assert module.MINE
    assert module.json.dumps([1]) == "[1]"
    assert 0 <= module.random.random() < 1


def test_the_own_folder_comes_before_the_tools(tmp_path: Path) -> None:
    text = "from .greedy import SHARE\n" + CLASS + "0\n"
    assert load_module(write(tmp_path / "0", user=text)).SHARE == 0
    assert load_module(write(tmp_path / "1", greedy="SHARE = 7\n", user=text)).SHARE == 7


def test_a_file_with_a_dot_in_its_name_is_a_module_too(tmp_path: Path) -> None:
    path = write(tmp_path, **{"mine.old": CLASS + "0\n", "mine": CLASS + "1\n"}).with_name("mine.old.py")
    assert load_module(path).__file__ == str(path)


def test_what_a_policy_exits_with_is_no_end_of_a_command(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"mine\.py, line 1: SystemExit: 0"):
        load_module(write(tmp_path, mine="raise SystemExit(0)\n" + CLASS + "0\n"))


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"_mine": "x = (\n"}, "_mine.py, line 1: '(' was never closed"),
        ({"_mine": "\nX = 1 / 0\n"}, "_mine.py, line 2: ZeroDivisionError: division by zero\n    X = 1 / 0"),
        ({"_mina": ""}, "user.py, line 1: ModuleNotFoundError: No module named '._mine' (did you mean _mina?)\n    from ._mine import X"),
        ({"_mine": ""}, "user.py, line 1: ImportError: cannot import name 'X' from '._mine'"),
    ],
)
def test_what_is_wrong_with_a_file_beside_it_is_told_by_its_place(tmp_path: Path, texts: dict[str, str], told: str) -> None:
    assert told in refusal(write(tmp_path, **texts, user="from ._mine import X\n" + CLASS + "X\n"))


def test_an_import_without_the_dot_is_told(tmp_path: Path) -> None:
    message = refusal(write(tmp_path, _mine="X = 1\n", user="from _mine import X\n" + CLASS + "X\n"))
    assert "No module named '_mine'; a file beside a policy is imported with a dot: from ._mine import ...\n" in message


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_mistake_in_a_file_beside_it_is_told_by_its_line(tmp_path: Path) -> None:
    helper = "from lagranja_sim.games.lagranja.toolkit import *\n\n\n@kernel\ndef worth(box):\n    return good_price(box)\n"
    path = write(tmp_path, _mine=helper, user=f"from ._mine import worth\n\n\n{CHOOSE}worth(box)\n")
    with pytest.raises(PolicyError) as caught:
        compiled(describe(path))
    assert str(caught.value).startswith(f"{path.with_name('_mine.py')}, line 6: good_price(box, thing) is called with the wrong arguments")


def test_a_policy_whose_helper_is_broken_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, _mine="x = (\n", user="from ._mine import x\n" + CLASS + "0\n")
    monkeypatch.chdir(tmp_path)
    told: list[PolicyError] = []
    assert "balanced" in {policy.name for policy in list_policies(on_broken=told.append)}
    assert [str(error).partition(":")[0] for error in told] == [f"{tmp_path}/policies/_mine.py, line 1"]


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_what_is_shared_stays_as_it_is(tmp_path: Path) -> None:
    helper = "from lagranja_sim.games.lagranja.toolkit import *\nSCALE = 1\n\n\n@kernel\ndef scaled(number):\n    return SCALE * number\n"
    using = f"from ._mine import scaled\n\n\n{CHOOSE}scaled(0)\n"
    first = write(tmp_path, _mine=helper, first=using)
    changing = write(tmp_path, changing=f"from . import _mine\n_mine.SCALE = 5\n{using}")
    _ = describe(first).hash
    load_module(changing)
    with pytest.raises(PolicyError, match=r"first\.py: another policy's file has changed a value that this one takes in"):
        compiled(describe(first))
    other = write(tmp_path / "other", _mine=helper, first=using)
    compiled(describe(other))
    message = refusal(write(tmp_path / "other", changing=f"from . import _mine\n_mine.SCALE = 5\n{using}"))
    assert message.startswith(
        f"{tmp_path}/other/policies/_mine.py, line 5: scaled was compiled when something that it uses had another value"
    )
