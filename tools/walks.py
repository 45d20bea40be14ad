"""Walks through the code, traced on real runs: `python -m tools.walks [--modules] [click|contest]`.

A walk is the sequence of modules of Fairplay whose functions are called.  Two numbers say how far one has to go to
follow it: how many modules it enters, and how often it changes from one to another.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import click
import httpx
from websockets.sync.client import connect

from fairplay.store import open_store
from fairplay.web.app import build_app
from fairplay.web.http.limits import Settings
from fairplay.web.http.serving import build_server

SEAT = "Fairplay-Seat"

AIMS = {"click": "at most 30 modules and 120 changes", "contest": "at most 65 modules"}


class Walk:
    """Notes where one thread is, from `start` until the functions of these names have been entered one by one."""

    def __init__(self, *milestones: str) -> None:
        self.path: list[str] = []
        self._milestones, self._over = [*milestones], False

    def start(self) -> None:
        sys.setprofile(self._note)

    def stop(self) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        if self._over or event != "call":
            return
        module = str(frame.f_globals.get("__name__", ""))
        if not module.startswith("fairplay") or frame.f_code.co_name == "<module>":
            return
        if not self.path or self.path[-1] != module:
            self.path.append(module)
        if [frame.f_code.co_name] == self._milestones[:1]:
            self._milestones.pop(0)
            self._over = not self._milestones

    def describe(self, *, with_modules: bool) -> str:
        """Both numbers, and the modules in the order in which they were entered."""
        modules = dict.fromkeys(self.path)
        text = f"{len(modules)} modules, {len(self.path) - 1} changes"
        return text + "".join(f"\n    {module}" for module in modules) if with_modules else text


# -- one click, from the request to the message for a watcher ----------------------------------


@contextmanager
def run_page(folder: Path) -> Iterator[tuple[str, asyncio.AbstractEventLoop]]:
    """A server in a thread; yields its address and its loop."""
    settings = Settings(rate=10_000, burst=10_000, tables=10_000, patience=3600)
    with open_store(folder / "fairplay.db") as store:
        server = build_server(build_app(settings, store), settings)
        loop, ready = asyncio.new_event_loop(), threading.Event()
        server.config.port = 0

        async def serve() -> None:
            serving = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.01)
            ready.set()
            await serving

        thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
        thread.start()
        ready.wait()
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"127.0.0.1:{port}", loop
        finally:
            server.should_exit = True
            thread.join()
            loop.close()


def walk_click() -> Walk:
    """Two people play Fish, a third one watches: from the request of a click to the offer to the watcher."""
    with (
        TemporaryDirectory() as folder,
        run_page(Path(folder)) as (address, loop),
        httpx.Client(base_url=f"http://{address}", trust_env=False) as client,
    ):
        match, key = seat_two(client)
        with connect(f"ws://{address}/api/matches/{match}/live?as=public", proxy=None) as watcher:
            number, clicks = len(client.get(f"/api/matches/{match}").json()["turns"]) - 1, list[str]()
            while True:  # the last of the clicks makes the move
                walk = Walk("apply", "offer")
                loop.call_soon_threadsafe(walk.start)
                wanted = {"number": number, "clicks": clicks}
                answer = client.post(f"/api/matches/{match}/wish", json=wanted, headers={SEAT: key})
                if answer.raise_for_status().json().get("done"):
                    break
                clicks.append(answer.json()["choices"][0]["key"])
            while json.loads(watcher.recv(30)).get("moment", {}).get("number") != number + 1:
                pass
            loop.call_soon_threadsafe(walk.stop)
    return walk


def seat_two(client: httpx.Client) -> tuple[str, str]:
    """A match of two people that has begun: its id and the key of the first seat."""
    wanted = {"game": "fish", "seats": [{"who": "friend"}] * 2, "quick": True, "pace": 0}
    created = client.post("/api/matches", json=wanted).raise_for_status().json()
    match, keys = created["id"], []
    for invitation in created["keys"]:
        with httpx.Client(base_url=client.base_url, trust_env=False) as person:
            keys.append(person.post(f"/api/matches/{match}/sit", json={"key": invitation}).json()["key"])
    client.post(f"/api/matches/{match}/begin", headers={SEAT: keys[0]})
    return match, keys[0]


# -- one contest order -------------------------------------------------------------------------


def walk_contest() -> Walk:
    """`fairplay tournament run fish random greedy`, in this process."""
    from fairplay.cli import main

    walk = Walk()
    with TemporaryDirectory() as folder:
        words = ["tournament", "run", "fish", "random", "greedy", "--games", "1", "--seed", "1", "--jobs", "1"]
        sys.argv = ["fairplay", *words, "--json", "--db", str(Path(folder, "fairplay.db"))]
        with redirect_stdout(StringIO()):
            walk.start()
            try:
                main()
            except SystemExit as end:
                assert not end.code, end.code
            finally:
                walk.stop()
    return walk


WALKS: dict[str, Callable[[], Walk]] = {"click": walk_click, "contest": walk_contest}


def main(words: list[str]) -> None:
    """Trace the walks that are named, or all of them."""
    for name in [word for word in words if word in WALKS] or WALKS:
        walk = WALKS[name]()
        click.echo(f"{name}: {walk.describe(with_modules='--modules' in words)} (aim: {AIMS[name]})")


if __name__ == "__main__":
    main(sys.argv[1:])
