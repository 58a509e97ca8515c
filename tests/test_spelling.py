"""Near names are proposed in one way, lists are put into words, and texts that cannot be printed are known."""

import ast

import pytest
from calls import CHECKOUT

from lagranja_sim.spelling import MOST, is_utf8, listing, near

KNOWN = ("greedy", "random", "round_number", "rounds", "roof_round", "Do.DELIVER", "win_share")


@pytest.mark.parametrize(
    ("name", "proposal"),
    [
        ("gredy", " (did you mean greedy?)"),
        ("GREEDY", " (did you mean greedy?)"),
        ("round", " (did you mean rounds, roof_round or round_number?)"),  # the last one only begins with it
        ("do.deliver", " (did you mean Do.DELIVER?)"),
        ("win", " (did you mean win_share?)"),
        ("xylophone", ""),
        (7, ""),
    ],
)
def test_near_names_are_proposed_whatever_their_case(name: object, proposal: str) -> None:
    assert near(name, KNOWN) == proposal


def test_no_more_names_are_proposed_than_are_read_at_a_glance() -> None:
    assert near("vp", [f"vp_{letter}" for letter in "abcdefgh"]).count("vp_") == MOST


def test_lists_in_words() -> None:
    assert [listing(range(count)) for count in range(4)] == ["", "0", "0 or 1", "0, 1 or 2"]
    assert listing("ab", "and") == "a and b"


def test_a_name_with_bytes_that_are_no_text_cannot_be_printed() -> None:
    assert is_utf8("größer") and not is_utf8("\udcff")


def test_no_other_module_proposes_names() -> None:
    """`written` only asks whether a name is a slip of the pen."""
    modules = (CHECKOUT / "lagranja_sim").rglob("*.py")
    users = {
        path.stem for path in modules for node in ast.walk(ast.parse(path.read_text())) if getattr(node, "attr", "") == "get_close_matches"
    }
    assert users == {"spelling", "written"}
