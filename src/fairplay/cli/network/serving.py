"""What the commands share that serve or join over a network: options, the token, and the server itself."""

import asyncio
import math
import os
import signal
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from fairplay.cli import options, output, storage
from fairplay.contest.contest import Contest, Result
from fairplay.core import AnyGame, UsageError
from fairplay.core.established import Period, SignUp
from fairplay.core.game import established_of
from fairplay.net.admission import NativeTerms
from fairplay.net.server import HostedResult, Service, resume_served, serve_contest
from fairplay.net.sign_up import SignUpLimits, SignUpProgress, WrongProtocol, open_listener
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Engine
from fairplay.run.keeping import Keeper
from fairplay.setups import build_setup, choose_setup
from fairplay.store import SessionRow

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")

PROTOCOL = click.Choice(["established", "native"])
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

NAME_SECONDS = 10.0
"""How long a connection to a tournament has to send its name unless told otherwise."""


# -- the token ---------------------------------------------------------------------------------

_TOKEN_VARIABLE = "FAIRPLAY_TOKEN"
_MAX_TOKEN = 256


def token_option(help: str) -> Callable[[F], F]:
    """`--token-file`, which does not show the token to everyone on the machine as a command line would."""
    return click.option("--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help=help)


def choose_token(protocol: str, file: Path | None) -> str | None:
    """The token in `file`, else in the environment, if there is one; raises UsageError."""
    where, token = (
        (_TOKEN_VARIABLE, os.environ.get(_TOKEN_VARIABLE)) if file is None else ("--token-file", _read_token(file))
    )
    if token is None:
        return None
    if protocol != "native":
        raise UsageError(f"{where}: the established protocols cannot carry a token; use --protocol native, or no token")
    if not 1 <= len(token) <= _MAX_TOKEN or not token.isprintable():
        raise UsageError(f"{where}: a token is one line of 1 to {_MAX_TOKEN} printable characters")
    return token


def _read_token(file: Path) -> str:
    """What a file holds, without the end of its line; raises UsageError."""
    try:
        return file.read_text("utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "it is not UTF-8 text")
        raise UsageError(f"--token-file: {file} cannot be read: {reason}") from None


# -- options -----------------------------------------------------------------------------------


class SignUpOptions(Struct, frozen=True):
    """How many players are wanted, and how long they have."""

    least: int | None
    most: int | None
    waiting: float | None
    name_patience: float | None


sign_up_options: Callable[[F], F] = options.group_options(
    "signing_up",
    SignUpOptions,
    click.option("--least", type=click.IntRange(1), help="Start only if at least this many players have signed up."),
    click.option("--most", type=click.IntRange(1, 10_000), help="Start as soon as this many players have signed up."),
    click.option(
        "--waiting", type=float, callback=options.check_seconds, help="How long to wait for sign-ups, in seconds."
    ),
    click.option(
        "--name-patience",
        type=float,
        callback=options.check_seconds,
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

_EXISTING_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)

port_option = click.option(
    "--port", type=click.IntRange(0, 65_535), required=True, help="Port to listen on; 0 takes any free one."
)

server_options: Callable[[F], F] = options.group_options(
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
    click.option("--tls-cert", type=_EXISTING_FILE, help="Certificate; turns TLS on."),
    click.option("--tls-key", type=_EXISTING_FILE, help="Private key of the certificate."),
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


# -- what is played ----------------------------------------------------------------------------


def choose_server_setup(game: AnyGame, variant: str | None, board: str | None, setup: str | None) -> object:
    """What a server plays unless told otherwise, with what is given changed; raises UsageError or SetupError."""
    base = None if game.parts.established is None else game.parts.established.sign_up.SETUP
    return _change_setup(game, base, variant, board, options.read_fields(setup))


def choose_client_setup(game: AnyGame, variant: str | None, board: str | None, setup: str | None) -> object:
    """What a client of the established protocol goes by, likewise."""
    return _change_setup(game, established_of(game).sign_up.CLIENT_SETUP, variant, board, options.read_fields(setup))


def _change_setup(
    game: AnyGame, base: object, variant: str | None, board: str | None, fields: dict[str, Any]
) -> object:
    """`base`, if there is one and no other is named, with what is given changed."""
    if base is None or variant is not None or board is not None or "variant" in fields:
        return choose_setup(game, variant, fields, board)
    return build_setup(game, base, fields)


# -- a server ----------------------------------------------------------------------------------


class ContestServer:
    """Where the players of one contest sign up: its socket, its terms, and the contest once it has begun."""

    def __init__(self, options: ServerOptions, port: int, native: NativeTerms | None) -> None:
        """Listens, and says where; native: None: the established protocols.  Raises UsageError or OSError."""
        self._sock, self._tls = _open_socket(options, port, native)
        self._native, self._limits = native, options.limits
        self.stored: storage.StoredContest | None = None  # once the contest has begun

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._sock.close()

    def explain_stop(self) -> AbstractContextManager[None]:
        """If the block is interrupted or cannot go on: say how to resume the contest, if it has begun, and end."""
        return storage.explain_stop(lambda: self.stored, f" --port {self._sock.getsockname()[1]}")

    def serve(
        self,
        game: AnyGame,
        service: Service,
        engine: Engine,
        store: storage.ContestStore,
        announce: Callable[[storage.StoredContest, Contest], None],
    ) -> HostedResult:
        """Sign players up for the contest of `service`, which needs no socket and no terms yet, and play it.

        announce: is told once the contest has begun.
        """

        def create(contest: Contest, sessions: Sequence[SessionRow]) -> Keeper:
            self.stored = store.create(contest, sessions)
            announce(self.stored, contest)
            return self.stored.keeper

        def take_result(competition: Competition, result: Result) -> None:
            store.files.write(result)
            if service.report is not None:
                service.report(competition, result)

        served = replace(self._complete(service), report=take_result, watch_sign_up=_announce_sign_up)
        return run_until_signal(serve_contest(game, served, self._sock, engine, create))

    def resume(self, game: AnyGame, service: Service, engine: Engine, stored: storage.StoredContest) -> None:
        """Go on with a contest whose players come back with their sessions."""
        self.stored = stored
        sessions = stored.store.sessions(stored.id)
        work = resume_served(game, self._complete(service), sessions, self._sock, engine, stored.keeper)
        with self.explain_stop():
            run_until_signal(work)

    def _complete(self, service: Service) -> Service:
        return replace(service, native=self._native, limits=self._limits, tls=self._tls)


def _announce_sign_up(news: SignUpProgress | WrongProtocol) -> None:
    """EFFECT: tells the organiser how far sign-up has come; that there are too few players is told at the end."""
    if isinstance(news, WrongProtocol) or news.event != "too few":
        output.echo(str(news), err=True)


def report_to_stderr(message: str) -> None:
    """Say something beside the result."""
    click.echo(f"Warning: {message}", err=True)


def explain_too_few(too_few: str) -> str:
    """What to do if too few players have signed up, after how many they were."""
    return f"{too_few}; nothing was played. Wait longer (--waiting SECONDS) or start with fewer (--least N)"


def _open_socket(
    server: ServerOptions, port: int, terms: NativeTerms | None
) -> tuple[socket.socket, ssl.SSLContext | None]:
    """Listen, and say where; warns if others can listen in.  Raises UsageError or OSError."""
    tls = load_certificate(server.tls_cert, server.tls_key)
    sock = open_listener(server.host, port)
    click.echo(f"listening on {server.host} port {sock.getsockname()[1]}", err=True)
    if server.host not in _LOOPBACK and tls is None:
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


# -- an event loop that signals stop in an orderly way -----------------------------------------

_STOPPING = (signal.SIGINT, signal.SIGTERM)


def run_until_signal(work: Awaitable[T]) -> T:
    """Run `work`; Ctrl-C and SIGTERM cancel it, and are raised as KeyboardInterrupt once it has ended.

    A handler that raises does so wherever the loop happens to be: in a callback of the garbage collector, where it is
    lost, or in the task of some match, which then ends without telling those who wait for it.
    """
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in _STOPPING}

    async def cancel_on_signals() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def stop(number: int) -> None:
            came.append(number)
            task.cancel()

        for number, handler in handlers.items():
            if handler is not signal.SIG_IGN:  # as `nohup` asks for
                loop.add_signal_handler(number, stop, number)
        return await work

    try:
        return asyncio.run(cancel_on_signals())
    except asyncio.CancelledError:
        if came:
            raise KeyboardInterrupt(came[0]) from None
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
