"""The lines of a record as one small value, and signatures: who vouches for it.

Packed lines are without their hashes, which can be computed again, and compressed.

The hashes are two thirds of a compressed record, since nothing in them repeats.  Only the last is kept: it stands for
all the others, so a packed record is as hard to change unnoticed as the lines themselves.

A signature stands behind the compressed lines: it can be added without compressing them again, and has its hash from
them.
"""

import zlib
from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from typing import NoReturn

import msgspec
from msgspec import Struct

from fairplay.core import RecordError
from fairplay.match.record import SIGNED, Chain, Header, Isolation, Signature, SignedLine, parse_line, read_record

SEAL = len(Chain.SEAL % (b"0" * Chain.WIDTH))
LARGEST = 256 * 1024 * 1024
"""Bytes that a record may unpack to: a small value could otherwise fill the memory."""

_HEADER = 4_096
"""Bytes that most headers are shorter than."""


def packed(lines: Iterable[bytes]) -> bytes:
    """The sealed lines of one record as one value; ASSUME they are as `record_match` and `Signer` wrote them."""
    whole = list(lines)
    signature = whole.pop()[:-SEAL] + b"}" if whole and whole[-1].startswith(SIGNED) else b""
    return compress_lines(_join_bodies(whole) + signature)


def _join_bodies(lines: Iterable[bytes]) -> bytes:
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
        return msgspec.json.decode(loose.partition(b"\n")[0] + b"}", type=_LevelsAlone).levels
    except (zlib.error, msgspec.MsgspecError):
        raise RecordError("the packed record is damaged") from None


class _LevelsAlone(Struct, frozen=True):
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


# -- signatures --------------------------------------------------------------------------------

#     {"signed":{"key":"<public key>","match":"<tournament>/<number>","signature":"..."},"hash":"..."}
#
# The process that keeps a match signs it, and only that process has the key: no worker, no sandbox, no database.  The
# signature covers every byte of the lines before it (header, names, levels, replies, outcome) and the name of the
# match, so that a record cannot stand for another match.  It proves that the holder of the key kept the match as it is
# here, not that the holder is honest.

_EXPOSING: tuple[Isolation, ...] = ("trusted", "process")
"""The levels at which a player can read the files of the person who runs the match."""

_PURPOSE = b"fairplay record, version 1\n"
"""So that no signature of anything else is taken for that of a record."""


class SignatureError(RecordError):
    """A record bears a signature that is not its own."""


class Signer:
    """A key pair (Ed25519) that signs records.  It cannot be pickled, so that it never travels to a worker."""

    def __init__(self, secret: bytes) -> None:
        """ASSUME `secret` has 32 bytes."""
        from nacl.signing import SigningKey  # takes longer to load than all the rest here

        self._key = SigningKey(secret)
        self.public: str = self._key.verify_key.encode().hex()

    def __repr__(self) -> str:
        return f"Signer({self.public})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key stays in its process")

    def sign(self, record: bytes, match: str) -> bytes:
        """The packed record of a match with its signature, in the place of any other; raises RecordError if damaged."""
        loose, end, other = decompress_lines(record).rpartition(b"\n")
        signature = self._key.sign(_build_message(loose + end, match)).signature.hex()
        line = msgspec.json.encode(SignedLine(Signature(self.public, match, signature)))
        return (compress_lines(loose + end) if other else record) + line

    def sign_lines(self, lines: Sequence[bytes], match: str) -> bytes:
        """The line with the signature that follows the lines of a finished record."""
        return unpacked(self.sign(packed(lines), match))[-1]


def match_name(contest: str, number: int) -> str:
    """What a match of a contest is called in its signature; `contest` is the fingerprint of the contest."""
    return f"{contest}/{number}"


def _build_message(loose: bytes, match: str) -> bytes:
    """What is signed: all lines of a record, without their hashes, and the match that it is of."""
    return _PURPOSE + blake2b(loose, digest_size=32).digest() + match.encode()


def check_signature(lines: Sequence[bytes]) -> Signature | None:
    """The signature that a record bears, if any; raises SignatureError if it is not that of these lines.

    ASSUME the lines were read by `read_record` without an error.
    """
    if not lines or not lines[-1].startswith(SIGNED):
        return None
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    body = lines[-1].partition(b',"hash":')[0] + b"}"
    signed: Signature = parse_line(len(lines), body, SignedLine).signed
    message = _build_message(_join_bodies(lines[:-1]), signed.match)
    try:
        VerifyKey(bytes.fromhex(signed.key)).verify(message, bytes.fromhex(signed.signature))
    except (BadSignatureError, ValueError):
        text = "the signature does not fit: the record was changed after it was signed, or it was never signed"
        raise SignatureError(f"{text} by {signed.key}") from None
    return signed


def exposing_players(header: Header) -> list[str]:
    """Those who played on the machine of the key without a sandbox, with their levels: they could have read it."""
    seats = zip(header.players, header.levels, strict=False)
    return [f"{player} ({level})" for player, level in seats if level in _EXPOSING]


def describe_proof(lines: Sequence[bytes], own: Collection[str] | None = None, *, other_rules: bool = False) -> str:
    """What shows that a match was played as its record has it, in a sentence.  ASSUME the record was replayed.

    own: the public keys of the server that shows it.  other_rules: it was played by another rule book than the replay.
    """
    if other_rules:
        return "Not verified: it was played by another version of the rules than the one here."
    try:
        signature = check_signature(lines)
    except SignatureError as error:
        return f"Consistent, but {error}."
    known = signature is not None and own is not None and signature.key in own
    whose = "" if own is None else "this server" if known else "unknown to this server"
    return f"Consistent, {describe_signature(signature, read_record(lines).header, whose)}."


def describe_signature(signature: Signature | None, header: Header, whose: str = "") -> str:
    """Who signed a record, in words; `whose` says what is known of the key."""
    if signature is None:
        return "not signed"
    exposing = " and ".join(exposing_players(header))
    risk = f", with {exposing}, who could have read the key" if exposing else ""
    return f"signed by {signature.key}{f' ({whose})' if whose else ''}{risk}"
