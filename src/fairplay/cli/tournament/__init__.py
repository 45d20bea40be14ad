"""`fairplay tournament`: many players, many matches, one table; the group of its commands."""

from importlib import import_module

import click

PLACES = {
    "run": "run",
    "serve": "serve",
    "resume": "resume",
    "show": "kept",
    "list": "kept",
    "matches": "kept",
    "faults": "kept",
    "delete": "kept",
    "export": "files",
    "import": "files",
}
"""The module of each command, where it is called after itself, such as `run_command`."""


class Commands(click.Group):
    """Loads a command only when it is used: most need neither a network nor a data set."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(PLACES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in PLACES:
            return None
        command: click.Command = getattr(import_module(f"fairplay.cli.tournament.{PLACES[name]}"), f"{name}_command")
        return command


@click.group(
    "tournament",
    cls=Commands,
    epilog="""\b
Examples:
  fairplay tournament run fish random greedy minimax --games 20 --report fish.html
  fairplay tournament run contest.toml --jobs 4
  fairplay tournament serve fish greedy minimax --port 45678 --format swiss
  fairplay tournament list
  fairplay tournament resume 3
  fairplay tournament matches 3 --player greedy
  fairplay tournament faults 3
""",
)
def command() -> None:
    """Let many players meet, and print who is better."""
