"""For writers of policies: a file to start from, a check, and errors in plain words."""
