"""The command line: `lagranja`, and `python -m lagranja_sim.cli`. The commands are imported in the order in which `--help` lists them."""

from lagranja_sim.command_line import FAULT, PIPE_CLOSED, WRONG_CALL, app, main

# isort: split
from lagranja_sim.commands import playing

# isort: split
from lagranja_sim.commands import contests

# isort: split
from lagranja_sim.commands import changes, looking

__all__ = ["FAULT", "PIPE_CLOSED", "WRONG_CALL", "app", "changes", "contests", "looking", "main", "playing"]

if __name__ == "__main__":
    main()
