"""Chance after the deal for players in this process, in a process of their own, and at the far end of a wire."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

import fairplay
import pig
from fairplay.core import Befell, Fault, House, RecordError, SeatInfo, Seen
from fairplay.match.driver import describe_seat
from fairplay.match.protocol import Hello, seen_from_json
from fairplay.match.record import Chain, read_record
from fairplay.match.replay import Script, record_match
from fairplay.net.native import ClientConversation, NativePlayer
from fairplay.run.awaited import AwaitedMatch, LineLog, LocalPlayer
from fairplay.run.inline import play_inline

PIG = pig.GAME
SETUP = pig.Setup()
SEEDS = st.integers(0, 2**32)
NAMES = ("careful", "memory")


class Memory:
    """A strategy that keeps everything in mind: it rolls once after every die that fell on an even number."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def saw(self, seen: Seen) -> None:
        self.seen.append(seen)

    def __call__(self, view: pig.View) -> object:
        befell = [each.befell for each in self.seen if each.seat is None]
        dice = [each["face"] for each in befell if each["came"] == "die"]
        return pig.Roll() if not dice or dice[-1] % 2 == 0 or not view.table.sum else pig.Hold()


def seat_players() -> tuple[list[Any], Memory]:
    memory = Memory()
    return [House(pig.careful(Random(0))), House(memory)], memory


def record_of(seed: int) -> list[bytes]:
    lines: list[bytes] = []
    play_inline(record_match(PIG, SETUP, seed, NAMES, lines.append), seat_players()[0])
    return lines


@given(SEEDS)
def test_whoever_wants_to_is_told_of_all_events_in_order(seed: int) -> None:
    players, memory = seat_players()
    events: list[Any] = []
    play_inline(record_match(PIG, SETUP, seed, NAMES, lambda line: None), players, [events.append])
    assert [seen.number for seen in memory.seen] == [*range(len(memory.seen))]
    for seen, event in zip(memory.seen, events, strict=False):
        assert (seen.seat is None) is isinstance(event, Befell)
        assert seen.befell is None or seen.befell.get("points") is None, "a bonus is secret"


@given(SEEDS, st.data())
def test_players_of_this_process_live_through_the_past_again(seed: int, data: st.DataObject) -> None:
    lines, again = record_of(seed), list[bytes]()
    past = Script(PIG, read_record(lines[: data.draw(st.integers(1, len(lines) - 1))]))
    play_inline(record_match(PIG, SETUP, seed, NAMES, again.append), seat_players()[0], past=past)
    assert again == lines


async def go_on(seed: int, begun: list[bytes], log: LineLog[int] | None = None) -> list[bytes]:
    """The lines of a match of awaited players that was cut off and goes on."""
    match = AwaitedMatch(PIG, 1, log, begun)
    players = [LocalPlayer(player) for player in seat_players()[0]]
    await match.play(match.build_orders(SETUP, seed, NAMES), players)
    return match.lines


@given(SEEDS, st.data())
def test_a_match_of_awaited_players_goes_on_with_what_chance_would_have_brought(seed: int, data: st.DataObject) -> None:
    lines = record_of(seed)
    assert asyncio.run(go_on(seed, lines[: data.draw(st.integers(0, len(lines) - 1))])) == lines


def test_it_does_not_go_on_from_what_the_seed_does_not_draw() -> None:
    """Somebody has changed the first die in what was kept, and made the hashes fit again."""
    bodies = [line[: -len(Chain.SEAL % (b"0" * Chain.WIDTH))] + b"}" for line in record_of(1)]
    die = next(at for at, body in enumerate(bodies) if b'"die"' in body)
    face = bodies[die].rindex(b":") + 1
    bodies[die] = bodies[die][:face] + str(int(bodies[die][face:-2]) % 6 + 1).encode() + b"}}"
    chain, forged = Chain(), list[bytes]()
    for body in bodies[: die + 2]:
        chain.advance(body)
        forged.append(body[:-1] + Chain.SEAL % chain.hash)
    with pytest.raises(RecordError, match=f"match 1 does not go on from line {die + 1} of what was kept"):
        asyncio.run(go_on(1, forged))
    with pytest.raises(RecordError, match=f"line {die + 1}: the seed draws"):
        past = Script(PIG, read_record(forged))
        play_inline(record_match(PIG, SETUP, 1, NAMES, lambda line: None), seat_players()[0], past=past)


def test_what_befell_is_kept_before_anybody_is_asked() -> None:
    """Nobody acts on a die that a crash could take back."""
    kept: list[bytes] = []
    asked: list[tuple[int, int]] = []

    def write(lines: list[tuple[int, int, bytes]]) -> None:
        kept.extend(line for _, _, line in lines)

    class Watchful(Memory):
        def __call__(self, view: pig.View) -> object:
            asked.append((len(kept), sum(b'"befell"' in line for line in kept)))
            return super().__call__(view)

    async def play() -> list[bytes]:
        log: LineLog[int] = LineLog(write)
        match = AwaitedMatch(PIG, 1, log)
        players = [LocalPlayer(House(Watchful())), LocalPlayer(House(pig.careful(Random(0))))]
        try:
            await match.play(match.build_orders(SETUP, 1, NAMES), players)
            await log.end()
        finally:
            log.close()
        return match.lines

    lines = asyncio.run(play())
    for number, befell in asked:
        assert sum(b'"befell"' in line for line in lines[:number]) == befell
        assert number == len(lines) or b'"befell"' not in lines[number]


# -- over a wire -------------------------------------------------------------------------------


class Peer:
    """The far end of a wire; it compares what it would be told if it came back with what it was told."""

    may_return = False

    def __init__(self) -> None:
        self.memory = Memory()
        self.client = ClientConversation(PIG, self.seat, "me", turns=True)
        self.lived: list[Any] = []
        self.recap: Callable[[], bytes] | None = None

    def seat(self, chance: int, info: SeatInfo) -> House:
        return House(self.memory)

    def set_recap(self, recap: Callable[[], bytes] | None) -> None:
        self.recap = recap

    async def ready(self) -> None: ...
    def say(self, lines: bytes) -> None: ...
    def close(self, *, stays: bool = False) -> None: ...

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        reply = b""
        for line in lines.splitlines():
            message = msgspec.json.decode(line)
            if message["type"] == "saw":
                self.lived.append(message)
            elif message["type"] != "welcome" and self.recap is not None:
                past = msgspec.json.decode(self.recap().splitlines()[1]) if self.recap() else {"exchanges": []}
                assert [each for each in past["exchanges"] if each["type"] == "saw"] == self.lived
            reply = self.client.reply(line)
        return reply


@given(SEEDS)
def test_a_program_at_the_far_end_sees_what_is_public_and_plays_the_same_match(seed: int) -> None:
    peer, lines = Peer(), list[bytes]()

    async def play() -> None:
        remote = NativePlayer(PIG, peer, Hello(1, "me", ("pig",), turns=True), 60.0)
        remote.begin(1, describe_seat(PIG, SETUP, 1, 2), lines)
        await remote.ready()
        match: AwaitedMatch[int] = AwaitedMatch(PIG, 1, watch=lines.append)
        await match.play(match.build_orders(SETUP, seed, NAMES), [LocalPlayer(House(pig.careful(Random(0)))), remote])

    asyncio.run(play())
    assert lines == record_of(seed)
    assert peer.memory.seen and any(each["seat"] is None for each in peer.lived)
    assert all("action" not in each and "fault" not in each for each in peer.lived if each["seat"] is None)
    assert all(each["befell"].get("points") is None for each in peer.lived if each["seat"] is None)


def test_a_saw_line_of_chance_is_read_back() -> None:
    line = {"type": "saw", "number": 4, "seat": None, "befell": {"came": "die", "face": 6}}
    assert seen_from_json(PIG, line) == Seen(4, None, befell={"came": "die", "face": 6})
    assert msgspec.json.decode(msgspec.json.encode(Seen(4, None, befell=6))) == {
        "type": "saw",
        "number": 4,
        "seat": None,
        "befell": 6,
    }


# -- in a process of its own -------------------------------------------------------------------

BOT = """
from pig import Hold, Roll


class Bot:
    def __init__(self):
        self.dice = []

    def saw(self, seen):
        if seen.seat is None and seen.befell["came"] == "die":
            self.dice.append(seen.befell["face"])

    def choose(self, view):
        return Roll() if not self.dice or self.dice[-1] % 2 == 0 or not view.table.sum else Hold()
"""


@pytest.fixture
def bot(tmp_path: Any, pig: Any) -> Iterator[str]:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    yield str(path)


def test_a_bot_in_a_sandbox_is_told_of_chance(bot: str) -> None:
    match = fairplay.play("pig", ["careful", bot], seed=5)
    assert match.outcome.faults == (None, None)
    assert [line.split(b'"hash"')[0] for line in match.lines[1:]] == [
        line.split(b'"hash"')[0] for line in record_of(5)[1:]
    ]
