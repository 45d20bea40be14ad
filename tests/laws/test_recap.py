"""What a player that comes back without memory is told: what it was sent and replied before, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, FaultKind, House, Seat
from fairplay.core.chance import derived
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy
from fairplay.match.protocol import Hello
from fairplay.match.record import read_record
from fairplay.match.replay import Script, record_match
from fairplay.net.native import ClientConversation, NativePlayer
from fairplay.run.awaited import LocalPlayer, play_awaited
from kit import Table, kit


class Memory:
    """A peer that compares every recap with what it was sent itself, and may fail at a question."""

    may_return = False

    def __init__(self, game: AnyGame, fault_at: int | None = None) -> None:
        self.client = ClientConversation(
            game, lambda chance, info: House(house_strategy(game, "random", Random(chance))), "me"
        )
        self.fault_at = fault_at
        self.welcome: dict[str, Any] = {}
        self.lived: list[dict[str, Any]] = []  # as a recap tells it
        self.recap: Callable[[], bytes] | None = None
        self.recaps = 0

    def set_recap(self, recap: Callable[[], bytes] | None) -> None:
        self.recap = recap

    async def ready(self) -> None: ...

    def say(self, lines: bytes) -> None:
        assert self.recap is None, "a match that is over is not told again"

    def close(self, *, stays: bool = False) -> None: ...

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        reply = b""
        for line in lines.splitlines():
            message = msgspec.json.decode(line)
            if message["type"] == "welcome":
                self.welcome = message
            elif message["type"] == "saw":
                self.lived.append(message)
            else:
                self.check_recap()
                if message["id"] == self.fault_at:
                    return Fault(FaultKind.GONE)
            reply = self.client.reply(line)
        told = {key: message[key] for key in ("type", "news", "view") if key in message}
        if message["type"] == "ask":
            told["action"] = msgspec.json.decode(reply)["action"]
        self.lived.append(told)
        return reply

    def check_recap(self) -> None:
        """Equal to the last byte: `tell` and `ask` of the past are those that came."""
        assert self.recap is not None
        welcome, past = map(msgspec.json.decode, self.recap().splitlines())
        assert welcome == self.welcome
        assert past == {"type": "past", "exchanges": self.lived}
        self.recaps += 1


async def play(name: str, table: Table, seed: int, seat: Seat, fault_at: int | None, begun: list[bytes]) -> Memory:
    """One match, from its beginning or from what is there of it, at which one seat remembers."""
    game, lines = GAMES[name], begun
    memory, written = Memory(game, fault_at), 0

    def write(line: bytes) -> None:
        nonlocal written
        written += 1
        if written > len(lines):
            lines.append(line)

    players: list[Any] = [
        LocalPlayer(House(house_strategy(game, "random", derived(seed, number)))) for number in range(table.seats)
    ]
    remote = NativePlayer(game, memory, Hello(1, "me", (name,), legal=True, turns=True), 60.0)
    players[seat] = remote
    remote.begin(seed % 1000, describe_seat(game, table.setup, seat, table.seats), lines)
    past = Script(game, read_record(lines)) if lines else None
    await remote.ready()
    orders = record_match(game, table.setup, seed, ("random",) * table.seats, write)
    outcome = await play_awaited(orders, players, [thrown_out(remote, seat)], past)
    if outcome.faults[seat] is None:
        remote.end(outcome)
    return memory


def thrown_out(player: NativePlayer, seat: Seat) -> Callable[[Any], None]:
    def observe(event: Any) -> None:
        if getattr(event, "fault", None) is not None and event.seat == seat:
            player.throw_out(event.fault)

    return observe


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_recap_is_what_the_player_was_sent_and_replied(name: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(kit(name).tables)
    seat = Seat(data.draw(st.integers(0, table.seats - 1)))
    fault_at = data.draw(st.none() | st.integers(1, 20))
    memory = asyncio.run(play(name, table, seed, seat, fault_at, []))
    failed = fault_at is not None and memory.recaps == fault_at  # else the match ended before
    assert memory.recaps == sum(each["type"] != "saw" for each in memory.lived) + failed


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_so_is_the_recap_of_a_match_that_was_cut_off(name: str, data: st.DataObject, seed: int) -> None:
    """The server was started again: what was lived through before the break is told from the record alone."""
    table = data.draw(kit(name).tables)
    seat = Seat(data.draw(st.integers(0, table.seats - 1)))
    lines: list[bytes] = []
    whole = asyncio.run(play(name, table, seed, seat, None, lines))
    cut = data.draw(st.integers(1, len(lines) - 1))
    assert asyncio.run(recap_after(name, table, seed, seat, lines[:cut], whole.lived))


async def recap_after(
    name: str, table: Table, seed: int, seat: Seat, begun: list[bytes], lived: list[dict[str, Any]]
) -> bool:
    """Is the first recap after the break a beginning of what was lived, as long as what the record holds of it?"""
    game, memory = GAMES[name], Memory(GAMES[name])
    found: list[list[Any]] = []

    async def exchange(lines: bytes, patience: float) -> bytes | Fault:
        assert memory.recap is not None
        told = memory.recap().splitlines()
        found.append(msgspec.json.decode(told[1])["exchanges"] if told else [])
        return Fault(FaultKind.GONE)

    memory.exchange = exchange  # type: ignore[method-assign]  # the test stands where the network was
    remote = NativePlayer(game, memory, Hello(1, "me", (name,), turns=True), 60.0)
    remote.begin(seed % 1000, describe_seat(game, table.setup, seat, table.seats), begun)
    players: list[Any] = [
        LocalPlayer(House(house_strategy(game, "random", derived(seed, number)))) for number in range(table.seats)
    ]
    players[seat] = remote
    await remote.ready()
    answered = [entry for entry in read_record(begun).entries if entry.seat == seat]
    orders = record_match(game, table.setup, seed, ("random",) * table.seats, lambda line: None)
    await play_awaited(orders, players, [thrown_out(remote, seat)], Script(game, read_record(begun)))
    if not found:  # nothing was left to be said to this seat
        return True
    asked = [exchange for exchange in found[0] if exchange["type"] == "ask"]
    return found[0] == lived[: len(found[0])] and len(asked) == len(answered)
