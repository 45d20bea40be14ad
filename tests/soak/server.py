"""`python -m tests.soak.server TERMS`: many matches at a time with whoever comes, and a few of programs, all stored.

It is told on its standard input what to do, a word a line, and says what happens on its standard output:

    go      begin; says how it stands
    look    say how it stands
    count   say how many objects of each type there are
    stop    begin no more matches, once all kinds of players have come; says how it stands when all are stored
"""

from __future__ import annotations

import asyncio
import gc
import resource
import socket
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgspec
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Match, Result
from fairplay.core import AnyGame, House, Player
from fairplay.core.chance import below, choice, derived, derived_seed, shuffled
from fairplay.core.established import Period
from fairplay.core.game import established_of
from fairplay.games.fish.state import Setup
from fairplay.match.packing import packed
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import record_match
from fairplay.net.admission import NativeTerms
from fairplay.net.server import HostedResult, host_knock_out
from fairplay.net.sign_up import open_listener
from fairplay.run.inline import play_inline
from fairplay.run.isolation.program import Program, end_programs
from fairplay.store import open_store

from .conducts import GOOD, LOCAL, PLAYERS
from .programs import BOTS, written
from .strangers import STRANGERS
from .words import Began, Census, Invitation, State, Terms, heard, say

QUICK: dict[str, Any] = {name: game.quick for name, game in GAMES.items()}
QUICK["labyrinth"] = replace(QUICK["labyrinth"], rounds=20)  # a house player left alone may never find home
QUICK["trains"] = replace(QUICK["trains"], deck_size=60)  # those who cannot buy draw all cards before they stop

SEATS = (2, 3, 4)
SIGN_UP = 120.0
"""Seconds for all players of a table to come: the machine may be busy."""

AT_ONCE = 20
"""Tables that are opened before everybody else gets a turn."""

WRITE_EVERY = 0.5
SMALL = Setup(rows=4, columns=4, fish=2)
MOST_FAILURES = 20


class Bag:
    """All names in some order, and again in another, without end."""

    def __init__(self, names: Iterable[str], rng: Random) -> None:
        self.names, self.rng = [*names], rng
        self.left: list[str] = []
        self.rounds = 0  # that have begun

    def draw(self) -> str:
        if not self.left:
            self.left, self.rounds = shuffled(self.rng, self.names), self.rounds + 1
        return self.left.pop()

    @property
    def all_drawn(self) -> bool:
        return self.rounds > 1 or (self.rounds == 1 and not self.left)


class Server:
    """What is running, and what came of it."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.store = open_store(Path(terms.folder, "soak.db"))
        self.rng = derived(terms.seed, "soak")
        self.numbers = count()
        self.others, self.strangers, self.bots = (Bag(names, self.rng) for names in (PLAYERS, STRANGERS, BOTS))
        self.commands = written(Path(terms.folder))
        self.names: dict[str, tuple[str, ...]] = {}
        self.contests: dict[str, int] = {}
        for game in GAMES.values():
            self.enter(game.name, game, QUICK[game.name], (*GOOD, *PLAYERS))
        self.enter("programs", GAMES["fish"], SMALL, ("house", *BOTS))
        self.running: set[asyncio.Task[None]] = set()
        self.playing_programs = 0
        self.results: list[tuple[int, Result]] = []
        self.begun = self.stored = 0
        self.faults: Counter[str] = Counter()
        self.failures: list[str] = []
        self.stopping = False  # the time is over
        self.starting = True  # more matches may begin
        self.threads, self.writer = ThreadPoolExecutor(terms.programs), ThreadPoolExecutor(1)

    def enter(self, title: str, game: AnyGame, setup: Any, names: tuple[str, ...]) -> None:
        self.names[title] = names
        contest = Contest(
            game=game.name,
            entrants=tuple(Entrant(name, name) for name in names),
            format="soak",
            options={},
            setup=msgspec.Raw(msgspec.json.encode(setup)),
            seed=self.terms.seed,
            patience=self.terms.patience,
        )
        self.contests[title] = self.store.create(contest)

    # -- matches over a network ----------------------------------------------------------------

    async def keep_tables_full(self) -> None:
        while not (self.stopping and self.others.all_drawn and self.strangers.all_drawn):
            missing = self.terms.matches - len(self.running) + self.playing_programs
            for _ in range(min(missing, AT_ONCE)):
                self.start(self.table(next(self.numbers)))
            await asyncio.sleep(0.05)

    def start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self.ended)

    def ended(self, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed(f"{error!r}")

    def failed(self, words: str) -> None:
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(words)

    def coming(self, seats: int) -> list[str]:
        """Who comes to a table: the good, and at most one other, so that it has the time to do its deed."""
        names = GOOD[:seats]
        if self.drawn(seats):
            names[below(self.rng, seats)] = self.others.draw()
        return names

    def drawn(self, seats: int) -> bool:
        """Does somebody else come to a table?  When the time is over all the kinds that have not come yet do."""
        return self.stopping or self.rng.random() < self.terms.faulty * seats

    async def table(self, number: int) -> None:
        game = [*GAMES.values()][number % len(GAMES)]
        seats = choice(self.rng, SEATS)
        names = self.coming(seats)
        sock = open_listener(LOCAL, 0)
        port = sock.getsockname()[1]
        stranger = self.strangers.draw() if self.drawn(seats) else None
        seed = derived_seed(self.terms.seed, "match", number)

        def invite(name: str, way: str, stranger: str = "") -> None:
            say(Invitation(port, game.name, name, way, derived_seed(seed, name), stranger))

        for seat, name in enumerate(names):
            invite(name, PLAYERS[name][1] if name in PLAYERS else ("tcp", "ws")[(number // 3 + seat) % 2])
        lines: list[bytes] = []

        def watch(match: Match, line: bytes) -> None:
            assert match.number == 0, "a second match at one table"
            lines.append(line)
            if len(lines) == 1:
                self.begun += 1
                say(Began(self.contests[game.name], number))
                if stranger is not None:
                    invite(names[0], "tcp", stranger)

        started = monotonic()
        hosted = await self.hosted(game, seed, sock, seats, watch)
        if not lines:
            self.failed(f"match {number} of {game.name} never began: {names}, {hosted}")
            return
        self.take(game.name, number, lines, monotonic() - started)

    async def hosted(self, game: AnyGame, seed: int, sock: socket.socket, seats: int, watch: Any) -> HostedResult:
        setup = QUICK[game.name]
        rules = established_of(game).sign_up.sign_up_terms(setup)
        rules = replace(rules, most=seats, periods=(Period(SIGN_UP, seats),), name_patience=self.terms.patience)
        native = NativeTerms(grace=self.terms.grace)
        return await host_knock_out(
            game, setup, seed, sock, sign_up=rules, patience=self.terms.patience, watch=watch, native=native
        )

    def take(self, title: str, number: int, lines: list[bytes], seconds: float) -> None:
        """The result of a match, to be stored."""
        record = read_record(lines)
        assert record.outcome is not None
        line_up = tuple(self.names[title].index(name) for name in record.header.players)
        result = Result(number, line_up, number, record.outcome, packed(lines), seconds)
        self.faults.update(fault.kind for fault in record.outcome.faults if fault is not None)
        self.results.append((self.contests[title], result))

    # -- matches of programs -------------------------------------------------------------------

    async def keep_programs_going(self) -> None:
        while not (self.stopping and self.bots.all_drawn):
            if self.playing_programs < self.terms.programs:
                self.playing_programs += 1
                self.start(self.program(next(self.numbers), self.bots.draw()))
            await asyncio.sleep(self.terms.pause)

    async def program(self, number: int, name: str) -> None:
        try:
            self.begun += 1
            say(Began(self.contests["programs"], number))
            started = monotonic()
            lines = await asyncio.get_running_loop().run_in_executor(self.threads, self.played, number, name)
            self.take("programs", number, lines, monotonic() - started)
        finally:
            self.playing_programs -= 1

    def played(self, number: int, name: str) -> list[bytes]:
        """The record of a match of this program against the house."""
        game, lines = GAMES["fish"], list[bytes]()
        seed = derived_seed(self.terms.seed, "match", number)
        program = Program(game, self.commands[name], self.terms.patience, BOTS[name].limits)
        players: list[Player] = [program, House(house_strategy(game, "random", derived(seed, "rival")))]
        outcome = play_inline(record_match(game, SMALL, seed, (name, "house"), lines.append), players)
        end_programs(players, outcome)
        return lines

    # -- the store, and whoever asks -----------------------------------------------------------

    async def work(self) -> None:
        storing = asyncio.create_task(self.keep_storing())
        await asyncio.gather(self.keep_tables_full(), self.keep_programs_going())
        self.starting = False
        await storing

    async def keep_storing(self) -> None:
        while self.starting or self.running or self.results:
            await asyncio.sleep(WRITE_EVERY)
            taken, self.results = self.results, []
            for contest in {contest for contest, _ in taken}:
                batch = [result for other, result in taken if other == contest]
                await asyncio.get_running_loop().run_in_executor(self.writer, self.store.add, contest, batch)
                self.stored += len(batch)

    def state(self) -> State:
        tasks = len(asyncio.all_tasks())
        faults = {str(kind): many for kind, many in sorted(self.faults.items())}
        return State(self.contests, self.begun, self.stored, len(self.running), tasks, faults, self.failures)

    async def obey(self) -> None:
        async for word in heard(str):
            match word:
                case "go":
                    work = asyncio.create_task(self.work())
                    say(self.state())
                case "look":
                    say(self.state())
                case "count":
                    gc.collect()
                    say(Census(dict(Counter(type(thing).__qualname__ for thing in gc.get_objects()))))
                case "stop":
                    self.stopping = True
                    await work
                    self.threads.shutdown()
                    self.writer.shutdown()
                    say(self.state())
        self.store.close()


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    terms = msgspec.json.decode(sys.argv[1], type=Terms)

    async def serve() -> None:
        await Server(terms).obey()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
