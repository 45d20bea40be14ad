"""Contests of local and remote players with real sockets in one event loop, kept in a store."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from fairplay.contest.contest import Contest, Entrant, Result
from fairplay.core import AnyGame, Fault, House
from fairplay.core.established import Period, SignUp
from fairplay.games.fish.state import Setup
from fairplay.match.players import house_strategy
from fairplay.net.admission import NativeTerms
from fairplay.net.established import answer_calls, sign_up_client
from fairplay.net.native import Address, ClientConversation, join_server
from fairplay.net.server import HostedResult, Service, resume_served, serve_contest
from fairplay.net.sign_up import open_listener
from fairplay.run.engines.pool import Pool
from fairplay.run.keeping import Keeper, StoreKeeper
from fairplay.store import SessionRow, open_store

from .tables import FISH, LOCAL

SMALL = Setup(rows=3, columns=4, fish=2)

PROGRAM = """
import json, sys
print(json.dumps({"type": "hello", "version": 1, "name": "it", "games": ["fish"], "legal": True}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "tell":
        print(json.dumps({"type": "heard", "id": message["id"]}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"type": "answer", "id": message["id"], "action": message["legal"][-1]}), flush=True)
"""
BOT = "from fairplay.games.fish import rules\ndef choose(view):\n    return rules.legal_actions(view)[0]\n"


def local_entrants(folder: Path) -> tuple[Entrant, ...]:
    """A house player with chance of its own, a bot file in a process of its own, and a program."""
    bot, program = folder / "bot.py", folder / "program.py"
    bot.write_text(BOT)
    program.write_text(PROGRAM)
    return (
        Entrant("house", "random"),
        Entrant("file", f"isolated:{bot}"),
        Entrant("program", f"cmd:{sys.executable} {program}"),
    )


def contest_of(
    entrants: Sequence[Entrant], format: str, options: dict[str, Any], *, setup: Any = SMALL, seed: int = 5, **more: Any
) -> Contest:
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return Contest(
        game="fish",
        entrants=tuple(entrants),
        format=format,
        options=options,
        setup=encoded,
        seed=seed,
        patience=60.0,
        matched=True,
        **more,
    )


def random_visitor(name: str = "ann", spec: str = "random", **options: Any) -> ClientConversation:
    """A player of Fish whose chance is that of the welcome."""
    return ClientConversation(
        FISH, lambda chance, info: House(house_strategy(FISH, spec, Random(chance))), name, **options
    )


def sign_up_of(players: int, name: str = "[a-z]+") -> SignUp:
    return SignUp(name, 60.0, (Period(60.0, players),), players, range(2, 5))


class ContestServer:
    """A server that holds one contest, and keeps it in a store; it may be cancelled and begun again."""

    def __init__(self, folder: Path, game: AnyGame = FISH, *, grace: float | None = 60.0) -> None:
        """Without a grace the established protocol is spoken."""
        self.game, self.store = game, open_store(folder / "fairplay.db")
        self.native = None if grace is None else NativeTerms(grace=grace)
        self.id: int | None = None
        self.sock = open_listener(LOCAL, 0)
        self.port: int = self.sock.getsockname()[1]
        self.ids = asyncio.Event()

    def begin(self, contest: Contest, players: int, **more: Any) -> None:
        """Let so many sign up, and play."""
        loop = asyncio.get_running_loop()

        def create(full: Contest, sessions: Sequence[SessionRow]) -> Keeper:
            self.id = self.store.create(full, sessions=sessions)
            loop.call_soon_threadsafe(self.ids.set)
            return StoreKeeper(self.store, self.id)

        service = Service(contest=contest, sign_up=sign_up_of(players), native=self.native, **more)
        self.serving = asyncio.create_task(serve_contest(self.game, service, self.sock, Pool(1), create))

    async def stop(self) -> None:
        """Stop as on Ctrl-C."""
        self.serving.cancel()
        await asyncio.wait([self.serving])

    def resume(self, **more: Any) -> None:
        """Go on at the same port."""
        assert self.id is not None
        self.sock = open_listener(LOCAL, self.port)
        service = Service(
            contest=self.store.contest(self.id), sign_up=SignUp("", 60.0, (), 0, range(0)), native=self.native, **more
        )
        keeper = StoreKeeper(self.store, self.id)
        sessions = self.store.sessions(self.id)
        self.serving = asyncio.create_task(
            resume_served(self.game, service, sessions, self.sock, Pool(1), keeper),
        )

    async def ended(self, *players: asyncio.Task[Any]) -> HostedResult:
        hosted = await self.serving
        await asyncio.gather(*players, return_exceptions=True)
        return hosted

    @property
    def results(self) -> list[Result]:
        assert self.id is not None
        return list(self.store.results(self.id, records=True))

    def address(self, way: str = "tcp") -> Address:
        return Address(LOCAL, self.port, f"ws://{LOCAL}:{self.port}" if way == "ws" else None)

    async def native_player(
        self, name: str, spec: str = "random", way: str = "tcp"
    ) -> tuple[ClientConversation, asyncio.Task[Any]]:
        """A player that has signed up; its chance is that of the welcome."""
        visitor = random_visitor(name, spec)
        task = asyncio.create_task(join_server(self.address(way), visitor))
        while visitor.session is UNSET and not task.done():
            await asyncio.sleep(0.005)
        return visitor, task

    async def established_player(
        self, name: str, spec: str = "greedy", setup: Any = SMALL
    ) -> asyncio.Task[Fault | None]:
        established = self.game.parts.established
        assert established is not None
        client = established.client(house_strategy(self.game, spec, Random(1)), setup)
        return asyncio.create_task(answer_calls(await sign_up_client(LOCAL, self.port, name), client))
