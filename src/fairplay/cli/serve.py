"""`fairplay serve`: the web page."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from fairplay.cli.keys import choose_signer, find_key_file
from fairplay.cli.options import db_option, key_option
from fairplay.core import UsageError

if TYPE_CHECKING:
    from fairplay.web.settings import Settings

__all__ = ["command"]

EXISTING_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(
    "serve",
    epilog="""\b
Play against house players, watch matches live, step through recorded ones, follow tournaments.
On this machine alone and without a token, anyone who opens the page is its owner. With a token, the page
asks for it before anyone may start a tournament or do anything else that only the owner may do. Put it in
a file or in FAIRPLAY_OWNER_TOKEN: everyone on this machine can read a command line.

\b
Examples:
  fairplay serve
  fairplay serve --port 8000 --db contests.db
  fairplay serve --host 0.0.0.0 --name games.example.org --token-file token.txt
""",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 takes any free one.",
)
@db_option
@key_option
@click.option("--token", envvar="FAIRPLAY_OWNER_TOKEN", help="The owner's token; --token-file is safer.")
@click.option("--token-file", type=EXISTING_FILE, help="File with the owner's token.")
@click.option("--name", "names", multiple=True, help="Host name under which people reach the server; repeatable.")
@click.option("--matches", type=click.IntRange(1), default=500, show_default=True, help="Maximum number of matches.")
@click.option("--watchers", type=click.IntRange(1), default=5000, show_default=True, help="Maximum number of watchers.")
@click.option(
    "--rate",
    type=click.FloatRange(1),
    default=30.0,
    show_default=True,
    help="Maximum number of requests per second from one address.",
)
@click.option(
    "--proxy", default="", metavar="ADDRESS", help="Trust this proxy to say from which address a request came."
)
@click.option(
    "--patience",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    help="How long a person may be away before a house player plays on, in seconds.",
)
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser, if this machine has a desktop.")
@click.option("--tls-cert", type=EXISTING_FILE, help="Certificate; turns TLS on.")
@click.option("--tls-key", type=EXISTING_FILE, help="Private key of the certificate.")
def command(
    host: str,
    port: int,
    db: str | None,
    key: Path | None,
    token: str | None,
    token_file: Path | None,
    names: tuple[str, ...],
    matches: int,
    watchers: int,
    rate: float,
    proxy: str,
    patience: float,
    browse: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Serve the web page: play, watch, replay, run tournaments."""
    from fairplay.store import default_url, open_store
    from fairplay.web.app import build_app
    from fairplay.web.http.serving import serve
    from fairplay.web.settings import Settings

    if tls_key is not None and tls_cert is None:
        raise UsageError("--tls-key: a key needs its certificate: --tls-cert")
    place = db or default_url()
    settings = Settings(
        token=choose_owner_token(token, token_file),
        hosts=allowed_hosts(host, names),
        matches=matches,
        watchers=watchers,
        rate=rate,
        burst=max(200.0, 5 * rate),
        proxy=proxy,
        patience=patience,
    )
    with open_page_socket(host, port) as sock, open_store(place) as store:
        settings = replace(settings, key=find_key_file(key, place) if choose_signer(key, place) else None)
        url = page_address(host, sock.getsockname()[1], secure=tls_cert is not None)
        announce_page(settings, url, store.place)
        if browse and has_desktop():
            threading.Timer(1.0, webbrowser.open, [url]).start()
        serve(build_app(settings, store), settings, sock, tls_cert, tls_key)


def choose_owner_token(given: str | None, file: Path | None) -> str:
    """The owner's token, empty where there is none; raises UsageError where it is too short to be one."""
    if given is None and file is None:
        return ""
    token = (given or "") if file is None else file.read_text("utf-8").strip()
    if len(token) < 8:
        raise UsageError("the token is too short: use at least 8 characters")
    return token


def allowed_hosts(host: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The host names that a request may use; any on an open address, unless some are given."""
    from fairplay.web.settings import LOOPBACK

    if host in LOOPBACK:
        return (*LOOPBACK, *names)
    return names and (host, *LOOPBACK, *names)


def open_page_socket(host: str, port: int) -> socket.socket:
    """A socket that gives up on clients that stop reading; raises UsageError where it cannot listen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(
        family, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # named, so that asyncio turns Nagle's delay off
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
    try:
        sock.bind((host, port))
        sock.listen(2_048)  # a whole class may open the page at once
    except OSError as error:
        sock.close()
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return sock


def page_address(host: str, port: int, *, secure: bool) -> str:
    """The URL of the page for a browser on this machine."""
    shown = f"[{host}]" if ":" in host else "localhost" if host in ("127.0.0.1", "0.0.0.0") else host
    return f"{'https' if secure else 'http'}://{shown}:{port}/"


def announce_page(settings: Settings, url: str, place: str) -> None:
    """Say where the page is, and what is risky about it."""
    click.echo(f"Fairplay is at {url} (store: {place}; Ctrl-C stops it)", err=True)
    if settings.is_local:
        return
    if not settings.token:
        click.echo(
            "Warning: without a token this server has no owner, and nobody can start tournaments from the page",
            err=True,
        )
    if not url.startswith("https"):
        click.echo("Warning: nothing is encrypted; put a proxy with TLS in front of it, or use --tls-cert", err=True)


def has_desktop() -> bool:
    """Is there a desktop to open a browser on?  In a bare terminal a browser would take the terminal over."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
