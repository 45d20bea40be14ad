"""`fairplay tournament serve` and `resume`: with those who sign up over a network; the rest of one that was stopped."""

from pathlib import Path

import click
from msgspec.structs import replace

from fairplay.cli import contest_plan, options, output, storage
from fairplay.cli.network import serving
from fairplay.cli.tournament.run import play_missing, show_tournament, tables_after_failure
from fairplay.contest.contest import Contest, Hidden, Requirement, Stop
from fairplay.contest.specs import connection_numbers, is_trusted
from fairplay.core import AnyGame, EngineError, UsageError
from fairplay.core.established import Period, SignUp
from fairplay.core.game import established_of
from fairplay.game_files import explain_difference
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.net.server import Service
from fairplay.run.engines.pool import Engine

_SIGN_UP_SECONDS = 60.0
"""How long to wait for sign-ups unless told otherwise."""

_MAX_SIGN_UPS = 10_000


@click.command(
    "serve",
    short_help="Play a tournament with players from a network.",
    epilog="""\b
A PLAYER is a house strategy, a Python file or a program, as in `fairplay tournament run`, or NAME=PLAYER.
They play beside those who sign up; bot files run in processes of their own.
With --protocol native, players connect over plain TCP or WebSockets, and one whose connection breaks can
come back within --grace. If the server is stopped: `fairplay tournament resume ID --port PORT`.

\b
Examples:
  fairplay tournament serve fish greedy minimax --port 45678 --format swiss --most 6
  fairplay tournament serve fish mine=my_bot.py 'cmd:./my_bot' --port 45678 --least 2 --waiting 30
  fairplay tournament serve trains --protocol established --port 45678 --format round-robin --games 2
  fairplay join fish 127.0.0.1:45678 --name ann --player minimax
""",
)
@click.argument("game")
@click.argument("players", nargs=-1, metavar="[PLAYER]...")
@serving.port_option
@click.option("--protocol", type=serving.PROTOCOL, default="native", show_default=True, help="The protocol to speak.")
@options.format_options
@options.setup_options
@click.option("--allow-chosen-seed", is_flag=True, help="Take --seed, though a player who guesses it knows every deal.")
@options.store_options
@serving.sign_up_options
@serving.server_options
@options.engine_options
@options.report_options
@options.require_option
def serve_command(
    game: str,
    players: tuple[str, ...],
    port: int,
    protocol: str,
    pairing: options.FormatOptions,
    dealing: options.SetupOptions,
    keeping: options.StoreOptions,
    signing_up: serving.SignUpOptions,
    server: serving.ServerOptions,
    playing: options.EngineOptions,
    showing: options.ReportOptions,
    require: Requirement,
    *,
    allow_chosen_seed: bool,
) -> None:
    """Let players sign up over a network, and play a tournament with them and local players."""
    if dealing.seed is not None and not allow_chosen_seed:
        raise UsageError("--seed: a player who guesses it knows every deal; leave it out, or add --allow-chosen-seed")
    terms = serving.choose_native_terms(protocol, server)
    plan = contest_plan.plan_contest(game, players, pairing, dealing, Stop(pairing.matches))
    plan = contest_plan.settle_isolation(plan, options.IsolationOptions(trust=False, require=require))
    hidden = storage.hide_files(keeping.db, keeping.key, folders=(keeping.out,), files=(showing.report, showing.csv))
    chosen, contest = contest_plan.build_contest(plan, hidden, signs_up=True)
    rules = _sign_up_rules(chosen, contest, signing_up, established=terms is None)
    engine = playing.choose_engine(hidden, apart=True)
    with serving.ContestServer(server, port, terms) as serves:
        output.warn_of_seed(contest)
        with storage.open_contest_store(keeping) as store:
            table = output.LiveTable(chosen, quiet=showing.as_json)
            service = Service(contest=contest, sign_up=rules, report=table.show)
            with tables_after_failure(lambda: serves.stored, chosen, showing), serves.explain_stop(), table:
                hosted = serves.serve(chosen, service, engine, store, _announce)
            if hosted.too_few is not None:
                raise EngineError(serving.explain_too_few(hosted.too_few))
            if serves.stored is None:
                raise EngineError("too few players were left when it began; nothing was played")
            show_tournament(serves.stored, chosen, showing)


def _announce(stored: storage.StoredContest, contest: Contest) -> None:
    """EFFECT: says who plays, and where the contest is kept."""
    where = f"tournament {stored.id} in {stored.place}: " if stored.lasting else ""
    output.echo(f"{where}{', '.join(contest.names)}", err=True)


def _sign_up_rules(game: AnyGame, contest: Contest, changes: serving.SignUpOptions, *, established: bool) -> SignUp:
    """Who may sign up, and how long they have; raises UsageError."""
    fewest = max(1, game.seats[0] - len(contest.entrants))
    base = SignUp("", serving.NAME_SECONDS, (Period(_SIGN_UP_SECONDS, fewest),), _MAX_SIGN_UPS, game.seats)
    if established:
        desk = established_of(game).sign_up
        rules = desk.sign_up_terms(desk.SETUP)
        base = replace(base, name=rules.name, name_patience=rules.name_patience)
    return serving.change_sign_up(base, changes, fewest)


# -- the rest of one that was stopped ----------------------------------------------------------


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
@options.game_option
@options.trust_option
@options.db_option
@options.key_option
@serving.server_options
@options.engine_options
@options.report_options
@options.strict_option
def resume_command(
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
        game = options.find_kept_game(contest.game)
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
    _note_other_rules(stored, game)


def _note_other_rules(stored: storage.StoredContest, game: AnyGame) -> None:
    """EFFECT: says so if what was played so far was played by another rule book: it may have been mended since."""
    first = next(iter(stored.store.results(stored.id, records=True)), None)
    if first is None or not first.record:
        return
    header = read_record(unpacked(first.record)).header
    if difference := explain_difference(game.name, header.rule_book):
        output.echo(f"Note: what is kept was {difference}", err=True)
