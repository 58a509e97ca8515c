"""Roofs: buys one whenever it can, for the points of their spaces and for what they do."""

BASE = "balanced"
WEIGHTS = {
    "roof": 12.0,
    "silver": 1.2,
}
