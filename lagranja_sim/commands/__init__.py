"""The commands, by what they are for. Nothing heavy is imported before a command needs it, so `--help` answers at once."""
