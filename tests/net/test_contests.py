"""Remote players in every format beside local ones: they play, are kept and rated like everyone else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.contest.contest import Entrant, Stop
from fairplay.contest.scoreboard import read_tables
from fairplay.core import FaultKind, House, SeatInfo
from fairplay.match.packing import unpacked
from fairplay.match.protocol import Hello, Out, encode_message
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record
from fairplay.net.native import ClientConversation, join_server
from fairplay.report.tournament_report import collect_report, load_tables, load_tournament, render_page
from net.native import AnyPeer

from .contests import ContestServer, contest_of, local_entrants, random_visitor
from .native import hello, reached
from .tables import FISH

FORMATS: list[tuple[str, dict[str, Any], Stop]] = [
    ("swiss", {"rounds": 2, "games": 1}, Stop()),
    ("round-robin", {"games": 1}, Stop()),
    ("knock-out", {"fewest": 2, "most": 3}, Stop()),
    ("ladder", {}, Stop(matches=7)),
]


@pytest.mark.parametrize("protocol", ["native", "established"])
@pytest.mark.parametrize(("format", "options", "stop"), FORMATS, ids=[name for name, _, _ in FORMATS])
def test_remote_players_play_in_every_format_beside_local_ones(
    tmp_path: Path, protocol: str, format: str, options: dict[str, Any], stop: Stop
) -> None:
    async def held() -> ContestServer:
        server = ContestServer(tmp_path, grace=60.0 if protocol == "native" else None)
        server.begin(contest_of(local_entrants(tmp_path), format, options, stop=stop), 2)
        if protocol == "native":
            players = [await server.native_player(name, way=way) for name, way in (("ann", "tcp"), ("bob", "ws"))]
            await server.ended(*(task for _, task in players))
            assert [task.result() for _, task in players] == [None, None]
            assert all(visitor.over and visitor.won is not None for visitor, _ in players)
        else:
            tasks = [await server.established_player(name) for name in ("ann", "bob")]
            await server.ended(*tasks)
            assert [task.result() for task in tasks] == [None, None]
        return server

    server = asyncio.run(held())
    with server.store as store:
        id = server.id or 0
        contest, results = store.contest(id), server.results
        names = ("ann", "bob", "house", "file", "program")
        assert contest.names == names
        assert [entrant.spec for entrant in contest.entrants[:2]] == [f"connection:{protocol}"] * 2
        assert store.summary(id).finished is not None
        assert store.sessions(id) == []
        assert {number for result in results for number in result.line_up} == set(range(5))
        for result in results:
            assert result.outcome.faults == (None,) * len(result.line_up)
            record = read_record(unpacked(result.record))
            assert list(replay_record(FISH, record))
            assert record.header.players == tuple(names[number] for number in result.line_up)
        tables = read_tables(store.standings(id) or b"")
        assert tables is not None
        assert tables == load_tables(store, id, FISH)[0]
        assert {line.player for line in tables.standings if line.rating} == set(names)
        page = render_page(collect_report(store, load_tournament(store, id, FISH), FISH, "fairplay replay"))
        assert all(name in page for name in names)


def test_a_name_of_a_local_player_cannot_be_taken(tmp_path: Path) -> None:
    async def held() -> tuple[str, ...]:
        server = ContestServer(tmp_path)
        local = [Entrant("greedy", "greedy"), Entrant("greedy-2", "greedy")]
        server.begin(contest_of(local, "swiss", {"rounds": 1, "games": 1}), 2)
        players = [await server.native_player(name) for name in ("greedy", "greedy-3")]
        await server.ended(*(task for _, task in players))
        with server.store as store:
            return store.contest(server.id or 0).names

    assert asyncio.run(held()) == ("greedy-4", "greedy-3", "greedy", "greedy-2")


async def replies(peer: AnyPeer, speaker: Any, count: int) -> None:
    """Play well until so many questions are answered; the next one lies there unanswered."""
    asked = 0
    while line := await peer.hear():
        reply = speaker.reply(line).rstrip(b"\n")
        if b'"type":"ask"' in line:
            if asked == count:
                return
            asked += 1
        if reply:
            await peer.send(reply)


@pytest.mark.parametrize("questions", [0, 1, 3])
def test_a_player_that_drops_out_in_the_middle_of_a_match_comes_back_to_its_seat(
    tmp_path: Path, questions: int
) -> None:
    """The same match goes on, and it is the match that it would have been."""

    async def held(folder: Path, *, broken: bool) -> list[Any]:
        folder.mkdir()
        server = ContestServer(folder)
        server.begin(contest_of([Entrant("house", "random")], "round-robin", {"games": 1}), 1)
        if not broken:
            _, task = await server.native_player("ann")
        else:
            peer = await reached(server.port, "tcp")
            await peer.send(hello("ann"))
            speaker = random_visitor()
            await replies(peer, speaker, questions)
            peer.abort()
            task = asyncio.create_task(come_back(server, speaker))
        await server.ended(task)
        with server.store:
            return [(result.number, result.outcome, result.record) for result in server.results]

    unbroken = asyncio.run(held(tmp_path / "unbroken", broken=False))
    assert asyncio.run(held(tmp_path / "broken", broken=True)) == unbroken
    assert all(fault is None for _, outcome, _ in unbroken for fault in outcome.faults)


async def come_back(server: ContestServer, speaker: ClientConversation) -> None:
    assert await join_server(server.address(), speaker) is None


def test_a_player_that_drops_out_between_matches_comes_back_for_the_next(tmp_path: Path) -> None:
    async def held() -> list[Any]:
        server = ContestServer(tmp_path)
        server.begin(contest_of([Entrant("house", "random")], "round-robin", {"games": 2}), 1)
        speaker = random_visitor()
        for _ in range(4):
            peer = await reached(server.port, "tcp")
            await peer.send(speaker.hello().rstrip(b"\n"))
            while line := await peer.hear():
                if reply := speaker.reply(line).rstrip(b"\n"):
                    await peer.send(reply)
                if b'"type":"bye"' in line:
                    break
            peer.abort()
        await come_back(server, speaker)
        assert speaker.over
        await server.ended()
        with server.store:
            return [fault for result in server.results for fault in result.outcome.faults]

    assert asyncio.run(held()) == [None] * 8


def test_a_player_that_does_not_come_back_within_the_grace_is_gone(tmp_path: Path) -> None:
    async def held() -> list[Any]:
        server = ContestServer(tmp_path, grace=0.2)
        server.begin(contest_of([Entrant("house", "random")], "round-robin", {"games": 2}), 1)
        peer = await reached(server.port, "tcp")
        await peer.send(hello("ann"))
        await replies(peer, random_visitor(), 1)
        peer.abort()
        await server.ended()
        with server.store:
            return [result.outcome.faults[result.line_up.index(0)] for result in server.results]

    faults = asyncio.run(held())
    assert [fault.kind for fault in faults] == [FaultKind.GONE] * 4


@pytest.mark.parametrize("removed", ["stay", "leave"])
def test_a_player_that_is_thrown_out_may_play_its_next_match_where_it_stays(tmp_path: Path, removed: str) -> None:
    """It is told so, hung up on, comes back by itself, and hears how it all ended."""

    async def held() -> tuple[list[Any], Any, Any]:
        server = ContestServer(tmp_path)
        local = [Entrant("one", "greedy"), Entrant("two", "greedy")]
        server.begin(contest_of(local, "round-robin", {"games": 2, "removed": removed}), 1)
        speaker = random_visitor()
        matches = 0

        def misbehave(chance: int, info: SeatInfo) -> Any:
            nonlocal matches
            matches += 1
            return bad if matches == 1 else good(chance, info)

        good, bad = speaker.seat, House(lambda view: None)
        speaker.seat = misbehave
        fault = await join_server(server.address(), speaker)
        await server.ended()
        with server.store:
            faults = [
                result.outcome.faults[result.line_up.index(0)] for result in server.results if 0 in result.line_up
            ]
        return faults, speaker, fault

    faults, speaker, fault = asyncio.run(held())
    kinds = [None if each is None else each.kind for each in faults]
    if removed == "stay":
        assert kinds == [FaultKind.MALFORMED] + [None] * 7
        assert [each.kind for each in speaker.removals] == [FaultKind.MALFORMED]
        assert (speaker.over, fault) == (True, None)
    else:
        assert kinds[0] is FaultKind.MALFORMED
        assert set(kinds[1:]) <= {FaultKind.GONE}, "until the round is over it is missing"
        assert fault.kind is FaultKind.MALFORMED


def test_someone_who_is_thrown_out_of_its_last_match_hears_how_it_ended(tmp_path: Path) -> None:
    async def held() -> Any:
        server = ContestServer(tmp_path)
        server.begin(contest_of([Entrant("one", "greedy")], "round-robin", {"games": 1}), 1)
        speaker = random_visitor()
        speaker.seat = lambda chance, info: House(lambda view: None)
        fault = await join_server(server.address(), speaker)
        await server.ended()
        server.store.close()
        return speaker, fault

    speaker, fault = asyncio.run(held())
    assert len(speaker.removals) == 2
    assert (fault, speaker.over, speaker.won) == (None, True, False)


def test_a_server_without_sign_ups_plays_the_local_players(tmp_path: Path) -> None:
    async def held() -> int:
        server = ContestServer(tmp_path, grace=1.0)
        local = [Entrant("one", "greedy"), Entrant("two", "random")]
        server.begin(contest_of(local, "round-robin", {"games": 1}), 0)
        await server.ended()
        with server.store:
            return len(server.results)

    assert asyncio.run(held()) == 2


def test_messages_are_readable_by_an_older_client() -> None:
    """`stays` and `past` are only said where they mean something."""
    assert encode_message(Out(FaultKind.GONE, "x")) == b'{"type":"out","kind":"gone","detail":"x"}\n'
    assert b"past" not in encode_message(Hello(1, "a", ("fish",)))
    assert msgspec.json.decode(encode_message(Hello(1, "a", ("fish",), past=True)))["past"] is True
