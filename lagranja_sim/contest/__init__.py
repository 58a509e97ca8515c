"""Policies against each other: the ladder, and the search for better weights."""
