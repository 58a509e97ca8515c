"""Fields and upgrades: a large farm first, and what grows there is made into food and wine before it is delivered."""

BASE = "balanced"
WEIGHTS = {
    "field": 3.0,
    "good": 2.0,
    "crowd": 0.2,
}
