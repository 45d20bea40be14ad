"""`fairplay tournament serve`: a tournament of local players and of those who sign up over a network."""

import click
from msgspec.structs import replace

from fairplay.cli import contest_plan, options, output, storage
from fairplay.cli.network import serving
from fairplay.cli.tournament.playing import show_tournament, tables_after_failure
from fairplay.contest.contest import Contest, Requirement, Stop
from fairplay.core import AnyGame, EngineError, UsageError
from fairplay.core.established import Period, SignUp
from fairplay.core.game import established_of
from fairplay.net.server import Service

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
def command(
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
