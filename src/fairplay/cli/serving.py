"""What the commands share that let players sign up over a network: options, terms, sockets, certificates."""

from __future__ import annotations

import math
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from fairplay.cli.token import chosen_token, token_option
from fairplay.core import UsageError
from fairplay.net.reception import NativeTerms
from fairplay.net.sign_up import Limits, listening
from fairplay.parts.established import Period, SignUp

__all__ = ["PROTOCOL", "ServerChoices", "change_sign_up", "native_terms", "open_socket", "seconds", "server_options"]

F = TypeVar("F", bound=Callable[..., Any])

PROTOCOL = click.Choice(["established", "native"])
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def seconds(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Check an option that is a number of seconds."""
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise click.BadParameter("must be more than 0 seconds", context, option)
    return value


class ServerChoices(Struct, frozen=True):
    """The options of `server_options`, as they were given."""

    address: str
    name_patience: float | None
    waiting: float | None
    least: int | None
    most: int | None
    unnamed: int
    per_address: int
    token_file: Path | None
    grace: float | None
    allow_origin: tuple[str, ...]
    tls_cert: Path | None
    tls_key: Path | None

    @property
    def limits(self) -> Limits:
        return Limits(unnamed=self.unnamed, per_address=self.per_address)


def server_options(command: F) -> F:
    """The options of every command that listens; a command takes them as one `ServerChoices`."""

    def gathered(*arguments: Any, **options: Any) -> Any:
        given = {name: options.pop(name) for name in ServerChoices.__struct_fields__}
        return command(*arguments, server=ServerChoices(**given), **options)

    gathered.__doc__ = command.__doc__
    wrapped: Any = gathered
    wrapped.__click_params__ = getattr(command, "__click_params__", [])
    existing = click.Path(path_type=Path, exists=True, dir_okay=False)
    for option in reversed(
        (
            click.option("--host", "address", default="127.0.0.1", show_default=True, help="The address to listen on."),
            click.option("--least", type=click.IntRange(1), help="Start only with at least this many sign-ups."),
            click.option("--most", type=click.IntRange(1, 10_000), help="Start as soon as this many have signed up."),
            click.option("--waiting", type=float, callback=seconds, help="How long to wait for sign-ups, in seconds."),
            click.option(
                "--name-patience", type=float, callback=seconds, help="Seconds a connection has for its name."
            ),
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
                default=128,
                show_default=True,
                help="Maximum number of connections from one address.",
            ),
            token_option("Players must know the token in this file (native). [default: FAIRPLAY_TOKEN, if it is set]"),
            click.option(
                "--grace", type=click.FloatRange(0), help="Seconds to reconnect after a break (native). [default: 10]"
            ),
            click.option(
                "--allow-origin",
                multiple=True,
                metavar="URL",
                help="Site whose pages may sign up (native); repeatable.",
            ),
            click.option("--tls-cert", type=existing, help="Certificate: use TLS."),
            click.option("--tls-key", type=existing, help="Its private key."),
        )
    ):
        wrapped = option(wrapped)
    result: F = wrapped
    return result


def native_terms(protocol: str, server: ServerChoices) -> NativeTerms | None:
    """What a server of the native protocol asks and grants; None for the others.  Raises UsageError."""
    token = chosen_token(protocol, server.token_file)
    if protocol == "native":
        if server.grace is not None and not math.isfinite(server.grace):
            raise UsageError("--grace: must be a number of seconds")
        return NativeTerms(token, NativeTerms().grace if server.grace is None else server.grace, server.allow_origin)
    if server.grace is not None or server.allow_origin:
        raise UsageError("--grace and --allow-origin need --protocol native")
    return None


def change_sign_up(rules: SignUp, server: ServerChoices, fewest: int = 2) -> SignUp:
    """The terms of sign-up with what is given changed; raises UsageError."""
    if server.most is not None and rules.last_is_first and server.most > rules.most:
        raise UsageError(f"--most: one match has {rules.most} seats")
    most, least = server.most or rules.most, server.least
    if least is not None and least > most:
        raise UsageError(f"--least: at most {most} can sign up")
    periods = tuple(
        Period(server.waiting or period.seconds, least or max(fewest, min(period.least, most)))
        for period in rules.periods
    )
    return replace(rules, name_patience=server.name_patience or rules.name_patience, periods=periods, most=most)


def open_socket(
    server: ServerChoices, port: int, terms: NativeTerms | None
) -> tuple[socket.socket, ssl.SSLContext | None]:
    """Listen, and say where; warns where strangers can listen in.  Raises UsageError or OSError."""
    tls = certificate(server.tls_cert, server.tls_key)
    sock = listening(server.address, port)
    click.echo(f"listening on {server.address} port {sock.getsockname()[1]}", err=True)
    if server.address not in LOOPBACK and tls is None:
        who = (
            "the token can be read on its way"
            if terms and terms.token
            else "anyone who reaches this address may sign up"
        )
        click.echo(f"Warning: {who}, and nothing is encrypted", err=True)
    return sock, tls


def certificate(cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
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
