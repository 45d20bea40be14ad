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

from fairplay.core import UsageError

if TYPE_CHECKING:
    from fairplay.web.settings import Settings

__all__ = ["command"]


@click.command(
    "serve",
    epilog="""\b
Watch matches live, step through recorded ones, play against the house, follow tournaments.
Without a token, and on this machine alone, whoever opens the page owns it. With a token, tournaments and all
else that belongs to the owner need it. Everybody on a machine can read the command lines of others: give it in
a file or in FAIRPLAY_OWNER_TOKEN.

\b
Examples:
  fairplay serve
  fairplay serve --port 8000 --db contests.db
  fairplay serve --host 0.0.0.0 --name games.example.org --token-file token.txt
""",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="0 takes any free port.")
@click.option("--db", default="fairplay.db", show_default=True, help="The store: a file, or postgresql://...")
@click.option("--token", envvar="FAIRPLAY_OWNER_TOKEN", help="The owner's token; better in a file.")
@click.option(
    "--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A file that holds it."
)
@click.option("--name", "names", multiple=True, help="A name under which people reach the server; repeatable.")
@click.option("--matches", type=click.IntRange(1), default=500, show_default=True, help="Matches that run at once.")
@click.option("--watchers", type=click.IntRange(1), default=5000, show_default=True, help="People who watch at once.")
@click.option("--rate", type=click.FloatRange(1), default=30.0, help="Requests a second from one address.")
@click.option("--proxy", default="", metavar="ADDRESS", help="A proxy before the server, which says who really asks.")
@click.option("--patience", type=click.FloatRange(1), default=60.0, help="Seconds away before the house plays on.")
@click.option("--open", "browse", is_flag=True, help="Open the page in the browser of this desktop, if there is one.")
@click.option("--tls-cert", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Certificate: use TLS.")
@click.option("--tls-key", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Its private key.")
def command(
    host: str,
    port: int,
    db: str,
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
    """Serve the web page: watch, replay, play, run contests."""
    from fairplay.store import open_store
    from fairplay.web.app import build_app
    from fairplay.web.http.serving import serve
    from fairplay.web.settings import Settings

    if tls_key is not None and tls_cert is None:
        raise UsageError("--tls-key: a key needs its certificate: --tls-cert")
    settings = Settings(
        token=chosen_token(token, token_file),
        hosts=allowed(host, names),
        matches=matches,
        watchers=watchers,
        rate=rate,
        burst=max(200.0, 5 * rate),
        proxy=proxy,
        patience=patience,
    )
    with open_store(db) as store:
        sock = listening(host, port)
        url = address(host, sock.getsockname()[1], secure=tls_cert is not None)
        announce(settings, url, store.place)
        if browse and has_desktop():
            threading.Timer(1.0, webbrowser.open, [url]).start()
        serve(build_app(settings, store), settings, sock, tls_cert, tls_key)


def chosen_token(given: str | None, file: Path | None) -> str:
    """The owner's token, empty where there is none; raises UsageError where it is too short to be one."""
    if given is None and file is None:
        return ""
    token = (given or "") if file is None else file.read_text("utf-8").strip()
    if len(token) < 8:
        raise UsageError("the token is too short: use at least 8 characters")
    return token


def allowed(host: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a request may use for this server; on all addresses any, unless some are given."""
    from fairplay.web.settings import LOOPBACK

    if host in LOOPBACK:
        return (*LOOPBACK, *names)
    return names and (host, *LOOPBACK, *names)


def listening(host: str, port: int) -> socket.socket:
    """A socket that gives up on whoever stops reading; raises UsageError where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # said, so that asyncio knows not to delay
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
    try:
        sock.bind((host, port))
        sock.listen(2_048)  # whoever reads the address may come at once
    except OSError as error:
        sock.close()
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return sock


def address(host: str, port: int, *, secure: bool) -> str:
    """Where the page is, as a browser on this machine wants it."""
    shown = f"[{host}]" if ":" in host else "localhost" if host in ("127.0.0.1", "0.0.0.0") else host
    return f"{'https' if secure else 'http'}://{shown}:{port}/"


def announce(settings: Settings, url: str, place: str) -> None:
    click.echo(f"Fairplay is at {url} (store: {place}; Ctrl-C stops it)", err=True)
    if settings.is_local:
        return
    if not settings.token:
        click.echo("Warning: without a token nobody owns this server: no tournaments from the page", err=True)
    if not url.startswith("https"):
        click.echo("Warning: nothing is encrypted; put a proxy with TLS before it, or give --tls-cert", err=True)


def has_desktop() -> bool:
    """Is there a desktop to open a browser on?  In a bare terminal a browser would take the terminal over."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
