"""The errors of the kit, by number; a game counts its own on from LAST."""

OK, AGENDA_FULL, TOO_MANY_OPTIONS = range(3)
LAST = TOO_MANY_OPTIONS
