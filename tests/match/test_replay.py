"""Matches that are written down, chained, and played again: a changed byte is found out, a forger too."""

from __future__ import annotations

from io import BytesIO
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import FaultKind, House, RecordError, Removed, Seat
from fairplay.core.chance import derived
from fairplay.match.players import MisbehavingPlayer, house_strategy
from fairplay.match.record import Chain, Entry, Header, read_record
from fairplay.match.replay import Script, exchanges_with, first_state, record_match, replay_record, start_match
from fairplay.run.inline import play_inline

FISH = GAMES["fish"]
SETUP = msgspec.convert({"rows": 4, "columns": 4}, FISH.setup)


def lines_of(seed: int = 1, faulty: bool = False) -> list[bytes]:
    lines: list[bytes] = []
    players: list[Any] = [House(house_strategy(FISH, "random", derived(seed, seat))) for seat in range(2)]
    if faulty:
        players[0] = MisbehavingPlayer(players[0], FaultKind.TIMED_OUT, news=1)
        players[1] = MisbehavingPlayer(players[1], FaultKind.MALFORMED, question=6)
    play_inline(record_match(FISH, SETUP, seed, ("random", "random"), lines.append), players)
    return lines


LINES = lines_of()


def resealed(bodies: list[bytes]) -> list[bytes]:
    """The same lines with a fresh chain, as a forger would write them."""
    chain = Chain()
    sealed = []
    for body in bodies:
        chain.advance(body)
        sealed.append(body[:-1] + Chain.SEAL % chain.hash)
    return sealed


def bodies(lines: list[bytes] = LINES) -> list[bytes]:
    return [line[: -len(Chain.SEAL % (b"0" * 32))] + b"}" for line in lines]


def test_a_record_is_setup_seed_and_replies_one_json_value_a_line() -> None:
    values = [msgspec.json.decode(line) for line in LINES]
    assert values[0].items() >= {"fairplay": 1, "game": "fish", "seed": 1, "players": ["random", "random"]}.items()
    assert values[0]["setup"].items() >= {"rows": 4, "columns": 4, "variant": "standard", "board": None}.items()
    assert values[1].keys() == {"order", "seat", "action", "hash"}
    assert values[-1]["outcome"]["ending"] == "nobody can move"
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in LINES)


def test_it_is_written_as_it_happens() -> None:
    written: list[bytes] = []
    orders = record_match(FISH, SETUP, 1, ("a", "b"), written.append)
    order = next(orders)
    assert len(written) == 1
    while not hasattr(order, "view"):
        order = orders.send(None)
    orders.send(FISH.rules.legal_actions(order.view)[0])
    assert len(written) == 2


def test_a_record_says_where_its_seed_was_chosen_and_only_then_differs_from_those_before() -> None:
    marked: list[bytes] = []
    players = [House(house_strategy(FISH, "random", derived(1, seat))) for seat in range(2)]
    play_inline(record_match(FISH, SETUP, 1, ("random", "random"), marked.append, seed_chosen=True), players)
    record = read_record(marked)
    assert (record.header.fairplay, record.header.seed_chosen) == (2, True)
    assert list(replay_record(FISH, record))
    assert b'"fairplay":1,' in LINES[0] and b"seed_chosen" not in LINES[0]
    assert not read_record(LINES).header.seed_chosen


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert lines_of(5) == lines_of(5)
    assert lines_of(5) != lines_of(6)


def test_faults_are_recorded_and_replayed() -> None:
    lines = lines_of(faulty=True)
    record = read_record(lines)
    assert record.outcome is not None
    assert [fault and fault.kind for fault in record.outcome.faults] == [FaultKind.TIMED_OUT, FaultKind.MALFORMED]
    assert [event.seat for event in replay_record(FISH, record) if isinstance(event, Removed)] == [0, 1]


@given(st.integers(0, sum(map(len, LINES)) - 1), st.integers(1, 255))
@settings(max_examples=100)
def test_any_changed_byte_is_found_and_its_line_is_named(place: int, change: int) -> None:
    whole = bytearray(b"".join(LINES))
    line = bytes(whole[:place]).count(b"\n") + 1
    whole[place] ^= change
    with pytest.raises(RecordError, match=rf"^line {line}: "):
        read_record(BytesIO(whole))


@pytest.mark.parametrize("number", range(1, len(LINES)))
def test_a_missing_line_is_found(number: int) -> None:
    with pytest.raises(RecordError, match=f"line {number + 1}: changed"):
        read_record([*LINES[:number], *LINES[number + 1 :], b"{}\n"])


def test_a_record_that_was_cut_off_replays_as_far_as_it_goes() -> None:
    record = read_record(LINES[:9])
    assert record.outcome is None
    assert len(list(replay_record(FISH, record))) == 8
    assert first_state(FISH, record) == next(iter(replay_record(FISH, record))).before


def test_a_line_cut_off_in_the_middle_is_named() -> None:
    with pytest.raises(RecordError, match="line 5: cut off in the middle"):
        read_record([*LINES[:4], LINES[4][:-5]])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: [], "the record is empty"),
        (lambda lines: resealed([*bodies(), b'{"order":1,"seat":0}']), "nothing may follow the outcome"),
        (
            lambda lines: resealed([bodies()[0].replace(b'"fairplay":1', b'"fairplay":99')]),
            "record format 99 is not known",
        ),
        (lambda lines: resealed([b'{"hello":1}']), "line 1: Object"),
        (lambda lines: resealed([bodies()[0], b'{"order":"x"}']), r"line 2: Expected `int`"),
        (lambda lines: resealed([bodies()[0], b"{\xff}"]), "line 2"),
    ],
)
def test_a_damaged_record_is_refused_in_words(change: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        read_record(change(LINES))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda parts: [parts[0].replace(b'"rows":4', b'"rows":99'), *parts[1:]],
            "line 1: the setup is not one of fish",
        ),
        (lambda parts: [parts[0].replace(b'"rows":4', b'"rows":1'), *parts[1:]], "line 1: 4 tiles are too few"),
        (lambda parts: [parts[0].replace(b'"fish"', b'"chess"'), *parts[1:]], "a record of chess, not of fish"),
        (
            lambda parts: [parts[0], parts[1].replace(b'"seat":0', b'"seat":1'), *parts[2:]],
            "line 2: order 4 goes to seat 0",
        ),
        (lambda parts: [parts[0], b'{"order":4,"seat":0}', *parts[2:]], "line 2: expected an action or a fault"),
        (lambda parts: [parts[0], parts[1].replace(b'"place"', b'"fly"'), *parts[2:]], "line 2: Invalid value"),
        (
            lambda parts: [parts[0].replace(b'"rows"', b'"ro\xffws"'), *parts[1:]],
            "line 1: the setup is not one of fish",
        ),
        (lambda parts: [parts[0], parts[1].replace(b'"at"', b'"a\xfft"'), *parts[2:]], "line 2: .* can't decode"),
        (lambda parts: [parts[0], *parts[2:]], "line 2: order 4 asks seat 0, but the record holds no answer"),
        (lambda parts: [*parts[:-2], parts[-1]], "the last line: order .* but the record holds no answer"),
        (lambda parts: [*parts[:-1], parts[-2], parts[-1]], "line .*: the match was already over"),
        (lambda parts: [*parts[:-1], parts[-1].replace(b"nobody can move", b"a draw")], "replays to another outcome"),
    ],
)
def test_a_forged_record_with_a_fresh_chain_does_not_replay(change: Any, reason: str) -> None:
    record = read_record(resealed(change(bodies())))
    with pytest.raises(RecordError, match=reason):
        list(replay_record(FISH, record))


def test_an_illegal_move_put_into_a_record_leads_to_another_outcome() -> None:
    parts = bodies()
    parts[3] = parts[2].replace(b'"order":5,"seat":1', b'"order":6,"seat":0')
    with pytest.raises(RecordError):
        list(replay_record(FISH, read_record(resealed(parts))))


def test_the_words_for_an_illegal_action_may_change_from_version_to_version() -> None:
    lines: list[bytes] = []
    players = [House(house_strategy(FISH, "random", derived(1, 0))), House(lambda view: FISH.actions[0]((9, 9)))]
    play_inline(record_match(FISH, SETUP, 1, ("random", "careless"), lines.append), players)
    outcome = bodies(lines)[-1]
    assert b"9,9: (9,9) is not on the board" in outcome
    for change, still_fits in (
        ((b"9,9: (9,9) is not on the board", b"there is no such tile"), True),
        ((b'"illegal"', b'"malformed"'), False),
    ):
        older = read_record(resealed([*bodies(lines)[:-1], outcome.replace(*change)]))
        if still_fits:
            assert list(replay_record(FISH, older))
        else:
            with pytest.raises(RecordError, match="another outcome"):
                list(replay_record(FISH, older))


@pytest.mark.parametrize("faulty", [False, True])
def test_a_match_that_was_cut_off_anywhere_goes_on_to_the_same_bytes(faulty: bool) -> None:
    whole = lines_of_greedy(faulty)
    for cut in range(1, len(whole) + 1):
        lines, events, players = list[bytes](), list[Any](), seated(faulty)
        go_on(whole[:cut], players, lines, events)
        assert lines == whole
        assert events == [*replay_record(FISH, read_record(whole))]


def go_on(cut_off: list[bytes], players: list[Any], lines: list[bytes], events: list[Any]) -> None:
    script = Script(FISH, read_record(cut_off))
    play_inline(record_match(FISH, SETUP, 5, ("a", "b"), lines.append), players, [events.append], past=script)


def greedy() -> House:
    return House(house_strategy(FISH, "greedy", derived(0)))


def seated(faulty: bool) -> list[Any]:
    return [greedy(), MisbehavingPlayer(greedy(), FaultKind.MALFORMED, question=6) if faulty else greedy()]


def lines_of_greedy(faulty: bool) -> list[bytes]:
    lines: list[bytes] = []
    play_inline(record_match(FISH, SETUP, 5, ("a", "b"), lines.append), seated(faulty))
    return lines


def test_players_live_through_the_past_but_what_was_answered_stands() -> None:
    whole = lines_of_greedy(False)
    questions: list[Any] = []

    def choose(view: Any) -> Any:
        questions.append(view)
        if len(questions) <= asked:
            raise RuntimeError("whatever it says now is not heard")
        return greedy().choose(view)

    asked = len(read_record(whole[:-3]).entries)
    lines: list[bytes] = []
    go_on(whole[:-3], [House(choose), House(choose)], lines, [])
    assert lines == whole
    assert len(questions) == asked + 2  # of the last three lines one is the outcome


def test_a_record_without_an_answer_in_its_midst_does_not_go_on() -> None:
    lines = bodies(lines_of_greedy(False))
    forged = resealed([*lines[:4], *lines[5:8]])
    with pytest.raises(RecordError, match=r"asks seat \d, but the record holds no answer to it"):
        go_on(forged, seated(False), [], [])


@pytest.mark.parametrize("faulty", [False, True])
def test_the_exchanges_with_a_seat_are_those_it_had(faulty: bool) -> None:
    """However little of the record is there; news after the last line may come again."""
    whole = lines_of_greedy(faulty)
    had: list[list[tuple[Any, Any]]] = [[], []]

    def overheard(seat: int, player: Any) -> Any:
        def choose(view: Any) -> Any:
            answer = player.choose(view)
            had[seat].append((view, answer))
            return answer

        def hear(news: object) -> object:
            had[seat].append((news, None))
            return player.hear(news)

        return SimpleNamespace(choose=choose, hear=hear)

    play_inline(start_match(FISH, SETUP, 5, 2), [overheard(seat, player) for seat, player in enumerate(seated(False))])
    for cut in range(1, len(whole) + 1):
        record = read_record(whole[:cut])
        for seat in map(Seat, range(2)):
            found = [each for each in exchanges_with(FISH, record, seat) if isinstance(each, tuple)]
            assert all(order.seat == seat for order, _ in found)
            if not faulty:
                told = [(getattr(order, "view", getattr(order, "news", None)), reply) for order, reply in found]
                assert told == had[seat][: len(told)]
            answers = [reply for _, reply in found if reply is not None]
            assert len(answers) == sum(entry.seat == seat for entry in record.entries)


def test_the_fingerprint_stands_for_every_byte() -> None:
    assert read_record(LINES).fingerprint == msgspec.json.decode(LINES[-1])["hash"]


def test_the_header_and_entries_can_be_made_by_hand() -> None:
    assert Header(1, "fish", ("a",), msgspec.Raw(b"{}"), 1).seed == 1
    assert msgspec.json.encode(Entry(3, 1)) == b'{"order":3,"seat":1}'
    assert next(start_match(FISH, SETUP, 1, 2)).seat == 0
