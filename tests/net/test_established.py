"""The established protocols at both ends: what a player's answers are, and when one of ours retries and leaves."""

from __future__ import annotations

import asyncio
import errno

import msgspec
import pytest

from fairplay.contest.contest import Contest, Entrant
from fairplay.contest.scoreboard import group_faults, tables_of
from fairplay.core import Fault, FaultKind, Json, Misbehaved, Outcome, Seat, SeatInfo
from fairplay.games.fish.state import PlayingAs
from fairplay.match.referee import Ask, Tell
from fairplay.match.replay import start_match
from fairplay.net.established import answer_calls, is_refusal, sign_up_client
from fairplay.net.sign_up import open_listener
from fairplay.run.awaited import play_awaited
from fairplay.run.engines.pool import Pool
from fairplay.run.hosting import Hosting, hold_contest
from fairplay.run.keeping import MemoryKeeper
from run.peers import FISH, SETUP, Near, remote, spoiling
from skipping_loop import run_skipping, settle

from .tables import LOCAL


class Echo:
    """Answers every call with its method; the last one is `end`."""

    def __init__(self) -> None:
        self.over, self.won = False, None

    def answer(self, call: tuple[str, list[object]]) -> object:
        self.over = call[0] == "end"
        if call[0] in ("silence", "crash"):
            raise Misbehaved(Fault(FaultKind.TIMED_OUT if call[0] == "silence" else FaultKind.CRASHED, call[0]))
        if call[0] == "bug":
            raise ZeroDivisionError("on purpose")
        return call[0]


async def served(sent: bytes, *, line_feeds: bool = True) -> tuple[bytes, Fault | None]:
    """What a client said to a server that sends this and hangs up when it has nothing more to hear."""
    said: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard = await reader.readuntil(b"\n" if line_feeds else b'"ann"')
        writer.write(sent)
        await writer.drain()
        try:
            async with asyncio.timeout(0.3):
                while data := await reader.read(4_096):
                    heard += data
        except TimeoutError:
            heard += b"STILL THERE"
        writer.close()
        said.set_result(heard)

    async with await asyncio.start_server(serve, LOCAL, 0) as server:
        port = server.sockets[0].getsockname()[1]
        fault = await answer_calls(await sign_up_client(LOCAL, port, "ann", line_feeds=line_feeds), Echo())
        return await said, fault


def test_every_call_is_answered_and_after_the_last_it_leaves() -> None:
    said, fault = asyncio.run(served(b'["start",[true]]  ["setup",[{"a":1}]]["end",[false]]["start",[true]]'))
    assert said == b'"ann"\n"start"\n"setup"\n"end"\n'
    assert fault is None


@pytest.mark.parametrize(
    "call", [b'["start",true]', b"[[],[]]", b'"start"', b"{}", b'["start",[true],1]', b"[1 2]", b"]", b"\xff "]
)
def test_anything_but_a_call_makes_it_leave(call: bytes) -> None:
    said, fault = asyncio.run(served(b'["start",[true]]' + call))
    assert said == b'"ann"\n"start"\n'
    assert fault is not None
    assert fault.kind is FaultKind.MALFORMED


@pytest.mark.parametrize("at_once", [0.0, 60.0])
def test_it_says_when_the_server_hung_up_and_what_may_help(monkeypatch: pytest.MonkeyPatch, at_once: float) -> None:
    """After one call, or none: a line feed may have come too much, or one that was waited for may not have come."""
    monkeypatch.setattr("fairplay.net.established.AT_ONCE", at_once)
    hints = {(True, 60.0): " right after a line feed; it may take none: leave out --line-feeds"}
    hints |= {(False, 0.0): "; perhaps the server reads lines (use --line-feeds)"}
    for line_feeds in (True, False):
        said, fault = asyncio.run(served(b'["start",[true]]', line_feeds=line_feeds))
        assert said == (b'"ann"\n"start"\nSTILL THERE' if line_feeds else b'"ann""start"STILL THERE')
        hint = hints.get((line_feeds, at_once), "")
        assert fault == Fault(FaultKind.GONE, f"the connection closed{hint}; the last call was start")
        _, fault = asyncio.run(served(b"", line_feeds=line_feeds))
        few = ", or too few players signed up" if hint and not line_feeds else ""
        assert fault == Fault(FaultKind.GONE, f"the connection closed{hint}{few}; there was no call yet")


@pytest.mark.parametrize("line_feeds", [True, False])
@pytest.mark.parametrize("at_once", [0.0, 60.0])
def test_after_two_calls_line_feeds_are_not_the_reason(
    monkeypatch: pytest.MonkeyPatch, at_once: float, *, line_feeds: bool
) -> None:
    monkeypatch.setattr("fairplay.net.established.AT_ONCE", at_once)
    _, fault = asyncio.run(served(b'["start",[true]]["setup",[]]', line_feeds=line_feeds))
    assert fault == Fault(FaultKind.GONE, "the connection closed; the last call was setup")


def test_without_line_feeds_none_is_sent() -> None:
    said, fault = asyncio.run(served(b'["start",[true]]["end",[true]]', line_feeds=False))
    assert said == b'"ann""start""end"'
    assert fault is None


def test_faulty_clients_fall_silent_or_leave() -> None:
    said, fault = asyncio.run(served(b'["silence",[]]["start",[]]'))
    assert said == b'"ann"\nSTILL THERE'
    assert fault == Fault(FaultKind.TIMED_OUT, "silence; the last call was silence")
    said, fault = asyncio.run(served(b'["crash",[]]["start",[]]'))
    assert said == b'"ann"\n'
    assert fault == Fault(FaultKind.CRASHED, "crash; the last call was crash")


def test_a_strategy_that_raises_leaves_and_says_why() -> None:
    said, fault = asyncio.run(served(b'["bug",[]]'))
    assert said == b'"ann"\n'
    assert fault is not None
    assert fault.kind is FaultKind.CRASHED
    assert fault.detail.startswith("ZeroDivisionError: on purpose")


def test_a_refused_connection_is_tried_again() -> None:
    """Sections 11.12: clients may be started first."""

    async def early() -> str:
        sock = open_listener(LOCAL, 0)
        port = sock.getsockname()[1]
        sock.close()
        joining = asyncio.create_task(sign_up_client(LOCAL, port, "early"))
        await settle()
        heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.set_result(await reader.readexactly(len(b'"early"')))
            writer.close()

        async with await asyncio.start_server(serve, LOCAL, port):
            connection = await asyncio.wait_for(joining, 120)
            name: str = msgspec.json.decode(await heard)
            connection.close()
        await asyncio.sleep(0)
        return name

    assert run_skipping(early()) == "early"


def test_a_dead_port_is_told_at_once_and_named_in_the_end() -> None:
    sock = open_listener(LOCAL, 0)
    port = sock.getsockname()[1]
    sock.close()
    told: list[str] = []
    with pytest.raises(ConnectionRefusedError, match=f"^nobody listens at {LOCAL}:{port}$"):
        asyncio.run(sign_up_client(LOCAL, port, "ann", retry_for=0.6, report=told.append))
    assert told == [f"nobody listens at {LOCAL}:{port} yet; trying for 0.6 s"]
    with pytest.raises(ConnectionRefusedError, match="nobody listens"):
        asyncio.run(sign_up_client(LOCAL, port, "ann", retry_for=0, report=told.append))
    assert len(told) == 1


def test_a_host_with_several_addresses_refuses_as_well() -> None:
    """As ``localhost`` does that is 127.0.0.1 and ::1: the error has no number of its own."""
    refused = f"[Errno {errno.ECONNREFUSED}] Connect call failed ('127.0.0.1', 1)"
    unknown = f"[Errno {errno.EADDRNOTAVAIL}] Cannot assign requested address"
    assert is_refusal(OSError(f"Multiple exceptions: {refused}, {unknown}"))
    assert is_refusal(ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed"))
    assert not is_refusal(OSError(f"Multiple exceptions: {unknown}, {unknown}"))
    assert not is_refusal(ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"))


def test_a_host_that_nobody_knows_is_named() -> None:
    with pytest.raises(OSError, match=r"^cannot connect to nowhere\.invalid:1: "):
        asyncio.run(sign_up_client("nowhere.invalid", 1, "ann"))


@pytest.mark.parametrize(
    ("method", "answer", "kind"),
    [
        ("playing-as", "ok", FaultKind.MALFORMED),
        ("setup", [0, "0"], FaultKind.MALFORMED),
        ("setup", [9, 9], FaultKind.ILLEGAL),
        ("setup", [10**6, 0], FaultKind.MALFORMED),
        ("take-turn", False, FaultKind.MALFORMED),
        ("take-turn", Fault(FaultKind.TIMED_OUT, "late"), FaultKind.TIMED_OUT),
        ("playing-with", Fault(FaultKind.GONE), FaultKind.GONE),
    ],
)
def test_whoever_faults_is_hung_up_on_and_the_others_play_on(method: str, answer: Json, kind: FaultKind) -> None:
    bad, good = spoiling(method, answer), Near()
    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), [remote(bad), remote(good)]))
    assert outcome.faults[0] is not None
    assert (outcome.faults[0].kind, outcome.faults[1]) == (kind, None)
    assert outcome.winners == (1,)
    assert bad.closed
    assert not good.closed
    assert bad.calls[-1] == method


def test_a_malformed_answer_says_where() -> None:
    outcome = asyncio.run(
        play_awaited(start_match(FISH, SETUP, 5, 2), [remote(spoiling("setup", [0, "0"])), remote(Near())])
    )
    assert outcome.faults[0] == Fault(FaultKind.MALFORMED, "Expected int, got str at $[1]")


def test_news_without_a_call_needs_no_answer() -> None:
    peer = Near()
    assert asyncio.run(remote(peer).hear("something the protocol has no word for")) is None
    assert peer.calls == []
    assert asyncio.run(remote(peer).hear(PlayingAs(Seat(0)))) == "void"


def test_the_protocol_has_no_word_for_what_happens_around_a_match() -> None:
    """Nor for a match that goes on: the player is not told what it knows."""
    peer = Near()
    player = remote(peer)

    async def around() -> None:
        player.begin(7, SeatInfo(Seat(0), 2, None), ())
        await player.ready()
        await player.recall(Tell(Seat(0), PlayingAs(Seat(0))), None)
        await player.recall(Ask(Seat(0), None), None)
        player.throw_out(Fault(FaultKind.GONE), stays=True)
        player.end(Outcome((), (), (), "over"))

    asyncio.run(around())
    assert (peer.calls, peer.closed) == ([], 0)
    player.close()
    assert peer.closed == 1


def test_who_is_hung_up_on_has_one_fault_and_is_absent_from_then_on() -> None:
    """In eight matches of a round robin: not eight faults."""
    bad = spoiling("take-turn", False)
    contenders = dict(enumerate(map(remote, (bad, Near(), Near()))))
    entrants = tuple(Entrant(name, "connection:established") for name in ("bad", "ann", "bob"))
    setup = msgspec.Raw(msgspec.json.encode(SETUP))
    contest = Contest("fish", entrants, "round-robin", {"games": 2, "size": 2}, setup, 1, 3.0)
    keeper = MemoryKeeper()
    asyncio.run(hold_contest(FISH, contest, contenders, Hosting(Pool(1), lambda contest, entered: keeper)))
    results = list(keeper.results())
    (group,) = group_faults(contest.names, ((each.number, each.line_up, each.outcome.faults) for each in results))
    assert (group.player, group.kind, group.count, group.absent) == ("bad", FaultKind.MALFORMED, 1, 7)
    tables, _ = tables_of(contest, results, FISH.seats)
    counts = {row.player: (row.matches, row.faults, row.absences) for row in tables.standings}
    assert counts == {"bad": (8, 1, 7), "ann": (8, 0, 0), "bob": (8, 0, 0)}
    assert bad.closed == 1
