"""The native protocol: what is written, what is accepted, and what docs/protocols/native.md says about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec import UNSET

from fairplay.catalog import GAMES
from fairplay.core import Began, Fault, FaultKind, Misbehaved, Outcome, Seat, WireError
from fairplay.core.chance import derived
from fairplay.games.fish.state import PlayingAs, PlayingWith
from fairplay.games.trains.state import More
from fairplay.match import protocol
from fairplay.match.protocol import Conversation, news_from_json, news_to_json, read_hello, unsolicited_fault
from fairplay.match.schemas import game_schema, message_schema
from kit import Table, kit, walk

FISH = GAMES["fish"]
HELLO: dict[str, Any] = {"type": "hello", "version": 1, "name": "bot", "games": ["fish"]}


def line(**changes: Any) -> bytes:
    return msgspec.json.encode({**HELLO, **changes})


def greeted(game: str = "fish", **changes: Any) -> Conversation:
    talk = Conversation(GAMES[game], 7)
    talk.welcome(line(games=[game], **changes))
    return talk


def view(game: str = "fish") -> Any:
    rules = GAMES[game].rules
    return rules.view(rules.start(next(iter(GAMES[game].variants.values())), 2, derived(1, "deal")), Seat(0))


def fault_of(call: Callable[[bytes], Any], said: bytes) -> Fault:
    with pytest.raises(Misbehaved) as caught:
        call(said)
    return caught.value.fault


WELCOME = {
    "type": "welcome",
    "version": 1,
    "game": "fish",
    "seat": 0,
    "seats": 2,
    "variant": "standard",
    "setup": json.loads(msgspec.json.encode(FISH.variants["standard"])),
    "numbers": "fish_v0",
}


def test_a_hello_is_welcomed() -> None:
    talk = Conversation(FISH, 7)
    assert json.loads(talk.welcome(line())) == WELCOME | {"chance": 7}
    assert talk.hello is not None
    assert talk.hello.legal is False


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("games", [["*"], ["chess", "*"]])
def test_a_program_may_play_every_game_whoever_brings_it(game: str, games: list[str]) -> None:
    talk = Conversation(GAMES[game])
    assert json.loads(talk.welcome(line(games=games)))["game"] == game
    assert json.loads(talk.welcome(line(games=games, variants={"chess": ["blitz"]})))["game"] == game


def test_of_every_game_it_may_play_some_variants_only() -> None:
    said = line(games=["*"], variants={"fish": ["original"]})
    assert "standard fish is played here, not original" in fault_of(Conversation(FISH).welcome, said).detail


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (line(games=["f*"]), "fish is played here, not f* at $"),
        (line(version=2), "it speaks version 2 of the protocol; expected 1 at $.version"),
        (line(version="1"), "Expected int, got str at $.version"),
        (line(version=True), "Expected int, got bool at $.version"),
        (line(version=10**30), "at $.version"),
        (line(games=["trains"]), "fish is played here, not trains at $"),
        (line(variants={"fish": ["original"]}), "standard fish is played here, not original at $"),
        (line(variants={"fish": []}), "Expected array of length >= 1 at $.variants[...]"),
        (line(games=[]), "Expected array of length >= 1 at $.games"),
        (line(games=["fish"] * 101), "Expected array of length <= 100 at $.games"),
        (line(name=""), "Expected str of length >= 1 at $.name"),
        (line(name="x" * 65), "Expected str of length <= 64 at $.name"),
        (line(name="x\n"), "at $.name"),
        (line(name="\u202egnp"), "at $.name"),
        (line(name="\x1b[31m"), "at $.name"),
        (line(password="1"), "Object contains unknown field password at $"),
        (line(type="answer"), "Invalid value 'answer' at $.type"),
        (b'{"type":"hello"}', "Object missing required field version at $"),
        (b"[]", "Expected object, got array at $"),
    ],
)
def test_a_hello_that_is_none(said: bytes, words: str) -> None:
    fault = fault_of(Conversation(FISH).welcome, said)
    assert fault.kind is FaultKind.MALFORMED
    assert words in fault.detail


@pytest.mark.parametrize(
    "said",
    [
        *(b"", b"\n", b"hello", b"{", b'{"a":1}}', b"01", b"+1", b"[1,]", b"// x", b"NaN", b"Infinity", b"{'a':1}"),
        *(b"\xff", b"\xc0\xaf", b'"\\ud800"', b"\xef\xbb\xbf{}", b"\0", b"[" * 60_000, b'{"type":' * 10_000),
        *(b"9" * 5_000, b"1e999", b"-1", b'{"type":"answer","id":1e999,"action":{}}'),
    ],
)
def test_what_is_no_reply_at_all(said: bytes) -> None:
    """Abuses 4, 5, 6 and 10, one line at a time."""
    talk = greeted()
    talk.ask(view(), 1.0)
    fault = fault_of(talk.reply, said)
    assert fault.kind is FaultKind.MALFORMED
    assert len(fault.detail) < 300


@given(st.binary(max_size=200))
def test_random_bytes_are_a_fault_and_nothing_else(said: bytes) -> None:
    talk = greeted()
    talk.ask(view(), 1.0)
    assert fault_of(talk.reply, said).kind is FaultKind.MALFORMED
    assert fault_of(Conversation(FISH).welcome, said).kind is FaultKind.MALFORMED


VALID = b'{"type":"answer","id":1,"action":{"do":"move","start":[0,1],"target":[2,1]}}'


@settings(max_examples=500)
@given(st.integers(0, len(VALID)), st.integers(0, 8), st.binary(max_size=8))
def test_a_damaged_answer_is_another_answer_or_a_fault(at: int, gone: int, put: bytes) -> None:
    """Abuse 24: 2,000 mutations of a line; nothing but an action or a fault comes of them."""
    talk = greeted()
    talk.ask(view(), 1.0)
    try:
        action = talk.reply(VALID[:at] + put + VALID[at + gone :])
    except Misbehaved as misbehaved:
        assert misbehaved.fault.kind is FaultKind.MALFORMED
    else:
        assert isinstance(action, FISH.actions)


def test_questions_and_news_are_numbered_and_answered_by_number() -> None:
    talk = greeted()
    told = json.loads(talk.tell(Began(view()), 2.5))
    assert (told["type"], told["id"], told["deadline"], told["news"]["news"]) == ("tell", 1, 2.5, "Began")
    assert talk.reply(b'{"type":"heard","id":1}\n') is None
    asked = json.loads(talk.ask(view(), 3.0))
    assert (asked["type"], asked["id"], asked["deadline"]) == ("ask", 2, 3.0)
    assert "legal" not in asked
    action = talk.reply(b'{"type":"answer","id":2,"action":{"do":"place","at":[0,-0]}}')
    assert action == FISH.actions[0]((0, 0))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('{"type":"answer","id":0,"action":{"do":"place","at":[0,0]}}', "it replies to 0, but 1 is awaited at $.id"),
        ('{"type":"answer","id":2,"action":{"do":"place","at":[0,0]}}', "it replies to 2, but 1 is awaited at $.id"),
        ('{"type":"heard","id":1}', "expected answer at $.type"),
        ('{"type":"answer","id":1}', "missing required field action"),
        ('{"type":"answer","id":1,"action":null}', "at $.action"),
        ('{"type":"answer","id":1,"action":{"do":"fly"}}', "Invalid value 'fly' at $.action.do"),
        ('{"type":"answer","id":1,"action":{"do":"place","at":[0,"0"]}}', "Expected int, got str at $.action.at[1]"),
        ('{"type":"answer","id":1,"action":{"do":"place","at":[0,1.0]}}', "Expected int, got float at $.action.at[1]"),
        ('{"type":"answer","id":1,"action":{"do":"place","at":[0,true]}}', "Expected int, got bool at $.action.at[1]"),
        ('{"type":"answer","id":1,"action":{"do":"place","at":[0,1e9]}}', "at $.action.at[1]"),
        ('{"type":"answer","id":1,"action":{"do":"place","at":[0,0],"to":1}}', "unknown field to at $.action"),
        ('{"type":"answer","id":1,"action":{"do":"place","at":[0,0]},"x":1}', "unknown field x at $"),
        ('{"type":"hello","id":1}', "Invalid value 'hello' at $.type"),
    ],
)
def test_wrong_replies_name_the_place(said: str, words: str) -> None:
    talk = greeted()
    talk.ask(view(), 1.0)
    fault = fault_of(talk.reply, said.encode())
    assert fault.kind is FaultKind.MALFORMED
    assert words in fault.detail


@pytest.mark.parametrize(
    ("game", "text"), [("fish", "0,0"), ("labyrinth", "pass"), ("trains", "keep Ash-Birch"), ("nim", "0x1")]
)
def test_an_answer_may_be_a_short_text(game: str, text: str) -> None:
    talk = greeted(game)
    talk.ask(view(game), 1.0)
    said = msgspec.json.encode({"type": "answer", "id": 1, "action": text})
    assert talk.reply(said) == GAMES[game].notation.parse_action(text)


def test_a_text_that_is_not_an_action_is_malformed() -> None:
    talk = greeted()
    talk.ask(view(), 1.0)
    fault = fault_of(talk.reply, b'{"type":"answer","id":1,"action":"up"}')
    assert fault.kind is FaultKind.MALFORMED
    assert fault.detail.startswith("'up' is not an action; expected ROW,COLUMN")
    assert fault.detail.endswith("at $.action")


@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains", "nim"])
def test_an_answer_may_be_a_number(game: str) -> None:
    talk, shown, numbers = greeted(game), view(game), GAMES[game].parts.numbers
    assert numbers is not None
    talk.ask(shown, 1.0)
    number = numbers.encoding_of(shown).legal_numbers(shown)[-1]
    said = msgspec.json.encode({"type": "answer", "id": 1, "action": number})
    assert talk.reply(said) == numbers.encoding_of(shown).action(number, shown)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("984", "984"),
        ("-1", "Expected int >= 0"),
        (f"{2**70}", "at $.action"),
        ("1.0", "got float"),
        ("true", "got bool"),
    ],
)
def test_a_number_that_no_action_has_is_malformed(number: str, words: str) -> None:
    talk = greeted()
    talk.ask(view(), 1.0)
    fault = fault_of(talk.reply, f'{{"type":"answer","id":1,"action":{number}}}'.encode())
    assert fault.kind is FaultKind.MALFORMED
    assert words in fault.detail and fault.detail.endswith("at $.action")


def test_without_numbers_a_number_is_malformed() -> None:
    talk = Conversation(replace(FISH, parts=replace(FISH.parts, numbers=None)), hello=greeted().hello)
    assert b"numbers" not in talk.opening()
    talk.ask(view(), 1.0)
    assert "Expected str | object, got int at $.action" in fault_of(talk.reply, ANSWER_5).detail


ANSWER_5 = b'{"type":"answer","id":1,"action":5}'


@pytest.mark.parametrize("news", [PlayingAs(Seat(1)), PlayingWith((Seat(0),))])
def test_news_survives_json(news: Any) -> None:
    assert news_from_json(FISH, json.loads(msgspec.json.encode(news_to_json(FISH, news)))) == news


@pytest.mark.parametrize("nonsense", [None, 7, {}, {"news": "Dealt"}, {"news": "PlayingAs", "me": "you"}])
def test_other_news_is_refused(nonsense: Any) -> None:
    with pytest.raises(WireError):
        news_from_json(FISH, nonsense)


def test_news_is_not_answered_with_an_action() -> None:
    talk = greeted()
    talk.tell(Began(view()), 1.0)
    fault = fault_of(talk.reply, b'{"type":"answer","id":1,"action":{"do":"place","at":[0,0]}}')
    assert "expected heard at $.type" in fault.detail


def test_the_last_of_a_repeated_key_counts() -> None:
    talk = greeted()
    talk.tell(Began(view()), 1.0)
    assert talk.reply(b'{"type":"heard","id":9,"id":1}') is None


@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains"])
def test_the_legal_actions_come_with_the_question_if_wanted(game: str) -> None:
    shown = view(game)
    asked = json.loads(greeted(game, legal=True).ask(shown, 1.0))
    legal = [*GAMES[game].rules.legal_actions(shown)]
    assert asked["legal"] == json.loads(msgspec.json.encode(legal))
    assert GAMES[game].codec.view_from_json(asked["view"]) == shown


def test_too_many_legal_actions_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MOST_LEGAL", 3)
    assert "legal" not in json.loads(greeted(legal=True).ask(view(), 1.0))


def test_unasked_words_are_quoted_in_plain_ascii() -> None:
    detail = unsolicited_fault(b"\x1b[31m" + b"x" * 1_000).fault.detail
    assert "\x1b" not in detail
    assert len(detail) < 250


@pytest.mark.parametrize("field", ["token", "session"])
def test_secrets_are_not_quoted(field: str) -> None:
    said = line(**{field: "sesame"})
    details = [unsolicited_fault(said).fault.detail, fault_of(Conversation(FISH).welcome, said[:-1]).detail]
    assert not any("sesame" in detail for detail in details)


def test_a_greeting_may_bring_a_token_and_a_session() -> None:
    hello = read_hello(line(token="t", session="s"))
    assert (hello.token, hello.session) == ("t", "s")
    assert (read_hello(line()).token, read_hello(line()).session) == (UNSET, UNSET)
    for wrong in ("", "x" * 257, 7, None):
        assert "$.token" in fault_of(read_hello, line(token=wrong)).detail


def test_whoever_was_greeted_already_is_welcomed_to_every_match() -> None:
    talk = Conversation(FISH, 9, read_hello(line(legal=True)))
    assert json.loads(talk.opening()) == WELCOME | {"chance": 9}
    assert "legal" in json.loads(talk.ask(view(), 1.0))


def test_a_goodbye_tells_the_kinds_of_faults_and_not_their_words() -> None:
    fault = Fault(FaultKind.CRASHED, "secret words of another program")
    outcome = Outcome(((Seat(1),),), (None, (3,)), (fault, None), "over")
    said = json.loads(greeted().bye(outcome))
    ending = {"ranking": [[1]], "scores": [None, [3]], "faults": ["crashed", None], "ending": "over"}
    assert said == {"type": "bye", "outcome": ending}


def test_news_of_every_kind_has_its_name_as_its_tag() -> None:
    assert news_to_json(GAMES["trains"], More(("red",))) == {"news": "More", "cards": ("red",)}


# -- secrecy -----------------------------------------------------------------------------------


def lines_to(name: str, state: Any, seat: Seat) -> list[bytes]:
    """Everything that `seat` would be sent if the match began or went on in `state`."""
    rules, talk = GAMES[name].rules, greeted(name, legal=True)
    waves = [tuple(rules.opening(state, wave)) for wave in range(3)]
    news = [talk.tell(each, 1.0) for wave in waves for to, each in wave if to == seat]
    return [*news, talk.ask(rules.view(state, seat), 1.0)]


@pytest.mark.parametrize("name", [name for name in GAMES if kit(name).hides])
@given(data=st.data())
def test_no_byte_depends_on_what_a_seat_may_not_know(name: str, data: st.DataObject) -> None:
    the_kit = kit(name)
    table: Table = data.draw(the_kit.tables)
    walked = walk(name, table, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 30)))
    seats = [*walked.seats]
    seat = data.draw(st.sampled_from(seats))
    other = the_kit.scramble(walked.state, seat, Random(data.draw(st.integers(0, 999))))
    assert lines_to(name, walked.state, seat) == lines_to(name, other, seat)


# -- the schemas -------------------------------------------------------------------------------


def test_the_schemas_name_every_message_and_every_action() -> None:
    expected = {"Hello", "Heard", "Answer", "Welcome", "TellMessage", "AskMessage", "Bye", "Ending"}
    assert set(message_schema()["$defs"]) >= expected
    assert set(message_schema()["$defs"]) >= {"Joined", "Refused", "Out", "Over"}
    found = game_schema(GAMES["trains"])["$defs"]
    assert {"ViewJson", "Pick", "DrawCards", "Acquire", "More"} <= set(found)
    assert found["More"]["properties"]["news"] == {"enum": ["More"]}


@pytest.mark.parametrize(
    ("reply", "more", "quoted"),
    [
        (b"thinking...\n", b'{"type":"heard","id":1}\n', "got 'thinking...'"),
        (b"42\n", b'{"type":"heard","id":1}\n', "got '42'"),
        (b'{"type":"heard","id":1}\n', b"done\n", "it speaks unasked: 'done\\n'"),
    ],
)
def test_the_line_that_was_not_meant_is_quoted(reply: bytes, more: bytes, quoted: str) -> None:
    """Stumble 2: a debug line on standard output, right before the answer, is what the author must see."""
    detail = unsolicited_fault(more, reply).fault.detail
    assert quoted in detail
    assert "text for people belongs on standard error" in detail
