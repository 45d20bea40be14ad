"""`fairplay tournament`: many players, many matches, one table; the group of its commands."""

import click

from fairplay.cli import LazyGroup

PLACES = {
    **{name: f"tournament.{name}:{name}_command" for name in ("run", "serve", "resume")},
    **{name: f"tournament.kept:{name}_command" for name in ("show", "list", "matches", "faults", "delete")},
    **{name: f"tournament.files:{name}_command" for name in ("export", "import")},
}


@click.group(
    "tournament",
    cls=LazyGroup,
    places=PLACES,
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
