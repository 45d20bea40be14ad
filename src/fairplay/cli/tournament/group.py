"""`fairplay tournament`: the group of its commands."""

import click

from fairplay.cli.tournament import delete, files, resume, run, serve, show


@click.group(
    "tournament",
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


for each in (
    run.command,
    serve.command,
    resume.command,
    show.show_command,
    show.list_command,
    show.matches_command,
    show.faults_command,
    delete.command,
    files.export_command,
    files.import_command,
):
    command.add_command(each)
