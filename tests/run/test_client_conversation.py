"""A player of ours over the network, line by line: each match has a player of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairplay.core import FaultKind, House, Misbehaved, Seat, SeatInfo, Seen, WireError
from fairplay.core.chance import derived
from fairplay.games.fish.state import PlayingAs
from fairplay.match.protocol import (
    Bye,
    Conversation,
    Ending,
    Joined,
    Out,
    Over,
    Past,
    PastNews,
    PastTurn,
    Refused,
    encode_message,
)
from fairplay.run.client_conversation import ClientConversation
from fairplay.run.inline import TrustedSeating

from .programs import FISH, SMALL

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
