"""Fields and upgrades: a large farm first, and what grows there is made into food and wine before it is delivered."""

BASE = "balanced"
WEIGHTS = {
    "field": 2.5,
    "crowd": 0.3,
    "good": 1.6,
}
