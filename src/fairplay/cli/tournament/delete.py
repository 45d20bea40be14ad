"""`fairplay tournament delete`: forget a tournament with all its matches."""

import sys

import click

from fairplay.cli.options import db_option, json_option
from fairplay.cli.output import echo, print_json
from fairplay.cli.storage import open_existing_store
from fairplay.core import UsageError


@click.command(
    "delete",
    short_help="Delete a tournament with all its matches.",
    epilog="""\b
Files that --out, --report or `tournament export` wrote stay, and so does the key that signed the matches.
In an SQLite store, the number of the newest tournament is free again afterwards.

\b
Examples:
  fairplay tournament delete 3
  fairplay tournament delete 3 --yes
  fairplay tournament delete 3 --yes --json
""",
)
@click.argument("id", type=int)
@click.option("--yes", is_flag=True, help="Do not ask.")
@db_option
@json_option
def command(id: int, db: str | None, *, yes: bool, as_json: bool) -> None:
    """Delete a tournament with all its matches and records; it cannot be undone.

    A tournament that is being run is not deleted: stop it first.
    """
    from fairplay.report.json_output.tournaments import DeletionDocument
    from fairplay.report.terminal import format_match_count

    with open_existing_store(db) as (store, place):
        summary = store.summary(id)
        names = ", ".join(summary.players)
        what = f"tournament {id} in {place}: {summary.game}, {format_match_count(summary.matches)}, {names}"
        if not yes:
            ask_whether(what, as_json=as_json)
        store.delete(id)
    if as_json:
        print_json(DeletionDocument(id, place, summary.game, summary.matches))
    else:
        echo(f"Deleted {what}.")


def ask_whether(what: str, *, as_json: bool) -> None:
    """Ask the person at the terminal; raises UsageError if nobody could answer."""
    if as_json or not sys.stdin.isatty():
        raise UsageError("nobody is there to be asked; to delete it, add --yes")
    echo(f"This deletes {what}.")
    click.confirm("Delete it?", abort=True)
