"""Pigs: makes room for them with extensions, keeps a pair, and lives on the piglets."""

BASE = "balanced"
WEIGHTS = {
    "pig": 1.0,
}
