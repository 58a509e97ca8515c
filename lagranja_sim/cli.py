"""The command line: `lagranja`, and `python -m lagranja_sim.cli`."""

from lagranja_sim.command_line import FAULT, PIPE_CLOSED, WRONG_CALL, app, main

# In the order in which `--help` lists the commands.
from lagranja_sim.commands import playing  # isort: split
from lagranja_sim.commands import contests  # isort: split
from lagranja_sim.commands import changes  # isort: split
from lagranja_sim.commands import looking

__all__ = ["FAULT", "PIPE_CLOSED", "WRONG_CALL", "app", "changes", "contests", "looking", "main", "playing"]

if __name__ == "__main__":
    main()
