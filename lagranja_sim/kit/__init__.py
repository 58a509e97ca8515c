"""What games share: the agenda and lists of options, problems told by file and key, TOML in layers, pydantic's findings in plain words."""
