"""`fairplay tournament serve`: a tournament of local players and of those who sign up over a network."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from fairplay.cli.common import program, read_fields, setup_options
from fairplay.cli.competing import (
    LiveTable,
    choose_engine,
    engine_options,
    format_options,
    report_options,
    show_tournament,
)
from fairplay.cli.keeping import Kept, MatchFiles, hint_db, open_keeping, store_options
from fairplay.cli.serving import (
    PROTOCOL,
    ServerChoices,
    change_sign_up,
    native_terms,
    open_socket,
    server_options,
)
from fairplay.core import AnyGame, EngineError, UsageError
from fairplay.parts.established import Period, SignUp, established_of

if TYPE_CHECKING:
    from fairplay.contest.contest import Contest, Result
    from fairplay.run.competition import Competition
    from fairplay.run.engines.pool import Engine
    from fairplay.run.keeping import Keeper
    from fairplay.store import SessionRow
    from fairplay.store.store import Store

__all__ = ["command", "resume_serving"]

WAITING = 60.0
"""Seconds to wait for sign-ups unless told otherwise."""


@click.command(
    "serve",
    epilog="""\b
A PLAYER is a house strategy, a Python file or a program, as in `fairplay tournament run`, or NAME=PLAYER.
They play beside those who sign up; bot files run in processes of their own.
With --protocol native players come over plain TCP or WebSockets, and one whose connection breaks may come
back within --grace. A server that was stopped goes on with `fairplay tournament resume ID --port PORT`.

\b
Examples:
  fairplay tournament serve fish greedy minimax --port 45678 --format swiss --most 6
  fairplay tournament serve fish mine=my_bot.py 'cmd:./my_bot' --port 45678 --least 2 --waiting 30
  fairplay tournament serve trains --protocol established --port 45678 --format round-robin --games 2
  fairplay join fish 127.0.0.1:45678 --protocol native --name ann --player minimax
""",
)
@click.argument("game")
@click.argument("players", nargs=-1, metavar="[PLAYER]...")
@click.option("--port", type=click.IntRange(0, 65_535), required=True, help="Where to listen; 0 takes any free port.")
@click.option("--protocol", type=PROTOCOL, default="native", show_default=True, help="What is spoken.")
@format_options
@setup_options
@store_options
@server_options
@engine_options
@report_options
def command(
    game: str,
    players: tuple[str, ...],
    port: int,
    protocol: str,
    format: str,
    games: int | None,
    seats: int | None,
    more: tuple[str, ...],
    matches: int | None,
    seed: int | None,
    variant: str | None,
    board: str | None,
    setup: str | None,
    patience: float | None,
    db: str | None,
    out: Path | None,
    server: ServerChoices,
    jobs: int | None,
    on: str | None,
    report: Path | None,
    csv: Path | None,
    *,
    no_store: bool,
    as_json: bool,
) -> None:
    """Let players sign up over a network, and play a tournament of them and of local players."""
    from fairplay.cli import plan as plans
    from fairplay.net.server import Service, serve_contest

    options = {**plans.options_of(more), "games": games, "size": seats}
    plan = plans.Plan(
        game=game,
        players=tuple(plans.apart(plans.entrant(word)) for word in players),
        format=format,
        options={key: value for key, value in options.items() if value is not None},
        stop=plans.stop_when(None, matches, 0.0, 0.05, 0.05),
        variant=variant,
        board=board,
        setup=read_fields(setup),
        seed=seed,
        patience=patience,
    )
    terms = native_terms(protocol, server)
    chosen, contest = plans.planned(plan, complete=False)
    rules = sign_up_rules(chosen, contest, server, established=terms is None)
    files, begun = MatchFiles(out), list[Kept]()
    with open_keeping(db, no_store=no_store) as keeping:
        sock, tls = open_socket(server, port, terms)

        def create(full: Contest, sessions: Sequence[SessionRow]) -> Keeper:
            kept = keeping.create(full, sessions)
            begun.append(kept)
            where = f"tournament {kept.id} in {kept.db}: " if kept.lasting else ""
            click.echo(f"{where}{', '.join(full.names)}", err=True)
            return kept.keeper

        with LiveTable(chosen, quiet=as_json) as table:

            def report_result(competition: Competition, result: Result) -> None:
                files.write(result)
                table.show(competition)

            service = Service(
                contest=contest, sign_up=rules, native=terms, limits=server.limits, tls=tls, report=report_result
            )
            listening_at = sock.getsockname()[1]
            try:
                asyncio.run(serve_contest(chosen, service, sock, choose_engine(jobs, on, apart=True), create))
            except (KeyboardInterrupt, EngineError) as stop:
                say_how_to_resume(begun, db, listening_at, stop)
        if not begun:
            raise EngineError("too few players signed up; nothing was played")
        (kept,) = begun
        show_tournament(keeping.store, kept.id, chosen, kept.db, report, csv, as_json=as_json, kept=kept.lasting)


def sign_up_rules(game: AnyGame, contest: Contest, server: ServerChoices, *, established: bool) -> SignUp:
    """Who may sign up, and how long they have; raises UsageError."""
    fewest = max(1, game.seats[0] - len(contest.entrants))
    base = SignUp("", 10.0, (Period(WAITING, fewest),), 10_000, game.seats)
    if established:
        desk = established_of(game).desk
        rules = desk.sign_up(desk.SETUP)
        base = replace(base, name=rules.name, name_patience=rules.name_patience)
    return change_sign_up(base, server, fewest)


def say_how_to_resume(begun: Sequence[Kept], db: str | None, port: int, stop: BaseException) -> None:
    """What to do after Ctrl-C, or where it cannot be played on; ends the program."""
    if begun and begun[0].lasting:
        again = f"{program()} tournament resume {begun[0].id} --port {port}{hint_db(db)}"
        click.echo(f"\nStopped; what was played is kept.  To go on: {again}", err=True)
    if isinstance(stop, EngineError):
        raise stop
    sys.exit(128 + (stop.args[0] if stop.args else signal.SIGINT))


def resume_serving(
    store: Store, id: int, game: AnyGame, port: int | None, server: ServerChoices, engine: Engine, table: LiveTable
) -> None:
    """Go on with a contest that has remote players, who come back with their sessions; raises UsageError."""
    from fairplay.net.server import Service, resume_served
    from fairplay.run.keeping import StoreKeeper

    if port is None:
        raise UsageError(f"tournament {id} has players that signed up over a network: say where they return: --port")
    contest = store.contest(id)
    terms = native_terms("native", server)
    sock, tls = open_socket(server, port, terms)
    service = Service(
        contest=contest,
        sign_up=SignUp("", server.name_patience or 10.0, (), 0, game.seats),
        native=terms,
        limits=server.limits,
        tls=tls,
        report=lambda competition, result: table.show(competition),
    )
    asyncio.run(resume_served(game, service, store.sessions(id), sock, engine, StoreKeeper(store, id)))
