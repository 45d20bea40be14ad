"""`fairplay tournament show`, `list`, `matches`, `faults` and `delete`: what a store holds."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice

import click

from fairplay.cli import options, output, storage
from fairplay.cli.tournament.run import show_tournament
from fairplay.contest.scoreboard import FaultGroup, describe_absence, group_faults
from fairplay.core import UsageError
from fairplay.report.json_output import tournaments as documents
from fairplay.report.terminal import format_match_count, wrap_lines
from fairplay.report.text_table import find_width
from fairplay.store.history import MatchRow
from fairplay.store.store import ContestSummary, Store


@click.command(
    "show", epilog="\b\nExamples:\n  fairplay tournament show 3\n  fairplay tournament show 3 --report page.html"
)
@click.argument("id", type=int)
@options.game_option
@options.db_option
@options.report_options
def show_command(id: int, db: str | None, showing: options.ReportOptions) -> None:
    """Print the tables of a tournament, finished or not."""
    with storage.open_existing_store(db) as (store, place):
        game = options.find_kept_game(store.contest(id).game)
        show_tournament(storage.StoredContest(store, id, place), game, showing)


# -- tournaments -------------------------------------------------------------------------------


@click.command(
    "list",
    short_help="List the tournaments of a store.",
    epilog="\b\nExamples:\n  fairplay tournament list\n  fairplay tournament list --db postgresql:///games",
)
@options.db_option
@options.json_option
def list_command(db: str | None, *, as_json: bool) -> None:
    """List the tournaments of a store, the series that `fairplay play` played, and what was played at tables."""
    with storage.open_existing_store(db) as (store, place):
        contests = [*store.contests(), *store.open_contests()]
    if as_json:
        output.print_json(documents.TournamentsDocument(place, tuple(map(documents.list_tournament, contests))))
        return
    for each in contests:
        _print_tournament(each)
    if not contests:
        output.echo(f"There is no tournament in {place}.", err=True)


def _print_tournament(each: ContestSummary) -> None:
    """EFFECT: prints a tournament in one line."""
    state = "finished" if each.finished is not None else "open" if each.format == "table" else "unfinished"
    line = f"{each.id:4}  {each.game:9}  {each.format:11}  {format_match_count(each.matches):>13}  {state:10}  "
    names, room = ", ".join(each.players), max(16, find_width() - len(line))
    output.echo(line + (names if len(names) <= room else f"{names[: room - 3]}..."))


# -- matches -----------------------------------------------------------------------------------


@click.command(
    "matches",
    short_help="List the matches of a tournament.",
    epilog="""\b
What stands first in a line is what `fairplay replay` takes.

\b
Examples:
  fairplay tournament matches 3
  fairplay tournament matches 3 --player my_bot.py --last 10
  fairplay tournament matches 3 --json
""",
)
@click.argument("id", type=int)
@click.option("--player", metavar="NAME", help="Matches of this player only.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="The last N of them only.")
@options.db_option
@options.json_option
def matches_command(id: int, player: str | None, last: int | None, db: str | None, *, as_json: bool) -> None:
    """List the matches of a tournament: who played, with which scores, who won, and how it ended."""
    with storage.open_existing_store(db) as (store, place):
        stored, names = storage.StoredContest(store, id, place), store.contest(id).names
        if player is not None and player not in names:
            raise UsageError(f"--player: '{player}' is not in tournament {id}, but {', '.join(names)}")
        rows = (row for row in _read_matches(store, id, last_first=last is not None) if player in (None, *row.names))
        found = (documents.list_match(row, stored.short_reference(row.number)) for row in islice(rows, last))
        if as_json:
            in_order = tuple(sorted(found, key=lambda match: match.number))
            output.print_json(documents.MatchesDocument(id, place, in_order))
        else:
            _print_matches(found if last is None else reversed(list(found)))


def _read_matches(store: Store, id: int, *, last_first: bool) -> Iterator[MatchRow]:
    """All matches in order of number, or the other way round, read as they are asked for."""
    edge: int | None = None
    while page := store.history.matches(id, after=edge, limit=PAGE_SIZE, last_first=last_first):
        yield from page
        edge = page[-1].number


PAGE_SIZE = 500
"""Rows that are read at a time."""


def _print_matches(matches: Iterable[documents.ListedMatch]) -> None:
    """EFFECT: prints a line or two for each match."""
    width = find_width()
    for match in matches:
        scores = ("out" if score is None else str(score[0]) for score in match.scores)
        met = ", ".join(f"{name} {score}" for name, score in zip(match.players, scores, strict=True))
        winners = f"{', '.join(match.winners) or 'nobody'} won"
        first = f"{match.reference:8}  "
        output.echo("\n".join(wrap_lines(f"{met}: {winners} ({match.ending})", width, first, " " * len(first))))


# -- faults ------------------------------------------------------------------------------------


@click.command(
    "faults",
    short_help="Say who was thrown out, how often and why.",
    epilog="\b\nExamples:\n  fairplay tournament faults 3\n  fairplay tournament faults 3 --json",
)
@click.argument("id", type=int)
@options.game_option
@options.db_option
@options.json_option
def faults_command(id: int, db: str | None, *, as_json: bool) -> None:
    """Say who was thrown out of matches, how often and why, with a match that shows it.

    Faults of a player that differ only in numbers are counted together.
    """
    with storage.open_existing_store(db) as (store, place):
        stored, matches = storage.StoredContest(store, id, place), store.summary(id).matches
        groups = group_faults(store.contest(id).names, store.history.contest_faults(id))
    if as_json:
        output.print_json(documents.FaultsDocument(id, place, matches, groups))
        return
    for group in groups:
        _print_fault(stored, group)
    if not groups:
        click.echo(f"Nobody was thrown out in tournament {id}.")


def _print_fault(stored: storage.StoredContest, group: FaultGroup) -> None:
    """EFFECT: prints a group of faults with its whole reason, and how to see the first of them."""
    output.echo(f"{group.player}: {group.kind} in {format_match_count(group.count)}{describe_absence(group)}")
    for line in group.reason.splitlines():
        output.echo(f"    {line}")
    click.echo(f"    {output.program_name()} replay {stored.short_reference(group.match)}{stored.file_words}\n")


# -- the end of one ----------------------------------------------------------------------------


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
@options.db_option
@options.json_option
def delete_command(id: int, db: str | None, *, yes: bool, as_json: bool) -> None:
    """Delete a tournament with all its matches and records; it cannot be undone.

    A tournament that is being run is not deleted: stop it first.
    """
    with storage.open_existing_store(db) as (store, place):
        summary = store.summary(id)
        names = ", ".join(summary.players)
        what = f"tournament {id} in {place}: {summary.game}, {format_match_count(summary.matches)}, {names}"
        if not yes:
            _ask_whether(what, as_json=as_json)
        store.delete(id)
    if as_json:
        output.print_json(documents.DeletionDocument(id, place, summary.game, summary.matches))
    else:
        output.echo(f"Deleted {what}.")


def _ask_whether(what: str, *, as_json: bool) -> None:
    """Ask the person at the terminal; raises UsageError if nobody could answer."""
    if as_json or not sys.stdin.isatty():
        raise UsageError("nobody is there to be asked; to delete it, add --yes")
    output.echo(f"This deletes {what}.")
    click.confirm("Delete it?", abort=True)
