"""Variants: differences laid over the rules along their bases, single overrides, and what is refused."""

import json

import pytest
from component_sets import problems_of

from lagranja_sim.games.lagranja.components import ComponentsError, list_variants, load_components
from lagranja_sim.games.lagranja.components.show import show_variants
from lagranja_sim.games.lagranja.components.variants import variant_paths


def test_shipped_variants():
    assert {variant.name: variant.differences for variant in list_variants()} == {
        "deluxe": {},
        "bga": {
            "farm.piglet_without_space": "sold",
            "farm.greengrocer_step": "income",
            "transport.extra_deliveries_paid": "up_front",
            "transport.extra_delivery_limit_fixed": True,
        },
        "first_edition": {
            "transport.extra_deliveries_paid": "up_front",
            "transport.extra_delivery_limit_fixed": True,
            "helpers.permanent": ["Shed Builder"],
        },
        "yucata": {"setup.markers": 0, "transport.extra_delivery_limit_fixed": True},
    }


def test_variants_reach_the_box():
    bga, first, yucata = (load_components(variant=name) for name in ("bga", "first_edition", "yucata"))
    assert (bga.box[0].farm.piglet_without_space, bga.box[0].farm.greengrocer_step, bga.box[0].transport.extra_deliveries_paid) == (1, 1, 1)
    assert [card for card in range(1, 67) if first.box[0].cards[card].is_permanent] == [7]
    assert yucata.box[0].setup.markers == 0
    assert (bga.variant, bga.title) == ("bga", "La Granja as described in the Board Game Arena help")


def test_overrides():
    dotted = load_components(overrides={"prices.sell.pig": 4})
    nested = load_components(overrides={"prices": {"sell": {"pig": 4}}})
    assert dotted.box[0].prices.sell[3] == nested.box[0].prices.sell[3] == 4
    assert dotted.box[0].prices.sell[0] == 1
    assert dotted.differences == nested.differences == {"prices.sell.pig": 4}
    assert dotted.hash == nested.hash


def test_an_override_lies_over_the_variant():
    loaded = load_components(variant="bga", overrides={"farm.greengrocer_step": "growth"})
    assert loaded.differences == {
        "farm.piglet_without_space": "sold",
        "transport.extra_deliveries_paid": "up_front",
        "transport.extra_delivery_limit_fixed": True,
    }


def test_variant_by_path_and_chain(tmp_path):
    (tmp_path / "rich.toml").write_text('title = "Rich"\nbase = "bga"\n[setup]\nsilver = 9\n')
    (tmp_path / "richer.toml").write_text('base = "rich.toml"\nsetup.silver = 10\n[prices.sell]\npig = 5\n')
    loaded = load_components(variant=tmp_path / "richer.toml")
    assert (loaded.variant, loaded.title) == ("richer", "richer")
    assert loaded.differences == {
        "farm.piglet_without_space": "sold",
        "farm.greengrocer_step": "income",
        "transport.extra_deliveries_paid": "up_front",
        "transport.extra_delivery_limit_fixed": True,
        "setup.silver": 10,
        "prices.sell.pig": 5,
    }


def test_locks_of_editors_are_no_variants(mine):
    (mine.folder / "variants" / ".#bga.toml").symlink_to("somebody@somewhere.4711")
    assert set(variant_paths(mine.folder)) == {"bga", "deluxe", "first_edition", "yucata"}


def test_own_variants_come_first(mine):
    mine.add("variants/poor.toml", 'title = "Poor"\n[setup]\nsilver = 0\n').replace("variants/yucata.toml", "markers = 0", "markers = 30")
    assert mine.load(variant="poor").box[0].setup.silver == 0
    assert mine.load(variant="yucata").box[0].setup.markers == 30
    assert [variant.name for variant in list_variants(mine.folder)] == ["bga", "deluxe", "first_edition", "poor", "yucata"]


def test_a_set_without_variants_uses_the_shipped_ones(mine):
    for path in (mine.folder / "variants").iterdir():
        path.unlink()
    (mine.folder / "variants").rmdir()
    assert mine.load(variant="yucata").box[0].setup.markers == 0


def test_differences_are_from_the_rules_of_the_set(mine):
    mine.replace("rules.toml", "markers = 25", "markers = 0")
    assert "setup.markers" not in mine.load(variant="yucata").differences


@pytest.mark.parametrize(
    ("overrides", "problem"),
    [
        ({"prices.sell.pgi": 4}, "override, prices.sell.pgi: is no key of the rules (did you mean prices.sell.pig"),
        ({"price.sell.pig": 4}, "override, price.sell.pig: is no key of the rules (did you mean prices.sell.pig"),
        ({"market.silver_per_vp": 4}, "override, market.silver_per_vp: is no key of the rules (did you mean prices.silver_per_vp?)"),
        ({"sliver": 4}, "override, sliver: is no key of the rules; expected game, setup,"),
        ({"farm": 4}, "override, farm: 4 does not fit; expected a table with the keys hand_limit,"),
        ({"prices.sell.pig.price": 4}, "override, prices.sell.pig: {'price': 4} does not fit; expected a whole number"),
        ({"prices.sell.pig": "4"}, "override, prices.sell.pig: '4' does not fit; expected a whole number from 0 to 1000"),
    ],
)
def test_wrong_override(overrides, problem):
    problems = problems_of(overrides=overrides)
    assert len(problems) == 1
    assert problem in problems[0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[farm]\nhand_limt = 3\n", "variants/odd.toml, line 2, farm.hand_limt: is no key of the rules (did you mean farm.hand_limit"),
        ("[farm]\nhand_limit = 13\n", "variants/odd.toml, line 2, farm.hand_limit: 13 does not fit; expected a whole number from 0 to 12"),
        ("[farm]\n\nroof_vp = [0]\n", "variants/odd.toml, line 3, farm.roof_vp: [0] does not fit; expected one entry for each"),
        ("titel = 'Odd'\n", "variants/odd.toml, line 1, titel: is no key of the rules"),
        ("title = 3\n", "variants/odd.toml, line 1, title: 3 does not fit; expected text"),
        ("name = 'even'\n", "variants/odd.toml, line 1, name: 'even' does not fit; expected 'odd', as the file is called"),
        ("base = 'delux'\n", "variants/odd.toml, line 1, base: 'delux' is no variant (did you mean deluxe?); expected bga, deluxe,"),
        ("base = 'odd'\n", "variants/odd.toml, line 1, base: the bases go round in a circle (odd -> odd); expected a chain"),
        ("base = 'other.toml'\n", "variants/odd.toml, line 1, base: 'other.toml' is no file; expected the path of a TOML file"),
        ("[farm\n", "variants/odd.toml: is no TOML: "),
    ],
)
def test_wrong_variant(mine, text, problem):
    problems = mine.add("variants/odd.toml", text).problems(variant="odd")
    assert len(problems) == 1
    assert problems[0].startswith(problem)
    with pytest.raises(ComponentsError) as caught:
        list_variants(mine.folder)
    assert caught.value.problems == problems


def test_circle_of_bases(mine):
    mine.add("variants/a.toml", 'base = "b"\n').add("variants/b.toml", 'base = "a"\n')
    assert mine.problems(variant="a")[0].startswith("variants/b.toml, line 1, base: the bases go round in a circle (a -> b -> a)")


@pytest.mark.parametrize(
    ("variant", "problem"),
    [
        (
            "delux",
            "'delux' is no variant (did you mean deluxe?); expected bga, deluxe, first_edition or yucata, or a path that ends in .toml",
        ),
        ("nowhere/odd.toml", "'nowhere/odd.toml' is no file; expected the path of a TOML file of differences"),
    ],
)
def test_unknown_variant(variant, problem):
    assert problems_of(variant=variant) == [problem]


def test_permanent_helper_a_set_does_not_have(mine):
    mine.cell("cards.csv", 8, "helper", "Barn Builder")
    problem = "variants/first_edition.toml, line 8, helpers.permanent: 'Shed Builder' is no helper"
    assert mine.problems(variant="first_edition")[0].startswith(problem)


def test_show_variants(capsys):
    show_variants()
    assert 'helpers.permanent = ["Shed Builder"]' in capsys.readouterr().out
    show_variants(None, as_json=True)
    assert [variant["name"] for variant in json.loads(capsys.readouterr().out)] == ["bga", "deluxe", "first_edition", "yucata"]
