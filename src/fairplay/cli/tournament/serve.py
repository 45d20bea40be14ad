"""`fairplay tournament serve`: a tournament of local players and of those who sign up over a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from fairplay.cli.contest_plan import build_contest, plan_contest, settle_isolation
from fairplay.cli.network.event_loop import run_until_signal
from fairplay.cli.network.server_options import (
    PROTOCOL,
    ServerOptions,
    SignUpOptions,
    announce_sign_up,
    change_sign_up,
    choose_native_terms,
    explain_too_few,
    open_socket,
    port_option,
    server_options,
    sign_up_options,
)
from fairplay.cli.options import (
    EngineOptions,
    FormatOptions,
    IsolationOptions,
    ReportOptions,
    SetupOptions,
    StoreOptions,
    engine_options,
    format_options,
    report_options,
    require_option,
    setup_options,
    store_options,
)
from fairplay.cli.output import echo, warn_of_seed
from fairplay.cli.storage import StoredContest, explain_stop, hide_files, open_contest_store
from fairplay.cli.tournament.live import LiveTable
from fairplay.cli.tournament.output import show_tournament, tables_after_failure
from fairplay.contest.contest import Contest, Requirement, Stop
from fairplay.core import AnyGame, EngineError, UsageError
from fairplay.core.established import Period, SignUp
from fairplay.core.game import established_of

if TYPE_CHECKING:
    from fairplay.contest.contest import Result
    from fairplay.run.competition import Competition
    from fairplay.run.engines.pool import Engine
    from fairplay.run.keeping import Keeper
    from fairplay.store import SessionRow

SIGN_UP_SECONDS = 60.0
"""How long to wait for sign-ups unless told otherwise."""

NAME_SECONDS = 10.0
"""How long a connection has to send its name unless told otherwise."""

MAX_SIGN_UPS = 10_000


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
@port_option
@click.option("--protocol", type=PROTOCOL, default="native", show_default=True, help="The protocol to speak.")
@format_options
@setup_options
@click.option("--allow-chosen-seed", is_flag=True, help="Take --seed, though a player who guesses it knows every deal.")
@store_options
@sign_up_options
@server_options
@engine_options
@report_options
@require_option
def command(
    game: str,
    players: tuple[str, ...],
    port: int,
    protocol: str,
    pairing: FormatOptions,
    dealing: SetupOptions,
    keeping: StoreOptions,
    signing_up: SignUpOptions,
    server: ServerOptions,
    playing: EngineOptions,
    showing: ReportOptions,
    require: Requirement,
    *,
    allow_chosen_seed: bool,
) -> None:
    """Let players sign up over a network, and play a tournament with them and local players."""
    from fairplay.net.server import Service, serve_contest

    if dealing.seed is not None and not allow_chosen_seed:
        raise UsageError("--seed: a player who guesses it knows every deal; leave it out, or add --allow-chosen-seed")
    terms = choose_native_terms(protocol, server)
    plan = plan_contest(game, players, pairing, dealing, Stop(pairing.matches))
    plan = settle_isolation(plan, IsolationOptions(trust=False, require=require))
    hidden = hide_files(keeping.db, keeping.key, folders=(keeping.out,), files=(showing.report, showing.csv))
    chosen, contest = build_contest(plan, hidden, signs_up=True)
    rules = sign_up_rules(chosen, contest, signing_up, established=terms is None)
    engine = playing.choose_engine(hidden, apart=True)
    sock, tls = open_socket(server, port, terms)
    warn_of_seed(contest)
    table = LiveTable(chosen, quiet=showing.as_json)
    begun: list[StoredContest] = []
    with sock, open_contest_store(keeping) as store:

        def create(full: Contest, sessions: Sequence[SessionRow]) -> Keeper:
            stored = store.create(full, sessions)
            begun.append(stored)
            where = f"tournament {stored.id} in {stored.place}: " if stored.lasting else ""
            echo(f"{where}{', '.join(full.names)}", err=True)
            return stored.keeper

        def find() -> StoredContest | None:
            return begun[0] if begun else None

        def take_result(competition: Competition, result: Result) -> None:
            store.files.write(result)
            table.show(competition, result)

        service = Service(
            contest=contest,
            sign_up=rules,
            native=terms,
            limits=server.limits,
            tls=tls,
            report=take_result,
            watch_sign_up=announce_sign_up,
        )
        again = f" --port {sock.getsockname()[1]}"
        with tables_after_failure(find, chosen, showing), explain_stop(find, again), table:
            hosted = run_until_signal(serve_contest(chosen, service, sock, engine, create))
        if hosted.too_few is not None:
            raise EngineError(explain_too_few(hosted.too_few))
        if not begun:
            raise EngineError("too few players were left when it began; nothing was played")
        show_tournament(begun[0], chosen, showing)


def sign_up_rules(game: AnyGame, contest: Contest, changes: SignUpOptions, *, established: bool) -> SignUp:
    """Who may sign up, and how long they have; raises UsageError."""
    fewest = max(1, game.seats[0] - len(contest.entrants))
    base = SignUp("", NAME_SECONDS, (Period(SIGN_UP_SECONDS, fewest),), MAX_SIGN_UPS, game.seats)
    if established:
        desk = established_of(game).sign_up
        rules = desk.sign_up_terms(desk.SETUP)
        base = replace(base, name=rules.name, name_patience=rules.name_patience)
    return change_sign_up(base, changes, fewest)


def resume_serving(
    stored: StoredContest, game: AnyGame, port: int | None, server: ServerOptions, engine: Engine, *, quiet: bool
) -> None:
    """Resume a contest that has remote players, who come back with their sessions; raises UsageError."""
    from fairplay.net.server import Service, resume_served

    if port is None:
        raise UsageError(f"tournament {stored.id} has players from a network; say where they come back with --port")
    contest = stored.store.contest(stored.id)
    terms = choose_native_terms("native", server)
    sock, tls = open_socket(server, port, terms)
    with sock, LiveTable(game, quiet=quiet) as table:
        service = Service(
            contest=contest,
            sign_up=SignUp("", NAME_SECONDS, (), 0, game.seats),
            native=terms,
            limits=server.limits,
            tls=tls,
            report=table.show,
        )
        sessions = stored.store.sessions(stored.id)
        with explain_stop(lambda: stored, f" --port {sock.getsockname()[1]}"):
            run_until_signal(resume_served(game, service, sessions, sock, engine, stored.keeper))
