"""What games share: problems told by file and key, TOML in layers, pydantic's errors in plain words."""
