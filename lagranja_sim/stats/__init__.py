"""Statistics of blocks of games."""
