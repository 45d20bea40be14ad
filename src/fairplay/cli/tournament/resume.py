"""`fairplay tournament resume`: play the rest of a tournament that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairplay.catalog import find_game
from fairplay.cli.contest_plan import check_players
from fairplay.cli.network.serving import ServerOptions, server_options
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
from fairplay.cli.storage import (
    RecordFolder,
    StoredContest,
    choose_signer,
    hide_files,
    open_existing_store,
    warn_of_neighbors,
)
from fairplay.cli.tournament.output import show_tournament, tables_after_failure
from fairplay.cli.tournament.run import play_missing
from fairplay.cli.tournament.serve import resume_serving
from fairplay.core import AnyGame, UsageError

if TYPE_CHECKING:
    from fairplay.contest.contest import Contest, Hidden


@click.command(
    "resume",
    epilog="""\b
A tournament with players who signed up over a network needs --port: they come back there. One with players of
an established protocol cannot be resumed: that protocol does not let them come back.

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
def resume_command(
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
    with open_existing_store(db) as (store, place):
        contest, finished = store.contest(id), store.summary(id).finished is not None
        stored = StoredContest(store, id, place, signer=None if finished else choose_signer(key, place))
        game = find_game(contest.game)
        if contest.is_open:
            raise UsageError(f"tournament {id} holds what was played at tables: `fairplay serve` goes on with it")
        if finished:
            echo(f"Tournament {id} is finished: there is nothing to resume.", err=True)
        else:
            hidden = hide_files(db, key, files=(showing.report, showing.csv))
            check_resumption(stored, game, contest, hidden, trust=trust)
            warn_of_neighbors(contest, place, key)
            with tables_after_failure(lambda: stored, game, showing):
                play_rest(stored, game, port, server, playing, hidden, quiet=showing.as_json)
        kept = show_tournament(stored, game, showing)
    if strict:
        fail_where_thrown_out([row.player for row in kept.tables.standings if row.faults])


def play_rest(
    stored: StoredContest,
    game: AnyGame,
    port: int | None,
    server: ServerOptions,
    playing: EngineOptions,
    hidden: Hidden,
    *,
    quiet: bool,
) -> None:
    """Play what is missing, with those who come back over a network if there are such players."""
    from fairplay.contest.specs import connection_numbers

    if connection_numbers(stored.store.contest(stored.id)):
        engine = playing.choose_engine(hidden, apart=True)
        resume_serving(stored, game, port, server, engine, quiet=quiet)
    else:
        play_missing(stored, game, playing.choose_engine(hidden), RecordFolder(None), quiet=quiet)


def check_resumption(stored: StoredContest, game: AnyGame, contest: Contest, hidden: Hidden, *, trust: bool) -> None:
    """Refuse to go on with players that are not there, cannot be started, or that nobody trusts; raises UsageError."""
    from fairplay.contest.specs import is_trusted

    id = stored.id
    if obstacle := stored.obstacle:
        ways = f"see it with `{stored.show_command}`, keep it in a file with `{stored.export_command}`"
        raise UsageError(f"tournament {id} cannot be resumed: {obstacle}; {ways}")
    if not trust and any(is_trusted(entrant.spec) for entrant in contest.entrants):
        raise UsageError(f"tournament {id} has bots that run in Fairplay's own process; to resume it, add --trust")
    check_players(game, contest, hidden)
