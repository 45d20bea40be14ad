"""Packed records: small, the same lines again, and not to be changed unnoticed."""

from __future__ import annotations

import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairplay.core import RecordError
from fairplay.match import packing
from fairplay.match.packing import compress_lines, decompress_lines, packed, packed_levels, unpacked
from fairplay.match.record import Chain, Header, read_record
from store.samples import sample_results

VALUE = sample_results()[0].record


def test_lines_come_back_byte_for_byte() -> None:
    chain = Chain()
    lines = [chain.line(Header(1, "☃", (), msgspec.Raw(b"{}"), seed)) for seed in range(3)]
    for count in range(4):
        assert unpacked(packed(lines[:count])) == lines[:count]
    assert read_record(unpacked(VALUE)).outcome == sample_results()[0].outcome


def test_the_hashes_take_no_room() -> None:
    whole = b"".join(unpacked(VALUE))
    assert len(VALUE) < len(zlib.compress(whole)) / 1.8


@given(st.integers(0, len(decompress_lines(VALUE)) - 1), st.integers(1, 255))
def test_any_changed_byte_is_found(place: int, change: int) -> None:
    changed = bytearray(decompress_lines(VALUE))
    changed[place] ^= change
    try:
        lines = unpacked(compress_lines(bytes(changed)))
    except RecordError:
        return
    assert lines == unpacked(VALUE)  # only the very last byte, a line feed, says nothing
    assert place == len(changed) - 1


@pytest.mark.parametrize("value", [b"", b"x", VALUE[:-1], VALUE[: len(VALUE) // 2], b"\0" * 100])
def test_a_damaged_value_is_refused(value: bytes) -> None:
    with pytest.raises(RecordError, match=r"the packed record is (damaged|cut off)"):
        unpacked(value)


def test_a_small_value_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "LARGEST", 10_000)
    with pytest.raises(RecordError, match="too large"):
        unpacked(zlib.compress(b"\0" * 10_001))


def test_the_levels_are_read_without_the_rest() -> None:
    assert packed_levels(VALUE) == ()
    for setup in (b"{}", b'{"map":"' + b"x" * 50_000 + b'"}'):
        header = Header(2, "fish", ("a", "b"), msgspec.Raw(setup), 7, levels=("sandboxed", "house"))
        assert packed_levels(packed([Chain().line(header)])) == ("sandboxed", "house")
    for damaged in (b"", VALUE[:3], b"nonsense", compress_lines(b"[1]\n")):
        with pytest.raises(RecordError, match="damaged"):
            packed_levels(damaged)
