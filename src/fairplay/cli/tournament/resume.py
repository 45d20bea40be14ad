"""`fairplay tournament resume`: play the rest of a tournament that was stopped."""

from pathlib import Path

import click

from fairplay.catalog import find_game
from fairplay.cli import contest_plan, options, output, storage
from fairplay.cli.network import serving
from fairplay.cli.tournament.playing import play_missing, show_tournament, tables_after_failure
from fairplay.contest.contest import Contest, Hidden
from fairplay.contest.specs import connection_numbers, is_trusted
from fairplay.core import AnyGame, UsageError
from fairplay.core.established import SignUp
from fairplay.net.server import Service
from fairplay.run.engines.pool import Engine


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
@options.trust_option
@options.db_option
@options.key_option
@serving.server_options
@options.engine_options
@options.report_options
@options.strict_option
def command(
    id: int,
    port: int | None,
    db: str | None,
    key: Path | None,
    server: serving.ServerOptions,
    playing: options.EngineOptions,
    showing: options.ReportOptions,
    *,
    trust: bool,
    strict: bool,
) -> None:
    """Resume a tournament that was stopped.  It ends with the same tables as if it had not been stopped.

    Of a finished one, the tables are printed, and nothing changes.
    """
    with storage.open_existing_store(db) as (store, place):
        contest, finished = store.contest(id), store.summary(id).finished is not None
        stored = storage.StoredContest(store, id, place, signer=None if finished else storage.choose_signer(key, place))
        game = find_game(contest.game)
        if contest.is_open:
            raise UsageError(f"tournament {id} holds what was played at tables: `fairplay serve` goes on with it")
        if finished:
            output.echo(f"Tournament {id} is finished: there is nothing to resume.", err=True)
        else:
            hidden = storage.hide_files(db, key, files=(showing.report, showing.csv))
            _check_resumption(stored, game, contest, hidden, trust=trust)
            storage.warn_of_neighbors(contest, place, key)
            with tables_after_failure(lambda: stored, game, showing):
                _play_rest(stored, game, port, server, playing, hidden, quiet=showing.as_json)
        kept = show_tournament(stored, game, showing)
    if strict:
        output.fail_where_thrown_out([row.player for row in kept.tables.standings if row.faults])


def _play_rest(
    stored: storage.StoredContest,
    game: AnyGame,
    port: int | None,
    server: serving.ServerOptions,
    playing: options.EngineOptions,
    hidden: Hidden,
    *,
    quiet: bool,
) -> None:
    """Play what is missing, with those who come back over a network if there are such players."""
    if connection_numbers(stored.store.contest(stored.id)):
        engine = playing.choose_engine(hidden, apart=True)
        _resume_serving(stored, game, port, server, engine, quiet=quiet)
    else:
        play_missing(stored, game, playing.choose_engine(hidden), storage.RecordFolder(None), quiet=quiet)


def _resume_serving(
    stored: storage.StoredContest,
    game: AnyGame,
    port: int | None,
    server: serving.ServerOptions,
    engine: Engine,
    *,
    quiet: bool,
) -> None:
    """Resume a contest that has remote players, who come back with their sessions; raises UsageError."""
    if port is None:
        raise UsageError(f"tournament {stored.id} has players from a network; say where they come back with --port")
    contest = stored.store.contest(stored.id)
    terms = serving.choose_native_terms("native", server)
    with serving.ContestServer(server, port, terms) as serves, output.LiveTable(game, quiet=quiet) as table:
        rules = SignUp("", serving.NAME_SECONDS, (), 0, game.seats)
        serves.resume(game, Service(contest=contest, sign_up=rules, report=table.show), engine, stored)


def _check_resumption(
    stored: storage.StoredContest, game: AnyGame, contest: Contest, hidden: Hidden, *, trust: bool
) -> None:
    """Refuse to go on with players that are not there, cannot be started, or that nobody trusts; raises UsageError."""
    id = stored.id
    if obstacle := stored.obstacle:
        ways = f"see it with `{stored.show_command}`, keep it in a file with `{stored.export_command}`"
        raise UsageError(f"tournament {id} cannot be resumed: {obstacle}; {ways}")
    if not trust and any(is_trusted(entrant.spec) for entrant in contest.entrants):
        raise UsageError(f"tournament {id} has bots that run in Fairplay's own process; to resume it, add --trust")
    contest_plan.check_players(game, contest, hidden)
