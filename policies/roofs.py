"""Roofs: buys one whenever it can, for the points of their spaces and for what they do."""

BASE = "balanced"
WEIGHTS = {
    "roof": 3.0,
    "silver": 0.8,
    "hold": 0.0,
    "barrow": 1.1,
    "building": 1.0,
}
