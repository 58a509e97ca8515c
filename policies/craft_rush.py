"""Craft buildings early: every good goes to the village, for the first completions and the markers that last."""

BASE = "balanced"
WEIGHTS = {
    "building": 2.2,
    "barrow": 0.8,
    "permanent": 0.9,
}
