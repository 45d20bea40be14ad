"""JSON values out of a stream of bytes, in pieces of any size."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings, strategies as st

from fairplay.core import WireError
from fairplay.net.framing import LONGEST, Framer, Lines, TooLarge, decode_value, encode_value

from .tables import count_looks

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def read(pieces: Iterable[bytes], **limits: int) -> list[Any]:
    framer = Framer(**limits)
    values = [value for piece in pieces for value in framer.feed(piece)]
    return [decode_value(value) for value in [*values, *framer.finish()]]


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    ends = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[start:end] for start, end in pairwise(ends)]


@given(
    st.lists(JSON, max_size=6), st.lists(st.integers(0, 10**6), max_size=8), st.sampled_from([" ", "\n", "\t\r\n  "])
)
@settings(max_examples=200)
def test_any_cutting_gives_the_same_values(values: list[Any], places: list[int], blank: str) -> None:
    for ascii_only in (True, False):
        stream = blank.join(json.dumps(value, ensure_ascii=ascii_only) for value in values).encode()
        assert read(cut(stream, places)) == values
        assert read(stream[index : index + 1] for index in range(len(stream))) == values


def outcome(pieces: Iterable[bytes]) -> tuple[list[bytes], type[object], bytes]:
    """The values that the pieces hold, how it failed (too long and too deep are one), and what is left over."""
    framer, values = Framer(longest=60, deepest=3), list[bytes]()
    try:
        for piece in pieces:
            values += framer.feed(piece)
    except WireError as error:
        return values, type(error), b""
    return values, type(framer.failure), bytes(framer.held)


@given(st.lists(st.sampled_from(['"', "[", "]", "{", "}", "\\", " ", "\n", ",", "1", "x", "true"]), max_size=80))
@settings(max_examples=500)
@example(['"', "[", '"', '"'])
@example(["[", '"', "]", '"', "]", "\n"])
@example(["[", "]", "[", "]"])
@example(["[", "[", "]"])
@example([" "] * 59 + ["[", "]"])
def test_a_stream_means_the_same_whole_and_byte_by_byte(tokens: list[str]) -> None:
    """Whole values that come alone are seen at one glance; whether they are must make no difference."""
    stream = "".join(tokens).encode()
    assert outcome([stream]) == outcome(stream[index : index + 1] for index in range(len(stream)))


def test_values_without_anything_between_them() -> None:
    assert read([b'[1]{"a":"}"}"x"truefalse"y"null[]']) == [[1], {"a": "}"}, "x", True, False, "y", None, []]
    assert read([b'12"x"3[4]5']) == [12, "x", 3, [4], 5]


def test_words_end_at_once_and_numbers_with_what_follows() -> None:
    framer = Framer()
    assert framer.feed(b"tru") == []
    assert framer.feed(b"e") == [b"true"]
    assert framer.feed(b" 12") == []
    assert framer.feed(b"3") == []
    assert framer.feed(b" ") == [b"123"]
    assert framer.feed(b'"a\\') == []
    assert framer.feed(b'"b"') == [b'"a\\"b"']


def test_thousands_of_blanks_before_and_after() -> None:
    assert read([b" " * 4_090, b"[1", b" " * 5_000, b"]", b"\n" * 9_999]) == [[1]]


@pytest.mark.parametrize("first", [b"]", b"}", b",", b":"])
def test_a_value_cannot_begin_with_an_end(first: bytes) -> None:
    with pytest.raises(WireError, match="cannot begin with"):
        Framer().feed(first)


def test_values_before_a_failure_still_count() -> None:
    framer = Framer()
    assert framer.feed(b"[1] 2 ]") == [b"[1]", b"2"]
    for _ in range(2):
        with pytest.raises(WireError, match="cannot begin with"):
            framer.feed(b"[3]")
    with pytest.raises(WireError, match="cannot begin with"):
        framer.finish()


def test_a_number_behind_many_blanks_is_looked_at_once_in_any_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patterns, framer = count_looks(monkeypatch), Framer()
    framer.feed(b" " * 1_000_000)
    for _ in range(20_000):
        framer.feed(b"1")
    assert framer.feed(b" ") == [b"1" * 20_000]
    assert sum(pattern.looked_at for pattern in patterns) < 1_100_000


def test_depth_is_bounded_at_once() -> None:
    assert read([b"[" * 32 + b"]" * 32])
    for opening in (b"[", b'{"a":'):
        framer = Framer()
        with pytest.raises(WireError, match="nested more than 32 deep"):
            framer.feed(opening * 100_000)


@pytest.mark.parametrize(("first", "piece"), [(b"[", b"1,"), (b'"', b"x"), (b"", b" "), (b"", b"7")])
def test_length_is_bounded_blanks_included(first: bytes, piece: bytes) -> None:
    framer = Framer(longest=1_000)
    framer.feed(first)
    with pytest.raises(WireError, match="more than 1000 bytes"):
        for _ in range(2_000):
            framer.feed(piece)
            assert len(framer.held) <= 1_000
    assert read([b" " * 997 + b"[1]"], longest=1_000) == [[1]]
    with pytest.raises(WireError, match="more than 1000 bytes"):
        read([b" " * 998 + b"[1]"], longest=1_000)


def test_many_short_values_are_no_long_one() -> None:
    assert len(read([b"[1]" * 1_000], longest=10)) == 1_000
    assert LONGEST == 1_048_576


@pytest.mark.parametrize("stream", [b"[1", b'"x', b'{"a":1', b'["]"', b'"\\'])
def test_a_torn_value_at_the_end_is_an_error(stream: bytes) -> None:
    framer = Framer()
    assert framer.feed(stream) == []
    with pytest.raises(WireError, match="ended in the middle"):
        framer.finish()


@pytest.mark.parametrize(
    "value",
    [
        b"NaN",
        b"Infinity",
        b"1e999",
        b"01",
        b"[1,]",
        b"[1/*c*/]",
        b'"\xff"',
        b'"\xc0\x80"',
        b'"\xed\xa0\x80"',
        b'"\\ud800"',
        b"\xef\xbb\xbf1",
        b'"\x00"',
        b"9" * 5_000,
        b"[}",
        b"nul",
        b"'a'",
    ],
)
def test_what_is_no_json_is_a_wire_error(value: bytes) -> None:
    with pytest.raises(WireError, match="ill-formed JSON"):
        decode_value(value)


def test_minus_zero_is_zero_and_the_last_of_equal_keys_wins() -> None:
    assert decode_value(b"-0") == 0
    assert decode_value(b'{"a":1,"a":2}') == {"a": 2}


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
@settings(max_examples=200)
def test_random_bytes_raise_nothing_but_wire_errors(stream: bytes, places: list[int]) -> None:
    try:
        read(cut(stream, places), longest=100, deepest=5)
    except WireError as error:
        assert str(error)


@given(st.lists(JSON, min_size=1, max_size=3), st.integers(0, 10**6), st.integers(0, 255))
@settings(max_examples=100)
def test_mutated_streams_raise_nothing_but_wire_errors(values: list[Any], place: int, byte: int) -> None:
    stream = bytearray(b" ".join(encode_value(value) for value in values))
    stream[place % len(stream)] = byte
    try:
        read([bytes(stream)])
    except WireError as error:
        assert str(error)


def test_every_byte_is_looked_at_once() -> None:
    """A large value in tiny pieces: the scan goes on where it stopped, so this does not take a minute."""
    stream = msgspec.json.encode([["x" * 50, number] for number in range(4_000)])
    assert len(stream) > 200_000
    assert read(stream[index : index + 7] for index in range(0, len(stream), 7)) == [msgspec.json.decode(stream)]


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_come_out_as_they_went_in_however_they_are_cut(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines) + b"rest"
    places = data.draw(st.lists(st.integers(0, 10**6), max_size=8))
    framer = Lines(longest=12)
    assert [line for piece in cut(stream, places) for line in framer.feed(piece)] == lines
    assert framer.held == b"rest"


@pytest.mark.parametrize("pieces", [[b"abcde"], [b"abc", b"de"], [b"abcde\n"], [b"abcd", b"e\n"]])
def test_a_line_that_is_too_long_ends_the_reading(pieces: list[bytes]) -> None:
    framer = Lines(longest=4)
    for piece in pieces[:-1]:
        assert framer.feed(piece) == []
    for _ in range(2):
        with pytest.raises(TooLarge, match="more than 4 bytes"):
            framer.feed(pieces[-1])
    assert not framer.held


def test_lines_before_one_that_is_too_long_still_count() -> None:
    framer = Lines(longest=4)
    assert framer.feed(b"abcd\nabcde\nabcd\n") == [b"abcd"]
    with pytest.raises(TooLarge):
        framer.feed(b"")


@pytest.mark.parametrize("first", [*"]},:'xN+.", "\x00", "é", "\ufeff"])
def test_a_byte_that_cannot_begin_a_value_is_malformed_at_once(first: str) -> None:
    """Nothing more has to come: a peer that sends it is not waited for."""
    for before in (b"", b"\n", b"[1] "):
        framer = Framer()
        assert framer.feed(before) == ([b"[1]"] if b"1" in before else [])
        with pytest.raises(WireError, match="a value cannot begin with"):
            framer.feed(first.encode())


@given(st.lists(st.sampled_from([b'"a"', b"[1]", b"null", b" ", b"\n", b'"\\n"', b'["\n"]']), max_size=8), st.data())
def test_line_feeds_between_values_are_noticed(pieces: list[bytes], data: st.DataObject) -> None:
    framer, stream = Framer(), b"".join(pieces)
    for piece in cut(stream, data.draw(st.lists(st.integers(0, 10**6), max_size=4))):
        framer.feed(piece)
    assert framer.saw_line_feed == (b"\n" in pieces)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
@pytest.mark.parametrize("size", [1, 5, 4_096])
def test_the_bracket_that_is_too_deep_ends_a_line_that_is_not_finished(opening: bytes, size: int) -> None:
    lines, sent = Lines(longest=65_536), (opening * 40)[: 40 * len(opening)]
    with pytest.raises(TooLarge, match="nested more than 32 deep"):
        for start in range(0, len(sent), size):
            lines.feed(sent[start : start + size])
    with pytest.raises(TooLarge):
        lines.feed(b"]\n")


@pytest.mark.parametrize("size", [1, 2, 3, 4_096])
@pytest.mark.parametrize(
    "line",
    [
        b"[" * 32 + b"]" * 32,
        b'["' + b"[" * 100 + b'"]',
        rb'["\"[[[[[\\","[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["]',
        b"[[],[[]]," + b"[]," * 100 + b"1]",
    ],
    ids=["32", "string", "escapes", "beside"],
)
def test_brackets_in_strings_and_beside_each_other_are_not_deep(line: bytes, size: int) -> None:
    lines, found = Lines(longest=65_536), list[bytes]()
    for sent in (line + b"\n") * 2, b"[1]\n":
        for start in range(0, len(sent), size):
            found += lines.feed(sent[start : start + size])
    assert found == [line, line, b"[1]"]


def test_lines_before_one_that_is_too_deep_still_count() -> None:
    lines = Lines(longest=65_536)
    assert lines.feed(b"[1]\n" + b"[" * 33) == [b"[1]"]
    assert isinstance(lines.failure, TooLarge)
