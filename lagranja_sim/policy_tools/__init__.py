"""For writers of policies: a file to start from, a check, and how fast a policy plays."""
