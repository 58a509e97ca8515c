"""Orders first: loads market barrows with all it has, takes to the market, and leaves the craft buildings to others."""

BASE = "balanced"
WEIGHTS = {
    "barrow": 6.0,
    "building": 0.3,
    "removal": 3.0,
    "market": 1.3,
}
