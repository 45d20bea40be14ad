"""`python -m bench.webbytes`: how many bytes a whole match against a person sends to one watcher."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import msgspec
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Player, Seat, SeatInfo
from fairplay.match.record import Isolation
from fairplay.web.house.worker import HouseQuestion, HouseReply, answer
from fairplay.web.http.sockets import SocketMessage
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.seats import ClickResult
from fairplay.web.matches.tables import SeatRequest, TableDefinition, TableRequest, build_table
from fairplay.web.watching.feed import Watcher

MATCHES = 3
RIVALS = {"fish": "greedy", "labyrinth": "lookahead", "trains": "buy-now"}
PERSON = Seat(0)


class Traffic(Struct):
    """What was sent to a watcher."""

    messages: int = 0
    moments: int = 0
    bytes: int = 0
    repeated: int = 0  # bytes of messages whose picture was sent before
    gzipped: int = 0

    def add(self, sent: list[SocketMessage]) -> None:
        """Count the messages of one match."""
        pictures = set()
        for message in sent:
            moment = msgspec.json.decode(message.text).get("moment")
            self.messages += 1
            self.bytes += len(message.text.encode())
            self.gzipped += len(message.gzipped)
            if moment is not None:
                self.moments += 1
                self.repeated += len(message.text.encode()) if moment["picture"] in pictures else 0
                pictures.add(moment["picture"])


async def watch_match(game: str, seed: int, *, quick: bool) -> list[SocketMessage]:
    """A whole match of a person, who clicks at random, against a house player; everything that the public is sent."""
    match = build_match(game, seed, quick=quick)
    watcher = Watcher(None)
    collecting = asyncio.create_task(collect_messages(watcher))
    match.add_watcher(watcher)
    match.add_watcher(Watcher(PERSON), PERSON)
    playing, rng, answered = asyncio.create_task(match.play()), Random(seed), -1
    while not playing.done():
        if match.table.people[PERSON].view is not None and match.timeline.last != answered:
            take_turn(match, rng)
            answered = match.timeline.last
        await asyncio.sleep(0)
    match.conclude(playing.result())
    watcher.end()
    return await collecting


async def collect_messages(watcher: Watcher) -> list[SocketMessage]:
    """All messages until there are no more."""
    sent = []
    while (message := await watcher.next()) is not None:
        sent.append(message)
    return sent


def build_match(name: str, seed: int, *, quick: bool) -> LiveMatch:
    """A table of a person and a house player."""
    game = GAMES[name]
    seats = (SeatRequest("me"), SeatRequest("house", RIVALS[name]))
    setup = game.quick if quick else next(iter(game.variants.values()))
    definition, _ = build_table(game, setup, TableRequest(game=name, seats=seats, clock=600, pace=0))
    definition = msgspec.structs.replace(definition, seed=seed)
    return LiveMatch("abcdefghij", game, definition, FreeBacking(), patience=3600)


class FreeBacking:
    """A server that keeps nothing and answers at once."""

    def write(self, line: bytes) -> None:
        """Forget the line."""

    async def settle(self) -> None:
        """There is nothing to wait for."""

    async def begin(self, definition: TableDefinition) -> None:
        pass

    async def keep(self, definition: TableDefinition) -> None:
        """Forget it."""

    def start_bot(self, game: AnyGame, spec: str, chance: int, info: SeatInfo) -> tuple[Player, Isolation]:
        raise NotImplementedError

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object]) -> HouseReply:
        """Think here."""
        return answer(question)


def take_turn(match: LiveMatch, rng: Random) -> None:
    """Click at random until it is a move."""
    clicks: list[str] = []
    result = ClickResult()
    while not result.done:
        result = match.click(PERSON, match.timeline.last, clicks)
        clicks = [] if result.refusal else clicks
        if result.choices:
            kinds = {click.partition("=")[0] for click in clicks}
            keys = [choice.key for choice in result.choices]
            clicks.append(rng.choice([key for key in keys if key.partition("=")[0] not in kinds] or keys))


def main() -> None:
    """Measure and print."""
    print(f"{'':24}{'messages':>10}{'moments':>10}{'bytes':>12}{'repeated':>12}{'gzipped':>12}")
    for game in RIVALS:
        for quick in (True, False):
            traffic = Traffic()
            for seed in range(1, MATCHES + 1):
                traffic.add(asyncio.run(watch_match(game, seed, quick=quick)))
            name = f"{game}, {'quick' if quick else 'standard'}"
            figures = (traffic.messages, traffic.moments, traffic.bytes, traffic.repeated, traffic.gzipped)
            print("{:24}{:>10,}{:>10,}{:>12,}{:>12,}{:>12,}".format(name, *figures))


if __name__ == "__main__":
    main()
