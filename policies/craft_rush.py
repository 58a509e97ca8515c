"""Craft buildings early: every good goes to the village, for the first completions and the markers that last."""

BASE = "balanced"
WEIGHTS = {
    "building": 4.0,
    "barrow": 2.0,
    "permanent": 1.0,
}
