"""Orders first: loads market barrows with all it has, takes to the market, and leaves the craft buildings to others."""

BASE = "balanced"
WEIGHTS = {
    "barrow": 2.6,
    "building": 0.8,
    "removal": 1.5,
}
