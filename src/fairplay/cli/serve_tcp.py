"""`fairplay serve-tcp`: one knock-out as the established protocols prescribe it, over them or the native one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from fairplay.cli.common import board_option, chosen_game, chosen_seed, chosen_setup, read_fields
from fairplay.cli.keeping import MatchFiles, open_keeping, store_options
from fairplay.cli.serving import (
    PROTOCOL,
    ServerChoices,
    change_sign_up,
    native_terms,
    open_socket,
    seconds,
    server_options,
)
from fairplay.contest.contest import Contest, Entrant
from fairplay.core import AnyGame, SetupError, UsageError
from fairplay.core.convert import text
from fairplay.net.server import Hosted, Service, serve_contest, sign_up_for
from fairplay.parts.established import established_of
from fairplay.play.record import deal
from fairplay.run.engines.pool import Pool
from fairplay.run.entrants import seat_entrant
from fairplay.run.hosting import knock_out_of
from fairplay.run.keeping import Keeper
from fairplay.store import SessionRow

__all__ = ["command", "server_setup"]


@click.command(
    "serve-tcp",
    epilog="""\b
Waits for players to sign up, plays one tournament (Labyrinth: one match) and prints its result as the
protocol of the game prescribes (docs/protocols). The time limits are those of the rule book unless set here.
For other formats, and for local players beside remote ones: fairplay tournament serve.

\b
With --protocol native one port serves plain TCP and WebSockets (docs/protocols/native.md). A token keeps
strangers out. It comes from a file or from the variable FAIRPLAY_TOKEN: everyone on this machine can read
a command line. The established protocols cannot carry one.

\b
Examples:
  fairplay serve-tcp fish --port 45678
  fairplay serve-tcp trains --port 45678 --waiting 5 --least 2 --fill buy-now
  fairplay serve-tcp labyrinth --port 45678 --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  fairplay serve-tcp fish --port 45678 --protocol native --token-file token.txt --grace 30
  fairplay serve-tcp fish --port 45678 --protocol native --allow-origin https://play.example.org
""",
)
@click.argument("game")
@click.option("--port", type=click.IntRange(0, 65_535), required=True, help="Where to listen; 0 takes any free port.")
@click.option("--protocol", type=PROTOCOL, default="established", show_default=True, help="What is spoken.")
@click.option("--fill", multiple=True, metavar="SPEC", help="House players for empty seats, in turn; repeatable.")
@click.option(
    "--fill-to", type=click.IntRange(2), help="Fill up to this many players. [default: the fewest that may start]"
)
@click.option("--patience", type=float, callback=seconds, help="Seconds for one answer. [default: by the rule book]")
@click.option("--seed", type=int, help="Fixes every deal. [default: a new one]")
@click.option("--variant", help="Which variant to play; the clients must be set to it too.")
@board_option("The board to play on, where the game has boards; in Trains the map that house players propose.")
@click.option("--setup", metavar="FILE|JSON", help="Parameters of the matches, as JSON or a file of it.")
@store_options
@server_options
def command(
    game: str,
    port: int,
    protocol: str,
    fill: tuple[str, ...],
    fill_to: int | None,
    patience: float | None,
    seed: int | None,
    variant: str | None,
    board: str | None,
    setup: str | None,
    db: str | None,
    out: Path | None,
    server: ServerChoices,
    *,
    no_store: bool,
) -> None:
    """Sign players up over TCP, play one tournament, print the result."""
    chosen = chosen_game(game)
    terms = native_terms(protocol, server)
    if terms is None:
        established_of(chosen)
    parameters = server_setup(chosen, variant, board, setup)
    first = chosen_seed(seed)
    rules = change_sign_up(sign_up_for(chosen, parameters), server)
    try:
        deal(chosen, parameters, first, min(rules.most, rules.sizes[-1]))
    except SetupError as error:
        raise UsageError(f"--setup: {error}") from None
    filling = fill_players(chosen, fill, (fill_to or rules.periods[0].least) - 1)
    files = MatchFiles(out)
    with open_keeping(db, no_store=no_store) as keeping:
        sock, tls = open_socket(server, port, terms)
        service = Service(
            contest=knock_out_of(chosen, parameters, first, rules, patience),
            sign_up=rules,
            native=terms,
            fill=filling,
            limits=server.limits,
            tls=tls,
            report=lambda competition, result: files.write(result),
        )

        def create(contest: Contest, sessions: Sequence[SessionRow]) -> Keeper:
            kept = keeping.create(contest, sessions)
            if kept.lasting:
                click.echo(f"tournament {kept.id} in {kept.db}", err=True)
            return kept.keeper

        hosted = asyncio.run(serve_contest(chosen, service, sock, Pool(1), create))
    if out is not None:
        write_result(out, hosted)
    click.echo(text(hosted.result))


def server_setup(game: AnyGame, variant: str | None, board: str | None, setup: str | None) -> Any:
    """What a server plays unless told otherwise, with what is given changed; raises UsageError or SetupError."""
    fields = read_fields(setup)
    if game.established is None or variant is not None or board is not None or "variant" in fields:
        return chosen_setup(game, variant, fields, board)
    try:
        return msgspec.convert({**msgspec.to_builtins(game.established.desk.SETUP), **fields}, game.setup)
    except msgspec.ValidationError as error:
        raise SetupError(f"--setup: {str(error).replace('`', '')}") from None


def fill_players(game: AnyGame, specs: tuple[str, ...], count: int) -> tuple[Entrant, ...]:
    """`count` players of the house, the specs taken in turn; raises UsageError."""
    if not specs:
        return ()
    for spec in specs:
        seat_entrant(game, spec)
    return tuple(Entrant(specs[number % len(specs)], specs[number % len(specs)]) for number in range(count))


def write_result(folder: Path, hosted: Hosted) -> None:
    """Who took part, what became of everyone, and the result, beside the records."""
    standing = hosted.standing
    faults = standing.faults if standing else (None,) * len(hosted.names)
    players = [{"name": name, "fault": fault} for name, fault in zip(hosted.names, faults, strict=True)]
    report = {"players": players, "winners": standing.winners if standing else (), "result": hosted.result}
    (folder / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
