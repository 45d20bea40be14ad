"""Options of the commands that let players sign up over a network, and what follows from them."""

import math
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from fairplay.cli.network.token import choose_token, token_option
from fairplay.cli.options import check_seconds, group_options
from fairplay.cli.output import echo
from fairplay.core import UsageError
from fairplay.core.established import Period, SignUp
from fairplay.net.admission import NativeTerms
from fairplay.net.sign_up import SignUpLimits, SignUpProgress, open_listener
from fairplay.net.wrong_protocol import WrongProtocol

F = TypeVar("F", bound=Callable[..., Any])

PROTOCOL = click.Choice(["established", "native"])
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class SignUpOptions(Struct, frozen=True):
    """How many players are wanted, and how long they have."""

    least: int | None
    most: int | None
    waiting: float | None
    name_patience: float | None


sign_up_options: Callable[[F], F] = group_options(
    "signing_up",
    SignUpOptions,
    click.option("--least", type=click.IntRange(1), help="Start only if at least this many players have signed up."),
    click.option("--most", type=click.IntRange(1, 10_000), help="Start as soon as this many players have signed up."),
    click.option("--waiting", type=float, callback=check_seconds, help="How long to wait for sign-ups, in seconds."),
    click.option(
        "--name-patience",
        type=float,
        callback=check_seconds,
        help="How long a connection has to send a name, in seconds.",
    ),
)


class ServerOptions(Struct, frozen=True):
    """Where to listen, and what connections may do."""

    host: str
    unnamed: int
    per_address: int | None
    token_file: Path | None
    grace: float | None
    allow_origin: tuple[str, ...]
    tls_cert: Path | None
    tls_key: Path | None

    @property
    def limits(self) -> SignUpLimits:
        """What all connections together may take."""
        return SignUpLimits(unnamed=self.unnamed, players=self.per_address)


transcript_option = click.option(
    "--transcript",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every value sent and received to this new file, as lines of JSON; secrets are left out.",
)

EXISTING_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)

port_option = click.option(
    "--port", type=click.IntRange(0, 65_535), required=True, help="Port to listen on; 0 takes any free one."
)

server_options: Callable[[F], F] = group_options(
    "server",
    ServerOptions,
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option(
        "--unnamed",
        type=click.IntRange(1),
        default=256,
        show_default=True,
        help="Maximum number of connections that have not sent a name yet.",
    ),
    click.option(
        "--per-address",
        type=click.IntRange(1),
        help="Maximum number of players from one address who sign up without a token. [default: no limit]",
    ),
    token_option("Players must send the token in this file (native). [default: FAIRPLAY_TOKEN, if it is set]"),
    click.option(
        "--grace",
        type=click.FloatRange(0),
        help="How long a player has to come back after its connection broke, in seconds (native). [default: 10]",
    ),
    click.option(
        "--allow-origin", multiple=True, metavar="URL", help="Let pages of this site sign up (native); repeatable."
    ),
    click.option("--tls-cert", type=EXISTING_FILE, help="Certificate; turns TLS on."),
    click.option("--tls-key", type=EXISTING_FILE, help="Private key of the certificate."),
)


def choose_native_terms(protocol: str, server: ServerOptions) -> NativeTerms | None:
    """What a server of the native protocol asks and grants; None for the established ones.  Raises UsageError."""
    token = choose_token(protocol, server.token_file)
    if protocol == "native":
        if server.grace is not None and not math.isfinite(server.grace):
            raise UsageError("--grace: must be a number of seconds")
        return NativeTerms(token, NativeTerms().grace if server.grace is None else server.grace, server.allow_origin)
    if server.grace is not None or server.allow_origin:
        raise UsageError("--grace and --allow-origin need --protocol native")
    return None


def change_sign_up(rules: SignUp, changes: SignUpOptions, fewest: int = 2) -> SignUp:
    """The terms of sign-up with what is given changed; raises UsageError."""
    plays_one_match = rules.most <= rules.sizes[-1]
    if changes.most is not None and plays_one_match and changes.most > rules.most:
        raise UsageError(f"--most: a match has {rules.most} seats")
    most, least = changes.most or rules.most, changes.least
    if least is not None and least > most:
        raise UsageError(f"--least: at most {most} players can sign up")
    periods = tuple(
        Period(changes.waiting or period.seconds, least or max(fewest, min(period.least, most)))
        for period in rules.periods
    )
    return replace(rules, name_patience=changes.name_patience or rules.name_patience, periods=periods, most=most)


def announce_sign_up(news: SignUpProgress | WrongProtocol) -> None:
    """EFFECT: tells the organiser how far sign-up has come; that there are too few players is told at the end."""
    if isinstance(news, WrongProtocol) or news.event != "too few":
        echo(str(news), err=True)


def explain_too_few(too_few: str) -> str:
    """What to do if too few players have signed up, after how many they were."""
    return f"{too_few}; nothing was played. Wait longer (--waiting SECONDS) or start with fewer (--least N)"


def open_socket(
    server: ServerOptions, port: int, terms: NativeTerms | None
) -> tuple[socket.socket, ssl.SSLContext | None]:
    """Listen, and say where; warns if others can listen in.  Raises UsageError or OSError."""
    tls = load_certificate(server.tls_cert, server.tls_key)
    sock = open_listener(server.host, port)
    click.echo(f"listening on {server.host} port {sock.getsockname()[1]}", err=True)
    if server.host not in LOOPBACK and tls is None:
        who = (
            "others can read the token on its way"
            if terms and terms.token
            else "anyone who reaches this address can sign up"
        )
        click.echo(f"Warning: {who}, and nothing is encrypted", err=True)
    return sock, tls


def load_certificate(cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """The server's side of TLS; raises UsageError."""
    if cert is None:
        if key is not None:
            raise UsageError("--tls-key: a key needs its certificate: --tls-cert")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise UsageError(f"--tls-cert: {cert} and its key cannot be used: {error}") from None
    return context
