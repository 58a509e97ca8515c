"""Turn order first: rests long on the siesta track, takes light donkeys, and picks its dice before the others."""

BASE = "balanced"
WEIGHTS = {
    "order": 1.5,
    "siesta": 3.0,
    "delivery": 0.2,
    "save": 0.5,
}
