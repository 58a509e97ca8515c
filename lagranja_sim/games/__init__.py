"""The games, a package each; nothing outside a game's package knows a word of it."""
