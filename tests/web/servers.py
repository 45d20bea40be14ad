"""Real web servers for the tests: one in a thread, whose insides can be looked at, and one as a process of its own."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

import httpx
from websockets.sync.client import ClientConnection, connect

from fairplay.cli.serve import open_page_socket
from fairplay.store import PATIENCE, open_store
from fairplay.web.app import build_app
from fairplay.web.http.endpoints import Services
from fairplay.web.http.limits import Settings
from fairplay.web.http.serving import build_server
from fairplay.web.matches.registry import MatchRegistry

T = TypeVar("T")

PATIENT = Settings(rate=10_000, burst=10_000, tables=10_000, cpu=1e9, connections=10_000, patience=3600)
"""Limits that no test meets by accident."""

TOKEN = "a token of the tests"


@dataclass(frozen=True)
class Site:
    """Where a server is reached."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **more: Any) -> httpx.Client:
        """Somebody with a browser of their own."""
        return httpx.Client(base_url=self.url, timeout=300, trust_env=False, **more)

    def socket(self, path: str, **more: Any) -> ClientConnection:
        """A socket to follow a match on; the keys of seats go into `headers`."""
        headers = more.pop("headers", {})
        found: ClientConnection = connect(
            f"ws://127.0.0.1:{self.port}{path}", additional_headers=headers, proxy=None, **more
        )
        return found


@dataclass(frozen=True)
class Inside(Site):
    """A server in this process."""

    loop: asyncio.AbstractEventLoop
    services: Services
    connections: Collection[Any]  # of HTTP that are open

    @property
    def registry(self) -> MatchRegistry:
        return self.services[MatchRegistry]

    def call(self, work: Callable[[], T]) -> T:
        """Do something where the server does everything: in its loop."""

        async def done() -> T:
            return work()

        return self.wait(done())

    def wait(self, work: Awaitable[T]) -> T:
        async def done() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(120)


@contextmanager
def inside(db: Path | str, settings: Settings = PATIENT, patience: float = PATIENCE) -> Iterator[Inside]:
    """A server in a thread, whose store may be away for so many seconds."""
    with open_store(db, patience=patience) as store:
        sock = open_page_socket("127.0.0.1", 0)
        app = build_app(settings, store)
        made = build_server(app, settings)
        loop = asyncio.new_event_loop()

        def work() -> None:
            loop.run_until_complete(made.serve(sockets=[sock]))
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

        thread = threading.Thread(target=work)
        thread.start()
        try:
            site = Inside(sock.getsockname()[1], loop, app.state.services, made.server_state.connections)
            wait_until(lambda: made.started or not thread.is_alive())
            yield site
        finally:
            made.should_exit = True
            thread.join(120)
            sock.close()


@dataclass(frozen=True)
class Outside(Site):
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    said: str  # when it started
    link: str = ""  # where the owner's link is, if there is no token

    def owner_cookie(self) -> dict[str, str]:
        """The cookie of somebody who opened the owner's link."""
        found = re.search(r"in the file (.*)", self.link)
        assert found, self.link
        key = re.search(r"sign-in#([\w-]+)", Path(found[1]).read_text())
        assert key
        with self.client() as client:
            return dict(client.post("/sign-in", data={"key": key[1]}).cookies)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)


FAIRPLAY = [sys.executable, "-c", "from fairplay.cli import main; main()"]


@contextmanager
def outside(
    db: Path | str, *options: str, program: Sequence[str] = FAIRPLAY, folder: Path | None = None
) -> Iterator[Outside]:
    """``fairplay serve`` on any free port, for people who ask as fast as they can, in `folder` or an empty one."""
    command = [*program, "serve", "--port", "0", "--rate", "10000", "--cpu", "1e9", "--db", str(db), *options]
    with (
        tempfile.TemporaryDirectory() as empty,
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder or empty) as process,
    ):
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            while said.startswith("Warning: matches will not be signed") or "trusted as a rule book" in said:
                said = process.stderr.readline()
            found = re.search(r"http://localhost:(\d+)/", said)
            assert found, said
            link = "" if "--token-file" in options else process.stderr.readline()
            yield Outside(int(found[1]), process, said, link)
        finally:
            process.kill()
            assert process.stderr is not None
            process.stderr.read()


def wait_until(true: Callable[[], object], seconds: float = 120.0) -> None:
    """Look again and again; fails where it does not come true in time."""
    end = monotonic() + seconds
    while not true():
        if monotonic() > end:
            raise AssertionError(f"not within {seconds} seconds")
        sleep(0.02)
