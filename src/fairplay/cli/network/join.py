"""`fairplay join`: a player that signs up with a server."""

import asyncio
import inspect
import os
import re
import ssl
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Literal

import click
import msgspec
from msgspec import Struct
from websockets.exceptions import InvalidURI
from websockets.uri import parse_uri

from fairplay.cli.network import serving
from fairplay.cli.options import board_option, choose_game, choose_seed
from fairplay.contest.specs import is_process, trust_spec
from fairplay.core import AnyGame, Fault, Misbehaved, Player, SeatInfo, Strategy, UsageError
from fairplay.core.chance import derived
from fairplay.core.established import Client
from fairplay.core.game import established_of
from fairplay.core.names import escape_controls
from fairplay.match.calls import call_player
from fairplay.match.driver import describe_seat
from fairplay.match.protocol import Word
from fairplay.match.referee import decode_action
from fairplay.net.established import NATIVE_SERVER, RETRY_FOR, answer_calls, sign_up_client
from fairplay.net.native import Address, ClientConversation, join_server
from fairplay.net.transcript import Transcript, open_transcript
from fairplay.run.entrants import Seating, seat_entrant, wants_turns
from fairplay.run.isolation.program import end_programs


@click.command(
    "join",
    epilog="""\b
A SPEC is a house strategy, such as minimax:depth=1, or a Python file: my_bot.py, or my_bot.py:name.
The player sees what the protocol shows it and no more. Values that an established protocol does not show
are at their minimum.

\b
The player first sends its name, as clients of the established protocols do; a server of the native protocol says so
at once, and the player signs up again in that one. --protocol forces one of them; a WebSocket, --session-file and
--token-file mean the native one.

\b
With the native protocol, a player whose connection breaks comes back by itself, and with --session-file also after
it was started again. If the server wants a token, put it in a file or in FAIRPLAY_TOKEN: everyone on this machine
can read a command line.

\b
Examples:
  fairplay join fish 127.0.0.1:45678 --name ann --player minimax
  fairplay join trains example.org:45678 --name bob --player my_bot.py --board small --tls
  fairplay join fish 127.0.0.1:45678 --name ann --player minimax --token-file token.txt
  fairplay join fish ws://127.0.0.1:45678 --name ann --player minimax
  fairplay join fish ws://127.0.0.1:45678 --name ann --player my_bot.py --session-file ann.session
""",
)
@click.argument("game")
@click.argument("server", metavar="HOST:PORT|ws://HOST:PORT|wss://HOST:PORT")
@click.option("--name", required=True, help="The name to sign up with.")
@click.option("--player", required=True, metavar="SPEC", help="The player to sign up.")
@click.option(
    "--protocol", type=serving.PROTOCOL, help="The protocol to speak. [default: the one that the server speaks]"
)
@board_option("The board that the server plays on; in Trains the map to propose. [default in Trains: small]")
@click.option("--variant", help="The variant that the server plays.")
@click.option(
    "--setup", metavar="FILE|JSON", help="Parameters of the server's matches that the protocol does not tell."
)
@click.option("--stay", is_flag=True, help="Labyrinth: stay for more matches when one is over.")
@click.option(
    "--session-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the session key in this file, and come back with it next time (native).",
)
@serving.token_option("File with the token that the server wants (native). [default: FAIRPLAY_TOKEN, if it is set]")
@click.option("--seed", type=int, help="Fixes the player's own chance. [default: a new one; native: the server's]")
@click.option(
    "--retry",
    type=click.FloatRange(0),
    default=RETRY_FOR,
    show_default=True,
    help="How long to keep trying to connect, in seconds.",
)
@click.option(
    "--line-feeds/--no-line-feeds",
    default=False,
    show_default=True,
    help="Send a line feed after each value (established protocols).",
)
@serving.transcript_option
@click.option("--tls", "secured", is_flag=True, help="Use TLS.")
@click.option(
    "--tls-ca",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Certificates of the authorities to trust; turns TLS on.",
)
def command(
    game: str,
    server: str,
    name: str,
    player: str,
    protocol: str | None,
    board: str | None,
    variant: str | None,
    setup: str | None,
    session_file: Path | None,
    token_file: Path | None,
    seed: int | None,
    retry: float,
    tls_ca: Path | None,
    transcript: Path | None,
    *,
    stay: bool,
    line_feeds: bool,
    secured: bool,
) -> None:
    """Sign a player up with a server and let it play."""
    chosen = choose_game(game)
    spoken = protocol or _known_protocol(chosen, server, session_file, token_file)
    token = serving.choose_token(spoken or "native", token_file)
    address = parse_address(server, tls_ca, secured=secured)
    own: dict[str, object] = {"--board": board, "--variant": variant, "--setup": setup}
    own |= {"--stay": stay or None, "--line-feeds": line_feeds or None}
    if spoken == "native":
        _refuse_options(own)
    elif session_file is not None:
        raise UsageError("--session-file: only a player of the native protocol can return; use --protocol native")
    elif address.uri is not None:
        raise UsageError("--protocol: over a WebSocket, only the native protocol is spoken")
    report = serving.report_to_stderr
    with open_transcript(transcript, report) as written, redirect_stdout(sys.stderr):  # bots print there
        seat = seat_entrant(chosen, trust_spec(player))  # it is their own
        guest = Guest(chosen, address, name, player, seat, retry, written)
        ending = ""
        fault: Fault | None = NATIVE_SERVER
        if spoken != "native":
            parameters = serving.choose_client_setup(chosen, variant, board, setup)
            ending, fault = _play_established(guest, parameters, choose_seed(seed), stay=stay, line_feeds=line_feeds)
        if fault is NATIVE_SERVER and spoken != "established":
            _refuse_options(own)
            ending, fault = _play_native(guest, token, seed, session_file)
    if fault is NATIVE_SERVER:
        raise click.ClickException(f"{fault.detail}: leave out --protocol, or use --protocol native")
    if fault is not None:
        raise click.ClickException(escape_controls(f"it ended early: {fault.kind}: {fault.detail}"))
    click.echo(ending)


class Guest(Struct, frozen=True):
    """Who signs up, and with which server."""

    game: AnyGame
    address: Address
    name: str
    spec: str
    seat: Seating  # the player that `spec` names
    retry_for: float  # seconds
    transcript: Transcript | None


Result = tuple[str, Fault | None]
"""What the player came to, in words, and why it ended early if it did."""


def describe_end(won: bool | None, shared: int = 0) -> str:
    """What the player came to; `shared`: how many others share the first place."""
    if shared:
        return f"shared first place with {shared} other{'s' if shared > 1 else ''}"
    return "won" if won else "did not win"


report_progress = partial(click.echo, err=True)


def _known_protocol(
    game: AnyGame, server: str, session_file: Path | None, token_file: Path | None
) -> Literal["native"] | None:
    """The protocol that must be spoken; None if the server's first value is to tell.

    A token in the environment may be there for other servers: those of the established protocols never see it.
    """
    native = (
        _is_websocket(server) or game.parts.established is None or session_file is not None or token_file is not None
    )
    return "native" if native else None


def _play_established(guest: Guest, setup: object, seed: int, *, stay: bool, line_feeds: bool) -> Result:
    """Play with the game's own protocol; the fault is NATIVE_SERVER if the server does not speak it.

    Raises UsageError and OSError.
    """
    game = guest.game
    wanted = established_of(game).sign_up.sign_up_terms(setup).name
    if not re.fullmatch(wanted, guest.name):
        raise UsageError(f"--name: {game.name} takes names that match {wanted}; with --protocol native others will do")
    if stay and "stay" not in inspect.signature(established_of(game).client).parameters:
        raise UsageError(f"--stay: {game.name} has no use for it; its clients are told when the tournament is over")
    player = guest.seat(derived(seed, "player", 0), describe_seat(game, setup))
    options = {"stay": True} if stay else {}
    client = established_of(game).client(_check_answers(game, player.choose), setup, **options)
    try:
        fault = asyncio.run(_converse(guest, client, line_feeds=line_feeds))
    finally:
        end_programs([player], None)
    return describe_end(client.won), fault


async def _converse(guest: Guest, client: Client, *, line_feeds: bool) -> Fault | None:
    """Sign up, and answer every call; why it ended early, if it did."""
    connection = await sign_up_client(
        guest.address.host,
        guest.address.port,
        guest.name,
        tls=guest.address.tls,
        retry_for=guest.retry_for,
        line_feeds=line_feeds,
        transcript=guest.transcript,
        report=report_progress,
    )
    return await answer_calls(connection, client)


def _check_answers(game: AnyGame, choose: Strategy[object, object]) -> Strategy[object, object]:
    """`choose`, whose crashes and strange answers are told to its author instead of to the server."""

    def strategy(view: object) -> object:
        action = decode_action(game, call_player(choose, view), view)
        if isinstance(action, Fault):
            raise Misbehaved(action)
        return action

    return strategy


def _play_native(guest: Guest, token: str | None, seed: int | None, session_file: Path | None) -> Result:
    """Play with the native protocol; raises UsageError and OSError."""
    try:
        msgspec.convert(guest.name, Word)
    except msgspec.ValidationError:
        raise UsageError("--name: expected 1 to 64 printable ASCII characters, without a space at either end") from None
    matches = count()
    fixed = None if seed is None else choose_seed(seed)

    def seat_player(chance: int, info: SeatInfo) -> Player:
        return guest.seat(Random(chance) if fixed is None else derived(fixed, "player", next(matches)), info)

    visitor = ClientConversation(
        guest.game,
        seat_player,
        guest.name,
        token,
        turns=wants_turns(guest.seat) or is_process(trust_spec(guest.spec)),
        session=read_session(session_file),
        keep_session=None if session_file is None else partial(write_secret, session_file),
    )
    fault = asyncio.run(join_server(guest.address, visitor, guest.retry_for, guest.transcript, report_progress))
    if fault is None and session_file is not None:
        session_file.unlink(missing_ok=True)  # it is over: the key opens nothing any more
    return describe_end(visitor.won, visitor.shared), fault


def read_session(file: Path | None) -> str | None:
    """The session key of an earlier process, if there is one."""
    return file.read_text("utf-8").strip() if file is not None and file.exists() else None


def write_secret(file: Path, secret: str) -> None:
    """Keep a secret where only its owner reads it."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        os.fchmod(descriptor, 0o600)  # it may have been there, and open to others
        opened.write(f"{secret}\n")


def _refuse_options(own: Mapping[str, object]) -> None:
    """Raises UsageError if one of the options was given that only the established protocols have a use for."""
    for option, given in own.items():
        if given is not None:
            raise UsageError(f"{option}: leave it out; the native protocol tells the player")


def _is_websocket(server: str) -> bool:
    """Is this the address of a WebSocket?"""
    return server.startswith(("ws://", "wss://"))


def parse_address(server: str, ca: Path | None, *, secured: bool) -> Address:
    """Where `server` says to connect; raises UsageError."""
    secured = secured or ca is not None
    if not _is_websocket(server):
        host, port = _parse_host_and_port(server)
        return Address(host, port, None, _trust_authorities(ca) if secured else None)
    try:
        uri = parse_uri(server)
    except (InvalidURI, ValueError):
        raise UsageError(f"expected ws://HOST:PORT or wss://HOST:PORT, not '{server}'") from None
    if secured and not uri.secure:
        raise UsageError("--tls: the address of a WebSocket with TLS begins with wss://")
    return Address(uri.host, uri.port, server, _trust_authorities(ca) if uri.secure else None)


def _parse_host_and_port(server: str) -> tuple[str, int]:
    """The host and the port in ``HOST:PORT``; raises UsageError."""
    host, colon, port = server.rpartition(":")
    if not colon or not host or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65_535:
        raise UsageError(f"expected HOST:PORT, not '{server}'")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _trust_authorities(ca: Path | None) -> ssl.SSLContext:
    """The client's side of TLS, trusting `ca` or what this machine trusts; raises UsageError."""
    try:
        return ssl.create_default_context(cafile=ca)
    except (ssl.SSLError, OSError) as error:
        raise UsageError(f"--tls-ca: {ca} cannot be used: {error}") from None
