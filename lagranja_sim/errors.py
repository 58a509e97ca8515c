"""What a user can act on: errors that end a command with a message and an exit code, not with a traceback."""


class UserError(Exception):
    """An error in words. `exit_code` is 2 for a wrong call, 1 for a run that failed."""

    exit_code = 2
