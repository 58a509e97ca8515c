"""Turn order first: rests long on the siesta track, takes light donkeys, and picks its dice before the others."""

BASE = "balanced"
WEIGHTS = {
    "order": 1.5,
    "siesta": 6.0,
    "card": 1.0,
}
