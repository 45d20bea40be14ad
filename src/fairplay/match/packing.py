"""The lines of a record as one small value: without their hashes, which can be computed again, and compressed.

The hashes are two thirds of a compressed record, since nothing in them repeats.  Only the last is kept: it stands for
all the others, so a packed record is as hard to change unnoticed as the lines themselves.

A signature stands behind the compressed lines: it can be added without compressing them again, and has its hash from
them.
"""

import zlib
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from fairplay.core import RecordError
from fairplay.match.record import SIGNED, Chain, Isolation

SEAL = len(Chain.SEAL % (b"0" * Chain.WIDTH))
LARGEST = 256 * 1024 * 1024
"""Bytes that a record may unpack to: a small value could otherwise fill the memory."""

_HEADER = 4_096
"""Bytes that most headers are shorter than."""


def packed(lines: Iterable[bytes]) -> bytes:
    """The sealed lines of one record as one value; ASSUME they are as `record_match` and `Signer` wrote them."""
    whole = list(lines)
    signature = whole.pop()[:-SEAL] + b"}" if whole and whole[-1].startswith(SIGNED) else b""
    return compress_lines(join_bodies(whole) + signature)


def join_bodies(lines: Iterable[bytes]) -> bytes:
    """Sealed lines without their hashes, the last hash behind them."""
    whole = list(lines)
    return b"\n".join([*(line[:-SEAL] for line in whole), whole[-1][-SEAL:] if whole else b""])


def unpacked(value: bytes) -> list[bytes]:
    """The lines that `value` was packed from; raises RecordError if they do not end in the hash that was kept."""
    chain, lines = Chain(), []
    loose, _, signature = decompress_lines(value).rpartition(b"\n")
    *bodies, last = loose.split(b"\n")
    for body in bodies:
        chain.advance(body + b"}")
        lines.append(body + Chain.SEAL % chain.hash)
    if bodies and lines[-1][-SEAL:-1] != last:
        raise RecordError("the packed record was changed after it was written (its last hash does not fit)")
    if signature:
        chain.advance(signature)
        lines.append(signature[:-1] + Chain.SEAL % chain.hash)
    return lines


def packed_levels(value: bytes) -> tuple[Isolation, ...]:
    """The levels in the header of a packed record, without unpacking all of it; raises RecordError."""
    stream, loose = zlib.decompressobj(), b""
    try:
        while b"\n" not in loose and (more := stream.decompress(stream.unconsumed_tail or value, _HEADER)):
            loose += more
        return msgspec.json.decode(loose.partition(b"\n")[0] + b"}", type=LevelsAlone).levels
    except (zlib.error, msgspec.MsgspecError):
        raise RecordError("the packed record is damaged") from None


class LevelsAlone(Struct, frozen=True):
    """What is read of a header."""

    levels: tuple[Isolation, ...] = ()


def compress_lines(loose: bytes) -> bytes:
    """The packed form of what `decompress_lines` gives."""
    end = loose.rfind(b"\n") + 1
    return zlib.compress(loose[:end]) + loose[end:]


def decompress_lines(value: bytes) -> bytes:
    """A packed record without its compression: the lines without their hashes, the last hash, the signature."""
    stream = zlib.decompressobj()
    try:
        loose = stream.decompress(value, LARGEST)
    except zlib.error:
        raise RecordError("the packed record is damaged") from None
    if not stream.eof:
        raise RecordError("the packed record is cut off or too large")
    return loose + stream.unused_data
