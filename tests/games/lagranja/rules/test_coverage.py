"""Every rule has a test that bears its id, every worked example of the rulebook a test that names it."""

import re
from pathlib import Path

RULES = (
    "K1",
    "S1 S2 S3 S4 S5 S6 S7",
    "A0 A1 A2 A3 A4 A5 A6 A7",
    "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12",
    "R1 R2 R3 R4 R5",
    "T1 T2 T3 T4 T5",
    "D1 D2 D3 D4 D5 D6 D7",
    "M1 M2 M3 M4 M5",
    "C_merchant_house C_wainwright C_deli C_greengrocer C_village_store C_butcher",
    "E1 E2 E3 L1",
    "H1 H2 H3 H4",
    "O1 O2 O3 O4 O5 O6 O7 O8 O9 O10 O11 O12 O13",
)
IDS = " ".join(RULES).lower().split()
EXAMPLES = range(1, 22)
TEXT = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")) if path.name != "test_coverage.py"
)


def test_every_rule_has_a_test_named_by_its_id():
    names = re.findall(r"^def test_(\w+)", TEXT, re.MULTILINE)
    assert [rule for rule in IDS if not any(name.startswith(f"{rule}_") for name in names)] == []


def test_every_example_of_the_rulebook_is_shown():
    shown = {int(number) for number in re.findall(r'"""Example (\d+)\b', TEXT)}
    assert [number for number in EXAMPLES if number not in shown] == []
