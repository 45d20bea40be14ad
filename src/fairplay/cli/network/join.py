"""`fairplay join`: a player that signs up with a server."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import ssl
import sys
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec
from websockets.exceptions import InvalidURI
from websockets.uri import parse_uri

from fairplay.catalog import find_game
from fairplay.cli.network.serve_tcp import choose_server_setup, report_to_stderr
from fairplay.cli.network.server_options import PROTOCOL, transcript_option
from fairplay.cli.network.token import choose_token, token_option
from fairplay.cli.options import board_option
from fairplay.cli.setups import choose_seed
from fairplay.core import AnyGame, Fault, Misbehaved, Player, SeatInfo, Strategy, UsageError
from fairplay.core.chance import derived
from fairplay.core.escaping import escape_controls
from fairplay.match.calls import call_player
from fairplay.match.protocol import Word
from fairplay.match.referee import decode_action
from fairplay.match.secrecy import describe_seat
from fairplay.net.connection import PeerConnection
from fairplay.net.established_client import RETRY_FOR, answer_calls, sign_up_client
from fairplay.net.native_client import Address, join_server
from fairplay.net.transcript import Transcript, open_transcript
from fairplay.parts.established import Client, established_of
from fairplay.run.client_conversation import ClientConversation
from fairplay.run.entrants import is_process, seat_entrant, trust_spec, wants_turns

__all__ = ["command"]


@click.command(
    "join",
    epilog="""\b
A SPEC is a house strategy, such as minimax:depth=1, or a Python file: my_bot.py, or my_bot.py:name.
The player sees what the protocol shows it and no more. Values that an established protocol does not show
are at their minimum.

\b
With --protocol native, a player whose connection breaks comes back by itself, and with --session-file also after
it was started again. If the server wants a token, put it in a file or in FAIRPLAY_TOKEN: everyone on this machine
can read a command line.

\b
Examples:
  fairplay join fish 127.0.0.1:45678 --name ann --player minimax
  fairplay join trains example.org:45678 --name bob --player my_bot.py --board small --tls
  fairplay join fish 127.0.0.1:45678 --name ann --player minimax --protocol native --token-file token.txt
  fairplay join fish ws://127.0.0.1:45678 --name ann --player minimax
  fairplay join fish ws://127.0.0.1:45678 --name ann --player my_bot.py --session-file ann.session
""",
)
@click.argument("game")
@click.argument("server", metavar="HOST:PORT|ws://HOST:PORT|wss://HOST:PORT")
@click.option("--name", required=True, help="The name to sign up with.")
@click.option("--player", required=True, metavar="SPEC", help="The player to sign up.")
@click.option(
    "--protocol", type=PROTOCOL, help="The protocol to speak. [default: established; native over a WebSocket]"
)
@board_option("The board that the server plays on; in Trains the map to propose.")
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
@token_option("File with the token that the server wants (native). [default: FAIRPLAY_TOKEN, if it is set]")
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
    default=True,
    show_default=True,
    help="Send a line feed after each value (established protocols).",
)
@transcript_option
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
    chosen = find_game(game)
    spoken = protocol or ("native" if is_websocket(server) else "established")
    token = choose_token(spoken, token_file)
    address = parse_address(server, tls_ca, secured=secured)
    with open_transcript(transcript, report_to_stderr) as written:
        if spoken == "native":
            own = {"--board": board, "--variant": variant, "--setup": setup, "--stay": stay or None}
            own |= {"--no-line-feeds": None if line_feeds else True}
            refuse_options([option for option, given in own.items() if given is not None])
            ending, fault = play_native(chosen, address, name, player, token, seed, retry, session_file, written)
        elif session_file is not None:
            raise UsageError("--session-file: only a player of the native protocol can return; use --protocol native")
        elif address.uri is not None:
            raise UsageError("--protocol: over a WebSocket, only the native protocol is spoken")
        else:
            parameters, own_seed = choose_server_setup(chosen, variant, board, setup), choose_seed(seed)
            manner = partial(sign_up_client, retry_for=retry, line_feeds=line_feeds, transcript=written)
            ending, fault = play_established(chosen, address, name, player, parameters, own_seed, manner, stay=stay)
    if fault is not None:
        raise click.ClickException(escape_controls(f"it ended early: {fault.kind}: {fault.detail}"))
    click.echo(ending)


Result = tuple[str, Fault | None]
"""What the player came to, in words, and why it ended early if it did."""


def describe_end(won: bool | None, shared: int = 0) -> str:
    """What the player came to; `shared`: how many others share the first place."""
    if shared:
        return f"shared first place with {shared} other{'s' if shared > 1 else ''}"
    return "won" if won else "did not win"


def play_established(
    game: AnyGame,
    address: Address,
    name: str,
    spec: str,
    setup: Any,
    seed: int,
    sign_up: Callable[..., Awaitable[PeerConnection]],
    *,
    stay: bool,
) -> Result:
    """Play with the game's own protocol; raises UsageError."""
    wanted = established_of(game).sign_up.sign_up_terms(setup).name
    if not re.fullmatch(wanted, name):
        raise UsageError(f"--name: {game.name} takes names that match {wanted}")
    with redirect_stdout(sys.stderr):  # what a bot prints must not mix with our report
        client = seat_client(game, spec, setup, seed, stay=stay)
        fault = asyncio.run(converse(address, name, client, sign_up))
    return describe_end(client.won), fault


def play_native(
    game: AnyGame,
    address: Address,
    name: str,
    spec: str,
    token: str | None,
    seed: int | None,
    retry: float,
    session_file: Path | None,
    transcript: Transcript | None,
) -> Result:
    """Play with the native protocol; raises UsageError."""
    try:
        msgspec.convert(name, Word)
    except msgspec.ValidationError:
        raise UsageError("--name: expected 1 to 64 printable ASCII characters, without a space at either end") from None
    with redirect_stdout(sys.stderr):
        seat, matches = seat_entrant(game, trust_spec(spec)), count()  # it is their own
        fixed = None if seed is None else choose_seed(seed)

        def seat_player(chance: int, info: SeatInfo) -> Player:
            return seat(Random(chance) if fixed is None else derived(fixed, "player", next(matches)), info)

        keep = None if session_file is None else lambda key: write_secret(session_file, key)
        visitor = ClientConversation(
            game,
            seat_player,
            name,
            token,
            turns=wants_turns(seat) or is_process(trust_spec(spec)),
            session=read_session(session_file),
            keep_session=keep,
        )
        fault = asyncio.run(join_server(address, visitor, retry, transcript))
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


def refuse_options(given: list[str]) -> None:
    """Raises UsageError where an option was given that the native protocol has no use for."""
    if given:
        raise UsageError(f"{given[0]}: leave it out; the native protocol tells the player")


def is_websocket(server: str) -> bool:
    """Is this the address of a WebSocket?"""
    return server.startswith(("ws://", "wss://"))


def parse_address(server: str, ca: Path | None, *, secured: bool) -> Address:
    """Where `server` says to connect; raises UsageError."""
    secured = secured or ca is not None
    if not is_websocket(server):
        host, port = parse_host_and_port(server)
        return Address(host, port, None, trust_authorities(ca) if secured else None)
    try:
        uri = parse_uri(server)
    except (InvalidURI, ValueError):
        raise UsageError(f"expected ws://HOST:PORT or wss://HOST:PORT, not '{server}'") from None
    if secured and not uri.secure:
        raise UsageError("--tls: the address of a WebSocket with TLS begins with wss://")
    return Address(uri.host, uri.port, server, trust_authorities(ca) if uri.secure else None)


def parse_host_and_port(server: str) -> tuple[str, int]:
    """The host and the port in ``HOST:PORT``; raises UsageError."""
    host, colon, port = server.rpartition(":")
    if not colon or not host or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65_535:
        raise UsageError(f"expected HOST:PORT, not '{server}'")
    return host.removeprefix("[").removesuffix("]"), int(port)


def trust_authorities(ca: Path | None) -> ssl.SSLContext:
    """The client's side of TLS, trusting `ca` or what this machine trusts; raises UsageError."""
    try:
        return ssl.create_default_context(cafile=ca)
    except (ssl.SSLError, OSError) as error:
        raise UsageError(f"--tls-ca: {ca} cannot be used: {error}") from None


def seat_client(game: AnyGame, spec: str, setup: Any, seed: int, *, stay: bool) -> Client:
    """The player that `spec` names behind the protocol of `game`; raises UsageError."""
    client = established_of(game).client
    if stay and "stay" not in inspect.signature(client).parameters:
        raise UsageError(f"--stay: {game.name} has no use for it; its clients are told when the tournament is over")
    player = seat_entrant(game, trust_spec(spec))(derived(seed, "player", 0), describe_seat(game, setup))
    options = {"stay": True} if stay else {}
    return client(check_answers(game, player.choose), setup, **options)


def check_answers(game: AnyGame, choose: Strategy[Any, Any]) -> Strategy[Any, Any]:
    """`choose`, whose crashes and strange answers are told to its author instead of to the server."""

    def strategy(view: Any) -> Any:
        action = decode_action(game, call_player(choose, view), view)
        if isinstance(action, Fault):
            raise Misbehaved(action)
        return action

    return strategy


async def converse(
    address: Address, name: str, client: Client, sign_up: Callable[..., Awaitable[PeerConnection]]
) -> Fault | None:
    """Sign up, and answer every call; why it ended early, if it did."""
    return await answer_calls(await sign_up(address.host, address.port, name, tls=address.tls), client)
