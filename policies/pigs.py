"""Pigs: fills its stables early, lives on piglets, and makes meat of them."""

BASE = "balanced"
WEIGHTS = {
    "pig": 0.9,
}
