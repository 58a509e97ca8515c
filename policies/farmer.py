"""Fields first: a large farm, whose harvests are upgraded on the field, sold and delivered."""

BASE = "balanced"
WEIGHTS = {
    "good": 2.0,
    "crowd": 0.2,
}
