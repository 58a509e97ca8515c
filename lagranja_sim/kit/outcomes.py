"""What `advance` returns beside a number of options, and the errors that any game may end with; those of its own have positive numbers."""

ROUND_SCORED = -1  # a round is over, and nothing of it has been put back yet
OK = 0
TOO_MANY_DECISIONS, TOO_MANY_ROWS, AGENDA_FULL, TOO_MANY_OPTIONS = -1, -2, -3, -4
ERRORS = {
    TOO_MANY_DECISIONS: "the game does not end",
    TOO_MANY_ROWS: "more rows of a table than a game may have",
    AGENDA_FULL: "the agenda is full",
    TOO_MANY_OPTIONS: "more options than there is room for",
}
