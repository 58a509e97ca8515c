"""Orders first: loads market barrows with all it has, takes to the market, and leaves the craft buildings to others."""

BASE = "balanced"
WEIGHTS = {
    "barrow": 3.0,
    "building": 0.4,
    "removal": 2.0,
    "market": 0.8,
}
