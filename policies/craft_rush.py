"""Craft buildings early: every good goes to the village, for the first completions and the markers that last."""

BASE = "balanced"
WEIGHTS = {
    "building": 3.0,
    "barrow": 0.6,
    "permanent": 1.5,
}
