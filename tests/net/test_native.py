"""The native protocol at both ends of a wire: players that signed up, and visitors of ours, with peers in this process.

Over real sockets, what a server says to a visitor decides how its visit ends.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from fairplay.contest.contest import Contest, Entrant
from fairplay.core import Fault, FaultKind, House, Misbehaved, Seat, SeatInfo, Seen, WireError
from fairplay.core.chance import derived, derived_seed
from fairplay.core.established import KnockoutResult
from fairplay.games.fish.state import PlayingAs
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy
from fairplay.match.protocol import (
    Bye,
    Conversation,
    Ending,
    Hello,
    Joined,
    Out,
    Over,
    Past,
    PastNews,
    PastTurn,
    Refused,
    encode_message,
)
from fairplay.match.replay import start_match
from fairplay.net.admission import NativeTerms
from fairplay.net.native import Address, ClientConversation, NativePlayer, join_server
from fairplay.net.session import RETURNS
from fairplay.run import inline
from fairplay.run.awaited import play_awaited
from fairplay.run.engines.pool import Pool
from fairplay.run.hosting import Hosting, hold_contest
from fairplay.run.inline import TrustedSeating
from run.knock_outs import Guest, hold_knock_out
from run.programs import SMALL
from skipping_loop import run_skipping, settle

from .native import WAYS, Native, reached
from .tables import FISH, LOCAL, kinds

SPEC = "minimax:depth=1"


class Near:
    """A peer in this process: a player of ours, whose replies can be spoilt."""

    def __init__(self, spoil: Callable[[dict[str, Any], bytes], bytes | Fault] = lambda message, reply: reply) -> None:
        self.visitor = ClientConversation(
            FISH, lambda chance, info: House(house_strategy(FISH, SPEC, derived(1))), "me"
        )
        self.spoil = spoil
        self.heard: list[dict[str, Any]] = []
        self.closed = 0

    def say(self, lines: bytes) -> None:
        for line in lines.splitlines():
            self.heard.append(json.loads(line))

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        assert patience == 3.0
        assert not self.closed, "nobody is asked after being hung up on"
        self.say(lines)
        for line in lines.splitlines():
            reply = self.visitor.reply(line)
        return self.spoil(self.heard[-1], reply)

    async def ready(self) -> None: ...

    def set_recap(self, recap: object) -> None: ...

    def close(self, *, stays: bool = False) -> None:
        self.closed += 1

    @property
    def may_return(self) -> bool:
        return not self.closed

    @property
    def kinds(self) -> str:
        """The first letters of all that it was sent; O for over."""
        return "".join("O" if message["type"] == "over" else message["type"][0] for message in self.heard)


def native(peer: Near) -> NativePlayer:
    return NativePlayer(FISH, peer, Hello(1, "me", ("fish",)), 3.0)


def seated(*peers: Near) -> list[NativePlayer]:
    players = [native(peer) for peer in peers]
    for number, player in enumerate(players):
        player.begin(number, describe_seat(FISH, None, number), ())
    return players


def spoiling(kind: str, reply: bytes | Fault) -> Near:
    return Near(lambda message, right: reply if message["type"] == kind else right)


def test_a_native_match_is_the_match_inline() -> None:
    outcome = asyncio.run(play_awaited(start_match(FISH, SMALL, 5, 2), seated(Near(), Near())))
    assert outcome == inline.play_inline(
        start_match(FISH, SMALL, 5, 2), [House(house_strategy(FISH, SPEC, derived(1)))] * 2
    )


@pytest.mark.parametrize(
    ("kind", "reply", "fault"),
    [
        ("tell", b"nonsense", FaultKind.MALFORMED),
        ("tell", b'{"type":"heard","id":7}', FaultKind.MALFORMED),
        ("ask", b'{"type":"heard","id":3}', FaultKind.MALFORMED),
        ("ask", b'{"type":"answer","id":3,"action":{"do":"place","at":[99,99]}}', FaultKind.ILLEGAL),
        ("ask", Fault(FaultKind.TIMED_OUT, "late"), FaultKind.TIMED_OUT),
        ("tell", Fault(FaultKind.GONE), FaultKind.GONE),
    ],
)
def test_whoever_faults_is_told_why_and_hung_up_on(kind: str, reply: bytes | Fault, fault: FaultKind) -> None:
    bad, good = spoiling(kind, reply), Near()
    standing = asyncio.run(hold_knock_out(FISH, SMALL, 5, [Guest("x", native(peer)) for peer in (bad, good)]))
    assert standing is not None
    found = standing.faults[0]
    assert found is not None
    assert (found.kind, standing.faults[1]) == (fault, None)
    assert bad.heard[-1] == {"type": "out", "kind": fault, "detail": found.detail}
    assert bad.kinds.count("o") == bad.closed == 1
    assert not good.closed


def over_message(number: int, standing: KnockoutResult) -> dict[str, Any]:
    """What this player is told last."""
    others = len(standing.winners) - 1
    is_shared = number in standing.winners and others
    return {"type": "over", "won": number in standing.winners} | ({"shared": others} if is_shared else {})


def test_a_tie_for_the_first_place_is_told() -> None:
    """Two players that choose alike swap seats on the same deal, so that each does as well as the other."""
    peers = [Near(), Near()]
    entrants = tuple(Entrant(f"p{number}", "connection:native") for number in range(2))
    setup = msgspec.Raw(msgspec.json.encode(SMALL))
    contest = Contest("fish", entrants, "round-robin", {"games": 1}, setup, 1, 3.0)
    standing = asyncio.run(hold_contest(FISH, contest, dict(enumerate(map(native, peers))), Hosting(Pool(1))))
    assert standing is not None and standing.winners == (0, 1)
    assert [peer.heard[-1] for peer in peers] == [{"type": "over", "won": True, "shared": 1}] * 2


def test_a_tournament_is_told_match_by_match() -> None:
    peers = [Near(), spoiling("ask", b"nonsense"), Near(), Near(), Near()]
    standing = asyncio.run(
        hold_knock_out(FISH, SMALL, 3, [Guest(f"p{n}", native(peer)) for n, peer in enumerate(peers)])
    )
    assert standing is not None
    assert [fault is not None for fault in standing.faults] == [False, True, False, False, False]
    for number, peer in enumerate(peers):
        kinds = peer.kinds
        if number == 1:
            assert kinds == "wttao"
            continue
        assert kinds.endswith("bO")
        assert kinds.count("w") == kinds.count("b") >= 1
        assert peer.heard[-1] == over_message(number, standing)
    first = derived_seed(3, "deal", 0)
    assert peers[0].heard[0]["chance"] == derived(first, "player", 0).getrandbits(53)


def test_a_match_without_a_word_still_begins_and_ends() -> None:
    peer = Near()
    [player] = seated(peer)
    outcome = asyncio.run(play_awaited(start_match(FISH, SMALL, 5, 2), seated(Near(), Near())))
    player.end(outcome)
    assert peer.kinds == "wb"
    player.close()
    assert (peer.kinds, peer.closed) == ("wb", 1)


BYE = encode_message(Bye(Ending((), (), (), "over")))


def asked(number: int = 1) -> tuple[Conversation, bytes]:
    talk = Conversation(FISH, number)
    return talk, talk.ask(FISH.rules.view(FISH.rules.start(SMALL, 2, derived(1)), Seat(0)), 3.0)


def visitor(chances: list[int] | None = None) -> ClientConversation:
    def seat(chance: int, info: SeatInfo) -> House:
        if chances is not None:
            chances.append(chance)
        return House(lambda view: FISH.rules.legal_actions(view)[0])

    return ClientConversation(FISH, seat, "ann")


def test_it_plays_match_after_match_and_hears_how_it_went() -> None:
    chances: list[int] = []
    one = visitor(chances)
    assert json.loads(one.hello()) == {"type": "hello", "version": 1, "name": "ann", "games": ["fish"], "legal": False}
    assert one.reply(encode_message(Joined("s", 2.5))) == b""
    assert (one.grace, json.loads(one.hello())["session"]) == (2.5, "s")
    for number in (5, 6):
        talk, question = asked(number)
        assert one.reply(talk.opening()) == b""
        assert talk.reply(one.reply(question)) == FISH.actions[0]((0, 0))
        assert talk.reply(one.reply(talk.tell(Over(True), 1.0))) is None
        assert one.reply(BYE) == b""
        assert not one.over
    assert chances == [5, 6]
    assert one.reply(encode_message(Over(True))) == b""
    assert (one.over, one.won, one.shared) == (True, True, 0)


def test_it_hears_that_the_first_place_is_shared() -> None:
    one = visitor([])
    assert one.reply(b'{"type":"over","won":true,"shared":2}\n') == b""
    assert (one.over, one.won, one.shared) == (True, True, 2)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (encode_message(Refused("full")), "the server refuses: full"),
        (encode_message(Out(FaultKind.ILLEGAL, "not yours")), "not yours"),
    ],
)
def test_whoever_may_not_stay_says_why(line: bytes, words: str) -> None:
    with pytest.raises(Misbehaved, match=words):
        visitor().reply(line)


def test_a_question_before_a_match_or_of_another_game_is_none() -> None:
    with pytest.raises(WireError, match="before any match"):
        visitor().reply(asked()[1])
    with pytest.raises(WireError, match="expected fish, not go"):
        visitor().reply(
            b'{"type":"welcome","version":1,"game":"go","chance":1,"seat":0,"seats":2,"variant":"","setup":{}}'
        )


@given(st.binary(max_size=60) | st.sampled_from([b"[" * 60_000, b'{"type":"ask","id":1,"deadline":1,"view":7}']))
def test_whatever_else_a_server_says_is_refused(line: bytes) -> None:
    one = visitor()
    talk, _ = asked()
    one.reply(talk.opening())
    with pytest.raises(WireError):
        one.reply(line)


@given(st.data())
def test_a_damaged_question_is_answered_or_refused(data: st.DataObject) -> None:
    talk, question = asked()
    one = visitor()
    one.reply(talk.opening())
    at = data.draw(st.integers(0, len(question) - 1))
    damaged = question[:at] + data.draw(st.binary(max_size=2)) + question[at + 1 :]
    said: Any = None
    try:
        said = one.reply(damaged)
    except (WireError, Misbehaved):
        return
    assert said == b"" or json.loads(said)["type"] in ("answer", "heard")


def test_a_question_that_comes_again_gets_the_same_reply_and_is_not_thought_over() -> None:
    asked_views: list[Any] = []

    def choose(view: Any) -> Any:
        asked_views.append(view)
        return FISH.rules.legal_actions(view)[len(asked_views)]

    one = ClientConversation(FISH, lambda chance, info: House(choose), "ann")
    talk, question = asked()
    one.reply(talk.opening())
    first = one.reply(question)
    assert one.reply(question) == first
    assert len(asked_views) == 1
    one.reply(talk.opening())  # another match: the same id is another question
    assert one.reply(question) != first
    assert len(asked_views) == 2


def test_a_new_process_asks_for_the_past_until_it_knows_the_match() -> None:
    """Whatever breaks in between: before it has heard the past, or a line of a match, it knows nothing."""
    one = ClientConversation(FISH, lambda chance, info: House(choose_first), "ann", session="s")

    def wants_past() -> bool:
        return "past" in json.loads(one.hello())

    assert wants_past()
    one.reply(encode_message(Joined("s", 2.5)))
    assert wants_past()
    talk, question = asked()
    one.reply(talk.opening())
    assert wants_past()
    one.reply(encode_message(Past(())))
    assert not wants_past()
    assert one.reply(question)
    fresh = ClientConversation(FISH, lambda chance, info: House(choose_first), "ann", session="s")
    fresh.reply(talk.opening())
    fresh.reply(question)
    assert "past" not in json.loads(fresh.hello())


def choose_first(view: Any) -> Any:
    return FISH.rules.legal_actions(view)[0]


def test_a_new_process_lives_through_the_past_without_a_word() -> None:
    lived: list[Any] = []

    def choose(view: Any) -> Any:
        lived.append(view)
        return choose_first(view)

    one = ClientConversation(FISH, lambda chance, info: House(choose), "ann", session="s")
    talk, question = asked()
    view = json.loads(question)["view"]
    action = {"do": "place", "at": [0, 0]}
    one.reply(talk.opening())
    past = Past((PastNews({"news": "PlayingAs", "me": 0}), PastTurn(view, action), PastTurn(view, action)))
    assert one.reply(encode_message(past)) == b""
    assert len(lived) == 2
    assert one.reply(question)
    assert len(lived) == 3


def test_what_happened_is_told_once_though_it_is_sent_again() -> None:
    """With memory or without: after a break the lines before an unanswered question come again."""
    diary: list[Any] = []

    class Bot:
        def choose(self, view: Any) -> Any:
            return choose_first(view)

        def hear(self, news: object) -> None:
            diary.append(news)

        def saw(self, turn: Seen) -> None:
            diary.append(turn)

    seating = TrustedSeating(FISH, Bot)
    one = ClientConversation(FISH, lambda chance, info: seating(derived(chance), info), "ann", turns=True, session="s")
    assert json.loads(one.hello())["turns"] is True
    talk, question = asked()
    turns = [Seen(0, Seat(0), FISH.actions[0]((0, 0))), Seen(1, Seat(1), fault=FaultKind.CRASHED)]
    one.reply(talk.opening())
    one.reply(encode_message(Past((PastNews({"news": "PlayingAs", "me": 0}), turns[0]))))
    for _ in range(2):
        assert [one.reply(encode_message(turn)) for turn in turns] == [b"", b""]
        one.reply(question)
    assert diary == [PlayingAs(Seat(0)), *turns]


def test_someone_who_is_thrown_out_of_one_match_alone_stays() -> None:
    one = visitor()
    assert one.reply(encode_message(Out(FaultKind.ILLEGAL, "not yours", stays=True))) == b""
    assert [fault.detail for fault in one.removals] == ["not yours"]
    assert not one.over


def test_the_session_is_given_to_whoever_keeps_it() -> None:
    kept: list[str] = []
    one = ClientConversation(FISH, lambda chance, info: House(choose_first), "ann", keep_session=kept.append)
    one.reply(encode_message(Joined("key", 2.5)))
    assert kept == ["key"]


JOINED = b'{"type":"joined","session":"s","grace":0.3}\n'


def token_visitor() -> ClientConversation:
    return ClientConversation(
        FISH, lambda chance, info: House(house_strategy(FISH, "random", derived(chance))), "ann", "t"
    )


async def served(*replies: bytes) -> tuple[Fault | None, list[Any]]:
    """How a visit ends where the n-th connection is sent this after its hello; and all hellos."""
    hellos: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hellos.append(json.loads(await reader.readline()))
        writer.write(replies[min(len(hellos), len(replies)) - 1])
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, LOCAL, 0) as server:
        address = Address(LOCAL, server.sockets[0].getsockname()[1])
        return await join_server(address, token_visitor(), 0), hellos


def test_it_says_who_it_is_and_plays_until_it_is_over() -> None:
    fault, hellos = asyncio.run(served(JOINED + b'{"type":"over","won":true}\n'))
    assert fault is None
    assert hellos == [{"type": "hello", "version": 1, "name": "ann", "games": ["fish"], "legal": False, "token": "t"}]


def test_it_comes_back_with_its_session() -> None:
    fault, hellos = asyncio.run(served(JOINED, JOINED + b'{"type":"over","won":false}\n'))
    assert fault is None
    assert [hello.get("session") for hello in hellos] == [None, "s"]


def test_it_does_not_come_back_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.net.native.RETRY_EVERY", 0.0)
    fault, hellos = asyncio.run(served(JOINED))
    assert fault == Fault(FaultKind.GONE, "the connection closed; the server's last message was joined")
    assert len(hellos) == 1 + RETURNS


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (b'{"type":"refused","reason":"sign-up is over"}\n', FaultKind.GONE, "the server refuses: sign-up is over"),
        (JOINED + b'{"type":"out","kind":"illegal","detail":"no"}\n', FaultKind.ILLEGAL, "no"),
        (b"", FaultKind.GONE, "the connection closed"),
        (b"nonsense\n", FaultKind.MALFORMED, "does not speak the native protocol"),
        (b'{"type":"joined"}\n', FaultKind.MALFORMED, "missing required field session"),
        (JOINED + b'{"type":"ask","id":1,"deadline":1,"view":{}}\n', FaultKind.MALFORMED, "before any match began"),
        (
            b'{"type":"welcome","version":1,"game":"go","chance":1,"seat":0,"seats":2,"variant":"","setup":{}}\n',
            FaultKind.MALFORMED,
            "expected fish, not go",
        ),
        (b"[" * 50_000 + b"\n", FaultKind.EXCEEDED, "a line nested more than 32 deep"),
        (b"x" * 17_000_000, FaultKind.EXCEEDED, "a line of more than"),
    ],
)
def test_it_says_why_it_ended_early(said: bytes, kind: FaultKind, words: str) -> None:
    fault, hellos = asyncio.run(served(said))
    assert fault is not None
    assert fault.kind is kind
    assert words in fault.detail
    assert len(hellos) == 1


def test_a_strategy_that_raises_leaves_and_says_why() -> None:
    async def crashed() -> Fault | None:
        server = Native(FISH, 2)
        bad = ClientConversation(FISH, lambda chance, info: House(lambda view: 1 // 0), "bad")
        leaving = asyncio.create_task(join_server(Address(LOCAL, server.port), bad))
        other = await server.visitor("good")
        hosted = await server.ended(other)
        assert FaultKind.GONE in kinds(hosted)
        return await leaving

    fault = asyncio.run(crashed())
    assert fault is not None
    assert fault.kind is FaultKind.CRASHED
    assert fault.detail.startswith("ZeroDivisionError")


@pytest.mark.parametrize("way", WAYS)
def test_a_real_break_is_overcome(way: str) -> None:
    """Everything goes through somebody who cuts the line once."""

    async def cut() -> None:
        server = Native(FISH, 2, terms=NativeTerms(grace=5), patience=10.0)
        cuts = 0

        async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal cuts
            there, away = await asyncio.open_connection(LOCAL, server.port)
            first, cuts = cuts == 0, cuts + 1
            pumps = [pumped(reader, away), pumped(there, writer, cut=first)]
            await asyncio.wait([*map(asyncio.create_task, pumps)], return_when=asyncio.FIRST_COMPLETED)
            away.close()
            writer.close()

        async with await asyncio.start_server(between, LOCAL, 0) as proxy:
            port = proxy.sockets[0].getsockname()[1]
            uri = f"ws://{LOCAL}:{port}" if way == "ws" else None
            playing = asyncio.create_task(join_server(Address(LOCAL, port, uri), visitor_of(server)))
            await settle()
            hosted = await server.ended(await server.visitor("bob"))
            assert await playing is None
        assert kinds(hosted) == [None, None]
        assert cuts == 2

    run_skipping(cut())


def visitor_of(server: Native) -> ClientConversation:
    return ClientConversation(FISH, lambda chance, info: server.player(), "ann")


async def pumped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, cut: bool = False) -> None:
    """Carry everything over; to `cut` is to stop with the first question."""
    while data := await reader.read(65_536):
        if cut and b'"ask"' in data:
            return
        writer.write(data)
        await writer.drain()


def test_nobody_listening_is_an_error() -> None:
    async def nobody() -> None:
        async with await asyncio.start_server(lambda reader, writer: None, LOCAL, 0) as server:
            port = server.sockets[0].getsockname()[1]
        with pytest.raises(ConnectionRefusedError):
            await reached(port, "tcp")
        with pytest.raises(ConnectionRefusedError):
            await join_server(Address(LOCAL, port), token_visitor(), 0)

    asyncio.run(nobody())
