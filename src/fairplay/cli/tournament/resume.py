"""`fairplay tournament resume`: play the rest of a tournament that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairplay.catalog import find_game
from fairplay.cli.contest_plan import check_players
from fairplay.cli.keys import choose_signer
from fairplay.cli.network.server_options import ServerOptions, server_options
from fairplay.cli.options import (
    EngineOptions,
    ReportOptions,
    db_option,
    engine_options,
    key_option,
    report_options,
    strict_option,
    trust_option,
)
from fairplay.cli.output import echo, fail_where_thrown_out
from fairplay.cli.storage import RecordFolder, StoredContest, hide_files, open_existing_store, warn_of_neighbors
from fairplay.cli.tournament.output import show_tournament
from fairplay.cli.tournament.run import play_missing
from fairplay.cli.tournament.serve import resume_serving
from fairplay.core import AnyGame, UsageError

if TYPE_CHECKING:
    from fairplay.contest.contest import Contest, Hidden

__all__ = ["command"]


@click.command(
    "resume",
    epilog="""\b
A tournament with players who signed up over a network needs --port: they come back there.

\b
Examples:
  fairplay tournament resume 3
  fairplay tournament resume 3 --jobs 1
  fairplay tournament resume 4 --port 45678
""",
)
@click.argument("id", type=int)
@click.option("--port", type=click.IntRange(0, 65_535), help="Port where players from a network come back.")
@trust_option
@db_option
@key_option
@server_options
@engine_options
@report_options
@strict_option
def command(
    id: int,
    port: int | None,
    db: str | None,
    key: Path | None,
    server: ServerOptions,
    playing: EngineOptions,
    showing: ReportOptions,
    *,
    trust: bool,
    strict: bool,
) -> None:
    """Resume a tournament that was stopped.  It ends with the same tables as if it had not been stopped.

    Of a finished one, the tables are printed, and nothing changes.
    """
    from fairplay.run.entrants import connection_numbers

    with open_existing_store(db) as (store, place):
        contest, finished = store.contest(id), store.summary(id).finished is not None
        stored = StoredContest(store, id, place, signer=None if finished else choose_signer(key, place))
        game = find_game(contest.game)
        if finished:
            echo(f"Tournament {id} is finished: there is nothing to resume.", err=True)
        else:
            hidden = hide_files(db, key, files=(showing.report, showing.csv))
            check_resumption(id, game, contest, hidden, trust=trust)
            warn_of_neighbors(contest, place, key)
            remote = bool(connection_numbers(contest))
            engine = playing.choose_engine(hidden, apart=remote)
            if remote:
                resume_serving(stored, game, port, server, engine, quiet=showing.as_json)
            else:
                play_missing(stored, game, engine, RecordFolder(None), quiet=showing.as_json)
        kept = show_tournament(stored, game, showing)
    if strict:
        fail_where_thrown_out([row.player for row in kept.tables.standings if row.faults])


def check_resumption(id: int, game: AnyGame, contest: Contest, hidden: Hidden, *, trust: bool) -> None:
    """Refuse to go on with players that cannot be started, or that nobody trusts here; raises UsageError."""
    from fairplay.run.entrants import is_trusted

    if not trust and any(is_trusted(entrant.spec) for entrant in contest.entrants):
        raise UsageError(f"tournament {id} has bots that run in Fairplay's own process; to resume it, add --trust")
    check_players(game, contest, hidden)
