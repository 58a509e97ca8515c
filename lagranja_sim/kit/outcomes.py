"""What `advance` returns beside a number of options, and how a game may end that should not."""

ROUND_SCORED = -1  # a round is over, and nothing of it has been put back yet
TOO_MANY_DECISIONS, TOO_MANY_ROWS = -1, -2  # errors that any game may end with; those of its own are positive
ERRORS = {TOO_MANY_DECISIONS: "the game does not end", TOO_MANY_ROWS: "more rows of a table than a game may have"}
