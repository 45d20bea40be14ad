"""`fairplay serve`: the web page."""

import os
import shlex
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
from msgspec.structs import replace

from fairplay import game_files
from fairplay.cli.options import choose_game, db_option, key_option
from fairplay.cli.storage import choose_signer, find_key_file
from fairplay.core import UsageError
from fairplay.store import default_url, open_store
from fairplay.web.http.limits import LOOPBACK, Settings

_EXISTING_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)

_VARIABLE = "FAIRPLAY_OWNER_TOKEN"


@click.command(
    "serve",
    epilog="""\b
Play against house players, watch matches live, step through recorded ones, follow tournaments.
Only the owner may start tournaments, delete boards and read the figures. Without a token, a link is
printed that makes whoever opens it first the owner, for 30 days and over restarts. With a token, the page
asks for it. Put it in a file or in FAIRPLAY_OWNER_TOKEN: everyone on this machine can read a command line.

\b
Examples:
  fairplay serve
  fairplay serve --port 8000 --db contests.db
  fairplay serve --table "fish anyone my_bot.py"
  fairplay serve ./mygame.py --table "mygame anyone random"
  fairplay serve --host 0.0.0.0 --name games.example.org --token-file token.txt
""",
)
@click.argument("files", nargs=-1, metavar="[FILE.py]...")
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
@click.option(
    "--token-file",
    type=_EXISTING_FILE,
    help="File with the owner's token. [default: FAIRPLAY_OWNER_TOKEN, if it is set]",
)
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
    "--connections",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Maximum number of open connections from one address.",
)
@click.option(
    "--thinkers",
    type=click.IntRange(1),
    default=None,
    help="Number of processes in which house players think for long; half as many more answer those who are quick. "
    "[default: all processors but one, and at least 2]",
)
@click.option(
    "--cpu",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="CPU seconds per minute for one address: house players at its tables, reviews, pictures.",
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
@click.option(
    "--open", "browse", is_flag=True, help="Open the page in a browser as its owner, if this machine has a desktop."
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar='"GAME SEAT..."',
    help="Open a table at the start, with bot files of yours: each SEAT is a FILE.py, a house player, or anyone; "
    "repeatable.",
)
@click.option("--tls-cert", type=_EXISTING_FILE, help="Certificate; turns TLS on.")
@click.option("--tls-key", type=_EXISTING_FILE, help="Private key of the certificate.")
def command(
    files: tuple[str, ...],
    host: str,
    port: int,
    db: str | None,
    key: Path | None,
    token_file: Path | None,
    names: tuple[str, ...],
    matches: int,
    watchers: int,
    rate: float,
    connections: int,
    thinkers: int | None,
    cpu: float,
    proxy: str,
    patience: float,
    browse: bool,
    tables: tuple[str, ...],
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Serve the web page: play, watch, replay, run tournaments.

    All installed games are there, and those in the FILEs.
    """
    for word in files:
        if not game_files.is_path(word):
            raise UsageError(
                f"{word}: all installed games are served; expected the file of a game, such as ./{word}.py"
            )
        choose_game(word)
    from fairplay.web.app import build_app  # here, not for --help: the page takes a second to load
    from fairplay.web.http import owner, serving
    from fairplay.web.matches.api import plan_owner_table

    if tls_key is not None and tls_cert is None:
        raise UsageError("--tls-key: a key needs its certificate: --tls-cert")
    place = db or default_url()
    settings = Settings(
        token=choose_owner_token(token_file),
        hosts=_allowed_hosts(host, names),
        matches=matches,
        watchers=watchers,
        rate=rate,
        burst=max(200.0, 5 * rate),
        connections=connections,
        thinkers=thinkers or 0,
        cpu=cpu,
        proxy=proxy,
        patience=patience,
        seated=tuple(map(_split_table, tables)),
    )
    for words in settings.seated:
        plan_owner_table(words)  # what is wrong with it is said at once
    stopped = serving.StopSignals()
    with ExitStack() as stack:
        sock = stack.enter_context(open_page_socket(host, port))
        store = stack.enter_context(open_store(place))
        settings = replace(settings, key=find_key_file(key, place) if choose_signer(key, place) else None)
        url = _page_address(host, sock.getsockname()[1], secure=tls_cert is not None)
        _announce_page(settings, url, store.place)
        start = (
            url if settings.token else stack.enter_context(offer_owner_link(owner.make_owner_link(store.accounts, url)))
        )
        if browse and _has_desktop():
            threading.Timer(1.0, webbrowser.open, [start]).start()
        serving.serve(build_app(settings, store), settings, sock, tls_cert, tls_key, stopped)


def _split_table(words: str) -> tuple[str, ...]:
    """The game and the seats of a table; raises UsageError if its game is a file that cannot be loaded."""
    game, *seats = shlex.split(words) or [""]
    return choose_game(game).name if game_files.is_path(game) else game, *seats


def choose_owner_token(file: Path | None) -> str:
    """The owner's token in `file`, else in the environment, empty if there is none; raises UsageError."""
    token = os.environ.get(_VARIABLE) if file is None else file.read_text("utf-8").strip()
    if token is not None and len(token) < 8:
        raise UsageError("the token is too short: use at least 8 characters")
    return token or ""


def _allowed_hosts(host: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The host names that a request may use; any on an open address, unless some are given."""
    if host in LOOPBACK:
        return (*LOOPBACK, *names)
    return names and (host, *LOOPBACK, *names)


def open_page_socket(host: str, port: int) -> socket.socket:
    """A socket that gives up on clients that stop reading; raises UsageError if it cannot listen."""
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


def _page_address(host: str, port: int, *, secure: bool) -> str:
    """The URL of the page for a browser on this machine."""
    shown = f"[{host}]" if ":" in host else "localhost" if host in ("127.0.0.1", "0.0.0.0") else host
    return f"{'https' if secure else 'http'}://{shown}:{port}/"


def _announce_page(settings: Settings, url: str, place: str) -> None:
    """Say where the page is, and what is risky about it."""
    click.echo(f"Fairplay is at {url} (store: {place}; Ctrl-C stops it)", err=True)
    if settings.is_local:
        return
    if not url.startswith("https"):
        click.echo("Warning: nothing is encrypted; put a proxy with TLS in front of it, or use --tls-cert", err=True)


@contextmanager
def offer_owner_link(link: str) -> Iterator[str]:
    """Tell the owner a link, and nobody else; where a browser finds it, for the time of the block.

    It is printed to a terminal only.  A log or the command line of a browser could be read by others, so there the link
    is in a file that only the owner may read.
    """
    here = Path.cwd()
    folder = here if os.access(here, os.W_OK) else None  # some browsers do not see the folder for temporary files
    descriptor, name = tempfile.mkstemp(".html", "fairplay-owner-", folder)  # only its owner may read it
    path = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_OWNER_PAGE.format(link=link))
        shown = link if sys.stderr.isatty() else f"in the file {path}"
        click.echo(f"Link for the owner, which works once: {shown}", err=True)
        yield path.as_uri()
    finally:
        path.unlink(missing_ok=True)


_OWNER_PAGE = """<!doctype html>
<meta charset="utf-8"><title>Fairplay</title><meta http-equiv="refresh" content="0; url={link}">
<p><a href="{link}">Sign in as the owner</a></p>
"""


def _has_desktop() -> bool:
    """Is there a desktop to open a browser on?  In a bare terminal a browser would take the terminal over."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
