"""`fairplay tournament show` and `list`: what a store holds."""

from __future__ import annotations

import click

from fairplay.catalog import find_game
from fairplay.cli.options import ReportOptions, db_option, json_option, report_options
from fairplay.cli.output import echo, print_json
from fairplay.cli.storage import StoredContest, open_existing_store
from fairplay.cli.tournament.output import show_tournament

__all__ = ["list_command", "show_command"]


@click.command(
    "show", epilog="\b\nExamples:\n  fairplay tournament show 3\n  fairplay tournament show 3 --report page.html"
)
@click.argument("id", type=int)
@db_option
@report_options
def show_command(id: int, db: str | None, showing: ReportOptions) -> None:
    """Print the tables of a tournament, finished or not."""
    with open_existing_store(db) as (store, place):
        game = find_game(store.contest(id).game)
        show_tournament(StoredContest(store, id, place), game, showing)


@click.command(
    "list", epilog="\b\nExamples:\n  fairplay tournament list\n  fairplay tournament list --db postgresql:///games"
)
@db_option
@json_option
def list_command(db: str | None, *, as_json: bool) -> None:
    """List the tournaments of a store, and the series that `fairplay play` played."""
    with open_existing_store(db) as (store, _):
        contests = store.contests()
    if as_json:
        print_json(contests)
        return
    for each in contests:
        state = "finished" if each.finished is not None else "unfinished"
        names = ", ".join(each.players[:6]) + (" ..." if len(each.players) > 6 else "")
        echo(f"{each.id:4}  {each.game:10} {each.format:12} {each.matches:7} matches  {state:10} {names}")
