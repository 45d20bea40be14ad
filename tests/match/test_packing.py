"""Packed records, small and not to be changed unnoticed, and signatures over every byte of them."""

from __future__ import annotations

import pickle
import zlib

import msgspec
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from fairplay.core import RecordError
from fairplay.match import packing
from fairplay.match.packing import (
    SignatureError,
    Signer,
    check_signature,
    compress_lines,
    decompress_lines,
    describe_proof,
    describe_signature,
    exposing_players,
    packed,
    packed_levels,
    unpacked,
)
from fairplay.match.record import SIGNED, Chain, Header, read_record
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


SIGNER = Signer(b"\1" * 32)
PLAIN = sample_results()[0].record
SIGNED_RECORD = SIGNER.sign(PLAIN, "fingerprint/0")
LINES = unpacked(SIGNED_RECORD)


def seal(bodies: list[bytes]) -> list[bytes]:
    """Lines with these bodies, the chain of hashes rebuilt as a forger would do it."""
    chain, lines = Chain(), []
    for body in bodies:
        chain.advance(body)
        lines.append(body[:-1] + Chain.SEAL % chain.hash)
    return lines


BODIES = [line.rpartition(b',"hash"')[0] + b"}" for line in LINES]


def test_a_signed_record_says_who_signed_it_and_is_otherwise_the_same() -> None:
    signature = check_signature(LINES)
    assert signature is not None
    assert (signature.key, signature.match) == (SIGNER.public, "fingerprint/0")
    assert read_record(LINES) == read_record(unpacked(PLAIN))
    assert LINES[:-1] == unpacked(PLAIN)
    assert packed(LINES) == SIGNED_RECORD
    assert LINES[-1] == SIGNER.sign_lines(LINES[:-1], "fingerprint/0")


def test_a_record_without_a_signature_is_read_as_before() -> None:
    assert check_signature(unpacked(PLAIN)) is None
    assert check_signature([]) is None
    assert describe_proof(unpacked(PLAIN)) == "Consistent, not signed."


def test_the_compressed_lines_stay_as_they_were() -> None:
    assert SIGNED_RECORD.startswith(PLAIN)
    assert compress_lines(decompress_lines(SIGNED_RECORD)) == SIGNED_RECORD


def test_a_record_is_signed_once() -> None:
    other = Signer(b"\2" * 32)
    again = unpacked(other.sign(SIGNED_RECORD, "fingerprint/1"))
    assert len(again) == len(LINES)
    signature = check_signature(again)
    assert signature is not None and signature.key == other.public


@given(st.data())
def test_whatever_is_changed_before_the_signature_it_does_not_fit(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(BODIES) - 2))
    place = data.draw(st.integers(0, len(BODIES[number]) - 2))
    changed = bytearray(BODIES[number])
    changed[place] ^= data.draw(st.integers(1, 127))
    bodies = [*BODIES[:number], bytes(changed), *BODIES[number + 1 :]]
    if b"\n" not in changed and not changed.startswith(SIGNED):
        with pytest.raises(SignatureError, match="the signature does not fit"):
            check_signature(seal(bodies))


@pytest.mark.parametrize(
    "change",
    [
        lambda bodies: bodies.pop(-2),
        lambda bodies: bodies.insert(3, bodies[2]),
        lambda bodies: bodies.insert(0, bodies.pop(1)),
        lambda bodies: bodies.append(bodies.pop().replace(b"fingerprint/0", b"fingerprint/1")),
        lambda bodies: bodies.append(bodies.pop().replace(SIGNER.public.encode(), Signer(b"\2" * 32).public.encode())),
        lambda bodies: bodies.append(bodies.pop().replace(SIGNER.public.encode(), b"f" * 64)),
    ],
)
def test_a_signature_is_of_one_record_one_match_and_one_key(change: object) -> None:
    bodies = list(BODIES)
    change(bodies)  # type: ignore[operator]  # each case is a function
    with pytest.raises(SignatureError):
        check_signature(seal(bodies))
    assert describe_proof(seal(bodies)).startswith("Consistent, but the signature does not fit")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([*LINES, LINES[-1]], "nothing may follow the outcome and its signature"),
        (seal([*BODIES[:4], BODIES[-1]]), "line 5: "),
        (seal([*BODIES[:-1], b'{"signed":{"key":"00"}}']), f"line {len(LINES)}: "),
        (seal([*BODIES[:-1], b'{"signed":true,"more":1}']), f"line {len(LINES)}: "),
    ],
)
def test_only_a_signature_follows_the_outcome_and_only_one(lines: list[bytes], reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        read_record(lines)


def test_what_stands_behind_a_packed_record_and_is_no_signature_is_refused() -> None:
    for rubbish in (b"x", b"{}", b'{"signed":', bytes(1000)):
        with pytest.raises(RecordError):
            read_record(unpacked(PLAIN + rubbish))


def test_a_key_stays_in_its_process_and_is_not_printed() -> None:
    with pytest.raises(TypeError, match="a key stays in its process"):
        pickle.dumps(SIGNER)
    assert (b"\1" * 32).hex() not in repr(SIGNER)
    assert repr(SIGNER) == f"Signer({SIGNER.public})"


def test_players_that_could_have_read_the_key_are_named_with_the_signature() -> None:
    header = Header(2, "fish", ("ann", "bob"), msgspec.Raw(b"{}"), 1, levels=("house", "trusted"))
    assert exposing_players(header) == ["bob (trusted)"]
    assert exposing_players(replace(header, levels=("process", "sandboxed"))) == ["ann (process)"]
    assert exposing_players(replace(header, levels=("connection", "person"))) == []
    assert describe_signature(check_signature(LINES), header, "yours") == (
        f"signed by {SIGNER.public} (yours), with bob (trusted), who could have read the key"
    )
    assert describe_signature(None, header) == "not signed"


def test_a_page_says_whose_key_it_is() -> None:
    assert describe_proof(LINES) == f"Consistent, signed by {SIGNER.public}."
    assert describe_proof(LINES, [SIGNER.public]) == f"Consistent, signed by {SIGNER.public} (this server)."
    assert describe_proof(LINES, []) == f"Consistent, signed by {SIGNER.public} (unknown to this server)."
